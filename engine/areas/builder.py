"""Starts the process that builds an area, follows it, and ends it with everything it started."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

import orjson

from engine.areas.folder import clear_up
from engine.areas.tools import BuildFailed
from engine.domain.errors import Conflict, FencewrightError, InvalidParameter
from engine.domain.ports import Progress

TOTAL: Final = 100
"""What progress is told in: per cent."""

_PACKAGES = Path(__file__).parents[2]
_ERRORS: dict[str, type[InvalidParameter] | type[Conflict]] = {
    "InvalidParameter": InvalidParameter,
    "Conflict": Conflict,
}


def run_build(
    file: Path, areas: Path, name: str, *, source: str, progress: Progress, replace: bool = False, link: bool = False
) -> None:
    """Build an area in a process of its own; what `progress` raises ends that, and nothing of the area is left.

    `source` is what to call the extract; `link` takes its file without copying it, which must not be written to then.
    Raises what `engine.areas.build.build_area` does.
    """
    command = [sys.executable, "-m", "engine.areas.build", str(file), str(areas), name, "--source", source]
    command += ["--replace"] * replace + ["--link"] * link
    with tempfile.TemporaryFile() as errors:
        try:
            with _group(command, errors) as process:
                message = _follow(process, progress)
        except BaseException:
            with suppress(OSError):
                clear_up(areas)
            raise
        if "built" not in message:
            raise _error_of(message.get("error"), process.returncode, errors)
    progress(TOTAL, TOTAL)


@contextmanager
def _group(command: list[str], errors: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command as the head of a process group, of which nothing is left after the block."""
    path = os.pathsep.join(filter(None, [str(_PACKAGES), os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    with process:
        try:
            yield process
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise


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
    said = errors.read().decode("utf-8", "replace").strip().splitlines()
    if code < 0:
        return BuildFailed(f"The build was ended by signal {-code}; perhaps there was not enough memory.")
    return BuildFailed(f"The build ended with {code}: {said[-1] if said else 'it said nothing'}.")
