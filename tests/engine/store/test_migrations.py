"""A workspace of an earlier version opens with all its contents."""

import json
import random
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

import engine.store.database
from engine.domain.environment import Environment
from engine.domain.errors import WorkspaceError
from engine.domain.geometry import Point, Polygon
from engine.domain.queries import EventQuery, NearbyUserQuery, UserQuery
from engine.domain.settings import EARLIER_SETTINGS, SettingsChange
from engine.domain.tracking.explaining import KeptUpdate
from engine.domain.tracking.updates import Presence, Timing
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.presences import presences_of
from engine.store.records.cells import to_ms
from engine.store.updates import updates_of_devices
from engine.store.workspace import DATABASE
from engine.store.writer import Connection
from tests.engine.fixtures import NOON, SetClock, update

TEST = Environment.TEST
MIGRATIONS = Path(engine.store.database.__file__).with_name("migrations")

type Written = dict[str, list[int]]
"""Presences as stored with an update: when the user entered, and whether they had dwelled."""

FIRST = """
INSERT INTO geofences VALUES
  ('aa01', 0, 'store', '1', 'Store 1', 'circle', 9.5209, 47.141, 100.0, NULL, '{"size":3}', 1, 1000, 2000),
  ('aa02', 0, 'store', '2', 'Store 2', 'polygon', NULL, NULL, NULL,
   '[[9.0,47.0],[9.1,47.0],[9.1,47.1],[9.0,47.0]]', '{}', 0, 1000, 2000);
INSERT INTO users VALUES
  ('bb01', 0, 'phone', 'ann', 'Ann', '{"plan":"gold"}', 9.5209, 47.141, 12.5, 1, 0, 'iOS', '10.0.0.1', 1000, 3000);
INSERT INTO presences VALUES ('bb01', 'aa01', 3000);
INSERT INTO events VALUES
  (1, 'cc01', 0, 'user.entered_geofence', 3000, 3001, 'bb01', 'ann', 'phone', '{"plan":"gold"}', 'aa01', 'store', '1',
   'Store 1', '{"size":3}', 9.5209, 47.141, 12.5, 3, NULL);
"""


def make(folder: Path, version: str) -> None:
    """Write the empty database of a workspace as a version did."""
    engine = sa.create_engine(f"sqlite:///{folder / DATABASE}")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
    engine.dispose()


def make_first(folder: Path) -> None:
    """Write a workspace's database as the first version did."""
    make(folder, "0001")
    database = sqlite3.connect(folder / DATABASE)
    database.executescript(FIRST)
    database.close()


def test_a_first_workspace_keeps_its_records(tmp_path: Path) -> None:
    make_first(tmp_path)
    with Engine.open(tmp_path) as engine:
        store = engine.geofences.get(TEST, "aa01")
        assert (store.description, dict(store.metadata), store.enabled) == ("Store 1", {"size": 3}, True)
        assert (store.rules.operating_hours, store.expires_at, store.revision) == (None, None, 0)
        near = NearbyUserQuery(near=Point(9.5209, 47.141), radius_m=10)
        assert [user.user_id for user in engine.users.nearby(TEST, near)] == ["ann"]
        zone = engine.geofences.get(TEST, "aa02")
        assert not zone.enabled
        assert zone.geometry == Polygon(((9.0, 47.0), (9.1, 47.0), (9.1, 47.1), (9.0, 47.0)))
        (user,) = engine.users.page(TEST, UserQuery()).items
        assert (user.id, user.user_id, user.device.type, user.ip) == ("bb01", "ann", "iOS", "10.0.0.1")
        assert [geofence.id for geofence in user.geofences] == ["aa01"]
        (event,) = engine.history.page(TEST, EventQuery()).items
        assert event.geofence is not None
        assert (event.id, event.type, event.geofence.id, event.confidence) == (
            "cc01",
            "user.entered_geofence",
            "aa01",
            3,
        )
        assert event.currently_operating is None
        assert engine.settings.get(TEST) == EARLIER_SETTINGS


def test_a_stay_of_a_first_workspace_goes_on(tmp_path: Path) -> None:
    make_first(tmp_path)
    with Engine.open(tmp_path) as engine:
        stays, _ = engine._parts.database.read(lambda connection: presences_of(connection, "bb01"))
        assert list(stays.values()) == [Presence("aa01", stays["aa01"].entered_at, dwelled=False)]
        result = engine.tracking.track(TEST, update(500, user_id="ann"))
        assert [event.type for event in result.events] == ["user.exited_geofence"]
        assert result.events[0].duration_s is not None


