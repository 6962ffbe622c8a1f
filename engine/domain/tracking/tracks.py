"""A track: the recorded or drawn path of one device."""

from datetime import datetime
from itertools import pairwise

from msgspec import Struct

from engine.domain.geometry import Point


class TrackPoint(Struct, frozen=True):
    """A position of a track; values that the file does not have are None."""

    point: Point
    at: datetime | None = None
    accuracy_m: float | None = None
    foreground: bool | None = None
    stopped: bool | None = None
    speed_mps: float | None = None


class RecordedQuery(Struct, frozen=True, kw_only=True):
    """A query for the kept updates to convert to a track; the time limits apply to the fixes' times."""

    device_id: str
    user_id: str | None = None
    after: datetime | None = None
    before: datetime | None = None


class Track(Struct, frozen=True):
    """Positions of one file in the order of recording; `skipped` describes the parts that were left out."""

    name: str
    points: tuple[TrackPoint, ...]
    skipped: tuple[str, ...] = ()

    @property
    def timed(self) -> bool:
        """Whether every position has its own time, none earlier than the previous one."""
        times = [point.at for point in self.points]
        known = [at for at in times if at is not None]
        return len(known) == len(times) and all(a <= b for a, b in pairwise(known))
