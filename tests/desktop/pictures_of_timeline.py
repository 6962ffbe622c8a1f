"""Pictures of the timeline: empty, a track, and a device's kept updates with dwells, hours and withheld events."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import numpy as np
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.hours import parse_hours
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import LocationUpdate
from tests.desktop.studio import Studio, wait_for

if TYPE_CHECKING:
    from app.desktop.window.main_window import MainWindow

TEST = Environment.TEST
BEGIN = datetime(2026, 9, 9, 8, 20, tzinfo=ZoneInfo("Europe/Brussels"))
MIDDLE = Point(3.725, 51.05)


def timeline_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show the timeline in its initial state, for the demo's track, and for a courier."""
    window = studio.window
    window.model.simulation.unload()
    studio.open()
    window.timeline_panel.unfold()
    yield "timeline-empty", None
    studio.fill()
    wait_for(lambda: _is_drawn(window), "the timeline of the track")
    events = window.model.events.all()
    window.model.selection.select_event(
        next(event for event in events if event.geofence and event.geofence.external_id == "ghent")
    )
    yield "timeline-track", None
    studio.open()
    _ride(studio)
    user = window.model.users.all()[0]
    window.timeline.show_user(user)
    wait_for(lambda: _is_drawn(window), "the timeline of the device")
    window.map.show_point(MIDDLE.longitude + 0.0045, MIDDLE.latitude, zoom=15)
    graph = window.timeline_panel.graph
    assert graph is not None
    withheld = next(mark for mark in window.timeline.overlay.marks if mark.event is None)
    curve = window.timeline.timeline.curve(withheld.fence_id)
    assert curve is not None
    place = QPointF(float(window.timeline.timeline.offsets_s[withheld.at]), float(curve.distances_m[withheld.at]))
    QTest.mouseMove(graph.viewport(), QPoint(2, 2))
    QTest.mouseMove(graph.viewport(), graph.mapFromScene(graph.main.box.mapViewToScene(place)))
    window.docks.bring(window.docks.why)
    wait_for(lambda: window.reasons.answered and bool(window.why.headline.text()), "the reason")
    yield "timeline-device", None
    window.timeline_panel.unfold(False)


def _is_drawn(window: MainWindow) -> bool:
    return bool(window.timeline.settled and window.timeline.timeline.curves and window.timeline.overlay.marks)


def _ride(studio: Studio) -> None:
    """Let a courier stop at a shop that opens at nine, pass a depot, and return."""
    session = studio.window.model.session
    assert session is not None
    engine = session.engine
    engine.set_clock(ClockChange(now=BEGIN + timedelta(hours=3), frozen=True))
    engine.settings.change(
        TEST,
        SettingsChange(
            dwell_event=True, default_dwell_threshold_s=300, operating_hours_restriction=True, stop_detection=False
        ),
    )
    hours = parse_hours({day: [["09:00", "18:00"]] for day in ("Mon", "Tue", "Wed", "Thu", "Fri")})
    for name, east, radius_m, given in (
        ("Shop", 0.0, 120, {"operating_hours": hours}),
        ("Depot", 0.009, 160, {}),
        ("Kiosk", 0.004, 60, {"stop_detection": True}),
    ):
        place = (MIDDLE.longitude + east, MIDDLE.latitude)
        change = GeofenceChange(
            tag=name.lower(),
            external_id=name.lower(),
            description=name,
            type="circle",
            coordinates=place,
            size=float(radius_m),
            **given,
        )
        engine.geofences.create(TEST, change)
    chance = np.random.default_rng(5)
    stages = (
        (-0.006, 0.0, 60),
        (0.0, 0.0, 90),
        (0.0, 0.009, 60),
        (0.009, 0.009, 80),
        (0.009, 0.0, 60),
        (0.0, 0.0, 110),
    )
    way = np.concatenate([np.linspace(begin, end, count) for begin, end, count in stages])
    for number, east in enumerate(way):
        noise = chance.normal(0, 6e-5, 2)
        point = Point(float(MIDDLE.longitude + east + noise[0]), float(MIDDLE.latitude + noise[1]))
        at = BEGIN + timedelta(seconds=10 * number)
        engine.tracking.track(TEST, LocationUpdate("courier-3", point, float(chance.uniform(6, 30)), at=at))
    wait_for(lambda: len(studio.window.model.users) == 1, "the courier")
