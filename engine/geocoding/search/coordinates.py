"""A position instead of an address: coordinates as people write them, geo URIs and plus codes."""

from collections.abc import Sequence
from dataclasses import replace

from engine.domain.addresses.address import Address, ForwardQuery, MatchConfidence, ReverseQuery
from engine.domain.geometry import Point
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.reverse import reverse


def at_position(
    areas: Sequence[Finder], world: Sequence[Finder], query: ForwardQuery, point: Point
) -> tuple[Address, ...]:
    """Return what is at the position that a query is, never as exact."""
    asked = ReverseQuery(point=point, layers=query.layers, language=query.language, limit=query.limit)
    return tuple(
        replace(each, confidence=MatchConfidence.FALLBACK, distance_m=None)
        for each in reverse(areas, world, asked)
        if not query.countries or each.country_code in query.countries
    )
