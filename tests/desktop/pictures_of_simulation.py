"""Pictures of simulated devices: a track along roads, noise, a fleet."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.simulation.noise import NoiseDialog
from app.desktop.language import counted, tr
from engine.domain.geometry import Point
from engine.simulation.noise.model import PRESETS
from engine.simulation.phone import Phone
from tests.desktop.pictures_of_areas import STATION, fill
from tests.desktop.studio import Studio

_BESIDE_PANEL = (24.9315, 60.173, 14.4)
"""Longitude, latitude and zoom that show the route beside its panel."""
_WAY = (STATION, Point(24.9400, 60.1690), Point(24.9500, 60.1770))


def simulation_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Yield the name of each picture when the window shows its subject."""
    window, controllers = studio.window, studio.window.simulation
    studio.open()
    studio.wait(lambda: bool(window.areas.areas.in_use), "the bundled area")
    assert window.model.session is not None
    fill(window.model.session.engine)
    studio.wait(lambda: len(window.model.fences) == 4, "the geofences")
    longitude, latitude, zoom = _BESIDE_PANEL
    window.map.show_point(longitude, latitude, zoom=zoom)
    window.actions_.route_track.trigger()
    yield "route-start", None
    panel = controllers.routes.panel
    panel.modes.buttons[2].click()
    for point in _WAY:
        panel.add(point)
    studio.wait(panel.finish_button.isEnabled, "the way")
    yield "route", None
    panel.add(Point(26.5, 60.5))
    studio.wait(lambda: controllers.routes.answered and not panel.finish_button.isEnabled(), "what is wrong")
    yield "route-outside", None
    panel.table.selectRow(3)
    panel.remove_button.click()
    studio.wait(panel.finish_button.isEnabled, "the way")
    panel.finish_button.click()
    simulation = window.model.simulation
    studio.wait(lambda: simulation.track is not None, "the track")
    window.simulator.phone.wanted.emit(Phone(PRESETS["city-canyon"], 7))
    studio.wait(lambda: simulation.phone.noise is not None, "the noise")
    window.map.show_point(24.945, 60.173, zoom=15)
    yield "noise", None
    dialog = NoiseDialog(window, PRESETS["city-canyon"])
    dialog.show()
    yield "noise-dialog", dialog
    dialog.close()
    fleet = controllers.fleets
    fleet.open()
    fleet.dialog.devices.setValue(40)
    fleet.dialog.interval.setValue(300)
    fleet.dialog.stagger.setValue(0)
    fleet.dialog.loop.setChecked(True)
    fleet.dialog.start.click()
    moving = tr("{moving:,} of {devices} moving", moving=40, devices=counted(40, "device"))
    sent = counted(40, "fix", "fixes")
    studio.wait(lambda: moving in fleet.dialog.state.text() and sent in fleet.dialog.rate.text(), "the fleet")
    studio.wait(lambda: len(window.model.users) > 35, "the devices")
    yield "fleet", fleet.dialog
    fleet.dialog.close()
    yield "fleet-status", None
    fleet.stop()
    studio.wait(lambda: not window.status.task.isVisible(), "the end of the fleet")
