"""The letters of a font as MapLibre reads them: for each its distance field, in messages of 256 code points."""

from __future__ import annotations

import gzip
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.domain.errors import InvalidParameter, NotFound
from engine.maps.protobuf import block, number, zigzag

if TYPE_CHECKING:
    import freetype

FONTS: Final = Path(__file__).parents[2] / "resources" / "web" / "assets" / "dejavu"
FILES: Final = {
    "DejaVu Sans Condensed": "DejaVuSansCondensed.ttf",
    "DejaVu Sans Condensed Bold": "DejaVuSansCondensed-Bold.ttf",
    "DejaVu Sans Condensed Oblique": "DejaVuSansCondensed-Oblique.ttf",
    # What MapLibre asks for where a layer of somebody's own names no font.
    "Open Sans Regular": "DejaVuSansCondensed.ttf",
}
REGULAR, BOLD, OBLIQUE = list(FILES)[:3]
IN_RANGE: Final = 256

_LAST: Final = 0xFFFF
_PIXELS: Final = 24
_FIELD: Final = 8
"""How far FreeType's field reaches beyond a letter's edge, in pixels; its 128 is the edge."""

_BORDER: Final = 3
"""How much of that a reader expects; its field has the edge at 191, and 255 for eight pixels."""

_EDGE: Final = 191.25
_BASELINE: Final = 26
"""How far above the baseline a line begins for the reader, which centres the letters between."""

_KEPT: Final = 256


class Glyphs:
    """Letters of the fonts that the maps are written with; drawn when they are first asked for."""

    def __init__(self) -> None:
        self._fonts: dict[str, _Font] = {}
        self._lock = Lock()
        self._kept = lru_cache(_KEPT)(self._draw)

    def letters(self, stack: str, start: int) -> bytes:
        """Return the letters of 256 code points from `start` on, packed with gzip, in the first known font of a stack.

        Raises `NotFound` ``fontstack`` where none of them is known, `InvalidParameter` ``range``.
        """
        if start % IN_RANGE or not 0 <= start <= _LAST:
            last = _LAST - IN_RANGE + 1
            raise InvalidParameter("range", f"range: must begin at a multiple of 256 within [0, {last}], not {start}.")
        known = next((name for name in stack.split(",") if name in FILES), None)
        if known is None:
            raise NotFound("fontstack", f"fontstack: must be one of {', '.join(FILES)}, not {stack!r}.")
        return self._kept(known, start)

    def _draw(self, name: str, start: int) -> bytes:
        # FreeType lets one thread at a time use a font.
        with self._lock:
            if name not in self._fonts:
                self._fonts[name] = _Font(FONTS / FILES[name])
            drawn = b"".join(map(self._fonts[name].letter, range(start, start + IN_RANGE)))
        span = f"{start}-{start + IN_RANGE - 1}"
        return gzip.compress(block(1, block(1, name.encode()) + block(2, span.encode()) + drawn), mtime=0)


class _Font:
    """One font, at the one size that readers expect."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @cached_property
    def _face(self) -> freetype.Face:
        # Not before somebody asks for letters: the endpoint does, the window does not.
        import freetype

        try:
            face = freetype.Face(str(self._file))
        except freetype.FT_Exception:
            raise NotFound("fontstack", f"{self._file.name} is missing: the web assets have not been built.") from None
        face.set_pixel_sizes(0, _PIXELS)
        return face

    def letter(self, code: int) -> bytes:
        """Return the message of a letter; nothing for one that the font has not."""
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
