"""Texts of the window about webhooks and their deliveries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import orjson

from app.desktop.language import translated, within_sentence
from app.desktop.model.words import capital, count, local_time
from app.receiver import Received, Signature
from engine.domain.webhooks.delivery import Delivery, DeliveryKind, DeliveryStatus, QueueLength
from engine.domain.webhooks.webhook import Webhook

_UTC = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True)
class WebhooksShown:
    """The webhooks of an environment, and the newest deliveries of the chosen one."""

    webhooks: tuple[Webhook, ...] = ()
    lengths: Mapping[str, QueueLength] | None = None
    chosen: Webhook | None = None
    deliveries: tuple[Delivery, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of one of the tables; `key` tells it from the others, `bad` marks what went wrong."""

    key: str
    cells: tuple[str, ...]
    tip: str = ""
    bad: bool = False


DELIVERY_TITLES = ("Time", "Status", "Events", "Last answer")
RECEIVED_TITLES = ("Time", "Signature", "Events")


def state_text(webhook: Webhook) -> str:
    """Return whether a webhook sends."""
    if not webhook.enabled:
        return "disabled"
    return "paused" if webhook.paused else "enabled"


def queue_text(webhook: Webhook, length: QueueLength) -> str:
    """Return the state of a webhook and of its queue, for the head of the panel."""
    parts = [state_text(webhook)]
    if length.queued:
        parts.append(f"{length.queued:,} queued")
    if length.failed:
        parts.append(f"{length.failed:,} failed")
    return " · ".join(parts)


def delivery_row(delivery: Delivery) -> TableRow:
    """Return a delivery as a row."""
    titles = [_title(kind) for kind in delivery.event_types]
    if len(delivery.event_ids) > len(titles):
        titles.append(count(len(delivery.event_ids), "event"))
    events = ", ".join(titles)
    if delivery.kind is not DeliveryKind.EVENT:
        events += " (test)" if delivery.kind is DeliveryKind.TEST else " (resent)"
    cells = (_clock(delivery), _status(delivery), events, outcome_text(delivery))
    failed = delivery.last is not None and not delivery.last.acknowledged
    return TableRow(delivery.id, cells, f"{delivery.created_at.isoformat(timespec='milliseconds')}\n{events}", failed)


def outcome_text(delivery: Delivery) -> str:
    """Return what the receiver did last; nothing before the first attempt."""
    last = delivery.last
    if last is None:
        return ""
    return f"{last.status_code} in {last.duration_ms} ms" if last.error is None else last.error


def delivery_text(delivery: Delivery) -> str:
    """Return a delivery in full."""
    lines = [f"Status: {within_sentence(_status(delivery))}"]
    if delivery.last is not None and delivery.last_at is not None:
        attempts = count(delivery.attempts, "attempt")
        lines.append(f"{attempts}; last at {local_time(delivery.last_at, _UTC)}: {outcome_text(delivery)}")
    if delivery.status is DeliveryStatus.QUEUED:
        lines.append(f"Next attempt at {local_time(delivery.due_at, _UTC)}")
    return "\n".join([*lines, "", _pretty(delivery.body)])


def received_row(number: int, received: Received) -> TableRow:
    """Return what arrived as a row."""
    events = ", ".join(f"{_title(event.type)}  {event.about}".rstrip() for event in received.events)
    at = received.at.astimezone()
    cells = (f"{at:%H:%M:%S}", translated(received.signature.value.capitalize()), events)
    return TableRow(str(number), cells, received.at.isoformat(), received.signature is not Signature.VALID)


def received_text(received: Received) -> str:
    """Return what arrived in full."""
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


def _clock(delivery: Delivery) -> str:
    return f"{delivery.created_at.astimezone():%H:%M:%S}"


def _status(delivery: Delivery) -> str:
    if delivery.status is DeliveryStatus.QUEUED:
        return "Retrying" if delivery.attempts else "Queued"
    return translated(delivery.status.value.capitalize())


def _pretty(body: bytes | None) -> str:
    if body is None:
        return ""
    try:
        return orjson.dumps(orjson.loads(body), option=orjson.OPT_INDENT_2).decode()
    except orjson.JSONDecodeError:
        return body.decode("utf-8", "replace")
