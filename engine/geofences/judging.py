"""Validation of changes of geofences before anything is stored."""

from collections.abc import Callable, Sequence, Set

from engine.domain.errors import Conflict, InvalidParameter
from engine.domain.geofence import UNSET, Geofence, GeofenceChange
from engine.domain.ports import Clock, Progress, no_progress, reporting
from engine.domain.values import replace
from engine.geofences.catalog import Catalog
from engine.geofences.changes import Finders, changed, created

type Find = Callable[[str, str], Geofence | None]
"""Finds a geofence by tag and external ID."""

type Conflicts = tuple[tuple[Geofence, Conflict], ...]
"""Geofences that cannot be restored, with the reasons."""

type Restored = tuple[tuple[Geofence, ...], Conflicts]
"""Deleted geofences that can be restored, and the others."""


class Judge:
    """Validates changes of the geofences of one environment against the current ones; stores nothing."""

    def __init__(self, catalog: Catalog, clock: Clock, make_id: Callable[[], str], finders: Finders) -> None:
        self._catalog = catalog
        self._clock = clock
        self._make_id = make_id
        self._finders = finders

    def created(self, change: GeofenceChange) -> Geofence:
        """Return a new geofence; raises `InvalidParameter`, or `Conflict` if its key is taken."""
        geofence = created(change, self._catalog.environment, self._make_id, self._clock.now(), self._finders)
        self._check_free(geofence)
        return geofence

    def changed(self, geofence: Geofence, change: GeofenceChange) -> Geofence:
        """Return a geofence after a change; raises `InvalidParameter` or `Conflict`."""
        after = changed(geofence, change, self._clock.now(), self._finders)
        self._check_free(after)
        return after

    def upserted(self, find: Find, tag: str, external_id: str, change: GeofenceChange) -> Geofence:
        """Return the geofence found by this key after a change, or a new one."""
        existing = find(tag, external_id)
        if existing is not None:
            return self.changed(existing, change)
        for given, key, param in ((change.tag, tag, "tag"), (change.external_id, external_id, "external_id")):
            if given is not UNSET and given != key:
                raise InvalidParameter(param, f"{param}: {given!r} differs from {key!r} in the path.")
        return self.created(replace(change, tag=tag, external_id=external_id))

    def restored(self, geofence: Geofence) -> Geofence:
        """Return a record in the form in which it would be stored again; raises `Conflict`."""
        self._check_free(geofence)
        return replace(geofence, updated_at=self._clock.now())

    def all_restored(
        self, geofences: Sequence[Geofence], removed_ids: Set[str], report: Progress = no_progress
    ) -> tuple[Geofence, ...]:
        """Return records in the form in which they would be stored while others are deleted; raises `Conflict`."""
        keys = set[tuple[str, str]]()
        for geofence in reporting(geofences, report):
            key = geofence.tag, geofence.external_id
            if key in keys:
                raise _taken(geofence)
            keys.add(key)
            self._check_free(geofence, removed_ids)
        now = self._clock.now()
        return tuple(replace(geofence, updated_at=now) for geofence in geofences)

    def restorable(self, geofences: Sequence[Geofence], report: Progress = no_progress) -> Restored:
        """Return the deleted geofences that can be stored again, and the others with the reasons."""
        keys, free, refused = set[tuple[str, str]](), list[Geofence](), list[tuple[Geofence, Conflict]]()
        for geofence in reporting(geofences, report):
            key = geofence.tag, geofence.external_id
            try:
                if self._catalog.find(geofence.id) is not None:
                    raise Conflict("id", "id: the geofence exists again.")
                if key in keys:
                    raise _taken(geofence)
                self._check_free(geofence)
            except Conflict as error:
                refused.append((geofence, error))
            else:
                keys.add(key)
                free.append(geofence)
        now = self._clock.now()
        return tuple(replace(geofence, updated_at=now) for geofence in free), tuple(refused)

    def _check_free(self, geofence: Geofence, removed_ids: Set[str] = frozenset()) -> None:
        holder = self._catalog.holder_of_key(geofence.tag, geofence.external_id)
        if holder is not None and holder != geofence.id and holder not in removed_ids:
            raise _taken(geofence)


def _taken(geofence: Geofence) -> Conflict:
    return Conflict(
        "external_id",
        f"external_id: another geofence has the tag {geofence.tag!r} and the external ID {geofence.external_id!r}.",
    )
