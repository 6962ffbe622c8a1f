"""Letters as outlines, and lines of text."""

import unicodedata
from functools import cache
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.maps.fonts import open_font
from engine.maps.pictures.view import Positions

_EM_PX: Final = 128
"""Size at which outlines are read from the font; they are scaled afterwards."""

_UNITS: Final = 64
_CURVE: Final = np.linspace(0.25, 1, 4)[:, None]
_CAPITALS: Final = 0.72
"""Height of capitals, in ems, by which text is centred."""

_FROM_RIGHT: Final = frozenset(("R", "AL", "AN"))


class Letter(Struct, frozen=True):
    """A letter in ems: its rings from the baseline, to the right and down, and its width."""

    rings: tuple[Positions, ...]
    width: float


class Alphabet:
    """The letters of a font, read on first use. Only one thread at a time may use it."""

    def __init__(self, name: str) -> None:
        self._font = open_font(name)
        self._font.set_pixel_sizes(0, _EM_PX)
        self._letter = cache(self._read)

    def drawable(self, text: str) -> str:
        """Return a text without symbols that the font lacks, or no text if it lacks a letter or digit.

        A text with letters written from right to left is not returned either: they would have to be joined and
        reordered.
        """
        kept = ""
        for character in unicodedata.normalize("NFC", " ".join(text.split())):
            category = unicodedata.category(character)
            if category == "Cf":
                # Marks that only control the direction or the breaks of a line.
                continue
            if unicodedata.bidirectional(character) in _FROM_RIGHT:
                return ""
            if self._letter(character) is not None:
                kept += character
            elif category[0] in "LMN":
                return ""
        return kept.strip()

    def letters(self, text: str) -> list[Letter]:
        """Return the letters of a text, without those that the font lacks."""
        return [letter for letter in map(self._letter, text) if letter is not None]

    def _read(self, character: str) -> Letter | None:
        import freetype

        if not self._font.get_char_index(character):
            return None
        self._font.load_char(character, freetype.FT_LOAD_NO_HINTING | freetype.FT_LOAD_NO_BITMAP)
        outline = self._font.glyph.outline
        positions = np.array(outline.points, dtype=np.float64).reshape(-1, 2) * (1, -1) / (_EM_PX * _UNITS)
        on_curve = np.array(outline.tags, dtype=np.uint8) & 1 == 1
        ends = [end + 1 for end in outline.contours]
        starts = [0, *ends][:-1]
        rings = tuple(_flattened(positions[a:b], on_curve[a:b]) for a, b in zip(starts, ends, strict=True) if b - a > 2)
        return Letter(rings, self._font.glyph.advance.x / (_EM_PX * _UNITS))


def _flattened(points: Positions, on_curve: NDArray[np.bool_]) -> Positions:
    """Return a ring of quadratic curves as straight lines."""
    # Between two control points, the curve passes the middle.
    whole: list[tuple[Any, bool]] = []
    for at, point in enumerate(points):
        if not on_curve[at] and not on_curve[at - 1]:
            whole.append(((points[at - 1] + point) / 2, True))
        whole.append((point, bool(on_curve[at])))
    first = next(at for at, (_, on) in enumerate(whole) if on)
    whole = [*whole[first:], *whole[: first + 1]]
    drawn = [whole[0][0][None]]
    for at in range(1, len(whole)):
        point, on = whole[at]
        if not on:
            before, after = whole[at - 1][0], whole[at + 1][0]
            drawn.append((1 - _CURVE) ** 2 * before + 2 * (1 - _CURVE) * _CURVE * point + _CURVE**2 * after)
        elif whole[at - 1][1]:
            drawn.append(point[None])
    return np.concatenate(drawn)


class Line(Struct, frozen=True):
    """A line of text at a size: the middle of each letter along the line, its rings around it, and the length."""

    middles: NDArray[np.float64]
    rings: tuple[tuple[Positions, ...], ...]
    length: float

    def straight(self, x: float, y: float) -> list[Positions]:
        """Return the rings with the middle of the line at a position."""
        letters = zip(self.middles.tolist(), self.rings, strict=True)
        return [ring + np.array([x + middle - self.length / 2, y]) for middle, rings in letters for ring in rings]

    def turned(self, places: Positions, angles: NDArray[np.float64]) -> list[Positions]:
        """Return the rings with each letter at its own place and angle."""
        turned = []
        for place, angle, rings in zip(places, angles, self.rings, strict=True):
            cos, sin = np.cos(angle), np.sin(angle)
            turned += [ring @ np.array([[cos, sin], [-sin, cos]]) + place for ring in rings]
        return turned


def set_line(alphabet: Alphabet, text: str, size: float) -> Line:
    """Return a line of text, vertically centred on its capitals."""
    letters = alphabet.letters(text)
    widths = np.array([letter.width for letter in letters]) * size
    middles = np.cumsum(widths) - widths / 2
    down = _CAPITALS / 2 * size
    rings = tuple(
        tuple(ring * size + np.array([-width / 2, down]) for ring in letter.rings)
        for letter, width in zip(letters, widths.tolist(), strict=True)
    )
    return Line(middles, rings, float(widths.sum()))
