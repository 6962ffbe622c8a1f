"""Measurements of a fix relative to a geofence, computed only as far as needed."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

from engine.domain.geofence import Geofence
from engine.domain.geometry import Point
from engine.domain.tracking.updates import Confidence, Fix
from engine.geo.bounds import Bounds, box_around, touch
from engine.geo.index import Entry
from engine.geo.shapes import Shape

WHOLE: Final = 1 - 1e-9
"""Smallest share that counts as the whole circle, allowing for rounding."""

HALF: Final = 0.5 - 1e-6
"""Smallest share that counts as half of the circle, which a straight boundary through the fix yields, with rounding."""


SMALLEST_M: Final = 0.001
LARGEST_M: Final = 20_100_000.0
"""Largest radius of a circle around a position, half the circumference of the earth.

The smallest radius is a millimetre.
"""

TOUCHING: Final = 0.999
"""Smallest fraction of the accuracy that counts as the whole, allowing for rounding."""

_SURELY_CLOSER: Final = 0.998
"""Fraction of a distance within which a boundary is certainly closer than the distance, despite rounding."""

_SURELY_LITTLE: Final = 0.45
"""Largest share that is certainly less than half of the circle, despite rounding."""


class Measure:
    """Distance, share and confidence of a fix relative to a shape, each computed once."""

    __slots__ = ("_boxes", "_close", "_distance_m", "_inside", "_shape", "_share", "fix")

    def __init__(self, fix: Fix, fence: Entry[Geofence]) -> None:
        self.fix = fix
        self._shape = fence.shape
        self._boxes = fence.boxes
        self._close: bool | None = None
        self._inside: bool | None = None
        self._distance_m: float | None = None
        self._share: float | None = None

    @property
    def inside(self) -> bool:
        """Whether the location is inside or on the boundary."""
        if self._inside is None:
            point = self.fix.point
            self._inside = self._shape.contains(point.longitude, point.latitude)
        return self._inside

    @property
    def in_hole(self) -> bool:
        """Whether the location, which is not inside, is in a hole."""
        point = self.fix.point
        return self._shape.in_hole(point.longitude, point.latitude)

    @property
    def distance_m(self) -> float:
        """Signed distance to the boundary in metres: negative inside, 0 on the boundary."""
        if self._distance_m is None:
            point = self.fix.point
            self._distance_m = self._shape.distance_m(point.longitude, point.latitude)
        return self._distance_m

    @property
    def share(self) -> float:
        """Share of the accuracy circle that is inside."""
        if self._share is None:
            point = self.fix.point
            near = self._may_be_within_accuracy()
            self._share = self._shape.share(point.longitude, point.latitude, self._radius_m) if near else 0.0
        return self._share

    @property
    def within_accuracy(self) -> bool:
        """Whether the distance to the geofence is within the accuracy."""
        if self.inside:
            return True
        accuracy_m = self.fix.accuracy_m
        return self._may_be_within_accuracy() and (self._surely_within(accuracy_m) or self.distance_m <= accuracy_m)

    def _may_be_within_accuracy(self) -> bool:
        """Return whether the bounding boxes leave it open that the geofence is within the accuracy.

        Users who left long ago are far from boundaries that take long to measure.
        """
        if self._close is None and self._inside:
            self._close = True
        elif self._close is None:
            point = self.fix.point
            area = _area(point.longitude, point.latitude, self._radius_m)
            self._close = area is None or any(touch(box, area) for box in self._boxes)
        return self._close

    def _surely_within(self, within_m: float) -> bool:
        """Return whether the boundary is certainly closer than a distance, which is faster than measuring it."""
        point = self.fix.point
        return self._shape.distance_at_most_m(point.longitude, point.latitude) < within_m * _SURELY_CLOSER

    @property
    def _radius_m(self) -> float:
        """The accuracy in metres, limited to valid radii of a circle on the earth."""
        return min(max(self.fix.accuracy_m, SMALLEST_M), LARGEST_M)

    def confidence(self, *, inside: bool) -> int:
        """Return the confidence that the user is inside, or outside."""
        if self._share is None and (beyond_doubt := self._confidence_beyond_doubt(inside=inside)) is not None:
            return beyond_doubt
        confidence = confidence_of(self.share if inside else 1 - self.share)
        if confidence is Confidence.HIGH and abs(self.distance_m) < self._radius_m * TOUCHING:
            # A geofence that is tiny compared to the circle is still a part of it.
            return Confidence.MEDIUM
        return confidence

    def _confidence_beyond_doubt(self, *, inside: bool) -> int | None:
        """Return the confidence if it is certain without measuring, as for most geofences around a coarse fix."""
        if not self._may_be_within_accuracy():
            return Confidence.LOW if inside else Confidence.HIGH
        if self._shape.share_at_most(self.fix.point.latitude, self._radius_m) > _SURELY_LITTLE:
            return None
        if inside:
            return Confidence.LOW
        # Most of the circle is outside, and part of the geofence is in it.
        return Confidence.MEDIUM if self._surely_within(self._radius_m) else None


def confidence_at(shape: Shape, longitude: float, latitude: float, accuracy_m: float) -> int:
    """Return the confidence of an entry for a position with an accuracy."""
    fence: Entry[Any] = Entry.of("", None, shape)
    return Measure(Fix(Point(longitude, latitude), accuracy_m, _NEVER), fence).confidence(inside=True)


_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=64)
def _area(longitude: float, latitude: float, radius_m: float) -> Bounds | None:
    """Return the box around a fix, shared by all geofences, or None if it crosses the antimeridian."""
    area = box_around(longitude, latitude, radius_m)
    return None if area.west < -180 or area.east > 180 else area


def confidence_of(share: float) -> int:
    """Return the confidence for the share of the accuracy circle on the side of the event."""
    if share >= WHOLE:
        return Confidence.HIGH
    return Confidence.MEDIUM if share >= HALF else Confidence.LOW
