"""A workspace that is deleted, moved, replaced or overwritten under a running server in a real process."""

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from engine.domain.environment import Environment
from engine.domain.queries import UserQuery
from engine.engine import Engine
from engine.store.workspace import DATABASE
from tests.app.program import Program, Serving
from tests.waiting import eventually

pytestmark = pytest.mark.slow

HERE = {"latitude": 45.5, "longitude": 14.5, "accuracy": 5}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with a backup next to it, from before the second user."""
    folder = tmp_path / "work"
    with Engine.open(folder) as engine:
        engine.save_copy(tmp_path / "backup")
    return folder


@pytest.fixture
def server(workspace: Path, tmp_path: Path) -> Iterator[Serving]:
    with Program(tmp_path / "home").serve(workspace) as serving:
        yield serving


class Client:
    """Sends requests to the server over a persistent connection."""

    def __init__(self, server: Serving) -> None:
        self._http = httpx.Client(base_url=server.url, headers={"Authorization": server.key()}, trust_env=False)

    def close(self) -> None:
        self._http.close()

    def track(self, device: str) -> httpx.Response:
        return self._http.post("/v1/track", json={"deviceId": device, **HERE})

    def anonymous(self) -> httpx.Response:
        return self._http.post("/v1/track", json={"deviceId": "x", "anonymous": True, **HERE})

    def geofences(self) -> httpx.Response:
        return self._http.get("/v1/geofences")

    def make(self) -> httpx.Response:
        circle = {"description": "Home", "type": "circle", "coordinates": [14.5, 45.5], "radius": 100}
        return self._http.put("/v1/geofences/home/1", json=circle)


@pytest.fixture
def client(server: Serving) -> Iterator[Client]:
    made = Client(server)
    yield made
    made.close()


def unlink(folder: Path) -> None:
    (folder / DATABASE).unlink()


def remove(folder: Path) -> None:
    shutil.rmtree(folder)


def exchange(folder: Path) -> None:
    folder.rename(folder.with_name("away"))
    shutil.copytree(folder.with_name("backup"), folder)


def move_backup(folder: Path) -> None:
    shutil.copy(folder.with_name("backup") / DATABASE, folder / "new")
    (folder / "new").replace(folder / DATABASE)


def copy_backup(folder: Path) -> None:
    shutil.copyfile(folder.with_name("backup") / DATABASE, folder / DATABASE)


def clean_copy(folder: Path) -> None:
    """Restore a backup as scripts do, deleting the logs first."""
    for ending in ("-wal", "-shm"):
        (folder / f"{DATABASE}{ending}").unlink()
    copy_backup(folder)


def unlink_log(folder: Path) -> None:
    (folder / f"{DATABASE}-wal").unlink()


HARMS = (unlink, remove, exchange, move_backup, copy_backup, clean_copy, unlink_log)


@pytest.mark.parametrize("harm", HARMS)
def test_nothing_is_acknowledged_after_the_workspace_was_removed(
    harm: Callable[[Path], None], workspace: Path, client: Client
) -> None:
    assert client.track("before").status_code == 200
    harm(workspace)
    for answer in (client.track("after"), client.geofences(), client.make(), client.anonymous()):
        assert answer.status_code == 503
        assert str(workspace / DATABASE) in answer.json()["meta"]["message"]
    assert client.track("later").status_code == 503


def devices(folder: Path) -> set[str]:
    with Engine.open(folder) as engine:
        page = engine.users.page(Environment.TEST, UserQuery())
    return {str(user.device_id) for user in page.items}


def sound(file: Path) -> bool:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("harm", [exchange, move_backup, copy_backup, clean_copy])
@pytest.mark.parametrize("end", ["stopped", "killed"])
def test_a_backup_is_unchanged_whenever_it_is_restored(
    harm: Callable[[Path], None], end: str, workspace: Path, client: Client, server: Serving
) -> None:
    for number in range(20):
        client.track(f"before {number}")
    harm(workspace)
    assert client.track("after").status_code == 503
    if end == "stopped":
        server.stop()
    else:
        _wait_until_reported(server)
        server.process.kill()
        server.process.wait()
    assert devices(workspace) == set()
    assert sound(workspace / DATABASE)


def _wait_until_reported(server: Serving) -> None:
    assert server.process.stderr is not None
    for line in server.process.stderr:
        if "cannot be used" in line:
            return


def test_the_log_that_is_deleted_loses_nothing_that_was_acknowledged(
    workspace: Path, client: Client, server: Serving
) -> None:
    for number in range(20):
        assert client.track(f"{number}").status_code == 200
    unlink_log(workspace)
    assert client.track("after").status_code == 503
    server.stop()
    assert devices(workspace) == {str(number) for number in range(20)}


def test_a_workspace_that_is_put_back_works_again(workspace: Path, client: Client) -> None:
    assert client.make().status_code == 200
    workspace.rename(workspace.with_name("away"))
    assert client.track("gone").status_code == 503
    workspace.with_name("away").rename(workspace)
    assert client.track("back").status_code == 200
    assert len(client.geofences().json()["geofences"]) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the descriptors of a process are in no folder")
def test_a_deleted_database_can_be_copied_until_the_process_ends(
    workspace: Path, client: Client, server: Serving, tmp_path: Path
) -> None:
    for number in range(20):
        assert client.track(f"{number}").status_code == 200
    remove(workspace)
    assert server.process.stderr is not None
    named = next(line for line in server.process.stderr if "/proc/" in line)
    held = next(word for word in named.split() if word.startswith("/proc/"))
    (tmp_path / "rescued").mkdir()
    shutil.copyfile(held, tmp_path / "rescued" / DATABASE)
    assert devices(tmp_path / "rescued") == {str(number) for number in range(20)}


def test_a_lock_that_is_deleted_is_made_again(workspace: Path, client: Client, tmp_path: Path) -> None:
    (workspace / "lock").unlink()
    eventually(lambda: (workspace / "lock").exists())
    second = Program(tmp_path / "other").run("serve", "--workspace", workspace, "--port", 0)
    assert second.code != 0
    assert "open in another process" in second.err
    assert client.track("one").status_code == 200


def test_the_first_server_refuses_when_a_second_has_its_workspace(workspace: Path, client: Client) -> None:
    (workspace / "lock").unlink()
    with Engine.open(workspace):
        eventually(lambda: client.track("one").status_code == 503)
        eventually(lambda: "another process" in client.track("two").json()["meta"]["message"])


def test_touching_and_reading_the_database_changes_nothing(workspace: Path, client: Client, tmp_path: Path) -> None:
    assert client.track("one").status_code == 200
    os.utime(workspace / DATABASE)
    with closing(sqlite3.connect(workspace / DATABASE)) as connection:
        connection.execute("VACUUM INTO ?", [str(tmp_path / "other.db")])
    assert client.track("two").status_code == 200


def test_a_workspace_and_a_database_behind_links_are_used_and_watched(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / "folder").mkdir()
    (tmp_path / "link").symlink_to("disk/folder")
    (tmp_path / "disk" / "folder" / DATABASE).symlink_to("../data.db")
    program = Program(tmp_path / "home")
    for device in ("first", "second"):
        with program.serve(tmp_path / "link") as server:
            client = Client(server)
            assert client.track(device).status_code == 200
            assert client.track(device + " too").status_code == 200
            (tmp_path / "disk" / "data.db-wal").rename(tmp_path / "disk" / "aside")
            assert client.track("lost").status_code == 503
            (tmp_path / "disk" / "aside").rename(tmp_path / "disk" / "data.db-wal")
            assert client.track(device + " again").status_code == 200
            client.close()
            assert server.stop().code == 0
    assert {each.name for each in (tmp_path / "disk").iterdir()} == {"folder", "data.db"}
    with Engine.open(tmp_path / "link") as engine:
        assert len(engine.users.page(Environment.TEST, UserQuery()).items) == 6
