"""Typed or pasted positions: coordinates and plus codes (Open Location Code).

Plus codes are either full, such as ``8FVF4GRC+2X``, or short, in which case they need a nearby place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import floor
from typing import Final

from msgspec import Struct

from engine.domain.geometry import Point
from engine.domain.values import replace

_NUMBER = r"[+-]?\d{1,3}(?:\.\d+)?"
_SIXTIETHS = r"\d{1,2}(?:\.\d+)?"
_PLAIN = rf"(?P<degrees>{_NUMBER})\s*[°º]?"
_MARKED = (
    rf"(?P<degrees>{_NUMBER})\s*[°º]\s*"
    rf"(?:(?P<minutes>{_SIXTIETHS})\s*(?:['′’]\s*|(?![\d.]))(?:(?P<seconds>{_SIXTIETHS})\s*(?:[\"″”]|''))?)?"
)
_SPACED = rf"(?P<degrees>[+-]?\d{{1,3}})\s+(?P<minutes>{_SIXTIETHS})(?:\s+(?P<seconds>{_SIXTIETHS}))?"
_LETTER = r"(?P<letter>[NSEWOnsewo])"
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")

_DEGREES: Final = r"[+-]?\d{1,3}(?:\.\d+)?"
_LATITUDE: Final = rf"(?P<latitude>{_DEGREES})"
_LONGITUDE: Final = rf"(?P<longitude>{_DEGREES})"
_COMMA: Final = r"\s*(?:,|%2C)\s*"
_LATITUDE_LABEL: Final = r"lat(?:itude)?\s*[:=]?\s*"
_LONGITUDE_LABEL: Final = r"(?:lng|long?(?:itude)?)\s*[:=]?\s*"
_IN_LINKS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"!3d{_LATITUDE}!4d{_LONGITUDE}",
        rf"[?&]mlat={_LATITUDE}&mlon={_LONGITUDE}",
        rf"[?&](?:q|query|ll|sll|center|destination)={_LATITUDE}{_COMMA}{_LONGITUDE}(?![\d.])",
        rf"@{_LATITUDE},{_LONGITUDE}(?![\d.])",
        rf"#(?:[^#]*&)?map=[\d.]+/{_LATITUDE}/{_LONGITUDE}",
    )
)
"""A marked position takes precedence over the map's centre."""
_WHOLE: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"geo:{_LATITUDE},{_LONGITUDE}(?:[,;?].*)?",
        rf"@{_LATITUDE},{_LONGITUDE}(?:,[\d.]+[zm])?",
        rf"(?:SRID=4326;)?\s*POINT\s*\(\s*{_LONGITUDE}\s+{_LATITUDE}\s*\)",
        rf"{_LATITUDE_LABEL}{_LATITUDE}\s*[,;\s]\s*{_LONGITUDE_LABEL}{_LONGITUDE}",
        rf"{_LONGITUDE_LABEL}{_LONGITUDE}\s*[,;\s]\s*{_LATITUDE_LABEL}{_LATITUDE}",
    )
)
_BRACKETS: Final = re.compile(r"[(\[{]\s*(.*?)\s*[)\]}]")
_MINUS: Final = str.maketrans({"−": "-"})


def _pair(angle: str, between: str) -> re.Pattern[str]:
    """Return a pattern that matches two angles, with numbered groups."""
    first, second = (re.sub(r"\(\?P<(\w+)>", rf"(?P<\g<1>{number}>", angle) for number in (1, 2))
    return re.compile(rf"^\s*{first}{between}{second}\s*$")


_HALF = re.compile(r"^(?=.*[NSEWOnsewo°º])\s*[NSEWOnsewo]?\s*[+-]?\d{1,3},\d+\s*[°º]?\s*[NSEWOnsewo]?\s*$")
"""A single angle with a decimal comma, which must not be read as two angles."""

_BETWEEN = r"\s*[,;]?\s*"
_PATTERNS = (
    _pair(rf"{_PLAIN}\s*{_LETTER}?", r"\s*[,;\s]\s*"),
    _pair(rf"{_LETTER}\s*{_PLAIN}", r"\s*[,;\s]\s*"),
    _pair(rf"{_MARKED}\s*{_LETTER}?", _BETWEEN),
    _pair(rf"{_LETTER}\s*{_MARKED}", _BETWEEN),
    _pair(rf"{_SPACED}\s*{_LETTER}", _BETWEEN),
    _pair(rf"{_LETTER}\s*{_SPACED}", _BETWEEN),
)
"""Letters follow or precede both numbers. They are required for degrees, minutes and seconds separated only by spaces.
"""

_AXES = {"N": "latitude", "S": "latitude", "E": "longitude", "W": "longitude", "O": "longitude"}
_OST = "O is read as east (Ost, Oost); write W for west (Ouest, Oeste, Ovest)."


