"""The beacons near a user, and the events of entering and leaving."""

import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Engine
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.queries import EventQuery, UserQuery
from engine.domain.tracking.beacon import BeaconChange, IBeacon, ReportedBeacon
from engine.domain.tracking.explaining import ReplayQuery, UpdateQuery
from engine.domain.tracking.updates import TrackResult
from engine.domain.values import replace
from tests.engine.fixtures import NOON, UUID, SetClock, beacon, circle, update

TEST, LIVE = Environment.TEST, Environment.LIVE


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def engine(clock: SetClock) -> Iterator[Engine]:
    with Engine.open(":memory:", clock=clock) as opened:
        for number in (1, 2, 3):
            opened.beacons.create(TEST, beacon(str(number), minor=number))
        yield opened


def hear(engine: Engine, *minors: int, device_id: str = "phone") -> TrackResult:
    reported = tuple(ReportedBeacon(IBeacon(UUID, 100, minor)) for minor in minors)
    return engine.tracking.track(TEST, update(device_id=device_id, beacons=reported))


def report_no_beacons(engine: Engine) -> TrackResult:
    return engine.tracking.track(TEST, update())


def events_of(result: TrackResult) -> list[tuple[str, str]]:
    return [(event.type, event.beacon.external_id if event.beacon else "") for event in result.events]


def near(result: TrackResult) -> str:
    return "".join(each.external_id for each in result.user.beacons)


def test_coming_staying_and_going(engine: Engine, clock: SetClock) -> None:
    came = hear(engine, 2, 1, 99)
    assert events_of(came) == [("user.entered_beacon", "1"), ("user.entered_beacon", "2")]
    assert near(came) == "12"
    event = came.events[0]
    assert (event.confidence, event.duration_s, event.geofence, event.point) == (3, None, None, update().point)
    clock.advance(90)
    assert (events_of(hear(engine, 1, 2)), events_of(report_no_beacons(engine))) == ([], [])
    assert near(report_no_beacons(engine)) == "12", "an update without beacons leaves them as they were"
    left = hear(engine, 3, 2)
    assert events_of(left) == [("user.exited_beacon", "1"), ("user.entered_beacon", "3")]
    assert (left.events[0].duration_s, near(left)) == (90, "23")
    assert events_of(hear(engine)) == [("user.exited_beacon", "2"), ("user.exited_beacon", "3")]
    assert (events_of(hear(engine)), near(report_no_beacons(engine))) == ([], "")


def test_events_and_users_are_stored_as_they_were_answered(engine: Engine) -> None:
    results = [hear(engine, 1), hear(engine, 2)]
    answered = [event for result in results for event in result.events]
    stored = engine.history.page(TEST, EventQuery()).items
    assert list(reversed(stored)) == answered
    assert len(engine.history.page(TEST, EventQuery(tags=frozenset({"door"}), external_id="2")).items) == 1
    (user,) = engine.users.page(TEST, UserQuery()).items
    assert user.beacons == results[1].user.beacons
    assert engine.users.get(TEST, "phone").beacons == user.beacons


def test_beacons_come_after_geofences(engine: Engine) -> None:
    engine.geofences.create(TEST, circle())
    kinds = [event.type for event in hear(engine, 1).events]
    assert kinds == ["user.entered_geofence", "user.entered_beacon"]


@pytest.mark.parametrize("end", ["disable", "delete"])
def test_disabling_or_deleting_ends_a_stay_silently(engine: Engine, end: str) -> None:
    hear(engine, 1, 2)
    stored = engine.beacons.get_by_key(TEST, "door", "1")
    if end == "delete":
        engine.beacons.delete(TEST, stored.id)
    else:
        engine.beacons.update(TEST, stored.id, BeaconChange(enabled=False))
    assert [each.external_id for each in engine.users.get(TEST, "phone").beacons] == ["2"]
    assert events_of(report_no_beacons(engine)) == []
    assert (events_of(hear(engine, 1, 2)), near(report_no_beacons(engine))) == ([], "2")
    engine.beacons.upsert(TEST, "door", "1", replace(beacon("1"), enabled=True))
    assert events_of(hear(engine, 1, 2)) == [("user.entered_beacon", "1")]


