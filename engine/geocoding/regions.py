"""The country, state, market area and postal code of a position."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson
import shapely
from msgspec import Struct
from shapely.geometry import shape

from engine.domain.addresses.address import NO_REGIONS, AddressLanguage, Layer, Region, Regions, RegionType
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.nesting import not_too_deep
from engine.gazetteer.reader import Gazetteer, NamedDivision
from engine.geo.earth import metres_per_degree
from engine.geocoding.world import COAST_M, NORTH, UNION, World

DMA_FILE: Final = "dma.geojson"
"""Name of the file with the outlines of market areas in a workspace's folder, as no free data is available."""

HOUSE_WITHIN_M: Final = 250.0
"""Maximum distance of a house that determines the postal code of a position, in metres."""

_RINGS_M: Final = (60.0, HOUSE_WITHIN_M)
_ENGLISH: Final = AddressLanguage.ENGLISH


class RegionFinder:
    """Finds the regions of positions, over the world pack and the areas in use. May be used from any thread."""

    def __init__(self, world: World | None, areas: Sequence[Gazetteer] = (), dma: "MarketAreas | None" = None) -> None:
        """Create a finder with the user's market areas `dma`; without a world pack, no regions are known."""
        self._world = world
        self._areas = areas
        self._dma = dma

    @property
    def has_world(self) -> bool:
        """Whether there is a world pack, without which no regions are known."""
        return self._world is not None

    @property
    def has_markets(self) -> bool:
        """Whether the user has market areas."""
        return self._dma is not None

    def regions_at(self, point: Point) -> Regions:
        """Return the regions that contain a position.

        The country is the outline that contains it, else the nearest one within 12 nautical miles. States in the US and
        Canada are found in the same way. The postal code in the US is that of the nearest house of an area in use
        within 250 m. Without such a house, it is the code with the nearest centre among those of the county, which near
        the border of a code may be its neighbour's.
        """
        if self._world is None:
            return NO_REGIONS
        country = self._world.countries.at(point) or self._world.countries.near(point, COAST_M)
        if country is None or country.code is None:
            return NO_REGIONS
        state = self._state(point, country.code)
        in_union = country.code == UNION
        return Regions(
            country=Region(RegionType.COUNTRY, country.code, country.called(_ENGLISH)),
            state=Region(RegionType.STATE, state.code, state.called(_ENGLISH)) if state and state.code else None,
            dma=self._dma.at(point) if in_union and self._dma else None,
            postal_code=self._postal_code(point, state) if in_union else None,
        )

    def postal_code_near(self, point: Point, within_m: float, city: str | None) -> str | None:
        """Return the postal code of the nearest house of an area in use, only in `city` if it is given.

        Returns None if there is no house nearby.
        """
        rings = (within_m / 4, within_m)
        return next((found for area in self._areas if (found := _nearest_code(area, point, rings, city=city))), None)

    def knows(self, name: str, types: Collection[RegionType]) -> bool:
        """Return whether any region of one of these types has this code or name."""
        return any(self._knows(name, each) for each in types)

    def _knows(self, name: str, kind: RegionType) -> bool:
        if self._world is None:
            return False
        match kind:
            case RegionType.COUNTRY:
                return self._world.has_division(Layer.COUNTRY, name)
            case RegionType.STATE:
                return self._world.has_division(Layer.STATE, name)
            case RegionType.POSTAL_CODE:
                sql = "SELECT 1 FROM contexts WHERE country_code = ? AND substr(postal_code, 1, 5) = ? LIMIT 1"
                has_houses = any(area.rows(sql, UNION, name) for area in self._areas)
                return has_houses or self._world.zip_code(name) is not None
            case RegionType.DMA:
                regions = self._dma.regions if self._dma else ()
                return any(name in (region.code, region.name) for region in regions)

    def _state(self, point: Point, country: str) -> NamedDivision | None:
        if self._world is None or country not in NORTH:
            return None
        return self._world.states.at(point, country) or self._world.states.near(point, COAST_M, country)

    def _postal_code(self, point: Point, state: NamedDivision | None) -> Region | None:
        code = next((found for area in self._areas if (found := _house_code(area, point))), None)
        if code is None and self._world is not None:
            code = self._world.nearest_zip_code(point, self._world.counties.at(point), state)
        return None if code is None else Region(RegionType.POSTAL_CODE, code, code)


