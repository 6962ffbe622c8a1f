"""Plus codes (Open Location Code): full ones such as ``8FVF4GRC+2X``, and short ones, which need a place nearby."""

import re
from math import floor
from typing import Final

from engine.domain.geometry import Point
from engine.domain.values.dataclass import dataclass

_DIGITS: Final = "23456789CFGHJMPQRVWX"
_BEFORE_PLUS: Final = 8
_IN_PAIRS: Final = 10
"""Digits that come in pairs, of latitude and longitude; each further one divides a cell by five and four."""

_MOST: Final = 15
_WORLD_DEG: Final = 400.0
"""The side of what the first pair divides into twenty."""

_FULL: Final = re.compile(rf"[2-9C][2-9CFGHJMPQRV][{_DIGITS}]{{0,6}}(0*)\+([{_DIGITS}]*)", re.IGNORECASE)
_SHORT: Final = re.compile(
    rf"(?P<code>(?:[{_DIGITS}]{{2}}){{2,3}}\+[{_DIGITS}]{{2,7}})[\s,]+(?P<place>\S.*)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ShortCode:
    """A plus code without its first digits, and the name of a place near it."""

    code: str
    place: str

    def near(self, place: Point) -> Point:
        """Return the middle of the nearest cell that has this code."""
        missing = _BEFORE_PLUS - self.code.index("+")
        side = _WORLD_DEG / 20 ** (missing // 2)
        north, east = _offset(self.code.replace("+", ""), side, _IN_PAIRS - missing)
        latitude = _nearest(place.latitude, north - 90.0, side)
        if not -90.0 <= latitude <= 90.0:
            latitude -= side if latitude > 0 else -side
        longitude = _nearest(place.longitude, east - 180.0, side)
        return _point(latitude, (longitude + 180.0) % 360.0 - 180.0)


def full_code(text: str) -> Point | None:
    """Return the middle of the cell that a full plus code is; None where a text is none."""
    code = text.strip().upper()
    if code[_BEFORE_PLUS : _BEFORE_PLUS + 1] == " ":
        # In an address of the web that nobody escaped, a plus is a space.
        code = f"{code[:_BEFORE_PLUS]}+{code[_BEFORE_PLUS + 1 :]}"
    found = _FULL.fullmatch(code)
    if found is None or code.index("+") != _BEFORE_PLUS:
        return None
    padding, after = found[1], found[2]
    if (padding and (after or len(padding) % 2)) or len(after) == 1:
        return None
    digits = code.replace("+", "").rstrip("0")[:_MOST]
    north, east = _offset(digits, _WORLD_DEG, _IN_PAIRS)
    return _point(north - 90.0, east - 180.0) if north <= 180.0 and east <= 360.0 else None


def short_code(text: str) -> ShortCode | None:
    """Return the short plus code and the place that a text is: ``4GRC+2X Vaduz``; None where it is neither."""
    found = _SHORT.fullmatch(text.strip())
    return ShortCode(found["code"].upper()[:_MOST], found["place"]) if found else None


def _point(latitude: float, longitude: float) -> Point:
    return Point(round(longitude, 7), round(latitude, 7))


def _offset(digits: str, side: float, in_pairs: int) -> tuple[float, float]:
    """Return where the middle of a cell is, north and east of the corner of what its code divides."""
    north = east = 0.0
    high = wide = side
    for at in range(0, min(len(digits), in_pairs), 2):
        high, wide = high / 20, wide / 20
        north += _DIGITS.index(digits[at]) * high
        east += _DIGITS.index(digits[at + 1]) * wide
    for digit in digits[in_pairs:]:
        high, wide = high / 5, wide / 4
        row, column = divmod(_DIGITS.index(digit), 4)
        north, east = north + row * high, east + column * wide
    return north + high / 2, east + wide / 2


def _nearest(place: float, offset: float, side: float) -> float:
    """Return which of all values that are an offset and any number of sides is nearest to a place."""
    return offset + side * floor((place - offset) / side + 0.5)
