"""The parts of a diagnostics bundle."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import orjson
from msgspec import Struct, field

from app import __version__
from app.diagnostics.desktop import missing_packages
from app.diagnostics.scrubbing import Scrubber
from engine import bundled
from engine.areas.library import AreaLibrary
from engine.domain.area import Area
from engine.domain.errors import FencewrightError
from engine.domain.words import count
from engine.store.diagnosis.database import Diagnosis, diagnose
from engine.store.keys import KeyRing
from engine.store.workspace import KEYS

_PACKAGES: Final = (
    *("PySide6-Essentials", "PySide6-WebEngine", "SQLAlchemy", "starlette", "uvicorn", "pydantic", "shapely", "numpy"),
    *("pyproj", "pyvalhalla", "osmium", "folium", "pyqtgraph", "orjson", "pyogrio", "pyarrow", "obstore", "keyring"),
)
_SECRET_FILES: Final = ("secrets.json",)
_MB: Final = 1_000_000
_MAX_SECRETS: Final = 1_000_000


class Part(Struct, frozen=True):
    """A file of the bundle: its name, a description, and its content."""

    name: str
    about: str
    content: str


class Subject(Struct, frozen=True):
    """The subject of diagnostics: a workspace folder, if there is one, and facts known only to this process."""

    folder: Path | None
    preferences: Mapping[str, Any] = field(default_factory=dict)
    log: Sequence[str] = ()
    secrets: tuple[str, ...] = ()


def collect(subject: Subject, cancelled: Callable[[], bool] = lambda: False) -> tuple[Part, ...]:
    """Return everything that goes into the bundle, scrubbed."""
    diagnosis = Diagnosis() if subject.folder is None else diagnose(subject.folder, cancelled)
    scrubber = Scrubber((*subject.secrets, *_secrets(subject.folder)))
    areas = () if subject.folder is None else AreaLibrary(subject.folder).list()
    settings = {
        "project": scrubber.settings(diagnosis.settings),
        "nightlySync": scrubber.settings(diagnosis.sync),
        "window": scrubber.settings(subject.preferences),
    }
    parts = (
        Part("system.json", "version, operating system, Qt and packages", _json(_system())),
        Part(
            "database.json", "integrity check, sizes and counts of the database", _json(_database(diagnosis, scrubber))
        ),
        Part("settings.json", "settings: switches and numbers, no texts", _json(settings)),
        Part("areas.json", "areas with their sizes and formats", _json([_area(each) for each in areas])),
        Part("performance.json", "memory, processors and load of this computer", _json(_performance(diagnosis))),
        Part("log.txt", _log_about(subject.log), "".join(f"{scrubber.text(line)}\n" for line in subject.log)),
    )
    # Scrub everything once more, so that no part contains a secret regardless of its origin.
    return tuple(Part(part.name, part.about, scrubber.whole(part.content)) for part in parts)


def _log_about(lines: Sequence[str]) -> str:
    return f"last {count(len(lines), 'line')} of the log, scrubbed" if lines else "log of the window; empty"


def _secrets(folder: Path | None) -> Iterable[str]:
    """Yield the keys and secrets of a workspace, so that they can be removed."""
    if folder is None:
        return
    try:
        if (folder / KEYS).is_file():
            yield from (key.value for key in KeyRing(folder / KEYS).all())
        for name in _SECRET_FILES:
            if (folder / name).is_file():
                yield from _texts(orjson.loads((folder / name).read_bytes()[:_MAX_SECRETS]))
    except (OSError, ValueError, FencewrightError):
        return


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _system() -> dict[str, Any]:
    return {
        "fencewright": __version__,
        "python": sys.version.split()[0],
        "platform": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "qt": _qt(),
        "missingForDesktop": list(missing_packages()),
        "data": {data.name: _data_state(data) for data in (bundled.WORLD, bundled.AREAS, bundled.CITIES)},
        "packages": {name: _version(name) for name in _PACKAGES},
        "display": os.environ.get("XDG_SESSION_TYPE", ""),
        "qtPlatform": os.environ.get("QT_QPA_PLATFORM", ""),
        "language": os.environ.get("LANG", ""),
    }


def _data_state(data: bundled.BundledData) -> str:
    folder = data.folder()
    if not data.is_in(folder):
        return "missing"
    return "current" if data.is_current_in(folder) else "of another version"


def _qt() -> dict[str, str]:
    """Return the versions of Qt, or the error if it cannot be loaded."""
    try:
        from PySide6.QtCore import qVersion
        from PySide6.QtWebEngineCore import qWebEngineChromiumVersion, qWebEngineVersion
    except ImportError as error:
        return {"error": type(error).__name__}
    return {"qt": qVersion(), "webEngine": str(qWebEngineVersion()), "chromium": str(qWebEngineChromiumVersion())}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _database(diagnosis: Diagnosis, scrubber: Scrubber) -> dict[str, Any]:
    return {
        "there": diagnosis.there,
        "sound": diagnosis.there and not diagnosis.problems,
        "problems": [scrubber.text(problem) for problem in diagnosis.problems],
        "schema": diagnosis.version,
        "sizesBytes": diagnosis.sizes_bytes,
        "counts": diagnosis.counts,
    }


def _area(area: Area) -> dict[str, Any]:
    return {
        "name": area.name,
        "bundled": area.bundled,
        "format": area.format,
        "builtAt": area.built_at.date().isoformat(),
        "sizeBytes": area.size_bytes,
        "streetMap": area.basemap is not None,
        "gazetteer": area.gazetteer is not None,
    }


def _performance(diagnosis: Diagnosis) -> dict[str, Any]:
    import psutil  # the window is created without it

    process, memory = psutil.Process(), psutil.virtual_memory()
    return {
        "processors": psutil.cpu_count(),
        "load": [round(each, 2) for each in psutil.getloadavg()],
        "memoryMb": memory.total // _MB,
        "memoryFreeMb": memory.available // _MB,
        "programMb": process.memory_info().rss // _MB,
        "programThreads": process.num_threads(),
        "programCpuSeconds": round(sum(process.cpu_times()[:2]), 1),
        "integrityCheckSeconds": round(diagnosis.seconds, 3),
    }


def _json(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode() + "\n"
