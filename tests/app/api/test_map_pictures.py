"""GET /maps/static: pictures of the map, over real sockets; the PNG is decoded and its pixels are checked."""

import threading
from collections.abc import Iterator
from typing import Any

import httpx
import numpy as np
import pytest
import shapely

from app.api.wire.maps.marker import COLORS
from engine.engine import Engine
from engine.maps.fonts import FONTS
from engine.maps.look import LOOK
from engine.maps.pictures.view import unprojected
from engine.maps.vector_tiles import encode_layer
from engine.maps.world_atlas import ATLAS
from tests.app.api.conftest import Api
from tests.engine.maps.pictures.reading import Pixels, color_at, read_png, share_of
from tests.engine.maps.reading import make_area

pytestmark = pytest.mark.skipif(not (FONTS.is_dir() and ATLAS.is_dir()), reason="the web assets have not been built")

Z, X, Y = 13, 4663, 2371
LONGITUDE, LATITUDE = unprojected((X + 0.5) / 2**Z, (Y + 0.5) / 2**Z)
HERE = f"{LATITUDE},{LONGITUDE}"
"""The centre of a tile in Helsinki, which fills a picture of 512 pixels at zoom 14."""

LIGHT, DARK = (LOOK["themes"][theme] for theme in ("light", "dark"))
PX = 8
"""Units of the tile per pixel."""


