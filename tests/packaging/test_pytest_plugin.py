"""The distribution pytest-fencewright, in separate runs of pytest beside the program."""

import os
import shlex
import signal
import socket
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app import __version__
from engine.domain.tracking.updates import EventType
from tests.app.lab.conftest import CAME, VISIT
from tests.app.program import ROOT, Program
from tests.waiting import eventually

pytestmark = pytest.mark.slow

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


def test_events_come_in_order(store):
    store.track("phone-1", 1.0828, 51.2798)
    store.clock.advance(minutes=1)
    store.track("phone-1", 1.0900, 51.2798)
    wrong = ["user.exited_geofence", "user.entered_geofence"]
    with pytest.raises(AssertionError, match="no user.entered_geofence came after user.exited_geofence, but"):
        store.expect_events(wrong, within=0)
    right = [{"type": "user.entered_geofence", "geofence": "store/1", "confidence": 3}, "user.exited_geofence"]
    assert [event["type"] for event in store.expect_events(right)] == wrong[::-1]
    with pytest.raises(AssertionError, match="no user.entered_geofence of store/1 with confidence 3 came, but"):
        store.expect_events(right, within=0)


def test_other_events_fail_where_that_is_asked_for(store):
    store.geofence("yard/1", [1.0828, 51.2798], 500)
    store.track("phone-1", 1.0828, 51.2798)
    wanted = [{"type": "user.entered_geofence", "geofence": "store/1", "device_id": "phone-1"}]
    with pytest.raises(AssertionError, match="another event came: .* user.entered_geofence of yard/1 by phone-1"):
        store.expect_events(wanted, others="fail", within=0)
    store.expect_events(wanted)
    with pytest.raises(AssertionError, match="an event came: .* user.entered_geofence of yard/1"):
        store.expect_no_event()
    store.expect_event("user.entered_geofence", geofence="yard/1")
    store.expect_no_event(within=0)


def test_an_event_that_comes_later_is_waited_for(store):
    import threading

    timer = threading.Timer(0.3, store.track, ("phone-1", 1.0828, 51.2798))
    timer.start()
    with pytest.raises(AssertionError, match="an event came: "):
        store.expect_no_event("user.entered_geofence", within=20)
    timer.join()
    store.expect_no_event("user.exited_geofence", geofence="store/1", within=0)


def test_what_cannot_be_is_no_test(fencewright):
    for kind, why in (
        ("user.dwelled_in_geofence", "the setting dwellEvent is off"),
        ("user.entered_place", "the setting places is off"),
        ("user.entered_geofence", "there are no geofences"),
        ("user.exited_beacon", "there are no beacons"),
        ("user.entered_geofense", "there are no events of the type"),
    ):
        with pytest.raises(ValueError, match=why):
            fencewright.expect_no_event(kind, within=0)
    for events, why in (
        ([], "no events are given"),
        ("user.entered_geofence", "takes a list of events"),
        ({"type": "user.entered_geofence"}, "takes a list of events"),
        ([{"kind": "user.entered_geofence"}], "an event has type, geofence"),
        ([{"type": "user.entered_geofence", "geofence": "store"}], "a geofence is named tag/externalId"),
    ):
        with pytest.raises(ValueError, match=why):
            fencewright.expect_events(events)
    with pytest.raises(ValueError, match="others must be"):
        fencewright.expect_events(["user.entered_geofence"], others="fails")
    fencewright.geofence("store/1", [1.0828, 51.2798], 100)
    fencewright.geofence("store/2", [1.0828, 51.2798], 100, enabled=False)
    fencewright.settings(dwellEvent=True)
    for kind, given, why in (
        ("user.entered_geofence", {"geofence": "nope/1"}, "there is no geofence nope/1"),
        ("user.entered_geofence", {"geofence": "store/2"}, "the geofence store/2 is disabled"),
        ("user.entered_geofence", {"confidence": 9}, "the confidence of an event is 1, 2 or 3, not 9"),
        ("user.dwelled_in_geofence", {}, "there is no dwell threshold"),
    ):
        with pytest.raises(ValueError, match=why):
            fencewright.expect_no_event(kind, within=0, **given)
    fencewright.geofence("store/3", [1.0828, 51.2798], 100, dwellThreshold=5)
    fencewright.expect_no_event("user.dwelled_in_geofence", within=0)


