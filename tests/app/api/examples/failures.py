"""Records an error response for each status that the reference has, each from a request that is refused for it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final
from unittest.mock import patch
from urllib.parse import urlsplit

import httpx
import orjson

from app.api.http.responses import logger
from app.api.server import pacing
from engine.domain.environment import KeyLevel
from tests.app.api.examples.example import COURIER, STORE_AT, at
from tests.app.api.examples.recording import StoryServer
from tests.app.api.wire import Wire, meta_of, request

FIX: Final = {**COURIER, **at(STORE_AT), "accuracy": 8}
MIB: Final = 1024 * 1024


def record_failures(server: StoryServer) -> dict[str, Any]:
    """Return the body of a response for each error status, by the name that the document gives the status."""
    with httpx.Client(base_url=server.url, timeout=40, trust_env=False) as client:
        bodies = [*_of_requests(client, server), *_of_settings(client, server), *_of_crash(client, server)]
    bodies.append(_of_late_request(server))
    return {str(body["meta"]["code"]): body for body in sorted(bodies, key=lambda body: int(body["meta"]["code"]))}


def _of_requests(client: httpx.Client, server: StoryServer) -> Iterator[Any]:
    """Yield the responses to requests that are wrong by themselves."""
    secret, publishable = server.header(KeyLevel.SECRET), server.header(KeyLevel.PUBLISHABLE)
    store = {"description": "Store", "type": "circle", "tag": "store", "externalId": "kluuvi", "radius": 80}
    yield client.post("/v1/track", json=FIX | {"latitude": 91}, headers=publishable).json()
    yield client.get("/v1/users").json()
    yield client.get("/v1/users", headers=publishable).json()
    yield client.get("/v1/users/courier-70", headers=secret).json()
    yield client.post("/v1/geofences", json=store | {"coordinates": [24.94, 60.17]}, headers=secret).json()
    packed = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    yield client.post("/v1/track", content=gzip.compress(bytes(2 * MIB)), headers=publishable | packed).json()
    yield client.post("/v1/track", content=b"{}", headers=publishable | {"Content-Encoding": "br"}).json()
    beyond = {"Range": "bytes=100000000-"}
    yield client.get("/maps/areas/helsinki.pmtiles", headers=publishable | beyond).json()


def _of_settings(client: httpx.Client, server: StoryServer) -> Iterator[Any]:
    """Yield the responses to a location update that settings cause."""
    secret, publishable = server.header(KeyLevel.SECRET), server.header(KeyLevel.PUBLISHABLE)
    for change, updates in (
        ({"rehearsedError": "usageExceeded"}, 1),
        ({"rehearsedError": "unavailable"}, 1),
        ({"blockedCountries": "FI"}, 1),
        ({"rateLimit": True}, 2),
    ):
        client.patch("/v1/settings", json=change, headers=secret).raise_for_status()
        for _ in range(updates):
            answer = client.post("/v1/track", json=FIX, headers=publishable)
        client.patch("/v1/settings", json=dict.fromkeys(change), headers=secret).raise_for_status()
        yield answer.json()


def _of_crash(client: httpx.Client, server: StoryServer) -> Iterator[Any]:
    with patch.object(server.engine.users, "page", side_effect=RuntimeError), patch.object(logger, "error"):
        answer = client.get("/v1/users", headers=server.header(KeyLevel.SECRET))
    yield orjson.loads(answer.text.replace(answer.headers["x-radar-request-id"], "7c1d90aa-42"))


def _of_late_request(server: StoryServer) -> Any:
    with (
        patch.object(pacing, "PROGRESS_EVERY_S", 0.4),
        Wire(urlsplit(server.url).port or 0) as wire,
    ):
        key = f"Authorization: {server.keys[KeyLevel.PUBLISHABLE]}"
        wire.send(request("POST", "/v1/track", key, "Content-Length: 9"))
        meta = meta_of(wire.rest())
    assert meta["code"] == HTTPStatus.REQUEST_TIMEOUT
    return {"meta": meta}
