"""Keys, unknown paths and methods, hosts, and internal errors, which all have the same form."""

import logging

import httpx
import pytest

from app.api.server.application import create_app
from app.api.server.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import StorageUnavailable
from engine.domain.ports import Done
from engine.domain.tracking.updates import TrackResult
from engine.engine import Engine
from tests.app.api.conftest import Api, MakeApi, assert_refused, circle, fix

SECRET = [
    ("POST", "/v1/geofences"),
    ("GET", "/v1/geofences"),
    ("GET", "/v1/geofences/x"),
    ("PUT", "/v1/geofences/x"),
    ("DELETE", "/v1/geofences/x"),
    ("GET", "/v1/geofences/x/y"),
    ("PUT", "/v1/geofences/x/y"),
    ("DELETE", "/v1/geofences/x/y"),
    ("GET", "/v1/users"),
    ("GET", "/v1/events"),
]
PUBLISHABLE = [
    ("POST", "/v1/track"),
    ("GET", "/v1/config"),
    ("GET", "/v1/search/geofences"),
    ("POST", "/v1/logs"),
    ("GET", "/v1/ping"),
]


@pytest.mark.parametrize(("method", "path"), SECRET + PUBLISHABLE)
@pytest.mark.parametrize("key", [None, "", "prj_test_sk_0", "Bearer", "Bearer nonsense", "prj_test_pk_ü"])
def test_no_or_unknown_key(make_api: MakeApi, method: str, path: str, key: str | None) -> None:
    headers = {} if key is None else {"Authorization": key.encode("latin-1")}
    response = make_api(None).request(method, path, headers=headers)
    assert response.status_code == 401
    assert set(response.json()["meta"]) == {"code", "param", "message"}


@pytest.mark.parametrize(("method", "path"), SECRET)
def test_a_publishable_key_does_not_open_secret_endpoints(publishable: Api, method: str, path: str) -> None:
    response = publishable.request(method, path)
    assert response.status_code == 403
    assert "secret key" in response.json()["meta"]["message"]


@pytest.mark.parametrize(("method", "path"), PUBLISHABLE)
def test_a_secret_key_opens_publishable_endpoints(secret: Api, method: str, path: str) -> None:
    assert secret.request(method, path).status_code in (200, 400)


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer  "])
def test_a_bearer_token_is_a_key_too(make_api: MakeApi, engine: Engine, scheme: str) -> None:
    key = engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
    assert make_api(scheme + key).get("/v1/config").status_code == 200


def test_a_rotated_key_is_invalid_at_once(make_api: MakeApi, engine: Engine) -> None:
    old = make_api(engine.workspace.keys.value(Environment.LIVE, KeyLevel.PUBLISHABLE))
    assert old.get("/v1/config").status_code == 200
    new = make_api(engine.workspace.keys.rotate(Environment.LIVE, KeyLevel.PUBLISHABLE).value)
    assert old.get("/v1/config").status_code == 401
    assert new.get("/v1/config").status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/v1", "/v1/", "/v1/nothing", "/v2/track", "/api/v1", "/v1/nothing/", "/v1/geofences/a/b/c", "/%00"]
)
def test_unknown_paths(secret: Api, path: str) -> None:
    assert_refused(secret.get(path), "path", status=404)


@pytest.mark.parametrize(
    ("path", "suggestion"),
    [
        ("/v1/tracks", "/v1/track"),
        ("/track", "/v1/track"),
        ("/v2/track", "/v1/track"),
        ("/v1/Track", "/v1/track"),
        ("/v1/geocode/foward", "/v1/geocode/forward"),
        ("/v1/geofence/park/1", "/v1/geofences/{tag}/{externalId}"),
        ("/v1/event", "/v1/events"),
        ("/api/v1/usres", "/v1/users"),
        ("/doc", "/docs"),
        ("/openapi", "/openapi.json"),
    ],
)
def test_a_path_that_is_nearly_served(secret: Api, path: str, suggestion: str) -> None:
    answer = secret.get(path)
    assert_refused(answer, "path", f"Nothing is served at {path}; did you mean {suggestion}?", status=404)


