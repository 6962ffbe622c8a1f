"""A router at a URL: the wheel's own server, and servers that are of another kind, slow or missing."""

import logging
import resource
import socket
import subprocess
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from itertools import chain
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from engine.domain.area import Area
from engine.domain.errors import FencewrightError, InvalidParameter, RoutingUnavailable
from engine.domain.geometry import Point
from engine.domain.routing import Avoid, Directions, Fixed, RouteOptions, TravelMode
from engine.routing.local import LocalRouter
from engine.routing.remote import RemoteRouter
from tests.engine.routing.town import at
from tests.servers import ReceivedRequest, Reply, bomb, break_off, drip, drip_head, flood, send, serving

CAR = RouteOptions()

QUERIES: dict[str, Callable[[RemoteRouter], Any]] = {
    "route": lambda router: router.route(at(0, 0), at(0, 600), CAR),
    "matrix": lambda router: router.matrix([at(0, 0)], [at(0, 600), at(200, 0)], CAR),
    "directions": lambda router: router.directions([at(0, 0), at(0, 600)], Directions(CAR)),
    "optimize": lambda router: router.optimize([at(0, 0), at(0, 600), at(200, 0)], CAR),
    "match": lambda router: router.match([Fixed(at(0, 0)), Fixed(at(0, 600))], TravelMode.CAR),
    "isochrones": lambda router: router.isochrones(at(0, 0), [1], TravelMode.CAR),
    "locate": lambda router: router.distances_to_roads([at(0, 0)], TravelMode.CAR),
}


