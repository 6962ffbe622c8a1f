"""OpenStreetMap's opening_hours as a week: which texts are read, what they mean, and what is left out."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta

import osmium
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opening_hours import OpeningHours

from engine.domain.hours import HoursRule, OperatingHours, Span, spell_time
from engine.geofences.imports.opening_hours import NotOpeningHours, NotWeekly, read_opening_hours
from tests.shared import SharedData

CALENDAR = HoursRule.CALENDAR
MONDAY = datetime(2026, 6, 1)
SHORT = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
DAY_MIN = 24 * 60

type Rule = tuple[list[int], list[tuple[int, int]]]
"""Days, and spans in minutes after midnight; without spans the days are closed."""

week_days = st.lists(st.integers(0, 6), min_size=1, unique=True)
any_time = st.lists(st.tuples(st.integers(0, 1439), st.integers(0, 1440)), max_size=3)
within_days = st.lists(
    st.tuples(st.integers(0, 1439), st.integers(1, 1440)).filter(lambda span: span[0] < span[1]), max_size=3
)


def hours(text: str) -> OperatingHours:
    read = read_opening_hours(text)
    assert read.hours is not None
    return read.hours


def opens(text: str) -> str:
    return str(hours(text))


def notes(text: str) -> tuple[str, ...]:
    return read_opening_hours(text).notes


def written(rule: Rule) -> str:
    days, spans = rule
    times = ",".join(f"{spell_time(begin)}-{spell_time(end)}" for begin, end in spans)
    return f"{','.join(SHORT[day] for day in days)} {times or 'off'}"


def moments(spans: Iterable[tuple[int, int]]) -> list[datetime]:
    """Return the moments of a week when spans begin or end, and those a minute before."""
    edges = {0, *(edge for span in spans for edge in span)}
    minutes = {day * DAY_MIN + edge + by for day in range(7) for edge in edges for by in (-1, 0)}
    return [MONDAY + timedelta(minutes=minute) for minute in sorted(minutes)]


@pytest.mark.parametrize(("text", "expected"), [
    ("Mo-Fr 09:00-17:00; Sa 10:00-12:00", "Mon–Fri 09:00–17:00, Sat 10:00–12:00"),
    ("Mo-Fr 08:00-12:00,13:30-18:00", "Mon–Fri 08:00–12:00 and 13:30–18:00"),
    ("08:00-18:00", "Mon–Sun 08:00–18:00"),
    ("Mo,We,Fr 9:00-17:00", "Mon 09:00–17:00, Wed 09:00–17:00, Fri 09:00–17:00"),
    ("Su-Tu 10:00-12:00", "Mon–Tue 10:00–12:00, Sun 10:00–12:00"),
    ("Mo-Fr 09:00-17:00; We off", "Mon–Tue 09:00–17:00, Thu–Fri 09:00–17:00"),
    ("Mo-Fr 09:00-17:00; We closed; We 12:00-13:00", "Mon–Tue 09:00–17:00, Wed 12:00–13:00, Thu–Fri 09:00–17:00"),
    ("Mo-Fr 08:00-12:00, We 14:00-18:00", "Mon–Tue 08:00–12:00, Wed 08:00–12:00 and 14:00–18:00, Thu–Fri 08:00–12:00"),
    ("Mo-Fr 08:00-12:00; We 14:00-18:00", "Mon–Tue 08:00–12:00, Wed 14:00–18:00, Thu–Fri 08:00–12:00"),
    ("Mo 08:00-18:00, Mo 12:00-13:00 off", "Mon 08:00–12:00 and 13:00–18:00"),
    ("Mo 08:00-12:00, Mo 11:00-14:00", "Mon 08:00–14:00"),
    ("Mo 08:00-12:00, Mo 12:00-14:00", "Mon 08:00–14:00"),
    ("Mo-Fr", "Mon–Fri 00:00–24:00"),
    ("24/7; Su off", "Mon–Sat 00:00–24:00"),
    ("off", "never open"),
    ("Mo-Fr 22:00-06:00", "Mon 22:00–24:00, Tue–Fri 00:00–06:00 and 22:00–24:00, Sat 00:00–06:00"),
    ("Mo-Fr 22:00-30:00", "Mon 22:00–24:00, Tue–Fri 00:00–06:00 and 22:00–24:00, Sat 00:00–06:00"),
    ("Mo-Fr 18:00-00:00", "Mon–Fri 18:00–24:00"),
    ("Mo 08:00-08:00", "Mon 08:00–24:00, Tue 00:00–08:00"),
    ("Mo 10:00-48:00", "Mon 10:00–24:00, Tue 00:00–24:00"),
    ("Su 10:00-40:00; Mo 15:00-20:00", "Mon 00:00–20:00, Sun 10:00–24:00"),
])  # fmt: skip
def test_the_common_subset_is_read_completely(text: str, expected: str) -> None:
    assert opens(text) == expected
    assert notes(text) == ()


@pytest.mark.parametrize("text", ["24/7", "Mo-Su 00:00-24:00", "Mo-Su", "open", "00:00-24:00"])
def test_every_hour_of_the_week_is_always_open(text: str) -> None:
    assert read_opening_hours(text).hours is None


@pytest.mark.parametrize(("text", "same"), [
    ("  mo-fr 9:00 - 17:00 ; ", "Mo-Fr 09:00-17:00"),
    ("Mo–Fr 09:00–17:00", "Mo-Fr 09:00-17:00"),
    ("Mo-Fr 09:00-17:00,Sa 10:00-12:00", "Mo-Fr 09:00-17:00; Sa 10:00-12:00"),
    ("Mo-Fr: 09:00-17:00;Sa: 10:00-12:00", "Mo-Fr 09:00-17:00; Sa 10:00-12:00"),
    ("Mo, We 10:00-12:00", "Mo,We 10:00-12:00"),
    ("Mo-Sa 10:00-12:00; Su, PH off", "Mo-Sa 10:00-12:00; Su,PH off"),
    ("Mo-Fr 09:00-17:00||Sa 10:00-12:00", "Mo-Fr 09:00-17:00 || Sa 10:00-12:00"),
    ("Sa 09:00-17:00; PH Mo-Fr,Su 10:00-16:00", "Sa 09:00-17:00; PH 10:00-16:00"),
])  # fmt: skip
def test_other_spellings_mean_the_same(text: str, same: str) -> None:
    assert read_opening_hours(text) == read_opening_hours(same)


def test_times_after_midnight_belong_to_the_next_day() -> None:
    late = "Fr-Sa 20:00-03:00; Su 10:00-12:00; Mo off"
    assert opens(late) == "Fri 20:00–24:00, Sat 00:00–03:00 and 20:00–24:00, Sun 00:00–03:00 and 10:00–12:00"
    sunday = MONDAY + timedelta(days=6)
    assert [hours(late).is_open(sunday.replace(hour=hour, minute=59), CALENDAR) for hour in (2, 3, 10)] == [
        True,
        False,
        True,
    ]
    # A closure after midnight is cut out of the night that began on the day before.
    assert opens("Fr 20:00-03:00, Sa 01:00-02:00 off") == "Fri 20:00–24:00, Sat 00:00–01:00 and 02:00–03:00"


@pytest.mark.parametrize(("text", "expected", "note"), [
    ("Mo-Fr 08:00-18:00; PH off", "Mon–Fri 08:00–18:00", "Public holidays are left out: 'PH closed'."),
    ("Mo-Fr 08:00-18:00; Su,PH 10:00-12:00", "Mon–Fri 08:00–18:00, Sun 10:00–12:00",
     "Public holidays are left out: 'Su,PH 10:00-12:00'."),
    ("Mo-Fr 08:00-18:00; SH Mo 10:00-12:00", "Mon–Fri 08:00–18:00",
     "School holidays are left out: 'SH 10:00-12:00'."),
    ("Mo-Fr 08:00-18:00; Dec 25 off; Jul-Aug Fr off", "Mon–Fri 08:00–18:00",
     "Dates are left out: 'Dec 25 closed', 'Jul-Aug Fr closed'."),
    ("12:00-22:00; Dec-Feb off", "Mon–Sun 12:00–22:00", "Dates are left out: 'Dec-Feb closed'."),
    ("Mo-Fr 08:00-18:00; 2020 Mar 15-2020 Jun 30 off", "Mon–Fri 08:00–18:00",
     "Dates are left out: '2020 Mar 15-2020 Jun 30 closed'."),
    ("Mo-Fr 08:00-18:00; week 53 off", "Mon–Fri 08:00–18:00", "Dates are left out: 'week53 closed'."),
    ("Mo-Fr 08:00-18:00; easter off", "Mon–Fri 08:00–18:00", "Dates are left out: 'easter closed'."),
    ("Mo-Fr 08:00-18:00; Sa[1] 10:00-12:00", "Mon–Fri 08:00–18:00", "Dates are left out: 'Sa[1] 10:00-12:00'."),
    ("Mo-Fr 08:00-18:00; Sa sunrise-12:00", "Mon–Fri 08:00–18:00",
     "Sunrise and sunset are left out: 'Sa sunrise-12:00'."),
    ("Mo-Sa 08:00-18:00; Sa sunrise-12:00", "Mon–Fri 08:00–18:00",
     "Sunrise and sunset are left out: 'Sa sunrise-12:00'."),
    ("Fr 17:00-23:00+", "Fri 17:00–23:00",
     "An open end is read as the given closing time, or midnight: 'Fr 17:00-23:00+'."),
    ("Fr 18:00+", "Fri 18:00–24:00", "An open end is read as the given closing time, or midnight: 'Fr 18:00+'."),
    ("Mo 10:00-16:00/01:30", "Mon 10:00–16:00", "Repetitions are left out: 'Mo 10:00-16:00/01:30'."),
    ("Mo-Fr 08:00-18:00; Fr 12:00-14:00 unknown", "Mon–Thu 08:00–18:00",
     "Unknown hours are left out: 'Fr 12:00-14:00 unknown'."),
    ('Mo 08:00-12:00 "ring; twice, please"', "Mon 08:00–12:00",
     "Comments are left out: 'Mo 08:00-12:00 \"ring; twice, please\"'."),
    ('Mo-Fr 08:00-12:00; Fr "by appointment"', "Mon–Thu 08:00–12:00",
     "Comments are left out: 'Fr \"by appointment\"'."),
    ('off "until spring"', "never open", "Comments are left out: '24/7 closed \"until spring\"'."),
    ("Mo 08:00-12:00 || Tu 09:00-10:00; We 10:00-11:00", "Mon 08:00–12:00",
     "Alternatives are left out: 'Tu 09:00-10:00; We 10:00-11:00'."),
])  # fmt: skip
def test_what_a_week_cannot_express_is_left_out_and_listed(text: str, expected: str, note: str) -> None:
    assert opens(text) == expected
    assert notes(text) == (note,)


@pytest.mark.parametrize("text", [
    "sunrise-sunset",
    "08:00-sunset",
    "24/7; sunset-sunrise off",
    "Apr-Oct 08:00-20:00; Nov-Mar 08:00-18:00",
    "Mo-Su 12:00-22:00; Nov-Feb off",
    "Mo-Fr 08:00-18:00; Sa[1,3] 10:00-12:00",
    "week 1-53/2 Mo 08:00-12:00",
    "Jul-Aug 08:00-20:00",
    "PH 10:00-12:00",
    '"by appointment"',
    "Mo-Fr unknown",
    "Mo-Fr 08:00-18:00; PH +1 day off",
    ",".join(f"{hour:02}:{minute:02}-{hour:02}:{minute + 1:02}" for hour in range(24) for minute in range(0, 60, 20)),
])  # fmt: skip
def test_hours_that_no_week_expresses_are_not_read(text: str) -> None:
    assert OpeningHours(text)
    with pytest.raises(NotWeekly):
        read_opening_hours(text)


@pytest.mark.parametrize("text", [
    "", "  ", ";", "call us", "9am-5pm", "Mo-Fr 9-17", "Mon-Fri 09:00-17:00", "Mo-Fr 09:00-25:99", '"', "{}", "\0",
    "Mo 08:00", "Mo-Fr 08:00-12:00; " * 60,
])  # fmt: skip
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(NotOpeningHours):
        read_opening_hours(text)


@given(st.lists(st.tuples(week_days, within_days), min_size=1, max_size=5), st.data())
def test_rules_within_days_mean_what_the_library_evaluates(rules: list[Rule], data: st.DataObject) -> None:
    text = written(rules[0])
    for rule in rules[1:]:
        text += data.draw(st.sampled_from(("; ", ", "))) + written(rule)
    read, evaluated = read_opening_hours(text), OpeningHours(text)
    assert read.notes == ()
    for local in moments(span for _, spans in rules for span in spans):
        assert (read.hours is None or read.hours.is_open(local, CALENDAR)) == evaluated.is_open(local), (text, local)


@given(week_days, any_time.filter(bool))
def test_spans_across_midnight_mean_what_the_library_evaluates(days: list[int], spans: list[tuple[int, int]]) -> None:
    text = written((days, spans))
    read, evaluated = read_opening_hours(text).hours, OpeningHours(text)
    for local in moments(spans):
        assert (read is None or read.is_open(local, CALENDAR)) == evaluated.is_open(local), (text, local)


@given(st.lists(st.tuples(week_days, any_time), min_size=1, max_size=5))
def test_the_last_rule_for_a_day_gives_the_spans_that_open_on_it(rules: list[Rule]) -> None:
    last = {day: spans for days, spans in rules for day in days}
    expected = OperatingHours(tuple(tuple(Span(*span) for span in last.get(day, ())) for day in range(7)))
    text = "; ".join(map(written, rules))
    read = read_opening_hours(text).hours
    for local in moments(span for spans in last.values() for span in spans):
        assert (read is None or read.is_open(local, CALENDAR)) == expected.is_open(local, CALENDAR), (text, local)


@given(st.text('MoTuFrSaPHJan0128:-,;|+"[]/ sunrieofknw', max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(NotOpeningHours, NotWeekly):
        read_opening_hours(text)


@pytest.mark.slow
@pytest.mark.shared_data
def test_most_opening_hours_of_real_places_are_read(shared_data: SharedData) -> None:
    results: Counter[str] = Counter()
    for area in ("liechtenstein", "nyc-lower", "state-college", "vancouver", "malta"):
        file = osmium.FileProcessor(str(shared_data.extract(area)))
        for place in file.with_filter(osmium.filter.KeyFilter("opening_hours")):
            results[result(place.tags["opening_hours"])] += 1
    share = {name: number / results.total() for name, number in results.items()}
    assert results.total() > 3_000
    assert share["whole"] > 0.9
    assert share["whole"] + share["part"] > 0.94
    assert share["other"] < 0.05


def result(text: str) -> str:
    try:
        return "part" if read_opening_hours(text).notes else "whole"
    except NotWeekly:
        return "not weekly"
    except NotOpeningHours:
        return "other"
