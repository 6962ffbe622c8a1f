"""The fences of the environment that is shown."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Protocol
from zoneinfo import ZoneInfo

from msgspec import Struct

from app.desktop.model.colors import TagColors
from app.desktop.model.natural import naturally_sorted
from app.desktop.model.notify import Notifier
from app.desktop.model.shaping.locks import ShapeLocks
from engine.domain.geofence import Geofence, GeofenceRules
from engine.domain.geometry import Geometry
from engine.geo.shapes import shape_of
from engine.geo.zones import zone_at
from engine.geofences.parts import GeofenceColumns


class NamedFence(Protocol):
    """What is known at once of every fence: what it is called, and how it is."""

    @property
    def id(self) -> str:
        """Its identifier."""
        ...

    @property
    def tag(self) -> str:
        """Its group."""
        ...

    @property
    def external_id(self) -> str:
        """The caller's identifier."""
        ...

    @property
    def description(self) -> str:
        """Its display name."""
        ...

    @property
    def enabled(self) -> bool:
        """Whether it generates events."""
        ...

    @property
    def revision(self) -> int:
        """The number of the edit that stored it like this."""
        ...

    @property
    def rules(self) -> GeofenceRules:
        """Its rules."""
        ...


class ReadFence:
    """One of many fences that were read by columns; the object of the engine is made when somebody asks for it."""

    __slots__ = ("_columns", "_made", "_row")

    def __init__(self, columns: GeofenceColumns, row: int) -> None:
        self._columns, self._row = columns, row
        self._made: Geofence | None = None

    @property
    def id(self) -> str:
        """Its identifier."""
        return self._columns.ids[self._row]

    @property
    def tag(self) -> str:
        """Its group."""
        return self._columns.tags[self._row]

    @property
    def external_id(self) -> str:
        """The caller's identifier."""
        return self._columns.external_ids[self._row]

    @property
    def description(self) -> str:
        """Its display name."""
        return self._columns.descriptions[self._row]

    @property
    def enabled(self) -> bool:
        """Whether it generates events."""
        return self._columns.enabled[self._row]

    @property
    def revision(self) -> int:
        """The number of the edit that stored it like this."""
        return self._columns.revisions[self._row]

    @property
    def rules(self) -> GeofenceRules:
        """Its rules."""
        return self._columns.rules[self._row]

    def made(self) -> Geofence:
        """Return the geofence, always the same object; any thread may ask."""
        if self._made is None:
            self._made = self._columns.make(self._row)
        return self._made


type BookedFence = Geofence | ReadFence


def made_of(fence: BookedFence) -> Geofence:
    """Return the geofence that a fence of the book is."""
    return fence.made() if isinstance(fence, ReadFence) else fence


class FenceDelta(Struct, frozen=True):
    """The changes of the book; after a `reset` everything is new.

    What is `drawn` the map has been given already, while it was read. Of that only those with operating hours are among
    the `upserted`: the others may not be made yet, and the book is asked for them.
    """

    upserted: tuple[Geofence, ...] = ()
    removed: tuple[str, ...] = ()
    reset: bool = False
    drawn: bool = False


def zone_of(geometry: Geometry) -> ZoneInfo:
    """Return the time zone of a fence's centre, by which its hours go."""
    center = shape_of(geometry).center
    return zone_at(center.longitude, center.latitude)