def test_that_fails_with_the_reasons(store):
    store.settings(stopDetection=True)
    store.track("phone-1", 1.0828, 51.2798)
    store.expect_event("user.entered_geofence", geofence="store/1", within=0)
"""


FAILING = """
import pytest


def test_no_event_came(fencewright):
    fencewright.geofence("store/1", [1.0828, 51.2798], 100)
    fencewright.track("phone-1", 1.0828, 51.2798, accuracy=500)
    fencewright.expect_event("user.entered_geofence", confidence=3, within=0)  # this line


def test_the_type_is_misspelled(fencewright):
    fencewright.expect_event("user.enterd_geofence")


def test_the_type_may_be_an_app_s_own(fencewright):
    fencewright.expect_event("entered_geofence", within=0)


def test_the_geofence_has_no_external_id(fencewright):
    fencewright.geofence("store", [1.0828, 51.2798], 100)


def test_no_geofence_is_meant(fencewright):
    fencewright.expect_event("user.entered_geofence", geofence="store")


@pytest.mark.parametrize("kind", ["truncate", "drop"])
def test_the_answer_does_not_come_whole(fencewright, kind):
    fencewright.request("POST", "/v1/faults", kind=kind, path="/v1/track")
    fencewright.track("phone-1", 1.0828, 51.2798)


def test_two_servers_at_once(fencewright):
    from pytest_fencewright.served import served

    with served() as other:
        assert other.url != fencewright.url
        other.geofence("store/1", [1.0828, 51.2798], 100)
        assert other.track("phone-1", 1.0828, 51.2798)
        assert fencewright.track("phone-1", 1.0828, 51.2798) == []
"""

KILLED = """
import os
import signal
from pathlib import Path


def test_that_is_killed(fencewright):
    Path("url.txt").write_text(fencewright.url)
    os.kill(os.getpid(), signal.SIGKILL)
"""


DISTRIBUTION = ROOT / "packaging" / "pytest-fencewright"

PROGRAM = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from app.main import main; sys.exit(main())"
COMMAND = shlex.join([sys.executable, "-P", "-c", PROGRAM])
"""The program as another environment has it: the folder and the paths of the tests are not searched for its modules."""

PLUGINS = ("-p", "no:cacheprovider", "-p", "no:pytest-qt", "-p", "no:hypothesispytest")
"""Options without the project's other plugins, which are slow."""


