"""Coordinates as they are copied from elsewhere: from links of maps, geo URIs, WKT, and programs; as a plain pair."""

from __future__ import annotations

import re
from typing import Final

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
"""The marked position comes before the one the map looks at."""

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


def plain(text: str) -> str:
    """Return a text with the coordinates it carries as a plain pair, latitude first, where it carries any; else itself.

    Brackets around it and the minus of typesetters go, in any case.
    """
    text = text.strip().translate(_MINUS)
    inner = _BRACKETS.fullmatch(text)
    text = inner[1] if inner else text
    found = _found(text)
    return f"{found['latitude']}, {found['longitude']}" if found else text


def says_order(text: str) -> bool:
    """Whether a text says itself which of its numbers is the latitude, as a link of a map does."""
    text = text.strip().translate(_MINUS)
    inner = _BRACKETS.fullmatch(text)
    return _found(inner[1] if inner else text) is not None


def _found(text: str) -> re.Match[str] | None:
    return _in_link(text) if "://" in text else _whole(text.replace('"', ""))


def _in_link(text: str) -> re.Match[str] | None:
    return next((found for pattern in _IN_LINKS if (found := pattern.search(text))), None)


def _whole(text: str) -> re.Match[str] | None:
    return next((found for pattern in _WHOLE if (found := pattern.fullmatch(text))), None)
