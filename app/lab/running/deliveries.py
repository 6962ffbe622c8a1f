"""The webhooks of a scenario: real deliveries to the built-in receiver on this machine."""

import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from threading import Lock
from typing import Final, Self

from msgspec import Struct

from app.lab.files.models import WebhookBody
from app.lab.running.recording import Delivered
from app.receiver import Received, Receiver, Signature
from engine.domain.environment import Environment
from engine.domain.errors import StorageUnavailable
from engine.domain.tracking.updates import Event
from engine.domain.webhooks.delivery import Delivery, DeliveryStatus
from engine.domain.webhooks.webhook import DeliveryMode, DeliveryQuery, WebhookChange
from engine.engine import Engine

SETTLE_S: Final = 30.0
"""How long due requests may take, in seconds. The receiver is on this machine and responds immediately."""

_LOOK_EVERY_S: Final = 0.004
_MOST_QUEUED: Final = 1_000
_TEST: Final = Environment.TEST

type _Ids = tuple[str, ...]


class _Request(Struct, frozen=True):
    """A request that the receiver got, at a time of the scenario's clock."""

    at: datetime
    received: Received

    @property
    def ids(self) -> _Ids:
        """The IDs of its events."""
        return tuple(event.id for event in self.received.events)


class _Hook:
    """A webhook and its receiver."""

    def __init__(self, engine: Engine, body: WebhookBody) -> None:
        self.name = body.name
        self.requests: list[_Request] = []
        self._clock, self._lock = engine.clock, Lock()
        self.receiver = Receiver(self._note, first=body.answers or ())
        try:
            self.webhook = engine.webhooks.create(_TEST, _change(body, self.receiver.url))
        except BaseException:
            self.receiver.close()
            raise
        self.receiver.token = self.webhook.token

    def _note(self, received: Received) -> None:
        with self._lock:
            self.requests.append(_Request(self._clock.now(), received))


class Webhooks:
    """All webhooks of a scenario. The clock waits for due deliveries, so that every run has the same order."""

    def __init__(self, engine: Engine, bodies: list[WebhookBody]) -> None:
        self._engine = engine
        self._hooks: list[_Hook] = []
        self._planned: datetime | None = None
        try:
            for body in bodies:
                self._hooks.append(_Hook(engine, body))
        except BaseException:
            self.close()
            raise

    def settle(self, plan: Callable[[datetime], None]) -> None:
        """Wait until everything that is due was delivered or failed. `plan` receives the time of the next delivery."""
        if not self._hooks:
            return
        deadline = time.monotonic() + SETTLE_S
        while (due := self._engine.webhooks.next_due(_TEST)) is not None and due <= self._engine.clock.now():
            if time.monotonic() > deadline:
                raise StorageUnavailable(f"The deliveries to webhooks were not made within {SETTLE_S:g} s.")
            time.sleep(_LOOK_EVERY_S)
        if due is not None and due != self._planned:
            self._planned = due
            plan(due)

    def delivered(self, events: Mapping[str, Event], start: datetime) -> Iterator[Delivered]:
        """Yield the requests that each webhook received, in the order of acknowledgement, and the pending ones."""
        for hook in self._hooks:
            query = DeliveryQuery(limit=_MOST_QUEUED, status=DeliveryStatus.QUEUED)
            queued = self._engine.webhooks.deliveries(_TEST, hook.webhook.id, query).items
            due = {delivery.event_ids: delivery.due_at - start for delivery in queued}
            yield from _delivered(hook, events, due, start)
            sent = {request.ids for request in hook.requests}
            yield from (_waiting(hook, each, events, start) for each in reversed(queued) if each.event_ids not in sent)

    def close(self) -> None:
        """Stop the receivers."""
        for hook in self._hooks:
            hook.receiver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _change(body: WebhookBody, url: str) -> WebhookChange:
    return WebhookChange(
        url=url, mode=DeliveryMode(body.delivery), event_types=tuple(body.event_types), tags=tuple(body.tags)
    )


def _delivered(
    hook: _Hook, events: Mapping[str, Event], due: Mapping[_Ids, timedelta], start: datetime
) -> Iterator[Delivered]:
    """Yield the requests of a receiver. Those of one delivery are combined at the position of the last one."""
    last = {request.ids: place for place, request in enumerate(hook.requests)}
    for place, request in enumerate(hook.requests):
        ids = request.ids
        if last[ids] != place:
            continue
        own = [each.received for each in hook.requests if each.ids == ids]
        signatures = {each.signature for each in own} - {Signature.VALID}
        yield Delivered(
            hook.name,
            tuple(events[each] for each in ids if each in events),
            request.at - start,
            tuple(each.status for each in own),
            request.received.content or {},
            next((str(each) for each in signatures), None),
            due.get(ids),
        )


def _waiting(hook: _Hook, delivery: Delivery, events: Mapping[str, Event], start: datetime) -> Delivered:
    found = tuple(events[each] for each in delivery.event_ids if each in events)
    return Delivered(hook.name, found, delivery.due_at - start, due=delivery.due_at - start)
