"""The geofences of an environment as of an earlier edit."""

from collections.abc import Iterable
from typing import Protocol

from engine.domain.geofence import Geofence
from engine.domain.geometry import Point
from engine.domain.tracking.explaining import GeofenceVersion
from engine.geo.index import Entry, SpatialIndex
from engine.geo.shapes import shape_of

type Fence = Entry[Geofence]


class Fences(Protocol):
    """Geofences as of the number of an edit."""

    def near(self, longitude: float, latitude: float, within_m: float, revision: int) -> list[Fence]:
        """Return the geofences near a position at a revision, each once."""
        ...

    def get(self, geofence_id: str, revision: int) -> Fence | None:
        """Return the version of a geofence at a revision, or None."""
        ...


def candidates_of(fences: Fences, point: Point, presences: Iterable[str], reach_m: float, revision: int) -> list[Fence]:
    """Return the geofences that may be relevant to a fix at a revision: those nearby, and those the user is in."""
    near = fences.near(point.longitude, point.latitude, reach_m, revision)
    known = {fence.item.id for fence in near}
    missing = (fences.get(key, revision) for key in presences if key not in known)
    return near + [fence for fence in missing if fence is not None]


class FenceHistory:
    """Current and former geofences, found by position and by the number of an edit."""

    def __init__(self, present: SpatialIndex[Geofence], versions: Iterable[GeofenceVersion]) -> None:
        """Create the history from current geofences and former `versions`.

        A geofence without former versions is assumed to have been the same as now.
        """
        self._present = present
        self._until: dict[str, int | None] = {}
        self._of_fence: dict[str, list[Fence]] = {}
        entries = [self._entry(version) for version in versions]
        self._former: SpatialIndex[Geofence] = SpatialIndex(entries)

    def near(self, longitude: float, latitude: float, within_m: float, revision: int) -> list[Fence]:
        """Return the geofences near a position at a revision, each once."""
        found = [
            fence for fence in self._present.near(longitude, latitude, within_m) if fence.item.revision <= revision
        ]
        known = {fence.item.id for fence in found}
        former = self._former.near(longitude, latitude, within_m)
        return found + [fence for fence in former if self._holds(fence, revision) and fence.item.id not in known]

    def get(self, geofence_id: str, revision: int) -> Fence | None:
        """Return the version of a geofence at a revision, or None."""
        present = self._present.get(geofence_id)
        if present is not None and present.item.revision <= revision:
            return present
        return next((fence for fence in self._of_fence.get(geofence_id, ()) if self._holds(fence, revision)), None)

    def _entry(self, version: GeofenceVersion) -> Fence:
        geofence = version.geofence
        fence = Entry.of(f"{geofence.id}@{geofence.revision}", geofence, shape_of(geofence.geometry))
        self._until[fence.key] = version.until
        self._of_fence.setdefault(geofence.id, []).append(fence)
        return fence

    def _holds(self, fence: Fence, revision: int) -> bool:
        until = self._until[fence.key]
        return fence.item.revision <= revision and (until is None or revision < until)
