"""Controller of back-tests: looks at the history, runs the work in processes of its own, and shows the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QStandardPaths, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.backtest.folders import new_folder
from app.desktop.dialogs.backtests.fences import FenceChoice
from app.desktop.dialogs.backtests.request import BacktestDialog
from app.desktop.dialogs.files import HISTORIES, TABLES, FileChooser
from app.desktop.language import counted, tr
from app.desktop.map import MapView
from app.desktop.memory import Memory
from app.desktop.model.backtests.wish import (
    BacktestWish,
    FenceEntry,
    FenceSource,
    HistoryLook,
    is_kept,
    is_unfinished,
    workspace_labels,
)
from app.desktop.model.words import error_text, workspace_name
from app.desktop.operations import Lane, Task
from app.desktop.session import OtherWorkspaces, Session
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.on_map import OnMap
from app.desktop.window.controllers.whatif.controller import WhatIfController
from app.desktop.window.docks import Docks
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from app.open_workspaces import open_workspaces
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.ports import Cancelled, Progress, SystemClock
from engine.extras import how_to_install
from engine.store.workspace import is_workspace

if TYPE_CHECKING:
    from app.desktop.model.backtests.ground import Ground
    from app.desktop.window.controllers.backtests.results import BacktestResults
    from engine.backtest.backtest import Progress as BacktestProgress
    from engine.backtest.results import BacktestReport

_LIBRARIES: Final = frozenset({"dask", "distributed", "pyarrow"})
_SHOWN_EVERY_S: Final = 0.2
_LOOK_AFTER_MS: Final = 300


class BacktestController(QObject):
    """Runs one back-test at a time."""

    _progressed = Signal(object)

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        whatif: WhatIfController,
        map_view: MapView,
        on_map: OnMap,
        docks: Docks,
        files: FileChooser,
        message: MessageLine,
        memory: Memory,
        others: OtherWorkspaces | None,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._whatif = window, model, whatif
        self._map, self._on_map, self._docks = map_view, on_map, docks
        self._files, self._message, self._memory, self._others = files, message, memory, others
        self._known: tuple[Path, ...] = ()
        self._dialog: BacktestDialog | None = None
        self._results: BacktestResults | None = None
        self._task: Task | None = None
        self._looking: Task | None = None
        self._shown_at = 0.0
        self._look = QTimer(self, singleShot=True, interval=_LOOK_AFTER_MS)
        self._look.timeout.connect(self._look_at)
        self._progressed.connect(self._on_progress)
        for changed in (model.environment_changed, model.sandbox_changed, model.history_changed, model.opened):
            changed.connect(self._offer)
        for changed in (model.environment_changed, model.opened):
            changed.connect(self._look_again)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.backtest.triggered.connect(lambda: self.open())
        actions.open_backtest.triggered.connect(lambda: self.choose_report())

    @property
    def dialog(self) -> BacktestDialog:
        """The dialog, created on first use."""
        if self._dialog is None:
            dialog = self._dialog = BacktestDialog(self._window)
            dialog.start_requested.connect(self.run)
            dialog.cancel_requested.connect(self.cancel)
            dialog.open_requested.connect(self.choose_report)
            dialog.look_requested.connect(self._on_history)
            dialog.files_requested.connect(self._choose_fences)
            dialog.workspace_requested.connect(self._choose_workspace)
            dialog.output_requested.connect(self._choose_output)
            dialog.history.files_requested.connect(self._choose_history)
            dialog.history.folder_requested.connect(lambda: self._choose_folder(tr("History")))
            dialog.history.workspace_requested.connect(lambda: self._choose_folder(tr("Kept updates of a workspace")))
        return self._dialog

    @property
    def results(self) -> BacktestResults:
        """The controller of the results, which is loaded on first use."""
        if self._results is None:
            from app.desktop.window.controllers.backtests.results import BacktestResults

            findings = self._whatif.findings
            self._results = BacktestResults(
                self._window, self._model, findings, self._map, self._on_map, self._docks, self._message
            )
        return self._results

    def open(self) -> None:
        """Open the dialog."""
        if self._model.session is None:
            return
        dialog = self.dialog
        if self._task is None and (not dialog.output.text() or dialog.folder.exists()):
            documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
            dialog.show_folder(new_folder(Path(documents or Path.home()), SystemClock().now().astimezone()))
        self._offer()
        self._find_workspaces()
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    # Running

    def run(self, wish: BacktestWish) -> None:
        """Run a back-test."""
        session, dialog = self._model.session, self.dialog
        if session is None or self._task is not None:
            return
        ground = self._ground(session)

        def work(report: Progress) -> BacktestReport:
            from app.desktop.model.backtests.running import run_wish

            return run_wish(wish, ground(), report, self._emit_progress)

        self._shown_at = 0.0
        self._look.stop()
        if self._looking is not None:
            self._looking.cancel()
            dialog.show_look(None)
        dialog.show_running()
        text = tr("Back-test {folder_name}", folder_name=wish.output.name)
        self._task = self._model.operations.aside(
            Lane.BACKTESTING,
            text,
            _needing_libraries(work),
            lambda report: self._on_done(report, wish.output),
            self._failed,
        )

    def _ground(self, session: Session) -> Callable[[], Ground]:
        """Return a function that makes the ground of a back-test as it is now, in a worker with the libraries."""
        engine, environment, edits, others = session.engine, self._model.environment, self._whatif.edits(), self._others

        def make() -> Ground:
            from app.desktop.model.backtests.ground import Ground

            return Ground(engine, environment, edits, others)

        return make

    def cancel(self) -> None:
        """Cancel the running back-test. What is finished is kept, so that it can be resumed."""
        if self._task is not None:
            self._task.cancel()
            self.dialog.show_cancelling()

    def _failed(self, error: Exception) -> None:
        self._task = None
        if isinstance(error, Cancelled):
            kept = is_unfinished(self.dialog.folder)
            text = tr("Stopped. Finished parts are kept, and Resume continues with them.") if kept else tr("Stopped.")
            self.dialog.show_end(text)
            return
        self.dialog.show_end("")
        self.dialog.show_error(error)
        if not self.dialog.isVisible():
            self._message.complain(error_text(error), tr("Show"), self.open)

    def _emit_progress(self, progress: BacktestProgress) -> None:
        """Emit the progress. Runs in the worker, which may outlive the window."""
        if monotonic() - self._shown_at >= _SHOWN_EVERY_S:
            self._shown_at = monotonic()
            with suppress(RuntimeError):
                self._progressed.emit(progress)

    def _on_progress(self, progress: BacktestProgress) -> None:
        if self._task is None:
            return
        if self._task.cancelled:
            self.dialog.show_cancelling()
        else:
            self.dialog.show_progress(progress)

    # Results

    def choose_report(self) -> None:
        """Let the user choose the folder of a back-test, and show its report."""
        self._files.open_folder(tr("Open back-test"), self.open_report)

    def open_report(self, folder: Path) -> None:
        """Show the report in a folder."""

        def work(_: Progress) -> BacktestReport:
            from app.desktop.model.backtests.running import report_in

            return report_in(folder)

        self._model.operations.read(
            lambda: _needing_libraries(work)(lambda *_: None),
            lambda report: self.results.show(report, folder),
            lambda error: self._message.complain(error_text(error)),
        )

    def _on_done(self, report: BacktestReport, folder: Path) -> None:
        """Show the results in place of the dialog, or offer them if the user has closed it."""
        self._task = None
        self.dialog.show_end("")
        if self.dialog.isVisible():
            self.dialog.hide()
            self.results.show(report, folder)
        else:
            text = tr("The back-test has ended: {events}.", events=counted(report.events, "event"))
            self._message.keep(text, (tr("Show"), lambda: self.results.show(report, folder)))

    # Input

    def _on_history(self) -> None:
        """Look at the history soon, as several changes may follow one another."""
        if self._looking is not None:
            self._looking.cancel()
        self.dialog.show_looking()
        self._look.start()

    def _look_again(self) -> None:
        """Look at the kept updates of another environment."""
        if self._dialog is not None and self._task is None and any(map(is_kept, self._dialog.history.items)):
            self._on_history()

    def _look_at(self) -> None:
        dialog, session = self.dialog, self._model.session
        if not dialog.history.items or session is None:
            dialog.show_look(None)
            return
        ground = self._ground(session)
        wish = BacktestWish(
            history=dialog.history.items,
            output=dialog.folder,
            columns=dialog.columns.chosen,
            skip_bad=dialog.skip_bad.isChecked(),
        )

        def work(report: Progress) -> HistoryLook:
            from app.desktop.model.backtests.running import look_at

            return look_at(wish, ground(), report)

        def done(look: HistoryLook) -> None:
            if self._looking is task:
                self._looking = None
                dialog.show_look(look)

        def failed(error: Exception) -> None:
            if self._looking is task:
                self._looking = None
                if not isinstance(error, Cancelled):
                    dialog.show_look(None)
                    dialog.show_error(error)

        task = self._looking = self._model.operations.aside(
            Lane.BACKTESTING, tr("Reading the history"), _needing_libraries(work), done, failed
        )

    def _offer(self) -> None:
        """Offer the geofences of the workspace in their current state."""
        if self._dialog is None or self._model.session is None:
            return
        environment, workspace = self._model.environment, self._model.session.engine.workspace
        other = Environment.TEST if environment.live else Environment.LIVE
        labels = workspace_labels(each for each in self._known if each != workspace.folder)
        elsewhere = [self._entry(folder, label) for folder, label in labels.items()]
        stored = FenceEntry(_stored_text(environment), FenceSource.STORED)
        fences, against = [stored, *elsewhere], [FenceEntry(tr("Nothing"), FenceSource.NONE)]
        if edited := len(self._whatif.edits().touched):
            text = tr("{environment} with {edits}", environment=environment.capitalize(), edits=counted(edited, "edit"))
            fences.insert(0, FenceEntry(text, FenceSource.EDITED))
        against += [stored, FenceEntry(_stored_text(other), FenceSource.OTHER), *elsewhere]
        names = {workspace.folder: workspace_name(workspace), **labels}
        self._dialog.offer(workspace.folder, names, fences, against)

    def _entry(self, folder: Path, name: str) -> FenceEntry:
        text = f"{name} ({self._model.environment.capitalize()})"
        return FenceEntry(text, FenceSource.WORKSPACE, folder)

    def _find_workspaces(self) -> None:
        """Find the workspaces that are open or were opened last, to offer them."""
        recent = self._memory.recent()

        def find() -> tuple[Path, ...]:
            found = (*(each.folder for each in open_workspaces() if not each.temporary), *recent)
            return tuple(folder for folder in dict.fromkeys(found) if is_workspace(folder))

        def done(found: tuple[Path, ...]) -> None:
            self._known = found
            self._offer()

        if self._others is not None:
            self._model.operations.read(find, done, lambda error: self._message.complain(error_text(error)))

    def _choose_history(self) -> None:
        def chosen(paths: Sequence[Path]) -> None:
            self.dialog.history.extend(map(str, paths))

        self._files.open_files(tr("History"), HISTORIES, chosen)

    def _choose_fences(self, choice: FenceChoice) -> None:
        self._files.open_files(tr("Geofences"), TABLES, choice.take)

    def _choose_folder(self, title: str) -> None:
        self._files.open_folder(title, lambda folder: self.dialog.history.extend((str(folder),)))

    def _choose_workspace(self, choice: FenceChoice) -> None:
        def chosen(folder: Path) -> None:
            if is_workspace(folder):
                self.dialog.show_error(None)
                choice.take_workspace(self._entry(folder, folder.name))
            else:
                param = "geofences" if choice is self.dialog.geofences else "against"
                text = tr("{param}: there is no workspace in {folder}.", param=param, folder=folder)
                self.dialog.show_error(InvalidParameter(param, text))

        self._files.open_folder(tr("Geofences of a workspace"), chosen)

    def _choose_output(self) -> None:
        dialog = self.dialog
        self._files.new_folder(tr("Folder of the output"), dialog.output.text(), dialog.show_folder)


def _stored_text(environment: Environment) -> str:
    return tr("{environment} as stored", environment=environment.capitalize())


def _needing_libraries[T](work: Callable[[Progress], T]) -> Callable[[Progress], T]:
    """Return work that explains how to install the libraries of back-tests if one is missing."""

    def run(report: Progress) -> T:
        try:
            return work(report)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in _LIBRARIES:
                raise
            how = how_to_install("backtest")
            text = tr("Back-tests need Dask and PyArrow, and {library} is not installed.", library=error.name)
            raise FencewrightError(f"{text} {how}") from None

    return run
