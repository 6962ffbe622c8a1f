"""Arbitrary requests: the response is never a 500, and only documented requests are accepted."""

from typing import Any
from urllib.parse import quote

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.app.api.conftest import Api, circle, fix
from tests.app.api.test_settings import OTHERS

fuzz = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["", "null", "NaN", "1", "true", "circle", "polygon", "[1,2]", '{"a":1}', "\0"])
    | st.sampled_from(["2025-01-01", "0001-01-01", "9999-12-31"])
)


def holding(most: int) -> st.SearchStrategy[Any]:
    """Return a strategy for JSON with at most `most` scalars."""
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=most,
    )


deep = holding(100)
# With a hundred scalars in each of dozens of fields, most examples were rejected as too large, and drawing the others
# took ten times as long as serving them.
values = holding(8)
near = st.floats(-200, 200) | st.integers(-200, 200) | scalars
times = st.sampled_from(["9:00", "09:00 PM", "24:00", "25:00", "24:01", "0:60", "12:00 am", ""]) | scalars
spans = st.lists(st.lists(times, max_size=3) | values, max_size=3) | values
days = st.sampled_from(["Mon", "monday", "SUN", "Someday", ""]) | st.text(max_size=3)
hours = st.dictionaries(days, spans, max_size=3) | values
addresses = st.sampled_from(
    ["10.0.0.1", "10.*.*.*", "10.0.0.0/8", "::/0", "::*", "1.2.3", "10.0.0.0/33", "*", "a,b", ","]
)
ranges = addresses | st.lists(addresses | scalars, max_size=3) | values
rules = {"operatingHours": hours, "ip": ranges, "userIds": st.lists(scalars, max_size=3) | values}
conditions = st.fixed_dictionaries(
    {},
    optional={
        "field": st.sampled_from(["userId", "metadata.a", "metadata.", "stopped", "x"]) | values,
        "comparison": st.sampled_from(["equals", "exists", "contains", "greaterThan", "like"]) | values,
        "value": values,
        "x": values,
    },
)
segments = st.lists(
    st.fixed_dictionaries(
        {}, optional={"description": scalars, "externalId": scalars, "conditions": st.lists(conditions, max_size=3)}
    )
    | values,
    max_size=2,
)
positions = st.lists(near, min_size=2, max_size=2) | values
coordinates = positions | st.lists(positions, max_size=6)

TRACK = (
    "userId",
    "foreground",
    "stopped",
    "description",
    "metadata",
    "deviceType",
    "updatedAt",
    "replayed",
    "altitude",
    "verticalAccuracy",
    "deviceOS",
    "deviceMake",
    "mocked",
    "compromised",
    "updatedAtMs",
    "updatedAtMsDiff",
)
RULES = ("operatingHours", "stopDetection", "disableAfter", "deleteAfter", "userIds", "userId", "ip", "dwellThreshold")
GEOFENCE = ("type", "tag", "externalId", "description", "radius", "enabled", "metadata", *RULES)
SETTINGS = tuple(OTHERS)
CLOCK = ("now", "frozen", "advanceSeconds", "scale", "system")
CONVERSION = ("name", "type", "deviceId", "userId", "metadata", "createdAt")


FORM_FIELDS = (*TRACK, *GEOFENCE, "coordinates", "metadata[a]")


def without_500(response: Any) -> None:
    assert response.status_code < 500, response.text


@fuzz
@given(
    body=st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(TRACK, values)
        | dict.fromkeys(("latitude", "longitude", "accuracy"), near)
        | {"metadata": deep},
    )
)
def test_track(publishable: Api, body: dict[str, Any]) -> None:
    without_500(publishable.post("/v1/track", content=_json(fix("fuzzed") | body)))


@fuzz
@given(
    body=st.fixed_dictionaries(
        {}, optional=dict.fromkeys(GEOFENCE, values) | {"coordinates": coordinates, "metadata": deep} | rules
    ),
    polygon=st.booleans(),
)
def test_geofences(secret: Api, body: dict[str, Any], polygon: bool) -> None:
    kind = {"type": "polygon", "coordinates": [[0, 0], [1, 0], [1, 1], [0, 0]]} if polygon else {}
    without_500(secret.post("/v1/geofences", content=_json(circle("fuzzed") | kind | body)))
    without_500(secret.put("/v1/geofences/fuzzed/1", content=_json(kind | body)))


@fuzz
@given(
    body=st.fixed_dictionaries(
        {}, optional=dict.fromkeys(SETTINGS, values) | {"segments": segments | values, "proxyAddresses": ranges}
    )
)
def test_settings(secret: Api, body: dict[str, Any]) -> None:
    without_500(secret.patch("/v1/settings", content=_json(body)))
    without_500(secret.post("/v1/track", json=fix("fuzzed", metadata={"a": 1})))


