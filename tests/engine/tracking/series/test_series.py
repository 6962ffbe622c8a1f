"""Series of fixes: curves, stays and withheld events agree with the decision and explanation of each fix alone."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Engine
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.hours import HoursRule, parse_hours
from engine.domain.ports import Cancelled
from engine.domain.settings import SettingsChange
from engine.domain.tracking.decision import Outcome
from engine.domain.tracking.explaining import UpdateQuery
from engine.domain.values import replace
from engine.geo.earth import Counts, Floats
from engine.tracking.series.curves import closed_between
from engine.tracking.series.kept import KeptSeries
from engine.tracking.series.way import Way, way_of
from tests.engine.fixtures import HOME, NOON, SetClock, circle
from tests.engine.tracking.measuring import moved
from tests.engine.tracking.table import fix

TEST = Environment.TEST


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", clock=SetClock()) as opened:
        opened.set_clock(ClockChange(now=NOON, frozen=True))
        opened.geofences.create(TEST, circle())
        yield opened


def walked(engine: Engine, *metres: float, first_s: float = 0, stopped: bool | None = None) -> None:
    for number, each in enumerate(metres):
        engine.tracking.track(TEST, fix(each, first_s + 60 * number, stopped=stopped))


def test_stays_dwells_and_withheld_events(engine: Engine) -> None:
    engine.settings.change(TEST, SettingsChange(stop_detection=True, dwell_event=True, default_dwell_threshold_s=60))
    walked(engine, 300, 50, 20)
    walked(engine, 0, 0, 0, first_s=180, stopped=True)
    walked(engine, 300, 400, first_s=360)
    kept = engine.tracking.read_on(TEST, KeptSeries("phone"))
    (stay,) = kept.stays
    assert (stay.first, stay.dwelled, stay.last) == (3, 5, 6)
    (withheld,) = kept.withheld
    assert (withheld.outcome, withheld.first, withheld.last) == (Outcome.ENTRY_WITHHELD, 1, 2)
    assert "stop detection is on" in withheld.text


def test_a_series_that_is_read_bit_by_bit_is_the_same_as_one_read_at_once(engine: Engine) -> None:
    series = KeptSeries("phone")
    for start in range(0, 400, 60):
        walked(engine, 200 - start, 150 - start, first_s=start * 2)
        engine.tracking.read_on(TEST, series)
    bit_by_bit, at_once = series.shown(), engine.tracking.read_on(TEST, KeptSeries("phone"))
    assert bit_by_bit.fixes == at_once.fixes
    assert len(at_once.fixes) == 14
    assert (bit_by_bit.stays, bit_by_bit.withheld) == (at_once.stays, at_once.withheld)
    assert [each.last is None for each in at_once.stays] == [False]


def test_a_series_begins_after_earlier_updates(engine: Engine) -> None:
    walked(engine, 0, 10)
    walked(engine, 20, 300, first_s=600)
    begin = engine.tracking.number_before(TEST, "phone", NOON + timedelta(seconds=600))
    series = KeptSeries("phone", after=begin)
    kept = engine.tracking.read_on(TEST, series)
    assert [each.at for each in kept.fixes] == [NOON + timedelta(seconds=600), NOON + timedelta(seconds=660)]
    assert [(each.first, each.last) for each in kept.stays] == [(0, 1)], "the stay had begun before"


def test_a_series_holds_the_newest_updates(engine: Engine) -> None:
    walked(engine, 0, 10, 20, 300, 310)
    kept = engine.tracking.read_on(TEST, series := KeptSeries("phone", most=3))
    assert [each.at for each in kept.fixes] == [NOON + timedelta(seconds=60 * number) for number in (2, 3, 4)]
    assert kept.is_cut
    walked(engine, 320, first_s=300)
    assert engine.tracking.read_on(TEST, series).fixes[-1].at == NOON + timedelta(seconds=300)
    assert not engine.tracking.read_on(TEST, KeptSeries("phone", most=6)).is_cut


def test_a_geofence_edited_while_a_series_is_read_does_not_change_earlier_updates(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.tracking.series.kept._AT_ONCE", 2)
    engine.settings.change(TEST, SettingsChange(stop_detection=True))
    walked(engine, 300, 50, 20, 0, 20, 50)
    at_once = engine.tracking.read_on(TEST, KeptSeries("phone"))

    def edit(done: int, _total: int) -> None:
        if done == 2:
            engine.geofences.upsert(TEST, "store", "1", GeofenceChange(size=40))

    kept = engine.tracking.read_on(TEST, KeptSeries("phone"), edit)
    assert kept.withheld == at_once.withheld
    assert [(each.first, each.last) for each in kept.withheld] == [(1, 5)]


def test_settings_that_are_changed_while_a_series_is_read_apply_from_then_on(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.tracking.series.kept._AT_ONCE", 2)
    walked(engine, 300, 280)

    def change(done: int, _total: int) -> None:
        if done == 2:
            engine.settings.change(TEST, SettingsChange(stop_detection=True))
            walked(engine, 0, 0, first_s=180)

    kept = engine.tracking.read_on(TEST, KeptSeries("phone"), change)
    assert [(each.outcome, each.first, each.last) for each in kept.withheld] == [(Outcome.ENTRY_WITHHELD, 2, 3)]


def test_of_too_many_updates_the_newest_are_shown_and_marked_as_a_part(engine: Engine) -> None:
    engine.settings.change(TEST, SettingsChange(dwell_event=True, default_dwell_threshold_s=60))
    walked(engine, *[300, 0, 0, 0, 300] * 4)
    whole = engine.tracking.read_on(TEST, KeptSeries("phone"))
    part = engine.tracking.read_on(TEST, KeptSeries("phone", most=8))
    assert (part.fixes, part.is_cut, whole.is_cut) == (whole.fixes[-8:], True, False)
    assert [(each.first, each.dwelled, each.last) for each in part.stays] == [(0, 1, 2), (4, 6, 7)]
    exact = engine.tracking.read_on(TEST, KeptSeries("phone", most=20))
    assert (len(exact.fixes), exact.is_cut) == (20, False)


@given(st.lists(st.lists(st.sampled_from([300.0, 90.0, 0.0]), min_size=1, max_size=9), min_size=1, max_size=6))
@settings(max_examples=10, deadline=None)
def test_a_series_that_grows_beyond_its_limit_is_the_newest_part_of_all_of_it(parts: list[list[float]]) -> None:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.set_clock(ClockChange(now=NOON, frozen=True))
        engine.geofences.create(TEST, circle())
        engine.settings.change(TEST, SettingsChange(stop_detection=True))
        series, first_s = KeptSeries("phone", most=10), 0
        for number, part in enumerate(parts):
            walked(engine, *part, first_s=first_s, stopped=number % 2 == 0)
            first_s += 60 * len(part)
            kept = engine.tracking.read_on(TEST, series)
        whole = engine.tracking.read_on(TEST, KeptSeries("phone"))
        dropped = len(whole.fixes) - len(kept.fixes)
        assert (kept.dropped, kept.is_cut) == (dropped, dropped > 0)
        assert min(10, len(whole.fixes)) <= len(kept.fixes) <= 11
        assert kept.fixes == whole.fixes[dropped:]
        for one, other in zip(vars_of(kept.way), vars_of(whole.way), strict=True):
            assert one.tolist() == other[dropped:].tolist()
        left = [each for each in whole.stays if each.last is None or each.last >= dropped]
        assert [(max(each.first - dropped, 0), each.last and each.last - dropped) for each in left] == [
            (each.first, each.last) for each in kept.stays
        ]
        assert sum(each.last - each.first + 1 for each in kept.withheld) == sum(
            each.last - max(each.first, dropped) + 1 for each in whole.withheld if each.last >= dropped
        )


def vars_of(way: Way) -> tuple[Floats | Counts, ...]:
    return way.times_s, way.longitudes, way.latitudes, way.accuracies_m, way.revisions


def test_a_series_is_of_one_user_of_the_device(engine: Engine) -> None:
    for number in range(6):
        update = replace(fix(0, 60 * number), user_id="ann" if number % 2 else "bob")
        user = engine.tracking.track(TEST, update).user
    kept = engine.tracking.read_on(TEST, KeptSeries("phone", user.id, most=2))
    assert [each.at for each in kept.fixes] == [NOON + timedelta(seconds=each) for each in (180, 300)]
    assert kept.is_cut


def test_earlier_results_are_reused(engine: Engine) -> None:
    walked(engine, 300, 0, 0)
    series = KeptSeries("phone")
    before = engine.tracking.read_on(TEST, series)
    again = engine.tracking.read_on(TEST, series)
    assert again.way is before.way
    walked(engine, 300, first_s=600)
    after = engine.tracking.read_on(TEST, series)
    assert [each.last for each in before.stays] == [None], "what others look at stays as it was"
    assert [each.last for each in after.stays] == [3]


def test_curves_agree_with_the_explanation_of_each_update_by_its_geofence_version(engine: Engine) -> None:
    walked(engine, 500, 120, 30)
    engine.geofences.upsert(TEST, "store", "1", GeofenceChange(size=40))
    walked(engine, 30, 120, first_s=600)
    (fence,) = engine.geofences.all(TEST)
    engine.geofences.delete(TEST, fence.id)
    walked(engine, 30, first_s=1_200)
    kept = engine.tracking.read_on(TEST, KeptSeries("phone"))
    (curve,) = engine.tracking.curves(TEST, kept.way)
    explained = [
        engine.tracking.explain(TEST, UpdateQuery(device_id="phone", at=each.at)).explanations for each in kept.fixes
    ]
    expected = [found[0].distance_m if found else np.nan for found in explained]
    assert curve.distances_m == pytest.approx(expected, abs=0.001, nan_ok=True)
    assert np.isnan(curve.distances_m).tolist() == [False] * 5 + [True]
    assert curve.geofence.geometry.radius_m == 40  # type: ignore[union-attr]


def test_geofences_near_a_track_come_by_their_distance_and_others_when_requested(engine: Engine) -> None:
    far = engine.geofences.create(TEST, circle("far", center=moved(HOME, 90, 9_000), radius_m=100))
    engine.geofences.create(TEST, circle("near", center=moved(HOME, 0, 700), radius_m=100))
    way = way_of([fix(each, number) for number, each in enumerate(range(-400, 400, 10))])
    assert [each.geofence.external_id for each in engine.tracking.curves(TEST, way)] == ["1", "near"]
    requested = engine.tracking.curves(TEST, way, also=[far.id])
    assert [each.geofence.external_id for each in requested] == ["1", "near", "far"]
    assert requested[0].nearest_m == pytest.approx(-100, abs=0.01)
    assert way.speeds_mps()[1:] == pytest.approx(10, abs=0.01)


def test_measuring_and_reading_can_be_cancelled(engine: Engine) -> None:
    def give_up(_done: int, _total: int) -> None:
        raise Cancelled

    walked(engine, 0, 10)
    with pytest.raises(Cancelled):
        engine.tracking.curves(TEST, way_of([fix(0)]), progress=give_up)
    series = KeptSeries("phone")
    with pytest.raises(Cancelled):
        engine.tracking.read_on(TEST, series, give_up)
    assert len(engine.tracking.read_on(TEST, series).fixes) == 2, "it goes on where it was"


@pytest.mark.parametrize("zone_name", ["Pacific/Kiritimati", "UTC", "America/Los_Angeles"])
def test_hours_end_before_the_calendar_does(zone_name: str) -> None:
    hours, zone, end = parse_hours({"Mon": [["08:00", "17:00"]]}), ZoneInfo(zone_name), datetime.max.replace(tzinfo=UTC)
    assert hours is not None
    spans = closed_between(hours, HoursRule.CALENDAR, zone, (end - timedelta(days=20)).timestamp(), end.timestamp())
    assert len(spans) >= 2
    assert (
        closed_between(hours, HoursRule.CALENDAR, zone, (end - timedelta(hours=1)).timestamp(), end.timestamp()) == ()
    )


def test_closed_spans_begin_and_end_at_the_minute_of_the_hours() -> None:
    hours, zone = parse_hours({"Mon": [["08:00", "12:30"], ["13:00", "17:00"]]}), ZoneInfo("Europe/Vaduz")
    assert hours is not None
    monday = datetime(2026, 6, 1, tzinfo=zone)

    def at(hour: float) -> float:
        return (monday + timedelta(hours=hour)).timestamp()

    spans = closed_between(hours, HoursRule.CALENDAR, zone, at(0.5), at(25))
    assert spans == ((at(0.5), at(8)), (at(12.5), at(13)), (at(17), at(25)))
    assert closed_between(hours, HoursRule.CALENDAR, zone, at(9), at(12)) == ()
    minute = 1 / 60
    spans = closed_between(hours, HoursRule.PLATFORM, zone, at(0.5), at(25))
    assert spans == ((at(0.5), at(8 + minute)), (at(12.5), at(13 + minute)), (at(17), at(24)))


minutes = st.integers(0, 1_439).map(lambda minute: f"{minute // 60:02}:{minute % 60:02}")


@given(
    st.dictionaries(st.sampled_from(["Mon", "Sat", "Sun"]), st.lists(st.lists(minutes, min_size=2, max_size=2))),
    st.sampled_from(["Europe/Vaduz", "Australia/Lord_Howe", "America/New_York", "UTC"]),
    st.sampled_from([datetime(2026, 3, 28, 11, tzinfo=UTC), datetime(2026, 10, 31, 22, 7, 9, tzinfo=UTC)]),
    st.integers(1, 4_000),
    st.sampled_from(HoursRule),
)
def test_closed_spans_agree_with_the_rule(
    days: dict[str, list[list[str]]], zone_name: str, begin: datetime, length_min: int, rule: HoursRule
) -> None:
    """Closed spans agree with the rule for each minute, even when clocks go forward or back."""
    hours, zone = parse_hours(days), ZoneInfo(zone_name)
    if hours is None:
        return
    end = begin + timedelta(minutes=length_min)
    spans = closed_between(hours, rule, zone, begin.timestamp(), end.timestamp())
    assert all(one[1] < other[0] for one, other in pairwise(spans))
    for minute in range(0, length_min, 7):
        at = begin + timedelta(minutes=minute)
        closed = any(since <= at.timestamp() < until for since, until in spans)
        assert closed is not hours.is_open(at.astimezone(zone), rule)
