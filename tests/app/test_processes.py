"""The program in real processes: signals, pipes, and two commands on one workspace."""

import os
import resource
import signal
import socket
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import orjson
import pytest

from app.api.commands.workspace import rotate_key
from app.cli.workspaces import ReachedWorkspace, reach_workspace
from app.remote import RemoteWorkspace
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import FencewrightError, WorkspaceError
from engine.store.workspace import read_endpoint
from tests.app.commands import Commands, written
from tests.app.program import ROOT, TIMEOUT_S, Program, Serving

pytestmark = pytest.mark.slow

HEADER = "description,type,tag,externalId,coordinates,radius\n"
CIRCLE = 'Shop,circle,store,{},"[14.3577,45.7722]",150\n'
TRACK = "time,lat,lon\n2026-05-01T08:00:00Z,45.7722,14.3577\n2026-05-01T09:00:00Z,45.8722,14.3577\n"


def get(server: Serving, path: str, level: str = "secret") -> httpx.Response:
    headers = {"Authorization": server.key(level=level)}
    return httpx.get(server.url + path, headers=headers, trust_env=False)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_listens_and_ends_cleanly(program: Program, tmp_path: Path, number: signal.Signals) -> None:
    with program.serve(tmp_path / "new" / "workspace") as server:
        assert set(server.ready) == {"url", "pid", "workspace", "keys"}
        assert server.ready["workspace"] == str(tmp_path / "new" / "workspace")
        assert server.ready["pid"] == server.process.pid
        assert stat.S_IMODE(server.ready_file.stat().st_mode) == 0o600
        assert get(server, "/v1/users").json()["users"] == []
        with httpx.Client(trust_env=False) as idle:
            idle.get(server.url + "/v1/config")  # a client that keeps its connection does not delay the end
            ended = server.stop(number)
    assert (ended.code, ended.out) == (0, "")
    assert f"listening on {server.url}" in ended.err
    assert "keys.json" in ended.err
    assert server.key() not in ended.err
    assert not server.ready_file.exists()
    assert read_endpoint(tmp_path / "new" / "workspace") is None


def test_a_server_that_is_stopped_while_it_is_suspended_ends_when_it_goes_on(program: Program, tmp_path: Path) -> None:
    """The shell's `kill %1` does this with a job that was suspended by Ctrl-Z."""
    with program.serve(tmp_path / "w") as server:
        assert get(server, "/v1/users").status_code == 200
        stop_for_now(server.process)
        server.process.send_signal(signal.SIGTERM)
        ended = server.stop(signal.SIGCONT)
    assert (ended.code, ended.out) == (0, "")


def test_a_temporary_workspace_can_be_served(program: Program, fencewright: Commands, tmp_path: Path) -> None:
    table = written(tmp_path / "f.csv", HEADER + CIRCLE.format("1"))
    with program.serve(":memory:") as server:
        folder = Path(server.startup_lines[-1].partition("workspace ")[2].partition(";")[0])
        assert folder.is_dir()
        assert server.ready["workspace"] == str(folder)
        assert fencewright("import", table, "--workspace", server.ready["workspace"], "--json").json["created"] == 1
        assert len(get(server, "/v1/geofences").json()["geofences"]) == 1
        assert server.stop().code == 0
    assert not folder.exists()


def test_without_a_workspace_the_default_one_is_served(program: Program) -> None:
    with program.start("serve", "--port", 0) as process:
        assert process.stderr is not None
        lines = [process.stderr.readline(), process.stderr.readline()]
        process.terminate()
        process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0
    assert str(program.home / "data" / "fencewright") in lines[1]


