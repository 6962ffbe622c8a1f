"""The workspace of a command without ``--workspace``: the one that is open, else the one opened last."""

import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from app.open_workspaces import list_workspace, open_workspaces
from app.session import WorkspaceSession
from app.settings import default_workspace, load_settings, settings_file
from tests.app.commands import Commands, written
from tests.app.program import ROOT, Program

FENCES = "tag,externalId,description,type,latitude,longitude,radius\nstore,1,A shop,circle,47.14,9.52,100\n"


@pytest.fixture
def fences(tmp_path: Path) -> Path:
    return written(tmp_path / "fences.csv", FENCES)


def served(stack: ExitStack, folder: Path | str) -> WorkspaceSession:
    """Open a workspace as a server does until the end of the block."""
    session = stack.enter_context(WorkspaceSession(folder, port=0, listed=True))
    session.start_endpoint()
    return session


def test_commands_use_the_served_workspace(fencewright: Commands, tmp_path: Path) -> None:
    fencewright("keys", "--workspace", tmp_path / "other")
    with fencewright.serve(tmp_path / "my-project", "--tls") as server:
        fencewright("keys", "--workspace", tmp_path / "other")
        certificate = fencewright("certificate", "--json")
        assert certificate.json["file"] == server.ready["certificate"]
        line = f"fencewright: using the workspace {tmp_path / 'my-project'}, which is open at {server.url}\n"
        assert certificate.err == line
        created = fencewright("webhooks", "create", "https://example.com/hook", "--json")
        assert created.err == line
        listed = fencewright("webhooks", "list", "--workspace", tmp_path / "my-project", "--json").json
        assert [each["_id"] for each in listed["webhooks"]] == [created.json["webhook"]["_id"]]
        server.stop()
    with fencewright.serve() as again:
        line = next(line for line in again.startup_lines if "its keys are in" in line)
    assert line.startswith(f"fencewright: workspace {tmp_path / 'my-project'}; "), "a server takes the last one, too"
    ended = fencewright("keys", "--json")
    assert ended.err == f"fencewright: using the workspace {tmp_path / 'my-project'}, which was opened last\n"
    assert ended.json == server.ready["keys"]


def test_several_open_workspaces_are_listed(fencewright: Commands, tmp_path: Path, fences: Path) -> None:
    folders = tmp_path / "a", tmp_path / "b c"
    with ExitStack() as stack:
        first, second = (served(stack, folder) for folder in folders)
        ended = fencewright("import", fences, "--json")
        assert ended.code == 1
        assert ended.out == ""
        assert ended.err == (
            f"fencewright: Several workspaces are open: {folders[0]} ({first.url}), '{folders[1]}' ({second.url}). "
            "Choose one with --workspace.\n"
        )
        assert fencewright("import", fences, "--workspace", folders[1]).err == ""
        second.close()
        assert f"using the workspace {folders[0]}, which is open" in fencewright("import", fences).err
        assert fencewright("import", fences).out.startswith("1 row: 0 created, 0 updated, 1 unchanged")


def test_a_temporary_workspace_that_is_served_is_the_default_but_not_remembered(
    fencewright: Commands, tmp_path: Path
) -> None:
    fencewright("settings", "--workspace", tmp_path / "kept")
    with ExitStack() as stack:
        session = served(stack, ":memory:")
        folder = session.engine.workspace.folder
        assert open_workspaces()[0].temporary
        assert f"using the workspace {folder}, which is open" in fencewright("settings").err
        fencewright("settings", "--workspace", folder)
    assert load_settings().recent == (tmp_path / "kept",)


