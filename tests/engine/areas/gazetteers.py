"""Helpers that read a built gazetteer by plain SQL."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from math import cos, hypot, radians
from pathlib import Path
from typing import Any

import pytest

from engine.areas.build import WORLD
from engine.areas.extract import bounds_of, prepare_extract
from engine.areas.folder import GAZETTEER
from engine.areas.gazetteer.build import build_gazetteer
from engine.domain.ports import no_progress
from tests.built_once import built_once
from tests.drawn import extract_or_drawn
from tests.real_areas import EXTRACTS, areas_of_extracts
from tests.shared import SharedData

_LAYERS = ("country", "state", "county", "city", "borough", "neighborhood")
_NAMES = ", ".join(f"(SELECT name FROM divisions WHERE id = contexts.{layer}) AS {layer}" for layer in _LAYERS)

type Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Lies:
    """The names of the divisions around something."""

    country: str | None
    state: str | None
    county: str | None
    city: str | None
    borough: str | None
    neighborhood: str | None
    postal_code: str | None
    country_code: str | None


@dataclass(frozen=True, slots=True)
class FoundHouse:
    """A house of a gazetteer."""

    id: int
    street: str
    number: str
    spot: Spot
    lies: Lies
    osm: str
    use: str | None


def build(extract: Path, folder: Path, world: Path | None = None) -> Path:
    """Build the gazetteer of an extract into a folder, as the build of an area does."""
    folder.mkdir(parents=True, exist_ok=True)
    bounds = bounds_of(extract)
    assert bounds is not None
    work = folder / "work"
    work.mkdir()
    return build_gazetteer(prepare_extract(extract, work), bounds, folder, "test", world, no_progress)


def real_gazetteer(shared_data: SharedData, factory: pytest.TempPathFactory, name: str, world: Path) -> Path:
    """Return the gazetteer of a shared extract, built once for all processes of this run."""
    if name in EXTRACTS and world == WORLD:
        return areas_of_extracts(shared_data, factory) / name / GAZETTEER
    extract = extract_or_drawn(shared_data, factory, name)
    folder = built_once(factory, f"gazetteer-{name}", lambda work: build(extract, work, world))
    return folder / "gazetteer.sqlite"


def query(file: Path, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    with _reading(file) as connection:
        return connection.execute(sql, values).fetchall()


def houses(file: Path) -> list[FoundHouse]:
    """Return all houses."""
    found = query(
        file,
        "SELECT houses.id, streets.name, number, houses.longitude, houses.latitude, houses.osm, use,"
        f" {_NAMES}, postal_code, country_code FROM houses JOIN streets ON streets.id = street"
        " JOIN contexts ON contexts.id = houses.context",
    )
    return [
        FoundHouse(id, street, number, (longitude, latitude), Lies(*lies), osm, use)
        for id, street, number, longitude, latitude, osm, use, *lies in found
    ]


def lying(file: Path, table: str, name: str) -> list[Lies]:
    """Return the divisions around the streets, divisions or places with a name."""
    found = query(
        file,
        f"SELECT {_NAMES}, postal_code, country_code FROM {table} JOIN contexts ON contexts.id = {table}.context"
        f" WHERE {table}.name = ?",
        name,
    )
    return [Lies(*row) for row in found]


def distance_m(one: Spot, other: Spot) -> float:
    """Return the distance between two nearby positions."""
    x, y = one[0] - other[0], one[1] - other[1]
    return 111_195 * hypot(x * cos(radians(one[1])), y)


@contextmanager
def _reading(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        yield connection