class FenceBook:
    """Every fence by its id, the colour of each tag, the zone of each fence that is looked at."""

    def __init__(self) -> None:
        self._fences: dict[str, BookedFence] = {}
        self._zones: dict[str, tuple[Geometry, ZoneInfo]] = {}
        self._tags: Counter[str] = Counter()
        self.is_waiting = False
        """Whether its fences are still being read."""
        self.colors = TagColors()
        self.locks = ShapeLocks()
        self.changed: Notifier[[FenceDelta]] = Notifier()

    def __len__(self) -> int:
        return len(self._fences)

    def get(self, fence_id: str | None) -> Geofence | None:
        """Return the fence with this id."""
        found = self._fences.get(fence_id) if fence_id is not None else None
        return None if found is None else made_of(found)

    def __contains__(self, fence_id: str) -> bool:
        return fence_id in self._fences

    def all(self) -> tuple[Geofence, ...]:
        """Return every fence. Those that are not made yet are made: of many that takes a while."""
        return tuple(map(made_of, self.named()))

    def named(self) -> tuple[BookedFence, ...]:
        """Return every fence by what is known of it at once."""
        return tuple(self._fences.values())

    def ids(self) -> tuple[str, ...]:
        """Return the id of every fence."""
        return tuple(self._fences)

    def make(self, fence_ids: Iterable[str]) -> None:
        """Make fences that will be asked for; any thread may."""
        for fence_id in fence_ids:
            self.get(fence_id)

    def first(self) -> Geofence | None:
        """Return the fence that has been there the longest, None where there is none."""
        return self.get(next(iter(self._fences), None))

    def tags(self) -> tuple[str, ...]:
        """Return the tags in use, as people sort them."""
        return naturally_sorted(self._tags)

    def color(self, tag: str) -> str:
        """Return the colour of a tag."""
        return self.colors.of(tag, self._tags)

    def zone(self, fence: Geofence) -> ZoneInfo:
        """Return the time zone of a fence's centre."""
        known = self._zones.get(fence.id)
        if known is None or known[0] is not fence.geometry:
            known = self._zones[fence.id] = fence.geometry, zone_of(fence.geometry)
        return known[1]

    def wait(self, tags: Collection[str] = ()) -> None:
        """Show no fences until those with these tags are read."""
        self.is_waiting = True
        for tag in sorted(tags):
            self.colors.of(tag, tags)
        self._fill({}, Counter())

    def replace(self, fences: Iterable[Geofence]) -> None:
        """Show exactly these fences."""
        by_id: dict[str, BookedFence] = {fence.id: fence for fence in fences}
        self.is_waiting = False
        self._fill(by_id, Counter(fence.tag for fence in by_id.values()))

    def take_read(self, fences: dict[str, BookedFence], tags: Counter[str], with_hours: tuple[Geofence, ...]) -> None:
        """Show exactly these fences, which have these tags and which the map has already."""
        self.is_waiting = False
        self._fill(fences, tags, with_hours)

    def _fill(
        self, fences: dict[str, BookedFence], tags: Counter[str], drawn: tuple[Geofence, ...] | None = None
    ) -> None:
        """Show exactly these fences, and tell of them, or of those among them that the map has already."""
        self._zones.clear()
        self._fences, self._tags = fences, tags
        for tag in sorted(tags):
            self.color(tag)
        told = self.all() if drawn is None else drawn
        self.changed.emit(FenceDelta(upserted=told, reset=True, drawn=drawn is not None))

    def apply(self, upserted: Iterable[Geofence] = (), removed: Iterable[str] = ()) -> None:
        """Take in what changed; what is as it was is not told again."""
        known = self._fences
        new = tuple(fence for fence in upserted if _is_other(fence, known.get(fence.id)))
        gone = tuple(fence_id for fence_id in removed if self._put(fence_id, None))
        for fence in new:
            self._put(fence.id, fence)
        if new or gone:
            self.changed.emit(FenceDelta(new, gone))

    def show_again(self, fence_ids: Iterable[str]) -> None:
        """Tell of fences that are as they were, but are to look otherwise."""
        there = tuple(fence for each in fence_ids if (fence := self.get(each)) is not None)
        if there:
            self.changed.emit(FenceDelta(there))

    def _put(self, fence_id: str, fence: Geofence | None) -> bool:
        """Put a fence in the place of the one with this ID, or nothing; return whether there was one."""
        before = self._fences.pop(fence_id, None) if fence is None else self._fences.get(fence_id)
        if fence is not None:
            self._fences[fence_id] = fence
        if before is None or fence is None or before.tag != fence.tag:
            self._count(before, -1)
            self._count(fence, 1)
        return before is not None

    def _count(self, fence: BookedFence | None, by: int) -> None:
        if fence is not None:
            self._tags[fence.tag] += by
            if not self._tags[fence.tag]:
                del self._tags[fence.tag]


def _is_other(fence: Geofence, known: BookedFence | None) -> bool:
    """Whether a fence is not as it was known; of most that are not, the number of their edit tells it."""
    return known is None or known.revision != fence.revision or made_of(known) != fence
