"""The geofences of the current environment."""

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
    """The properties of a geofence that are available without loading the whole object: its names, state and rules."""

    @property
    def id(self) -> str:
        """ID of the geofence."""
        ...

    @property
    def tag(self) -> str:
        """Group of the geofence."""
        ...

    @property
    def external_id(self) -> str:
        """ID assigned by the client."""
        ...

    @property
    def description(self) -> str:
        """Display name."""
        ...

    @property
    def enabled(self) -> bool:
        """Whether the geofence generates events."""
        ...

    @property
    def revision(self) -> int:
        """Number of the edit that stored this state."""
        ...

    @property
    def rules(self) -> GeofenceRules:
        """Rules of the geofence."""
        ...


class ReadFence:
    """A geofence that was read in columns with others; the engine's object is created on first access."""

    __slots__ = ("_columns", "_made", "_row")

    def __init__(self, columns: GeofenceColumns, row: int) -> None:
        self._columns, self._row = columns, row
        self._made: Geofence | None = None

    @property
    def id(self) -> str:
        """ID of the geofence."""
        return self._columns.ids[self._row]

    @property
    def tag(self) -> str:
        """Group of the geofence."""
        return self._columns.tags[self._row]

    @property
    def external_id(self) -> str:
        """ID assigned by the client."""
        return self._columns.external_ids[self._row]

    @property
    def description(self) -> str:
        """Display name."""
        return self._columns.descriptions[self._row]

    @property
    def enabled(self) -> bool:
        """Whether the geofence generates events."""
        return self._columns.enabled[self._row]

    @property
    def revision(self) -> int:
        """Number of the edit that stored this state."""
        return self._columns.revisions[self._row]

    @property
    def rules(self) -> GeofenceRules:
        """Rules of the geofence."""
        return self._columns.rules[self._row]

    def made(self) -> Geofence:
        """Return the geofence, always the same object. Can be called from any thread."""
        if self._made is None:
            self._made = self._columns.make(self._row)
        return self._made


type BookedFence = Geofence | ReadFence


def made_of(fence: BookedFence) -> Geofence:
    """Return the geofence object of an entry in the book."""
    return fence.made() if isinstance(fence, ReadFence) else fence


class FenceDelta(Struct, frozen=True):
    """Changes to the book. After a `reset`, everything is new.

    If `drawn` is set, the map already received the geofences while they were being read. Then `upserted` holds only
    those with operating hours. The others may not have been created yet and must be requested from the book.
    """

    upserted: tuple[Geofence, ...] = ()
    removed: tuple[str, ...] = ()
    reset: bool = False
    drawn: bool = False


def zone_of(geometry: Geometry) -> ZoneInfo:
    """Return the time zone at the centre of a geofence, which applies to its operating hours."""
    center = shape_of(geometry).center
    return zone_at(center.longitude, center.latitude)


class FenceBook:
    """All geofences by ID, the colour of each tag, and the time zone of each geofence that was looked up."""

    def __init__(self) -> None:
        self._fences: dict[str, BookedFence] = {}
        self._zones: dict[str, tuple[Geometry, ZoneInfo]] = {}
        self._tags: Counter[str] = Counter()
        self.is_waiting = False
        """Whether the geofences are still being read."""
        self.colors = TagColors()
        self.locks = ShapeLocks()
        self.changed: Notifier[[FenceDelta]] = Notifier()

    def __len__(self) -> int:
        return len(self._fences)

    def get(self, fence_id: str | None) -> Geofence | None:
        """Return the geofence with this ID, or None if there is no such geofence."""
        found = self._fences.get(fence_id) if fence_id is not None else None
        return None if found is None else made_of(found)

    def __contains__(self, fence_id: str) -> bool:
        return fence_id in self._fences

    def all(self) -> tuple[Geofence, ...]:
        """Return all geofences, creating any objects that do not exist yet. This is slow if there are many."""
        return tuple(map(made_of, self.named()))

    def named(self) -> tuple[BookedFence, ...]:
        """Return all geofences with their basic properties, without creating their objects."""
        return tuple(self._fences.values())

    def ids(self) -> tuple[str, ...]:
        """Return the IDs of all geofences."""
        return tuple(self._fences)

    def make(self, fence_ids: Iterable[str]) -> None:
        """Create the objects of geofences ahead of time. Can be called from any thread."""
        for fence_id in fence_ids:
            self.get(fence_id)

    def first(self) -> Geofence | None:
        """Return the geofence that was added first, or None if the book is empty."""
        return self.get(next(iter(self._fences), None))

    def tags(self) -> tuple[str, ...]:
        """Return the tags in use, in natural order."""
        return naturally_sorted(self._tags)

    def color(self, tag: str) -> str:
        """Return the colour of a tag."""
        return self.colors.of(tag, self._tags)

    def zone(self, fence: Geofence) -> ZoneInfo:
        """Return the time zone at a geofence's centre."""
        known = self._zones.get(fence.id)
        if known is None or known[0] is not fence.geometry:
            known = self._zones[fence.id] = fence.geometry, zone_of(fence.geometry)
        return known[1]

    def wait(self, tags: Collection[str] = ()) -> None:
        """Show no geofences until those with these tags have been read."""
        self.is_waiting = True
        for tag in sorted(tags):
            self.colors.of(tag, tags)
        self._fill({}, Counter())

    def replace(self, fences: Iterable[Geofence]) -> None:
        """Replace all geofences."""
        by_id: dict[str, BookedFence] = {fence.id: fence for fence in fences}
        self.is_waiting = False
        self._fill(by_id, Counter(fence.tag for fence in by_id.values()))

    def take_read(self, fences: dict[str, BookedFence], tags: Counter[str], with_hours: tuple[Geofence, ...]) -> None:
        """Replace all geofences with those that were read, which the map already has."""
        self.is_waiting = False
        self._fill(fences, tags, with_hours)

    def _fill(
        self, fences: dict[str, BookedFence], tags: Counter[str], drawn: tuple[Geofence, ...] | None = None
    ) -> None:
        """Replace all geofences and notify listeners of all of them, or only of `drawn` if the map already has all."""
        self._zones.clear()
        self._fences, self._tags = fences, tags
        for tag in sorted(tags):
            self.color(tag)
        shown_fences = self.all() if drawn is None else drawn
        self.changed.emit(FenceDelta(upserted=shown_fences, reset=True, drawn=drawn is not None))

    def apply(self, upserted: Iterable[Geofence] = (), removed: Iterable[str] = ()) -> None:
        """Apply changes. Listeners are not notified of geofences that did not change."""
        known = self._fences
        new = tuple(fence for fence in upserted if _is_other(fence, known.get(fence.id)))
        deleted = tuple(fence_id for fence_id in removed if self._put(fence_id, None))
        for fence in new:
            self._put(fence.id, fence)
        if new or deleted:
            self.changed.emit(FenceDelta(new, deleted))

    def show_again(self, fence_ids: Iterable[str]) -> None:
        """Notify listeners of unchanged geofences that must be redrawn."""
        there = tuple(fence for each in fence_ids if (fence := self.get(each)) is not None)
        if there:
            self.changed.emit(FenceDelta(there))

    def _put(self, fence_id: str, fence: Geofence | None) -> bool:
        """Store a geofence under this ID, or remove it if `fence` is None; return whether the ID was present before."""
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
    """Return whether a geofence differs from the known one.

    The revision is compared first, since most geofences that differ have another one.
    """
    return known is None or known.revision != fence.revision or made_of(known) != fence
