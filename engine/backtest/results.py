"""The results of a back-test: events, visits, travel between geofences, and the differences of two runs."""

from datetime import datetime

from msgspec import Struct

from engine.backtest.rows import BadFile, BadRow


class FenceResult(Struct, frozen=True, kw_only=True):
    """A geofence and what happened in it.

    `visits` are stays that began, whether or not they caused an event, and `inside_s` is their total duration in
    seconds; a stay that has not ended lasts until the device's last fix. `devices` is the number of devices that were
    inside. The radius is in metres, for polygons to the farthest vertex. `hours` are the events of each hour of the
    day, in the local time of the geofence.
    """

    tag: str
    external_id: str
    description: str
    longitude: float
    latitude: float
    radius_m: float
    entries: int = 0
    exits: int = 0
    dwells: int = 0
    visits: int = 0
    inside_s: float = 0.0
    devices: int = 0
    hours: tuple[int, ...] = (0,) * 24

    @property
    def events(self) -> int:
        """Number of all events."""
        return self.entries + self.exits + self.dwells

    @property
    def name(self) -> str:
        """The tag and the external ID, which identify the geofence."""
        return f"{self.tag}/{self.external_id}"


class DeviceResult(Struct, frozen=True):
    """A device with its events, its stays in all geofences, and their duration in seconds."""

    device_id: str
    events: int
    visits: int
    inside_s: float


class Travel(Struct, frozen=True):
    """The trips from one geofence to the next that a device visited: number and total duration in seconds.

    Geofences are given by their position in `BacktestReport.geofences`.
    """

    origin: int
    destination: int
    count: int
    duration_s: float


class FenceDifferences(Struct, frozen=True):
    """The events of a geofence that were gained, lost and moved in time."""

    tag: str
    external_id: str
    gained: int = 0
    lost: int = 0
    moved: int = 0

    @property
    def total(self) -> int:
        """Number of all differences."""
        return self.gained + self.lost + self.moved


class EventDifference(Struct, frozen=True, kw_only=True):
    """An event that was gained, lost or moved, by the names of `DifferenceKind`.

    `before` is its time with the geofences to compare with, and `after` its time with those of the back-test; one is
    None for an event that was gained or lost. The position is that of the later, or of a lost event.
    """

    kind: str
    type: str
    device_id: str
    user_id: str | None = None
    tag: str
    external_id: str
    before: datetime | None = None
    after: datetime | None = None
    longitude: float
    latitude: float


class Comparison(Struct, frozen=True, kw_only=True):
    """The differences of events, from the geofences to compare with to those of the back-test.

    `geofences` has those with differences, those with most first. `examples` are the first of all differences, at most
    `EXAMPLES`; all of them are in the files `differences*.parquet`.
    """

    events: int
    unchanged: int
    gained: int
    lost: int
    moved: int
    geofences: tuple[FenceDifferences, ...] = ()
    examples: tuple[EventDifference, ...] = ()


class WorkerResult(Struct, frozen=True):
    """The work of one worker: decided and skipped fixes, events, and time in seconds."""

    name: str
    fixes: int
    events: int
    seconds: float


class BacktestReport(Struct, frozen=True, kw_only=True):
    """The report of a back-test.

    `history`, `fences`, `against` and `rules` describe what was given, for display. `decided` is the number of fixes
    that were decided one by one, since they might have changed something. `late` fixes were taken before one that had
    already arrived, and `repeated` ones had arrived before and were ignored. `devices_without_event` counts devices,
    of which at most 20 are in `idle_devices`. `bad_rows` counts all rows that could not be read, of which the first
    ten are in `bad_examples`. `busiest` are the devices with most events, and `travels` those between geofences, most
    frequent first.
    """

    history: tuple[str, ...]
    fences: str
    against: str | None = None
    rules: tuple[str, ...]
    fixes: int
    decided: int
    late: int
    repeated: int
    devices: int
    events: int
    first_at: datetime | None = None
    last_at: datetime | None = None
    geofences: tuple[FenceResult, ...]
    devices_without_event: int
    idle_devices: tuple[str, ...]
    busiest: tuple[DeviceResult, ...]
    travels: tuple[Travel, ...]
    bad_rows: int
    bad_examples: tuple[BadRow, ...]
    bad_files: tuple[BadFile, ...]
    notes: tuple[str, ...]
    comparison: Comparison | None = None
    workers: tuple[WorkerResult, ...]
    seconds: float

    @property
    def idle_geofences(self) -> tuple[FenceResult, ...]:
        """The geofences without an event."""
        return tuple(geofence for geofence in self.geofences if not geofence.events)
