"""Operating hours: syntax, meaning, and storing them unchanged."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.hours import (
    DAYS,
    MAX_SPANS,
    HoursRule,
    OperatingHours,
    Span,
    alike,
    days_text,
    parse_hours,
    parse_spans,
    spell_hours,
    spell_time,
)

MONDAY = datetime(2026, 3, 2)
WEEK_MIN = 7 * 24 * 60

opens = st.integers(0, 1439)
closes = st.integers(0, 1440)
spans = st.lists(st.tuples(opens, closes), max_size=3)
weeks = st.dictionaries(st.sampled_from(DAYS), spans, min_size=1)


def parsed(value: object) -> OperatingHours:
    hours = parse_hours(value)
    assert hours is not None
    return hours


def spelled(week: dict[str, list[tuple[int, int]]]) -> dict[str, list[list[str]]]:
    return {day: [[spell_time(a), spell_time(b)] for a, b in some] for day, some in week.items()}


def minutes_open(week: dict[str, list[tuple[int, int]]]) -> set[int]:
    """Return every open minute of the week."""
    found: set[int] = set()
    for day, some in week.items():
        for start, end in some:
            length = end - start if end > start else end + 24 * 60 - start
            first = DAYS.index(day) * 24 * 60 + start
            found.update((first + minute) % WEEK_MIN for minute in range(length))
    return found


@given(weeks, st.integers(0, WEEK_MIN - 1), st.integers(0, 59_999))
def test_open_agrees_with_a_calendar_of_minutes(
    week: dict[str, list[tuple[int, int]]], minute: int, milliseconds: int
) -> None:
    moments = {minute} | {
        (DAYS.index(day) * 24 * 60 + edge + by) % WEEK_MIN
        for day, some in week.items()
        for pair in some
        for edge in pair
        for by in (-1, 0, 1)
    }
    hours, expected = parsed(spelled(week)), minutes_open(week)
    for moment in moments:
        local = MONDAY + timedelta(minutes=moment, milliseconds=milliseconds)
        assert hours.is_open(local, HoursRule.CALENDAR) == (moment in expected), (week, local)


def opens_by_platform(week: dict[str, list[tuple[int, int]]], local: datetime) -> bool:
    """Return what the vendor's SDK describes: no crossing of midnight, and no minute of an edge."""
    if (day := local.strftime("%a")) not in week:
        return True
    minute = local.hour * 60 + local.minute
    return any(minute > start and minute < end for start, end in week[day])


@given(weeks, st.integers(0, WEEK_MIN - 1), st.integers(0, 59_999))
def test_the_platform_rule_decides_each_minute_of_edges(
    week: dict[str, list[tuple[int, int]]], minute: int, milliseconds: int
) -> None:
    edges = (
        DAYS.index(day) * 24 * 60 + edge for day, some in week.items() for pair in some for edge in (*pair, 0, 1440)
    )
    moments = {minute} | {(edge + by) % WEEK_MIN for edge in edges for by in (-1, 0, 1)}
    hours = parsed(spelled(week))
    for moment in moments:
        local = MONDAY + timedelta(minutes=moment, milliseconds=milliseconds)
        assert hours.is_open(local, HoursRule.PLATFORM) == opens_by_platform(week, local), (week, local)


@pytest.mark.parametrize("transition", ["2026-03-29", "2026-10-25"])
@pytest.mark.parametrize("rule", HoursRule)
def test_on_days_of_a_clock_change_only_the_local_time_counts(transition: str, rule: HoursRule) -> None:
    zone, hours = ZoneInfo("Europe/Berlin"), parsed({"Sun": [["01:30", "03:00"], ["12:00", "24:00"]], "Mon": []})
    first = datetime.fromisoformat(transition).replace(tzinfo=zone).astimezone(UTC)
    for minute in range(26 * 60):
        local = (first + timedelta(minutes=minute)).astimezone(zone)
        naive = local.replace(tzinfo=None)
        assert hours.is_open(local, rule) == hours.is_open(naive, rule)
        number = local.hour * 60 + local.minute
        least = 1 if rule is HoursRule.PLATFORM else 0
        held = 90 + least <= number < 180 or 720 + least <= number
        assert hours.is_open(local, rule) == (local.weekday() == 6 and held), local


WORKDAY = {"Mon": [["09:00", "17:00"]]}
NIGHT = {"Mon": [["22:00", "02:00"]]}
BREAK = {"Mon": [["09:00", "12:00"], ["13:00", "17:00"]]}


