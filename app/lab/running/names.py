"""Names in a scenario. A name must refer to an existing or later item, so that typos are found."""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum

from pydantic import BaseModel

from app.api.wire.trips.request import TripOptionsBody
from app.lab.files.expectations import EventPattern, ExpectedDelivery
from app.lab.files.faults import Fault, Way
from app.lab.files.models import DeviceBody, GeofenceFile, ScenarioBody
from app.lab.files.reading import Scenario
from app.lab.files.steps import NewTrip, Step, Update
from app.lab.files.words import GeofenceKey
from engine.domain.words import did_you_mean

type Named = Iterator[tuple["Kind", Way, object]]


class Kind(StrEnum):
    """The kinds of named items, with the message for an unknown name."""

    GEOFENCE = "the scenario has no geofence"
    BEACON = "the scenario has no beacon"
    DEVICE = "the scenario has no device"
    USER = "no device of the scenario has the user"
    TRIP = "no step starts a trip"
    WEBHOOK = "the scenario has no webhook"


_OF_EVENTS = {
    "geofence": Kind.GEOFENCE,
    "beacon": Kind.BEACON,
    "device_id": Kind.DEVICE,
    "user_id": Kind.USER,
    "trip": Kind.TRIP,
}
_OF_USERS = {
    "device_id": Kind.DEVICE,
    "user_id": Kind.USER,
    "geofences": Kind.GEOFENCE,
    "in_geofences": Kind.GEOFENCE,
    "not_in": Kind.GEOFENCE,
}


def unknown_names(scenario: Scenario, geofences: Iterable[GeofenceKey]) -> list[Fault]:
    """Return faults for unknown names. `geofences` are those at the start, including those from files."""
    if scenario.is_unsure:
        return []
    known = _known(scenario.body, geofences)
    return [
        scenario.document.fault(way, f"{kind} {name}{did_you_mean(str(name), sorted(known[kind]))}")
        for kind, way, name in _named(scenario.body)
        if str(name) not in known[kind] | scenario.texts
        and way[: 3 if way[0] == "expect" else 2] not in scenario.replaced
    ]


# Existing names


def _known(body: ScenarioBody, geofences: Iterable[GeofenceKey]) -> dict[Kind, frozenset[str]]:
    made = [
        *(item for item in body.geofences if not isinstance(item, GeofenceFile)),
        *(step.create_geofence for step in body.steps if step.create_geofence is not None),
    ]
    tracked = [step.track for step in body.steps if step.track is not None]
    trips: list[NewTrip | TripOptionsBody] = [
        *(step.start_trip for step in body.steps if step.start_trip is not None),
        *(update.trip_options for update in tracked if update.trip_options is not None),
    ]
    movers: list[DeviceBody | Update | NewTrip | TripOptionsBody] = [*body.devices, *tracked, *trips]
    return {
        Kind.GEOFENCE: frozenset({*map(str, geofences), *(f"{each.tag}/{each.external_id}" for each in made)}),
        Kind.BEACON: frozenset(f"{each.tag}/{each.external_id}" for each in body.beacons),
        Kind.DEVICE: frozenset(each.device_id for each in movers if each.device_id),
        Kind.USER: frozenset(each.user_id for each in movers if each.user_id),
        Kind.TRIP: frozenset(trip.external_id for trip in trips),
        Kind.WEBHOOK: frozenset(webhook.name for webhook in body.webhooks),
    }


# Used names


def _named(body: ScenarioBody) -> Named:
    expect = body.expect
    for part, patterns in (("events", expect.events or ()), ("none", expect.none)):
        yield from _each(("expect", part), patterns, _of_pattern)
    yield from _each(("expect", "users"), expect.users, lambda way, user: _fields(way, user, _OF_USERS))
    yield from _each(
        ("expect", "trips"), expect.trips, lambda way, trip: _fields(way, trip, {"external_id": Kind.TRIP})
    )
    yield from _each(("expect", "deliveries"), expect.deliveries or (), _of_delivery)
    yield from _each(("steps",), body.steps, _of_step)


def _each[T](way: Way, items: Iterable[T], named: Callable[[Way, T], Named]) -> Named:
    for index, item in enumerate(items):
        yield from named((*way, index), item)


def _of_pattern(way: Way, pattern: EventPattern) -> Named:
    return _fields(way, pattern, _OF_EVENTS)


def _of_delivery(way: Way, delivery: ExpectedDelivery) -> Named:
    yield from _fields(way, delivery, {"webhook": Kind.WEBHOOK})
    if delivery.event is not None:
        yield from _of_pattern((*way, "event"), delivery.event)
    yield from _each((*way, "events"), delivery.events or (), _of_pattern)


def _of_step(way: Way, step: Step) -> Named:
    inner = {"device_id": Kind.DEVICE}
    for field, kinds in (("fault", inner), ("disconnect", inner), ("update_trip", {"external_id": Kind.TRIP})):
        if (value := getattr(step, field)) is not None:
            yield from _fields((*way, _alias(step, field)), value, kinds)
    yield from _fields(way, step, {"complete_trip": Kind.TRIP, "cancel_trip": Kind.TRIP})
    yield from _fields(way, step, {"delete_geofence": Kind.GEOFENCE})
    if (edit := step.edit_geofence) is not None:
        yield Kind.GEOFENCE, (*way, _alias(step, "edit_geofence")), f"{edit.tag}/{edit.external_id}"


def _fields(way: Way, model: BaseModel, kinds: dict[str, Kind]) -> Named:
    """Yield the names in fields of a model. A field is a name or a list of names."""
    for field, kind in kinds.items():
        value, place = getattr(model, field), (*way, _alias(model, field))
        if isinstance(value, list):
            yield from ((kind, (*place, index), each) for index, each in enumerate(value))
        elif value is not None:
            yield kind, place, value


def _alias(model: BaseModel, field: str) -> str:
    """Return the spelling of a field in a file."""
    return type(model).model_fields[field].alias or field
