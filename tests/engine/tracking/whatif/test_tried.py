"""Remedies of explanations, applied in a separate engine."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from engine import Engine
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.tracking.decision import Change, Factor
from engine.domain.tracking.explaining import UpdateQuery
from engine.domain.tracking.updates import EventType, LocationUpdate
from engine.domain.values import replace
from engine.tracking.whatif.cases import moved
from tests.engine.fixtures import NOON, SetClock, circle
from tests.engine.tracking.table import Step, came, edited, fix, switched

TEST = Environment.TEST

type Tried = Callable[[Change, LocationUpdate], tuple[Step, LocationUpdate]]


def nothing(_: Engine) -> None:
    """Change nothing before the update."""


def somewhere_else(change: Change, update: LocationUpdate) -> tuple[Step, LocationUpdate]:
    bearing, metres = float(change.values["bearing"]), float(change.values["metres"])
    return nothing, replace(update, point=moved(update.point, bearing, metres))


def later(change: Change, update: LocationUpdate) -> tuple[Step, LocationUpdate]:
    assert update.at is not None
    return nothing, replace(update, at=update.at + timedelta(seconds=float(change.values["seconds"])))


TRIED: dict[Factor, Tried] = {
    Factor.NEARER: somewhere_else,
    Factor.FARTHER: somewhere_else,
    Factor.LATER: later,
    Factor.ACCURATE: lambda change, update: (nothing, replace(update, accuracy_m=float(change.values["accuracy"]))),
    Factor.STOPPED: lambda _, update: (nothing, replace(update, stopped=True)),
    Factor.FOREGROUND: lambda _, update: (nothing, replace(update, foreground=True)),
    Factor.STOP_DETECTION: lambda _, update: (switched(stop_detection=False), update),
    Factor.BUFFER_EXITS: lambda _, update: (switched(buffer_exits=False), update),
    Factor.BUFFER_ENTRIES: lambda _, update: (switched(buffer_entries=True), update),
    Factor.CONFIDENCE: lambda change, update: (switched(minimum_confidence=change.values["minimum"]), update),
    Factor.DWELL_THRESHOLD: lambda change, update: (
        switched(default_dwell_threshold_s=float(change.values["seconds"])),
        update,
    ),
    Factor.LARGER: lambda change, update: (edited(size=change.values["radius"]), update),
    Factor.SMALLER: lambda change, update: (edited(size=change.values["radius"]), update),
}


@contextmanager
def opened(*before: Step) -> Iterator[Engine]:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.set_clock(ClockChange(now=NOON + timedelta(hours=1), frozen=True))
        engine.geofences.create(TEST, circle())
        for each in before:
            each(engine)
        yield engine


@pytest.mark.parametrize(
    ("before", "update", "event", "ways"),
    [
        ([switched(minimum_confidence=2)], fix(120, accuracy_m=30), EventType.ENTERED_GEOFENCE, 2),
        ([switched(stop_detection=True)], fix(50), EventType.ENTERED_GEOFENCE, 3),
        ([switched(minimum_confidence=2)], fix(95, accuracy_m=1_000), EventType.ENTERED_GEOFENCE, 3),
        ([switched(buffer_exits=True), came(fix(0))], fix(104, 60, accuracy_m=20), EventType.EXITED_GEOFENCE, 4),
        ([switched(minimum_confidence=3), came(fix(0))], fix(104, 60, accuracy_m=20), EventType.EXITED_GEOFENCE, 4),
        (
            [switched(dwell_event=True, default_dwell_threshold_s=300), came(fix(0))],
            fix(0, 180),
            EventType.DWELLED_IN_GEOFENCE,
            2,
        ),
    ],
    ids=["outside", "moving", "inaccurate", "buffered", "unsure", "short"],
)
def test_each_remedy_of_an_explanation_fires(before: list[Step], update: LocationUpdate, event: str, ways: int) -> None:
    with opened(*before) as engine:
        assert engine.tracking.track(TEST, update).events == ()
        (explanation,) = engine.tracking.explain(TEST, UpdateQuery(device_id="phone")).explanations
    assert len(explanation.remedies) == ways
    for remedy in explanation.remedies:
        (change,) = remedy.changes
        setting, changed = TRIED[change.factor](change, update)
        with opened(*before, setting) as engine:
            fired = engine.tracking.track(TEST, changed).events
        assert [each.type for each in fired] == [event], remedy.text
