"""Undo and redo of changes made in the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.ask import Answer, ask
from app.desktop.language import tr
from app.desktop.model.editing.changes import ChangedByOthers, FenceEditor, NotNext, Outcome
from app.desktop.model.words import error_text
from app.desktop.operations import Task
from app.desktop.window.actions.actions import Actions
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.environment import Environment
from engine.domain.ports import Cancelled
from engine.domain.values import replace


class UndoController(QObject):
    """Undoes and redoes changes, and selects the affected geofences or beacon.

    While the user is typing (`is_typing`), the selection stays unchanged.

    An import that is running will be the last change. *Undo* waits until it has ended and then undoes it, rather than
    the change before; *Redo* takes a waiting *Undo* back. If the import stored nothing, there is nothing to undo.
    """

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        is_typing: Callable[[], bool],
        message: MessageLine,
        confirmation: LiveConfirmation,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._is_typing = window, model, is_typing
        self._message, self._confirmation = message, confirmation
        self._offered: tuple[int | None, int] | None = None
        self._running: list[tuple[Environment, Task, str]] = []
        self._waiting = 0
        self._actions: Actions | None = None
        model.environment_changed.connect(self._forget_waiting)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        self._actions = actions
        actions.undo.triggered.connect(lambda: self.undo())
        actions.redo.triggered.connect(lambda: self.redo())
        self._model.history_changed.connect(self._show)
        self._model.history_changed.connect(self._withdraw)

    def offer(self, text: str, outcome: Outcome) -> None:
        """Report a change, offering to undo it unless a later change followed."""
        entry = outcome.entry
        if entry is None or entry != self._model.history.entry:
            self._message.show_info(text)
        else:
            self._message.show_info(text, tr("Undo"), lambda: self.undo(entry))
            self._offered = entry, self._message.number

    def _withdraw(self) -> None:
        """Remove the offer once *Undo* would undo another change."""
        if self._offered is not None and self._offered[0] != self._model.history.entry:
            self._message.withdraw(self._offered[1])
            self._offered = None

    def wait_for(self, environment: Environment, task: Task, step: str) -> None:
        """Let *Undo* wait for a task that will add a step to the history of an environment."""
        self._running.append((environment, task, step))
        self._show()

    def go_on(self, task: Task, *, stored: bool) -> None:
        """Undo what waited for a task, if it stored anything; otherwise nothing is left to undo."""
        self._running = [each for each in self._running if each[1] is not task]
        if not self._here():
            steps, self._waiting = self._waiting, 0
            for _ in range(steps if stored else 0):
                self.undo()
        self._show()

    def _here(self) -> list[tuple[Environment, Task, str]]:
        """Return the tasks that will add a step to the history shown."""
        return [] if self._model.sandbox else [each for each in self._running if each[0] is self._model.environment]

    def _forget_waiting(self) -> None:
        self._waiting = 0

    def _show(self) -> None:
        """Show the steps that the actions would affect."""
        state, running = self._model.history, self._here()
        if self._actions is not None:
            self._actions.show_history(replace(state, undo=running[-1][2]) if running else state)

    def _wait(self) -> None:
        """Keep an *Undo* for the end of the running imports."""
        _, task, step = self._here()[-1]
        # In Live each step is confirmed on its own.
        self._waiting = 1 if self._model.environment.live else self._waiting + 1
        text = tr("Undo waits until “{step}” has ended.", step=step)
        self._message.show_info(text, tr("Cancel import"), task.cancel)

    def undo(self, entry: int | None = None) -> None:
        """Undo the last change; with `entry`, only if it is the change with that number."""
        if entry is None and self._here():
            self._wait()
            return
        if self._model.environment.live:
            # Undo the change that the confirmation names, not one made while the confirmation is open.
            entry = entry or self._model.history.entry
        self._gate_step(tr("Undo"), self._model.history.undo, lambda: self._undo(entry=entry))

    def redo(self) -> None:
        """Redo the last undone change, or take back an *Undo* that waits."""
        if self._waiting and self._here():
            self._waiting -= 1
            self._message.dismiss()
            return
        self._gate_step(tr("Redo"), self._model.history.redo, self._redo)

    def _gate_step(self, verb: str, step_name: str | None, step: Callable[[], None]) -> None:
        if step_name is not None:
            self._confirmation.confirm(tr("{action} “{step}” in Live?", action=verb, step=step_name), verb, step)

    def _undo(self, *, anyway: bool = False, entry: int | None = None) -> None:
        self._step(
            tr("Undo"),
            tr("Undo: {step}", step=self._model.history.undo),
            lambda editor: editor.undo(anyway=anyway, entry=entry),
            self._undo_anyway,
            self._skip_undo,
        )

    def _redo(self, *, anyway: bool = False) -> None:
        self._step(
            tr("Redo"),
            tr("Redo: {step}", step=self._model.history.redo),
            lambda editor: editor.redo(anyway=anyway),
            self._redo_anyway,
            self._skip_redo,
        )

    def _undo_anyway(self) -> None:
        self._undo(anyway=True)

    def _redo_anyway(self) -> None:
        self._redo(anyway=True)

    def _skip_undo(self) -> None:
        self._model.edit(lambda editor: editor.history.skip_undo())

    def _skip_redo(self) -> None:
        self._model.edit(lambda editor: editor.history.skip_redo())

    def _step(
        self,
        verb: str,
        text: str,
        step: Callable[[FenceEditor], Outcome | None],
        anyway: Callable[[], None],
        skip: Callable[[], None],
    ) -> None:
        def done(outcome: Outcome | None) -> None:
            if outcome is None or self._is_typing():
                return
            if outcome.fence is not None:
                self._model.selection.select_fence(outcome.fence_id)
            elif outcome.fence_ids:
                self._model.selection.select_fences(outcome.fence_ids)
            elif outcome.beacon is not None:
                self._model.selection.select_beacon(outcome.beacon.id)

        def failed(error: Exception) -> None:
            if isinstance(error, Cancelled):
                self._model.report_error(error)
                return
            if isinstance(error, NotNext):
                self._message.complain(error_text(error))
                return
            answers: list[Answer] = [(tr("Skip this step"), skip)]
            if isinstance(error, ChangedByOthers):
                answers.insert(0, (tr("{action} anyway", action=verb), anyway))
            ask(self._window, tr("{action} is not possible", action=verb), error_text(error), answers)

        self._model.edit(step, done, failed, text)
