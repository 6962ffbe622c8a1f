"""Saving the simulator's track in full. Drawn, routed and edited tracks exist in no other file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import orjson
from msgspec import Struct

from app.desktop.model.restoring.checked import as_flag, as_list, as_number, as_object, as_text, read_object
from app.desktop.model.simulation.sender import Timing
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.store.keys import write_private

TRACK: Final = "track.json"
MAX_POINTS: Final = 200_000
"""Maximum size of a saved track. Larger tracks come from files, which can be opened again."""
MAX_BYTES: Final = 64_000_000
_VERSION: Final = 1
_MAX_NAME: Final = 1_000
_COLUMNS: Final = ("longitude", "latitude", "ms", "accuracy", "foreground", "stopped")
_SPEED: Final = "speed"
"""A column that is missing in tracks saved by earlier versions."""
_FIRST_MS: Final = -62_000_000_000_000
_LAST_MS: Final = 253_402_300_799_000


class KeptTrack(Struct, frozen=True):
    """A track with its timing; `key` distinguishes it from tracks saved earlier."""

    key: str
    track: Track
    timing: Timing


def write_track(folder: Path, kept: KeptTrack | None) -> None:
    """Save a track in a workspace, or delete the saved one if it is None or too long; raises `OSError`."""
    file = folder / TRACK
    if kept is None or len(kept.track.points) > MAX_POINTS:
        file.unlink(missing_ok=True)
        return
    timing = kept.timing
    content = {
        "version": _VERSION,
        "key": kept.key,
        "name": kept.track.name[:_MAX_NAME],
        "speed_kmh": timing.assume_speed_kmh,
        "start_ms": _ms(timing.start),
        **dict(zip(_COLUMNS, _columns(kept.track.points), strict=True)),
        _SPEED: [each.speed_mps for each in kept.track.points],
    }
    write_private(file, orjson.dumps(content))


def read_track(folder: Path) -> KeptTrack | None:
    """Return the track saved in a workspace; raises `OSError` or `ValueError`."""
    file = folder / TRACK
    if not file.exists():
        return None
    found = read_object(file, MAX_BYTES)
    if found.get("version") != _VERSION:
        return None  # written by another version of the program
    speed, start = found.get("speed_kmh"), found.get("start_ms")
    timing = Timing(None if speed is None else as_number(speed, "speed_kmh", 1e-6, 1e9), _time(start, "start_ms"))
    track = Track(as_text(found.get("name"), "name", _MAX_NAME), _points(found))
    return KeptTrack(as_text(found.get("key"), "key", 40), track, timing)


def _columns(points: Sequence[TrackPoint]) -> Sequence[Sequence[Any]]:
    rows = (
        (each.point.longitude, each.point.latitude, _ms(each.at), each.accuracy_m, each.foreground, each.stopped)
        for each in points
    )
    return tuple(zip(*rows, strict=True)) or ((),) * len(_COLUMNS)


def _points(found: Mapping[str, Any]) -> tuple[TrackPoint, ...]:
    columns = [as_list(as_object(found, "it").get(name), name, MAX_POINTS) for name in _COLUMNS]
    columns.append(as_list(found.get(_SPEED, [None] * len(columns[0])), _SPEED, MAX_POINTS))
    if not columns[0] or len({len(column) for column in columns}) != 1:
        raise ValueError("its columns are not equally long")
    return tuple(_point(*row) for row in zip(*columns, strict=True))


def _point(
    longitude: Any, latitude: Any, ms: Any, accuracy: Any, foreground: Any, stopped: Any, speed: Any
) -> TrackPoint:
    return TrackPoint(
        Point(as_number(longitude, "longitude", -180, 180), as_number(latitude, "latitude", -90, 90)),
        _time(ms, "ms"),
        None if accuracy is None else as_number(accuracy, "accuracy", 0, 1e9),
        None if foreground is None else as_flag(foreground, "foreground"),
        None if stopped is None else as_flag(stopped, "stopped"),
        None if speed is None else as_number(speed, _SPEED, 0, 1e9),
    )


def _ms(at: datetime | None) -> int | None:
    return None if at is None else round(at.timestamp() * 1_000)


def _time(value: Any, name: str) -> datetime | None:
    if value is None:
        return None
    return datetime.fromtimestamp(as_number(value, name, _FIRST_MS, _LAST_MS) / 1_000, UTC)
