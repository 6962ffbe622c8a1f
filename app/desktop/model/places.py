"""Coordinates as people type or paste them."""

import re

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, check_latitude, check_longitude

_NUMBER = r"([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*"
_PAIR = re.compile(rf"^\s*{_NUMBER}([NSns]?)\s*[,;\s]\s*{_NUMBER}([EWew]?)\s*$")


def parse_position(text: str) -> Point | None:
    """Return the position in a text such as ``51.13, 1.31`` (latitude first) or ``33.9°S 18.4°E``, else None."""
    found = _PAIR.match(text)
    if found is None:
        return None
    latitude = float(found[1]) * (-1 if found[2] in "Ss" and found[2] else 1)
    longitude = float(found[3]) * (-1 if found[4] in "Ww" and found[4] else 1)
    try:
        return Point(check_longitude(longitude, "longitude"), check_latitude(latitude, "latitude"))
    except InvalidParameter:
        return None
