"""The panel of the timeline, below the simulator and folded by default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QToolButton, QWidget

from app.desktop.icons import dot, icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.menus import Menu
from app.desktop.panels.simulator import SimulatorPanel
from app.desktop.panels.widgets import EmptyState, OneLine, button, button_text, label, panel, tip_text, tool_button
from engine.domain.tracking.updates import User

if TYPE_CHECKING:
    # This loads pyqtgraph, so it is imported when the timeline is first shown.
    from app.desktop.timeline.graph import TimelineGraph

EXPORTS: Final = {"PNG": tr("PNG image (*.png)"), "SVG": tr("SVG drawing (*.svg)"), "CSV": tr("CSV table (*.csv)")}
_GRAPH_PX: Final = 180
_WHOLE_PX: Final = 330
"""Height at which the graph also shows speed and accuracy."""
_EMPTY = (
    tr("No timeline yet"),
    tr("Open a track or choose a device to see its distance to nearby geofences over time."),
)


class Choice(NamedTuple):
    """A geofence whose curve can be drawn."""

    fence_id: str
    name: str
    color: str
    shown: bool


class TimelinePanel(QWidget):
    """A head with buttons and the graph below it. Signals request everything that needs the window."""

    unfolded = Signal(bool)
    user_chosen = Signal(object)
    fence_toggled = Signal(str, bool)
    nearest_requested = Signal()
    export_requested = Signal(str)
    open_track_requested = Signal()
    graph_made = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._theme: Theme = "light"
        self._graph: TimelineGraph | None = None
        self._sources: Callable[[], tuple[str | None, Sequence[tuple[str, User]]]] = lambda: (None, ())
        self._choices: Sequence[Choice] = ()
        self._make_head()
        self._make_empty()
        body, inner = panel()
        inner.setSpacing(0)
        inner.addWidget(self.head)
        inner.addWidget(self._stack, 1)
        in_column(body, of=self, margins=0)
        self._show_folded()

    @property
    def is_open(self) -> bool:
        """Whether the graph is unfolded."""
        return self.toggle.isChecked()

    @property
    def graph(self) -> TimelineGraph | None:
        """The graph, or None if it has never been unfolded."""
        return self._graph

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of the head, and of the graph if it is unfolded."""
        return QSize(480, self.head_height + (_GRAPH_PX if self.is_open else 0))

    @property
    def head_height(self) -> int:
        """Height of the head in pixels."""
        return self.head.sizeHint().height()

    def offer_sources(self, sources: Callable[[], tuple[str | None, Sequence[tuple[str, User]]]]) -> None:
        """Set the function that returns the possible subjects: the name of a track, and users."""
        self._sources = sources

    def show_choices(self, choices: Sequence[Choice]) -> None:
        """Offer these geofences."""
        self._choices = choices
        self.fences.setEnabled(bool(choices))

    def show_state(self, text: str, tip: str = "") -> None:
        """Show a status line."""
        self.note.show_text(text)
        self.note.setToolTip(tip_text(tip or text))

    def show_cut(self, text: str, reason: str) -> None:
        """Show that the displayed data is incomplete, and why."""
        self.cut.setText(text)
        self.cut.setToolTip(tip_text(reason))
        self.cut.setVisible(self.is_open and bool(text))

    def show_content(self, there: bool) -> None:
        """Show the graph, or a hint if there is no data to draw."""
        self._stack.setCurrentIndex(1 if there and self._graph is not None else 0)
        for control in (self.fit, self.export):
            control.setEnabled(there)

    def unfold(self, on: bool = True) -> None:
        """Unfold the graph, or fold it away."""
        self.toggle.setChecked(on)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons and the graph."""
        self._theme = theme
        self.toggle.setIcon(icon("caret-down" if self.is_open else "caret-right", theme))
        icons = (self.source, "device-mobile"), (self.fences, "polygon"), (self.fit, "arrows-out-line-horizontal")
        for control, name in (*icons, (self.export, "file-arrow-down")):
            control.setIcon(icon(name, theme))
        if self._graph is not None:
            self._graph.set_theme(theme)

    def ask_for_source(self) -> None:
        """Let the user choose the subject of the timeline."""
        self.unfold()
        self.source.showMenu()

    def _make_head(self) -> None:
        self.head = QWidget()
        self.head.setObjectName("TimelineHead")
        self.toggle = QToolButton()
        self.toggle.setText(tr("Timeline"))
        self.toggle.setObjectName("TimelineToggle")
        self.toggle.setCheckable(True)
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggle.setToolTip(tr("Distances to geofences over time (G)"))
        self.toggle.toggled.connect(self._on_toggled)
        self.note = OneLine()
        self.note.setProperty("role", "muted")
        self.cut = label("", "muted")
        self.source = self._menu_button(tr("Choose a track or device"), self._fill_sources)
        self.fences = self._menu_button(tr("Choose geofences"), self._fill_fences)
        self.fit = tool_button(tr("Show the whole time range (0)"), self._on_fit, "FitTimeline")
        self.export = self._menu_button(tr("Export as PNG, SVG or CSV"), self._fill_exports)
        in_row(
            (self.toggle, 0, Qt.AlignmentFlag.AlignLeft),
            (self.note, 1),
            self.cut,
            *self._tools(),
            of=self.head,
            margins=(4, 2, 6, 2),
            spacing=2,
        )

    def _tools(self) -> tuple[QToolButton, ...]:
        return self.source, self.fences, self.fit, self.export

    def _menu_button(self, tip: str, fill: Callable[[Menu], None]) -> QToolButton:
        made = tool_button(tip)
        menu = Menu(made)
        menu.aboutToShow.connect(lambda: fill(menu))
        made.setMenu(menu)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return made

    def _make_empty(self) -> None:
        self._stack = QStackedWidget()
        track = button(tr("Open a track…"), self.open_track_requested.emit, "primary")
        self._empty = EmptyState(*_EMPTY, track, button(tr("Timeline of device…"), self.ask_for_source))
        self._stack.addWidget(self._empty)

    def _on_toggled(self, on: bool) -> None:
        if on and self._graph is None:
            from app.desktop.timeline.graph import TimelineGraph

            self._graph = TimelineGraph()
            self._graph.set_theme(self._theme)
            self._stack.addWidget(self._graph)
            self.graph_made.emit(self._graph)
        self._show_folded()
        self.unfolded.emit(on)

    def _show_folded(self) -> None:
        self._stack.setVisible(self.is_open)
        for control in self._tools():
            control.setVisible(self.is_open)
        self.note.setVisible(self.is_open)
        self.cut.setVisible(self.is_open and bool(self.cut.text()))
        self.set_theme(self._theme)
        self.updateGeometry()

    def _on_fit(self) -> None:
        if self._graph is not None:
            self._graph.fit()

    # Menus

    def _fill_sources(self, menu: Menu) -> None:
        menu.clear()
        track, users = self._sources()
        if track is not None:
            menu.addAction(button_text(tr("Track {track_name}", track_name=track))).triggered.connect(
                lambda: self.user_chosen.emit(None)
            )
            menu.addSeparator()
        for name, user in users:
            menu.addAction(button_text(name)).triggered.connect(lambda _=False, user=user: self.user_chosen.emit(user))
        if not users:
            menu.addAction(tr("No device has been seen yet")).setEnabled(False)

    def _fill_fences(self, menu: Menu) -> None:
        menu.clear()
        for choice in self._choices:
            action = QAction(dot(choice.color), button_text(choice.name), menu)
            action.setCheckable(True)
            action.setChecked(choice.shown)
            action.toggled.connect(lambda on, fence_id=choice.fence_id: self.fence_toggled.emit(fence_id, on))
            menu.addAction(action)
            if choice.shown:
                font = QFont(action.font())
                font.setBold(True)
                action.setFont(font)
        menu.addSeparator()
        menu.addAction(tr("Only the nearest")).triggered.connect(self.nearest_requested)

    def _fill_exports(self, menu: Menu) -> None:
        menu.clear()
        for kind in EXPORTS:
            menu.addAction(tr("Export as {file_format}…", file_format=kind)).triggered.connect(
                lambda _=False, kind=kind: self.export_requested.emit(kind)
            )


class BelowSimulator(QWidget):
    """The simulator with the timeline below it, divided by a handle."""

    def __init__(self, simulator: SimulatorPanel, timeline: TimelinePanel) -> None:
        super().__init__()
        self._simulator, self._timeline = simulator, timeline
        self._fresh = False
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(3)
        for part, stretch in ((simulator, 0), (timeline, 1)):
            self._split.addWidget(part)
            self._split.setStretchFactor(self._split.count() - 1, stretch)
        in_column(self._split, of=self, margins=0)
        timeline.unfolded.connect(self._on_unfolded)
        self._on_unfolded(False)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size with room for both parts."""
        above, below = self._simulator.sizeHint(), self._timeline.sizeHint()
        return QSize(max(above.width(), below.width()), above.height() + below.height() + self._split.handleWidth())

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Update the height of the head, as the style sheet was applied after its creation."""
        super().showEvent(event)
        self._bound()

    def _on_unfolded(self, on: bool) -> None:
        self._bound()
        self._fresh = on
        if on:
            self._share()

    def _bound(self) -> None:
        head, on = self._timeline.head_height, self._timeline.is_open
        self._timeline.setMinimumHeight(head + 100 if on else head)
        self._timeline.setMaximumHeight(16_777_215 if on else head)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Give a newly unfolded timeline the height that was added for it."""
        super().resizeEvent(event)
        if self._fresh and event.size().height() > event.oldSize().height():
            self._fresh = False
            self._share()

    def _share(self) -> None:
        controls = self._simulator.sizeHint().height()
        if self.height() - controls < self._timeline.head_height + _WHOLE_PX:
            controls = self._simulator.lean_height
        self._split.setSizes([controls, max(self.height() - controls, self._timeline.minimumHeight())])
