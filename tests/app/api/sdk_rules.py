"""The rules by which the iOS and Android SDKs read responses, applied to all responses of all tests.

A violation does not fail loudly in an app: a whole list of events is dropped, or a null becomes the text "null".
"""

import re
from collections.abc import Iterator
from typing import Any

type Json = Any

TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
LOCAL_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([+-]\d\d:\d\d|Z)")
TIMES = re.compile(
    r"(created|updated|actualCreated|actualUpdated|expires|started|ended|arrived|approached)At|last[A-Z]\w*At"
)
REGIONS = ("country", "state", "dma", "postalCode")
OWN_WORDS = ("metadata", "campaignMetadata")
"""Dictionaries defined by the user, which may have any keys."""


class Refused(AssertionError):
    """Raised if an SDK would misread a response."""


def check_rules(answer: Json, status: int, path: str = "") -> None:
    """Raise `Refused` if an SDK would drop or misread a part of a response to a request of `path`.

    The types of the parts are checked by `check_shapes` before.
    """
    _require(isinstance(answer, dict) and bool(answer), "", "every body is an object, and not empty")
    _require(status == 200 or status >= 400, "", "JS 3 and 4 take only 200 for success")
    parts = list(_walk(answer))
    for place, key, value in parts:
        _require(value is not None, place, "null crashes one SDK and is the text null in another")
        _check_time(place, key, value)
    if status != 200:
        _check_error(answer)
        return
    _check_top(answer, path)
    for place, _, value in parts:
        if isinstance(value, dict):
            _check_object(place, value)


def _check_top(answer: Json, path: str) -> None:
    if path == "/v1/track":
        _require(isinstance(answer.get("user"), dict), "/user", "a track has a user")
        _require(isinstance(answer.get("events"), list), "/events", "a track has events")
    if path == "/v1/geocode/ip":
        _require(isinstance(answer.get("proxy"), bool) and bool(answer.get("ip")), "", "an IP address has ip and proxy")
    if path == "/v1/context":
        _require(isinstance(answer.get("context", {}).get("geofences"), list), "/context", "a context has geofences")
    if path == "/v1/sync/region":
        region = answer.get("region", {})
        _require(_is_number(region.get("radius")) and region["radius"] > 0, "/region", "a region has a radius")
        for name in ("geofences", "places", "beacons"):
            _require(isinstance(answer.get(name), list), f"/{name}", "a region has three lists")
    if path == "/v1/addresses/validate":
        _require(bool(answer.get("result", {}).get("verificationStatus")), "/result", "a validation has a status")
    for name in ("user", "users"):
        for place, user in _each(answer, name):
            _check_user(place, user)
    for name in ("event", "events"):
        for place, event in _each(answer, name):
            _check_event(place, event)
    for row, cells in enumerate(answer.get("matrix", ())):
        for column, cell in enumerate(cells):
            _check_measures(f"/matrix/{row}/{column}", cell)


def _check_user(place: str, user: Json) -> None:
    _require_text(place, user, "_id")
    coordinates = user.get("location", {}).get("coordinates")
    _require(_is_position(coordinates), f"{place}/location", "a user has a position")
    for name in ("geofences", "beacons"):
        for each_place, each in _each(user, name, place):
            _require_text(each_place, each, "_id")


def _check_event(place: str, event: Json) -> None:
    for name in ("_id", "createdAt", "actualCreatedAt", "type"):
        _require_text(place, event, name)
    left = event["type"] in ("user.exited_geofence", "user.exited_place", "user.exited_beacon")
    if left and event.get("user", {}).get("deviceId") != "anonymous":
        _require(_is_number(event.get("duration")), place, "an exit has a duration in minutes")


def _check_object(place: str, value: Json) -> None:
    """Check the rules for an object according to its name, independent of its location."""
    last = place.rpartition("/")[2]
    if last in OWN_WORDS:
        return
    parent = place.rstrip("/0123456789").rpartition("/")[2]
    if "geometryRadius" in value or parent in ("geofence", "geofences", "nearbyGeofences"):
        _check_geofence(place, value)
    if parent in ("place", "places", "alternatePlaces", "verifiedPlace"):
        _require_text(place, value, "_id")
        _require_text(place, value, "name")
    if last in REGIONS or (last == "region" and "radius" not in value):
        for name in ("_id", "type", "name", "code"):
            _require_text(place, value, name)
    if parent in ("trip", "trips") and "_id" in value:
        _require_text(place, value, "externalId")
    if last == "eta":
        _require(_is_number(value.get("distance")) and _is_number(value.get("duration")), place, "an eta has both")
    for name in ("major", "minor") if parent in ("beacon", "beacons") else ():
        _require(name not in value or isinstance(value[name], str), place, "major and minor are texts")


def _check_geofence(place: str, geofence: Json) -> None:
    _require_text(place, geofence, "_id")
    kind = geofence.get("type")
    if kind is not None:
        _require(kind in ("circle", "polygon", "isochrone"), place, "a geofence's type is in lower case")
        _require(_is_position(geofence.get("geometryCenter", {}).get("coordinates")), place, "a type needs a centre")
        _require(_is_number(geofence.get("geometryRadius")), place, "a type needs a numeric radius")
    if isinstance(outline := geofence.get("geometry"), dict):
        rings = outline.get("coordinates")
        _require(isinstance(rings, list) and len(rings) == 1, place, "iOS reads a polygon of one ring only")


def _check_measures(place: str, cell: Json) -> None:
    for name in ("distance", "duration"):
        measure = cell.get(name)
        whole = isinstance(measure, dict) and _is_number(measure.get("value")) and isinstance(measure.get("text"), str)
        _require(whole, place, "every cell has distance and duration, each with value and text")


def _check_error(answer: Json) -> None:
    meta = answer.get("meta")
    _require(isinstance(meta, dict) and isinstance(meta.get("code"), int), "/meta", "an error has a code")
    _require(isinstance(meta.get("message"), str) and bool(meta["message"]), "/meta", "an error has a message")
    if "param" in meta:
        _require(isinstance(meta["param"], str), "/meta", "a param is a text")


def _check_time(place: str, key: str, value: Json) -> None:
    if key == "currentTime":
        _require(
            isinstance(value, str) and bool(LOCAL_TIME.fullmatch(value)), place, "a local time has no milliseconds"
        )
    elif TIMES.fullmatch(key):
        _require(isinstance(value, str) and bool(TIMESTAMP.fullmatch(value)), place, "iOS reads one form of times only")


def _walk(answer: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield all parts of a response with their location and key; the parts of an object precede their contents."""
    holders = [("", answer)]
    for place, holder in holders:
        for key, item in holder.items() if isinstance(holder, dict) else enumerate(holder):
            here = f"{place}/{key}"
            yield here, key if isinstance(key, str) else "", item
            if isinstance(item, dict | list) and key not in OWN_WORDS:
                holders.append((here, item))


def _each(value: Json, name: str, place: str = "") -> Iterator[tuple[str, Json]]:
    found = value.get(name, [])
    for number, item in enumerate(found if isinstance(found, list) else [found]):
        yield f"{place}/{name}/{number}", item


def _require_text(place: str, value: Json, name: str) -> None:
    _require(isinstance(value.get(name), str) and bool(value[name]), place, f"{name} is a text and there")


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_position(value: Json) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def _require(holds: bool, place: str, rule: str) -> None:
    if not holds:
        raise Refused(f"{place or '/'}: {rule}")
