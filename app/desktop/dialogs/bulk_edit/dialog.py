"""Editing several geofences at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QDialog, QProgressBar, QWidget

from app.desktop.dialogs.bulk_edit.fields import BulkField, HoursEdit, choice_field, number_field, text_field
from app.desktop.language import counted, tr
from app.desktop.map.values import Theme
from app.desktop.model.editing.bulk import (
    all_circles,
    bulk_change,
    is_empty,
    keys_of,
    keys_text,
    shared,
    zone_of_all,
)
from app.desktop.model.fields.geofence import IN_BULK, FenceField
from app.desktop.model.moments import parse_moment, spell_moment
from app.desktop.model.project import join_ids, spell_ranges, split_ids
from app.desktop.model.words import error_text
from app.desktop.operations import Task
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.fields.metadata import MetadataEdit
from app.desktop.panels.fields.moment import MomentEdit
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import GRID, Field, FormPage, button, label, panel
from engine.domain.errors import Conflict, InvalidParameter
from engine.domain.fields.rows import ValueKind
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.ip import parse_ip_ranges
from engine.domain.metadata import MetadataValue
from engine.domain.settings import ProjectSettings


class BulkEditDialog(QDialog):
    """Shows the common values of several geofences; `applied` carries the change of the edited fields."""

    applied = Signal(object)

    def __init__(
        self, parent: QWidget, fences: Sequence[Geofence], tags: Iterable[str], settings: ProjectSettings, theme: Theme
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.resize(620, 640)
        self.fences: tuple[Geofence, ...] = ()
        self._zone = zone_of_all(fences)
        self._added: dict[str, MetadataValue] = {}
        self._problem: str | None = None
        self.fields = {field.name: field for field in self._make_fields(tags, settings, theme)}
        self._align()
        self.metadata = MetadataEdit()
        self.metadata.committed.connect(self._on_metadata)
        self.metadata.refused.connect(self._on_refused)
        self.removed = TextLine()
        self.removed.setPlaceholderText(tr("none"))
        self.removed.textEdited.connect(lambda _: self._on_touched())
        self._keys = label(role="hint", wrap=True)
        self._metadata_field = Field(tr("Set metadata"), self.metadata, self.metadata.table, gap=False)
        self._removed_field = Field(tr("Remove metadata keys"), self.removed, hint=tr("Comma-separated"), gap=False)
        self.note = label(role="hint", wrap=True)
        self.problem = label(role="error", wrap=True)
        self.apply = button(tr("Apply"), self._apply, "primary")
        self.cancel = button(tr("Cancel"), self.reject)
        self._task: Task | None = None
        self._busy = False
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Progress"))
        self.bar.setTextVisible(False)
        self.bar.hide()
        self._arrange()
        self.show_fences(fences)

    def show_fences(self, fences: Sequence[Geofence]) -> None:
        """Show the current state of the geofences and keep the user's input."""
        self.fences = tuple(fences)
        self.setWindowTitle(tr("Edit {geofences}", geofences=counted(len(fences), "geofence")))
        self.note.setText(
            tr(
                "Only checked fields are applied, to all selected geofences. Dates are in {time_zone}.",
                time_zone=self._zone.key,
            )
        )
        for field in self.fields.values():
            if field.name == "size":
                field.setVisible(all_circles(fences))
            if not field.isHidden():
                field.show_shared(shared(fences, field.name))
        keys = keys_text(fences)
        self._keys.setText(tr("In use: {keys}", keys=keys) if keys else tr("No metadata in use."))
        completer = QCompleter(QStringListModel(list(keys_of(fences)), self), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.removed.setCompleter(completer)
        self._on_touched()

    def show_error(self, param: str, message: str) -> None:
        """Show an error, at its field if it has one."""
        self._enable()
        self.problem.setText(message)
        self.problem.show()
        field = self.fields.get(param)
        if field is not None and field.is_touched:
            field.field.show_error(message)

    def set_busy(self, busy: bool) -> None:
        """Prevent a second run, even if the user fills in other fields in the meantime."""
        self._busy = busy
        self._enable()

    def follow(self, task: Task) -> None:
        """Show the progress of a long change that was applied; *Cancel* ends it."""
        self._task = task
        self.bar.setRange(0, 0)
        self.bar.show()
        task.progressed.connect(self._on_progress)
        task.ended.connect(self._on_ended)

    def reject(self) -> None:
        """Cancel the running change and leave the dialog open, or close it if none is running."""
        if self._task is None:
            super().reject()
        else:
            self._task.cancel()
            self.cancel.setEnabled(False)

    def discard(self) -> None:
        """Close the dialog, even if a change is running."""
        self.done(QDialog.DialogCode.Rejected)

    def _on_progress(self, done: int, total: int) -> None:
        self.bar.setRange(0, total)
        self.bar.setValue(done)

    def _on_ended(self) -> None:
        self._task = None
        self.bar.hide()
        self.cancel.setEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Let Enter finish a field without applying the changes."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    # User input

    def _has_something(self) -> bool:
        fields = any(field.is_touched for field in self.fields.values())
        return fields or bool(self._added) or bool(split_ids(self.removed.text()))

    def _on_touched(self) -> None:
        self.problem.hide()
        self._enable()

    def _enable(self) -> None:
        self.apply.setEnabled(self._has_something() and not self._busy)

    def _on_metadata(self, metadata: dict[str, MetadataValue]) -> None:
        self._added, self._problem = metadata, None
        self._metadata_field.show_error(None)
        self._on_touched()

    def _on_refused(self, problem: str) -> None:
        self._problem = problem
        self._metadata_field.show_error(problem)

    def _apply(self) -> None:
        self.metadata.table.take()
        change = self._read()
        if change is not None and not is_empty(change):
            self.applied.emit(change)

    def _read(self) -> GeofenceChange | None:
        """Return the change, or None after showing the error."""
        values: dict[str, object] = {}
        for field in self.fields.values():
            if field.is_touched:
                try:
                    values[field.name] = field.value()
                except (InvalidParameter, Conflict) as error:
                    self.show_error(field.name, error_text(error))
                    return None
        if self._problem is not None:
            self.show_error("metadata", self._problem)
            return None
        try:
            return bulk_change(values, self._added, split_ids(self.removed.text()))
        except InvalidParameter as error:
            self.show_error("metadata", error_text(error))
            return None

    # Construction

    def _align(self) -> None:
        """Align all fields to the longest title."""
        checks = [field.check for field in self.fields.values()]
        for check in checks:
            check.ensurePolished()
        width = max(check.sizeHint().width() for check in checks)
        for check in checks:
            check.setMinimumWidth(width)

    def _make_fields(self, tags: Iterable[str], settings: ProjectSettings, theme: Theme) -> list[BulkField]:
        return [self._make_field(field, tags, settings, theme) for field in IN_BULK]

    def _make_field(self, field: FenceField, tags: Iterable[str], settings: ProjectSettings, theme: Theme) -> BulkField:
        name, title = field.name, field.title
        default = field.unset if field.default is None else field.default(settings)
        match field.kind:
            case ValueKind.TEXT:
                return text_field(name, title, str, str, line=self._make_tag(tags))
            case ValueKind.FLAG if field.unset:
                return choice_field(name, title, ((default, None), (tr("on"), True), (tr("off"), False)))
            case ValueKind.FLAG:
                return choice_field(name, title, ((tr("Yes"), True), (tr("No"), False)))
            case ValueKind.NUMBER:
                return number_field(name, title, "m", default, 1.0)
            case ValueKind.SECONDS:
                return number_field(name, title, "min", default, 60.0)
            case ValueKind.HOURS:
                return self._make_hours(theme)
            case ValueKind.MOMENT:
                return self._make_moment(name, title, theme)
            case ValueKind.IDS:
                return text_field(name, title, join_ids, split_ids, empty=default)
        return text_field(name, title, spell_ranges, parse_ip_ranges, empty=default)

    def _make_tag(self, tags: Iterable[str]) -> TextLine:
        tag = TextLine()
        completer = QCompleter(QStringListModel(list(tags), self), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        tag.setCompleter(completer)
        return tag

    def _make_hours(self, theme: Theme) -> BulkField:
        edit = HoursEdit()
        edit.week.set_theme(theme)

        def read() -> object:
            hours = edit.hours()
            if edit.problem is not None:
                raise InvalidParameter("operating_hours", edit.problem)
            return hours

        made = BulkField("operating_hours", tr("Operating hours"), edit, edit.show_hours, read, edit.edited)
        made.check.toggled.connect(lambda on: edit.decide() if on else None)
        return made

    def _make_moment(self, name: str, title: str, theme: Theme) -> BulkField:
        editor = MomentEdit(title)
        editor.set_theme(theme)

        def spell(value: Any) -> str:
            return spell_moment(value, self._zone)

        made = text_field(
            name,
            title,
            spell,
            lambda text: parse_moment(text, self._zone, name),
            empty=tr("never"),
            line=editor.line,
            editor=editor,
        )
        editor.chosen.connect(made.touch)
        return made

    def _arrange(self) -> None:
        body, column = panel(margins=12)
        column.setSpacing(GRID)
        for field in self.fields.values():
            field.touched.connect(self._on_touched)
            column.addWidget(field)
        for widget in (self._metadata_field, self._keys, self._removed_field):
            column.addWidget(widget)
        column.addStretch(1)
        in_dialog(
            self, self.note, (FormPage(body), 1), self.problem, in_row((self.bar, 1), STRETCH, self.cancel, self.apply)
        )
