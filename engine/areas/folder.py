"""Folders of areas: reading their contents, and adding a new area either completely or not at all."""

import fcntl
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import orjson

from engine.domain.area import Area, Bounds
from engine.domain.errors import Conflict, InvalidParameter
from engine.domain.nesting import not_too_deep

FORMAT: Final = 2
"""Format of an area, raised whenever older programs could not use the result of a build."""

OUTDATED: Final = 0
"""Format of an area that must be rebuilt, whichever version built it."""

ROADS: Final = "roads.tar"
BASEMAP: Final = "basemap.pmtiles"
GAZETTEER: Final = "gazetteer.sqlite"
ENDS: Final = "ends.npy"
"""The ends of the roads at the edge of the area, see `engine.areas.ends`."""

SOURCE: Final = "source.osm.pbf"
"""The extract an area was made from, kept for rebuilding it."""

_MANIFEST: Final = "area.json"
_LOCK: Final = ".lock"
_BUILDING: Final = ".building-"
_REPLACED: Final = ".replaced-"
_NAME: Final = re.compile(r"\w[\w.-]{0,63}")


def check_name(name: str) -> None:
    """Raise `InvalidParameter` ``name`` unless the name can be used for a folder."""
    if not _NAME.fullmatch(name):
        raise InvalidParameter(
            "name", f"name: must be 1 to 64 letters, digits, dots, hyphens or underscores, not {name!r}."
        )


def name_of(file: Path) -> str:
    """Return the name of an area, derived from the file name of its extract."""
    stem = re.sub(r"(-latest)?(\.osm)?(\.pbf|\.xml|\.gz|\.bz2)?$", "", file.name, flags=re.IGNORECASE)
    return re.sub(r"[^\w.-]+", "-", stem).strip("-.")[:64] or "area"


def read_area(folder: Path, *, bundled: bool = False) -> Area | None:
    """Return the area in a folder, or None if it does not contain one."""
    try:
        content: dict[str, Any] = orjson.loads(not_too_deep((folder / _MANIFEST).read_bytes()))
        west, south, east, north = (float(edge) for edge in content["bounds"])
        return Area(
            name=folder.name,
            folder=folder,
            bounds=(west, south, east, north),
            roads=folder / ROADS if (folder / ROADS).is_file() else None,
            basemap=folder / BASEMAP if (folder / BASEMAP).is_file() else None,
            gazetteer=folder / GAZETTEER if (folder / GAZETTEER).is_file() else None,
            ends=folder / ENDS if (folder / ENDS).is_file() else None,
            built_at=datetime.fromisoformat(content["builtAt"]),
            source=str(content["source"]),
            format=int(content["format"]),
            size_bytes=_size_of(folder),
            bundled=bundled,
            measured=bundled or content.get("measured") is True,
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _size_of(folder: Path) -> int:
    size = 0
    for file in folder.iterdir():
        with suppress(FileNotFoundError):  # another process is correcting the bounds
            size += file.stat().st_size
    return size


def write_manifest(folder: Path, *, bounds: Bounds, built_at: datetime, source: str, format: int = FORMAT) -> None:
    """Write the manifest of the area in a folder, with measured bounds."""
    content = {
        "format": format,
        "bounds": bounds,
        "measured": True,
        "builtAt": built_at.isoformat(),
        "source": source,
    }
    new = folder / f".{_MANIFEST}.new"
    new.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2))
    new.replace(folder / _MANIFEST)


def read_areas(areas: Path, *, bundled: bool = False) -> tuple[Area, ...]:
    """Return the areas in the folders below `areas`, by name, and first clean up after killed builds."""
    if not areas.is_dir():
        return ()
    with suppress(OSError):  # a folder that is not writable has no leftovers either
        clear_up(areas)
    folders = sorted(folder for folder in areas.iterdir() if folder.is_dir() and not folder.name.startswith("."))
    return tuple(area for folder in folders if (area := read_area(folder, bundled=bundled)) is not None)


def remove_area(area: Area) -> None:
    """Remove an area from view at once; processes that have its files open can still read them."""
    with _locked(area.folder.parent):
        removed = area.folder.parent / f"{_BUILDING}removed-{area.name}"
        shutil.rmtree(removed, ignore_errors=True)
        area.folder.rename(removed)
    shutil.rmtree(removed, ignore_errors=True)


@contextmanager
def new_area(areas: Path, name: str, *, replace: bool) -> Iterator[Path]:
    """Yield a folder to build in, which becomes the area `name` when the block succeeds.

    Raises `Conflict` ``name`` if the area exists and `replace` is false. If the process is killed, `clear_up` removes
    the folder.
    """
    areas.mkdir(parents=True, exist_ok=True)
    if (areas / name).exists() and not replace:
        raise taken(name)
    with _locked(areas):
        folder = Path(tempfile.mkdtemp(prefix=f"{_BUILDING}{name}-", dir=areas))
        mark = (folder / _LOCK).open("wb")
        fcntl.flock(mark, fcntl.LOCK_EX)
    with mark:
        try:
            yield folder
            folder.chmod(0o755)
            with _locked(areas):
                (folder / _LOCK).unlink()
                _put_in_place(folder, areas / name, replace=replace)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise


def clear_up(areas: Path) -> None:
    """Remove the leftovers of killed builds, and restore areas that they were about to replace."""
    with _locked(areas):
        for old in areas.glob(f"{_REPLACED}*"):
            place = areas / old.name.removeprefix(_REPLACED)
            if place.exists():
                shutil.rmtree(old)
            else:
                old.rename(place)
        for folder in areas.glob(f"{_BUILDING}*"):
            if not _is_marked(folder):
                shutil.rmtree(folder, ignore_errors=True)


def taken(name: str) -> Conflict:
    """Return the error for a name that another area has."""
    return Conflict("name", f"name: an area {name!r} already exists; remove it first, or choose another name.")


def _put_in_place(folder: Path, place: Path, *, replace: bool) -> None:
    old = place.with_name(f"{_REPLACED}{place.name}")
    if place.exists():
        if not replace:
            raise taken(place.name)
        place.rename(old)
    folder.rename(place)
    shutil.rmtree(old, ignore_errors=True)


def _is_marked(folder: Path) -> bool:
    """Return whether a process is building in a folder; it holds a lock that the kernel releases when it dies."""
    try:
        with (folder / _LOCK).open("rb") as mark:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


@contextmanager
def _locked(areas: Path) -> Iterator[None]:
    """Prevent other processes from installing or cleaning up folders during the block."""
    with (areas / _LOCK).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