class TypedPosition(Struct, frozen=True):
    """The result of reading a text that looks like coordinates: a position, or None with an error.

    `swapped` is the position with the numbers in the other order, if only that is valid.
    """

    point: Point | None
    hint: str = ""
    swapped: Point | None = None


class _Angle(Struct, frozen=True):
    degrees: float
    axis: str
    """``latitude``, ``longitude``, or empty if no letter specifies it."""
    letter: str


def typed_position(text: str, *, longitude_first: bool = False) -> TypedPosition | None:
    """Return the coordinates in a text, or None if it contains something else.

    Latitude comes first (or longitude) unless letters say otherwise. Map links and plus codes are also recognised.
    These formats are accepted, all of them also with decimal commas (``47,14 9,52``, ``N 47,14 E 9,52``):

    - ``47.14, 9.52`` or ``47.14 9.52``
    - ``N 47.14 E 9.52``
    - ``47°8'24"N 9°31'12"E``
    - ``47 8 24 N, 9 31 12 E``
    """
    if (middle := full_code(text)) is not None:
        return TypedPosition(middle)
    text, angles = _read(text)
    if angles is None:
        return None
    first, second = angles
    longitude_first = longitude_first and not (first.axis or second.axis or has_explicit_order(text))
    if first.axis == "longitude" or second.axis == "latitude" or longitude_first:
        first, second = second, first
    if first.axis == "longitude" or second.axis == "latitude":
        return TypedPosition(None, "Give one latitude (N or S) and one longitude (E or W).")
    swappable = not (first.axis or second.axis or has_explicit_order(text))
    typed = _position(first.degrees, second.degrees, "second" if longitude_first else "first", swappable=swappable)
    return replace(typed, hint=_OST) if second.letter == "O" and typed.point else typed


_WORDS = re.compile(r"[^\W\d_]{4,}")
_FORMAT_MARKERS = re.compile(r"://|geo:|point|lat|lon|lng|\+", re.IGNORECASE)
_DECIMALS = re.compile(r"\d\.\d")
_MARKS = re.compile(r"[°º′’″'\"]")
_LETTERS = re.compile(r"(?<![^\W\d_])[NSEWO](?![^\W\d_])", re.IGNORECASE)


def position_in(text: str) -> Point | None:
    """Return the position in a text, or None if it may be something else, such as a house number and postal code.

    In ``12 45``, for instance, the numbers are ambiguous. Both must have decimals, degree signs or letters, unless a
    URI or another format identifies them.
    """
    if _WORDS.search(text) and not _FORMAT_MARKERS.search(text):
        # Most texts are addresses, which are quickly recognised.
        return None
    typed = typed_position(text)
    if typed is None or typed.point is None:
        return None
    code = full_code(text)
    text, _ = _read(text)
    is_sure = len(_DECIMALS.findall(text)) == 2 or _MARKS.search(text) or len(_LETTERS.findall(text)) == 2
    return typed.point if is_sure or code or plain(text) != text.strip() else None


def _position(latitude: float, longitude: float, place: str, *, swappable: bool) -> TypedPosition:
    if abs(latitude) <= 90 and abs(longitude) <= 180:
        return TypedPosition(Point(longitude, latitude))
    if abs(latitude) > 90:
        hint = f"Latitude comes {place} and must be between -90 and 90, not {latitude:g}."
    else:
        hint = f"Longitude must be between -180 and 180, not {longitude:g}."
    swapped = Point(latitude, longitude) if swappable and abs(longitude) <= 90 and abs(latitude) <= 180 else None
    return TypedPosition(None, hint, swapped)


def _read(text: str) -> tuple[str, tuple[_Angle, _Angle] | None]:
    """Return a text, with decimal points in place of decimal commas, and the angles in it."""
    angles = _angles(plain(text))
    if angles is not None or "://" in text or not _DECIMAL_COMMA.search(text):
        return text, angles
    pointed = _DECIMAL_COMMA.sub(".", text)
    return pointed, _angles(plain(pointed))


def _angles(text: str) -> tuple[_Angle, _Angle] | None:
    if _HALF.match(text):
        return None
    for pattern in _PATTERNS:
        found = pattern.match(text)
        if found is not None:
            parts = found.groupdict()
            first, second = _angle(parts, 1), _angle(parts, 2)
            return (first, second) if first and second else None
    return None


def _angle(parts: Mapping[str, str | None], number: int) -> _Angle | None:
    degrees, letter = parts[f"degrees{number}"] or "0", (parts.get(f"letter{number}") or "").upper()
    minutes, seconds = (float(parts.get(f"{name}{number}") or 0) for name in ("minutes", "seconds"))
    if minutes >= 60 or seconds >= 60:
        return None
    size = abs(float(degrees)) + minutes / 60 + seconds / 3600
    negative = degrees.startswith("-") != (letter in ("S", "W"))
    return _Angle(round(-size if negative else size, 7), _AXES.get(letter, ""), letter)


