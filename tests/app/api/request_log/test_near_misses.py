"""Near misses: their detection and suggestions, and their absence for correct requests of SDKs."""

import json
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.server.server import ApiServer
from app.api.v1 import RESOURCES
from app.api.v1.request_log.near_misses import MOST, NearMisses, Received, names_of
from app.exchanges import NearMiss
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from tests.app.api.conftest import Api, fix

near_misses = NearMisses(RESOURCES)


def of(method: str, path: str, status: int = 200, **parts: Any) -> list[tuple[str, str | None, str | None]]:
    """Return the near misses of a request as kind, parameter and suggestion."""
    found = all_of(method, path, status, **parts)
    return [(each.kind.value, each.param, each.suggestion) for each in found]


def all_of(method: str, path: str, status: int = 200, **parts: Any) -> tuple[NearMiss, ...]:
    """Return the near misses of a request."""
    given = {"query": {}, "headers": {}, "body": {}} | parts
    return near_misses.of(Received(method, path, status=status, **given))


@pytest.mark.parametrize(
    ("method", "path", "query", "body"),
    [
        (
            "GET",
            "/v1/config",
            {"installId": "1", "sessionId": "2", "usage": "initialize", "clientSdkConfiguration": "{}"},
            {},
        ),
        ("POST", "/v1/events", {}, {"type": "a", "installId": "i", "id": "1", "userId": "u", "metadata": {}}),
        (
            "GET",
            "/v1/search/geofences",
            {"near": "1,2", "radius": "3", "metadata": "[object Object]", "limit": "1"},
            {},
        ),
        ("GET", "/v1/context", {"coordinates": "1,2", "accuracy": "3"}, {}),
        ("POST", "/v1/logs", {}, {"logs": [], "id": "1", "deviceId": "d", "installId": "i", "sessionId": "s"}),
        ("OPTIONS", "/v1/nothing", {"a": "b"}, {}),
    ],
)
def test_other_clean_calls_show_none(method: str, path: str, query: dict[str, str], body: dict[str, Any]) -> None:
    assert of(method, path, query=query, body=body) == []


@pytest.mark.parametrize(
    ("wrong", "suggestion"),
    [
        ("userID", "userId"),
        ("user_id", "userId"),
        ("deviceid", "deviceId"),
        ("lat", "latitude"),
        ("lng", "longitude"),
        ("longtitude", "longitude"),
        ("acuracy", "accuracy"),
        ("updatedat", "updatedAt"),
        ("meta_data", "metadata"),
        ("stoped", "stopped"),
    ],
)
def test_a_misspelled_field_of_an_update_gets_a_suggestion(wrong: str, suggestion: str) -> None:
    assert of("POST", "/v1/track", body={wrong: 1}) == [("misspelledField", wrong, suggestion)]
    (near_miss,) = all_of("POST", "/v1/track", body={wrong: 1})
    assert near_miss.message == f"{wrong}: no parameter of POST /v1/track; did you mean {suggestion}?"


def test_fields_in_the_wrong_place() -> None:
    assert of("POST", "/v1/track", query={"userId": "a"}) == [("wrongPlace", "userId", None)]
    assert of("POST", "/v1/track", body={"explain": True}) == [("wrongPlace", "explain", None)]
    assert of("POST", "/v1/track", query={"user_id": "a"}) == [("misspelledField", "user_id", "userId")]
    assert of("GET", "/v1/users", body={"limit": 5}) == [("wrongPlace", "limit", None)]


def test_fields_of_other_operations_and_of_none() -> None:
    (other,) = all_of("POST", "/v1/track", body={"waitSeconds": 3})
    assert (other.kind, other.message) == (
        "unknownField",
        "waitSeconds: no parameter of POST /v1/track; GET /v1/events takes it.",
    )
    (near_miss,) = all_of("POST", "/v1/geofences", body={"zzz": 3})
    assert near_miss.message == "zzz: no parameter of POST /v1/geofences."
    assert of("GET", "/v1/search/autocomplete", query={"mailable": "true"}) == [("notServed", "mailable", None)]


def test_an_accepted_field_that_is_not_served_is_named_at_its_place() -> None:
    seen = {"tripOptions": {"externalId": "1"}, "beacons": [{"uuid": "1"}]}
    assert of("POST", "/v1/track", body=seen) == []
    replays = {"replays": [seen, {"userID": 1}, {"userID": 2}]}
    assert of("POST", "/v1/track/replay", body=replays) == [("misspelledField", "userID", "userId")]


