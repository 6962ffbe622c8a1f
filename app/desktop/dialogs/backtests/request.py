"""The dialog of a back-test: its input, and its progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QHBoxLayout, QProgressBar, QToolButton, QWidget

from app.desktop.dialogs.backtests.fences import FenceChoice
from app.desktop.dialogs.backtests.history import ColumnTable, HistoryList
from app.desktop.language import tr
from app.desktop.model.backtests.wish import (
    ACCURACY_M,
    LEAST_WORKERS,
    THEN_NEEDS,
    BacktestWish,
    FenceEntry,
    HistoryLook,
    check_output,
    is_unfinished,
    usual_workers,
)
from app.desktop.model.backtests.words import pace_text, progress_text
from app.desktop.model.words import capital, error_text
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.fields.numbers import NumberBox, take_all
from app.desktop.panels.layouts import STRETCH, in_column, in_dialog, in_row
from app.desktop.panels.widgets import GRID, Field, OneLine, button, label, tip_text
from engine.domain.errors import InvalidParameter

if TYPE_CHECKING:
    from engine.backtest.backtest import Progress

_OUTPUT_OF: Final = {"resume": "output", "report": "output", "file": "geofences", "accuracy_m": "accuracy"}
"""The fields that show errors of other parameters."""

_WIDTH_PX: Final = 680
_HEIGHT_PX: Final = 560

_OF_HISTORY: Final = ("history", "columns")


class BacktestDialog(QDialog):
    """Emits requests of back-tests. The dialog is modeless, so the window stays usable while one runs."""

    start_requested = Signal(object)
    cancel_requested = Signal()
    open_requested = Signal()
    look_requested = Signal()
    files_requested = Signal(object)
    workspace_requested = Signal(object)
    output_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Back-test"))
        self.resize(_WIDTH_PX, _HEIGHT_PX)
        self._busy = False
        self._own = Path()
        self._make_fields()
        self._make_progress()
        self.fields = self._wrapped()
        self._arrange()
        self._connect()
        self.show_look(None)
        self.show_end("")

    # Input

    @property
    def wish(self) -> BacktestWish:
        """The requested back-test. Raises `InvalidParameter`."""
        return BacktestWish(
            history=self.history.items,
            output=self.folder,
            columns=self.columns.chosen,
            accuracy_m=self.accuracy.value(),
            fences=self.geofences.source,
            fence_files=self.geofences.files,
            fence_folder=self.geofences.folder,
            against=self.against.source,
            against_files=self.against.files,
            against_folder=self.against.folder,
            then=self.then.isEnabled() and self.then.isChecked(),
            scheduler=self.scheduler.text().strip() or None,
            workers=max(LEAST_WORKERS, int(self.workers.value())),
            skip_bad=self.skip_bad.isChecked(),
        )

    @property
    def folder(self) -> Path:
        """The folder of the output."""
        return Path(self.output.text().strip()).expanduser()

    def offer(
        self, own: Path, names: Mapping[Path, str], geofences: Sequence[FenceEntry], against: Sequence[FenceEntry]
    ) -> None:
        """Offer the geofences and the kept updates of the open workspace `own` and of others, by their names."""
        self._own = own
        self.history.offer_workspaces(names)
        self.geofences.offer(geofences)
        self.against.offer(against)
        self._show_then()

    def show_folder(self, folder: Path) -> None:
        """Fill in the folder of the output."""
        self.output.setText(str(folder))
        self._show_action()

    # Display

    def show_look(self, look: HistoryLook | None) -> None:
        """Show what the history has, or that it is being looked at."""
        notes = () if look is None or look.error is not None else look.notes
        self.look.setText("" if look is None or look.error is not None else look.text)
        self.notes.setText("\n".join(notes))
        self.notes.setVisible(bool(notes))
        self.show_error(None if look is None else look.error)
        if look is not None:
            self.columns.show_names(look.names)

    def show_looking(self) -> None:
        """Show that the history is being looked at."""
        self.look.setText(tr("Reading the history…") if self.history.items else "")
        self.show_error(None)

    def show_running(self) -> None:
        """Show that the back-test has begun."""
        self._set_busy(busy=True)
        self.bar.setRange(0, 0)
        self.state.show_text(tr("Preparing the geofences and the history…"))
        self.pace.show_text("")

    def show_progress(self, progress: Progress) -> None:
        """Show the progress."""
        self.bar.setRange(0, max(progress.total, 1))
        self.bar.setValue(min(progress.fixes, progress.total))
        self.state.show_text(progress_text(progress))
        self.pace.show_text(pace_text(progress))

    def show_cancelling(self) -> None:
        """Show that the back-test is about to stop."""
        self.cancel.setEnabled(False)
        self.state.show_text(tr("Stopping…"))

    def show_end(self, text: str) -> None:
        """Show that no back-test is running, and how the last one ended."""
        self._set_busy(busy=False)
        self.state.show_text(text)
        self.pace.show_text("")
        self._show_action()

    def show_error(self, error: Exception | None) -> None:
        """Show an error at its field, or below the fields. Errors of the history name files, so they get a line."""
        param = error.param if isinstance(error, InvalidParameter) else ""
        param = _OUTPUT_OF.get(param, param)
        text = "" if error is None else error_text(error)
        for name, field in self.fields.items():
            field.show_error(text if name == param and param not in _OF_HISTORY else None)
        self.problem.setText(text if param in _OF_HISTORY else "")
        self.note.setText("" if param in self.fields else text)
        for each in (self.problem, self.note):
            each.setVisible(bool(each.text()))
        if param == "columns":
            self.column_switch.setChecked(True)
        if param in ("scheduler", "workers"):
            self.advanced_switch.setChecked(True)

    def _set_busy(self, *, busy: bool) -> None:
        self._busy = busy
        for field in self.fields.values():
            field.editor.setDisabled(busy)
        self.skip_bad.setDisabled(busy)
        self._show_then()
        self.bar.setVisible(busy)
        self.start.setDisabled(busy)
        self.cancel.setEnabled(busy)

    def _show_action(self) -> None:
        """Name the button after what it does: start, or continue an unfinished back-test."""
        unfinished = bool(self.output.text().strip()) and is_unfinished(self.folder)
        self.start.setText(tr("Resume") if unfinished else tr("Start"))

    def _show_then(self) -> None:
        """Enable the geofences of then where they are possible, and explain why if they are not."""
        possible = self.wish.then_in(self._own) is not None
        self.then.setEnabled(possible and not self._busy)
        self.then.setToolTip("" if possible else tip_text(capital(THEN_NEEDS)))

    # Requests

    def _on_start(self) -> None:
        if not take_all((self.accuracy, self.workers)):
            return
        try:
            wish = self.wish
            if not wish.history:
                raise InvalidParameter("history", tr("history: add a file, a folder or an address."))
            check_output(wish.output)
        except InvalidParameter as error:
            self.show_error(error)
            return
        self.show_error(None)
        self.start_requested.emit(wish)

    def _connect(self) -> None:
        self.history.changed.connect(self.look_requested)
        self.columns.changed.connect(self.look_requested)
        self.skip_bad.toggled.connect(lambda _: self.look_requested.emit())
        for choice in (self.geofences, self.against):
            choice.files_requested.connect(partial(self.files_requested.emit, choice))
            choice.workspace_requested.connect(partial(self.workspace_requested.emit, choice))
        for changed in (self.history.changed, self.geofences.changed, self.against.changed):
            changed.connect(self._show_then)
        self.output.textChanged.connect(lambda _: self._show_action())

    # Construction

    def _make_fields(self) -> None:
        self.history, self.columns = HistoryList(), ColumnTable()
        self.accuracy, self.workers = NumberBox("m"), NumberBox(tr("processes"), decimals=0)
        self.accuracy.setValue(ACCURACY_M)
        self.workers.setValue(usual_workers())
        self.workers.setMinimum(LEAST_WORKERS)
        self.geofences, self.against = FenceChoice(), FenceChoice()
        self.then = QCheckBox(tr("Stored geofences and settings as they were at each update"))
        self.output, self.scheduler = TextLine(), TextLine()
        self.scheduler.setPlaceholderText("tcp://host:8786")
        self.choose = button(tr("Choose…"), self.output_requested.emit)
        self.skip_bad = QCheckBox(tr("Leave out files that cannot be read"))
        self.look, self.notes = label("", "hint", wrap=True), label("", "hint", wrap=True)
        self.problem = label("", "error", wrap=True)
        self.column_switch, self.advanced_switch = _switch(tr("Columns")), _switch(tr("Advanced"))

    def _make_progress(self) -> None:
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Progress"))
        self.bar.setTextVisible(False)
        self.state, self.pace, self.note = OneLine(), OneLine(), label("", "error", wrap=True)
        self.start = button(tr("Start"), self._on_start, "primary")
        self.cancel = button(tr("Cancel"), self.cancel_requested.emit)
        self.open_button = button(tr("Open back-test…"), self.open_requested.emit)

    def _wrapped(self) -> dict[str, Field]:
        output = QWidget()
        in_row((self.output, 1), self.choose, of=output, margins=0, spacing=GRID)
        return {
            "history": Field(tr("History of location updates"), self.history, self.history.list, gap=False),
            "columns": Field("", self.columns, gap=False),
            "geofences": Field(tr("Geofences"), self.geofences),
            "against": Field(tr("Compare with"), self.against),
            "accuracy": Field(tr("Accuracy of fixes without one"), self.accuracy),
            "output": Field(tr("Folder of the output"), output, self.output),
            "workers": Field(tr("Work on this machine"), self.workers),
            "scheduler": Field(tr("Or the scheduler of a Dask cluster"), self.scheduler),
        }

    def _arrange(self) -> None:
        advanced, grid = QWidget(), QGridLayout()
        parts = in_row((self.fields["workers"], 1), (self.fields["scheduler"], 2), spacing=2 * GRID)
        in_column(parts, self.skip_bad, of=advanced, margins=0, spacing=GRID)
        grid.setHorizontalSpacing(2 * GRID)
        for column, (name, stretch) in enumerate((("geofences", 2), ("against", 2), ("accuracy", 1))):
            grid.addWidget(self.fields[name], 0, column)
            grid.setColumnStretch(column, stretch)
        for switch, part in ((self.column_switch, self.fields["columns"]), (self.advanced_switch, advanced)):
            part.setVisible(False)
            switch.toggled.connect(partial(self._show_part, part))
        in_dialog(
            self,
            self.fields["history"],
            in_row((self.look, 1), self.column_switch),
            self.notes,
            self.problem,
            self.fields["columns"],
            grid,
            self.then,
            self.fields["output"],
            in_row(self.advanced_switch, STRETCH),
            advanced,
            STRETCH,
            self.note,
            self.bar,
            self.state,
            self.pace,
            self._buttons(),
        )

    def _show_part(self, part: QWidget, on: bool) -> None:
        """Show or hide a part, and grow or shrink by its height."""
        height = self.height() - (0 if on else part.height())
        part.setVisible(on)
        layout = self.layout()
        if layout is not None:
            layout.activate()
        self.resize(self.width(), max(height, self.sizeHint().height(), _HEIGHT_PX if not on else 0))

    def _buttons(self) -> QHBoxLayout:
        return in_row(self.open_button, STRETCH, self.cancel, self.start)


def _switch(text: str) -> QToolButton:
    """Return a button that shows and hides a part of the dialog."""
    made = QToolButton()
    made.setText(text)
    made.setCheckable(True)
    return made
