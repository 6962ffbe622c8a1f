"""Everything a user can do, as actions: one place for names, keys and icons."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWidget

from app.desktop.icons import icon
from app.desktop.map.values import Theme
from app.desktop.model.history import HistoryState
from app.desktop.style import colors

type _Keys = str | QKeySequence.StandardKey | tuple[str, ...]


class Actions:
    """The window's actions. They are wired to what they do by the window's controllers."""

    def __init__(self, owner: QWidget) -> None:
        self._owner = owner
        self._icons: dict[QAction, str] = {}
        self.select = self._make("Select", "cursor", "V", "Select fences and move the map", check=True)
        self.circle = self._make("Circle", "circle", "C", "Draw a circle: click its centre, then its edge", check=True)
        self.polygon = self._make("Polygon", "polygon", "P", "Draw a polygon: click its corners", check=True)
        self.isochrone = self._make(
            "Isochrone", "chart-pie-slice", "I", "All places from where a destination is reached in time", check=True
        )
        self.move = self._make("Move", "arrows-out-cardinal", "M", "Drag the selected fence", check=True)
        self.delete = self._make("Delete", "trash", "Del", "Delete the selected fence", local=True)
        self.undo = self._make("Undo", "arrow-u-up-left", "Ctrl+Z", "Undo")
        self.redo = self._make("Redo", "arrow-u-up-right", ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo")
        self.find = self._make("Find", "magnifying-glass", "Ctrl+F", "Find addresses, places, fences, coordinates")
        self.fence_here = self._make(
            "Make a fence here", "map-pin", ("Ctrl+Return", "Ctrl+Enter"), "Make a fence of what was found"
        )
        self.what_is_here = self._make("What is here?", "map-pin-line", "", "The address in the middle of the map")
        self.clear_searches = self._make("Clear recent searches", "clock-counter-clockwise", "")
        self.play = self._make("Play or pause", "play", "Space", "Play the track, or pause")
        self.step = self._make("Next fix", "skip-forward", "Right", "Send the next fix of the track", local=True)
        self.new = self._make("New workspace…", "plus", QKeySequence.StandardKey.New)
        self.open = self._make("Open workspace…", "folder-open", QKeySequence.StandardKey.Open)
        self.copy = self._make("Save a copy…", "floppy-disk", "Ctrl+Shift+S")
        self.import_csv = self._make("Import CSV…", "file-arrow-up", "Ctrl+I")
        self.open_track = self._make("Open track…", "path", "Ctrl+T")
        self.areas = self._make("Areas…", "map-trifold", "", "Choose, build and remove areas: streets and routing")
        self.build_area = self._make("Build an area…", "wrench", "", "Build an area from an extract of OpenStreetMap")
        self.fit = self._make("Show all fences", "frame-corners", "Ctrl+0", "Show all fences on the map")
        self.settings = self._make("Project settings…", "sliders-horizontal", "Ctrl+,", "Settings of Test, or of Live")
        self.clock = self._make("Test clock…", "clock", "", "Set the clock of Test, move it on, freeze it")
        self.freeze = self._make("Freeze the Test clock, or let it run", "timer", "")
        self.clear = self._make("Clear Test data…", "eraser", "", "Delete users, events and updates of Test")
        self.why = self._make("Why?", "question", "W", "Show why something happened, or why not")
        self.user = self._make("User", "user", "", "Show what is known of a user")
        self.tiles = self._make("Online map", "globe", "", "Street map from the network", check=True)
        self.light = self._make("Light", "sun", "", check=True)
        self.dark = self._make("Dark", "moon", "", check=True)
        self.system = self._make("As the system", "circle-half", "", check=True)
        self.commands = self._make("Commands", "command", "Ctrl+K", "Find a command by its words")
        self.shortcuts = self._make("Keyboard shortcuts", "keyboard", "F1")
        self.about = self._make("About Fencewright", "info", "")
        self.quit = self._make("Quit", "sign-out", "Ctrl+Q")
        self._group(self.select, self.circle, self.polygon, self.isochrone, self.move)
        self._group(self.light, self.dark, self.system)
        self.show_history(HistoryState())

    def all(self) -> Iterator[QAction]:
        """Return every action, in the order of the shortcut sheet."""
        return iter(self._icons)

    def of_workspace(self) -> tuple[QAction, ...]:
        """Return what needs an open workspace."""
        return (
            *(self.circle, self.polygon, self.isochrone, self.move),
            *(self.copy, self.import_csv, self.open_track, self.find, self.what_is_here, self.fit),
            *(self.settings, self.areas, self.build_area, self.why, self.user),
        )

    def of_test(self) -> tuple[QAction, ...]:
        """Return what there is in Test only."""
        return self.clock, self.freeze, self.clear

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        danger = colors(theme).danger
        for action, name in self._icons.items():
            action.setIcon(icon(name, theme, color=danger if action is self.delete else None))

    def show_history(self, state: HistoryState) -> None:
        """Say what undo and redo would do."""
        for action, verb, text in ((self.undo, "Undo", state.undo), (self.redo, "Redo", state.redo)):
            action.setEnabled(text is not None)
            action.setToolTip(f"{verb}: {text}" if text else f"Nothing to {verb.lower()}")

    def _make(
        self, text: str, icon_name: str, keys: _Keys, tip: str = "", *, check: bool = False, local: bool = False
    ) -> QAction:
        """Return an action; a local one has its key only in the widgets that it is added to."""
        action = QAction(text, self._owner)
        shortcuts = keys if isinstance(keys, tuple) else (keys,)
        action.setShortcuts([QKeySequence(key) for key in shortcuts if key])
        action.setIconText(text.removesuffix("…"))
        shown = QKeySequence(shortcuts[0]).toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{tip or text.removesuffix('…')} ({shown})" if shown else tip or text)
        action.setCheckable(check)
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
