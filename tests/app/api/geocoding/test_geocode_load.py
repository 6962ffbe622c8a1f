"""A slow remote geocoder, which must only delay clients that ask for addresses."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partialmethod
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.api.http import lanes
from app.api.http.services import MAX_LOOKUPS
from app.api.server.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from engine.geocoding.remote.photon import PhotonGeocoder
from tests.app.api.conftest import Api, fix, unlimited
from tests.app.api.contract import Contract
from tests.servers import FakeServer, ReceivedRequest, answering, serving

MANY = 10


@dataclass
class Slow:
    """An endpoint with a remote server that does not respond until `release` is set."""

    api: Api
    server: FakeServer
    release: threading.Event


@pytest.fixture
def slow(tmp_path: Path, contract: Contract, monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    # Only the test ends the lookups, however busy the machine is.
    monkeypatch.setattr(PhotonGeocoder, "__init__", partialmethod(PhotonGeocoder.__init__, limit_s=60.0))
    release = threading.Event()

    def reply(handler: Any, request: ReceivedRequest) -> None:
        release.wait(60)
        answering({"features": []})(handler, request)

    with (
        serving(reply) as server,
        Engine.open(tmp_path / "w", geocoder_url=f"photon+{server.url}") as engine,
        ApiServer(engine, port=0) as endpoint,
    ):
        unlimited(engine)
        api = Api(endpoint.url, engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET), contract)
        try:
            yield Slow(api, server, release)
        finally:
            release.set()
            api.close()


def ask_many(pool: ThreadPoolExecutor, slow: Slow) -> list[Future[httpx.Response]]:
    """Ask for many addresses, and return once the maximum number of simultaneous lookups is reached."""
    asking = [pool.submit(slow.api.get, f"/v1/geocode/forward?query=street {number}") for number in range(MANY)]
    while len(slow.server.requests) < MAX_LOOKUPS:
        time.sleep(0.01)
    return asking


def test_others_are_served_meanwhile(slow: Slow) -> None:
    with ThreadPoolExecutor(MANY) as pool:
        asking = ask_many(pool, slow)
        assert slow.api.post("/v1/track", json=fix("phone")).status_code == 200
        assert slow.api.get("/v1/search/geofences?near=1,2").status_code == 200
        assert slow.api.get("/v1/users").status_code == 200
        assert slow.api.get("/v1/geocode/ip").status_code == 200
        assert slow.api.get("/v1/search/places?near=60.17,24.94&categories=food-beverage").status_code == 200
        assert len(slow.server.requests) == MAX_LOOKUPS
        slow.release.set()
        assert [future.result().status_code for future in asking] == [200] * MANY
    assert len(slow.server.requests) == MANY


def test_lookups_that_wait_too_long_are_refused(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "MAX_WAIT_S", 0.1)
    with ThreadPoolExecutor(MANY) as pool:
        asking = ask_many(pool, slow)
        while sum(future.done() for future in asking) < MANY - MAX_LOOKUPS:
            time.sleep(0.01)
        late = [future.result() for future in asking if future.done()]
        slow.release.set()
    assert {answer.status_code for answer in late} == {503}
    assert "try again later" in late[0].json()["meta"]["message"]
