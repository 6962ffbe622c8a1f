"""The fence list: the fences that match the search, grouped by tag and sorted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

from app.desktop.model.natural import natural_key, natural_key_of_tag
from app.desktop.model.search.fences import holds, text_of
from app.desktop.model.search.words import split
from engine.domain.geofence import Geofence

type SortKey = tuple[str, str, str]


def sort_key(fence: Geofence) -> SortKey:
    """By name as people sort, then by identifiers so that the order is always the same."""
    return (natural_key(fence.description), natural_key(fence.external_id), fence.id)


@dataclass(slots=True)
class _Prepared:
    """A fence with what listing it takes, worked out once: its text when it is searched for the first time."""

    order: tuple[str, str, str, str, str]
    fence: Geofence
    _text: str | None = None

    def holds(self, words: Sequence[str]) -> bool:
        """Whether every word is somewhere in the fence's text, or names it."""
        if self._text is None:
            self._text = text_of(self.fence)
        return holds(self._text, self.fence.id, words)


def _prepare(fence: Geofence) -> _Prepared:
    return _Prepared((natural_key_of_tag(fence.tag), fence.tag, *sort_key(fence)), fence)


@dataclass(slots=True)
class Group:
    """The fences of one tag. `number` stays its own while groups before it come and go."""

    tag: str
    number: int
    fences: list[Geofence] = field(default_factory=list)
    keys: list[SortKey] = field(default_factory=list)


class FenceTree:
    """Groups of fences. The primitive changes tell where they happen, for a view that shows rows."""

    def __init__(self) -> None:
        self.groups: list[Group] = []
        self.words: tuple[str, ...] = ()
        self._by_id: dict[str, Geofence] = {}
        self._known: dict[str, _Prepared] = {}
        self._tags: dict[int, str] = {}
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, fence_id: str) -> bool:
        return fence_id in self._by_id

    def ids(self) -> tuple[str, ...]:
        """Return the IDs of all fences that are shown, from the top."""
        return tuple(fence.id for group in self.groups for fence in group.fences)

    def search(self, text: str) -> bool:
        """Set the search; return whether it is another one. The tree has to be rebuilt then."""
        words = split(text)
        changed, self.words = words != self.words, words
        return changed

    def accepts(self, fence: Geofence) -> bool:
        """Whether every word of the search is somewhere in the fence's name, tag, external ID or metadata."""
        return self._prepared(fence).holds(self.words)

    def anew(self) -> FenceTree:
        """Return an empty tree with the same search, which knows what this one has worked out."""
        tree = FenceTree()
        tree.words, tree._known = self.words, self._known
        tree._tags, tree._numbers = dict(self._tags), dict(self._numbers)
        return tree

    def rebuild(self, fences: Iterable[Geofence]) -> None:
        """Build all groups anew."""
        words = self.words
        prepared = [self._prepared(fence) for fence in fences]
        self._known = {each.fence.id: each for each in prepared}
        shown = [each for each in prepared if each.holds(words)] if words else prepared
        shown.sort(key=attrgetter("order"))
        self._by_id = {each.fence.id: each.fence for each in shown}
        self.groups = []
        for tag, members in groupby(shown, key=lambda each: each.fence.tag):
            listed = list(members)
            fences_of_tag = [each.fence for each in listed]
            self.groups.append(Group(tag, self._number(tag), fences_of_tag, [each.order[2:] for each in listed]))

    def locate(self, fence_id: str) -> tuple[int, int] | None:
        """Return the group and row of a fence that is shown."""
        fence = self._by_id.get(fence_id)
        if fence is None:
            return None
        group = self.group_row(fence.tag)
        return group, bisect_left(self.groups[group].keys, sort_key(fence))

    def group_row(self, tag: str) -> int:
        """Return the row of a tag's group, or where it would be put."""
        return bisect_left(self.groups, (natural_key(tag), tag), key=lambda group: (natural_key(group.tag), group.tag))

    def row_of_number(self, number: int) -> int:
        """Return the row of the group with this number."""
        return self.group_row(self._tags[number])

    def has_group(self, tag: str) -> bool:
        """Whether there is a group for this tag."""
        row = self.group_row(tag)
        return row < len(self.groups) and self.groups[row].tag == tag

    def place_for(self, fence: Geofence) -> int:
        """Return the row within its group at which a fence is to be put."""
        return bisect_left(self.groups[self.group_row(fence.tag)].keys, sort_key(fence))

    def add_group(self, tag: str) -> None:
        """Add an empty group."""
        self.groups.insert(self.group_row(tag), Group(tag, self._number(tag)))

    def remove_group(self, row: int) -> None:
        """Remove an empty group."""
        del self.groups[row]

    def insert(self, fence: Geofence) -> None:
        """Add a fence to its group."""
        group = self.groups[self.group_row(fence.tag)]
        row = self.place_for(fence)
        group.fences.insert(row, fence)
        group.keys.insert(row, sort_key(fence))
        self._by_id[fence.id] = fence

    def remove(self, group: int, row: int) -> None:
        """Remove the fence at a row."""
        fence = self.groups[group].fences.pop(row)
        del self.groups[group].keys[row]
        del self._by_id[fence.id]

    def stays(self, fence: Geofence) -> bool:
        """Whether the changed fence keeps its row."""
        old = self._by_id.get(fence.id)
        return old is not None and old.tag == fence.tag and sort_key(old) == sort_key(fence) and self.accepts(fence)

    def replace(self, group: int, row: int, fence: Geofence) -> None:
        """Put the changed fence in place of its old self."""
        self.groups[group].fences[row] = fence
        self._by_id[fence.id] = fence

    def _prepared(self, fence: Geofence) -> _Prepared:
        known = self._known.get(fence.id)
        return known if known is not None and known.fence is fence else _prepare(fence)

    def _number(self, tag: str) -> int:
        number = self._numbers.setdefault(tag, len(self._numbers) + 1)
        self._tags[number] = tag
        return number