@pytest.mark.parametrize("path", ["/v1/nothing", "/", "/v1/" + "track" * 2_000, "/v1/%F0%9F%8C%8D", "/favicon.ico"])
def test_a_path_that_is_like_none(secret: Api, path: str) -> None:
    answer = secret.get(path)
    assert_refused(answer, "path", "/docs lists the endpoints", status=404)
    assert "did you mean" not in answer.json()["meta"]["message"]


@pytest.mark.parametrize("path", ["/v1/users", "/v1/ping", "/openapi.json", "/docs", "/v1/nothing", "/v1/track"])
def test_head_has_the_headers_of_get(secret: Api, path: str) -> None:
    """The response has no body, and no length if the body would be compressed while it is sent."""
    headers = {"Accept-Encoding": "identity"}
    head, full = secret.request("HEAD", path, headers=headers), secret.request("GET", path, headers=headers)
    assert (head.status_code, head.content) == (full.status_code, b"")
    assert set(head.headers) == set(full.headers)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/v1/track", "POST, OPTIONS"),
        ("PATCH", "/v1/geofences/x", "GET, PUT, DELETE, HEAD, OPTIONS"),
        ("POST", "/v1/users", "GET, HEAD, OPTIONS"),
        ("TRACE", "/v1/users", "GET, HEAD, OPTIONS"),
        ("QUERY", "/v1/geofences", "POST, GET, HEAD, OPTIONS"),
        ("BREW", "/v1/track", "POST, OPTIONS"),
        ("get", "/v1/ping", "GET, HEAD, OPTIONS"),
        ("DELETE", "/docs", "GET, HEAD, OPTIONS"),
    ],
)
def test_other_methods_are_answered_with_the_allowed_ones(secret: Api, method: str, path: str, allowed: str) -> None:
    request = httpx.Request(method, secret.url + path, headers={"Authorization": secret.key or ""})
    request.method = method  # httpx writes all methods in upper case
    with httpx.Client() as client:
        response = client.send(request)
    assert_refused(response, "method", method, path.rpartition("/")[0], status=405)
    assert response.headers["allow"] == allowed
    assert response.headers["x-radar-request-id"]


@pytest.mark.parametrize("method", ["TRACE", "BREW"])
def test_an_unknown_path_is_not_found_with_any_method(secret: Api, method: str) -> None:
    assert_refused(secret.request(method, "/v1/nothing"), "path", status=404)


def test_head_is_a_get_without_body(secret: Api) -> None:
    response = secret.request("HEAD", "/v1/users")
    assert response.status_code == 200
    assert response.content == b""


def test_unknown_objects_are_not_found(secret: Api) -> None:
    for method in ("GET", "PUT", "DELETE"):
        body = {"json": {"enabled": True}} if method == "PUT" else {}
        assert secret.request(method, "/v1/geofences/0123456789", **body).status_code == 404
    for method in ("GET", "DELETE"):
        assert secret.request(method, "/v1/geofences/nothing/here").status_code == 404


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_an_identifier_that_is_missing_from_the_path_is_named(secret: Api, method: str) -> None:
    for kind in ("geofences", "users", "events", "trips", "beacons"):
        assert_refused(secret.request(method, f"/v1/{kind}/"), "id", "id: must not be empty")
    for kind in ("geofences", "beacons"):
        assert_refused(secret.request(method, f"/v1/{kind}//1"), "tag", "must not be empty")
        assert_refused(secret.request(method, f"/v1/{kind}/store/"), "externalId", "must not be empty")


@pytest.mark.parametrize(("given", "hint"), [("deviceID", "; deviceID was given instead"), ("unit", "")])
@pytest.mark.parametrize("form", ["json", "data"])
def test_a_missing_parameter_mentions_a_similar_one(publishable: Api, form: str, given: str, hint: str) -> None:
    body = {given: "phone", "latitude": 47.1, "longitude": 9.5, "accuracy": 5}
    answer = publishable.post("/v1/track", **{form: body})
    assert_refused(answer, "deviceId", f"deviceId: this parameter is required{hint}.")