def pytest_in(
    folder: Path,
    *arguments: str,
    plugin: tuple[str, ...] = ("-p", "pytest_fencewright.plugin"),
    path: Path = DISTRIBUTION,
    variables: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run pytest as a user whose tests have the plugin, and whose computer has the program."""
    own = {"COLUMNS": "240", "PYTHONPATH": str(path), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    return subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGINS, *plugin, "-c", str(folder / "pytest.ini"), *arguments],
        cwd=folder,
        env={**os.environ, **own, "FENCEWRIGHT": COMMAND, **(variables or {})},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


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
    assert "different: user.exited_geofence of store/1: expected at 9m, came at 8m" in ended.stdout
    assert "8m: exit: the location is outside" in ended.stdout
    assert "wrong.fence.yaml:2:1: wrong: there is no such key" in ended.stdout
    assert "Traceback" not in ended.stdout
    summary = ended.stdout.partition("short test summary")[2]
    assert "late.fence.yaml::late - different: user.exited_geofence of store/1: expected at 9m" in summary
    assert "wrong.fence.yaml::wrong - wrong.fence.yaml:2:1: wrong: there is no such key" in summary


def test_the_summary_names_the_scenarios_that_expect_nothing(folder: Path) -> None:
    (folder / "visit.fence.yaml").write_text(VISIT + CAME)
    (folder / "idle.fence.yaml").write_text(VISIT + "expectsNothing: true\n")
    (folder / "empty.fence.yaml").write_text(VISIT)
    ended = pytest_in(folder, "--junit-xml=junit.xml")
    assert "1 failed, 2 passed" in ended.stdout
    summary = ended.stdout.partition("scenarios that expect nothing")[2].splitlines()
    assert summary[1] == "idle.fence.yaml::idle"
    assert "empty.fence.yaml:1:1: expect: checks nothing" in ended.stdout
    assert '<property name="expectsNothing" value="True"' in (folder / "junit.xml").read_text()


def test_a_project_may_leave_them_to_the_command(folder: Path) -> None:
    (folder / "visit.fence.yaml").write_text(VISIT + CAME)
    (folder / "pytest.ini").write_text("[pytest]\nfencewright_collect = false\n")
    assert "no tests ran" in pytest_in(folder).stdout


def test_the_fixture_is_a_served_instance_that_each_test_finds_as_its_seed_has_it(folder: Path) -> None:
    (folder / "test_store.py").write_text(TESTS)
    ended = pytest_in(folder)
    assert "1 failed, 7 passed" in ended.stdout, ended.stdout
    reason = "store/1: entry withheld: stop detection is on and the device is neither stopped nor in the foreground"
    assert reason in ended.stdout


def test_a_failure_shows_the_line_of_the_test_and_the_reason(folder: Path) -> None:
    (folder / "test_store.py").write_text(FAILING)
    ended = pytest_in(folder)
    assert "7 failed, 1 passed" in ended.stdout, ended.stdout
    assert (
        '>       fencewright.expect_event("user.entered_geofence", confidence=3, within=0)  # this line' in ended.stdout
    )
    assert "served.py" not in ended.stdout, "a failure is in the test"
    assert "expecting.py" not in ended.stdout
    summary = ended.stdout.partition("short test summary")[2]
    for words in (
        "no user.entered_geofence with confidence 3 came, but 2026-01-05T12:00:00.000Z user.entered_geofence",
        "there are no events of the type 'user.enterd_geofence' (did you mean user.entered_geofence?)",
        "no entered_geofence came (did you mean user.entered_geofence?), and no other event",
        "has_no_external_id - ValueError: a geofence is named tag/externalId, such as store/1, not 'store'",
        "test_no_geofence_is_meant - ValueError: a geofence is named tag/externalId",
        "no complete answer: peer closed connection",
        "no complete answer: Server disconnected",
    ):
        assert words in summary, summary


def test_a_run_that_is_killed_leaves_no_server(folder: Path) -> None:
    (folder / "test_killed.py").write_text(KILLED)
    assert pytest_in(folder).returncode == -signal.SIGKILL
    address = urlsplit((folder / "url.txt").read_text())

    def is_stopped() -> bool:
        try:
            socket.create_connection((address.hostname, address.port or 0), 5).close()
        except ConnectionRefusedError:
            return True
        return False

    eventually(is_stopped)


def test_a_run_without_scenarios_starts_and_loads_nothing(folder: Path) -> None:
    (folder / "test_none.py").write_text(
        "import sys\n\n\ndef test_nothing_is_loaded():\n"
        '    loaded = {name.partition(".")[0] for name in sys.modules}\n'
        '    assert not loaded & {"app", "engine", "httpx"}\n'
        '    assert {name for name in sys.modules if name.startswith("pytest_fencewright.")} == '
        '{"pytest_fencewright.plugin"}\n'
    )
    ended = pytest_in(folder, variables={"FENCEWRIGHT": "no-such-command"})
    assert "1 passed" in ended.stdout, ended.stdout


OWN_PROJECT = {
    "app/__init__.py": "",
    "app/main.py": "NAME = 'the app of this project'\n",
    "engine/__init__.py": "NAME = 'the engine of this project'\n",
    "resources/__init__.py": "NAME = 'the resources of this project'\n",
    "tests/test_own.py": """
import engine
import resources
from app.main import NAME


def test_the_packages_of_the_project_are_its_own(fencewright):
    names = ("app", "engine", "resources")
    assert [NAME, engine.NAME, resources.NAME] == [f"the {name} of this project" for name in names]
    fencewright.geofence("store/1", [1.0828, 51.2798], 100)
    fencewright.track("phone-1", 1.0828, 51.2798)
    fencewright.expect_event("user.entered_geofence", geofence="store/1")


def test_it_is_so_in_another_worker_too(fencewright):
    assert fencewright.events() == []
""",
    "tests/visit.fence.yaml": VISIT + CAME,
    "pytest.ini": "[pytest]\npythonpath = .\nfilterwarnings = error\n",
}


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the built wheel installs."""
    folder = tmp_path_factory.mktemp("installed")
    ended = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=DISTRIBUTION,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    (wheel,) = folder.glob("*.whl")
    assert wheel.stat().st_size <= 50_000
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(folder)
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"pytest_fencewright"}
    wheel.unlink()
    return folder


