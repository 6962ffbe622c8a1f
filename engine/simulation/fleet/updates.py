"""Updates of each device of a fleet, lap by lap, generated on demand."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from engine.domain.tracking.trips import DestinationChange, TripChange, TripStatus
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.values import replace
from engine.simulation.fleet.plan import FleetPlan
from engine.simulation.fleet.trips import EPOCH, Lap
from engine.simulation.noise.model import MAX_SEED
from engine.simulation.phone import Phone
from engine.simulation.timing import ScheduledFix, location_updates

ARRIVAL_RADIUS_M = 100.0
_PER_DEVICE = 1_000_003
_PER_LAP = 7_919

type Due = tuple[float, LocationUpdate]
"""Seconds since the fleet's start, and the update due then."""


def updates_of(plan: FleetPlan, lap: Lap, start: datetime) -> Iterator[Due]:
    """Yield the updates of one device in order, without end if the plan loops."""
    begin_s, count = _begin_s(plan, lap), 0
    while True:
        for fix, update in _of_lap(plan, lap, count, start + timedelta(milliseconds=round(begin_s * 1_000))):
            yield begin_s + (fix.at - EPOCH).total_seconds(), update
        count += 1
        # The last fix of a lap and the first of the next one are at the same place, one interval apart.
        begin_s += lap.duration_s + plan.interval_s
        if not plan.loop:
            return


def duration_s(plan: FleetPlan, laps: Iterable[Lap]) -> float | None:
    """Return the duration of a fleet in its own time, or None if the plan loops."""
    return None if plan.loop else max(_begin_s(plan, lap) + lap.duration_s for lap in laps)


def _begin_s(plan: FleetPlan, lap: Lap) -> float:
    return (lap.number - 1) * plan.stagger_s


def _of_lap(plan: FleetPlan, lap: Lap, count: int, begin: datetime) -> Iterator[tuple[ScheduledFix, LocationUpdate]]:
    seed = (plan.seed + lap.number * _PER_DEVICE + count * _PER_LAP) % (MAX_SEED + 1)
    fixes = Phone(plan.noise, seed, plan.motion).reports(lap.fixes)
    moved = [replace(fix, at=begin + (fix.at - EPOCH)) for fix in fixes]
    updates = location_updates(moved, device_id=plan.device_id(lap.number), accuracy_m=None)
    if plan.trips:
        updates = _with_trip(plan, lap, f"{plan.device_id(lap.number)}-{begin:%Y%m%dT%H%M%S}", fixes, updates)
    return zip(fixes, updates, strict=True)


def _with_trip(
    plan: FleetPlan, lap: Lap, name: str, fixes: Sequence[ScheduledFix], updates: Sequence[LocationUpdate]
) -> tuple[LocationUpdate, ...]:
    """Return updates of which the first starts a trip to the target, and the last one of the stay completes it."""
    target = lap.target
    destination = (
        DestinationChange(geofence_id=target.geofence_id)
        if target.geofence_id is not None
        else DestinationChange(point=target.point, arrival_radius_m=ARRIVAL_RADIUS_M)
    )
    trip = TripChange(external_id=name, mode=plan.mode, destination=destination)
    until = lap.fixes[lap.arrival - 1].at
    of_trip = sum(fix.at <= until for fix in fixes)
    made = [replace(update, trip=trip) for update in updates[:of_trip]]
    if made:
        made[-1] = replace(made[-1], trip=replace(trip, status=TripStatus.COMPLETED))
    return (*made, *updates[of_trip:])
