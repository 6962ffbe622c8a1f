"""The fonts of the maps."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from engine.domain.errors import NotFound

if TYPE_CHECKING:
    import freetype

FONTS: Final = Path(__file__).parents[2] / "resources" / "web" / "assets" / "dejavu"
FILES: Final = {
    "DejaVu Sans Condensed": "DejaVuSansCondensed.ttf",
    "DejaVu Sans Condensed Bold": "DejaVuSansCondensed-Bold.ttf",
    "DejaVu Sans Condensed Oblique": "DejaVuSansCondensed-Oblique.ttf",
    # The font that MapLibre requests if a user's layer names none.
    "Open Sans Regular": "DejaVuSansCondensed.ttf",
}
REGULAR, BOLD, OBLIQUE = list(FILES)[:3]

_opening: Final = Lock()


def open_font(name: str) -> freetype.Face:
    """Return a font, which only one thread at a time may use; raises `NotFound` ``fontstack`` if it is missing."""
    # Imported on first use: the endpoint needs it, the window does not.
    import freetype

    file = FONTS / FILES[name]
    # FreeType opens one font at a time.
    with _opening:
        try:
            return freetype.Face(str(file))
        except freetype.FT_Exception:
            raise NotFound("fontstack", f"{file.name} is missing: the web assets have not been built.") from None
