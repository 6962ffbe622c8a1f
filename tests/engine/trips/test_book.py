"""Open trips in memory: the choice of the followed trip, for any order of starts and changes."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from engine.domain.environment import Environment
from engine.domain.tracking.trips import Trip, TripStatus
from engine.domain.values import replace
from engine.trips.book import TripBook
from tests.engine.fixtures import NOON

TEST = Environment.TEST


def pending(number: int, *, user_id: str | None = "ann", device_id: str | None = None) -> Trip:
    at = NOON + timedelta(minutes=number)
    return Trip(f"{number:04}", TEST, f"order {number}", TripStatus.PENDING, at, at, at, user_id, device_id)


def test_of_thousands_that_wait_for_a_user_the_latest_is_taken() -> None:
    waiting = [pending(number) for number in range(3_000)]
    book = TripBook(lambda: waiting)
    book.put(replace(waiting[7], metadata={"changed": True}))
    assert book.waiting_for(TEST, "ann", "phone") == waiting[-1], "not the one that was changed last"
    book.put(replace(waiting[-1], status=TripStatus.CANCELED))
    assert book.waiting_for(TEST, "ann", "phone") == waiting[-2]
    assert book.waiting_for(TEST, "ben", "phone") is None
    of_device = pending(5_000, user_id=None, device_id="phone")
    book.put(of_device)
    assert book.waiting_for(TEST, "ann", "phone") == of_device
    assert book.waiting_for(TEST, "ann", "other") == waiting[-2]
    assert book.waiting_for(Environment.LIVE, "ann", "phone") is None


CHANGES = st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["put", "start", "begin", "end", "drop"])), max_size=40)


@given(CHANGES)
def test_whatever_happens_the_trip_that_was_created_or_begun_last_counts(changes: list[tuple[int, str]]) -> None:
    book, there = TripBook(list), dict[int, Trip]()
    for turn, (number, change) in enumerate(changes):
        trip = there.get(number) or pending(number)
        if change == "start" and trip.status is TripStatus.PENDING:
            begun = NOON + timedelta(hours=1, minutes=turn)
            trip = replace(trip, status=TripStatus.STARTED, user="u", started_at=begun)
        if change == "begin" and trip.status is TripStatus.PENDING:
            trip = replace(trip, status=TripStatus.STARTED, started_at=NOON)
        if change == "end":
            trip = replace(trip, status=TripStatus.COMPLETED)
        if change == "drop":
            book.drop(trip)
        else:
            book.put(trip)
        there.pop(number, None)
        if change not in ("end", "drop"):
            there[number] = trip
        waiting = [each for each in there.values() if each.user is None]
        active = [each for each in there.values() if each.user is not None]
        assert book.waiting_for(TEST, "ann", "d") == max(waiting, key=lambda each: each.created_at, default=None)
        assert book.of_user("u") == max(active, key=lambda each: each.started_at or NOON, default=None)
        assert book.is_empty is (not there)
