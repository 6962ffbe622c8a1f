"""The window with many geofences, and its start: ``python -m tests.benchmarks.window``.

Each row is a separate process, which opens the window over a stored workspace, drawn in memory unless a display is
named. The map is dragged and zoomed by real mouse and wheel events at three zoom levels. Meanwhile, the page records
the time between its frames, which is a 60th of a second if there are no delays. The memory is that of the whole process
tree, with pages that are shared by several processes counted proportionally (PSS, Linux).
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, time

import orjson

DRAGS, MOVES, TURNS = 12, 24, 16
REST_S = 0.016
ZOOMS = (0.0, 2.0, 5.0)
"""Zoom levels at which the map is dragged, relative to the level that shows all geofences."""

_WATCH = """
window.fwFrames = [];
window.fwWatch = (last) => requestAnimationFrame((now) => { fwFrames.push(now - last); fwWatch(now); });
requestAnimationFrame(fwWatch);
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """Measurements of one window.

    Seconds from the start of the process until the window exists, until the map shows the geofences, and until the
    endpoint responds. Milliseconds between frames. Megabytes.
    """

    window_s: float
    usable_s: float
    serving_s: float
    pan_ms: float
    pan_worst_ms: float
    zoom_ms: float
    zoom_worst_ms: float
    memory_mb: float


def measure(workspace: str, began: float) -> Figures:
    """Return the figures of one window. `began` is the start time of its process in seconds since 1970."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # Import in the order of the program, which loads nothing else before the map's page.
    from app.desktop.start.imports import import_plainly
    from app.main import SWITCHED_AFTER_S, open_session

    sys.setswitchinterval(SWITCHED_AFTER_S)
    import_plainly()
    from app.desktop.application import make_application
    from app.desktop.start.starting import begin_map

    application = make_application()
    begun = begin_map()

    from app.desktop.map import MapProfile
    from app.desktop.memory import Memory
    from app.desktop.window.controllers.workspaces import bind
    from app.desktop.window.main_window import MainWindow
    from tests.desktop.waiting import let_work

    window = MainWindow(bind(open_session, "127.0.0.1", 0), Memory(), begun=begun)
    window.resize(1280, 800)
    window.show()
    application.processEvents()
    window_s = time() - began
    window.workspaces.open(workspace)

    def until(holds: Callable[[], object]) -> None:
        deadline = monotonic() + 300
        while not holds():
            assert monotonic() < deadline, "the window does not come to it"
            let_work(5)

    def settle() -> None:
        shown: list[bool] = []
        window.map.when_settled(lambda: shown.append(True))
        until(lambda: shown)

    def is_read() -> bool:
        """Whether nothing is in progress except the start of the endpoint."""
        session = window.model.session
        if session is None or not window.map.is_ready():
            return False
        return window.operations.under_way <= (1 if session.url is None else 0)

    until(is_read)
    settle()
    usable_s = time() - began
    until(lambda: window.operations.under_way == 0)
    serving_s = time() - began
    settle()
    hand = _Hand(window.map, until)
    hand.ask(_WATCH)
    zoom, (longitude, latitude) = window.map.zoom(), window.map.center()
    pans, zooms = list[float](), list[float]()
    for level in ZOOMS:
        window.map.show_point(longitude, latitude, zoom=zoom + level)
        settle()
        pans += hand.frames(hand.drags)
        zooms += hand.frames(hand.turns)
    settle()
    let_work(3_000)
    memory_mb = _memory_mb()
    window.finish()
    until(lambda: window._ended)
    MapProfile.release_shared()
    return Figures(
        window_s,
        usable_s,
        serving_s,
        statistics.median(pans),
        max(pans),
        statistics.median(zooms),
        max(zooms),
        memory_mb,
    )


class _Hand:
    """Drags a map and turns the wheel on it, and reads the times that its page recorded."""

    def __init__(self, view: object, until: Callable[[Callable[[], object]], None]) -> None:
        from app.desktop.map import MapView
        from tests.desktop.waiting import let_work

        assert isinstance(view, MapView)
        self._view, self._until, self._let_work = view, until, let_work

    def ask(self, script: str) -> object:
        """Run a script in the page and return its value."""
        answers: list[object] = []
        self._view._page.runJavaScript(script, 0, answers.append)
        self._until(lambda: answers)
        return answers[0]

    def frames(self, act: Callable[[], None]) -> list[float]:
        """Return the times between frames during an action, and for half a second after it."""

        self.ask("fwFrames.length = 0; 1")
        act()
        self._let_work(500)
        answer = self.ask("JSON.stringify(fwFrames)")
        assert isinstance(answer, str)
        return [float(each) for each in orjson.loads(answer)]

    def drags(self) -> None:
        """Drag the map back and forth."""
        from PySide6.QtCore import QPoint, Qt
        from PySide6.QtTest import QTest

        target, left = self._view.render_widget(), Qt.MouseButton.LeftButton
        assert target is not None
        middle = target.rect().center()
        for number in range(DRAGS):
            way = QPoint(340, 120) * (1 if number % 2 else -1)
            QTest.mouseMove(target, middle)
            QTest.mousePress(target, left, Qt.KeyboardModifier.NoModifier, middle)
            for step in range(1, MOVES + 1):
                QTest.mouseMove(target, middle + way * step / MOVES)
                self._let_work(round(REST_S * 1000))
            QTest.mouseRelease(target, left, Qt.KeyboardModifier.NoModifier, middle + way)

    def turns(self) -> None:
        """Zoom in and out with the wheel."""
        from PySide6.QtCore import QPoint, QPointF, Qt
        from PySide6.QtGui import QWheelEvent
        from PySide6.QtWidgets import QApplication

        target = self._view.render_widget()
        assert target is not None
        at = QPointF(target.rect().center())
        for turn in range(TURNS):
            delta = QPoint(0, 120 if turn < TURNS // 2 else -120)
            none = Qt.MouseButton.NoButton
            event = QWheelEvent(
                at,
                QPointF(target.mapToGlobal(at.toPoint())),
                QPoint(),
                delta,
                none,
                Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            QApplication.sendEvent(target, event)
            self._let_work(150)


def _memory_mb() -> float:
    """Return the memory of this process and all its children."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # the process has just ended
                continue
    tree, found = set[int](), {os.getpid()}
    while found:
        tree |= found
        found = {pid for pid, parent in parents.items() if parent in tree} - tree
    return sum(_pss_kb(pid) for pid in tree) / 1e3


