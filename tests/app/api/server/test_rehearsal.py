"""Statuses that an app may encounter in production, returned here because settings request them."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.api.server.server import ApiServer
from engine.domain.clock import ClockChange
from engine.engine import Engine
from engine.geocoding.geocoding import WORLD
from tests.app.api.conftest import Api, MakeApi, assert_refused, circle, fix
from tests.app.commands import Commands
from tests.app.program import Program

needs_world = pytest.mark.skipif(not (WORLD / "world.sqlite").is_file(), reason="the world pack is not built")

NOON = datetime(2026, 7, 1, 12, 59, 50, tzinfo=UTC)
HAVANA = {"latitude": 23.1136, "longitude": -82.3666}
ALL = ("rehearsedError", "hourlyLimit", "dailyLimit", "blockedCountries")


@pytest.fixture(autouse=True)
def _as_before(secret: Api) -> Iterator[None]:
    yield
    assert secret.patch("/v1/settings", json=dict.fromkeys(ALL)).status_code == 200


def rehearse(secret: Api, **settings: Any) -> None:
    assert secret.patch("/v1/settings", json=settings).status_code == 200


def requests_of(api: Api, name: str) -> list[httpx.Response]:
    """Send one request on each path: the short one, and the ordinary one with and without a body."""
    return [
        api.post("/v1/track", json=fix(name)),
        api.post("/v1/track", content=iter([b"{}"])),
        api.get("/v1/config"),
        api.get("/v1/search/geofences?near=1,2"),
        api.post("/v1/events", json={}),
    ]


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        ("organizationDisabled", 402, ("Payment required", "organization is disabled", "rehearsedError")),
        ("usageExceeded", 402, ("Payment required", "usage is exceeded")),
        ("unavailable", 503, ("temporarily unavailable",)),
    ],
)
def test_an_error_for_every_request(
    secret: Api, publishable: Api, live: Api, name: str, error: str, status: int, words: tuple[str, ...]
) -> None:
    rehearse(secret, rehearsedError=error)
    for api in (publishable, secret):
        for answer in requests_of(api, name):
            assert answer.status_code == status
            assert all(word in answer.json()["meta"]["message"] for word in words)
            assert answer.headers["x-radar-request-id"]
    assert live.get("/v1/config").status_code == 200, "the other environment goes on"
    assert secret.get("/v1/settings").json()["rehearsedError"] == error
    assert secret.get("/v1/clock").status_code == 200
    logged = secret.get("/v1/requests?limit=1").json()["requests"]
    assert [each["response"]["status"] for each in logged] == [200]
    rehearse(secret, rehearsedError=None)
    assert publishable.post("/v1/track", json=fix(name)).status_code == 200


def test_a_wrong_key_is_still_a_wrong_key(secret: Api, make_api: MakeApi) -> None:
    rehearse(secret, rehearsedError="unavailable")
    assert_refused(make_api("prj_test_pk_x").get("/v1/config"), "Authorization", status=401)
    assert make_api(None).get("/openapi.json").status_code == 200


def test_so_many_requests_an_hour_and_a_day(secret: Api, publishable: Api, engine: Engine, name: str) -> None:
    engine.set_clock(ClockChange(now=NOON, frozen=True))
    try:
        rehearse(secret, hourlyLimit=3, dailyLimit=5)
        for _ in range(3):
            assert publishable.post("/v1/track", json=fix(name)).status_code == 200
        for answer in requests_of(secret, name):
            meta = answer.json()["meta"]
            assert (answer.status_code, meta["code"], meta["type"]) == (429, 429, "hourly")
            assert "hourlyLimit" in meta["message"]
            assert answer.headers["x-ratelimit-limit"] == "3"
            assert answer.headers["x-ratelimit-remaining"] == "0"
            assert int(answer.headers["x-ratelimit-reset"]) == NOON.timestamp() + 10
        engine.set_clock(ClockChange(advance_s=10))
        for _ in range(2):
            assert publishable.get("/v1/config").status_code == 200
        refused = publishable.get("/v1/config")
        assert (refused.status_code, refused.json()["meta"]["type"]) == (429, "daily")
        assert int(refused.headers["x-ratelimit-reset"]) == datetime(2026, 7, 2, tzinfo=UTC).timestamp()
        engine.set_clock(ClockChange(advance_s=11 * 3600))
        assert publishable.get("/v1/config").status_code == 200, "the day is over"
    finally:
        engine.set_clock(ClockChange(system=True))


def test_no_requests_at_all(secret: Api, publishable: Api) -> None:
    rehearse(secret, dailyLimit=0)
    assert publishable.get("/v1/config").json()["meta"]["type"] == "daily"


@needs_world
def test_a_location_in_a_blocked_country(secret: Api, publishable: Api, name: str) -> None:
    rehearse(secret, blockedCountries="cu,KP")
    havana = "23.1136,-82.3666"
    refused = [
        (publishable.post("/v1/track", json=fix(name) | HAVANA), "latitude"),
        (publishable.post("/v1/track?explain=true", json=fix(name) | HAVANA), "latitude"),
        (publishable.post("/v1/track", json=fix("anonymous") | HAVANA), "latitude"),
        (publishable.get(f"/v1/context?coordinates={havana}"), "coordinates"),
        (publishable.get(f"/v1/search/geofences?near={havana}"), "near"),
        (secret.get(f"/v1/search/users?near={havana}"), "near"),
        (publishable.get(f"/v1/geocode/reverse?coordinates={havana}"), "coordinates"),
        (publishable.get(f"/v1/route/distance?origin={havana}&destination=1,2&modes=car"), "origin"),
        (publishable.get(f"/v1/route/matrix?origins={havana}|1,2&destinations=1,2&mode=car"), "origins"),
        (publishable.get(f"/v1/route/directions?locations={havana}|1,2"), "locations"),
        (publishable.post("/v1/route/match", json={"path": [{"coordinates": havana}] * 2}), "path"),
    ]
    for answer, param in refused:
        assert_refused(answer, param, "legal reasons", "CU", status=451)
    assert publishable.post("/v1/track", json=fix(name)).status_code == 200
    assert publishable.get("/v1/search/geofences?near=0,0").status_code == 200, "nobody's sea"
    assert_refused(publishable.get("/v1/search/geofences?near=91,0"), "near")
    assert secret.get("/v1/users?limit=1").status_code == 200
    assert secret.post("/v1/geofences", json=circle(name, coordinates=[-82.3666, 23.1136])).status_code == 200


@needs_world
def test_only_the_updates_of_a_replay_that_are_there_are_refused(secret: Api, publishable: Api, name: str) -> None:
    rehearse(secret, blockedCountries=["CU"])
    replays = [fix(name), fix(name) | HAVANA, fix(name)]
    outcomes = publishable.post("/v1/track/replay", json={"replays": replays}).json()["replays"]
    assert [each["meta"]["code"] for each in outcomes] == [200, 451, 200]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("rehearsedError", "teapot"),
        ("rehearsedError", 402),
        ("hourlyLimit", -1),
        ("hourlyLimit", 1.5),
        ("dailyLimit", "many"),
        ("blockedCountries", "USA"),
        ("blockedCountries", ["XX"]),
        ("blockedCountries", 5),
    ],
)
def test_invalid_rehearsals(secret: Api, setting: str, value: object) -> None:
    assert_refused(secret.patch("/v1/settings", json={setting: value}), setting)


def test_a_new_server_resets_the_counts_and_keeps_the_settings(engine: Engine, secret: Api, publishable: Api) -> None:
    rehearse(secret, hourlyLimit=1)
    headers = {"Authorization": publishable.key or ""}
    for _ in range(2):
        with ApiServer(engine, port=0) as other:
            statuses = [httpx.get(f"{other.url}/v1/config", headers=headers).status_code for _ in range(2)]
        assert statuses == [200, 429]


def test_other_commands_of_the_program_are_never_refused(
    program: Program, fencewright: Commands, tmp_path: Path
) -> None:
    with program.serve(tmp_path / "workspace") as serving:
        change = ("settings", "--workspace", tmp_path / "workspace", "--set")
        fencewright(*change, "rehearsedError=unavailable", "--set", "dailyLimit=0")
        headers = {"Authorization": serving.key(level="publishable")}
        assert httpx.get(f"{serving.url}/v1/config", headers=headers).status_code == 503
        fencewright(*change, "rehearsedError=", "--set", "dailyLimit=")
        assert httpx.get(f"{serving.url}/v1/config", headers=headers).status_code == 200
