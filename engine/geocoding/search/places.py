"""Finds places in gazetteers: by chain and category around a position, at an airport, or by their identifier."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np
import orjson
import shapely
from rapidfuzz import process

from engine.domain.addresses.place import (
    AIRPORT_RADIUS_M,
    DEFAULT_PLACE_RADIUS_M,
    Chain,
    ChainSetting,
    NearbyPlace,
    Place,
    PlaceQuery,
)
from engine.domain.addresses.taxonomy import GROUPS, check_category, unknown
from engine.domain.errors import InvalidParameter, NoGeocodingData
from engine.domain.geometry import Point
from engine.domain.metadata import matches
from engine.domain.values import replace
from engine.gazetteer.reader import Gazetteer
from engine.geo.earth import metres_per_degree
from engine.geocoding.absent import NO_PLACES
from engine.geocoding.search.place_table import PlaceHit, PlaceTable

_LIKE: Final = 70.0
"""Minimum similarity of a chain's slug to be suggested, out of 100."""

_AT_ONCE: Final = 500
_ORIGIN: Final = shapely.Point(0, 0)
_DETAILS: Final = "id, place_id, name, chain, chain_name, categories, longitude, latitude, context, outline"


class _Wanted(NamedTuple):
    """The checked filters of a query; None means any."""

    chains: frozenset[str] | None
    categories: frozenset[str] | None
    countries: frozenset[str]
    inside: shapely.Geometry | None
    near: Point
    radius_m: float
    limit: int


