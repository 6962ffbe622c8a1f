"""Rate limits of each operation, if the setting is on, by the clock of the environment."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.api.http.rates import MAX_WINDOWS, SlidingWindows, Who
from app.api.server.server import ApiServer
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment, KeyLevel
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from tests.app.api.conftest import Api
from tests.app.api.contract import Contract

HEADERS = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")
RECORD = "/v1/geofences/nothing/1"
"""An operation that takes ten requests per second; requests for a missing identifier count, too."""


@pytest.fixture(autouse=True)
def frozen(engine: Engine) -> Iterator[None]:
    """The Test clock is frozen; each test begins a minute after the previous one."""
    engine.settings.change(Environment.TEST, SettingsChange(endpoint_rate_limits=True))
    engine.set_clock(ClockChange(advance_s=60))
    engine.set_clock(ClockChange(frozen=True))
    yield
    engine.settings.change(Environment.TEST, SettingsChange(endpoint_rate_limits=False))


def limit_headers(response: httpx.Response) -> list[str | None]:
    return [response.headers.get(name) for name in HEADERS]


def test_ten_and_not_one_more(secret: Api, engine: Engine) -> None:
    now = int(engine.clock.now().timestamp())
    answers = [secret.get(RECORD) for _ in range(11)]
    assert [answer.status_code for answer in answers] == [404] * 10 + [429]
    meta = answers[-1].json()["meta"]
    assert meta["type"] == "readGeofenceByKey"
    assert "param" not in meta
    assert "10 requests per second" in meta["message"]
    limit, remaining, reset = limit_headers(answers[-1])
    assert (limit, remaining) == ("10", "0")
    assert int(reset or 0) in (now + 1, now + 2)


def test_headers_of_accepted_requests(publishable: Api) -> None:
    answers = [publishable.get("/v1/search/geofences?near=1,2") for _ in range(2)]
    assert [limit_headers(answer)[:2] for answer in answers] == [["100", "99"], ["100", "98"]]


def test_a_second_later_there_are_ten_again(secret: Api, engine: Engine) -> None:
    for count in (10, 4):
        assert [secret.get(RECORD).status_code for _ in range(count)] == [404] * count
        engine.set_clock(ClockChange(advance_s=0.5))
        assert secret.get(RECORD).status_code == (429 if count == 10 else 404)
        engine.set_clock(ClockChange(advance_s=0.5))
    assert [secret.get(RECORD).status_code for _ in range(10)] == [404] * 9 + [429]


def test_bad_requests_cost_nothing(publishable: Api) -> None:
    for _ in range(101):
        assert publishable.get("/v1/search/geofences?near=nowhere").status_code == 400
    assert limit_headers(publishable.get("/v1/search/geofences?near=1,0"))[1] == "99"


def test_each_key_and_operation_has_its_own(secret: Api, publishable: Api, live: Api) -> None:
    for _ in range(10):
        secret.get(RECORD)
    assert secret.delete(RECORD).status_code == 404
    assert secret.get(RECORD).status_code == 429
    secret.get("/v1/search/geofences?near=1,2")
    assert limit_headers(publishable.get("/v1/search/geofences?near=1,2"))[1] == "99"
    assert [live.get(RECORD).status_code for _ in range(12)] == [404] * 12


def test_it_is_off_by_default(tmp_path: Path) -> None:
    with Engine.open(tmp_path / "workspace") as engine, ApiServer(engine, port=0) as server:
        key = engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)
        with httpx.Client(base_url=server.url, headers={"Authorization": key}) as client:
            answers = [client.get(RECORD) for _ in range(15)]
    assert {(answer.status_code, *limit_headers(answer)) for answer in answers} == {(404, None, None, None)}


def test_the_document_describes_it(contract: Contract) -> None:
    paths = contract.document["paths"]
    limits = {
        "/v1/route/distance": 100,
        "/v1/route/matrix": 20,
        "/v1/route/directions": 10,
        "/v1/route/optimize": 10,
        "/v1/search/users": 100,
        "/v1/search/geofences": 100,
    }
    for path, limit in limits.items():
        operation = paths[path]["get"]
        assert f"{limit} requests per second" in operation["description"], path
        response = contract.response(operation, 429)
        assert response is not None
        assert {name.lower() for name in response["headers"]} >= set(HEADERS)
    assert "10 requests per second" in paths["/v1/route/match"]["post"]["description"]


def who(number: int) -> Who:
    return Environment.TEST, KeyLevel.PUBLISHABLE, "ipGeocode", f"10.0.0.{number}"


def test_memory_is_bounded_even_while_the_clock_stands_still() -> None:
    windows = SlidingWindows()
    for number in range(MAX_WINDOWS + 10):
        windows.admit(who(number), 10, 5.0)
    assert len(windows) == MAX_WINDOWS


def test_clients_without_recent_requests_are_forgotten() -> None:
    windows = SlidingWindows()
    for number in range(1_000):
        windows.admit(who(number), 10, number / 10)
    assert len(windows) <= 11


def test_a_clock_that_is_set_back_locks_no_client_out() -> None:
    windows = SlidingWindows()
    assert windows.admit(who(1), 1, 100.0) == (True, 0, 101.0)
    assert not windows.admit(who(1), 1, 100.5)[0]
    assert windows.admit(who(1), 1, 50.0)[0]
