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
    for number, small in _small_parts(fences, accuracy_m, report).items():
        parts = int(fences.parts.counts[number])
        if len(small) == parts:
            _, best = max(small, key=lambda each: each[0])
            yield from _too_small(fences[number], best, around)
        else:
            yield from _parts_too_small(fences[number], [place for _, place in small], parts, around)


def _small_parts(fences: Fences, accuracy_m: float, report: CheckProgress) -> dict[int, list[tuple[float, Point]]]:
    """Return the parts of polygons that do not contain a circle of the accuracy, by geofence.

    Each is given as the radius and centre of the largest circle in it.
    """
    found: dict[int, list[tuple[float, Point]]] = {}
    all_parts = np.flatnonzero(np.isin(fences.parts.owners, fences.rings))
    for start in range(0, len(all_parts), _AT_ONCE):
        parts = all_parts[start : start + _AT_ONCE]
        report(len(fences.circles) + len(fences.rings) * start // len(all_parts))
        for part in parts[_may_be_small(fences.parts.metric[parts], accuracy_m)].tolist():
            widest = shapely.maximum_inscribed_circle(fences.parts.metric[part], tolerance=accuracy_m / 100)
            if (radius_m := float(shapely.length(widest))) < accuracy_m:
                x_m, y_m = shapely.get_coordinates(widest)[0]
                place = fences.parts.degrees(part, x_m, y_m)
                found.setdefault(int(fences.parts.owners[part]), []).append((radius_m, place))
    return found


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


def _parts_too_small(geofence: Geofence, places: list[Point], parts: int, around: Surroundings) -> Iterator[Finding]:
    """Find the parts in which no position can reach the highest confidence; `places` are the best in each."""
    accuracy_m, shape = around.options.accuracy_m, shape_of(geofence.geometry)
    shares = [(shape.share(place.longitude, place.latitude, accuracy_m), place) for place in places]
    small = [each for each in shares if around.confidence(each[0]) < Confidence.HIGH]
    if not small:
        return
    share, place = min(small, key=lambda each: each[0])
    confidence, least = around.confidence(share), around.settings.minimum_confidence
    subject = _parts_of(geofence, len(small), parts)
    text = f"{subject} too small for an accuracy of {accuracy_m:g} m: even at the best place of the smallest "
    text += f"{share:.0%} of the accuracy circle is inside, so the confidence there is at most {confidence}"
    if confidence < least:
        text += f", below the minimum of {least}, and no entry is generated"
    severity = Severity.WARNING if confidence < least else Severity.INFO
    yield Finding(Check.TOO_SMALL, severity, (geofence.summary,), f"{text}.", place)


def _parts_of(geofence: Geofence, number: int, parts: int) -> str:
    name = name_of(geofence)
    return f"One of the {parts} parts of {name} is" if number == 1 else f"{number} of the {parts} parts of {name} are"


def find_slivers(fences: Fences, _around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find narrow shapes that are much longer than wide."""
    report(0)
    shapes = fences.parts.metric
    areas, lengths = shapely.area(shapes), shapely.length(shapes)
    with np.errstate(invalid="ignore", divide="ignore"):
        thin, widths = 4 * pi * areas / lengths**2, 2 * areas / lengths
    slivers: dict[int, list[int]] = {}
    for part in np.flatnonzero((thin < _THIN) & (widths < _NARROW_M)).tolist():
        slivers.setdefault(int(fences.parts.owners[part]), []).append(part)
    for number, parts in slivers.items():
        report(number)
        if isinstance(fences[number].geometry, Isochrone):
            continue  # computed, not drawn by a user
        narrowest = min(parts, key=lambda part: float(widths[part]))
        yield _sliver(fences, number, narrowest, len(parts))


def _sliver(fences: Fences, number: int, narrowest: int, slivers: int) -> Finding:
    geofence, shape, parts = fences[number], fences.parts.metric[narrowest], int(fences.parts.counts[number])
    half_m = shapely.length(shape) / 2
    width_m = shapely.area(shape) / half_m
    text = f"{name_of(geofence)} is a sliver: {half_m:.0f} m long and {width_m:.1f} m wide on average."
    if parts > 1:
        text = f"{_parts_of(geofence, slivers, parts)} too narrow: "
        text += f"the narrowest is {half_m:.0f} m long and {width_m:.1f} m wide on average."
    middle = shapely.point_on_surface(shape)
    place = fences.parts.degrees(narrowest, middle.x, middle.y)
    return Finding(Check.SLIVER, Severity.WARNING, (geofence.summary,), text, place)
