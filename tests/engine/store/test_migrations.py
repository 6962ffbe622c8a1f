"""A workspace of an earlier version opens with everything in it."""

import sqlite3
from contextlib import closing
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
from engine.domain.settings import DEFAULT_SETTINGS
from engine.domain.tracking.updates import Presence
from engine.engine import Engine
from engine.store.queries import presences_of
from engine.store.workspace import DATABASE
from tests.engine.fixtures import update

TEST = Environment.TEST
MIGRATIONS = Path(engine.store.database.__file__).with_name("migrations")

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


def make_first(folder: Path) -> None:
    """Write a workspace's database as the first version did."""
    engine = sa.create_engine(f"sqlite:///{folder / DATABASE}")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
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
        assert engine.settings.get(TEST) == DEFAULT_SETTINGS


def test_a_stay_of_a_first_workspace_goes_on(tmp_path: Path) -> None:
    make_first(tmp_path)
    with Engine.open(tmp_path) as engine:
        stays = engine._database.read(lambda connection: presences_of(connection, "bb01"))
        assert list(stays.values()) == [Presence("aa01", stays["aa01"].entered_at, dwelled=False)]
        result = engine.tracking.track(TEST, update(500, user_id="ann"))
        assert [event.type for event in result.events] == ["user.exited_geofence"]
        assert result.events[0].duration_s is not None


def test_a_workspace_whose_making_is_broken_off_is_made_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(engine.store.database, "SCHEMA_VERSION", object())
        with pytest.raises(WorkspaceError):
            Engine.open(tmp_path)
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == []
    with Engine.open(tmp_path) as opened:
        assert opened.users.page(TEST, UserQuery()).items == ()
