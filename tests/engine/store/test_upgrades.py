"""Workspaces of all earlier versions open with all their contents, even after interrupted upgrades."""

import json
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

import engine.store.database
from engine.domain.environment import Environment
from engine.domain.errors import WorkspaceError
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point, Polygon
from engine.domain.hours import HoursRule
from engine.domain.ports import Cancelled
from engine.domain.queries import EventQuery, UserQuery
from engine.domain.settings import SettingsChange
from engine.domain.tracking.trips import TripQuery
from engine.domain.tracking.updates import Conversion, LocationUpdate, Reporter
from engine.engine import Engine
from engine.store.database import SCHEMA_VERSION, Database
from engine.store.migrations.copies import copy_of
from engine.store.workspace import DATABASE
from tests.engine.fixtures import SetClock
from tests.engine.store.earlier import EARLIER, MADE_BEFORE, VERSIONS, dump, make

MIGRATIONS = Path(engine.store.database.__file__).with_name("migrations")
MOMENTS = 6
KINDS = {"geofences": "id", "users": "id", "events": "id", "beacons": "id", "trips": "id", "webhooks": "id"}
"""Tables, and the column of each that an engine shows."""


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The contents of each version's workspace after an uninterrupted upgrade."""
    folder = tmp_path_factory.mktemp("upgraded")
    for version in EARLIER:
        Database(make(folder / version, version)).close()
    return {version: dump(folder / version / DATABASE) for version in EARLIER}


