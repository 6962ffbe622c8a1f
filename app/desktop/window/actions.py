"""Everything a user can do, as actions: one place for names, keys and icons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, Self, overload

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


@dataclass(frozen=True, eq=False, slots=True)
class _Action:
    """Declaration of an action; as an attribute of `Actions` it is the window's `QAction`."""

    text: str
    icon: str
    keys: _Keys = ""
    tip: str = ""
    check: bool = False
    local: bool = False
    """Whether its key acts only in the widgets that it is added to."""
    words: str = ""
    """Other words by which it is found."""
    in_workspace: bool = False
    """Whether it needs an open workspace, and nothing else."""
    in_test: bool = False
    """Whether it is there in Test only."""

    @overload
    def __get__(self, actions: None, owner: type[Actions]) -> Self: ...

    @overload
    def __get__(self, actions: Actions, owner: type[Actions]) -> QAction: ...

    def __get__(self, actions: Actions | None, owner: type[Actions]) -> Self | QAction:
        return self if actions is None else actions.of(self)

    def make(self, owner: QWidget) -> QAction:
        """Make the action of a window."""
        action = QAction(self.text, owner)
        keys = self.keys if isinstance(self.keys, tuple) else (self.keys,)
        action.setShortcuts([QKeySequence(key) for key in keys if key])
        action.setIconText(self.text.removesuffix("…"))
        shown = QKeySequence(keys[0]).toString(QKeySequence.SequenceFormat.NativeText)
        tip = self.tip or self.text
        action.setToolTip(tip_text(f"{tip.removesuffix('…')} ({shown})" if shown else tip))
        action.setCheckable(self.check)
        action.setProperty(WORDS, self.words)
        if self.local:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        else:
            owner.addAction(action)
        return action


