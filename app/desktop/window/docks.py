"""The collapsible panels around the map."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPaintEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QTabWidget,
    QToolBar,
    QToolButton,
    QWidget,
)

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.panels.widgets import DockTitle, button_text, tip_text

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea
_DETAILS = {"BeaconDock", "RequestDock", "DeliveryDock", "What ifDock"}
"""Panels with the details of one thing, which are closed rather than collapsed."""

_TIMELINE_PX = 600
"""Width below which a timeline is hard to use."""

_AROUND = 6
"""Space around the text of a turned button, in pixels; at its ends twice as much."""

_AREAS = {
    Qt.DockWidgetArea.LeftDockWidgetArea: Qt.ToolBarArea.LeftToolBarArea,
    Qt.DockWidgetArea.RightDockWidgetArea: Qt.ToolBarArea.RightToolBarArea,
    Qt.DockWidgetArea.BottomDockWidgetArea: Qt.ToolBarArea.BottomToolBarArea,
}


class _TurnedButton(QToolButton):
    """A button whose text reads upwards, for strips at the left and the right."""

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of the turned button."""
        letters = self.fontMetrics()
        return QSize(letters.height() + _AROUND, letters.horizontalAdvance(self.text()) + 4 * _AROUND)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of the turned button."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the button turned to the left."""
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.rect = QRect(0, 0, self.height(), self.width())
        painter = QStylePainter(self)
        painter.translate(0, self.height())
        painter.rotate(-90)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)


class Strip(QToolBar):
    """The names of the panels that are collapsed at one edge. It is hidden while there are none."""

    chosen = Signal(str)

    def __init__(self, area: Qt.DockWidgetArea) -> None:
        super().__init__(tr("Collapsed panels"))
        self.area = _AREAS[area]
        self.setObjectName(f"Strip{area.value}")
        self.setProperty("role", "strip")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)
        self.hide()

    def show_names(self, names: dict[str, str]) -> None:
        """Show buttons with the titles of panels, by the names of the panels."""
        self.clear()
        upright = self.area is Qt.ToolBarArea.BottomToolBarArea
        for name, title in names.items():
            made: QToolButton = QToolButton() if upright else _TurnedButton()
            made.setText(button_text(title))
            made.setObjectName(f"Folded{name}")
            tip = tr("Show {panel_title}", panel_title=title)
            made.setToolTip(tip_text(tip))
            made.setAccessibleName(tip)
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            made.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
            self.addWidget(made)
        self.setVisible(bool(names))


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
        self._folded: list[list[QDockWidget]] = []
        self._strips = {area: Strip(area) for area in (_LEFT, _RIGHT, _BOTTOM)}
        for strip in self._strips.values():
            window.addToolBar(strip.area, strip)
            strip.chosen.connect(self._unfold)
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
        self._join(window)

    def _join(self, window: QMainWindow) -> None:
        """Put the panels beside one another or into tabs."""
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
        """Return the actions that show and hide the panels, except those that open with a request or a delivery."""
        return [dock.toggleViewAction() for dock in self.all() if dock not in (self.request, self.delivery)]

    def strips(self) -> list[QToolBar]:
        """Return the visible strips of collapsed panels."""
        return [strip for strip in self._strips.values() if strip.isVisible()]

    def bars(self) -> list[QToolBar]:
        """Return the toolbar and the strips of collapsed panels."""
        return self._window.findChildren(QToolBar, options=Qt.FindChildOption.FindDirectChildrenOnly)

    def show_only(self, *docks: QDockWidget) -> None:
        """Show these panels and hide the others."""
        for dock in self.all():
            dock.setVisible(dock in docks)

    def set_widths(self, *widths: tuple[QDockWidget, int]) -> None:
        """Set the widths of panels beside one another or beside the map, in pixels."""
        docks, pixels = [dock for dock, _ in widths], [width for _, width in widths]
        self._window.resizeDocks(docks, pixels, Qt.Orientation.Horizontal)

    def set_height_below(self, share: float) -> None:
        """Set the height of the panels below the map, as a share of the window."""
        shown = [dock for dock in (self.simulator, self.events, self.requests) if not dock.isHidden()]
        height = round(self._window.height() * share)
        self._window.resizeDocks(shown, [height] * len(shown), Qt.Orientation.Vertical)

    def fold(self, dock: QDockWidget) -> None:
        """Collapse a panel and those tabbed with it to a strip at their edge; details of one thing are just closed."""
        if dock.objectName() in _DETAILS:
            dock.close()
            return
        tabbed = self._window.tabifiedDockWidgets(dock)
        self._collapse([each for each in self.all() if each is dock or (each in tabbed and not each.isHidden())])
        self.show_strips()

    def folded(self) -> tuple[tuple[str, ...], ...]:
        """Return the names of the collapsed panels, those that were collapsed together in one tuple."""
        return tuple(tuple(dock.objectName() for dock in group) for group in self._folded)

    def fold_again(self, groups: Collection[Collection[str]]) -> None:
        """Collapse these panels, and no others."""
        self._folded.clear()
        for names in groups:
            self._collapse([dock for dock in self.all() if dock.objectName() in names])
        self.show_strips()

    def show_strips(self) -> None:
        """Show the names of the collapsed panels, at the edge where each panel is."""
        folded = [dock for group in self._folded for dock in group]
        for area, strip in self._strips.items():
            docks = [dock for dock in folded if self._window.dockWidgetArea(dock) is area]
            strip.show_names({dock.objectName(): dock.windowTitle() for dock in docks})

    def _collapse(self, group: list[QDockWidget]) -> None:
        for dock in group:
            dock.hide()
        if group:
            self._folded.append(group)

    def _unfold(self, name: str) -> None:
        """Show a collapsed panel, and behind it those that were collapsed with it."""
        for group in list(self._folded):
            if name in [dock.objectName() for dock in group]:
                for dock in list(group):
                    dock.show()
                self.bring(next(dock for dock in self.all() if dock.objectName() == name))

    def _on_shown(self, dock: QDockWidget) -> None:
        """Take a panel that is shown again off its strip."""
        if not dock.isHidden() and any(dock in group for group in self._folded):
            others = ([each for each in group if each is not dock] for group in self._folded)
            self._folded = [group for group in others if group]
            self.show_strips()

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
            title.fold.setIcon(icon("x" if title.closes else "minus", theme))

    def _add(self, name: str, text: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(text, self._window)
        dock.setObjectName(f"{name}Dock")
        title = DockTitle(text, closes=dock.objectName() in _DETAILS)
        title.folded.connect(lambda: self.fold(dock))
        dock.visibilityChanged.connect(lambda _: self._on_shown(dock))
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
