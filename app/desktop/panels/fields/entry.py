"""A form field that shows a value of a record, proposes new values, and shows errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from app.desktop.model.editing.changes import same_value
from app.desktop.model.editing.drafts import Draft
from app.desktop.model.editing.pending_words import Waiting
from app.desktop.panels.widgets import Field
from engine.domain.geofence import UNSET


class Entry[Record](QObject):
    """The editor of field `name` in a record's change.

    `proposed` carries a new value; `withdrawn` is emitted when the user returns to the stored value.

    The user's input is kept until it is stored or reverted, even if the record changes meanwhile. In this case, the
    field also shows the stored value.
    """

    proposed = Signal(str, object)
    withdrawn = Signal(str)

    def __init__(self, name: str, field: Field) -> None:
        super().__init__(field)
        self.name, self.field = name, field
        self.record: Record | None = None
        self.refusal: str | None = None
        """Error of the entered value. It is kept until another value is entered or the field is reverted."""
        self._base: Record | None = None
        """The record as it was when the user began editing."""
        self._now: Record | None = None
        """The record that would be shown if the user had not begun editing."""
        self._sent: list[object] = []
        """Proposed values without an answer."""
        field.stored_wanted.connect(self.revert)

    # Interface of each kind of field

    def value(self, record: Record) -> Any:
        """Return the value of this field in a record."""
        raise NotImplementedError

    def words(self, record: Record) -> str:
        """Return the value of a record as the field shows it."""
        return str(self.value(record))

    def fill(self, record: Record) -> None:
        """Show the value of a record."""
        raise NotImplementedError

    @property
    def typed(self) -> bool:
        """Whether there is unfinished input that has not been proposed."""
        return False

    def settle(self) -> None:
        """Propose unfinished input because the user turns to something else."""

    def state(self) -> object:
        """Return the content of the field for `put_back`, or None if it need not be kept."""
        return None

    def put_back(self, state: object) -> None:
        """Restore content returned by `state`."""

    # Changes of the record

    @property
    def touched(self) -> bool:
        """Whether the field has unsaved input."""
        return self.typed or self.refusal is not None or bool(self._sent)

    def show_record(self, record: Record, before: Record | None) -> None:
        """Show the value of a record; `before` is its previous state if the user may be editing it."""
        self.record = self._now = record
        if before is None:
            self.forget()
        if before is not None and self.touched:
            self.keep(record)
        else:
            self._show(record)

    def show_pending(self, record: Record, shown: Record, before: Record | None) -> None:
        """Show the pending value of `shown`, which has not been stored yet."""
        self.record, self._now = record, shown
        self._answered(self.value(shown))
        if before is None or not self.touched:
            self.forget()
            self._show(shown)

    def keep(self, record: Record) -> None:
        """Keep the user's input, and show the stored value beside it if it was changed elsewhere."""
        stored = self.value(record)
        if self._base is None or any(same_value(stored, sent) for sent in self._sent):
            self._base = record
        changed = not same_value(stored, self.value(self._base))
        self.field.show_elsewhere(self.words(record) if changed else None)

    def follow(self) -> None:
        """Show the stored value if the field has no unsaved input after all."""
        if self._now is not None and self._now is not self._base and not self.touched:
            self._show(self._now)

    def _show(self, record: Record) -> None:
        self._base = record
        self.field.show_elsewhere(None)
        self.fill(record)

    # Results of the input

    def give(self, value: object) -> None:
        """Propose a value, unless it has already been sent or is already stored.

        An error is shown until the answer arrives.
        """
        self.refusal = None
        if self._sent:
            is_new = not same_value(value, self._sent[-1])
        else:
            is_new = self.record is None or not same_value(value, self.value(self.record))
        if is_new:
            self._sent.append(value)
            self.proposed.emit(self.name, value)
        elif not self._sent and self.record is not None:
            self.allow()
            self._show(self.record)
            self.withdrawn.emit(self.name)

    def collect(self, value: object) -> None:
        """Hold the proposed value until the whole form is saved. Earlier values are dropped."""
        self._sent[:] = [value]

    def accept(self, value: object) -> None:
        """Record that a proposed value was stored."""
        self._answered(value)
        if self.refusal is None:
            self.allow()
        if self.record is not None:
            self.show_record(self.record, self.record)

    def refuse(self, message: str, value: object = UNSET) -> None:
        """Show an error for the input. For a proposed value, this is done only if it is the last one."""
        if value is not UNSET:
            last = not self._sent or same_value(value, self._sent[-1])
            self._answered(value)
            if not last:
                return
        self.refusal = message
        self.field.show_error(message)

    def allow(self) -> None:
        """Clear the error, because the value is valid or stored."""
        self.refusal = None
        self.field.show_error(None)

    def forget(self) -> None:
        """Discard unsaved input."""
        self.allow()
        self._sent.clear()

    def revert(self) -> None:
        """Discard the input and show the stored value."""
        if self.record is not None:
            self.show_record(self.record, None)

    def _answered(self, value: object) -> None:
        at = next((n for n, sent in enumerate(self._sent) if same_value(sent, value)), None)
        if at is not None:
            del self._sent[at]

    # Switching between records

    def draft(self) -> Draft | None:
        """Return the unsaved input for `bring_back`."""
        state = self.state() if self.touched else None
        return None if state is None else Draft(state, self.refusal, list(self._sent))

    def bring_back(self, draft: Draft) -> None:
        """Restore the input entered before another record was shown."""
        self.put_back(draft.state)
        self._sent = list(draft.sent)
        if draft.refusal is not None:
            self.refuse(draft.refusal)


def show_entries[Record](
    entries: Iterable[Entry[Record]],
    record: Record,
    before: Record | None,
    waiting: Waiting[Any],
    shown: tuple[Record, object],
) -> None:
    """Show a record with its pending changes. `before` is the record shown so far, or None to reset all fields.

    `shown` is the record with its pending changes, and the change that the fields show as pending so far.
    """
    displayed, change = shown
    for entry in entries:
        value, was = getattr(waiting.change, entry.name), getattr(change, entry.name)
        if value is UNSET:
            entry.show_record(record, before)
        else:
            entry.show_pending(record, displayed, before)
        if value is not UNSET or was is not UNSET:
            entry.field.show_error(entry.refusal or waiting.errors.get(entry.name))
        entry.field.show_pending(waiting.notes.get(entry.name), conflict=entry.name in waiting.conflicts)


def entry_in_use[Record](entries: Iterable[Entry[Record]]) -> Entry[Record] | None:
    """Return the entry that has the keyboard focus."""
    focus = QApplication.focusWidget()
    return next((entry for entry in entries if focus is not None and entry.field.isAncestorOf(focus)), None)


def accept_entries(entries: Iterable[Entry[Any]], change: object) -> None:
    """Record that a change proposed by the entries was stored."""
    for entry in entries:
        value = getattr(change, entry.name)
        if value is not UNSET:
            entry.accept(value)


def refuse_entries(entries: Iterable[Entry[Any]], change: object, param: str, message: str) -> tuple[Entry[Any], ...]:
    """Show that a change proposed by the entries was rejected, and return the entries that show the error.

    The error is shown at the changed entry that `param` names, or at all changed entries if it names none of them.
    """
    changed = [each for each in entries if getattr(change, each.name) is not UNSET and not each.field.isHidden()]
    named = [each for each in changed if each.name == param]
    for entry in named or changed:
        entry.refuse(message, getattr(change, entry.name))
    return tuple(named or changed)
