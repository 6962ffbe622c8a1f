"""Texts about webhooks and their deliveries."""

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

import orjson
from msgspec import Struct

from app.desktop.language import counted, tr, translated, within_sentence
from app.desktop.model.words import capital, clock_time, full_time, local_time
from app.receiver import Received, Signature
from engine.domain.webhooks.delivery import Delivery, DeliveryKind, DeliveryStatus, QueueLength
from engine.domain.webhooks.webhook import Webhook

_UTC = ZoneInfo("UTC")


class WebhooksShown(Struct, frozen=True):
    """The webhooks of an environment, the newest deliveries of the selected one, and the time zone of their times."""

    webhooks: tuple[Webhook, ...] = ()
    lengths: Mapping[str, QueueLength] | None = None
    chosen: Webhook | None = None
    deliveries: tuple[Delivery, ...] = ()
    zone: ZoneInfo = _UTC


class TableRow(Struct, frozen=True):
    """A row of one of the tables; `key` identifies it, and `bad` marks failures."""

    key: str
    cells: tuple[str, ...]
    tip: str = ""
    bad: bool = False


DELIVERY_TITLES = (tr("Time"), tr("Status"), tr("Events"), tr("Last answer"))
RECEIVED_TITLES = (tr("Time"), tr("Signature"), tr("Events"))


def state_text(webhook: Webhook) -> str:
    """Return the state of a webhook: disabled, paused or enabled."""
    if not webhook.enabled:
        return tr("disabled")
    return tr("paused") if webhook.paused else tr("enabled")


def queue_text(webhook: Webhook, length: QueueLength) -> str:
    """Return the state of a webhook and its queue for the head of the panel."""
    parts = [state_text(webhook)]
    if length.queued:
        parts.append(tr("{count:,} queued", count=length.queued))
    if length.failed:
        parts.append(tr("{count:,} failed", count=length.failed))
    return " · ".join(parts)


def delivery_row(delivery: Delivery, zone: ZoneInfo) -> TableRow:
    """Return a delivery as a table row."""
    titles = [_title(kind) for kind in delivery.event_types]
    if len(delivery.event_ids) > len(titles):
        titles.append(counted(len(delivery.event_ids), "event"))
    events = ", ".join(titles)
    if delivery.kind is not DeliveryKind.EVENT:
        events += tr(" (test)") if delivery.kind is DeliveryKind.TEST else tr(" (resent)")
    at = delivery.created_at
    cells = (clock_time(at, zone), _status(delivery), events, outcome_text(delivery))
    failed = delivery.last is not None and not delivery.last.acknowledged
    return TableRow(delivery.id, cells, f"{full_time(at, zone)}\n{events}", failed)


def outcome_text(delivery: Delivery) -> str:
    """Return the result of the last delivery attempt, or "" before the first attempt."""
    last = delivery.last
    if last is None:
        return ""
    return (
        tr("{status_code} in {milliseconds} ms", status_code=last.status_code, milliseconds=last.duration_ms)
        if last.error is None
        else last.error
    )


def delivery_text(delivery: Delivery, zone: ZoneInfo) -> str:
    """Return all details of a delivery."""
    lines = [tr("Status: {status}", status=within_sentence(_status(delivery)))]
    if delivery.last is not None and delivery.last_at is not None:
        attempts = counted(delivery.attempts, "attempt")
        lines.append(
            tr(
                "{attempts}; last at {time}: {outcome}",
                attempts=attempts,
                time=local_time(delivery.last_at, zone),
                outcome=outcome_text(delivery),
            )
        )
    if delivery.status is DeliveryStatus.QUEUED:
        lines.append(tr("Next attempt at {time}", time=local_time(delivery.due_at, zone)))
    return "\n".join([*lines, "", _pretty(delivery.body)])


def received_row(number: int, received: Received, zone: ZoneInfo) -> TableRow:
    """Return a received request as a table row."""
    events = ", ".join(f"{_title(event.type)}  {event.about}".rstrip() for event in received.events)
    cells = (clock_time(received.at, zone), translated(received.signature.value.capitalize()), events)
    return TableRow(str(number), cells, full_time(received.at, zone), received.signature is not Signature.VALID)


def received_text(received: Received) -> str:
    """Return all details of a received request."""
    return f"POST {received.path}\nSignature: {translated(received.signature)}\n\n{_pretty(received.text.encode())}"


def words_of(text: str) -> tuple[str, ...]:
    """Return the parts of a comma-separated list."""
    return tuple(part for part in map(str.strip, text.split(",")) if part)


def listed(words: Sequence[str]) -> str:
    """Return a comma-separated list."""
    return ", ".join(words)


def _title(kind: str) -> str:
    """Return an event's type as words: ``Entered geofence``."""
    return capital(kind.removeprefix("user.").replace("_", " "))


def _status(delivery: Delivery) -> str:
    if delivery.status is DeliveryStatus.QUEUED:
        return tr("Retrying") if delivery.attempts else tr("Queued")
    return translated(delivery.status.value.capitalize())


def _pretty(body: bytes | None) -> str:
    if body is None:
        return ""
    try:
        return orjson.dumps(orjson.loads(body), option=orjson.OPT_INDENT_2).decode()
    except orjson.JSONDecodeError:
        return body.decode("utf-8", "replace")
