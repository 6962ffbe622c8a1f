"""The pytest plugin: ``*.fence.yaml`` files are tests, and the fixture ``fencewright`` is a served instance.

Every run of pytest loads this module if Fencewright is installed. Therefore it imports the engine only if there is a
scenario to run, and starts a server only for a test that requests one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from app.lab.results import Result
    from app.lab.served import Fencewright

SUFFIX: Final = ".fence.yaml"
COLLECT: Final = "fencewright_collect"
EXPECTS_NOTHING: Final = "expectsNothing"


class ScenarioFailed(Exception):
    """A scenario that did not meet its expectations, or cannot be run."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.name)
        self.result = result


class ScenarioFile(pytest.File):
    """A scenario file, which is one test."""

    def collect(self) -> Iterator[ScenarioItem]:
        """Yield the test. Errors in the file are reported when it is run."""
        yield ScenarioItem.from_parent(self, name=self.path.name.removesuffix(SUFFIX))


class ScenarioItem(pytest.Item):
    """One scenario."""

    def runtest(self) -> None:
        """Run the scenario."""
        from app.lab.results import Status
        from app.lab.testing import run_file

        result = run_file(self.path)
        if result.expects_nothing:
            self.user_properties.append((EXPECTS_NOTHING, True))
        if result.status is not Status.PASSED:
            raise ScenarioFailed(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the differences with the reasons of the engine, without a traceback."""
        if not isinstance(excinfo.value, ScenarioFailed):
            return super().repr_failure(excinfo, style)
        from app.lab.reports.text import difference_lines

        # The summary shows the first line.
        return "\n".join(difference_lines(excinfo.value.result))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the location and the name of the test."""
        return self.path, 0, f"scenario {self.name}"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option to leave scenarios to ``fencewright test``."""
    parser.addini(COLLECT, f"whether *{SUFFIX} files are collected as tests", type="bool", default=True)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect scenario files as tests."""
    if file_path.name.endswith(SUFFIX) and parent.config.getini(COLLECT):
        collected: pytest.Collector = ScenarioFile.from_parent(parent, path=file_path)
        return collected
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the scenarios that passed but expect nothing."""
    passed = terminalreporter.stats.get("passed", [])
    names = [each.nodeid for each in passed if (EXPECTS_NOTHING, True) in map(tuple, each.user_properties)]
    if names:
        terminalreporter.section("scenarios that expect nothing")
        for name in names:
            terminalreporter.line(name)


@pytest.fixture(scope="session")
def fencewright_seed() -> Mapping[str, Any] | Path | None:
    """Seed of the instance at the beginning of each test. Override it with a seed, or the path of its file."""
    return None


@pytest.fixture(scope="session")
def fencewright_server(fencewright_seed: Mapping[str, Any] | Path | None) -> Iterator[Fencewright]:
    """The instance that all tests of the session share."""
    from app.lab.served import served

    with served(fencewright_seed) as instance:
        yield instance


@pytest.fixture
def fencewright(fencewright_server: Fencewright) -> Fencewright:
    """The instance in the state of the seed: `url`, keys, `clock`, `reset()`, `track()`, `expect_event()` …"""
    fencewright_server.reset()
    return fencewright_server