@pytest.mark.parametrize(
    ("week", "local", "platform", "calendar"),
    [
        (WORKDAY, "Tue 03:00", True, False),
        ({"Mon": []}, "Mon 12:00", False, False),
        (WORKDAY, "Mon 08:59", False, False),
        (WORKDAY, "Mon 09:00", False, True),
        (WORKDAY, "Mon 09:00:59", False, True),
        (WORKDAY, "Mon 09:01", True, True),
        (WORKDAY, "Mon 16:59:59", True, True),
        (WORKDAY, "Mon 17:00", False, False),
        ({"Mon": [["00:00", "24:00"]]}, "Mon 00:00", False, True),
        ({"Mon": [["00:00", "24:00"]]}, "Mon 23:59", True, True),
        (NIGHT, "Mon 23:00", False, True),
        (NIGHT, "Tue 01:00", True, True),
        (NIGHT | {"Tue": []}, "Tue 01:00", False, True),
        (BREAK, "Mon 12:30", False, False),
        (BREAK, "Mon 14:00", True, True),
    ],
)
def test_the_rules_differ_in_three_points(week: dict[str, Any], local: str, platform: bool, calendar: bool) -> None:
    """The decisions of the platform are those of its own evaluator."""
    day, time = local.split()
    moment = datetime.fromisoformat(f"2026-03-{2 + DAYS.index(day):02}T{time}")
    decided = [parsed(week).is_open(moment, rule) for rule in (HoursRule.PLATFORM, HoursRule.CALENDAR)]
    assert decided == [platform, calendar]


@given(weeks, st.sampled_from(HoursRule))
def test_both_rules_decide_hours_that_are_written_alike(
    week: dict[str, list[tuple[int, int]]], rule: HoursRule
) -> None:
    """Only the opening minutes of spans differ."""
    hours = parsed(spelled(week))
    same = alike(hours, rule)
    openings = {(day, span.opens_min) for day, spans in enumerate(same.days) for span in spans}
    assert (same.unlisted, same.crosses_midnight, alike(same)) == ((), False, same)
    for minute in range(0, WEEK_MIN, 7):
        local = MONDAY + timedelta(minutes=minute)
        if (local.weekday(), local.hour * 60 + local.minute) in openings:
            continue
        decided = hours.is_open(local, rule)
        assert [same.is_open(local, each) for each in HoursRule] == [decided, decided], local


@pytest.mark.parametrize(
    ("week", "platform", "calendar"),
    [
        ({"Mon": []}, False, True),
        ({day: [] for day in DAYS}, True, True),
        ({day: [["22:00", "02:00"]] for day in DAYS}, True, False),
        ({day: [["09:00", "09:01"]] for day in DAYS}, True, False),
        ({day: [["09:00", "09:02"]] for day in DAYS}, False, False),
    ],
)
def test_hours_that_never_open(week: dict[str, Any], platform: bool, calendar: bool) -> None:
    hours = parsed(week)
    for rule, never in ((HoursRule.PLATFORM, platform), (HoursRule.CALENDAR, calendar)):
        assert hours.never_opens(rule) is never
        minutes = (MONDAY + timedelta(minutes=minute) for minute in range(WEEK_MIN))
        assert any(hours.is_open(local, rule) for local in minutes) is not never


def test_days_in_short() -> None:
    assert days_text((5, 6)) == "Sat–Sun"
    assert days_text((0, 1, 2, 4, 6)) == "Mon–Wed, Fri, Sun"


@given(weeks)
def test_hours_are_the_same_after_they_were_stored(week: dict[str, list[tuple[int, int]]]) -> None:
    hours = parsed(spelled(week))
    assert parse_hours(spell_hours(hours)) == hours


@pytest.mark.parametrize("week", [{"Mon": []}, {"Sun": None}, {day: [] for day in DAYS}])
def test_a_week_that_is_always_closed_stays_closed(week: dict[str, Any]) -> None:
    hours = parsed(week)
    assert not any(hours.is_open(MONDAY + timedelta(hours=hour), HoursRule.CALENDAR) for hour in range(7 * 24))
    assert parse_hours(spell_hours(hours)) == hours


@given(st.integers(0, 1439), st.booleans(), st.booleans())
def test_both_clocks_spell_the_same_minute(minute: int, padded: bool, upper: bool) -> None:
    moment = MONDAY + timedelta(minutes=minute)
    hour = moment.hour % 12 or 12
    twelve = f"{hour:02d}" if padded else f"{hour}"
    half = moment.strftime("%p").upper() if upper else moment.strftime("%p").lower()
    texts = [moment.strftime("%H:%M"), f"{moment.hour}:{moment:%M}", f"{twelve}:{moment:%M} {half}"]
    assert {parse_spans([[text, "24:00"]], "operatingHours", "Mon") for text in texts} == {(Span(minute, 1440),)}


@pytest.mark.parametrize(
    ("pair", "span"),
    [
        (["12:00 AM", "12:00 PM"], Span(0, 720)),
        (["12:45 AM", "12:30 PM"], Span(45, 750)),
        (["9:00am", "5:00 p.m."], Span(540, 1020)),
        ([" 09:00 ", "17:00"], Span(540, 1020)),
        (["00:00", "24:00"], Span(0, 1440)),
        (["00:45", "00:46"], Span(45, 46)),
        (("22:00", "02:00"), Span(1320, 120)),
        (["08:00", "08:00"], Span(480, 480)),
    ],
)
def test_times_that_may_be_written(pair: object, span: Span) -> None:
    assert parse_spans([pair], "operatingHours", "Mon") == (span,)


