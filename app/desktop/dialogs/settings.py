"""The settings of a project. In Test changes take effect immediately, in Live they wait until they are applied."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QStackedWidget, QWidget

from app.desktop.dialogs.segments import SegmentEdit
from app.desktop.dialogs.tracking_options import TrackingEntry, tracking_page
from app.desktop.language import tr, translated
from app.desktop.model.editing.pending_words import NO_SETTINGS_WAIT, Waiting
from app.desktop.model.project import GROUPS, Choice, Number, Setting, Switch, Tracking, Words
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.fields.entries import CheckEntry, ChoiceEntry, NumberEntry, TextEntry
from app.desktop.panels.fields.entry import Entry, accept_entries, refuse_entries, show_entries
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.layouts import in_dialog
from app.desktop.panels.pending import PendingBar
from app.desktop.panels.widgets import GRID, Field, FormPage, PageSwitch, label, panel
from engine.domain.environment import Environment
from engine.domain.fields.settings import settings_with
from engine.domain.geofence import UNSET
from engine.domain.settings import NO_SETTINGS_CHANGE, ProjectSettings, SegmentRule, SettingsChange
from engine.domain.values import replace
from engine.geofences.checks.settings import settings_warnings

type SettingEntry = Entry[ProjectSettings]


class SegmentsEntry(Entry[ProjectSettings]):
    """An entry for the segments as a whole."""

    def __init__(self) -> None:
        self.editor = SegmentEdit()
        super().__init__("segments", Field("", self.editor, self.editor.conditions))
        self.editor.committed.connect(self.give)
        self.editor.refused.connect(self.refuse)

    def value(self, record: ProjectSettings) -> tuple[SegmentRule, ...]:
        """Return the segments."""
        return record.segments

    def fill(self, record: ProjectSettings) -> None:
        """Show the segments."""
        self.editor.set_value(record.segments)


class SettingsDialog(QDialog):
    """Emits changes and shows their outcome. The dialog is modeless, so the window stays usable.

    `withdrawn` carries the name of a setting that was changed back to its stored value.
    """

    changed = Signal(object)
    withdrawn = Signal(str)
    apply_requested = Signal()
    discard_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.resize(700, 640)
        self._environment = Environment.TEST
        self._settings: ProjectSettings | None = None
        self._waiting = NO_SETTINGS_WAIT
        self._shown = NO_SETTINGS_CHANGE
        """The pending values in the fields."""
        self.pages: tuple[tuple[str, tuple[SettingEntry, ...]], ...] = self._make_pages()
        self.switch = PageSwitch(tuple(title for title, _ in self.pages))
        self._stack = QStackedWidget()
        self.pending_bar = PendingBar()
        self.pending_bar.apply_requested.connect(self.apply)
        self.pending_bar.discard_requested.connect(self.discard_requested)
        self.note = label(role="muted")
        self.warning = label(role="strong", wrap=True)
        self.warning.hide()
        in_dialog(self, self.note, self.switch, self._stack, self.warning, self.pending_bar)
        for _, entries in self.pages:
            self._stack.addWidget(_page(entries))
        for entry in self.entries:
            entry.proposed.connect(self._propose)
            entry.withdrawn.connect(self._withdraw)
        self.switch.chosen.connect(self.show_page)
        self.pending_bar.hide()

    @property
    def environment(self) -> Environment:
        """The environment of the displayed settings."""
        return self._environment

    @property
    def entries(self) -> tuple[SettingEntry, ...]:
        """All entries."""
        return tuple(entry for _, entries in self.pages for entry in entries)

    def entry(self, name: str) -> SettingEntry:
        """Return the entry of a setting."""
        return next(entry for entry in self.entries if entry.name == name)

    def show_page(self, number: int) -> None:
        """Show the page of a group of settings."""
        self._stack.setCurrentIndex(number)
        self.switch.show_page(number)

    def show_setting(self, name: str) -> None:
        """Show the page of a setting."""
        numbers = (number for number, (_, entries) in enumerate(self.pages) if self.entry(name) in entries)
        self.show_page(next(numbers))

    def show_environment(self, environment: Environment) -> None:
        """Commit unfinished input, then prepare for the settings of another environment."""
        self.settle()
        self.forget()
        self._environment = environment
        name = environment.value.capitalize()
        self.setWindowTitle(tr("Project settings – {environment}", environment=name))
        wait = tr("changes wait until you apply them") if environment.live else tr("changes take effect immediately")
        self.note.setText(f"{name}: {wait}.")
        self.pending_bar.setVisible(environment.live)

    def show_settings(self, settings: ProjectSettings, waiting: Waiting[SettingsChange] = NO_SETTINGS_WAIT) -> None:
        """Show settings with their pending changes; a field being edited keeps its input."""
        before, self._settings = self._settings, settings
        shown, self._shown = self._shown, waiting.change
        displayed = settings_with(before, shown) if before is not None else None
        show_entries(self.entries, settings, displayed, waiting, (settings_with(settings, waiting.change), shown))
        self.pending_bar.show_waiting(waiting)
        warnings = settings_warnings(settings_with(settings, waiting.change))
        self.warning.setText("\n".join(map(translated, warnings)))
        self.warning.setVisible(bool(warnings))

    def accept_change(self, change: SettingsChange) -> None:
        """Mark the sent changes as stored."""
        accept_entries(self.entries, change)

    def refuse_change(self, change: SettingsChange, param: str, message: str) -> None:
        """Mark the sent changes as refused and show the error; the input stays."""
        refused = refuse_entries(self.entries, change, param, message)
        pages = [number for number, (_, entries) in enumerate(self.pages) if {*entries} & {*refused}]
        if pages and self._stack.currentIndex() not in pages:
            self.show_page(pages[0])

    def forget(self) -> None:
        """Discard unfinished input, so that the next settings are shown as new ones."""
        self._settings, self._shown = None, NO_SETTINGS_CHANGE
        for entry in self.entries:
            entry.forget()

    def settle(self) -> None:
        """Commit unfinished input before the user turns to something else."""
        for entry in self.entries:
            entry.settle()

    def apply(self) -> None:
        """Commit unfinished input and request to apply the pending changes."""
        self.settle()
        self.apply_requested.emit()

    def done(self, result: int) -> None:
        """Commit unfinished input, then close."""
        self.settle()
        super().done(result)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Let Enter finish a field without closing the dialog."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def _propose(self, name: str, value: object) -> None:
        self._note_shown(name, value)
        self.changed.emit(replace(NO_SETTINGS_CHANGE, **{name: value}))  # type: ignore[arg-type]

    def _withdraw(self, name: str) -> None:
        self._note_shown(name, UNSET)
        self.withdrawn.emit(name)

    def _note_shown(self, name: str, value: object) -> None:
        """Record the value of a Live setting as shown, since it is about to become pending; do nothing in Test."""
        if self._environment.live:
            self._shown = replace(self._shown, **{name: value})  # type: ignore[arg-type]

    def _make_pages(self) -> tuple[tuple[str, tuple[SettingEntry, ...]], ...]:
        made = [(title, tuple(_entry(setting) for setting in settings)) for title, settings in GROUPS]
        made.insert(2, (tr("Segments"), (SegmentsEntry(),)))
        return tuple(made)


def _page(entries: tuple[SettingEntry, ...]) -> QWidget:
    if any(isinstance(entry, TrackingEntry) for entry in entries):
        return tracking_page(entries)
    body, column = panel(margins=12)
    column.setSpacing(GRID)
    for entry in entries:
        column.addWidget(entry.field)
    if not any(isinstance(entry, SegmentsEntry) for entry in entries):
        column.addStretch(1)
    return FormPage(body)


def _entry(setting: Setting) -> SettingEntry:
    def read(settings: ProjectSettings) -> Any:
        return getattr(settings, setting.name)

    match setting:
        case Switch(name, title, hint):
            check = QCheckBox(title)
            return CheckEntry(name, Field("", check, hint=hint), check, read)
        case Number(name, title, hint, unit, factor, unset, whole):
            number = NumberBox(unit, unset=unset, decimals=0 if whole else 2)
            number.setFixedWidth(160)
            return NumberEntry(name, Field(title, number, hint=hint), number, read, factor, whole=whole)
        case Choice(name, title, hint, options):
            choice = ChoiceBox()
            choice.addItems([text for text, _ in options])
            choice.setFixedWidth(160)
            return ChoiceEntry(name, Field(title, choice, hint=hint), choice, read, [value for _, value in options])
        case Tracking():
            return TrackingEntry(setting)
        case Words(name, title, hint, placeholder, parse, spell):
            line = TextLine()
            line.setPlaceholderText(placeholder)
            field = Field(title, line, hint=hint)
            return TextEntry(name, field, line, lambda s: spell(read(s)), lambda text, _: parse(text))
