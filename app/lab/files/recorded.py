"""The times at which the tracks of a scenario were recorded."""

from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

from app.lab.files.models import ScenarioBody, TrackBody
from engine.domain.clock import EARLIEST, LATEST
from engine.domain.errors import FencewrightError
from engine.domain.tracking.tracks import Track
from engine.simulation.formats.reading import read_track
from engine.simulation.timing import recorded_start as start_of


def recorded_start(scenario: Path, body: ScenarioBody) -> datetime | None:
    """Return the start with which the first recorded track keeps its own times, or None if no track is recorded."""
    found = []
    for device in body.devices:
        at = recorded_at(scenario, device.track)
        if at is not None and EARLIEST <= at <= LATEST:
            found.append(max(EARLIEST, at - (device.start or timedelta(0))))
    return min(found, default=None)


def recorded_at(scenario: Path, track: TrackBody) -> datetime | None:
    """Return the time of a track's first fix as recorded, or None if it is not known or the file cannot be read."""
    if track.recorded is not None or track.file is None:
        return track.recorded
    try:
        return start_of(track_file(scenario.parent / track.file))
    except (FencewrightError, OSError):  # reported by the run
        return None


def track_file(file: Path) -> Track:
    """Return the track in a file, which is read again only if it has changed. Raises as `read_track`."""
    there = file.stat()
    return _read(file, there.st_mtime_ns, there.st_size)


@lru_cache(maxsize=4)
def _read(file: Path, _changed_at: int, _size: int) -> Track:
    return read_track(file)
