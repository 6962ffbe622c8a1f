"""Tracks that are opened."""

from __future__ import annotations

from pathlib import Path

from engine.domain.tracking.tracks import Track


def track_of(file: Path) -> Track:
    """Return the track of a file of any format; raises `InvalidParameter`."""
    # Not before one is opened: each format has a module of its own.
    from engine.simulation.formats.reading import read_track

    return read_track(file)
