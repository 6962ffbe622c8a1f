"""A router at a URL: the wheel's own server, and servers that are none, are slow or are not there."""

import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import orjson
import pytest

from engine.domain.area import Area
from engine.domain.errors import InvalidParameter, RoutingUnavailable
from engine.domain.geometry import Point
from engine.domain.routing import Avoid, Directions, Fixed, RouteOptions, TravelMode
from engine.routing.local import LocalRouter
from engine.routing.remote import RemoteRouter
from tests.engine.routing.town import at

CAR = RouteOptions()


@pytest.fixture(scope="module")
def server(town_roads: Area, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Valhalla server over the town, with its usual settings."""
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
    """A router that asks the server."""
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
    assert remote.matrix(places, places, CAR) == town.matrix(places, places, CAR)
    asked = Directions(RouteOptions(avoid=frozenset({Avoid.TOLLS})), alternatives=True)
    assert remote.directions(places[:2], asked)[0].line == town.directions(places[:2], asked)[0].line
    assert remote.optimize(places, CAR).legs == town.optimize(places, CAR).legs
    path = [Fixed(at(x, 4)) for x in range(-500, 300, 60)]
    assert remote.match(path, TravelMode.CAR) == town.match(path, TravelMode.CAR)
    minutes = [3, 1, 2]
    assert remote.isochrones(places[2], minutes, TravelMode.CAR) == town.isochrones(places[2], minutes, TravelMode.CAR)


def test_one_bad_pair_does_not_fail_the_rest(remote: RemoteRouter) -> None:
    rows = remote.matrix([at(0, 0), at(0, -3000)], [at(0, 600), at(300, -3000)], CAR)
    assert [[cell is None for cell in row] for row in rows] == [[False, True], [True, False]]


def test_a_position_without_data_is_named(remote: RemoteRouter, server: str) -> None:
    with pytest.raises(InvalidParameter, match=server) as error:
        remote.route(at(0, 0), Point(20, 20), CAR)
    assert error.value.param == "destination"
    with pytest.raises(InvalidParameter, match="item 2"):
        remote.matrix([at(0, 0)], [at(0, 600), Point(20, 20)], CAR)


def test_what_is_more_than_the_server_takes_names_the_parameter(remote: RemoteRouter) -> None:
    path = [Fixed(at(-500 + n / 20, 0)) for n in range(16_001)]
    with pytest.raises(InvalidParameter, match="takes") as error:
        remote.match(path, TravelMode.CAR)
    assert error.value.param == "path"


type Reply = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def fake_server(reply: Reply) -> Iterator[str]:
    """Serve every POST with `reply`."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            reply(self)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _send(handler: BaseHTTPRequestHandler, status: int, body: bytes) -> None:
    handler.send_response(status)
    handler.send_header("content-length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def _drip(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    for _ in range(20):
        time.sleep(0.1)
        try:
            handler.wfile.write(b" ")
        except OSError:
            return


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (lambda handler: _send(handler, 200, b"<html>"), "no Valhalla server"),
        (lambda handler: _send(handler, 502, b"{}"), "status 502"),
        (lambda handler: _send(handler, 500, b'{"error_code": 199, "error": "lost"}'), "lost"),
        (lambda handler: time.sleep(1.5), "in time|cannot be reached"),
        (_drip, "within"),
    ],
)
def test_servers_that_do_not_answer(reply: Reply, words: str) -> None:
    with fake_server(reply) as url:
        router = RemoteRouter(url, limit_s=0.5)
        began = time.monotonic()
        with pytest.raises(RoutingUnavailable, match=words):
            router.route(at(0, 0), at(0, 600), CAR)
        assert time.monotonic() - began < 1.4
        router.close()


def test_a_server_that_is_not_there() -> None:
    router = RemoteRouter("http://127.0.0.1:9")
    with pytest.raises(RoutingUnavailable, match="cannot be reached"):
        router.matrix([at(0, 0)], [at(0, 600)], CAR)
    router.close()
    with pytest.raises(RoutingUnavailable):
        router.matrix([at(0, 0)], [at(0, 600)], CAR)


@pytest.mark.parametrize("url", ["", "localhost:8002", "ftp://host", "http://"])
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(InvalidParameter) as error:
        RemoteRouter(url)
    assert error.value.param == "router"
