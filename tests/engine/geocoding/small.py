"""A small made-up gazetteer: two towns of Illinois, Vaduz, and a ward of Tokyo."""

from pathlib import Path
from typing import Final

import shapely

from engine.domain.addresses.address import Layer
from engine.domain.geometry import Point
from engine.gazetteer.writer import Context, Division, GazetteerWriter, House, PlaceRow, Range, Street

SPRINGFIELD: Final = Point(-89.65, 39.80)
ROCHESTER: Final = Point(-89.53, 39.75)
VADUZ: Final = Point(9.52, 47.14)
SHIBUYA: Final = Point(139.70, 35.66)
STEP: Final = 0.0004
"""Degrees of longitude between the houses on one side: about 34 m in Illinois."""

NAMES: Final = {
    "ar": "الولايات المتحدة",
    "de": "Vereinigte Staaten",
    "en": "United States",
    "es": "Estados Unidos",
    "fr": "États-Unis",
    "ja": "アメリカ合衆国",
    "ko": "미국",
    "pt": "Estados Unidos",
    "ru": "Соединённые Штаты",
    "zh": "美国",
}


def house_at(town: Point, street: int, number: int) -> Point:
    """Return the position of a house: streets run east, 200 m apart, with even numbers on the south."""
    side = -0.0001 if number % 2 == 0 else 0.0001
    return Point(town.longitude + STEP * number / 2, town.latitude + 0.002 * street + side)


def write_small(file: Path) -> Path:
    """Write the gazetteer."""
    with GazetteerWriter(file, {"name": "small"}) as writer:
        _write_states(writer)
        _write_vaduz(writer)
        _write_tokyo(writer)
    return file


def _write_states(writer: GazetteerWriter) -> None:
    nowhere = writer.context(Context())
    square = shapely.to_wkb(shapely.box(-91, 39, -89, 41))
    country = writer.division(
        Division(
            layer=Layer.COUNTRY,
            name="United States",
            code="US",
            names=NAMES,
            point=Point(-98, 39),
            context=nowhere,
            population=300_000_000,
        )
    )
    in_country = writer.context(Context(country=country, country_code="US"))
    state = writer.division(
        Division(
            layer=Layer.STATE, name="Illinois", code="IL", point=Point(-89, 40), context=in_country, outline=square
        )
    )
    in_state = writer.context(Context(country=country, state=state, country_code="US"))
    county = writer.division(Division(layer=Layer.COUNTY, name="Sangamon County", point=SPRINGFIELD, context=in_state))
    in_county = writer.context(Context(country=country, state=state, county=county, country_code="US"))
    towns = {
        name: writer.division(
            Division(layer=Layer.LOCALITY, name=name, point=point, context=in_county, population=population)
        )
        for name, point, population in (("Springfield", SPRINGFIELD, 114_000), ("Rochester", ROCHESTER, 3_800))
    }

    def lies_in(town: str, postal_code: str | None = None) -> int:
        return writer.context(
            Context(
                country=country,
                state=state,
                county=county,
                city=towns[town],
                postal_code=postal_code,
                country_code="US",
            )
        )

    writer.division(Division(layer=Layer.POSTAL_CODE, name="62701", point=SPRINGFIELD, context=lies_in("Springfield")))
    springfield = lies_in("Springfield", "62701")
    main = _street(writer, "East Main Street", SPRINGFIELD, 0, springfield, [117, 118, 119, 120, 122, 126])
    writer.unit(main, "4")
    _street(writer, "West Main Street", SPRINGFIELD, 1, springfield, [120])
    _street(writer, "Saint Marks Place", SPRINGFIELD, 2, springfield, [8])
    _street(writer, "5th Avenue", SPRINGFIELD, 3, springfield, [10])
    _street(writer, "Elm Street", SPRINGFIELD, 4, springfield, [])
    _street(writer, "East Main Street", ROCHESTER, 0, lies_in("Rochester", "62563"), [120])
    elm = shapely.LineString([(SPRINGFIELD.longitude, 39.808), (SPRINGFIELD.longitude + 0.002, 39.808)])
    writer.range(Range(street=5, first=100, last=110, step=2, context=springfield, line=shapely.to_wkb(elm)))
    writer.place(
        PlaceRow(
            place_id="6e0000000000000000000001",
            osm="n1",
            name="McDonald's",
            chain="mcdonalds",
            chain_name="McDonald's",
            categories=("food-beverage",),
            rank=0.6,
            point=house_at(SPRINGFIELD, 0, 122),
            context=springfield,
            street="East Main Street",
            number="122",
        )
    )


def _street(writer: GazetteerWriter, name: str, town: Point, row: int, context: int, numbers: list[int]) -> int:
    """Write a street with houses and return the ID of the house with number 120, else of the last one."""
    begin, end = house_at(town, row, 100), house_at(town, row, 130)
    line = shapely.LineString(
        [(begin.longitude, town.latitude + 0.002 * row), (end.longitude, town.latitude + 0.002 * row)]
    )
    point = Point((begin.longitude + end.longitude) / 2, town.latitude + 0.002 * row)
    street = writer.street(Street(name=name, point=point, context=context, line=shapely.to_wkb(line)))
    written = {
        number: writer.house(
            House(street=street, number=str(number), point=house_at(town, row, number), context=context)
        )
        for number in numbers
    }
    return written.get(120, max(written.values(), default=0))


def _write_vaduz(writer: GazetteerWriter) -> None:
    country = writer.division(
        Division(
            layer=Layer.COUNTRY,
            name="Liechtenstein",
            code="LI",
            names={"ja": "リヒテンシュタイン", "ru": "Лихтенштейн"},
            point=VADUZ,
            context=writer.context(Context()),
            population=38_000,
        )
    )
    in_country = writer.context(Context(country=country, country_code="LI"))
    city = writer.division(
        Division(
            layer=Layer.LOCALITY, name="Vaduz", names={"ru": "Вадуц"}, point=VADUZ, context=in_country, population=5_700
        )
    )
    context = writer.context(Context(country=country, city=city, postal_code="9490", country_code="LI"))
    for name, row, numbers in (
        ("Äulestrasse", 0, ["12", "12a", "12c", "14"]),
        ("St. Florinsgasse", 1, ["3"]),
        ("Landstrasse", 2, ["5"]),
    ):
        street = writer.street(
            Street(name=name, point=Point(VADUZ.longitude, VADUZ.latitude + 0.002 * row), context=context)
        )
        for at, number in enumerate(numbers):
            point = Point(VADUZ.longitude + 0.0003 * at, VADUZ.latitude + 0.002 * row)
            writer.house(House(street=street, number=number, point=point, context=context))


def _write_tokyo(writer: GazetteerWriter) -> None:
    country = writer.division(
        Division(
            layer=Layer.COUNTRY,
            name="日本",
            code="JP",
            names={"en": "Japan", "de": "Japan"},
            point=SHIBUYA,
            context=writer.context(Context()),
            population=125_000_000,
        )
    )
    in_country = writer.context(Context(country=country, country_code="JP"))
    city = writer.division(
        Division(
            layer=Layer.LOCALITY,
            name="渋谷区",
            names={"en": "Shibuya"},
            point=SHIBUYA,
            context=in_country,
            population=230_000,
        )
    )
    writer.place(
        PlaceRow(
            place_id="6e0000000000000000000002",
            osm="n2",
            name="ガスト渋谷駅前店",
            names={"en": "Gusto Shibuya"},
            categories=("food-beverage",),
            rank=0.2,
            point=SHIBUYA,
            context=writer.context(Context(country=country, city=city, country_code="JP")),
        )
    )
