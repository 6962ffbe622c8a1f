"""Fields of a beacon: its names, position, transmitted IDs, whether it generates events, and metadata."""

from __future__ import annotations

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QCompleter, QVBoxLayout, QWidget

from app.desktop.language import tr
from app.desktop.model.beacons import TYPES
from app.desktop.model.editing.beacon_sheet import BeaconSheet, parse_point, spell_point
from app.desktop.model.fields.beacon import TEXTS
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.fields.entries import CheckEntry, ChoiceEntry, TextEntry
from app.desktop.panels.fields.entry import Entry
from app.desktop.panels.fields.metadata import MetadataEdit
from app.desktop.panels.fields.metadata_entry import MetadataEntry
from app.desktop.panels.layouts import in_row
from app.desktop.panels.widgets import GRID, Field, FormPage, button, panel
from engine.domain.fields.beacon import PART_NAMES
from engine.domain.tracking.beacon import BeaconType


class BeaconFields(FormPage):
    """All fields of a beacon. Only the transmitted IDs of the shown type are visible."""

    place_requested = Signal()

    def __init__(self) -> None:
        self.body, self._column = panel(margins=12)
        super().__init__(self.body)
        self._column.setSpacing(GRID)
        self.lines = {name: TextLine() for name in TEXTS}
        self.type, self.point, self.enabled, self.metadata = (
            ChoiceBox(),
            TextLine(),
            QCheckBox(tr("Generates events")),
            MetadataEdit(),
        )
        self.type.addItems(list(TYPES.values()))
        self.point.setPlaceholderText(tr("latitude, longitude"))
        for name, text in TEXTS.items():
            self.lines[name].setPlaceholderText(text.example)
        self.place = button(tr("Place on map"), self.place_requested.emit)
        self.place.setToolTip(tr("Click on the map where the beacon is"))
        self._tags = QStringListModel(self)
        completer = QCompleter(self._tags, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.lines["tag"].setCompleter(completer)
        self.entries = self._make_entries()
        self._arrange()

    def entry(self, name: str) -> Entry[BeaconSheet]:
        """Return the field with a name."""
        return next(entry for entry in self.entries if entry.name == name)

    def set_tags(self, tags: tuple[str, ...]) -> None:
        """Set the tags that are suggested."""
        self._tags.setStringList(list(tags))

    def show_type(self, kind: BeaconType) -> None:
        """Show the fields for the IDs that this type transmits, and hide those of other types."""
        for each, names in PART_NAMES.items():
            for name in names:
                self.entry(name).field.setVisible(each is kind)

    def _make_entries(self) -> tuple[Entry[BeaconSheet], ...]:
        place = QWidget()
        in_row((self.point, 1), self.place, of=place, margins=0, spacing=GRID)
        return (
            *(_text_entry(name, line) for name, line in self.lines.items()),
            ChoiceEntry("type", Field(tr("Type"), self.type), self.type, lambda s: s.type, tuple(TYPES)),
            TextEntry(
                "geometry",
                Field(tr("Coordinates"), place, self.point),
                self.point,
                lambda s: spell_point(s.geometry),
                lambda text, _: parse_point(text) if text.strip() else None,
            ),
            CheckEntry("enabled", Field(tr("Enabled"), self.enabled), self.enabled, lambda s: s.enabled),
            MetadataEntry(Field(tr("Metadata"), self.metadata, self.metadata.table), self.metadata),
        )

    def _arrange(self) -> None:
        for names in (
            ("description",),
            ("tag", "external_id"),
            ("geometry",),
            ("type",),
            ("uuid",),
            ("major", "minor"),
            ("uid",),
            ("instance",),
            ("enabled",),
            ("metadata",),
        ):
            fields = ((self.entry(name).field, 1, Qt.AlignmentFlag.AlignTop) for name in names)
            self._column.addLayout(in_row(*fields, spacing=GRID))
        self.foot = QVBoxLayout()
        self._column.addLayout(self.foot)
        self._column.addStretch(1)


def _text_entry(name: str, line: TextLine) -> TextEntry[BeaconSheet]:
    return TextEntry(name, Field(TEXTS[name].title, line), line, lambda sheet: getattr(sheet, name))