@pytest.mark.parametrize("arguments", [(), ("-n", "2")])
def test_it_works_beside_a_project_with_packages_of_the_same_names(
    tmp_path: Path, installed: Path, arguments: tuple[str, ...]
) -> None:
    for name, text in OWN_PROJECT.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (plugin,) = metadata.distributions(path=[str(installed)])
    assert [entry.value for entry in plugin.entry_points.select(group="pytest11")] == ["pytest_fencewright.plugin"]
    ended = pytest_in(tmp_path, *arguments, plugin=(), path=installed)
    assert "3 passed" in ended.stdout, ended.stdout + ended.stderr


def test_a_missing_program_is_reported_by_each_test_that_needs_it(folder: Path) -> None:
    (folder / "visit.fence.yaml").write_text(VISIT + CAME)
    (folder / "test_store.py").write_text("def test_one(fencewright):\n    pass\n\n\ndef test_other():\n    pass\n")
    ended = pytest_in(folder, variables={"FENCEWRIGHT": "/nowhere/fencewright"})
    assert "1 failed, 1 passed, 1 error" in ended.stdout
    reason = "FENCEWRIGHT is '/nowhere/fencewright', which cannot be run; install Fencewright, or set FENCEWRIGHT to"
    assert ended.stdout.count(reason) >= 2
    without = pytest_in(folder, variables={"FENCEWRIGHT": "", "PATH": str(folder)})
    assert "there is no command fencewright; install Fencewright" in without.stdout
    broken = pytest_in(folder, variables={"FENCEWRIGHT": "false"})
    assert "fencewright has not started: it said nothing" in broken.stdout
    assert "'fencewright test' has not run: exit code 1" in broken.stdout


def test_a_running_server_may_be_used(folder: Path) -> None:
    (folder / "test_store.py").write_text(TESTS.partition("def test_who_stays_dwells")[0])
    with Program(folder / "home").serve(":memory:") as server:
        ours = {"FENCEWRIGHT": server.url, "FENCEWRIGHT_SECRET_KEY": server.key()}
        ended = pytest_in(folder, variables=ours)
        assert "1 passed" in ended.stdout, ended.stdout
        without = pytest_in(folder, variables={"FENCEWRIGHT": server.url})
        assert "FENCEWRIGHT_SECRET_KEY must be its Test secret key" in without.stdout
        seeded = "import pytest\n\n\n@pytest.fixture(scope='session')\ndef fencewright_seed():\n    return {}\n"
        (folder / "conftest.py").write_text(seeded)
        assert "has a seed of its own" in pytest_in(folder, variables=ours).stdout


def test_many_scenarios_are_run_together(folder: Path) -> None:
    counting = folder / "counting"
    counting.write_text(f'#!/bin/sh\necho "$#" >> {folder}/starts\nexec {COMMAND} "$@"\n')
    counting.chmod(0o755)
    for number in range(3):
        (folder / f"visit-{number}.fence.yaml").write_text(VISIT + CAME)
    ended = pytest_in(folder, variables={"FENCEWRIGHT": str(counting)})
    assert "3 passed" in ended.stdout
    assert (folder / "starts").read_text().split() == ["5"]


def test_its_types_of_events_and_its_version_are_those_of_the_program() -> None:
    sys.path.insert(0, str(DISTRIBUTION))
    try:
        from pytest_fencewright.expecting import EVENT_TYPES
    finally:
        sys.path.remove(str(DISTRIBUTION))
    assert set(EVENT_TYPES) == {str(kind) for kind in EventType}
    assert tomllib.loads((DISTRIBUTION / "pyproject.toml").read_text())["project"]["version"] == __version__
