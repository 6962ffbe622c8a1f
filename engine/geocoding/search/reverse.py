"""Reverse geocoding: the nearest address to a position, and the divisions that it lies in."""

from collections.abc import Iterator, Sequence
from typing import Final

import shapely
from msgspec import Struct

from engine.domain.addresses.address import (
    COARSE,
    DIVISIONS,
    Address,
    AddressLanguage,
    Layer,
    MatchConfidence,
    ReverseQuery,
)
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.gazetteer.reader import AddressContext, Gazetteer, NamedDivision
from engine.gazetteer.text import fold
from engine.geo.earth import distance_m, metres_per_degree
from engine.geocoding.search.answers import division_address, place_address, street_address
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.crossings import nearest_crossing
from engine.geocoding.search.houses import HouseFound
from engine.geocoding.search.nearby import HOUSE_WITHIN_M, box_around, nearest_house, street_name

STREET_WITHIN_M: Final = 250.0
"""Maximum distance in metres of a street that is the address of a position without a house."""

_NEARER_M: Final = 1.0
"""Margin in metres by which a place with its own address must be nearer than a house to provide the address."""

PLACE_WITHIN_M: Final = 100.0
LOCALITY_WITHIN_M: Final = 10_000.0
"""Maximum distance in metres of the nearest locality for a position outside the outlines of all localities."""

_REMEMBERED: Final = 5_000
_RINGS_M: Final = (25.0, HOUSE_WITHIN_M)
_PARTS: Final = {Layer.LOCALITY: "city", Layer.COUNTY: "county", Layer.STATE: "state", Layer.COUNTRY: "country"}
_SMALL_TO_LARGE: Final = (
    Layer.POSTAL_CODE,
    Layer.NEIGHBORHOOD,
    Layer.LOCALITY,
    Layer.COUNTY,
    Layer.STATE,
    Layer.COUNTRY,
)


class _Around(Struct, frozen=True):
    """The surroundings of a position in one gazetteer: the addresses nearby, and the divisions that it lies in."""

    finder: Finder
    fine: tuple[Address, ...]
    context: AddressContext | None


def reverse(areas: Sequence[Finder], world: Sequence[Finder], query: ReverseQuery) -> tuple[Address, ...]:
    """Return the addresses around a position: nearest first, then its divisions from small to large."""
    around = [_look(finder, query) for finder in areas if finder.covers(query.point) or finder.is_outlined(query.point)]
    fine = sorted((address for each in around for address in each.fine), key=_distance)
    found = [address for address in _distinct_fine(fine) if address.layer in query.layers]
    if query.layers & DIVISIONS and len(found) < query.limit:
        found += _coarse([each for each in around if each.context], world, query)
    return tuple(found[: query.limit])


def _look(finder: Finder, query: ReverseQuery) -> _Around:
    gazetteer, point = finder.gazetteer, query.point
    fine: list[Address] = []
    context: AddressContext | None = None
    for address, lies_in in _nearest_address(gazetteer, query) if finder.covers(point) else ():
        if address.number is not None or Layer.STREET not in query.layers:
            fine.append(address)
        context = lies_in
    if finder.covers(point):
        fine += _lines(gazetteer, query)
    if Layer.PLACE in query.layers:
        fine += _places(finder, query)
    if context is None and query.layers & DIVISIONS and finder.is_outlined(point):
        context = _outlined(finder, point)
    return _Around(finder, tuple(fine), context)


def _nearest_address(gazetteer: Gazetteer, query: ReverseQuery) -> Iterator[tuple[Address, AddressContext]]:
    """Yield the nearest house, or the nearest street if there is no house."""
    point = query.point
    row = next((found for ring in _RINGS_M if (found := nearest_house(gazetteer, point, ring))), None)
    if row is not None:
        away_m, number, street, written, longitude, latitude, lies_in = row
        tagged = _nearer_place(gazetteer, point, away_m - _NEARER_M)
        if tagged is not None:
            house, called, away_m = tagged
            yield street_address(called, house, point, house.context, query.language, distance_m=away_m), house.context
            return
        house = HouseFound(
            number=written,
            point=Point(longitude, latitude),
            context=gazetteer.context(lies_in),
            confidence=MatchConfidence.EXACT,
            id=number,
        )
        called = street_name(gazetteer, street, query.language)
        yield street_address(called, house, point, house.context, query.language, distance_m=away_m), house.context
        return
    street_found = _nearest_street(gazetteer, point)
    if street_found is not None:
        away_m, street, at, context = street_found
        around = gazetteer.context(context)
        called = street_name(gazetteer, street, query.language)
        yield street_address(called, None, at, around, query.language, distance_m=away_m), around


