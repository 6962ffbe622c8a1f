"""Edits of geofences, with their authors and changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from enum import StrEnum
from typing import Final

from msgspec import Struct

from engine.domain.geofence import Geofence

MAX_DETAIL: Final = 120
"""Maximum number of characters kept of an author's detail, which may come from outside."""


class EditSource(StrEnum):
    """The sources of edits of geofences."""

    WINDOW = "window"
    API = "api"
    IMPORT = "import"
    IMPORT_UNDO = "import-undo"
    SYNC = "sync"
    PROMOTION = "promotion"
    CHECKS = "checks"
    EXPIRY = "expiry"
    RESET = "reset"
    PROGRAM = "program"


class Author(Struct, frozen=True):
    """The author of an edit; `detail` is a step, a file or a client, never a secret."""

    source: EditSource
    detail: str = ""


_PROGRAM: Final = Author(EditSource.PROGRAM)
_author: ContextVar[Author] = ContextVar("author", default=_PROGRAM)


def current_author() -> Author:
    """Return the current author of edits in this thread or task."""
    return _author.get()


@contextmanager
def editing_as(source: EditSource, detail: str = "") -> Iterator[None]:
    """Attribute the edits that begin within this context to an author."""
    shown = "".join(letter for letter in detail if letter.isprintable())
    token = _author.set(Author(source, shown if len(shown) <= MAX_DETAIL else f"{shown[: MAX_DETAIL - 1]}…"))
    try:
        yield
    finally:
        _author.reset(token)


class GeofenceEdit(Struct, frozen=True):
    """An edit of one geofence, with its state before and after, or None if it did not exist.

    `at` and `author` are None if they were not recorded. `first_kept` is set if the earlier states are no longer kept.
    """

    geofence_id: str
    revision: int
    before: Geofence | None
    after: Geofence | None
    at: datetime | None = None
    author: Author | None = None
    first_kept: bool = False

    @property
    def geofence(self) -> Geofence:
        """The geofence after the edit, or before it if it was deleted."""
        found = self.after or self.before
        assert found is not None
        return found


class EditPage(Struct, frozen=True):
    """Edits of one geofence, newest first; `older` requests the next page, and is None on the last one."""

    edits: tuple[GeofenceEdit, ...]
    older: int | None = None
