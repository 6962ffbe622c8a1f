"""GET /maps/…: styles, tiles, glyphs, sprites, markers and whole files, over real sockets."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from app.api.server.server import ApiServer
from app.api.wire.maps.style import THEMES
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from engine.maps.fonts import FONTS
from engine.maps.world_atlas import ATLAS
from tests.app.api.conftest import Api, MakeApi
from tests.engine.maps.reading import make_area, place_tile, read_tile, write_archive

HERE, NORTH = "14/8000/5000", "14/8000/4999"
KEYS = {(14, 8000, 5000): place_tile("a"), (4, 7, 4): place_tile("far")}

needs_assets = pytest.mark.skipif(not (FONTS.is_dir() and ATLAS.is_dir()), reason="the web assets have not been built")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with two areas that share a tile, of which one is in use."""
    folder = tmp_path_factory.mktemp("maps") / "workspace"
    with Engine.open(folder):
        pass
    make_area(folder / "areas" / "one", KEYS, (-4.3, 57.0, -4.1, 57.2))
    make_area(folder / "areas" / "two", {(14, 8000, 5000): place_tile("b"), (14, 8000, 4999): place_tile("c")})
    with Engine.open(folder) as engine:
        engine.areas.use(["one"])
        yield engine


@pytest.fixture(autouse=True)
def only_one(engine: Engine) -> Iterator[None]:
    """Use the first area before and after each test."""
    engine.areas.use(["one"])
    yield
    engine.areas.use(["one"])


def key_of(engine: Engine, level: KeyLevel = KeyLevel.PUBLISHABLE) -> str:
    return engine.workspace.keys.value(Environment.TEST, level)


def style_of(api: Api, name: str = "light", **options: Any) -> dict[str, Any]:
    response = api.get(f"/maps/styles/{name}", **options)
    assert response.status_code == 200
    style: dict[str, Any] = response.json()
    return style


def names_in(response: httpx.Response) -> list[str]:
    assert response.status_code == 200
    return [str(properties["name"]) for properties, _ in read_tile(response.content)["places"]]


@pytest.mark.parametrize("name", THEMES)
def test_a_style_refers_to_served_sources(publishable: Api, name: str) -> None:
    style = style_of(publishable, name)
    assert style["version"] == 8
    sources = {source["source"] for source in style["layers"] if "source" in source}
    assert sources == style["sources"].keys()
    assert len({layer["id"] for layer in style["layers"]}) == len(style["layers"])
    assert "OpenStreetMap" in style["sources"]["streets"]["attribution"]
    assert "https://www.openstreetmap.org/copyright" in style["sources"]["streets"]["attribution"]
    assert "Natural Earth" in style["sources"]["world"]["attribution"]
    fonts = {font for layer in style["layers"] for font in layer.get("layout", {}).get("text-font", [])}
    for font in fonts if FONTS.is_dir() else ():
        url = style["glyphs"].replace("{fontstack}", font).replace("{range}", "0-255")
        assert publishable.get(url).status_code == 200
    for end in (".json", ".png", "@2x.json", "@2x.png"):
        assert publishable.get(style["sprite"] + end).status_code == 200
    signs = publishable.get(style["sprite"] + ".json").json()
    icons = {layer["layout"]["icon-image"] for layer in style["layers"] if "icon-image" in layer.get("layout", {})}
    assert icons <= signs.keys()


def test_light_and_dark_differ(publishable: Api) -> None:
    light, dark = style_of(publishable, "radar-default-v1"), style_of(publishable, "radar-dark-v1")
    assert light["layers"][0]["paint"]["background-color"] != dark["layers"][0]["paint"]["background-color"]
    assert [layer["id"] for layer in light["layers"]] == [layer["id"] for layer in dark["layers"]]
    assert style_of(publishable, "radar-light-v1", params={"language": "de"}) == light


def test_addresses_are_those_of_the_caller(publishable: Api, server: ApiServer) -> None:
    def tiles(**headers: str) -> str:
        address: str = style_of(publishable, headers=headers)["sources"]["streets"]["tiles"][0]
        return address

    assert tiles() == f"{server.url}/maps/tiles/streets/{{z}}/{{x}}/{{y}}.mvt"
    assert tiles(Host=f"localhost:{server.port}").startswith(f"http://localhost:{server.port}/maps/")
    assert tiles(Host="10.0.2.2:1").startswith("http://10.0.2.2:1/maps/")
    assert tiles(**{"X-Forwarded-Proto": "https"}).startswith("https://")
    assert tiles(**{"X-Forwarded-Proto": "javascript"}).startswith("http://")
    assert publishable.get("/maps/styles/light", headers={"Host": "evil.example"}).status_code == 400