@pytest.fixture(scope="module")
def server(town_roads: Area, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Valhalla server over the town, with its default settings."""
    import valhalla

    folder = tmp_path_factory.mktemp("server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    settings = folder / "valhalla.json"
    settings.write_bytes(orjson.dumps(_settings(town_roads, folder, url)))
    program = Path(valhalla.__file__).parent / "bin" / "valhalla_service"
    with subprocess.Popen([program, settings, "1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _wait_for(url)
        yield url
        process.kill()


def _settings(area: Area, folder: Path, url: str) -> dict[str, object]:
    from valhalla import get_config

    settings: dict[str, dict[str, object]] = orjson.loads(
        orjson.dumps(get_config(tile_extract=area.roads, tile_dir=""))
    )
    port = url.rpartition(":")[2]
    settings["httpd"]["service"] = {
        "listen": f"tcp://127.0.0.1:{port}",
        "loopback": f"ipc://{folder}/loopback",
        "interrupt": f"ipc://{folder}/interrupt",
        "drain_seconds": 1,
        "shutdown_seconds": 1,
        "timeout_seconds": -1,
    }
    for part in ("loki", "thor", "odin", "meili"):
        settings[part]["service"] = {"proxy": f"ipc://{folder}/{part}"}
    return dict(settings)


def _wait_for(url: str) -> None:
    for _ in range(100):
        try:
            httpx.get(f"{url}/status", trust_env=False, timeout=1)
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the Valhalla server did not start")


@pytest.fixture
def remote(server: str) -> Iterator[RemoteRouter]:
    """A router that uses the server."""
    router = RemoteRouter(server)
    yield router
    router.close()


def test_it_answers_as_the_local_one(remote: RemoteRouter, town: LocalRouter) -> None:
    places = [at(-500, 0), at(900, 600), at(0, 300), at(0, -600)]
    theirs, ours = (router.route(places[0], places[1], CAR) for router in (remote, town))
    assert theirs is not None
    assert ours is not None
    assert theirs.line == ours.line
    assert theirs.travel.distance_m == ours.travel.distance_m
    assert theirs.travel.duration_s == pytest.approx(ours.travel.duration_s, abs=0.6)
    returned, known = (router.matrix(places, places, CAR) for router in (remote, town))
    assert (returned.origins, returned.destinations) == (known.origins, known.destinations)
    for cell, known_cell in zip(chain(*returned.rows), chain(*known.rows), strict=True):
        assert cell is not None
        assert known_cell is not None
        assert cell.distance_m == pytest.approx(known_cell.distance_m, abs=1)
        assert cell.duration_s == pytest.approx(known_cell.duration_s, abs=1)
    query = Directions(RouteOptions(avoid=frozenset({Avoid.TOLLS})), alternatives=True)
    assert remote.directions(places[:2], query)[0].line == town.directions(places[:2], query)[0].line
    assert remote.optimize(places, CAR).legs == town.optimize(places, CAR).legs
    path = [Fixed(at(x, 4)) for x in range(-500, 300, 60)]
    assert remote.match(path, TravelMode.CAR) == town.match(path, TravelMode.CAR)
    minutes = [3, 1, 2]
    theirs_around, ours_around = (router.isochrones(places[2], minutes, TravelMode.CAR) for router in (remote, town))
    assert (theirs_around.bands, theirs_around.moved_m) == (ours_around.bands, ours_around.moved_m)


def test_one_bad_pair_does_not_fail_the_rest(remote: RemoteRouter) -> None:
    rows = remote.matrix([at(0, 0), at(0, -3000)], [at(0, 600), at(300, -3000)], CAR).rows
    assert [[cell is None for cell in row] for row in rows] == [[False, True], [True, False]]


@pytest.mark.parametrize("mode", [TravelMode.CAR, TravelMode.FOOT])
def test_a_position_without_data_is_named(remote: RemoteRouter, server: str, mode: TravelMode) -> None:
    options = RouteOptions(mode=mode)
    with pytest.raises(InvalidParameter, match=server) as error:
        remote.route(at(0, 0), Point(20, 20), options)
    assert error.value.param == "destination"
    matrix = remote.matrix([at(0, 0)], [at(0, 600), Point(20, 20)], options)
    assert [cell is None for cell in matrix.rows[0]] == [False, True]
    (sentence,) = matrix.off_road
    assert sentence.startswith("destinations: item 2 ")
    assert server in sentence


def test_exceeding_a_limit_of_the_server_names_the_parameter(remote: RemoteRouter) -> None:
    path = [Fixed(at(-500 + n / 20, 0)) for n in range(16_001)]
    with pytest.raises(InvalidParameter, match="exceeds") as error:
        remote.match(path, TravelMode.CAR)
    assert error.value.param == "path"


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (lambda handler, _: send(handler, 200, b"<html>"), "not a Valhalla server"),
        (lambda handler, _: send(handler, 502, b"{}"), "status 502"),
        (lambda handler, _: send(handler, 502, b"<html>"), "status 502"),
        (lambda handler, _: send(handler, 500, b'{"error_code": 199, "error": "lost"}'), "lost"),
        (lambda *_: time.sleep(1.5), "in time"),
        (drip, "in time"),
        (drip_head, "in time"),
        (break_off, "cannot be reached"),
    ],
)
def test_servers_that_do_not_answer(reply: Reply, words: str) -> None:
    with router_over(reply, limit_s=0.5 if words == "in time" else 20) as router:
        began = time.monotonic()
        with pytest.raises(RoutingUnavailable, match=words):
            router.route(at(0, 0), at(0, 600), CAR)
        assert time.monotonic() - began < 5


@pytest.mark.parametrize("reply", [flood, bomb(400)], ids=["flood", "bomb"])
def test_answers_that_are_too_large_take_little_memory(reply: Reply) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with (
        router_over(reply, limit_s=20) as router,
        pytest.raises(RoutingUnavailable, match=r"http://127.* sent more than 8 MB"),
    ):
        router.route(at(0, 0), at(0, 600), CAR)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000, "KiB"


@contextmanager
def router_over(reply: Reply, limit_s: float = 10) -> Iterator[RemoteRouter]:
    """Yield a router over a local server."""
    with serving(reply) as server:
        router = RemoteRouter(server.url, limit_s=limit_s)
        try:
            yield router
        finally:
            router.close()


ERRORS = (
    b'{"error_code": 171, "error": "No suitable edges near location"}',
    b'{"error_code": 442, "error": "No path could be found for input"}',
    b'{"error_code": 154, "error": "Path distance exceeds the max distance limit"}',
    b'{"error_code": 199, "error": "s3cret KEY is not allowed"}',
    b'{"error_code": 199, "error": {"KEY": "s3cret"}}',
    b"KEY",
)


@pytest.mark.parametrize("status", [200, 302, 400, 401, 500])
@pytest.mark.parametrize("body", ERRORS)
def test_no_error_contains_a_secret(status: int, body: bytes, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    messages: list[str] = []

    def repeat(handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
        send(handler, status, body, location=f"http://s3cret:KEY@elsewhere.invalid{request.target}")

    with serving(repeat) as server:
        router = RemoteRouter(server.url_with("user:s3cret@", "/base/?api_key=KEY#s3cret"))
        for ask in QUERIES.values():
            try:
                ask(router)
            except FencewrightError as error:
                messages.append(error.message)
        router.close()
    assert messages
    for text in (*messages, caplog.text):
        assert not any(secret in text for secret in ("KEY", "s3cret", "user", "api_key")), text
    request = server.requests[0]
    assert request.target.partition("?")[0] == "/base/route"
    assert request.params == {"api_key": ["KEY"]}
    assert request.headers["authorization"] == f"Basic {b64encode(b'user:s3cret').decode()}"


def test_a_server_that_is_not_there() -> None:
    router = RemoteRouter("http://127.0.0.1:9")
    with pytest.raises(RoutingUnavailable, match="cannot be reached"):
        router.matrix([at(0, 0)], [at(0, 600)], CAR)
    router.close()
    with pytest.raises(RoutingUnavailable):
        router.matrix([at(0, 0)], [at(0, 600)], CAR)


@pytest.mark.parametrize("url", ["", "localhost:8002", "ftp://host", "http://"])
def test_an_invalid_url_is_refused(url: str) -> None:
    with pytest.raises(InvalidParameter) as error:
        RemoteRouter(url)
    assert error.value.param == "router"
