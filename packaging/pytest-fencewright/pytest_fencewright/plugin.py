"""The pytest plugin: ``*.fence.yaml`` files are tests, and the fixture ``fencewright`` is a served instance.

Every run of pytest loads this module if the plugin is installed. Therefore it starts the program only for a test that
needs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from pytest_fencewright.served import Fencewright

SUFFIX: Final = ".fence.yaml"
COLLECT: Final = "fencewright_collect"
EXPECTS_NOTHING: Final = "expectsNothing"
RESULTS: Final = pytest.StashKey[dict[Path, dict[str, Any]]]()

_BATCH: Final = 50
"""Number of scenarios that one process of the program runs, so that the first results come soon."""


class ScenarioFailed(Exception):
    """A scenario that did not meet its expectations, or cannot be run."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__(result["name"])
        self.result = result


class ScenarioFile(pytest.File):
    """A scenario file, which is one test."""

    def collect(self) -> Iterator[ScenarioItem]:
        """Yield the test. Errors in the file are reported when it is run."""
        yield ScenarioItem.from_parent(self, name=self.path.name.removesuffix(SUFFIX))


class ScenarioItem(pytest.Item):
    """One scenario."""

    def runtest(self) -> None:
        """Take the result of the scenario, which may have been run together with the following ones."""
        result = self._result()
        if result.get("expectsNothing"):
            self.user_properties.append((EXPECTS_NOTHING, True))
        if result["status"] != "passed":
            raise ScenarioFailed(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the differences with the reasons of the engine, without a traceback."""
        from pytest_fencewright.program import NotStarted

        if isinstance(excinfo.value, NotStarted):
            return str(excinfo.value)
        if not isinstance(excinfo.value, ScenarioFailed):
            return super().repr_failure(excinfo, style)
        # The summary shows the first line.
        return "\n".join([*_lines(excinfo.value.result), f"in {self.path}"])

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the location and the name of the test."""
        return self.path, 0, f"scenario {self.name}"

    def _result(self) -> dict[str, Any]:
        from pytest_fencewright.program import run_scenarios

        results = self.session.stash.setdefault(RESULTS, {})
        if self.path not in results:
            # The program starts in the time that dozens of scenarios take.
            files = self._following()
            results.update({Path(name): each for name, each in run_scenarios(files, self.config.rootpath).items()})
        return results.pop(self.path)

    def _following(self) -> Sequence[Path]:
        """Return this file and those of the scenarios that this process runs next."""
        if hasattr(self.config, "workerinput"):
            # With pytest-xdist it is not known which ones these are.
            return [self.path]
        scenarios = [item.path for item in self.session.items if isinstance(item, ScenarioItem)]
        return scenarios[scenarios.index(self.path) :][:_BATCH]


def _lines(result: dict[str, Any]) -> Iterator[str]:
    """Yield the errors of one scenario, the first difference first."""
    for fault in result.get("faults", ()):
        place = f"{Path(fault['file']).name}:{fault['line']}:{fault['column']}"
        yield f"{place}: {fault['field']}: {fault['message']}" if fault["field"] else f"{place}: {fault['message']}"
    if omitted := result.get("omittedFaults"):
        yield f"and {omitted} more"
    for failure in result.get("failures", ()):
        position = f"  ({Path(result['file']).name}:{failure['line']})" if "line" in failure else ""
        yield f"{failure['kind']}: {failure['text']}{position}"
        yield from (f"    {reason}" for reason in failure["reasons"])


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
    from pytest_fencewright.served import served

    with served(fencewright_seed) as instance:
        yield instance


@pytest.fixture
def fencewright(fencewright_server: Fencewright) -> Fencewright:
    """The instance in the state of the seed: `url`, keys, `clock`, `reset()`, `track()`, `expect_event()` …"""
    fencewright_server.reset()
    return fencewright_server
