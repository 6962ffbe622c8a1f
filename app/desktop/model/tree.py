"""The geofence list: the geofences that match the search, grouped by tag and sorted."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct, field

from app.desktop.model.fences import BookedFence, NamedFence, made_of
from app.desktop.model.natural import natural_key, naturally_sorted
from app.desktop.model.search.fences import holds, text_of
from app.desktop.model.search.words import split

type SortKey = tuple[str, str, str]


def sort_key(fence: NamedFence) -> SortKey:
    """Return the natural sort key of a geofence: its name, then its IDs to make the order unique."""
    return (natural_key(fence.description), natural_key(fence.external_id), fence.id)


def _sorted(fences: list[BookedFence]) -> list[BookedFence]:
    """Return geofences sorted by their keys. If all names differ, only the names are compared, which is faster."""
    names = [natural_key(fence.description) for fence in fences]
    if len(set(names)) < len(names):
        return sorted(fences, key=sort_key)
    by_name = dict(zip(names, fences, strict=True))
    return [by_name[name] for name in sorted(names)]


class Group(Struct):
    """The geofences of one tag. `number` remains unchanged when groups are inserted or removed before it."""

    tag: str
    number: int
    fences: list[BookedFence] = field(default_factory=list)

    def row_of(self, fence: BookedFence) -> int:
        """Return the row of a geofence, or the row at which it would be inserted."""
        return bisect_left(self.fences, sort_key(fence), key=sort_key)


class FenceTree:
    """A tree of geofences grouped by tag.

    Basic changes are methods of their own, and the affected rows can be looked up, so that a view can announce them.
    """

    def __init__(self) -> None:
        self.groups: list[Group] = []
        self.words: tuple[str, ...] = ()
        self._by_id: dict[str, BookedFence] = {}
        self._of: tuple[BookedFence, ...] = ()
        self._in_order: dict[str, list[BookedFence]] = {}
        """All geofences of the last build by tag, in order, whether they are shown or not."""
        self._texts: dict[str, tuple[BookedFence, str]] = {}
        """Texts of geofences that have been searched."""
        self._tags: dict[int, str] = {}
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, fence_id: str) -> bool:
        return fence_id in self._by_id

    def ids(self) -> tuple[str, ...]:
        """Return the IDs of all shown geofences, from top to bottom."""
        return tuple(fence.id for group in self.groups for fence in group.fences)

    def search(self, text: str) -> bool:
        """Set the search text; return whether the search has changed, so that the tree must be rebuilt."""
        words = split(text)
        changed, self.words = words != self.words, words
        return changed

    def accepts(self, fence: BookedFence) -> bool:
        """Return whether every word of the search occurs in the geofence's name, tag, external ID or metadata."""
        return not self.words or holds(self._text(fence), fence.id, self.words)

    def empty_copy(self) -> FenceTree:
        """Return an empty tree with the same search that reuses the results computed by this one."""
        tree = FenceTree()
        tree.words, tree._texts = self.words, self._texts
        tree._of, tree._in_order = self._of, self._in_order
        tree._tags, tree._numbers = dict(self._tags), dict(self._numbers)
        return tree

    def rebuild(self, fences: Iterable[BookedFence]) -> None:
        """Rebuild all groups."""
        self._take(tuple(fences))
        shown = ((tag, [*filter(self.accepts, members)]) for tag, members in self._in_order.items())
        self.groups = [Group(tag, self._number(tag), members) for tag, members in shown if members]
        self._by_id = {fence.id: fence for group in self.groups for fence in group.fences}

    def _take(self, fences: tuple[BookedFence, ...]) -> None:
        """Sort the geofences unless they are unchanged, and discard the texts of deleted ones."""
        if fences == self._of:
            return
        by_tag = defaultdict[str, list[BookedFence]](list)
        for fence in fences:
            by_tag[fence.tag].append(fence)
        self._of, self._in_order = fences, {tag: _sorted(by_tag[tag]) for tag in naturally_sorted(by_tag)}
        texts = self._texts
        self._texts = {fence.id: texts[fence.id] for fence in fences if fence.id in texts} if texts else {}

    def locate(self, fence_id: str) -> tuple[int, int] | None:
        """Return the group and row of a geofence that is shown."""
        fence = self._by_id.get(fence_id)
        if fence is None:
            return None
        group = self.group_row(fence.tag)
        return group, self.groups[group].row_of(fence)

    def group_row(self, tag: str) -> int:
        """Return the row of a tag's group, or the row at which it would be inserted."""
        return bisect_left(self.groups, (natural_key(tag), tag), key=lambda group: (natural_key(group.tag), group.tag))

    def row_of_number(self, number: int) -> int:
        """Return the row of the group with this number."""
        return self.group_row(self._tags[number])

    def has_group(self, tag: str) -> bool:
        """Return whether there is a group for this tag."""
        row = self.group_row(tag)
        return row < len(self.groups) and self.groups[row].tag == tag

    def place_for(self, fence: BookedFence) -> int:
        """Return the row within its group at which a geofence must be inserted."""
        return self.groups[self.group_row(fence.tag)].row_of(fence)

    def add_group(self, tag: str) -> None:
        """Add an empty group."""
        self.groups.insert(self.group_row(tag), Group(tag, self._number(tag)))

    def remove_group(self, row: int) -> None:
        """Remove an empty group."""
        del self.groups[row]

    def insert(self, fence: BookedFence) -> None:
        """Add a geofence to its group."""
        self.groups[self.group_row(fence.tag)].fences.insert(self.place_for(fence), fence)
        self._by_id[fence.id] = fence

    def remove(self, group: int, row: int) -> None:
        """Remove the geofence at a row."""
        fence = self.groups[group].fences.pop(row)
        del self._by_id[fence.id]

    def stays(self, fence: BookedFence) -> bool:
        """Return whether the changed geofence keeps its row."""
        old = self._by_id.get(fence.id)
        return old is not None and old.tag == fence.tag and sort_key(old) == sort_key(fence) and self.accepts(fence)

    def replace(self, group: int, row: int, fence: BookedFence) -> None:
        """Replace a geofence with its changed version."""
        self.groups[group].fences[row] = fence
        self._by_id[fence.id] = fence

    def _text(self, fence: BookedFence) -> str:
        """Return the text to search, which is folded only once."""
        known = self._texts.get(fence.id)
        if known is None or known[0] is not fence:
            known = self._texts[fence.id] = fence, text_of(made_of(fence))
        return known[1]

    def _number(self, tag: str) -> int:
        number = self._numbers.setdefault(tag, len(self._numbers) + 1)
        self._tags[number] = tag
        return number
