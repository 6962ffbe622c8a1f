"""Values shared by many tests of the engine."""

from datetime import UTC, datetime, timedelta

from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.imports import ImportFile, ImportKind, ImportOptions, ImportReport
from engine.domain.ports import Progress, no_progress
from engine.domain.tracking.beacon import BeaconChange, ReportedBeacon
from engine.domain.tracking.updates import LocationUpdate
from engine.engine import Engine
from engine.importing import import_file

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOME = Point(9.5209, 47.1410)


class SetClock:
    """A clock that shows the time set by a test."""

    def __init__(self, moment: datetime = NOON) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


def circle(
    external_id: str = "1", *, center: Point = HOME, radius_m: float = 100, tag: str = "store"
) -> GeofenceChange:
    return GeofenceChange(
        tag=tag,
        external_id=external_id,
        description=f"{tag} {external_id}",
        type="circle",
        coordinates=(center.longitude, center.latitude),
        size=radius_m,
    )


UUID = "b9407f30-f5f8-466e-aff9-25556b57fe6d"


def beacon(external_id: str = "1", *, minor: int = 1, point: Point = HOME, tag: str = "door") -> BeaconChange:
    """Return a new iBeacon."""
    return BeaconChange(
        tag=tag,
        external_id=external_id,
        description=f"{tag} {external_id}",
        type="ibeacon",
        uuid=UUID,
        major=100,
        minor=minor,
        geometry=point,
    )


def update(
    east_m: float = 0,
    *,
    device_id: str = "phone",
    user_id: str | None = None,
    accuracy_m: float = 10,
    at: datetime | None = None,
    beacons: tuple[ReportedBeacon, ...] | None = None,
) -> LocationUpdate:
    """Return an update some metres east of `HOME`."""
    return LocationUpdate(
        device_id=device_id,
        user_id=user_id,
        point=Point(HOME.longitude + east_m / 75_900, HOME.latitude),
        accuracy_m=accuracy_m,
        at=at,
        beacons=beacons,
    )


def import_csv(
    engine: Engine,
    environment: Environment,
    data: bytes,
    kind: ImportKind | None = None,
    *,
    dry_run: bool = False,
    progress: Progress = no_progress,
) -> ImportReport:
    """Import a table, keeping its valid rows."""
    file, options = ImportFile(data, "table.csv"), ImportOptions(keep_good_rows=True)
    return import_file(engine, environment, file, options, kind, dry_run=dry_run, progress=progress)
