"""Hours as they are drawn, adjusted and written, without a window."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desktop.model.hours.placing import (
    DAY_MIN,
    RASTER_MIN,
    Placed,
    drawn,
    is_free,
    moved,
    others_of,
    placed,
    resized_close,
    resized_opening,
    stepped,
    stepped_close,
    stepped_days,
    stepped_opening,
    with_placed,
)
from app.desktop.model.hours.presets import PRESETS
from app.desktop.model.hours.texts import read_hours, write_hours
from engine.domain.hours import OperatingHours, Span, parse_hours, spell_hours

MINUTES = st.integers(0, DAY_MIN - 1)
SPANS = st.builds(Span, MINUTES, st.integers(0, DAY_MIN))
WEEKS = st.builds(OperatingHours, st.tuples(*[st.lists(SPANS, max_size=3).map(tuple)] * 7)).map(
    lambda hours: parse_hours(spell_hours(hours))
)


def week(**days: list[list[str]]) -> OperatingHours:
    found = parse_hours(days)
    assert found is not None
    return found


def free_week(numbers: list[int]) -> OperatingHours:
    """Return a week of unrelated spans, each from one number of minutes to the next."""
    hours = OperatingHours(((),) * 7)
    for begin, end in zip(numbers[::2], numbers[1::2], strict=False):
        if 0 < end - begin <= DAY_MIN:
            hours = with_placed(hours, None, Placed(begin // DAY_MIN, begin % DAY_MIN, end - begin))
    return hours


FREE_WEEKS = st.lists(st.integers(0, 7 * DAY_MIN - 1), unique=True, max_size=12).map(sorted).map(free_week)


@given(SPANS, st.integers(0, 6))
def test_a_placed_span_is_open_when_the_span_is(span: Span, day: int) -> None:
    there = Placed.of(day, span)
    assert Placed.of(day, there.span) == there
    assert sum(end - begin for _, begin, end in there.parts) == there.length_min <= DAY_MIN


@given(WEEKS)
def test_hours_are_written_and_read_back(hours: OperatingHours) -> None:
    text = write_hours(hours)
    assert json.loads(text) == spell_hours(hours)
    read = read_hours(text)
    assert read.fault is None
    assert read.hours == hours


@given(FREE_WEEKS, st.data())
def test_a_drag_never_runs_into_another_span(hours: OperatingHours, data: st.DataObject) -> None:
    day, one, other = data.draw(st.integers(0, 6)), data.draw(st.integers(-60, 1500)), data.draw(st.integers(-60, 2880))
    spans = placed(hours)
    made = drawn(spans, day, one, other)
    assert made is None or (is_free(spans, made) and 0 < made.length_min <= DAY_MIN)
    if not spans:
        return
    origin = data.draw(st.sampled_from(spans))
    others = others_of(hours, origin)
    steps = data.draw(st.sampled_from((-1, 1)))
    results = [
        moved(others, origin, day, one),
        stepped(others, origin, steps),
        stepped_days(others, origin, steps),
        resized_close(others, origin, other),
        resized_opening(others, origin, one),
        stepped_close(others, origin, steps),
        stepped_opening(others, origin, steps),
    ]
    for result in filter(None, results):
        assert is_free(others, result), result
        assert 0 <= result.opens_min < DAY_MIN
        assert 0 < result.length_min <= DAY_MIN
        assert len(placed(with_placed(hours, origin, result))) == len(spans)


def test_times_off_the_raster_are_aligned_only_when_changed() -> None:
    hours = week(Mon=[["09:07", "17:03"]], Tue=[["08:01", "08:59"]])
    origin = placed(hours)[0]
    later = stepped((), origin, 1)
    assert later is not None
    assert later.span == Span(9 * 60 + 15, 17 * 60 + 11)
    assert stepped_close((), origin, 1).span == Span(9 * 60 + 7, 17 * 60 + 15)
    assert stepped_close((), origin, -1).span == Span(9 * 60 + 7, 17 * 60)
    assert stepped_opening((), origin, -1).span == Span(9 * 60, 17 * 60 + 3)
    assert spell_hours(with_placed(hours, origin, later))["Tue"] == [["08:01", "08:59"]]


def test_spans_go_across_midnight_and_the_end_of_the_week() -> None:
    late = stepped_close((), Placed(6, 22 * 60, 2 * 60), 4)
    assert late.span == Span(22 * 60, 60)
    assert late.parts == ((6, 1320, 1440), (0, 0, 60))
    monday = Placed(0, 0, 60)
    assert stepped_close((monday,), Placed(6, 22 * 60, 2 * 60), 1).span == Span(22 * 60, 24 * 60)
    early = stepped((), monday, -1)
    assert early == Placed(6, DAY_MIN - RASTER_MIN, 60)


@pytest.mark.parametrize(("text", "part", "message"), [
    ('{"Mon": [["09:00", "25:00"]]}', '"25:00"', "not a time"),
    ('{"Mon": [["09:00", "17:00"], ["9", "10:00"]]}', '"9"', "not a time"),
    ('{"Mon": [["24:00", "17:00"]]}', '"24:00"', "opens at 24:00"),
    ('{"Mon": [["09:00"]]}', '["09:00"]', "must be a pair"),
    ('{"Mon": "09:00"}', '"09:00"', "must be a list"),
    ('{"Mon": [], "Monday": []}', '"Monday"', "given twice"),
    ('{"Mon": [], "Mon": []}', '"Mon"', "given twice"),
    ('{"Mo": []}', '"Mo"', "not a day"),
    ('{"Mon": [["09:00" "17:00"]]}', '"', "delimiter"),
    ("[]", "[]", "must be a dictionary"),
])  # fmt: skip
def test_an_error_is_found_at_its_position(text: str, part: str, message: str) -> None:
    fault = read_hours(text).fault
    assert fault is not None
    assert text[fault.begin : fault.end] == part
    assert message in fault.message
    if part == '"Mon"':
        assert fault.begin > 5


def test_always_open_is_an_empty_dictionary_as_in_the_api() -> None:
    assert write_hours(None) == "{}"
    assert read_hours("{}").hours is None
    assert read_hours("{}").fault is None
    assert read_hours(write_hours(dict(PRESETS)["Closed every day"])).hours == OperatingHours(((),) * 7)


@pytest.mark.parametrize("text", ["", "  ", "[" * 5_000, "x" * 200_000])
def test_a_text_that_is_none_is_refused(text: str) -> None:
    assert read_hours(text).fault is not None