@pytest.mark.parametrize(
    ("path", "suggestion"),
    [
        ("/v1/geofence", "/v1/geofences"),
        ("/v1/Track", "/v1/track"),
        ("/track", "/v1/track"),
        ("/v2/track", "/v1/track"),
        ("/v1/user/abc", "/v1/users/{id}"),
        ("/users/abc", "/v1/users/{id}"),
        ("/v1/geocode/foward", "/v1/geocode/forward"),
        ("/v1/search/geofence", "/v1/search/geofences"),
        ("/v1/route/distances", "/v1/route/distance"),
        ("/v1/tracks", "/v1/track"),
        ("/v1/event", "/v1/events"),
        ("/v1/geocoding/forward", "/v1/geocode/forward"),
        ("/v1/geofences/store/1/user", "/v1/geofences/{tag}/{externalId}/users"),
        ("/map/styles/mine", "/maps/styles/{style}"),
        # Without the first segment, the rest is still of one kind.
        ("/v1/autocomplete", "/v1/search/autocomplete"),
        ("/v1/matrix", "/v1/route/matrix"),
    ],
)
def test_a_wrong_path_names_the_nearest_one(path: str, suggestion: str) -> None:
    method = "POST" if "rack" in path else "GET"
    assert of(method, path, 404) == [("wrongPath", None, suggestion)]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/v1",
        "/favicon.ico",
        "/robots.txt",
        "/metrics",
        "/v1/zzzzzz",
        f"/v1/user/{'x' * 200}",
        # These share many letters with a path of another kind, or with one that is not close.
        "/v1/geocode/batch",
        "/v1/geocode",
        "/v1/search",
        "/v1/trips/1/status",
        "/v1/users/abc/events",
        "/v1/route/elevation",
        "/v1/segments",
    ],
)
def test_a_path_like_no_other_suggests_none(publishable: Api, path: str) -> None:
    assert of("GET", path, 404) == []
    message = publishable.get(path).json()["meta"]["message"]
    assert message == f"Nothing is served at {path}; /docs lists the endpoints."


@pytest.mark.parametrize("path", ["/v1/verify", "/v1/verify/x", "/v1/reveal/risk", "/v1/assets/banner.png"])
def test_a_path_that_is_not_served_is_reported(path: str) -> None:
    assert of("GET", path, 404) == [("notServed", None, None)]


def test_a_wrong_method_names_the_right_ones() -> None:
    assert of("DELETE", "/v1/track", 405) == [("wrongMethod", "method", "POST")]
    (near_miss,) = all_of("POST", "/v1/geofences/store/1", 405)
    assert near_miss.message == "POST is not served at /v1/geofences/store/1; it serves GET, PUT, DELETE."


def test_a_key_in_the_wrong_place(engine: Engine, server: ApiServer, secret: Api) -> None:
    key = engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
    ways: list[tuple[str, dict[str, Any]]] = [
        ("key", {"params": {"key": key}}),
        ("publishableKey", {"json": {"publishableKey": key}}),
        ("x-api-key", {"headers": {"X-Api-Key": key}}),
        ("Authorization", {"auth": (key, "")}),
    ]
    for param, options in ways:
        assert httpx.post(f"{server.url}/v1/track", **options).status_code == 401
        found = secret.get("/v1/requests?limit=1").json()["requests"][0]["nearMisses"]
        assert [(each["kind"], each["param"]) for each in found] == [("wrongPlace", param)], options


def test_a_body_of_parts_is_named(publishable: Api, secret: Api) -> None:
    publishable.post("/v1/track", files={"deviceId": (None, "d")})
    (near_miss,) = secret.get("/v1/requests?limit=1").json()["requests"][0]["nearMisses"]
    assert (near_miss["kind"], near_miss["param"]) == ("wrongType", "Content-Type")


@pytest.mark.parametrize("kind", ["text/xml", "text/plain; charset=UTF-8", "application/octet-stream"])
def test_a_content_type_other_than_json(publishable: Api, secret: Api, name: str, kind: str) -> None:
    content = json.dumps(fix(name))
    assert publishable.post("/v1/track", content=content, headers={"Content-Type": kind}).status_code == 200
    (near_miss,) = secret.get("/v1/requests?limit=1").json()["requests"][0]["nearMisses"]
    assert (near_miss["kind"], near_miss["param"]) == ("wrongType", "Content-Type")
    assert near_miss["suggestion"] == "application/json"


@pytest.mark.parametrize(
    "kind", ["", "application/json", "Application/JSON; charset=utf-8", "application/vnd.api+json"]
)
def test_a_content_type_of_json(kind: str) -> None:
    assert of("POST", "/v1/track", headers={"content-type": kind}) == []
    assert of("GET", "/v1/users", headers={"content-type": "text/html"}) == []


