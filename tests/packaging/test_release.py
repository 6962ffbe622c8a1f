"""The files of a release: the same from every clone, complete, and without what lies in a checkout."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from app import __version__
from app.setup.packages import npm_command
from tests.packaging.checkout import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("release"),
    pytest.mark.timeout(600),
    pytest.mark.skipif(not (ROOT / "resources/web/assets").is_dir(), reason="this checkout is not set up"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is not a clone"),
    pytest.mark.skipif(npm_command([ROOT / ".tools/node"]) is None, reason="there is no npm"),
]

WHEEL = f"fencewright-{__version__}-py3-none-any.whl"
SOURCES = f"fencewright-{__version__}.tar.gz"
FILES = {
    WHEEL,
    SOURCES,
    f"pytest_fencewright-{__version__}-py3-none-any.whl",
    f"pytest_fencewright-{__version__}.tar.gz",
    f"fencewright-{__version__}.tgz",
    f"fencewright-{__version__}.cdx.json",
}


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def run(command: list[str], folder: Path, umask: int = -1, **environment: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        umask=umask,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def clone(folder: Path) -> Path:
    """Clone the last commit of this checkout, with its web assets, which would need npm and a network."""
    run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(folder)], folder.parent)
    shutil.copytree(ROOT / "resources/web/assets", folder / "resources/web/assets")
    return folder


def make(folder: Path, output: Path, umask: int, timezone: str) -> Path:
    command = [sys.executable, "packaging/release.py", "wheels", "--output", str(output)]
    run(command, folder, umask, TZ=timezone, PYTHONPATH="", LC_ALL="C")
    return output


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release, made from a clone that has been used and changed."""
    folder = clone(tmp_path_factory.mktemp("first") / "fencewright")
    (folder / "app/draft.py").write_text("", encoding="utf-8")
    for name in ("areas/helsinki/tiles.tar", "world/world.sqlite"):
        (folder / "resources" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "resources" / name).write_bytes(b"x")
    return make(folder, folder / "dist", 0o022, "UTC")


def test_another_clone_makes_the_same_files(made: Path, tmp_path: Path) -> None:
    other = make(clone(tmp_path / "a folder"), tmp_path / "out", 0o077, "Asia/Tokyo")
    first, second = ({file.name: digest(file) for file in folder.iterdir()} for folder in (made, other))
    assert first.keys() == {*FILES, "SHA256SUMS"}
    assert first == second


def test_the_checksums_are_those_of_all_files(made: Path) -> None:
    lines = (made / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert dict(line.split("  ")[::-1] for line in lines) == {name: digest(made / name) for name in FILES}


def test_the_source_archive_makes_the_same_wheel(made: Path, tmp_path: Path) -> None:
    with tarfile.open(made / SOURCES) as archive:
        archive.extractall(tmp_path, filter="data")
        (time,) = {int(member.mtime) for member in archive.getmembers()}
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    folder = tmp_path / SOURCES.removesuffix(".tar.gz")
    run(build, folder, SOURCE_DATE_EPOCH=str(time))
    assert digest(tmp_path / WHEEL) == digest(made / WHEEL)


def test_a_wheel_has_the_program_and_nothing_that_a_checkout_gathers(made: Path) -> None:
    with zipfile.ZipFile(made / WHEEL) as archive:
        names = set(archive.namelist())
    assert {"app/main.py", "engine/__init__.py"} <= names
    assert {"resources/web/assets/leaflet/leaflet.js", "app/desktop/language/fencewright_de.qm"} <= names
    assert {"resources/docs/licences.md", "resources/docs/install.md"} <= names
    assert not [name for name in names if name.startswith(("resources/areas", "resources/world", "app/draft"))]
    assert (made / WHEEL).stat().st_size < 15_000_000


def test_the_bill_of_materials_is_that_of_this_version(made: Path) -> None:
    bill = json.loads((made / f"fencewright-{__version__}.cdx.json").read_text(encoding="utf-8"))
    assert bill["metadata"]["component"]["version"] == __version__
    assert len(bill["components"]) > 100
