"""A small town for searches, and an engine that searches given gazetteers."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import shapely

from engine.domain.addresses.address import Layer
from engine.domain.geometry import Point
from engine.engine import Engine
from engine.gazetteer.rows import Context, Division, House, PlaceRow, Street, place_id_of
from engine.gazetteer.writer import GazetteerWriter
from engine.geocoding.geocoding import Geocoding

MIDDLE = Point(9.5209, 47.1410)
_EAST, _NORTH = 75_900.0, 111_190.0


def at(east_m: float, north_m: float) -> Point:
    """Return the position at a distance in metres from the centre of the town."""
    return Point(MIDDLE.longitude + east_m / _EAST, MIDDLE.latitude + north_m / _NORTH)


def box(west_m: float, south_m: float, east_m: float, north_m: float) -> shapely.Polygon:
    """Return a rectangle in degrees."""
    low, high = at(west_m, south_m), at(east_m, north_m)
    return shapely.box(low.longitude, low.latitude, high.longitude, high.latitude)


MALL = box(200, -100, 400, 100)
SHOP = box(300, -20, 340, 20)
AIRPORT = box(5_000, -1_000, 9_000, 1_000)
ISLANDS = shapely.MultiPolygon([box(-900, 0, -800, 100), box(-700, 0, -500, 200)])

CAFE, GRILL, BANK, MALL_ID, SHOP_ID, AIRPORT_ID, GATE, PARK, FIELD = (
    place_id_of(osm) for osm in ("n1", "n2", "n3", "w4", "w5", "w6", "n7", "r8", "n9")
)


def write_town(file: Path) -> Path:
    """Write the gazetteer of the town."""
    with GazetteerWriter(file, {}) as writer:
        nowhere = writer.context(Context())
        country = writer.division(
            Division(layer=Layer.COUNTRY, name="Liechtenstein", point=MIDDLE, context=nowhere, code="LI")
        )
        in_country = writer.context(Context(country=country, country_code="LI"))
        city = writer.division(Division(layer=Layer.LOCALITY, name="Vaduz", point=MIDDLE, context=in_country))
        context = writer.context(Context(country=country, city=city, postal_code="9490", country_code="LI"))
        street = writer.street(Street(name="Äulestrasse", point=MIDDLE, context=context))
        for number, east_m in (("1", 0.0), ("3", 40.0), ("12a", 250.0)):
            writer.house(House(street=street, number=number, point=at(east_m, 10), context=context))
        for row in _places(context):
            writer.place(row)
    return file


def _places(context: int) -> list[PlaceRow]:
    food, shops = ("food-beverage", "cafe"), ("shopping-retail", "shopping-mall")
    burger = ("food-beverage", "restaurant", "fast-food-restaurant")
    travel = ("travel-transportation", "airport")

    def spot(osm: str, name: str, point: Point, categories: tuple[str, ...], **more: Any) -> PlaceRow:
        return PlaceRow(
            place_id=place_id_of(osm), osm=osm, name=name, point=point, context=context, categories=categories, **more
        )

    def area(osm: str, name: str, shape: Any, categories: tuple[str, ...], **more: Any) -> PlaceRow:
        middle = shapely.point_on_surface(shape)
        outline = {"outline": shapely.to_wkb(shape), "box": shape.bounds}
        return spot(osm, name, Point(middle.x, middle.y), categories, **outline, **more)

    denner = {"chain": "denner", "chain_name": "Denner"}
    mcdonalds = {"chain": "mcdonalds", "chain_name": "McDonald's"}
    return [
        spot("n1", "Café Amann", at(0, 0), food, street="Äulestrasse", number="1"),
        spot("n2", "McDonald's", at(40, 0), burger, **mcdonalds),
        spot("n3", "Bank", at(0, 600), ("finance", "bank")),
        area("w4", "Mall", MALL, shops),
        area("w5", "Denner", SHOP, ("shopping-retail", "food-grocery", "supermarket"), **denner),
        area("w6", "Airport", AIRPORT, travel, iata="VDZ"),
        spot("n7", "McDonald's", at(7_000, 0), burger, **mcdonalds),
        area("r8", "Islands", ISLANDS, ("outdoor-places", "park")),
        spot("n9", "Field", at(0, 20_000), travel, iata="FLD"),
    ]


def find_in(engine: Engine, *files: Path, world: Path | None = None) -> None:
    """Make an unused engine search gazetteers called ``gazetteer.sqlite``."""
    areas = tuple(SimpleNamespace(folder=file.parent, gazetteer=file) for file in files)
    engine.geocoding = engine._parts.geocoding = Geocoding(lambda: cast(Any, areas), world=world or Path("/nowhere"))
