"""Geofences with edits on top that nothing else sees."""

from engine.domain.geofence import Geofence
from engine.domain.tracking.whatif import FenceEdits
from engine.geo.index import Entry, SpatialIndex
from engine.geo.shapes import shape_of
from engine.tracking.kept.history import Fence, Fences

ALL_EDITS = 2**62
"""Later than every edit."""


class Sandbox:
    """Geofences as of an edit, but for those that the sandbox edits: these are the same all the time."""

    def __init__(self, fences: Fences, edits: FenceEdits) -> None:
        self._fences = fences
        self._touched = edits.touched
        own = (Entry.of(geofence.id, geofence, shape_of(geofence.geometry)) for geofence in edits.saved)
        self._own: SpatialIndex[Geofence] = SpatialIndex(own)
        self.kept = {geofence.id for geofence in edits.saved}
        """The geofences in which a stay goes on though it was ended by an edit."""

    def near(self, longitude: float, latitude: float, within_m: float, revision: int) -> list[Fence]:
        """Return the geofences near a position that there were at a revision, each once."""
        found = self._fences.near(longitude, latitude, within_m, revision)
        others = [fence for fence in found if fence.item.id not in self._touched]
        return [*others, *self._own.near(longitude, latitude, within_m)]

    def get(self, geofence_id: str, revision: int) -> Fence | None:
        """Return what a geofence was at a revision; None when there was none."""
        if geofence_id in self._touched:
            return self._own.get(geofence_id)
        return self._fences.get(geofence_id, revision)


class Present:
    """The geofences as they are now, at whatever revision."""

    def __init__(self, fences: Fences) -> None:
        self._fences = fences

    def near(self, longitude: float, latitude: float, within_m: float, _revision: int) -> list[Fence]:
        """Return the geofences near a position, each once."""
        return self._fences.near(longitude, latitude, within_m, ALL_EDITS)

    def get(self, geofence_id: str, _revision: int) -> Fence | None:
        """Return what a geofence is."""
        return self._fences.get(geofence_id, ALL_EDITS)