@pytest.mark.parametrize("name", ["Monday", "monday", "MONDAY", "Mon", "mon", "mOn", " Mon "])
def test_days_have_full_names_and_short_ones_in_any_case(name: str) -> None:
    assert parse_hours({name: [["09:00", "17:00"]]}) == parse_hours({"Mon": [["9:00 AM", "5:00 PM"]]})


@pytest.mark.parametrize("name", ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"])
def test_every_day_is_known(name: str) -> None:
    assert spell_hours(parsed({name: [["09:00", "17:00"]]})) == {name[:3]: [["09:00", "17:00"]]}


def test_several_spans_a_day_are_kept_in_order() -> None:
    hours = parsed({"tue": [["14:00", "18:00"], ["8:00 AM", "12:00 PM"]]})
    assert spell_hours(hours) == {"Tue": [["08:00", "12:00"], ["14:00", "18:00"]]}


def test_an_empty_dictionary_is_always_open() -> None:
    assert parse_hours({}) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Mon 09:00-17:00", "dictionary"),
        ([["Mon", "09:00"]], "dictionary"),
        (5, "dictionary"),
        (None, "dictionary"),
        ({"Funday": []}, "'Funday' is not a day"),
        ({"M": []}, "'M' is not a day"),
        ({"Mond": []}, "'Mond' is not a day"),
        ({1: []}, "1 is not a day"),
        ({"": []}, "is not a day"),
        ({"Mon": [], "monday": []}, "Mon is given twice"),
        ({"Mon": "09:00-17:00"}, "Mon must be a list"),
        ({"Mon": {"09:00": "17:00"}}, "Mon must be a list"),
        ({"Mon": ["09:00", "17:00"]}, "each span of Mon must be a pair"),
        ({"Mon": [["09:00"]]}, "each span of Mon must be a pair"),
        ({"Mon": [["09:00", "12:00", "13:00"]]}, "each span of Mon must be a pair"),
        ({"Mon": [["25:00", "26:00"]]}, "'25:00' on Mon is not a time"),
        ({"Mon": [["09:00", "24:01"]]}, "'24:01' on Mon is not a time"),
        ({"Mon": [["09:60", "17:00"]]}, "'09:60' on Mon is not a time"),
        ({"Mon": [["9", "17:00"]]}, "'9' on Mon is not a time"),
        ({"Mon": [["09:00:00", "17:00"]]}, "is not a time"),
        ({"Mon": [["13:00 PM", "17:00"]]}, "'13:00 PM' on Mon is not a time"),
        ({"Mon": [["0:30 AM", "17:00"]]}, "'0:30 AM' on Mon is not a time"),
        ({"Mon": [["-1:00", "17:00"]]}, "is not a time"),
        ({"Mon": [["٠٩:٠٠", "17:00"]]}, "is not a time"),
        ({"Mon": [["soon", "17:00"]]}, "'soon' on Mon is not a time"),
        ({"Mon": [[900, 1700]]}, "900 on Mon is not a time"),
        ({"Mon": [[None, "17:00"]]}, "None on Mon is not a time"),
        ({"Mon": [["x" * 5_000, "17:00"]]}, "… on Mon is not a time"),
        ({"Mon": [["24:00", "02:00"]]}, "opens at 24:00"),
        ({"Mon": [["09:00", "17:00"]] * (MAX_SPANS + 1)}, "at most 48"),
    ],
)
def test_invalid_hours_are_refused_and_named(value: object, expected: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        parse_hours(value)
    assert refused.value.param == "operating_hours"
    assert expected in refused.value.message
    assert len(refused.value.message) < 300


def test_the_parameter_is_named_as_the_caller_calls_it() -> None:
    with pytest.raises(InvalidParameter, match=r"^operatingHours\.Mon: ") as refused:
        parse_spans("soon", "operatingHours.Mon", "Mon")
    assert refused.value.param == "operatingHours.Mon"


@pytest.mark.parametrize(
    ("week", "text"),
    [
        ({"Mon": [["09:00", "17:00"]]}, "Mon 09:00–17:00"),
        ({"Tue": [["14:00", "24:00"], ["8:00 AM", "12:00 PM"]]}, "Tue 08:00–12:00 and 14:00–24:00"),
        ({"Fri": [["22:00", "02:00"]], "Sun": [["10:00", "11:00"]]}, "Fri 22:00–02:00, Sun 10:00–11:00"),
        ({day: [["09:00", "17:00"]] for day in DAYS[:5]}, "Mon–Fri 09:00–17:00"),
        ({"Mon": []}, "never open"),
    ],
)
def test_hours_are_formatted_in_a_line(week: dict[str, Any], text: str) -> None:
    assert str(parsed(week)) == text
