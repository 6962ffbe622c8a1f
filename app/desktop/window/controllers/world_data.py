"""World data in the window: offered at the first start, downloaded or copied in the background, and used at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.files import FileChooser
from app.desktop.dialogs.world_data import WorldDataDialog
from app.desktop.language import tr
from app.desktop.memory import Memory
from app.desktop.model.help.world_data import Stages, offer_text, weights_of
from app.desktop.model.words import error_text
from app.desktop.operations import Lane
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.help.tour import is_automated
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from app.setup.checks import NotPossible, is_frozen, look, missing, problems_of
from app.setup.data import PARTS, Made, Part, make
from app.setup.saved import read_saved, restore
from engine.domain.ports import Cancelled, Progress

type _Work = Callable[[Progress], list[Made]]


class WorldDataController(QObject):
    """Offers missing data once, and sets it up."""

    def __init__(
        self, window: QWidget, model: WorkspaceModel, memory: Memory, files: FileChooser, message: MessageLine
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._memory = window, model, memory
        self._files, self._message = files, message
        self._dialog: WorldDataDialog | None = None
        self._busy = False
        self.automated = is_automated(os.environ)

    @property
    def dialog(self) -> WorldDataDialog:
        """The dialog, created on first use."""
        if self._dialog is None:
            dialog = self._dialog = WorldDataDialog(self._window)
            dialog.download_requested.connect(self.download)
            dialog.choose_requested.connect(self.choose)
            dialog.show_busy(busy=self._busy)
        return self._dialog

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.world_data.triggered.connect(lambda: self.open())

    def open(self) -> None:
        """Open the dialog."""
        self.dialog.show_state()
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def offer(self) -> None:
        """Offer the data if a part is missing, unless the user has declined before."""
        if self._busy or self.automated or self._memory.data_declined or is_frozen():
            return
        if parts := missing():
            accept, decline = (tr("Download"), self.download), (tr("Not now"), self._decline)
            self._message.keep(offer_text(parts), accept, decline)

    def download(self, parts: Sequence[Part] = PARTS) -> None:
        """Check all requirements, then download and build those of the parts that are missing."""
        self._run(tr("Setting up world data"), lambda progress: _build(parts, progress))

    def choose(self) -> None:
        """Let the user choose a folder with saved data."""
        self._files.open_folder(tr("Folder with world data"), self.copy)

    def copy(self, folder: Path) -> None:
        """Copy the data from a folder that another computer has saved."""
        self._run(tr("Copying world data"), lambda progress: _restore(folder, progress))

    def _decline(self) -> None:
        self._memory.data_declined = True
        self._message.show_info(tr("“World data…” in the menu Project downloads it later."))

    def _run(self, text: str, work: _Work) -> None:
        if self._busy:
            return
        self._show_busy(busy=True)
        self._model.operations.aside(Lane.BUILDING, text, work, self._on_done, self._on_failed)

    def _on_done(self, made: list[Made]) -> None:
        self._on_end()
        self._message.show_info(tr("The world data is ready.") if made else tr("The world data was already complete."))

    def _on_failed(self, error: Exception) -> None:
        self._on_end()
        if isinstance(error, Cancelled):
            self._message.show_info(tr("Cancelled; complete parts of the world data are kept."))
            return
        self.open()
        self.dialog.show_problems(error.problems if isinstance(error, NotPossible) else [error_text(error)])

    def _on_end(self) -> None:
        """Use the data that is there now. Workspaces that are opened later find it on their own."""
        self._show_busy(busy=False)
        session = self._model.session
        if session is not None:
            self._model.operations.read(session.engine.find_data, lambda _: None, self._model.report_error)

    def _show_busy(self, *, busy: bool) -> None:
        self._busy = busy
        if self._dialog is not None:
            self._dialog.show_busy(busy=busy)


def _build(parts: Sequence[Part], progress: Progress) -> list[Made]:
    plans = look(parts, check=Stages(progress, ()).check)
    if problems := problems_of(plans):
        raise NotPossible(problems)
    stages = Stages(progress, weights_of(plans))
    return [made for plan in plans if not plan.current and (made := make(plan.part, stages)).made]


def _restore(folder: Path, progress: Progress) -> list[Made]:
    saved = read_saved(folder)
    stages = Stages(progress, [part.size for part in saved.parts.values()])
    return [made for part in saved.parts if (made := restore(part, saved, stages)).made]
