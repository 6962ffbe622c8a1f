"""Changes that would have made an event fire, found by trying them one at a time.

If no single change is enough, combinations of two, three and four changes are tried. All changes are verified with
`decide` itself, and a threshold is narrowed down to the step before which the event does not fire.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from math import ceil, floor
from typing import Final, NamedTuple

from engine.domain.geofence import GeofenceRules
from engine.domain.geometry import MAX_RADIUS_M, MIN_RADIUS_M, Circle
from engine.domain.tracking.decision import WANTED, Change, Factor, Outcome, Remedy
from engine.domain.tracking.updates import Confidence
from engine.domain.values import replace
from engine.geo.earth import metres_between
from engine.tracking.decide import Decision
from engine.tracking.whatif.accuracies import largest_throughout
from engine.tracking.whatif.cases import Case, changed, moved
from engine.tracking.whatif.times import MINUTE_S, duration, longer_hours, minutes_back, stayed_s, turns_open

MOST_CHANGES: Final = 4
MOST_REMEDIES: Final = 12
_MOST_BRANCHES: Final = 12
"""Maximum number of partial combinations that are pursued."""
_TENTH: Final = 10
_MOMENT_S: Final = 1e-3
_SCAN: Final = 24
_PROBE_M: Final = 0.25
_LARGEST_ACCURACY_M: Final = 100_000.0


class Scale(NamedTuple):
    """Values of a factor, smallest difference first: a change for each step, and the steps to try."""

    change: Callable[[int], Change]
    steps: Sequence[int]


def remedies(case: Case) -> tuple[Remedy, ...]:
    """Return the changes that would have made the withheld event fire.

    The result is empty if an event fired or none was possible.
    """
    base = case.decided()
    wanted = WANTED.get(base.outcome)
    if wanted is None or (wanted is Outcome.DWELL and not _dwell_in_question(base)):
        return ()
    beginnings: list[tuple[tuple[Change, ...], Case]] = [((), case)]
    for count in range(1, MOST_CHANGES + 1):
        found = _unique(
            (*made, change) for made, begun in beginnings for change in _single(begun, wanted) if _new(made, change)
        )
        if found or count == MOST_CHANGES:
            needed = _unique(_needed(case, changes, wanted) for changes in found)
            candidates = (tuple(sorted(changes, key=_rank)) for changes in needed)
            ordered = sorted(candidates, key=lambda changes: [_rank(change) for change in changes])
            return tuple(Remedy(changes) for changes in ordered[:MOST_REMEDIES])
        beginnings = _continued(beginnings, wanted)
    return ()


_RANKS: Final = {factor: rank for rank, factor in enumerate(Factor)}
_TIMES: Final = (Factor.EARLIER, Factor.LATER)


def _rank(change: Change) -> tuple[int, float]:
    """Return the sort key of a change: those of the device come first, then settings, then the geofence.

    Of an earlier and a later time, the nearer one comes first.
    """
    if change.factor in _TIMES:
        return _RANKS[Factor.LATER], float(change.values["seconds"])
    return _RANKS[change.factor], 0.0


def _dwell_in_question(base: Decision) -> bool:
    return base.outcome is Outcome.DWELL_WITHHELD or any(not each.passed and not each.is_fact for each in base.reasons)


def _needed(case: Case, changes: tuple[Change, ...], wanted: Outcome) -> tuple[Change, ...]:
    """Return a combination without changes that a later one has made needless."""
    for change in changes:
        others = tuple(each for each in changes if each is not change)
        if others and reduce(changed, others, case).decided().outcome is wanted:
            return _needed(case, others, wanted)
    return changes


def _new(made: tuple[Change, ...], change: Change) -> bool:
    return all(each.factor is not change.factor for each in made)


def _unique(found: Iterable[tuple[Change, ...]]) -> list[tuple[Change, ...]]:
    """Return one combination for each set of factors."""
    by_factors: dict[frozenset[Factor], tuple[Change, ...]] = {}
    for changes in found:
        by_factors.setdefault(frozenset(change.factor for change in changes), changes)
    return list(by_factors.values())


def _continued(
    beginnings: list[tuple[tuple[Change, ...], Case]], wanted: Outcome
) -> list[tuple[tuple[Change, ...], Case]]:
    """Return the partial combinations extended by a change that removes or alters a failed reason."""
    found: dict[frozenset[Factor], tuple[tuple[Change, ...], Case]] = {}
    for made, case in beginnings:
        against = _against(case, wanted)
        for change in _switches(case):
            after = changed(case, change)
            if _against(after, wanted) != against and _new(made, change):
                found.setdefault(frozenset(each.factor for each in (*made, change)), ((*made, change), after))
    return list(found.values())[:_MOST_BRANCHES]


def _against(case: Case, wanted: Outcome) -> list[object]:
    """Return the failed reasons, including those of rules that were not reached because an earlier one failed."""
    reasons = (*case.decided().reasons, *_freed(case, wanted).decided().reasons)
    return [reason.wording for reason in reasons if not reason.passed]


def _freed(case: Case, wanted: Outcome) -> Case:
    """Return the case with a fix or threshold for which neither the boundary nor the duration matters."""
    if wanted is Outcome.DWELL:
        fence = replace(case.fence, item=replace(case.fence.item, rules=_brief(case.fence.item.rules)))
        return replace(case, fence=fence)
    point = case.fence.shape.center
    if wanted is Outcome.EXIT:
        point = moved(point, 0, 2 * case.fence.shape.radius_m + 2 * min(case.fix.accuracy_m, _LARGEST_ACCURACY_M))
    return replace(case, fix=replace(case.fix, point=point))


def _brief(rules: GeofenceRules) -> GeofenceRules:
    return replace(rules, dwell_threshold_s=_MOMENT_S)


def _single(case: Case, wanted: Outcome) -> Iterator[Change]:
    """Yield each single change that makes the event fire."""

    def fires(change: Change) -> bool:
        try:
            return changed(case, change).decided().outcome is wanted
        except OverflowError:
            return False

    for scale in _movements(case, wanted):
        if (change := _least(scale, fires)) is not None:
            yield change
            break  # one direction is enough
    if (change := _better(case, wanted)) is not None:
        yield change
    yield from filter(None, (_least(scale, fires) for scale in _scales(case, wanted)))
    yield from filter(fires, _switches(case))


def _least(scale: Scale, fires: Callable[[Change], bool]) -> Change | None:
    """Return the first change of a scale that fires while the step before it does not."""
    low = 0
    for high in sorted(set(scale.steps)):
        if high <= low:
            continue
        if not fires(scale.change(high)):
            low = high
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if fires(scale.change(middle)) else (middle, high)
        return scale.change(high)
    return None


# Switches: settings that are on or off


def _switches(case: Case) -> Iterator[Change]:
    """Yield the switches that could be changed."""
    fix, settings = case.fix, case.settings
    own = case.fence.item.rules.stop_detection
    offered = (
        (Factor.STOPPED, not fix.stopped),
        (Factor.FOREGROUND, not fix.foreground),
        (Factor.STOP_DETECTION, settings.stop_detection and own is None),
        (Factor.OWN_STOP_DETECTION, bool(own)),
        (Factor.BUFFER_ENTRIES, not settings.buffer_entries),
        (Factor.BUFFER_EXITS, settings.buffer_exits),
        (Factor.RESTRICTION, settings.operating_hours_restriction),
        (Factor.DWELL_EVENT, not settings.dwell_event),
    )
    yield from (Change(factor) for factor, possible in offered if possible)
    if (confidence := case.decided().confidence) < settings.minimum_confidence:
        yield Change(Factor.CONFIDENCE, {"minimum": confidence})
    yield from _switches_of_fence(case)


def _switches_of_fence(case: Case) -> Iterator[Change]:
    rules, subject = case.fence.item.rules, case.subject
    if not case.fence.item.enabled:
        yield Change(Factor.ENABLED)
    if rules.disable_after is not None and case.now > rules.disable_after:
        yield Change(Factor.NO_DISABLE_AFTER)
    if rules.delete_after is not None and case.now > rules.delete_after:
        yield Change(Factor.NO_DELETE_AFTER)
    if (longer := longer_hours(case)) is not None:
        yield longer
    if rules.user_ids and subject.user_id not in rules.user_ids:
        known = subject.user_id is not None
        yield Change(Factor.USER, {"user_id": str(subject.user_id)}) if known else Change(Factor.NO_USERS)
    if rules.ip is not None and subject.ip not in rules.ip:
        known = subject.ip is not None
        yield Change(Factor.ADDRESS, {"ip": str(subject.ip)}) if known else Change(Factor.NO_ADDRESSES)


# Scales: values that can be larger or smaller


def _scales(case: Case, wanted: Outcome) -> Iterator[Scale]:
    leaving = wanted is Outcome.EXIT
    if (worse := _worse(case, wanted)) is not None:
        yield worse
    if wanted is Outcome.DWELL:
        yield from _thresholds(case)
    yield from _shifts(case, wanted)
    geometry = case.fence.item.geometry
    if isinstance(geometry, Circle):
        yield _radii(case, geometry, smaller=leaving)


def _movements(case: Case, wanted: Outcome) -> Iterator[Scale]:
    """Yield movements of the location: towards or away from the boundary, and towards or away from the centre."""
    leaving = wanted is Outcome.EXIT
    factor = Factor.FARTHER if leaving else Factor.NEARER
    distance_m = case.decided().measure.distance_m
    center = case.fence.shape.center
    size_m = case.fence.shape.radius_m + metres_between(case.fix.point, center)
    accuracy_m = case.fix.accuracy_m
    looked_at = [
        *(abs(distance_m) + more for more in (0, 0.1, 0.5, accuracy_m / 2, accuracy_m, accuracy_m + 1)),
        abs(distance_m) - accuracy_m,
        accuracy_m - abs(distance_m),
        *(size_m * step / _SCAN for step in range(1, _SCAN + 1)),
        *((size_m + 2 * accuracy_m) * step / _SCAN for step in range(1, _SCAN + 1)),
    ]
    steps = [ceil(metres * _TENTH) for metres in looked_at if metres > 0]
    for bearing in _bearings(case, leaving=leaving):
        yield Scale(_way(factor, bearing), steps)


def _way(factor: Factor, bearing: float) -> Callable[[int], Change]:
    return lambda step: Change(factor, {"metres": step / _TENTH, "bearing": bearing})


def _bearings(case: Case, *, leaving: bool) -> Iterator[float]:
    """Yield the directions in which the boundary gets nearer, or farther when leaving, most effective first."""
    point, shape = case.fix.point, case.fence.shape

    def distance_m(bearing: float) -> float:
        there = moved(point, bearing, _PROBE_M)
        return shape.distance_m(there.longitude, there.latitude)

    sign = -1 if leaving else 1
    best = min(range(0, 360, 15), key=lambda bearing: sign * distance_m(bearing))
    best = min(range(best - 14, best + 15), key=lambda bearing: sign * distance_m(bearing))
    tenths = range(best * 10 - 9, best * 10 + 10)
    yield min((tenth / 10 for tenth in tenths), key=lambda bearing: sign * distance_m(bearing)) % 360
    yield float(best % 360)


def _better(case: Case, wanted: Outcome) -> Change | None:
    """Return an accuracy with which, and with every better one, the event fires."""
    below = ceil(case.fix.accuracy_m * _TENTH) - 1
    found = largest_throughout(case, wanted, below, lambda tenths: changed(case, _accuracy(tenths)).decided())
    return None if found is None else _accuracy(found)


def _accuracy(tenths: int, factor: Factor = Factor.ACCURATE) -> Change:
    return Change(factor, {"accuracy": tenths / _TENTH})


def _worse(case: Case, wanted: Outcome) -> Scale | None:
    """Return worse accuracies, if buffer entries count them as inside and no confidence is required."""
    needs_confidence = wanted is not Outcome.DWELL and case.settings.minimum_confidence > Confidence.LOW
    if wanted is Outcome.EXIT or not case.settings.buffer_entries or needs_confidence:
        return None
    above = floor(case.fix.accuracy_m * _TENTH)
    away = abs(case.decided().measure.distance_m) * _TENTH
    worse = [ceil(away * 1.5**step) + more - above for step in range(_SCAN // 3) for more in (0, 1)]
    most = round(_LARGEST_ACCURACY_M * _TENTH) - above
    return Scale(lambda step: _accuracy(above + step, Factor.INACCURATE), [step for step in worse if 0 < step <= most])


def _radii(case: Case, circle: Circle, *, smaller: bool) -> Scale:
    away = abs(case.decided().measure.distance_m)
    reach = [away + case.fix.accuracy_m * part / 8 + more for part in range(17) for more in (0, 0.1)]
    if smaller:
        above = ceil(circle.radius_m * _TENTH)
        most = above - MIN_RADIUS_M * _TENTH
        steps = [*(ceil(metres * _TENTH) for metres in reach), most]
        return Scale(_radius(Factor.SMALLER, lambda step: above - step), [each for each in steps if 0 < each <= most])
    below = floor(circle.radius_m * _TENTH)
    most = MAX_RADIUS_M * _TENTH - below
    steps = [ceil(metres * _TENTH) for metres in reach]
    return Scale(_radius(Factor.LARGER, lambda step: below + step), [each for each in steps if 0 < each <= most])


def _radius(factor: Factor, tenths: Callable[[int], int]) -> Callable[[int], Change]:
    return lambda step: Change(factor, {"radius": tenths(step) / _TENTH})


def _thresholds(case: Case) -> Iterator[Scale]:
    """Yield thresholds shorter than the presence, longest first."""
    longest = ceil(stayed_s(case)) - 1
    own = case.fence.item.rules.dwell_threshold_s
    present = case.settings.default_dwell_threshold_s if own is None else own
    if present is not None:
        longest = min(longest, ceil(present) - 1)
    if longest >= 1:
        yield Scale(lambda step: Change(Factor.DWELL_THRESHOLD, duration(longest - step + 1)), [1])


def _shifts(case: Case, wanted: Outcome) -> Iterator[Scale]:
    """Yield earlier and later times: when the stay is long enough, and when the geofence is open or still in force."""
    if earlier := minutes_back(case):
        yield Scale(lambda step: Change(Factor.EARLIER, duration(step * MINUTE_S)), earlier)
    openings = turns_open(case, 1)
    if wanted is not Outcome.DWELL:
        if openings:
            yield Scale(lambda step: Change(Factor.LATER, duration(step * MINUTE_S)), openings)
        return
    threshold_s = case.fence.item.rules.dwell_threshold_s or case.settings.default_dwell_threshold_s or 0.0
    steps = [floor(threshold_s - stayed_s(case)) + 1, *(minutes * MINUTE_S for minutes in openings)]
    if later := [step for step in steps if step > 0]:
        yield Scale(lambda step: Change(Factor.LATER, duration(step)), later)
