"""A single unknown key anywhere in a scenario, which is a single fault; the placeholder for its item has none."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from app.lab.files.faults import ScenarioInvalid, field_name
from app.lab.files.reading import load_scenario
from app.lab.running.runner import run_scenario
from tests.app.lab.conftest import Write

UUID: Final = "b9407f30-f5f8-466e-aff9-25556b57fe6d"
RING: Final = [[9.52, 47.14], [9.53, 47.14], [9.53, 47.15], [9.52, 47.14]]
POINT: Final = {"type": "Point", "coordinates": [9.52, 47.14]}


def whole() -> dict[str, Any]:
    """Return a scenario with one item of every kind, each of which another item uses."""
    return {
        "version": 1,
        "geofences": [
            _named("circle", type="circle", coordinates=[9.52, 47.14], radius=100),
            _named("polygon", type="polygon", coordinates=RING),
        ],
        "beacons": [
            _named("ibeacon", type="ibeacon", uuid=UUID, major=1, minor=2, geometry=POINT),
            _named("eddystone", type="eddystone", uid="edd1ebeac04e5defa017", instance="0bdb87539b67", geometry=POINT),
        ],
        "devices": [
            {"deviceId": "d", "userId": "u", "track": {"points": [{"at": "0s", "coordinates": [9.52, 47.14]}]}}
        ],
        "steps": [
            {"settings": {"segments": [{"externalId": "s", "description": "S", "conditions": [_CONDITION]}]}},
            {"editGeofence": {"tag": "t", "externalId": "circle", "radius": 50}},
            {"startTrip": {"externalId": "a", "userId": "u", **_destination("circle")}},
            {"updateTrip": {"externalId": "a", "status": "started"}},
            {"completeTrip": "a"},
            {"createGeofence": _named("new", type="circle", coordinates=[9.52, 47.14], radius=100)},
            {"editGeofence": {"tag": "t", "externalId": "new", "radius": 50}},
            {"startTrip": {"externalId": "b", "userId": "u", **_destination("new")}},
            {"cancelTrip": "b"},
            {"deleteGeofence": "t/new"},
            {"deleteGeofence": "t/polygon"},
            {"fault": {"kind": "drop", "deviceId": "d"}},
            {"disconnect": {"deviceId": "d", "for": "1s"}},
            {"startTrip": {"externalId": "c", "userId": "u", "legs": [{"destination": {"coordinates": [9.6, 47.2]}}]}},
            {"updateTrip": {"externalId": "c", "legs": [{"destination": {"coordinates": [9.5, 47.2]}}]}},
            {"track": {"deviceId": "d", "userId": "u", "longitude": 9.52, "latitude": 47.14, "accuracy": 5}},
            {"track": {**_FIX, "tripOptions": {"externalId": "e", "destination": {"coordinates": [9.6, 47.2]}}}},
        ],
        "expect": {
            "events": [{"type": "user.entered_geofence", "geofence": "t/circle", "deviceId": "d", "userId": "u"}],
            "none": [{"type": "user.entered_beacon", "beacon": "t/ibeacon"}],
            "users": [{"deviceId": "d", "userId": "u", "geofences": ["t/polygon"]}],
            "trips": [{"externalId": "a", "status": "completed"}],
        },
    }


_FIX: Final = {"deviceId": "f", "longitude": 9.52, "latitude": 47.14, "accuracy": 5}
_CONDITION: Final = {"field": "deviceType", "comparison": "exists"}


def _named(external_id: str, **fields: Any) -> dict[str, Any]:
    return {"tag": "t", "externalId": external_id, "description": external_id, **fields}


def _destination(external_id: str) -> dict[str, Any]:
    return {"destinationGeofenceTag": "t", "destinationGeofenceExternalId": external_id}


def ways(value: Any, way: Sequence[str | int] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths to all mappings in a value."""
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    found = [tuple(way)] if isinstance(value, dict) else []
    return [*found, *(each for key, item in inner for each in ways(item, (*way, key)))]


def faults(file: Path) -> list[str]:
    with pytest.raises(ScenarioInvalid) as refused:
        run_scenario(load_scenario(file))
    return [fault.field for fault in refused.value.faults]


def test_the_scenario_that_the_others_come_from_is_sound(write: Write) -> None:
    run_scenario(load_scenario(write(json.dumps(whole()))))


@pytest.mark.parametrize("way", ways(whole()), ids=lambda way: ".".join(map(str, way)) or "file")
def test_an_unknown_key_is_the_only_fault(way: tuple[str | int, ...], write: Write) -> None:
    data = json.loads(json.dumps(whole()))
    around: Any = data
    for key in way:
        around = around[key]
    around["colour"] = "red"
    assert faults(write(json.dumps(data))) == [field_name((*way, "colour"))]
