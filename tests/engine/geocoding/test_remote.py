"""Remote geocoders that are slow, broken, moved or missing, and their fallback."""

import logging
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest

from engine.domain.addresses.address import (
    COARSE,
    Address,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
    ReverseQuery,
)
from engine.domain.errors import GeocodingUnavailable, InvalidParameter, NoGeocodingData
from engine.domain.geometry import Point
from engine.geocoding.remote import fallback
from engine.geocoding.remote.fallback import FallbackGeocoder
from engine.geocoding.remote.kinds import remote_geocoder
from engine.geocoding.remote.nominatim import NominatimGeocoder
from engine.geocoding.remote.pelias import PeliasGeocoder
from engine.geocoding.remote.photon import PhotonGeocoder
from tests.servers import ReceivedRequest, Reply, answering, bomb, drip, drip_head, flood, send, serving

FORWARD = ForwardQuery(text="landstrasse 12a")
REVERSE = ReverseQuery(point=Point(9.52, 47.14))
KINDS = (NominatimGeocoder, PhotonGeocoder, PeliasGeocoder)
EMPTY = {NominatimGeocoder: [], PhotonGeocoder: {"features": []}, PeliasGeocoder: {"features": []}}

type Ask = Callable[[Any], Any]
QUERIES: dict[str, Ask] = {
    "forward": lambda geocoder: geocoder.forward(FORWARD),
    "reverse": lambda geocoder: geocoder.reverse(REVERSE),
    "autocomplete": lambda geocoder: geocoder.autocomplete(AutocompleteQuery(text="landst")),
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Any:
    return request.param


def query_server(kind: Any, ask: Ask, reply: Reply, limit_s: float = 5) -> Any:
    """Return the result of a geocoder of this kind over a server."""
    with serving(reply) as server:
        geocoder = kind(server.url, limit_s=limit_s)
        try:
            return ask(geocoder)
        finally:
            geocoder.close()


def queries_of(kind: Any) -> list[Ask]:
    return [ask for name, ask in QUERIES.items() if kind.completes or name != "autocomplete"]


def test_an_empty_answer_is_an_answer(kind: Any) -> None:
    assert query_server(kind, QUERIES["forward"], answering(EMPTY[kind])) == ()


@pytest.mark.parametrize("status", [301, 403, 404, 429, 500, 502, 503])
def test_statuses_are_reported(kind: Any, status: int) -> None:
    for ask in queries_of(kind):
        with pytest.raises(GeocodingUnavailable, match=rf"server http://127.0.0.1:\d+ answered with status {status}\."):
            query_server(kind, ask, answering({"error": "x"}, status))


@pytest.mark.parametrize("body", [b"", b"<html>", b"7", b'"text"', b"null", b"\xff\xfe", b'{"features": 7}', b'{"a":'])
def test_garbage_is_no_answer(kind: Any, body: bytes) -> None:
    for ask in queries_of(kind):
        if kind is NominatimGeocoder and ask is QUERIES["reverse"] and body == b'{"features": 7}':
            continue  # an object, as in valid responses
        with pytest.raises(GeocodingUnavailable, match="cannot be read"):
            query_server(kind, ask, lambda handler, _: send(handler, 200, body))


def test_a_request_that_is_refused_finds_nothing(kind: Any) -> None:
    for ask in queries_of(kind):
        assert query_server(kind, ask, answering({"error": "bad"}, 400)) == ()


def test_slow_servers(kind: Any) -> None:
    began = time.monotonic()
    with pytest.raises(GeocodingUnavailable, match="did not answer in time"):
        query_server(kind, QUERIES["forward"], lambda *_: time.sleep(1), limit_s=0.2)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("reply", [drip, drip_head])
def test_servers_that_send_drop_by_drop(kind: Any, reply: Reply) -> None:
    began = time.monotonic()
    with pytest.raises(GeocodingUnavailable, match="did not answer in time"):
        query_server(kind, QUERIES["forward"], reply, limit_s=0.4)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("reply", [flood, bomb(400)], ids=["flood", "bomb"])
def test_servers_that_send_without_end(kind: Any, reply: Reply) -> None:
    with pytest.raises(GeocodingUnavailable, match="sent more than 8 MB"):
        query_server(kind, QUERIES["forward"], reply, limit_s=20)


def test_servers_that_hang_up(kind: Any) -> None:
    def hang_up(handler: Any, _: ReceivedRequest) -> None:
        handler.connection.shutdown(socket.SHUT_RDWR)

    with pytest.raises(GeocodingUnavailable, match="cannot be reached"):
        query_server(kind, QUERIES["forward"], hang_up)


def test_no_server(kind: Any) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://me:secret@127.0.0.1:{free.getsockname()[1]}/geo?api_key=hidden"
    geocoder = kind(url)
    with pytest.raises(GeocodingUnavailable, match="cannot be reached") as error:
        geocoder.forward(FORWARD)
    geocoder.close()
    assert "/geo" in error.value.message
    assert "secret" not in error.value.message
    assert "hidden" not in error.value.message


def test_redirections_within_the_host_are_followed(kind: Any) -> None:
    def reply(handler: Any, request: ReceivedRequest) -> None:
        if request.path.startswith("/moved"):
            answering(EMPTY[kind])(handler, request)
        else:
            send(handler, 302, b"", location=f"/moved{request.path}")

    assert query_server(kind, QUERIES["forward"], reply) == ()


def test_redirections_elsewhere_are_not(kind: Any) -> None:
    with pytest.raises(GeocodingUnavailable, match=r"another server, http://other\.invalid\."):
        query_server(
            kind, QUERIES["forward"], lambda handler, _: send(handler, 302, b"", location="http://other.invalid/")
        )


def test_redirections_end(kind: Any) -> None:
    with pytest.raises(GeocodingUnavailable, match="redirects too often"):
        query_server(kind, QUERIES["forward"], lambda handler, _: send(handler, 307, b"", location="/round"))


@pytest.mark.parametrize("kind_and_class", [*zip(("nominatim", "photon", "pelias"), KINDS, strict=True)])
def test_kinds_by_their_names(kind_and_class: tuple[str, Any]) -> None:
    word, expected = kind_and_class
    geocoder = remote_geocoder(f"{word}+https://geo.example.com:8080/base")
    assert isinstance(geocoder, expected)
    geocoder.close()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "photon",
        "photon+",
        "photon+localhost:2322",
        "google+http://localhost",
        "http://localhost",
        "photon+http://[",
        "photon+http://a:b",
        "pelias+ftp://x",
    ],
)
def test_an_unknown_geocoder(text: str) -> None:
    with pytest.raises(InvalidParameter, match="nominatim") as error:
        remote_geocoder(text)
    assert error.value.param == "geocoder"


