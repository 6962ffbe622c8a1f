"""The client address of a request: the address of the peer, or the address that a trusted proxy reports."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from app.api.http.admission import client_address
from tests.app.api.conftest import Api, circle, fix

PROXY = "X-Forwarded-For"


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("6.6.6.6, 203.0.113.7", "203.0.113.7"),
        ("6.6.6.6,7.7.7.7 ,  2001:DB8::7 ", "2001:db8::7"),
        ("203.0.113.7:4711", "203.0.113.7"),
        ("[2001:db8::7]:4711", "2001:db8::7"),
        ("[2001:db8::7]", "2001:db8::7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("6.6.6.6,", "10.0.0.1"),
        ("unknown", "10.0.0.1"),
        ("203.0.113.7, _hidden", "10.0.0.1"),
        ("", "10.0.0.1"),
    ],
)
def test_the_last_address_counts(forwarded: str, address: str) -> None:
    assert client_address({b"x-forwarded-for": forwarded.encode()}, "10.0.0.1", PROXY) == address


def test_without_a_trusted_header_it_is_the_other_end() -> None:
    headers = {b"x-forwarded-for": b"203.0.113.7", b"x-real-ip": b"203.0.113.7"}
    assert client_address(headers, "10.0.0.1", None) == "10.0.0.1"
    assert client_address(headers, None, None) is None
    assert client_address({}, "10.0.0.1", PROXY) == "10.0.0.1"


@pytest.fixture
def trusting(secret: Api) -> Iterator[Api]:
    """The Test secret client, whose settings trust a proxy's header."""
    secret.patch("/v1/settings", json={"trustedProxyHeader": PROXY})
    yield secret
    secret.patch("/v1/settings", json={"trustedProxyHeader": None})


def short(api: Api, body: dict[str, Any], headers: dict[str, str]) -> Any:
    return api.post("/v1/track", json=body, headers=headers).json()


def ordinary(api: Api, body: dict[str, Any], headers: dict[str, str]) -> Any:
    chunks = iter([json.dumps(body).encode()])
    return api.post("/v1/track", content=chunks, headers=headers | {"Content-Type": "application/json"}).json()


WAYS = pytest.mark.parametrize("track", [short, ordinary])
FROM = {"x-forwarded-for": "6.6.6.6, 203.0.113.7"}


@WAYS
def test_a_trusted_header_gives_the_address(trusting: Api, live: Api, name: str, track: Any) -> None:
    assert track(trusting, fix(name), FROM)["user"]["ip"] == "203.0.113.7"
    assert trusting.get("/v1/ping", headers=FROM).json()["ip"] == "203.0.113.7"
    replayed = trusting.post("/v1/track/replay", json={"replays": [fix(name)]}, headers=FROM).json()
    assert replayed["user"]["ip"] == "203.0.113.7"
    assert track(live, fix(name), FROM)["user"]["ip"] == "127.0.0.1"


@WAYS
def test_no_header_is_trusted_by_itself(secret: Api, name: str, track: Any) -> None:
    for header in ("x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip", "true-client-ip"):
        assert track(secret, fix(name), {header: "203.0.113.7"})["user"]["ip"] == "127.0.0.1"


@WAYS
def test_geofences_for_some_addresses(trusting: Api, name: str, track: Any) -> None:
    trusting.post("/v1/geofences", json=circle(name, ip="203.0.113.*"))
    for address, entered in (("203.0.113.7", True), ("198.51.100.7", False)):
        events = track(trusting, fix(f"{name}-{address}"), {"x-forwarded-for": address})["events"]
        assert (name in [event["geofence"]["tag"] for event in events]) is entered
