"""Data of the world pack around an extract, which often is only a piece of a city without its state's outline."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import orjson
import shapely
from msgspec import Struct, field

from engine.areas.gazetteer.clipped_boundaries import Spot
from engine.areas.gazetteer.countries import AdminDivision
from engine.domain.addresses.address import Layer
from engine.domain.area import Bounds, halves
from engine.gazetteer.schema import GAZETTEER_FORMAT

_OUTLINED: Final = (Layer.COUNTRY, Layer.STATE, Layer.COUNTY)
_AROUND: Final = 0.3
"""Margin around an extract within which localities are read, in degrees."""

_COLUMNS: Final = "layer, name, divisions.code, names, longitude, latitude, population, country_code"
_DIVISIONS: Final = "divisions JOIN contexts ON contexts.id = divisions.context"


class Outer(Struct, frozen=True):
    """Countries, states and counties around an extract, clipped to its box, and localities in and near it.

    `states` has all states of the world by country and code, without outlines. `zip_codes` has all postal codes of the
    United States, with their centres if known, and `zip_cities` the cities of the postal codes around the extract: the
    usual one first, then others that addresses may use instead. `zip_counties` has their counties.
    """

    divisions: tuple[AdminDivision, ...] = ()
    localities: tuple[AdminDivision, ...] = ()
    states: dict[tuple[str, str], AdminDivision] = field(default_factory=dict)
    countries: dict[str, AdminDivision] = field(default_factory=dict)
    zip_codes: dict[str, Spot | None] = field(default_factory=dict)
    zip_cities: dict[str, tuple[str, ...]] = field(default_factory=dict)
    zip_counties: dict[str, str] = field(default_factory=dict)


def read_outer(world: Path | None, bounds: Bounds) -> Outer:
    """Read the data of a world pack for a box, or nothing if there is no pack or it has another format."""
    if world is None or not world.is_file():
        return Outer()
    with closing(sqlite3.connect(f"{world.resolve().as_uri()}?mode=ro", uri=True)) as pack:
        if pack.execute("PRAGMA user_version").fetchone()[0] != GAZETTEER_FORMAT:
            return Outer()
        zip_rows = _zip_rows(pack, _wider(bounds, _AROUND))
        return Outer(
            tuple(_outlined(pack, bounds)),
            tuple(_localities(pack, bounds)),
            {
                (division.country, division.code): division
                for division in _without_outlines(pack, Layer.STATE)
                if division.country and division.code
            },
            {division.code: division for division in _without_outlines(pack, Layer.COUNTRY) if division.code},
            dict(_zip_codes(pack)),
            {code: (city, *orjson.loads(accepted)) for code, city, accepted, _ in zip_rows},
            {code: county for code, _, _, county in zip_rows if county},
        )


def _outlined(pack: sqlite3.Connection, bounds: Bounds) -> Iterator[AdminDivision]:
    # The localities around the extract must be found in them, too.
    box = shapely.union_all([shapely.box(*half) for half in halves(_wider(bounds, _AROUND))])
    marks = ", ".join("?" * len(_OUTLINED))
    condition = f"layer IN ({marks}) AND outline IS NOT NULL"
    for *row, outline in _around(pack, _wider(bounds, _AROUND), condition, _OUTLINED):
        shape = shapely.from_wkb(outline)
        # Only the piece within the box is used, repeatedly, and a whole country's outline is long.
        piece = shapely.intersection(shape if shape.is_valid else shapely.make_valid(shape), box)
        if not piece.is_empty:
            yield _division(row, piece)


def _localities(pack: sqlite3.Connection, bounds: Bounds) -> Iterator[AdminDivision]:
    for *row, _ in _around(pack, _wider(bounds, _AROUND), "layer = ?", (Layer.LOCALITY,)):
        yield _division(row)


def _without_outlines(pack: sqlite3.Connection, layer: Layer) -> Iterator[AdminDivision]:
    for row in pack.execute(f"SELECT {_COLUMNS} FROM {_DIVISIONS} WHERE layer = ?", (str(layer),)):
        yield _division(row)


def _zip_codes(pack: sqlite3.Connection) -> Iterator[tuple[str, Spot | None]]:
    if not pack.execute("SELECT 1 FROM sqlite_master WHERE name = 'zip_codes'").fetchone():
        return
    for code, longitude, latitude in pack.execute("SELECT code, longitude, latitude FROM zip_codes"):
        yield code, None if longitude is None or latitude is None else (longitude, latitude)


def _zip_rows(pack: sqlite3.Connection, bounds: Bounds) -> list[tuple[str, str, str, str]]:
    """Return code, city, JSON list of other cities, and county of each postal code around an extract."""
    if not pack.execute("SELECT 1 FROM sqlite_master WHERE name = 'zip_codes'").fetchone():
        return []
    around = "longitude BETWEEN ? AND ? AND latitude BETWEEN ? AND ?"
    sql = f"SELECT code, city, accepted, county FROM zip_codes WHERE {around}"
    boxes = [(west, east, south, north) for west, south, east, north in halves(bounds)]
    return [row for box in boxes for row in pack.execute(sql, box)]


def _around(
    pack: sqlite3.Connection, bounds: Bounds, condition: str, values: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    boxes = halves(bounds)
    within = " OR ".join(["(west <= ? AND east >= ? AND south <= ? AND north >= ?)"] * len(boxes))
    edges = (edge for west, south, east, north in boxes for edge in (east, west, north, south))
    yield from pack.execute(
        f"SELECT {_COLUMNS}, outline FROM {_DIVISIONS} WHERE divisions.id IN (SELECT id FROM division_boxes"
        f" WHERE {within}) AND {condition}",
        (*edges, *(str(value) for value in values)),
    )


def _wider(bounds: Bounds, by: float) -> Bounds:
    west, south, east, north = bounds
    return (west - by, south - by, east + by, north + by)


def _division(row: Sequence[Any], shape: Any = None) -> AdminDivision:
    layer, name, code, names, longitude, latitude, population, country = row
    return AdminDivision(
        layer=layer,
        name=name,
        code=code,
        country=country,
        names=orjson.loads(names) if names else {},
        spot=(longitude, latitude),
        population=population,
        shape=shape,
        size="city" if population >= 100_000 else "town" if population >= 10_000 else "village",
    )
