"""The workspace folder: lock, address, keys, copies, versions."""

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from secrets import compare_digest

import pytest
import sqlalchemy as sa

from engine import Engine
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import WorkspaceBusy, WorkspaceError
from engine.domain.ports import Cancelled
from engine.domain.queries import EventQuery
from engine.domain.values import replace
from engine.store import database as store
from engine.store import keys
from engine.store.database import _STATEMENTS, SCHEMA_VERSION, Database
from engine.store.keys import KeyRing
from engine.store.tables import metadata as tables
from engine.store.workspace import DATABASE, KEYS, Endpoint, open_workspace, read_endpoint, read_keys
from tests.engine.fixtures import circle, update
from tests.engine.store.earlier import VERSIONS, dump, make
from tests.engine.store.test_migrations import make_first

TEST = Environment.TEST
HOLD = """
import sys
from engine import Engine
with Engine.open(sys.argv[1]):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_a_workspace_is_open_in_one_process_at_a_time(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(WorkspaceBusy, match="another process"):
            Engine.open(tmp_path)
        holder.kill()
        holder.wait()
    Engine.open(tmp_path).close()


def test_the_address_is_there_while_the_workspace_is_open(tmp_path: Path) -> None:
    assert read_endpoint(tmp_path) is None
    workspace = open_workspace(tmp_path)
    endpoint = Endpoint(os.getpid(), "http://127.0.0.1:1", "token", None)
    workspace.publish(endpoint)
    # The lock is held by the open file, so even this process is refused a second one.
    assert read_endpoint(tmp_path) == endpoint
    assert (tmp_path / "endpoint.json").stat().st_mode & 0o777 == 0o600
    workspace.close()
    assert read_endpoint(tmp_path) is None


def test_a_lock_and_an_address_that_are_deleted_are_made_again(tmp_path: Path) -> None:
    workspace = open_workspace(tmp_path)
    endpoint = Endpoint(os.getpid(), "http://127.0.0.1:1", "token", None)
    workspace.publish(endpoint)
    (tmp_path / "lock").unlink()
    (tmp_path / "endpoint.json").unlink()
    assert workspace.hold()
    assert read_endpoint(tmp_path) == endpoint
    (tmp_path / "lock").unlink()
    other = open_workspace(tmp_path)
    published = replace(endpoint, url="http://127.0.0.1:2")
    other.publish(published)
    assert not workspace.hold()
    workspace.close()
    assert read_endpoint(tmp_path) == published, "the address is that of the workspace that has the lock"
    other.close()


def test_an_address_left_by_a_killed_process_is_ignored(tmp_path: Path) -> None:
    workspace = open_workspace(tmp_path)
    workspace.publish(Endpoint(1, "http://127.0.0.1:1", "token", None))
    left = (tmp_path / "endpoint.json").read_bytes()
    workspace.close()
    (tmp_path / "endpoint.json").write_bytes(left)
    assert read_endpoint(tmp_path) is None
    Engine.open(tmp_path).close()


def test_a_temporary_workspace_is_removed() -> None:
    with Engine.open(":memory:") as engine:
        folder = engine.workspace.folder
        engine.geofences.create(TEST, circle())
        assert folder.exists()
    assert not folder.exists()


def test_statements_are_written_once_for_all_workspaces() -> None:
    def use() -> int:
        with Engine.open(":memory:") as engine:
            engine.geofences.create(Environment.TEST, circle())
            engine.tracking.track(Environment.TEST, update(0))
            assert engine.history.page(Environment.TEST, EventQuery()).items
        return len(_STATEMENTS)

    assert use() == use() > 10


def test_keys_are_private_distinct_and_kept(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / KEYS)
    assert (tmp_path / KEYS).stat().st_mode & 0o777 == 0o600
    values = [key.value for key in ring.all()]
    assert len(set(values)) == 4
    assert values[0].startswith("prj_test_pk_")
    assert values[3].startswith("prj_live_sk_")
    assert all(len(value.rpartition("_")[2]) == 40 for value in values)
    assert [key.value for key in read_keys(tmp_path).all()] == values


def test_the_folder_of_a_new_workspace_is_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        open_workspace(tmp_path / "folders" / "new").close()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "folders" / "new").stat().st_mode) == 0o700


def test_a_folder_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    open_workspace(tmp_path).close()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_a_key_is_compared_with_all_of_them_in_constant_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []

    def noted(given: bytes, known: bytes) -> bool:
        compared.append(known)
        return compare_digest(given, known)

    with closing(open_workspace(tmp_path)) as workspace:
        monkeypatch.setattr(keys, "compare_digest", noted)
        for key in workspace.keys.all():
            assert workspace.keys.find(key.value) == key
        for wrong in ("", "prj_test_pk_", "\ud800", f"{workspace.keys.all()[0].value}0", "ключ"):
            assert workspace.keys.find(wrong) is None
        assert len(compared) == 9 * len(workspace.keys.all())


def test_a_rotated_key_replaces_the_old_at_once(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / KEYS)
    old = ring.value(TEST, KeyLevel.SECRET)
    new = ring.rotate(TEST, KeyLevel.SECRET)
    assert ring.find(old) is None
    assert ring.find(new.value) == new
    assert read_keys(tmp_path).value(TEST, KeyLevel.SECRET) == new.value
    assert (tmp_path / KEYS).stat().st_mode & 0o777 == 0o600


def test_damaged_keys_are_an_error_that_keeps_the_file(tmp_path: Path) -> None:
    (tmp_path / KEYS).write_text("{")
    with pytest.raises(WorkspaceError, match="damaged"):
        Engine.open(tmp_path)
    assert (tmp_path / KEYS).read_text() == "{"


def test_a_file_that_is_no_database_is_an_error_that_keeps_it(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_text("not a database, but long enough to be read as one" * 40)
    with pytest.raises(WorkspaceError, match="not a database"):
        Engine.open(tmp_path)
    Engine.open(tmp_path / "other").close()


@pytest.mark.parametrize("name", ["a b", "a?b", "a%41", "a#b", "ü", "a&b=c"])
def test_everything_is_in_the_folder_whatever_its_name(tmp_path: Path, name: str) -> None:
    with Engine.open(tmp_path / name) as engine:
        engine.geofences.create(TEST, circle())
        assert (tmp_path / name / DATABASE).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [name]
    with Engine.open(tmp_path / name) as engine:
        assert engine.history.counts(TEST).geofences == 1


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkspaceError, match="cannot be opened"):
        Engine.open(tmp_path / "file" / "workspace")


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    Engine.open(tmp_path).close()
    with sqlite3.connect(tmp_path / DATABASE) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(WorkspaceError, match="newer"):
        Engine.open(tmp_path)


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_an_earlier_program_refuses_a_newer_workspace(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that does not know holes would lose them."""
    earlier, file = VERSIONS[VERSIONS.index(version) - 1], make(tmp_path, version)
    before = dump(file)
    monkeypatch.setattr(store, "SCHEMA_VERSION", earlier)
    words = f"has schema {version}, which is newer than this program's {earlier}: open it with a newer Fencewright"
    with pytest.raises(WorkspaceError, match=words):
        Engine.open(tmp_path)
    assert dump(file) == before


