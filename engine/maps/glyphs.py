"""Glyphs of a font in the format of MapLibre: a distance field for each, in messages of 256 code points."""

from __future__ import annotations

import gzip
from functools import cached_property, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.domain.errors import InvalidParameter, NotFound
from engine.maps.fonts import FILES, open_font
from engine.maps.protobuf import block, number, zigzag

if TYPE_CHECKING:
    import freetype

IN_RANGE: Final = 256

_LAST: Final = 0xFFFF
_PIXELS: Final = 24
_FIELD: Final = 8
"""How far FreeType's field extends beyond the edge of a glyph, in pixels; the edge has the value 128."""

_BORDER: Final = 3
"""The part of the field that a client expects. Its edge has the value 191, and 255 is eight pixels away."""

_EDGE: Final = 191.25
_BASELINE: Final = 26
"""Height of the top of a line above the baseline for the client, which centres the glyphs in between."""

_KEPT: Final = 256


class Glyphs:
    """Glyphs of the fonts used by the maps, drawn on first use."""

    def __init__(self) -> None:
        self._fonts: dict[str, _Font] = {}
        self._lock = Lock()
        self._kept = lru_cache(_KEPT)(self._draw)

    def letters(self, stack: str, start: int) -> bytes:
        """Return 256 glyphs from `start` on, compressed with gzip, in the first known font of a stack.

        Raises `NotFound` for ``fontstack`` if none of the fonts is known, `InvalidParameter` for an invalid ``range``.
        """
        if start % IN_RANGE or not 0 <= start <= _LAST:
            last = _LAST - IN_RANGE + 1
            raise InvalidParameter("range", f"range: must begin at a multiple of 256 within [0, {last}], not {start}.")
        known = next((name for name in stack.split(",") if name in FILES), None)
        if known is None:
            raise NotFound("fontstack", f"fontstack: must be one of {', '.join(FILES)}, not {stack!r}.")
        return self._kept(known, start)

    def _draw(self, name: str, start: int) -> bytes:
        # FreeType allows only one thread at a time to use a font.
        with self._lock:
            if name not in self._fonts:
                self._fonts[name] = _Font(name)
            drawn = b"".join(map(self._fonts[name].letter, range(start, start + IN_RANGE)))
        span = f"{start}-{start + IN_RANGE - 1}"
        return gzip.compress(block(1, block(1, name.encode()) + block(2, span.encode()) + drawn), mtime=0)


class _Font:
    """A font at the only size that clients expect."""

    def __init__(self, name: str) -> None:
        self._name = name

    @cached_property
    def _face(self) -> freetype.Face:
        face = open_font(self._name)
        face.set_pixel_sizes(0, _PIXELS)
        return face

    def letter(self, code: int) -> bytes:
        """Return the message of a glyph, or an empty one if the font does not have it."""
        if not self._face.get_char_index(code):
            return b""
        import freetype

        self._face.load_char(chr(code), freetype.FT_LOAD_NO_HINTING | freetype.FT_LOAD_NO_BITMAP)
        glyph = self._face.glyph
        head, tail = number(1, code), number(7, round(glyph.advance.x / 64))
        if not glyph.outline.n_points:
            return block(3, head + number(3, 0) + number(4, 0) + number(5, 0) + number(6, 0) + tail)
        glyph.render(freetype.FT_RENDER_MODE_SDF)
        bitmap = glyph.bitmap
        field = np.array(bitmap.buffer, dtype=np.float64).reshape(bitmap.rows, bitmap.pitch)[:, : bitmap.width]
        cut = _FIELD - _BORDER
        inside_px = (field[cut:-cut, cut:-cut] - 128) * _FIELD / 128
        levels = np.clip(np.rint(_EDGE + inside_px * 255 / _FIELD), 0, 255).astype(np.uint8)
        height, width = (size - 2 * _BORDER for size in levels.shape)
        left, top = glyph.bitmap_left + _FIELD, glyph.bitmap_top - _FIELD - _BASELINE
        place = number(3, width) + number(4, height) + number(5, zigzag(left)) + number(6, zigzag(top))
        return block(3, head + block(2, levels.tobytes()) + place + tail)
