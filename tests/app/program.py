"""The real program in separate processes, as scripts run it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import orjson

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 60


@dataclass(frozen=True)
class Ended:
    """The outcome of a finished command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output as one JSON document."""
        return orjson.loads(self.out)

    @property
    def events(self) -> list[dict[str, Any]]:
        """The output as one JSON document per line."""
        return [orjson.loads(line) for line in self.out.splitlines()]


class Serving:
    """A running ``fencewright serve``."""

    def __init__(self, process: subprocess.Popen[str], ready_file: Path) -> None:
        self.process = process
        self.ready_file = ready_file
        self.startup_lines = list(_until(process, "its keys are in"))
        self.ready: dict[str, Any] = orjson.loads(ready_file.read_bytes())

    @property
    def url(self) -> str:
        """The address for clients."""
        return str(self.ready["url"])

    def key(self, environment: str = "test", level: str = "secret") -> str:
        """Return one of the four keys."""
        return str(self.ready["keys"][environment][level])

    def stop(self, number: signal.Signals = signal.SIGTERM) -> Ended:
        """Send a signal and wait for the process to end."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> Ended:
        """Wait for the process to end."""
        out, err = self.process.communicate(timeout=TIMEOUT_S)
        return Ended(self.process.returncode, out, "".join(self.startup_lines) + err)


def _until(process: subprocess.Popen[str], text: str) -> Iterator[str]:
    assert process.stderr is not None
    for line in process.stderr:
        yield line
        if text in line:
            return
    raise AssertionError("the server ended before it listened")


def _compiled_once() -> Mapping[str, str]:
    """Let commands share compiled modules in another folder if this process may not store any."""
    if not sys.dont_write_bytecode:
        return {}
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(ROOT / ".cache" / "bytecode")}


class Command(subprocess.Popen[str]):
    """A started command; as a context manager, it kills the process if the block fails instead of waiting for it."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.kill()
        super().__exit__(kind, error, trace)


class Program:
    """Starts commands with a home folder of their own, so that tests do not see the user's settings."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environment: Mapping[str, str] = {
            **os.environ,
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "PYTHONUNBUFFERED": "1",
            **_compiled_once(),
        }

    def start(self, *arguments: object) -> Command:
        """Start a command with pipes for all its streams."""
        return self.start_with([], *arguments)

    def start_with(self, launcher: list[str], *arguments: object, stderr: int = subprocess.PIPE) -> Command:
        """Start a command through a launcher that prepares its environment."""
        return Command(
            [*launcher, sys.executable, "-m", "app.main", *map(str, arguments)],
            cwd=ROOT,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )

    def run(self, *arguments: object) -> Ended:
        """Run a command to its end, and check that it does not end with a traceback."""
        with self.start(*arguments) as process:
            out, err = process.communicate(timeout=TIMEOUT_S)
        assert "Traceback" not in err, err
        return Ended(process.returncode, out, err)

    @contextmanager
    def serve(self, workspace: object, *arguments: object) -> Iterator[Serving]:
        """Run a server on a free port during the block, and kill any remaining process afterwards."""
        ready_file = self.home / "ready.json"
        self.home.mkdir(exist_ok=True)
        options = ("--port", 0, "--ready-file", ready_file, *arguments)
        with self.start("serve", "--workspace", workspace, *options) as process:
            try:
                yield Serving(process, ready_file)
            finally:
                process.kill()
