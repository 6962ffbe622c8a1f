"""Pictures of What if: the sandbox with its banner, the result of a replay, and a sweep."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from PySide6.QtWidgets import QWidget

from app.desktop.language import counted
from app.desktop.model.simulation.sender import Timing
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.tracking.updates import LocationUpdate
from tests.desktop.studio import Studio, wait_for

TEST = Environment.TEST
NOON = datetime(2026, 3, 27, 12, tzinfo=UTC)


def whatif_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show a sandbox with a larger radius and stop detection."""
    window = studio.window
    studio.open()
    session = window.model.session
    assert session is not None
    engine = session.engine
    window.toolbar.environments.test.click()
    for number, (name, longitude, radius_m) in enumerate((("Bakery", 9.5215, 120.0), ("Kiosk", 9.5262, 90.0))):
        engine.geofences.create(
            TEST,
            GeofenceChange(
                tag="shop",
                external_id=str(number),
                description=name,
                type="circle",
                coordinates=(longitude, 47.1410),
                size=radius_m,
            ),
        )
    for device, south in (("phone-1", 0.0), ("phone-2", -0.0006)):
        for step in range(40):
            at = NOON + timedelta(seconds=20 * step)
            point = Point(9.5180 + step * 0.00028, 47.1411 + south)
            stopped = step % 9 in (0, 1, 2)
            engine.tracking.track(TEST, LocationUpdate(device, point, 15, at=at, stopped=stopped))
    wait_for(lambda: len(window.model.fences) == 2 and len(window.model.events) >= 8, "the walks")
    window.map.show_point(9.5238, 47.1405, zoom=16)
    window.actions_.what_if.trigger()
    panel = window.whatif_panel
    panel.switches["stop_detection"].click()
    panel.sandbox.click()
    ids = {fence.description: fence.id for fence in engine.geofences.all(TEST)}
    window.fences.change_shape(ids["Kiosk"], GeofenceChange(size=160.0))
    wait_for(lambda: window.model.sandbox is not None and bool(window.model.sandbox.edits), "the edit")
    panel.replay.click()
    wait_for(lambda: window.whatif.findings.report is not None, "the replay")
    first = panel.list.topLevelItem(0)
    assert first is not None
    panel.list.setCurrentItem(first)
    window.map.show_point(9.5240, 47.1410, zoom=16)
    wait_for(lambda: counted(2, "user") in window.status.counts.whole and len(window.model.users) == 2, "the users")
    yield "whatif", None
    panel.discard.click()
    points = (
        TrackPoint(Point(9.5170 + 0.00025 * step, 47.1414), NOON + timedelta(seconds=15 * step)) for step in range(40)
    )
    window.model.simulation.load(Track("drive.gpx", tuple(points)), Timing(), NOON)
    window.model.selection.select_fence(ids["Bakery"])
    panel.sweep.click()
    dialog = window.sweeps.dialog
    assert dialog is not None
    dialog.run.click()
    wait_for(lambda: dialog.result_ is not None, "the sweep")
    yield "sweep", dialog
    dialog.close()
