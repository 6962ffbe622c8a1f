"""Injected faults with real clients: the example of docs/faults.md, and the vendor's Python SDK."""

import json
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
    example.write_text(code.replace("http://127.0.0.1:8787", server.url), encoding="utf-8")
    keys = engine.workspace.keys
    environment = {
        "SECRET": keys.value(Environment.TEST, KeyLevel.SECRET),
        "PUBLISHABLE": keys.value(Environment.TEST, KeyLevel.PUBLISHABLE),
    }
    ended = subprocess.run(
        [node, "--test", str(example)], env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    assert ended.returncode == 0, ended.stdout
    assert re.search(r"\bpass 3\b", ended.stdout), ended.stdout


def test_the_python_sdk_receives_the_rate_limit(server: ApiServer, radar: Any) -> None:
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


IDLE = """
import http from "node:http";

const [url, publishable, secret, rounds] = process.argv.slice(2);
const idle = new http.Agent({ keepAlive: true, maxSockets: 1 });
const own = new http.Agent({ keepAlive: true, maxSockets: 1 });
const update = { deviceId: "phone-1", latitude: 40.78, longitude: -73.97, accuracy: 10, replayed: true };

const ask = (agent, method, path, key, body) =>
  new Promise((resolve) => {
    const headers = { Authorization: key, "Content-Type": "application/json" };
    const request = http.request(url + path, { method, agent, headers }, (answer) => {
      let text = "";
      answer.on("data", (part) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode, body: JSON.parse(text) }));
    });
    request.on("error", (error) => resolve({ status: error.code }));
    request.end(body && JSON.stringify(body));
  });
const track = async () => (await ask(idle, "POST", "/v1/track", publishable, update)).status;

const found = [];
for (let round = 0; round < Number(rounds); round++) {
  const first = await track();
  const { body } = await ask(own, "POST", "/v1/faults", secret, { kind: "drop", path: "/v1/track", times: 1 });
  const dropped = await track();
  const { fault } = (await ask(own, "GET", `/v1/faults/${body.fault._id}`, secret)).body;
  found.push([first, dropped, fault.hits, await track()]);
}
console.log(JSON.stringify(found));
idle.destroy();
own.destroy();
"""


def test_a_connection_that_node_keeps_idle_does_not_take_the_drop_of_the_next(
    server: ApiServer, engine: Engine, tmp_path: Path
) -> None:
    node = find_node()
    if node is None:
        pytest.skip("Node.js is not there")
    script, rounds = tmp_path / "idle.mjs", 10
    script.write_text(IDLE)
    keys = engine.workspace.keys
    publishable, secret = (keys.value(Environment.TEST, level) for level in (KeyLevel.PUBLISHABLE, KeyLevel.SECRET))
    command = [node, str(script), server.url, publishable, secret, str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=True)
    assert json.loads(done.stdout) == [[200, "ECONNRESET", 1, 200]] * rounds
