"""Live is asked about; Test is not."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.desktop.desk import Desk
from app.desktop.dialogs.ask import ask


class Gate:
    """Lets an action through at once in Test, and after a yes in Live."""

    def __init__(self, parent: QWidget, desk: Desk) -> None:
        self._parent = parent
        self._desk = desk

    def pass_through(
        self, question: str, yes: str, act: Callable[[], object], otherwise: Callable[[], object] | None = None
    ) -> None:
        """Do `act`; in Live only when the user says `yes`, else do `otherwise`."""
        if not self._desk.environment.live:
            act()
            return
        details = "This changes Live data: apps in production see it at once."
        box = ask(self._parent, "Live", question, [(yes, act)], details=details)
        if otherwise is not None:
            box.rejected.connect(lambda: otherwise())
