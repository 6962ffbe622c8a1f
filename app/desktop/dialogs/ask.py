"""Questions with a yes, answered by a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QMessageBox, QPushButton, QWidget

type Answer = tuple[str, Callable[[], object]]


def ask(parent: QWidget, title: str, text: str, answers: Sequence[Answer], *, details: str = "") -> QMessageBox:
    """Open a question; each answer is a button and what it does. Cancel, which has the focus, and Escape do nothing.

    Whoever goes on typing when the question appears answers it without having read it: Enter and Space must be safe.
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


def tell(parent: QWidget, title: str, text: str) -> QMessageBox:
    """Open a message that only has to be read."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, QMessageBox.StandardButton.Ok, parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box


def while_open[**P](
    dialog: QDialog, act: Callable[P, object], otherwise: Callable[P, object] | None = None
) -> Callable[P, None]:
    """Return what does `act` while the dialog is open, and `otherwise` once it was closed: it may be gone by then."""
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
