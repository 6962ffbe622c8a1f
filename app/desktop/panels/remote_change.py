"""The value that others have stored in a field being edited, beside the field's name.

No widget moves when it appears.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from app.desktop.language import tr

_TEXTS = (tr("Changed remotely to {}"), tr("Now {}"))
"""Texts of the button. It shows the longest that fits, or cuts off the last one."""

_LONGEST = 120


class RemoteChangeButton(QPushButton):
    """A button with the value that is stored now; a click adopts it.

    The keyboard focus stays in the field.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("RemoteChange")
        self.setFlat(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._value = ""
        self.hide()

    @property
    def value(self) -> str:
        """The full stored value, even if it is displayed shortened, or "" if nothing was changed."""
        return self._value

    def show_value(self, value: str | None) -> None:
        """Show the value stored now, or hide the button if nothing was changed."""
        self._value = value or ""
        self.setVisible(bool(value))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as much of the text as fits."""
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size without height, which the field's name beside the button determines."""
        return QSize(40, 0)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return an empty size, as the button takes the width left beside the field's name."""
        return QSize(0, 0)

    def _fit(self) -> None:
        metrics, value = self.fontMetrics(), self._value[:_LONGEST]
        texts = [text.format(value) for text in _TEXTS]
        fitting = (text for text in texts if metrics.horizontalAdvance(text) <= self.width())
        shown = next(fitting, metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, self.width()))
        self.setText(shown.replace("&", "&&"))
        self.setAccessibleName(texts[0])
