"""CSV and GeoJSON, with all fields of a track."""

import json
from typing import Any, Final

from engine.domain.clock import utc_text
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.simulation.writing.texts import degrees, flag

_HEADER: Final = "longitude,latitude,time,accuracy,foreground,stopped"


def write_csv(track: Track) -> bytes:
    """Return a table with a row for each position; it has a column for speeds if there are any."""
    if all(point.speed_mps is None for point in track.points):
        return "".join((_HEADER, "\n", *(f"{_row(point)}\n" for point in track.points))).encode()
    rows = (f"{_row(point)},{'' if point.speed_mps is None else degrees(point.speed_mps)}\n" for point in track.points)
    return "".join((_HEADER, ",speed\n", *rows)).encode()


def write_geojson(track: Track) -> bytes:
    """Return a collection with a point for each position, including its time and accuracy."""
    features = ",\n".join(json.dumps(_feature(point)) for point in track.points)
    return f'{{"type": "FeatureCollection", "features": [\n{features}\n]}}\n'.encode()


def _row(point: TrackPoint) -> str:
    cells = (
        degrees(point.point.longitude),
        degrees(point.point.latitude),
        "" if point.at is None else utc_text(point.at, "auto"),
        "" if point.accuracy_m is None else degrees(point.accuracy_m),
        flag(point.foreground),
        flag(point.stopped),
    )
    return ",".join(cells)


def _feature(point: TrackPoint) -> dict[str, Any]:
    properties = {
        "time": None if point.at is None else utc_text(point.at, "auto"),
        "accuracy": point.accuracy_m,
        "foreground": point.foreground,
        "stopped": point.stopped,
        "speed": point.speed_mps,
    }
    return {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": [point.point.longitude, point.point.latitude]},
        "properties": {name: value for name, value in properties.items() if value is not None},
    }
