"""The program's window, which starts long work and reports when it is in the middle of it.

Run as ``python -m tests.app.stops.working_window WORKSPACE WORK FILE [close]``; with ``close`` it then closes itself.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer

from app.desktop.main import run_desktop
from app.desktop.operations import Lane
from app.desktop.window import main_window
from app.endpoint import EndpointOptions
from app.files import write_file
from app.main import open_session
from engine.domain.environment import Environment
from engine.domain.imports import ImportFile
from engine.domain.ports import Progress
from engine.engine import Engine
from engine.geofences.imports.exporting import ExportFormat
from engine.geofences.promotion.promotions import PromotionQuery

TEST, LIVE = Environment.TEST, Environment.LIVE
_LOOK_EVERY_MS = 50
_, WORKSPACE, WORK, FILE, *CLOSE = sys.argv


def import_file(engine: Engine, progress: Progress) -> None:
    """Import the file."""
    engine.imports.run(TEST, ImportFile(Path(FILE).read_bytes(), Path(FILE).name), progress=progress)


def export(engine: Engine, progress: Progress) -> None:
    """Export all geofences into the file."""
    write_file(Path(FILE), engine.imports.export(TEST, ExportFormat.KML, progress=progress))


def promote(engine: Engine, progress: Progress) -> None:
    """Promote all geofences."""
    engine.promotions.apply(engine.promotions.plan(PromotionQuery()).changes, progress)


def build(engine: Engine, progress: Progress) -> None:
    """Build an area from the file."""
    engine.areas.build(Path(FILE), "town", progress)


def sync(engine: Engine, progress: Progress) -> None:
    """Run the configured sync."""
    engine.nightly.run(TEST, progress=progress)


def change(engine: Engine, progress: Progress) -> None:
    """Store all geofences in Live again, like an edit of many geofences."""
    engine.geofences.put_all(TEST, (), [each.id for each in engine.geofences.all(TEST)], progress)


WORKS: dict[str, Callable[[Engine, Progress], None]] = {
    each.__name__: each for each in (import_file, export, promote, build, sync, change)
}


class WorkingWindow(main_window.MainWindow):
    """The window, with work that begins once the workspace is open."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        self._look = QTimer(self, interval=_LOOK_EVERY_MS)
        self._look.timeout.connect(self._begin_work)
        self._look.start()
        self._is_reported = False

    def _begin_work(self) -> None:
        session = self.model.session
        if session is None:
            return
        self._look.stop()
        engine = session.engine

        def work(progress: Progress) -> None:
            def report(done: int, total: int) -> None:
                progress(done, total)
                self._report_middle(done, total)

            WORKS[WORK](engine, report)

        match WORK:
            case "change":
                self.operations.long_change(WORK, work, _print_done, print)
            case "build" | "sync":
                self.operations.aside(Lane.BUILDING, WORK, work, _print_done, print)
            case _:
                self.operations.long(WORK, work, _print_done, print)

    def _report_middle(self, done: int, total: int) -> None:
        is_amid = 0 < done < total or WORK == "sync"
        if is_amid and not self._is_reported:
            self._is_reported = True
            if CLOSE:
                QTimer.singleShot(0, self, self.close)
            print("middle", flush=True)
            # Suspended until the test resumes it, since on a busy machine the work would be done before it is stopped.
            os.kill(os.getpid(), signal.SIGSTOP)


def _print_done(_: None) -> None:
    print("done", flush=True)


main_window.MainWindow = WorkingWindow  # type: ignore[misc]
sys.exit(run_desktop(Path(WORKSPACE), EndpointOptions(port=0), open_session=open_session))
