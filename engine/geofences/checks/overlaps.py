"""Checks of geofences against one another: overlaps and duplicate shapes."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from engine.domain.geometry import Geometry
from engine.domain.words import count
from engine.geo.earth import Floats
from engine.geofences.checks.findings import Check, Finding, Severity, name_of, names_of
from engine.geofences.checks.surroundings import CheckProgress, Fences, Shapes, Surroundings, point_at

_AT_ONCE: Final = 128
"""Number of shapes queried together; more would produce long lists of pairs if many shapes overlap."""

_PAIRS_AT_ONCE: Final = 2_000
"""Number of pairs measured together; the reader of the findings may stop after any of them."""

_LEAST_SHARE: Final = 0.01
"""Smallest share of the smaller shape that counts as an overlap; less is common between neighbours."""

_NEARLY_SAME: Final = 0.95
"""Share of the common area in the combined area above which two shapes are nearly the same."""

_WHOLLY: Final = 0.995
_MOSTLY: Final = 0.5


class _Pair(NamedTuple):
    """Two overlapping shapes, with the common area's share of the smaller one, and of both combined."""

    one: int
    other: int
    share: float
    common: float
    middle: tuple[float, float]


def find_overlaps(fences: Fences, _around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find duplicate shapes, and overlaps of enabled geofences."""
    groups: dict[Geometry, list[int]] = {}
    for number, geofence in enumerate(fences.all):
        groups.setdefault(geofence.geometry, []).append(number)
    for numbers in groups.values():
        if len(numbers) > 1:
            yield _same_shape(fences, numbers)
    firsts = np.array([numbers[0] for numbers in groups.values()], np.int64)
    for pair in _pairs(fences.shapes[firsts], report):
        one, other = int(firsts[pair.one]), int(firsts[pair.other])
        if pair.common >= _NEARLY_SAME:
            yield _nearly_same(fences, one, other, pair)
        elif fences[one].enabled and fences[other].enabled:
            yield _overlap(fences, one, other, pair)


def _same_shape(fences: Fences, numbers: list[int]) -> Finding:
    names = [name_of(fences[number]) for number in numbers]
    who = " and ".join(names_of(fences[numbers[0]], fences[numbers[1]]))
    if len(numbers) > 2:
        who = f"{names[0]} and {count(len(numbers) - 1, 'other geofence')}"
    summaries = tuple(fences[number].summary for number in numbers)
    text = f"{who} have exactly the same shape: a device inside generates the events of each."
    return Finding(Check.SAME_PLACE, Severity.WARNING, summaries, text, fences.center(numbers[0]))


def _nearly_same(fences: Fences, one: int, other: int, pair: _Pair) -> Finding:
    who = " and ".join(names_of(fences[one], fences[other]))
    text = f"{who} cover nearly the same area: {pair.common:.0%} of it is in common."
    summaries = fences[one].summary, fences[other].summary
    return Finding(Check.SAME_PLACE, Severity.WARNING, summaries, text, point_at(*pair.middle))


def _overlap(fences: Fences, one: int, other: int, pair: _Pair) -> Finding:
    small, large = fences[one], fences[other]
    small_name, large_name = names_of(small, large)
    whole = f"{small_name} lies inside {large_name}."
    part = f"{pair.share:.0%} of {small_name} lies inside {large_name}."
    text = whole if pair.share >= _WHOLLY else part
    # Within a tag this is rarely intended, because a few metres decide which geofence is visited.
    grave = small.tag == large.tag and pair.share >= _MOSTLY
    severity = Severity.WARNING if grave else Severity.INFO
    return Finding(Check.OVERLAP, severity, (small.summary, large.summary), text, point_at(*pair.middle))


def _pairs(shapes: Shapes, report: CheckProgress) -> Iterator[_Pair]:
    """Yield the pairs of overlapping shapes, the smaller one first."""
    whole, owners = _in_every_turn(shapes)
    areas = shapely.area(whole)
    tree = shapely.STRtree(whole)
    for start in range(0, len(whole), _AT_ONCE):
        report(min(start, len(shapes)))
        ones, others = tree.query(whole[start : start + _AT_ONCE])
        ones = ones + start
        # Each pair once; two shapes that were both shifted already are a pair in their original position.
        kept = (owners[ones] < owners[others]) & ((ones < len(shapes)) | (others < len(shapes)))
        ones, others = ones[kept], others[kept]
        for some in range(0, len(ones), _PAIRS_AT_ONCE):
            report(min(start, len(shapes)))
            part = slice(some, some + _PAIRS_AT_ONCE)
            meeting = shapely.intersects(whole[ones[part]], whole[others[part]])
            yield from _measured(whole, areas, owners, ones[part][meeting], others[part][meeting])


def _measured(
    whole: Shapes, areas: Floats, owners: NDArray[np.int64], ones: NDArray[np.int64], others: NDArray[np.int64]
) -> Iterator[_Pair]:
    common = shapely.intersection(whole[ones], whole[others])
    common_areas = shapely.area(common)
    middles = shapely.get_coordinates(shapely.point_on_surface(common))
    there = np.flatnonzero(~shapely.is_empty(common))
    # Degrees of longitude are shorter than those of latitude, but equally so in two shapes that overlap.
    for place, pair in enumerate(there.tolist()):
        one, other, area = int(ones[pair]), int(others[pair]), float(common_areas[pair])
        if areas[one] > areas[other]:
            one, other = other, one
        share = area / float(areas[one])
        if share >= _LEAST_SHARE:
            together = float(areas[one] + areas[other]) - area
            middle = float(middles[place, 0]), float(middles[place, 1])
            yield _Pair(int(owners[one]), int(owners[other]), share, area / together, middle)


def _in_every_turn(shapes: Shapes) -> tuple[Shapes, NDArray[np.int64]]:
    """Return the shapes, then those across the antimeridian again on its other side, and the owner of each."""
    west, _, east, _ = shapely.bounds(shapes).T
    parts: list[Any] = [shapes]
    owners = [np.arange(len(shapes))]
    for beyond, turn in ((east > 180, -360.0), (west < -180, 360.0)):
        parts.append(shapely.transform(shapes[beyond], lambda places, turn=turn: np.add(places, (turn, 0.0))))
        owners.append(np.flatnonzero(beyond))
    return np.concatenate(parts), np.concatenate(owners)
