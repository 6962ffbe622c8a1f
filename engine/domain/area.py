"""Areas: parts of the world whose streets are on this machine, built from an OpenStreetMap extract."""

from datetime import datetime
from pathlib import Path

from msgspec import Struct

from engine.domain.geometry import Point

type Bounds = tuple[float, float, float, float]
"""West, south, east and north edges in degrees; the east one exceeds 180 in an area across the 180th meridian."""


def halves(bounds: Bounds) -> tuple[Bounds, ...]:
    """Return a box as boxes within ±180°: two if it lies across the 180th meridian."""
    west, south, east, north = bounds
    if west < -180:
        west, east = west + 360, east + 360
    if east <= 180:
        return ((west, south, east, north),)
    if east - west >= 360:
        return ((-180.0, south, 180.0, north),)
    return ((west, south, 180.0, north), (-180.0, south, east - 360, north))


def wrapped(bounds: Bounds) -> Bounds:
    """Return a box with edges within ±180°, whose west exceeds its east if it lies across the 180th meridian."""
    west, south, *_, north = bounds
    return (west, south, halves(bounds)[-1][2], north)


def covers(bounds: Bounds, longitude: float, latitude: float) -> bool:
    """Return whether a position lies within a box, which may lie across the 180th meridian."""
    return any(west <= longitude <= east and south <= latitude <= north for west, south, east, north in halves(bounds))


class Area(Struct, frozen=True, kw_only=True):
    """A folder with all data for routing and the map in one part of the world.

    `roads` is a tar of Valhalla tiles, or None if its extract has no roads, `basemap` a PMTiles file of vector tiles,
    `gazetteer` the search data, and `ends` the places where roads are cut off at its edge. `source` is the name of the
    extract that it was built from. `bundled` areas came with the program. An area whose `format` is not the current
    one must be rebuilt before it can be used. If the bounds are not `measured`, they are the ones stated in the
    extract's header.
    """

    name: str
    folder: Path
    bounds: Bounds
    roads: Path | None
    basemap: Path | None
    built_at: datetime
    source: str
    format: int
    size_bytes: int = 0
    bundled: bool = False
    gazetteer: Path | None = None
    measured: bool = True
    ends: Path | None = None

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same build, regardless of how their sizes and bounds were determined."""
        return isinstance(other, Area) and self._build == other._build

    def __hash__(self) -> int:
        return hash(self._build)

    @property
    def _build(self) -> tuple[object, ...]:
        return (
            self.name,
            self.folder,
            self.bounds,
            self.roads,
            self.basemap,
            self.built_at,
            self.source,
            self.format,
            self.bundled,
            self.gazetteer,
            self.ends,
        )

    def covers(self, point: Point) -> bool:
        """Return whether a position lies within the bounds. There may still be no road near it."""
        return covers(self.bounds, point.longitude, point.latitude)
