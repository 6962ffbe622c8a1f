"""Names on the street map: along whole streets and rivers, and in lakes and parks.

OpenStreetMap splits a street wherever an attribute changes, at every bridge and every crossing, so that no part is long
enough for its name. Therefore touching parts with one name are joined into separate lines here.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import ceil, cos, log2, radians, sqrt
from typing import Final

import numpy as np
import orjson
import shapely
from msgspec import Struct, field

from engine.areas.features import MAX_ZOOM, Feature

_STREETS: Final = {
    **dict.fromkeys(("motorway", "trunk", "primary"), ("main", 11)),
    **dict.fromkeys(("secondary", "tertiary"), ("secondary", 13)),
    **dict.fromkeys(("minor", "pedestrian"), ("minor", 14)),
    **dict.fromkeys(("service", "track", "cycleway", "path", "steps"), ("path", 14)),
}
_WATERWAYS: Final = {"river": 10, "canal": 11, "stream": 13, "drain": 14, "ditch": 14}
_AREAS: Final = frozenset(("water", "park", "forest", "cemetery", "airport", "glacier", "wetland", "sand"))

_METRES_PER_DEGREE: Final = 111_195.0
_METRES_PER_PIXEL: Final = 156_543.0
"""Metres per pixel at zoom 0 on the equator."""

_SHORTEST_M: Final = 15.0
"""Minimum length of a line with room for a name at any zoom."""

_STRAIGHTEN: Final = 1.5 / _METRES_PER_DEGREE
"""Size of bends that a name does not follow, in degrees."""

_AREA_PIXELS: Final = 60
"""Minimum size of an area on the map for its name, in pixels."""

_AREA_ZOOMS: Final = (8, 18)


class _Line(Struct, frozen=True):
    layer: str
    kind: str
    min_zoom: int
    name: str


class Names(Struct):
    """Collects the names of features as they are read, and converts them to features at the end."""

    _lines: dict[_Line, list[shapely.LineString]] = field(default_factory=lambda: defaultdict(list))
    _points: list[tuple[Feature, shapely.Point]] = field(default_factory=list)

    def add(self, feature: Feature, geometry: str) -> None:
        """Add the name of a feature if the map shows it; `geometry` is GeoJSON."""
        if (line := _line(feature)) is not None:
            self._lines[line].append(shapely.LineString(orjson.loads(geometry)["coordinates"]))
        elif feature.kind in _AREAS and "name" in feature.properties:
            self._add_area(feature, shapely.from_geojson(geometry))

    def features(self) -> Iterator[tuple[Feature, str]]:
        """Yield the names with their geometry in GeoJSON, and release them."""
        rivers = {line.name for line in self._lines if line.layer == "waterway_names"}
        while self._lines:
            line, parts = self._lines.popitem()
            feature = Feature(line.layer, line.kind, line.min_zoom, {"name": line.name})
            for joined in _joined(parts):
                yield feature, shapely.to_geojson(joined)
        while self._points:
            feature, point = self._points.pop()
            # A river is labelled along its line rather than between its banks.
            if feature.kind != "water" or feature.properties["name"] not in rivers:
                yield feature, shapely.to_geojson(point)

    def _add_area(self, feature: Feature, shape: shapely.Geometry) -> None:
        largest = max(shapely.get_parts(shape), key=shapely.area)
        size = sqrt(largest.area)
        latitude = largest.centroid.y
        size_m = size * _METRES_PER_DEGREE * sqrt(cos(radians(latitude)))
        if not size_m > 1:
            return
        zoom = ceil(log2(_AREA_PIXELS * _METRES_PER_PIXEL * cos(radians(latitude)) / size_m))
        if zoom > _AREA_ZOOMS[1]:
            return
        zoom = max(zoom, _AREA_ZOOMS[0])
        # The map draws tiles of the next lower zoom at twice their size.
        properties = {"name": feature.properties["name"], "from": zoom}
        point = shapely.get_point(shapely.maximum_inscribed_circle(largest, size / 50), 0)
        self._points.append((Feature("area_names", feature.kind, min(zoom - 1, MAX_ZOOM), properties), point))


def _line(feature: Feature) -> _Line | None:
    properties: Mapping[str, object] = feature.properties
    if feature.layer == "roads" and feature.kind in _STREETS and "link" not in properties:
        kind, min_zoom = _STREETS[feature.kind]
        name = properties.get("name") or str(properties.get("ref", "")).replace(";", " · ")
        return _Line("street_names", kind, min_zoom, str(name)) if name else None
    if feature.layer == "waterways" and "tunnel" not in properties and "name" in properties:
        return _Line("waterway_names", feature.kind, _WATERWAYS[feature.kind], str(properties["name"]))
    return None


def _joined(parts: list[shapely.LineString]) -> Iterator[shapely.LineString]:
    """Yield the longest lines that the parts form, without bends that a name would not follow."""
    merged = shapely.line_merge(shapely.union_all(shapely.multilinestrings(parts)))
    lines = shapely.simplify(shapely.get_parts(merged), _STRAIGHTEN)
    for line in lines:
        if line.geom_type == "LineString" and _length_m(line) >= _SHORTEST_M:
            yield line


def _length_m(line: shapely.LineString) -> float:
    places = shapely.get_coordinates(line)
    steps = np.diff(places, axis=0)
    steps[:, 0] *= cos(radians(places[0, 1]))
    return float(np.hypot(steps[:, 0], steps[:, 1]).sum()) * _METRES_PER_DEGREE
