"""The panels around the map, each of which can be folded away."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from app.desktop.icons import icon
from app.desktop.map.values import Theme
from app.desktop.panels.widgets import DockTitle

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


class Docks(QObject):
    """Fences at the left, the fence's form at the right, simulator and events at the bottom."""

    def __init__(
        self, window: QMainWindow, fences: QWidget, fence: QWidget, simulator: QWidget, events: QWidget
    ) -> None:
        super().__init__(window)
        self._window = window
        self._titles: list[DockTitle] = []
        self.fences = self._add("Fences", fences, _LEFT)
        self.fence = self._add("Fence", fence, _RIGHT)
        self.simulator = self._add("Simulator", simulator, _BOTTOM)
        self.events = self._add("Events", events, _BOTTOM)
        window.splitDockWidget(self.simulator, self.events, Qt.Orientation.Horizontal)
        window.setDockNestingEnabled(True)
        # The form needs the height, the table the width.
        window.setCorner(Qt.Corner.BottomLeftCorner, _BOTTOM)
        window.setCorner(Qt.Corner.BottomRightCorner, _RIGHT)

    def arrange(self) -> None:
        """Give the panels their first sizes."""
        horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self._window.resizeDocks([self.fences, self.fence], [208, 272], horizontal)
        self._window.resizeDocks([self.simulator, self.events], [400, 590], horizontal)
        self._window.resizeDocks([self.simulator, self.events], [216, 216], vertical)

    def actions(self) -> list[QAction]:
        """Return what shows and hides the panels."""
        return [dock.toggleViewAction() for dock in (self.fences, self.fence, self.simulator, self.events)]

    def title(self, dock: QDockWidget) -> DockTitle:
        """Return the head of a panel."""
        made = dock.titleBarWidget()
        assert isinstance(made, DockTitle)
        return made

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        for title in self._titles:
            title.fold.setIcon(icon("x", theme))

    def _add(self, name: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(name, self._window)
        dock.setObjectName(f"{name}Dock")
        title = DockTitle(name)
        title.folded.connect(dock.close)
        self._titles.append(title)
        dock.setTitleBarWidget(title)
        dock.setWidget(content)
        dock.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetClosable | QDockWidget.DockWidgetFeature.DockWidgetMovable
        )
        self._window.addDockWidget(area, dock)
        return dock