def _pss_kb(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def main() -> None:
    """Print a table, or with ``--one`` measure one window and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fences", type=int, nargs="+", default=[0, 10_000, 100_000])
    parser.add_argument("--turns", type=int, default=1, help="how often everything is measured")
    parser.add_argument("--workspaces", type=Path, default=Path(tempfile.gettempdir()) / "fencewright-benchmarks")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one is not None:
        workspace, began = orjson.loads(arguments.one)
        print(orjson.dumps(asdict(measure(workspace, began))).decode())
        return
    from tests.benchmarks.workspaces import copied

    print("   fences  window s  usable s serving s   pan ms   worst  zoom ms   worst       MB")
    for _ in range(arguments.turns):
        for fences in arguments.fences:
            with tempfile.TemporaryDirectory() as folder:
                workspace = str(copied(arguments.workspaces, Path(folder), fences))
                given = orjson.dumps([workspace, time()]).decode()
                command = [sys.executable, "-m", "tests.benchmarks.window", "--one", given]
                done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
            row = Figures(**orjson.loads(done.stdout.splitlines()[-1]))
            print(
                f"{fences:9,d} {row.window_s:9.2f} {row.usable_s:9.2f} {row.serving_s:9.2f} {row.pan_ms:8.0f}"
                f" {row.pan_worst_ms:7.0f} {row.zoom_ms:8.0f} {row.zoom_worst_ms:7.0f} {row.memory_mb:8.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
