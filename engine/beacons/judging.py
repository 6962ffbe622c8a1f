"""Validation of changes to beacons before they are stored."""

from collections.abc import Callable

from engine.beacons.catalog import BeaconCatalog
from engine.beacons.changes import changed, created
from engine.domain.errors import Conflict, InvalidParameter
from engine.domain.geofence import UNSET
from engine.domain.ports import Clock
from engine.domain.tracking.beacon import Beacon, BeaconChange, IBeacon, Signal
from engine.domain.values import replace

type FindSender = Callable[[Signal], Beacon | None]
"""Returns the beacon that sends a signal."""


class Judge:
    """Validates changes of the beacons of one environment against their current state. Stores nothing."""

    def __init__(self, catalog: BeaconCatalog, clock: Clock, make_id: Callable[[], str]) -> None:
        self._catalog = catalog
        self._clock = clock
        self._make_id = make_id

    def created(self, change: BeaconChange, sender: FindSender | None = None) -> Beacon:
        """Return a new beacon. Raises `InvalidParameter`, or `Conflict` if its key or its signal is taken."""
        beacon = created(change, self._catalog.environment, self._make_id, self._clock.now())
        self._check_free(beacon, sender)
        return beacon

    def changed(self, beacon: Beacon, change: BeaconChange, sender: FindSender | None = None) -> Beacon:
        """Return a beacon after a change. Raises `InvalidParameter` or `Conflict`."""
        after = changed(beacon, change, self._clock.now())
        self._check_free(after, sender)
        return after

    def restored(self, beacon: Beacon) -> Beacon:
        """Return this record as it would be stored again. Raises `Conflict`."""
        self._check_free(beacon, None)
        return replace(beacon, updated_at=self._clock.now())

    def upserted(
        self,
        existing: Beacon | None,
        tag: str,
        external_id: str,
        change: BeaconChange,
        sender: FindSender | None = None,
    ) -> Beacon:
        """Return the existing beacon with this key after a change, or a new one.

        `sender` returns the sender of a signal, if that differs from the stored beacons.
        """
        if existing is not None:
            return self.changed(existing, change, sender)
        for given, key, param in ((change.tag, tag, "tag"), (change.external_id, external_id, "external_id")):
            if given is not UNSET and given != key:
                raise InvalidParameter(param, f"{param}: {given!r} differs from {key!r} in the path.")
        return self.created(replace(change, tag=tag, external_id=external_id), sender)

    def _check_free(self, beacon: Beacon, find_sender: FindSender | None) -> None:
        holder = self._catalog.find_by_key(beacon.tag, beacon.external_id)
        if holder is not None and holder.id != beacon.id:
            raise Conflict(
                "external_id",
                f"external_id: another beacon has the tag {beacon.tag!r} and the external ID {beacon.external_id!r}.",
            )
        sender = (find_sender or self._catalog.find_by_signal)(beacon.signal)
        if sender is not None and sender.id != beacon.id:
            param, parts = ("uuid", "UUID, major and minor")
            if not isinstance(beacon.signal, IBeacon):
                param, parts = ("uid", "UID and instance")
            owner = f"with the tag {sender.tag!r} and the external ID {sender.external_id!r}"
            raise Conflict(param, f"{param}: the beacon {owner} has the same {parts}.")
