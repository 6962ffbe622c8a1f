"""Faults on purpose, met by real clients: the example of docs/faults.md, and the vendor's Python SDK."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from radar import RadarClient
from radar.errors import RateLimitError

from app.api.server.server import ApiServer
from app.faults.rules import DropTime, FaultKind, FaultRule
from engine.domain.environment import Environment, KeyLevel
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from tests.node_packages import ROOT, find_node

PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
TIMEOUT_S = 60


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with Engine.open(tmp_path_factory.mktemp("workspace")) as engine:
        engine.settings.change(Environment.TEST, SettingsChange(rate_limit=False))
        yield engine


@pytest.fixture(scope="module")
def server(engine: Engine) -> Iterator[ApiServer]:
    with ApiServer(engine, port=0) as server:
        yield server


@pytest.fixture(autouse=True)
def _none_left(server: ApiServer) -> Iterator[None]:
    yield
    server.faults.clear()


@pytest.fixture
def radar(server: ApiServer, engine: Engine) -> Any:
    keys = engine.workspace.keys
    client = RadarClient(
        secret_key=keys.value(Environment.TEST, KeyLevel.SECRET),
        pub_key=keys.value(Environment.TEST, KeyLevel.PUBLISHABLE),
    )
    client.api_requester.BASE_URL = f"{server.url}/"
    return client


def test_the_example_of_the_page(server: ApiServer, engine: Engine, tmp_path: Path) -> None:
    node = find_node()
    if node is None:
        pytest.skip("Node.js is not there")
    (code,) = re.findall(r"```js\n(.*?)```", PAGE, re.DOTALL)
    example = tmp_path / "retries.test.mjs"
    example.write_text(code, encoding="utf-8")
    keys = engine.workspace.keys
    environment = {
        "FENCEWRIGHT_URL": server.url,
        "TEST_SECRET": keys.value(Environment.TEST, KeyLevel.SECRET),
        "TEST_PUBLISHABLE": keys.value(Environment.TEST, KeyLevel.PUBLISHABLE),
    }
    ended = subprocess.run(
        [node, "--test", str(example)], env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    assert ended.returncode == 0, ended.stdout
    assert re.search(r"\bpass 3\b", ended.stdout), ended.stdout


def test_the_python_sdk_is_told_to_slow_down(server: ApiServer, radar: Any) -> None:
    server.faults.add(FaultRule(kind=FaultKind.STATUS, status=429, times=1))
    with pytest.raises(RateLimitError):
        radar.geofences.list()
    assert radar.geofences.list() == []


def test_the_python_sdk_knows_no_error_of_gateways(server: ApiServer, radar: Any) -> None:
    server.faults.add(FaultRule(kind=FaultKind.STATUS, status=502, times=1))
    with pytest.raises(requests.HTTPError):
        radar.geofences.list()


@pytest.mark.parametrize(
    "rule",
    [
        FaultRule(kind=FaultKind.DROP, when=DropTime.BEFORE, times=1),
        FaultRule(kind=FaultKind.DROP, when=DropTime.AFTER, times=1),
        FaultRule(kind=FaultKind.TRUNCATE, times=1),
    ],
    ids=["dropped before", "dropped after", "truncated"],
)
def test_the_python_sdk_loses_its_connection(server: ApiServer, radar: Any, rule: FaultRule) -> None:
    server.faults.add(rule)
    with pytest.raises(requests.RequestException):
        radar.geofences.list()
    assert radar.geofences.list() == []
