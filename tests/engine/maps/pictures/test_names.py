"""The names in pictures: which can be drawn, and which are left out."""

from functools import cache

import numpy as np
import pytest
import shapely

from engine.maps.fonts import BOLD, FONTS, OBLIQUE, REGULAR
from engine.maps.pictures.canvas import Canvas, color_of
from engine.maps.pictures.letters import Alphabet
from engine.maps.pictures.names import Names
from engine.maps.pictures.sheet import sheet_of
from engine.maps.pictures.view import View
from engine.maps.tile import Tile
from engine.maps.vector_tiles import encode_layer

pytestmark = pytest.mark.skipif(not FONTS.is_dir(), reason="the web assets have not been built")

alphabet = cache(Alphabet)

ROAD = shapely.LineString([(0, 1024), (4096, 1024)])
PLACE = shapely.Point(2048, 3072)


def written(name: str) -> int:
    """Return the number of pixels that the name of a street and a city changes."""
    tile = encode_layer("street_names", [(ROAD, {"kind": "main", "name": name})])
    tile += encode_layer("places", [(PLACE, {"kind": "suburb", "name": name})])
    view = View(512, 512, 1, 180 / 2**13, 0, 14)
    canvas = Canvas(512, 512, color_of("#808080"))
    names = Names(canvas, view, "light", alphabet)
    names.write_all(sheet_of(view, lambda _: None, 0, 8), sheet_of(view, lambda _: Tile.plain(tile), 4, 14))
    return int((canvas.pixels != 0x80).any(axis=2).sum())


@pytest.mark.parametrize("name", ["Töölö", "Đường Điện Biên Phủ", "Αθήνα", "Невский проспект", "თბილისი", "Երևան"])
@pytest.mark.parametrize("font", [REGULAR, BOLD, OBLIQUE])
def test_names_in_alphabets_of_the_font_are_drawn(name: str, font: str) -> None:
    assert alphabet(font).drawable(name) == name


@pytest.mark.parametrize(
    "name",
    ["東京", "서울역", "ถนนสุขุมวิท", "राजपथ", "شارع محمد الخامس", "דרך השלום", "東京 Tokyo", "Rabat الرباط", "1丁目"],
)
def test_names_with_other_letters_are_left_out(name: str) -> None:
    assert not alphabet(REGULAR).drawable(name)
    assert not written(name)


def test_symbols_that_the_font_lacks_are_left_out() -> None:
    regular = alphabet(REGULAR)
    assert regular.drawable("Café \U0001f9c1 Nord") == "Café  Nord"
    assert regular.drawable("\U0001f9c1") == ""
    assert regular.drawable("\u200eA\u200dB\u00adC") == "ABC"
    assert regular.drawable(" two\nrows\t") == "two rows"
    assert regular.drawable("Cafe\u0301") == "Café"


def test_a_name_is_drawn_along_its_street_and_at_its_place() -> None:
    assert written("Töölö") > 250
    assert written("") == 0


def test_a_name_that_is_left_out_takes_no_room() -> None:
    view = View(512, 512, 1, 180 / 2**13, 0, 14)
    shapes = [(PLACE, {"kind": "suburb", "name": name}) for name in ("東京 都", "Töölö")]
    tile = Tile.plain(encode_layer("places", shapes))
    canvas = Canvas(512, 512, color_of("#808080"))
    names = Names(canvas, view, "light", alphabet)
    names.write_all(sheet_of(view, lambda _: None, 0, 8), sheet_of(view, lambda _: tile, 4, 14))
    assert np.any(canvas.pixels != 0x80)
