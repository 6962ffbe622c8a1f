"""Commands that run in this process, which is faster for tests that do not need separate processes."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from app.cli import Interfaces, run
from tests.app.program import Ended
from tests.placeholders import unfilled_in_output


def _no_interface(*_: object) -> int:
    raise AssertionError("no interface was asked for")


NO_INTERFACES = Interfaces(desktop=_no_interface, demo=_no_interface)

type Command = Callable[..., Ended]


@dataclass
class Commands:
    """Runs the command line in this process."""

    capsys: pytest.CaptureFixture[str]

    def __call__(self, *arguments: object) -> Ended:
        """Run one command; wrong usage also results in an exit code."""
        self.capsys.readouterr()
        try:
            code = run([str(argument) for argument in arguments], NO_INTERFACES)
        except SystemExit as wrong_usage:
            code = cast(int, wrong_usage.code)
        captured = self.capsys.readouterr()
        assert "Traceback" not in captured.err
        assert unfilled_in_output(captured.out) + unfilled_in_output(captured.err) == []
        return Ended(code, captured.out, captured.err)


def written(path: Path, content: str) -> Path:
    """Write a file and return its path."""
    path.write_text(content, encoding="utf-8")
    return path
