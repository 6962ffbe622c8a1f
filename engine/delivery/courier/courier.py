"""The courier, which schedules and sends deliveries and reports their outcomes for storage.

The next delivery of a lane is sent only after the previous one was stored as delivered or given up. A restart after a
crash therefore repeats at most the deliveries in progress, and never sends an earlier event after a later one.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import batched
from typing import Final

import orjson

from engine.delivery.courier.messages import (
    Order,
    Outcomes,
    Report,
    Route,
    frame,
    pack_outcomes,
    pack_posted,
    unpack_bodies,
    unpack_routes,
    unpack_try,
)
from engine.delivery.queue import LaneQueue
from engine.delivery.retries import attempt_of, by_clock, tried
from engine.domain.clock import ClockPace, real_seconds
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError
from engine.domain.ports import SystemClock
from engine.domain.webhooks.delivery import DeliveryStatus, Tried, Waiting
from engine.outbound.posting.receiver import Posted
from engine.outbound.posting.requests import Requests
from engine.store.delivery.waiting import WaitingDeliveries, settled_rows

PAGE: Final = 1_000
LEAST_S: Final = 0.005
CROWDED_S: Final = 0.04
"""Minimum interval between rounds in seconds if more deliveries are due than may be in progress.

It is `LEAST_S` otherwise. Deliveries that come in between are sent and stored together, which takes a third of the time
for each.
"""

LONGEST_S: Final = 60.0
"""Maximum wait for the next round, even if no attempt is due, as the machine may have slept in the meantime."""

AGAIN_S: Final = 1.0
"""Wait after an internal failure, such as a full disk."""

GRACE_S: Final = 1.0
"""How long requests in progress may still be answered when the workspace is closed."""

ENCODED_AT_ONCE: Final = 50


class Courier:
    """Executes orders and sends reports, in the thread of an event loop."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, database: WaitingDeliveries, report: Callable[[bytes], None]
    ) -> None:
        self.ended = asyncio.Event()
        self._loop = loop
        self._database = database
        self._report = report
        self._requests = Requests(loop, self._note_posted)
        self._routes: dict[str, Route] = {}
        self._clocks = {environment: _Clock() for environment in Environment}
        self._shown: dict[Environment, datetime] = {}
        self._queues: dict[str, LaneQueue] = defaultdict(LaneQueue)
        self._has_grown = False
        self._posted: dict[int, Posted] = {}
        self._removed: list[tuple[str, list[int]]] = []
        self._settling: list[tuple[str, Tried]] = []
        self._settling_frame = b""
        self._is_settled = False
        self._timer: asyncio.TimerHandle | None = None
        self._round_at = 0.0
        self._rests_until = 0.0
        self._ends_by: float | None = None
        self._orders: dict[int, Callable[[bytes], None]] = {
            Order.ROUTES: self._take_routes,
            Order.GROWN: self._note_grown,
            Order.RESCAN: self._rescan,
            Order.SETTLED: self._note_settled,
            Order.BODIES: self._take_bodies,
            Order.TRY: self._try,
            Order.CLOSE: self._close,
        }

    def obey(self, order: int, content: bytes) -> None:
        """Accept an order, which takes effect in the next round."""
        self._orders[order](content)
        self._wake()

    # Orders

    def _take_routes(self, content: bytes) -> None:
        routes = unpack_routes(content)
        before, self._routes = self._routes, {route.webhook_id: route for route in routes.webhooks}
        for route in before.values():
            self._withdraw(route, self._routes.get(route.webhook_id))
        for webhook_id in self._queues.keys() - self._routes.keys():
            del self._queues[webhook_id]
        for environment, pace in routes.clocks.items():
            self._clocks[environment].pace = pace
        self._has_grown = True

    def _withdraw(self, before: Route, now: Route | None) -> None:
        """Withdraw requests that have not begun, if their receiver has changed or is no longer active."""
        if now is not None and now.active and now.receiver == before.receiver:
            return
        queue = self._queues[before.webhook_id]
        for delivery in queue.under_way(self._requests.withdraw(before.webhook_id, queue.numbers_under_way)):
            queue.put_back(delivery)

    def _note_grown(self, _: bytes) -> None:
        self._has_grown = True

    def _rescan(self, content: bytes) -> None:
        for webhook_id in orjson.loads(content):
            self._queues[webhook_id].rescan()

    def _note_settled(self, content: bytes) -> None:
        is_stored, rest_s = orjson.loads(content)
        self._rests_until = max(self._rests_until, self._loop.time() + rest_s)
        if is_stored:
            self._is_settled = True
        elif self._ends_by is None:
            self._loop.call_at(self._rests_until, self._report, self._settling_frame)
        else:
            # The outcomes cannot be stored. The deliveries are sent again when the workspace is opened next.
            self.ended.set()

    def _take_bodies(self, content: bytes) -> None:
        webhook_id, numbers, bodies = unpack_bodies(content)
        route = self._routes.get(webhook_id)
        if route is None:
            return
        queue = self._queues[webhook_id]
        if bodies is None or not route.active:
            for delivery in queue.under_way(set(numbers)):
                queue.put_back(delivery)
            if bodies is None:
                self._rests_until = self._loop.time() + AGAIN_S
            return
        wanted = {each.number for each in queue.under_way(bodies.keys())}
        some = {number: body for number, body in bodies.items() if number in wanted}
        self._requests.accept(route.receiver, some)
        self._removed.append((webhook_id, [number for number in numbers if number not in bodies]))

    def _try(self, content: bytes) -> None:
        receiver, number, body = unpack_try(content)
        self._requests.accept(receiver, {-number: body})

    def _close(self, _: bytes) -> None:
        self._ends_by = self._loop.time() + GRACE_S
        self._requests.drop_waiting()

    # Rounds

    def _note_posted(self, posted: Posted) -> None:
        if posted.number < 0:
            self._report(pack_posted(posted))
            return
        self._posted[posted.number] = posted
        self._wake()

    def _wake(self, after_s: float = 0.0) -> None:
        """Schedule the next round within a number of seconds, but not before the rest is over."""
        at = self._loop.time() + after_s
        if self._ends_by is None:
            at = max(at, self._rests_until)
        if self._timer is not None:
            if self._round_at <= at:
                return
            self._timer.cancel()
        self._round_at, self._timer = at, self._loop.call_at(at, self._run)

    def _run(self) -> None:
        self._timer = None
        try:
            wait_s = self._round() if self._ends_by is None else self._last_round(self._ends_by)
        except FencewrightError as error:
            wait_s = self._start_over(str(error))
        except Exception as error:  # noqa: BLE001 - reported, and tried again
            wait_s = self._start_over(f"{type(error).__name__}: {error}")
        else:
            is_crowded = any(queue.is_full for queue in self._queues.values())
            rest_s = CROWDED_S if is_crowded else LEAST_S
            self._rests_until = max(self._rests_until, self._loop.time() + rest_s)
        self._wake(LONGEST_S if wait_s is None else min(wait_s, LONGEST_S))

    def _start_over(self, trouble: str) -> float:
        """Report a failure and read all queues again, since the progress of the round is unknown."""
        self._report(frame(Report.TROUBLE, trouble.encode()))
        for queue in self._queues.values():
            queue.rescan()
        self._rests_until = self._loop.time() + AGAIN_S
        return AGAIN_S

    def _round(self) -> float | None:
        """Report the outcomes of the last requests and send the next; return the seconds until others are due."""
        self._look_at_clocks()
        self._go_on()
        self._take_outcomes()
        if self._has_grown:
            self._has_grown = False
            # Sent before anything is read, since deliveries queued from now on are announced again.
            self._report(frame(Report.LOOKS))
            for queue in self._queues.values():
                queue.grow()
        waits = [self._serve(route) for route in self._routes.values() if route.active]
        return min((wait_s for wait_s in waits if wait_s is not None), default=None)

    def _last_round(self, ends_by: float) -> float | None:
        """Report requests that are answered within the grace period, and end when their outcomes are stored."""
        left_s = ends_by - self._loop.time()
        if self._settling and not self._is_settled:
            return None
        if left_s > 0 and self._requests.are_running:
            return left_s
        self._go_on()
        self._take_outcomes()
        if not self._settling:
            self.ended.set()
        return None

    def _look_at_clocks(self) -> None:
        """Read the waiting deliveries of an environment again if its clock was set back."""
        for environment, clock in self._clocks.items():
            now = clock.now()
            if now < self._shown.get(environment, now):
                for route in self._routes.values():
                    if route.environment is environment:
                        self._queues[route.webhook_id].rescan()
            self._shown[environment] = now

    def _take_outcomes(self) -> None:
        """Report the outcomes of requests, unless earlier ones are not stored yet."""
        if self._settling or not self._posted:
            return
        posted, self._posted = self._posted, {}
        for route in self._routes.values():
            queue = self._queues[route.webhook_id]
            if own := queue.under_way(posted.keys()):
                queue.adapt(len(own))
                now = self._clocks[route.environment].now()
                self._settling += [
                    (route.webhook_id, tried(each, attempt_of(posted[each.number]), now)) for each in own
                ]
        if self._settling:
            self._settling_frame = pack_outcomes(self._outcomes())
            self._report(self._settling_frame)

    def _outcomes(self) -> Outcomes:
        settling = self._settling
        ended = [(webhook_id, after) for webhook_id, after in settling if after.status is not DeliveryStatus.QUEUED]
        failed = [(webhook_id, after) for webhook_id, after in ended if after.status is DeliveryStatus.FAILED]
        environments = {self._routes[webhook_id].environment for webhook_id in {each for each, _ in settling}}
        return Outcomes(
            settled_rows([after for _, after in settling]),
            Counter(webhook_id for webhook_id, _ in ended),
            tuple(environments),
            [(webhook_id, after.attempt.error or "") for webhook_id, after in failed],
        )

    def _go_on(self) -> None:
        """Continue the lanes of deliveries that were stored or deleted."""
        finished: dict[str, list[Waiting]] = defaultdict(list)
        if self._is_settled:
            settled, self._settling, self._is_settled = self._settling, [], False
            for webhook_id, after in settled:
                if webhook_id not in self._routes:
                    continue
                if after.status is DeliveryStatus.QUEUED:
                    self._queues[webhook_id].put_back(after.again)
                else:
                    finished[webhook_id].append(after.delivery)
        removed, self._removed = self._removed, []
        for webhook_id, numbers in removed:
            if webhook_id in self._routes:
                finished[webhook_id] += self._queues[webhook_id].under_way(set(numbers))
        for webhook_id, deliveries in finished.items():
            self._finish(self._routes[webhook_id], self._queues[webhook_id], deliveries)

    def _finish(self, route: Route, queue: LaneQueue, deliveries: Sequence[Waiting]) -> None:
        """Remove finished deliveries and read the next ones of their lanes."""
        lanes = [delivery.lane for delivery in deliveries if queue.finish(delivery)]
        if lanes:
            queue.follow(lanes, self._by_clock(route, self._database.first_of_lanes(route.webhook_id, lanes)))

    def _by_clock(self, route: Route, found: Sequence[Waiting]) -> list[Waiting]:
        now = self._clocks[route.environment].now()
        return [by_clock(delivery, now) for delivery in found]

    def _serve(self, route: Route) -> float | None:
        """Send the due deliveries of a webhook and return the real seconds until there is more to do."""
        queue, clock = self._queues[route.webhook_id], self._clocks[route.environment]
        if queue.wants_more:
            page = self._database.after(route.webhook_id, queue.scanned, PAGE)
            queue.found(self._by_clock(route, page), complete=len(page) < PAGE)
        now = clock.now()
        taken = queue.take_due(now)
        if taken:
            self._send(route, queue, taken)
        if queue.wants_more and not queue.is_full:
            return 0.0
        due_at = queue.next_due()
        return None if due_at is None else real_seconds(due_at, now, clock.scale)

    def _send(self, route: Route, queue: LaneQueue, taken: Sequence[Waiting]) -> None:
        """Send the deliveries that have a body, and request the bodies of those that are not yet encoded."""
        try:
            stored = self._database.bodies([delivery.number for delivery in taken])
        except FencewrightError:
            for delivery in taken:
                queue.put_back(delivery)
            raise
        # In the order in which they are due.
        bodies = {each.number: body for each in taken if (body := stored.get(each.number)) is not None}
        self._requests.accept(route.receiver, bodies)
        for some in batched([number for number, body in stored.items() if body is None], ENCODED_AT_ONCE):
            self._report(frame(Report.ENCODE, orjson.dumps([route.webhook_id, some])))
        # These were deleted in the meantime.
        self._finish(route, queue, [delivery for delivery in taken if delivery.number not in stored])


class _Clock:
    """The clock of an environment as last reported by the engine."""

    def __init__(self) -> None:
        self._system = SystemClock()
        self.pace: ClockPace | None = None

    def now(self) -> datetime:
        real = self._system.now()
        return real if self.pace is None else self.pace.at(real)

    @property
    def scale(self) -> float:
        return 1.0 if self.pace is None else self.pace.scale
