"""The contents of the shared extracts, read by independent code."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import osmium
import shapely

from engine.domain.geometry import Point

KEYS = ("amenity", "shop", "tourism", "leisure", "office", "aeroway", "railway", "highway", "building")


@dataclass(frozen=True)
class OsmObject:
    """An object of an extract: its tags, its position, and its outline as a shape in degrees."""

    osm: str
    tags: dict[str, str]
    point: Point
    outline: shapely.Geometry | None = None

    @property
    def point_xy(self) -> tuple[float, float]:
        """Position as a pair."""
        return self.point.longitude, self.point.latitude


def read_objects(extract: Path) -> Iterator[OsmObject]:
    """Yield the nodes and areas of an extract that have a name or a brand."""
    factory = osmium.geom.WKBFactory()
    found = osmium.FileProcessor(str(extract)).with_areas().with_filter(osmium.filter.KeyFilter(*KEYS))
    processor: Iterable[Any] = found
    for item in processor:
        tags = dict(item.tags)
        if "name" not in tags and "brand" not in tags:
            continue
        if item.is_node():
            yield OsmObject(f"n{item.id}", tags, Point(item.location.lon, item.location.lat))
        elif item.is_area():
            shape = _shape(factory, item)
            if shape is not None:
                middle = shapely.point_on_surface(shape)
                osm = f"{'w' if item.from_way() else 'r'}{item.orig_id()}"
                yield OsmObject(osm, tags, Point(middle.x, middle.y), shape)


def _shape(factory: Any, area: Any) -> shapely.Geometry | None:
    try:
        return shapely.from_wkb(factory.create_multipolygon(area))
    except RuntimeError:
        return None
