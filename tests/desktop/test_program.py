"""The program itself, as a process: the demo and its picture, and the window and its shutdown."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

_ROOT = Path(__file__).parents[2]
_SECONDS = 100


def environment(home: Path) -> dict[str, str]:
    folders = {name: str(home / name) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR")}
    (home / "XDG_RUNTIME_DIR").mkdir(mode=0o700)
    return {**os.environ, **folders, "HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}


@pytest.mark.slow
def test_the_demo_saves_a_picture_and_prints_every_event(tmp_path: Path) -> None:
    picture = tmp_path / "demo.png"
    command = [sys.executable, "-m", "app.main", "demo", "--screenshot", str(picture)]
    done = subprocess.run(
        command, cwd=_ROOT, env=environment(tmp_path), capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(events) == 17
    assert events[0]["type"] == "user.entered_geofence"
    assert events[-1]["geofence"]["externalId"] == "lez-brussels"
    assert [event["createdAt"] for event in events] == sorted(event["createdAt"] for event in events)
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1280, 800)
    colors = {image.pixelColor(x, y).name() for x in range(230, 980, 5) for y in range(60, 540, 5)}
    assert len(colors) > 20, "the map is empty"


@pytest.mark.slow
def test_a_signal_closes_the_window_in_order(qtbot: QtBot, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    command = [sys.executable, "-m", "app.main", "--workspace", str(workspace), "--port", "0"]
    variables = environment(tmp_path)
    process = subprocess.Popen(command, cwd=_ROOT, env=variables, stderr=subprocess.PIPE, text=True)
    try:
        qtbot.waitUntil(lambda: running(workspace / "endpoint.json", process), timeout=_SECONDS * 1000)
        settings = [sys.executable, "-m", "app.main", "settings"]
        shown = subprocess.run(
            settings, cwd=_ROOT, env=variables, capture_output=True, text=True, timeout=_SECONDS, check=True
        )
        assert shown.stderr.startswith(f"fencewright: using the workspace {workspace}, which is open at http://")
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    assert not (workspace / "endpoint.json").exists()
    assert (tmp_path / "XDG_CONFIG_HOME" / "fencewright" / "window.ini").exists()


def running(file: Path, process: subprocess.Popen[str]) -> bool:
    """Return whether the program has published its address. Fails if it has exited."""
    if process.poll() is not None:
        pytest.fail(f"the window did not start: {process.communicate()[1]}")
    return file.exists() and bool(json.loads(file.read_bytes())["url"])


def test_state_lives_without_qt() -> None:
    """The view models must be loadable without Qt."""
    files = (_ROOT / "app/desktop/model").rglob("*.py")
    names = sorted(".".join(path.relative_to(_ROOT).with_suffix("").parts) for path in files)
    assert "app.desktop.model.search.finder" in names
    code = f"""
import importlib, sys
for name in {names!r}:
    importlib.import_module(name)
sys.exit(any(name.startswith("PySide6") for name in sys.modules))
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=_ROOT, timeout=_SECONDS, check=False).returncode == 0
