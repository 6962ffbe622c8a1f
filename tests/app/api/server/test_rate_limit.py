"""The limit of one location update per second and device, by the clock of the environment."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.api.http.rates import MAX_REMEMBERED, Recent
from app.api.server.server import ApiServer
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment, KeyLevel
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from tests.app.api.conftest import Api, assert_refused, fix
from tests.app.api.contract import Contract

HEADERS = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with the default settings, in which the limit is on."""
    with Engine.open(tmp_path_factory.mktemp("workspace")) as engine:
        yield engine


@pytest.fixture(autouse=True)
def clock(engine: Engine) -> Iterator[None]:
    """The Test clock is frozen at 1,000,000,000.25 seconds after 1970."""
    engine.set_clock(ClockChange(now=_moment(1_000_000_000.25), frozen=True))
    yield
    engine.set_clock(ClockChange(system=True))


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def advance(engine: Engine, seconds: float) -> None:
    engine.set_clock(ClockChange(advance_s=seconds))


class Short:
    """Sends a location update on the short path."""

    def __call__(self, api: Api, body: dict[str, Any]) -> httpx.Response:
        return api.post("/v1/track", json=body)


class Long:
    """Sends a location update on the ordinary path, in chunks."""

    def __call__(self, api: Api, body: dict[str, Any]) -> httpx.Response:
        chunks = iter([json.dumps(body).encode()])
        return api.post("/v1/track", content=chunks, headers={"Content-Type": "application/json"})


@pytest.fixture(params=[Short(), Long()], ids=["short way", "ordinary way"])
def send(request: pytest.FixtureRequest) -> Any:
    return request.param


def limits(response: httpx.Response) -> list[str | None]:
    return [response.headers.get(name) for name in HEADERS]


def test_a_second_one_within_the_second_is_refused(publishable: Api, engine: Engine, send: Any, name: str) -> None:
    first = send(publishable, fix(name))
    assert (first.status_code, limits(first)) == (200, ["1", "0", "1000000002"])
    advance(engine, 0.999)
    second = send(publishable, fix(name, longitude=-73.9))
    assert_refused(second, "deviceId", "one location update per second", "replayed", "rateLimit", status=429)
    assert second.json()["meta"]["type"] == "trackPerDevice"
    assert limits(second) == ["1", "0", "1000000002"]
    assert engine.users.get(Environment.TEST, name).fix.point.longitude == fix(name)["longitude"]
    advance(engine, 0.001)
    assert send(publishable, fix(name)).status_code == 200


def test_both_ways_count_together(publishable: Api, name: str) -> None:
    assert Short()(publishable, fix(name)).status_code == 200
    assert Long()(publishable, fix(name)).status_code == 429
    assert publishable.post("/v1/track?explain=true", json=fix(name)).status_code == 429
    assert Short()(publishable, fix(name)).status_code == 429


def test_each_device_has_its_own_second(publishable: Api, send: Any, name: str) -> None:
    assert send(publishable, fix(name)).status_code == 200
    assert send(publishable, fix(f"{name}-other")).status_code == 200
    assert send(publishable, fix(name, userId="ann")).status_code == 429


def test_only_valid_updates_count(publishable: Api, make_api: Any, send: Any, name: str) -> None:
    assert send(publishable, fix(name, latitude=91)).status_code == 400
    assert send(make_api("prj_test_pk_unknown"), fix(name)).status_code == 401
    assert send(publishable, fix(name)).status_code == 200
    refused = send(publishable, fix(name, accuracy=0))
    assert (refused.status_code, limits(refused)) == (400, [None] * 3)


def test_refused_ones_do_not_prolong_the_wait(publishable: Api, engine: Engine, send: Any, name: str) -> None:
    send(publishable, fix(name))
    for _ in range(3):
        advance(engine, 0.3)
        assert send(publishable, fix(name)).status_code == 429
    advance(engine, 0.1)
    assert send(publishable, fix(name)).status_code == 200


def test_replayed_updates_are_exempt(publishable: Api, send: Any, name: str) -> None:
    for _ in range(3):
        answer = send(publishable, fix(name, replayed=True))
        assert (answer.status_code, limits(answer)) == (200, [None] * 3)
    assert send(publishable, fix(name)).status_code == 200
    assert send(publishable, fix(name, replayed=True)).status_code == 200
    assert publishable.post("/v1/track/replay", json={"replays": [fix(name), fix(name)]}).status_code == 200


def test_test_and_live_count_apart_by_their_own_clocks(publishable: Api, live: Api, send: Any, name: str) -> None:
    assert send(publishable, fix(name)).status_code == 200
    answer = send(live, fix(name))
    assert answer.status_code == 200
    assert int(answer.headers["x-ratelimit-reset"]) > 1_700_000_000
    assert send(live, fix(name)).status_code == 429


def test_a_clock_that_is_set_back_locks_no_client_out(publishable: Api, engine: Engine, send: Any, name: str) -> None:
    send(publishable, fix(name))
    engine.set_clock(ClockChange(now=_moment(900_000_000), frozen=True))
    assert send(publishable, fix(name)).status_code == 200
    assert send(publishable, fix(name)).status_code == 429


def test_the_setting_turns_it_off(secret: Api, send: Any, name: str) -> None:
    secret.patch("/v1/settings", json={"rateLimit": False})
    try:
        answers = [send(secret, fix(name)) for _ in range(3)]
    finally:
        secret.patch("/v1/settings", json={"rateLimit": True})
    assert [(answer.status_code, limits(answer)) for answer in answers] == [(200, [None] * 3)] * 3


def test_browsers_may_read_the_headers(publishable: Api, send: Any, name: str) -> None:
    for _ in range(2):
        exposed = send(publishable, fix(name)).headers["access-control-expose-headers"].split(", ")
        assert {*HEADERS, "x-radar-request-id"} == set(exposed)


def test_the_private_server_has_no_limit(tmp_path: Path, name: str) -> None:
    with Engine.open(tmp_path / "workspace") as engine, ApiServer(engine, port=0, control_token="secret") as server:
        key = engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
        with httpx.Client(base_url=server.url, headers={"Authorization": key}) as client:
            answers = [client.post("/v1/track", json=fix(name)) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert engine.settings.get(Environment.TEST).rate_limit


def test_the_document_describes_it(contract: Contract) -> None:
    operation = contract.document["paths"]["/v1/track"]["post"]
    for status in (200, 429):
        response = contract.response(operation, status)
        assert response is not None
        assert {name.lower() for name in response["headers"]} >= set(HEADERS)


def test_memory_is_bounded_even_while_the_clock_stands_still() -> None:
    recent = Recent()
    for number in range(MAX_REMEMBERED + 10):
        assert recent.admit(f"device-{number}", 5.0)[0]
    assert len(recent) == MAX_REMEMBERED
    assert not recent.admit(f"device-{MAX_REMEMBERED + 9}", 5.0)[0]


def test_memory_is_given_back_as_time_passes() -> None:
    recent = Recent()
    for number in range(10_000):
        recent.admit(f"device-{number}", number / 100)
    assert len(recent) <= 101


def test_a_setting_that_is_changed_counts_at_once(engine: Engine, publishable: Api, name: str) -> None:
    publishable.post("/v1/track", json=fix(name))
    engine.settings.change(Environment.TEST, SettingsChange(rate_limit=False))
    assert publishable.post("/v1/track", json=fix(name)).status_code == 200
    engine.settings.change(Environment.TEST, SettingsChange(rate_limit=True))
    assert publishable.post("/v1/track", json=fix(name)).status_code == 429
