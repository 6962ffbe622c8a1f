"""Users as rows: sorted and filtered. Each keeps its row until they are sorted again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from enum import IntEnum
from itertools import islice
from typing import Any, Final

from app.desktop.language import tr
from app.desktop.model.natural import natural_key
from app.desktop.model.notify import Notifier
from app.desktop.model.users import user_name
from app.desktop.model.words import fence_name
from engine.domain.tracking.updates import User

KEPT: Final = 20_000
"""Maximum number of users listed. Beyond that, those seen longest ago are left out."""

_NAMED: Final = 3


class UserColumn(IntEnum):
    """Columns from left to right."""

    NAME = 0
    INSIDE = 1
    SEEN = 2
    ACCURACY = 3
    PLACE = 4
    TRIP = 5


class UserRows:
    """The listed users. Updates of a user appear in its current row; `arrange` moves the row to its sorted position."""

    def __init__(self) -> None:
        self._users: dict[str, User] = {}
        self._names: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self._order: list[str] = []
        self._row: dict[str, int] = {}
        self._words: tuple[str, ...] = ()
        self._column, self._descending = UserColumn.NAME, False
        self.stale = False
        """Whether some users would be in other rows after sorting, or are not listed yet."""
        self.arranging: Notifier[[]] = Notifier()
        self.arranged: Notifier[[]] = Notifier()
        self.changed: Notifier[[int, int]] = Notifier()
        """Emitted with the first and last row that changed."""

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, row: int) -> User:
        return self._users[self._order[row]]

    @property
    def total(self) -> int:
        """Number of all users, regardless of the filter."""
        return len(self._users)

    def id_at(self, row: int) -> str:
        """Return the ID of the user in a row."""
        return self._order[row]

    def row(self, user_id: str) -> int | None:
        """Return the row of a user, or None."""
        return self._row.get(user_id)

    def replace(self, users: Iterable[User]) -> None:
        """Replace all users with the given ones."""
        self._users, self._texts = {}, {}
        for user in users:
            self._users[user.id] = user
        self._names = {user.id: natural_key(user_name(user)) for user in self._users.values()}
        self.arrange()

    def take(self, users: Iterable[User]) -> None:
        """Add or update users. They are listed and sorted by the next `arrange`."""
        rows = []
        for user in users:
            self._users.pop(user.id, None)
            self._users[user.id] = user
            self._texts.pop(user.id, None)
            self._names[user.id] = natural_key(user_name(user))
            if (row := self._row.get(user.id)) is not None:
                rows.append(row)
        self.stale = True
        if rows:
            self.changed.emit(min(rows), max(rows))

    def filter(self, text: str) -> None:
        """List only the users whose searchable text contains every word of `text`."""
        self._words = tuple(text.lower().split())
        self.arrange()

    def sort(self, column: UserColumn, *, descending: bool) -> None:
        """Sort by a column."""
        self._column, self._descending = column, descending
        self.arrange()

    def arrange(self) -> None:
        """Sort and filter the rows, and drop the users seen longest ago if there are too many."""
        self.stale = False
        dropped = set(islice(self._users, max(0, len(self._users) - KEPT)))
        wanted = [user for user in self._users.values() if user.id not in dropped and self._passes(user)]
        # Ties are sorted by name in ascending order, regardless of the sort direction.
        wanted.sort(key=lambda user: (self._names[user.id], user.id))
        if self._column is not UserColumn.NAME or self._descending:
            wanted.sort(key=_key_of(self._column, self._names), reverse=self._descending)
        order = [user.id for user in wanted]
        moves = order != self._order
        if moves:
            self.arranging.emit()
        for user_id in dropped:
            del self._users[user_id]
            self._names.pop(user_id, None)
            self._texts.pop(user_id, None)
        if moves:
            self._order = order
            self._row = {user_id: row for row, user_id in enumerate(order)}
            self.arranged.emit()

    def _passes(self, user: User) -> bool:
        if not self._words:
            return True
        text = self._texts.get(user.id)
        if text is None:
            text = self._texts[user.id] = "\n".join(filter(None, _search_texts(user))).lower()
        return all(word in text for word in self._words)


def _search_texts(user: User) -> Iterator[str | None]:
    yield from (user.user_id, user.device_id, user.id, user.description)
    for fence in user.geofences:
        yield from (fence.description, f"{fence.tag}/{fence.external_id}")
    for beacon in user.beacons:
        yield from (beacon.description, f"{beacon.tag}/{beacon.external_id}")
    yield from (inside_text(user), place_text(user), trip_text(user))


def _key_of(column: UserColumn, names: dict[str, str]) -> Callable[[User], Any]:
    match column:
        case UserColumn.NAME:
            return lambda user: names[user.id]
        case UserColumn.INSIDE:
            return lambda user: (len(user.geofences), inside_text(user))
        case UserColumn.PLACE:
            return place_text
        case UserColumn.TRIP:
            return trip_text
        case UserColumn.SEEN:
            return lambda user: user.updated_at
        case UserColumn.ACCURACY:
            return lambda user: user.fix.accuracy_m


def inside_text(user: User) -> str:
    """Return the geofences a user is in, and the nearby beacons."""
    names = [fence_name(fence) for fence in user.geofences]
    names += [beacon.description or beacon.external_id for beacon in user.beacons]
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (tr(" and {more:,} more", more=more) if more > 0 else "")


def place_text(user: User) -> str:
    """Return the place a user is at."""
    return user.place.name if user.place is not None else ""


def trip_text(user: User) -> str:
    """Return the trip a user is on."""
    return f"{user.trip.external_id}, {user.trip.status}" if user.trip is not None else ""


def ago(at: datetime, now: datetime) -> str:
    """Return the elapsed time in the largest unit that fits."""
    seconds = int((now - at).total_seconds())
    if seconds < 0:
        return tr("in the future")
    if seconds < 60:
        return tr("{seconds} s ago", seconds=seconds)
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return tr("{count:,} {unit} ago", count=seconds // length, unit=unit)
    raise AssertionError(seconds)