def test_a_taken_port_is_reported(fencewright: Commands, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        options = ("--port", port, "--ready-file", tmp_path / "ready.json")
        ended = fencewright("serve", "--workspace", tmp_path / "w", *options)
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    assert f"Port {port}" in ended.err
    assert not (tmp_path / "ready.json").exists()


def test_a_ready_file_that_cannot_be_written_is_reported(fencewright: Commands, tmp_path: Path) -> None:
    options = ("--port", 0, "--ready-file", tmp_path / "none" / "ready.json")
    ended = fencewright("serve", "--workspace", tmp_path / "w", *options)
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "ready.json cannot be written" in ended.err


def test_a_second_server_names_the_first(program: Program, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    with program.serve(workspace) as server:
        ended = program.run("serve", "--workspace", workspace, "--port", 0)
        assert (ended.code, ended.err.count("\n")) == (1, 1)
        assert f"{server.process.pid}" in ended.err
        assert server.url in ended.err
        assert get(server, "/v1/users").status_code == 200


def test_other_commands_go_through_the_server(program: Program, fencewright: Commands, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    table = written(tmp_path / "f.csv", HEADER + CIRCLE.format("1"))
    track = written(tmp_path / "t.csv", TRACK)
    with program.serve(workspace) as server:
        assert fencewright("import", table, "--workspace", workspace, "--json").json["created"] == 1
        assert len(get(server, "/v1/geofences").json()["geofences"]) == 1
        exported = fencewright("export", "--workspace", workspace, "--output", tmp_path / "out.kml")
        assert (exported.code, "Placemark" in (tmp_path / "out.kml").read_text()) == (0, True)
        (imported,) = fencewright("imports", "--workspace", workspace, "--json").json
        assert imported == get(server, "/v1/imports").json()["imports"][0]
        simulated = fencewright(
            *("simulate", track, "--workspace", workspace, "--device", "d", "--accuracy", 5, "--json")
        )
        served = get(server, "/v1/events").json()["events"]
        assert simulated.events == served[::-1]
        assert [event["type"] for event in served] == ["user.exited_geofence", "user.entered_geofence"]
        keys = fencewright("keys", "--workspace", workspace, "--json", "--rotate", "test-secret").json
        assert get(server, "/v1/users").status_code == 401
        assert keys["test"]["publishable"] == server.key(level="publishable")
        assert server.stop().code == 0
    assert fencewright("import", table, "--workspace", workspace, "--json").json["unchanged"] == 1


def test_a_killed_server_leaves_a_workspace_that_opens(program: Program, fencewright: Commands, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    table = written(tmp_path / "f.csv", HEADER + CIRCLE.format("1"))
    with program.serve(workspace) as server:
        fencewright("import", table, "--workspace", workspace)
        server.process.kill()
        server.process.communicate(timeout=TIMEOUT_S)
    assert (workspace / "endpoint.json").exists()
    assert read_endpoint(workspace) is None
    assert fencewright("keys", "--workspace", workspace, "--json").json["test"]["secret"] == server.key()
    assert fencewright("import", table, "--workspace", workspace, "--json").json["unchanged"] == 1
    with program.serve(workspace) as server:
        assert len(get(server, "/v1/geofences").json()["geofences"]) == 1
        assert server.ready["pid"] == server.process.pid


def test_commands_at_once_on_a_closed_workspace_all_succeed(program: Program, tmp_path: Path) -> None:
    tables = [written(tmp_path / f"{n}.csv", HEADER + CIRCLE.format(n)) for n in range(4)]
    with ThreadPoolExecutor() as pool:
        ended = list(
            pool.map(lambda table: program.run("import", table, "--workspace", tmp_path / "w", "--json"), tables)
        )
    assert [(each.code, each.err) for each in ended] == [(0, "")] * 4
    assert [each.json["created"] for each in ended] == [1] * 4


def test_a_reader_that_leaves_ends_the_simulation_quietly(
    program: Program, fencewright: Commands, tmp_path: Path
) -> None:
    table = written(tmp_path / "f.csv", HEADER + "".join(CIRCLE.format(n) for n in range(200)))
    fencewright("import", table, "--workspace", tmp_path / "w")
    track = written(tmp_path / "t.csv", TRACK)
    options = ("--workspace", tmp_path / "w", "--device", "d", "--accuracy", 5, "--json")
    with program.start("simulate", track, *options) as process:
        assert process.stdout is not None
        assert orjson.loads(process.stdout.readline())["type"] == "user.entered_geofence"
        process.stdout.close()
        assert process.stderr is not None
        errors = process.stderr.read()
        code = process.wait(TIMEOUT_S)
    assert "Traceback" not in errors
    assert "Exception" not in errors
    # It may have written everything before it noticed the closed pipe.
    assert code in (0, 1)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_simulation_in_recorded_time_can_be_stopped(
    program: Program, fencewright: Commands, tmp_path: Path, number: signal.Signals
) -> None:
    workspace = tmp_path / "w"
    fencewright("import", written(tmp_path / "f.csv", HEADER + CIRCLE.format("1")), "--workspace", workspace)
    track = written(tmp_path / "t.csv", TRACK)
    options = ("--workspace", workspace, "--device", "d", "--accuracy", 5, "--speed", 1)
    with program.start("simulate", track, *options) as process:
        assert process.stdout is not None
        assert "entered" in process.stdout.readline()  # the next fix is an hour away
        assert fencewright("keys", "--workspace", workspace, "--rotate", "all").code == 0
        process.send_signal(number)
        _, errors = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 128 + number
    assert errors == "fencewright: 1 of 2 fixes sent, 1 event\n"
    assert read_endpoint(workspace) is None


def test_a_track_that_would_end_the_program_is_refused(program: Program, tmp_path: Path) -> None:
    track = written(tmp_path / "deep.gpx", f"<gpx><trk>{'<a>' * 200_000}{'</a>' * 200_000}</trk></gpx>")
    ended = program.run("simulate", track, "--workspace", tmp_path / "w", "--device", "phone", "--accuracy", 5)
    words = "fencewright: deep.gpx: line 1: it is nested more than 100 levels deep.\n"
    assert (ended.code, ended.out, ended.err) == (1, "", words)


def test_a_signal_during_the_start_ends_cleanly_too(program: Program, tmp_path: Path) -> None:
    with program.start("serve", "--workspace", tmp_path / "w", "--port", 0) as process:
        process.terminate()
        _, errors = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode in (0, -signal.SIGTERM)
    assert "Traceback" not in errors


INTERRUPTED_WHILE_LOADING = """
import os, signal, sys
module = sys.argv.pop(1)
class Interrupting:
    def find_spec(self, name, *_):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
from app.main import main
sys.exit(main())
"""


@pytest.mark.parametrize("module", ["app.cli", "app.cli.terminal.signals", "app.cli.keys"])
def test_an_interrupt_while_the_program_is_loaded_is_no_error(module: str, tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", INTERRUPTED_WHILE_LOADING, module, "keys", "--workspace", str(tmp_path)]
    ended = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr in {"", "fencewright: stopped\n"}


def test_windows_are_not_loaded_by_commands(program: Program, tmp_path: Path) -> None:
    """The headless commands must work without Qt's libraries."""
    hidden = tmp_path / "hidden" / "PySide6"
    hidden.mkdir(parents=True)
    written(hidden / "__init__.py", "raise ImportError('libEGL.so.1: cannot open shared object file')\n")
    path = os.pathsep.join([str(hidden.parent), os.environ.get("PYTHONPATH", "")])
    program.environment = {**program.environment, "PYTHONPATH": path}
    workspace = tmp_path / "w"
    table = written(tmp_path / "f.csv", HEADER + CIRCLE.format("1"))
    track = written(tmp_path / "t.csv", TRACK)
    with program.serve(workspace) as server:
        assert server.stop().code == 0
    commands: list[tuple[Any, ...]] = [
        ("import", table),
        ("keys",),
        ("simulate", track, "--device", "d", "--accuracy", 5),
        ("area", "list"),
        ("settings",),
        ("explain", "--device", "d"),
        ("replay", "--device", "d"),
        ("clear", "--yes"),
    ]
    lines = [[*map(str, command), "--workspace", str(workspace)] for command in commands]
    ended = subprocess.run(
        [sys.executable, "-c", _ONE_AFTER_ANOTHER, orjson.dumps(lines)],
        env=dict(program.environment),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert (ended.returncode, ended.stderr.splitlines()[-1:]) == (0, [str([0] * len(commands))]), ended.stderr


_ONE_AFTER_ANOTHER = """
import json, sys
from app import main

def one(arguments):
    sys.argv[1:] = arguments
    return main.main()

print([one(arguments) for arguments in json.loads(sys.argv[1])], file=sys.stderr)
"""
"""A script that runs several commands in one process, each through the program's own entry point."""


def test_the_version_and_the_help(program: Program) -> None:
    assert program.run("--version").out.startswith("fencewright ")
    shown = program.run("--help").out
    commands = (
        "area",
        "serve",
        "keys",
        "import",
        "simulate",
        "settings",
        "explain",
        "replay",
        "clear",
        "export",
        "demo",
    )
    assert all(command in shown for command in commands)


def test_progress_stays_out_of_pipes(program: Program, tmp_path: Path) -> None:
    table = written(tmp_path / "f.csv", HEADER + "".join(CIRCLE.format(n) for n in range(1000)))
    ended = program.run("import", table, "--workspace", tmp_path / "w")
    assert (ended.out, ended.err) == ("1,000 rows: 1,000 created, 0 updated, 0 failed\n", "")


def test_an_import_that_is_stopped_keeps_nothing(program: Program, fencewright: Commands, tmp_path: Path) -> None:
    table = written(tmp_path / "f.csv", HEADER + "".join(CIRCLE.format(n) for n in range(20_000)))
    with program.start("import", table, "--workspace", tmp_path / "w") as process:
        _wait_for_lock(tmp_path / "w")
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=TIMEOUT_S)
    assert "Traceback" not in errors
    again = fencewright("import", table, "--workspace", tmp_path / "w", "--dry-run", "--json").json
    if process.returncode == 130:
        assert (out, errors) == ("", "fencewright: stopped; nothing was imported\n")
        assert again["created"] == 20_000
    else:  # it was past the point at which it can be stopped
        assert process.returncode == 0
        assert again["unchanged"] == 20_000


def _wait_for_lock(workspace: Path) -> None:
    """Wait until another process has opened the workspace."""
    subprocess.run(
        ["sh", "-c", 'until [ -e "$0/endpoint.json" ]; do :; done', str(workspace)], check=True, timeout=TIMEOUT_S
    )


NO_ROOM = "fencewright: The keys could not be saved: File too large. They have not changed.\n"
"""The error if a file may not grow: writing fails in the middle of the keys, as on a full disk."""


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_without_room_for_the_keys_the_server_and_the_commands_report_it(
    program: Program, fencewright: Commands, tmp_path: Path
) -> None:
    workspace = tmp_path / "w"
    with program.serve(workspace) as server:
        before = files_of(workspace)
        unlimited = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
        endpoint = read_endpoint(workspace)
        assert endpoint is not None
        with pytest.raises(FencewrightError, match="The keys could not be saved"):
            RemoteWorkspace(workspace, endpoint).run(rotate_key, KeyLevel.SECRET)
        rotated = fencewright("keys", "--workspace", workspace, "--rotate", "test-secret")
        assert (rotated.code, rotated.out, rotated.err) == (1, "", NO_ROOM)
        assert files_of(workspace) == before
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)
        assert httpx.get(f"{server.url}/v1/users", headers={"Authorization": server.key()}).status_code == 200
        assert fencewright("keys", "--workspace", workspace, "--rotate", "test-secret").code == 0
        ended = server.stop()
    assert (ended.code, "Traceback" in ended.err) == (0, False)


def test_without_room_for_the_keys_a_command_alone_reports_it(
    program: Program, fencewright: Commands, tmp_path: Path
) -> None:
    workspace = tmp_path / "w"
    assert fencewright("keys", "--workspace", workspace).code == 0
    before = files_of(workspace)
    rotate = ("keys", "--workspace", str(workspace), "--rotate", "live-secret")
    command = [sys.executable, "-B", "-m", "app.main", *rotate]
    ended = subprocess.run(
        ["bash", "-c", 'ulimit -f 0; exec "$@"', "bash", *command],
        env=dict(program.environment),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", NO_ROOM)
    assert files_of(workspace) == before


def test_without_room_for_new_keys_a_workspace_is_not_made(program: Program, tmp_path: Path) -> None:
    command = [sys.executable, "-B", "-m", "app.main", "keys", "--workspace", str(tmp_path / "w")]
    ended = subprocess.run(
        ["bash", "-c", 'ulimit -f 0; exec "$@"', "bash", *command],
        env=dict(program.environment),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == f"fencewright: The workspace {tmp_path / 'w'} cannot be opened: File too large.\n"
    assert [path.name for path in (tmp_path / "w").iterdir() if path.stat().st_size] == []
    assert not list((tmp_path / "w").glob(".keys*"))


WEBHOOK = {"name": "orders", "url": "http://127.0.0.1:9/hook"}


def waits_to_be_read(folder: Path) -> bool:
    """Return whether the process that has a workspace open has received bytes that it has not read."""
    endpoint = read_endpoint(folder)
    assert endpoint is not None
    port = f"{httpx.URL(endpoint.control_url).port:04X}"
    # Connections as listed by Linux: number, local address, remote address, state, sizes of both queues, …
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any(row[1].endswith(f":{port}") and int(row[4].partition(":")[2], 16) > 0 for row in rows if row[3] == "01")


def stop_for_now(process: subprocess.Popen[str]) -> None:
    """Suspend a child of this process, and return once all its threads are stopped."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)


def webhooks(workspace: ReachedWorkspace) -> list[str]:
    found = workspace.ask_v1("GET", "/v1/webhooks", Environment.TEST)["webhooks"]
    return [each["url"] for each in found]


def test_a_request_is_sent_once_to_a_process_that_is_slow(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with program.serve(tmp_path / "w") as server:
        with monkeypatch.context() as impatient:
            impatient.setattr("app.remote._ANSWER_WITHIN_S", 3.0)
            with reach_workspace(tmp_path / "w") as workspace:
                stop_for_now(server.process)
                with pytest.raises(WorkspaceError, match=r"within 3 s\. It may still do what was requested"):
                    workspace.ask_v1("POST", "/v1/webhooks", Environment.TEST, WEBHOOK)
                server.process.send_signal(signal.SIGCONT)
        with reach_workspace(tmp_path / "w") as workspace:
            assert webhooks(workspace) in ([], [WEBHOOK["url"]]), "it may have been done, but not twice"


@pytest.mark.parametrize(("method", "path"), [("POST", "/v1/webhooks"), ("GET", "/v1/webhooks")])
def test_only_idempotent_requests_are_repeated_when_the_process_ends(
    program: Program, tmp_path: Path, method: str, path: str
) -> None:
    with program.serve(tmp_path / "w") as server, reach_workspace(tmp_path / "w") as workspace:
        stop_for_now(server.process)
        with ThreadPoolExecutor() as pool:
            body = WEBHOOK if method == "POST" else None
            answer = pool.submit(workspace.ask_v1, method, path, Environment.TEST, body)
            while not waits_to_be_read(tmp_path / "w"):
                assert not answer.done()
                sleep(0.01)
            server.process.kill()
        if method == "GET":
            assert answer.result()["webhooks"] == []
        else:
            with pytest.raises(WorkspaceError, match=r"ended before it answered.*check that before you run"):
                answer.result()
            assert webhooks(workspace) == []
