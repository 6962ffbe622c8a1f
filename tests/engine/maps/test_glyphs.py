"""Glyphs as MapLibre reads them."""

import gzip
from typing import Any

import numpy as np
import pytest

from engine.domain.errors import InvalidParameter, NotFound
from engine.maps.fonts import BOLD, FONTS, OBLIQUE, REGULAR
from engine.maps.glyphs import Glyphs
from engine.maps.protobuf import fields

pytestmark = pytest.mark.skipif(not FONTS.is_dir(), reason="the web assets have not been built")


@pytest.fixture(scope="module")
def glyphs() -> Glyphs:
    return Glyphs()


def letters(glyphs: Glyphs, font: str, start: int) -> dict[str, dict[int, Any]]:
    """Return the fields of each glyph."""
    ((_, stack),) = fields(gzip.decompress(glyphs.letters(font, start)))
    assert isinstance(stack, bytes)
    parts = list(fields(stack))
    assert parts[1] == (2, f"{start}-{start + 255}".encode())
    found = [dict(fields(part)) for number, part in parts if number == 3 and isinstance(part, bytes)]
    return {chr(int(letter[1])): letter for letter in found}


def drawn(letter: dict[int, Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the bitmap of a glyph, including the border of three pixels that its size excludes."""
    return np.frombuffer(letter[2], dtype=np.uint8).reshape(letter[4] + 6, letter[3] + 6)


def test_a_letter_has_its_edge_at_the_threshold_of_readers(glyphs: Glyphs) -> None:
    found = letters(glyphs, REGULAR, 0)
    solid = drawn(found["I"]) >= 191
    rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
    assert len(rows) == pytest.approx(17.5, abs=1)
    assert len(columns) == pytest.approx(2.4, abs=1)
    assert rows[0] == 3 or rows[0] == 4
    assert drawn(found["I"])[0].max() < 191 - 2.5 * 255 / 8


def test_letters_stand_in_the_middle_of_a_line(glyphs: Glyphs) -> None:
    # The reader puts the middle of a line 17 pixels below its top, and a glyph's top above that by its own offset.
    letter = letters(glyphs, REGULAR, 0)["H"]
    top = (letter[6] >> 1) ^ -(letter[6] & 1)
    assert -17 - top + letter[4] / 2 == pytest.approx(0, abs=1)


def test_spaces_are_wide_and_empty(glyphs: Glyphs) -> None:
    space = letters(glyphs, REGULAR, 0)[" "]
    assert 2 not in space
    assert 5 <= space[7] <= 8


@pytest.mark.slow
def test_fonts_differ_and_have_other_alphabets(glyphs: Glyphs) -> None:
    assert letters(glyphs, BOLD, 0)["a"][2] != letters(glyphs, OBLIQUE, 0)["a"][2]
    for letter in "äßłŠЖΩאعქհ":
        assert letter in letters(glyphs, REGULAR, ord(letter) // 256 * 256), letter
    assert letters(glyphs, REGULAR, 0x4E00) == {}


def test_the_first_known_font_of_a_stack_is_taken(glyphs: Glyphs) -> None:
    assert glyphs.letters(f"Arial,{BOLD},{REGULAR}", 0) == glyphs.letters(BOLD, 0)
    assert letters(glyphs, "Open Sans Regular,Arial Unicode MS Regular", 0)["a"] == letters(glyphs, REGULAR, 0)["a"]


def test_unknown_fonts_and_ranges_are_named(glyphs: Glyphs) -> None:
    with pytest.raises(NotFound) as unknown:
        glyphs.letters("Comic Sans", 0)
    assert unknown.value.param == "fontstack"
    for start in (1, -256, 65536):
        with pytest.raises(InvalidParameter) as refused:
            glyphs.letters(REGULAR, start)
        assert refused.value.param == "range"