class Actions:
    """The window's actions, in the order of the shortcut sheet. The controllers wire them to what they do."""

    select = _Action("Select", "cursor", "V", "Select geofences and move the map", check=True)
    circle = _Action(
        "Circle",
        "circle",
        "C",
        "Draw a circle: click its centre, then its edge, or drag",
        check=True,
        in_workspace=True,
    )
    polygon = _Action("Polygon", "polygon", "P", "Draw a polygon: click its vertices", check=True, in_workspace=True)
    isochrone = _Action(
        "Isochrone", "chart-pie-slice", "I", "Area that can reach a destination in time", check=True, in_workspace=True
    )
    beacon = _Action(
        "New beacon", "broadcast", "B", "Place a new beacon: click where it is", check=True, in_workspace=True
    )
    move = _Action("Move", "arrows-out-cardinal", "M", "Drag the selected geofence", check=True, in_workspace=True)
    lasso = _Action(
        "Lasso",
        "selection-plus",
        "L",
        "Select geofences: draw around them",
        check=True,
        words="multiple several rectangle",
        in_workspace=True,
    )
    select_all = _Action("Select all geofences", "selection-all", "Ctrl+A", local=True, in_workspace=True)
    edit_selected = _Action(
        "Edit selected geofences…",
        "pencil-simple",
        "Ctrl+E",
        "Edit fields of all selected geofences at once",
        words="bulk several multiple change hours metadata",
    )
    enable = _Action("Enable selected geofences", "toggle-right", words="several bulk on")
    disable = _Action("Disable selected geofences", "toggle-left", words="several bulk off")
    set_tag = _Action("Set tag of selected geofences…", "tag", words="several bulk group")
    delete = _Action("Delete", "trash", "Del", "Delete the selected geofences or beacon", local=True)
    union = _Action(
        "Union",
        "plus-circle",
        tip="Merge the selected geofences into the first",
        words="geometry merge join combine dissolve",
    )
    subtract = _Action(
        "Subtract",
        "minus-circle",
        tip="Cut the other selected geofences out of the first",
        words="geometry difference erase clip",
    )
    intersect = _Action(
        "Intersect", "intersect", tip="Keep what the selected geofences have in common", words="geometry overlap clip"
    )
    split = _Action(
        "Split…", "scissors", tip="Cut the selected geofence along a line that you draw", words="geometry cut divide"
    )
    simplify = _Action(
        "Simplify…",
        "line-segments",
        tip="Leave out vertices of the selected geofence",
        words="geometry generalize reduce",
    )
    buffer = _Action(
        "Buffer…", "arrows-out", tip="Enlarge or shrink the selected geofence", words="geometry grow expand offset"
    )
    to_circle = _Action("Convert to circle…", "circle-dashed", words="geometry polygon")
    to_polygon = _Action("Convert to polygon…", "hexagon", words="geometry circle isochrone")
    align = _Action(
        "Align…",
        "align-left",
        tip="Move the other selected geofences in line with the first",
        words="geometry edges centres",
    )
    grid = _Action(
        "Grid…",
        "grid-four",
        tip="Cover the selected geofence with circles or hexagons",
        words="geometry tessellate honeycomb fill",
    )
    lock = _Action(
        "Lock shape",
        "lock",
        "Ctrl+L",
        "Lock or unlock the shapes of the selected geofences: locked ones cannot be dragged or reshaped here",
        words="unlock protect padlock",
    )
    measure = _Action(
        "Measure",
        "ruler",
        "Shift+M",
        "Measure distances and areas: click along them",
        check=True,
        words="geometry length distance area ruler",
        in_workspace=True,
    )
    confidence = _Action(
        "Predicted confidence",
        "gauge",
        tip="Show the confidence of entries while you draw",
        check=True,
        words="accuracy predict fix",
        in_workspace=True,
    )
    snapping = _Action(
        "Snapping",
        "magnet",
        "S",
        "Snap to vertices and edges of nearby geofences while drawing; hold Alt to suspend",
        check=True,
        words="snap magnet",
    )
    duplicate = _Action("Duplicate", "copy", "Ctrl+D", "Copy the selected geofences", words="clone")
    paste = _Action(
        "Paste geofences",
        "clipboard-text",
        "Ctrl+V",
        "Create geofences from GeoJSON, WKT or coordinates in the clipboard",
        local=True,
        words="clipboard insert wkt geojson coordinates",
        in_workspace=True,
    )
    copy_latitude_first = _Action(
        "Copy coordinates as latitude, longitude",
        "copy",
        tip="Copy the centre or the vertices of the selected geofence, latitude first",
        words="clipboard lat lon",
        in_workspace=True,
    )
    copy_longitude_first = _Action(
        "Copy coordinates as longitude, latitude",
        "copy",
        tip="Copy the centre or the vertices of the selected geofence, longitude first",
        words="clipboard lon lat x y",
        in_workspace=True,
    )
    undo = _Action("Undo", "arrow-u-up-left", "Ctrl+Z", "Undo")
    redo = _Action("Redo", "arrow-u-up-right", ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo")
    find = _Action(
        "Find", "magnifying-glass", "Ctrl+F", "Find addresses, places, geofences, coordinates", in_workspace=True
    )
    fence_here = _Action(
        "Create geofence here", "map-pin", ("Ctrl+Return", "Ctrl+Enter"), "Create a geofence from the search result"
    )
    what_is_here = _Action("What is here?", "map-pin-line", tip="Address at the centre of the map", in_workspace=True)
    clear_searches = _Action("Clear recent searches", "clock-counter-clockwise")
    play = _Action("Play or pause", "play", "Space", "Play or pause the track")
    step = _Action("Next fix", "skip-forward", "Right", "Send the next fix of the track", local=True)
    back = _Action("Previous fix", "skip-back", "Left", "Go back to the previous fix", local=True)
    replay = _Action(
        "Reset device and replay",
        "arrow-counter-clockwise",
        tip="Delete the simulated device's data from Test, then play the track from the start",
        words="again first time clear restart",
        in_test=True,
    )
    timeline = _Action(
        "Timeline",
        "chart-line",
        "G",
        "Show or hide distances to geofences over time",
        words="distance plot graph",
        in_workspace=True,
    )
    timeline_of_device = _Action(
        "Timeline of device…",
        "chart-line",
        tip="Show a device's kept updates over time",
        words="distance plot graph",
        in_workspace=True,
    )
    new = _Action("New workspace…", "plus", QKeySequence.StandardKey.New)
    open = _Action("Open workspace…", "folder-open", QKeySequence.StandardKey.Open)
    copy = _Action("Save a copy…", "floppy-disk", "Ctrl+Shift+S", words="export backup duplicate", in_workspace=True)
    import_file = _Action(
        "Import…",
        "file-arrow-up",
        "Ctrl+I",
        words="csv geojson kml kmz gpx wkt shapefile geopackage",
        in_workspace=True,
    )
    export_file = _Action(
        "Export…",
        "file-arrow-down",
        "Ctrl+Shift+E",
        "Export geofences",
        words="csv geojson kml geopackage",
        in_workspace=True,
    )
    imports = _Action("Import history…", "clock-counter-clockwise", words="undo imports", in_workspace=True)
    open_track = _Action("Open track…", "path", "Ctrl+T", in_workspace=True)
    save_scenario = _Action(
        "Save as scenario…",
        "flask",
        tip="Save settings, geofences, the track and its events as a test for CI",
        words="yaml test qa fencewright expect",
        in_workspace=True,
    )
    route_track = _Action(
        "Route a track…",
        "map-pin",
        tip="Create a track along roads: click its waypoints",
        words="simulate waypoints navigation drive walk",
        in_workspace=True,
    )
    fleet = _Action(
        "Fleet…",
        "users",
        tip="Simulate many devices on trips along roads",
        words="simulate devices load",
        in_workspace=True,
    )
    draw_track = _Action(
        "Draw track",
        "pencil-line",
        "T",
        "Draw the track of a device: click its vertices",
        check=True,
        words="simulate simulator path walk",
        in_workspace=True,
    )
    record_track = _Action(
        "Track from a device…",
        "record",
        tip="Load what a device has sent into the simulator",
        words="record replay kept updates request log",
        in_workspace=True,
    )
    areas = _Action(
        "Areas…", "map-trifold", tip="Choose, build and remove areas with streets and routing", in_workspace=True
    )
    build_area = _Action(
        "Build an area…", "wrench", tip="Build an area from an OpenStreetMap extract", in_workspace=True
    )
    fit = _Action("Show all geofences", "frame-corners", "Ctrl+0", "Show all geofences on the map", in_workspace=True)
    filter = _Action(
        "Filter geofences", "funnel", tip="Type to filter the list of geofences", words="search", in_workspace=True
    )
    settings = _Action(
        "Project settings…",
        "sliders-horizontal",
        "Ctrl+,",
        "Settings of the Test or Live environment",
        words="preferences options",
        in_workspace=True,
    )
    endpoint = _Action(
        "Endpoint…",
        "qr-code",
        tip="HTTPS, network access and the QR code for devices",
        words="server tls ssl certificate phone emulator host qr",
        in_workspace=True,
    )
    sdks = _Action(
        "Connect an SDK…",
        "device-mobile",
        tip="Code that points an SDK at this endpoint",
        words="javascript python ios android react native flutter snippet",
        in_workspace=True,
    )
    segments = _Action(
        "Segments…", "users", tip="Groups of users, named in their responses and events", in_workspace=True
    )
    beacons = _Action(
        "Beacons…", "list-bullets", tip="List beacons", words="bluetooth ibeacon eddystone", in_workspace=True
    )
    nightly_sync = _Action(
        "Nightly sync…",
        "cloud-arrow-down",
        tip="Import geofences from web servers or S3 every night",
        words="import http url s3 bucket aws schedule integration email",
        in_workspace=True,
    )
    pending = _Action(
        "Pending changes…", "checks", tip="Review, apply or discard the changes pending for Live", in_workspace=True
    )
    clock = _Action("Test clock…", "clock", tip="Set, advance or freeze the Test clock", in_test=True)
    freeze = _Action("Freeze or unfreeze the Test clock", "timer", in_test=True)
    clear = _Action("Clear Test data…", "eraser", tip="Delete users, events and updates from Test", in_test=True)
    why = _Action("Why?", "question", "W", "Show why something happened, or why not", in_workspace=True)
    user = _Action("User", "user", tip="Show everything known about a user", in_workspace=True)
    users = _Action(
        "Users",
        "users-three",
        tip="List users with their last location and time",
        words="devices",
        in_workspace=True,
    )
    geofence_table = _Action(
        "Geofence table",
        "table",
        "Ctrl+G",
        "List geofences with their fields: filter, sort, choose columns",
        words="list attributes columns spreadsheet many",
        in_workspace=True,
    )
    webhooks = _Action(
        "Webhooks",
        "paper-plane-tilt",
        tip="Send events to your servers",
        words="http post delivery receiver listen",
        in_workspace=True,
    )
    checks = _Action(
        "Check geofences",
        "check-circle",
        "Ctrl+Shift+C",
        "Find overlaps, geofences that are too small, hours that never open and more",
        words="validate lint problems overlap duplicate sliver expired quality",
        in_workspace=True,
    )
    promote = _Action(
        "Promote Test to Live…",
        "arrow-fat-line-right",
        "Ctrl+Shift+P",
        "Compare the geofences of Test and Live, and take over what you choose",
        words="diff compare deploy publish release copy",
        in_workspace=True,
    )
    promote_back = _Action(
        "Promote Live to Test…",
        "arrow-fat-line-left",
        tip="Compare the geofences of Live and Test, and take over what you choose",
        words="diff compare copy back",
        in_workspace=True,
    )
    what_if = _Action(
        "What if…",
        "flask",
        "Ctrl+Shift+W",
        "Try other settings and geofences in a sandbox",
        words="sandbox replay try simulate",
    )
    requests = _Action(
        "Requests", "swap", "R", "Show what arrives at the endpoint", words="log http curl", in_workspace=True
    )
    faults = _Action(
        "Faults…",
        "lightning",
        tip="Delay, truncate, drop or fail Test requests to see how your app copes",
        words="latency status 429 500 drop truncate slow retry test sdk",
        in_workspace=True,
    )
    tiles = _Action("Online map", "globe", tip="Street map from openstreetmap.org", check=True)
    light = _Action("Light", "sun", tip="Light theme", check=True, words=_THEME)
    dark = _Action("Dark", "moon", tip="Dark theme", check=True, words=_THEME)
    system = _Action("Follow system", "circle-half", tip="Same theme as the system", check=True, words=_THEME)
    commands = _Action("Commands", "command", "Ctrl+K", "Find a command")
    shortcuts = _Action("Keyboard shortcuts", "keyboard", "F1")
    about = _Action("About Fencewright", "info")
    quit = _Action("Quit", "sign-out", "Ctrl+Q")

    def __init__(self, owner: QWidget) -> None:
        declared = [each for each in vars(Actions).values() if isinstance(each, _Action)]
        self._made = {action: action.make(owner) for action in declared}
        shapes = self.circle, self.polygon, self.isochrone, self.beacon, self.draw_track
        _group(owner, self.select, *shapes, self.move, self.lasso, self.measure)
        _group(owner, self.light, self.dark, self.system)
        self.show_history(HistoryState())

    def of(self, declared: _Action) -> QAction:
        """Return the action that was declared."""
        return self._made[declared]

    def all(self) -> Iterator[QAction]:
        """Return every action, in the order of the shortcut sheet."""
        return iter(self._made.values())

    def of_workspace(self) -> Iterator[QAction]:
        """Return what needs an open workspace."""
        return (action for declared, action in self._made.items() if declared.in_workspace)

    def of_test(self) -> Iterator[QAction]:
        """Return what there is in Test only."""
        return (action for declared, action in self._made.items() if declared.in_test)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        danger = colors(theme).danger
        for declared, action in self._made.items():
            action.setIcon(icon(declared.icon, theme, color=danger if action is self.delete else None))

    def show_history(self, state: HistoryState) -> None:
        """Say what undo and redo would do."""
        for action, verb, text in ((self.undo, "Undo", state.undo), (self.redo, "Redo", state.redo)):
            action.setEnabled(text is not None)
            action.setToolTip(tip_text(f"{verb}: {text}" if text else f"Nothing to {verb.lower()}"))


class ActsOnActions(Protocol):
    """A part that does something when an action is triggered."""

    def connect_actions(self, actions: Actions) -> None:
        """Let the actions act."""
        ...


def _group(owner: QWidget, *actions: QAction) -> None:
    """Let one of the actions be checked at a time."""
    group = QActionGroup(owner)
    for action in actions:
        group.addAction(action)