_CODE_DIGITS: Final = "23456789CFGHJMPQRVWX"
_BEFORE_PLUS: Final = 8
_IN_PAIRS: Final = 10
"""Number of digits that form pairs of latitude and longitude. Each further digit divides a cell by five and four."""

_MOST_DIGITS: Final = 15
_WORLD_DEG: Final = 400.0
"""Size in degrees of the area that the first pair of digits divides by twenty."""

_FULL_CODE: Final = re.compile(rf"[2-9C][2-9CFGHJMPQRV][{_CODE_DIGITS}]{{0,6}}(0*)\+([{_CODE_DIGITS}]*)", re.IGNORECASE)
_SHORT_CODE: Final = re.compile(
    rf"(?P<code>(?:[{_CODE_DIGITS}]{{2}}){{2,3}}\+[{_CODE_DIGITS}]{{2,7}})[\s,]+(?P<place>\S.*)", re.IGNORECASE
)


class ShortCode(Struct, frozen=True):
    """A plus code without its first digits, and the name of a nearby place."""

    code: str
    place: str

    def near(self, place: Point) -> Point:
        """Return the centre of the nearest cell with this code."""
        missing = _BEFORE_PLUS - self.code.index("+")
        side = _WORLD_DEG / 20 ** (missing // 2)
        north, east = _offset(self.code.replace("+", ""), side, _IN_PAIRS - missing)
        latitude = _nearest(place.latitude, north - 90.0, side)
        if not -90.0 <= latitude <= 90.0:
            latitude -= side if latitude > 0 else -side
        longitude = _nearest(place.longitude, east - 180.0, side)
        return _point(latitude, (longitude + 180.0) % 360.0 - 180.0)


def full_code(text: str) -> Point | None:
    """Return the centre of the cell of a full plus code, or None if a text is not one."""
    code = text.strip().upper()
    if code[_BEFORE_PLUS : _BEFORE_PLUS + 1] == " ":
        # In an unescaped URL, a plus sign becomes a space.
        code = f"{code[:_BEFORE_PLUS]}+{code[_BEFORE_PLUS + 1 :]}"
    found = _FULL_CODE.fullmatch(code)
    if found is None or code.index("+") != _BEFORE_PLUS:
        return None
    padding, after = found[1], found[2]
    if (padding and (after or len(padding) % 2)) or len(after) == 1:
        return None
    digits = code.replace("+", "").rstrip("0")[:_MOST_DIGITS]
    north, east = _offset(digits, _WORLD_DEG, _IN_PAIRS)
    return _point(north - 90.0, east - 180.0) if north <= 180.0 and east <= 360.0 else None


def short_code(text: str) -> ShortCode | None:
    """Return the short plus code and the place in a text such as ``4GRC+2X Vaduz``, or None if it has none."""
    found = _SHORT_CODE.fullmatch(text.strip())
    return ShortCode(found["code"].upper()[:_MOST_DIGITS], found["place"]) if found else None


def _point(latitude: float, longitude: float) -> Point:
    return Point(round(longitude, 7), round(latitude, 7))


def _offset(digits: str, side: float, in_pairs: int) -> tuple[float, float]:
    """Return the offset of a cell's centre, north and east of the corner of the area that its code divides."""
    north = east = 0.0
    high = wide = side
    for at in range(0, min(len(digits), in_pairs), 2):
        high, wide = high / 20, wide / 20
        north += _CODE_DIGITS.index(digits[at]) * high
        east += _CODE_DIGITS.index(digits[at + 1]) * wide
    for digit in digits[in_pairs:]:
        high, wide = high / 5, wide / 4
        row, column = divmod(_CODE_DIGITS.index(digit), 4)
        north, east = north + row * high, east + column * wide
    return north + high / 2, east + wide / 2


def _nearest(place: float, offset: float, side: float) -> float:
    """Return the value nearest to a place that differs from the offset by a multiple of the side."""
    return offset + side * floor((place - offset) / side + 0.5)


def plain(text: str) -> str:
    """Return the coordinates in a text as a plain pair, latitude first, or the text itself if it has none.

    In either case, surrounding brackets are removed and typographic minus signs replaced.
    """
    text = text.strip().translate(_MINUS)
    inner = _BRACKETS.fullmatch(text)
    text = inner[1] if inner else text
    found = _found(text)
    return f"{found['latitude']}, {found['longitude']}" if found else text


def has_explicit_order(text: str) -> bool:
    """Return whether a text specifies which of its numbers is the latitude, as map links do."""
    text = text.strip().translate(_MINUS)
    inner = _BRACKETS.fullmatch(text)
    return _found(inner[1] if inner else text) is not None


def _found(text: str) -> re.Match[str] | None:
    return _in_link(text) if "://" in text else _whole(text.replace('"', ""))


def _in_link(text: str) -> re.Match[str] | None:
    return next((found for pattern in _IN_LINKS if (found := pattern.search(text))), None)


def _whole(text: str) -> re.Match[str] | None:
    return next((found for pattern in _WHOLE if (found := pattern.fullmatch(text))), None)
