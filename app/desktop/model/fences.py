"""The fences of the environment that is shown."""

from collections import Counter
from collections.abc import Collection, Iterable
from zoneinfo import ZoneInfo

from app.desktop.model.colors import TagColors
from app.desktop.model.natural import naturally_sorted
from app.desktop.model.notify import Notifier
from app.desktop.model.shaping.locks import ShapeLocks
from engine.domain.geofence import Geofence
from engine.domain.geometry import Geometry
from engine.domain.values.dataclass import dataclass
from engine.geo.shapes import shape_of
from engine.geo.zones import zone_at


@dataclass(frozen=True, slots=True)
class FenceDelta:
    """The changes of the book; after a `reset` everything is new.

    What is `drawn` the map has been given already, while it was read.
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
        self._fences: dict[str, Geofence] = {}
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
        return self._fences.get(fence_id) if fence_id is not None else None

    def all(self) -> tuple[Geofence, ...]:
        """Return every fence."""
        return tuple(self._fences.values())

    def first(self) -> Geofence | None:
        """Return the fence that has been there the longest, None where there is none."""
        return next(iter(self._fences.values()), None)

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
        by_id = {fence.id: fence for fence in fences}
        self.take_read(by_id, Counter(fence.tag for fence in by_id.values()), drawn=False)

    def take_read(self, fences: dict[str, Geofence], tags: Counter[str], *, drawn: bool = True) -> None:
        """Show exactly these fences, which have these tags; `drawn` tells whether the map has them already."""
        self.is_waiting = False
        self._fill(fences, tags, drawn=drawn)

    def _fill(self, fences: dict[str, Geofence], tags: Counter[str], *, drawn: bool = False) -> None:
        self._zones.clear()
        self._fences, self._tags = fences, tags
        for tag in sorted(tags):
            self.color(tag)
        self.changed.emit(FenceDelta(upserted=tuple(fences.values()), reset=True, drawn=drawn))

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
        there = tuple(fence for each in fence_ids if (fence := self._fences.get(each)) is not None)
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

    def _count(self, fence: Geofence | None, by: int) -> None:
        if fence is not None:
            self._tags[fence.tag] += by
            if not self._tags[fence.tag]:
                del self._tags[fence.tag]


def _is_other(fence: Geofence, known: Geofence | None) -> bool:
    """Whether a fence is not as it was known; of most that are not, the time tells it."""
    return known is None or known.updated_at != fence.updated_at or known != fence
