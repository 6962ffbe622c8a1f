"""Builds the data that is too large for the package: the world pack, and an initial area.

Both are built from packages, which are downloaded for that and removed afterwards. The result appears as a whole or not
at all.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Literal, Protocol

from msgspec import Struct

from app.setup.packages import PackagesError, fetch_npm, fetch_python, obtain_npm
from engine import bundled
from engine.areas.builder import run_build, run_world_build
from engine.areas.folder import SOURCE
from engine.areas.tools import BuildFailed
from engine.domain.errors import FencewrightError
from engine.domain.ports import Progress

type Part = Literal["world", "area"]

PARTS: Final[tuple[Part, ...]] = ("world", "area")
"""Parts in build order: the area takes the names of countries and states from the world pack."""

_LOCK: Final = ".setup.lock"
_WORK: Final = ".setup-"
_EXTRACT_LOCK: Final = ".extract"
_WORLD_FILES: Final = ("ip.mmdb", "manifest.json", bundled.WORLD_FILE)
_LOOK_EVERY_S: Final = 0.2


class SetupFailed(FencewrightError):
    """A part of the data cannot be built. The previous data is kept."""


class Report(Protocol):
    """Receives progress. Every method may raise `Cancelled`, which ends the work and removes its results."""

    def step(self, label: str) -> None:
        """Begin a step of unknown length, such as a download."""
        ...

    def check(self) -> None:
        """Check for cancellation. Called several times a second during such a step."""
        ...

    def building(self, label: str) -> Progress:
        """Begin a step of known length, and return its progress callback."""
        ...


class Made(Struct, frozen=True):
    """An available part in `folder`. `made` says whether it was built just now."""

    part: Part
    folder: Path
    made: bool


def make(part: Part, report: Report, *, again: bool = False) -> Made:
    """Build a part unless it was already built from the same sources, or in any case with `again`. Raises
    `SetupFailed`."""
    data, build = _WAYS[part]
    if not again and data.is_current_in(data.folder()):
        return Made(part, data.folder(), made=False)
    folder = _writable(data.folders)
    try:
        with _only_one(folder, report) as work:
            if not again and data.is_current_in(folder):
                return Made(part, folder, made=False)
            made_from = data.key()
            build(folder, work, report)
            (work / bundled.STAMP).write_text(f"{made_from}\n", encoding="ascii")
            (work / bundled.STAMP).replace(folder / bundled.STAMP)
    except (PackagesError, BuildFailed) as error:
        raise SetupFailed(error.message if isinstance(error, BuildFailed) else str(error)) from error
    except OSError as error:
        raise SetupFailed(f"{error.filename or folder}: {error.strerror or error}.") from error
    return Made(part, folder, made=True)


def _make_world(folder: Path, work: Path, report: Report) -> None:
    report.step("downloading the sources of the world pack, about 125 MB")
    inputs = bundled.INPUTS / "world"
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copyfile(inputs / name, work / name)
    # In a checkout, the set-up may have installed Node.js there.
    folders = [work / "node", bundled.INPUTS.parents[1] / ".tools" / "node"]
    fetch_npm(obtain_npm(folders, bundled.INPUTS / "node.lock", report.check), work, report.check)
    fetch_python(inputs / "requirements.lock", work / "python", report.check)
    pack = work / "pack"
    run_world_build(work / "node_modules", work / "python", pack, progress=report.building("building the world pack"))
    # Remove the stamp until all files are in place, so that an interrupted set-up starts over.
    (folder / bundled.STAMP).unlink(missing_ok=True)
    for name in _WORLD_FILES:
        (pack / name).replace(folder / name)


def _make_area(folder: Path, work: Path, report: Report) -> None:
    plan = bundled.PLAN
    extract = work / "python" / plan.file
    kept, lock = folder / plan.name / SOURCE, bundled.INPUTS / "area.lock"
    if kept.is_file() and _same(folder / _EXTRACT_LOCK, lock):
        extract.parent.mkdir(parents=True)
        shutil.copyfile(kept, extract)
    else:
        report.step(f"downloading the extract of the area {plan.name}")
        fetch_python(lock, work / "python", report.check)
    (folder / bundled.STAMP).unlink(missing_ok=True)
    progress = report.building(f"building the area {plan.name}")
    run_build(extract, folder, plan.name, source=plan.source, progress=progress, replace=True)
    shutil.copyfile(lock, folder / _EXTRACT_LOCK)


def _same(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.read_bytes() == other.read_bytes()
    return False


def _writable(folders: Sequence[Path]) -> Path:
    """Return the first writable folder, which is created if necessary. Raises `SetupFailed`."""
    for folder in folders:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK | os.X_OK):
                return folder
    raise SetupFailed(f"Neither {folders[0]} nor {folders[-1]} can be written to.")


@contextmanager
def _only_one(folder: Path, report: Report) -> Iterator[Path]:
    """Yield a temporary folder that is removed after the block. Other set-ups wait until then."""
    with (folder / _LOCK).open("wb") as lock:
        if not _try(lock.fileno()):
            report.step("waiting for another setup")
            while not _try(lock.fileno()):
                report.check()
                time.sleep(_LOOK_EVERY_S)
        for left in folder.glob(f"{_WORK}*/"):
            shutil.rmtree(left, ignore_errors=True)
        work = Path(tempfile.mkdtemp(prefix=_WORK, dir=folder))
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)


def _try(lock: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


type _Way = tuple[bundled.BundledData, Callable[[Path, Path, Report], None]]
_WAYS: Final[dict[Part, _Way]] = {"world": (bundled.WORLD, _make_world), "area": (bundled.AREAS, _make_area)}