def test_a_body_that_is_too_large_gets_a_readable_answer(secret: Api) -> None:
    assert_refused(secret.post("/v1/track", content=b"x" * 10_000_000), "body", "1 MiB")
    assert_refused(secret.post("/v1/geofences", content=(b"x" * 65536 for _ in range(40))), "body", "1 MiB")
    assert secret.get("/v1/config").status_code == 200


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "gzip, gzip", "gzip;q=1", "aws-chunked", "ü"])
def test_a_body_packed_otherwise_is_refused(secret: Api, coding: str) -> None:
    headers = {b"Content-Encoding": coding.encode()}
    response = secret.post("/v1/track", content=b"{}", headers=headers)
    assert_refused(response, "Content-Encoding", "gzip, deflate or identity", status=415)


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:1", "localhost.", "localhost:", "LOCALHOST", "127.0.0.1", "[::1]:8787", "10.0.2.2:8787"],
)
def test_own_hosts_are_answered(secret: Api, host: str) -> None:
    assert secret.get("/v1/config", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.com", "localhost.evil.com", "localhost:1@evil.com", "localhost@evil.com", "localhost:evil.com"),
        *("127.0.0.1:1@evil.com", "[::1]evil.com", "[::1]:1@evil.com", "[localhost", "::1", "localhost:1:2", ""),
    ],
)
def test_foreign_hosts_are_refused(secret: Api, host: str) -> None:
    assert_refused(secret.get("/v1/config", headers={"Host": host}), "Host", "host name")


def test_preflight_needs_no_key(server: ApiServer) -> None:
    requested = "authorization, x-radar-sdk-version"
    headers = {
        "Origin": "https://example.com",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": requested,
        "Access-Control-Request-Private-Network": "true",
    }
    for path in ("/v1/track", "/api/v1/geofences/a/b", "/v1/nothing"):
        response = httpx.options(server.url + path, headers=headers)
        assert response.status_code == 200
        assert response.headers["access-control-allow-origin"] == "*"
        assert response.headers["access-control-allow-headers"] == requested
        assert response.headers["access-control-allow-private-network"] == "true"
        allowed = response.headers["access-control-allow-methods"]
        assert all(method in allowed for method in ("GET", "POST", "PUT", "PATCH", "DELETE"))


def test_errors_can_be_read_by_a_page(secret: Api) -> None:
    response = secret.get("/v1/nothing", headers={"Origin": "https://example.com"})
    assert response.headers["access-control-allow-origin"] == "*"
    assert "x-radar-request-id" in response.headers["access-control-expose-headers"]


def test_a_crash_is_logged_and_answered_without_its_details(
    secret: Api, engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def crash(*_arguments: object) -> None:
        raise RuntimeError("the secret details")

    monkeypatch.setattr(engine.users, "page", crash)
    with caplog.at_level(logging.ERROR):
        response = secret.get("/v1/users")
    assert response.status_code == 500
    assert "secret details" not in response.text
    assert response.headers["x-radar-request-id"] in response.json()["meta"]["message"]
    assert response.headers["x-radar-request-id"] in caplog.text
    assert "the secret details" in caplog.text


def test_storage_that_fails_is_unavailable(secret: Api, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(updates: list[tuple[object, object, Done[TrackResult]]], *_held: object) -> None:
        for _, _, done in updates:
            done(None, StorageUnavailable("The disk is full."))

    monkeypatch.setattr(engine.tracking, "submit", fail)
    response = secret.post("/v1/track", json=fix("x"))
    assert response.status_code == 503
    assert response.json()["meta"]["message"] == "The disk is full."


def test_bad_input_is_not_logged(secret: Api, caplog: pytest.LogCaptureFixture) -> None:
    secret.post("/v1/track", content=b"{")
    secret.post("/v1/geofences", json=circle("x", radius=1))
    secret.get("/v1/nothing")
    assert caplog.records == []


def test_without_a_token_there_are_no_control_routes(engine: Engine) -> None:
    assert not any(getattr(route, "path", "").startswith("/_workspace") for route in create_app(engine).routes)
