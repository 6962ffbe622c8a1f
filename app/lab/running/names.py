"""Names in a scenario: geofences and devices that are expected to do something, and that must exist for it."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from app.lab.files.faults import ScenarioInvalid, Way
from app.lab.files.models import ScenarioBody
from app.lab.files.reading import Scenario
from app.lab.files.words import GeofenceKey

type Named = Iterator[tuple[Way, str]]


def check_names(scenario: Scenario, geofences: Iterable[GeofenceKey]) -> None:
    """Refuse names of geofences and devices that there never are; `geofences` are those at the start."""
    body, document = scenario.body, scenario.document
    known = {*map(str, geofences), *_made(body)}
    faults = [
        document.fault(way, _unknown("geofence", name, known)) for way, name in _geofences(body) if name not in known
    ]
    devices = {*(device.device_id for device in body.devices), *_other_devices(body)}
    faults += [
        document.fault(way, _unknown("device", name, devices)) for way, name in _devices(body) if name not in devices
    ]
    if faults:
        raise ScenarioInvalid(faults)


def _made(body: ScenarioBody) -> Iterator[str]:
    """Yield the geofences that steps make."""
    for step in body.steps:
        if step.create_geofence is not None:
            yield f"{step.create_geofence.tag}/{step.create_geofence.external_id}"


def _geofences(body: ScenarioBody) -> Named:
    for part, patterns in (("events", body.expect.events or ()), ("none", body.expect.none)):
        for index, pattern in enumerate(patterns):
            if pattern.geofence is not None:
                yield ("expect", part, index, "geofence"), str(pattern.geofence)
    for index, user in enumerate(body.expect.users):
        for field, keys in (("geofences", user.geofences), ("in", user.in_geofences), ("notIn", user.not_in)):
            for at, key in enumerate(keys or ()):
                yield ("expect", "users", index, field, at), str(key)


def _other_devices(body: ScenarioBody) -> Iterator[str]:
    """Yield the devices that steps speak of."""
    for step in body.steps:
        if step.track is not None:
            yield step.track.device_id
        if step.start_trip is not None and step.start_trip.device_id is not None:
            yield step.start_trip.device_id


def _devices(body: ScenarioBody) -> Named:
    expect = body.expect
    for part, devices in (
        ("events", [event.device_id for event in expect.events or ()]),
        ("none", [event.device_id for event in expect.none]),
        ("users", [user.device_id for user in expect.users]),
    ):
        for index, device in enumerate(devices):
            if device is not None:
                yield ("expect", part, index, "deviceId"), device
    for index, step in enumerate(body.steps):
        if step.fault is not None and step.fault.device_id is not None:
            yield ("steps", index, "fault", "deviceId"), step.fault.device_id
        if step.disconnect is not None and step.disconnect.device_id is not None:
            yield ("steps", index, "disconnect", "deviceId"), step.disconnect.device_id


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, known, n=1)
    hint = f"; did you mean {close[0]}?" if close else "."
    return f"the scenario has no {what} {name}{hint}"
