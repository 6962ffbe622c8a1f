"""Requests of the vendor's browser SDK are recorded as a track, which yields the same events when it is replayed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.queries import EventQuery
from engine.domain.settings import SettingsChange
from engine.domain.tracking.tracks import RecordedQuery, Track
from engine.engine import Engine
from engine.simulation.formats.reading import parse_track
from engine.simulation.timing import location_updates, timed_points
from engine.simulation.writing.writing import TrackFormat, write_track
from engine.store.workspace import MEMORY
from tests.clients.shop import SDK, browse, shop, stock

__all__ = ["shop"]

pytestmark = pytest.mark.skipif(not SDK.exists(), reason="the web assets have not been installed")

TEST = Environment.TEST
DEVICE = "browser"
PAGE = """\
<!doctype html><meta charset="utf-8"><title>A shop</title>
<script type="module">
import Radar from "/radar.js";
const seen = {events: []};
Radar.initialize("@KEY@", {host: "@HOST@"});
const walk = [
  [40.7850, -73.9900, 5], [40.7850, -73.9752, 30], [40.7850, -73.9750, 8], [40.7849, -73.9751, 200],
  [40.7850, -73.9700, 12], [40.7850, -73.9650, 5], [40.7850, -73.9750, 65], [40.7850, -73.9000, 5],
];
try {
  for (const [latitude, longitude, accuracy] of walk) {
    const answer = await Radar.trackOnce({latitude, longitude, accuracy, deviceId: "browser", userId: "ann"});
    seen.events.push(...answer.events.map(event => event.type));
  }
} catch (error) { seen.unexpected = String(error); }
console.log("result:" + JSON.stringify(seen));
</script>
"""
FENCES = (
    GeofenceChange(
        tag="park", external_id="1", description="A lawn", type="circle", coordinates=(-73.975, 40.785), size=100
    ),
    GeofenceChange(
        tag="park", external_id="2", description="A lake", type="circle", coordinates=(-73.965, 40.785), size=60
    ),
)


def prepared(engine: Engine) -> None:
    engine.settings.change(TEST, SettingsChange(rate_limit=False))
    for fence in FENCES:
        engine.geofences.create(TEST, fence)


def happened(engine: Engine) -> list[tuple[Any, ...]]:
    events = engine.history.page(TEST, EventQuery()).items
    return [
        (event.type, event.geofence.external_id if event.geofence else None, event.confidence, event.point)
        for event in reversed(events)
    ]


def replayed(track: Track) -> list[tuple[Any, ...]]:
    """Return the events of a track in a new engine."""
    with Engine.open(MEMORY) as engine:
        prepared(engine)
        fixes = timed_points(track, now=engine.clock_of(TEST).now())
        for update in location_updates(fixes, device_id=DEVICE, accuracy_m=None):
            engine.tracking.track(TEST, update)
        return happened(engine)


def test_recorded_requests_of_the_sdk_make_the_same_events_again(tmp_path: Path, shop: str) -> None:
    with WorkspaceSession(tmp_path / "workspace", port=0) as session:
        prepared(session.engine)
        stock(PAGE, session.engine, session.start_endpoint(), {"/radar.js": SDK})
        result = browse(f"{shop}/")
        assert "unexpected" not in result, result["unexpected"]
        sent = session.sent_track(TEST, DEVICE)
        kept = session.engine.tracking.recorded(TEST, RecordedQuery(device_id=DEVICE))
        events = happened(session.engine)
    assert [event[0] for event in events] == result["events"]
    assert len(events) >= 5, "the way leads into and out of both"
    assert [point.accuracy_m for point in sent.points] == [5, 30, 8, 200, 12, 5, 65, 5]
    assert sent.skipped == ()
    assert replayed(sent) == events
    assert replayed(kept) == events
    for track_format in (TrackFormat.GPX, TrackFormat.CSV, TrackFormat.GEOJSON):
        assert replayed(parse_track(write_track(sent, track_format), "sent")) == events, track_format
