"""Pictures of the heat map."""

from __future__ import annotations

import random
from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from app.desktop.model.inspector.heat import heat_text
from engine.domain.environment import Environment
from engine.domain.geometry import Circle, Point
from engine.domain.tracking.updates import LocationUpdate
from engine.tracking.kept.heat import HeatSource
from tests.desktop.studio import Studio, wait_for

_FIXES = 1_500


def heat_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show where devices gather around the geofences of the demo."""
    window, chance = studio.window, random.Random(7)
    studio.open()
    studio.fill()
    session = window.model.session
    assert session is not None
    shapes = [fence.geometry for fence in session.engine.geofences.all(Environment.TEST)]
    circles = [shape for shape in shapes if isinstance(shape, Circle)]
    for number in range(_FIXES):
        near = circles[int(len(circles) * chance.random() ** 2)].center
        place = Point(near.longitude + chance.gauss(0, 0.06), near.latitude + chance.gauss(0, 0.03))
        session.engine.tracking.track(Environment.TEST, LocationUpdate(f"phone-{number % 9}", place, 8.0))
    window.actions_.heat.setChecked(True)
    most = len(session.engine.heat.positions(Environment.TEST, HeatSource.FIXES))
    wait_for(lambda: window.heat.panel.text.text() == heat_text(most, HeatSource.FIXES), "the heat map")
    yield "heat", None
    window.actions_.heat.setChecked(False)