def test_the_server_of_another_program_is_no_default(program: Program, fencewright: Commands, tmp_path: Path) -> None:
    fencewright("settings", "--workspace", tmp_path / "mine")
    command = [sys.executable, "-m", "app.main", "serve", "--workspace", ":memory:", "--port", "0", "--stop-on-eof"]
    with subprocess.Popen(
        command, cwd=ROOT, env=dict(program.environment), stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            next(line for line in process.stderr if "its keys are in" in line)
            assert f"using the workspace {tmp_path / 'mine'}, which was opened last" in fencewright("settings").err
        finally:
            process.kill()


@pytest.mark.parametrize("command", ["import", "settings", "events", "keys", "certificate"])
def test_every_command_records_its_workspace(fencewright: Commands, tmp_path: Path, fences: Path, command: str) -> None:
    fencewright("import", fences, "--workspace", tmp_path / "b")
    fencewright("import", fences, "--workspace", tmp_path / "a")
    file = [fences] if command == "import" else []
    assert fencewright(command, *file, "--workspace", tmp_path / "b").code == 0
    shown = fencewright("settings", "--json")
    assert shown.err == f"fencewright: using the workspace {tmp_path / 'b'}, which was opened last\n"
    assert "bufferEntries" in shown.json


def test_the_first_command_names_the_default(fencewright: Commands, fences: Path) -> None:
    assert fencewright("import", fences).err == f"fencewright: using the workspace {default_workspace()}, the default\n"


def test_a_command_on_nothing_does_not_name_a_default(fencewright: Commands, tmp_path: Path) -> None:
    ended = fencewright("events", "--workspace", tmp_path / "none")
    assert ended.err == (f"fencewright: There is no workspace in {tmp_path / 'none'}.\n")
    assert fencewright("events").err == (
        f"fencewright: There is no workspace in {default_workspace()}, the default. Choose one with --workspace.\n"
    )
    assert not settings_file().exists()


@pytest.mark.parametrize("exists", [False, True])
def test_a_dry_run_creates_nothing(fencewright: Commands, tmp_path: Path, fences: Path, *, exists: bool) -> None:
    folder = tmp_path / "new"
    if exists:
        folder.mkdir()
    ended = fencewright("import", fences, "--dry-run", "--workspace", folder)
    assert ended.out == "1 row: 1 created, 0 updated, 0 failed (dry run: nothing was stored)\n"
    assert ended.err == (
        f"fencewright: there is no workspace in {folder}, and a dry run creates none: "
        "an empty workspace is used instead\n"
    )
    assert folder.exists() == exists
    assert not (exists and any(folder.iterdir()))
    fencewright("import", fences, "--dry-run", "--json")
    assert not default_workspace().exists()
    assert not settings_file().exists()


def test_a_dry_run_compares_with_an_existing_workspace(fencewright: Commands, tmp_path: Path, fences: Path) -> None:
    fencewright("import", fences, "--workspace", tmp_path / "w")
    ended = fencewright("import", fences, "--dry-run")
    assert ended.out.startswith("1 row: 0 created, 0 updated, 1 unchanged")
    assert ended.err == f"fencewright: using the workspace {tmp_path / 'w'}, which was opened last\n"


def test_a_folder_that_became_no_workspace_is_no_default(fencewright: Commands, tmp_path: Path, fences: Path) -> None:
    fencewright("import", fences, "--workspace", tmp_path / "w")
    (tmp_path / "file").touch()
    (tmp_path / "foreign").mkdir()
    with closing(sqlite3.connect(tmp_path / "foreign" / "fencewright.db")) as foreign:
        foreign.execute("CREATE TABLE bookmarks (url)")
    for folder in (tmp_path / "file" / "w", tmp_path / "foreign"):
        assert fencewright("import", fences, "--workspace", folder).code == 1
    assert f"using the workspace {tmp_path / 'w'}, " in fencewright("settings").err


def test_a_workspace_that_a_killed_server_left_is_not_open(own_home: Path, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir()
    for name in ("closed", "deleted"):
        list_workspace(tmp_path / name)
    assert open_workspaces() == ()
    assert len(list((settings_file().parent / "open").iterdir())) == 1, "the entry of a deleted folder is removed"


def test_an_entry_that_cannot_be_read_hides_no_other(own_home: Path, tmp_path: Path) -> None:
    with WorkspaceSession(tmp_path / "w", listed=True):
        for name in ("0" * 32, "f" * 32):
            (settings_file().parent / "open" / name).mkdir()
        assert [each.folder for each in open_workspaces()] == [tmp_path / "w"]


def test_a_workspace_is_listed_once_by_whichever_link_it_was_opened(own_home: Path, tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "link").symlink_to("w")
    list_workspace(tmp_path / "link")
    with WorkspaceSession(tmp_path / "w", listed=True):
        assert [each.folder for each in open_workspaces()] == [tmp_path / "w"]
    assert not list((settings_file().parent / "open").iterdir())


def test_a_short_command_does_not_make_its_workspace_the_open_one(own_home: Path, tmp_path: Path) -> None:
    list_workspace(tmp_path)
    with WorkspaceSession(tmp_path, brief=True):
        assert open_workspaces() == ()
    with WorkspaceSession(tmp_path, reachable=False):
        assert [each.folder for each in open_workspaces()] == [tmp_path], "it is about to become reachable"


def test_without_write_access_a_workspace_opens_all_the_same(own_home: Path, tmp_path: Path) -> None:
    settings_file().parent.parent.mkdir(parents=True)
    settings_file().parent.touch()
    with WorkspaceSession(tmp_path / "w", listed=True):
        assert open_workspaces() == ()