def test_forms_and_queries_are_looked_at_like_json(publishable: Api, secret: Api, name: str) -> None:
    form = {**fix(name), "userID": "u", "metadata[a]": "b"}
    publishable.post("/v1/track", data=form)
    secret.get("/v1/geofences", params={"tags": "a", "metadata[b]": "c"})
    second, first = secret.get("/v1/requests?limit=2").json()["requests"]
    assert [each["suggestion"] for each in first["nearMisses"]] == ["userId"]
    assert [each["suggestion"] for each in second["nearMisses"]] == ["tag"]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
paths = st.sampled_from([each.path for each in RESOURCES]) | st.text(max_size=20).map("/v1/{}".format) | st.text()


@given(
    method=st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "BREW"]),
    path=paths,
    query=st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=4),
    body=st.dictionaries(st.sampled_from(["replays", "logs", "deviceId", "beacons"]) | st.text(), values, max_size=5),
    status=st.sampled_from([0, 200, 400, 401, 404, 405]),
)
def test_anything_can_be_looked_at(
    method: str, path: str, query: dict[str, str], body: dict[str, Any], status: int
) -> None:
    found = all_of(method, path, status, query=query, body=body)
    assert len(found) <= MOST
    assert all(each.message for each in found)
    json.dumps([each.message for each in found])


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda each: each.path)
def test_every_parameter_in_its_place_is_no_near_miss(resource: Any) -> None:
    for method, operation in resource.operations.items():
        parts: dict[str, Any] = {
            place: dict.fromkeys(sorted(names_of(model)), "")
            for place, model in (("query", operation.query), ("body", operation.body))
        }
        assert of(method, resource.path, **parts) == []


def test_a_dictionary_that_a_client_library_lost(publishable: Api, secret: Api) -> None:
    """The dictionary is encoded as radar-python does it in a form; with its keys it is valid."""
    form = {"deviceId": "lost", "latitude": "1", "longitude": "2", "accuracy": "3"}

    def misses_of(**more: Any) -> list[dict[str, Any]]:
        publishable.post("/v1/track", data=form | more)
        found: list[dict[str, Any]] = secret.get("/v1/requests?limit=1").json()["requests"][0]["nearMisses"]
        return found

    (lost,) = misses_of(metadata=["floor", "wing"])
    assert (lost["kind"], lost["param"]) == ("misspelledField", "metadata")
    assert "is not a dictionary and was ignored; send metadata[key]=value." in lost["message"]
    assert misses_of(**{"metadata[floor]": "2"}) == misses_of(metadata='{"floor": 2}') == []
    assert misses_of(**{"tripOptions[externalId]": "order", "tripOptions[metadata][a]": "b"}) == []
    (options,) = misses_of(**{"tripOptions[externalId]": "order", "tripOptions[metaData][a]": "b"})
    assert (options["param"], options["suggestion"]) == ("metaData", "metadata")


def test_a_refused_verified_location_is_reported_once(publishable: Api, secret: Api, name: str) -> None:
    """An SDK's trackVerified sends several such fields; the first tells what is not served."""
    verified = fix(name) | {"verified": True, "encrypted": True, "attestationString": "a"}
    assert publishable.post("/v1/track", json=verified).status_code == 400
    (near_miss,) = secret.get("/v1/requests?limit=1").json()["requests"][0]["nearMisses"]
    assert (near_miss["kind"], near_miss["param"]) == ("notServed", "verified")
    assert near_miss["message"].startswith("verified: verified locations (trackVerified in SDKs) are not served")
    publishable.post("/v1/track/replay", json={"replays": [fix(name), verified]})
    (near_miss,) = secret.get("/v1/requests?limit=1").json()["requests"][0]["nearMisses"]
    assert (near_miss["kind"], near_miss["param"]) == ("notServed", "verified")
    assert of("GET", "/v1/config", 400, query={"verified": "true"}) == [("notServed", "verified", None)]
    for unset in ("false", "", "null"):
        assert of("GET", "/v1/config", query={"verified": unset}) == []


def test_unknown_trip_options() -> None:
    options = {"externalId": "a", "version": "2", "externalID": "b", "orders": [{"id": 1}], "startTracking": True}
    expected = [("misspelledField", "externalID", "externalId"), ("notServed", "orders", None)]
    assert of("POST", "/v1/track", body={"deviceId": "d", "tripOptions": options}) == expected
    assert of("POST", "/v1/track/replay", body={"replays": [{"tripOptions": options}]}) == expected
    assert of("POST", "/v1/trips", body={"externalId": "a", "orders": []}) == [("notServed", "orders", None)]
