"""The value that others have stored in a field being edited, beside its name: nothing moves when it appears."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from app.desktop.language import tr

_TEXTS = (tr("Changed remotely to {}"), tr("Now {}"))
"""The longest that there is room for; the last is cut off."""

_LONGEST = 120


class RemoteChangeButton(QPushButton):
    """Says what is stored now; a click takes it. The keyboard stays in the field."""

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
        """The stored value, however much of it there is room for; "" where nothing was changed."""
        return self._value

    def show_value(self, value: str | None) -> None:
        """Show what is stored now, or that nothing was changed."""
        self._value = value or ""
        self.setVisible(bool(value))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Say as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Leave the height to the field's name beside it."""
        return QSize(40, 0)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """The width left beside the field's name."""
        return QSize(0, 0)

    def _fit(self) -> None:
        metrics, value = self.fontMetrics(), self._value[:_LONGEST]
        texts = [text.format(value) for text in _TEXTS]
        fitting = (text for text in texts if metrics.horizontalAdvance(text) <= self.width())
        shown = next(fitting, metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, self.width()))
        self.setText(shown.replace("&", "&&"))
        self.setAccessibleName(texts[0])
