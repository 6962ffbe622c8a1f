"""Confirmation questions, which answer through callbacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QMessageBox, QPushButton, QWidget

type Answer = tuple[str, Callable[[], object]]


def ask(parent: QWidget, title: str, text: str, answers: Sequence[Answer], *, details: str = "") -> QMessageBox:
    """Open a question with a button and an action for each answer.

    Cancel, which has the focus, and Escape do nothing. A user who is typing when the question appears may press Enter
    or Space without having read it, so both must be safe.
    """
    box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, QMessageBox.StandardButton.NoButton, parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(details)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowModality(Qt.WindowModality.WindowModal)
    buttons: dict[QPushButton, Callable[[], object]] = {}
    for label, act in answers:
        buttons[box.addButton(label, QMessageBox.ButtonRole.AcceptRole)] = act
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(cancel)
    box.setEscapeButton(cancel)
    for button, act in buttons.items():
        button.clicked.connect(lambda _=False, act=act: act())
    box.open()
    cancel.setFocus()
    return box


def while_open[**P](
    dialog: QDialog, act: Callable[P, object], otherwise: Callable[P, object] | None = None
) -> Callable[P, None]:
    """Return a function that calls `act` while the dialog is open and `otherwise` after it was closed.

    A closed dialog may have been deleted.
    """
    closed = False

    def close(_: int) -> None:
        nonlocal closed
        closed = True

    def do(*args: P.args, **kwargs: P.kwargs) -> None:
        if not closed:
            act(*args, **kwargs)
        elif otherwise is not None:
            otherwise(*args, **kwargs)

    dialog.finished.connect(close)
    return do
