"""The run of all checks, which is pure: it turns geofences and their surroundings into the report."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from engine.domain.errors import RoutingUnavailable
from engine.domain.geofence import Geofence
from engine.domain.geometry import Isochrone, Point
from engine.domain.ports import Progress, no_progress
from engine.domain.routing import Edge
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geofences.checks.findings import Check, CheckReport, Finding
from engine.geofences.checks.overlaps import find_overlaps
from engine.geofences.checks.regions import find_edges, find_isochrones, find_outside_areas
from engine.geofences.checks.rules import (
    find_expired,
    find_expiring,
    find_never_open,
    find_not_portable,
    find_rule_dependent_hours,
    find_same_name,
)
from engine.geofences.checks.settings import find_buffers, find_coarse_exits
from engine.geofences.checks.sizes import find_slivers, find_too_small
from engine.geofences.checks.surroundings import CheckProgress, EdgeOf, Fences, RoadDistance, Surroundings
from engine.geofences.checks.touching import find_self_touching

MAX_FINDINGS: Final = 10_000
"""Maximum number of findings listed per check, after which it stops."""

type _Find = Callable[[Fences, Surroundings, CheckProgress], Iterator[Finding]]

_FINDERS: Final[tuple[tuple[frozenset[Check], _Find], ...]] = (
    (frozenset({Check.NEVER_OPEN}), find_never_open),
    (frozenset({Check.HOURS}), find_rule_dependent_hours),
    (frozenset({Check.BUFFERS}), find_buffers),
    (frozenset({Check.COARSE_EXITS}), find_coarse_exits),
    (frozenset({Check.TOO_SMALL}), find_too_small),
    (frozenset({Check.SELF_TOUCHING}), find_self_touching),
    (frozenset({Check.SLIVER}), find_slivers),
    (frozenset({Check.ISOCHRONE}), find_isochrones),
    (frozenset({Check.EDGE}), find_edges),
    (frozenset({Check.SAME_PLACE, Check.OVERLAP}), find_overlaps),
    (frozenset({Check.SAME_NAME}), find_same_name),
    (frozenset({Check.PORTABLE}), find_not_portable),
    (frozenset({Check.EXPIRING}), find_expiring),
    (frozenset({Check.EXPIRED}), find_expired),
    (frozenset({Check.OUTSIDE_AREAS}), find_outside_areas),
)

_NO_ROADS: Final = "The router does not answer, so how far isochrones are from roads was not checked."
_NO_EDGES: Final = "The router does not answer, so whether isochrones reach the edge of an area was not checked."
_NO_AREAS: Final = "No area is installed, so whether geofences are outside of one was not checked."


def check(geofences: Sequence[Geofence], around: Surroundings, progress: Progress = no_progress) -> CheckReport:
    """Return the findings among geofences; `progress` may raise `Cancelled`."""
    fences, roads, edges = Fences(geofences), _Roads(around.road_distance_m), _Edges(around.edge)
    around = replace(around, road_distance_m=roads, edge=edges)
    wanted = [(checks & around.options.checks, find) for checks, find in _FINDERS]
    wanted = [(checks, find) for checks, find in wanted if checks]
    total = max(1, len(fences) * len(wanted))
    found: dict[Check, list[Finding]] = {}
    capped: set[Check] = set()
    for step, (checks, find) in enumerate(wanted):
        report = _reporter(progress, step * len(fences), total)
        report(0)
        capped |= _take(find(fences, around, report), checks, found)
    progress(total, total)
    findings = sorted((each for some in found.values() for each in some), key=lambda each: each.order)
    notes = dict(_notes(around, roads, edges))
    return CheckReport(tuple(findings), len(fences), frozenset(capped), tuple(notes.values()), frozenset(notes))


def _take(findings: Iterator[Finding], wanted: frozenset[Check], found: dict[Check, list[Finding]]) -> frozenset[Check]:
    """Add the findings of some checks, up to the limit of each; return the checks that exceeded it."""
    capped: set[Check] = set()
    for finding in findings:
        if finding.check not in wanted or finding.check in capped:
            continue
        listed = found.setdefault(finding.check, [])
        if len(listed) < MAX_FINDINGS:
            listed.append(finding)
            continue
        capped.add(finding.check)
        if capped == wanted or finding.check is Check.OVERLAP:
            # Duplicates are found earlier, except near ones, and further overlaps would be of no use after ten
            # thousand.
            break
    return frozenset(capped)


def _reporter(progress: Progress, before: int, total: int) -> CheckProgress:
    def report(number: int) -> None:
        progress(before + number, total)

    return report


def _notes(around: Surroundings, roads: "_Roads", edges: "_Edges") -> Iterator[tuple[Check, str]]:
    """Yield each check that could not be made, with the reason."""
    if roads.failed:
        yield Check.ISOCHRONE, _NO_ROADS
    if edges.failed:
        yield Check.EDGE, _NO_EDGES
    if Check.OUTSIDE_AREAS in around.options.checks and not around.areas:
        yield Check.OUTSIDE_AREAS, _NO_AREAS


class _Roads:
    """Distances to roads; after the first failure the router is not asked again."""

    def __init__(self, ask: RoadDistance) -> None:
        self._ask = ask
        self._known: dict[tuple[Point, TravelMode], float | None] = {}
        self.failed = False

    def __call__(self, center: Point, mode: TravelMode) -> float | None:
        if self.failed:
            return None
        try:
            if (center, mode) not in self._known:
                self._known[center, mode] = self._ask(center, mode)
            return self._known[center, mode]
        except RoutingUnavailable:
            self.failed = True
            return None


class _Edges:
    """Edges of areas; after the first failure the router is not asked again."""

    def __init__(self, ask: EdgeOf) -> None:
        self._ask = ask
        self.failed = False

    def __call__(self, isochrone: Isochrone) -> Edge | None:
        if self.failed:
            return None
        try:
            return self._ask(isochrone)
        except RoutingUnavailable:
            self.failed = True
            return None
