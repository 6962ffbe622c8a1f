"""Tracks drawn by hand: from vertex to vertex at a constant speed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.simulation.editing import at_speed, resampled
from engine.simulation.formats.fields import MAX_POSITIONS

MAX_CORNERS: Final = 10_000
DRAWN: Final = "Drawn track"


def drawn_track(
    points: Sequence[Point], speed_kmh: float, interval_s: float, start: datetime, *, most: int = MAX_POSITIONS
) -> Track:
    """Return the track through `points` at a speed from `start`, with a fix every `interval_s` and one at its end.

    It may have `most` positions.

    Raises `InvalidParameter` naming ``points``, ``assume_speed_kmh``, ``start`` or ``interval_s``.
    """
    corners = tuple(TrackPoint(point) for point in points)
    if not 2 <= len(corners) <= MAX_CORNERS:
        raise InvalidParameter("points", f"points: from 2 to {MAX_CORNERS:,} are required, not {len(corners)}.")
    try:
        return resampled(at_speed(Track(DRAWN, corners), speed_kmh, start), interval_s, most=most)
    except InvalidParameter as error:
        if error.param != "resample":
            raise
        raise InvalidParameter("interval_s", f"interval_s{error.message.removeprefix('resample')}") from None
