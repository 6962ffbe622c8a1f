"""Trips as JSON for rows of trips and events."""

from types import MappingProxyType
from typing import Any

from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA, Metadata
from engine.domain.tracking.trips import Arrival, Destination, Eta, Trip, TripLeg, TripStatus
from engine.domain.travel import TravelMode
from engine.store.records.cells import from_ms, to_ms

type Content = dict[str, Any]

_MOMENTS = ("scheduled_arrival_at", "begun_at", "started_at", "approaching_at", "arrived_at", "ended_at")
_PLAIN = ("user_id", "device_id", "user", "approaching_threshold_s", "told_s")


def trip_content(trip: Trip) -> Content:
    """Return a trip as JSON types, without values that are None."""
    content: Content = {
        "id": trip.id,
        "external_id": trip.external_id,
        "status": trip.status.value,
        "created_at": to_ms(trip.created_at),
        "updated_at": to_ms(trip.updated_at),
        "seen_at": to_ms(trip.seen_at),
        "mode": trip.mode.value,
    }
    for name in _PLAIN:
        if (value := getattr(trip, name)) is not None:
            content[name] = value
    for name in _MOMENTS:
        if (moment := getattr(trip, name)) is not None:
            content[name] = to_ms(moment)
    if trip.destination is not None:
        content["destination"] = _destination_content(trip.destination)
    if trip.legs:
        content["legs"] = [_leg_content(leg) for leg in trip.legs]
    if (arrival := trip.arrival) is not None:
        content["arrival"] = (to_ms(arrival.for_engine), to_ms(arrival.for_device), arrival.after_s)
    _add(content, trip.metadata, trip.eta)
    return content


def trip_of_content(content: Content, environment: Environment) -> Trip:
    """Return a trip from JSON types."""
    given = {name: content[name] for name in _PLAIN if name in content}
    given |= {name: from_ms(content[name]) for name in _MOMENTS if name in content}
    return Trip(
        id=content["id"],
        environment=environment,
        external_id=content["external_id"],
        status=TripStatus(content["status"]),
        created_at=from_ms(content["created_at"]),
        updated_at=from_ms(content["updated_at"]),
        seen_at=from_ms(content["seen_at"]),
        mode=TravelMode(content["mode"]),
        destination=_destination_of(content["destination"]) if "destination" in content else None,
        legs=tuple(_leg_of(leg) for leg in content.get("legs", ())),
        metadata=_metadata_of(content),
        eta=_eta_of(content),
        arrival=_arrival_of(content),
        **given,
    )


def _leg_content(leg: TripLeg) -> Content:
    content: Content = {
        "id": leg.id,
        "status": leg.status.value,
        "destination": _destination_content(leg.destination),
        "created_at": to_ms(leg.created_at),
        "updated_at": to_ms(leg.updated_at),
    }
    if leg.stop_s is not None:
        content["stop_s"] = leg.stop_s
    _add(content, leg.metadata, leg.eta)
    return content


def _leg_of(content: Content) -> TripLeg:
    return TripLeg(
        id=content["id"],
        status=TripStatus(content["status"]),
        destination=_destination_of(content["destination"]),
        created_at=from_ms(content["created_at"]),
        updated_at=from_ms(content["updated_at"]),
        stop_s=content.get("stop_s"),
        metadata=_metadata_of(content),
        eta=_eta_of(content),
    )


def _destination_content(destination: Destination) -> Content:
    content: Content = {"point": (destination.point.longitude, destination.point.latitude)}
    for name in ("geofence_id", "tag", "external_id", "address", "arrival_radius_m"):
        if (value := getattr(destination, name)) is not None:
            content[name] = value
    return content


def _destination_of(content: Content) -> Destination:
    return Destination(Point(*content["point"]), **{name: value for name, value in content.items() if name != "point"})


def _add(content: Content, metadata: Metadata, eta: Eta | None) -> None:
    if metadata:
        content["metadata"] = dict(metadata)
    if eta is not None:
        content["eta"] = (eta.distance_m, eta.duration_s, eta.is_routed)


def _metadata_of(content: Content) -> Metadata:
    return MappingProxyType(content["metadata"]) if "metadata" in content else NO_METADATA


def _eta_of(content: Content) -> Eta | None:
    return Eta(*content["eta"]) if "eta" in content else None


def _arrival_of(content: Content) -> Arrival | None:
    """Return the arrival of the user. Trips of earlier versions have it only as an ETA at their last change."""
    if "arrival" in content:
        for_engine, for_device, after_s = content["arrival"]
        return Arrival(from_ms(for_engine), from_ms(for_device), after_s)
    if "eta" not in content or "arrived_at" in content:
        return None
    changed_at = from_ms(content["updated_at"])
    return Arrival(changed_at, changed_at, content["eta"][1])
