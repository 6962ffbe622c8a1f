"""A track: the recorded or drawn path of one device."""

from datetime import datetime
from itertools import pairwise

from msgspec import Struct

from engine.domain.geometry import Point


class TrackPoint(Struct, frozen=True):
    """One position of a track; what the file does not say about it is None."""

    point: Point
    at: datetime | None = None
    accuracy_m: float | None = None
    foreground: bool | None = None
    stopped: bool | None = None
    speed_mps: float | None = None


class RecordedQuery(Struct, frozen=True, kw_only=True):
    """Query of the kept updates that are to be a track; times bound those of the fixes."""

    device_id: str
    user_id: str | None = None
    after: datetime | None = None
    before: datetime | None = None


class Track(Struct, frozen=True):
    """Positions in the order they were recorded, from one file; `skipped` names what was left out."""

    name: str
    points: tuple[TrackPoint, ...]
    skipped: tuple[str, ...] = ()

    @property
    def timed(self) -> bool:
        """Whether every position has its own time, none earlier than the one before."""
        times = [point.at for point in self.points]
        known = [at for at in times if at is not None]
        return len(known) == len(times) and all(a <= b for a, b in pairwise(known))