def _house_code(area: Gazetteer, point: Point) -> str | None:
    """Return the five-digit postal code of the nearest house that has one, or None if none is near."""
    code = _nearest_code(area, point, _RINGS_M, UNION)
    return None if code is None else code[:5]


def _nearest_code(
    area: Gazetteer, point: Point, rings: Sequence[float], country: str | None = None, city: str | None = None
) -> str | None:
    """Return the postal code of the nearest house, in a country or city, in the first square that contains any.

    `rings` are half the sides of the squares in metres.
    """
    x, y = metres_per_degree(point.latitude)
    for ring in rings:
        west, south = ring / max(x, 1.0), ring / y
        rows = area.rows(
            "SELECT c.postal_code, h.longitude, h.latitude FROM house_positions p JOIN houses h ON h.id = p.id"
            " JOIN contexts c ON c.id = h.context LEFT JOIN divisions d ON d.id = c.city"
            " WHERE p.west <= ? AND p.east >= ? AND p.south <= ? AND p.north >= ?"
            " AND c.country_code = coalesce(?, c.country_code) AND c.postal_code IS NOT NULL"
            " AND (? IS NULL OR d.name = ?)",
            *(point.longitude + west, point.longitude - west, point.latitude + south, point.latitude - south),
            *(country, city, city),
        )
        if rows:
            away = (((row[1] - point.longitude) * x) ** 2 + ((row[2] - point.latitude) * y) ** 2 for row in rows)
            return str(min(zip(away, rows, strict=True))[1][0])
    return None


class MarketAreas(Struct, frozen=True):
    """The user's designated market areas."""

    regions: tuple[Region, ...]
    outlines: tuple[Any, ...]

    def at(self, point: Point) -> Region | None:
        """Return the first market area of the file that contains a position, or None."""
        held = np.flatnonzero(shapely.contains_xy(np.array(self.outlines), point.longitude, point.latitude))
        return self.regions[held[0]] if len(held) else None


def read_market_areas(workspace: Path) -> MarketAreas | None:
    """Read ``dma.geojson`` in a workspace's folder, or return None if it does not exist.

    It is a FeatureCollection of polygons and multipolygons in degrees with the properties ``code`` and ``name``. Raises
    `InvalidParameter` for ``dma`` naming the invalid feature and the reason.
    """
    file = workspace / DMA_FILE
    if not file.is_file():
        return None
    try:
        content = orjson.loads(not_too_deep(file.read_bytes()))
    except (ValueError, OSError) as error:
        raise _wrong(f"{file} cannot be read: {error}") from error
    features = content.get("features") if isinstance(content, dict) else None
    if not isinstance(features, list) or not features:
        raise _wrong(f"{file} must be a GeoJSON FeatureCollection with features.")
    found = [_market_area(feature, f"features[{index}]") for index, feature in enumerate(features)]
    outlines = tuple(outline for _, outline in found)
    shapely.prepare(np.array(outlines))
    return MarketAreas(tuple(region for region, _ in found), outlines)


def _market_area(feature: Any, path: str) -> tuple[Region, Any]:
    properties = feature.get("properties") if isinstance(feature, dict) else None
    if not isinstance(properties, dict):
        raise _wrong(f"{path}.properties must be an object with code and name.")
    code, name = (_text(properties, key, path) for key in ("code", "name"))
    try:
        outline = shape(feature["geometry"])
    except (KeyError, TypeError, ValueError, AttributeError, shapely.errors.ShapelyError) as error:
        raise _wrong(f"{path}.geometry must be a polygon or multipolygon.") from error
    if outline.geom_type not in ("Polygon", "MultiPolygon") or outline.is_empty:
        raise _wrong(f"{path}.geometry must be a polygon or multipolygon, not a {outline.geom_type}.")
    if not outline.is_valid:
        raise _wrong(f"{path}.geometry is not valid: {shapely.is_valid_reason(outline)}.")
    return Region(RegionType.DMA, code, name), outline


def _text(properties: Mapping[str, Any], key: str, path: str) -> str:
    value = properties.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        raise _wrong(f"{path}.properties.{key} must be a non-empty string, not {value!r:.60}.")
    return value.strip()


def _wrong(message: str) -> InvalidParameter:
    return InvalidParameter("dma", f"dma: {message}")
