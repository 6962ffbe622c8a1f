"""Operating hours, stays and dwells on the nights when the clocks change."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Engine
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.hours import DAYS, HoursRule, parse_hours
from engine.domain.settings import SettingsChange
from engine.domain.tracking.decision import Outcome
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from tests.engine.fixtures import HOME, SetClock, circle
from tests.engine.tracking.reference import Week, open_minutes

TEST = Environment.TEST


class Place(NamedTuple):
    """A position, its time zone, and when its clocks go forward and back in 2026."""

    point: Point
    zone: str
    forward: datetime
    back: datetime


VADUZ = Place(HOME, "Europe/Vaduz", datetime(2026, 3, 29, 1, tzinfo=UTC), datetime(2026, 10, 25, 1, tzinfo=UTC))
NEW_YORK = Place(
    Point(-73.9857, 40.7484),
    "America/New_York",
    datetime(2026, 3, 8, 7, tzinfo=UTC),
    datetime(2026, 11, 1, 6, tzinfo=UTC),
)
SYDNEY = Place(
    Point(151.2093, -33.8688),
    "Australia/Sydney",
    datetime(2026, 10, 3, 16, tzinfo=UTC),
    datetime(2026, 4, 4, 16, tzinfo=UTC),
)
LORD_HOWE = Place(
    Point(159.0790, -31.5280),
    "Australia/Lord_Howe",
    datetime(2026, 10, 3, 15, 30, tzinfo=UTC),
    datetime(2026, 4, 4, 15, tzinfo=UTC),
)
"""A place where the clocks change by half an hour."""
SANTIAGO = Place(
    Point(-70.6693, -33.4489),
    "America/Santiago",
    datetime(2026, 9, 6, 4, tzinfo=UTC),
    datetime(2026, 4, 5, 3, tzinfo=UTC),
)
"""A place where midnight itself is skipped, and the last hour of a day repeated."""
PLACES = (VADUZ, NEW_YORK, SYDNEY, LORD_HOWE, SANTIAGO)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", clock=SetClock()) as opened:
        opened.settings.change(
            TEST,
            SettingsChange(operating_hours_restriction=True, operating_hours_rule=HoursRule.CALENDAR, dwell_event=True),
        )
        yield opened


def open_at(engine: Engine, place: Place, week: Week) -> None:
    spelled = {day: [list(span) for span in spans] for day, spans in week.items()}
    engine.geofences.create(TEST, circle(center=place.point))
    engine.geofences.upsert(TEST, "store", "1", GeofenceChange(operating_hours=parse_hours(spelled)))


def came(engine: Engine, place: Place, at: datetime, device_id: str = "", *, north: float = 0) -> TrackResult:
    point = Point(place.point.longitude, place.point.latitude + north)
    return engine.tracking.track(TEST, LocationUpdate(device_id or at.isoformat(), point, 10, at=at, explain=True))


def is_open(engine: Engine, place: Place, at: datetime) -> bool:
    """Return whether the geofence is open, which is the case if a user who comes then enters."""
    result = came(engine, place, at)
    assert result.explanations is not None
    (explanation,) = result.explanations
    assert explanation.outcome in (Outcome.ENTER, Outcome.ENTRY_WITHHELD)
    assert len(result.events) == (explanation.outcome is Outcome.ENTER)
    return explanation.outcome is Outcome.ENTER


def open_spells(engine: Engine, place: Place, start: datetime, hours: int) -> list[tuple[str, str]]:
    """Return the open spans in UTC, sampled every five minutes."""
    moments = [start + timedelta(minutes=5 * number) for number in range(hours * 12 + 1)]
    found = [(moment, is_open(engine, place, moment)) for moment in moments]
    turns = [moment for (moment, now), (_, before) in zip(found[1:], found, strict=False) if now != before]
    assert not found[0][1]
    return [(f"{opens:%H:%M}", f"{closes:%H:%M}") for opens, closes in zip(turns[::2], turns[1::2], strict=True)]


@pytest.mark.parametrize(
    ("week", "spells"),
    [
        ({"Sun": [("01:30", "03:30")]}, [("00:30", "01:30")]),  # one of two hours is missing
        ({"Sun": [("02:00", "03:00")]}, []),  # this hour does not exist
        ({"Sun": [("02:30", "04:00")]}, [("01:00", "02:00")]),  # it opens when the clock skips its minute
        ({"Sun": [("01:00", "02:30")]}, [("00:00", "01:00")]),  # it closes when the clock skips its minute
        ({"Sat": [("23:30", "02:30")]}, [("22:30", "01:00")]),
        ({"Sun": [("00:00", "24:00")]}, [("23:00", "22:00")]),  # a day of 23 hours
    ],
)
def test_the_night_that_skips_an_hour(engine: Engine, week: Week, spells: list[tuple[str, str]]) -> None:
    open_at(engine, VADUZ, week)
    assert open_spells(engine, VADUZ, datetime(2026, 3, 28, 22, 15, tzinfo=UTC), 25) == spells


@pytest.mark.parametrize(
    ("week", "spells"),
    [
        ({"Sun": [("01:30", "03:30")]}, [("23:30", "02:30")]),  # two hours last three
        ({"Sun": [("02:15", "02:45")]}, [("00:15", "00:45"), ("01:15", "01:45")]),  # the same span twice
        ({"Sun": [("01:00", "02:30")]}, [("23:00", "00:30"), ("01:00", "01:30")]),  # it opens again with the change
        ({"Sat": [("23:00", "02:00")]}, [("21:00", "00:00")]),
        ({"Sun": [("00:00", "24:00")]}, [("22:00", "23:00")]),  # a day of 25 hours
    ],
)
def test_the_night_that_repeats_an_hour(engine: Engine, week: Week, spells: list[tuple[str, str]]) -> None:
    open_at(engine, VADUZ, week)
    assert open_spells(engine, VADUZ, datetime(2026, 10, 24, 20, 55, tzinfo=UTC), 27) == spells


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.zone)
def test_each_place_has_its_own_night(engine: Engine, place: Place) -> None:
    """Noon is an hour (or half an hour) earlier in UTC in summer, by the offset at the fix's time, not today's."""
    week: Week = {day: [("12:00", "12:05")] for day in DAYS}
    open_at(engine, place, week)
    zone = ZoneInfo(place.zone)
    for change in (place.forward, place.back):
        for day in (-1, 1):
            local = (change.astimezone(zone) + timedelta(days=day)).replace(hour=12, minute=0, second=0)
            assert is_open(engine, place, local.astimezone(UTC))
            assert not is_open(engine, place, local.astimezone(UTC) + timedelta(minutes=5))
            assert not is_open(engine, place, local.astimezone(UTC) - timedelta(milliseconds=1))
        winter_and_summer = {(change + timedelta(days=day)).astimezone(zone).utcoffset() for day in (-1, 1)}
        assert len(winter_and_summer) == 2


@pytest.mark.parametrize(("change", "local_minutes"), [(VADUZ.forward, 120), (VADUZ.back, 0)])
def test_a_stay_lasts_as_long_as_it_lasts(engine: Engine, change: datetime, local_minutes: int) -> None:
    """A stay across the change, from half an hour before to half an hour after, lasts an hour by any local clock."""
    engine.geofences.create(TEST, circle())
    engine.geofences.upsert(TEST, "store", "1", GeofenceChange(dwell_threshold_s=3_600))
    before, after = change - timedelta(minutes=30), change + timedelta(minutes=30)
    zone = ZoneInfo(VADUZ.zone)
    shown = after.astimezone(zone).replace(tzinfo=None) - before.astimezone(zone).replace(tzinfo=None)
    assert shown == timedelta(minutes=local_minutes)
    came(engine, VADUZ, before, "phone")
    assert came(engine, VADUZ, after, "phone").events == ()
    later = after + timedelta(milliseconds=1)
    assert [event.type for event in came(engine, VADUZ, later, "phone").events] == ["user.dwelled_in_geofence"]
    (left,) = came(engine, VADUZ, later, "phone", north=0.01).events
    assert left.duration_s == 3_600.001


def test_the_explanation_has_the_local_time_of_both_hours(engine: Engine) -> None:
    open_at(engine, VADUZ, {"Mon": [("09:00", "17:00")]})
    for change, texts in ((VADUZ.forward, ("01:59", "03:00")), (VADUZ.back, ("02:59", "02:00"))):
        for at, text in zip((change - timedelta(seconds=1), change), texts, strict=True):
            result = came(engine, VADUZ, at)
            assert result.explanations is not None
            assert result.explanations[0].text == (
                f"entry withheld: closed by the calendar rule: Mon 09:00–17:00, local time Sun {text} Europe/Vaduz"
            )


times_of_day = st.integers(0, 23 * 60 + 59).map(lambda minute: f"{minute // 60:02d}:{minute % 60:02d}")
weeks: st.SearchStrategy[Week] = st.dictionaries(
    st.sampled_from(["Sat", "Sun", "Sun", "Mon"]),
    st.lists(st.tuples(times_of_day, times_of_day), max_size=2),
    min_size=1,
)


@given(
    st.sampled_from(PLACES),
    weeks,
    st.lists(st.tuples(st.booleans(), st.integers(-100_000, 100_000)), min_size=5, max_size=30),
)
@settings(max_examples=25)
def test_around_the_change_it_is_open_by_local_time(place: Place, week: Week, moments: list[tuple[bool, int]]) -> None:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.settings.change(TEST, SettingsChange(operating_hours_rule=HoursRule.CALENDAR))
        open_at(engine, place, week)
        minutes = open_minutes(week)
        for number, (forward, seconds) in enumerate(moments):
            at = (place.forward if forward else place.back) + timedelta(seconds=seconds)
            local = at.astimezone(ZoneInfo(place.zone))
            (event,) = came(engine, place, at, str(number)).events
            shown = local.weekday() * 1_440 + local.hour * 60 + local.minute
            assert event.currently_operating == (shown in minutes), (place.zone, week, local)