def _lines(gazetteer: Gazetteer, query: ReverseQuery) -> Iterator[Address]:
    """Yield the nearest street and the nearest crossing, if they are requested."""
    if Layer.STREET in query.layers and (found := _nearest_street(gazetteer, query.point)) is not None:
        away_m, street, at, context = found
        called = street_name(gazetteer, street, query.language)
        around = gazetteer.context(context)
        address = street_address(called, None, at, around, query.language, distance_m=away_m)
        yield replace(address, layer=Layer.STREET)
    if Layer.INTERSECTION in query.layers:
        crossing = nearest_crossing(gazetteer, query.point, query.language, STREET_WITHIN_M)
        if crossing is not None:
            yield replace(crossing, layer=Layer.INTERSECTION)


def _nearer_place(gazetteer: Gazetteer, point: Point, within_m: float) -> tuple[HouseFound, str, float] | None:
    """Return the address of a nearby place that has its own: a shop in a building with several numbers."""
    if within_m <= 0:
        return None
    rows = gazetteer.rows(
        "SELECT p.longitude, p.latitude, p.number, p.street, p.context"
        " FROM place_boxes b JOIN places p ON p.id = b.id WHERE b.west <= ? AND b.east >= ? AND b.south <= ?"
        " AND b.north >= ? AND p.street IS NOT NULL AND p.number IS NOT NULL",
        *box_around(point, within_m),
    )
    near = sorted((distance_m(point.longitude, point.latitude, row[0], row[1]), row) for row in rows)
    if not near or near[0][0] > within_m:
        return None
    away_m, (longitude, latitude, number, street, context) = near[0]
    lies_in = gazetteer.context(context)
    at = Point(longitude, latitude)
    return HouseFound(number=number, point=at, context=lies_in, confidence=MatchConfidence.EXACT), street, away_m


def _nearest_street(gazetteer: Gazetteer, point: Point) -> tuple[float, int, Point, int] | None:
    rows = gazetteer.rows(
        "SELECT s.id, s.longitude, s.latitude, s.context, s.line FROM street_boxes b JOIN streets s ON s.id = b.id"
        " WHERE b.west <= ? AND b.east >= ? AND b.south <= ? AND b.north >= ?",
        *box_around(point, STREET_WITHIN_M),
    )
    best: tuple[float, int, Point, int] | None = None
    for street, longitude, latitude, context, line in rows:
        at = Point(longitude, latitude) if line is None else _on_line(line, point)
        away_m = distance_m(point.longitude, point.latitude, at.longitude, at.latitude)
        if away_m <= STREET_WITHIN_M and (best is None or away_m < best[0]):
            best = (away_m, street, at, context)
    return best


def _on_line(line: bytes, point: Point) -> Point:
    """Return the nearest position on a line, measured in metres."""
    x, y = metres_per_degree(point.latitude)
    scaled = shapely.transform(shapely.from_wkb(line), lambda positions: positions * (x, y))
    here = shapely.Point(point.longitude * x, point.latitude * y)
    nearest = shapely.shortest_line(scaled, here).coords[0]
    return Point(nearest[0] / x, nearest[1] / y)


def _places(finder: Finder, query: ReverseQuery) -> Iterator[Address]:
    point = query.point
    rows = finder.gazetteer.rows(
        "SELECT d.id FROM place_boxes b JOIN documents d ON d.kind = 'place' AND d.ref = b.id"
        " WHERE b.west <= ? AND b.east >= ? AND b.south <= ? AND b.north >= ?",
        *box_around(point, PLACE_WITHIN_M),
    )
    for entry in finder.entries([number for (number,) in rows]):
        away_m = distance_m(point.longitude, point.latitude, entry.point.longitude, entry.point.latitude)
        if away_m <= PLACE_WITHIN_M:
            yield place_address(entry, query.language, distance_m=away_m)


def _distance(address: Address) -> tuple[float, str]:
    return (address.distance_m or 0.0, address.formatted)


def _distinct_fine(addresses: list[Address]) -> Iterator[Address]:
    """Yield the nearest address, street and crossing of all areas, and each place once."""
    found: set[Layer] = set()
    places: set[str | None] = set()
    for address in addresses:
        if address.layer is not Layer.PLACE:
            if address.layer not in found:
                yield address
            found.add(address.layer)
        elif address.place_id not in places:
            places.add(address.place_id)
            yield address


def _coarse(around: Sequence[_Around], world: Sequence[Finder], query: ReverseQuery) -> list[Address]:
    """Return the divisions of a position, from small to large: from an area if known there, else from the world."""
    found: dict[Layer, Address] = {}
    for each in around:
        if each.context is not None:
            for address in _of_context(each.finder, each.context, query):
                found.setdefault(address.layer, address)
    country = next((address.country_code for address in found.values() if address.country_code), None)
    for finder in world if not found.keys() >= COARSE else ():
        context = _outlined(finder, query.point)
        if context is not None and country in (None, context.country_code):
            for address in _of_context(finder, context, query):
                found.setdefault(address.layer, address)
            country = country or context.country_code
        if Layer.LOCALITY not in found:
            contexts = [each.context for each in around if each.context is not None] + ([context] if context else [])
            if (nearest := _nearest_locality(finder, query, country, contexts)) is not None:
                found[Layer.LOCALITY] = nearest
    return [found[layer] for layer in _SMALL_TO_LARGE if layer in found and layer in query.layers]


