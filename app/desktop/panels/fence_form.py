"""The form of the selected fence. What is changed in it acts at once; in Live it waits for Apply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.icons import dot
from app.desktop.map.values import Theme
from app.desktop.model.words import shape_text
from app.desktop.panels.fence_basics import BasicsSection
from app.desktop.panels.fence_hours import HoursSection
from app.desktop.panels.fence_rules import RulesSection
from app.desktop.panels.section import Section
from app.desktop.panels.widgets import GRID, EmptyState, Field, PageSwitch, PendingBar, button, label, panel
from engine.domain.geofence import UNSET, Geofence, GeofenceChange
from engine.domain.geometry import Circle, Isochrone
from engine.domain.settings import ProjectSettings


class FenceForm(QWidget):
    """Shows one fence. It emits changes and shows what became of them; it changes nothing itself."""

    changed = Signal(str, object)
    abandoned = Signal(object, object)
    radius_previewed = Signal(str, float)
    travel_previewed = Signal(str, float, str)
    zoom_requested = Signal(str)
    delete_requested = Signal(str)
    draw_circle_requested = Signal()
    draw_polygon_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._fence: Geofence | None = None
        self._live = False
        self._pending = GeofenceChange()
        self.basics, self.hours, self.rules = BasicsSection(), HoursSection(), RulesSection()
        self.sections: tuple[Section, ...] = (self.basics, self.hours, self.rules)
        self.switch = PageSwitch(tuple(section.title for section in self.sections))
        self._stack = QStackedWidget()
        self._stack.addWidget(self._make_empty())
        self._stack.addWidget(self._make_form())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self._connect()
        self.show_fence(None, "")

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Narrow enough to leave room for the map."""
        return QSize(240, 120)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Wide enough for a radius and for a span of hours."""
        return QSize(304, 400)

    # What it shows

    @property
    def fence(self) -> Geofence | None:
        """The fence that is shown."""
        return self._fence

    @property
    def pending(self) -> GeofenceChange:
        """What waits for Apply."""
        return self._pending

    @property
    def params(self) -> frozenset[str]:
        """The API's names of its fields."""
        return frozenset().union(*(section.params for section in self.sections))

    def field(self, param: str) -> Field:
        """Return the field that the API calls `param`."""
        return next(entry.field for section in self.sections for entry in section.entries if entry.param == param)

    def set_live(self, live: bool) -> None:
        """Let changes wait for Apply, or not."""
        self._live = live
        self.discard()

    def set_tags(self, tags: tuple[str, ...]) -> None:
        """Offer the tags in use."""
        self.basics.set_tags(tags)

    def set_project(self, settings: ProjectSettings) -> None:
        """Say what following the project means."""
        for section in self.sections:
            section.set_project(settings)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        for section in self.sections:
            section.set_theme(theme)

    def show_now(self, now: datetime, zone: ZoneInfo) -> None:
        """Show what the fence's hours say at the engine's time."""
        if self._fence is not None:
            self.hours.show_now(self._fence, now, zone)

    def show_section(self, number: int) -> None:
        """Show a page."""
        self._pages.setCurrentIndex(number)
        self.switch.show_page(number)

    def show_fence(self, fence: Geofence | None, color: str) -> None:
        """Show a fence, or none. Of the same fence, fields that the user is typing in keep what was typed."""
        same = fence is not None and self._fence is not None and fence.id == self._fence.id
        if not same:
            self._leave()
        before, self._fence = self._fence, fence
        if not same:
            self._forget()
        self._stack.setCurrentIndex(0 if fence is None else 1)
        if fence is not None:
            self._swatch.setPixmap(dot(color, filled=fence.enabled).pixmap(12, 12))
            self._fill(fence, before if same else None)
        self._show_pending()

    def show_errors(self, errors: Mapping[str, str]) -> None:
        """Show what the engine said about each parameter, on the page that has it; the other fields are right."""
        for number, section in enumerate(self.sections):
            section.show_errors(errors)
            if errors.keys() & section.params:
                self.show_section(number)

    def accept(self) -> None:
        """What was sent is stored: fields that still say it follow the fence again."""
        for section in self.sections:
            for entry in section.entries:
                entry.accept()
        self.show_errors({})
        if self._fence is not None:
            self._fill(self._fence, self._fence)

    def _leave(self) -> None:
        """Take what is half done over before another fence is shown; what waits for Apply is handed back."""
        for section in self.sections:
            for entry in section.entries:
                entry.settle()
        if self._fence is not None and self._pending != GeofenceChange():
            self.abandoned.emit(self._fence, self._pending)

    def _forget(self) -> None:
        self._pending = GeofenceChange()
        for section in self.sections:
            for entry in section.entries:
                entry.forget()
        self.show_errors({})

    def _fill(self, fence: Geofence, before: Geofence | None) -> None:
        self._shape.setText(shape_text(fence))
        for section in self.sections:
            section.show_fence(fence, before, self._pending)
        self.basics.show_about(fence)
        self.switch.mark(tuple(section.is_set(fence) for section in self.sections))

    # What the user does

    def apply(self) -> None:
        """Apply what waits."""
        pending, self._pending = self._pending, GeofenceChange()
        if self._fence is not None and pending != GeofenceChange():
            self.changed.emit(self._fence.id, pending)
        self._show_pending()

    def discard(self) -> None:
        """Forget what waits and show the fence as it is."""
        self._forget()
        if self._fence is not None:
            self._fill(self._fence, None)
            shape = self._fence.geometry
            if isinstance(shape, Circle):
                self.radius_previewed.emit(self._fence.id, shape.radius_m)
            elif isinstance(shape, Isochrone):
                self.travel_previewed.emit(self._fence.id, shape.minutes, shape.mode.value)
        self._show_pending()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Escape takes back what was typed and not accepted."""
        if event.key() == Qt.Key.Key_Escape and self._fence is not None:
            self.discard()
            return
        super().keyPressEvent(event)

    def _propose(self, name: str, value: object) -> None:
        if self._fence is None:
            return
        if self._live:
            self._wait(name, value)
        else:
            self.changed.emit(self._fence.id, replace(GeofenceChange(), **{name: value}))  # type: ignore[arg-type]

    def _wait(self, name: str, value: object) -> None:
        if getattr(self._pending, name) != value:
            self._pending = replace(self._pending, **{name: value})  # type: ignore[arg-type]
            self._show_pending()

    def _show_pending(self) -> None:
        self._pending_bar.setVisible(self._pending != GeofenceChange())

    # How it is made

    def _make_empty(self) -> QWidget:
        empty = EmptyState(
            "No fence selected",
            "Choose one in the list or on the map, or draw a new one.",
            button("Draw a circle", self.draw_circle_requested.emit, "primary"),
            button("Draw a polygon", self.draw_polygon_requested.emit),
        )
        body, layout = panel()
        layout.addWidget(empty)
        return body

    def _make_form(self) -> QWidget:
        body, layout = panel()
        layout.setSpacing(0)
        layout.addWidget(self._make_head())
        self._pages = QStackedWidget()
        for section in self.sections:
            self._pages.addWidget(section)
        layout.addWidget(self._pages, 1)
        return body

    def _make_head(self) -> QWidget:
        self._swatch = QLabel()
        self._shape = label(role="muted")
        self._pending_bar = PendingBar(self.apply, self.discard)
        self.apply_button = self._pending_bar.apply
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self._swatch)
        row.addWidget(self._shape, 1)
        made = QWidget()
        layout = QVBoxLayout(made)
        layout.setContentsMargins(12, 12, 12, 0)
        layout.setSpacing(GRID)
        layout.addLayout(row)
        layout.addWidget(self.switch)
        layout.addWidget(self._pending_bar)
        return made

    def _connect(self) -> None:
        for section in self.sections:
            section.proposed.connect(self._propose)
            section.withdrawn.connect(lambda name: self._wait(name, UNSET))
        self.switch.chosen.connect(self.show_section)
        self.basics.radius_previewed.connect(self._on_preview)
        self.basics.travel_previewed.connect(self._on_travel)
        self.basics.zoom_requested.connect(lambda: self._with_id(self.zoom_requested.emit))
        self.basics.delete_requested.connect(lambda: self._with_id(self.delete_requested.emit))

    def _on_preview(self, metres: float) -> None:
        if self._fence is not None:
            self.radius_previewed.emit(self._fence.id, metres)

    def _on_travel(self, minutes: float, mode: str) -> None:
        if self._fence is not None:
            self.travel_previewed.emit(self._fence.id, minutes, mode)

    def _with_id(self, tell: Callable[[str], object]) -> None:
        if self._fence is not None:
            tell(self._fence.id)
