"""Writer of a gazetteer: writes rows as they arrive, and at the end the indexes over words and positions."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import orjson
import shapely

from engine.domain.area import Bounds
from engine.domain.geometry import Point
from engine.gazetteer.documents import write_documents
from engine.gazetteer.rows import (
    BOROUGH,
    NEIGHBORHOOD,
    Context,
    Division,
    House,
    PlaceRow,
    Range,
    Street,
    place_id_of,
    rank_of,
)
from engine.gazetteer.schema import GAZETTEER_FORMAT, INDICES, POSITIONS, TABLES, WORDS
from engine.gazetteer.text import fold, number_of

__all__ = [
    "BOROUGH",
    "NEIGHBORHOOD",
    "Context",
    "Division",
    "GazetteerWriter",
    "House",
    "PlaceRow",
    "Range",
    "Street",
    "place_id_of",
    "rank_of",
]

_BATCH: Final = 5_000
"""Number of rows that are passed to the database at once."""

_TABLES: Final = ("contexts", "divisions", "streets", "houses", "ranges", "places")
"""The tables whose rows are numbered here."""


class GazetteerWriter:
    """A context manager: after its block the file exists and is complete, or does not exist if the block raised.

    Everything is written from the thread that entered the block. A row is written after the rows that it refers to.
    """

    def __init__(self, file: Path, meta: Mapping[str, str]) -> None:
        self._file = file
        self._new = file.with_name(f".{file.name}.new")
        self._meta = meta
        self._rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self._counts = dict.fromkeys(_TABLES, 0)
        self._contexts: dict[Context, int] = {}
        self._ranks: dict[int, float] = {}
        self._leading: dict[int, tuple[str, ...]] = {}

    def __enter__(self) -> Self:
        self._new.unlink(missing_ok=True)
        self._connection = sqlite3.connect(self._new, isolation_level=None)
        # No reader opens the file before it is complete. If the machine fails in the meantime, the file is rebuilt.
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "cache_size = -65536"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute(f"PRAGMA user_version = {GAZETTEER_FORMAT}")
        self._connection.executescript(TABLES + WORDS + POSITIONS)
        self._connection.execute("BEGIN")
        self._connection.executemany("INSERT INTO meta VALUES (?, ?)", self._meta.items())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
                self._connection.close()
                self._new.replace(self._file)
        finally:
            self._connection.close()
            with suppress(FileNotFoundError):
                self._new.unlink()

    def context(self, context: Context) -> int:
        """Return the number of a context; equal contexts have the same number."""
        number = self._contexts.get(context)
        if number is None:
            number = self._contexts[context] = self._add(
                "contexts",
                *(context.country, context.state, context.county, context.city, context.borough),
                *(context.neighborhood, context.postal_code, context.country_code),
            )
            if context.is_uncertain:
                self._append("uncertain_contexts", (number,))
        return number

    def postal_cities(self, country_code: str, postal_code: str, names: Iterable[str]) -> None:
        """Write the cities that addresses with a postal code may name."""
        for name in dict.fromkeys(names):
            self._append("postal_cities", (country_code, postal_code, name))

    def division(self, division: Division) -> int:
        """Write a division and return its number."""
        number = self._add(
            "divisions",
            *(division.osm, str(division.layer), division.name, division.code, _json(division.names)),
            *(division.point.longitude, division.point.latitude, division.population),
            *(division.context, division.outline),
        )
        self._add_box("division_boxes", number, division.point, _bounds_of(division.outline))
        if division.rank is not None:
            self._ranks[number] = division.rank
        if division.leading is not None:
            self._leading[number] = division.leading
        return number

    def street(self, street: Street) -> int:
        """Write a street and return its number."""
        number = self._add(
            "streets",
            *(street.name, _json(street.names), street.context, street.point.longitude, street.point.latitude),
            *(0, street.line),
        )
        self._add_box("street_boxes", number, street.point, street.box or _bounds_of(street.line))
        return number

    def house(self, house: House) -> int:
        """Write a house and return its number in the file."""
        value, suffix = number_of(house.number)
        return self._add(
            "houses",
            *(house.street, house.number, value, suffix, house.point.longitude, house.point.latitude),
            *(house.context, house.osm, house.name, house.use),
        )

    def code_extension(self, house: int, digits: str) -> None:
        """Write what follows the hyphen of a house's US postal code."""
        self._append("code_extensions", (house, digits))

    def unit(self, house: int, unit: str) -> None:
        """Add a unit to a house; adding the same one again does nothing."""
        self._append("units", (house, fold(unit)))

    def range(self, numbers: Range) -> int:
        """Write interpolated house numbers."""
        return self._add(
            "ranges",
            *(numbers.street, numbers.first, numbers.last, numbers.step, numbers.context, numbers.line),
        )

    def place(self, place: PlaceRow) -> int:
        """Write a place and return its number in the file; its `place_id` is in the file only once."""
        number = self._add(
            "places",
            *(place.place_id, place.osm, place.name, _json(place.names), place.chain, place.chain_name),
            *(orjson.dumps(place.categories).decode(), place.rank, place.point.longitude, place.point.latitude),
            *(place.context, place.street, place.number, place.iata, place.outline),
        )
        for category in dict.fromkeys(place.categories):
            self._append("place_categories", (category, number))
        self._add_box("place_boxes", number, place.point, place.box or _bounds_of(place.outline))
        return number

    def execute(self, sql: str, rows: Iterable[tuple[Any, ...]] | None = None) -> None:
        """Execute a statement, once or for each row, for additional tables of the caller."""
        if rows is None:
            self._connection.execute(sql)
        else:
            self._connection.executemany(sql, rows)

    def _add(self, table: str, *values: Any) -> int:
        number = self._counts[table] = self._counts[table] + 1
        self._append(table, (number, *values))
        return number

    def _add_box(self, table: str, number: int, point: Point, box: Bounds | None) -> None:
        west, south, east, north = box or (point.longitude, point.latitude, point.longitude, point.latitude)
        self._append(table, (number, west, east, south, north))

    def _append(self, table: str, row: tuple[Any, ...]) -> None:
        rows = self._rows[table]
        rows.append(row)
        if len(rows) >= _BATCH:
            self._flush(table)

    def _flush(self, table: str) -> None:
        rows = self._rows.pop(table)
        marks = ", ".join("?" * len(rows[0]))
        insert = "INSERT OR IGNORE" if table == "units" else "INSERT"
        self._connection.executemany(f"{insert} INTO {table} VALUES ({marks})", rows)

    def _finish(self) -> None:
        for table in tuple(self._rows):
            self._flush(table)
        connection = self._connection
        # A tree that is filled in spatial order is faster to build and to read.
        connection.execute(
            "INSERT INTO house_positions SELECT id, longitude, longitude, latitude, latitude FROM houses"
            " ORDER BY CAST(latitude * 200 AS INTEGER), longitude"
        )
        for statement in INDICES.split(";"):
            connection.execute(statement)
        connection.execute("UPDATE streets SET houses = (SELECT count(*) FROM houses WHERE houses.street = streets.id)")
        write_documents(connection, self._ranks, self._leading)
        connection.execute("ANALYZE")
        connection.execute("COMMIT")
        connection.execute("VACUUM")  # merging the word index leaves a third of the file unused


def _json(names: Mapping[str, str]) -> str | None:
    return orjson.dumps(dict(names)).decode() if names else None


def _bounds_of(shape: bytes | None) -> Bounds | None:
    if shape is None:
        return None
    west, south, east, north = shapely.from_wkb(shape).bounds
    return (west, south, east, north)
