"""Closing the window during its work, with its button and by signals."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from engine.domain.environment import Environment
from tests.app.program import ROOT, TIMEOUT_S, Program
from tests.app.stops.conftest import ROWS
from tests.app.stops.middle import SLOWER_S, WITHIN_S, counts, descendants, have_ended, let_go_on, stop_server
from tests.app.stops.test_server import AS_BEFORE, NONE, set_sync, stalling

CLOSED: Final = None
WAYS: Final = pytest.mark.parametrize("way", [CLOSED, signal.SIGTERM, signal.SIGINT], ids=["close", "term", "int"])

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.usefixtures("temporary")]


def close_amid(program: Program, workspace: Path, work: str, file: object, way: signal.Signals | None) -> None:
    """Close the window in the middle of its work, and check that it ends in time and cleanly."""
    command = [sys.executable, "-m", "tests.app.stops.working_window", str(workspace), work, str(file)]
    runtime = program.home / "runtime"
    runtime.mkdir(parents=True, mode=0o700)
    variables = {**program.environment, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(runtime)}
    process = subprocess.Popen(
        command if way is not CLOSED else [*command, "close"],
        cwd=ROOT,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "middle\n", process.communicate()
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        processes, began = descendants(process.pid), time.monotonic()
        let_go_on(process.pid)
        if way is not CLOSED:
            process.send_signal(way)
        output, errors = process.communicate(timeout=TIMEOUT_S)
        took = time.monotonic() - began
    finally:
        process.kill()
    assert process.returncode == 0, errors
    assert took <= WITHIN_S + SLOWER_S
    assert work == "sync" or "done" not in output
    assert "Traceback" not in errors
    assert have_ended(processes)


@WAYS
def test_an_import(program: Program, table: Path, tmp_path: Path, way: signal.Signals | None) -> None:
    close_amid(program, tmp_path / "w", "import_file", table, way)
    assert counts(tmp_path / "w") == NONE


@WAYS
def test_an_export(program: Program, filled: Path, tmp_path: Path, way: signal.Signals | None) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    close_amid(program, filled, "export", folder / "shops.kml", way)
    assert list(folder.iterdir()) == []
    assert counts(filled) == AS_BEFORE


@WAYS
def test_a_promotion(program: Program, filled: Path, way: signal.Signals | None) -> None:
    close_amid(program, filled, "promote", "-", way)
    assert counts(filled) == AS_BEFORE


@WAYS
def test_a_change_of_many(program: Program, filled: Path, way: signal.Signals | None) -> None:
    """A change may still finish within a moment; it is stored completely or not at all."""
    close_amid(program, filled, "change", "-", way)
    assert counts(filled)[Environment.TEST] in (0, ROWS)


@WAYS
def test_a_build_of_an_area(program: Program, town_file: Path, tmp_path: Path, way: signal.Signals | None) -> None:
    close_amid(program, tmp_path / "w", "build", town_file, way)
    assert [path.name for path in (tmp_path / "w" / "areas").iterdir() if path.name != ".lock"] == []


@WAYS
def test_a_sync(program: Program, table: Path, tmp_path: Path, way: signal.Signals | None) -> None:
    workspace = tmp_path / "w"
    few = b"".join(table.read_bytes().splitlines(keepends=True)[:11])
    with stalling(few) as (url, _):
        with program.serve(workspace) as server:
            set_sync(server.url, server.key(), f"{url}/second.csv")
            stop_server(server, signal.SIGTERM)
        close_amid(program, workspace, "sync", "-", way)
    assert counts(workspace) == NONE
