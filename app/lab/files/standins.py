"""Valid placeholders for invalid values, so that the rest of a file can be checked at the same time."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, Final

from msgspec import Struct, field

from app.lab.files.faults import Way

_INSTEAD: Final[Mapping[Way, Mapping[str, Any]]] = {
    ("geofences",): {"description": "a", "type": "circle", "coordinates": [0, 0], "radius": 100},
    ("beacons",): {"description": "a", "type": "ibeacon"},
    ("webhooks",): {},
    ("devices",): {"track": {"points": [{"at": "0s", "coordinates": [0, 0]}]}},
    ("steps",): {"wait": "0s"},
    ("expect", "events"): {"type": "user.failed_fraud"},
    ("expect", "none"): {"type": "user.failed_fraud"},
    ("expect", "users"): {"deviceId": "a", "geofences": []},
    ("expect", "deliveries"): {"webhook": "a", "event": {"type": "user.failed_fraud"}},
    ("expect", "trips"): {"externalId": "a", "status": "completed"},
}
"""Placeholders for an item of each list."""


class StandIns(Struct):
    """A file's data without its faulty values. `replaced` are the paths of the items with a placeholder.

    `texts` are the texts of the original items, which may be names used elsewhere. `is_unsure` is set if some
    names are unknown: those of a removed key, or of a faulty geofence or beacon without `tag` or `externalId`.
    """

    data: Any
    replaced: set[Way] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    is_unsure: bool = False


def without_faulty(data: Any, faulty: Iterable[Way]) -> StandIns:
    """Return the data with a placeholder for each faulty list item. Other faulty values are removed."""
    found = StandIns(deepcopy(data))
    for way in faulty:
        item = next(
            (way[: len(each) + 1] for each in _INSTEAD if way[: len(each)] == each and len(way) > len(each)), ()
        )
        if item in found.replaced:
            continue
        if item and isinstance(item[-1], int):
            _replace(found, item)
        else:
            _remove(found, way)
    return found


def _replace(found: StandIns, way: Way) -> None:
    *above, index = way
    around = found.data
    for part in above:
        around = around[part]
    instead = dict(_INSTEAD[tuple(above)])
    name = f"stand-in {index}"
    if above in (["geofences"], ["beacons"]):
        instead |= {"tag": name, "externalId": name}
    if above == ["webhooks"]:
        instead |= {"name": name}
    if above == ["devices"]:
        instead |= {"deviceId": name}
    _note(found, around[index], is_geofence=above in (["geofences"], ["beacons"]))
    around[index] = instead
    found.replaced.add(way)


def _note(found: StandIns, item: Any, *, is_geofence: bool) -> None:
    """Keep the names in an item, regardless of its error."""
    texts: dict[str, str] = {}
    waiting = [item]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
            texts |= {str(key): str(each) for key, each in value.items()}
        elif isinstance(value, list):
            waiting += value
    found.texts |= {*texts.values(), f"{texts.get('tag')}/{texts.get('externalId')}"}
    if is_geofence or "createGeofence" in texts:
        found.is_unsure |= not {"tag", "externalId"} <= texts.keys()


def _remove(found: StandIns, way: Way) -> None:
    """Remove the top-level key, or the key of `expect`, that contains a value."""
    keys = [part for part in way[:2] if isinstance(part, str)]
    keep = 2 if keys[:1] == ["expect"] and len(keys) == 2 else 1
    around = found.data
    for part in keys[: keep - 1]:
        around = around.get(part) if isinstance(around, dict) else None
    if isinstance(around, dict) and keys:
        removed = around.pop(keys[keep - 1], None)
        found.is_unsure |= keys[0] in ("geofences", "beacons", "webhooks", "devices", "steps") and removed is not None
