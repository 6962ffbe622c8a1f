"""A field of a form: it shows one value of a record, proposes another, and says what is wrong with it."""

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
    """Stands for the field `name` of a record's change.

    `proposed` carries a value for it; `withdrawn` tells that the user is back at the value that is stored.

    What the user gives here stays until it is stored or taken back, whatever becomes of the record meanwhile: then
    the field tells beside it what is stored now.
    """

    proposed = Signal(str, object)
    withdrawn = Signal(str)

    def __init__(self, name: str, field: Field) -> None:
        super().__init__(field)
        self.name, self.field = name, field
        self.record: Record | None = None
        self.refusal: str | None = None
        """The error of the value given here; it stays until another is given or it is reverted."""
        self._base: Record | None = None
        """The value of the field when the user began."""
        self._now: Record | None = None
        """The value it would show if the user had not begun."""
        self._sent: list[object] = []
        """Values that were proposed and are not answered."""
        field.stored_wanted.connect(self.revert)

    # What each kind of field is

    def value(self, record: Record) -> Any:
        """Return the value that a record has here."""
        raise NotImplementedError

    def words(self, record: Record) -> str:
        """Return the value of a record as the field would show it."""
        return str(self.value(record))

    def fill(self, record: Record) -> None:
        """Show the value of a record."""
        raise NotImplementedError

    @property
    def typed(self) -> bool:
        """Whether something is half done: given, and proposed to nobody."""
        return False

    def settle(self) -> None:
        """Propose what is half done: the user goes on to something else."""

    def state(self) -> object:
        """Return what stands in the field, for `put_back`; None where that is not worth keeping."""
        return None

    def put_back(self, state: object) -> None:
        """Show what stood in the field before."""

    # What becomes of the record

    @property
    def touched(self) -> bool:
        """Whether there is something here that is not stored."""
        return self.typed or self.refusal is not None or bool(self._sent)

    def show_record(self, record: Record, before: Record | None) -> None:
        """Show the value of a record; `before` is its last state where the user may be at work on it."""
        self.record = self._now = record
        if before is None:
            self.forget()
        if before is not None and self.touched:
            self.keep(record)
        else:
            self._show(record)

    def show_pending(self, record: Record, shown: Record, before: Record | None) -> None:
        """Show a value that waits to be stored, which is that of `shown`."""
        self.record, self._now = record, shown
        self._answered(self.value(shown))
        if before is None or not self.touched:
            self.forget()
            self._show(shown)

    def keep(self, record: Record) -> None:
        """Leave what the user gives as it is; tell beside it what others have stored meanwhile."""
        stored = self.value(record)
        if self._base is None or any(same_value(stored, sent) for sent in self._sent):
            self._base = record
        changed = not same_value(stored, self.value(self._base))
        self.field.show_elsewhere(self.words(record) if changed else None)

    def follow(self) -> None:
        """Show what is stored where nothing is given here after all."""
        if self._now is not None and self._now is not self._base and not self.touched:
            self._show(self._now)

    def _show(self, record: Record) -> None:
        self._base = record
        self.field.show_elsewhere(None)
        self.fill(record)

    # What becomes of what is given

    def give(self, value: object) -> None:
        """Propose a value, unless it is on its way already or is the one that is stored.

        An error is shown until the answer is there.
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
        """Let a value that was proposed wait until the whole form is saved: of those before it nobody is told."""
        self._sent[:] = [value]

    def accept(self, value: object) -> None:
        """A value that was proposed is stored."""
        self._answered(value)
        if self.refusal is None:
            self.allow()
        if self.record is not None:
            self.show_record(self.record, self.record)

    def refuse(self, message: str, value: object = UNSET) -> None:
        """Say what is wrong with what is given; of a value that was proposed only if it is the last one."""
        if value is not UNSET:
            last = not self._sent or same_value(value, self._sent[-1])
            self._answered(value)
            if not last:
                return
        self.refusal = message
        self.field.show_error(message)

    def allow(self) -> None:
        """The shown value can be proposed, or is as it is stored."""
        self.refusal = None
        self.field.show_error(None)

    def forget(self) -> None:
        """Drop the unsaved input."""
        self.allow()
        self._sent.clear()

    def revert(self) -> None:
        """Take back what is given here and show what is stored."""
        if self.record is not None:
            self.show_record(self.record, None)

    def _answered(self, value: object) -> None:
        at = next((n for n, sent in enumerate(self._sent) if same_value(sent, value)), None)
        if at is not None:
            del self._sent[at]

    # While another record is shown

    def draft(self) -> Draft | None:
        """Return what is given here and not stored, for `bring_back`."""
        state = self.state() if self.touched else None
        return None if state is None else Draft(state, self.refusal, list(self._sent))

    def bring_back(self, draft: Draft) -> None:
        """Show what was given here before another record was shown."""
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
    """Show a record and what waits of it. `before` is what the fields show, None where all is to be shown anew.

    `shown` is the record with what waits, and the change that the fields show as waiting so far.
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
    """Return the one of some entries that has the keyboard."""
    focus = QApplication.focusWidget()
    return next((entry for entry in entries if focus is not None and entry.field.isAncestorOf(focus)), None)


def accept_entries(entries: Iterable[Entry[Any]], change: object) -> None:
    """A change that the entries proposed is stored."""
    for entry in entries:
        value = getattr(change, entry.name)
        if value is not UNSET:
            entry.accept(value)


def refuse_entries(entries: Iterable[Entry[Any]], change: object, param: str, message: str) -> tuple[Entry[Any], ...]:
    """A change that the entries proposed is refused; say so where it was given, and return where that is.

    Of several it is told at the one that `param` names.
    """
    changed = [each for each in entries if getattr(change, each.name) is not UNSET and not each.field.isHidden()]
    named = [each for each in changed if each.name == param]
    for entry in named or changed:
        entry.refuse(message, getattr(change, entry.name))
    return tuple(named or changed)
