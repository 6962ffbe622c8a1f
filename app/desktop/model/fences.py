"""The fences of the environment that is shown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from app.desktop.model.colors import TagColors
from app.desktop.model.notify import Notifier
from engine.domain.geofence import Geofence
from engine.domain.geometry import Geometry
from engine.geo.shapes import shape_of
from engine.geo.zones import zone_at


@dataclass(frozen=True, slots=True)
class FenceDelta:
    """What changed in the book; after a `reset` everything is new."""

    upserted: tuple[Geofence, ...] = ()
    removed: tuple[str, ...] = ()
    reset: bool = False


def zone_of(geometry: Geometry) -> ZoneInfo:
    """Return the time zone of a fence's centre, by which its hours go."""
    center = shape_of(geometry).center
    return zone_at(center.longitude, center.latitude)


class FenceBook:
    """Every fence by its id, the colour of each tag, the zone of each fence that is looked at."""

    def __init__(self) -> None:
        self._fences: dict[str, Geofence] = {}
        self._zones: dict[str, tuple[Geometry, ZoneInfo]] = {}
        self.colors = TagColors()
        self.changed: Notifier[[FenceDelta]] = Notifier()

    def __len__(self) -> int:
        return len(self._fences)

    def get(self, fence_id: str | None) -> Geofence | None:
        """Return the fence with this id."""
        return self._fences.get(fence_id) if fence_id is not None else None

    def all(self) -> tuple[Geofence, ...]:
        """Return every fence."""
        return tuple(self._fences.values())

    def tags(self) -> tuple[str, ...]:
        """Return the tags in use, sorted."""
        return tuple(sorted({fence.tag for fence in self._fences.values()}))

    def color(self, tag: str) -> str:
        """Return the colour of a tag."""
        return self.colors.of(tag)

    def zone(self, fence: Geofence) -> ZoneInfo:
        """Return the time zone of a fence's centre."""
        known = self._zones.get(fence.id)
        if known is None or known[0] is not fence.geometry:
            known = self._zones[fence.id] = fence.geometry, zone_of(fence.geometry)
        return known[1]

    def replace(self, fences: Sequence[Geofence]) -> None:
        """Show exactly these fences."""
        self._zones.clear()
        self._fences = {fence.id: fence for fence in fences}
        self.colors = TagColors(fence.tag for fence in fences)
        self.changed.emit(FenceDelta(upserted=tuple(fences), reset=True))

    def apply(self, upserted: Iterable[Geofence] = (), removed: Iterable[str] = ()) -> None:
        """Take in what changed; what is as it was is not told again."""
        new = tuple(fence for fence in upserted if self._fences.get(fence.id) != fence)
        gone = tuple(fence_id for fence_id in removed if self._fences.pop(fence_id, None) is not None)
        self._fences.update((fence.id, fence) for fence in new)
        if new or gone:
            self.changed.emit(FenceDelta(new, gone))
