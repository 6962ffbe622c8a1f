"""Checks before a set-up: what it will download, how much room it needs, and everything that is missing for that."""

import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import orjson
from msgspec import Struct
from msgspec.structs import replace

from app.setup.data import (
    ALL_PARTS,
    DATA,
    NODE,
    PARTS,
    SIZES,
    Part,
    SetupFailed,
    clear_up,
    has_extract,
    node_folders,
    writable,
)
from app.setup.packages import PackagesError, check_npm, check_python, installer_command, installer_name, npm_command
from engine import bundled

PART_NAMES: Final[dict[Part, str]] = {
    "world": "the world pack",
    "area": "the bundled area",
    "cities": "the city data of IP addresses",
}
ELSEWHERE: Final = (
    "To do without a download: 'fencewright setup --save FOLDER' where it works, and 'fencewright setup --from FOLDER' "
    "here"
)
_SMALL_PACKAGE: Final = "wgs84"
"""The npm package that is fetched to check the registry. It has a few kilobytes."""


class Plan(Struct, frozen=True):
    """Requirements for the set-up of a part, in bytes, and the problems that prevent it.

    If the part is `current`, nothing is done. `tools` are the programs that download.
    """

    part: Part
    folder: Path
    current: bool = False
    download: int = 0
    work: int = 0
    kept: int = 0
    tools: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class NotPossible(SetupFailed):
    """Parts cannot be built, because of these `problems`."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class _Indexes:
    """The package indexes, each of which is queried once. The answers are problems, or "" if there is none."""

    def __init__(self, check: Callable[[], None]) -> None:
        self._check = check
        self._python: str | None = None

    def python(self, lock: Path) -> str:
        if self._python is None:
            self._python = _problem(lambda: check_python(lock, self._check))
        return self._python

    def npm(self, npm: Sequence[str]) -> str:
        return _problem(lambda: check_npm(npm, _small_package(), self._check))


def _problem(check: Callable[[], None]) -> str:
    try:
        check()
    except PackagesError as error:
        return str(error).removesuffix(".")
    return ""


def is_frozen() -> bool:
    """Return whether this is a self-contained program, which cannot install packages."""
    return bool(getattr(sys, "frozen", False))


def missing() -> tuple[Part, ...]:
    """Return the usual parts of which there is no version at all. Hardly any files are read."""
    return tuple(part for part in PARTS if not DATA[part].is_in(DATA[part].folder()))


def needed(parts: Sequence[Part] = PARTS, *, again: bool = False) -> tuple[Part, ...]:
    """Return the parts that a set-up would put in place."""
    pending: list[Part] = []
    for part in ALL_PARTS:
        if part in parts and (again or not _is_current(part, pending)):
            pending.append(part)
    return tuple(pending)


def look(
    parts: Sequence[Part] = PARTS, *, again: bool = False, check: Callable[[], None] = lambda: None
) -> tuple[Plan, ...]:
    """Return a plan for each part, after all checks. `check` may raise to cancel.

    This takes a few seconds, since the package indexes are queried if anything must be downloaded.
    """
    pending = needed(parts, again=again)
    indexes = _Indexes(check)
    plans = [_plan(part, indexes) if part in pending else _current(part) for part in ALL_PARTS if part in parts]
    return tuple(_with_room(plans))


def problems_of(plans: Sequence[Plan]) -> tuple[str, ...]:
    """Return the problems of all plans, each of them once."""
    return tuple(dict.fromkeys(problem for plan in plans for problem in plan.problems))


def free_of(folder: Path) -> tuple[Path, int]:
    """Return the free bytes on the disk of a folder, and the folder or its first existing parent."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    return there, shutil.disk_usage(there).free


def amount(size: float) -> str:
    """Return a size in bytes as a string, such as ``167 MB`` or ``1.2 GB``."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def _is_current(part: Part, pending: Sequence[Part]) -> bool:
    data = DATA[part]
    if part == "area" and "world" in pending:
        # The area will be beside the world pack of this version.
        key = bundled.area_key(bundled.WORLD.key())
        return any(data.is_in(folder) and bundled.stamp_of(folder) == key for folder in data.folders)
    return data.is_current_in(data.folder())


def _current(part: Part) -> Plan:
    return Plan(part, DATA[part].folder(), current=True)


def _plan(part: Part, indexes: _Indexes) -> Plan:
    try:
        folder = writable(DATA[part].folders)
        clear_up(folder)
        _check_frozen(part)
    except SetupFailed as error:
        return Plan(part, DATA[part].folder(), problems=(error.message.removesuffix("."),))
    size = SIZES[part]
    if part == "area" and has_extract(folder):
        return Plan(part, folder, work=size.work, kept=size.kept)
    plan = Plan(part, folder, download=size.download, work=size.work, kept=size.kept)
    if part != "cities":
        lock = bundled.INPUTS / ("world/requirements.lock" if part == "world" else "area.lock")
        plan = _with_python(plan, lock, indexes)
    return plan if part == "area" else _with_npm(plan, indexes)


def _check_frozen(part: Part) -> None:
    """Raise `SetupFailed` if this is a self-contained program that cannot download a part."""
    if is_frozen() and part != "cities":
        raise SetupFailed("this program contains its data and cannot download packages; copy the data from a folder")
    if is_frozen() and npm_command() is None:
        raise SetupFailed("npm is missing: install Node.js 20 or newer, or copy the data from a folder")


def _with_python(plan: Plan, lock: Path, indexes: _Indexes) -> Plan:
    """Add the installer of Python packages and the problem with it, if any."""
    if (problem := indexes.python(lock)) != "":
        plan = replace(plan, problems=(*plan.problems, problem))
    installer = installer_command()
    return plan if installer is None else replace(plan, tools=(*plan.tools, installer_name(installer)))


def _with_npm(plan: Plan, indexes: _Indexes) -> Plan:
    """Add npm and the problem with it, if any, or a Node.js that contains it."""
    npm = npm_command(node_folders(plan.folder))
    if npm is not None:
        problem = indexes.npm(npm)
        return replace(
            plan, tools=("npm", *plan.tools), problems=(*plan.problems, problem) if problem else plan.problems
        )
    # Node.js is a Python package, whose download needs nothing else.
    if not plan.tools:
        plan = _with_python(plan, bundled.INPUTS / "node.lock", indexes)
    return replace(
        plan, tools=(*plan.tools, "Node.js"), download=plan.download + NODE.download, work=plan.work + NODE.work
    )


def _small_package() -> str:
    lock = orjson.loads((bundled.INPUTS / "world" / "package-lock.json").read_bytes())
    return f"{_SMALL_PACKAGE}@{lock['packages'][f'node_modules/{_SMALL_PACKAGE}']['version']}"


def _with_room(plans: Sequence[Plan]) -> list[Plan]:
    """Add a problem to the plans for which the disks have no room. The parts are built one after the other."""
    checked: list[Plan] = []
    kept = 0
    for plan in plans:
        problems = plan.problems
        if not plan.current:
            place, free = free_of(plan.folder)
            wanted = kept + plan.work + plan.download
            if free < wanted:
                error = SetupFailed(f"{place} has {amount(free)} free, and {amount(wanted)} are required for the build")
                problems = (*problems, error.message)
            kept += plan.kept
        checked.append(replace(plan, problems=problems))
    return checked
