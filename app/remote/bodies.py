"""Bodies and queries of the requests to a process that has a workspace open."""

from datetime import datetime
from typing import Any

import orjson

from app.api.wire.common.encoding import encode_time
from engine.domain.queries import EventFilter
from engine.domain.tracking.trips import TripChange
from engine.domain.tracking.updates import LocationUpdate


def flag(value: bool) -> str:
    """Return a yes or no of a query."""
    return "true" if value else "false"


def json_text(value: object) -> str:
    """Return a value of a query that is JSON."""
    return orjson.dumps(value).decode()


def time_text(moment: datetime | None) -> str | None:
    """Return a time as the wire spells it."""
    return None if moment is None else encode_time(moment)


def track_body(update: LocationUpdate) -> bytes:
    """Return a location update as the body of ``/v1/track``."""
    body: dict[str, Any] = {
        "deviceId": update.device_id,
        "latitude": update.point.latitude,
        "longitude": update.point.longitude,
        "accuracy": update.accuracy_m,
    }
    if update.user_id is not None:
        body["userId"] = update.user_id
    if update.at is not None:
        body["updatedAt"] = encode_time(update.at)
    if update.foreground is not None:
        body["foreground"] = update.foreground
    if update.stopped is not None:
        body["stopped"] = update.stopped
    if update.trip is not None:
        body["tripOptions"] = _trip_options(update.trip)
    return orjson.dumps(body)


def _trip_options(trip: TripChange) -> dict[str, Any]:
    """Return the fields of a trip that a command sets."""
    options: dict[str, Any] = {"externalId": trip.external_id}
    if trip.mode is not None:
        options["mode"] = trip.mode.value
    if trip.status is not None:
        options["status"] = trip.status.value
    destination = trip.destination
    if destination is not None and destination.geofence_id is not None:
        options["destinationGeofenceId"] = destination.geofence_id
    elif destination is not None and destination.point is not None:
        point = destination.point
        options["destination"] = {
            "coordinates": [point.longitude, point.latitude],
            "arrivalRadius": destination.arrival_radius_m,
        }
    return options


def event_params(wanted: EventFilter) -> dict[str, str]:
    """Return a filter as the query of ``/v1/events`` spells it."""
    params = {
        "userId": wanted.user_id,
        "deviceId": wanted.device_id,
        "type": ",".join(sorted(wanted.types)),
        "tag": ",".join(sorted(wanted.tags)),
        "externalId": wanted.external_id,
    }
    return {name: value for name, value in params.items() if value}
