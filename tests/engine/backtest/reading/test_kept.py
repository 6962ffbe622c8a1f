"""Kept updates of a workspace as a history, with the geofences and settings of each moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from engine.backtest.reading.kept import kept_batches
from engine.backtest.rows import SCHEMA
from engine.domain.environment import Environment
from engine.domain.settings import EARLIER_SETTINGS, SettingsChange
from engine.domain.tracking.explaining import KeptUpdate
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.history import versions
from engine.store.history.kept import earlier_states
from engine.store.history.versions import geofence_history, settings_history
from engine.store.updates import updates_of_devices
from tests.engine.fixtures import NOON, SetClock, circle, update

TEST, LIVE = Environment.TEST, Environment.LIVE


@contextmanager
def reading(engine: Engine) -> Iterator[sa.Connection]:
    """Connect to the database of a workspace."""
    database = sa.create_engine(f"sqlite:///{engine.workspace.database_file}")
    try:
        with database.connect() as connection:
            yield connection
    finally:
        database.dispose()


def microseconds(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - datetime(1970, 1, 1, tzinfo=NOON.tzinfo)) // timedelta(microseconds=1)


def row_of(kept: KeptUpdate) -> dict[str, Any]:
    """Return the row for an update, from its complete record."""
    return {
        "device": kept.user.device_id,
        "user": kept.subject.user_id,
        "at_us": microseconds(kept.taken_at),
        "received_us": microseconds(kept.received_at),
        "number": kept.number,
        "longitude": kept.fix.point.longitude,
        "latitude": kept.fix.point.latitude,
        "accuracy_m": kept.fix.accuracy_m,
        "stopped": kept.fix.stopped,
        "foreground": kept.fix.foreground,
        "ip": kept.subject.ip,
        "revision": kept.revision,
        "settings": kept.settings,
    }


def test_kept_updates_are_those_that_arrived(engine: Engine, clock: SetClock) -> None:
    """Times, user IDs, addresses, flags, revisions and settings of updates are as in their complete records."""
    for number in range(12):
        clock.advance(60)
        if number == 4:
            engine.geofences.create(TEST, circle())
        if number == 8:
            engine.settings.change(TEST, SettingsChange(dwell_event=True))
        sent = update(number * 20, device_id=f"d{number % 3}", user_id=f'ä"{number}' if number % 2 else None)
        sent = replace(
            sent,
            at=clock.moment - timedelta(seconds=number, microseconds=7) if number % 3 else None,
            age_s=5.0 if number % 6 == 0 else None,
            ip="10.0.0.1" if number % 4 else None,
            stopped=number % 5 == 0,
            foreground=number % 4 == 0,
        )
        engine.tracking.track(TEST, sent)
        engine.tracking.track(LIVE, sent)
    with reading(engine) as connection:
        expected = [row_of(each) for each in updates_of_devices(connection, TEST, [])]
        batches = list(kept_batches(connection, TEST, batch_rows=5))
    assert [batch.num_rows for batch in batches] == [5, 5, len(expected) - 10]
    assert all(batch.schema == SCHEMA for batch in batches)
    assert [row for batch in batches for row in batch.to_pylist()] == expected
    assert {row["at_us"] is None for row in expected} == {True, False}


def test_a_workspace_without_kept_updates(engine: Engine) -> None:
    with reading(engine) as connection:
        assert list(kept_batches(connection, TEST)) == []
        assert earlier_states(connection, TEST) == {}


def test_states_before_the_first_kept_updates(engine: Engine, clock: SetClock) -> None:
    """Only users whose earlier updates are deleted have a state before their first kept ones."""
    geofence = engine.geofences.create(TEST, circle())
    engine.settings.change(TEST, SettingsChange(kept_updates=3))
    entered = clock.moment
    for device, user in (("left", "ann"), ("stays", None), ("stays", "ben"), ("away", None)):
        engine.tracking.track(TEST, update(5_000 if device == "away" else 0, device_id=device, user_id=user))
    clock.advance(60)
    for east_m, device, user in ((0, "stays", "ben"), (900, "away", None), (900, "left", "ann")):
        engine.tracking.track(TEST, update(east_m, device_id=device, user_id=user))
    with reading(engine) as connection:
        found = earlier_states(connection, TEST)
        assert earlier_states(connection, LIVE) == {}
    assert found.keys() == {("stays", "ben"), ("left", "ann"), ("away", None)}
    assert {presence.entered_at for state in found.values() for presence in state.presences.values()} == {entered}
    assert [list(state.presences) for state in found.values()] == [[geofence.id], [], [geofence.id]]
    assert {state.newest_at for state in found.values()} == {None}


def test_the_newest_time_before_a_late_kept_update(engine: Engine, clock: SetClock) -> None:
    engine.geofences.create(TEST, circle())
    engine.settings.change(TEST, SettingsChange(kept_updates=1))
    newest = clock.moment
    engine.tracking.track(TEST, replace(update(0), at=newest))
    clock.advance(60)
    engine.tracking.track(TEST, replace(update(900), at=newest - timedelta(seconds=30)))
    with reading(engine) as connection:
        (state,) = earlier_states(connection, TEST).values()
    assert state.newest_at == newest


def test_all_versions_of_geofences(engine: Engine, clock: SetClock) -> None:
    moments = []

    def edit(work: Any) -> Any:
        clock.advance(3_600)
        moments.append(clock.moment)
        return work()

    first = edit(lambda: engine.geofences.create(TEST, circle()))
    second = edit(lambda: engine.geofences.create(TEST, circle("2")))
    edit(lambda: engine.geofences.upsert(TEST, "store", "1", circle(radius_m=200)))
    edit(lambda: engine.geofences.delete(TEST, second.id))
    edit(lambda: engine.geofences.create(LIVE, circle("3")))
    with reading(engine) as connection:
        found = geofence_history(connection, TEST)
    revisions = [revision for _, revision in found.moments]
    assert [moment for moment, _ in found.moments] == moments[:4]
    assert revisions == sorted(set(revisions))
    begun = {(version.geofence.id, version.geofence.revision): version.until for version in found.versions}
    assert begun == {
        (first.id, revisions[0]): revisions[2],
        (first.id, revisions[2]): None,
        (second.id, revisions[1]): revisions[3],
    }
    radii = {getattr(version.geofence.geometry, "radius_m", None) for version in found.versions}
    assert (radii, found.since) == ({100.0, 200.0}, 0)


def test_history_is_complete_only_since_the_oldest_kept_version(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "MOST_VERSIONS", 2)
    engine.geofences.create(TEST, circle())
    for radius_m in (110, 120, 130):
        engine.geofences.upsert(TEST, "store", "1", circle(radius_m=radius_m))
    with reading(engine) as connection:
        found = geofence_history(connection, TEST)
    assert found.since == found.moments[1][1]


def test_all_versions_of_settings(engine: Engine, clock: SetClock) -> None:
    clock.advance(60)
    engine.settings.change(TEST, SettingsChange(dwell_event=True))
    engine.settings.change(LIVE, SettingsChange(dwell_event=True))
    with reading(engine) as connection:
        found = settings_history(connection, TEST)
    assert (found[0].number, found[0].since, found[0].settings) == (0, None, EARLIER_SETTINGS)
    assert [version.number for version in found] == sorted(version.number for version in found)
    assert (found[-1].since, found[-1].settings.dwell_event) == (clock.moment, True)
    assert found[-1].settings == engine.settings.get(TEST)
