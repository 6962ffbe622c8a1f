"""A position written as two numbers: ``47.14, 9.52``, latitude first as people write it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.domain.addresses.address import Address, ForwardQuery, MatchConfidence, ReverseQuery
from engine.domain.geometry import Point
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.reverse import reverse

_PAIR: Final = re.compile(
    r"\s*(?P<latitude>[+-]?\d{1,2}\.\d+)\s*\u00b0?\s*(?P<north>[NS])?\s*[,;\s]\s*"
    r"(?P<longitude>[+-]?\d{1,3}\.\d+)\s*\u00b0?\s*(?P<east>[EW])?\s*",
    re.IGNORECASE,
)


def position_in(text: str) -> Point | None:
    """Return the position that a text is, with decimals and nothing else beside it; None where it is none."""
    found = _PAIR.fullmatch(text)
    if found is None:
        return None
    latitude = float(found["latitude"]) * (-1 if (found["north"] or "").upper() == "S" else 1)
    longitude = float(found["longitude"]) * (-1 if (found["east"] or "").upper() == "W" else 1)
    return Point(longitude, latitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


def at_position(areas: Sequence[Finder], world: Sequence[Finder], query: ForwardQuery) -> tuple[Address, ...] | None:
    """Return what is at the position that a query is, never as exact; None where it is none."""
    point = position_in(query.text)
    if point is None:
        return None
    asked = ReverseQuery(point=point, layers=query.layers, language=query.language, limit=query.limit)
    return tuple(
        replace(each, confidence=MatchConfidence.FALLBACK, distance_m=None)
        for each in reverse(areas, world, asked)
        if not query.countries or each.country_code in query.countries
    )
