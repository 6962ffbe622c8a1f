"""Markers of our own design: a pin in the colour given by the marker's name."""

import re
from typing import Final

from engine.domain.errors import NotFound

COLORS: Final = {
    "default": "#000257",
    "black": "#26323a",
    "blue": "#1f6feb",
    "brown": "#7a5230",
    "gray": "#6b757e",
    "green": "#009e73",
    "orange": "#d55e00",
    "pink": "#cc4b8f",
    "purple": "#8a5a9e",
    "red": "#c42b1c",
    "teal": "#0b7f8c",
    "white": "#ffffff",
    "yellow": "#e6b800",
}
"""The named markers; six hexadecimal digits select any other colour."""

_HEX: Final = re.compile(r"#?([0-9a-fA-F]{6})")
_PIN: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" width="32" height="44" viewBox="0 0 32 44">\
<ellipse cx="16" cy="41" rx="7" ry="2.5" fill="#000" fill-opacity="0.2"/>\
<path d="M16 1.5C8 1.5 1.5 8 1.5 16c0 10.5 14.5 25 14.5 25S30.5 26.5 30.5 16C30.5 8 24 1.5 16 1.5z" \
fill="{color}" stroke="{edge}" stroke-opacity="0.35"/>\
<circle cx="16" cy="16" r="5.5" fill="{dot}"/></svg>
"""


def color_named(name: str) -> str | None:
    """Return a colour as ``#rrggbb`` by its name or its six digits, or None if there is none."""
    digits = _HEX.fullmatch(name)
    return COLORS.get(name) or (f"#{digits[1].lower()}" if digits else None)


def draw_marker(name: str) -> bytes:
    """Return a marker as SVG; raises `NotFound` ``name``."""
    color = color_named(name)
    if color is None:
        known = ", ".join(COLORS)
        raise NotFound("name", f"name: must be {known} or a colour of six hexadecimal digits, not {name!r}.")
    bright = sum(int(color[at : at + 2], 16) for at in (1, 3, 5)) > 3 * 200
    return _PIN.format(color=color, edge="#000000", dot="#26323a" if bright else "#ffffff").encode()
