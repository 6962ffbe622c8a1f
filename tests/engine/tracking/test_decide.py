"""The decision for one fix and one geofence."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Circle, Point
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings
from engine.domain.tracking.decision import Outcome, Rule
from engine.domain.tracking.updates import Fix, Presence, Subject
from engine.domain.values import replace
from engine.geo.index import Entry
from engine.geo.parts import check_polygon
from engine.geo.shapes import shape_of
from engine.tracking.decide import Decision, decide
from engine.tracking.measure import confidence_of
from tests.engine.fixtures import HOME, NOON

STORE = Geofence(
    "a", Environment.TEST, GeofenceSummary("a", "store", "1", "Store"), Circle(HOME, 100.0), True, NOON, NOON
)
STAY = Presence("a", NOON)
ANONYMOUS = Subject()


def fence(geofence: Geofence = STORE) -> Entry[Geofence]:
    return Entry.of(geofence.id, geofence, shape_of(geofence.geometry))


def fix(east_m: float, accuracy_m: float = 10) -> Fix:
    return Fix(Point(HOME.longitude + east_m / 75_900, HOME.latitude), accuracy_m, NOON)


def decided(
    presence: Presence | None, east_m: float, accuracy_m: float = 10, settings: ProjectSettings = DEFAULT_SETTINGS
) -> Decision:
    return decide(presence, ANONYMOUS, fix(east_m, accuracy_m), fence(), settings, NOON)


@pytest.mark.parametrize(
    ("presence", "east_m", "accuracy_m", "outcome", "confidence"),
    [
        (None, 0, 10, Outcome.ENTER, 3),
        (None, 0, 99, Outcome.ENTER, 3),
        (None, 95, 10, Outcome.ENTER, 2),
        (None, 95, 1_000, Outcome.ENTER, 1),
        (None, 105, 10, Outcome.STAY_OUTSIDE, 2),
        (STAY, 0, 10, Outcome.STAY_INSIDE, 3),
        (STAY, 95, 1_000, Outcome.STAY_INSIDE, 1),
        (STAY, 120, 10, Outcome.EXIT, 3),
        (STAY, 103, 10, Outcome.EXIT, 2),
        (STAY, 103, 1_000, Outcome.EXIT, 2),
    ],
)
def test_outcomes(
    presence: Presence | None, east_m: float, accuracy_m: float, outcome: Outcome, confidence: int
) -> None:
    decision = decided(presence, east_m, accuracy_m)
    assert (decision.outcome, decision.confidence) == (outcome, confidence)


def test_a_disabled_geofence_is_never_entered_and_left_silently() -> None:
    disabled = fence(replace(STORE, enabled=False))
    assert decide(None, ANONYMOUS, fix(0), disabled, DEFAULT_SETTINGS, NOON).outcome is Outcome.STAY_OUTSIDE
    ended = decide(STAY, ANONYMOUS, fix(0), disabled, DEFAULT_SETTINGS, NOON)
    assert ended.outcome is Outcome.END_SILENTLY
    assert [reason.text for reason in ended.reasons] == ["the geofence is disabled"]


def test_an_insufficient_confidence_withholds() -> None:
    entry = decided(None, 95, 1_000, ProjectSettings(minimum_confidence=2)).explanation()
    assert entry.outcome is Outcome.ENTRY_WITHHELD
    assert [reason.rule for reason in entry.failed] == [Rule.MINIMUM_CONFIDENCE]
    assert entry.failed[0].text == "the confidence is 1, below the minimum of 2: 1% of the accuracy circle is inside"
    assert decided(STAY, 101, 10, ProjectSettings(minimum_confidence=3)).outcome is Outcome.EXIT_WITHHELD


def test_a_location_in_a_hole_is_outside_and_the_reason_names_the_hole() -> None:
    def square(half: float) -> list[tuple[float, float]]:
        corners = [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)]
        return [(HOME.longitude + x / 75_900, HOME.latitude + y / 111_200) for x, y in corners]

    yard = fence(replace(STORE, geometry=check_polygon([[square(200), square(100)], [square(20)]])))
    texts = {}
    for east_m in (0, 60, 150, 230):
        for presence in (None, STAY):
            decision = decide(presence, ANONYMOUS, fix(east_m), yard, DEFAULT_SETTINGS, NOON)
            texts[east_m, presence is not None] = decision.outcome, decision.explanation().text
    assert {key: outcome for key, (outcome, _) in texts.items()} == {
        (0, False): Outcome.ENTER,
        (0, True): Outcome.STAY_INSIDE,
        (60, False): Outcome.STAY_OUTSIDE,
        (60, True): Outcome.EXIT,
        (150, False): Outcome.ENTER,
        (150, True): Outcome.STAY_INSIDE,
        (230, False): Outcome.STAY_OUTSIDE,
        (230, True): Outcome.EXIT,
    }
    for present in (False, True):
        _, in_hole = texts[60, present]
        assert re.search(r"the location is in a hole of the geofence, (39\.\d|40\.\d) m from the boundary", in_hole)
        _, beyond = texts[230, present]
        assert re.search(r"the location is outside, (29\.\d|30\.\d) m from the boundary", beyond)


def test_an_explanation_carries_the_measures() -> None:
    explanation = decided(None, 50).explanation()
    assert explanation.distance_m == pytest.approx(-50, abs=0.1)
    assert explanation.share == 1
    assert all(reason.passed and reason.text for reason in explanation.reasons)


@given(st.floats(0, 400), st.floats(0.1, 2_000), st.booleans())
def test_confidence_is_the_share_on_the_events_side(east_m: float, accuracy_m: float, present: bool) -> None:
    decision = decided(STAY if present else None, east_m, accuracy_m)
    share, distance_m = decision.measure.share, decision.measure.distance_m
    inside = decision.outcome in (Outcome.ENTER, Outcome.STAY_INSIDE)
    side = share if inside else 1 - share
    assert decision.confidence == (3 if side > 1 - 1e-9 else 2 if side >= 0.5 - 1e-6 else 1)
    assert accuracy_m > abs(distance_m) or decision.confidence == 3


@pytest.mark.parametrize(("share", "confidence"), [(1, 3), (0.999, 2), (0.5, 2), (0.499, 1), (0, 1)])
def test_confidence_of_a_share(share: float, confidence: int) -> None:
    assert confidence_of(share) == confidence