def rows(file: Path, statement: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as database:
        return database.execute(statement).fetchall()


def change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.executescript(statement)


def tables_of(file: Path) -> set[str]:
    return {name for (name,) in rows(file, "SELECT name FROM sqlite_master WHERE type = 'table'")}


def files_beside(file: Path) -> set[str]:
    return {each.name for each in file.parent.iterdir()} - {file.name, f"{file.name}-wal", f"{file.name}-shm"}


def stored(file: Path) -> dict[str, set[Any]]:
    """Return the contents of a database in the form of its own version."""
    there = tables_of(file)
    found = {
        table: {key for (key,) in rows(file, f"SELECT {column} FROM {table}")} if table in there else set()
        for table, column in KINDS.items()
    }
    inside = {tuple(row) for row in rows(file, "SELECT user, geofence FROM presences")}
    circles = rows(file, "SELECT id, description, enabled, longitude, radius_m, metadata FROM geofences")
    positions = rows(file, "SELECT id, device_id, user_id, longitude, latitude FROM users")
    settings = rows(file, "SELECT content FROM settings ORDER BY number") if "settings" in there else []
    thresholds = {json.loads(content)["default_dwell_threshold_s"] for (content,) in settings[-1:]}
    return {
        **found,
        "inside": inside,
        "about geofences": {(*row[:2], bool(row[2]), *row[3:5], row[5]) for row in circles},
        "about users": set(positions),
        "settings": thresholds or {None},
    }


def shown(folder: Path, *, has_settings: bool) -> dict[str, set[Any]]:
    """Return the same contents of a workspace as the engine shows them."""
    with Engine.open(folder, clock=SetClock(MADE_BEFORE)) as opened:
        test, live = Environment.TEST, Environment.LIVE
        fences = [each for env in (test, live) for each in opened.geofences.all(env)]
        users = opened.users.page(test, UserQuery()).items
        assert not opened.users.page(live, UserQuery()).items
        return {
            "geofences": {each.id for each in fences},
            "users": {each.id for each in users},
            "events": {each.id for each in opened.history.page(test, EventQuery()).items},
            "beacons": {each.id for each in opened.beacons.all(test)},
            "trips": {each.id for each in opened.trips.page(test, TripQuery()).items},
            "webhooks": {each.id for each in opened.webhooks.all(test)},
            "inside": {(user.id, fence.id) for user in users for fence in user.geofences},
            "about geofences": {about(each) for each in fences},
            "about users": {
                (each.id, each.device_id, each.user_id, each.fix.point.longitude, each.fix.point.latitude)
                for each in users
            },
            "settings": {opened.settings.get(test).default_dwell_threshold_s if has_settings else None},
        }


def about(fence: Any) -> tuple[Any, ...]:
    geometry = fence.geometry
    centre = getattr(geometry, "center", None)
    metadata = json.dumps(dict(fence.metadata), separators=(",", ":"))
    longitude = centre.longitude if centre else None
    return fence.id, fence.description, fence.enabled, longitude, getattr(geometry, "radius_m", None), metadata


@pytest.mark.parametrize("version", VERSIONS)
def test_all_data_is_kept(version: str, tmp_path: Path) -> None:
    file = make(tmp_path, version)
    before = stored(file)
    assert all(before[kind] for kind in ("geofences", "users", "events", "inside"))
    assert shown(tmp_path, has_settings=version > "0001") == before
    assert files_beside(file) == {"keys.json", "lock"}
    assert rows(file, "SELECT version_num FROM alembic_version") == [(SCHEMA_VERSION,)]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("settings", [True, False])
def test_hours_of_an_earlier_workspace_stay_those_of_the_calendar(version: str, settings: bool, tmp_path: Path) -> None:
    """A workspace keeps its rule, also one in which no setting was ever changed."""
    file = make(tmp_path / version, version)
    if not settings and "settings" in tables_of(file):
        change(file, "DELETE FROM settings")
    before = rows(file, "SELECT content FROM settings") if "settings" in tables_of(file) else []
    with Engine.open(tmp_path / version, clock=SetClock(MADE_BEFORE)) as opened:
        for environment in Environment:
            assert opened.settings.get(environment).operating_hours_rule == "calendar"
    assert rows(file, "SELECT content FROM settings") == before
    with Engine.open(tmp_path / version, clock=SetClock(MADE_BEFORE)) as opened:
        opened.settings.change(Environment.TEST, SettingsChange(operating_hours_rule=HoursRule.PLATFORM))
        assert opened.settings.get(Environment.LIVE).operating_hours_rule == "calendar"


def test_the_newest_version_is_among_them() -> None:
    assert VERSIONS[-1] == SCHEMA_VERSION


@pytest.mark.slow
def test_a_killed_upgrade_is_done_by_the_next_opening(
    tmp_path: Path, upgraded: dict[str, list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    kept = {version: dump(make(tmp_path_factory.mktemp(version), version)) for version in EARLIER}
    arguments = [sys.executable, "-m", "tests.engine.store.killed", str(tmp_path), str(MOMENTS)]
    subprocess.run(arguments, check=True, timeout=120)
    killed, done = sorted(tmp_path.iterdir()), 0
    assert len(killed) >= 50
    for folder in killed:
        version = folder.name.partition("-")[0]
        after = dump(folder / DATABASE)
        # All or nothing, even before a repair.
        assert after in (kept[version], upgraded[version]), folder.name
        done += after == upgraded[version]
        Database(folder / DATABASE).close()
        assert dump(folder / DATABASE) == upgraded[version], folder.name
        assert files_beside(folder / DATABASE) == set(), folder.name
    assert 0 < done < len(killed) / 2


@contextmanager
def limited(**limits: int) -> Iterator[None]:
    """Limit the size of files, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits["size"], before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


# The step from 0019 drops an index and that from 0022 adds empty columns, which therefore need no further pages.
@pytest.mark.parametrize("version", [version for version in EARLIER if version not in ("0019", "0022")])
@pytest.mark.slow
def test_a_full_disk_leaves_all_as_it_was_and_the_copy(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, upgraded: dict[str, list[str]]
) -> None:
    file = make(tmp_path, version)
    before, copy = dump(file), copy_of(file, version)
    ((pages,),) = rows(file, "PRAGMA page_count")
    with monkeypatch.context() as full:
        limit = f"PRAGMA max_page_count={pages}"
        full.setattr(engine.store.database, "_PRAGMAS", (*engine.store.database._PRAGMAS, limit))
        with pytest.raises(WorkspaceError, match="database or disk is full") as failure:
            Database(file)
    assert f"from schema {version}" in str(failure.value)
    assert f"is kept in {copy}." in str(failure.value)
    assert dump(file) == before == dump(copy)
    assert copy.stat().st_mode & 0o777 == 0o600
    Database(file).close()
    assert dump(file) == upgraded[version]
    assert files_beside(file) == set()


@pytest.mark.parametrize("size", [0, 40_000, 90_000])
def test_a_disk_without_room_for_the_copy(size: int, tmp_path: Path) -> None:
    file = make(tmp_path, "0004")
    before = dump(file)
    with limited(size=size), pytest.raises(WorkspaceError, match=r"cannot be (written|opened)") as failure:
        Database(file)
    if size:
        assert str(copy_of(file, "0004")) in str(failure.value)
    assert files_beside(file) == set()
    assert dump(file) == before
    Database(file).close()


@pytest.mark.parametrize("version", ["0004", SCHEMA_VERSION])
def test_a_disk_without_any_room_is_reported_as_full(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = make(tmp_path, version)
    before = dump(file)
    with monkeypatch.context() as full, limited(size=0):
        full.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 20_000))
        with pytest.raises(WorkspaceError, match="cannot be opened: the disk is full"):
            Database(file)
    assert dump(file) == before
    Database(file).close()


def test_the_room_for_the_copy_is_looked_at_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = make(tmp_path, "0004")
    before = dump(file)
    with monkeypatch.context() as full:
        full.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 50_000))
        with pytest.raises(WorkspaceError, match=r"takes 0\.1 MB, and 0\.1 MB are free there") as failure:
            Database(file)
    assert str(copy_of(file, "0004")) in str(failure.value)
    assert files_beside(file) == set()
    assert dump(file) == before


@pytest.mark.parametrize("ending", ["", ".part"])
def test_a_folder_in_the_place_of_the_copy(ending: str, tmp_path: Path) -> None:
    file = make(tmp_path, "0004")
    before = dump(file)
    copy = copy_of(file, "0004")
    copy.with_name(copy.name + ending).mkdir()
    with pytest.raises(WorkspaceError, match=r"its copy .* cannot be written: Is a directory\. Nothing"):
        Database(file)
    assert dump(file) == before


@pytest.mark.slow
@pytest.mark.parametrize("version", EARLIER)
def test_upgrades_interrupted_in_an_earlier_program(
    version: str, tmp_path: Path, upgraded: dict[str, list[str]]
) -> None:
    """Upgrades of earlier programs, interrupted by an error before each statement in turn, can be completed."""
    left: list[list[str]] = []
    while len(left) < 2 or left[-1] != left[-2]:
        number = len(left) + 1
        file = make(tmp_path / str(number), version)
        if version == "0007":
            change(file, "UPDATE alembic_version SET version_num = '0010'")
        if upgrade_as_before(file, number):
            break
        left.append(dump(file))
        Database(file).close()
        assert dump(file) == upgraded[version], number
    # Everything after the first change of rows was rolled back.
    assert len(left) >= 2


def upgrade_as_before(file: Path, number: int) -> bool:
    """Upgrade as earlier programs did, without a transaction before the schema changes; return whether it finished."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    left = number

    def count(_: Any, __: Any, statement: str, *___: Any) -> None:
        nonlocal left
        if not statement.startswith(("SELECT", "PRAGMA", "\nSELECT")):
            left -= 1
            if left == 0:
                raise InterruptedError

    database = sa.create_engine(f"sqlite:///{file}")
    sa.event.listen(database, "before_cursor_execute", count)
    try:
        with database.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except InterruptedError:
        return False
    finally:
        database.dispose()
    return True


def test_a_workspace_whose_making_an_earlier_program_did_not_end(tmp_path: Path) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    for number in range(1, 9):
        file = tmp_path / str(number) / DATABASE
        file.parent.mkdir()
        assert not upgrade_as_before(file, number)
        with Engine.open(file.parent) as opened:
            assert opened.geofences.all(Environment.TEST) == ()


def test_empty_tables_of_another_program_are_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / DATABASE
    change(file, "CREATE TABLE alembic_version (version_num TEXT); CREATE TABLE users (name TEXT)")
    before = dump(file)
    with pytest.raises(WorkspaceError, match="does not say which schema it has"):
        Database(file)
    assert dump(file) == before


def test_tables_without_a_version_that_hold_something_are_left_alone(tmp_path: Path) -> None:
    file = make(tmp_path, "0011")
    change(file, "DELETE FROM alembic_version")
    before = dump(file)
    with pytest.raises(WorkspaceError, match="does not say which schema it has"):
        Database(file)
    assert dump(file) == before


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("CREATE TABLE trips (id TEXT); INSERT INTO trips VALUES ('a'), ('b')", "table trips"),
        ("CREATE TABLE _alembic_tmp_events (id TEXT); INSERT INTO _alembic_tmp_events VALUES ('a')", "table _alembic"),
        (
            "ALTER TABLE presences ADD COLUMN since BIGINT DEFAULT '0'; UPDATE presences SET since = 7",
            "presences.since",
        ),
    ],
)
def test_columns_and_tables_with_values_are_not_dropped(statement: str, name: str, tmp_path: Path) -> None:
    file = make(tmp_path, "0004")
    change(file, statement)
    before = dump(file)
    with pytest.raises(WorkspaceError, match=f"the .*{name}.* is of a later version and holds values") as failure:
        Database(file)
    assert str(copy_of(file, "0004")) in str(failure.value)
    assert dump(file) == before


def test_a_table_of_no_version_stays(tmp_path: Path) -> None:
    file = make(tmp_path, "0004")
    change(file, "CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')")
    Database(file).close()
    assert rows(file, "SELECT * FROM notes") == [("mine",)]


def test_a_lack_is_no_reason_for_a_guess(tmp_path: Path) -> None:
    file = make(tmp_path, "0011")
    change(file, "DROP TABLE beacon_stays; ALTER TABLE users DROP COLUMN ip")
    with pytest.raises(WorkspaceError, match=r"it lacks beacon_stays, users\.ip, which schema 0011 has"):
        Database(file)


@pytest.mark.parametrize("version", ["0008", "0009", "0005a"])
def test_a_number_that_no_released_version_has(version: str, tmp_path: Path) -> None:
    file = make(tmp_path, "0006")
    change(file, f"UPDATE alembic_version SET version_num = '{version}'")
    before = dump(file)
    with pytest.raises(WorkspaceError, match="export its geofences there and import them into a new") as failure:
        Database(file)
    assert f"has schema {version}, which no released version" in str(failure.value)
    assert dump(file) == before
    assert files_beside(file) == set()


def test_a_renumbered_schema_is_not_trusted(tmp_path: Path) -> None:
    file = make(tmp_path, "0006")
    change(file, "UPDATE alembic_version SET version_num = '0007'")
    with pytest.raises(WorkspaceError, match="its tables are not those of schema 0010"):
        Database(file)


def test_imports_of_the_first_form_stay_in_the_history(tmp_path: Path) -> None:
    file = make(tmp_path, "0012")
    change(
        file,
        "INSERT INTO imports VALUES (1, 'aa', 0, 'f.csv', 'ab', 'window', 'done', 1, NULL, 5, 1, '{}');"
        "INSERT INTO import_items VALUES (1, 1, 'f', 0, NULL)",
    )
    Database(file).close()
    assert rows(file, "SELECT id, undoable FROM imports") == [("aa", 0)]
    assert rows(file, "SELECT geofence, content, stored FROM import_items") == []


def test_users_of_earlier_versions_are_found_by_their_app_once_it_reports(tmp_path: Path) -> None:
    file = make(tmp_path, "0021")
    with Engine.open(tmp_path, clock=SetClock(MADE_BEFORE)) as opened:
        assert rows(file, "SELECT DISTINCT install_id FROM users") == [(None,)]
        conversion = Conversion("sale", reporter=Reporter(install_id="install-1"))
        assert opened.history.log_conversion(Environment.TEST, conversion).user.id == ""
        update = LocationUpdate("phone", Point(9.7, 47.1), 10.0, user_id="ann", install_id="install-1")
        user = opened.tracking.track(Environment.TEST, update).user
        assert opened.history.log_conversion(Environment.TEST, conversion).user.id == user.id
        assert rows(file, "SELECT id FROM users WHERE install_id = 'install-1'") == [(user.id,)]


@pytest.mark.parametrize("version", EARLIER)
def test_polygons_of_earlier_versions_have_one_ring_and_can_be_given_a_hole(version: str, tmp_path: Path) -> None:
    make(tmp_path, version)
    hole = ((9.515, 47.135), (9.525, 47.135), (9.525, 47.145), (9.515, 47.135))
    with Engine.open(tmp_path, clock=SetClock(MADE_BEFORE)) as opened:
        (zone,) = polygons(opened)
        assert zone.is_single_ring
        fence = opened.geofences.get_by_key(Environment.TEST, "zone", "1")
        opened.geofences.update(Environment.TEST, fence.id, GeofenceChange(coordinates=(zone.ring, hole)))
    with Engine.open(tmp_path, clock=SetClock(MADE_BEFORE)) as opened:
        assert polygons(opened) == [Polygon(zone.ring, (hole,))]


def test_holes_and_parts_of_the_newest_version_are_there(tmp_path: Path) -> None:
    make(tmp_path, SCHEMA_VERSION)
    with Engine.open(tmp_path, clock=SetClock(MADE_BEFORE)) as opened:
        assert sorted([len(part.holes) for part in each.parts] for each in polygons(opened)) == [[0], [1], [1, 0]]


def polygons(opened: Engine) -> list[Polygon]:
    shapes = (each.geometry for each in opened.geofences.all(Environment.TEST))
    return [each for each in shapes if isinstance(each, Polygon)]


def test_a_cancelled_upgrade_changes_nothing(tmp_path: Path) -> None:
    def cancel(done: int, total: int) -> None:
        if done >= total * share:
            raise Cancelled

    for share in (0, 0.6, 1):
        file = make(tmp_path / str(share), "0004")
        before = dump(file)
        with pytest.raises(Cancelled):
            Database(file, cancel)
        assert dump(file) == before
        assert files_beside(file) == set()


def test_progress_goes_on_through_the_copy_and_the_steps(tmp_path: Path) -> None:
    seen: list[float] = []
    Database(make(tmp_path, "0004"), lambda done, total: seen.append(done / total)).close()
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert len(seen) > 10


def test_a_copy_beside_another_database_stays(tmp_path: Path) -> None:
    """The copy may be all there is of a workspace whose database was moved away after a failed upgrade."""
    file = tmp_path / DATABASE
    copy = copy_of(make(tmp_path, "0004"), "0004")
    file.rename(copy)
    for _ in range(2):
        Engine.open(tmp_path).close()
        assert copy.exists()