def test_kept_updates_of_an_earlier_version_have_their_presences(tmp_path: Path) -> None:
    make(tmp_path, "0014")
    written, inside = write_updates(tmp_path, random.Random(4))
    with Engine.open(tmp_path) as engine:
        kept = engine._parts.database.read_at_once(lambda each: [*updates_of_devices(each, TEST, ())])
        assert {each.number: as_written(each.presences) for each in kept} == written
        assert {each.number: each.subject.ip for each in kept} == dict.fromkeys(written, "10.0.0.1")
        for user in inside:
            own = engine._parts.database.read_at_once(partial(of_device, device_id=user))
            assert own == [each for each in kept if each.user.device_id == user]
        for user, now in inside.items():
            stays, since = engine._parts.database.read(partial(presences_of, user=user))
            assert as_written(stays) == now
            last = max((each.number for each in kept if each.user.id == user), default=0)
            # Future updates have higher numbers than all of them.
            assert all(0 <= since[key] <= last for key in now)
        engine.settings.change(TEST, SettingsChange(kept_updates=100))
        for user in inside:
            engine.tracking.track(TEST, update(9_999, device_id=user))
        newest = engine._parts.database.read_at_once(lambda each: [*updates_of_devices(each, TEST, ())])[-len(inside) :]
        assert {each.user.id: as_written(each.presences) for each in newest} == inside
        kept = engine._parts.database.read_at_once(lambda each: [*updates_of_devices(each, TEST, ())])
        assert len(kept) == 100
        assert all(as_written(each.presences) == written[each.number] for each in kept if each.number in written)


def test_a_user_of_an_earlier_version_goes_on_from_the_last_update(tmp_path: Path) -> None:
    """Values not stored by that version default to the last update's time, and no update is recorded."""
    make(tmp_path, "0016")
    before = to_ms(NOON - timedelta(minutes=10))
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        database.execute(
            "INSERT INTO users (id, live, device_id, metadata, longitude, latitude, accuracy_m, foreground, stopped,"
            " created_at, updated_at) VALUES ('bb01', 0, 'phone', '{}', 9.5209, 47.141, 10, 0, 0, ?, ?)",
            (before, before),
        )
        database.commit()
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        late = replace(update(at=NOON - timedelta(minutes=11)), once=True)
        assert [engine.tracking.track(TEST, late).timing for _ in range(2)] == [Timing.LATE, Timing.REPEATED]
        assert engine.tracking.track(TEST, update(at=NOON - timedelta(minutes=9))).timing is Timing.ON_TIME


def of_device(connection: Connection, device_id: str) -> list[KeptUpdate]:
    return list(updates_of_devices(connection, TEST, [device_id]))


def as_written(presences: Mapping[str, Presence]) -> Written:
    return {key: [to_ms(each.entered_at), int(each.dwelled)] for key, each in presences.items()}


def write_updates(folder: Path, chance: random.Random) -> tuple[dict[int, Written], dict[str, Written]]:
    """Write users with updates as version 0014 did, with all presences before an update stored in it.

    Return the presences stored in each update, and the final presences of each user.
    """
    written: dict[int, Written] = {}
    inside: dict[str, Written] = {f"user-{number}": {} for number in range(5)}
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        for user in inside:
            database.execute(
                "INSERT INTO users (id, live, device_id, metadata, longitude, latitude, accuracy_m, foreground,"
                " stopped, created_at, updated_at) VALUES (?, 0, ?, '{}', 9.5, 47.1, 10, 0, 0, 1, 1)",
                (user, user),
            )
        for number in sorted(chance.sample(range(1, 3_000), 1_200)):
            user = chance.choice(list(inside)[:4])
            now = written[number] = dict(inside[user])
            content = {"ip": "10.0.0.1", **({"presences": now} if now else {})}
            database.execute(
                "INSERT INTO updates VALUES (?, 0, ?, ?, ?, ?, 0, 0, 9.5, 47.1, 10, ?)",
                (number, user, user, number, number, json.dumps(content)),
            )
            moved(inside[user], number, chance)
        inside["user-4"] = {"f0": [5, 0]}
        for user, now in inside.items():
            stays = [(user, key, entered_at, dwelled) for key, (entered_at, dwelled) in now.items()]
            database.executemany("INSERT INTO presences VALUES (?, ?, ?, ?)", stays)
        database.commit()
    return written, inside


def moved(inside: Written, number: int, chance: random.Random) -> None:
    """Make a user enter, dwell in and leave geofences."""
    for key in (f"f{number}" for number in range(12)):
        match key in inside, chance.random():
            case False, much if much < 0.1:
                inside[key] = [number, 0]
            case True, much if much < 0.1:
                del inside[key]
            case True, much if much < 0.2:
                inside[key] = [inside[key][0], 1]


def test_a_workspace_whose_making_is_broken_off_is_made_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pattern = engine.store.database._pattern()
    copied: list[int] = []

    def stop(_status: int, left: int, total: int) -> None:
        copied.append(total - left)
        raise sqlite3.OperationalError("the disk is full")

    class Broken:
        def backup(self, target: sqlite3.Connection) -> None:
            pattern.backup(target, pages=9, progress=stop)

    with monkeypatch.context() as broken:
        broken.setattr(engine.store.database, "_pattern", Broken)
        with pytest.raises(WorkspaceError, match="the disk is full"):
            Engine.open(tmp_path)
    assert copied == [9]
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == []
    with Engine.open(tmp_path) as opened:
        assert opened.users.page(TEST, UserQuery()).items == ()
