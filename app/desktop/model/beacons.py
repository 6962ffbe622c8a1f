"""The beacons known to the window, in order, and texts about them."""

from collections.abc import Iterable

from msgspec import Struct

from app.desktop.language import tr
from app.desktop.model.natural import natural_key
from app.desktop.model.notify import Notifier
from engine.domain.tracking.beacon import Beacon, BeaconSummary, BeaconType

TYPES = {BeaconType.IBEACON: "iBeacon", BeaconType.EDDYSTONE: "Eddystone"}


class BeaconDelta(Struct, frozen=True):
    """The beacons that changed. With `reset`, there are no others."""

    upserted: tuple[Beacon, ...] = ()
    removed: tuple[str, ...] = ()
    reset: bool = False


class BeaconBook:
    """The beacons of the displayed environment, by ID."""

    def __init__(self) -> None:
        self._beacons: dict[str, Beacon] = {}
        self.changed: Notifier[[BeaconDelta]] = Notifier()

    def __len__(self) -> int:
        return len(self._beacons)

    def get(self, beacon_id: str) -> Beacon | None:
        """Return a beacon."""
        return self._beacons.get(beacon_id)

    def all(self) -> tuple[Beacon, ...]:
        """Return the beacons by tag and name."""
        return tuple(sorted(self._beacons.values(), key=_order))

    def tags(self) -> tuple[str, ...]:
        """Return the tags in use."""
        return tuple(sorted({beacon.tag for beacon in self._beacons.values()}))

    def replace(self, beacons: Iterable[Beacon]) -> None:
        """Replace all beacons."""
        self._beacons = {beacon.id: beacon for beacon in beacons}
        self.changed.emit(BeaconDelta(tuple(self._beacons.values()), reset=True))

    def apply(self, upserted: Iterable[Beacon], removed: Iterable[str]) -> None:
        """Add or update beacons, and remove others."""
        delta = BeaconDelta(tuple(upserted), tuple(key for key in removed if key in self._beacons))
        for key in delta.removed:
            del self._beacons[key]
        self._beacons |= {beacon.id: beacon for beacon in delta.upserted}
        self.changed.emit(delta)


def _order(beacon: Beacon) -> tuple[object, ...]:
    return natural_key(beacon.tag), natural_key(beacon.description), beacon.id


def beacon_name(beacon: Beacon | BeaconSummary) -> str:
    """Return the display name of a beacon."""
    return beacon.description or beacon.external_id


def beacon_label(beacon: Beacon) -> str:
    """Return the label of a beacon on the map."""
    state = "" if beacon.enabled else tr(", disabled")
    return f"{beacon_name(beacon)} ({TYPES[beacon.signal.type]}{state})"


def beacon_tip(beacon: Beacon | BeaconSummary) -> str:
    """Return the identifiers of a beacon, in two lines."""
    return f"{beacon.tag} / {beacon.external_id}\n{TYPES[beacon.signal.type]} {beacon.signal}"
