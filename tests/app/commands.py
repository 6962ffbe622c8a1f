"""Commands that run in this process, which is faster for tests that do not need separate processes."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import orjson
import pytest

from app.cli import Interfaces, run, serving
from app.cli.options.parsing import parse_arguments
from app.cli.terminal.output import note_log
from app.cli.terminal.signals import StopRequest
from tests.app.program import TIMEOUT_S, Ended
from tests.placeholders import unfilled_in_output


def _no_interface(*_: object) -> int:
    raise AssertionError("no interface was asked for")


NO_INTERFACES = Interfaces(desktop=_no_interface, demo=_no_interface)

type Command = Callable[..., Ended]


class _Request(StopRequest):
    """A request to stop a server, which completes a future when the server has started."""

    def __init__(self) -> None:
        super().__init__(succeeds=True)
        self.started: Future[None] = Future()

    def wait(self) -> None:
        self.started.set_result(None)
        super().wait()


class ServingHere:
    """A running ``fencewright serve`` in a thread of this process."""

    def __init__(self, commands: "Commands", ready_file: Path, request: StopRequest, outcome: Future[int]) -> None:
        self._commands = commands
        self._request = request
        self._outcome = outcome
        self.startup_lines = commands.captured().err.splitlines(keepends=True)
        self.ready: dict[str, Any] = orjson.loads(ready_file.read_bytes())

    @property
    def url(self) -> str:
        """The address for clients."""
        return str(self.ready["url"])

    def key(self, environment: str = "test", level: str = "secret") -> str:
        """Return one of the four keys."""
        return str(self.ready["keys"][environment][level])

    def stop(self) -> Ended:
        """Stop the server and wait for its end."""
        self._request.finish()
        code = self._outcome.result(TIMEOUT_S)
        captured = self._commands.captured()
        return Ended(code, captured.out, "".join(self.startup_lines) + captured.err)


@dataclass
class Commands:
    """Runs the command line in this process."""

    capsys: pytest.CaptureFixture[str]
    home: Path

    def __call__(self, *arguments: object) -> Ended:
        """Run one command; wrong usage also results in an exit code."""
        self.capsys.readouterr()
        try:
            code = run([str(argument) for argument in arguments], NO_INTERFACES)
        except SystemExit as wrong_usage:
            code = cast(int, wrong_usage.code)
        captured = self.captured()
        return Ended(code, captured.out, captured.err)

    def captured(self) -> Ended:
        """Return the output since the last call, after checking it."""
        out, err = self.capsys.readouterr()
        assert "Traceback" not in err
        assert unfilled_in_output(out) + unfilled_in_output(err) == []
        return Ended(0, out, err)

    @contextmanager
    def serve(self, workspace: object = None, *arguments: object) -> Iterator[ServingHere]:
        """Run a server on a free port during the block. Commands in the block take what it has written meanwhile."""
        ready_file = self.home / "ready.json"
        self.home.mkdir(exist_ok=True)
        options = ("--port", 0, "--ready-file", ready_file, *arguments)
        if workspace is not None:
            options = ("--workspace", workspace, *options)
        namespace = parse_arguments(["serve", *map(str, options)])
        request = _Request()
        self.capsys.readouterr()
        with request.handling(), _as_program(), ThreadPoolExecutor(1, "serve") as thread:
            outcome = thread.submit(serving.serve, namespace, request)
            try:
                first: tuple[Future[Any], ...] = (outcome, request.started)
                wait(first, TIMEOUT_S, FIRST_COMPLETED)
                if outcome.done():
                    outcome.result()
                yield ServingHere(self, ready_file, request, outcome)
            finally:
                request.finish()
        assert outcome.result() == 0


@contextmanager
def _as_program() -> Iterator[None]:
    """Show the log on standard error, as pytest handles it otherwise, and leave the garbage collector as it is."""
    note_log()
    assert logging.lastResort is not None
    root, handler = logging.getLogger(), logging.lastResort
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving, "short_collections", nullcontext)
        root.addHandler(handler)
        try:
            yield
        finally:
            root.removeHandler(handler)


def written(path: Path, content: str) -> Path:
    """Write a file and return its path."""
    path.write_text(content, encoding="utf-8")
    return path
