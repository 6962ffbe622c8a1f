"""A real server on a real socket with a real engine, and a client that checks every exchange against the document."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.api.server.server import ApiServer
from engine import wiring
from engine.domain.environment import Environment, KeyLevel
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from engine.geocoding.geocoding import Geocoding
from tests.app.api.contract import Contract
from tests.real_areas import built_areas

__all__ = ["built_areas"]

CENTRAL_PARK = (-73.97536, 40.78382)
"""Longitude and latitude."""

_NAMES = count(1)


class Api:
    """A client with the key of one environment and level; `get`, `post` … check every exchange."""

    def __init__(self, url: str, key: str | None, contract: Contract) -> None:
        self.url = url
        self.key = key
        headers = {} if key is None else {"Authorization": key}
        self._client = httpx.Client(base_url=url, headers=headers, timeout=40)
        self.contract = contract

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request without checks; `path` is used unchanged, percent-encoded or not."""
        return self._client.request(method, path, **options)

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request, and check the request and the response."""
        response = self.send(method, path, **options)
        self.contract.check(response.request, response)
        return response

    def get(self, path: str, **options: Any) -> httpx.Response:
        """Send a GET request."""
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        """Send a POST request."""
        return self.request("POST", path, **options)

    def put(self, path: str, **options: Any) -> httpx.Response:
        """Send a PUT request."""
        return self.request("PUT", path, **options)

    def patch(self, path: str, **options: Any) -> httpx.Response:
        """Send a PATCH request."""
        return self.request("PATCH", path, **options)

    def delete(self, path: str, **options: Any) -> httpx.Response:
        """Send a DELETE request."""
        return self.request("DELETE", path, **options)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


type MakeApi = Callable[[str | None], Api]


@pytest.fixture(scope="session", autouse=True)
def without_cities() -> Iterator[None]:
    """Leave out the cities of IP addresses, which only some checkouts have downloaded."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "Geocoding", partial(Geocoding, cities=Path("no-cities")))
        yield


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with a new workspace, shared by the tests of a module, without a rate limit for devices."""
    with Engine.open(tmp_path_factory.mktemp("workspace")) as engine:
        unlimited(engine)
        yield engine


def unlimited(engine: Engine) -> None:
    """Let devices track more often than once a second."""
    for environment in Environment:
        engine.settings.change(environment, SettingsChange(rate_limit=False))


@pytest.fixture(scope="module")
def server(engine: Engine) -> Iterator[ApiServer]:
    """A running server on a free port."""
    with ApiServer(engine, port=0) as server:
        yield server


@pytest.fixture(scope="session")
def contract() -> Contract:
    """The document against which every exchange is checked."""
    return Contract()


@pytest.fixture(scope="module")
def make_api(server: ApiServer, contract: Contract) -> Iterator[MakeApi]:
    """A factory for clients with any key."""
    made: list[Api] = []

    def make(key: str | None) -> Api:
        made.append(Api(server.url, key, contract))
        return made[-1]

    yield make
    for api in made:
        api.close()


@pytest.fixture(scope="module")
def secret(make_api: MakeApi, engine: Engine) -> Api:
    """A client with the Test secret key."""
    return make_api(engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET))


@pytest.fixture(scope="module")
def publishable(make_api: MakeApi, engine: Engine) -> Api:
    """A client with the Test publishable key."""
    return make_api(engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE))


@pytest.fixture(scope="module")
def live(make_api: MakeApi, engine: Engine) -> Api:
    """A client with the Live secret key."""
    return make_api(engine.workspace.keys.value(Environment.LIVE, KeyLevel.SECRET))


@pytest.fixture
def name() -> str:
    """A name that no other test has used."""
    return f"name{next(_NAMES)}"


def circle(tag: str, external_id: str = "1", **fields: Any) -> dict[str, Any]:
    """Return the body of a circle of 100 m in Central Park."""
    return {
        "description": "A lawn",
        "type": "circle",
        "tag": tag,
        "externalId": external_id,
        "coordinates": list(CENTRAL_PARK),
        "radius": 100,
    } | fields


def fix(device_id: str, longitude: float = CENTRAL_PARK[0], **fields: Any) -> dict[str, Any]:
    """Return the body of a location update in Central Park."""
    return {"deviceId": device_id, "latitude": CENTRAL_PARK[1], "longitude": longitude, "accuracy": 5} | fields


def assert_refused(response: httpx.Response, param: str, *words: str, status: int = 400) -> None:
    """Check that a response is an error about `param` whose message contains all `words`."""
    assert response.status_code == status, response.text
    meta = response.json()["meta"]
    assert meta["param"] == param, meta
    assert all(word in meta["message"] for word in words), meta
