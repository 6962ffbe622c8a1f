"""Summary of a track: its length, times, accuracies and gaps."""

from datetime import datetime
from itertools import pairwise
from statistics import median

import numpy as np
from msgspec import Struct

from engine.domain.tracking.tracks import Track
from engine.geo.earth import line_length_m
from engine.simulation.timing import untimed_reason


class TrackSummary(Struct, frozen=True):
    """Figures of a track.

    `untimed` is the reason why its times cannot be played, `accuracies` are minimum, median and maximum.
    """

    positions: int
    length_m: float
    untimed: str | None
    first: datetime | None
    last: datetime | None
    usual_gap_s: float | None
    longest_gap_s: float | None
    with_accuracy: int
    accuracies: tuple[float, float, float] | None


def summary_of(track: Track) -> TrackSummary:
    """Return the figures of a track."""
    untimed = untimed_reason(track)
    times = [point.at for point in track.points if point.at is not None] if untimed is None else []
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    accuracies = [point.accuracy_m for point in track.points if point.accuracy_m is not None]
    return TrackSummary(
        len(track.points),
        _length_m(track),
        untimed,
        times[0] if times else None,
        times[-1] if times else None,
        median(gaps) if gaps else None,
        max(gaps, default=None),
        len(accuracies),
        (min(accuracies), median(accuracies), max(accuracies)) if accuracies else None,
    )


def _length_m(track: Track) -> float:
    longitudes = np.array([point.point.longitude for point in track.points])
    latitudes = np.array([point.point.latitude for point in track.points])
    return line_length_m(longitudes, latitudes)
