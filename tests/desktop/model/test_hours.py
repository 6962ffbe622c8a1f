"""A week as it is edited, dates as they are typed, and closed geofences."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from app.desktop.model.editing.openings import Openings, closed_among, opening
from app.desktop.model.editing.week import (
    WORKING_WEEK,
    copied,
    next_span,
    parse_span,
    with_spans,
)
from app.desktop.model.moments import parse_moment, spell_moment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence, GeofenceRules
from engine.domain.hours import HoursRule, OperatingHours, Span, parse_hours
from engine.domain.values import replace
from tests.desktop.model.values import fence

VADUZ = ZoneInfo("Europe/Vaduz")
NINE_TO_FIVE = Span(9 * 60, 17 * 60)


def hours(**days: list[list[str]]) -> OperatingHours:
    found = parse_hours(days)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("opens", "closes", "span"),
    [
        ("09:00", "17:00", NINE_TO_FIVE),
        ("9:00 am", "5:00 PM", NINE_TO_FIVE),
        ("9", "5pm", NINE_TO_FIVE),
        ("00:00", "24:00", Span(0, 1440)),
        ("22:00", "2:00 AM", Span(1320, 120)),
    ],
)
def test_times_are_typed_in_both_forms(opens: str, closes: str, span: Span) -> None:
    assert parse_span(opens, closes, 0) == span


@pytest.mark.parametrize("text", ["25:00", "noon", "", "9:5"])
def test_an_invalid_time_is_refused_with_the_message_of_the_api(text: str) -> None:
    with pytest.raises(InvalidParameter, match="on Wed is not a time; use HH:mm") as refused:
        parse_span(text, "17:00", 2)
    assert refused.value.param == "operating_hours"


def test_spans_are_put_in_order_and_other_days_stay() -> None:
    changed = with_spans(WORKING_WEEK, 0, [Span(840, 1080), Span(480, 720)])
    assert changed.days[0] == (Span(480, 720), Span(840, 1080))
    assert changed.days[1:] == WORKING_WEEK.days[1:]


def test_a_day_is_copied_to_others() -> None:
    week = with_spans(WORKING_WEEK, 6, [Span(600, 660)])
    changed = copied(week, 6, (0, 5))
    assert changed.days[0] == changed.days[5] == changed.days[6] == (Span(600, 660),)
    assert changed.days[1:5] == WORKING_WEEK.days[1:5]


@pytest.mark.parametrize(
    ("spans", "following"),
    [
        ((), NINE_TO_FIVE),
        ((Span(480, 720),), Span(780, 840)),
        ((Span(1200, 1400),), Span(1080, 1140)),
        ((Span(1320, 120),), Span(1200, 1260)),
    ],
)
def test_a_new_span_follows_the_last_if_there_is_room(spans: tuple[Span, ...], following: Span) -> None:
    assert next_span(spans) == following


def test_an_edit_lists_all_days() -> None:
    edited = with_spans(hours(Mon=[["22:00", "02:00"]]), 0, [])
    assert edited.unlisted == ()
    assert edited.never_opens(HoursRule.PLATFORM)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-12-31 18:00", datetime(2026, 12, 31, 17, tzinfo=UTC)),
        ("2026-07-01", datetime(2026, 6, 30, 22, tzinfo=UTC)),
        ("2026-12-31T18:00:30Z", datetime(2026, 12, 31, 18, 0, 30, tzinfo=UTC)),
        ("  ", None),
    ],
)
def test_dates_are_in_the_zone_of_the_fence(text: str, moment: datetime | None) -> None:
    assert parse_moment(text, VADUZ, "disable_after") == moment


@pytest.mark.parametrize("text", ["tomorrow", "2026-02-30", "18:00", "0001-01-01"])
def test_an_invalid_date_names_the_parameter(text: str) -> None:
    with pytest.raises(InvalidParameter, match=r"delete_after: .* is not a date") as refused:
        parse_moment(text, VADUZ, "delete_after")
    assert refused.value.param == "delete_after"


def test_every_moment_survives_being_shown_also_in_the_hour_that_is_there_twice() -> None:
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    for moment in (first, first + timedelta(hours=1), first + timedelta(seconds=7)):
        assert parse_moment(spell_moment(moment, VADUZ), VADUZ, "now") == moment
    assert spell_moment(first, VADUZ) == "2026-10-25 02:30"
    assert spell_moment(None, VADUZ) == ""


def with_hours(number: int, week: OperatingHours | None) -> Geofence:
    return replace(fence(number), rules=GeofenceRules(operating_hours=week))


def test_open_and_closed_are_shown_with_the_local_time() -> None:
    shop = with_hours(1, hours(Mon=[["09:00", "17:00"]]))
    monday = datetime(2026, 5, 11, 7, 0, tzinfo=UTC)
    assert opening(shop, monday, VADUZ, HoursRule.CALENDAR).text == "Open now: Mon 09:00, Europe/Vaduz"
    closed = opening(shop, monday - timedelta(minutes=1), VADUZ, HoursRule.CALENDAR)
    assert (closed.open, closed.text) == (False, "Closed now: Mon 08:59, Europe/Vaduz")
    assert not opening(shop, monday, VADUZ, HoursRule.PLATFORM).open
    assert opening(shop, monday + timedelta(days=1), VADUZ, HoursRule.PLATFORM).open


def test_only_fences_with_hours_are_looked_at_and_only_once_a_minute() -> None:
    openings, shop, plain = Openings(), with_hours(1, hours(Mon=[["09:00", "17:00"]])), fence(2)
    openings.follow([shop, plain], [], reset=True)
    assert openings.with_hours == (shop,)
    now = datetime(2026, 5, 11, 18, 0, 10, tzinfo=UTC)
    assert openings.is_due(now)
    openings.note_look(now)
    assert not openings.is_due(now + timedelta(seconds=49))
    assert openings.is_due(now + timedelta(seconds=50))
    changed = openings.take(closed_among(openings.with_hours, now, lambda _: VADUZ, HoursRule.PLATFORM))
    assert changed == {"f1"}
    assert openings.is_closed("f1")
    assert openings.take(["f1"]) == frozenset()
    openings.follow([with_hours(1, None)], [], reset=False)
    assert openings.is_due(now)
    assert openings.take([]) == {"f1"}
