"""The results of a back-test, in their dialog, on the map and in What if."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app.backtest.formats import PAGE
from app.desktop.dialogs.backtests.results import BacktestResultsDialog
from app.desktop.language import tr
from app.desktop.map import MapView
from app.desktop.model.backtests.results import ResultRow, differences_of, lines_of
from app.desktop.model.backtests.words import examples_text
from app.desktop.model.whatif.findings import Findings
from app.desktop.window.controllers.on_map import OnMap
from app.desktop.window.docks import Docks
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geometry import Point

if TYPE_CHECKING:
    from engine.backtest.results import BacktestReport

_MARGIN_DEGREES = 0.002


class BacktestResults(QObject):
    """Shows one report at a time."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        findings: Findings,
        map_view: MapView,
        on_map: OnMap,
        docks: Docks,
        message: MessageLine,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._findings = window, model, findings
        self._map, self._on_map, self._docks, self._message = map_view, on_map, docks, message
        self.open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl
        self.dialog: BacktestResultsDialog | None = None

    def show(self, report: BacktestReport, folder: Path) -> None:
        """Show a report, and its differences in What if."""
        self.close()
        dialog = self.dialog = BacktestResultsDialog(self._window, report, folder)
        dialog.row_chosen.connect(self._on_row)
        dialog.travels_toggled.connect(self._on_travels)
        dialog.differences_requested.connect(self.show_differences)
        dialog.page_requested.connect(lambda: self._open(folder / PAGE))
        dialog.folder_requested.connect(lambda: self._open(folder))
        dialog.finished.connect(self._on_finished)
        self.show_differences()
        dialog.show()

    def close(self) -> None:
        """Close the dialog, if it is open."""
        if self.dialog is not None:
            self.dialog.reject()

    def show_differences(self) -> None:
        """List the differences in What if, and mark them on the map."""
        report = None if self.dialog is None else self.dialog.report
        if report is not None and report.comparison is not None:
            self._findings.show_backtest(differences_of(report), examples_text(report.comparison))
            self._docks.bring(self._docks.whatif)

    def _on_row(self, row: ResultRow) -> None:
        """Select the geofence of a row, or show its place if the workspace has no such geofence."""
        fence = next((each for each in self._model.fences.named() if (each.tag, each.external_id) == row.names), None)
        if fence is not None:
            self._model.selection.select_fence(fence.id)
            self._map.reveal_fence(fence.id)
        else:
            self._model.selection.clear()
            self._on_map.reveal_point(row.fence.longitude, row.fence.latitude)
            self._on_map.peek(Point(row.fence.longitude, row.fence.latitude))

    def _on_travels(self, on: bool) -> None:
        dialog = self.dialog
        if dialog is None:
            return
        lines = lines_of(dialog.report) if on else []
        self._map.set_travels(lines)
        if lines:
            longitudes = [each for line in lines for each in (line[0], line[2])]
            latitudes = [each for line in lines for each in (line[1], line[3])]
            corner = max(longitudes) + _MARGIN_DEGREES, max(latitudes) + _MARGIN_DEGREES
            self._map.fit((min(longitudes) - _MARGIN_DEGREES, min(latitudes) - _MARGIN_DEGREES, *corner))

    def _open(self, path: Path) -> None:
        if not path.exists() or not self.open_url(QUrl.fromLocalFile(str(path))):
            self._message.complain(tr("{file} cannot be opened.", file=path))

    def _on_finished(self) -> None:
        """Remove what belongs to the report from the map and from What if."""
        self.dialog = None
        self._map.set_travels([])
        self._on_map.peek(None)
        if self._findings.are_of_backtest:
            self._findings.show(None)
