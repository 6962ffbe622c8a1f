"""Data in a folder that another machine has prepared, for machines without a network."""

import hashlib
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from app import __version__
from app.setup.checks import PART_NAMES, amount, free_of
from app.setup.data import ALL_PARTS, DATA, FILES, PARTS, Made, Part, Report, SetupFailed, keep_extract, place, put
from engine import bundled
from engine.areas.folder import new_area
from engine.domain.ports import Progress

MANIFEST: Final = "fencewright-data.json"
"""The file with the checksums. It is written last."""

_FORMAT: Final = 1
_CHUNK: Final = 1 << 20
_PLAIN_NAME: Final = re.compile(r"\w[\w.-]*", re.ASCII)


class SavedFile(Struct, frozen=True):
    """A file of a part, with its size in bytes and its SHA-256 checksum."""

    name: str
    size: int
    sha256: str


class SavedPart(Struct, frozen=True):
    """A part: the key of the sources it was built from, and its files."""

    stamp: str
    files: tuple[SavedFile, ...]

    @property
    def size(self) -> int:
        """Size of all files in bytes."""
        return sum(file.size for file in self.files)


class _Manifest(Struct, frozen=True):
    format: int
    version: str
    parts: dict[Part, SavedPart] = {}


class Saved(Struct, frozen=True):
    """A folder with saved data, whose files are there in full length."""

    folder: Path
    parts: dict[Part, SavedPart]


def save(folder: Path, report: Report, parts: Sequence[Part] = PARTS) -> int:
    """Write the data of this machine into a folder, in place of what was saved there before, and return its size.

    Raises `SetupFailed` if a part is missing or the folder contains anything else.
    """
    sources = {part: _files_of(part) for part in ALL_PARTS if part in parts}
    total = sum(file.stat().st_size for files in sources.values() for file in files)
    try:
        _begin(folder, total)
        progress = _Counted(report.building(f"saving {' and '.join(PART_NAMES[part] for part in sources)}"), total)
        saved: dict[Part, SavedPart] = {}
        for part, files in sources.items():
            (folder / part).mkdir(exist_ok=True)
            done = [SavedFile(file.name, *_copy(file, folder / part / file.name, progress.add)) for file in files]
            saved[part] = SavedPart(bundled.stamp_of(DATA[part].folder()), tuple(done))
        _write_manifest(folder, saved)
        progress.end()
    except OSError as error:
        raise SetupFailed(f"{error.filename or folder}: {error.strerror or error}.") from error
    return total


def read_saved(folder: Path, parts: Sequence[Part] = ()) -> Saved:
    """Return the saved data in a folder, only these parts if any are given, after checking that this version can use
    them.

    Checksums are verified while the files are copied. Raises `SetupFailed` naming the file that is wrong.
    """
    manifest = _read_manifest(folder)
    wanted = parts or [part for part in ALL_PARTS if part in manifest.parts]
    lacking = [PART_NAMES[part] for part in wanted if part not in manifest.parts]
    if lacking or not wanted:
        what = " and ".join(lacking) or "any part"
        raise SetupFailed(
            f"{folder} does not contain {what}. Run 'fencewright setup --save' where this version has its data."
        )
    found = {part: manifest.parts[part] for part in ALL_PARTS if part in wanted}
    for part, saved in found.items():
        _check_version(folder, part, found, manifest.version)
        _check_files(folder, part, saved)
    return Saved(folder, found)


def restore(part: Part, saved: Saved, report: Report, *, again: bool = False) -> Made:
    """Put a saved part in place unless it is there already. Nothing is changed if it fails. Raises `SetupFailed`."""
    source = saved.parts[part]

    def fill(folder: Path, work: Path, report: Report) -> None:
        if source.stamp != DATA[part].key():
            raise SetupFailed(f"{PART_NAMES[part]} belongs to another world pack than the one here.")
        _check_room(folder, source.size)
        progress = _Counted(report.building(f"copying {PART_NAMES[part]}"), source.size)
        if part in FILES:
            complete = work / "complete"
            complete.mkdir()
            _copy_all(saved.folder / part, source, complete, progress)
            place(part, complete, folder)
        else:
            with new_area(folder, bundled.PLAN.name, replace=True) as area:
                _copy_all(saved.folder / part, source, area, progress)
                (folder / bundled.STAMP).unlink(missing_ok=True)
            keep_extract(folder)
        progress.end()

    return put(part, fill, report, again=again)


