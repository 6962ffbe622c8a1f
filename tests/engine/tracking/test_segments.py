"""Segments: rules of the settings that a user's fields match."""

from collections.abc import Iterator
from types import MappingProxyType

import pytest

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.metadata import MetadataValue
from engine.domain.queries import UserQuery
from engine.domain.settings import Comparison, Condition, SegmentRule, SettingsChange
from engine.domain.tracking.updates import Device, DeviceType
from engine.domain.values import replace
from engine.engine import Engine
from tests.engine.fixtures import SetClock, circle, update

TEST = Environment.TEST
USER = replace(
    update(user_id="ann@work"),
    metadata=MappingProxyType({"plan": "gold", "visits": 12, "beta": True}),
    device=Device(DeviceType.IOS, "17.2", "Apple", "iPhone15,2"),
    stopped=True,
)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", clock=SetClock()) as opened:
        yield opened


def rule(*conditions: tuple[str, Comparison, MetadataValue | None]) -> SegmentRule:
    return SegmentRule("Some", "some", tuple(Condition(*each) for each in conditions))


EQ, NE, HAS = Comparison.EQUALS, Comparison.NOT_EQUALS, Comparison.EXISTS
IN, GT, LT = Comparison.CONTAINS, Comparison.GREATER, Comparison.LESS


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (("metadata.plan", EQ, "gold"), True),
        (("metadata.plan", EQ, "silver"), False),
        (("metadata.plan", NE, "silver"), True),
        (("metadata.none", NE, "silver"), True),
        (("metadata.none", EQ, "silver"), False),
        (("metadata.beta", EQ, True), True),
        (("metadata.beta", EQ, 1), False),
        (("metadata.visits", EQ, 12.0), True),
        (("metadata.visits", GT, 11), True),
        (("metadata.visits", GT, 12), False),
        (("metadata.visits", LT, 12.5), True),
        (("metadata.plan", LT, 5), False),
        (("metadata.beta", GT, 0), False),
        (("metadata.plan", HAS, None), True),
        (("metadata.none", HAS, None), False),
        (("description", HAS, None), False),
        (("userId", IN, "@work"), True),
        (("userId", IN, "@home"), False),
        (("deviceType", EQ, "iOS"), True),
        (("deviceModel", IN, "iPhone"), True),
        (("deviceOS", EQ, "17.2"), True),
        (("deviceMake", NE, "Apple"), False),
        (("stopped", EQ, True), True),
        (("foreground", EQ, True), False),
        (("geofenceTag", EQ, "store"), True),
        (("geofenceTag", EQ, "depot"), False),
    ],
)
def test_conditions(engine: Engine, condition: tuple[str, Comparison, MetadataValue | None], holds: bool) -> None:
    engine.geofences.create(TEST, circle())
    engine.settings.change(TEST, SettingsChange(segments=(rule(condition),)))
    tracked = engine.tracking.track(TEST, USER).user
    assert [segment.external_id for segment in tracked.segments] == (["some"] if holds else [])
    assert engine.users.get(TEST, tracked.id).segments == tracked.segments


def test_all_conditions_of_a_segment_must_hold_and_rules_act_at_once(engine: Engine) -> None:
    engine.tracking.track(TEST, USER)
    assert engine.users.get(TEST, "phone").segments == ()
    both = rule(("metadata.plan", EQ, "gold"), ("stopped", EQ, False))
    engine.settings.change(TEST, SettingsChange(segments=(both,)))
    assert engine.users.page(TEST, UserQuery()).items[0].segments == ()
    engine.settings.change(TEST, SettingsChange(segments=(rule(("metadata.plan", EQ, "gold")),)))
    assert [each.description for each in engine.users.page(TEST, UserQuery()).items[0].segments] == ["Some"]


@pytest.mark.parametrize(
    "segment",
    [
        rule(("shoeSize", EQ, 5)),
        rule(("metadata", EQ, 5)),
        rule(("userId.x", EQ, "a")),
        rule(("userId", HAS, "a")),
        rule(("userId", EQ, None)),
        rule(),
        SegmentRule("Some", "", (Condition("userId", HAS),)),
    ],
)
def test_an_invalid_rule_is_refused_and_changes_nothing(engine: Engine, segment: SegmentRule) -> None:
    with pytest.raises(InvalidParameter) as refused:
        engine.settings.change(TEST, SettingsChange(fraud=True, segments=(segment,)))
    assert refused.value.param == "segments"
    assert not engine.settings.get(TEST).fraud
