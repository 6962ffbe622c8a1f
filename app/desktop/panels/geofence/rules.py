"""The rules of a geofence for its events and its lifetime."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from PySide6.QtWidgets import QWidget

from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.editing.pending_words import Waiting
from app.desktop.model.fences import zone_of
from app.desktop.model.fields.geofence import OF_RULES, FenceField
from app.desktop.model.moments import parse_moment, spell_moment
from app.desktop.model.project import join_ids, spell_ranges, split_ids
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.fields.entries import ChoiceEntry, NumberEntry, TextEntry
from app.desktop.panels.fields.entry import Entry
from app.desktop.panels.fields.moment import MomentEdit
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.fields.section import Section
from app.desktop.panels.widgets import Field, label, tip_text
from engine.domain.fields.rows import ValueKind
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.ip import parse_ip_ranges
from engine.domain.settings import ProjectSettings


class RulesSection(Section):
    """The page of the form with all rules except the hours: stop detection, dwell, users and expiry."""

    def __init__(self) -> None:
        super().__init__(tr("Rules"))
        self.fields = tuple(field for field in OF_RULES if field.kind is not ValueKind.HOURS)
        self.editors: dict[str, Any] = {field.name: _editor(field) for field in self.fields}
        self.zone = label(role="hint", wrap=True)
        self.take(*(self._entry(field) for field in self.fields))
        for entry in self.entries:
            self.column.addWidget(entry.field)
        self.column.addWidget(self.zone)
        self.column.addStretch(1)

    def is_set(self, fence: Geofence) -> bool:
        """Return whether the geofence sets a rule of its own."""
        return any(field.row.value(fence) != field.row.unset for field in self.fields)

    def show_fence(
        self, fence: Geofence, before: Geofence | None, waiting: Waiting[GeofenceChange], shown: GeofenceChange
    ) -> None:
        """Show a geofence and the time zone of its dates."""
        super().show_fence(fence, before, waiting, shown)
        self.zone.setText(
            tr("Dates are in the geofence's time zone, {time_zone}.", time_zone=zone_of(fence.geometry).key)
        )

    def set_project(self, settings: ProjectSettings) -> None:
        """Explain the effect of following the project."""
        for field in self.fields:
            if field.default is None:
                continue
            match self.editors[field.name]:
                case ChoiceBox() as choice:
                    choice.setItemText(0, field.default(settings))
                case NumberBox() as number:
                    number.set_unset(field.default(settings))

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        for editor in self.editors.values():
            if isinstance(editor, MomentEdit):
                editor.set_theme(theme)

    def _entry(self, field: FenceField) -> Entry[Geofence]:
        name, value, editor = field.name, field.row.value, self.editors[field.name]
        match field.kind:
            case ValueKind.FLAG:
                return ChoiceEntry(name, Field(field.title, editor), editor, value, (None, True, False))
            case ValueKind.SECONDS:
                return NumberEntry(name, Field(field.title, editor), editor, value, 60.0)
            case ValueKind.MOMENT:
                return _moment(field, editor)
        spell, parse = _TEXTS[field.kind]
        box = Field(field.title, editor)
        return TextEntry(name, box, editor, lambda fence: spell(value(fence)), lambda text, _: parse(text))


_TEXTS: Final[Mapping[ValueKind, tuple[Callable[[Any], str], Callable[[str], object]]]] = {
    ValueKind.IDS: (join_ids, split_ids),
    ValueKind.RANGES: (spell_ranges, parse_ip_ranges),
}
"""How values of each kind are formatted and parsed."""


def _editor(field: FenceField) -> QWidget:
    match field.kind:
        case ValueKind.FLAG:
            box = ChoiceBox()
            for text, value in ((field.unset, None), (tr("on"), True), (tr("off"), False)):
                box.addItem(text, value)
            return box
        case ValueKind.SECONDS:
            return NumberBox("min", unset=field.unset)
        case ValueKind.MOMENT:
            return MomentEdit(field.title)
    line = TextLine()
    line.setPlaceholderText(field.unset)
    line.setToolTip(tip_text(field.hint))
    return line


def _moment(field: FenceField, editor: MomentEdit) -> Entry[Geofence]:
    def spell(fence: Geofence) -> str:
        at = field.row.value(fence)
        return spell_moment(at, zone_of(fence.geometry)) if at else ""

    entry = TextEntry[Geofence](
        field.name,
        Field(field.title, editor, editor.line),
        editor.line,
        spell,
        lambda text, fence: parse_moment(text, zone_of(fence.geometry), field.name),
    )
    editor.chosen.connect(entry.propose)
    return entry