class _Counted:
    """Adds up copied bytes and reports them. The end is reported when the files are in place."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def add(self, size: int) -> None:
        self._done += size
        self._progress(min(self._done, self._total - 1), self._total)

    def end(self) -> None:
        self._progress(self._total, self._total)


def _files_of(part: Part) -> list[Path]:
    data = DATA[part]
    folder = data.folder()
    if not data.is_current_in(folder):
        raise SetupFailed(f"There is no data to save: {PART_NAMES[part]} is missing or was built by another version.")
    if part in FILES:
        return [folder / name for name in FILES[part]]
    area = folder / bundled.PLAN.name
    return sorted(file for file in area.iterdir() if file.is_file() and _PLAIN_NAME.fullmatch(file.name))


def _begin(folder: Path, size: int) -> None:
    """Prepare a folder for saving: an empty one, or one that was saved before, whose data is removed."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        if not (folder / MANIFEST).is_file():
            raise SetupFailed(f"{folder} contains other files. Name an empty or a new folder.")
        for part in ALL_PARTS:
            with suppress(FileNotFoundError):
                shutil.rmtree(folder / part)
    _check_room(folder, size)
    # Until it is complete, it counts as one that contains nothing.
    _write_manifest(folder, {})


def _write_manifest(folder: Path, parts: dict[Part, SavedPart]) -> None:
    content = msgspec.json.format(msgspec.json.encode(_Manifest(_FORMAT, __version__, parts)))
    new = folder / f".{MANIFEST}.new"
    new.write_bytes(content + b"\n")
    new.replace(folder / MANIFEST)


def _read_manifest(folder: Path) -> _Manifest:
    file = folder / MANIFEST
    try:
        manifest = msgspec.json.decode(file.read_bytes(), type=_Manifest)
    except FileNotFoundError:
        raise SetupFailed(
            f"{file} is missing. Run 'fencewright setup --save' where this version has its data, and copy that folder."
        ) from None
    except OSError as error:
        raise SetupFailed(f"{file}: {error.strerror}.") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SetupFailed(f"{file} is damaged: {error}. Copy the folder again.") from error
    if manifest.format != _FORMAT:
        raise _other_version(folder, manifest.version)
    return manifest


def _check_version(folder: Path, part: Part, found: dict[Part, SavedPart], saved_by: str) -> None:
    """Check that a part was built from the sources of this version, and an area beside the right world pack."""
    stamp = found[part].stamp
    if part != "area":
        expected = DATA[part].key()
    else:
        world = found["world"].stamp if "world" in found else bundled.stamp_of(bundled.WORLD.folder())
        expected = bundled.area_key(world)
        if stamp != expected and stamp == bundled.area_key(bundled.WORLD.key()):
            raise SetupFailed("The bundled area belongs to the world pack of this version. Set up both of them.")
    if stamp != expected:
        raise _other_version(folder, saved_by)


def _check_files(folder: Path, part: Part, saved: SavedPart) -> None:
    names = [file.name for file in saved.files]
    complete = set(names) == set(FILES[part]) if part in FILES else "area.json" in names
    if not complete or not all(map(_PLAIN_NAME.fullmatch, names)):
        raise SetupFailed(f"{folder / MANIFEST} is damaged: the files of {PART_NAMES[part]}. Copy the folder again.")
    for file in saved.files:
        path = folder / part / file.name
        try:
            size = path.stat().st_size
        except FileNotFoundError:
            raise SetupFailed(f"{path} is missing. Copy the folder again.") from None
        except OSError as error:
            raise SetupFailed(f"{path}: {error.strerror}.") from error
        if size != file.size:
            raise SetupFailed(f"{path} has {size:,} bytes instead of {file.size:,}. Copy the folder again.")


def _copy_all(source: Path, part: SavedPart, target: Path, progress: _Counted) -> None:
    for file in part.files:
        if _copy(source / file.name, target / file.name, progress.add) != (file.size, file.sha256):
            raise SetupFailed(f"{source / file.name} is damaged: it differs from its checksum. Copy the folder again.")


def _copy(source: Path, target: Path, copied: Callable[[int], None]) -> tuple[int, str]:
    """Copy a file and return its size and checksum."""
    digest, size = hashlib.sha256(), 0
    with source.open("rb") as reading, target.open("wb") as writing:
        while chunk := reading.read(_CHUNK):
            writing.write(chunk)
            digest.update(chunk)
            size += len(chunk)
            copied(len(chunk))
    return size, digest.hexdigest()


def _check_room(folder: Path, size: int) -> None:
    place, free = free_of(folder)
    if free < size:
        raise SetupFailed(f"{place} has {amount(free)} free, and {amount(size)} are required.")


def _other_version(folder: Path, saved_by: str) -> SetupFailed:
    return SetupFailed(
        f"{folder} was saved by Fencewright {saved_by} and does not fit this version, {__version__}. Run 'fencewright "
        "setup --save' where this version has its data."
    )
