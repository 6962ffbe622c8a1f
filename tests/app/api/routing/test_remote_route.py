"""Routing on a remote server with arbitrary responses, and its effect on the wire."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

import httpx
import orjson
import pytest

from app.api.server.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from engine.routing.local import LocalService, Searches
from engine.routing.service import Action, Deadline, Refused
from tests.app.api.conftest import Api, circle
from tests.app.api.contract import Contract
from tests.app.api.routing.test_route import CENTER, CORNER, PATH, spelled
from tests.engine.routing.extracts import town_area
from tests.engine.routing.town import at
from tests.odd_json import Way, changed, oddities
from tests.servers import FakeServer, ReceivedRequest, send, serving

NUMBERS: Final = count()

STOPS = f"{CENTER}|{CORNER}|{spelled(at(0, 300))}"


def make_isochrone(api: Api) -> httpx.Response:
    """Create an isochrone geofence that was not requested before."""
    latitude, longitude = map(float, CENTER.split(","))
    number = next(NUMBERS)
    body = {"type": "isochrone", "coordinates": [longitude, latitude], "radius": 3 + number / 10_000, "mode": "car"}
    return api.post("/v1/geofences", json=circle("reach", str(number)) | body)


REQUESTS: dict[str, Callable[[Api], httpx.Response]] = {
    "distance": lambda api: api.get(
        f"/v1/route/distance?origin={CENTER}&destination={CORNER}&modes=car&geometry=linestring&units=metric"
    ),
    "matrix": lambda api: api.get(f"/v1/route/matrix?origins={STOPS}&destinations={STOPS}&mode=car"),
    "directions": lambda api: api.get(f"/v1/route/directions?locations={CENTER}|{CORNER}&alternatives=true"),
    "optimize": lambda api: api.get(f"/v1/route/optimize?locations={STOPS}&mode=car&geometry=polyline5"),
    "match": lambda api: api.post(
        "/v1/route/match", json={"path": PATH, "mode": "car", "roadAttributes": "names,speedLimit,roadClass"}
    ),
    "isochrone": make_isochrone,
    "users": lambda api: api.get(f"/v1/search/users?near={CENTER}&mode=car&radius=2"),
}


@dataclass
class Odd:
    """A Valhalla server whose responses are changed in one place before they are sent."""

    service: LocalService
    known: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)
    way: Way | None = None
    value: Any = None

    def reply(self, handler: Any, request: ReceivedRequest) -> None:
        key = request.target.encode() + request.body
        if key not in self.known:
            self.known[key] = self._answer(request)
        status, body = self.known[key]
        if self.way is not None:
            body = orjson.dumps(changed(orjson.loads(body), self.way, self.value))
        send(handler, status, body)

    def _answer(self, request: ReceivedRequest) -> tuple[int, bytes]:
        try:
            action = Action(request.path.removeprefix("/"))
            return 200, orjson.dumps(self.service.ask(action, request.json, Deadline(30), lambda found: found))
        except Refused as refused:
            return 400, orjson.dumps({"error_code": refused.code, "error": str(refused), "status_code": 400})


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Odd]:
    service = LocalService(town_area(tmp_path_factory), Searches(1))
    yield Odd(service)
    service.close()


@pytest.fixture(scope="module")
def server_elsewhere(odd: Odd) -> Iterator[FakeServer]:
    with serving(odd.reply, keeps=True) as server:
        yield server


@pytest.fixture(scope="module")
def api(server_elsewhere: FakeServer, tmp_path_factory: pytest.TempPathFactory, contract: Contract) -> Iterator[Api]:
    folder: Path = tmp_path_factory.mktemp("workspace")
    with Engine.open(folder, router_url=server_elsewhere.url) as engine, ApiServer(engine, port=0) as endpoint:
        api = Api(endpoint.url, engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET), contract)
        yield api
        api.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.timeout(400)
def test_no_shape_of_an_answer_is_a_fault_of_ours(name: str, api: Api, odd: Odd) -> None:
    odd.way = None
    odd.known.clear()
    good = REQUESTS[name](api)
    assert good.status_code in (200, 201), good.text
    answers = [orjson.loads(body) for _, body in odd.known.values()]
    messages = set()
    for odd.way, odd.value in oddities(*answers):
        answer = REQUESTS[name](api)
        assert answer.status_code in (200, 400, 503), f"{odd.way} {odd.value!r}: {answer.text}"
        if answer.status_code == 503:
            messages.add(answer.json()["meta"]["message"])
    assert "sends responses that cannot be read." in "".join(messages)
    assert all("http://127.0.0.1" in message for message in messages), messages
