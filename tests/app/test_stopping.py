"""Stops, which take five seconds at most during any kind of work and leave nothing half done."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import httpx
import pytest

from app.session import WorkspaceSession
from app.stopping import LATE
from engine.domain.environment import Environment
from engine.domain.imports import ImportFile
from tests.app.program import ROOT, TIMEOUT_S, Command, Program, Serving

WITHIN_S: Final = 5.0
SLOWER_S: Final = 3.0
"""Tolerance for the end of a process on a busy machine, in seconds."""

ROWS: Final = 20_000
HEADER: Final = "description,type,tag,externalId,coordinates,radius\n"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of many geofences in one place."""
    file = tmp_path_factory.mktemp("stopping") / "table.csv"
    rows = (f'Shop,circle,store,e{number},"[14.3577,45.7722]",150\n' for number in range(ROWS))
    file.write_text(HEADER + "".join(rows), encoding="utf-8")
    return file


def stopped(server: Serving, number: signal.Signals) -> str:
    """Stop a server, check that it ends in time, and return its messages."""
    began = time.monotonic()
    ended = server.stop(number)
    assert time.monotonic() - began <= WITHIN_S + SLOWER_S
    assert ended.code == 0
    return ended.err


def stored(workspace: Path) -> int:
    """Return the number of geofences after the workspace is reopened."""
    with WorkspaceSession(workspace) as session:
        return len(session.engine.geofences.all(Environment.TEST))


@contextmanager
def under_way(program: Program, *arguments: object) -> Iterator[Command]:
    """Run a command during the block, which begins once the server has received its request."""
    with program.start(*arguments) as process:
        time.sleep(2)
        yield process
        process.kill()
        process.communicate()


@pytest.mark.second_try("measures that the process ends within five seconds")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_import_is_cut_off_whole(program: Program, table: Path, tmp_path: Path, number: signal.Signals) -> None:
    workspace = tmp_path / "w"
    with program.serve(workspace) as server, under_way(program, "import", table, "--workspace", workspace) as command:
        stopped(server, number)
        command.kill()
    assert stored(workspace) in (0, ROWS)


@pytest.fixture
def filled(program: Program, table: Path, tmp_path: Path) -> Iterator[tuple[Path, Serving]]:
    """Serve a workspace with these geofences."""
    workspace = tmp_path / "w"
    with WorkspaceSession(workspace) as session:
        session.engine.imports.run(Environment.TEST, ImportFile(table.read_bytes(), "table.csv"))
    with program.serve(workspace) as server:
        yield workspace, server


@pytest.mark.second_try("measures that the process ends within five seconds")
def test_an_undo_and_a_promotion_are_cut_off_whole(program: Program, filled: tuple[Path, Serving]) -> None:
    workspace, server = filled
    headers = {"Authorization": server.key()}
    found = httpx.get(server.url + "/v1/imports", headers=headers).json()["imports"][0]["_id"]
    undo = ["curl", "-s", "-X", "POST", "-H", f"Authorization: {server.key()}", f"{server.url}/v1/imports/{found}/undo"]
    with (
        subprocess.Popen(undo, stdout=subprocess.DEVNULL) as undoing,
        under_way(program, "promote", "--workspace", workspace, "--yes") as promoting,
    ):
        stopped(server, signal.SIGTERM)
        for process in (undoing, promoting):
            process.kill()
    assert stored(workspace) in (0, ROWS)
    with WorkspaceSession(workspace) as session:
        assert len(session.engine.geofences.all(Environment.LIVE)) in (0, ROWS)


STUCK: Final = """
import sys, threading
from app.stopping import Deadline
with Deadline(lambda: 7, within_s={within}) as deadline:
    deadline.before_end(lambda: print("last", flush=True))
    deadline.begin()
    threading.Event().wait({wait})
"""


@pytest.mark.parametrize(("wait", "within", "code", "out", "err"), [("", 0.2, 7, "last\n", LATE), ("0", 60, 0, "", "")])
def test_a_process_that_does_not_end_is_ended(wait: str, within: float, code: int, out: str, err: str) -> None:
    script = STUCK.format(wait=wait, within=within)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, out, err)


NO_MORE_THREADS = """
import threading
from app import stopping

class Thread(threading.Thread):
    def start(self):
        if self.name == "fencewright-stop":
            raise RuntimeError("can't create new thread at interpreter shutdown")
        super().start()

stopping.Thread = Thread
"""


def test_a_stop_while_python_exits_is_quiet_and_still_limited() -> None:
    script = NO_MORE_THREADS + STUCK.format(wait="", within=0.2)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (7, "last\n", LATE)


LEFT_A_THREAD = """
import os, signal, sys
from threading import Event, Thread
import app.cli.keys
from app.main import main

def keys(arguments):
    Thread(target=Event().wait).start()
    os.kill(os.getpid(), int(sys.argv[-1]))

app.cli.keys.keys = keys
sys.exit(main())
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_thread_that_a_signal_made_a_command_forget_does_not_keep_it(number: signal.Signals) -> None:
    arguments = [sys.executable, "-c", LEFT_A_THREAD, "keys", "--workspace", str(int(number))]
    ended = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert ended.returncode == 128 + number
    assert ended.stderr == "fencewright: stopped\n"


WRITES = """
import os, signal, sys
import app.cli.keys
from app.main import main

def keys(arguments):
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), int(sys.argv[-1])))
    signal.alarm(1)
    sys.stdout.write("x" * 100)
    sys.stdout.flush()

app.cli.keys.keys = keys
sys.exit(main())
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_pipe_that_is_not_read_does_not_keep_a_command(number: signal.Signals) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writer, bytes(4096))
    os.set_blocking(writer, True)
    arguments = [sys.executable, "-c", WRITES, "keys", "--workspace", str(int(number))]
    with os.fdopen(writer, "wb") as out, os.fdopen(reader, "rb"):
        ended = subprocess.run(
            arguments,
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": ""},
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (128 + number, "fencewright: stopped\n")
