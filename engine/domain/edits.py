"""Edits of geofences: who or what made each, and what it changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from enum import StrEnum
from typing import Final

from msgspec import Struct

from engine.domain.geofence import Geofence

MAX_DETAIL: Final = 120
"""How many characters are kept of what an author says of themselves: some of it comes from outside."""


class EditSource(StrEnum):
    """Who or what edits geofences."""

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
    """Who or what makes an edit; `detail` is a step, a file or a client, never a secret."""

    source: EditSource
    detail: str = ""


_PROGRAM: Final = Author(EditSource.PROGRAM)
_author: ContextVar[Author] = ContextVar("author", default=_PROGRAM)


def current_author() -> Author:
    """Return who or what edits geofences in this thread or task now."""
    return _author.get()


@contextmanager
def editing_as(source: EditSource, detail: str = "") -> Iterator[None]:
    """Have the edits that begin in here be those of an author."""
    shown = "".join(letter for letter in detail if letter.isprintable())
    token = _author.set(Author(source, shown if len(shown) <= MAX_DETAIL else f"{shown[: MAX_DETAIL - 1]}…"))
    try:
        yield
    finally:
        _author.reset(token)


class GeofenceEdit(Struct, frozen=True):
    """An edit of one geofence: what it was before and after, None where it was not there.

    `at` and `author` are None where they were not noted. `first_kept`: what was there before is not kept any more.
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
        """The geofence, as the edit left it if it did."""
        found = self.after or self.before
        assert found is not None
        return found


class EditPage(Struct, frozen=True):
    """Edits of one geofence, newest first; `older` is to be asked for those before them, None where there are none."""

    edits: tuple[GeofenceEdit, ...]
    older: int | None = None
