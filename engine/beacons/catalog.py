"""All beacons in memory, indexed by position, identifier, key and signal."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.geometry import Circle
from engine.domain.metadata import matches
from engine.domain.ports import Progress, reporting
from engine.domain.queries import NearbyBeacon, NearbyQuery
from engine.domain.tracking.beacon import Beacon, ReportedBeacon, Signal
from engine.geo.earth import HALF_CIRCUMFERENCE_M
from engine.geo.index import Edits, Entry, SpatialIndex
from engine.geo.nearest import nearest
from engine.geo.shapes import shape_of
from engine.store.beacons import all_beacons
from engine.store.writer import Connection


class _Found:
    """Beacons by identifier, key and signal."""

    def __init__(self) -> None:
        self.by_id: dict[str, Beacon] = {}
        self.by_key: dict[tuple[str, str], Beacon] = {}
        self.by_signal: dict[Signal, Beacon] = {}

    def copy(self) -> "_Found":
        """Return a copy that can be changed."""
        copied = _Found()
        copied.by_id, copied.by_key = self.by_id.copy(), self.by_key.copy()
        copied.by_signal = self.by_signal.copy()
        return copied

    def change(self, saved: Iterable[Beacon], former: Iterable[Beacon]) -> None:
        """Add beacons, and drop their former versions and deleted ones."""
        # Add new entries first, so that a concurrent reader never misses a beacon that exists before and after.
        for beacon in saved:
            self.by_id[beacon.id] = beacon
            self.by_key[beacon.tag, beacon.external_id] = beacon
            self.by_signal[beacon.signal] = beacon
        for beacon in former:
            _drop(self.by_id, beacon.id, beacon)
            _drop(self.by_key, (beacon.tag, beacon.external_id), beacon)
            _drop(self.by_signal, beacon.signal, beacon)


class Prepared(Struct, frozen=True):
    """The contents of a catalog after an edit that is not yet visible."""

    found: _Found
    edits: Edits[Beacon]


class BeaconCatalog:
    """The beacons of one environment as of the last commit, changed in the writer's thread and readable from any."""

    def __init__(self, environment: Environment, beacons: Iterable[Beacon] = ()) -> None:
        self.environment = environment
        self._found = _Found()
        self._index: SpatialIndex[Beacon] = SpatialIndex()
        self.edits = 0
        """Number of changes since the beacons were loaded."""
        self.apply(beacons, ())

    def __len__(self) -> int:
        return len(self._found.by_id)

    def get(self, beacon_id: str) -> Beacon:
        """Return a beacon by its identifier. Raises `NotFound`."""
        if (found := self.find(beacon_id)) is not None:
            return found
        raise NotFound("id", f"No beacon has the _id {beacon_id!r}.")

    def find(self, beacon_id: str) -> Beacon | None:
        """Return a beacon by its identifier, or None."""
        return self._found.by_id.get(beacon_id)

    def get_by_key(self, tag: str, external_id: str) -> Beacon:
        """Return a beacon by tag and external ID. Raises `NotFound`."""
        if (found := self.find_by_key(tag, external_id)) is not None:
            return found
        raise NotFound("external_id", f"No beacon has the tag {tag!r} and the external ID {external_id!r}.")

    def find_by_key(self, tag: str, external_id: str) -> Beacon | None:
        """Return a beacon by tag and external ID, or None."""
        return self._found.by_key.get((tag, external_id))

    def find_by_signal(self, signal: Signal) -> Beacon | None:
        """Return the beacon that sends these identifiers, or None."""
        return self._found.by_signal.get(signal)

    def all(self) -> tuple[Beacon, ...]:
        """Return all beacons in no particular order."""
        return tuple(self._found.by_id.copy().values())

    def find_reported(self, reported: Iterable[ReportedBeacon]) -> dict[str, Beacon]:
        """Return the enabled beacons among those that a device reports, by their identifiers, each once.

        A detected signal takes precedence over an identifier, whose beacon may have been changed since.
        """
        found = map(self.identify, reported)
        return {beacon.id: beacon for beacon in found if beacon is not None and beacon.enabled}

    def identify(self, reported: ReportedBeacon) -> Beacon | None:
        """Return the beacon that a device reports, enabled or not, or None if it is unknown."""
        if reported.signal is not None:
            return self.find_by_signal(reported.signal)
        return None if reported.id is None else self.find(reported.id)

    def nearby(self, query: NearbyQuery) -> tuple[NearbyBeacon, ...]:
        """Return enabled beacons by distance, nearest first."""
        position = query.near.longitude, query.near.latitude
        within_m = HALF_CIRCUMFERENCE_M if query.radius_m is None else query.radius_m
        found = nearest(self._index, position, within_m, query.limit, lambda beacon: _wanted(beacon, query))
        return tuple(NearbyBeacon(each.entry.item, each.away_m) for each in found)

    def apply(self, saved: Iterable[Beacon], removed: Iterable[Beacon]) -> None:
        """Make committed changes visible."""
        saved, removed = tuple(saved), tuple(removed)
        self._found.change(saved, self._former(saved, removed))
        self._index.change(map(_entry, saved), [beacon.id for beacon in removed])
        self.edits += 1

    def prepared(self, saved: Sequence[Beacon], removed: Sequence[Beacon], report: Progress) -> Prepared:
        """Return the catalog after a large edit, which is not visible before `become`.

        May be called from any thread. No other edit may happen before `become`.
        """
        edits = self._index.prepared(map(_entry, reporting(saved, report)), [beacon.id for beacon in removed])
        found = self._found.copy()
        found.change(saved, self._former(saved, removed))
        return Prepared(found, edits)

    def become(self, prepared: Prepared) -> None:
        """Make a prepared and committed edit visible as a whole."""
        self._index.become(prepared.edits)
        self._found = prepared.found
        self.edits += 1

    def _former(self, saved: Iterable[Beacon], removed: Iterable[Beacon]) -> list[Beacon]:
        """Return the current versions of beacons about to be stored or deleted."""
        return [*removed, *(before for beacon in saved if (before := self.find(beacon.id)) is not None)]


def load_beacons(connection: Connection) -> dict[Environment, BeaconCatalog]:
    """Return the stored beacons."""
    beacons = tuple(all_beacons(connection))
    return {env: BeaconCatalog(env, (each for each in beacons if each.environment is env)) for env in Environment}


def _drop[K](beacons: dict[K, Beacon], key: K, former: Beacon) -> None:
    """Remove a former beacon from its entry, unless the entry holds another beacon now."""
    if beacons.get(key) is former:
        del beacons[key]


def _entry(beacon: Beacon) -> Entry[Beacon]:
    return Entry.of(beacon.id, beacon, shape_of(Circle(beacon.point, 0.0)))


def _wanted(beacon: Beacon, query: NearbyQuery) -> bool:
    is_tagged = not query.tags or beacon.tag in query.tags
    return beacon.enabled and is_tagged and matches(beacon.metadata, query.metadata)