HERE = Address(point=Point(9.5, 47.1), layer=Layer.ADDRESS, formatted="here")
LAND = Address(point=Point(9.5, 47.1), layer=Layer.COUNTRY, formatted="Liechtenstein")
TOWN = Address(point=Point(9.5, 47.1), layer=Layer.LOCALITY, formatted="Vaduz")
THERE = Address(point=Point(9.5, 47.1), layer=Layer.ADDRESS, formatted="there")


class Listed:
    """A geocoder that returns given results, or fails."""

    completes = True

    def __init__(self, *found: Address, fails: bool = False) -> None:
        self.found = found
        self.fails = fails
        self.queries: list[Any] = []

    def forward(self, query: ForwardQuery) -> tuple[Address, ...]:
        return self._answer(query)

    def reverse(self, query: ReverseQuery) -> tuple[Address, ...]:
        return tuple(address for address in self._answer(query) if address.layer in query.layers)

    def autocomplete(self, query: AutocompleteQuery) -> tuple[Address, ...]:
        return self._answer(query)

    def close(self) -> None:
        """Do nothing, since no resources are open."""

    def _answer(self, query: Any) -> tuple[Address, ...]:
        self.queries.append(query)
        if self.fails:
            raise GeocodingUnavailable("The server is out.")
        return self.found


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The current time of the fallback, in seconds."""
    seconds = [1_000.0]
    monkeypatch.setattr(fallback, "monotonic", lambda: seconds[0])
    return seconds


def test_the_server_first() -> None:
    remote, embedded = Listed(THERE), Listed(HERE)
    geocoder = FallbackGeocoder(remote, embedded)
    assert geocoder.forward(FORWARD) == (THERE,)
    assert geocoder.autocomplete(AutocompleteQuery(text="x")) == (THERE,)
    assert embedded.queries == []


@pytest.mark.parametrize("ask", QUERIES.values(), ids=QUERIES.keys())
def test_local_data_is_used_on_failure(ask: Ask) -> None:
    assert ask(FallbackGeocoder(Listed(fails=True), Listed(HERE))) == (HERE,)
    with pytest.raises(GeocodingUnavailable, match="out"):
        ask(FallbackGeocoder(Listed(fails=True), Listed()))


def test_it_is_logged_once(caplog: pytest.LogCaptureFixture, now: Any) -> None:
    remote = Listed(THERE, fails=True)
    geocoder = FallbackGeocoder(remote, Listed(HERE))
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            geocoder.forward(FORWARD)
            now[0] += fallback.PAUSE_S
    assert len(remote.queries) == 5
    assert [record.getMessage() for record in caplog.records] == [
        "The server is out. Addresses come from the areas in use until it answers again."
    ]
    remote.fails = False
    with caplog.at_level(logging.WARNING):
        assert geocoder.forward(FORWARD) == (THERE,)
    assert caplog.records[-1].getMessage() == "The remote geocoder answers again."


def test_a_server_that_failed_is_left_alone_for_a_while(now: Any) -> None:
    remote = Listed(THERE, fails=True)
    geocoder = FallbackGeocoder(remote, Listed(HERE))
    for _ in range(3):
        assert geocoder.forward(FORWARD) == (HERE,)
    assert len(remote.queries) == 1
    remote.fails = False
    assert geocoder.forward(FORWARD) == (HERE,)
    now[0] += fallback.PAUSE_S
    assert geocoder.forward(FORWARD) == (THERE,)


def test_divisions_of_a_position_come_from_local_data_too() -> None:
    embedded = Listed(HERE, TOWN, LAND)
    geocoder = FallbackGeocoder(Listed(THERE), embedded)
    assert geocoder.reverse(REVERSE) == (THERE, TOWN, LAND)
    assert embedded.queries[0].layers == COARSE
    both = FallbackGeocoder(Listed(LAND), embedded)
    assert both.reverse(ReverseQuery(point=Point(0, 0), layers=COARSE)) == (TOWN, LAND)
    assert geocoder.reverse(ReverseQuery(point=Point(0, 0), layers=frozenset({Layer.ADDRESS}))) == (THERE,)


def test_operations_that_the_server_lacks_are_done_locally() -> None:
    remote = Listed(THERE)
    remote.completes = False
    assert FallbackGeocoder(remote, Listed(HERE)).autocomplete(AutocompleteQuery(text="x")) == (HERE,)
    assert remote.queries == []


class _Here:
    """A geocoder of this machine that has one result for every query."""

    def __init__(self, *layers: Layer) -> None:
        self.found = tuple(Address(point=Point(9.5, 47.1), layer=layer, formatted=layer) for layer in layers)
        self.seen: list[frozenset[Layer]] = []

    def forward(self, query: Any) -> tuple[Address, ...]:
        """Return the results of the requested layers."""
        self.seen.append(query.layers)
        return tuple(address for address in self.found if address.layer in query.layers)

    reverse = autocomplete = forward


def test_finer_layers_are_requested_from_a_server_as_those_that_include_them() -> None:
    street: dict[str, Any] = {
        "geometry": {"coordinates": [9.52, 47.14]},
        "properties": {"layer": "street", "name": "Äulestrasse", "street": "Äulestrasse", "locality": "Vaduz"},
    }
    house = {
        "geometry": {"coordinates": [9.52, 47.14]},
        "properties": street["properties"] | {"layer": "address", "name": "Äulestrasse 5", "housenumber": "5"},
    }
    here = _Here(Layer.INTERSECTION, Layer.NEIGHBORHOOD)
    with serving(answering({"features": [house, street]})) as server:
        geocoder = FallbackGeocoder(PeliasGeocoder(server.url), here)
        try:
            text = "Äulestrasse, Vaduz"
            for layers, expected in (
                ({Layer.ADDRESS}, [Layer.ADDRESS, Layer.ADDRESS]),
                ({Layer.STREET}, [Layer.STREET]),
                ({Layer.STREET, Layer.ADDRESS}, [Layer.ADDRESS, Layer.STREET]),
            ):
                for found in (
                    geocoder.forward(ForwardQuery(text=text, layers=frozenset(layers))),
                    geocoder.autocomplete(AutocompleteQuery(text=text, layers=frozenset(layers))),
                ):
                    assert [each.layer for each in found] == expected
            assert here.seen == []
            wanted = frozenset({Layer.STREET, Layer.INTERSECTION, Layer.NEIGHBORHOOD})
            around = geocoder.reverse(ReverseQuery(point=Point(9.52, 47.14), layers=wanted))
            assert [each.layer for each in around] == [Layer.STREET, Layer.INTERSECTION, Layer.NEIGHBORHOOD]
            assert here.seen == [frozenset({Layer.INTERSECTION, Layer.NEIGHBORHOOD})]
        finally:
            geocoder.close()


CROSSING = Address(point=Point(9.5, 47.1), layer=Layer.INTERSECTION, formatted="Äulestrasse & Städtle")


def text_queries(*layers: Layer, limit: int = 10) -> list[Ask]:
    """Return a forward geocode and an autocompletion of the same text."""
    text, wanted = "Äulestrasse & Städtle", frozenset(layers)
    return [
        lambda geocoder: geocoder.forward(ForwardQuery(text=text, layers=wanted, limit=limit)),
        lambda geocoder: geocoder.autocomplete(AutocompleteQuery(text=text, layers=wanted, limit=limit)),
    ]


@pytest.mark.parametrize("remote", [(), (THERE,)], ids=["nothing", "an address"])
def test_requested_crossings_of_a_text_come_from_local_data(remote: tuple[Address, ...]) -> None:
    for ask in text_queries(Layer.INTERSECTION):
        embedded = Listed(CROSSING)
        assert ask(FallbackGeocoder(Listed(*remote), embedded)) == (CROSSING,)
        assert [query.layers for query in embedded.queries] == [{Layer.INTERSECTION}]


def test_requested_crossings_come_before_the_results_of_the_server() -> None:
    for limit, expected in ((10, (CROSSING, THERE)), (1, (CROSSING,))):
        for ask in text_queries(Layer.ADDRESS, Layer.INTERSECTION, limit=limit):
            embedded = Listed(CROSSING)
            assert ask(FallbackGeocoder(Listed(THERE), embedded)) == expected
            assert [query.layers for query in embedded.queries] == [{Layer.INTERSECTION}]


def test_local_data_is_used_if_no_result_of_the_server_has_a_requested_layer() -> None:
    part = Address(point=Point(9.5, 47.1), layer=Layer.NEIGHBORHOOD, formatted="Ebenholz")
    for ask in text_queries(Layer.NEIGHBORHOOD):
        assert ask(FallbackGeocoder(Listed(TOWN), Listed(part))) == (part,)
        unused = Listed(part)
        assert ask(FallbackGeocoder(Listed(), unused)) == ()
        assert unused.queries == []


def test_without_local_data_the_results_of_the_server_remain() -> None:
    class Empty(Listed):
        def _answer(self, query: Any) -> tuple[Address, ...]:
            raise NoGeocodingData("There are no areas.")

    for ask in text_queries(Layer.ADDRESS, Layer.INTERSECTION):
        assert ask(FallbackGeocoder(Listed(THERE), Empty())) == (THERE,)
