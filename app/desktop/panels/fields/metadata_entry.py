"""The field of a record's metadata."""

from __future__ import annotations

from typing import Protocol

from app.desktop.model.editing.metadata import line_of, merged
from app.desktop.panels.fields.metadata import MetadataEdit
from app.desktop.panels.fields.tables import TableEntry
from app.desktop.panels.widgets import Field
from engine.domain.metadata import Metadata, MetadataValue


class Described(Protocol):
    """A record with metadata."""

    @property
    def metadata(self) -> Metadata:
        """Metadata of the record."""
        ...


class MetadataEntry[Record: Described](TableEntry[Record, MetadataEdit]):
    """The metadata as a whole. Keys changed elsewhere while the user edits another key are kept."""

    def __init__(self, field: Field, editor: MetadataEdit) -> None:
        super().__init__("metadata", field, editor)
        editor.committed.connect(self._on_committed)

    def value(self, record: Record) -> dict[str, MetadataValue]:
        """Return the metadata."""
        return dict(record.metadata)

    def words(self, record: Record) -> str:
        """Return the metadata in one line."""
        return line_of(record.metadata)

    def fill(self, record: Record) -> None:
        """Show the metadata."""
        self.editor.set_value(record.metadata)

    def _on_committed(self, metadata: dict[str, MetadataValue]) -> None:
        if self._base is not None and self._now is not None:
            metadata = merged(self._base.metadata, metadata, self._now.metadata)
        self.give(metadata)
