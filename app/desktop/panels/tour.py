"""The tour at the first start: a card over the map with instructions, and a frame around the control to use."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QWidget

from app.desktop.language import tr
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import GRID, button, label

_WIDTH_PX = 340
_FRAME_PX = 3
_FROM_EDGE = 12


class TourCard(QFrame):
    """A card for one step, with its number, instructions, reason, and a button to leave the tour."""

    skipped = Signal()
    helped = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("TourCard")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(_WIDTH_PX)
        self.number = label("", "muted")
        self.title = label("", "title", wrap=True)
        self.text = label("", wrap=True)
        self.help = button("", self.helped.emit, "primary")
        self.skip = button(tr("Skip tour"), self.skipped.emit)
        self.skip.setToolTip(tr("Skip the tour (Esc)"))
        in_column(
            self.number,
            self.title,
            self.text,
            in_row(self.help, STRETCH, self.skip),
            of=self,
            margins=(2 * GRID, GRID, 2 * GRID, 2 * GRID),
            spacing=GRID,
        )
        self.hide()

    def show_step(self, number: str, title: str, text: str, help_text: str, *, last: bool) -> None:
        """Show a step. `help_text` labels the action that performs the step for the user, or is ""."""
        self.number.setText(number)
        self.title.setText(title)
        self.text.setText(text)
        self.help.setText(help_text)
        self.help.setVisible(bool(help_text))
        self.skip.setText(tr("Finish") if last else tr("Skip tour"))
        self.show()
        # The height of wrapped lines is known only for this width.
        self.resize(_WIDTH_PX, self.layout_height())
        self.move(QPoint(_FROM_EDGE, _FROM_EDGE))
        self.raise_()

    def layout_height(self) -> int:
        """Return the height of the card for its text."""
        layout = self.layout()
        return layout.totalHeightForWidth(_WIDTH_PX) if layout is not None else self.sizeHint().height()


class TourFrame(QWidget):
    """A frame around a control. The frame lets mouse events through to the control."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def surround(self, target: QWidget | None) -> None:
        """Surround a widget, or hide the frame if the widget is not visible."""
        window = self.parentWidget()
        if target is None or window is None or not target.isVisible():
            self.hide()
            return
        at = QRect(target.mapTo(window, QPoint(0, 0)), target.size())
        self.setGeometry(at.adjusted(-_FRAME_PX, -_FRAME_PX, _FRAME_PX, _FRAME_PX).intersected(window.rect()))
        self.show()
        self.raise_()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the frame in the accent colour."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self.palette().highlight().color()), _FRAME_PX))
            painter.drawRoundedRect(self.rect().adjusted(2, 2, -2, -2), 5, 5)
