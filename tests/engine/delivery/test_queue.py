"""The queue in memory, compared with the rule: one delivery per lane at a time, in order, despite failures."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from engine.delivery.queue import LEAST_WINDOW, LaneQueue
from engine.delivery.retries import GIVE_UP_S, JITTER, LONGEST_S, by_clock, tried, wait_s
from engine.domain.values import replace
from engine.domain.webhooks.delivery import Attempt, DeliveryKind, DeliveryStatus, Waiting
from engine.store.records.cells import from_ms, to_ms
from tests.engine.fixtures import NOON

FAILED = Attempt(500, "answered 500", 1)
DONE = Attempt(200, None, 1)


def delivery(number: int, lane: str) -> Waiting:
    return Waiting(number, lane, DeliveryKind.EVENT, NOON)


class Stored:
    """Stand-in for the contents of the database."""

    def __init__(self) -> None:
        self.waiting: dict[int, Waiting] = {}

    def after(self, number: int, count: int) -> list[Waiting]:
        return [self.waiting[each] for each in sorted(self.waiting) if each > number][:count]

    def firsts(self, lanes: list[str]) -> list[Waiting]:
        found = {each.lane: each for each in sorted(self.waiting.values(), key=lambda one: -one.number)}
        return [found[lane] for lane in lanes if lane in found]


@given(st.data())
def test_every_delivery_is_made_in_the_order_of_its_lane(data: st.DataObject) -> None:
    stored, queue = Stored(), LaneQueue()
    lanes = data.draw(st.lists(st.sampled_from("abcd"), max_size=40))
    pending = [delivery(number, lane) for number, lane in enumerate(lanes, 1)]
    done: list[Waiting] = []
    now = NOON
    flying: list[Waiting] = []
    while pending or stored.waiting:
        for _ in range(data.draw(st.integers(0, 8)) if stored.waiting else 1):
            if pending:
                new = pending.pop(0)
                stored.waiting[new.number] = new
                queue.grow()
        if data.draw(st.booleans()) and data.draw(st.booleans()):
            queue.rescan()
        if queue.wants_more:
            page = stored.after(queue.scanned, 3)
            queue.found(page, complete=len(page) < 3)
        flying += queue.take_due(now)
        assert len({each.lane for each in flying}) == len(flying) <= LEAST_WINDOW
        rest = []
        for each in flying:
            outcome = data.draw(st.sampled_from(["done", "failed", "wait"]))
            if outcome == "wait":
                rest.append(each)
            elif outcome == "failed":
                later = replace(each, due_at=now + timedelta(seconds=1))
                stored.waiting[each.number] = later
                queue.put_back(later)
            else:
                del stored.waiting[each.number]
                done.append(each)
                if queue.finish(each):
                    queue.follow([each.lane], stored.firsts([each.lane]))
        flying = rest
        now += timedelta(seconds=1)
    assert len(done) == len(lanes)
    for lane in set(lanes):
        numbers = [each.number for each in done if each.lane == lane]
        assert numbers == sorted(numbers)


def test_deliveries_under_way_when_others_were_removed_are_read_again() -> None:
    queue = LaneQueue()
    first, second = delivery(1, "a"), delivery(2, "a")
    queue.found([first, second], complete=True)
    assert queue.take_due(NOON) == [first]
    queue.rescan()
    queue.found([second], complete=True)
    assert not queue.take_due(NOON), "the first one is still under way"
    queue.put_back(first)
    assert queue.wants_more
    queue.found([second], complete=True)
    assert queue.take_due(NOON) == [second]


@given(st.integers(1, 10_000))
def test_waits_grow_to_an_hour(attempts: int) -> None:
    waiting = replace(delivery(1, "a"), attempts=attempts - 1)
    wait, plain = wait_s(waiting), min(5.0 * 2.0 ** min(attempts - 1, 30), LONGEST_S)
    assert plain * (1 - JITTER) <= wait <= plain * (1 + JITTER)
    assert wait_s(waiting) == wait, "the same each time"


def test_deliveries_that_failed_together_are_not_retried_together() -> None:
    assert len({wait_s(delivery(number, "a")) for number in range(100)}) == 100


@given(st.datetimes(datetime(2020, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)))
def test_a_clock_that_shows_when_a_delivery_is_due_makes_it_due(now: datetime) -> None:
    due_at = tried(delivery(1, "a"), FAILED, now).due_at
    assert due_at == from_ms(to_ms(due_at)), "as it is stored"
    assert due_at > now


@given(st.floats(0, 3 * GIVE_UP_S), st.integers(0, 50))
def test_a_delivery_is_given_up_after_a_day_and_not_before(since_s: float, attempts: int) -> None:
    waiting = replace(delivery(1, "a"), first_at=NOON, attempts=attempts)
    now = NOON + timedelta(seconds=since_s)
    after = tried(waiting, FAILED, now)
    last_chance = NOON + timedelta(seconds=GIVE_UP_S)
    assert (after.status is DeliveryStatus.FAILED) == (now >= last_chance)
    if after.status is DeliveryStatus.QUEUED:
        assert now < after.due_at <= last_chance
        assert by_clock(after.again, now) == after.again
        assert by_clock(after.again, now - timedelta(days=2)).due_at == now - timedelta(days=2)
    assert tried(waiting, DONE, now).status is DeliveryStatus.DELIVERED
