"""The examples of docs/ci.md: the page shows the files unchanged, and they work as described."""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.app.program import ROOT, TIMEOUT_S, Program

EXAMPLES = ROOT / "docs" / "examples"
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
LINKED = ("conftest.py", "gitlab-ci.yml", "store.test.mjs", "test_webhooks.py")
INSTALLED = ("Install Fencewright", "Install the packages of the tests")
"""The steps that tests skip, because they would download packages."""


class Runner:
    """Runs shell steps in sequence, like a GitHub runner; values in `GITHUB_ENV` are passed to the next step."""

    def __init__(self, program: Program, folder: Path, examples: Path = EXAMPLES, into: str = "tests") -> None:
        self.folder = folder / "checkout"
        shutil.copytree(examples, self.folder / into)
        self._choose_port(self.folder / into)
        programs = folder / "fencewright" / "bin"
        programs.mkdir(parents=True)
        # The program is only found through its own folder, as if it were installed.
        shims = {
            "fencewright": f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -m app.main',
            "python": f'exec "{sys.executable}"',
        }
        for name, command in shims.items():
            (programs / name).write_text(f'#!/bin/sh\n{command} "$@"\n', encoding="utf-8")
            (programs / name).chmod(0o755)
        search = f"{programs}:{program.environment['PATH']}"
        self.exported = folder / "exported"
        self.exported.touch()
        own = {"PATH": search, "GITHUB_ENV": str(self.exported), "NO_PROXY": "*", "RUNNER_TEMP": str(folder)}
        self._environment = {**program.environment, **own}

    @staticmethod
    def _choose_port(examples: Path) -> None:
        """Replace the port of the receiver, which another test may be using."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        for path in (path for path in examples.iterdir() if path.is_file()):
            path.write_text(path.read_text(encoding="utf-8").replace("8788", port), encoding="utf-8")

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment of the next step."""
        lines = self.exported.read_text(encoding="utf-8").splitlines()
        return {**self._environment, **dict(line.split("=", 1) for line in lines)}

    def run(self, commands: str) -> str:
        """Run a step, which must succeed, and return its output."""
        # A file is used because a server that a step starts keeps the output open.
        output = self.folder.parent / "output.txt"
        with output.open("w", encoding="utf-8") as stream:
            done = subprocess.run(
                ["bash", "-e", "-o", "pipefail", "-c", commands],
                cwd=self.folder,
                env=dict(self.environment),
                stdout=stream,
                stderr=subprocess.STDOUT,
                timeout=TIMEOUT_S,
                check=False,
            )
        assert done.returncode == 0, output.read_text(encoding="utf-8")
        return output.read_text(encoding="utf-8")


@pytest.fixture
def runner(program: Program, tmp_path: Path) -> Runner:
    return Runner(program, tmp_path)


@pytest.mark.parametrize("name", [path.name for path in sorted(EXAMPLES.iterdir()) if path.is_file()])
def test_the_page_shows_the_files_as_they_are(name: str) -> None:
    """The long ones are linked instead, of which the page shows at most single functions."""
    text = (EXAMPLES / name).read_text(encoding="utf-8").strip()
    if name in LINKED:
        assert f"](examples/{name})" in PAGE
    else:
        assert text in PAGE


def test_the_page_says_in_which_file_the_code_goes() -> None:
    """The tests of webhooks are copied beside it, and need its fixtures."""
    assert "[docs/examples/conftest.py](examples/conftest.py) as `tests/conftest.py`" in re.sub(r"\s+", " ", PAGE)
    before, _, _ = PAGE.partition((EXAMPLES / "test_store.py").read_text(encoding="utf-8"))
    *_, prose = before.split("```")[:-1]
    assert "`tests/test_store.py`" in prose


