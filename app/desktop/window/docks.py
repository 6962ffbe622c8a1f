"""The panels around the map, each of which can be folded away."""

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
"""A timeline that is narrower is not of much use."""


class Docks(QObject):
    """Fences, and layers where they are wanted, at the left; the fence's form, the reasons and the user at the right;
    the simulator below, and beside it events, users, requests, webhooks, the table of geofences and checks."""

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
        # Once for all that move together, and before anything is painted.
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
        """Give the panels their first sizes."""
        horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self._window.resizeDocks([self.fences, self.fence], [208, 304], horizontal)
        # They come with the first request, delivery, and beacon, that is looked at.
        self.layers.hide()
        self.request.hide()
        self.delivery.hide()
        self.beacon.hide()
        self.whatif.hide()
        self.fence.raise_()
        self.events.raise_()
        # A line for each row of the simulator. The same in every window, since what it shows at first differs.
        self._window.resizeDocks([self.simulator, self.events], [508, 450], horizontal)
        # Room for all of the simulator, unless letters are so large that the map would be lost.
        below = min(_height_of(self.simulator), self._window.height() * 2 // 5)
        self._window.resizeDocks([self.simulator, self.events], [below, below], vertical)

    def leave_room_for_map(self, height_before: int) -> None:
        """Lower the panels below the map with a window that was made smaller, unless the user wants them higher."""
        docks = [self.simulator, self.events]
        highest, most = max(dock.height() for dock in docks), _most_below(self._window.height())
        if self._before_timeline is None and most < highest <= _most_below(height_before):
            self._window.resizeDocks(docks, [most, most], Qt.Orientation.Vertical)

    def make_room_for_timeline(self, on: bool) -> None:
        """Give the timeline width and height where there is little; fold back to what there was before."""
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
        """Return what shows and hides the panels."""
        return [dock.toggleViewAction() for dock in self.all()]

    def bring(self, dock: QDockWidget) -> None:
        """Show a panel, in front of those it shares its place with."""
        if dock in (details := (self.beacon, self.request, self.delivery)):
            # One of them at a time: with two there is no room for the names of the others.
            for other in details:
                other.setVisible(other is dock)
        dock.show()
        dock.raise_()

    def raise_open(self, dock: QDockWidget) -> None:
        """Bring a panel to the front, unless the user has folded it away."""
        if dock.toggleViewAction().isChecked():
            dock.raise_()

    def _name_soon(self, *_: object) -> None:
        if not self._naming:
            self._naming = True
            self._moved.emit()

    def name_tabbed(self) -> None:
        """Leave the name to the tab where there is one."""
        self._naming = False
        for dock in self._tabbed():
            self.title(dock).name.setVisible(not self._window.tabifiedDockWidgets(dock))

    def all(self) -> tuple[QDockWidget, ...]:
        """Return every panel."""
        right = self.fence, self.beacon, self.why, self.user, self.whatif
        tables = self.simulator, self.events, self.users, self.requests, self.webhooks, self.table, self.checks
        return self.fences, self.layers, *right, *tables, self.request, self.delivery

    def seen(self) -> list[QDockWidget]:
        """Return the panels that are seen: of several that share a place the one in front."""
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
        """Return the head of a panel."""
        made = dock.titleBarWidget()
        assert isinstance(made, DockTitle)
        return made

    def note(self, dock: QDockWidget, text: str) -> None:
        """Write a note in the head of a panel."""
        self.title(dock).note.show_text(text)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
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
    """Return how high the panels below the map are left in a window that is made smaller: the map is to be seen."""
    return window_height * 3 // 8


def _height_of(dock: QDockWidget) -> int:
    """Return how high a panel would be; what was never shown does not know yet how large its style makes it."""
    parts = dock.findChildren(QWidget)
    for part in parts:
        part.ensurePolished()
        part.updateGeometry()
    for layout in filter(None, (part.layout() for part in reversed(parts))):
        layout.activate()
    title, content = dock.titleBarWidget(), dock.widget()
    return sum(part.sizeHint().height() for part in (title, content) if part is not None)
