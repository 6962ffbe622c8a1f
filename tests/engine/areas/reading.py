"""Helpers that read the result of a build: the roads with Valhalla, the map with tippecanoe's decoder."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from valhalla import Actor
from valhalla.config import get_config

from engine.areas.tools import program
from engine.domain.area import Area

type Place = tuple[float, float]


def way(roads: Path | None, start: Place, end: Place, options: dict[str, float] | None = None) -> dict[str, Any]:
    """Return Valhalla's summary of the route by car, with its `cost`; lengths in kilometres, times in seconds."""
    assert roads is not None
    config = orjson.loads(orjson.dumps(get_config(tile_extract=roads, tile_dir="")))
    request = {
        "locations": [{"lon": lon, "lat": lat} for lon, lat in (start, end)],
        "costing": "auto",
        "costing_options": {"auto": options or {}},
    }
    answer: dict[str, Any] = orjson.loads(Actor(config).route(orjson.dumps(request).decode()))
    summary: dict[str, Any] = answer["trip"]["summary"]
    return summary


def features(area: Area, zoom: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the layer and properties of every feature on the map at a zoom, once for each of its tiles."""
    assert area.basemap is not None
    command = [program("tippecanoe", "tippecanoe-decode"), f"-z{zoom}", f"-Z{zoom}", str(area.basemap)]
    decoded = orjson.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    for tile in decoded["features"]:
        for layer in tile["features"]:
            for feature in layer["features"]:
                yield layer["properties"]["layer"], feature["properties"]
