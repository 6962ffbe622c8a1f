"""Remedies with a range, such as "or better" or "or more", hold throughout the range."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.geofence import GeofenceRules
from engine.domain.geometry import MAX_RADIUS_M, MIN_RADIUS_M, Circle, Geometry, Point, Polygon, Position
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings
from engine.domain.tracking.decision import WANTED, Change, Factor, Outcome
from engine.domain.tracking.updates import Fix, Presence
from engine.domain.values import replace
from engine.geo.parts import Rings, check_polygon
from engine.tracking.whatif.cases import Case, changed
from engine.tracking.whatif.remedies import remedies
from tests.engine.fixtures import HOME, NOON
from tests.engine.tracking.test_decide import ANONYMOUS, STORE, fence

type Tooth = tuple[float, float, float]

EAST, NORTH = 1 / 75_900, 1 / 111_200
"""Degrees per metre at `HOME`."""

RANGES = {
    Factor.ACCURATE: ("accuracy", 0.001),
    Factor.INACCURATE: ("accuracy", 100_000.0),
    Factor.LARGER: ("radius", MAX_RADIUS_M),
    Factor.SMALLER: ("radius", MIN_RADIUS_M),
    Factor.DWELL_THRESHOLD: ("seconds", 0.001),
}
"""The value name of each range, and the end of the range."""


def at(east_m: float, north_m: float) -> Point:
    return Point(HOME.longitude + east_m * EAST, HOME.latitude + north_m * NORTH)


def comb(body_m: float, teeth: list[Tooth]) -> Polygon:
    """Return a body of some height with upward teeth, each with a gap before it, a width and a length."""
    line, east = [(0.0, 0.0)], 0.0
    for gap, width, length in teeth:
        line += [(east + gap, 0.0), (east + gap, length), (east + gap + width, length), (east + gap + width, 0.0)]
        east += gap + width
    line += [(east + 1, 0.0), (east + 1, -body_m), (0.0, -body_m), (0.0, 0.0)]
    return Polygon(tuple((point.longitude, point.latitude) for point in (at(*each) for each in line)))


lengths = st.sampled_from([4.0, 12.0, 40.0]) | st.floats(1, 120)
narrow, wide = st.floats(2, 16), st.floats(40, 120)
teeth_of_combs = st.one_of(
    st.lists(st.tuples(lengths, lengths, lengths), min_size=1, max_size=5),
    st.tuples(st.tuples(wide, wide, wide), st.tuples(narrow, narrow, wide), st.tuples(narrow, wide, wide)).map(list),
)
"""Any teeth, or a narrow tooth between two wide ones."""
stays = st.sampled_from([None, None, Presence("a", NOON - timedelta(seconds=400))])
rules = st.builds(
    lambda **fields: replace(DEFAULT_SETTINGS, **fields),
    minimum_confidence=st.sampled_from([1, 2, 2, 2, 3]),
    buffer_entries=st.booleans(),
    buffer_exits=st.booleans(),
    dwell_event=st.booleans(),
    default_dwell_threshold_s=st.sampled_from([60.0, 600.0]),
)


def crumbled(body_m: float, teeth: list[Tooth], holes: list[Tooth]) -> Polygon:
    """Return a comb whose teeth are parts of their own, and whose body has holes with an island in every other one."""
    parts: list[Rings] = []
    east = 0.0
    for gap, width, length in teeth:
        parts.append([rectangle(east + gap, 1.0, width, length)])
        east += gap + width
    body, west = [rectangle(0, 0, east + 1, -body_m)], 0.0
    for gap, width, height in holes:
        if west + gap + width < east and height < body_m - 1:
            body.append(rectangle(west + gap, -0.5, width, -height))
            if len(body) % 2:
                parts.append([rectangle(west + gap + width / 4, -0.5 - height / 4, width / 2, -height / 2)])
        west += gap + width
    return check_polygon([body, *parts])


def rectangle(east_m: float, north_m: float, width_m: float, height_m: float) -> list[Position]:
    west, east, south, north = east_m, east_m + width_m, north_m, north_m + height_m
    corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
    return [(point.longitude, point.latitude) for point in (at(*each) for each in corners)]


def spot(teeth: list[Tooth], number: int, across: float, along: float) -> Point:
    """Return a position in a tooth, or in the gap before it if `across` is negative; `along` is its height."""
    gap, width, length = teeth[number]
    east = sum(before + tooth for before, tooth, _ in teeth[:number]) + gap
    return at(east + across * (gap if across < 0 else width), along * length)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    teeth = draw(teeth_of_combs)
    geometry: Geometry = comb(draw(lengths), teeth)
    number = draw(st.just(len(teeth) // 2) | st.integers(0, len(teeth) - 1))
    across = draw(st.sampled_from([0.5, 0.5, -0.5]) | st.floats(-1, 1))
    point = spot(teeth, number, across, draw(st.sampled_from([0.3, 0.6]) | st.floats(-0.2, 1.0)))
    if draw(st.sampled_from([False, True])):
        holes = draw(st.lists(st.tuples(lengths, lengths, lengths), max_size=4))
        geometry = crumbled(draw(lengths), teeth, holes)
        if holes and draw(st.sampled_from([False, True])):
            # In or beside a hole.
            gap, width, height = holes[0]
            point = at(gap + width * draw(st.floats(-0.5, 1.5)), -0.5 - height * draw(st.floats(-0.2, 1.2)))
    if draw(st.sampled_from([False, False, False, True])):
        geometry, point = Circle(HOME, draw(st.floats(10, 300))), at(draw(st.floats(0, 400)), 0)
    fix = Fix(point, draw(st.sampled_from([100.0, 200.0, 300.0]) | st.floats(1, 700)), NOON)
    fenced = fence(replace(STORE, geometry=geometry, rules=GeofenceRules()))
    return Case(draw(stays), ANONYMOUS, fix, fenced, draw(rules), NOON)


def within(change: Change) -> Iterator[Change]:
    """Yield changes throughout a change's range, closer together at the beginning."""
    name, end = RANGES[change.factor]
    begin = float(change.values[name])
    for step in range(101):
        value = begin * (end / begin) ** (step / 100)
        yield replace(change, values={**change.values, name: min(max(value, min(begin, end)), max(begin, end))})


