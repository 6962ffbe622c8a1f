"""Checks of the size of each geofence: the attainable confidence of a location, and the width."""

from collections.abc import Iterator
from math import pi
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Isochrone, Point
from engine.domain.tracking.updates import Confidence
from engine.geo.shapes import shape_of
from engine.geofences.checks.findings import Check, Finding, Severity, name_of
from engine.geofences.checks.surroundings import CheckProgress, Fences, Shapes, Surroundings

_AT_ONCE: Final = 1_000
_THIN: Final = 0.05
"""Ratio of the area to that of a circle with the same perimeter; a strip of 1 to 60 has 0.05."""

_NARROW_M: Final = 10.0


def find_too_small(fences: Fences, around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find geofences in which no position can reach the highest confidence."""
    accuracy_m = around.options.accuracy_m
    for number in fences.circles.tolist():
        report(number)
        geometry = fences[number].geometry
        if isinstance(geometry, Circle) and geometry.radius_m < accuracy_m:
            yield from _too_small(fences[number], geometry.center, around)
    for start in range(0, len(fences.rings), _AT_ONCE):
        numbers = fences.rings[start : start + _AT_ONCE]
        report(len(fences.circles) + start)
        for number in numbers[_may_be_small(fences.metric[numbers], accuracy_m)].tolist():
            widest = shapely.maximum_inscribed_circle(fences.metric[number], tolerance=accuracy_m / 100)
            if shapely.length(widest) < accuracy_m:
                x_m, y_m = shapely.get_coordinates(widest)[0]
                yield from _too_small(fences[number], fences.degrees(number, x_m, y_m), around)


def _may_be_small(shapes: Shapes, accuracy_m: float) -> NDArray[np.bool]:
    """Return the shapes that may not contain a circle of the accuracy; a cheap test at an inner point excludes most."""
    depth_m = np.nan_to_num(shapely.distance(shapely.point_on_surface(shapes), shapely.boundary(shapes)))
    return np.asarray(shapely.is_geometry(shapes) & (depth_m < accuracy_m))


def _too_small(geofence: Geofence, best: Point, around: Surroundings) -> Iterator[Finding]:
    accuracy_m, least = around.options.accuracy_m, around.settings.minimum_confidence
    share = shape_of(geofence.geometry).share(best.longitude, best.latitude, accuracy_m)
    confidence = around.confidence(share)
    if confidence >= Confidence.HIGH:
        return
    text = f"{name_of(geofence)} is too small for an accuracy of {accuracy_m:g} m: even at the best place "
    text += f"{share:.0%} of the accuracy circle is inside, so the confidence is at most {confidence}"
    if confidence < least:
        text += f", below the minimum of {least}, and no entry is generated"
    if isinstance(geofence.geometry, Circle):
        text += f". A radius of {accuracy_m:g} m would make 3 possible; now it is {geofence.geometry.radius_m:g} m"
    severity = Severity.WARNING if confidence == Confidence.LOW else Severity.INFO
    severity = Severity.ERROR if confidence < least else severity
    yield Finding(Check.TOO_SMALL, severity, (geofence.summary,), f"{text}.", best)


def find_slivers(fences: Fences, _around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find narrow shapes that are much longer than wide."""
    report(0)
    shapes = fences.metric
    areas, lengths = shapely.area(shapes), shapely.length(shapes)
    with np.errstate(invalid="ignore", divide="ignore"):
        thin, widths = 4 * pi * areas / lengths**2, 2 * areas / lengths
    for number in np.flatnonzero((thin < _THIN) & (widths < _NARROW_M)).tolist():
        report(number)
        geofence, width_m = fences[number], float(widths[number])
        if isinstance(geofence.geometry, Isochrone):
            continue  # computed, not drawn by a user
        text = f"{name_of(geofence)} is a sliver: {lengths[number] / 2:.0f} m long and {width_m:.1f} m wide on average."
        middle = shapely.point_on_surface(shapes[number])
        place = fences.degrees(number, middle.x, middle.y)
        yield Finding(Check.SLIVER, Severity.WARNING, (geofence.summary,), text, place)