def test_a_key_in_the_query_is_carried_on(make_api: MakeApi, engine: Engine) -> None:
    without, key = make_api(None), key_of(engine)
    style = style_of(without, params={"publishableKey": key})
    addresses = [
        style["sprite"],
        style["glyphs"],
        *style["sources"]["world"]["tiles"],
        *style["sources"]["streets"]["tiles"],
    ]
    assert all(address.endswith(f"?publishableKey={key}") for address in addresses)
    tile = style["sources"]["streets"]["tiles"][0].replace("{z}/{x}/{y}", HERE)
    assert names_in(without.get(tile)) == ["a"]
    assert without.get(style["sprite"].replace("light?", "light.png?")).status_code == 200


def test_a_key_in_the_header_is_not_written_down(publishable: Api, engine: Engine) -> None:
    assert key_of(engine) not in publishable.get("/maps/styles/light").text


@pytest.mark.parametrize(
    "path",
    [
        "/maps/styles/light",
        f"/maps/tiles/streets/{HERE}.mvt",
        "/maps/markers/red",
        "/maps/static?width=100&height=100&center=0,0&zoom=1",
        "/maps/sprites/light.png",
        "/maps/glyphs/x/0-255.pbf",
        "/maps/areas/one.pmtiles",
    ],
)
def test_every_part_needs_a_key(make_api: MakeApi, engine: Engine, path: str) -> None:
    without = make_api(None)
    for options, status, param in (
        ({}, 401, "Authorization"),
        ({"params": {"publishableKey": ""}}, 401, "Authorization"),
        ({"params": {"publishableKey": "x"}}, 401, "publishableKey"),
        ({"params": {"publishableKey": key_of(engine, KeyLevel.SECRET)}}, 403, "publishableKey"),
        ({"headers": {"Authorization": "x"}, "params": {"publishableKey": key_of(engine)}}, 401, "Authorization"),
    ):
        response = without.get(path, **options)
        assert (response.status_code, response.json()["meta"]["param"]) == (status, param)


def test_the_key_in_the_query_opens_nothing_else(make_api: MakeApi, engine: Engine) -> None:
    response = make_api(None).get("/v1/context", params={"publishableKey": key_of(engine), "coordinates": "1,2"})
    assert response.status_code == 401


def test_a_secret_key_and_live_keys_show_maps_too(secret: Api, make_api: MakeApi, engine: Engine) -> None:
    live = make_api(engine.workspace.keys.value(Environment.LIVE, KeyLevel.PUBLISHABLE))
    for api in (secret, live):
        assert names_in(api.get(f"/maps/tiles/streets/{HERE}.mvt")) == ["a"]


def test_other_areas_are_shown_at_once(publishable: Api, engine: Engine) -> None:
    tile, north = f"/maps/tiles/streets/{HERE}.mvt", f"/maps/tiles/streets/{NORTH}.mvt"
    before = publishable.get(tile)
    assert names_in(before) == ["a"]
    assert publishable.get(north).status_code == 204
    engine.areas.use(["two", "one"])
    both = publishable.get(tile, headers={"If-None-Match": before.headers["etag"]})
    assert sorted(names_in(both)) == ["a", "b"]
    assert names_in(publishable.get(north)) == ["c"]
    boxes = style_of(publishable)["sources"]["areas"]["data"]["features"]
    assert sorted(box["properties"]["name"] for box in boxes) == ["one", "two"]
    engine.areas.use(["two"])
    assert names_in(publishable.get(tile)) == ["b"]


def test_an_area_that_is_rebuilt_is_shown_at_once(publishable: Api, engine: Engine) -> None:
    (area,) = engine.areas.in_use()
    assert area.basemap is not None
    before = publishable.get(f"/maps/tiles/streets/{HERE}.mvt")
    write_archive(area.folder / "new", {(14, 8000, 5000): place_tile("rebuilt")}).replace(area.basemap)
    try:
        after = publishable.get(f"/maps/tiles/streets/{HERE}.mvt", headers={"If-None-Match": before.headers["etag"]})
        assert names_in(after) == ["rebuilt"]
        assert publishable.get("/maps/tiles/streets/4/7/4.mvt").status_code == 204
    finally:
        write_archive(area.folder / "new", KEYS).replace(area.basemap)