@given(cases())
def test_a_remedy_holds_throughout_its_range(case: Case) -> None:
    wanted = WANTED.get(case.decided().outcome)
    for remedy in remedies(case):
        for number, change in enumerate(remedy.changes):
            for other in within(change) if change.factor in RANGES else ():
                tried = case
                for each in (*remedy.changes[:number], other, *remedy.changes[number + 1 :]):
                    tried = changed(tried, each)
                assert tried.decided().outcome is wanted, f"{remedy.text}: not {other.values}"


COMB = comb(50, [(80.1, 16.0, 150.0), (16.1, 8.0, 110.0), (16.1, 80.0, 150.0)])


@pytest.mark.parametrize(
    ("settings", "accuracy_m", "stay", "expected"),
    [
        (ProjectSettings(minimum_confidence=2), 300, None, 9.9),
        (ProjectSettings(minimum_confidence=2), 30, None, 9.9),
        (ProjectSettings(minimum_confidence=3), 300, None, 4.0),
    ],
)
def test_on_a_tooth_only_a_small_circle_is_surely_inside(
    settings: ProjectSettings, accuracy_m: float, stay: Presence | None, expected: float
) -> None:
    tooth = at(80.1 + 16 + 16.1 + 4, 60)
    case = Case(stay, ANONYMOUS, Fix(tooth, accuracy_m, NOON), fence(replace(STORE, geometry=COMB)), settings, NOON)
    changes = [remedy.changes for remedy in remedies(case)]
    (better,) = (change for each in changes for change in each if change.factor is Factor.ACCURATE)
    assert better.values["accuracy"] == pytest.approx(expected, abs=0.2)


def test_between_the_teeth_better_is_no_way_in() -> None:
    """The fix is outside, so the best accuracy is outside too, even if much of a larger circle is inside."""
    gap = at(80.1 + 16 + 8, 60)
    settings = ProjectSettings(minimum_confidence=2, buffer_entries=True)
    case = Case(None, ANONYMOUS, Fix(gap, 500, NOON), fence(replace(STORE, geometry=COMB)), settings, NOON)
    assert case.decided().outcome is Outcome.ENTRY_WITHHELD
    assert not any(change.factor is Factor.ACCURATE for remedy in remedies(case) for change in remedy.changes)
    near = Case(None, ANONYMOUS, Fix(gap, 5, NOON), fence(replace(STORE, geometry=COMB)), settings, NOON)
    assert not any(change.factor is Factor.INACCURATE for remedy in remedies(near) for change in remedy.changes)