class Places:
    """Finds places in the gazetteers of areas. Thread-safe.

    The world's gazetteer provides brands and airports.
    """

    def __init__(self, areas: Callable[[], Sequence[Gazetteer]], world: Callable[[], Gazetteer | None]) -> None:
        """Take callbacks that return the gazetteers in use at the time of each query."""
        self._areas = areas
        self._world = world
        self._lock = Lock()
        self._read_tables: dict[Gazetteer, PlaceTable] = {}

    def search(self, query: PlaceQuery, chains: tuple[ChainSetting, ...] = ()) -> tuple[NearbyPlace, ...]:
        """Return places, nearest first; see `PlaceFinder.search`."""
        wanted = self._wanted(query, chains)
        if wanted.chains == frozenset() or wanted.categories == frozenset():
            return ()
        own = {chain.slug: chain for chain in chains}
        found = self._answer(lambda table: self._search(table, wanted), wanted.countries)
        nearest = _nearest(found, wanted.limit)
        return tuple(NearbyPlace(_with_setting(each.place, own), each.distance_m) for each in nearest)

    def around(self, point: Point, radius_m: float) -> tuple[NearbyPlace, ...]:
        """Return all places within a distance; see `PlaceFinder.around`."""
        found = self._answer(lambda table: table.nearest(table.everything(), point, radius_m, None))
        return _nearest(found, None)

    def chains_around(self, point: Point, radius_m: float) -> tuple[Chain, ...]:
        """Return the chains that have a place nearby; see `PlaceFinder.chains_around`."""
        near = sorted(hit for table in self._tables() for hit in table.chains_near(point, radius_m))
        return tuple({slug: Chain(name, slug) for _, slug, name in reversed(near)}.values())[::-1]

    def _answer(
        self, look: Callable[[PlaceTable], list[PlaceHit]], countries: frozenset[str] = frozenset()
    ) -> list[NearbyPlace]:
        """Return the places found in all tables, nearest first; places containing the position come smallest first."""
        every: list[tuple[PlaceHit, str, NearbyPlace]] = []
        for table in self._tables():
            found = look(table)
            rows = _read(table.gazetteer, found)
            for each in found:
                place = _place(table.gazetteer, rows[each.id])
                if not countries or place.country_code in countries:
                    every.append((each, place.id, NearbyPlace(place, each.distance_m)))
        every.sort(key=lambda each: (each[0].distance_m, each[0].size_m2, each[1]))
        return [each for _, _, each in every]

    def get(self, place_id: str) -> Place | None:
        """Return the place with this identifier, or None if no area in use has it."""
        for gazetteer in self._areas():
            for row in gazetteer.rows(f"SELECT {_DETAILS} FROM places WHERE place_id = ?", place_id):
                return _place(gazetteer, row)
        return None

    def knows(self, name: str) -> bool:
        """Return whether any place of the areas in use has this name or identifier; every place is checked."""
        sql = "SELECT 1 FROM places WHERE name = ? OR place_id = ? LIMIT 1"
        return any(gazetteer.rows(sql, name, name) for gazetteer in self._areas())

    # Query

    def _wanted(self, query: PlaceQuery, chains: tuple[ChainSetting, ...]) -> _Wanted:
        slugs = self._slugs(query, chains)
        categories = {check_category(category, "categories") for category in query.categories}
        for group in query.groups:
            if group not in GROUPS:
                raise unknown(group, GROUPS, "groups")
            categories |= GROUPS[group]
        if not self._areas():
            raise NoGeocodingData(NO_PLACES)
        inside, near, radius_m = None, query.near, query.radius_m or DEFAULT_PLACE_RADIUS_M
        if query.iata_code is not None:
            inside, middle = self._airport(query.iata_code)
            near = near or middle
            inside, radius_m = inside or _circle(middle), query.radius_m or inf
        if near is None:
            raise InvalidParameter("near", "near: is required without an IATA code.")
        return _Wanted(
            slugs,
            frozenset(categories) if query.categories or query.groups else None,
            query.countries,
            inside,
            near,
            radius_m,
            query.limit,
        )

    def _slugs(self, query: PlaceQuery, chains: tuple[ChainSetting, ...]) -> frozenset[str] | None:
        """Return the slugs of the chains asked for: None for any chain, and an empty set if no chain fits."""
        mapped = {chain.external_id: chain.slug for chain in chains if chain.external_id is not None}
        slugs = {mapped.get(name, name) for name in query.chains}
        self.check_chains({name for name in query.chains if name not in mapped}, chains, "chains")
        if query.chain_metadata:
            fitting = {chain.slug for chain in chains if matches(chain.metadata, query.chain_metadata)}
            return frozenset(fitting & slugs if query.chains else fitting)
        return frozenset(slugs) if query.chains else None

    def check_chains(self, slugs: Iterable[str], chains: tuple[ChainSetting, ...], param: str) -> None:
        """Raise `InvalidParameter` for the first slug that is unknown to the areas, the world's brands and `chains`."""
        own = {chain.slug for chain in chains}
        for slug in sorted(slugs):
            if slug not in own and not self._is_chain(slug):
                raise self._unknown_chain(slug, own, param)

    def _is_chain(self, slug: str) -> bool:
        if any(gazetteer.rows("SELECT 1 FROM places WHERE chain = ? LIMIT 1", slug) for gazetteer in self._areas()):
            return True
        world = self._brands()
        # Without the world's brands there is no way to know that a chain does not exist.
        return world is None or bool(world.rows("SELECT 1 FROM brands WHERE slug = ? LIMIT 1", slug))

    def _unknown_chain(self, name: str, own: Iterable[str], param: str) -> InvalidParameter:
        known = {*own} | {slug for gazetteer in self._areas() for (slug,) in gazetteer.rows(_CHAINS)}
        if (world := self._brands()) is not None:
            known.update(slug for (slug,) in world.rows("SELECT DISTINCT slug FROM brands"))
        similar = process.extractOne(name[:100].casefold(), sorted(known), score_cutoff=_LIKE)
        hint = f"; did you mean {similar[0]}?" if similar else "."
        return InvalidParameter(param, f"{param}: unknown chain {name[:60]!r}{hint}")

    def _brands(self) -> Gazetteer | None:
        world = self._world()
        return world if world is not None and _has(world, "brands") else None

    def _airport(self, code: str) -> tuple[shapely.Geometry | None, Point]:
        """Return the outline of an airport, or None if it has no known outline, and its position."""
        iata = code.strip().upper()
        points: list[Point] = []
        for gazetteer in self._areas():
            sql = "SELECT longitude, latitude, outline FROM places WHERE iata = ? ORDER BY outline IS NULL"
            for longitude, latitude, outline in gazetteer.rows(sql, iata):
                if outline is not None:
                    return shapely.from_wkb(outline), Point(longitude, latitude)
                points.append(Point(longitude, latitude))
        world = self._world()
        if not points and world is not None and _has(world, "airports"):
            rows = world.rows("SELECT longitude, latitude FROM airports WHERE iata = ?", iata)
            points = [Point(*row) for row in rows]
        if not points:
            raise InvalidParameter("iata_code", f"iata_code: unknown airport {code[:10]!r}.")
        return None, points[0]

    # Search

    def _search(self, table: PlaceTable, wanted: _Wanted) -> list[PlaceHit]:
        if wanted.chains is not None:
            among = table.of_chains(wanted.chains)
            if wanted.categories is not None:
                among = np.intersect1d(among, table.of_categories(wanted.categories))
        elif wanted.categories is not None:
            among = table.of_categories(wanted.categories)
        else:
            among = table.everything()
        if wanted.inside is not None:
            # Far away, planar distances are no valid bound, so every candidate is measured.
            return table.nearest(table.inside(among, wanted.inside), wanted.near, wanted.radius_m, None)
        limit = None if wanted.countries else wanted.limit
        return table.nearest(among, wanted.near, wanted.radius_m, limit)

    def _tables(self) -> list[PlaceTable]:
        """Return the places of the areas in use, and forget those of other areas."""
        areas = self._areas()
        with self._lock:
            self._read_tables = {area: self._read_tables.get(area) or PlaceTable(area) for area in areas}
            return [self._read_tables[area] for area in areas]


