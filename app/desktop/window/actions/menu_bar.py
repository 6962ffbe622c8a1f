"""The menu bar, which lists the actions by subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenuBar, QToolButton

from app.desktop.language import tr
from app.desktop.panels.menus import Menu, mnemonic_places
from app.desktop.panels.widgets import button_text, tip_text
from app.desktop.window.actions.actions import Actions

type _Entry = QAction | Menu | None
"""An action, a submenu, or a separator."""

_TAKEN = "wk"
"""Letters of the other menus of the window: the workspaces and the keys."""


class MenuBar(QMenuBar):
    """The menus of the window. macOS shows them at the top of the screen."""

    recent_chosen = Signal(object)

    def __init__(self, actions: Actions, panels: Callable[[], Sequence[QAction]]) -> None:
        super().__init__()
        self._actions, self._panels = actions, panels
        self._recent: Callable[[], Iterable[Path]] = tuple
        self.setObjectName("MenuBar")
        self.shown, self.languages = Menu(self, tr("Show on the map")), Menu(self, tr("Language"))
        self.recent, self.theme = Menu(self, tr("Recent")), Menu(self, tr("Theme"))
        self.panels_shown, self.layout_ = Menu(self, tr("Panels")), Menu(self, tr("Layout"))
        self.rings, self.coordinates = Menu(self, tr("Holes and parts")), Menu(self, tr("Copy coordinates"))
        self.recent.aboutToShow.connect(lambda: self.fill_recent(self.recent))
        self.recent.setToolTipsVisible(True)
        self.panels_shown.aboutToShow.connect(self._fill_panels)
        self._fill_submenus()
        self.file = self._add(tr("File"), self._file())
        self.edit = self._add(tr("Edit"), self._edit())
        self.view = self._add(tr("View"), self._view())
        self.geofence = self._add(tr("Geofence"), self._geofence())
        self.geometry_ = self._add(tr("Geometry"), self._geometry())
        self.simulate = self._add(tr("Simulate"), self._simulate())
        self.project = self._add(tr("Project"), self._project())
        self.help = self._add(tr("Help"), self._help())
        self._name_menus()
        for button in self.findChildren(QToolButton):
            # Qt's button for menus that do not fit.
            button.setAccessibleName(tr("More menus"))
        self._give_roles()

    def offer_recent(self, recent: Callable[[], Iterable[Path]]) -> None:
        """Set the function that returns the recently opened workspaces."""
        self._recent = recent

    def fill_recent(self, menu: Menu) -> None:
        """List the recently opened workspaces in a menu."""
        menu.clear()
        for path in self._recent():
            entry = menu.addAction(button_text(str(path)))
            entry.setToolTip(tip_text(str(path)))
            entry.triggered.connect(lambda _=False, path=path: self.recent_chosen.emit(path))
        if menu.isEmpty():
            menu.addAction(tr("No recent workspaces")).setEnabled(False)

    def menus(self) -> tuple[Menu, ...]:
        """Return the menus of the bar, without their submenus."""
        first = self.file, self.edit, self.view, self.geofence
        return *first, self.geometry_, self.simulate, self.project, self.help

    def _add(self, title: str, entries: Sequence[_Entry]) -> Menu:
        menu = Menu(self, title)
        for entry in entries:
            if entry is None:
                menu.addSeparator()
            elif isinstance(entry, Menu):
                menu.addMenu(entry)
            else:
                menu.addAction(entry)
        self.addMenu(menu)
        return menu

    def _name_menus(self) -> None:
        """Give each menu a letter that stays the same, because it is a shortcut."""
        titles = [menu.title() for menu in self.menus()]
        for menu, title, at in zip(self.menus(), titles, mnemonic_places(titles, _TAKEN), strict=True):
            menu.setTitle(title if at is None else f"{title[:at]}&{title[at:]}")

    def _give_roles(self) -> None:
        """Let macOS move only those entries that belong into the menu of the application."""
        for action in self._actions.all():
            action.setMenuRole(QAction.MenuRole.NoRole)
        self._actions.about.setMenuRole(QAction.MenuRole.AboutRole)
        self._actions.quit.setMenuRole(QAction.MenuRole.QuitRole)

    def _fill_submenus(self) -> None:
        a = self._actions
        self.shown.addActions([a.area_streets, a.map_fences, a.map_beacons, a.map_track, a.map_events])
        self.theme.addActions([a.light, a.dark, a.system])
        self.layout_.addActions([a.design_layout, a.test_layout, a.develop_layout])
        self.layout_.addSeparator()
        self.layout_.addAction(a.reset_layout)
        self.rings.addActions([a.draw_hole, a.draw_part, a.move_part, a.delete_hole, a.delete_part, a.fill_holes])
        self.coordinates.addActions([a.copy_latitude_first, a.copy_longitude_first])

    def _fill_panels(self) -> None:
        self.panels_shown.clear()
        self.panels_shown.addActions(self._panels())

    def _file(self) -> Sequence[_Entry]:
        a = self._actions
        workspaces = a.new, a.open, self.recent, a.copy
        files = a.import_file, a.export_file, a.imports, a.save_scenario
        return *workspaces, None, *files, None, a.export_map, a.print_map, None, a.quit

    def _edit(self) -> Sequence[_Entry]:
        a = self._actions
        copies = a.duplicate, self.coordinates, a.paste, a.delete
        return (
            *(a.undo, a.redo, None, *copies, None),
            *(a.select, a.lasso, a.select_all, None, a.find, a.filter, a.clear_searches, a.commands),
        )

    def _view(self) -> Sequence[_Entry]:
        a = self._actions
        on_map = a.names, a.tiles, a.imagery, self.shown, a.heat
        panes = self.layout_, self.panels_shown, a.map_alone, a.next_pane, a.previous_pane
        return a.fit, a.what_is_here, a.measure, None, *on_map, None, *panes, None, self.theme, self.languages

    def _geofence(self) -> Sequence[_Entry]:
        a = self._actions
        shapes = a.circle, a.polygon, a.isochrone, a.fence_here
        many = a.edit_selected, a.set_tag, a.copy_hours, a.enable, a.disable, a.lock
        return *shapes, None, *many, None, a.history, a.deleted, a.checks, None, a.beacon, a.beacons

    def _geometry(self) -> Sequence[_Entry]:
        a = self._actions
        several = a.union, a.subtract, a.intersect
        one = a.split, a.to_parts, a.simplify, a.buffer, a.to_circle, a.to_polygon, a.grid
        return a.move, a.align, None, *several, None, *one, self.rings, None, a.snapping, a.road_snapping

    def _simulate(self) -> Sequence[_Entry]:
        a = self._actions
        tracks = a.open_track, a.draw_track, a.route_track, a.record_track, a.fleet
        playing = a.play, a.step, a.back, a.replay
        past = a.timeline, a.timeline_of_device, a.confidence
        return *tracks, None, *playing, None, *past, None, a.what_if, a.backtest, a.open_backtest

    def _project(self) -> Sequence[_Entry]:
        a = self._actions
        endpoint = a.endpoint, a.sdks, a.faults, a.nightly_sync
        changes = a.pending, a.promote, a.promote_back
        test = a.clock, a.freeze, a.clear
        return a.settings, a.segments, a.areas, a.world_data, None, *endpoint, None, *changes, None, *test

    def _help(self) -> Sequence[_Entry]:
        a = self._actions
        return a.help, a.tour, a.shortcuts, None, a.diagnostics, a.about
