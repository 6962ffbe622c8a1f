"""Execution of a step of a scenario."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from app.api.v1.geofences import change_of
from app.api.v1.track import location_update
from app.api.wire.faults.fault import fault_rule
from app.api.wire.settings.request import settings_change
from app.api.wire.trips.request import trip_change
from app.lab.files.steps import GeofenceEdit, Step
from app.lab.files.words import GeofenceKey, spell_duration
from app.lab.running.requests import Requests
from app.seeds import geofence_seed
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.trips import TripChange, TripStatus
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from engine.engine import Engine

_TEST: Final = Environment.TEST


class Take(Struct, frozen=True):
    """Context of the steps: the engine, the clock, and the connections of devices. Times are relative to the start."""

    engine: Engine
    start: datetime
    wait_until: Callable[[timedelta], None]
    send: Callable[[LocationUpdate], TrackResult | None]
    move_clock: Callable[[timedelta], None]
    disconnect: Callable[[str | None, timedelta, bool], None]
    requests: Requests


def take_step(take: Take, step: Step, now: timedelta) -> None:
    """Take a step. Raises the error if the engine refuses it."""
    trips = take.engine.trips
    if step.wait is not None:
        take.wait_until(now + step.wait)
    elif step.wait_until is not None:
        _wait_until(take, step.wait_until, now)
    elif step.move_clock is not None:
        take.move_clock(step.move_clock)
    elif step.settings is not None:
        take.engine.settings.change(_TEST, settings_change(step.settings))
    elif step.disconnect is not None:
        cut = step.disconnect
        take.disconnect(cut.device_id, cut.duration, cut.fixes == "replayed")
    elif step.fault is not None:
        take.requests.add_fault(fault_rule(step.fault), is_kept=step.fault.fixes == "replayed")
    elif step.clear_faults:
        take.requests.clear_faults()
    elif step.track is not None:
        update = location_update(step.track, step.track.ip, explain=True)
        result = take.send(update)
        if result is not None and result.refused:
            raise result.refused[0]
    elif step.start_trip is not None:
        trips.create(_TEST, trip_change(step.start_trip))
    elif step.update_trip is not None:
        trips.update(_TEST, step.update_trip.external_id, trip_change(step.update_trip))
    elif step.complete_trip is not None:
        _end_trip(take.engine, step.complete_trip, TripStatus.COMPLETED)
    elif step.cancel_trip is not None:
        _end_trip(take.engine, step.cancel_trip, TripStatus.CANCELED)
    else:
        _edit(take.engine, step)


class Subject(Struct, frozen=True):
    """The item that a step changes and later steps need: the clock, a trip or a geofence, by its name."""

    kind: str
    name: str = ""


def subject_of(step: Step) -> Subject | None:
    """Return the item of a step that later steps may need."""
    if step.wait or step.wait_until or step.move_clock:
        return Subject("clock")
    trip = step.start_trip or step.update_trip
    if name := step.complete_trip or step.cancel_trip or (trip and trip.external_id):
        return Subject("trip", name)
    if key := step.delete_geofence:
        return Subject("geofence", str(key))
    edited = step.create_geofence or step.edit_geofence
    return None if edited is None else Subject("geofence", f"{edited.tag}/{edited.external_id}")


def needs_of(step: Step) -> frozenset[Subject]:
    """Return the items that a step needs: its own, and the geofences that are destinations of its trip."""
    own = subject_of(step)
    trip = step.start_trip or step.update_trip or (step.track and step.track.trip_options)
    places = () if not trip else (trip, trip.destination, *(leg.destination for leg in trip.legs or ()))
    goals = (
        Subject("geofence", f"{place.destination_geofence_tag}/{place.destination_geofence_external_id}")
        for place in places
        if place is not None
    )
    return frozenset({*goals, *(() if own is None else (own,))})


def _wait_until(take: Take, until: datetime | timedelta, now: timedelta) -> None:
    to = until - take.start if isinstance(until, datetime) else until
    if to < now:
        message = f"wait_until: is in the past: the steps before it have come to {spell_duration(now)}."
        raise InvalidParameter("wait_until", message)
    take.wait_until(to)


def _end_trip(engine: Engine, external_id: str, status: TripStatus) -> None:
    trip = engine.trips.get(_TEST, external_id)
    if not trip.status.is_open:
        raise InvalidParameter("status", f"status: the trip {external_id} is {trip.status} already.")
    engine.trips.update(_TEST, trip.id, TripChange(status=status))


def _edit(engine: Engine, step: Step) -> None:
    if step.create_geofence is not None:
        engine.geofences.create(_TEST, geofence_seed(step.create_geofence).change)
    elif step.edit_geofence is not None:
        edit: GeofenceEdit = step.edit_geofence
        before = engine.geofences.get_by_key(_TEST, edit.tag, edit.external_id)
        engine.geofences.update(_TEST, before.id, change_of(edit))
    elif step.delete_geofence is not None:
        key: GeofenceKey = step.delete_geofence
        engine.geofences.delete(_TEST, engine.geofences.get_by_key(_TEST, key.tag, key.external_id).id)
