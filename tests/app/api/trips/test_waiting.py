"""Location updates over a socket that wait for the routes of their trips, and updates that do not wait."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from threading import Event as Gate
from time import sleep
from typing import Any, Final

import httpx
import pytest

from app.api.server.server import ApiServer
from app.api.wire.track import ROUTE_TOO_LATE
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geometry import Point
from engine.domain.routing import Directions, RouteOptions
from engine.engine import Engine
from engine.trips import waiting
from tests.app.api.conftest import Api
from tests.engine.trips.routers import slow_down

START, END, ELSEWHERE = Point(24.9357, 60.1692), Point(24.9531, 60.1732), Point(24.9300, 60.1650)
SOON_S: Final = 20.0
FROZEN: Final = {"now": "2026-03-02T09:00:00Z", "frozen": True}

type Delay = Callable[[Callable[[Sequence[Point]], object]], None]


@pytest.fixture(autouse=True)
def frozen(secret: Api) -> Iterator[None]:
    secret.post("/v1/clock", json=FROZEN)
    yield
    secret.post("/v1/clock", json={"system": True})


@pytest.fixture
def gate(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """Hold back routes to `END`; other routes are found."""
    opened = Gate()
    slow_down(monkeypatch, engine, lambda points: points[-1] == END and opened.wait(60))
    monkeypatch.setattr(waiting, "PATIENCE_S", 1_000)
    yield opened
    opened.set()


@pytest.fixture
def aside() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


def body(name: str, point: Point = START, to: Point = END, **fields: Any) -> dict[str, Any]:
    destination = {"coordinates": [to.longitude, to.latitude]}
    trip = {"externalId": name, "destination": destination, "approachingThreshold": 1}
    position = {"longitude": point.longitude, "latitude": point.latitude, "accuracy": 8}
    return {"deviceId": f"d-{name}", "userId": f"u-{name}", "tripOptions": trip, **position, **fields}


def track(api: Api, *arguments: Any, **fields: Any) -> dict[str, Any]:
    answer: dict[str, Any] = api.post("/v1/track", json=body(*arguments, **fields)).json()
    return answer


def source(answer: dict[str, Any]) -> str:
    found: str = answer["user"]["trip"]["eta"]["source"]
    return found


def types_and_etas(events: list[dict[str, Any]]) -> list[tuple[str, Any]]:
    return [(event["type"], event["trip"].get("eta")) for event in events]


def positions(engine: Engine) -> list[Point]:
    way = engine.routing.directions((START, END), Directions(RouteOptions()))[0].line
    along = [Point(*way[len(way) * part // 8]) for part in range(8)]
    return [*along[:4], ELSEWHERE, *along[4:], END]


@pytest.mark.slow
@pytest.mark.parametrize("is_replayed", [False, True])
def test_20_of_20_runs_have_the_same_events(
    engine: Engine, secret: Api, publishable: Api, name: str, monkeypatch: pytest.MonkeyPatch, is_replayed: bool
) -> None:
    delays = Random(5)
    points = positions(engine)
    slow_down(monkeypatch, engine, lambda _: sleep(delays.choice((0.0, 0.001, 0.02))))

    def step_by_step(device: str) -> list[dict[str, Any]]:
        events = []
        for point in points:
            secret.post("/v1/clock", json={"advanceSeconds": 60})
            events += track(publishable, device, point)["events"]
        return events

    def at_once(device: str) -> list[dict[str, Any]]:
        times = (f"2026-02-02T08:{minute:02}:00Z" for minute in range(60))
        replays = [body(device, point, updatedAt=at) for point, at in zip(points, times, strict=False)]
        events: list[dict[str, Any]] = publishable.post("/v1/track/replay", json={"replays": replays}).json()["events"]
        return events

    if is_replayed:
        secret.post("/v1/clock", json={"system": True})
    run = at_once if is_replayed else step_by_step
    first = types_and_etas(run(f"{name}-0"))
    kinds = [kind for kind, _ in first]
    assert (kinds[0], kinds[-1]) == ("user.started_trip", "user.arrived_at_trip_destination")
    assert "user.updated_trip" in kinds
    for number in range(1, 20):
        assert types_and_etas(run(f"{name}-{number}")) == first, number


def test_all_others_are_answered_while_one_waits(
    publishable: Api, aside: ThreadPoolExecutor, gate: Gate, name: str
) -> None:
    track(publishable, name)
    one = aside.submit(track, publishable, name)
    past = [body(f"{name}-past") for _ in range(3)]
    replay = aside.submit(publishable.post, "/v1/track/replay", json={"replays": past})
    for other in ("a", "b"):
        track(publishable, f"{name}-{other}", START, ELSEWHERE)
        assert source(track(publishable, f"{name}-{other}", START, ELSEWHERE)) == "route"
        more = [body(f"{name}-{other}", START, ELSEWHERE, replayed=True)] * 2
        assert publishable.post("/v1/track/replay", json={"replays": more}).status_code == 200
    assert not one.done()
    assert not replay.done()
    gate.set()
    assert source(one.result(SOON_S)) == "route"
    assert source(replay.result(SOON_S).json()) == "route"


def test_a_replay_does_not_wait_behind_that_of_a_user_who_waits(
    publishable: Api, aside: ThreadPoolExecutor, gate: Gate, name: str
) -> None:
    """Replays take turns, even with more updates than are processed at once."""
    many = [body(name) for _ in range(250)]
    long: Future[httpx.Response] = aside.submit(publishable.post, "/v1/track/replay", json={"replays": many})
    for _ in range(3):
        other = publishable.post("/v1/track/replay", json={"replays": [body(f"{name}-other", START, ELSEWHERE)]})
        assert other.status_code == 200
    assert not long.done()
    gate.set()
    answers = long.result(SOON_S).json()["replays"]
    assert len(answers) == 250
    assert {source(answer) for answer in answers[1:]} == {"route"}


def test_a_route_that_comes_too_late_is_a_warning(
    publishable: Api, gate: Gate, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_S", 0.2)
    assert "warnings" not in track(publishable, name)["meta"]
    for path in ("/v1/track", "/v1/track?explain=true"):
        answer = publishable.post(path, json=body(name)).json()
        assert answer["meta"]["warnings"] == [ROUTE_TOO_LATE]
        assert source(answer) == "estimate"
    replayed = publishable.post("/v1/track/replay", json={"replays": [body(name)]}).json()
    assert replayed["replays"][0]["meta"]["warnings"] == replayed["meta"]["warnings"] == [ROUTE_TOO_LATE]
    assert "5 s" in ROUTE_TOO_LATE
    gate.set()
    monkeypatch.setattr(waiting, "PATIENCE_S", SOON_S)
    answer = track(publishable, name)
    assert (source(answer), answer["meta"]) == ("route", {"code": 200})


@pytest.mark.parametrize("change", [{"system": True}, {"scale": 100}, {"frozen": False}])
def test_with_a_running_clock_no_update_waits(
    secret: Api, publishable: Api, gate: Gate, name: str, change: dict[str, Any]
) -> None:
    secret.post("/v1/clock", json=change)
    for _ in range(3):
        answer = track(publishable, name)
        assert (source(answer), "warnings" in answer["meta"]) == ("estimate", False)
    assert not gate.is_set()


def test_updates_of_commands_wait_also_with_a_running_clock(
    engine: Engine, secret: Api, aside: ThreadPoolExecutor, gate: Gate, name: str
) -> None:
    secret.post("/v1/clock", json={"system": True})
    key = engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
    headers = {"Authorization": key}
    with (
        ApiServer(engine, port=0, control_token="token") as control,
        httpx.Client(base_url=control.url, headers=headers, timeout=40) as client,
    ):
        client.post("/v1/track", json=body(name))
        one = aside.submit(client.post, "/v1/track", json=body(name))
        assert client.post("/v1/track", json=body(f"{name}-other", START, ELSEWHERE)).status_code == 200
        assert not one.done()
        gate.set()
        assert source(one.result(SOON_S).json()) == "route"
