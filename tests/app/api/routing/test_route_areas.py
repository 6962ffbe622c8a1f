"""Changes of the areas in use during requests and stuck searches: all clients get correct responses."""

import shutil
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.api.server.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from engine.routing.areas import AreaRouter
from engine.routing.process.client import Order, ProcessTool
from tests.app.api.routing.test_route import CENTER, CORNER, PATH, town_folder

__all__ = ["town_folder"]

CLIENTS = 8
CHANGES, ANSWERS = 24, 40
LIMIT_S = 2.0
STUCK_S = 2.5
GENEROUS_S = 30.0
REQUESTS = (
    ("distance", {"origin": CENTER, "destination": CORNER, "modes": "car,foot", "units": "metric"}),
    ("matrix", {"origins": f"{CENTER}|{CORNER}", "destinations": f"{CORNER}|{CENTER}", "mode": "bike"}),
    ("directions", {"locations": f"{CENTER}|{CORNER}", "mode": "foot"}),
    ("optimize", {"locations": f"{CENTER}|{CORNER}|{CENTER}", "mode": "car"}),
    ("match", {"path": PATH, "mode": "car"}),
)
BOTH = ["town", "twin"]
TOO_LONG = ("directions", {"locations": f"{CENTER}|{CORNER}", "heading": "123"})


@pytest.fixture
def engine(town_folder: Path, tmp_path: Path) -> Iterator[Engine]:
    """An engine with the same town under two names."""
    with Engine.open(tmp_path):
        pass
    for name in ("town", "twin"):
        folder = tmp_path / "areas" / name
        shutil.copytree(town_folder, folder)
    record = tmp_path / "areas" / "twin" / "area.json"
    record.write_text(record.read_text().replace('"town"', '"twin"'))
    with Engine.open(tmp_path) as engine:
        engine.areas.use(["town"])
        yield engine


def ask(client: httpx.Client, name: str, content: dict[str, Any]) -> httpx.Response:
    if name == "match":
        return client.post("/v1/route/match", json=content)
    return client.get(f"/v1/route/{name}", params=content)


def client_of(server: ApiServer, engine: Engine) -> httpx.Client:
    key = engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
    return httpx.Client(base_url=server.url, headers={"Authorization": key}, timeout=30, trust_env=False)


@pytest.mark.slow
def test_the_areas_in_use_change_while_clients_ask(engine: Engine) -> None:
    over = threading.Event()
    with ApiServer(engine, port=0) as server, ThreadPoolExecutor(CLIENTS) as clients:
        with client_of(server, engine) as first:
            right = [ask(first, *request).json() for request in REQUESTS]

        answered = [0] * CLIENTS

        def keep_asking(start: int) -> None:
            with client_of(server, engine) as client:
                while not over.is_set():
                    number = (start + answered[start]) % len(REQUESTS)
                    response = ask(client, *REQUESTS[number])
                    assert response.status_code == 200, response.text
                    assert response.json() == right[number]
                    answered[start] += 1

        busy = [clients.submit(keep_asking, start) for start in range(CLIENTS)]
        for change in count():
            if change >= CHANGES and (sum(answered) >= ANSWERS or any(each.done() for each in busy)):
                break
            engine.areas.use((["town"], ["twin"], ["town", "twin"])[change % 3])
            time.sleep(0.05)
        over.set()
        for future in busy:
            future.result()


@pytest.mark.slow
def test_after_time_outs_other_areas_answer_at_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches get stuck, then the areas change: no client gets a timeout error before the time has passed."""
    usual = ProcessTool.__call__

    def slow(tool: ProcessTool, order: Order, request: str) -> str:
        if '"heading":123' in request:
            time.sleep(STUCK_S)
        return usual(tool, order, request)

    def change(areas: list[str], limit_s: float) -> None:
        monkeypatch.setattr(engine._parts.routers, "_make", lambda: AreaRouter(engine.areas.in_use(), limit_s=limit_s))
        engine.areas.use(areas)

    monkeypatch.setattr(ProcessTool, "__call__", slow)
    with ApiServer(engine, port=0) as server, ThreadPoolExecutor(CLIENTS) as clients, client_of(server, engine) as one:
        for before, areas in ((BOTH, ["twin"]), (BOTH, ["town"]), (["twin"], BOTH)):
            change(before, LIMIT_S)
            late = [clients.submit(ask, one, *TOO_LONG) for _ in range(CLIENTS)]
            refused = [future.result() for future in late]
            assert {response.status_code for response in refused} == {503}
            assert any("within 2 seconds" in response.text for response in refused)
            # Sufficient even on a machine on which a process takes seconds to start.
            change(areas, GENEROUS_S)
            for each in REQUESTS:
                response = ask(one, *each)
                assert response.status_code == 200, response.text
