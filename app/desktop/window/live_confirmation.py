"""Live is asked about; Test is not."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.ask import ask
from app.desktop.language import tr
from app.desktop.workspace_model import WorkspaceModel


class LiveConfirmation:
    """Lets an action through at once in Test, and after a yes in Live.

    A question is of what is shown: when another environment or workspace is shown meanwhile, the answer is no.
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
        """Do `act`; in Live only when the user says `yes`, else do `otherwise`.

        `live` tells whether Live is changed, where that is not the environment that is shown.
        """
        if not (self._model.environment.live if live is None else live):
            act()
            return
        details = tr("This changes Live data: apps in production see it immediately.")
        box = ask(self._parent, tr("Live"), question, [(yes, act)], details=details)
        self._model.environment_changed.connect(box.reject)
        if otherwise is not None:
            box.rejected.connect(lambda: otherwise())