@needs_assets
@pytest.mark.parametrize("path", ["/maps/tiles/world/3/4/2.mvt", "/maps/glyphs/Open%20Sans%20Regular/0-255.pbf"])
def test_packed_content_is_unpacked_for_clients_that_cannot(publishable: Api, path: str) -> None:
    packed = publishable.get(path, headers={"Accept-Encoding": "br, gzip;q=0.5"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == "accept-encoding"
    for accepted in ("identity", "gzip;q=0", "br", "gzip;q=0.0, deflate", ""):
        plain = publishable.get(path, headers={"Accept-Encoding": accepted})
        assert "content-encoding" not in plain.headers
        assert plain.content == packed.content
        assert plain.headers["etag"] != packed.headers["etag"]
    assert int(packed.headers["content-length"]) < len(packed.content)


def damage(file: Path, packed: bytes) -> None:
    """Overwrite the middle of a tile in a file, as a failing disk does."""
    content, middle = file.read_bytes(), len(packed) // 2
    (file.parent / "new").write_bytes(content.replace(packed, packed[:middle] + bytes(len(packed) - middle)))
    (file.parent / "new").replace(file)


def test_a_damaged_tile_is_no_tile_for_clients_that_take_it_unpacked(publishable: Api, engine: Engine) -> None:
    (area,) = engine.areas.in_use()
    assert area.basemap is not None
    damage(area.basemap, gzip.compress(place_tile("a"), mtime=0))
    try:
        path = f"/maps/tiles/streets/{HERE}.mvt"
        assert publishable.get(path, headers={"Accept-Encoding": "identity"}).status_code == 204
    finally:
        write_archive(area.folder / "new", KEYS).replace(area.basemap)


@needs_assets
@pytest.mark.parametrize(
    "path",
    [
        "/maps/styles/dark",
        f"/maps/tiles/streets/{HERE}.mvt",
        "/maps/tiles/world/0/0/0.mvt",
        "/maps/markers/red",
        "/maps/static?width=100&height=100&center=0,0&zoom=1",
        "/maps/sprites/light@2x.png",
        "/maps/sprites/dark.json",
        "/maps/glyphs/DejaVu%20Sans%20Condensed/256-511.pbf",
        "/maps/areas/one.pmtiles",
    ],
)
def test_cached_content_is_not_sent_again(publishable: Api, path: str) -> None:
    first = publishable.get(path)
    assert first.status_code == 200
    tag = first.headers["etag"]
    for held in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = publishable.get(path, headers={"If-None-Match": held})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    other = publishable.get(path, headers={"If-None-Match": '"other"'})
    assert (other.status_code, other.content) == (200, first.content)
    head = publishable.request("HEAD", path)
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", tag)


def test_a_range_of_a_file(publishable: Api, engine: Engine) -> None:
    path = "/maps/areas/one.pmtiles"
    (area,) = engine.areas.in_use()
    assert area.basemap is not None
    content = area.basemap.read_bytes()
    whole = publishable.get(path)
    assert (whole.content, whole.headers["accept-ranges"]) == (content, "bytes")
    for wanted, found in (
        ("bytes=0-6", content[:7]),
        ("bytes=100-", content[100:]),
        ("bytes=-5", content[-5:]),
        (f"bytes=10-{10**9}", content[10:]),
    ):
        part = publishable.get(path, headers={"Range": wanted})
        assert (part.status_code, part.content) == (206, found)
    tag = whole.headers["etag"]
    assert publishable.get(path, headers={"Range": "bytes=0-6", "If-Range": tag}).status_code == 206
    assert publishable.get(path, headers={"Range": "bytes=0-6", "If-Range": '"other"'}).content == content
    beyond = publishable.get(path, headers={"Range": f"bytes={len(content)}-"})
    assert (beyond.status_code, beyond.json()["meta"]["param"]) == (416, "Range")
    assert beyond.headers["content-range"] == f"bytes */{len(content)}"
    assert publishable.get(path, headers={"Range": "bytes=-0"}).status_code == 416
    for wrong in ("bytes=5-1", "bytes=0-1,3-4", "lines=1-2", "bytes=-", "bytes=x"):
        refused = publishable.get(path, headers={"Range": wrong})
        assert (refused.status_code, refused.json()["meta"]["param"]) == (400, "Range")


@pytest.mark.parametrize(
    ("path", "status", "param"),
    [
        ("/maps/styles/radar-default-v2", 404, "style"),
        ("/maps/styles/", 400, "style"),
        ("/maps/styles/%2e%2e", 404, "style"),
        ("/maps/tiles/moon/0/0/0.mvt", 404, "source"),
        ("/maps/tiles/streets/x/0/0.mvt", 400, "z"),
        ("/maps/tiles/streets/-1/0/0.mvt", 400, "z"),
        ("/maps/tiles/streets/23/0/0.mvt", 400, "z"),
        ("/maps/tiles/streets/٣/0/0.mvt", 400, "z"),
        ("/maps/tiles/streets/3/8/0.mvt", 400, "x"),
        ("/maps/tiles/world/3/1.0/0.mvt", 400, "x"),
        ("/maps/tiles/world/3/0/.mvt", 400, "y"),
        ("/maps/tiles/world/0/0/1.mvt", 400, "y"),
        ("/maps/tiles/world/0/0/99999999999999999999.mvt", 400, "y"),
        ("/maps/tiles/world/0/0/0.png", 404, "path"),
        ("/maps/tiles/world/0/0", 404, "path"),
        ("/maps/glyphs/Comic/0-255.pbf", 404, "fontstack"),
        ("/maps/glyphs/Open%20Sans%20Regular/1-256.pbf", 400, "range"),
        ("/maps/glyphs/Open%20Sans%20Regular/0-511.pbf", 400, "range"),
        ("/maps/glyphs/Open%20Sans%20Regular/65536-65791.pbf", 400, "range"),
        ("/maps/glyphs/Open%20Sans%20Regular/x.pbf", 400, "range"),
        ("/maps/sprites/blue.json", 404, "sprite"),
        ("/maps/sprites/light@3x.png", 404, "sprite"),
        ("/maps/sprites/..%2flook.json", 404, "sprite"),
        ("/maps/markers/nothing", 404, "name"),
        ("/maps/markers/%3Csvg%3E", 404, "name"),
        ("/maps/markers/%C3", 400, "name"),
        ("/maps/areas/two.pmtiles", 404, "area"),
        ("/maps/areas/..%2fone.pmtiles", 404, "area"),
        ("/maps/", 404, "path"),
    ],
)
def test_an_unknown_resource_is_named(publishable: Api, path: str, status: int, param: str) -> None:
    response = publishable.get(path)
    assert (response.status_code, response.json()["meta"]["param"]) == (status, param)


def test_nothing_can_be_changed(publishable: Api) -> None:
    response = publishable.post("/maps/styles/light", json={})
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD, OPTIONS")


@pytest.mark.parametrize("path", ["/maps/styles/light", f"/maps/tiles/streets/{HERE}.mvt", "/maps/markers/red"])
def test_a_page_may_ask_with_the_headers_of_the_sdk(publishable: Api, path: str) -> None:
    preflight = {
        "Origin": "https://shop.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization,range,x-radar-sdk-version",
    }
    response = publishable.request("OPTIONS", path, headers=preflight)
    assert response.status_code == 200
    assert response.headers["access-control-allow-headers"] == "authorization,range,x-radar-sdk-version"


def test_a_host_with_a_slash_at_its_end(publishable: Api) -> None:
    assert publishable.request("HEAD", f"{publishable.url}//maps/styles/light").status_code == 200


def test_a_path_with_a_slash_at_its_end(publishable: Api, secret: Api) -> None:
    for path in ("/maps/styles/light", "/maps/markers/red"):
        url, headers = f"{publishable.url}{path}/", {"Authorization": publishable.key or ""}
        assert httpx.get(url, headers=headers).content == publishable.get(path).content
    assert secret.get("/v1/requests?limit=2").json()["requests"][1]["nearMisses"] == []


@needs_assets
def test_the_world_is_there_below(publishable: Api) -> None:
    world = publishable.get("/maps/tiles/world/0/0/0.mvt")
    assert read_tile(world.content).keys() == {"land", "coast", "borders", "countries"}
    assert publishable.get("/maps/tiles/world/6/10/32.mvt").status_code == 204
    assert publishable.get("/maps/tiles/world/22/0/0.mvt").status_code == 204


@pytest.mark.parametrize(
    ("name", "color"),
    [("default", "#000257"), ("red", "#c42b1c"), ("%2300fF00", "#00ff00"), ("abcdef", "#abcdef")],
)
def test_a_marker_is_a_pin_of_its_color(publishable: Api, name: str, color: str) -> None:
    response = publishable.get(f"/maps/markers/{name}")
    assert response.status_code == 200
    picture = ElementTree.fromstring(response.text)
    assert picture.tag.endswith("svg")
    assert color in {part.get("fill") for part in picture}


def test_a_tile_is_stored_packed_and_sent_so(engine: Engine, server: ApiServer) -> None:
    (area,) = engine.areas.in_use()
    assert area.basemap is not None
    with httpx.Client(headers={"Authorization": key_of(engine)}) as client:
        response = client.send(client.build_request("GET", f"{server.url}/maps/tiles/streets/{HERE}.mvt"), stream=True)
        sent = b"".join(response.iter_raw())
    assert sent in area.basemap.read_bytes()
    assert gzip.decompress(sent) == place_tile("a")