def test_a_beacon_that_sends_something_else_is_left(engine: Engine) -> None:
    hear(engine, 1)
    engine.beacons.upsert(TEST, "door", "1", BeaconChange(minor=7, description="Moved"))
    assert near(report_no_beacons(engine)) == "1"
    assert report_no_beacons(engine).user.beacons[0].description == "Moved"
    assert events_of(hear(engine, 1)) == [("user.exited_beacon", "1")]
    assert events_of(hear(engine, 7)) == [("user.entered_beacon", "1")]


def test_test_and_live_never_mix(engine: Engine) -> None:
    reported = (ReportedBeacon(IBeacon(UUID, 100, 1)),)
    assert engine.tracking.track(LIVE, update(beacons=reported)).events == ()
    assert len(hear(engine, 1).events) == 1


def test_each_device_by_itself(engine: Engine) -> None:
    hear(engine, 1, device_id="a")
    assert events_of(hear(engine, 2, device_id="b")) == [("user.entered_beacon", "2")]
    assert events_of(hear(engine, device_id="a")) == [("user.exited_beacon", "1")]
    assert near(engine.tracking.track(TEST, update(device_id="b"))) == "2"


def test_a_deleted_user_and_cleared_data_leave_no_stays(tmp_path: Path) -> None:
    with Engine.open(tmp_path) as engine:
        for number in (1, 2):
            engine.beacons.create(TEST, beacon(str(number), minor=number))
        hear(engine, 1)
        hear(engine, 2, device_id="other")
        engine.users.delete(TEST, "phone")
        assert events_of(hear(engine, 1)) == [("user.entered_beacon", "1")]
        engine.history.clear_test_data("phone")
        assert near(engine.tracking.track(TEST, update(device_id="other"))) == "2"
        engine.history.clear_test_data()
        file = engine.workspace.database_file
        rows = sqlite3.connect(file).execute("SELECT count(*) FROM beacon_stays").fetchone()
        assert rows == (0,)
        hear(engine, 1)
        assert len(engine.beacons.all(TEST)) == 2, "they stay unless somebody asks"
        assert engine.history.clear_test_data(beacons=True).beacons == 2
        assert engine.beacons.all(TEST) == ()
        assert events_of(hear(engine, 1)) == []
        with pytest.raises(InvalidParameter, match="beacons: do not belong to a device"):
            engine.history.clear_test_data("phone", beacons=True)


def test_a_stay_survives_a_restart(tmp_path: Path) -> None:
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        engine.beacons.create(TEST, beacon())
        hear(engine, 1)
    with Engine.open(tmp_path, clock=SetClock(NOON + timedelta(minutes=5))) as engine:
        assert near(report_no_beacons(engine)) == "1"
        assert events_of(hear(engine, 1)) == []
        left = hear(engine)
        assert events_of(left) == [("user.exited_beacon", "1")]
        assert left.events[0].duration_s == 300


def test_explaining_and_replaying_go_on(engine: Engine) -> None:
    engine.geofences.create(TEST, circle())
    hear(engine, 1)
    hear(engine)
    assert len(engine.tracking.explain(TEST, UpdateQuery(device_id="phone")).explanations) == 1
    report = engine.tracking.replay(TEST, ReplayQuery(device_ids=("phone",)))
    assert [event.type for event in report.before] == ["user.entered_geofence"]
    assert report.added == report.removed == ()


@settings(max_examples=20)
@given(st.lists(st.none() | st.sets(st.integers(1, 3)), max_size=15))
def test_events_alternate_and_agree_with_the_reports(reports: list[set[int] | None]) -> None:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        for number in (1, 2):
            engine.beacons.create(TEST, beacon(str(number), minor=number))
        inside: set[str] = set()
        for report in reports:
            result = report_no_beacons(engine) if report is None else hear(engine, *report)
            now = inside if report is None else {str(minor) for minor in report if minor < 3}
            expected = [("user.exited_beacon", key) for key in sorted(inside - now)]
            expected += [("user.entered_beacon", key) for key in sorted(now - inside)]
            assert events_of(result) == expected
            assert near(result) == "".join(sorted(now))
            inside = now
