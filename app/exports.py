"""Exports of records: events and users, their filter, and file formats."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.queries import EventFilter, UserFilter

type Batches = Iterator[list[dict[str, Any]]]
"""Batches of records in their wire format."""


class RecordKind(StrEnum):
    """The records that can be exported."""

    EVENTS = "events"
    USERS = "users"


class FileFormat(StrEnum):
    """The file formats."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


_ENDINGS: Final = {
    "": FileFormat.CSV,
    ".csv": FileFormat.CSV,
    ".jsonl": FileFormat.JSONL,
    ".ndjson": FileFormat.JSONL,
    ".parquet": FileFormat.PARQUET,
}


def format_of(file: Path) -> FileFormat:
    """Return the format for the extension of a file, or CSV if it has none. Raises as `known_ending` does."""
    return known_ending(file, _ENDINGS)


def known_ending[T](file: Path, endings: Mapping[str, T]) -> T:
    """Return the value for the extension of a file. Raises `InvalidParameter` naming `output`."""
    ending = file.suffix.lower()
    if ending not in endings:
        *most, last = filter(None, endings)
        raise InvalidParameter(
            "output",
            f"output: {ending} is not a known file extension. Use {', '.join(most)} or {last}.",
        )
    return endings[ending]


class RecordFilter(Struct, frozen=True, kw_only=True):
    """Filter of records: by user, by device, by event types, and between two times.

    The time of an event is that of its location update. The time of a user is that of the last one.
    """

    user_id: str | None = None
    device_id: str | None = None
    types: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    after: datetime | None = None
    before: datetime | None = None

    @property
    def of_events(self) -> EventFilter:
        """The filter, as it applies to events."""
        return EventFilter(
            user_id=self.user_id,
            device_id=self.device_id,
            types=self.types,
            tags=self.tags,
            created_after=self.after,
            created_before=self.before,
        )

    @property
    def of_users(self) -> UserFilter:
        """The filter of users, which have neither types nor tags."""
        return UserFilter(
            user_id=self.user_id, device_id=self.device_id, updated_after=self.after, updated_before=self.before
        )


EVERYTHING = RecordFilter()