def tile(water: int = 128) -> bytes:
    """Return a tile with water in the upper left corner, a building with a yard, a road and its name."""
    building = shapely.Polygon(shapely.box(300, 60, 400, 160).exterior, [shapely.box(330, 90, 370, 130).exterior])
    road = shapely.LineString([(0, 384), (512, 384)])
    layers = {
        "water": [(shapely.box(0, 0, water, water), {"kind": "water"})],
        "buildings": [(building, {"kind": "building"})],
        "roads": [(road, {"kind": "trunk"})],
        "street_names": [(road, {"kind": "main", "name": "Mannerheimintie"})],
        "places": [(shapely.Point(450, 250), {"kind": "suburb", "name": "Töölö"})],
    }
    return b"".join(
        encode_layer(name, [(shapely.transform(shape, lambda at: at * PX), properties) for shape, properties in shapes])
        for name, shapes in layers.items()
    )


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with two areas, of which the first is in use."""
    folder = tmp_path_factory.mktemp("pictures") / "workspace"
    with Engine.open(folder):
        pass
    bounds = (24.8, 60.1, 25.1, 60.3)
    make_area(folder / "areas" / "one", {(Z, X, Y): tile(), (Z, X, Y - 1): b"\xff\xff"}, bounds)
    make_area(folder / "areas" / "two", {(Z, X, Y): tile(256)}, bounds)
    with Engine.open(folder) as engine:
        engine.areas.use(["one"])
        yield engine


def ask(api: Api, **query: Any) -> httpx.Response:
    return api.get("/maps/static", params={"width": 512, "height": 512, **query})


def picture(api: Api, **query: Any) -> Pixels:
    response = ask(api, **query)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "image/png"
    return read_png(response.content)


@pytest.fixture(scope="module")
def plain(publishable: Api) -> Pixels:
    """The picture of the tile without anything on it."""
    return picture(publishable, center=HERE, zoom=14)


def test_everything_has_the_colours_of_the_style(publishable: Api, plain: Pixels) -> None:
    dark = picture(publishable, center=HERE, zoom=14, style="radar-dark-v1")
    for pixels, colors in ((plain, LIGHT), (dark, DARK)):
        ink = colors["streets"]
        assert color_at(pixels, 64, 64) == ink["water"]
        assert color_at(pixels, 127, 127) == ink["water"]
        assert color_at(pixels, 129, 129) == colors["land"]
        assert color_at(pixels, 315, 75) == ink["building"]
        assert color_at(pixels, 350, 110) == colors["land"], "the yard of the building"
        assert color_at(pixels, 20, 384) == ink["great"]
        assert color_at(pixels, 20, 381) not in (colors["land"], ink["great"]), "the edge of the road"
    for style in ("radar-default-v1", "radar-light-v1", "light"):
        assert (picture(publishable, center=HERE, zoom=14, style=style) == plain).all()


def test_names_are_written(plain: Pixels) -> None:
    text = [int(LIGHT["streets"]["place"][at : at + 2], 16) for at in (1, 3, 5)]
    near = np.abs(plain.astype(int) - text).max(axis=2) < 40
    assert near[240:260, 420:480].any(), "Töölö"
    assert not near[200:235, 420:480].any()
    road = plain[378:391].astype(int).sum(axis=2) < 3 * 150
    assert road[:, 150:362].any(), "the name of the road is in its middle"
    assert not road[:, :100].any()


def test_the_size_is_width_and_height_times_scale(publishable: Api) -> None:
    for scale, shape in (("1", (150, 200, 3)), ("2", (300, 400, 3)), ("1.5", (225, 300, 3))):
        assert picture(publishable, center=HERE, zoom=14, width=200, height=150, scale=scale).shape == shape


def test_scale_shows_the_same_part_in_more_pixels(publishable: Api, plain: Pixels) -> None:
    large = picture(publishable, center=HERE, zoom=14, scale=2)
    assert color_at(large, 255, 255) == LIGHT["streets"]["water"] != color_at(large, 258, 258)
    assert share_of(large, LIGHT["streets"]["water"]) == pytest.approx(share_of(plain, LIGHT["streets"]["water"]), 0.05)


def test_zoom_enlarges_around_the_centre(publishable: Api) -> None:
    corner = unprojected((X + 0.25) / 2**Z, (Y + 0.25) / 2**Z)
    near = picture(publishable, center=f"{corner[1]},{corner[0]}", zoom=14.9)
    assert color_at(near, 253, 253) == LIGHT["streets"]["water"]
    assert color_at(near, 259, 259) == LIGHT["land"]
    far = picture(publishable, center=HERE, zoom=9)
    assert share_of(far, LIGHT["streets"]["water"]) < 0.001


def test_markers_have_their_tip_at_the_position(publishable: Api, plain: Pixels) -> None:
    marked = picture(publishable, center=HERE, zoom=14, markers=f"color:0xc42b1c|{HERE}")
    assert color_at(marked, 256, 246) == "#c42b1c"
    assert color_at(marked, 256, 236) == "#ffffff", "the dot"
    column = [color_at(marked, 256, y) for y in range(246, 270)]
    assert "#c42b1c" in column[:9], "the pin narrows towards the position"
    assert "#c42b1c" not in column[10:]
    assert column[16:] == [color_at(plain, 256, y) for y in range(262, 270)]
    small = picture(publishable, center=HERE, zoom=14, markers=f"size:small|color:red|{HERE}")
    large = picture(publishable, center=HERE, zoom=14, markers=f"color:red|size:large|{HERE}")
    assert 0 < share_of(small, COLORS["red"]) < share_of(marked, COLORS["red"]) < share_of(large, COLORS["red"])
    assert color_at(picture(publishable, center=HERE, zoom=14, markers=HERE), 256, 246) == "#000257"


def test_without_a_centre_all_markers_are_visible(publishable: Api) -> None:
    places = ["60.1,24.9", "60.2,25.0", "60.15,24.7"]
    colors = ["red", "green", "purple"]
    markers = [f"color:{color}|{place}" for color, place in zip(colors, places, strict=True)]
    shown = picture(publishable, markers=markers, scale=2)
    for color in colors:
        assert share_of(shown, COLORS[color]) > 0.0005
    centred = picture(publishable, center=places[0], markers=markers)
    for color in colors:
        assert share_of(centred, COLORS[color]) > 0.0005
    one = picture(publishable, markers=f"color:red|{places[0]}|{places[1]}|{places[2]}")
    assert share_of(one, COLORS["red"]) > 2 * share_of(centred, COLORS["red"])


def test_paths_are_lines_and_areas(publishable: Api, plain: Pixels) -> None:
    def at(x: float, y: float) -> str:
        longitude, latitude = unprojected((X + x / 512) / 2**Z, (Y + y / 512) / 2**Z)
        return f"{latitude},{longitude}"

    line = f"stroke:0x2563eb|width:6|border:0xff0000|borderwidth:3|{at(100, 200)}|{at(400, 200)}"
    drawn = picture(publishable, center=HERE, zoom=14, path=line)
    assert [color_at(drawn, 250, y) for y in (200, 204, 207)] == ["#2563eb", "#ff0000", color_at(plain, 250, 207)]
    area = f"fill:0x00ff0080|stroke:0x2563eb|width:2|{at(150, 200)}|{at(250, 200)}|{at(250, 300)}|{at(150, 300)}"
    filled = picture(publishable, center=HERE, zoom=14, path=[area, line])
    assert color_at(filled, 250, 250) == "#2563eb"
    assert color_at(filled, 200, 250) not in (color_at(plain, 200, 250), "#00ff00"), "the land shines through"
    assert color_at(filled, 250, 200) == "#2563eb"
    # The polyline of three positions that the inventors of the format give as their example.
    encoded = picture(publishable, path="stroke:0x2563eb|width:8|enc:_p~iF~ps|U_ulLnnqC_mqNvxq`@")
    assert share_of(encoded, "#2563eb") > 0.005


def test_a_box_is_fitted(publishable: Api, plain: Pixels) -> None:
    west, north = unprojected(X / 2**Z, Y / 2**Z)
    east, south = unprojected((X + 1) / 2**Z, (Y + 1) / 2**Z)
    assert (picture(publishable, bbox=f"{south},{west},{north},{east}") == plain).all()
    near = picture(publishable, bbox=f"{south},{west},{north},{east}", zoom=14.5)
    assert share_of(near, LIGHT["streets"]["water"]) < share_of(plain, LIGHT["streets"]["water"])


def test_a_box_is_fitted_around_a_centre(publishable: Api, plain: Pixels) -> None:
    west, north = unprojected(X / 2**Z, Y / 2**Z)
    east, south = unprojected((X + 0.5) / 2**Z, (Y + 0.5) / 2**Z)
    # The lower right corner of the box is the centre, so that the box is the upper left quarter of the picture.
    quarter = picture(publishable, bbox=f"{south},{west},{north},{east}", center=f"{south},{east}")
    assert (quarter == plain).all()
    # A zoom says already what the picture shows.
    zoomed = picture(publishable, bbox=f"{south},{west},{north},{east}", center=HERE, zoom=15)
    assert (zoomed == picture(publishable, center=HERE, zoom=15)).all()
    # Boxes are fitted exactly and as close as wanted, with or without a centre.
    away = 0.001
    west, north = unprojected((X + 0.5 - away) / 2**Z, (Y + 0.5 - away) / 2**Z)
    east, south = unprojected((X + 0.5 + away) / 2**Z, (Y + 0.5 + away) / 2**Z)
    tiny = {"bbox": f"{south},{west},{north},{east}", "path": f"width:20|stroke:red|{HERE}|{LATITUDE},{east}"}
    alone, centred = picture(publishable, **tiny), picture(publishable, **tiny, center=HERE)
    assert share_of(alone, COLORS["red"]) == pytest.approx(256 * 20 / 512**2, rel=0.1)
    assert share_of(centred, COLORS["red"]) == pytest.approx(share_of(alone, COLORS["red"]), rel=0.01)


def test_the_most_paths_are_drawn(publishable: Api) -> None:
    paths = [f"stroke:red|width:2|60.1,{24.8 + at / 100}|60.3,{24.8 + at / 100}" for at in range(20)]
    drawn = picture(publishable, path=paths, width=600)
    assert share_of(drawn, COLORS["red"]) > 0.02


def test_the_credits_are_in_the_picture(publishable: Api, plain: Pixels) -> None:
    corner = plain[-12:-2, -250:]
    assert len(np.unique(corner.reshape(-1, 3), axis=0)) > 20, "letters with smooth edges"
    small = picture(publishable, center=HERE, zoom=14, width=100, height=100)
    assert len(np.unique(small[-12:-2].reshape(-1, 3), axis=0)) > 20
    sea = picture(publishable, center="-35,-130", zoom=4)
    assert share_of(sea[:-15, :], LIGHT["sea"]) > 0.9
    assert len(np.unique(sea[-12:-2, -80:].reshape(-1, 3), axis=0)) > 20


def test_outside_of_areas_there_is_the_world(publishable: Api) -> None:
    world = picture(publishable, center="20,0", zoom=1, style="radar-dark-v1")
    assert share_of(world, DARK["sea"]) > 0.3
    assert share_of(world, DARK["land"]) > 0.2
    berlin = picture(publishable, center="52.52,13.4", zoom=15)
    assert share_of(berlin, LIGHT["land"]) > 0.95


def test_a_damaged_tile_is_left_out(publishable: Api) -> None:
    longitude, latitude = unprojected((X + 0.5) / 2**Z, Y / 2**Z)
    half = picture(publishable, center=f"{latitude},{longitude}", zoom=14)
    assert color_at(half, 64, 256 + 64) == LIGHT["streets"]["water"]
    assert color_at(half, 64, 200) == LIGHT["land"]


def test_an_unchanged_picture_is_not_sent_again(publishable: Api, engine: Engine) -> None:
    first = ask(publishable, center=HERE, zoom=14)
    again = publishable.get(
        "/maps/static",
        params={"width": 512, "height": 512, "center": HERE, "zoom": 14},
        headers={"If-None-Match": first.headers["etag"]},
    )
    assert (again.status_code, first.headers["cache-control"]) == (304, "private, no-cache")
    engine.areas.use(["two"])
    try:
        other = ask(publishable, center=HERE, zoom=14)
        assert other.headers["etag"] != first.headers["etag"]
        assert color_at(read_png(other.content), 200, 200) == LIGHT["streets"]["water"]
    finally:
        engine.areas.use(["one"])


def test_requests_are_answered_while_a_picture_is_drawn(
    publishable: Api, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = threading.Event(), threading.Event()
    active = 0
    most = 0

    def draw(_picture: object) -> bytes:
        nonlocal active, most
        active += 1
        most = max(most, active)
        begun.set()
        assert may_end.wait(30)
        active -= 1
        return b"drawn"

    monkeypatch.setattr(engine.maps.pictures, "draw", draw)
    answers: list[bytes] = []
    asking = [
        threading.Thread(target=lambda: answers.append(ask(publishable, center=HERE, zoom=14).content))
        for _ in range(3)
    ]
    for thread in asking:
        thread.start()
    assert begun.wait(30)
    assert publishable.get(f"/maps/tiles/streets/{Z}/{X}/{Y}.mvt").status_code == 200
    assert publishable.get("/v1/context", params={"coordinates": HERE}).status_code == 200
    may_end.set()
    for thread in asking:
        thread.join(30)
    assert answers == [b"drawn"] * 3
    assert most == 1, "pictures are drawn one after the other"


@pytest.mark.parametrize(
    ("query", "param", "part"),
    [
        ({"width": None}, "width", "required"),
        ({"height": None}, "height", "required"),
        ({"width": 99}, "width", "100"),
        ({"height": 2049}, "height", "2048"),
        ({"width": "300.5"}, "width", "whole number"),
        ({"scale": 4}, "scale", "3"),
        ({"scale": 0.5}, "scale", "1"),
        ({"zoom": 0}, "zoom", "1"),
        ({"zoom": 24}, "zoom", "23"),
        ({"zoom": "near"}, "zoom", "number"),
        ({"zoom": "nan"}, "zoom", "number"),
        ({"zoom": None}, "zoom", "required"),
        ({"center": None}, "center", "required"),
        ({"center": "24.9"}, "center", "latitude,longitude"),
        ({"center": "91,24.9"}, "center", "[-90, 90]"),
        ({"style": "satellite"}, "style", "radar-dark-v1"),
        ({"bbox": "60,24,61"}, "bbox", "minLatitude"),
        ({"bbox": "a,b,c,d"}, "bbox", "minLatitude,minLongitude,maxLatitude,maxLongitude such as 40.7,-74,40.8,-73.9"),
        ({"bbox": "60,24,61,"}, "bbox", "minLatitude"),
        ({"bbox": "60,24,91,25"}, "bbox", "[-90, 90]"),
        ({"bbox": "61,24,60,25"}, "bbox", "southern"),
        ({"markers": "color:0x12|60,24"}, "markers", "0x12"),
        ({"markers": "color:red"}, "markers", "positions"),
        ({"markers": "size:huge|60,24"}, "markers", "small, medium, large"),
        ({"markers": "label:A|60,24"}, "markers", "label"),
        ({"markers": "60,241"}, "markers", "longitude"),
        ({"markers": "|".join(["60,24"] * 501)}, "markers", "500"),
        ({"markers": ["60,24", "x"]}, "markers", "latitude,longitude"),
        ({"path": "60,24"}, "path", "two positions"),
        ({"path": "width:65|60,24|61,24"}, "path", "64"),
        ({"path": "stroke:blau|60,24|61,24"}, "path", "blau"),
        ({"path": "enc:\x7f"}, "path", "polyline"),
        ({"path": "enc:äöü"}, "path", "polyline"),
        ({"path": "color:red|60,24|61,24"}, "path", "color"),
        ({"path": ["60,24|61,24"] * 21}, "path", "20 paths"),
        ({"path": ["60,24|61,24"] * 11, "width": 2048, "height": 2048, "scale": 2.2}, "path", "10 paths"),
        ({"path": ["enc:" + "??" * 1_000, "enc:" + "??" * 1_001]}, "path", "2,000 positions"),
        ({"path": "enc:" + "??" * 1_001, "width": 2048, "height": 2048, "scale": 3}, "path", "1,000 positions"),
    ],
)
def test_an_error_names_the_parameter(publishable: Api, query: dict[str, Any], param: str, part: str) -> None:
    parameters = {"width": 512, "height": 512, "center": HERE, "zoom": 14, **query}
    response = publishable.get(
        "/maps/static", params={name: value for name, value in parameters.items() if value is not None}
    )
    meta = response.json()["meta"]
    assert (response.status_code, meta["param"]) == (400, param)
    assert part in meta["message"], meta["message"]