@pytest.mark.parametrize("made", ["at once", "step by step"])
def test_the_migrations_make_the_tables_of_this_version(tmp_path: Path, made: str) -> None:
    """The schema built step by step by Alembic equals that of `tables`, and the last step is the expected one."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    if made == "step by step":
        make_first(tmp_path)
    database = Database(tmp_path / DATABASE)
    with database.connect() as connection:
        context = MigrationContext.configure(connection)
        assert context.get_current_revision() == SCHEMA_VERSION
        assert compare_metadata(context, tables) == []
    database.close()


def test_a_new_database_has_the_indexes_and_keys_of_a_migrated_one(tmp_path: Path) -> None:
    for name in ("new", "migrated"):
        (tmp_path / name).mkdir()
    make_first(tmp_path / "migrated")
    described = []
    for name in ("new", "migrated"):
        database = Database(tmp_path / name / DATABASE)
        with database.connect() as connection:
            described.append(
                {table: _describe(connection, table) for table in sa.inspect(connection).get_table_names()}
            )
        database.close()
    new, migrated = described
    assert new == migrated


def _describe(connection: sa.Connection, table: str) -> dict[str, object]:
    """Return SQLite's own description of a table's columns, indexes and storage."""

    def ask(pragma: str) -> list[tuple[object, ...]]:
        return [tuple(row) for row in connection.exec_driver_sql(pragma)]

    # Columns are in another order if a step has added one with a default for existing rows.
    columns = {row[1]: (row[2], row[3], row[5]) for row in ask(f"PRAGMA table_info({table})")}
    indexes = {
        row[1]: [each[2] for each in ask(f"PRAGMA index_info('{row[1]}')")]
        for row in ask(f"PRAGMA index_list({table})")
    }
    (without_rowid,) = [row[4] for row in ask("PRAGMA table_list") if row[1] == table]
    return {"columns": columns, "indexes": indexes, "without_rowid": without_rowid}


def test_the_database_is_durable(tmp_path: Path) -> None:
    database = Database(tmp_path / DATABASE)
    pragmas = database.read(
        lambda c: [c.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
    )
    database.close()
    assert pragmas == ["wal", 2]


def test_a_copy_is_a_workspace_as_of_then(tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "one"
    with Engine.open(tmp_path / "original") as engine:
        engine.geofences.create(TEST, circle())
        event = engine.tracking.track(TEST, update()).events[0]
        steps: list[tuple[int, int]] = []
        engine.save_copy(copy, lambda done, total: steps.append((done, total)))
        engine.tracking.track(TEST, update(500))
        keys = engine.workspace.keys.all()
    assert steps[-1][0] == steps[-1][1] > 0
    with Engine.open(copy) as engine:
        assert engine.history.page(TEST, EventQuery()).items == (event,)
        assert engine.workspace.keys.all() == keys


def test_a_copy_never_overwrites_and_leaves_nothing_when_cancelled(tmp_path: Path) -> None:
    def cancel(_done: int, _total: int) -> None:
        raise Cancelled

    with Engine.open(tmp_path / "original") as engine:
        with pytest.raises(WorkspaceError, match="not an empty folder"):
            engine.save_copy(tmp_path / "original")
        with pytest.raises(Cancelled):
            engine.save_copy(tmp_path / "copy", cancel)
    assert [path.name for path in tmp_path.iterdir()] == ["original"]


def test_opening_writes_nothing_into_the_database(tmp_path: Path) -> None:
    with Engine.open(tmp_path / "w"):
        pass
    before = (tmp_path / "w" / DATABASE).read_bytes()
    for _ in range(2):
        with Engine.open(tmp_path / "w"):
            pass
    assert (tmp_path / "w" / DATABASE).read_bytes() == before
