"""The user's own imagery: accepted addresses, requests, and the responses of a WMS."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desktop.model.imagery import server as imagery_server
from app.desktop.model.imagery.book import ImageryBook, read_imagery, write_imagery
from app.desktop.model.imagery.capabilities import MAX_LAYERS, BadCapabilities, WmsLayer, read_capabilities
from app.desktop.model.imagery.server import ImageryServer, ImageryUnavailable, TileCache, ask_layers
from app.desktop.model.imagery.sources import (
    MAX_ZOOM,
    ImagerySource,
    Kind,
    address_of,
    checked,
    host_of,
    origin_of,
    secrets_of,
)
from engine.domain.errors import InvalidParameter
from engine.domain.values import replace
from tests.servers import Reply, flood, send, serving

XYZ = ImagerySource("a", "Fields", Kind.XYZ, "https://tiles.example.com/{z}/{x}/{y}.png?key=s3cret", "© Me")
WMS = replace(XYZ, kind=Kind.WMS, url="https://maps.example.com/wms?map=/a.map&LAYERS=no", layers="roads,aerial")
_MAPS = {"kind": Kind.WMS, "url": "https://example.com/wms", "layers": "a"}
PNG = b"\x89PNG\r\n\x1a\n a picture"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "missing"),
        ("tiles/{z}/{x}/{y}", "begin with https://"),
        ("file:///etc/{z}/{x}/{y}", "begin with https://"),
        ("javascript:alert(1)//{z}/{x}/{y}", "begin with https://"),
        ("data:image/png;base64,{z}{x}{y}", "begin with https://"),
        ("ftp://example.com/{z}/{x}/{y}", "begin with https://"),
        ("https:///{z}/{x}/{y}", "no valid host"),
        ("https://example.com:0/{z}/{x}/{y}", "no valid host"),
        ("https://[::1/{z}/{x}/{y}", "not a valid URL"),
        ("https://example.com:port/{z}/{x}/{y}", "not a valid URL"),
        ("https://example.com/a b/{z}/{x}/{y}", "spaces"),
        ("https://example.com\\@evil.org/{z}/{x}/{y}", "backslashes"),
        ("https://example.com/{z}/{x}/{y}#here", "fragment"),
        ("https://example.com/{z}/{x}.png", "must contain {y}"),
        ("https://example.com/{y}.png", "must contain {z} and {x}"),
        ("https://example.com/{z}/{x}/{y}?key={apikey}", "{apikey}"),
        ("https://example.com/{z}/{x}/{y", "brace"),
        ("https://{x}.example.com/{z}/{x}/{y}", "host of the template"),
        ("https://example.com/{s}/{z}/{x}/{y}", "subdomain"),
        (f"https://example.com/{'a' * 2048}/{{z}}/{{x}}/{{y}}", "longer than 2,048"),
    ],
)
def test_a_bad_template_is_refused_with_its_reason(url: str, message: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        checked(replace(XYZ, url=url))
    assert caught.value.param == "url"
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"name": "  "}, "name"),
        ({"attribution": ""}, "attribution"),
        ({"attribution": "a" * 301}, "attribution"),
        ({"min_zoom": 9, "max_zoom": 8}, "max_zoom"),
        ({"max_zoom": MAX_ZOOM + 1}, "max_zoom"),
        ({"opacity": 0.0}, "opacity"),
        ({"tile_size": 300}, "tile_size"),
        ({"kind": Kind.WMS, "layers": "a"}, "url"),
        ({**_MAPS, "layers": " , "}, "layers"),
        ({**_MAPS, "version": "1.0"}, "version"),
        ({**_MAPS, "image_format": "text/html"}, "image_format"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_another_bad_field_is_named(change: dict[str, object], param: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        checked(replace(XYZ, **change))  # type: ignore[arg-type]
    assert caught.value.param == param


@given(st.integers(0, MAX_ZOOM), st.data())
def test_the_tiles_of_a_wms_cover_the_world_once(zoom: int, data: st.DataObject) -> None:
    side = 1 << zoom
    x, y = data.draw(st.integers(0, side - 1)), data.draw(st.integers(0, side - 1))
    params = parse_qs(address_of(WMS, zoom, x, y).query)
    west, south, east, north = (float(edge) for edge in params["BBOX"][0].split(","))
    half = 20_037_508.342789
    assert (east - west) * side == pytest.approx(2 * half)
    assert (north - south) * side == pytest.approx(2 * half)
    assert west == pytest.approx(-half + 2 * half * x / side, abs=1e-3)
    assert north == pytest.approx(half - 2 * half * y / side, abs=1e-3)
    for tile in ((zoom, side, y), (zoom, x, -1), (MAX_ZOOM + 1, 0, 0)):
        with pytest.raises(ValueError, match="no such tile"):
            address_of(WMS, *tile)


def test_each_kind_of_address_is_filled_in() -> None:
    assert address_of(XYZ, 3, 5, 2).path == "/3/5/2.png"
    assert address_of(XYZ, 3, 5, 2).query == "key=s3cret"
    tms = replace(XYZ, url="http://me:pass@{s}.example.com:8080/t?x={x}&y={-y}&z={z}")
    assert address_of(tms, 3, 5, 2).server == "http://me:pass@b.example.com:8080"
    assert address_of(tms, 3, 5, 2).query == "x=5&y=5&z=3"
    fine = replace(XYZ, url="https://tiles.example.com/{z}/{x}/{y}{r}.png")
    assert address_of(fine, 3, 5, 2).path == "/3/5/2.png"
    assert address_of(fine, 3, 5, 2, fine=True).path == "/3/5/2@2x.png"
    for is_fine, pixels in ((False, "256"), (True, "512")):
        params = parse_qs(address_of(WMS, 3, 5, 2, fine=is_fine).query)
        assert (params["WIDTH"], params["HEIGHT"]) == ([pixels], [pixels])
        assert params["BBOX"] == parse_qs(address_of(WMS, 3, 5, 2).query)["BBOX"]
    assert (host_of(tms), origin_of(tms)) == ("*.example.com:8080", "http://*.example.com:8080")
    for version, reference in (("1.3.0", "CRS"), ("1.1.1", "SRS")):
        params = parse_qs(address_of(replace(WMS, version=version), 0, 0, 0).query, keep_blank_values=True)
        assert params[reference] == ["EPSG:3857"]
        assert (params["map"], params["LAYERS"], params["STYLES"]) == (["/a.map"], ["roads,aerial"], [","])
    # No text about a source contains a secret.
    assert "s3cret" not in f"{XYZ!r} {address_of(XYZ, 0, 0, 0)!r} {host_of(XYZ)}"
    assert {"s3cret", "pass"} <= {*secrets_of(XYZ), *secrets_of(tms)}


def test_a_book_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    book = ImageryBook().with_source(XYZ).with_source(replace(WMS, id="b", shown=True))
    assert [source.id for source in book.sources] == ["b", "a"]
    assert book.shown() == (), "nothing is shown before the user agreed"
    book = book.with_agreement(WMS).with_shown("b", shown=True).moved("b", 1)
    file = tmp_path / "there" / "imagery.json"
    write_imagery(file, book)
    assert read_imagery(file) == (book, "")
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    # The user must agree again to another host, or to the same one without encryption.
    for url in ("https://other.example.com/wms", "http://maps.example.com/wms"):
        moved = book.with_source(replace(book.sources[1], url=url))
        assert moved.shown() == ()
    assert book.without("b").agreed == frozenset()


def test_the_size_of_tiles_is_kept_and_files_before_it_have_the_usual_one(tmp_path: Path) -> None:
    file = tmp_path / "imagery.json"
    book = ImageryBook().with_source(replace(XYZ, tile_size=512))
    write_imagery(file, book)
    assert read_imagery(file) == (book, "")
    content = orjson.loads(file.read_bytes())
    del content["sources"][0]["tile_size"]
    file.write_bytes(orjson.dumps(content))
    assert read_imagery(file)[0].sources == (XYZ,)
    for wrong in (300, True, "512"):
        content["sources"][0]["tile_size"] = wrong
        file.write_bytes(orjson.dumps(content))
        assert "source 1 is not valid" in read_imagery(file)[1]


@pytest.mark.parametrize("content", [b"", b"[]", b'{"sources": [{}]}', b'{"sources": [{"id": 1}]}', b"[" * 5000])
def test_a_damaged_file_is_reported_and_shows_nothing(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "imagery.json"
    file.write_bytes(content)
    book, problem = read_imagery(file)
    assert book == ImageryBook()
    assert "cannot be read" in problem


def document(layers: str, root: str = "WMS_Capabilities", before: str = "") -> bytes:
    return f'<?xml version="1.0"?>{before}<{root}><Capability>{layers}</Capability></{root}>'.encode()


_ENTITY = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
_OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


def test_a_wms_lists_its_layers() -> None:
    layers = """<Layer><Title>All</Title><CRS>EPSG:4326</CRS><Attribution><Title>State survey</Title></Attribution>
      <Layer><Name>aerial</Name><Title>Aerial &amp; more</Title><CRS>EPSG:3857</CRS>
        <Style><Name>default</Name><Title>Style</Title></Style>
        <Layer><Name>part</Name></Layer></Layer>
      <Layer><Name>old</Name></Layer></Layer>"""
    expected = (
        WmsLayer("aerial", "Aerial & more", True, "State survey"),
        WmsLayer("part", "part", True, "State survey"),
        WmsLayer("old", "old", False, "State survey"),
    )
    assert read_capabilities(document(layers)) == expected
    before = '<!DOCTYPE WMT_MS_Capabilities SYSTEM "http://schemas.example.com/1.1.1.dtd">'
    older = document(layers.replace("CRS>", "SRS>"), "WMT_MS_Capabilities", before)
    assert read_capabilities(older) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"not xml", "not XML"),
        (b"<html></html>", "does not list the layers"),
        (document(""), "no layers"),
        (document("<Layer><Name>&b;</Name></Layer>", before=_ENTITY), "entities"),
        (document("<Layer><Name>&a;</Name></Layer>", before=_OUTSIDE), "entities"),
        (document("<a>" * 100 + "</a>" * 100), "nested too deeply"),
        (document("<Layer><Name>a</Name></Layer>" * (MAX_LAYERS + 1)), "more than 5,000 layers"),
    ],
    ids=["no-xml", "html", "empty", "entities", "external", "deep", "many"],
)
def test_a_hostile_list_of_layers_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(BadCapabilities, match=message):
        read_capabilities(content)


def loaded(server: ImageryServer, *tile: int) -> bytes | str:
    try:
        return server.tile(*tile)
    except ImageryUnavailable as reason:
        return str(reason)


def test_loaded_tiles_are_not_requested_again() -> None:
    with serving(lambda handler, request: send(handler, 404 if "/5/" in request.path else 200, PNG)) as there:
        server = ImageryServer(replace(XYZ, url=there.url + "/{z}/{x}/{y}"))
        for _ in range(3):
            assert loaded(server, 4, 1, 2) == PNG
            assert "(404)" in str(loaded(server, 5, 1, 2))
        assert [request.target for request in there.requests] == ["/4/1/2", "/5/1/2"]
        server.close()
        assert loaded(server, 4, 0, 0) == "The imagery is no longer shown."


def test_tiles_for_fine_screens_are_requested_if_available() -> None:
    with serving(lambda handler, request: send(handler, 200, PNG)) as there:
        for path in ("/{z}/{x}/{y}", "/{z}/{x}/{y}{r}"):
            server = ImageryServer(replace(XYZ, url=there.url + path))
            for fine in (False, True, True):
                assert server.tile(4, 1, 2, fine=fine) == PNG
            server.close()
        assert [request.target for request in there.requests] == ["/4/1/2", "/4/1/2", "/4/1/2@2x"]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (lambda handler, _: send(handler, 500, b""), r"\(500\)"),
        (lambda handler, _: send(handler, 200, b"<html>Sign in"), "no picture in its response"),
        (lambda handler, _: send(handler, 302, b"", location="http://127.0.0.2:9/{z}"), "redirects to another server"),
        (flood, "8 MB"),
    ],
    ids=["error", "page", "redirect", "flood"],
)
def test_a_server_that_fails_is_left_alone_for_a_while(reply: Reply, message: str) -> None:
    now = [0.0]
    with serving(reply) as there:
        server = ImageryServer(replace(XYZ, url=there.url + "/{z}/{x}/{y}?key=s3cret"), lambda: now[0])
        for x in range(8):
            loaded(server, 4, x, 0)
        assert len(there.requests) == 3
        assert server.rests_s == imagery_server.RESTS_S
        assert re.search(message, server.trouble)
        assert "s3cret" not in server.trouble
        now[0] += imagery_server.RESTS_S + 1
        assert server.rests_s == 0
        loaded(server, 4, 9, 0)
        assert len(there.requests) == 4
        server.close()


def test_the_cache_is_bounded() -> None:
    cache = TileCache(max_bytes=100, max_tiles=5)
    for x in range(4):
        cache.put((1, x, 0, False), b"a" * 30)
    assert [cache.get((1, x, 0, False)) is not None for x in range(4)] == [False, True, True, True]
    for x in range(9):
        cache.put((2, x, 0, False), b"")
    assert sum(cache.get((2, x, 0, False)) == b"" for x in range(9)) == 5


def test_layers_are_requested_from_the_server_within_limits() -> None:
    layers = document("<Layer><CRS>EPSG:3857</CRS><Layer><Name>aerial</Name></Layer></Layer>")
    with serving(lambda handler, _: send(handler, 200, layers)) as there:
        assert [layer.name for layer in ask_layers(f"{there.url}/wms?map=a&request=no", "1.1.1")] == ["aerial"]
        params = there.requests[0].params
        assert params == {"map": ["a"], "SERVICE": ["WMS"], "REQUEST": ["GetCapabilities"], "VERSION": ["1.1.1"]}
    with serving(flood) as there, pytest.raises(ImageryUnavailable, match="8 MB"):
        ask_layers(there.url, "1.3.0")
    with serving(lambda handler, _: send(handler, 403, b"")) as there, pytest.raises(ImageryUnavailable, match="403"):
        ask_layers(there.url, "1.3.0")
