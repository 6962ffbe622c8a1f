"""The data of a device for the timeline: its newest updates, the current geofences, and the omitted part."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from app.desktop.model.simulation.status import Sent
from app.desktop.model.timeline.reading import Most, TrackReader, UserReader
from app.desktop.model.timeline.timeline import Cut, Mark
from engine import Engine
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.ports import no_progress
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import User
from engine.domain.values import replace
from tests.engine.fixtures import HOME, NOON, SetClock, circle
from tests.engine.tracking.measuring import moved
from tests.engine.tracking.table import fix

TEST = Environment.TEST


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", clock=SetClock()) as opened:
        opened.set_clock(ClockChange(now=NOON, frozen=True))
        opened.geofences.create(TEST, circle())
        yield opened


def walked(engine: Engine, *metres: float, first_s: float = 0, user_id: str | None = None) -> User:
    for number, each in enumerate(metres):
        update = replace(fix(each, first_s + 60 * number), user_id=user_id)
        user = engine.tracking.track(TEST, update).user
    return user


def kinds(marks: tuple[Mark, ...]) -> list[tuple[int, str]]:
    return [(mark.at, mark.kind) for mark in marks]


def test_the_newest_fixes_and_events_of_a_long_history_are_read_and_the_cut_is_reported(engine: Engine) -> None:
    user = walked(engine, *[300, 0, 0, 300] * 5)
    reader = UserReader(user, Most(fixes=10, events=3))
    timeline, overlay = reader.read(engine, TEST, (), no_progress)
    assert (len(timeline), timeline.start_s) == (10, (NOON + timedelta(minutes=10)).timestamp())
    assert overlay.cuts == {Cut.FIXES, Cut.EVENTS}
    assert kinds(overlay.marks) == [(5, "exit"), (7, "entry"), (9, "exit")]
    walked(engine, 0, 0, 300, first_s=1_200)
    timeline, overlay = reader.read(engine, TEST, (), no_progress)
    assert timeline.moment(len(timeline) - 1) == NOON + timedelta(minutes=22)
    assert [len(curve.distances_m) for curve in timeline.curves] == [len(timeline)]
    assert [mark.kind for mark in overlay.marks] == ["exit", "entry", "exit"]
    _, overlay = UserReader(user).read(engine, TEST, (), no_progress)
    assert len(overlay.marks) == 12
    assert not overlay.cuts


def test_of_a_shared_device_the_events_are_those_of_the_user(engine: Engine) -> None:
    ann = walked(engine, 300, 0, 300, user_id="ann")
    walked(engine, *[300, 0, 0, 300] * 5, first_s=600, user_id="bob")
    _, overlay = UserReader(ann, Most(fixes=10, events=2)).read(engine, TEST, (), no_progress)
    assert kinds(overlay.marks) == [(1, "entry"), (2, "exit")]
    assert not overlay.cuts


def test_fixes_from_before_the_clock_was_set_back_are_reported_as_omitted(engine: Engine) -> None:
    walked(engine, 300, 0)
    engine.set_clock(ClockChange(now=NOON - timedelta(days=1), frozen=True))
    user = walked(engine, 0, 300, first_s=-86_400)
    timeline, overlay = UserReader(user).read(engine, TEST, (), no_progress)
    assert len(timeline) == 2
    assert overlay.cuts == {Cut.CLOCK}


def test_a_geofence_that_is_edited_while_it_is_measured_is_measured_again(engine: Engine) -> None:
    other = engine.geofences.create(TEST, circle("other", center=moved(HOME, 0, 600)))
    user = walked(engine, 300, 0)
    reader, edited = UserReader(user), False

    def edit(done: int, total: int) -> None:
        nonlocal edited
        if (done, total) == (1, 2) and not edited:  # the first of two curves has been measured
            edited = True
            engine.geofences.update(TEST, other.id, GeofenceChange(size=250))
            reader.measure_again()

    reader.read(engine, TEST, (), edit)
    timeline, _ = reader.read(engine, TEST, (), no_progress)
    assert [curve.geofence.external_id for curve in timeline.curves] == ["1", "other"]
    assert timeline.curves[0].distances_m == pytest.approx([200, -100], abs=0.1)


def test_a_stay_that_others_ended_after_the_track_is_drawn_to_its_last_update(engine: Engine) -> None:
    """Kept fixes of the device that are not from the track have no position in it, and are not its first fix."""
    engine.settings.change(TEST, SettingsChange(stop_detection=True))
    walked(engine, 300)
    for number in (1, 2):
        engine.tracking.track(TEST, fix(0, 60 * number, stopped=True))
    walked(engine, 300, 310, 0, first_s=180)
    sent = [Sent(index, NOON + timedelta(seconds=60 * index)) for index in range(3)]
    overlay = TrackReader("phone").read(engine, TEST, sent)
    assert [(bar.first, bar.last) for bar in overlay.bars] == [(1, 2)]
    assert kinds(overlay.marks) == [(1, "entry")], "what was withheld later is not of the track"
