"""Everything a user can do, as actions: one place for names, keys and icons."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.palette import WORDS
from app.desktop.icons import icon
from app.desktop.map.values import Theme
from app.desktop.model.editing.history import HistoryState
from app.desktop.panels.widgets import tip_text
from app.desktop.style import colors

type _Keys = str | QKeySequence.StandardKey | tuple[str, ...]


_THEME = "theme appearance colours colors mode"


class Actions:
    """The window's actions. They are wired to what they do by the window's controllers."""

    def __init__(self, owner: QWidget) -> None:
        self._owner = owner
        self._icons: dict[QAction, str] = {}
        self.select = self._make("Select", "cursor", "V", "Select geofences and move the map", check=True)
        self.circle = self._make(
            "Circle", "circle", "C", "Draw a circle: click its centre, then its edge, or drag", check=True
        )
        self.polygon = self._make("Polygon", "polygon", "P", "Draw a polygon: click its corners", check=True)
        self.isochrone = self._make(
            "Isochrone", "chart-pie-slice", "I", "Area that can reach a destination in time", check=True
        )
        self.beacon = self._make("New beacon", "broadcast", "B", "Place a new beacon: click where it is", check=True)
        self.move = self._make("Move", "arrows-out-cardinal", "M", "Drag the selected geofence", check=True)
        self.delete = self._make("Delete", "trash", "Del", "Delete the selected geofence or beacon", local=True)
        self.undo = self._make("Undo", "arrow-u-up-left", "Ctrl+Z", "Undo")
        self.redo = self._make("Redo", "arrow-u-up-right", ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo")
        self.find = self._make("Find", "magnifying-glass", "Ctrl+F", "Find addresses, places, geofences, coordinates")
        self.fence_here = self._make(
            "Create geofence here", "map-pin", ("Ctrl+Return", "Ctrl+Enter"), "Create a geofence from the search result"
        )
        self.what_is_here = self._make("What is here?", "map-pin-line", "", "Address at the middle of the map")
        self.clear_searches = self._make("Clear recent searches", "clock-counter-clockwise", "")
        self.play = self._make("Play or pause", "play", "Space", "Play or pause the track")
        self.step = self._make("Next fix", "skip-forward", "Right", "Send the next fix of the track", local=True)
        self.back = self._make("Previous fix", "skip-back", "Left", "Go back to the fix before", local=True)
        self.replay = self._make(
            "Reset device and replay",
            "arrow-counter-clockwise",
            "",
            "Forget the simulated device in Test and play the track as if for the first time",
            words="again first time clear restart",
        )
        self.timeline = self._make(
            "Timeline", "chart-line", "G", "Show or fold distances to geofences over time", words="distance plot graph"
        )
        self.timeline_of_device = self._make(
            "Timeline of device…",
            "chart-line",
            "",
            "Show a device's kept updates over time",
            words="distance plot graph",
        )
        self.new = self._make("New workspace…", "plus", QKeySequence.StandardKey.New)
        self.open = self._make("Open workspace…", "folder-open", QKeySequence.StandardKey.Open)
        self.copy = self._make("Save a copy…", "floppy-disk", "Ctrl+Shift+S", words="export backup duplicate")
        self.import_file = self._make(
            "Import…", "file-arrow-up", "Ctrl+I", words="csv geojson kml kmz gpx wkt shapefile geopackage"
        )
        self.export_file = self._make(
            "Export…", "file-arrow-down", "Ctrl+Shift+E", "Export geofences", words="csv geojson kml geopackage"
        )
        self.imports = self._make("Import history…", "clock-counter-clockwise", "", words="undo imports")
        self.open_track = self._make("Open track…", "path", "Ctrl+T")
        self.save_scenario = self._make(
            "Save as scenario…",
            "flask",
            "",
            "Save settings, geofences, the track and its events as a test for CI",
            words="yaml test qa fencewright expect",
        )
        self.route_track = self._make(
            "Route a track…",
            "map-pin",
            "",
            "Make a track along roads: click its waypoints",
            words="simulate waypoints navigation drive walk",
        )
        self.fleet = self._make(
            "Fleet…", "users", "", "Many devices at once on trips along roads", words="simulate devices load"
        )
        self.draw_track = self._make(
            "Draw track",
            "pencil-line",
            "T",
            "Draw where a device goes: click its corners",
            check=True,
            words="simulate simulator path walk",
        )
        self.record_track = self._make(
            "Track from a device…",
            "record",
            "",
            "Load what a device has sent into the simulator",
            words="record replay kept updates request log",
        )
        self.areas = self._make("Areas…", "map-trifold", "", "Choose, build and remove areas: streets and routing")
        self.build_area = self._make("Build an area…", "wrench", "", "Build an area from an OpenStreetMap extract")
        self.fit = self._make("Show all geofences", "frame-corners", "Ctrl+0", "Show all geofences on the map")
        self.filter = self._make(
            "Filter geofences", "funnel", "", "Type to filter the list of geofences", words="search"
        )
        self.settings = self._make(
            "Project settings…",
            "sliders-horizontal",
            "Ctrl+,",
            "Settings of Test, or of Live",
            words="preferences options",
        )
        self.endpoint = self._make(
            "Endpoint…",
            "qr-code",
            "",
            "HTTPS, network access and the QR code for devices",
            words="server tls ssl certificate phone emulator host qr",
        )
        self.sdks = self._make(
            "Connect an SDK…",
            "device-mobile",
            "",
            "Lines that point an SDK at this endpoint",
            words="javascript python ios android react native flutter snippet",
        )
        self.segments = self._make("Segments…", "users", "", "Groups of users, named in their responses and events")
        self.beacons = self._make(
            "Beacons…", "list-bullets", "", "List of the beacons", words="bluetooth ibeacon eddystone"
        )
        self.nightly_sync = self._make(
            "Nightly sync…",
            "cloud-arrow-down",
            "",
            "Import geofences from web servers or S3 every night",
            words="import http url s3 bucket aws schedule integration email",
        )
        self.pending = self._make(
            "Pending changes…", "checks", "", "Review, apply or discard the changes pending for Live"
        )
        self.clock = self._make("Test clock…", "clock", "", "Set, advance or freeze the Test clock")
        self.freeze = self._make("Freeze or unfreeze the Test clock", "timer", "")
        self.clear = self._make("Clear Test data…", "eraser", "", "Delete users, events and updates of Test")
        self.why = self._make("Why?", "question", "W", "Show why something happened, or why not")
        self.user = self._make("User", "user", "", "Show everything known about a user")
        self.users = self._make(
            "Users", "users-three", "", "List of the users: where they are, and when they were seen", words="devices"
        )
        self.webhooks = self._make(
            "Webhooks", "paper-plane-tilt", "", "Send events to receivers", words="http post delivery receiver listen"
        )
        self.what_if = self._make(
            "What if…",
            "flask",
            "Ctrl+Shift+W",
            "Try other settings and geofences in a sandbox",
            words="sandbox replay try simulate",
        )
        self.requests = self._make("Requests", "swap", "R", "Show what arrives at the endpoint", words="log http curl")
        self.faults = self._make(
            "Faults…",
            "lightning",
            "",
            "Answer requests of Test late, with errors, in part or not at all",
            words="latency status 429 500 drop truncate slow retry test sdk",
        )
        self.tiles = self._make("Online map", "globe", "", "Street map from openstreetmap.org", check=True)
        self.light = self._make("Light", "sun", "", "Light theme", check=True, words=_THEME)
        self.dark = self._make("Dark", "moon", "", "Dark theme", check=True, words=_THEME)
        self.system = self._make(
            "Follow system", "circle-half", "", "Same theme as the system", check=True, words=_THEME
        )
        self.commands = self._make("Commands", "command", "Ctrl+K", "Find a command")
        self.shortcuts = self._make("Keyboard shortcuts", "keyboard", "F1")
        self.about = self._make("About Fencewright", "info", "")
        self.quit = self._make("Quit", "sign-out", "Ctrl+Q")
        self._group(self.select, self.circle, self.polygon, self.isochrone, self.beacon, self.draw_track, self.move)
        self._group(self.light, self.dark, self.system)
        self.show_history(HistoryState())

    def all(self) -> Iterator[QAction]:
        """Return every action, in the order of the shortcut sheet."""
        return iter(self._icons)

    def of_workspace(self) -> tuple[QAction, ...]:
        """Return what needs an open workspace."""
        return (
            *(self.circle, self.polygon, self.isochrone, self.beacon, self.draw_track, self.move),
            *(self.copy, self.import_file, self.export_file, self.imports),
            *(self.route_track, self.fleet, self.record_track),
            *(self.open_track, self.save_scenario, self.find, self.what_is_here, self.fit),
            *(
                self.filter,
                self.settings,
                self.endpoint,
                self.segments,
                self.sdks,
                self.beacons,
                self.nightly_sync,
                self.pending,
                self.areas,
                self.build_area,
                self.why,
                self.user,
                self.users,
                self.requests,
                self.webhooks,
                self.faults,
                self.timeline,
                self.timeline_of_device,
            ),
        )

    def of_test(self) -> tuple[QAction, ...]:
        """Return what there is in Test only."""
        return self.clock, self.freeze, self.clear, self.replay

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        danger = colors(theme).danger
        for action, name in self._icons.items():
            action.setIcon(icon(name, theme, color=danger if action is self.delete else None))

    def show_history(self, state: HistoryState) -> None:
        """Say what undo and redo would do."""
        for action, verb, text in ((self.undo, "Undo", state.undo), (self.redo, "Redo", state.redo)):
            action.setEnabled(text is not None)
            action.setToolTip(tip_text(f"{verb}: {text}" if text else f"Nothing to {verb.lower()}"))

    def _make(
        self,
        text: str,
        icon_name: str,
        keys: _Keys,
        tip: str = "",
        *,
        check: bool = False,
        local: bool = False,
        words: str = "",
    ) -> QAction:
        """Return an action; a local one has its key only in the widgets that it is added to.

        `words` are others by which it is found.
        """
        action = QAction(text, self._owner)
        shortcuts = keys if isinstance(keys, tuple) else (keys,)
        action.setShortcuts([QKeySequence(key) for key in shortcuts if key])
        action.setIconText(text.removesuffix("…"))
        shown = QKeySequence(shortcuts[0]).toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(tip_text(f"{tip or text.removesuffix('…')} ({shown})" if shown else tip or text))
        action.setCheckable(check)
        action.setProperty(WORDS, words)
        self._icons[action] = icon_name
        if local:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        else:
            self._owner.addAction(action)
        return action

    def _group(self, *actions: QAction) -> None:
        group = QActionGroup(self._owner)
        for action in actions:
            group.addAction(action)
