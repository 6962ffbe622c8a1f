"""The form of a beacon. It is saved as a whole because a beacon's transmitted IDs are only valid together."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.desktop.language import tr
from app.desktop.model.beacons import TYPES, beacon_name
from app.desktop.model.editing.beacon_drafts import BeaconDrafts
from app.desktop.model.editing.beacon_sheet import BeaconSheet, change_of, sheet_of, spell_point
from app.desktop.model.editing.changes import same_value
from app.desktop.model.words import error_text
from app.desktop.panels.beacon.fields import BeaconFields
from app.desktop.panels.fields.entry import Entry, accept_entries, entry_in_use
from app.desktop.panels.fields.head import RecordHead
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.side import SidePanel
from app.desktop.panels.widgets import GRID, EmptyState, button, panel
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.fields.beacon import PART_NAMES
from engine.domain.geometry import Point
from engine.domain.tracking.beacon import Beacon, BeaconChange, BeaconType


class BeaconForm(SidePanel):
    """Shows an existing or new beacon. It requests changes to be stored and shows their results.

    `save_requested` carries the beacon, or None for a new one, and the change. `restore_requested` carries the same for
    a beacon that was deleted remotely. `edited` is emitted when the unsaved changes have changed.
    """

    save_requested = Signal(object, object)
    restore_requested = Signal(object, object)
    delete_requested = Signal(str)
    zoom_requested = Signal(str)
    place_requested = Signal()
    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._beacon: Beacon | None = None
        self._sheet: BeaconSheet | None = None
        self._given: dict[str, object] = {}
        """Values that have not been saved yet."""
        self._lost = False
        self._saving: BeaconChange | None = None
        self._drafts = BeaconDrafts()
        self.fields = BeaconFields()
        self.head = RecordHead(tr("beacon"))
        self._stack = self._add_pages(self._make_empty(), self._make_form())
        self._connect()
        self._show()

    # Display

    @property
    def beacon(self) -> Beacon | None:
        """The stored beacon being shown."""
        return self._beacon

    @property
    def is_new(self) -> bool:
        """Whether the form shows a beacon that has not been stored yet."""
        return self._sheet is not None and self._sheet.is_new

    @property
    def lost(self) -> bool:
        """Whether the shown beacon was deleted remotely."""
        return self._lost

    @property
    def dirty(self) -> bool:
        """Whether there are unsaved changes."""
        return self.is_new or any(entry.touched for entry in self.fields.entries)

    @property
    def point(self) -> Point | None:
        """Position of the shown beacon, including unsaved changes."""
        point = self._given.get("geometry", self._sheet.geometry if self._sheet else None)
        return point if isinstance(point, Point) else None

    @property
    def title(self) -> str:
        """Name of the shown beacon, and whether it is saved."""
        if self._sheet is None:
            return ""
        name = tr("New beacon") if self._beacon is None else beacon_name(self._beacon)
        return tr("{beacon_name} · not saved", beacon_name=name) if self.dirty else name

    @property
    def _kind(self) -> BeaconType:
        return BeaconType(str(self._given.get("type", self._sheet.type if self._sheet else BeaconType.IBEACON)))

    @property
    def has_keyboard(self) -> bool:
        """Whether a field has the keyboard focus."""
        return entry_in_use(self.fields.entries) is not None

    def show_beacon(self, beacon: Beacon | None) -> None:
        """Show a beacon or none. If it is already shown, unsaved fields keep their input."""
        same = beacon is not None and self._beacon is not None and beacon.id == self._beacon.id
        if not same:
            self.leave()
        self._beacon, self._lost = beacon, False
        if beacon is None:
            self._sheet = None
        elif same:
            self._follow(sheet_of(beacon))
        else:
            self._open(sheet_of(beacon))
        self._show()

    def show_new(self, sheet: BeaconSheet) -> None:
        """Show a new beacon. A new beacon that was left unfinished is shown again."""
        if not self.is_new:
            self.leave()
            self._beacon, self._lost = None, False
            self._open(sheet)
        self._show()

    def place(self, point: Point) -> None:
        """Use coordinates picked on the map, to be saved with the other fields."""
        entry = self.fields.entry("geometry")
        entry.forget()
        entry.put_back(spell_point(point))
        entry.give(point)

    def forget_place(self) -> None:
        """Discard typed coordinates because the beacon was moved on the map."""
        self._revert(self.fields.entry("geometry"))

    def lose_beacon(self) -> None:
        """Handle the remote deletion of the beacon.

        It remains shown if there are unsaved changes or a field has the keyboard focus.
        """
        if self.dirty or self.has_keyboard:
            self._lost = True
            self._show()
        else:
            self.show_beacon(None)

    def give_up(self) -> None:
        """Clear the form and discard its unsaved changes."""
        self._forget()
        self._sheet = self._beacon = None
        self._lost = False
        self._show()

    def finish_new(self, environment: Environment) -> bool:
        """Record that the new beacon was stored; return whether the form still shows it."""
        self._drafts.forget_new(environment)
        shown = self._sheet is not None and self._sheet.is_new and self._sheet.environment is environment
        if shown:
            self.give_up()
        return shown

    def leave(self) -> None:
        """Keep unsaved changes until the beacon is shown again, and clear the form."""
        if self._sheet is not None and not self._lost:
            drafts = {entry.name: draft for entry in self.fields.entries if (draft := entry.draft()) is not None}
            self._drafts.keep(self._sheet, drafts)
        self.give_up()

    def unsaved(self) -> tuple[tuple[str, str], ...]:
        """Return the names of beacons with unsaved changes, and the changes."""
        kept = self._drafts.states()
        shown = {entry.name: entry.state() for entry in self.fields.entries if entry.touched}
        if self._sheet is not None and shown:
            kept.append((self._sheet, shown))
        return tuple((sheet.description or sheet.external_id, repr(given)) for sheet, given in kept)

    def forget_drafts(self, beacon_ids: Iterable[str] | None = None) -> None:
        """Discard drafts of deleted beacons, or all drafts because another workspace was opened."""
        if beacon_ids is None:
            self._drafts.clear()
            self.give_up()
            return
        self._drafts.forget(frozenset(beacon_ids))

    def _open(self, sheet: BeaconSheet) -> None:
        self._sheet, drafts = self._drafts.take(sheet)
        self._forget()
        for entry in self.fields.entries:
            entry.show_record(self._sheet, None)
            draft = drafts.get(entry.name)
            is_stored = draft is not None and draft.sent and same_value(draft.sent[-1], entry.value(self._sheet))
            if draft is None or is_stored:
                continue
            entry.bring_back(draft)
            if draft.sent:
                self._given[entry.name] = draft.sent[-1]

    def _follow(self, sheet: BeaconSheet) -> None:
        before, self._sheet = self._sheet, sheet
        for entry in self.fields.entries:
            given = entry.name in self._given and same_value(self._given[entry.name], entry.value(sheet))
            if given and self._saving is None:
                del self._given[entry.name]
            entry.show_record(sheet, None if given and self._saving is None else before)

    def _forget(self) -> None:
        self._given.clear()
        self._saving = None
        for entry in self.fields.entries:
            entry.forget()

    def _show(self) -> None:
        sheet = self._sheet
        self._stack.setCurrentIndex(0 if sheet is None else 1)
        if sheet is not None:
            self.fields.show_type(self._kind)
            self.head.show_record(tr("New beacon") if sheet.is_new else TYPES[sheet.type])
            if self._lost:
                self.head.show_lost()
            self.save.setText(tr("Create") if sheet.is_new else tr("Save"))
            self.save.setEnabled(self.dirty and not self._lost and self._saving is None)
            self.revert.setEnabled(self.dirty)
            self.revert.setVisible(not self._lost)
            self.delete.setVisible(not sheet.is_new and not self._lost)
            self.zoom.setVisible(not sheet.is_new)
        self.edited.emit()

    # User actions

    def store(self) -> None:
        """Request that all changes be stored. Invalid values are reported at their fields."""
        change = self._take()
        if change is None or self._saving is not None or not self.dirty:
            return
        if change == BeaconChange():
            self._discard()
            return
        self.save_requested.emit(self._beacon, change)

    def begin(self, change: BeaconChange) -> None:
        """Record that a change is being saved, so that it is not sent twice."""
        self._saving = change
        self._show()

    def accept(self, key: str, change: BeaconChange) -> None:
        """Handle a stored change. Values entered since then remain unsaved."""
        if self._sheet is None or self._sheet.id != key:
            return
        self._saving = None
        for name in [*self._given]:
            if same_value(self._given[name], getattr(change, name)):
                del self._given[name]
        accept_entries(self.fields.entries, change)
        self._show()

    def refuse(self, key: str, param: str, message: str) -> bool:
        """Handle a rejected change: keep the input and show the error; return whether the error is visible."""
        if self._sheet is None or self._sheet.id != key:
            return False
        self._saving = None
        entries = self._entries_for(param)
        for entry in entries:
            entry.refuse(message)
        self._show()
        return bool(entries) and self.isVisible()

    def _entries_for(self, param: str) -> list[Entry[BeaconSheet]]:
        """Return the fields at which to show an error.

        This is the named field. If it was not changed but related parts of a stored beacon were, these parts are
        returned instead. If no field is named, all changed fields are returned.
        """
        entries = [entry for entry in self.fields.entries if not entry.field.isHidden()]
        named = [entry for entry in entries if entry.name == param]
        parts = PART_NAMES[self._kind]
        given = [entry for entry in entries if entry.name in self._given]
        beside = [entry for entry in given if entry.name in parts] if param in parts and not self.is_new else []
        return (beside if param not in self._given else named) or named or given

    def _take(self) -> BeaconChange | None:
        """Return the change to save, or None if a value is invalid."""
        for entry in self.fields.entries:
            entry.settle()
        shown = [entry for entry in self.fields.entries if not entry.field.isHidden()]
        # Values rejected by the engine can be sent again, but unreadable texts are not part of the change.
        if self._sheet is None or any(entry.refusal and entry.name not in self._given for entry in shown):
            return None
        try:
            return change_of(self._sheet, self._given)
        except InvalidParameter as error:
            self.fields.entry(error.param).refuse(error_text(error))
            self._show()
            return None

    def _restore(self) -> None:
        change = self._take()
        if change is not None and self._beacon is not None:
            self.restore_requested.emit(self._beacon, change)

    def _discard(self) -> None:
        """Discard unsaved changes."""
        if self.is_new or self._lost:
            self.give_up()
            return
        for entry in self.fields.entries:
            entry.revert()
        self._given.clear()
        self._show()

    def _revert(self, entry: Entry[BeaconSheet]) -> None:
        self._given.pop(entry.name, None)
        entry.revert()
        self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Revert the focused field on Escape."""
        entry = entry_in_use(self.fields.entries)
        if event.key() == Qt.Key.Key_Escape and entry is not None and entry.touched:
            self._revert(entry)
            return
        super().keyPressEvent(event)

    def _with_id(self, notify: Callable[[str], object]) -> None:
        if self._beacon is not None:
            notify(self._beacon.id)

    def _on_proposed(self, entry: Entry[BeaconSheet], value: object) -> None:
        if self._sheet is not None and same_value(value, entry.value(self._sheet)):
            self._revert(entry)
            return
        self._given[entry.name] = value
        entry.collect(value)
        entry.allow()
        self._show()

    def _on_typed(self, entry: Entry[BeaconSheet]) -> None:
        entry.refusal = None
        self._show()

    def _drop_refused(self, name: str) -> None:
        """Discard the last valid value of an unreadable field, so that it is not saved instead."""
        if self.fields.entry(name).refusal is not None:
            self._given.pop(name, None)
            self._show()

    def _on_withdrawn(self, entry: Entry[BeaconSheet]) -> None:
        self._given.pop(entry.name, None)
        self._show()

    # Construction

    def _make_empty(self) -> QWidget:
        empty = EmptyState(
            tr("No beacon selected"),
            tr("Select one on the map or in the list of beacons, or place a new one."),
            button(tr("New beacon"), self.place_requested.emit, "primary"),
        )
        body, layout = panel()
        layout.addWidget(empty)
        return body

    def _make_form(self) -> QWidget:
        body, layout = panel()
        layout.setSpacing(0)
        head = QWidget()
        in_column(self.head, of=head, margins=(12, 12, 12, 0))
        layout.addWidget(head)
        layout.addWidget(self.fields, 1)
        layout.addWidget(self._make_foot())
        return body

    def _make_foot(self) -> QWidget:
        self.save = button(tr("Save"), self.store, "primary")
        self.revert = button(tr("Discard"), self._discard)
        self.zoom = button(tr("Zoom to"), lambda: self._with_id(self.zoom_requested.emit))
        self.delete = button(tr("Delete"), lambda: self._with_id(self.delete_requested.emit), "danger")
        self.fields.foot.addLayout(_row(self.zoom, self.delete))
        made = QWidget()
        row = _row(self.save, self.revert)
        row.setContentsMargins(12, GRID, 12, GRID)
        made.setLayout(row)
        return made

    def _connect(self) -> None:
        for entry in self.fields.entries:
            entry.proposed.connect(lambda _, value, entry=entry: self._on_proposed(entry, value))
            entry.withdrawn.connect(lambda _, entry=entry: self._on_withdrawn(entry))
        for name, line in (*self.fields.lines.items(), ("geometry", self.fields.point)):
            line.textEdited.connect(lambda _, name=name: self._on_typed(self.fields.entry(name)))
            line.returnPressed.connect(self.store)
        self.fields.point.editingFinished.connect(lambda: self._drop_refused("geometry"))
        self.fields.metadata.refused.connect(lambda _: self._drop_refused("metadata"))
        self.fields.place_requested.connect(self.place_requested)
        self.head.restore_requested.connect(self._restore)
        self.head.discard_requested.connect(self.give_up)


def _row(*widgets: QWidget) -> QHBoxLayout:
    return in_row(*widgets, STRETCH, spacing=GRID)
