"""Takes pictures of the real window, light and dark: ``python -m tests.desktop.pictures DIR [NAME ...]``.

They must be checked before a change of the window is complete. With names, only those are saved. ``--scale 2`` doubles
their resolution. ``--docs`` takes all pictures of the documentation again.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QMessageBox, QWidget

from app.desktop.application import make_application
from app.desktop.demo import VIEW, demo_file
from app.desktop.dialogs.about import AboutDialog
from app.desktop.dialogs.import_report import ImportReportDialog
from app.desktop.dialogs.shortcuts import ShortcutsDialog
from app.desktop.dialogs.timing import TimingDialog
from app.desktop.language import counted
from app.desktop.map import MapProfile
from app.desktop.map.values import MapCircle, Theme
from app.desktop.model.simulation.sender import Timing
from app.desktop.style import apply_theme
from app.desktop.window.main_window import MainWindow
from app.endpoint import EVERYWHERE, EndpointOptions
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.imports import ImportReport, RowError
from engine.domain.tracking.beacon import Beacon, BeaconChange, ReportedBeacon
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.values import replace
from engine.simulation.formats.reading import read_track
from tests.desktop.docs_pictures import retake
from tests.desktop.pictures_of_areas import areas_shots
from tests.desktop.pictures_of_backtests import backtest_shots
from tests.desktop.pictures_of_heat import heat_shots
from tests.desktop.pictures_of_imagery import imagery_shots
from tests.desktop.pictures_of_imports import imports_shots
from tests.desktop.pictures_of_inspector import inspector_shots
from tests.desktop.pictures_of_many import many_shots
from tests.desktop.pictures_of_map_export import map_export_shots
from tests.desktop.pictures_of_requests import requests_shots
from tests.desktop.pictures_of_review import review_shots
from tests.desktop.pictures_of_rules import rules_shots
from tests.desktop.pictures_of_search import search_shots
from tests.desktop.pictures_of_shapes import shapes_shots
from tests.desktop.pictures_of_simulation import simulation_shots
from tests.desktop.pictures_of_sync import sync_shots
from tests.desktop.pictures_of_timeline import timeline_shots
from tests.desktop.pictures_of_tracks import tracks_shots
from tests.desktop.pictures_of_webhooks import webhooks_shots
from tests.desktop.pictures_of_whatif import whatif_shots
from tests.desktop.studio import Shot, Studio, wait_for

type Scenes = Callable[[Studio, Theme], Iterator[Shot]]

THEMES: tuple[Theme, ...] = ("light", "dark")


def _opening(studio: Studio, _theme: Theme) -> Iterator[Shot]:
    """Show an empty workspace, the tour in it, and the demo."""
    window = studio.window
    studio.open()
    yield "empty", None
    window.tour.start()
    yield "tour", None
    window.tour.end()
    window.sdks.open()
    yield "sdks", window.sdks.dialog
    window.sdks.dialog.close()
    studio.fill()
    studio.select_event_at("ghent")
    yield "demo", None


def _map_export(studio: Studio, theme: Theme) -> Iterator[Shot]:
    _open_demo(studio)
    yield from map_export_shots(studio, theme)


def _imagery(studio: Studio, _theme: Theme) -> Iterator[Shot]:
    _open_demo(studio)
    yield from imagery_shots(studio)


def _errors(studio: Studio, _theme: Theme) -> Iterator[Shot]:
    window = studio.window
    _open_demo(studio)
    window.docks.bring(window.docks.fence)
    yield "fence", None
    window.form.show_errors({"size": "Radius: the radius of a circle must be between 10 and 10000 metres, not 9."})
    window.message.complain("The address 127.0.0.1:8787 is in use by another program.", "Try again")
    yield "errors", None
    window.message.dismiss()
    window.form.show_errors({})
    yield from _dialogs(window)
    yield from _diagnostics(window)
    yield from _endpoint(window)
    yield from _menus(window)
    yield from _report(window)
    yield from imports_shots(studio)
    window.list.filter("depot")
    yield "filter", None
    window.list.filter("nothing like this")
    window.model.selection.clear()
    yield "filter-nothing", None
    window.list.filter("")
    yield from _beacons(studio)
    yield from sync_shots(window, wait_for)


def _open_demo(studio: Studio) -> None:
    """Open a workspace with the demo, in which the device has left Ghent."""
    studio.open()
    studio.fill()
    studio.select_event_at("ghent")


def _dialogs(window: MainWindow) -> Iterator[Shot]:
    untimed = read_track(demo_file("track.gpx"))
    untimed = replace(untimed, points=tuple(replace(point, at=None) for point in untimed.points))
    session = window.model.session
    assert session is not None
    dialogs: tuple[tuple[str, QWidget], ...] = (
        ("timing", TimingDialog(window, untimed, Timing(), session.engine.clock.now())),
        ("shortcuts", ShortcutsDialog(window, window.actions_.all())),
        ("about", AboutDialog(window)),
    )
    for name, dialog in dialogs:
        dialog.show()
        yield name, dialog
        dialog.close()


def _help(studio: Studio, _theme: Theme) -> Iterator[Shot]:
    """Show the documentation with search results."""
    window = studio.window
    _open_demo(studio)
    window.help.open()
    dialog = window.help.dialog
    assert dialog is not None
    dialog.words.setText("dwell threshold")
    dialog.list.setCurrentRow(0)
    yield "help", dialog
    dialog.words.clear()
    dialog.close()


def _diagnostics(window: MainWindow) -> Iterator[Shot]:
    window.diagnostics.open()
    wait_for(lambda: window.diagnostics.dialog is not None, "the diagnostics")
    assert window.diagnostics.dialog is not None
    window.diagnostics.dialog.list.setCurrentRow(1)
    yield "diagnostics", window.diagnostics.dialog
    window.diagnostics.dialog.reject()


def _endpoint(window: MainWindow) -> Iterator[Shot]:
    """The endpoint in its initial state, then with HTTPS and open to the network, with either QR code."""
    window.network.open()
    dialog = window.network.dialog
    wait_for(lambda: dialog.address.text().startswith("http://127"), "the endpoint")
    yield "endpoint", dialog
    window.network.change(EndpointOptions(EVERYWHERE, 0, tls=True, allow_hosts=("map.example.com",)))
    wait_for(lambda: dialog.address.text().startswith("https:"), "HTTPS")
    yield "endpoint-open", dialog
    dialog.holds.setCurrentIndex(1)
    yield "endpoint-certificate", dialog
    dialog.close()
    yield "endpoint-status", None
    window.network.change(EndpointOptions(port=0))
    wait_for(lambda: "127" in window.status.endpoint.text(), "the endpoint as it was")


def _menus(window: MainWindow) -> Iterator[Shot]:
    workspace, keys, clock = window.toolbar.workspace, window.status.keys, window.status.clock
    owners = (("menu-workspace", workspace), ("menu-keys", keys), ("menu-clock", clock))
    for name, owner in owners:
        menu = owner.menu()
        assert menu is not None
        menu.aboutToShow.emit()
        menu.resize(menu.sizeHint())
        yield name, menu
    for each in window.menus.menus():
        each.resize(each.sizeHint())
        yield f"menu-{each.title().replace('&', '').lower()}", each


def _report(window: MainWindow) -> Iterator[Shot]:
    errors = (
        RowError(3, "radius", "radius: the radius of a circle must be between 10 and 10000 metres, not 9."),
        RowError(7, "coordinates", "coordinates: the ring is not closed; its last position must equal its first."),
        RowError(12, None, "the row has 5 cells, but the header has 8 columns."),
    )
    dialog = ImportReportDialog(window, "stores.csv", ImportReport(118, 96, 19, errors))
    dialog.show()
    yield "import-report", dialog
    dialog.close()


def _beacons(studio: Studio) -> Iterator[Shot]:
    """Beacons at a gate, an event of one of them, and their list."""
    window, session = studio.window, studio.window.model.session
    assert session is not None
    longitude, latitude, _ = VIEW
    stored = [
        session.engine.beacons.create(
            Environment.TEST,
            BeaconChange(
                tag="entrance",
                external_id=f"door-{number}",
                description=name,
                type="ibeacon",
                uuid="b9407f30-f5f8-466e-aff9-25556b57fe6d",
                major=100,
                minor=number,
                geometry=Point(longitude + number / 2_000, latitude + (number % 2) / 1_500),
                enabled=name != "Old kiosk",
            ),
        )
        for number, name in enumerate(("Front door", "Gate B", "Old kiosk", "Parking level 2"))
    ]
    place = Point(longitude + 0.0004, latitude - 0.0004)
    update = LocationUpdate("phone-7", place, 10.0, beacons=(ReportedBeacon(stored[0].signal),))
    session.engine.tracking.track(Environment.TEST, update)
    wait_for(lambda: window.model.events.all()[0].beacon is not None, "the event of a beacon")
    window.model.selection.select_event(window.model.events.all()[0])
    wait_for(lambda: window.reasons.answered, "the reason")
    window.map.show_point(longitude, latitude, zoom=16)
    yield "beacons", None
    yield from _beacon_form(studio, stored)
    window.actions_.beacons.trigger()
    window.beacons.dialog.show_beacon(stored[1].id)
    yield "beacons-list", window.beacons.dialog
    window.beacons.dialog.close()
    window.model.selection.clear()
    longitude, latitude, zoom = VIEW
    window.map.show_point(longitude, latitude, zoom=zoom)


def _beacon_form(studio: Studio, stored: Sequence[Beacon]) -> Iterator[Shot]:
    """A beacon being edited while clients change it, one that clients delete, and a new one that is refused."""
    window, session = studio.window, studio.window.model.session
    assert session is not None
    form, gate = window.beacon_form, stored[1]
    window.map.beacon_clicked.emit(gate.id)
    yield "beacon", None
    form.fields.lines["description"].setText("Gate B, north")
    form.fields.lines["minor"].setText("3")
    form.store()
    # Wait here, since otherwise a change of others before it is stored would be refused instead.
    wait_for(lambda: bool(form.fields.entry("minor").field.error.text()), "the refusal")
    session.engine.beacons.update(Environment.TEST, gate.id, BeaconChange(description="Gate B (old)"))
    wait_for(lambda: bool(form.fields.entry("description").field.remote_change.value), "the change of others")
    yield "beacon-refused", None
    session.engine.beacons.delete(Environment.TEST, gate.id)
    wait_for(lambda: form.lost, "the deletion")
    yield "beacon-deleted", None
    form.give_up()
    session.engine.beacons.restore(Environment.TEST, gate)
    window.actions_.beacon.trigger()
    yield "beacon-tool", None
    longitude, latitude, _ = VIEW
    window.map.beacon_placed.emit(longitude, latitude + 0.0008)
    form.fields.type.setCurrentIndex(1)
    form.fields.type.activated.emit(1)
    yield "beacon-new", None
    form.give_up()
    window.docks.bring(window.docks.fence)


def _live(studio: Studio, _theme: Theme) -> Iterator[Shot]:
    window = studio.window
    _open_demo(studio)
    window.toolbar.environments.live.click()
    wait_for(lambda: window.operations.under_way == 0, "Live")
    window.docks.bring(window.docks.fence)
    window.fences.create(MapCircle(2.1, 50.9, 9_000))
    box = window.findChildren(QWidget, "qt_msgbox_label")[-1].window()
    yield "live-question", box
    assert isinstance(box, QMessageBox)
    box.buttons()[0].click()
    wait_for(lambda: len(window.model.fences) == 1, "the fence in Live")
    wait_for(lambda: counted(1, "geofence") in window.status.counts.text(), "the count of geofences")
    yield "live-nothing-pending", None
    form = window.form.basics
    form.description.setText("Store 12")
    form.description.editingFinished.emit()
    form.radius.number.setValue(7_500)
    form.radius.number.editingFinished.emit()
    form.enabled.click()
    yield "live", None
    yield from _pending(window)


def _pending(window: MainWindow) -> Iterator[Shot]:
    """Pending changes: the settings, the list, changes by others in the meantime, and the question at the end."""
    session = window.model.session
    assert session is not None
    window.project.open()
    settings = window.project.dialog
    for param in ("stop_detection", "buffer_exits"):
        check = settings.entry(param).field.editor
        assert isinstance(check, QAbstractButton)
        check.click()
    yield "pending-settings", settings
    settings.close()
    window.pending.open()
    yield "pending-list", window.pending.dialog
    radius = window.form.basics.radius.number
    radius.setValue(12_500)
    radius.editingFinished.emit()
    (fence,) = window.model.fences.all()
    session.engine.geofences.update(
        Environment.LIVE, fence.id, GeofenceChange(description="Depot Roeselare", metadata={"floor": 2})
    )
    wait_for(lambda: counted(1, "conflict") in window.form.pending_bar.text.whole, "the conflict")
    yield "pending-conflicts", window.pending.dialog
    window.pending.dialog.close()
    yield "live-conflict", None
    window.pending.apply(window.model.pending)
    wait_for(lambda: window.operations.under_way == 0, "the answers")
    box = window.findChildren(QMessageBox)[-1]
    yield "pending-overwrite", box
    box.reject()
    window.close()
    box = window.findChildren(QMessageBox)[-1]
    yield "pending-close", box
    box.reject()
    session.engine.geofences.delete(Environment.LIVE, fence.id)
    wait_for(lambda: len(window.model.fences) == 0, "the deletion")
    yield "live-deleted", None
    window.model.pending.clear()
    window.message.dismiss()


def _alone(shots: Callable[[Studio], Iterator[Shot]]) -> Scenes:
    return lambda studio, _theme: shots(studio)


SCENES: Mapping[str, Scenes] = {
    "opening": _opening,
    "map export": _map_export,
    "imagery": _imagery,
    "help": _help,
    "errors": _errors,
    "live": _live,
    "rules": _alone(rules_shots),
    "review": _alone(review_shots),
    "shapes": _alone(shapes_shots),
    "areas": _alone(areas_shots),
    "search": _alone(search_shots),
    "simulation": _alone(simulation_shots),
    "requests": _alone(requests_shots),
    "webhooks": _alone(webhooks_shots),
    "inspector": _alone(inspector_shots),
    "heat": _alone(heat_shots),
    "many": _alone(many_shots),
    "timeline": _alone(timeline_shots),
    "what if": _alone(whatif_shots),
    "back-tests": _alone(backtest_shots),
    "tracks": _alone(tracks_shots),
}
"""All scenes, in the order in which they are taken. Each opens its own workspace in the window of the one before."""


def main(folder: Path, names: Sequence[str] = (), scale: float = 1.0) -> None:
    """Take all pictures, or those with these names, in light and in dark."""
    folder.mkdir(parents=True, exist_ok=True)
    if scale != 1.0:
        os.environ["QT_SCALE_FACTOR"] = f"{scale:g}"  # read by Qt when the application is created
    application = make_application()
    for theme in THEMES:
        apply_theme(application, theme)
        studio = Studio(folder)
        studio.window.appearance.choose(theme)
        for shots in SCENES.values():
            for name, widget in shots(studio, theme):
                if not names or name in names:
                    studio.take(f"{name}-{theme}", widget)
        studio.close()
        sys.stdout.write("".join(f"{file}\n" for file in studio.taken))
    MapProfile.release_shared()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make pictures of the real window, light and dark.")
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/pictures"))
    parser.add_argument("names", nargs="*", help="the pictures to save (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="pixels of the picture per pixel of the window")
    parser.add_argument("--docs", action="store_true", help="take the pictures of the documentation again")
    parser.add_argument("--check", action="store_true", help="with --docs: only name the pictures whose texts changed")
    given = parser.parse_intermixed_args()
    if given.docs:
        sys.exit(retake(check=given.check))
    main(given.folder, given.names, given.scale)
