"""The number of modules that a request enters, which keeps routes short and names the modules that extend them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import sleep
from types import CodeType
from typing import Any

import pytest

from engine.engine import Engine
from tests.app.api.conftest import Api, circle, fix, unlimited
from tests.real_areas import workspace_with_areas

_PROJECT = Path(__file__).parents[3]
_PACKAGES = tuple(str(_PROJECT / name) + "/" for name in ("app", "engine"))
_TOOL = 4
"""A tool ID of `sys.monitoring` that neither debuggers nor coverage use."""

_TURNS = 4
_SETTLED_S = 0.2
"""How long the consequences of a request may continue after its response, in seconds."""

_TIMERS = ("app.api.server.server.SWEEP_S", "engine.store.watching.watch.EVERY_S", "engine.store.writer.PURGE_EVERY_S")
_NEVER_S = 3600.0


@contextmanager
def entered() -> Iterator[set[str]]:
    """Collect the modules in which a function starts, in any thread, as paths in the project."""
    found: set[str] = set()

    def begin(code: CodeType, _offset: int) -> object:
        if code.co_filename.startswith(_PACKAGES) and code.co_name != "<module>":
            found.add(code.co_filename.removeprefix(f"{_PROJECT}/"))
        return sys.monitoring.DISABLE

    sys.monitoring.use_tool_id(_TOOL, "routes")
    try:
        sys.monitoring.register_callback(_TOOL, sys.monitoring.events.PY_START, begin)
        sys.monitoring.set_events(_TOOL, sys.monitoring.events.PY_START)
        sys.monitoring.restart_events()
        yield found
        sleep(_SETTLED_S)
    finally:
        sys.monitoring.set_events(_TOOL, 0)
        sys.monitoring.register_callback(_TOOL, sys.monitoring.events.PY_START, None)
        sys.monitoring.free_tool_id(_TOOL)


def route(api: Api, method: str, path: str, body: Callable[[], object] | None = None, **options: Any) -> list[str]:
    """Return the modules that all of several requests enter."""
    turns = []
    for number in range(_TURNS + 1):
        if body is not None:
            options["json"] = body()
        sleep(_SETTLED_S)
        with entered() as found:
            # The check of requests against the document has its own modules.
            api.send(method, path, **options).raise_for_status()
        # The first request also loads modules on first use.
        if number:
            turns.append(found)
    return sorted(set.intersection(*turns))


@pytest.fixture(scope="module", autouse=True)
def _without_timers() -> Iterator[None]:
    """Disable periodic work of servers and workspaces, which would be part of all turns on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        for interval in _TIMERS:
            patch.setattr(interval, _NEVER_S)
        yield


@pytest.fixture(scope="module")
def engine(built_areas: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with Liechtenstein and State College."""
    folder = workspace_with_areas(tmp_path_factory.mktemp("routes") / "workspace", built_areas)
    with Engine.open(folder) as engine:
        unlimited(engine)
        yield engine


@pytest.fixture
def geofence(secret: Api, name: str) -> str:
    """The path of a geofence in Central Park."""
    path = f"/v1/geofences/lawn/{name}"
    secret.put(path, json=circle("lawn", name)).raise_for_status()
    return path


def at_most(most: int, modules: list[str]) -> None:
    """Fail if a route enters more modules than allowed, and list them."""
    listed = "\n".join(modules)
    assert len(modules) <= most, f"{len(modules)} modules instead of at most {most}:\n{listed}"


def test_an_update_without_an_event(publishable: Api, name: str) -> None:
    body = fix(name, -74.1)
    publishable.post("/v1/track", json=body)
    at_most(45, route(publishable, "POST", "/v1/track", lambda: body))


def test_an_update_that_enters(publishable: Api, geofence: str, name: str) -> None:
    names = (f"{name}-{number}" for number in count(1))
    at_most(59, route(publishable, "POST", "/v1/track", lambda: fix(next(names))))


def test_a_new_radius(secret: Api, geofence: str) -> None:
    radii = count(100)
    at_most(56, route(secret, "PUT", geofence, lambda: {"radius": next(radii)}))


def test_one_geofence(publishable: Api, secret: Api, geofence: str) -> None:
    at_most(35, route(secret, "GET", geofence))


def test_an_address(publishable: Api) -> None:
    params = {"query": "Torkelgass 13, 9494 Schaan"}
    at_most(54, route(publishable, "GET", "/v1/geocode/forward", params=params))


def test_a_change_of_a_trip(secret: Api, geofence: str, name: str) -> None:
    trip = f"/v1/trips/{name}"
    secret.post("/v1/trips", json={"externalId": name}).raise_for_status()
    numbers = count(1)
    at_most(52, route(secret, "PATCH", f"{trip}/update", lambda: {"metadata": {"number": next(numbers)}}))
