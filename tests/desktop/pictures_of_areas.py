"""Pictures of the streets of an area, and of isochrones in it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.engine import Engine
from tests.desktop.studio import Studio

TEST = Environment.TEST
STATION = Point(24.9414, 60.1719)
ELSEWHERE = Point(25.1, 60.1712)
_STREETS = "the bundled area has not been built; the setup does it"


def areas_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Yield the name of each picture when the window shows its subject."""
    window = studio.window
    studio.open()
    studio.wait(lambda: bool(window.areas.areas.in_use), _STREETS)
    yield "streets", None
    assert window.model.session is not None
    fill(window.model.session.engine)
    studio.wait(lambda: len(window.model.fences) == 4, "the geofences")
    window.map.show_point(STATION.longitude, STATION.latitude, zoom=15)
    yield "streets-with-fences", None
    window.areas.open()
    studio.wait(lambda: window.areas.dialog.list.topLevelItemCount() > 0, "the list of areas")
    yield "areas", window.areas.dialog
    window.areas.dialog.show_error("name", "Name: an area 'helsinki' already exists; remove it first.")
    yield "areas-error", window.areas.dialog
    window.areas.dialog.close()
    yield from _isochrones(studio)


def _isochrones(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    window = studio.window
    panel = window.isochrones.panel
    window.actions_.isochrone.trigger()
    yield "isochrone-start", None
    panel.modes.buttons[2].click()
    panel.minutes.set_value(10)
    panel.bands.click()
    window.map.destination_chosen.emit(STATION.longitude, STATION.latitude)
    studio.wait(lambda: window.isochrones.answered and panel.create_button.isEnabled(), "the bands")
    yield "isochrone-bands", None
    window.map.show_point(25.05, 60.1719, zoom=12)
    window.map.destination_chosen.emit(ELSEWHERE.longitude, ELSEWHERE.latitude)
    studio.wait(lambda: window.isochrones.answered and not panel.create_button.isEnabled(), "what is wrong")
    yield "isochrone-outside", None
    window.map.show_point(STATION.longitude, STATION.latitude, zoom=15)
    panel.minutes.set_value(6)
    window.map.destination_chosen.emit(STATION.longitude, STATION.latitude)
    studio.wait(lambda: window.isochrones.answered and panel.create_button.isEnabled(), "the isochrone")
    panel.create_button.click()
    studio.wait(lambda: len(window.model.fences) == 5 and window.form.fence is not None, "the geofence")
    yield "isochrone", None


def fill(engine: Engine) -> None:
    """Create four geofences around the station."""
    for number, (name, tag, longitude, latitude, radius_m) in enumerate(
        (
            ("Central station", "station", 24.9414, 60.1719, 160.0),
            ("Kaisaniemi park", "park", 24.9462, 60.1751, 140.0),
            ("Senate square", "square", 24.9523, 60.1695, 90.0),
        ),
        1,
    ):
        engine.geofences.create(
            TEST,
            GeofenceChange(
                tag=tag,
                external_id=str(number),
                description=name,
                type="circle",
                coordinates=(longitude, latitude),
                size=radius_m,
            ),
        )
    ring = ((24.9378, 60.1684), (24.9421, 60.1662), (24.9452, 60.1679), (24.9407, 60.1702), (24.9378, 60.1684))
    yard = GeofenceChange(
        tag="depot", external_id="4", description="Delivery zone", type="polygon", coordinates=ring, enabled=True
    )
    engine.geofences.create(TEST, yard)
