"""Eight simultaneous clients with a mix of all routing operations; every client gets its own responses.

`FENCEWRIGHT_LOAD_S=60` sets the duration in seconds.
"""

import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from random import Random
from typing import Any

import httpx
import pytest

from app.api.server.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geometry import Point
from engine.engine import Engine
from tests.app.api.routing.test_route import PATH, engine, spelled, town_folder
from tests.engine.routing.town import at

__all__ = ["engine", "town_folder"]

CLIENTS = 8
SECONDS = float(os.environ.get("FENCEWRIGHT_LOAD_S", "5"))
MODES = ("car", "foot", "bike")

type RouteRequest = tuple[str, dict[str, Any]]


def requests(seed: int) -> Iterator[RouteRequest]:
    """Yield requests of all kinds, with few distinct ones so that each is repeated many times."""
    random = Random(seed)
    while True:
        mode = random.choice(MODES)
        places = [_place(random) for _ in range(4)]
        yield from (
            ("distance", {"origin": spelled(places[0]), "destination": spelled(places[1]), "modes": mode}),
            ("matrix", {"origins": spelled(*places[:2]), "destinations": spelled(*places[2:]), "mode": mode}),
            ("directions", {"locations": spelled(*places[:3]), "mode": mode, "avoid": "tolls"}),
            ("optimize", {"locations": spelled(*places), "mode": mode, "geometry": "polyline6"}),
            ("match", {"path": PATH[random.randrange(6) :], "mode": mode}),
        )


def _place(random: Random) -> Point:
    return at(random.choice((-500, -100, 100, 300)), random.choice((0, 600)))


def ask(client: httpx.Client, name: str, content: dict[str, Any]) -> Any:
    """Return the response to one request."""
    if name == "match":
        response = client.post("/v1/route/match", json=content)
    else:
        response = client.get(f"/v1/route/{name}", params=content)
    assert response.status_code == 200, response.text
    return response.json()


def enough(counted: Counter[str]) -> bool:
    """Return whether each operation was requested more than ten times."""
    return min(counted[name] for name in ("distance", "matrix", "directions", "optimize", "match")) > 10


@pytest.mark.slow
def test_eight_clients_at_once(engine: Engine) -> None:
    answers: dict[str, Any] = {}
    counted: Counter[str] = Counter()
    lock = threading.Lock()
    until = time.monotonic() + SECONDS
    with ApiServer(engine, port=0) as server, ThreadPoolExecutor(CLIENTS) as clients:
        headers = {"Authorization": engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)}

        def mix(seed: int) -> None:
            with httpx.Client(base_url=server.url, headers=headers, timeout=30, trust_env=False) as client:
                for name, content in requests(seed % 2):
                    if time.monotonic() > until and counted.total() > 2 * len(answers) and enough(counted):
                        return
                    answer = ask(client, name, content)
                    with lock:
                        counted[name] += 1
                        assert answers.setdefault(f"{name} {content}", answer) == answer

        for done in [clients.submit(mix, seed) for seed in range(CLIENTS)]:
            done.result()
        with httpx.Client(base_url=server.url, headers=headers, timeout=30, trust_env=False) as alone:
            for name, content in chain(*(islice(requests(seed), 100) for seed in range(2))):
                if (key := f"{name} {content}") in answers:
                    assert ask(alone, name, content) == answers[key], "the answer differs from that of a single client"
    assert enough(counted)
    assert counted.total() > 2 * len(answers), "most answers were compared with an earlier one"


@pytest.mark.slow
def test_a_lane_is_free_for_short_requests_while_long_ones_wait(engine: Engine) -> None:
    """Location updates and other requests are answered while matrices are computed."""
    with ApiServer(engine, port=0) as server, ThreadPoolExecutor(CLIENTS) as clients:
        headers = {"Authorization": engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)}
        many = spelled(*(at(-500 + 20 * number, 0) for number in range(15)))
        query = {"origins": many, "destinations": many, "mode": "bike"}
        with httpx.Client(base_url=server.url, headers=headers, timeout=30, trust_env=False) as client:
            busy = [clients.submit(ask, client, "matrix", query) for _ in range(CLIENTS)]
            waits: list[float] = []
            while not waits or (min(waits) >= 1 and not all(future.done() for future in busy)):
                began = time.monotonic()
                assert client.get("/v1/ping").status_code == 200
                waits.append(time.monotonic() - began)
            assert min(waits) < 1
            assert all(len(future.result()["matrix"]) == 15 for future in busy)


@pytest.fixture(autouse=True)
def _enough_time(request: pytest.FixtureRequest) -> None:
    request.node.add_marker(pytest.mark.timeout(SECONDS + 60))
