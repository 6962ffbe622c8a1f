"""The collapsible panels around the map."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.panels.widgets import DockTitle

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea
_TIMELINE_PX = 600
"""Width below which a timeline is hard to use."""


class Docks(QObject):
    """The dock panels of the main window.

    Geofences and layers are at the left. The forms, explanations, user, What if, request and delivery are at the right.
    The simulator is at the bottom, next to events, users, requests, webhooks, the table of geofences and checks.
    """

    _moved = Signal()

    def __init__(
        self,
        window: QMainWindow,
        *,
        fences: QWidget,
        fence: QWidget,
        beacon: QWidget,
        why: QWidget,
        user: QWidget,
        simulator: QWidget,
        events: QWidget,
        users: QWidget,
        requests: QWidget,
        webhooks: QWidget,
        table: QWidget,
        whatif: QWidget,
        request: QWidget,
        delivery: QWidget,
        checks: QWidget,
        layers: QWidget,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._titles: list[DockTitle] = []
        self._before_timeline: tuple[int, int] | None = None
        self._naming = False
        # Queued, so that it runs once for all panels that move together, before anything is painted.
        self._moved.connect(self.name_tabbed, Qt.ConnectionType.QueuedConnection)
        self.fences = self._add("Geofences", tr("Geofences"), fences, _LEFT)
        self.layers = self._add("Layers", tr("Layers"), layers, _LEFT)
        self.fence = self._add("Geofence", tr("Geofence"), fence, _RIGHT)
        self.beacon = self._add("Beacon", tr("Beacon"), beacon, _RIGHT)
        self.why = self._add("Why", tr("Why?"), why, _RIGHT)
        self.user = self._add("User", tr("User"), user, _RIGHT)
        self.whatif = self._add("What if", tr("What if"), whatif, _RIGHT)
        self.request = self._add("Request", tr("Request"), request, _RIGHT)
        self.delivery = self._add("Delivery", tr("Delivery"), delivery, _RIGHT)
        self.simulator = self._add("Simulator", tr("Simulator"), simulator, _BOTTOM)
        self.events = self._add("Events", tr("Events"), events, _BOTTOM)
        self.users = self._add("Users", tr("Users"), users, _BOTTOM)
        self.requests = self._add("Requests", tr("Requests"), requests, _BOTTOM)
        self.webhooks = self._add("Webhooks", tr("Webhooks"), webhooks, _BOTTOM)
        self.table = self._add("Geofence table", tr("Geofence table"), table, _BOTTOM)
        self.checks = self._add("Checks", tr("Checks"), checks, _BOTTOM)
        window.splitDockWidget(self.simulator, self.events, Qt.Orientation.Horizontal)
        for dock in (self.beacon, self.why, self.user, self.whatif, self.request, self.delivery):
            window.tabifyDockWidget(self.fence, dock)
        window.tabifyDockWidget(self.fences, self.layers)
        window.tabifyDockWidget(self.events, self.users)
        window.tabifyDockWidget(self.events, self.requests)
        window.tabifyDockWidget(self.events, self.webhooks)
        window.tabifyDockWidget(self.events, self.table)
        window.tabifyDockWidget(self.events, self.checks)
        for dock in self._tabbed():
            dock.visibilityChanged.connect(self._name_soon)
            dock.dockLocationChanged.connect(self._name_soon)
        for area in (_LEFT, _RIGHT, _BOTTOM):
            window.setTabPosition(area, QTabWidget.TabPosition.North)
        window.setDockNestingEnabled(True)
        # The form needs the height, the table the width.
        window.setCorner(Qt.Corner.BottomLeftCorner, _BOTTOM)
        window.setCorner(Qt.Corner.BottomRightCorner, _RIGHT)

    def arrange(self) -> None:
        """Set the initial sizes of the panels."""
        horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self._window.resizeDocks([self.fences, self.fence], [208, 304], horizontal)
        # These panels open with the first request, delivery or beacon, or on request.
        self.layers.hide()
        self.request.hide()
        self.delivery.hide()
        self.beacon.hide()
        self.whatif.hide()
        self.fence.raise_()
        self.events.raise_()
        # One line for each row of the simulator. Equal in every window, although the initial content differs.
        self._window.resizeDocks([self.simulator, self.events], [508, 450], horizontal)
        # Room for the whole simulator, unless the font is so large that the map would disappear.
        below = min(_height_of(self.simulator), self._window.height() * 2 // 5)
        self._window.resizeDocks([self.simulator, self.events], [below, below], vertical)

    def leave_room_for_map(self, height_before: int) -> None:
        """Lower the panels below the map when the window shrinks, unless the user has made them higher."""
        docks = [self.simulator, self.events]
        highest, most = max(dock.height() for dock in docks), _most_below(self._window.height())
        if self._before_timeline is None and most < highest <= _most_below(height_before):
            self._window.resizeDocks(docks, [most, most], Qt.Orientation.Vertical)

    def make_room_for_timeline(self, on: bool) -> None:
        """Enlarge the timeline while it is unfolded, and restore the previous sizes afterwards."""
        docks = [self.simulator, self.events]
        if on:
            self.bring(self.simulator)
            self._before_timeline = self.simulator.width(), self.simulator.height()
            beside = self.simulator.width() + self.events.width()
            if self.events.isVisible() and self.simulator.width() < _TIMELINE_PX:
                width = min(_TIMELINE_PX, beside - self.events.minimumSizeHint().width())
                self._window.resizeDocks(docks, [width, beside - width], Qt.Orientation.Horizontal)
            height = max(self.simulator.height(), self._window.height() * 11 // 20)
            self._window.resizeDocks(docks, [height, height], Qt.Orientation.Vertical)
        elif self._before_timeline is not None:
            (width, height), self._before_timeline = self._before_timeline, None
            beside = self.simulator.width() + self.events.width()
            if self.events.isVisible():
                self._window.resizeDocks(docks, [width, beside - width], Qt.Orientation.Horizontal)
            self._window.resizeDocks(docks, [height, height], Qt.Orientation.Vertical)

    def actions(self) -> list[QAction]:
        """Return the actions that show and hide the panels."""
        return [dock.toggleViewAction() for dock in self.all()]

    def bring(self, dock: QDockWidget) -> None:
        """Show a panel in front of the panels tabbed with it."""
        if dock in (details := (self.beacon, self.request, self.delivery)):
            # Only one of these is shown at a time, to leave room for the names of the other tabs.
            for other in details:
                other.setVisible(other is dock)
        dock.show()
        dock.raise_()

    def raise_open(self, dock: QDockWidget) -> None:
        """Bring a panel to the front unless the user has closed it."""
        if dock.toggleViewAction().isChecked():
            dock.raise_()

    def _name_soon(self, *_: object) -> None:
        if not self._naming:
            self._naming = True
            self._moved.emit()

    def name_tabbed(self) -> None:
        """Show names in the heads of panels only while they are not tabbed, since tabs show them otherwise."""
        self._naming = False
        for dock in self._tabbed():
            self.title(dock).name.setVisible(not self._window.tabifiedDockWidgets(dock))

    def all(self) -> tuple[QDockWidget, ...]:
        """Return every panel."""
        right = self.fence, self.beacon, self.why, self.user, self.whatif
        tables = self.simulator, self.events, self.users, self.requests, self.webhooks, self.table, self.checks
        return self.fences, self.layers, *right, *tables, self.request, self.delivery

    def seen(self) -> list[QDockWidget]:
        """Return the visible panels: of tabbed panels only the front one."""
        return [dock for dock in self.all() if not dock.visibleRegion().isEmpty()]

    def _tabbed(self) -> tuple[QDockWidget, ...]:
        right = self.fence, self.beacon, self.why, self.user, self.whatif, self.request, self.delivery
        return (
            *right,
            self.fences,
            self.layers,
            self.events,
            self.users,
            self.requests,
            self.webhooks,
            self.table,
            self.checks,
        )

    def title(self, dock: QDockWidget) -> DockTitle:
        """Return the title bar of a panel."""
        made = dock.titleBarWidget()
        assert isinstance(made, DockTitle)
        return made

    def note(self, dock: QDockWidget, text: str) -> None:
        """Show a note in the title bar of a panel."""
        self.title(dock).note.show_text(text)

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the icons."""
        for title in self._titles:
            title.fold.setIcon(icon("x", theme))

    def _add(self, name: str, text: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(text, self._window)
        dock.setObjectName(f"{name}Dock")
        title = DockTitle(text)
        title.folded.connect(dock.close)
        self._titles.append(title)
        dock.setTitleBarWidget(title)
        dock.setWidget(content)
        dock.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetClosable | QDockWidget.DockWidgetFeature.DockWidgetMovable
        )
        self._window.addDockWidget(area, dock)
        return dock


def _most_below(window_height: int) -> int:
    """Return the maximum height of the panels below the map in a shrinking window, so that the map stays visible."""
    return window_height * 3 // 8


def _height_of(dock: QDockWidget) -> int:
    """Return the preferred height of a panel, applying the style first, since one that was never shown has none yet."""
    parts = dock.findChildren(QWidget)
    for part in parts:
        part.ensurePolished()
        part.updateGeometry()
    for layout in filter(None, (part.layout() for part in reversed(parts))):
        layout.activate()
    title, content = dock.titleBarWidget(), dock.widget()
    return sum(part.sizeHint().height() for part in (title, content) if part is not None)
