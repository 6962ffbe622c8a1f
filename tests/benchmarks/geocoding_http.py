"""The cost of geocoding over HTTP compared with direct calls: ``python -m tests.benchmarks.geocoding_http``.

Sends real addresses of Liechtenstein and State College one after the other over one connection, after a warm-up round.
Building the areas takes half a minute.
"""

import tempfile
from collections.abc import Callable
from contextlib import closing
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from urllib.parse import quote

from app.api.server.server import ApiServer
from engine.domain.addresses.address import AutocompleteQuery, ForwardQuery, ReverseQuery
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geometry import Point
from engine.engine import Engine
from tests.osm_addresses import RealAddress, as_written, is_plain, read_addresses
from tests.real_areas import EXTRACTS
from tests.shared import SharedData

EACH: int = 200
TYPED: int = 9
"""Number of characters typed so far in a query."""

type Ask = Callable[[], object]


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder, Engine.open(Path(folder) / "workspace") as engine:
        for name in EXTRACTS:
            engine.areas.build(SharedData().extract(name), name)
        engine.areas.use(EXTRACTS)
        key = engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
        with ApiServer(engine, port=0) as server, closing(HTTPConnection("127.0.0.1", server.port)) as connection:
            print("| | engine p50 ms | p95 | HTTP p50 ms | p95 | between them p50 |\n|---|---:|---:|---:|---:|---:|")
            for name, calls, paths in _lines(engine, _addresses()):
                own, whole = _timed(calls), _timed([partial(_get, connection, key, path) for path in paths])
                between = median(longer - shorter for longer, shorter in zip(whole, own, strict=True))
                print(f"| {name} | {_figures(own)} | {_figures(whole)} | {between:.2f} |")


def _addresses() -> list[RealAddress]:
    source = Random(1)
    every = ([each for each in read_addresses(SharedData().extract(name)) if is_plain(each)] for name in EXTRACTS)
    chosen = [address for addresses in every for address in source.sample(addresses, EACH)]
    source.shuffle(chosen)
    return chosen


def _lines(engine: Engine, addresses: list[RealAddress]) -> list[tuple[str, list[Ask], list[str]]]:
    geocoder = engine.geocoding.geocoder
    texts = [as_written(address) for address in addresses]
    begun = [quote(text[:TYPED]) for text in texts]
    points = [Point(address.longitude, address.latitude) for address in addresses]
    spelled = [f"{point.latitude},{point.longitude}" for point in points]
    typed = [AutocompleteQuery(text=text[:TYPED], near=point) for text, point in zip(texts, points, strict=True)]
    return [
        (
            "forward",
            [partial(geocoder.forward, ForwardQuery(text=text)) for text in texts],
            [f"/v1/geocode/forward?query={quote(text)}" for text in texts],
        ),
        (
            "reverse",
            [partial(geocoder.reverse, ReverseQuery(point=point)) for point in points],
            [f"/v1/geocode/reverse?coordinates={coordinates}" for coordinates in spelled],
        ),
        (
            "autocomplete",
            [partial(geocoder.autocomplete, query) for query in typed],
            [f"/v1/search/autocomplete?query={text}&near={at}" for text, at in zip(begun, spelled, strict=True)],
        ),
    ]


def _get(connection: HTTPConnection, key: str, path: str) -> None:
    connection.request("GET", path, headers={"Authorization": key})
    answer = connection.getresponse()
    body = answer.read()
    assert answer.status == HTTPStatus.OK, body


def _timed(calls: list[Ask]) -> list[float]:
    """Return the milliseconds of each call, after a warm-up call of each."""
    for call in calls:
        call()
    times = []
    for call in calls:
        start = perf_counter()
        call()
        times.append((perf_counter() - start) * 1_000)
    return times


def _figures(times: list[float]) -> str:
    return f"{median(times):.2f} | {quantiles(times, n=20)[-1]:.2f}"


if __name__ == "__main__":
    main()
