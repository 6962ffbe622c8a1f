"""Sends what is queued: a thread that hands requests to the process that makes them, and stores what became of them.

The next delivery of a lane is sent only after the one before it is stored as delivered or given up: whoever starts
again after a crash repeats at most what was under way, and never an earlier event after a later one.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime
from threading import Condition, Thread
from time import thread_time
from typing import Final

from engine.delivery.book import WebhookBook
from engine.delivery.pace import Pace
from engine.delivery.queue import LaneQueue
from engine.delivery.retries import by_clock, tried
from engine.domain.clock import real_seconds
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError
from engine.domain.ports import Clock, settle
from engine.domain.webhooks import Attempt, Delivery, DeliveryStatus, Payloads, Tried, Waiting, Webhook
from engine.outbound.posting.messages import Posted, Receiver
from engine.outbound.posting.poster import Poster
from engine.store.database import Database
from engine.store.delivery.deliveries import (
    bodies_of,
    find_delivery,
    first_of_lanes,
    forget_finished,
    queued_after,
    remove_delivery,
    settle_deliveries,
)
from engine.store.queries import find_event, find_user
from engine.store.writer import Batch, Connection, Writer

log = logging.getLogger(__name__)

TIMEOUT_S: Final = 10.0
PAGE: Final = 1_000
AGAIN_S: Final = 1.0
"""After a failure of our own, such as a full disk."""

LONGEST_S: Final = 60.0
"""However far the next attempt is: a machine that slept has to look again."""

GRACE_S: Final = 1.0
"""How long those under way may still be answered when the workspace is closed."""

FORGET_EVERY: Final = 2_000


class Dispatcher:
    """Runs from its making until `close`. Its methods may be called from any thread."""

    def __init__(
        self,
        book: WebhookBook,
        database: Database,
        writer: Writer,
        clocks: Mapping[Environment, Clock],
        scale: Callable[[Environment], float],
        payloads: Payloads,
        changed: Callable[[Environment], None],
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        """`scale` says how fast a clock goes; `changed` is told where deliveries were stored."""
        self._book = book
        self._database = database
        self._writer = writer
        self._clocks = clocks
        self._scale = scale
        self._payloads = payloads
        self._changed = changed
        self._timeout_s = timeout_s
        self._queues: dict[str, LaneQueue] = defaultdict(LaneQueue)
        # The first one to finish has all those counted that a process before this one left.
        self._finished: dict[str, int] = defaultdict(lambda: FORGET_EVERY)
        self._unstored: list[tuple[Webhook, Tried]] = []
        self._shown: dict[Environment, datetime] = {}
        self._condition = Condition()
        self._woken = True
        self._grown = False
        self._rescans: set[str] = set()
        self._outcomes: list[Posted] = []
        self._is_lost = False
        self._closed = False
        self._tests: dict[int, Future[Posted]] = {}
        self._poster = Poster(self._told, self._lost)
        self._thread = Thread(target=self._run, name="webhook-dispatcher")
        self._thread.start()

    def wake(self) -> None:
        """Look again at what is due: the clock or a webhook may have changed."""
        with self._condition:
            self._woken = True
            self._condition.notify()

    def grow(self) -> None:
        """Note that deliveries were queued."""
        if self._grown:
            # It is still to be seen, and what was queued is committed: nobody needs to be woken for each update.
            return
        with self._condition:
            self._grown = self._woken = True
            self._condition.notify()

    def rescan(self, webhook_id: str) -> None:
        """Note that stored deliveries of a webhook were changed."""
        with self._condition:
            self._rescans.add(webhook_id)
            self._woken = True
            self._condition.notify()

    def rescan_all(self) -> None:
        """Note that stored deliveries were removed: what was behind them is to follow."""
        with self._condition:
            self._rescans.update(webhook.id for webhook in self._book.all())
            self._woken = True
            self._condition.notify()

    def try_once(self, webhook: Webhook, number: int, body: bytes) -> Attempt:
        """Make one request past the queue and return its outcome; nothing is stored."""
        future: Future[Posted] = Future()
        with self._condition:
            self._tests[-number] = future
        # A receiver of its own to the process that posts: what hangs there must not hold it up.
        receiver = replace(self._receiver(webhook), group=f"{webhook.id} test")
        if not self._poster.post(receiver, {-number: body}):
            return Attempt(None, "could not be reached: the workspace is being closed", 0)
        try:
            return attempt_of(future.result(self._timeout_s + AGAIN_S + GRACE_S))
        except TimeoutError:
            return Attempt(None, f"did not answer within {self._timeout_s:g} s", round(self._timeout_s * 1000))
        finally:
            with self._condition:
                self._tests.pop(-number, None)

    def close(self) -> None:
        """Store what is answered within a moment, and end the thread and the process that posts."""
        with self._condition:
            self._closed = True
            self._condition.notify()
        self._thread.join()
        self._poster.close()

    # From the poster, in its thread

    def _told(self, outcomes: list[Posted]) -> None:
        with self._condition:
            for outcome in outcomes:
                test = self._tests.pop(outcome.number, None)
                if test is not None:
                    test.set_result(outcome)
                else:
                    self._outcomes.append(outcome)
            self._woken = True
            self._condition.notify()

    def _lost(self) -> None:
        with self._condition:
            self._is_lost = self._woken = True
            self._condition.notify()

    # In the thread

    def _run(self) -> None:
        self._pace = Pace()
        wait_s: float | None = 0.0
        while True:
            with self._condition:
                if not (self._woken or self._closed):
                    self._condition.wait(LONGEST_S if wait_s is None else min(wait_s, LONGEST_S))
                self._woken = False
                if self._closed:
                    break
            try:
                wait_s = self._round()
            except FencewrightError as error:
                log.warning("Deliveries to webhooks wait: %s", error)
                wait_s = AGAIN_S
            except Exception:
                log.exception("Deliveries to webhooks wait")
                wait_s = AGAIN_S
            rest_s = self._pace.rest_s()
            with self._condition:
                self._condition.wait_for(lambda: self._closed, rest_s)
        self._finish()

    def _finish(self) -> None:
        """Store the outcomes of what is under way, as far as they come within a moment."""
        with self._condition:
            self._condition.wait_for(lambda: len(self._outcomes) >= self._flying(), GRACE_S)
        try:
            self._take_outcomes()
        except FencewrightError as error:
            log.warning("Deliveries to webhooks are made again: %s", error)

    def _flying(self) -> int:
        return sum(queue.flying for queue in self._queues.values())

    def _round(self) -> float | None:
        """Store what became of the last requests and make the next; return in how many seconds others are due."""
        self._take_notes()
        self._look_at_clocks()
        self._take_outcomes()
        waits = [self._serve(webhook) for webhook in self._book.all() if webhook.enabled and not webhook.paused]
        return min((wait_s for wait_s in waits if wait_s is not None), default=None)

    def _take_notes(self) -> None:
        with self._condition:
            grown, self._grown = self._grown, False
            rescans, self._rescans = self._rescans, set()
            is_lost, self._is_lost = self._is_lost, False
        known = {webhook.id for webhook in self._book.all()}
        for webhook_id in self._queues.keys() - known:
            del self._queues[webhook_id]
            self._finished.pop(webhook_id, None)
        for webhook_id, queue in self._queues.items():
            if is_lost:
                queue.put_all_back()
            if webhook_id in rescans:
                queue.rescan()
            elif grown:
                queue.grow()

    def _look_at_clocks(self) -> None:
        """Read again what waits by a clock that was set back."""
        for environment, clock in self._clocks.items():
            now = clock.now()
            if now < self._shown.get(environment, now):
                for webhook in self._book.of(environment):
                    self._queues[webhook.id].rescan()
            self._shown[environment] = now

    def _take_outcomes(self) -> None:
        """Store what became of requests, and let the next ones of their lanes follow."""
        with self._condition:
            outcomes, self._outcomes = self._outcomes, []
        by_number = {outcome.number: outcome for outcome in outcomes}
        for webhook in self._book.all():
            queue = self._queues[webhook.id]
            mine = queue.under_way(by_number.keys())
            if mine:
                queue.adapt(len(mine))
                now = self._clocks[webhook.environment].now()
                self._unstored += [(webhook, _tried(webhook, each, by_number[each.number], now)) for each in mine]
        if self._unstored:
            self._store()
            self._go_on()

    def _store(self) -> None:
        """Store what became of requests, together with whatever else is stored at this moment."""
        finished = Counter(webhook.id for webhook, after in self._unstored if after.status is not DeliveryStatus.QUEUED)
        trimmed = [each for each, count in finished.items() if self._finished[each] + count >= FORGET_EVERY]
        stored = [after for _, after in self._unstored]

        def write(connection: Connection) -> None:
            began_s = thread_time()
            settle_deliveries(connection, stored)
            for webhook_id in trimmed:
                forget_finished(connection, webhook_id)
            self._pace.elsewhere_s += thread_time() - began_s

        def work(batch: Batch) -> None:
            batch.before_commit(lambda: write(batch.connection))

        future: Future[None] = Future()
        self._writer.submit_all([(work, settle(future))])
        future.result()
        for webhook_id, count in finished.items():
            self._finished[webhook_id] = 0 if webhook_id in trimmed else self._finished[webhook_id] + count

    def _go_on(self) -> None:
        """Let what was stored make room for what is behind it."""
        stored, self._unstored = self._unstored, []
        for environment in {webhook.environment for webhook, _ in stored}:
            self._changed(environment)
        webhooks = {webhook.id: webhook for webhook, _ in stored}
        followed: dict[str, list[str]] = defaultdict(list)
        for webhook, after in stored:
            queue = self._queues[webhook.id]
            if after.status is DeliveryStatus.QUEUED:
                queue.put_back(after.again)
                continue
            if queue.finish(after.delivery):
                followed[webhook.id].append(after.delivery.lane)
        for webhook_id, lanes in followed.items():
            self._queues[webhook_id].follow(lanes, self._firsts(webhooks[webhook_id], lanes))

    def _firsts(self, webhook: Webhook, lanes: Sequence[str]) -> list[Waiting]:
        found = self._database.read(lambda connection: first_of_lanes(connection, webhook.id, lanes))
        return self._by_clock(webhook, found)

    def _by_clock(self, webhook: Webhook, found: Sequence[Waiting]) -> list[Waiting]:
        now = self._clocks[webhook.environment].now()
        return [by_clock(delivery, now) for delivery in found]

    def _serve(self, webhook: Webhook) -> float | None:
        """Send what is due to a webhook; return in how many real seconds there is more to do."""
        queue, clock = self._queues[webhook.id], self._clocks[webhook.environment]
        if queue.wants_more:
            scanned = queue.scanned
            page = self._database.read(lambda connection: queued_after(connection, webhook.id, scanned, PAGE))
            queue.found(self._by_clock(webhook, page), complete=len(page) < PAGE)
        now = clock.now()
        taken = queue.take_due(now)
        if taken and not self._send(webhook, queue, taken):
            return AGAIN_S
        if queue.wants_more and not queue.is_full:
            return 0.0
        due_at = queue.next_due()
        return None if due_at is None else real_seconds(due_at, now, self._scale(webhook.environment))

    def _send(self, webhook: Webhook, queue: LaneQueue, taken: Sequence[Waiting]) -> bool:
        """Hand deliveries to the process that posts; return whether it takes any."""
        try:
            bodies = self._database.read(lambda connection: self._bodies(connection, webhook, taken))
        except Exception:
            for delivery in taken:
                queue.put_back(delivery)
            raise
        gone = [delivery for delivery in taken if delivery.number not in bodies]
        if gone:
            # They were deleted meanwhile, or hold only events that were.
            self._remove(gone)
            lanes = [delivery.lane for delivery in gone if queue.finish(delivery)]
            queue.follow(lanes, self._firsts(webhook, lanes))
        if not bodies or self._poster.post(self._receiver(webhook), bodies):
            return True
        for delivery in taken:
            if delivery.number in bodies:
                queue.put_back(delivery)
        return False

    def _bodies(self, connection: Connection, webhook: Webhook, taken: Sequence[Waiting]) -> dict[int, bytes]:
        """Return what is to be sent by number; what was not encoded yet is encoded by what is stored now."""
        stored = bodies_of(connection, [delivery.number for delivery in taken])
        found = {}
        for delivery in taken:
            if delivery.number not in stored:
                continue
            body = stored[delivery.number]
            if body is None and (late := find_delivery(connection, webhook.id, delivery.number)) is not None:
                body = encoded(connection, webhook, late, self._payloads)
            if body is not None:
                found[delivery.number] = body
        return found

    def _remove(self, gone: Sequence[Waiting]) -> None:
        def work(connection: Connection) -> None:
            for delivery in gone:
                remove_delivery(connection, delivery.number)

        self._writer.run(work)

    def _receiver(self, webhook: Webhook) -> Receiver:
        is_live = webhook.environment is Environment.LIVE
        return Receiver(webhook.id, webhook.url, webhook.token, self._timeout_s, public_only=is_live)


def _tried(webhook: Webhook, delivery: Waiting, outcome: Posted, now: datetime) -> Tried:
    after = tried(delivery, attempt_of(outcome), now)
    if after.status is DeliveryStatus.FAILED:
        log.warning("A delivery to %s was given up: the receiver %s", webhook.id, after.attempt.error)
    return after


def encoded(connection: Connection, webhook: Webhook, delivery: Delivery, payloads: Payloads) -> bytes | None:
    """Return the body of a delivery by the events and the user that are stored; None where no event is."""
    environment = webhook.environment
    found = [find_event(connection, environment, event_id) for event_id in delivery.event_ids]
    events = [event for event in found if event is not None]
    if not events:
        return None
    user = find_user(connection, environment, events[0].user.id) if events[0].user.id else None
    told = payloads.user_of(events[0]) if user is None else payloads.user(user)
    return payloads.body(webhook.mode, [payloads.event(event) for event in events], told)


def attempt_of(outcome: Posted) -> Attempt:
    """Return the outcome of a request as it is stored: any 2xx acknowledges."""
    status, error = outcome.status, outcome.error
    if status is not None and not 200 <= status < 300:
        error = f"answered {status}"
        if 300 <= status < 400:
            error += "; redirects are not followed"
    return Attempt(status, error, outcome.duration_ms)
