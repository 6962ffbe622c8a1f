"""The installed program: where it is, and its process while tests run.

It is a program of its own. Its packages are in another environment than those of the tests.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

VARIABLE: Final = "FENCEWRIGHT"
SECRET_KEY_VARIABLE: Final = "FENCEWRIGHT_SECRET_KEY"
PUBLISHABLE_KEY_VARIABLE: Final = "FENCEWRIGHT_PUBLISHABLE_KEY"

START_S: Final = 60.0
STOP_S: Final = 20.0

__tracebackhide__ = True


class NotStarted(Exception):
    """The program was not found, or it ended before it could be used."""


def running_server() -> Mapping[str, Any] | None:
    """Return the address and the keys of the server in ``FENCEWRIGHT``, or None if that does not name one.

    Raises `NotStarted` if its secret key is missing.
    """
    url = os.environ.get(VARIABLE, "").strip()
    if urlsplit(url).scheme not in ("http", "https"):
        return None
    keys = {
        "publishable": os.environ.get(PUBLISHABLE_KEY_VARIABLE, ""),
        "secret": os.environ.get(SECRET_KEY_VARIABLE, ""),
    }
    if not keys["secret"]:
        raise NotStarted(f"{VARIABLE} is the address of a server, so {SECRET_KEY_VARIABLE} must be its Test secret key")
    return {"url": url.rstrip("/"), "keys": {"test": keys}}


def command() -> list[str]:
    """Return the command that runs the program: the one in ``FENCEWRIGHT``, else ``fencewright`` on the path.

    Raises `NotStarted` if there is none.
    """
    given = os.environ.get(VARIABLE, "").strip()
    if urlsplit(given).scheme in ("http", "https"):
        given = ""
    # A path may contain spaces, and a command may have arguments.
    words = [given] if given and shutil.which(given) else shlex.split(given)
    name = words[0] if words else "fencewright"
    if (found := shutil.which(name)) is None:
        where = f"{VARIABLE} is {given!r}, which cannot be run" if given else "there is no command fencewright"
        raise NotStarted(f"{where}; install Fencewright, or set {VARIABLE} to its command or to a server's address")
    return [found, *words[1:]]


@contextmanager
def serving(seed: Path) -> Iterator[Mapping[str, Any]]:
    """Start a server with an empty workspace and a seed, and yield its address and keys. Raises `NotStarted`."""
    with TemporaryDirectory(prefix="fencewright-") as folder:
        ready, log = Path(folder, "ready.json"), Path(folder, "log.txt")
        arguments = ["serve", "--workspace", ":memory:", "--port", "0", "--seed", str(seed), "--ready-file", str(ready)]
        with (
            log.open("wb") as output,
            subprocess.Popen(
                # If the test run is killed, its end of the pipe closes, and the server exits, too.
                [*command(), *arguments, "--stop-on-eof"],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                env=environment(),
            ) as process,
        ):
            try:
                _wait(process, ready, log)
                yield json.loads(ready.read_text(encoding="utf-8"))
            finally:
                _end(process)


def run_scenarios(files: Sequence[Path], folder: Path) -> dict[str, Any]:
    """Run scenario files, and return the results by the path of the file. Raises `NotStarted`."""
    ended = subprocess.run(
        [*command(), "test", "--json", *map(str, files)],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        stdin=subprocess.DEVNULL,
        env=environment(),
        check=False,
    )
    try:
        results = json.loads(ended.stdout)["scenarios"]
    except (ValueError, KeyError):
        message = ended.stderr.strip() or ended.stdout.strip() or f"exit code {ended.returncode}, without a message"
        raise NotStarted(f"'fencewright test' has not run: {message}") from None
    return {result["file"]: result for result in results}


def environment() -> dict[str, str]:
    """Return the environment of the program: without the paths and the settings that are meant for the tests."""
    own = ("PYTHONPATH", "PYTHONHOME", "PYTHONSAFEPATH", "PYTHONWARNINGS", "PYTHONDEVMODE", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in own}


def _wait(process: subprocess.Popen[bytes], ready: Path, log: Path) -> None:
    deadline = time.monotonic() + START_S
    while not ready.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            output = log.read_text(encoding="utf-8", errors="replace").strip()
            raise NotStarted(f"fencewright has not started: {output or 'it said nothing'}")
        time.sleep(0.05)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