def _of_context(finder: Finder, context: AddressContext, query: ReverseQuery) -> tuple[Address, ...]:
    """Return the divisions of a context; cached because many positions share one."""
    key = ("context", context, query.language)
    found = finder.memory.get(key)
    if not isinstance(found, tuple):
        if len(finder.memory) > _REMEMBERED:
            finder.memory.clear()
        found = finder.memory[key] = tuple(_divisions(finder, context, query.language))
    return found


def _divisions(finder: Finder, context: AddressContext, language: AddressLanguage) -> Iterator[Address]:
    for layer, part in _PARTS.items():
        division: NamedDivision | None = getattr(context, part)
        if division is not None:
            lies_in = finder.gazetteer.context(division.context)
            yield division_address(division, layer, lies_in, language, distance_m=0.0)
    smallest = context.neighborhood or context.borough
    if smallest is not None:
        lies_in = finder.gazetteer.context(smallest.context)
        yield division_address(smallest, Layer.NEIGHBORHOOD, lies_in, language, distance_m=0.0)
    if context.postal_code is not None:
        division = finder.postal_code(context.postal_code, context.country_code)
        if division is not None:
            lies_in = finder.gazetteer.context(division.context)
            yield division_address(division, Layer.POSTAL_CODE, lies_in, language, distance_m=0.0)


def _outlined(finder: Finder, point: Point) -> AddressContext | None:
    """Return the context of a position from the smallest outlines that contain it, or None."""
    gazetteer = finder.gazetteer
    here = shapely.Point(point.longitude, point.latitude)
    rows = gazetteer.rows(
        "SELECT id, (east - west) * (north - south) FROM division_boxes"
        " WHERE west <= ? AND east >= ? AND south <= ? AND north >= ? AND east > west ORDER BY 2",
        *(point.longitude, point.longitude, point.latitude, point.latitude),
    )
    held: dict[str, NamedDivision] = {}
    for number, _ in rows:
        outline = _outline(finder, number)
        if outline is not None and outline.intersects(here):
            division = gazetteer.division(number)
            held.setdefault(division.layer, division)
    if not held:
        return None
    return _address_context(gazetteer, held)


def _address_context(gazetteer: Gazetteer, held: dict[str, NamedDivision]) -> AddressContext:
    contexts = [gazetteer.context(division.context) for division in held.values()]
    postal = held.get("postalCode")

    def known(layer: str, part: str) -> NamedDivision | None:
        return held.get(layer) or next((got for each in contexts if (got := getattr(each, part)) is not None), None)

    country = known("country", "country")
    codes = (country.code if country else None, *(each.country_code for each in contexts))
    return AddressContext(
        country=country,
        state=known("state", "state"),
        county=known("county", "county"),
        city=known("locality", "city"),
        borough=known("borough", "borough"),
        neighborhood=known("neighborhood", "neighborhood"),
        postal_code=postal.name if postal else None,
        country_code=next((code for code in codes if code), None),
    )


def _outline(finder: Finder, number: int) -> shapely.Geometry | None:
    key = ("outline", number)
    outline = finder.memory.get(key)
    if outline is None:
        rows = finder.gazetteer.rows("SELECT outline FROM divisions WHERE id = ?", number)
        outline = shapely.from_wkb(rows[0][0]) if rows and rows[0][0] is not None else shapely.Point()
        shapely.prepare(outline)
        if len(finder.memory) > _REMEMBERED:
            finder.memory.clear()
        finder.memory[key] = outline
    return outline


def _nearest_locality(
    finder: Finder, query: ReverseQuery, country: str | None, around: Sequence[AddressContext]
) -> Address | None:
    """Return the nearest locality of a country; in the United States, of the state and county that lie `around`."""
    gazetteer, point = finder.gazetteer, query.point
    rows = gazetteer.rows(
        "SELECT d.id, d.longitude, d.latitude FROM division_boxes b JOIN divisions d ON d.id = b.id"
        " WHERE b.west <= ? AND b.east >= ? AND b.south <= ? AND b.north >= ? AND d.layer = 'locality'",
        *box_around(point, LOCALITY_WITHIN_M),
    )
    nearest = sorted((distance_m(point.longitude, point.latitude, x, y), number) for number, x, y in rows)
    for away_m, number in nearest:
        division = gazetteer.division(number)
        lies_in = gazetteer.context(division.context)
        is_here = away_m <= LOCALITY_WITHIN_M and country in (None, lies_in.country_code)
        if is_here and not (country == "US" and any(_is_across_line(lies_in, each) for each in around)):
            return division_address(division, Layer.LOCALITY, lies_in, query.language, distance_m=away_m)
    return None


def _is_across_line(one: AddressContext, other: AddressContext) -> bool:
    """Return whether two positions are in different states or counties, as far as known."""
    states = {division.code for division in (one.state, other.state) if division is not None and division.code}
    if len(states) > 1:
        return True
    return one.county is not None and other.county is not None and fold(one.county.name) != fold(other.county.name)
