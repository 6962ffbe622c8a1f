"""Error messages of fields, shown over the form so that the layout does not move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget
from shiboken6 import isValid

_WIDTH = 280
_EDGE = 4
_MARGIN = 5
_TOO_MUCH = 8
_GAP = 2
_MOVED = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)
_LOOKED_AT = (QEvent.Type.Enter, QEvent.Type.Leave)


class Bubble(QLabel):
    """A message below a field. The message of the current field is shown in full over its surroundings.

    The current field is the one with the keyboard focus, else the one under the mouse, else the one with the newest
    message. Messages ignore the mouse, so that clicks reach the widgets below.
    """

    _there: ClassVar[list[Bubble]] = []
    """Visible messages, newest last."""

    def __init__(self, field: QWidget, about: QWidget) -> None:
        super().__init__(field)
        self._field, self._about = field, about
        self._text = ""
        self._layer: QWidget | None = None
        self._followed: list[QWidget] = []
        self.setObjectName("Bubble")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def text(self) -> str:
        """Return the whole text, even if only its beginning is shown."""
        return self._text

    def show_text(self, text: str) -> None:
        """Show a text, or hide the message if it is empty."""
        if text == self._text:
            return
        self._text = text
        self._unfollow()
        Bubble._there = [each for each in Bubble._there if each is not self and each._is_alive()]
        if text:
            Bubble._there.append(self)
            self._follow(_layer_of(self._field))
        else:
            self.hide()
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Follow the field when it moves, and arrange the messages again when the mouse enters or leaves it."""
        if event.type() in _MOVED or (watched is self._field and event.type() in _LOOKED_AT):
            self._arrange()
        return super().eventFilter(watched, event)

    # Layout of the messages

    def _arrange(self) -> None:
        layer = self._layer
        if layer is None or not self._is_alive():
            return
        found = [each for each in Bubble._there if each._layer is layer and each._is_alive()]
        there = [each for each in found if each._field.isVisibleTo(layer)]
        for each in found:
            each.setVisible(each in there)
        # Of several equal ones, the last one wins.
        looked_at = max(reversed(there), key=Bubble._rank, default=None)
        others = [each for each in there if each is not looked_at]
        for each in others:
            each._shorten(layer)
        if looked_at is not None:
            looked_at._write_out(layer, others)

    def _is_alive(self) -> bool:
        """Return whether all widgets still exist.

        A closing window may delete its fields before or after the messages.
        """
        return all(each is not None and isValid(each) for each in (self, self._layer, self._field, self._about))

    def _rank(self) -> tuple[bool, bool]:
        focus = QApplication.focusWidget()
        has_keyboard = focus is not None and self._field.isAncestorOf(focus)
        under_mouse = self._field.rect().contains(self._field.mapFromGlobal(QCursor.pos()))
        return has_keyboard, under_mouse

    def _line(self, layer: QWidget, width: int) -> QRect:
        """Return the gap below the field."""
        about = _rect_in(self._about, layer)
        return QRect(about.left(), about.bottom() + 1, width, self.fontMetrics().height())

    def _shorten(self, layer: QWidget) -> None:
        """Show as much of the text as fits in the gap below the field."""
        gap = self._line(layer, self._about.width())
        elided = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, gap.width())
        self._show(elided, gap, whole=False)

    def _write_out(self, layer: QWidget, others: list[Bubble]) -> None:
        """Show the whole text where it covers the least, or only its beginning if it would cover too much."""
        about = _rect_in(self._about, layer)
        line = self._line(layer, self.fontMetrics().horizontalAdvance(self._text) + 2)
        free = not any(line.intersects(other.geometry()) for other in others)
        if "\n" not in self._text and line.right() <= max(about.right(), layer.width() - _EDGE) and free:
            self._show(self._text, line, whole=False)
            return
        size = self._size(max(_WIDTH, about.width()), layer.width() - 2 * _EDGE)
        rect = min(self._places(size, about, layer), key=lambda place: self._harm(place, layer, others))
        if self._harm(rect, layer, others) >= _TOO_MUCH:
            self._shorten(layer)
            return
        self._show(self._text, rect, whole=True)
        self.raise_()

    def _show(self, text: str, rect: QRect, *, whole: bool) -> None:
        self.setWordWrap(whole)
        self.setMargin(_MARGIN if whole else 0)
        self.setText(text)
        if self.property("whole") is not whole:
            self.setProperty("whole", whole)
            self.style().unpolish(self)
            self.style().polish(self)
        self.setGeometry(rect)
        self.show()

    def _size(self, wide: int, room: int) -> QSize:
        self._show(self._text, self.geometry(), whole=True)
        width = min(wide, room)
        return QSize(width, self.heightForWidth(width))

    def _places(self, size: QSize, about: QRect, layer: QWidget) -> Iterator[QRect]:
        """Yield possible positions, best first: below the field, above it, or over its end if it fills the view."""
        left = max(min(about.left(), layer.width() - size.width() - _EDGE), _EDGE)
        yield QRect(QPoint(left, about.bottom() + 1 + _GAP), size)
        yield QRect(QPoint(left, about.top() - size.height() - _GAP), size)
        yield QRect(QPoint(left, min(about.bottom(), _seen(layer).bottom()) - size.height()), size)

    def _harm(self, place: QRect, layer: QWidget, others: list[Bubble]) -> int:
        """Return a penalty for covering the focused field or other errors, and for leaving the visible area."""
        focus = QApplication.focusWidget()
        harm = 0
        if focus is not None and layer.isAncestorOf(focus) and place.intersects(_rect_in(focus, layer)):
            harm += _TOO_MUCH
        for other in others:
            harm += 2 * place.intersects(_rect_in(other._about, layer)) + place.intersects(other.geometry())
        harm += 3 * place.intersects(_rect_in(self._about, layer))
        return harm + 4 * (not _seen(layer).contains(place))

    # Events that move it

    def _follow(self, layer: QWidget) -> None:
        self._layer = layer
        if self.parentWidget() is not layer:
            self.setParent(layer)
        each: QWidget | None = self._about
        while each is not None:
            self._followed.append(each)
            each.installEventFilter(self)
            each = None if each is layer else each.parentWidget()
        _application().focusChanged.connect(self._arrange)

    def _unfollow(self) -> None:
        if not self._followed:
            return
        for each in filter(isValid, self._followed):
            each.removeEventFilter(self)
        self._followed.clear()
        _application().focusChanged.disconnect(self._arrange)


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def _layer_of(field: QWidget) -> QWidget:
    """Return the widget that contains the field's message: the scrolled content, else the window."""
    each = field
    while not each.isWindow() and (above := each.parentWidget()) is not None:
        scrolls = above.parentWidget()
        if isinstance(scrolls, QScrollArea) and scrolls.widget() is each:
            return each
        each = above
    return each


def _seen(layer: QWidget) -> QRect:
    """Return the visible part of a layer."""
    return layer.visibleRegion().boundingRect() if layer.isVisible() else layer.rect()


def _rect_in(widget: QWidget, layer: QWidget) -> QRect:
    return QRect(widget.mapTo(layer, QPoint()), widget.size())
