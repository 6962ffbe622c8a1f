"""The folders that hold areas: what is in one, and how a new one appears whole or not at all."""

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
"""The format of an area; a new one whenever what a build makes is not what an older program would expect."""

OUTDATED: Final = 0
"""The format of an area that has to be built anew, whichever version built it."""

ROADS: Final = "roads.tar"
BASEMAP: Final = "basemap.pmtiles"
GAZETTEER: Final = "gazetteer.sqlite"
SOURCE: Final = "source.osm.pbf"
"""The extract an area was made from, kept for building it anew."""

_MANIFEST: Final = "area.json"
_LOCK: Final = ".lock"
_BUILDING: Final = ".building-"
_REPLACED: Final = ".replaced-"
_NAME: Final = re.compile(r"\w[\w.-]{0,63}")


def check_name(name: str) -> None:
    """Raise `InvalidParameter` ``name`` for what cannot be the name of a folder."""
    if not _NAME.fullmatch(name):
        raise InvalidParameter(
            "name", f"name: must be 1 to 64 letters, digits, dots, hyphens or underscores, not {name!r}."
        )


def name_of(file: Path) -> str:
    """Return what to call an area after the file of its extract."""
    stem = re.sub(r"(-latest)?(\.osm)?(\.pbf|\.xml|\.gz|\.bz2)?$", "", file.name, flags=re.IGNORECASE)
    return re.sub(r"[^\w.-]+", "-", stem).strip("-.")[:64] or "area"


def read_area(folder: Path, *, bundled: bool = False) -> Area | None:
    """Return the area in a folder; None where there is none."""
    try:
        content: dict[str, Any] = orjson.loads(not_too_deep((folder / _MANIFEST).read_bytes()))
        west, south, east, north = (float(edge) for edge in content["bounds"])
        return Area(
            name=folder.name,
            folder=folder,
            bounds=(west, south, east, north),
            roads=folder / ROADS,
            basemap=folder / BASEMAP if (folder / BASEMAP).is_file() else None,
            gazetteer=folder / GAZETTEER if (folder / GAZETTEER).is_file() else None,
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
        with suppress(FileNotFoundError):  # another process puts the bounds right
            size += file.stat().st_size
    return size


def write_manifest(folder: Path, *, bounds: Bounds, built_at: datetime, source: str, format: int = FORMAT) -> None:
    """Say in a folder what area it holds, with bounds that were measured."""
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
    """Return the areas in the folders below `areas`, by name, after clearing up behind builds that died."""
    if not areas.is_dir():
        return ()
    with suppress(OSError):  # where nothing may be written, nothing was left either
        clear_up(areas)
    folders = sorted(folder for folder in areas.iterdir() if folder.is_dir() and not folder.name.startswith("."))
    return tuple(area for folder in folders if (area := read_area(folder, bundled=bundled)) is not None)


def remove_area(area: Area) -> None:
    """Remove an area at once as far as others can see; whoever has its files open can go on reading."""
    with _locked(area.folder.parent):
        gone = area.folder.parent / f"{_BUILDING}removed-{area.name}"
        shutil.rmtree(gone, ignore_errors=True)
        area.folder.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


@contextmanager
def new_area(areas: Path, name: str, *, replace: bool) -> Iterator[Path]:
    """Yield a folder to build in, which becomes the area `name` at the end of the block, or nothing if it raises.

    Raises `Conflict` ``name`` where the area is there already and not to be replaced. The folder of a process that
    is killed meanwhile is removed by `clear_up`.
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
    """Remove what builds that were killed left, and bring back what they were about to replace."""
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
    """Whether a process is building in a folder: it holds a lock, which the kernel drops when it dies."""
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
    """Keep other processes from putting folders in place, or clearing up, during the block."""
    with (areas / _LOCK).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
