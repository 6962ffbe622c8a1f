"""Pictures of back-tests: the dialog with the columns of a file, the progress, the results, and travel on the map."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir
from typing import Final

from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.backtests.request import BacktestDialog
from app.desktop.model.backtests.wish import LEAST_WORKERS, FenceSource, HistoryLook
from engine.backtest.backtest import DECIDING, Progress
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from tests.desktop.histories import write_history
from tests.desktop.studio import Studio

TEST: Final = Environment.TEST
CENTER: Final = (9.5220, 47.1410)
DEVICES: Final = 400
FIXES: Final = 2_500
"""Number of fixes of each device, a million together."""
LOOK: Final = HistoryLook(rows=DEVICES * FIXES, files=1).text

_PLACES: Final = (
    *(("depot", "Depot", 0.011, 0.0), ("store", "Bakery", 0.0, 0.008), ("store", "Kiosk", -0.013, 0.001)),
    *(("store", "Market", 0.001, -0.009), ("school", "School", 0.02, 0.012), ("store", "Mill", -0.006, -0.006)),
)


def backtest_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show a back-test of a history with unknown columns, and its comparison with an edit."""
    _open(studio)
    # Always the same folder, since the pictures show it.
    folder = Path(gettempdir()) / "fleet"
    rmtree(folder, ignore_errors=True)
    try:
        yield from _shots(studio, folder)
    finally:
        rmtree(folder)


def _shots(studio: Studio, folder: Path) -> Iterator[tuple[str, QWidget | None]]:
    window = studio.window
    window.actions_.backtest.trigger()
    dialog = window.backtests.dialog
    dialog.show_folder(folder / "backtest-2026-04-01-0900")
    dialog.workers.setValue(LEAST_WORKERS)
    file = write_history(folder / "march.parquet", CENTER, devices=DEVICES, fixes=FIXES, device="vehicle")
    dialog.history.extend((str(file),))
    studio.wait(lambda: bool(dialog.problem.text()), "the missing column")
    yield "backtest-columns", dialog
    dialog.columns.boxes["device"].setCurrentText("vehicle")
    studio.wait(lambda: dialog.look.text() == LOOK, "the history")
    dialog.column_switch.setChecked(False)
    dialog.against.setCurrentIndex(dialog.against.findData(FenceSource.STORED.value))
    dialog.advanced_switch.setChecked(True)
    yield "backtest", dialog
    yield from _run(studio, dialog)


def _open(studio: Studio) -> None:
    """Show geofences of which one is edited in a sandbox."""
    window = studio.window
    studio.open()
    session = window.model.session
    assert session is not None
    for number, (tag, name, east, north) in enumerate(_PLACES):
        place = CENTER[0] + east, CENTER[1] + north
        change = GeofenceChange(
            tag=tag, external_id=str(number), description=name, type="circle", coordinates=place, size=220.0
        )
        session.engine.geofences.create(TEST, change)
    studio.wait(lambda: len(window.model.fences) == len(_PLACES), "the geofences")
    window.actions_.what_if.trigger()
    window.whatif_panel.sandbox.click()
    (kiosk,) = (fence for fence in session.engine.geofences.all(TEST) if fence.summary.description == "Kiosk")
    window.fences.change_shape(kiosk.id, GeofenceChange(size=420.0))
    studio.wait(lambda: window.model.sandbox is not None and bool(window.model.sandbox.edits), "the edit")
    window.map.show_point(CENTER[0] + 0.002, CENTER[1], zoom=14)


def _run(studio: Studio, dialog: BacktestDialog) -> Iterator[tuple[str, QWidget | None]]:
    window = studio.window
    dialog.show_running()
    dialog.show_progress(Progress(DECIDING, 31_400_000, 52_000_000, 214_390, 140.0, 92.0, ()))
    yield "backtest-progress", dialog
    dialog.show_end("")
    dialog.start.click()
    studio.wait(lambda: not dialog.isVisible(), "the results")
    results = window.backtests.results.dialog
    assert results is not None
    results.table.selectRow(0)
    yield "backtest-results", results
    results.travels.click()
    first = window.whatif_panel.list.topLevelItem(0)
    assert first is not None
    window.whatif_panel.list.setCurrentItem(first)
    window.map.show_point(CENTER[0] + 0.002, CENTER[1], zoom=14)
    yield "backtest-map", None
    results.close()
    window.whatif_panel.discard.click()