_CHAINS: Final = "SELECT DISTINCT chain FROM places WHERE chain IS NOT NULL"


def _nearest(found: Iterable[NearbyPlace], limit: int | None) -> tuple[NearbyPlace, ...]:
    """Return the nearest places, each once, since overlapping areas share places."""
    places: dict[str, NearbyPlace] = {}
    for each in found:
        places.setdefault(each.place.id, each)
    return tuple(list(places.values())[:limit])


def _circle(middle: Point) -> shapely.Geometry:
    """Return the circle of radius `AIRPORT_RADIUS_M` around an airport, as a polygon in degrees."""
    east, north = metres_per_degree(middle.latitude)
    circle = shapely.buffer(_ORIGIN, AIRPORT_RADIUS_M, quad_segs=32)
    return shapely.transform(
        circle, lambda positions: positions / (max(east, 1.0), north) + (middle.longitude, middle.latitude)
    )


# Results


def _read(gazetteer: Gazetteer, found: Sequence[PlaceHit]) -> dict[int, tuple[Any, ...]]:
    """Return the rows of places by their numbers."""
    rows: dict[int, tuple[Any, ...]] = {}
    for start in range(0, len(found), _AT_ONCE):
        numbers = [each.id for each in found[start : start + _AT_ONCE]]
        marks = ",".join("?" * len(numbers))
        rows |= {
            row[0]: row for row in gazetteer.rows(f"SELECT {_DETAILS} FROM places WHERE id IN ({marks})", *numbers)
        }
    return rows


def _place(gazetteer: Gazetteer, row: tuple[Any, ...]) -> Place:
    """Return the place of a row."""
    _, place_id, name, chain, chain_name, categories, longitude, latitude, context, outline = row
    return Place(
        id=place_id,
        name=name,
        point=Point(longitude, latitude),
        chain=None if chain is None else Chain(chain_name or chain, chain),
        categories=tuple(orjson.loads(categories)),
        outline=outline,
        country_code=gazetteer.context(context).country_code,
    )


def _with_setting(place: Place, chains: Mapping[str, ChainSetting]) -> Place:
    """Return the place with the properties that the project gives its chain."""
    if place.chain is None or (own := chains.get(place.chain.slug)) is None:
        return place
    chain = replace(place.chain, external_id=own.external_id, metadata=own.metadata, domain=own.domain)
    return replace(place, chain=chain)


def _has(gazetteer: Gazetteer, table: str) -> bool:
    return bool(gazetteer.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table))