def test_the_excerpt_is_part_of_its_file() -> None:
    *_, excerpt = re.findall(r"^```python\n(def test_.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert excerpt in (EXAMPLES / "test_webhooks.py").read_text(encoding="utf-8")


def steps() -> list[dict[str, Any]]:
    workflow = yaml.safe_load((EXAMPLES / "fencewright.yml").read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    found: list[dict[str, Any]] = job["steps"]
    return found


def test_the_workflow_is_one() -> None:
    workflow = yaml.safe_load((EXAMPLES / "fencewright.yml").read_text(encoding="utf-8"))
    # YAML parses the word "on" as true.
    assert workflow[True] == ["push", "pull_request"]
    assert all(("run" in step) != ("uses" in step) for step in steps())
    assert [step["name"] for step in steps() if step.get("if") == "always()"] == ["Stop the server"]


SCENARIOS = yaml.safe_load((ROOT / "docs" / "scenarios" / "scenarios.yml").read_text(encoding="utf-8"))


def test_the_tests_run_in_an_environment_that_has_pytest() -> None:
    """The environment of Fencewright is another one, so that its packages do not replace those of the project."""
    (installed,) = [number for number, step in enumerate(steps()) if "-m pip install pytest" in step.get("run", "")]
    (run,) = [number for number, step in enumerate(steps()) if "-m pytest" in step.get("run", "")]
    assert installed < run
    assert not any("GITHUB_PATH" in step.get("run", "") for step in steps())


@pytest.mark.parametrize("found", [steps(), SCENARIOS["jobs"]["scenarios"]["steps"]], ids=["tests", "scenarios"])
def test_fencewright_is_of_a_named_version_and_kept(found: list[dict[str, Any]]) -> None:
    by_id = {step["id"]: step for step in found if "id" in step}
    checkout, cache = by_id["fencewright"]["with"], by_id["cache"]["with"]
    assert {"repository", "ref", "token", "path"} <= set(checkout)
    (install,) = [step for step in found if step.get("name") == INSTALLED[0]]
    assert install["if"] == "steps.cache.outputs.cache-hit != 'true'"
    assert cache["path"].replace("${{ runner.temp }}", "$RUNNER_TEMP") in install["run"]
    mentioned = set(re.findall(r"steps\.(\w+)\.outputs", yaml.safe_dump(found)))
    assert mentioned == {"python", "fencewright", "cache"} == set(by_id)
    assert all((ROOT / path).exists() for path in re.findall(r" fencewright/(\S+)", install["run"]))


def test_the_workflow_gives_a_slow_runner_a_minute_to_start_the_server() -> None:
    (start,) = [step["run"] for step in steps() if step.get("name") == "Start the server"]
    waits = re.search(r"seq (\d+)\).*sleep ([\d.]+)", start)
    assert waits is not None
    assert int(waits[1]) * float(waits[2]) >= 60


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("jq") is None or shutil.which("node") is None, reason="the steps need jq and Node.js")
def test_the_steps_of_the_workflow_run_as_they_stand(runner: Runner) -> None:
    by_name = {step["name"]: step["run"] for step in steps() if "run" in step and step["name"] not in INSTALLED}
    try:
        shown = {name: runner.run(commands) for name, commands in by_name.items()}
    finally:
        runner.run(by_name["Stop the server"])
    assert "4 passed" in shown["Run the tests"]
    assert "listening on http://127.0.0.1:" in shown["Stop the server"]
    assert set(runner.environment) - set(os.environ) >= {"RADAR_HOST", "RADAR_PUBLISHABLE_KEY", "RADAR_SECRET_KEY"}


@pytest.mark.skipif(shutil.which("jq") is None or shutil.which("node") is None, reason="the steps need jq and Node.js")
def test_tests_in_javascript_use_the_same_server(runner: Runner) -> None:
    by_name = {step["name"]: step["run"] for step in steps() if "run" in step}
    runner.run(by_name["Start the server"])
    try:
        assert "# pass 3" in runner.run("node --test --test-reporter=tap tests/store.test.mjs")
    finally:
        runner.run(by_name["Stop the server"])


@pytest.mark.slow
def test_on_a_desk_the_fixture_starts_a_server_of_its_own(runner: Runner) -> None:
    assert "4 passed" in runner.run("python -m pytest -p no:cacheprovider tests")
