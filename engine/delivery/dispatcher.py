"""The side of the engine's process in sending: tells the courier what to know, and stores what it reports.

All else happens in the courier's process, which reads the queue by itself: threads of one process share one lock, and
whatever a delivery takes here an update does not get.
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
"""After a failure of our own, such as a full disk."""

CLOSE_S: Final = 3.0
"""How long the courier may take to end, which has those under way answered for a moment."""

FORGET_EVERY: Final = 2_000


class Dispatcher:
    """Runs from its making until `close`. Its methods may be called from any thread."""

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
        """`changed` is told where deliveries were stored."""
        self._book = book
        self._database = database
        self._writer = writer
        self._clocks = clocks
        self._payloads = payloads
        self._changed = changed
        self._timeout_s = timeout_s
        # The first one to finish has all those counted that a process before this one left.
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
        """Tell the courier of the webhooks and clocks as they are now."""
        is_active = bool(self._active())
        with self._condition:
            self._is_active = is_active
            self._is_woken = True
            self._condition.notify()

    def grow(self) -> None:
        """Note that deliveries were queued."""
        if not self._is_active:
            # Whoever sends them later looks at all that waits.
            return
        with self._condition:
            if self._has_grown:
                # The courier has still to look, and nobody needs to be woken for each update.
                self._has_grown_again = True
                return
            self._announce()

    def rescan(self, webhook_id: str) -> None:
        """Note that stored deliveries of a webhook were changed."""
        self._rescan({webhook_id})

    def rescan_all(self) -> None:
        """Note that stored deliveries were removed: what was behind them is to follow."""
        self._rescan({webhook.id for webhook in self._book.all()})

    def try_once(self, webhook: Webhook, number: int, body: bytes) -> Attempt:
        """Make one request past the queue and return its outcome; nothing is stored."""
        future: Future[Posted] = Future()
        with self._condition:
            self._tests[number] = future
        # A receiver of its own to the courier: what hangs there must not hold it up.
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
        """Store what is answered within a moment, and end the thread and the courier."""
        with self._condition:
            self._closed = True
            self._condition.notify()
        with self._telling:
            pass  # nobody starts it any more
        self._courier.close(CLOSE_S)
        with self._condition:
            self._is_ended = True
            self._condition.notify()
        self._thread.join()

    def _announce(self) -> None:
        """Have the courier told of new deliveries, or started; with the condition held."""
        self._has_grown = True
        self._frames.append(frame(Order.GROWN))
        if self._courier.pid is None:
            self._is_woken = True
        self._condition.notify()

    def _put(self, content: bytes) -> None:
        """Have the thread send a frame: the writer waits for nobody who is slow to read."""
        with self._condition:
            self._frames.append(content)
            self._condition.notify()

    def _rescan(self, webhook_ids: set[str]) -> None:
        with self._condition:
            self._rescans |= webhook_ids
            self._is_woken = True
            self._condition.notify()

    # In the thread

    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._is_woken or self._frames or self._is_ended)
                if self._is_ended:
                    return
                is_woken, self._is_woken = self._is_woken and not self._closed, False
                is_lost, self._is_lost = self._is_lost, False
            if (is_lost and self._is_closed_within(AGAIN_S)) or (is_woken and not self._tell_or_wait()):
                continue
            with self._condition:
                waiting, self._frames = self._frames, []
            if waiting:
                self._courier.send(b"".join(waiting))

    def _tell_or_wait(self) -> bool:
        """Tell the courier what has changed; return whether that went well, else after a moment."""
        try:
            if self._tell():
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

    def _tell(self) -> bool:
        """Tell the courier what has changed, and start one that does not run if anything waits; return success."""
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
        """Start the courier unless it runs; return whether it does. Not in the writer's thread."""
        with self._telling:
            if self._courier.pid is None and not self._closed:
                # What the one before it reported is stored first, so that nothing of it is sent again.
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

    # From the courier, in the thread that reads its reports

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
        """Store what became of requests, together with whatever else is stored at this moment."""
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
        """Give the courier the bodies of deliveries by what is stored now; what has no events any more is removed."""
        webhook = next((each for each in self._book.all() if each.id == webhook_id), None)
        bodies: dict[int, bytes] | None = None
        try:
            bodies = {} if webhook is None else self._bodies(webhook, numbers)
            if gone := [number for number in numbers if number not in bodies]:
                self._remove(gone)
        finally:
            # It waits for an answer, whatever happens.
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

    def _remove(self, gone: Sequence[int]) -> None:
        def work(connection: Connection) -> None:
            for number in gone:
                remove_delivery(connection, number)

        self._writer.run(work)


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
