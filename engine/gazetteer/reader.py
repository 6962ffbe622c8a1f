"""Reader of a gazetteer, with a connection per thread, and the names of the divisions around something."""

import sqlite3
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from threading import Lock, Thread, current_thread, local
from typing import Any, Final

import orjson
from msgspec import Struct

from engine.domain.addresses.address import AddressLanguage, Layer
from engine.domain.errors import GeocodingUnavailable
from engine.domain.geometry import Point
from engine.gazetteer.schema import GAZETTEER_FORMAT
from engine.gazetteer.text import index_words, split_words

COUNTRY_SIGNS: Final = {"EE": "EST", "FI": "FIN", "IE": "IRL", "LI": "FL", "SI": "SLO"}
"""Country codes of vehicles that people write in addresses, if different from the ISO code and longer than a letter."""

_KEPT_DIVISIONS: Final = 20_000
_KEPT_CONTEXTS: Final = 4_000
"""Number of contexts kept in memory, each with all its words; all are dropped when it is reached."""


class NamedDivision(Struct, frozen=True, kw_only=True, eq=False):
    """A division without its outline; one instance while its file is open.

    `layer` is a value of `Layer`, ``borough`` or ``neighborhood``.
    """

    id: int
    osm: str | None
    layer: str
    name: str
    code: str | None
    names: dict[str, str]
    point: Point
    population: int
    context: int

    def called(self, language: AddressLanguage) -> str:
        """Return its name in a language, or its own name if it has none in that language."""
        return self.names.get(language) or self.name


