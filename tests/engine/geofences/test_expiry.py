"""Geofences that are disabled and deleted when they expire, even without traffic."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, current_thread
from typing import Any

import pytest

from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, NotFound, StorageUnavailable
from engine.domain.geofence import GeofenceChange
from engine.domain.queries import Change
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.writer import Writer
from tests.engine.fixtures import NOON, SetClock, circle, update
from tests.waiting import eventually

TEST, LIVE = Environment.TEST, Environment.LIVE
HOUR = timedelta(hours=1)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", clock=SetClock()) as opened:
        yield opened


def test_a_geofence_is_disabled_after_its_time_and_not_before(engine: Engine) -> None:
    fence = engine.geofences.create(TEST, replace(circle(), disable_after=NOON + HOUR))
    engine.tracking.track(TEST, update())
    engine.set_clock(ClockChange(now=NOON + HOUR, frozen=True))
    assert engine.geofences.get(TEST, fence.id).enabled
    engine.set_clock(ClockChange(advance_s=0.001))
    after = engine.geofences.get(TEST, fence.id)
    assert (after.enabled, after.updated_at) == (False, NOON + HOUR + timedelta(milliseconds=1))
    assert engine.users.get(TEST, "phone").geofences == ()
    assert engine.tracking.track(TEST, update(500)).events == (), "the stay ended silently"


def test_a_geofence_is_deleted_after_its_time(engine: Engine) -> None:
    fence = engine.geofences.create(TEST, replace(circle(), disable_after=NOON + HOUR, delete_after=NOON + 2 * HOUR))
    changes: list[Change] = []
    engine.changes.subscribe(changes.append)
    engine.set_clock(ClockChange(now=NOON + 3 * HOUR))
    with pytest.raises(NotFound):
        engine.geofences.get(TEST, fence.id)
    assert [change.removed_geofence_ids for change in changes] == [(fence.id,)]
    assert engine.geofences.create(TEST, circle()).enabled, "its key is free again"


def test_an_expired_geofence_cannot_be_enabled_without_a_new_time(engine: Engine) -> None:
    fence = engine.geofences.create(TEST, replace(circle(), disable_after=NOON - HOUR))
    assert not fence.enabled
    assert not engine.geofences.update(TEST, fence.id, GeofenceChange(enabled=True)).enabled
    assert engine.geofences.update(TEST, fence.id, GeofenceChange(enabled=True, disable_after=None)).enabled


def test_the_timer_sees_to_it_without_traffic() -> None:
    with Engine.open(":memory:") as engine:
        soon = engine.clock.now() + timedelta(seconds=0.3)
        engine.geofences.create(LIVE, replace(circle(), delete_after=soon))
        eventually(lambda: engine.geofences.all(LIVE) == ())
        assert datetime.now(UTC) > soon


def test_the_timer_goes_by_a_clock_that_runs_faster() -> None:
    with Engine.open(":memory:") as engine:
        fence = engine.geofences.create(TEST, replace(circle(), disable_after=engine.clock.now() + HOUR))
        live = engine.geofences.create(LIVE, replace(circle(), disable_after=engine.clock.now() + HOUR))
        engine.set_clock(ClockChange(scale=36_000))
        eventually(lambda: not engine.geofences.get(TEST, fence.id).enabled)
        assert engine.geofences.get(LIVE, live.id).enabled, "Live always has the system's time"


def test_an_expiry_that_cannot_be_stored_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    failed, run = Event(), Writer.run

    def running(writer: Writer, *given: Any, **options: Any) -> Any:
        if current_thread().name.startswith("expiry") and not failed.is_set():
            failed.set()
            raise StorageUnavailable("The disk is full.")
        return run(writer, *given, **options)

    monkeypatch.setattr(Writer, "run", running)
    with Engine.open(":memory:") as engine:
        engine.geofences.create(LIVE, replace(circle(), delete_after=engine.clock.now() + timedelta(seconds=0.3)))
        assert failed.wait(60)
        eventually(lambda: engine.geofences.all(LIVE) == ())


def test_an_expiry_while_the_workspace_was_closed_happens_at_its_opening(tmp_path: Path) -> None:
    clock = SetClock()
    with Engine.open(tmp_path, clock=clock) as engine:
        fence = engine.geofences.create(TEST, replace(circle(), delete_after=NOON + HOUR))
    clock.advance(7_200)
    with Engine.open(tmp_path, clock=clock) as engine:
        eventually(lambda: engine.geofences.all(TEST) == ())
        assert fence.rules.delete_after == NOON + HOUR


@pytest.mark.parametrize(
    ("change", "param"),
    [
        (ClockChange(), "now"),
        (ClockChange(system=True, scale=2), "system"),
        (ClockChange(advance_s=-1), "advance_s"),
        (ClockChange(advance_s=1e300), "advance_s"),
        (ClockChange(scale=float("nan")), "scale"),
        (ClockChange(scale=-1), "scale"),
        (ClockChange(now=datetime(1, 1, 1, tzinfo=UTC)), "now"),
    ],
)
def test_a_clock_that_cannot_be_set_stays(engine: Engine, change: ClockChange, param: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        engine.set_clock(change)
    assert refused.value.param == param
    assert engine.test_clock.state().system
