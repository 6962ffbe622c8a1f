"""The engine's side of deliveries: it sends orders to the courier and stores the outcomes it reports.

All other work happens in the courier's process, which reads the queue itself. Threads of one process share the
interpreter lock, so that time spent on deliveries here would be lost to location updates.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from threading import Condition, Lock, Thread
from time import thread_time
from typing import Final

import orjson

from engine.delivery.courier.messages import (
    Order,
    Outcomes,
    Report,
    Route,
    Routes,
    frame,
    pack_bodies,
    pack_routes,
    pack_try,
    unpack_outcomes,
    unpack_posted,
)
from engine.delivery.courier.process import CourierProcess
from engine.delivery.outbox import WebhookBook
from engine.delivery.pace import Pace
from engine.delivery.retries import attempt_of
from engine.domain.clock import pace_of
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError
from engine.domain.ports import Clock
from engine.domain.values import replace
from engine.domain.webhooks.delivery import Attempt, Delivery
from engine.domain.webhooks.webhook import Payloads, Webhook
from engine.outbound.posting.receiver import Posted, Receiver
from engine.store.database import Database
from engine.store.delivery.deliveries import (
    find_delivery,
    forget_finished,
    is_any_queued,
    remove_delivery,
    settle_deliveries,
)
from engine.store.queries import find_event, find_user
from engine.store.writer import Batch, Connection, Writer

log = logging.getLogger(__name__)

TIMEOUT_S: Final = 10.0
AGAIN_S: Final = 1.0
"""Wait after an internal failure, such as a full disk."""

CLOSE_S: Final = 3.0
"""How long the courier may take to end, including its grace period for requests in progress."""

FORGET_EVERY: Final = 2_000


class Dispatcher:
    """Manages the courier, from the creation of the dispatcher until `close`. Thread-safe."""

    def __init__(
        self,
        book: WebhookBook,
        database: Database,
        writer: Writer,
        clocks: Mapping[Environment, Clock],
        payloads: Callable[[], Payloads],
        changed: Callable[[Environment], None],
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        """Start the dispatcher. `changed` is called after deliveries were stored."""
        self._book = book
        self._database = database
        self._writer = writer
        self._clocks = clocks
        self._payloads = payloads
        self._changed = changed
        self._timeout_s = timeout_s
        # The first finished delivery triggers a cleanup of those that an earlier process has left.
        self._finished: dict[str, int] = defaultdict(lambda: FORGET_EVERY)
        self._pace = Pace()
        self._condition = Condition()
        self._is_woken = True
        self._is_active = bool(self._active())
        self._has_grown = False
        self._has_grown_again = False
        self._rescans: set[str] = set()
        self._frames: list[bytes] = []
        self._is_lost = False
        self._closed = False
        self._is_ended = False
        self._tests: dict[int, Future[Posted]] = {}
        self._telling = Lock()
        self._courier = CourierProcess(database.file, self._reported, self._lost)
        self._thread = Thread(target=self._run, name="webhook-dispatcher")
        self._thread.start()

    def wake(self) -> None:
        """Send the current webhooks and clocks to the courier."""
        is_active = bool(self._active())
        with self._condition:
            self._is_active = is_active
            self._is_woken = True
            self._condition.notify()

    def grow(self) -> None:
        """Announce new deliveries."""
        if not self._is_active:
            # The process that sends them later reads everything in the queue.
            return
        with self._condition:
            if self._has_grown:
                # The courier has not read the queue yet, so that the thread need not wake up for each update.
                self._has_grown_again = True
                return
            self._announce()

    def rescan(self, webhook_id: str) -> None:
        """Announce that stored deliveries of a webhook were changed."""
        self._rescan({webhook_id})

    def rescan_all(self) -> None:
        """Announce that stored deliveries were removed, so that those behind them can follow."""
        self._rescan({webhook.id for webhook in self._book.all()})

    def try_once(self, webhook: Webhook, number: int, body: bytes) -> Attempt:
        """Make one request that bypasses the queue and return its outcome. Nothing is stored."""
        future: Future[Posted] = Future()
        with self._condition:
            self._tests[number] = future
        # The courier treats it as a separate receiver, so that blocked requests to the webhook do not delay it.
        receiver = replace(self._receiver(webhook), group=f"{webhook.id} test")
        try:
            if not (self._is_running() and self._courier.send(pack_try(receiver, number, body))):
                return Attempt(None, "could not be reached: the process that sends does not run", 0)
            return attempt_of(future.result(self._timeout_s + CLOSE_S))
        except TimeoutError:
            return Attempt(None, f"did not answer within {self._timeout_s:g} s", round(self._timeout_s * 1000))
        finally:
            with self._condition:
                self._tests.pop(number, None)

    def close(self) -> None:
        """Store the requests that are answered within the grace period, and end the thread and the courier."""
        with self._condition:
            self._closed = True
            self._condition.notify()
        with self._telling:
            pass  # the courier is not started from now on
        self._courier.close(CLOSE_S)
        with self._condition:
            self._is_ended = True
            self._condition.notify()
        self._thread.join()

    def _announce(self) -> None:
        """Announce new deliveries to the courier, or start it. The condition must be held."""
        self._has_grown = True
        self._frames.append(frame(Order.GROWN))
        if self._courier.pid is None:
            self._is_woken = True
        self._condition.notify()

    def _put(self, content: bytes) -> None:
        """Queue a frame for the thread, so that the writer does not wait for a slow reader."""
        with self._condition:
            self._frames.append(content)
            self._condition.notify()

    def _rescan(self, webhook_ids: set[str]) -> None:
        with self._condition:
            self._rescans |= webhook_ids
            self._is_woken = True
            self._condition.notify()

    # The thread

    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._is_woken or self._frames or self._is_ended)
                if self._is_ended:
                    return
                is_woken, self._is_woken = self._is_woken and not self._closed, False
                is_lost, self._is_lost = self._is_lost, False
            if (is_lost and self._is_closed_within(AGAIN_S)) or (is_woken and not self._send_changes_or_wait()):
                continue
            with self._condition:
                waiting, self._frames = self._frames, []
            if waiting:
                self._courier.send(b"".join(waiting))

    def _send_changes_or_wait(self) -> bool:
        """Send changes to the courier and return whether this succeeded, after a wait if it failed."""
        try:
            if self._send_changes():
                return True
        except FencewrightError as error:
            log.warning("Deliveries to webhooks wait: %s", error)
        self._is_closed_within(AGAIN_S)
        with self._condition:
            self._is_woken = True
        return False

    def _is_closed_within(self, seconds: float) -> bool:
        with self._condition:
            return self._condition.wait_for(lambda: self._closed, seconds)

    def _send_changes(self) -> bool:
        """Send changes to the courier, or start it if deliveries are waiting, and return whether this succeeded."""
        with self._condition:
            rescans, self._rescans = self._rescans, set()
        if self._courier.pid is None:
            active = self._active()
            is_needed = self._database.read(lambda connection: is_any_queued(connection, active))
            if is_needed:
                return self._is_running()
            self._note_looks()
            return True
        with self._telling:
            self._courier.send(pack_routes(self._routes()))
        if rescans:
            self._courier.send(frame(Order.RESCAN, orjson.dumps(list(rescans))))
        return True

    def _is_running(self) -> bool:
        """Start the courier unless it is running and return whether it runs. Not for the writer's thread."""
        with self._telling:
            if self._courier.pid is None and not self._closed:
                # Reports of the previous process are stored first, so that no delivery is sent again.
                self._writer.run(lambda _: None)
                with self._condition:
                    self._frames.clear()
                try:
                    self._courier.start()
                except OSError as error:
                    log.warning("The process that sends to webhooks cannot be started: %s", error)
                    return False
                self._courier.send(pack_routes(self._routes()))
            return self._courier.pid is not None

    def _active(self) -> list[str]:
        return [webhook.id for webhook in self._book.all() if webhook.enabled and not webhook.paused]

    def _routes(self) -> Routes:
        webhooks = [
            Route(each.id, each.environment, self._receiver(each), each.enabled and not each.paused)
            for each in self._book.all()
        ]
        return Routes(tuple(webhooks), {environment: pace_of(clock) for environment, clock in self._clocks.items()})

    def _receiver(self, webhook: Webhook) -> Receiver:
        is_live = webhook.environment is Environment.LIVE
        return Receiver(webhook.id, webhook.url, webhook.token, self._timeout_s, public_only=is_live)

    # Reports of the courier, in the thread that reads them

    def _reported(self, report: int, content: bytes) -> None:
        try:
            match report:
                case Report.OUTCOMES:
                    self._store(unpack_outcomes(content))
                case Report.LOOKS:
                    self._note_looks()
                case Report.ENCODE:
                    self._encode(*orjson.loads(content))
                case Report.TRIED:
                    self._note_tried(unpack_posted(content))
                case Report.TROUBLE:
                    log.warning("Deliveries to webhooks wait: %s", content.decode())
        except FencewrightError as error:
            log.warning("Deliveries to webhooks wait: %s", error)
        except Exception:
            log.exception("Deliveries to webhooks wait")

    def _lost(self) -> None:
        with self._condition:
            tests, self._tests = self._tests, {}
            for number, test in tests.items():
                test.set_result(Posted(number, None, "could not be reached: the process that sends ended", 0))
            if self._closed:
                return
            self._is_lost = self._is_woken = True
            self._condition.notify()
        log.warning("The process that sends to webhooks ended; it is started again.")

    def _note_looks(self) -> None:
        with self._condition:
            self._has_grown = False
            if self._has_grown_again:
                self._has_grown_again = False
                self._announce()

    def _note_tried(self, outcome: Posted) -> None:
        with self._condition:
            test = self._tests.pop(-outcome.number, None)
        if test is not None:
            test.set_result(outcome)

    def _store(self, outcomes: Outcomes) -> None:
        """Store the outcomes of requests in the same commit as other pending changes."""
        counts = {each: self._finished[each] + count for each, count in outcomes.finished.items()}
        trimmed = [each for each, count in counts.items() if count >= FORGET_EVERY]

        def write(connection: Connection) -> None:
            began_s = thread_time()
            settle_deliveries(connection, outcomes.rows)
            for webhook_id in trimmed:
                forget_finished(connection, webhook_id)
            self._pace.worked_s += thread_time() - began_s

        def work(batch: Batch) -> None:
            batch.before_commit(lambda: write(batch.connection))

        def done(_: None, error: BaseException | None) -> None:
            if error is not None:
                log.warning("Deliveries to webhooks wait: %s", error)
                self._put(frame(Order.SETTLED, orjson.dumps([False, AGAIN_S])))
                return
            self._finished.update({each: 0 if each in trimmed else count for each, count in counts.items()})
            self._put(frame(Order.SETTLED, orjson.dumps([True, self._pace.rest_s()])))
            self._note_stored(outcomes)

        self._writer.submit_all([(work, done)])

    def _note_stored(self, outcomes: Outcomes) -> None:
        for webhook_id, error in outcomes.failures:
            log.warning("A delivery to %s was given up: the receiver %s", webhook_id, error)
        for environment in outcomes.environments:
            self._changed(environment)

    def _encode(self, webhook_id: str, numbers: Sequence[int]) -> None:
        """Send the courier the bodies of deliveries based on current data, and remove deliveries without events."""
        webhook = next((each for each in self._book.all() if each.id == webhook_id), None)
        bodies: dict[int, bytes] | None = None
        try:
            bodies = {} if webhook is None else self._bodies(webhook, numbers)
            if missing := [number for number in numbers if number not in bodies]:
                self._remove(missing)
        finally:
            # The courier waits for a response even if an error occurs.
            self._courier.send(pack_bodies(webhook_id, numbers, bodies))

    def _bodies(self, webhook: Webhook, numbers: Sequence[int]) -> dict[int, bytes]:
        def read(connection: Connection) -> dict[int, bytes]:
            found = {}
            for number in numbers:
                delivery = find_delivery(connection, webhook.id, number)
                body = None if delivery is None else encoded(connection, webhook, delivery, self._payloads())
                if body is not None:
                    found[number] = body
            return found

        return self._database.read(read)

    def _remove(self, numbers: Sequence[int]) -> None:
        def work(connection: Connection) -> None:
            for number in numbers:
                remove_delivery(connection, number)

        self._writer.run(work)


def encoded(connection: Connection, webhook: Webhook, delivery: Delivery, payloads: Payloads) -> bytes | None:
    """Return the body of a delivery based on the stored events and user, or None if no event is left."""
    environment = webhook.environment
    found = [find_event(connection, environment, event_id) for event_id in delivery.event_ids]
    events = [event for event in found if event is not None]
    if not events:
        return None
    user = find_user(connection, environment, events[0].user.id) if events[0].user.id else None
    user_payload = payloads.user_of(events[0]) if user is None else payloads.user(user)
    return payloads.body(webhook.mode, [payloads.event(event) for event in events], user_payload)