class AddressContext(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """The divisions around something; one instance for each context number of a file.

    `is_uncertain` is true if the city is merely the nearest one and another one is hardly farther. `postal_cities` are
    the cities that addresses with the postal code may name.
    """

    country: NamedDivision | None = None
    state: NamedDivision | None = None
    county: NamedDivision | None = None
    city: NamedDivision | None = None
    borough: NamedDivision | None = None
    neighborhood: NamedDivision | None = None
    postal_code: str | None = None
    country_code: str | None = None
    is_uncertain: bool = False
    postal_cities: tuple[str, ...] = ()

    @property
    def divisions(self) -> tuple[NamedDivision, ...]:
        """Known divisions, from small to large."""
        every = (self.neighborhood, self.borough, self.city, self.county, self.state, self.country)
        return tuple(division for division in every if division is not None)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that name the surroundings."""
        return self.own_words | self.postal_words

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The words of the divisions and of all codes."""
        found: set[str] = set()
        for division in self.divisions:
            for name in (division.name, *division.names.values()):
                if name:
                    found.update(index_words(name).split())
        # CT is Connecticut, not court.
        sign = COUNTRY_SIGNS.get(self.country_code or "")
        for code in (self.postal_code, self.country_code, sign, *(division.code for division in self.divisions)):
            if code:
                found.update(split_words(code))
        return frozenset(found)

    @cached_property
    def postal_words(self) -> frozenset[str]:
        """The words of the postal code and of the cities that addresses with it may name."""
        names = (word for name in self.postal_cities for word in index_words(name).split())
        return frozenset((*names, *split_words(self.postal_code or "")))


INTERRUPT_EVERY_S: Final = 0.02


class Reader(Struct, frozen=True):
    """The connection of a thread; closing it waits with `lock` for the end of a running read."""

    thread: Thread
    connection: sqlite3.Connection
    lock: Lock

    def close(self) -> None:
        """Close the connection when it is unused; a running read ends with an error."""
        # A read that has not started yet cannot be interrupted, so try again.
        while not self.lock.acquire(timeout=INTERRUPT_EVERY_S):
            self.connection.interrupt()
        try:
            self.connection.close()
        finally:
            self.lock.release()


class Gazetteer:
    """One file, open for reading from any thread; it must not change meanwhile."""

    def __init__(self, file: Path) -> None:
        """Open the file.

        Raises `ValueError` if it has another format, `sqlite3.Error` if it is missing or not a database.
        """
        self.file = file
        self._local = local()
        self._readers: list[Reader] = []
        self._lock = Lock()
        self._closed = False
        self._divisions: dict[int, NamedDivision] = {}
        self._contexts: dict[int, AddressContext] = {}
        self._country_names: Callable[[str], Mapping[str, str]] = _no_names
        try:
            version = self._reader.connection.execute("PRAGMA user_version").fetchone()[0]
        except BaseException:
            self.close()
            raise
        if version != GAZETTEER_FORMAT:
            self.close()
            raise ValueError(f"{file} has format {version}, not {GAZETTEER_FORMAT}")

    @property
    def _reader(self) -> Reader:
        """Connection of the current thread."""
        reader: Reader | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = self._local.reader = self._connect()
        return reader

    def close(self) -> None:
        """Close the connections of all threads; running reads end with an error."""
        with self._lock:
            self._closed = True
            readers, self._readers = self._readers, []
        for reader in readers:
            reader.close()

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a statement. Raises `GeocodingUnavailable` if the file is damaged or closed."""
        reader = self._reader
        try:
            with reader.lock:
                self._check_open()
                return reader.connection.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            self._check_open()
            # Its subclasses are programming errors, not faults of the file.
            if type(error) is not sqlite3.DatabaseError:
                raise
            raise GeocodingUnavailable(f"{self.file} is damaged and must be rebuilt: {error}.") from error

    def _check_open(self) -> None:
        if self._closed:
            raise GeocodingUnavailable(f"{self.file} is no longer open.")

    def complete_countries(self, names: Callable[[str], Mapping[str, str]]) -> None:
        """Set a callback for the names of a country, by its code, in the languages that this file lacks.

        It must be set before anything is read. OpenStreetMap seldom has all ten languages.
        """
        self._country_names = names

    def country_names(self, code: str) -> dict[str, str]:
        """Return the names of a country in this file, by language."""
        rows = self.rows("SELECT names FROM divisions WHERE layer = 'country' AND code = ?", code)
        return orjson.loads(rows[0][0]) if rows and rows[0][0] else {}

    def division(self, number: int) -> NamedDivision:
        """Return the division with this number in the file."""
        return _kept(self._divisions, number, self._read_division, _KEPT_DIVISIONS)

    def context(self, number: int) -> AddressContext:
        """Return the context with this number in the file."""
        return _kept(self._contexts, number, self._read_context, _KEPT_CONTEXTS)

    def street_names(self, number: int) -> tuple[str, dict[str, str]]:
        """Return the name of a street, and its names in other languages."""
        name, names = self.rows("SELECT name, names FROM streets WHERE id = ?", number)[0]
        return name, orjson.loads(names) if names else {}

    def _connect(self) -> Reader:
        self._check_open()
        address = f"{self.file.absolute().as_uri()}?mode=ro&immutable=1"
        # Only this thread uses it; another thread closes it at the end.
        connection = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)
        connection.execute("PRAGMA mmap_size = 1073741824")
        made = Reader(current_thread(), connection, Lock())
        with self._lock:
            ended = [reader for reader in self._readers if not reader.thread.is_alive()]
            self._readers = [reader for reader in self._readers if reader not in ended]
            self._readers.append(made)
        for former in ended:
            former.close()
        return made

    def _read_division(self, number: int) -> NamedDivision:
        columns = "osm, layer, name, code, names, longitude, latitude, population, context"
        (row,) = self.rows(f"SELECT {columns} FROM divisions WHERE id = ?", number)
        osm, layer, name, code, names, longitude, latitude, population, context = row
        further = self._country_names(code) if layer == Layer.COUNTRY and code else {}
        return NamedDivision(
            id=number,
            osm=osm,
            layer=layer,
            name=name,
            code=code,
            names={**further, **(orjson.loads(names) if names else {})},
            point=Point(longitude, latitude),
            population=population,
            context=context,
        )

    def _read_context(self, number: int) -> AddressContext:
        columns = "country, state, county, city, borough, neighborhood, postal_code, country_code"
        (row,) = self.rows(f"SELECT {columns} FROM contexts WHERE id = ?", number)
        *divisions, postal_code, country_code = row
        country, state, county, city, borough, neighborhood = (each and self.division(each) for each in divisions)
        return AddressContext(
            country=country,
            state=state,
            county=county,
            city=city,
            borough=borough,
            neighborhood=neighborhood,
            postal_code=postal_code,
            country_code=country_code or (country.code if country else None),
            is_uncertain=number in self._uncertain,
            postal_cities=self._postal_cities.get((country_code, postal_code), ()),
        )

    @cached_property
    def _uncertain(self) -> frozenset[int]:
        rows = self.rows("SELECT context FROM uncertain_contexts") if self.has_table("uncertain_contexts") else []
        return frozenset(number for (number,) in rows)

    @cached_property
    def _postal_cities(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The cities of postal codes by country and code; none in a file made before there was a table of them."""
        found: dict[tuple[str, str], tuple[str, ...]] = {}
        sql = "SELECT country_code, postal_code, name FROM postal_cities"
        for country, code, name in self.rows(sql) if self.has_table("postal_cities") else ():
            found[country, code] = (*found.get((country, code), ()), name)
        return found

    def has_table(self, table: str) -> bool:
        """Return whether the file has a table; one made before the table was introduced does not."""
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE name = ?", table))


def _no_names(_: str) -> Mapping[str, str]:
    return {}


def _kept[T](memory: dict[int, T], number: int, read: Callable[[int], T], most: int) -> T:
    value = memory.get(number)
    if value is None:
        if len(memory) >= most:
            memory.clear()
        value = memory[number] = read(number)
    return value