@fuzz
@given(body=st.fixed_dictionaries({}, optional=dict.fromkeys(CLOCK, values)))
def test_clock(secret: Api, body: dict[str, Any]) -> None:
    without_500(secret.post("/v1/clock", content=_json(body)))
    without_500(secret.post("/v1/track", json=fix("fuzzed")))


@fuzz
@given(body=st.fixed_dictionaries({}, optional=dict.fromkeys(CONVERSION, values) | {"metadata": deep}))
def test_conversions(publishable: Api, body: dict[str, Any]) -> None:
    without_500(publishable.post("/v1/events", content=_json({"name": "fuzzed", "deviceId": "fuzzed"} | body)))


@fuzz
@given(verification=deep, place=deep)
def test_verifications(secret: Api, verification: object, place: object) -> None:
    event = secret.post("/v1/events", json={"name": "fuzzed", "deviceId": "fuzzed"}).json()["event"]
    body = {"verification": verification, "verifiedPlaceId": place}
    without_500(secret.put(f"/v1/events/{event['_id']}/verification", content=_json(body)))


@fuzz
@given(
    items=st.lists(
        st.fixed_dictionaries({}, optional=dict.fromkeys(TRACK, values)).map(lambda body: fix("fuzzed") | body)
        | values,
        max_size=4,
    )
)
def test_replays(publishable: Api, items: list[Any]) -> None:
    answer = publishable.post("/v1/track/replay", content=_json({"replays": items}))
    without_500(answer)
    assert len(answer.json()["replays"]) == len(items)


@fuzz
@given(body=deep)
def test_any_json(secret: Api, body: object) -> None:
    for path in ("/v1/track", "/v1/geofences", "/v1/logs", "/v1/events", "/v1/track/replay", "/v1/clock"):
        without_500(secret.post(path, content=_json(body)))
    without_500(secret.patch("/v1/settings", content=_json(body)))


@fuzz
@given(body=st.binary(max_size=200), form=st.booleans())
def test_any_bytes(secret: Api, body: bytes, form: bool) -> None:
    kind = "application/x-www-form-urlencoded" if form else "application/json"
    for path in ("/v1/track", "/v1/geofences", "/v1/events", "/v1/clock", "/v1/track/replay"):
        without_500(secret.post(path, content=body, headers={"Content-Type": kind}))


@fuzz
@given(
    pairs=st.lists(
        st.tuples(st.sampled_from([*FORM_FIELDS, *CLOCK, *CONVERSION, *SETTINGS]), st.text(max_size=9) | addresses)
    )
)
def test_any_form(secret: Api, pairs: list[tuple[str, str]]) -> None:
    start = "deviceId=fuzzed&latitude=1&longitude=1&accuracy=1&"
    body = start + "&".join(f"{name}={quote(value, safe='')}" for name, value in pairs)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    for path in ("/v1/track", "/v1/geofences", "/v1/events", "/v1/clock"):
        without_500(secret.post(path, content=body, headers=headers))
    without_500(secret.patch("/v1/settings", content=body.removeprefix(start), headers=headers))


QUERY = (
    *("near", "limit", "radius", "tags", "metadata[a]", "metadata", "includeGeometry", "tag", "externalId", "userId"),
    *("coordinates", "accuracy"),
)
PATHS = (
    "/v1/search/geofences",
    "/v1/geofences",
    "/v1/users",
    "/v1/events",
    "/v1/context",
    "/v1/geofences/fuzzed/1/users",
)
TIMES = ("createdBefore", "createdAfter", "updatedBefore", "updatedAfter")


@fuzz
@pytest.mark.parametrize("path", PATHS)
@given(
    pairs=st.dictionaries(
        st.sampled_from([*QUERY, *TIMES]),
        st.text(max_size=9) | st.sampled_from(["null", "1", "true", "1,2", "91,0", "2025-01-01", "nan", "1e400"]),
    )
)
def test_any_query(secret: Api, path: str, pairs: dict[str, str]) -> None:
    query = "&".join(f"{quote(name, safe='[]')}={quote(value, safe='')}" for name, value in pairs.items())
    without_500(secret.get(f"/v1/{path}?{query}"))


@fuzz
@given(segments=st.lists(st.text(min_size=1, max_size=9), min_size=1, max_size=3))
def test_any_path(secret: Api, segments: list[str]) -> None:
    path = "/".join(quote(segment, safe="") for segment in segments)
    for method in ("GET", "DELETE"):
        for resource in ("geofences", "users", "events"):
            without_500(secret.request(method, f"/v1/{resource}/{path}"))


def _json(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)
