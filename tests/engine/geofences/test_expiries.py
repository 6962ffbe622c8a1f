"""Expiry times, compared with a plain dictionary."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from engine.geofences.catalog import Expiries

START = datetime(2026, 3, 2, tzinfo=UTC)
moments = st.integers(0, 5).map(lambda minutes: START + timedelta(minutes=minutes))
changes = st.lists(st.tuples(st.sampled_from("abcdef"), st.one_of(st.none(), moments)))


@given(st.dictionaries(st.sampled_from("abcdef"), moments), st.lists(changes, max_size=10), moments)
def test_it_knows_the_next_and_the_passed_ones(
    given: dict[str, datetime], edits: list[list[tuple[str, datetime | None]]], now: datetime
) -> None:
    expiries, model = Expiries(given.items()), dict(given)
    for edit in edits:
        expiries.change(edit)
        for key, moment in edit:
            model.pop(key, None)
            if moment is not None:
                model[key] = moment
        assert expiries.next() == min(model.values(), default=None)
        passed = expiries.before(now)
        assert sorted(passed) == sorted(key for key, moment in model.items() if moment < now)


def test_changing_one_moment_for_ever_takes_no_more_room() -> None:
    expiries = Expiries([("a", START)])
    for minutes in range(5_000):
        expiries.change([("b", START + timedelta(minutes=minutes))])
    assert len(expiries._heap) < 2_000
    assert expiries.next() == START
