"""A picture in memory, on which outlines are filled with smooth edges."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.domain.errors import FencewrightError
from engine.maps.pictures.outlines import clipped

if TYPE_CHECKING:
    from engine.maps.pictures.outlines import Outline

type Color = tuple[int, int, int, float]
"""Red, green and blue, 0 to 255, and the opacity, 0 to 1."""

type Coverage = NDArray[np.uint8]

_MOST: Final = 30_000
"""Positions per call of FreeType, which counts them in 16 bits."""

_PART: Final = 512
"""Edge of the part of a picture that FreeType fills at once.

It fails if outlines touch more than about 680 pixels of one row, and is slow if lines go far beyond the part.
"""

_UNITS: Final = 64
"""FreeType's units per pixel."""

_BLOCK: Final = 128
_MANY: Final = 0.1
"""Share of the pixels of a block from which all of them are mixed."""

_WHOLE: Final = 255
_LANES: Final = 0x00FF00FF
_HALVES: Final = 0x00800080
_GRAY: Final = 2
_LONG: Final = np.dtype(ctypes.c_long)
_RGBA: Final = re.compile(r"rgba\((\d+), (\d+), (\d+), ([\d.]+)\)")


class PictureFailed(FencewrightError):
    """FreeType could not fill an outline."""


def color_of(written: str, opacity: float = 1.0) -> Color:
    """Return a colour written as ``#rrggbb`` or ``rgba(r, g, b, a)``."""
    found = _RGBA.fullmatch(written)
    if found is not None:
        return int(found[1]), int(found[2]), int(found[3]), float(found[4]) * opacity
    red, green, blue = (int(written[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue, opacity


class Canvas:
    """A picture of `width` and `height`, first filled with a colour. Only one thread may use it."""

    def __init__(self, width: int, height: int, background: Color) -> None:
        self.width, self.height = width, height
        self._pixels = np.empty((height, width, 4), np.uint8)
        self._pixels.view(np.uint32)[:] = _packed(background)
        self._filler = _Filler()

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """Rows of RGB pixels."""
        return self._pixels[:, :, :3]

    def fill(self, outline: Outline, color: Color) -> None:
        """Fill an outline."""
        box = self._box(outline.positions)
        if box is None:
            return
        left, top, right, bottom = box
        for north in range(top, bottom, _PART):
            south = min(north + _PART, bottom)
            rows = clipped(outline, (left, north, right, south))
            for west in range(left, right, _PART):
                east = min(west + _PART, right)
                part = clipped(rows, (west, north, east, south))
                coverage = np.zeros((south - north, east - west), np.uint8)
                for positions, ends in _portions(part):
                    covered = self._filler.fill(positions - (west, north), ends, coverage.shape)
                    np.maximum(coverage, covered, out=coverage)
                _blend(self._pixels[north:south, west:east], coverage, color)

    def _box(self, positions: NDArray[np.float64]) -> tuple[int, int, int, int] | None:
        """Return the part of the picture that an outline may touch."""
        if not len(positions):
            return None
        low = np.maximum(np.floor(positions.min(axis=0)), 0).astype(int)
        high = np.minimum(np.ceil(positions.max(axis=0)), (self.width, self.height)).astype(int)
        if (low >= high).any():
            return None
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])


class _Filler:
    """FreeType's rasterizer, which covers pixels in proportion to their area within an outline.

    It is an instance of its own, since one may be used by one thread only. Its calls let other threads run.
    """

    def __init__(self) -> None:
        # Imported on first use: the endpoint needs it, the window does not.
        from freetype import raw

        self._raw: Any = raw
        self._library = raw.FT_Library()
        if raw.FT_Init_FreeType(ctypes.byref(self._library)):
            raise PictureFailed("FreeType does not start.")

    def __del__(self) -> None:
        self._raw.FT_Done_FreeType(self._library)

    def fill(self, positions: NDArray[np.float64], ends: NDArray[np.intp], shape: tuple[int, ...]) -> Coverage:
        """Return how much of each pixel is within the rings that end before `ends`."""
        raw, (height, width) = self._raw, shape
        places = np.empty((len(positions), 2), _LONG)
        places[:, 0] = np.rint(positions[:, 0] * _UNITS)
        places[:, 1] = np.rint((height - positions[:, 1]) * _UNITS)
        tags, contours = np.ones(len(places), np.uint8), (ends - 1).astype(np.int16)
        covered = np.zeros((height, width), np.uint8)
        outline, bitmap = raw.FT_Outline(), raw.FT_Bitmap()
        outline.n_points, outline.n_contours = len(places), len(contours)
        for name, array in (("points", places), ("tags", tags), ("contours", contours)):
            setattr(outline, name, ctypes.cast(array.ctypes.data, type(getattr(outline, name))))
        bitmap.rows, bitmap.width, bitmap.pitch = height, width, width
        bitmap.num_grays, bitmap.pixel_mode = 256, _GRAY
        bitmap.buffer = ctypes.cast(covered.ctypes.data, type(bitmap.buffer))
        error = raw.FT_Outline_Get_Bitmap(self._library, ctypes.byref(outline), ctypes.byref(bitmap))
        if error:
            raise PictureFailed(f"FreeType cannot fill an outline: error {error}.")
        return covered


def _portions(outline: Outline) -> Iterator[tuple[NDArray[np.float64], NDArray[np.intp]]]:
    """Yield positions, at most as many as FreeType takes, and the ends of their rings; holes stay with their rings."""
    ends = np.cumsum(outline.lengths)
    begins = np.append(np.flatnonzero(~outline.holes), len(ends))
    shapes = np.append(0, ends)[begins]
    at = 0
    while at < len(begins) - 1:
        upto = max(int(np.searchsorted(shapes, shapes[at] + _MOST, "right")) - 1, at + 1)
        first, last = int(shapes[at]), int(shapes[upto])
        positions, counted = outline.positions[first:last], ends[begins[at] : begins[upto]] - first
        yield (positions, counted) if last - first <= _MOST else _thinned(positions, counted)
        at = upto


def _thinned(positions: NDArray[np.float64], ends: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return a shape that is too long for FreeType without its smallest details."""
    step = 2 + len(positions) // _MOST
    rings = [ring[::step] for ring in np.split(positions, ends[:-1]) if len(ring) > 2 * step]
    rings = rings[: _MOST // step] or [positions[::step]]
    return np.concatenate(rings), np.cumsum([len(ring) for ring in rings])


def _blend(pixels: NDArray[np.uint8], coverage: Coverage, color: Color) -> None:
    """Mix a colour into RGBX pixels, block by block: most of a coverage is empty, and small arrays are fast."""
    height, width = coverage.shape
    for row, column in product(range(0, height, _BLOCK), range(0, width, _BLOCK)):
        block = slice(row, row + _BLOCK), slice(column, column + _BLOCK)
        if (mask := coverage[block]).any():
            _blend_block(pixels[block], mask, color)


def _blend_block(pixels: NDArray[np.uint8], mask: Coverage, color: Color) -> None:
    packed = pixels.view(np.uint32)[:, :, 0]
    is_mixed = mask > 0
    if color[-1] == 1:
        is_whole = mask == _WHOLE
        np.copyto(packed, _packed(color), where=is_whole)
        # Only the edges of an outline are left.
        is_mixed ^= is_whole
    if np.count_nonzero(is_mixed) > mask.size * _MANY:
        # Faster than to pick the pixels; the others stay the same.
        packed[:] = _mixed(packed, mask[:1, :1] if mask.min() == _WHOLE else mask, color)
    else:
        at = np.nonzero(is_mixed)
        packed[at] = _mixed(packed[at], mask[at], color)


def _mixed(packed: NDArray[np.uint32], mask: Coverage, color: Color) -> NDArray[np.uint32]:
    """Return pixels, each as one number, mixed with a colour."""
    share = np.rint(mask * np.float32(color[-1])).astype(np.uint32)
    rest, ink = _WHOLE - share, _packed(color)
    found = np.zeros_like(packed)
    for lane in (0, 8):
        # Two of the four bytes at once: each has 16 bits.
        mixed = ((packed >> lane) & _LANES) * rest + ((ink >> lane) & _LANES) * share + _HALVES
        mixed += (mixed >> 8) & _LANES
        found |= ((mixed >> 8) & _LANES) << lane
    return found


def _packed(color: Color) -> NDArray[np.uint32]:
    """Return the four bytes of a pixel as one number."""
    return np.array([*color[:3], 0], np.uint8).view(np.uint32)
