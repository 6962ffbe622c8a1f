"""The settings of a project. In Test they act at once; in Live they wait for Apply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.dialogs.segments import SegmentEdit
from app.desktop.model.project import GROUPS, Choice, Number, Setting, Switch, Words
from app.desktop.panels.entries import CheckEntry, ChoiceEntry, Entry, NumberEntry, TextEntry
from app.desktop.panels.numbers import NumberBox
from app.desktop.panels.widgets import GRID, Field, PageSwitch, PendingBar, label, panel, scrolled
from engine.domain.environment import Environment
from engine.domain.geofence import UNSET
from engine.domain.settings import NO_SETTINGS_CHANGE, ProjectSettings, SegmentRule, SettingsChange

type SettingEntry = Entry[ProjectSettings]


class SegmentsEntry(Entry[ProjectSettings]):
    """The segments, as a whole."""

    def __init__(self) -> None:
        self.editor = SegmentEdit()
        super().__init__("segments", "segments", Field("", self.editor, self.editor.conditions))
        self.editor.committed.connect(self._on_committed)
        self.editor.refused.connect(self.refuse)

    def fill(self, record: ProjectSettings, before: ProjectSettings | None) -> None:
        """Show the segments, where they are new."""
        if before is None or before.segments != record.segments:
            self.editor.set_value(record.segments)

    def _on_committed(self, segments: tuple[SegmentRule, ...]) -> None:
        self.allow()
        if self.record is not None and segments == self.record.segments:
            self.withdrawn.emit(self.name)
        else:
            self.proposed.emit(self.name, segments)


class SettingsDialog(QDialog):
    """Emits changes and shows what became of them. It does not stand in the way: the window stays usable."""

    changed = Signal(object)
    abandoned = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.resize(700, 560)
        self._environment = Environment.TEST
        self._settings: ProjectSettings | None = None
        self._pending = NO_SETTINGS_CHANGE
        self.pages: tuple[tuple[str, tuple[SettingEntry, ...]], ...] = self._make_pages()
        self.switch = PageSwitch(tuple(title for title, _ in self.pages))
        self._stack = QStackedWidget()
        self._pending_bar = PendingBar(self.apply, self.discard)
        self.apply_button = self._pending_bar.apply
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        self.note = label(role="muted")
        for widget in (self.note, self.switch, self._pending_bar, self._stack):
            layout.addWidget(widget)
        for _, entries in self.pages:
            self._stack.addWidget(_page(entries))
        for entry in self.entries:
            entry.proposed.connect(self._propose)
            entry.withdrawn.connect(lambda name: self._wait(name, UNSET))
        self.switch.chosen.connect(self.show_page)
        self._show_pending()

    @property
    def entries(self) -> tuple[SettingEntry, ...]:
        """Every setting."""
        return tuple(entry for _, entries in self.pages for entry in entries)

    @property
    def pending(self) -> SettingsChange:
        """What waits for Apply."""
        return self._pending

    def entry(self, param: str) -> SettingEntry:
        """Return the setting that the API calls `param`."""
        return next(entry for entry in self.entries if entry.param == param)

    def show_page(self, number: int) -> None:
        """Show a group of settings."""
        self._stack.setCurrentIndex(number)
        self.switch.show_page(number)

    def show_environment(self, environment: Environment) -> None:
        """Show the settings of another environment; what waits for Live is handed back first."""
        self._hand_back()
        self._environment = environment
        self._settings = None
        name = environment.value.capitalize()
        self.setWindowTitle(f"Project settings – {name}")
        self.note.setText(f"{name}: changes wait for Apply." if environment.live else f"{name}: changes act at once.")

    def show_settings(self, settings: ProjectSettings) -> None:
        """Show settings; a field whose new value waits, or that is being typed in, keeps it."""
        before, self._settings = self._settings, settings
        for entry in self.entries:
            if getattr(self._pending, entry.name) is UNSET:
                entry.show_record(settings, before)
            else:
                entry.record = settings

    def show_errors(self, errors: Mapping[str, str]) -> None:
        """Show what the engine said about each setting, on its page; the others are right."""
        for number, (_, entries) in enumerate(self.pages):
            for entry in entries:
                entry.field.show_error(errors.get(entry.param) or entry.refusal)
            if errors.keys() & {entry.param for entry in entries}:
                self.show_page(number)

    def accepted_by_engine(self) -> None:
        """What was sent is stored."""
        for entry in self.entries:
            entry.accept()
        self.show_errors({})

    def apply(self) -> None:
        """Apply what waits."""
        pending, self._pending = self._pending, NO_SETTINGS_CHANGE
        if pending != NO_SETTINGS_CHANGE:
            self.changed.emit(pending)
        self._show_pending()

    def discard(self) -> None:
        """Forget what waits and show the settings as they are."""
        self._pending = NO_SETTINGS_CHANGE
        self.show_errors({})
        settings, self._settings = self._settings, None
        for entry in self.entries:
            entry.forget()
        if settings is not None:
            self.show_settings(settings)
        self._show_pending()

    def done(self, result: int) -> None:
        """Hand back what waits: it is not lost silently."""
        self._hand_back()
        super().done(result)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Enter finishes a field; it closes nothing."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def _hand_back(self) -> None:
        pending = self._pending
        self.discard()
        if pending != NO_SETTINGS_CHANGE:
            self.abandoned.emit(pending)

    def _propose(self, name: str, value: object) -> None:
        if self._environment.live:
            self._wait(name, value)
        else:
            self.changed.emit(replace(NO_SETTINGS_CHANGE, **{name: value}))  # type: ignore[arg-type]

    def _wait(self, name: str, value: object) -> None:
        if getattr(self._pending, name) != value:
            self._pending = replace(self._pending, **{name: value})  # type: ignore[arg-type]
            self._show_pending()

    def _show_pending(self) -> None:
        self._pending_bar.setVisible(self._pending != NO_SETTINGS_CHANGE)

    def _make_pages(self) -> tuple[tuple[str, tuple[SettingEntry, ...]], ...]:
        made = [(title, tuple(_entry(setting) for setting in settings)) for title, settings in GROUPS]
        made.insert(2, ("Segments", (SegmentsEntry(),)))
        return tuple(made)


def _page(entries: tuple[SettingEntry, ...]) -> QWidget:
    body, column = panel(margins=12)
    column.setSpacing(12)
    for entry in entries:
        column.addWidget(entry.field)
    if not any(isinstance(entry, SegmentsEntry) for entry in entries):
        column.addStretch(1)
    return scrolled(body)


def _entry(setting: Setting) -> SettingEntry:
    def read(settings: ProjectSettings) -> Any:
        return getattr(settings, setting.name)

    match setting:
        case Switch(name, param, title, hint):
            check = QCheckBox(title)
            return CheckEntry(name, param, Field("", check, hint=hint), check, read)
        case Number(name, param, title, hint, unit, factor, unset, whole):
            number = NumberBox(unit, unset=unset, decimals=0 if whole else 2)
            number.setFixedWidth(160)
            return NumberEntry(name, param, Field(title, number, hint=hint), number, read, factor, whole=whole)
        case Choice(name, param, title, hint, options):
            choice = QComboBox()
            for text, value in options:
                choice.addItem(text, value)
            choice.setFixedWidth(160)
            return ChoiceEntry(name, param, Field(title, choice, hint=hint), choice, read)
        case Words(name, param, title, hint, placeholder, parse, spell):
            line = QLineEdit()
            line.setPlaceholderText(placeholder)
            field = Field(title, line, hint=hint)
            return TextEntry(name, param, field, line, lambda s: spell(read(s)), lambda text, _: parse(text))
