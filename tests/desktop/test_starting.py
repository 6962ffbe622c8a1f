"""The start of the window: the modules it loads, and those loaded only on demand."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from app.desktop.map import MapProfile
from app.desktop.map.kept import Kept
from app.desktop.start.starting import WINDOW, begin_map

_ROOT = Path(__file__).parents[2]


def output_of(code: str) -> str:
    """Return the output of a program that starts like the window."""
    begun = f"from app.desktop.start.imports import import_plainly; import_plainly(); import {WINDOW}; {code}"
    done = subprocess.run([sys.executable, "-c", begun], cwd=_ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_no_source_is_read_and_kept() -> None:
    kept = f"import linecache; print([name for name in linecache.cache if {WINDOW.split('.')[-1]!r} in name])"
    assert output_of(kept) == "[]"


def test_pyside_still_makes_its_classes() -> None:
    assert output_of("from PySide6.QtCore import QSize; print(QSize(3, 4).transposed().width())") == "4"


@pytest.mark.slow
@pytest.mark.parametrize(
    "module",
    [
        "alembic",
        "app.desktop.model.backtests.running",
        "app.desktop.plotting",
        "app.session",
        "engine.simulation.formats.reading",
        "freetype",
        "dask",
        "distributed",
        "numpy.random",
        "psutil",
        "pyarrow",
        "pyproj",
        "pyqtgraph",
        "qtawesome",
        "rapidfuzz",
        "sqlalchemy.dialects.postgresql",
    ],
)
def test_modules_the_window_does_not_need_yet_are_not_loaded(module: str) -> None:
    assert output_of(f"import sys; print({module!r} in sys.modules)") == "False"


def test_modules_an_empty_workspace_does_not_need_are_not_loaded() -> None:
    opened = "import sys; from app.session import WorkspaceSession; from engine.store.workspace import MEMORY; "
    lacking = (
        "('app.api.v1', 'pydantic', 'uvicorn', "
        "'engine.simulation.formats.reading', 'numpy.ma', 'numpy.random', 'pyproj', 'rapidfuzz')"
    )
    closed = f"{opened}session = WorkspaceSession(MEMORY, reachable=False); session.close(); "
    assert output_of(f"{closed}print([each for each in {lacking} if each in sys.modules])") == "[]"


def test_a_map_is_begun_while_modules_are_loaded(
    map_profile: MapProfile, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested: list[str] = []
    get = Kept.get

    def counted(kept: Kept, name: str, made_from: bytes, make: Callable[[], bytes]) -> bytes:
        requested.append(name)
        return get(kept, name, made_from, make)

    monkeypatch.setattr(Kept, "get", counted)
    view = begin_map(profile=map_profile)
    assert WINDOW in sys.modules
    qtbot.waitUntil(lambda: "world-10m" in requested)
    view.shutdown()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_a_module_that_cannot_be_loaded_is_reported(map_profile: MapProfile) -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        begin_map(("app.desktop.no_such_module",), profile=map_profile)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
