"""A back-test decides as the engine does, event by event."""

import dataclasses
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.backtest.deciding import Decider
from engine.backtest.fences import FenceSet, Versions
from engine.backtest.fixes import Fixes, fixes_of
from engine.backtest.tallies import EventLog, Tallies
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle
from engine.domain.settings import ProjectSettings, SettingsChange
from engine.engine import Engine
from tests.engine.backtest.cases import (
    ENVIRONMENT,
    Fence,
    Report,
    Row,
    events_of_engine,
    fences,
    journeys,
    rows_in_log,
    rows_of,
    settings_changes,
    stored,
    timed,
)
from tests.engine.fixtures import HOME, SetClock
from tests.engine.tracking.histories import START
from tests.engine.tracking.measuring import moved


def events_of(
    fixes: Fixes, geofences: Sequence[Geofence], project: ProjectSettings, cuts: Sequence[int] = ()
) -> tuple[list[Row], Decider, Tallies]:
    """Return the events of fixes that are decided in parts, in the order of time."""
    log, tallies = EventLog(), Tallies()
    decider = Decider(Versions(FenceSet(name="", geofences=tuple(geofences))), {0: project}, log, tallies)
    edges = [0, *sorted(min(cut, len(fixes)) for cut in cuts), len(fixes)]
    for start, end in pairwise(edges):
        for _ in decider.run(fixes.part(slice(start, end))):
            pass
    decider.finish()
    return rows_in_log(log), decider, tallies


@pytest.mark.parametrize("received", [False, True])
@settings(max_examples=60, deadline=None)
@given(st.lists(fences(), max_size=5), settings_changes, journeys(), st.lists(st.integers(0, 40), max_size=2))
def test_the_events_are_those_of_the_engine(
    received: bool, wanted: list[Fence], change: SettingsChange, journey: list[Report], cuts: list[int]
) -> None:
    clock = SetClock(START)
    arrivals = timed(journey, received=received)
    with Engine.open(":memory:", clock=clock) as engine:
        engine.settings.change(ENVIRONMENT, change)
        geofences = stored(engine, wanted)
        expected = events_of_engine(engine, clock, arrivals)
        project = engine.settings.get(ENVIRONMENT)
    fixes = fixes_of(rows_of(arrivals, received=received), {0})
    found, _, _ = events_of(fixes, geofences, project, cuts)
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_a_repeated_fix_logs_in_its_user() -> None:
    """A fix of the device without a user then belongs to another user."""
    clock = SetClock(START)
    inside = Report("phone", None, HOME, 5.0, 0.0, 0.0, stopped=False, foreground=False, ip=None)
    inside = dataclasses.replace(inside, again_s=1.0, again_user="anna")
    outside = dataclasses.replace(inside, point=moved(HOME, 90, 5_000), after_s=5.0, again_s=None)
    journey = timed([inside, outside], received=True)
    with Engine.open(":memory:", clock=clock) as engine:
        geofences = stored(engine, [Fence(Circle(HOME, 100.0), GeofenceChange())])
        expected = events_of_engine(engine, clock, journey)
        project = engine.settings.get(ENVIRONMENT)
    found, decider, _ = events_of(fixes_of(rows_of(journey, received=True), {0}), geofences, project)
    assert found == expected
    assert len(expected) == decider.repeated == 1


@pytest.mark.parametrize("age", [999, 1_000, 1_001, 1_099, 1_100])
def test_a_fix_is_repeated_as_long_as_the_engine_remembers_it(age: int) -> None:
    """After that, it is one more fix, which is late and enters the geofence again."""
    clock = SetClock(START)
    wanted = Fence(Circle(HOME, 100.0), GeofenceChange())
    inside = Report("phone", None, HOME, 5.0, 1.0, 0.0, stopped=False, foreground=False, ip=None)
    outside = dataclasses.replace(inside, point=moved(HOME, 90, 5_000))
    journey = timed([inside, *[outside] * age], received=True)
    journey.append((inside, journey[0][1], journey[-1][2] + timedelta(seconds=1)))
    with Engine.open(":memory:", clock=clock) as engine:
        geofences = stored(engine, [wanted])
        expected = events_of_engine(engine, clock, journey)
        project = engine.settings.get(ENVIRONMENT)
    rows = rows_of(journey, received=True)
    found, decider, _ = events_of(fixes_of(rows, {0}), geofences, project, [500])
    assert found == expected
    assert decider.repeated == (len(expected) == 2)
