"""The form of the selected geofence.

Changes take effect at once. In Live they stay pending until the user applies them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from app.desktop.icons import dot
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.editing.drafts import Drafts
from app.desktop.model.editing.pending import fence_with
from app.desktop.model.editing.pending_words import NO_FENCE_WAITS, Waiting
from app.desktop.model.words import shape_text
from app.desktop.panels.fields.entry import Entry, accept_entries, entry_in_use, refuse_entries, show_entries
from app.desktop.panels.fields.head import RecordHead
from app.desktop.panels.fields.section import Section
from app.desktop.panels.geofence.basics import BasicsSection
from app.desktop.panels.geofence.hours import HoursSection
from app.desktop.panels.geofence.outline import ShapeSection
from app.desktop.panels.geofence.rules import RulesSection
from app.desktop.panels.geofence.several import SeveralBar
from app.desktop.panels.layouts import in_column
from app.desktop.panels.pending import PendingBar
from app.desktop.panels.side import SidePanel
from app.desktop.panels.widgets import GRID, EmptyState, Field, PageSwitch, button, panel
from engine.domain.geofence import UNSET, Geofence, GeofenceChange
from engine.domain.geometry import Isochrone
from engine.domain.settings import ProjectSettings
from engine.domain.values import replace


class FenceForm(SidePanel):
    """A form for one geofence that emits changes and shows their outcome.

    The form stores nothing itself. `withdrawn` is emitted when a field returns to its stored value. If others delete
    the geofence while the user is working on it, it stays in the form: `restore_requested` carries the geofence and the
    input, `left_behind` carries them when another geofence is shown instead, and `let_go` is emitted when the user
    leaves the geofence unchanged. `edge_wanted` carries an isochrone that may reach the edge of an area.
    """

    changed = Signal(str, object)
    restore_requested = Signal(object, object)
    left_behind = Signal(object, object)
    let_go = Signal()
    withdrawn = Signal(str, str)
    apply_requested = Signal(str)
    discard_requested = Signal(str)
    shape_previewed = Signal(str, object)
    travel_previewed = Signal(str, float, str)
    edge_wanted = Signal(object)
    zoom_requested = Signal(str)
    delete_requested = Signal(str)
    draw_circle_requested = Signal()
    draw_polygon_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._fence: Geofence | None = None
        self._waiting = NO_FENCE_WAITS
        self._shown = GeofenceChange()
        """The pending values on display."""
        self._leaving = False
        self._lost = False
        self._kept = GeofenceChange()
        """The unsaved input for a geofence that others deleted."""
        self._drafts = Drafts()
        self.basics, self.hours, self.rules = BasicsSection(), HoursSection(), RulesSection()
        self.shape = ShapeSection()
        self.sections: tuple[Section, ...] = (self.basics, self.hours, self.rules, self.shape)
        self.switch = PageSwitch(tuple(section.title for section in self.sections))
        self.several = SeveralBar()
        self._stack = self._add_pages(self._make_empty(), self._make_form())
        self._connect()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus)
        self.show_fence(None, "")

    # Display

    @property
    def fence(self) -> Geofence | None:
        """The displayed geofence."""
        return self._fence

    @property
    def lost(self) -> Geofence | None:
        """The displayed geofence if others have deleted it, otherwise None."""
        return self._fence if self._lost else None

    @property
    def has_keyboard(self) -> bool:
        """Whether a field has the keyboard focus, in which case the form must not be replaced."""
        return entry_in_use(self.entries) is not None or self.shape.text.edit.hasFocus()

    @property
    def typing(self) -> bool:
        """Whether the field with the keyboard focus holds unsaved input."""
        entry, text = entry_in_use(self.entries), self.shape.text
        return (entry is not None and entry.touched) or (text.dirty and text.edit.hasFocus())

    @property
    def entries(self) -> tuple[Entry[Geofence], ...]:
        """All fields."""
        return tuple(entry for section in self.sections for entry in section.entries)

    @property
    def names(self) -> frozenset[str]:
        """Names of the fields."""
        return frozenset().union(*(section.names for section in self.sections))

    def field(self, name: str) -> Field:
        """Return the field for a part of a geofence."""
        return next(entry.field for section in self.sections for entry in section.entries if entry.name == name)

    def set_live(self, live: bool) -> None:
        """Show the bar with pending changes only in Live."""
        self._foot.setVisible(live)

    def set_tags(self, tags: tuple[str, ...]) -> None:
        """Offer the tags in use."""
        self.basics.set_tags(tags)

    def set_project(self, settings: ProjectSettings) -> None:
        """Explain the effect of following the project."""
        for section in self.sections:
            section.set_project(settings)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        for section in self.sections:
            section.set_theme(theme)

    def show_now(self, now: datetime, zone: ZoneInfo) -> None:
        """Show the state of the geofence's hours at the engine's time."""
        if self._fence is not None:
            self.hours.show_now(self._fence, now, zone)

    @property
    def page(self) -> int:
        """Number of the displayed page."""
        return self._pages.currentIndex()

    def show_section(self, number: int) -> None:
        """Show a page."""
        self._pages.setCurrentIndex(number)
        self.switch.show_page(number)

    def show_fence(self, fence: Geofence | None, color: str, waiting: Waiting[GeofenceChange] = NO_FENCE_WAITS) -> None:
        """Show a geofence with its pending changes, or the empty page.

        If it is the displayed geofence, fields with unsaved input keep it.
        """
        if self._leaving:
            return  # input taken over from the fields becomes pending first, and the other geofence is shown afterwards
        if fence is None and self._lost and self._fence is not None and (self._is_held() or self._gave_something()):
            self._waiting = waiting
            self._fill(self._fence, self._fence)
            return
        same = fence is not None and self._fence is not None and fence.id == self._fence.id
        if not same and self._fence is not None:
            self._leave(self._fence)
        before, self._fence = self._fence, fence
        if not same:
            self._forget()
        self._lost, self._kept = False, GeofenceChange()
        self._waiting = waiting
        self._stack.setCurrentIndex(0 if fence is None else 1)
        if fence is None:
            self.shape.show_shape(None)
        else:
            self.head.show_record(shape_text(fence), dot(color, filled=fence.enabled).pixmap(12, 12))
            self._fill(fence, before if same else None)
            if not same:
                self._bring_back(fence)
        self.pending_bar.show_waiting(waiting)

    def lose_fence(self) -> None:
        """Mark the geofence as deleted by others and keep it shown, if the user is working on it."""
        if self._fence is not None and self._is_held():
            self._lost = True
            self.head.show_lost()

    def _on_focus(self) -> None:
        if self._lost and not self._leaving and not self._is_held() and not self._gave_something():
            self.let_go.emit()

    def _is_held(self) -> bool:
        return self.has_keyboard or any(entry.touched for entry in self.entries)

    def _gave_something(self) -> bool:
        return self._kept != GeofenceChange() or self._waiting.change != GeofenceChange()

    def forget_drafts(self) -> None:
        """Discard unsaved input and a geofence deleted by others, as they belong to another workspace."""
        self._drafts.clear()
        if self._lost:
            self.give_up()
            self._kept = GeofenceChange()
            self.show_fence(None, "")

    def show_edge(self, fence_id: str, text: str) -> None:
        """Show that an isochrone reaches the edge of an area, if it is still the displayed geofence."""
        if self._fence is not None and self._fence.id == fence_id:
            self.basics.show_edge(text)

    def show_errors(self, errors: Mapping[str, str]) -> None:
        """Show the engine's errors at their fields, and switch to a page that has one unless a field has the focus.

        Errors of refused changes remain.
        """
        for entry in self.entries:
            entry.field.show_error(errors.get(entry.name) or entry.refusal)
        for number, section in enumerate(self.sections):
            if errors.keys() & section.names and not self.has_keyboard:
                self.show_section(number)

    def accept(self, fence_id: str, change: GeofenceChange) -> None:
        """Confirm that a change was stored, so that fields with the same value follow the geofence again."""
        if self._fence is not None and self._fence.id == fence_id:
            accept_entries(self.entries, change)
        else:
            self._drafts.accept(fence_id, change)

    def refuse(self, fence_id: str, change: GeofenceChange, param: str, message: str) -> bool:
        """Show the error of a refused change and return whether it is visible.

        The user's input is kept.
        """
        if self._fence is None or self._fence.id != fence_id:
            self._drafts.refuse(fence_id, change, message)
            return False
        refused = refuse_entries(self.entries, change, param, message)
        pages = [number for number, section in enumerate(self.sections) if {*section.entries} & {*refused}]
        if pages and self._pages.currentIndex() not in pages and not self.has_keyboard:
            self.show_section(pages[0])
        return self._pages.currentIndex() in pages

    def _leave(self, fence: Geofence) -> None:
        self._leaving = True
        self.settle()
        self._leaving = False
        if self._lost:
            if self._kept != GeofenceChange():
                self.left_behind.emit(fence, self._kept)
            return
        drafts = ((entry.name, entry.draft()) for entry in self.entries if not entry.field.isHidden())
        self._drafts.keep(fence.id, ((name, draft) for name, draft in drafts if draft is not None))
        if _resizes(self._waiting.change):
            self._show_size(fence)

    def _bring_back(self, fence: Geofence) -> None:
        drafts = self._drafts.take(fence.id)
        for entry in self.entries:
            if entry.name in drafts and not entry.field.isHidden():
                entry.bring_back(drafts[entry.name])

    def settle(self) -> None:
        """Commit unfinished input because the user moves to something else."""
        for entry in self.entries:
            entry.settle()

    def _forget(self) -> None:
        self._shown = GeofenceChange()
        for entry in self.entries:
            entry.forget()

    def _fill(self, fence: Geofence, before: Geofence | None) -> None:
        shown, self._shown = self._shown, self._waiting.change
        displayed = fence_with(before, shown) if before is not None else None
        for section in self.sections:
            section.show_fence(fence, displayed, self._waiting, shown)
        if _resizes(self._waiting.change) or _resizes(shown):
            self._show_size(fence_with(fence, self._waiting.change))
        self.basics.show_about(fence)
        if before is None or before.geometry != fence.geometry:
            self.basics.show_edge("")
            if isinstance(fence.geometry, Isochrone):
                self.edge_wanted.emit(fence)
        self.shape.show_shape(fence)
        self.switch.mark(tuple(section.is_set(fence) for section in self.sections))

    # User actions

    def apply(self) -> None:
        """Request that the pending changes are applied."""
        self.settle()
        if self._fence is not None:
            self.apply_requested.emit(self._fence.id)

    def give_up(self) -> None:
        """Discard the input because the user deletes the geofence here."""
        self._lost = False
        self._forget()
        if self._fence is not None:
            self._fill(self._fence, None)

    def _revert(self, fence: Geofence, entry: Entry[Geofence]) -> None:
        """Revert the unsaved input of a field, but keep its pending change."""
        displayed = fence_with(fence, self._waiting.change)
        self._kept = replace(self._kept, **{entry.name: UNSET})
        show_entries((entry,), fence, None, self._waiting, (displayed, self._waiting.change))
        if entry.name in ("size", "mode"):
            self._show_size(displayed)

    def _restore(self) -> None:
        self.settle()
        if self._fence is None or any(entry.refusal for entry in self.entries):
            return
        if self._fence.environment.live:
            self.apply_requested.emit(self._fence.id)
        else:
            self.restore_requested.emit(self._fence, self._kept)

    def _discard_lost(self) -> None:
        fence = self._fence
        self.give_up()
        self._kept = GeofenceChange()
        if fence is not None and fence.environment.live:
            self.discard_requested.emit(fence.id)
        self.show_fence(None, "")

    def _show_size(self, fence: Geofence) -> None:
        """Show the position and the size of a geofence on the map, including pending changes."""
        shape = fence.geometry
        if isinstance(shape, Isochrone):
            self.travel_previewed.emit(fence.id, shape.minutes, shape.mode.value)
        else:
            self.shape_previewed.emit(fence.id, shape)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Revert the unsaved input of the field with the keyboard focus on Escape."""
        entry = entry_in_use(self.entries)
        if event.key() == Qt.Key.Key_Escape and self._fence is not None and entry is not None and entry.touched:
            self._revert(self._fence, entry)
            return
        super().keyPressEvent(event)

    def _propose(self, name: str, value: object) -> None:
        if self._fence is None:
            return
        if self._lost and not self._fence.environment.live:
            self._kept = replace(self._kept, **{name: value})  # type: ignore[arg-type]
            return
        self._note_shown(name, value)
        self.changed.emit(self._fence.id, replace(GeofenceChange(), **{name: value}))  # type: ignore[arg-type]

    def _withdraw(self, name: str) -> None:
        if self._fence is not None:
            self._note_shown(name, UNSET)
            self.withdrawn.emit(self._fence.id, name)

    def _note_shown(self, name: str, value: object) -> None:
        """Record that the field already displays a value that becomes pending in Live."""
        if self._fence is not None and self._fence.environment.live:
            self._shown = replace(self._shown, **{name: value})  # type: ignore[arg-type]

    # Construction

    def _make_empty(self) -> QWidget:
        empty = EmptyState(
            tr("No geofence selected"),
            tr("Select one in the list or on the map, or draw a new one."),
            button(tr("Draw a circle"), self.draw_circle_requested.emit, "primary"),
            button(tr("Draw a polygon"), self.draw_polygon_requested.emit),
        )
        body, layout = panel()
        layout.addWidget(empty)
        return body

    def _make_form(self) -> QWidget:
        body, layout = panel()
        layout.setSpacing(0)
        layout.addWidget(self.several)
        layout.addWidget(self._make_head())
        self._pages = QStackedWidget()
        for section in self.sections:
            self._pages.addWidget(section)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._make_foot())
        return body

    def _make_head(self) -> QWidget:
        self.head = RecordHead(tr("geofence"))
        self.head.restore_requested.connect(self._restore)
        self.head.discard_requested.connect(self._discard_lost)
        made = QWidget()
        in_column(self.head, self.switch, of=made, margins=(12, 12, 12, 0), spacing=GRID)
        return made

    def _make_foot(self) -> QWidget:
        self.pending_bar = PendingBar()
        self.pending_bar.apply_requested.connect(self.apply)
        self.pending_bar.discard_requested.connect(lambda: self._with_id(self.discard_requested.emit))
        self._foot = QWidget()
        in_column(self.pending_bar, of=self._foot, margins=(GRID, GRID // 2, GRID, GRID))
        self.set_live(False)
        return self._foot

    def _connect(self) -> None:
        for section in self.sections:
            section.proposed.connect(self._propose)
            section.withdrawn.connect(self._withdraw)
        self.switch.chosen.connect(self.show_section)
        self.basics.radius_previewed.connect(self._on_preview)
        self.basics.travel_previewed.connect(self._on_travel)
        self.basics.zoom_requested.connect(lambda: self._with_id(self.zoom_requested.emit))
        self.basics.delete_requested.connect(lambda: self._with_id(self.delete_requested.emit))

    def _on_preview(self, metres: float) -> None:
        if self._fence is not None:
            self._show_size(fence_with(self._fence, replace(self._waiting.change, size=metres)))

    def _on_travel(self, minutes: float, mode: str) -> None:
        if self._fence is not None:
            self.travel_previewed.emit(self._fence.id, minutes, mode)

    def _with_id(self, notify: Callable[[str], object]) -> None:
        if self._fence is not None:
            notify(self._fence.id)


def _resizes(change: GeofenceChange) -> bool:
    return any(value is not UNSET for value in (change.size, change.mode, change.coordinates))
