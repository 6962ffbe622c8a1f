"""Supervision of the build process for an area or the world pack: starting, following and ending it."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any, Final

import orjson

from engine.areas.folder import SOURCE, clear_up
from engine.areas.tools import BuildFailed
from engine.domain.area import Area
from engine.domain.errors import Conflict, FencewrightError, InvalidParameter
from engine.domain.ports import Progress
from engine.processes import module_command, search_path

TOTAL: Final = 100
"""Unit of progress: per cent."""

_KILL_TIMEOUT_S: Final = 2.0
"""Maximum time in seconds to wait for killed programs to release their memory and files."""

_MEMORY: Final = {
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_MMAP_THRESHOLD_": "131072",
    "MALLOC_TRIM_THRESHOLD_": "131072",
}
"""Settings that make the GNU C library return memory.

By default it keeps most of the memory of each build step, and each reader of the programs has an arena of its own,
which takes three times as much.
"""

_ERRORS: dict[str, type[InvalidParameter] | type[Conflict]] = {
    "InvalidParameter": InvalidParameter,
    "Conflict": Conflict,
}


def run_build(
    file: Path, areas: Path, name: str, *, source: str, progress: Progress, replace: bool = False, link: bool = False
) -> None:
    """Build an area in a separate process; an exception from `progress` ends it and removes the incomplete area.

    `source` is the name of the extract. `link` uses the file without copying it, so it must not be written to
    afterwards. Raises the errors of `engine.areas.build.build_area`.
    """
    options = ["--replace"] * replace + ["--link"] * link
    _run_for_area([str(file), str(areas), name, "--source", source, *options], areas, progress)
    progress(TOTAL, TOTAL)


def run_measure(area: Area, progress: Progress) -> None:
    """Find, in a separate process, the ends of an area's roads, and correct bounds from its extract's header.

    Raises `BuildFailed`.
    """
    areas = area.folder.parent
    arguments = [str(area.folder / SOURCE), str(areas), area.name, "--source", area.source, "--measure"]
    _run_for_area(arguments, areas, progress)


def _run_for_area(arguments: list[str], areas: Path, progress: Progress) -> None:
    try:
        _run(module_command("engine.areas.build", *arguments), (), progress)
    except BaseException:
        with suppress(OSError):
            clear_up(areas)
        raise


def run_world_build(modules: Path, libraries: Path, folder: Path, *, progress: Progress) -> None:
    """Build the world pack in a separate process; an exception from `progress` ends it.

    `folder` may then be left incomplete. `modules` are the npm packages used, `libraries` the Python ones. Raises
    `BuildFailed`.
    """
    command = module_command("engine.areas.world.build", str(modules), str(folder))
    _run(command, (libraries,), progress)
    progress(TOTAL, TOTAL)


def _run(command: list[str], libraries: Sequence[Path], progress: Progress) -> None:
    """Run a worker to its end, and raise its error if it fails."""
    with tempfile.TemporaryFile() as errors:
        with _group(command, libraries, errors) as process:
            message = _follow(process, progress)
        if "built" not in message:
            raise _error_of(message.get("error"), process.returncode, errors)


@contextmanager
def _group(command: list[str], libraries: Sequence[Path], errors: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command as the leader of a process group that is ended after the block."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,
        env={**_MEMORY, **os.environ, "PYTHONPATH": search_path(libraries)},
    )
    with process:
        try:
            yield process
        except BaseException:
            _end_group(process)
            raise


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its child programs, and wait until they cannot write any more."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        deadline = monotonic() + _KILL_TIMEOUT_S
        while monotonic() < deadline:
            os.killpg(process.pid, 0)  # raises when no process is left
            sleep(0.01)


def _follow(process: subprocess.Popen[bytes], progress: Progress) -> dict[str, Any]:
    """Pass on the progress and return the last message."""
    assert process.stdout is not None
    message: dict[str, Any] = {}
    for line in process.stdout:
        message = orjson.loads(line)
        if "done" in message:
            progress(message["done"], message["total"])
    return message


def _error_of(error: dict[str, Any] | None, code: int, errors: IO[bytes]) -> FencewrightError:
    if error is not None:
        kind = _ERRORS.get(error["kind"])
        return kind(error["param"], error["message"]) if kind is not None else BuildFailed(error["message"])
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    if code < 0:
        return BuildFailed(f"The build was killed by signal {-code}; there may not have been enough memory.")
    return BuildFailed(f"The build failed with exit code {code}: {lines[-1] if lines else 'no output'}.")
