"""Recordings of a window that are saved as scenarios, which then pass."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.lab.files.reading import read_scenario
from app.lab.results import Status
from app.lab.saving import MAX_INLINE, save_scenario
from app.lab.testing import run_file
from app.recordings import Recording
from app.session import WorkspaceSession
from engine.areas.library import AreaLibrary
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.settings import SettingsChange
from engine.domain.tracking.trips import DestinationChange, TripChange, TripStatus
from engine.domain.values import replace
from engine.engine import Engine
from engine.simulation.timing import ScheduledFix, location_updates
from tests.app.lab.conftest import CAME, VISIT, Write

TEST = Environment.TEST
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
RING = ((1.0, 51.0), (1.01, 51.0), (1.01, 51.01), (1.0, 51.01), (1.0, 51.0))


def walked(engine: Engine, count: int = 30) -> Recording:
    """Record a device that walks through a circle and a polygon on a trip, in a project with its own settings."""
    engine.settings.change(TEST, SettingsChange(dwell_event=True, default_dwell_threshold_s=60.0, regions=True))
    change = GeofenceChange(tag="a/b", external_id="1", description="A: circle", type="circle", size=200.0)
    circle = engine.geofences.create(TEST, replace(change, coordinates=(1.005, 51.005)))
    ring = GeofenceChange(tag="yes", external_id="2", description="# ring", type="polygon", coordinates=RING)
    engine.geofences.create(TEST, ring)
    fixes = tuple(
        ScheduledFix(START + timedelta(seconds=20 * n), Point(0.99 + 0.03 * n / count, 51.005), None, n % 2 == 0)
        for n in range(count)
    )
    recording = Recording("a walk", fixes, "phone 1", 12.5, trip_to=circle.id)
    trip = TripChange(external_id="t", destination=DestinationChange(geofence_id=circle.id))
    *others, last = location_updates(fixes, device_id="phone 1", accuracy_m=12.5)
    for update in others:
        engine.tracking.track(TEST, replace(update, trip=trip))
    engine.tracking.track(TEST, replace(last, trip=replace(trip, status=TripStatus.COMPLETED)))
    return recording


@pytest.mark.slow
@pytest.mark.parametrize("count", [30, MAX_INLINE + 1])
def test_a_saved_session_passes(tmp_path: Path, count: int) -> None:
    file = tmp_path / "walk.fence.yaml"
    with WorkspaceSession(":memory:", frozen_at=START) as session:
        recording = walked(session.engine, count)
        expected = session.save_scenario(file, TEST, recording)
    assert expected.events >= 8
    result = run_file(file)
    assert result.status is Status.PASSED, (result.failures, result.faults)
    assert (result.events, result.fixes) == (expected.events, expected.fixes) == (expected.events, count)
    body = read_scenario(file).body
    assert body.areas == [], "no area covers the walk"
    assert [geofence.tag for geofence in body.geofences if not hasattr(geofence, "file")] == ["a/b", "yes"]
    assert (tmp_path / "walk.fence.track.csv").exists() == (count > MAX_INLINE)


HELSINKI = Point(24.9384, 60.1680)


def stood(engine: Engine, point: Point, *, to: str | None = None) -> Recording:
    """Record a device that stands in one place for a minute."""
    fixes = tuple(ScheduledFix(START + timedelta(seconds=20 * n), point, None, None) for n in range(4))
    for update in location_updates(fixes, device_id="phone", accuracy_m=10.0):
        engine.tracking.track(TEST, update)
    return Recording("stands", fixes, "phone", 10.0, trip_to=to, played=4)


@pytest.mark.parametrize(
    ("places", "point", "areas"),
    [(False, HELSINKI, []), (True, HELSINKI, ["helsinki"]), (True, Point(1.0, 51.0), [])],
)
def test_an_area_is_named_only_if_the_run_used_it(tmp_path: Path, places: bool, point: Point, areas: list[str]) -> None:
    file = tmp_path / "stands.fence.yaml"
    with WorkspaceSession(":memory:", frozen_at=START, areas=["helsinki"]) as session:
        session.engine.settings.change(TEST, SettingsChange(places=places, fraud=True))
        session.save_scenario(file, TEST, stood(session.engine, point))
    assert read_scenario(file).body.areas == areas
    assert run_file(file).status is Status.PASSED


def test_a_trip_along_the_roads_of_an_area_names_it(tmp_path: Path) -> None:
    file = tmp_path / "stands.fence.yaml"
    with WorkspaceSession(":memory:", frozen_at=START, areas=["helsinki"]) as session:
        change = GeofenceChange(tag="a", external_id="1", description="A", type="circle", size=200.0)
        fence = session.engine.geofences.create(TEST, replace(change, coordinates=(24.95, 60.17)))
        session.save_scenario(file, TEST, stood(session.engine, HELSINKI, to=fence.id))
    assert read_scenario(file).body.areas == ["helsinki"]


def test_an_area_that_is_not_built_gives_an_error_with_a_remedy(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = AreaLibrary.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "bundled", tmp_path / "none")
    (fault,) = run_file(write(VISIT + CAME + "areas: [helsinki]\n")).faults
    assert fault.message == "'helsinki' is not built on this computer; 'fencewright setup' builds it."
    (fault,) = run_file(write(VISIT + CAME + "areas: [kent]\n")).faults
    assert "a scenario can use helsinki, which 'fencewright setup' builds, and no area of a workspace" in fault.message


@pytest.mark.parametrize("count", [30, MAX_INLINE + 1])
def test_a_track_that_was_played_at_another_time_keeps_when_it_was_recorded(tmp_path: Path, count: int) -> None:
    file = tmp_path / "walk.fence.yaml"
    with WorkspaceSession(":memory:", frozen_at=START) as session:
        recording = walked(session.engine, count)
        session.save_scenario(file, TEST, replace(recording, recorded_at=START))
        assert "recorded" not in file.read_text()
        session.save_scenario(file, TEST, replace(recording, recorded_at=START - timedelta(days=1)))
    assert read_scenario(file).body.start == START
    result = run_file(file)
    assert result.status is Status.PASSED, (result.failures, result.faults)
    assert any("recorded 2026-03-01T09:00:00Z, played at 2026-03-02T09:00:00Z" in note for note in result.notes)


def test_of_a_track_that_is_played_in_part_that_part_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "walk.fence.yaml"
    with WorkspaceSession(":memory:", frozen_at=START) as session:
        recording = walked(session.engine)
        whole = session.save_scenario(file, TEST, replace(recording, played=30))
        part = session.save_scenario(file, TEST, replace(recording, played=20))
    assert (whole.fixes, part.fixes) == (30, 20)
    assert 0 < part.events < whole.events
    assert "completeTrip" not in file.read_text()
    result = run_file(file)
    assert (result.status, result.fixes) == (Status.PASSED, 20), result.failures


def test_a_session_in_which_nothing_can_happen_states_that_it_expects_nothing(tmp_path: Path) -> None:
    file = tmp_path / "stands.fence.yaml"
    with WorkspaceSession(":memory:", frozen_at=START) as session:
        session.save_scenario(file, TEST, stood(session.engine, HELSINKI))
        result = run_file(file)
        assert (result.status, result.expects_nothing) == (Status.PASSED, True), result.faults
        change = GeofenceChange(tag="a", external_id="1", description="A", type="circle", size=200.0)
        session.engine.geofences.create(TEST, replace(change, coordinates=(1.0, 51.0)))
        session.save_scenario(file, TEST, stood(session.engine, HELSINKI))
    result = run_file(file)
    assert (result.status, result.expects_nothing) == (Status.PASSED, False), result.faults


def test_a_session_without_a_track_is_none(tmp_path: Path) -> None:
    file = tmp_path / "walk.fence.yaml"
    with Engine.open(":memory:") as engine, pytest.raises(InvalidParameter, match="open a track first"):
        save_scenario(engine, file, TEST, Recording("nothing", (), "phone", 5.0))
    assert not file.exists()
