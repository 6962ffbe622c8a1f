"""All actions of the window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWidget

from app.desktop.icons import icon
from app.desktop.language import searched, tr, within_sentence
from app.desktop.map.values import Theme
from app.desktop.model.editing.history import HistoryState
from app.desktop.panels.widgets import tip_text
from app.desktop.style import colors
from app.desktop.window.actions.declared import Declared
from app.desktop.window.actions.editing import EditingActions
from app.desktop.window.actions.inspecting import InspectionActions
from app.desktop.window.actions.managing import WorkspaceActions
from app.desktop.window.actions.simulating import SimulationActions

_THEME = searched("theme appearance colours colors mode")

_LAYOUT = searched("layout panels arrangement workspace perspective")


class Actions(EditingActions, InspectionActions, SimulationActions, WorkspaceActions):
    """The window's actions in the order of the shortcut sheet. Controllers connect them."""

    tiles = Declared(tr("Online map"), "globe", tip=tr("Street map from openstreetmap.org"), check=True)
    imagery = Declared(
        tr("Imagery…"),
        "image",
        tip=tr("Show aerial images or maps of your own under the geofences"),
        words=searched("wms xyz tms tiles satellite orthophoto aerial background base map layer"),
    )
    names = Declared(
        tr("Geofence names"),
        "text-aa",
        tip=tr("Show names of geofences on the map"),
        check=True,
        words=searched("labels"),
    )
    area_streets = Declared(
        tr("Area streets"), "map-trifold", tip=tr("Show the streets of the areas in use on the map"), check=True
    )
    map_fences = Declared(tr("Geofences on the map"), "polygon", tip=tr("Show geofences on the map"), check=True)
    map_beacons = Declared(tr("Beacons on the map"), "broadcast", tip=tr("Show beacons on the map"), check=True)
    map_track = Declared(tr("Track on the map"), "path", tip=tr("Show the track on the map"), check=True)
    map_events = Declared(tr("Events on the map"), "lightning", tip=tr("Show events on the map"), check=True)
    light = Declared(tr("Light"), "sun", tip=tr("Light theme"), check=True, words=_THEME)
    dark = Declared(tr("Dark"), "moon", tip=tr("Dark theme"), check=True, words=_THEME)
    system = Declared(tr("Follow system"), "circle-half", tip=tr("Same theme as the system"), check=True, words=_THEME)
    design_layout = Declared(
        tr("Design"),
        "layout",
        "Ctrl+1",
        tr("Layout for designing: map, list and form"),
        check=True,
        words=_LAYOUT,
    )
    test_layout = Declared(
        tr("Test"),
        "layout",
        "Ctrl+2",
        tr("Layout for testing: map, simulator, events and Why?"),
        check=True,
        words=_LAYOUT,
    )
    develop_layout = Declared(
        tr("Develop"),
        "layout",
        "Ctrl+3",
        tr("Layout for developing: map, requests and events"),
        check=True,
        words=_LAYOUT,
    )
    reset_layout = Declared(
        tr("Reset layout"), "arrow-counter-clockwise", tip=tr("Show the layout as it was at first"), words=_LAYOUT
    )
    map_alone = Declared(
        tr("Map alone"),
        "arrows-out",
        "F11",
        tr("Fill the screen with the map, or bring the panels back"),
        check=True,
        words=searched("full screen fullscreen hide panels maximize"),
    )
    next_pane = Declared(
        tr("Next pane"), "arrow-square-right", "F6", tr("Go to the next of toolbar, panels, map and status bar")
    )
    previous_pane = Declared(tr("Previous pane"), "arrow-square-left", "Shift+F6", tr("Go to the pane before"))
    commands = Declared(tr("Commands"), "command", "Ctrl+K", tr("Find a command"))
    help = Declared(
        tr("Help"),
        "question",
        QKeySequence.StandardKey.HelpContents,
        tr("Documentation of the panel that has the keyboard"),
        words=searched("manual documentation docs guide"),
    )
    shortcuts = Declared(tr("Keyboard shortcuts"), "keyboard", "Shift+F1")
    tour = Declared(
        tr("Guided tour"),
        "path",
        tip=tr("Five steps: draw, set hours, simulate, see why, connect an SDK"),
        words=searched("first start tutorial introduction onboarding learn"),
        in_workspace=True,
    )
    diagnostics = Declared(
        tr("Save diagnostics…"),
        "first-aid-kit",
        tip=tr("Save versions, the condition of the database and the log, without secrets"),
        words=searched("support bug report log zip integrity"),
    )
    about = Declared(tr("About Fencewright"), "info")
    quit = Declared(tr("Quit"), "sign-out", "Ctrl+Q")

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        shapes = self.circle, self.polygon, self.isochrone, self.beacon, self.draw_track
        rings = self.draw_hole, self.draw_part, self.move_part
        _group(owner, self.select, *shapes, *rings, self.move, self.lasso, self.measure)
        _group(owner, self.design_layout, self.test_layout, self.develop_layout)
        _group(owner, self.light, self.dark, self.system)
        self.show_history(HistoryState())

    def all(self) -> Iterator[QAction]:
        """Return all actions in the order of the shortcut sheet."""
        return iter(self._made.values())

    def of_workspace(self) -> Iterator[QAction]:
        """Return the actions that need an open workspace."""
        return (action for declared, action in self._made.items() if declared.in_workspace)

    def of_test(self) -> Iterator[QAction]:
        """Return the actions that are available in Test only."""
        return (action for declared, action in self._made.items() if declared.in_test)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        danger = colors(theme).danger
        for declared, action in self._made.items():
            action.setIcon(icon(declared.icon, theme, color=danger if action is self.delete else None))

    def show_history(self, state: HistoryState) -> None:
        """Show the steps that undo and redo would affect."""
        for action, verb, text in ((self.undo, tr("Undo"), state.undo), (self.redo, tr("Redo"), state.redo)):
            action.setEnabled(text is not None)
            action.setToolTip(
                tip_text(f"{verb}: {text}" if text else tr("Nothing to {action}", action=within_sentence(verb)))
            )


class ActsOnActions(Protocol):
    """A part of the window that responds to actions."""

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        ...


def _group(owner: QWidget, *actions: QAction) -> None:
    """Make the actions exclusive, so that only one is checked at a time."""
    group = QActionGroup(owner)
    for action in actions:
        group.addAction(action)
