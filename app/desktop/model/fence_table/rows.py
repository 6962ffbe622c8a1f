"""The rows of the table of geofences: filtered and sorted, with the results cached and computed in slices.

A geofence has a slot, a number that it keeps until it is deleted. Computed values are in lists by slot, one for the
words and one for each column that was sorted by. A change updates one entry of each. Sorting works on slots and begins
with the previous order, so that a list with few changes is sorted quickly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from time import perf_counter
from typing import Any, Final

from app.desktop.language import tr
from app.desktop.model.fence_table.columns import HOURS, MOST_KEYS, NAME, Column
from app.desktop.model.fence_table.sieve import FenceSieve
from app.desktop.model.fences import FenceDelta
from app.desktop.model.notify import Notifier
from app.desktop.model.search.fences import ID_LETTERS, text_of
from app.desktop.model.selection import runs_of
from engine.domain.geofence import Geofence

AT_ONCE: Final = 2_000
"""Maximum number of geofences to process without a pause; that many take no noticeable time."""

_LOOKED_AT: Final = 256
_TEXT: Final = "text"

type _Maker = Callable[[Geofence], Any]


class FenceRows:
    """The geofences that pass the filter, in the order of a column.

    `take` updates changed geofences in place; `arrange` moves them to their new rows. If there is much to do, `work`
    does it a slice at a time while `busy`. The rows do not change until then.
    """

    def __init__(self, is_closed: Callable[[str], bool]) -> None:
        self._is_closed = is_closed
        self._fences: list[Geofence | None] = []
        self._slots: dict[str, int] = {}
        self._left: list[int] = []
        """Slots of deleted geofences that may still be among the rows."""
        self._free: list[int] = []
        self._made: dict[str, list[Any]] = {}
        self._makers: dict[str, _Maker] = {_TEXT: text_of, NAME.name: NAME.key}
        self._sorted: dict[tuple[str, bool], list[int]] = {}
        self._changed = True
        """Whether geofences have changed since they were sorted."""
        self._order: list[int] = []
        self._row: dict[str, int] | None = None
        self._sieve = FenceSieve()
        self._column, self._descending = NAME, False
        self.stale = False
        """Whether some rows are out of order or missing."""
        self.arranging: Notifier[[]] = Notifier()
        self.arranged: Notifier[[]] = Notifier()
        self.changed: Notifier[[int, int]] = Notifier()
        """Emitted with the first and the last row that changed."""

    def __len__(self) -> int:
        return len(self._order)

    # Rows

    @property
    def total(self) -> int:
        """Number of all geofences, with or without the filter."""
        return len(self._slots)

    @property
    def sieve(self) -> FenceSieve:
        """The filter."""
        return self._sieve

    @property
    def column(self) -> Column:
        """The column by which the rows are sorted."""
        return self._column

    @property
    def descending(self) -> bool:
        """Whether the rows are in descending order."""
        return self._descending

    @property
    def by_time(self) -> bool:
        """Whether the rows change when geofences open, close or expire."""
        return self._column.volatile or self._sieve.by_time

    def fence(self, row: int) -> Geofence | None:
        """Return the geofence of a row, or None if it was just deleted."""
        return self._fences[self._order[row]]

    def fences(self, first: int, last: int) -> list[Geofence]:
        """Return the geofences of some rows, both ends included."""
        return [fence for slot in self._order[first : last + 1] if (fence := self._fences[slot]) is not None]

    def row(self, fence_id: str) -> int | None:
        """Return the row of a geofence, or None if it is not listed."""
        return self._rows_by_id().get(fence_id)

    def listed(self, fence_ids: Iterable[str]) -> list[str]:
        """Return those of the given geofences that are listed."""
        rows = self._rows_by_id()
        return [fence_id for fence_id in fence_ids if fence_id in rows]

    def runs(self, fence_ids: Iterable[str]) -> list[tuple[int, int]]:
        """Return the rows of some geofences as runs, with both ends included."""
        rows = self._rows_by_id()
        return runs_of(sorted([rows[fence_id] for fence_id in fence_ids if fence_id in rows]))

    def _rows_by_id(self) -> dict[str, int]:
        """Return the row of each listed geofence, computed on first use."""
        if self._row is None:
            fences = self._fences
            self._row = {fence.id: row for row, slot in enumerate(self._order) if (fence := fences[slot]) is not None}
        return self._row

    def text(self, row: int, column: Column) -> str:
        """Return the text of a cell."""
        fence = self.fence(row)
        if fence is None:
            return ""
        return self._hours_text(fence) if column is HOURS else column.text(fence)

    def keys(self) -> tuple[str, ...]:
        """Return the metadata keys, most frequent first."""
        counted = Counter(key for fence in self._fences if fence is not None for key in fence.metadata)
        return tuple(key for key, _ in counted.most_common(MOST_KEYS))

    def _hours_text(self, fence: Geofence) -> str:
        if fence.rules.operating_hours is None:
            return tr("Always open")
        return tr("Closed now") if self._is_closed(fence.id) else tr("Open now")

    # Data

    def replace(self, fences: Sequence[Geofence]) -> None:
        """List exactly these geofences."""
        self.arranging.emit()
        self._fences = [*fences]
        self._slots = {fence.id: slot for slot, fence in enumerate(fences)}
        self._made.clear()
        self._sorted.clear()
        self._changed = True
        self._left, self._free, self._order, self._row = [], [], [], None
        self.arranged.emit()
        self._need_arranging()

    def take(self, delta: FenceDelta) -> None:
        """Apply changes of geofences."""
        many = len(delta.upserted) > AT_ONCE
        if many:
            # All values are recomputed in slices.
            self._made.clear()
        rows = [0, len(self._order) - 1] if many and self._order else []
        for fence_id in delta.removed:
            slot = self._slots.get(fence_id)
            if slot is not None:
                rows += self._rows_of(fence_id)
                self._rows_by_id().pop(fence_id, None)
                self._fences[slot] = None
                del self._slots[fence_id]
                self._left.append(slot)
        for fence in delta.upserted:
            self._put(fence)
            if not many:
                rows += self._rows_of(fence.id)
        self.stale = self._changed = True
        if rows:
            self.changed.emit(min(rows), max(rows))

    def _rows_of(self, fence_id: str) -> tuple[int, ...]:
        row = self.row(fence_id)
        return () if row is None else (row,)

    def _put(self, fence: Geofence) -> None:
        slot = self._slots.get(fence.id)
        if slot is None:
            slot = self._slots[fence.id] = self._new_slot()
        self._fences[slot] = fence
        for name, made in self._made.items():
            if slot < len(made):
                made[slot] = self._makers[name](fence)

    def _new_slot(self) -> int:
        if self._free:
            return self._free.pop()
        self._fences.append(None)
        return len(self._fences) - 1

    # Filter and order

    def filter(self, sieve: FenceSieve) -> None:
        """List the geofences that pass the filter."""
        self._sieve = sieve
        self._need_arranging()

    def sort(self, column: Column, *, descending: bool) -> None:
        """Sort by a column."""
        self._column, self._descending = column, descending
        self._makers[column.name] = self._hours_key if column is HOURS else column.key
        self._need_arranging()

    def _hours_key(self, fence: Geofence) -> float | None:
        return None if fence.rules.operating_hours is None else float(self._is_closed(fence.id))

    # Computation

    @property
    def busy(self) -> bool:
        """Whether there are values to compute before the rows are up to date."""
        return self.stale and self._next() is not None

    def _needed(self) -> tuple[str, ...]:
        words = (_TEXT,) if self._sieve.words else ()
        return (*words, NAME.name, *((self._column.name,) if self._column is not NAME else ()))

    def _next(self) -> str | None:
        return next((name for name in self._needed() if len(self._made.get(name, ())) < len(self._fences)), None)

    def _need_arranging(self) -> None:
        self.stale = True
        if len(self._fences) <= AT_ONCE or not self.busy:
            self.arrange()

    def work(self, seconds: float) -> None:
        """Compute some of the needed values, and arrange the rows after the last of them."""
        until = perf_counter() + seconds
        while (name := self._next()) is not None:
            self._make_some(name)
            if perf_counter() > until and self.busy:
                return
        if self.stale:
            self.arrange()

    def arrange(self) -> None:
        """Sort and filter the rows."""
        while (name := self._next()) is not None:
            self._make_some(name)
        self.stale = False
        freed = self._forget_left()
        order = self._passing(self._in_order(freed))
        # A slot that was freed and reused belongs to another geofence, even if the order is the same.
        if order == self._order and not freed:
            return
        self.arranging.emit()
        self._order, self._row = order, None
        self.arranged.emit()

    def _make_some(self, name: str) -> None:
        made, make = self._made.setdefault(name, []), self._makers[name]
        some = self._fences[len(made) : len(made) + _LOOKED_AT]
        made += [None if fence is None else make(fence) for fence in some]

    def _forget_left(self) -> set[int]:
        freed, self._left = set(self._left), []
        self._free += freed
        return freed

    def _in_order(self, freed: set[int]) -> list[int]:
        """Return all slots in the chosen order, with ties sorted by name."""
        if self._changed:
            by_name = self._sorted_by(NAME, self._present(self._sorted.get((NAME.name, False)), freed))
            self._sorted = {(NAME.name, False): by_name}
            self._changed = False
        wanted = self._column.name, self._descending
        if wanted not in self._sorted or self._column.volatile:
            self._remake_volatile()
            self._sorted[wanted] = self._sorted_by(
                self._column, self._sorted[NAME.name, False], descending=self._descending
            )
        return self._sorted[wanted]

    def _remake_volatile(self) -> None:
        if self._column.volatile:
            self._made[self._column.name] = []
            while self._next() is not None:
                self._make_some(self._column.name)

    def _sorted_by(self, column: Column, slots: list[int], *, descending: bool = False) -> list[int]:
        """Return slots in the order of a column, with missing values last."""
        keys = self._made.get(column.name, [])
        valued = [slot for slot in slots if keys[slot] is not None]
        valued.sort(key=keys.__getitem__, reverse=descending)
        return valued if len(valued) == len(slots) else valued + [slot for slot in slots if keys[slot] is None]

    def _present(self, slots: list[int] | None, freed: set[int]) -> list[int]:
        """Return the slots of all existing geofences, in their previous order if there is one."""
        if slots is None:
            return list(self._slots.values())
        there = slots if not freed else [slot for slot in slots if slot not in freed]
        if len(there) == len(self._slots):
            return there
        known = set(there)
        return [*there, *(slot for slot in self._slots.values() if slot not in known)]

    def _passing(self, slots: list[int]) -> list[int]:
        if self._sieve.is_open:
            return slots
        fences = self._fences
        for check in self._sieve.checks:
            slots = [*compress(slots, [check(fences[slot]) for slot in slots])]  # type: ignore[arg-type]
        for word in self._sieve.words:
            slots = self._holding(slots, word)
        return slots

    def _holding(self, slots: list[int], word: str) -> list[int]:
        texts, fences = self._made.get(_TEXT, []), self._fences
        if len(word) < ID_LETTERS:
            return [slot for slot in slots if word in texts[slot]]
        return [slot for slot in slots if word in texts[slot] or fences[slot].id.startswith(word)]  # type: ignore[union-attr]
