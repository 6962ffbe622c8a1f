"""Opening track files."""

from __future__ import annotations

from pathlib import Path

from engine.domain.tracking.tracks import Track


def track_of(file: Path) -> Track:
    """Return the track in a file of any supported format; raises `InvalidParameter`."""
    # Imported on demand because each format has its own module.
    from engine.simulation.formats.reading import read_track

    return read_track(file)
