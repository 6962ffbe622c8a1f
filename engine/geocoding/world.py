"""Lookups by position in the world pack: outlines of countries, states and counties, and US postal codes.

Nothing is read before first use. If the set-up could not build the pack, these lookups are not available.
"""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from math import floor
from typing import Any, Final

import numpy as np
import orjson
import shapely
from msgspec import Struct
from numpy.typing import NDArray

from engine.domain.addresses.address import AddressLanguage, Layer
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer, NamedDivision
from engine.gazetteer.rows import ZipCode
from engine.gazetteer.text import fold
from engine.geo.earth import metres_per_degree

COAST_M: Final = 22_224.0
"""Distance from the coast within which a position at sea is in the nearest country: twelve nautical miles."""

UNION: Final = "US"
NORTH: Final = frozenset({UNION, "CA"})
_ZIP_COLUMNS: Final = "code, type, city, accepted, state, county, longitude, latitude, active"
_TILES: Final = 20
"""Tiles per degree, each of 5 km or less. Most lie in one county, and nearly all in one country."""

_MOST_TILES: Final = 50_000
_PREPARED: Final = 600
"""Number of outlines that stay in memory."""


class World:
    """The world's gazetteer, searchable by position. Thread-safe."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        """Take an open gazetteer, which the caller closes."""
        self.gazetteer = gazetteer
        # A cache around the method would keep every world in memory, and one is created whenever areas change.
        self._zip_code = lru_cache(maxsize=10_000)(self._read_zip_code)
        self._spelled = lru_cache(maxsize=10_000)(self._read_spelled)
        self._states_of = lru_cache(maxsize=300)(self._read_states)

    @cached_property
    def countries(self) -> "Outlines":
        """All countries."""
        return Outlines(self.gazetteer, Layer.COUNTRY)

    @cached_property
    def states(self) -> "Outlines":
        """The states of the United States and Canada."""
        return Outlines(self.gazetteer, Layer.STATE, NORTH)

    @cached_property
    def counties(self) -> "Outlines":
        """The counties of the United States."""
        return Outlines(self.gazetteer, Layer.COUNTY, frozenset({UNION}))

    def zip_code(self, code: str) -> ZipCode | None:
        """Return a postal code of the United States by its five digits, or None if it does not exist."""
        return self._zip_code(code)

    def spelled(self, city: str, state: str) -> str | None:
        """Return the proper spelling of a city of the United States by its folded name, or None."""
        return self._spelled(city, state)

    def country(self, code: str) -> NamedDivision | None:
        """Return a country by its two-letter code, or None."""
        rows = self.gazetteer.rows("SELECT id FROM divisions WHERE layer = ? AND code = ?", "country", code.upper())
        return self.gazetteer.division(rows[0][0]) if rows else None

    def state(self, country: str, name: str) -> NamedDivision | None:
        """Return a state that has a code, by the code of its country and its name in any language, or None."""
        return self._states_of(country).get(fold(name))

    def has_division(self, layer: Layer, name: str) -> bool:
        """Return whether a division of a layer that has a code has this code or English name."""
        rows = self.gazetteer.rows("SELECT id FROM divisions WHERE layer = ? AND code IS NOT NULL", layer)
        found = (self.gazetteer.division(number) for (number,) in rows)
        return any(name in (each.code, each.called(AddressLanguage.ENGLISH)) for each in found)

    def nearest_zip_code(self, point: Point, county: NamedDivision | None, state: NamedDivision | None) -> str | None:
        """Return the delivery postal code with the nearest centre in a county, or if it has none, in a state."""
        for division in (county, state):
            if division is not None and (codes := self._zip_codes.get(division.id)) is not None:
                return codes.nearest(point)
        return None

    def _read_spelled(self, city: str, state: str) -> str | None:
        if not city:
            return None
        rows = self.gazetteer.rows(
            "SELECT v.name FROM words w CROSS JOIN documents d ON d.id = w.rowid CROSS JOIN divisions v ON v.id = d.ref"
            " JOIN contexts c ON c.id = v.context JOIN divisions s ON s.id = c.state"
            " WHERE words MATCH ? AND d.kind = 'division' AND v.layer = ? AND c.country_code = ? AND s.code = ?",
            *(f"name : ({' AND '.join(f'"{word}"' for word in city.split())})", Layer.LOCALITY, UNION, state),
        )
        return next((name for (name,) in rows if fold(name) == city), None)

    def _read_states(self, country: str) -> dict[str, NamedDivision]:
        rows = self.gazetteer.rows(
            "SELECT d.id FROM divisions d JOIN contexts c ON c.id = d.context"
            " WHERE d.layer = ? AND d.code IS NOT NULL AND c.country_code = ?",
            *(Layer.STATE, country),
        )
        states = [self.gazetteer.division(number) for (number,) in rows]
        # A state's own name counts more than what another one is called in some language.
        own = {fold(state.name): state for state in states}
        return {fold(name): state for state in states for name in state.names.values()} | own

    def _read_zip_code(self, code: str) -> ZipCode | None:
        rows = self.gazetteer.rows(f"SELECT {_ZIP_COLUMNS} FROM zip_codes WHERE code = ?", code)
        return _zip_code(rows[0]) if rows else None

    @cached_property
    def _zip_codes(self) -> dict[int, "_Middles"]:
        """Centres of delivery postal codes, by the number of their county and of their state."""
        found: dict[int, list[tuple[str, float, float]]] = {}
        for code, longitude, latitude, county, state in self.gazetteer.rows(
            "SELECT z.code, z.longitude, z.latitude, c.county, c.state FROM zip_codes z"
            " JOIN divisions d ON d.id = z.division JOIN contexts c ON c.id = d.context"
            " WHERE z.type = 'STANDARD' AND z.active ORDER BY z.code"
        ):
            for division in (county, state):
                if division is not None:
                    found.setdefault(division, []).append((code, longitude, latitude))
        return {division: _Middles(codes) for division, codes in found.items()}


class _Middles:
    """Positions of postal codes, searched for the nearest."""

    def __init__(self, codes: Iterable[tuple[str, float, float]]) -> None:
        self._codes, *positions = zip(*codes, strict=True)
        self._positions: NDArray[np.float64] = np.array(positions).T

    def nearest(self, point: Point) -> str:
        away = (self._positions - (point.longitude, point.latitude)) * metres_per_degree(point.latitude)
        return str(self._codes[int(np.einsum("ij,ij->i", away, away).argmin())])


class _Tile(Struct, frozen=True):
    """A tile of the map: entirely in one division, in none, or mixed."""

    mixed: bool
    division: NamedDivision | None = None


class Outlines:
    """Divisions of one layer that have outlines.

    Lookups by position are fast; an outline is only read when needed.
    """

    def __init__(self, gazetteer: Gazetteer, layer: Layer, countries: frozenset[str] | None = None) -> None:
        """Take the divisions of a layer, in all countries or only in some."""
        self._gazetteer = gazetteer
        rows = gazetteer.rows(
            "SELECT d.id, b.west, b.south, b.east, b.north, c.country_code FROM divisions d"
            " JOIN division_boxes b ON b.id = d.id JOIN contexts c ON c.id = d.context"
            " WHERE d.layer = ? AND d.outline IS NOT NULL",
            layer,
        )
        kept = [row for row in rows if countries is None or row[5] in countries]
        self._numbers = [row[0] for row in kept]
        boxes = np.array([row[1:5] for row in kept]).reshape(-1, 4)
        self._sizes = ((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])).tolist()
        self._tree = shapely.STRtree(shapely.box(*boxes.T))
        self._outline = lru_cache(_PREPARED)(self._read)
        self._tiles: dict[tuple[int, int], _Tile] = {}

    def at(self, point: Point, country: str | None = None) -> NamedDivision | None:
        """Return the division that contains a position, or None; of several, the one with the smallest box."""
        tile = (floor(point.longitude * _TILES), floor(point.latitude * _TILES))
        known = self._tiles.get(tile)
        if known is None:
            if len(self._tiles) >= _MOST_TILES:
                self._tiles.clear()
            known = self._tiles[tile] = self._look_at(tile)
        if known.mixed:
            return self.search(point, country)
        division = known.division
        return division if division is None or country in (None, self._country_of(division)) else None

    def _look_at(self, tile: tuple[int, int]) -> "_Tile":
        """Return the division of a whole tile; the tile is mixed if another division begins in it."""
        west, south = tile[0] / _TILES, tile[1] / _TILES
        box = shapely.box(west, south, west + 1 / _TILES, south + 1 / _TILES)
        held = [index for index in self._tree.query(box).tolist() if shapely.intersects(self._outline(index), box)]
        if not held:
            return _Tile(mixed=False)
        if len(held) == 1 and shapely.contains_properly(self._outline(held[0]), box):
            return _Tile(mixed=False, division=self._gazetteer.division(self._numbers[held[0]]))
        return _Tile(mixed=True)

    def search(self, point: Point, country: str | None = None) -> NamedDivision | None:
        """Return the same as `at` without caching anything."""
        candidates = self._tree.query(shapely.Point(point.longitude, point.latitude)).tolist()
        for index in sorted(candidates, key=self._sizes.__getitem__):
            if shapely.contains_xy(self._outline(index), point.longitude, point.latitude):
                division = self._gazetteer.division(self._numbers[index])
                if country is None or self._country_of(division) == country:
                    return division
        return None

    def near(self, point: Point, within_m: float, country: str | None = None) -> NamedDivision | None:
        """Return the nearest division to a position within a distance, or None."""
        x, y = metres_per_degree(point.latitude)
        west, south = within_m / max(x, 1.0), within_m / y
        here = (point.longitude, point.latitude)
        box = shapely.box(here[0] - west, here[1] - south, here[0] + west, here[1] + south)
        best: tuple[float, NamedDivision] | None = None
        for index in self._tree.query(box).tolist():
            division = self._gazetteer.division(self._numbers[index])
            if country is not None and self._country_of(division) != country:
                continue
            piece = shapely.intersection(self._outline(index), box)
            away_m = float("inf") if piece.is_empty else _away_m(piece, point, (x, y))
            if away_m <= within_m and (best is None or away_m < best[0]):
                best = (away_m, division)
        return best[1] if best else None

    def _country_of(self, division: NamedDivision) -> str | None:
        return (
            division.code if division.layer == Layer.COUNTRY else self._gazetteer.context(division.context).country_code
        )

    def _read(self, index: int) -> Any:
        rows = self._gazetteer.rows("SELECT outline FROM divisions WHERE id = ?", self._numbers[index])
        outline = shapely.from_wkb(rows[0][0])
        shapely.prepare(outline)
        return outline


def _away_m(outline: Any, point: Point, scale: tuple[float, float]) -> float:
    flat = shapely.transform(outline, lambda positions: (positions - (point.longitude, point.latitude)) * scale)
    return float(shapely.distance(flat, shapely.Point(0, 0)))


def _zip_code(row: tuple[Any, ...]) -> ZipCode:
    code, kind, city, accepted, state, county, longitude, latitude, active = row
    return ZipCode(
        code=code,
        type=kind,
        city=city,
        accepted=tuple(orjson.loads(accepted)),
        state=state,
        county=county,
        point=None if longitude is None else Point(longitude, latitude),
        active=bool(active),
    )
