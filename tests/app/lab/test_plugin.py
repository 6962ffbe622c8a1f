"""The plugin of pytest, in runs of pytest of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.lab.conftest import CAME, VISIT
from tests.app.program import ROOT

TESTS = """
from datetime import datetime
import urllib.request
import pytest


@pytest.fixture
def store(fencewright):
    fencewright.geofence("store/1", [1.0828, 51.2798], 100)
    return fencewright


def test_who_comes_in_enters(store):
    assert [event["type"] for event in store.track("phone-1", 1.0828, 51.2798)] == ["user.entered_geofence"]
    event = store.expect_event("user.entered_geofence", geofence="store/1", device_id="phone-1", confidence=3)
    assert event["geofence"]["tag"] == "store"
    with pytest.raises(AssertionError):
        store.expect_event("user.entered_geofence", geofence="store/1", within=0)


def test_who_stays_dwells(store):
    before = store.clock.now
    store.settings(dwellEvent=True, defaultDwellThreshold=5)
    store.track("phone-1", 1.0828, 51.2798)
    assert (store.clock.advance(minutes=6) - before).total_seconds() == 360
    store.track("phone-1", 1.0828, 51.2798)
    store.expect_event("user.dwelled_in_geofence")


def test_each_test_begins_with_the_seed(fencewright):
    assert fencewright.events() == []
    assert fencewright.clock.now == datetime.fromisoformat("2026-01-05T12:00:00Z")
    assert fencewright.publishable_key.startswith("prj_test_pk_")
    assert fencewright.url.startswith("http://127.0.0.1:")


def test_that_fails_with_the_reasons(store):
    store.settings(stopDetection=True)
    store.track("phone-1", 1.0828, 51.2798)
    store.expect_event("user.entered_geofence", geofence="store/1", within=0)
"""


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest as somebody does who has Fencewright installed."""
    search = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGINS, "-c", str(folder / "pytest.ini"), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": search, "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


PLUGINS = (
    *("-p", "no:fencewright", "-p", "app.lab.plugin"),
    *("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:pytest-qt", "-p", "no:hypothesispytest"),
)
"""By its module, whatever is installed under its name; without the plugins of this project, which cost time."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    return tmp_path


def test_scenario_files_are_tests(folder: Path) -> None:
    (folder / "visit.fence.yaml").write_text(VISIT + CAME)
    (folder / "late.fence.yaml").write_text(VISIT + CAME.replace("8m", "9m"))
    (folder / "wrong.fence.yaml").write_text("version: 1\nwrong: 1\n")
    (folder / "other.yaml").write_text("no scenario")
    ended = pytest_in(folder, "-rA")
    assert ended.returncode == 1
    assert "1 passed" in ended.stdout
    assert "2 failed" in ended.stdout
    assert "different: user.exited_geofence of store/1 at 9m: came at 8m, not at 9m" in ended.stdout
    assert "8m: exit: the location is outside" in ended.stdout
    assert "wrong.fence.yaml:2:1: wrong: there is no such key" in ended.stdout
    assert "Traceback" not in ended.stdout


def test_a_project_may_leave_them_to_the_command(folder: Path) -> None:
    (folder / "visit.fence.yaml").write_text(VISIT + CAME)
    (folder / "pytest.ini").write_text("[pytest]\nfencewright_collect = false\n")
    assert "no tests ran" in pytest_in(folder).stdout


def test_the_fixture_is_a_served_instance_that_each_test_finds_as_its_seed_has_it(folder: Path) -> None:
    (folder / "test_store.py").write_text(TESTS)
    ended = pytest_in(folder)
    assert "1 failed, 3 passed" in ended.stdout, ended.stdout
    told = "store/1: entry withheld: stop detection is on and the device is neither stopped nor in the foreground"
    assert told in ended.stdout


def test_a_run_without_scenarios_loads_nothing_of_the_engine(folder: Path) -> None:
    (folder / "test_none.py").write_text(
        "import sys\n\n\ndef test_nothing_is_loaded():\n"
        '    loaded = {name.partition(".")[0] for name in sys.modules}\n'
        '    assert not loaded & {"engine", "pydantic", "starlette", "sqlalchemy", "yaml"}\n'
        '    assert {name for name in sys.modules if name.startswith("app.")} == {"app.lab", "app.lab.plugin"}\n'
    )
    ended = pytest_in(folder)
    assert "1 passed" in ended.stdout, ended.stdout
