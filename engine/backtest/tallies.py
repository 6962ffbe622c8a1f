"""The events of a part of a back-test in columns, and sums that can be added to those of other parts."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

import pyarrow as pa
from msgspec import Struct, field

from engine.backtest.fences import microseconds
from engine.backtest.results import DeviceResult
from engine.domain.geofence import Geofence
from engine.domain.tracking.updates import EventType, Fix, Presence
from engine.geo.index import Entry
from engine.tracking.decide import Decision, local_time

MOST_BUSIEST: Final = 20
MOST_IDLE: Final = 20
_MINUTE_S: Final = 60

EVENTS_SCHEMA: Final = pa.schema(
    [
        pa.field("deviceId", pa.string(), nullable=False),
        pa.field("userId", pa.string()),
        pa.field("type", pa.string(), nullable=False),
        pa.field("createdAt", pa.timestamp("us", "UTC"), nullable=False),
        pa.field("tag", pa.string(), nullable=False),
        pa.field("externalId", pa.string(), nullable=False),
        pa.field("confidence", pa.int8(), nullable=False),
        pa.field("duration", pa.float64()),
        pa.field("longitude", pa.float64(), nullable=False),
        pa.field("latitude", pa.float64(), nullable=False),
        pa.field("accuracy", pa.float64(), nullable=False),
    ]
)
"""Columns of the events of a back-test; `duration` is in minutes, as on the wire, and set on exits."""

VISITS_SCHEMA: Final = pa.schema(
    [
        pa.field("deviceId", pa.string(), nullable=False),
        pa.field("userId", pa.string()),
        pa.field("tag", pa.string(), nullable=False),
        pa.field("externalId", pa.string(), nullable=False),
        pa.field("visits", pa.int64(), nullable=False),
        pa.field("minutes", pa.float64(), nullable=False),
    ]
)
"""Columns of the visits of each user to each geofence."""


class EventLog:
    """Events in columns, in the order in which they happened."""

    def __init__(self) -> None:
        self._rows: list[tuple[object, ...]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(
        self,
        device_id: str,
        user_id: str | None,
        kind: EventType,
        fix: Fix,
        decision: Decision,
        duration_s: float | None,
    ) -> None:
        """Add the event of a decision. `duration_s` is that of a stay that began before an exit."""
        geofence = decision.fence.item
        minutes = duration_s / _MINUTE_S if kind is EventType.EXITED_GEOFENCE and duration_s is not None else None
        event = (
            device_id,
            user_id,
            kind.value,
            microseconds(fix.at),
            geofence.tag,
            geofence.external_id,
            decision.confidence,
            minutes,
            fix.point.longitude,
            fix.point.latitude,
            fix.accuracy_m,
        )
        self._rows.append(event)

    def take(self) -> pa.Table:
        """Return the events as a table, and forget them."""
        rows, self._rows = self._rows, []
        columns = zip(*rows, strict=True) if rows else [()] * len(EVENTS_SCHEMA)
        return pa.table(
            [pa.array(each, kind.type) for each, kind in zip(columns, EVENTS_SCHEMA, strict=True)], schema=EVENTS_SCHEMA
        )


class FenceTally(Struct):
    """Sums of one geofence, as in `FenceResult`."""

    entries: int = 0
    exits: int = 0
    dwells: int = 0
    visits: int = 0
    inside_s: float = 0.0
    devices: int = 0
    hours: list[int] = field(default_factory=lambda: [0] * 24)


class TravelTally(Struct):
    """Number and total duration of the trips between two geofences."""

    count: int = 0
    duration_s: float = 0.0


class Totals(Struct):
    """Sums over devices. Geofences are named by tag and external ID."""

    devices: int = 0
    devices_without_event: int = 0
    idle_devices: list[str] = field(default_factory=list)
    busiest: list[DeviceResult] = field(default_factory=list)
    geofences: dict[tuple[str, str], FenceTally] = field(default_factory=dict)
    travels: dict[tuple[str, str, str, str], TravelTally] = field(default_factory=dict)

    def add(self, other: "Totals") -> None:
        """Add the sums of other devices."""
        self.devices += other.devices
        self.devices_without_event += other.devices_without_event
        self.idle_devices = sorted([*self.idle_devices, *other.idle_devices])[:MOST_IDLE]
        self.busiest = busiest([*self.busiest, *other.busiest])
        for name, tally in other.geofences.items():
            own = self.geofences.setdefault(name, FenceTally())
            for part in ("entries", "exits", "dwells", "visits", "inside_s", "devices"):
                setattr(own, part, getattr(own, part) + getattr(tally, part))
            own.hours = [one + more for one, more in zip(own.hours, tally.hours, strict=True)]
        for ends, travel in other.travels.items():
            known = self.travels.setdefault(ends, TravelTally())
            known.count += travel.count
            known.duration_s += travel.duration_s


class Stays(Struct):
    """The visits of a user to one geofence and their total duration."""

    count: int = 0
    inside_s: float = 0.0


class Visits(Struct):
    """The visits of a user by geofence, the geofence that the user left last, and the number of events."""

    of_fence: dict[tuple[str, str], Stays] = field(default_factory=dict)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    left: tuple[tuple[str, str], datetime] | None = None
    events: int = 0

    def begin(self, geofence: Geofence, at: datetime, totals: Totals) -> None:
        """Begin a visit."""
        name = self.names[geofence.id] = geofence.tag, geofence.external_id
        self.of_fence.setdefault(name, Stays()).count += 1
        if self.left is not None:
            origin, left_at = self.left
            travel = totals.travels.setdefault((*origin, *name), TravelTally())
            travel.count += 1
            travel.duration_s += max(0.0, (at - left_at).total_seconds())

    def end(self, presence: Presence, at: datetime) -> None:
        """End a visit."""
        name = self.close(presence, at)
        if name is not None:
            self.left = name, at

    def close(self, presence: Presence, at: datetime) -> tuple[str, str] | None:
        """Add the duration of a visit and return the name of the geofence, if it is known."""
        name = self.names.get(presence.geofence_id)
        if name is not None:
            self.of_fence[name].inside_s += max(0.0, (at - presence.entered_at).total_seconds())
        return name


class Tallies:
    """Sums of the devices that a decider has decided, and their visits in columns."""

    def __init__(self) -> None:
        self.totals = Totals()
        self._visits: list[list[object]] = [[] for _ in VISITS_SCHEMA]

    def add_event(self, kind: EventType, fence: Entry[Geofence], fix: Fix) -> None:
        """Count an event."""
        name = fence.item.tag, fence.item.external_id
        tally = self.totals.geofences.get(name)
        if tally is None:
            tally = self.totals.geofences[name] = FenceTally()
        if kind is EventType.ENTERED_GEOFENCE:
            tally.entries += 1
        elif kind is EventType.EXITED_GEOFENCE:
            tally.exits += 1
        else:
            tally.dwells += 1
        tally.hours[local_time(fence, fix).hour] += 1

    def add_device(self, device_id: str, visits: Iterable[tuple[str | None, Visits]]) -> None:
        """Count a device with the visits of its users."""
        totals, events, count, inside_s = self.totals, 0, 0, 0.0
        visited = set()
        for user_id, each in visits:
            events += each.events
            for name, stays in each.of_fence.items():
                tally = totals.geofences.setdefault(name, FenceTally())
                tally.visits += stays.count
                tally.inside_s += stays.inside_s
                tally.devices += name not in visited
                visited.add(name)
                count, inside_s = count + stays.count, inside_s + stays.inside_s
                row = (device_id, user_id, *name, stays.count, stays.inside_s / _MINUTE_S)
                for column, value in zip(self._visits, row, strict=True):
                    column.append(value)
        totals.devices += 1
        if events:
            totals.busiest.append(DeviceResult(device_id, events, count, inside_s))
            if len(totals.busiest) > 2 * MOST_BUSIEST:
                totals.busiest = busiest(totals.busiest)
        else:
            totals.devices_without_event += 1
            if len(totals.idle_devices) < MOST_IDLE:
                totals.idle_devices.append(device_id)

    def visits(self) -> pa.Table:
        """Return the visits as a table."""
        return pa.table(
            [pa.array(each, kind.type) for each, kind in zip(self._visits, VISITS_SCHEMA, strict=True)],
            schema=VISITS_SCHEMA,
        )


def busiest(devices: Iterable[DeviceResult]) -> list[DeviceResult]:
    """Return the devices with most events."""
    return sorted(devices, key=lambda each: (-each.events, -each.inside_s, each.device_id))[:MOST_BUSIEST]
