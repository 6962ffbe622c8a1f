"""A persistent message, with remedies, about an open workspace that was deleted or replaced."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.desktop.language import tr
from app.desktop.model.words import error_text
from app.desktop.relay import Relay
from app.desktop.window.controllers.workspaces import WorkspaceController
from app.desktop.window.message import MessageLine, Offer
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import StorageUnavailable


class LostWorkspace(QObject):
    """Shows the problem with the files of the open workspace while it lasts."""

    def __init__(self, model: WorkspaceModel, workspaces: WorkspaceController, message: MessageLine) -> None:
        super().__init__(model)
        self._model, self._workspaces, self._message = model, workspaces, message
        self._number: int | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._relay = Relay(self)
        self._relay.rung.connect(self._show)
        model.opened.connect(self._follow)
        message.dismissed.connect(self._on_dismissed)

    def close(self) -> None:
        """Stop watching the workspace."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    def _follow(self) -> None:
        self.close()
        self._number = None
        self._message.settle()
        session = self._model.session
        if session is not None:
            self._unsubscribe = session.engine.watch.changed.add(lambda _: self._relay.ring())
            self._show()

    @property
    def _problem(self) -> StorageUnavailable | None:
        session = self._model.session
        return None if session is None else session.engine.watch.problem

    def _show(self) -> None:
        problem = self._problem
        if problem is not None:
            self._message.stand(error_text(problem), *self._offers())
            self._number = self._message.number
        elif self._number is not None:
            number, self._number = self._number, None
            self._message.settle()
            self._message.withdraw(number)
            self._message.show_info(tr("The workspace is back, and can be used again."))

    def _offers(self) -> tuple[Offer, Offer]:
        session = self._model.session
        assert session is not None
        copy = tr("Save a copy…"), self._workspaces.choose_copy
        again = tr("Open again"), self._workspaces.reopen
        other = tr("Open another…"), self._workspaces.choose
        is_there = session.engine.workspace.database_file.exists()
        if session.engine.watch.has_copy:
            return copy, again if is_there else other
        return again, other

    def _on_dismissed(self) -> None:
        """Show the problem again after another message, if it still exists."""
        if self._number is not None and self._problem is not None:
            self._show()
