"""The SDK checkers, which accept complete responses and refuse each response with a broken part."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.app.api.sdk_rules import TIMES, Refused, check_rules
from tests.app.api.sdk_shapes import ANSWER, ROUTES, Shape, Site, check_shapes, sites

AT = "2026-03-01T10:00:00.123Z"
POINT = {"type": "Point", "coordinates": [-73.975, 40.783]}
COUNTRY = {"_id": "country-US", "type": "country", "code": "US", "name": "United States", "flag": "🇺🇸"}
STATE = {"_id": "state-NY", "type": "state", "code": "NY", "name": "New York"}
CHAIN = {"name": "Denner", "slug": "denner", "externalId": "D-1", "metadata": {"tier": 2, "createdAt": 5}}
PLACE = {"_id": "p1", "name": "Denner", "location": POINT, "categories": ["shopping-retail"], "chain": CHAIN}
SEGMENT = {"description": "Gold", "externalId": "gold"}
CIRCLE = {
    "_id": "f1",
    "tag": "store",
    "externalId": "1",
    "description": "A store",
    "metadata": {"open": True},
    "type": "circle",
    "geometryCenter": POINT,
    "geometryRadius": 100,
}
POLYGON = CIRCLE | {
    "type": "polygon",
    "geometry": {"type": "Polygon", "coordinates": [[[1, 2], [2, 2], [1, 3], [1, 2]]]},
}
TRIP = {
    "_id": "t1",
    "externalId": "299",
    "mode": "car",
    "status": "started",
    "metadata": {},
    "eta": {"distance": 1331.5, "duration": 5.5},
    "destinationLocation": POINT,
    "destinationGeofenceTag": "store",
}
BEACON = {"_id": "b1", "type": "ibeacon", "uuid": "F7826DA6", "major": "1", "minor": "20", "description": "Door"}
USER = {
    "_id": "u1",
    "deviceId": "phone",
    "userId": "ann",
    "metadata": {},
    "live": False,
    "location": POINT,
    "locationAccuracy": 5,
    "foreground": True,
    "stopped": False,
    "createdAt": AT,
    "updatedAt": AT,
    "actualUpdatedAt": AT,
    "geofences": [CIRCLE, POLYGON],
    "place": PLACE,
    "country": COUNTRY,
    "state": STATE,
    "segments": [SEGMENT],
    "topChains": [CHAIN],
    "nearbyPlaceChains": [CHAIN],
    "source": "MANUAL_LOCATION",
    "trip": TRIP,
    "beacons": [BEACON],
    "fraud": {"passed": True, "mocked": False, "lastMockedAt": AT},
}
HEAD = {
    "_id": "e1",
    "createdAt": AT,
    "actualCreatedAt": AT,
    "live": False,
    "location": POINT,
    "locationAccuracy": 5,
    "confidence": 3,
    "user": {"_id": "u1", "deviceId": "phone", "metadata": {}, "state": STATE},
    "state": STATE,
}
EVENTS = [
    HEAD | {"type": "user.exited_geofence", "geofence": CIRCLE, "duration": 3.5},
    HEAD | {"type": "user.entered_place", "place": PLACE, "alternatePlaces": [PLACE]},
    HEAD | {"type": "user.entered_region_state", "region": STATE},
    HEAD | {"type": "bought", "custom": True, "deviceType": "iOS", "metadata": {"revenue": 5}, "verification": 1},
]
OPTIONS = {
    "desiredStoppedUpdateInterval": 0,
    "desiredMovingUpdateInterval": 150,
    "desiredSyncInterval": 20,
    "stopDuration": 140,
    "stopDistance": 70,
    "stoppedGeofenceRadius": 100,
    "movingGeofenceRadius": 100,
    "useStoppedGeofence": True,
    "useMovingGeofence": True,
    "syncGeofences": True,
    "beacons": False,
    "desiredAccuracy": "medium",
    "replay": "stops",
    "sync": "events",
    "showBlueBar": False,
    "type": "default",
}
REMOTE_OPTIONS = [
    {"type": "inGeofence", "trackingOptions": OPTIONS | {"type": "in-geofence"}, "geofenceTags": ["store"]},
    {"type": "default", "trackingOptions": OPTIONS},
]
OK = {"code": 200}
TIME_ZONE = {
    "id": "America/New_York",
    "name": "Eastern Time",
    "code": "EDT",
    "utcOffset": -14400,
    "dstOffset": 3600,
    "currentTime": "2026-07-01T08:00:00-04:00",
}
ADDRESS = {
    "latitude": 40.7,
    "longitude": -73.9,
    "geometry": POINT,
    "formattedAddress": "841 Broadway, New York",
    "country": "United States",
    "countryCode": "US",
    "state": "New York",
    "layer": "address",
    "distance": 4.5,
    "timeZone": TIME_ZONE,
}
MEASURES = {"distance": {"value": 5.5, "text": "18 ft"}, "duration": {"value": 0.4, "text": "0.4 min"}}

ANSWERS: dict[str, dict[str, Any]] = {
    "/v1/track": {"meta": OK | {"trackingOptions": OPTIONS}, "events": EVENTS, "user": USER},
    "/v1/track?near": {"meta": OK, "events": [], "user": USER, "nearbyGeofences": [CIRCLE, POLYGON]},
    "/v1/events": {"meta": OK, "event": EVENTS[3]},
    "/v1/context": {"meta": OK, "context": {"live": True, "geofences": [CIRCLE], "place": PLACE, "country": COUNTRY}},
    "/v1/config": {
        "meta": OK | {"sdkConfiguration": {"logLevel": "info", "useSyncRegion": True}, "trackingOptions": OPTIONS}
    },
    "/v1/config?offline": {
        "meta": OK | {"sdkConfiguration": {"useOfflineRTOUpdates": True, "remoteTrackingOptions": REMOTE_OPTIONS}}
    },
    "/v1/sync/region": {
        "meta": OK,
        "geofences": [CIRCLE],
        "places": [PLACE | {"geometryRadius": 20.5}],
        "beacons": [BEACON],
        "region": {"latitude": 40.7, "longitude": -73.9, "radius": 1000},
    },
    "/v1/trips": {"meta": OK, "trip": TRIP, "events": []},
    "/v1/geocode/forward": {"meta": OK, "addresses": [ADDRESS]},
    "/v1/geocode/ip": {"meta": OK, "address": ADDRESS, "proxy": False, "ip": "10.0.0.1"},
    "/v1/route/distance": {"meta": OK, "routes": {"geodesic": {"distance": MEASURES["distance"]}, "car": MEASURES}},
    "/v1/route/matrix": {"meta": OK, "matrix": [[MEASURES | {"originIndex": 0, "destinationIndex": 0}]]},
}


def check(path: str, answer: dict[str, Any], status: int = 200) -> None:
    path = path.partition("?")[0]
    check_shapes(answer, path)
    check_rules(answer, status, path)


def known(path: str, answer: dict[str, Any]) -> list[tuple[Site, bool]]:
    """Return the sites of a response that the shapes describe."""
    shape: Shape = ANSWER
    found = [] if path.startswith("/v1/route/matrix") else list(sites(shape, answer))
    if "routes" in answer:
        found = [(("routes", *at), required) for at, required in sites(ROUTES, answer["routes"])]
    return found


KNOWN = [(path, at, required) for path, answer in ANSWERS.items() for at, required in known(path, answer)]


def at_site(answer: Any, at: Site) -> tuple[Any, Any]:
    """Return the container of the last key of a site, and the key."""
    for key in at[:-1]:
        answer = answer[key]
    return answer, at[-1]


def refused(path: str, answer: dict[str, Any]) -> bool:
    try:
        check(path, answer)
    except Refused:
        return True
    return False


@pytest.mark.parametrize("path", ANSWERS)
def test_whole_answers_pass(path: str) -> None:
    check(path, ANSWERS[path])


def test_each_kind_of_object_is_among_them() -> None:
    keys = {key for _, at, _ in KNOWN for key in at}
    assert keys >= {"user", "events", "geofences", "places", "region", "beacons", "segments", "trip", "addresses"}
    assert keys >= {"context", "trackingOptions", "sdkConfiguration", "car", "fraud", "alternatePlaces", "timeZone"}
    assert sum(required for _, _, required in KNOWN) > 100


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(KNOWN))
def test_null_is_refused_wherever_it_is(site: tuple[str, Site, bool]) -> None:
    path, at, _ = site
    answer = deepcopy(ANSWERS[path])
    holder, key = at_site(answer, at)
    holder[key] = None
    assert refused(path, answer)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from([site for site in KNOWN if site[2]]))
def test_an_answer_without_a_required_key_is_refused(site: tuple[str, Site, bool]) -> None:
    path, at, _ = site
    answer = deepcopy(ANSWERS[path])
    holder, key = at_site(answer, at)
    del holder[key]
    assert refused(path, answer)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(KNOWN))
def test_a_value_of_another_type_is_refused(site: tuple[str, Site, bool]) -> None:
    """The values are, among others, a number as a string, a string as a number, and an object as a list."""
    path, at, _ = site
    answer = deepcopy(ANSWERS[path])
    holder, key = at_site(answer, at)
    value = holder[key]
    match value:
        case bool():
            others: list[Any] = [int(value), str(value).lower()]
        case int() | float():
            others = [str(value), [value], True]
        case str():
            others = [7, {"text": value}, [value]]
        case list():
            others = [{"0": value}, "list", 3]
        case _:
            others = [[value], "object", 1]
    for other in others:
        holder[key] = other
        assert refused(path, answer), (at, other)


TIMED = [(path, at) for path, at, _ in KNOWN if TIMES.fullmatch(str(at[-1]))]


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(TIMED),
    st.sampled_from(
        [
            *("2026-03-01T10:00:00Z", "2026-03-01T10:00:00.123+00:00", "2026-03-01T10:00:00.123456Z", "2026-03-01"),
            *("2026-03-01 10:00:00.123Z", "", 1772359200123),
        ]
    ),
)
def test_a_time_of_another_form_is_refused(site: tuple[str, Site], time: object) -> None:
    path, at = site
    answer = deepcopy(ANSWERS[path])
    holder, key = at_site(answer, at)
    holder[key] = time
    assert refused(path, answer)


BROKEN: list[tuple[str, Site, Any]] = [
    ("/v1/track", ("user", "geofences", 0, "type"), "Circle"),
    ("/v1/track", ("user", "location", "coordinates"), [1, 2, 3]),
    ("/v1/track", ("user", "_id"), ""),
    ("/v1/track", ("user", "trip", "eta"), {"distance": 1}),
    ("/v1/track", ("user", "beacons", 0, "major"), 1),
    ("/v1/track", ("user", "fraud", "lastMockedAt"), "yesterday"),
    ("/v1/track", ("events", 0), {key: value for key, value in EVENTS[0].items() if key != "duration"}),
    ("/v1/track", ("events", 0, "confidence"), 0),
    ("/v1/track", ("events",), {}),
    ("/v1/config", ("meta", "sdkConfiguration", "logLevel"), "verbose"),
    ("/v1/config", ("meta", "trackingOptions", "sync"), "some"),
    ("/v1/config", ("meta", "trackingOptions", "type"), "onTrip"),
    ("/v1/config?offline", ("meta", "sdkConfiguration", "remoteTrackingOptions", 0, "type"), "in-geofence"),
    ("/v1/config?offline", ("meta", "sdkConfiguration", "remoteTrackingOptions", 0, "geofenceTags"), "store"),
    ("/v1/config?offline", ("meta", "sdkConfiguration", "remoteTrackingOptions", 1), {"type": "default"}),
    ("/v1/config?offline", ("meta", "sdkConfiguration", "remoteTrackingOptions"), {"default": OPTIONS}),
    ("/v1/sync/region", ("region", "radius"), 0),
    ("/v1/track?near", ("nearbyGeofences", 1, "geometry", "coordinates"), [[[1, 2], [2, 2], [1, 3], [1, 2]]] * 2),
    ("/v1/geocode/forward", ("addresses", 0, "timeZone", "currentTime"), AT),
    ("/v1/geocode/forward", ("addresses", 0, "latitude"), "40.7"),
    ("/v1/route/matrix", ("matrix", 0, 0), {"distance": MEASURES["distance"], "originIndex": 0}),
    ("/v1/route/matrix", ("matrix", 0, 0, "duration"), {"value": 5}),
]


@pytest.mark.parametrize(("path", "at", "value"), BROKEN)
def test_an_answer_that_breaks_a_rule_is_refused(path: str, at: Site, value: object) -> None:
    answer = deepcopy(ANSWERS[path])
    holder, key = at_site(answer, at)
    holder[key] = value
    with pytest.raises(Refused):
        check(path, answer)


@pytest.mark.parametrize("name", ["user", "events"])
def test_a_track_without_either_is_refused(name: str) -> None:
    answer = {key: value for key, value in ANSWERS["/v1/track"].items() if key != name}
    with pytest.raises(Refused):
        check("/v1/track", answer)


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (200, {}),
        (200, []),
        (202, {"meta": {"code": 202}}),
        (204, {"meta": {"code": 204}}),
        (400, {"meta": {"code": 400}}),
        (400, {"meta": {"code": 400, "message": ""}}),
        (400, {"meta": {"code": "400", "message": "x"}}),
        (400, {"meta": {"code": 400, "message": "x", "param": None}}),
        (400, {"error": "x"}),
    ],
)
def test_statuses_and_errors_that_no_client_understands(status: int, answer: Any) -> None:
    with pytest.raises(Refused):
        check_rules(answer, status, "/v1/track")


def test_an_error_and_a_users_own_words_pass() -> None:
    check_rules({"meta": {"code": 400, "message": "x", "param": "latitude"}}, 400, "/v1/track")
    user = USER | {"metadata": {"createdAt": "whenever", "major": 5, "type": "Circle"}}
    check("/v1/track", ANSWERS["/v1/track"] | {"user": user})


def test_an_exit_of_an_anonymous_device_has_no_duration() -> None:
    event = {key: value for key, value in EVENTS[0].items() if key != "duration"}
    event["user"] = {"_id": "u1", "deviceId": "anonymous", "metadata": {}}
    check("/v1/track", ANSWERS["/v1/track"] | {"events": [event]})
