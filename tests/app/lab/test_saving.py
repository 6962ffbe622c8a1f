"""What a window hands over is saved as a scenario, which passes by itself."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.lab.files.reading import read_scenario
from app.lab.results import Status
from app.lab.saving import MAX_INLINE, save_scenario
from app.lab.testing import run_file
from app.recordings import Recording
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.settings import SettingsChange
from engine.domain.tracking.trips import DestinationChange, TripChange, TripStatus
from engine.engine import Engine
from engine.simulation.timing import ScheduledFix, location_updates

TEST = Environment.TEST
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
RING = ((1.0, 51.0), (1.01, 51.0), (1.01, 51.01), (1.0, 51.01), (1.0, 51.0))


def walked(engine: Engine, count: int = 30) -> Recording:
    """A device walks through a circle and a polygon on a trip, once the project has settings of its own."""
    engine.settings.change(TEST, SettingsChange(dwell_event=True, default_dwell_threshold_s=60.0, regions=True))
    change = GeofenceChange(tag="a/b", external_id="1", description="A: circle", type="circle", radius_m=200.0)
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


@pytest.mark.parametrize("count", [30, MAX_INLINE + 1])
def test_a_saved_session_passes(tmp_path: Path, count: int) -> None:
    file = tmp_path / "walk.fence.yaml"
    with WorkspaceSession(":memory:", frozen_at=START) as session:
        recording = walked(session.engine, count)
        expected = session.save_scenario(file, TEST, recording)
    assert expected >= 8
    result = run_file(file)
    assert result.status is Status.PASSED, (result.failures, result.faults)
    assert (result.events, result.fixes) == (expected, count)
    body = read_scenario(file).body
    assert [geofence.tag for geofence in body.geofences if not hasattr(geofence, "file")] == ["a/b", "yes"]
    assert (tmp_path / "walk.fence.track.csv").exists() == (count > MAX_INLINE)


def test_a_session_without_a_track_is_none(tmp_path: Path) -> None:
    file = tmp_path / "walk.fence.yaml"
    with Engine.open(":memory:") as engine, pytest.raises(InvalidParameter, match="open a track first"):
        save_scenario(engine, file, TEST, Recording("nothing", (), "phone", 5.0))
    assert not file.exists()
