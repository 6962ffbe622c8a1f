"""Sending a logged request again, with or without changes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from app.desktop.language import tr
from app.desktop.model.requests.sending import Draft, parse_headers
from app.desktop.model.requests.texts import pretty, sent_headers
from app.desktop.panels.layouts import in_dialog, in_row
from app.desktop.panels.widgets import GRID, Field, label, restyle
from app.exchanges import LoggedRequest
from engine.domain.errors import FencewrightError, InvalidParameter

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_HEADERS_HEIGHT = 96

type KeyChoice = tuple[str, str | None]
"""Name of a key, and the key, or None for a request without one."""


class SendDialog(QDialog):
    """An editor for the parts of a request. It stays open until the request was answered."""

    sent = Signal(object)

    def __init__(self, parent: QWidget, logged: LoggedRequest, keys: Sequence[KeyChoice], chosen: int) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Send again"))
        self.resize(560, 560)
        self._keys = keys
        live = bool(logged.summary.live)
        self.method = QComboBox()
        self.method.setEditable(True)
        self.method.addItems(_METHODS)
        self.method.setCurrentText(logged.summary.method)
        self.path = QLineEdit(logged.summary.path)
        self.key = QComboBox()
        self.key.addItems([name for name, _ in keys])
        self.key.setCurrentIndex(chosen)
        self.headers = _editor("\n".join(f"{name}: {value}" for name, value in sent_headers(logged.request)))
        self.headers.setFixedHeight(_HEADERS_HEIGHT)
        self.body = _editor(pretty(logged.request.body))
        self.error = label("", "error", wrap=True)
        self.error.hide()
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.send = QPushButton(tr("Send to Live") if live else tr("Send"))
        self.send.setDefault(True)
        self._buttons.addButton(self.send, QDialogButtonBox.ButtonRole.ActionRole)
        if live:
            restyle(self.send, "role", "live")
        self._lay_out()
        self.send.clicked.connect(self._on_send)
        self._buttons.rejected.connect(self.reject)

    def show_error(self, error: Exception) -> None:
        """Show why the request was not sent, and let the user try again."""
        self.error.setText(error.message if isinstance(error, FencewrightError) else str(error))
        self.error.show()
        self._set_busy(busy=False)

    def draft(self) -> Draft:
        """Return the edited request. Raises `InvalidParameter` if a part is invalid."""
        method, path = self.method.currentText().strip().upper(), self.path.text().strip()
        if not method.isascii() or not method.isalpha():
            raise InvalidParameter("method", tr("method: must be a word such as POST."))
        if "…" in path:
            raise InvalidParameter("path", tr("path: contains a masked key; enter the full key, or remove it."))
        return Draft(
            method,
            path,
            parse_headers(self.headers.toPlainText()),
            self.body.toPlainText(),
            self._keys[self.key.currentIndex()][1],
        )

    def _on_send(self) -> None:
        try:
            draft = self.draft()
        except InvalidParameter as error:
            self.show_error(error)
            return
        self.error.hide()
        self._set_busy(busy=True)
        self.sent.emit(draft)

    def _set_busy(self, *, busy: bool) -> None:
        self.send.setEnabled(not busy)

    def _lay_out(self) -> None:
        in_dialog(
            self,
            in_row(
                Field(tr("Method"), self.method, gap=False),
                (Field(tr("Path and query"), self.path, gap=False), 1),
                spacing=GRID,
            ),
            Field(tr("Key"), self.key, gap=False),
            Field(tr("Headers"), self.headers, gap=False),
            (Field(tr("Body"), self.body, gap=False), 1),
            self.error,
            self._buttons,
        )


def _editor(text: str) -> QPlainTextEdit:
    made = QPlainTextEdit(text)
    made.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    made.setTabChangesFocus(True)
    return made
