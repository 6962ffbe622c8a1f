"""Importing geofences from a table."""

from engine.domain.geofence import Geofence, GeofenceChange
from engine.geofences.changes import Finders, moved_by
from engine.geofences.csv_import import column_of
from engine.geofences.judging import Find, Judge
from engine.tabular.plan import Key


class GeofenceImport:
    """What a plan needs to know of geofences."""

    def __init__(self, judge: Judge, find: Find, finders: Finders) -> None:
        self._judge = judge
        self._find = find
        self._finders = finders

    def key(self, change: GeofenceChange) -> Key:
        """Return which geofence a row is about."""
        return change.tag or "", change.external_id or ""

    def find(self, key: Key) -> Geofence | None:
        """Return the stored geofence of a key."""
        return self._find(*key)

    def judged(self, change: GeofenceChange, key: Key, existing: Geofence | None) -> Geofence:
        """Return what a row makes of a geofence, or a new one."""
        return self._judge.upserted(lambda _tag, _external_id: existing, *key, change)

    def column(self, field: str) -> str:
        """Return the column that a field of a change is read from."""
        return column_of(field)

    def warning(self, change: GeofenceChange, record: Geofence) -> tuple[str, str] | None:
        """Return how far an isochrone was moved to a road, if far."""
        moved = moved_by(change, record, self._finders)
        return None if moved is None else (moved.param, moved.text)
