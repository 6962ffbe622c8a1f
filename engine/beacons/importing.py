"""Importing beacons from a table: each row is judged with the rows before it already in place."""

from engine.beacons.catalog import BeaconCatalog
from engine.beacons.csv_import import column_of
from engine.beacons.judging import Judge
from engine.domain.imports import Key
from engine.domain.metadata import exact
from engine.domain.tracking.beacon import Beacon, BeaconChange, Signal


class BeaconImport:
    """Beacons as a plan needs them; for one plan."""

    def __init__(self, judge: Judge, catalog: BeaconCatalog) -> None:
        self._judge = judge
        self._catalog = catalog
        self._planned: dict[str, Beacon] = {}
        self._by_signal: dict[Signal, Beacon] = {}

    def key(self, change: BeaconChange) -> Key:
        """Return which beacon a row is about."""
        return change.tag or "", change.external_id or ""

    def find(self, key: Key) -> Beacon | None:
        """Return the stored beacon of a key."""
        return self._catalog.find_by_key(*key)

    def judged(self, change: BeaconChange, key: Key, existing: Beacon | None) -> Beacon:
        """Return what a row makes of a beacon, or a new one."""
        beacon = self._judge.upserted(existing, *key, change, self._sender)
        before = self._planned.get(beacon.id)
        if before is not None:
            del self._by_signal[before.signal]
        self._planned[beacon.id] = beacon
        self._by_signal[beacon.signal] = beacon
        return beacon

    def differing(self, before: Beacon, record: Beacon) -> tuple[str, ...]:
        """Return the columns in which two versions of a beacon differ."""
        pairs = {
            "description": (before.description, record.description),
            "type": (before.signal, record.signal),
            "metadata": (exact(before.metadata), exact(record.metadata)),
            "geometry": (before.summary.point, record.summary.point),
            "enabled": (before.enabled, record.enabled),
        }
        return tuple(name for name, (one, other) in pairs.items() if one != other)

    def column(self, field: str) -> str:
        """Return the column that a field of a change is read from."""
        return column_of(field)

    def warning(self, _change: BeaconChange, _record: Beacon) -> None:
        """Return nothing: a beacon is imported as it is given, or not at all."""
        return

    def _sender(self, signal: Signal) -> Beacon | None:
        """Return the beacon that sends something once the rows so far are stored."""
        if (planned := self._by_signal.get(signal)) is not None:
            return planned
        stored = self._catalog.find_by_signal(signal)
        return None if stored is None or stored.id in self._planned else stored
