"""Named filters of the geofence table, saved with the workspace."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from app.desktop.language import counted, tr
from app.desktop.model.fence_table.sieve import MAX_LETTERS
from app.desktop.model.natural import natural_key
from app.desktop.model.notify import Notifier
from app.desktop.model.window_file import read_window, write_window
from engine.domain.errors import InvalidParameter
from engine.store.workspace import WINDOW

MAX_FILTERS: Final = 50
MAX_NAME: Final = 60

_FIELD: Final = "geofenceFilters"


class SavedFilter(Struct, frozen=True):
    """A saved filter: its text as typed, and its name."""

    name: str
    text: str


class SavedFilters:
    """The saved filters, in natural order of their names. Names are unique regardless of case."""

    def __init__(self) -> None:
        self._filters: tuple[SavedFilter, ...] = ()
        self.changed: Notifier[[]] = Notifier()
        """Emitted when the filters have changed and must be saved."""

    def __len__(self) -> int:
        return len(self._filters)

    @property
    def all(self) -> tuple[SavedFilter, ...]:
        """The filters."""
        return self._filters

    def load(self, filters: Iterable[SavedFilter]) -> None:
        """Replace the filters with those of another workspace."""
        self._filters = _sorted(filters)

    def named(self, name: str) -> SavedFilter | None:
        """Return the filter with a name."""
        return next((each for each in self._filters if _same(each.name, name)), None)

    def of_text(self, text: str) -> SavedFilter | None:
        """Return the filter with a text."""
        return next((each for each in self._filters if each.text == text.strip()), None)

    def save(self, name: str, text: str) -> SavedFilter:
        """Save a filter, replacing any filter with the same name.

        Raises `InvalidParameter` for ``name`` if it is not valid.
        """
        made = SavedFilter(_checked(name), text.strip()[:MAX_LETTERS])
        others = [each for each in self._filters if not _same(each.name, made.name)]
        if len(others) >= MAX_FILTERS:
            raise InvalidParameter(
                "name",
                tr("name: at most {max_filters} filters can be saved; delete one first.", max_filters=MAX_FILTERS),
            )
        self._set([*others, made])
        return made

    def rename(self, old: str, new: str) -> None:
        """Rename a filter.

        Raises `InvalidParameter` for ``name`` if another filter already has that name.
        """
        name, found = _checked(new), self.named(old)
        if found is None:
            return
        others = [each for each in self._filters if each is not found]
        if any(_same(each.name, name) for each in others):
            raise InvalidParameter("name", tr("name: there is a filter {filter_name!r} already.", filter_name=name))
        self._set([*others, SavedFilter(name, found.text)])

    def delete(self, name: str) -> None:
        """Delete a filter."""
        self._set([each for each in self._filters if not _same(each.name, name)])

    def _set(self, filters: Iterable[SavedFilter]) -> None:
        self._filters = _sorted(filters)
        self.changed.emit()


def read_filters(folder: Path) -> tuple[tuple[SavedFilter, ...], str]:
    """Return the filters saved in a workspace and a description of any problem with the file, or ""."""
    try:
        found = read_window(folder).get(_FIELD, [])
    except (OSError, ValueError) as error:
        return (), tr("The saved filters in {file_name} cannot be read: {error}.", file_name=WINDOW, error=error)
    if not isinstance(found, list):
        return (), tr(
            "The saved filters in {file_name} cannot be read: {field_name} is not a list.",
            file_name=WINDOW,
            field_name=_FIELD,
        )
    read = dict[str, SavedFilter]()
    for each in found[:MAX_FILTERS]:
        if (made := _filter_of(each)) is not None:
            read.setdefault(made.name.casefold(), made)
    left_out = len(found) - len(read)
    problem = (
        tr(
            "{saved_filters} in {file_name} cannot be used and will be left out.",
            saved_filters=counted(left_out, "saved filter"),
            file_name=WINDOW,
        )
        if left_out
        else ""
    )
    return tuple(read.values()), problem


def write_filters(folder: Path, filters: Iterable[SavedFilter]) -> None:
    """Save filters in a workspace; raises `OSError`."""
    write_window(folder, _FIELD, [{"name": each.name, "text": each.text} for each in filters])


def _filter_of(value: Any) -> SavedFilter | None:
    if not isinstance(value, dict):
        return None
    name, text = value.get("name"), value.get("text")
    if not (isinstance(name, str) and isinstance(text, str) and len(text) <= MAX_LETTERS):
        return None
    try:
        return SavedFilter(_checked(name), text)
    except InvalidParameter:
        return None


def _checked(name: str) -> str:
    stripped = " ".join(name.split())
    if not stripped:
        raise InvalidParameter("name", tr("name: must not be empty."))
    if len(stripped) > MAX_NAME:
        raise InvalidParameter(
            "name",
            tr(
                "name: at most {max_length} characters are allowed, not {length}.",
                max_length=MAX_NAME,
                length=len(stripped),
            ),
        )
    return stripped


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _sorted(filters: Iterable[SavedFilter]) -> tuple[SavedFilter, ...]:
    return tuple(sorted(filters, key=lambda each: (natural_key(each.name), each.name)))
