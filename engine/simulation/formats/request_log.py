"""Tracks from this endpoint's request log, in the response of ``GET /v1/requests``: the updates sent by an SDK.

docs/api-requests.md describes the log. The bodies of ``POST /v1/track`` and ``/v1/track/replay`` are read, as JSON or
forms.
"""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import parse_qsl

from engine.domain.errors import InvalidParameter
from engine.domain.nesting import not_too_deep
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.found import Found
from engine.simulation.formats.json_values import JsonObject, as_object, inner

_TRACK: Final = ("/v1/track", "/v1/track/replay")
_REFUSED: Final = 400
_MAX_FIELDS: Final = 1_000


def is_record(value: object) -> bool:
    """Return whether a value is a request of the log."""
    return isinstance(value, dict) and {"method", "path", "number"} <= value.keys()


def read(records: list[Any], found: Found) -> None:
    """Read the location updates that were sent; updates that the endpoint refused are named."""
    for record in sorted((each for each in records if is_record(each)), key=_number):
        path = str(record["path"]).partition("?")[0].removeprefix("/api").rstrip("/")
        if record["method"] != "POST" or path not in _TRACK:
            continue
        place = f"request {record['number']}"
        try:
            bodies = list(_bodies(record))
        except InvalidParameter as error:
            found.skip(f"{place}: {error.message}")
            continue
        for body in bodies:
            device = body.get("deviceId")
            found.attempt(place, lambda: _point(body, record), None if device is None else str(device))  # noqa: B023
    found.order_by_time()


def _number(record: JsonObject) -> float:
    number = record["number"]
    return number if isinstance(number, int | float) else 0


def _bodies(record: JsonObject) -> Iterator[JsonObject]:
    status = inner(record, "response", "status")
    if isinstance(status, int) and status >= _REFUSED:
        raise InvalidParameter("track", f"it returned the status {status}.")
    if record.get("bodyTruncated"):
        raise InvalidParameter("track", "the log keeps only the beginning of its body.")
    body = _parsed(record.get("body"))
    replays = body.get("replays")
    if isinstance(replays, str):
        replays = _json(replays)
    if isinstance(replays, list):
        yield from (as_object(each, "an update of the replay") for each in replays)
    else:
        yield body


def _parsed(text: object) -> JsonObject:
    if not isinstance(text, str) or not text.strip():
        raise InvalidParameter("track", "it has no body.")
    if text.lstrip().startswith("{"):
        return as_object(_json(text), "its body")
    try:
        return dict(parse_qsl(text, max_num_fields=_MAX_FIELDS))
    except ValueError:
        raise InvalidParameter("track", "its body cannot be read.") from None


def _json(text: str) -> object:
    try:
        parsed: object = json.loads(not_too_deep(text))
    except ValueError:
        raise InvalidParameter("track", "its body is not JSON.") from None
    return parsed


def _point(body: JsonObject, record: JsonObject) -> TrackPoint:
    accuracy = body.get("accuracy")
    return TrackPoint(
        fields.position(body.get("longitude"), body.get("latitude")),
        _time(body, record),
        None if accuracy is None else fields.accuracy(accuracy),
        fields.flag(body.get("foreground"), "foreground"),
        fields.flag(body.get("stopped"), "stopped"),
        fields.speed(body.get("speed")),
    )


def _time(body: JsonObject, record: JsonObject) -> datetime:
    """Return the device's time, or that of the request if the device gave none."""
    for name in ("updatedAt", "updatedAtMs"):
        if body.get(name):
            return fields.moment(body[name])
    at = fields.moment(record.get("createdAt"))
    age = body.get("updatedAtMsDiff")
    if age is None:
        return at
    try:
        return at - timedelta(milliseconds=fields.number(age, "updatedAtMsDiff"))
    except (OverflowError, ValueError):
        raise InvalidParameter("updatedAtMsDiff", f"updatedAtMsDiff: {age} is not a valid age.") from None
