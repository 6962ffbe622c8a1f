"""The window on screens of several sizes: including its frame, it is never larger than the screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

_OPEN = """
import json, sys
from pathlib import Path
from app.desktop.application import make_application
application = make_application()
from PySide6.QtCore import QTimer
from app.desktop.map import MapProfile
from app.desktop.memory import Memory
from app.desktop.window.main_window import MainWindow
window = MainWindow(lambda folder, progress: None, Memory(Path(sys.argv[1])))
window.show()
def tell():
    box = window.toolbar.search
    print(json.dumps([
        window.screen().availableGeometry().getRect(),
        window.frameGeometry().getRect(),
        [window.width(), window.height()],
        box.isVisible() and window.toolbar.rect().contains(box.geometry()),
    ]))
    window.close()
window.ended.connect(application.quit)
QTimer.singleShot(0, lambda: QTimer.singleShot(200, tell))
application.exec()
window.deleteLater()
MapProfile.release_shared()
"""


def opened(tmp_path: Path, width: int, height: int) -> tuple[list[int], list[int], list[int]]:
    """Open a window on a screen of this size, and return the screen, the window's frame and its size."""
    screen = {"name": "one", "x": 0, "y": 0, "width": width, "height": height, "logicalDpi": 96, "dpr": 1}
    config = tmp_path / "screen.json"
    config.write_text(json.dumps({"screens": [{**screen, "logicalBaseDpi": 96}]}))
    environment = {**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={config}"}
    done = subprocess.run(
        [sys.executable, "-c", _OPEN, str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown, frame, size, search = json.loads(done.stdout)
    assert shown == [0, 0, width, height]
    assert search, "the search is not at hand"
    return shown, frame, size


def check(screen: list[int], frame: list[int]) -> None:
    left, top, width, height = frame
    assert left >= 0
    assert top >= 0
    assert left + width <= screen[2]
    assert top + height <= screen[3]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 800), (1366, 728), (853, 533)])
def test_the_first_window_is_within_its_screen(tmp_path: Path, size: tuple[int, int]) -> None:
    screen, frame, shown = opened(tmp_path, *size)
    check(screen, frame)
    if size == (1920, 1080):
        assert shown == [1280, 800]


@pytest.mark.slow
def test_a_window_that_had_a_larger_screen_comes_back_within_this_one(tmp_path: Path) -> None:
    opened(tmp_path, 1920, 1080)
    screen, frame, _ = opened(tmp_path, 1024, 640)
    check(screen, frame)
