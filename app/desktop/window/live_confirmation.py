"""The confirmation of actions in Live; Test needs none."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.ask import ask
from app.desktop.language import tr
from app.desktop.workspace_model import WorkspaceModel


class LiveConfirmation:
    """Runs an action immediately in Test, and after a confirmation in Live.

    A confirmation concerns the current environment and workspace. If either is switched in the meantime, it is
    cancelled.
    """

    def __init__(self, parent: QWidget, model: WorkspaceModel) -> None:
        self._parent = parent
        self._model = model

    def confirm(
        self,
        question: str,
        yes: str,
        act: Callable[[], object],
        otherwise: Callable[[], object] | None = None,
        *,
        live: bool | None = None,
    ) -> None:
        """Call `act`, in Live only if the user confirms with `yes`, else `otherwise`.

        `live` states whether Live is changed, if that is not determined by the current environment.
        """
        if not (self._model.environment.live if live is None else live):
            act()
            return
        details = tr("This changes Live data: apps in production see it immediately.")
        box = ask(self._parent, tr("Live"), question, [(yes, act)], details=details)
        self._model.environment_changed.connect(box.reject)
        if otherwise is not None:
            box.rejected.connect(lambda: otherwise())
