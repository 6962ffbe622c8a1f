"""docs/testing.md: it shows the example files unchanged, describes their behaviour, and covers all scenario keys."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from app.lab.files import expectations, models, steps
from app.lab.files.schema import scenario_schema
from tests.app.commands import Commands
from tests.app.program import ROOT, Program
from tests.app.test_ci_examples import Runner

EXAMPLES = ROOT / "docs" / "scenarios"
PAGE = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
LINKED = ("scenarios.yml", "scenarios.test.mjs")
SCHEMA = "scenario.schema.json"

OWN = (
    *(models.ScenarioBody, models.GeofenceFile, models.DeviceBody, models.NoiseBody, models.TrackBody),
    *(models.TimedPoint, models.DrawnBody, models.RouteBody, models.WaypointBody),
    *(steps.Step, steps.Disconnection),
    *(expectations.Expect, expectations.ExpectedEvent, expectations.ForbiddenEvent, expectations.ExpectedUser),
    expectations.ExpectedTrip,
)


@pytest.mark.parametrize("name", [path.name for path in sorted(EXAMPLES.iterdir()) if path.name != SCHEMA])
def test_the_page_shows_the_files_as_they_are(name: str) -> None:
    """Two are linked instead. Of the workflow, the page shows the step that differs from that of docs/ci.md."""
    shown = (EXAMPLES / name).read_text(encoding="utf-8").strip()
    if name in LINKED:
        assert f"](scenarios/{name})" in PAGE
    if name == "scenarios.yml":
        (shown,) = re.findall(r"^ *- name: Run the scenarios\n(?: {8,}.*\n)+", f"{shown}\n", re.MULTILINE)
    assert shown in PAGE or name == "scenarios.test.mjs"


def keys(model: type[BaseModel]) -> Iterator[str]:
    return (str(field.alias) for field in model.model_fields.values())


@pytest.mark.parametrize("model", OWN, ids=lambda model: model.__name__)
def test_no_key_of_a_scenario_is_left_out(model: type[BaseModel]) -> None:
    assert [key for key in keys(model) if f"`{key}`" not in PAGE] == []


def test_the_schema_beside_the_example_is_that_of_the_command() -> None:
    written = json.loads((EXAMPLES / SCHEMA).read_text(encoding="utf-8"))
    assert written == scenario_schema(), f"write it anew: fencewright test --schema > docs/scenarios/{SCHEMA}"


def test_the_page_shows_failures_as_the_command_does(fencewright: Commands, tmp_path: Path) -> None:
    file = tmp_path / "store.fence.yaml"
    text = (EXAMPLES / file.name).read_text(encoding="utf-8")
    file.write_text(text.replace("store/1, at: 3m", "store/1, at: 2m"), encoding="utf-8")
    for line in fencewright("test", file).out.splitlines()[1:]:
        assert line in PAGE
    file.write_text(text.replace("dwellEvent", "dwellEvnt").replace('"1"', "1"), encoding="utf-8")
    for line in fencewright("test", file).out.splitlines()[1:-1]:
        assert line.partition(file.name)[2] in PAGE


@pytest.fixture
def runner(program: Program, tmp_path: Path) -> Runner:
    return Runner(program, tmp_path, EXAMPLES, "scenarios")


def workflow_steps() -> dict[str, str]:
    workflow: dict[str, Any] = yaml.safe_load((EXAMPLES / "scenarios.yml").read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    return {step["name"]: step["run"] for step in job["steps"] if "run" in step}


def test_the_step_of_the_workflow_runs_the_scenarios_and_leaves_its_reports(runner: Runner) -> None:
    assert "1 passed" in runner.run(workflow_steps()["Run the scenarios"])
    assert b"<testsuites" in (runner.folder / "junit.xml").read_bytes()
    assert b"<h1>Scenario coverage</h1>" in (runner.folder / "coverage.html").read_bytes()


@pytest.mark.skipif(shutil.which("node") is None, reason="the example needs Node.js")
def test_each_scenario_is_a_test_of_node_too(runner: Runner) -> None:
    output = runner.run("node --test --test-reporter=tap scenarios/scenarios.test.mjs")
    assert "ok 1 - Ann has her parcel at the store" in output
    assert re.search(r"^# pass 1$", output, re.MULTILINE)


@pytest.mark.slow
def test_the_example_of_pytest_passes_with_the_plugin(runner: Runner) -> None:
    plugin = "-p pytest_fencewright.plugin -p no:cacheprovider -p no:pytest-qt -p no:xdist"
    output = runner.run(f'PYTHONPATH="{ROOT}/packaging/pytest-fencewright" python -m pytest {plugin} scenarios')
    assert "3 passed" in output
