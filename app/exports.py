"""Exports besides geofences: events and users, a filter of them, and kinds of files."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.queries import EventFilter, UserFilter

type Batches = Iterator[list[dict[str, Any]]]
"""Records as the wire spells them, some at a time."""


class RecordKind(StrEnum):
    """The records that can be exported."""

    EVENTS = "events"
    USERS = "users"


class FileFormat(StrEnum):
    """The kinds of file."""

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
    """Return the format that a file's name tells; CSV where it has no ending. Raises as `known_ending` does."""
    return known_ending(file, _ENDINGS)


def known_ending[T](file: Path, endings: Mapping[str, T]) -> T:
    """Return what the ending of a file's name stands for; raises `InvalidParameter` naming `output`."""
    ending = file.suffix.lower()
    if ending not in endings:
        *most, last = filter(None, endings)
        raise InvalidParameter(
            "output",
            f"output: {ending} is not a known file extension. Use {', '.join(most)} or {last}.",
        )
    return endings[ending]


class RecordFilter(Struct, frozen=True, kw_only=True):
    """Filter of records: of a user, of a device, of these types of event, between two times.

    The time of an event is that of its location update, the time of a user that of the last one.
    """

    user_id: str | None = None
    device_id: str | None = None
    types: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    after: datetime | None = None
    before: datetime | None = None

    @property
    def of_events(self) -> EventFilter:
        """The filter of events."""
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
        """The filter of users, who have neither types nor tags."""
        return UserFilter(
            user_id=self.user_id, device_id=self.device_id, updated_after=self.after, updated_before=self.before
        )


EVERYTHING = RecordFilter()
