"""The week as a picture: its spans are drawn, moved, resized and deleted with the mouse or the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desktop.language import tr, translated
from app.desktop.model.editing.week import next_span
from app.desktop.model.hours.placing import (
    DAY_MIN,
    Placed,
    drawn,
    fitting,
    moved,
    others_of,
    placed,
    resized_close,
    resized_opening,
    stepped,
    stepped_close,
    stepped_days,
    stepped_opening,
    with_placed,
)
from app.desktop.model.words import error_text
from app.desktop.panels.geofence.week_picture import HEIGHT_PX, WeekPicture
from engine.domain.errors import InvalidParameter
from engine.domain.hours import DAYS, OperatingHours
from engine.domain.values import replace

_HANDLE_PX: Final = 4
_DRAG_PX: Final = 3
_HINT: Final = tr("Drag over a day to add a span; drag a span or its ends to change it.")

_Key = Qt.Key
_ARROWS: Final = {_Key.Key_Left: (-1, 0), _Key.Key_Right: (1, 0), _Key.Key_Up: (0, -1), _Key.Key_Down: (0, 1)}
_OWN_KEYS: Final = frozenset(
    (*_ARROWS, _Key.Key_Delete, _Key.Key_Backspace, _Key.Key_Return, _Key.Key_Enter, _Key.Key_Insert)
)


class _Part(Enum):
    """What a drag has hold of."""

    OPENING = "opening"
    CLOSE = "close"
    WHOLE = "whole"
    NOTHING = "nothing"


class _Drag(Struct, frozen=True):
    """A drag under way: what it began with, where, and what it has come to."""

    part: _Part
    origin: Placed | None
    at: QPointF
    day: int
    minute: float
    shown: Placed | None
    begun: bool = False


class WeekGrid(QWidget):
    """Seven days from midnight to midnight. Each gesture is told once, when it is over.

    `changed` carries the hours that the user has made, `refused` why they cannot be; `read_out` says in words what is
    chosen or dragged, `typing_wanted` asks for the times of a span to be typed, `menu_wanted` for the menu of a
    minute of a day or of a span.
    """

    changed = Signal(object)
    refused = Signal(str)
    read_out = Signal(str)
    typing_wanted = Signal(object)
    menu_wanted = Signal(int, int, object, QPoint)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("WeekGrid")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Week"))
        self.picture = WeekPicture(self)
        self._hours: OperatingHours | None = None
        self._shown: OperatingHours | None = None
        """The hours with what is being dragged, or stepped with a key that is still down."""
        self._now: tuple[int, int] | None = None
        self._drag: _Drag | None = None
        self.chosen: Placed | None = None
        """The span that has been chosen."""
        self._choose(None)

    # What it shows

    def show_hours(self, hours: OperatingHours | None) -> None:
        """Show hours; a drag of others goes on only over the same."""
        if hours == self._hours and self._drag is not None:
            return
        self._drag = None
        self._hours = self._shown = hours
        self._choose(self.chosen if self.chosen in placed(hours) else None)

    def show_minute(self, now: tuple[int, int] | None) -> None:
        """Mark the present day and minute, or none."""
        if now != self._now:
            self._now = now
            self.update()

    def add(self, day: int) -> None:
        """Add a span to a day, where there is room in it."""
        if self._hours is None:
            return
        made = fitting(placed(self._hours), Placed.of(day, next_span(self._hours.days[day])))
        if made is not None:
            self._give(None, made)
        else:
            self.refused.emit(tr("There is no room for another span on {day}.", day=translated(DAYS[day])))

    def put(self, span: Placed | None) -> None:
        """Add this span."""
        if span is not None:
            self._give(None, span)

    def delete(self, span: Placed) -> None:
        """Delete a span."""
        self._give(span, None)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Seven rows under a line of hours."""
        return QSize(280, HEIGHT_PX)

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the days, their spans, and the present minute."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            font = painter.font()
            font.setPointSizeF(font.pointSizeF() * 0.85)
            painter.setFont(font)
            held = self._drag.shown if self._drag is not None and self._drag.begun else self.chosen
            self.picture.paint_days(painter)
            for each in placed(self._shown):
                self.picture.paint_span(painter, each, is_held=each == held)
            if self._now is not None:
                self.picture.paint_minute(painter, *self._now)

    # The mouse

    def _under(self, at: QPointF) -> tuple[_Part, Placed | None]:
        """Return what there is to take hold of at a point: ends before spans, the chosen one before others."""
        found: tuple[_Part, Placed | None] = (_Part.NOTHING, None)
        for span in sorted(placed(self._hours), key=lambda each: each == self.chosen):
            boxes = self.picture.boxes(span)
            near = min(_HANDLE_PX, boxes[0].width() / 4, boxes[-1].width() / 4) if len(boxes) == 1 else _HANDLE_PX
            for box in boxes:
                if not box.adjusted(-_HANDLE_PX, -3, _HANDLE_PX, 3).contains(at):
                    continue
                if box is boxes[-1] and at.x() >= box.right() - near:
                    found = _Part.CLOSE, span
                elif box is boxes[0] and at.x() <= box.left() + near:
                    found = _Part.OPENING, span
                elif box.left() <= at.x() <= box.right():
                    found = _Part.WHOLE, span
        return found

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose what is under the mouse; a drag may follow."""
        if event.button() != Qt.MouseButton.LeftButton or self._hours is None:
            return
        self._commit()
        at = event.position()
        part, span = self._under(at)
        self._choose(span)
        day = self.picture.day_at(at)
        if span is not None or 0 <= day < 7:
            self._drag = _Drag(part, span, at, day, self.picture.minute_at(at), span)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Show what the drag would come to, or what one could begin with."""
        drag, at = self._drag, event.position()
        if drag is None:
            self.setCursor(_cursor(self._under(at)[0]) if self._hours is not None else Qt.CursorShape.ArrowCursor)
            return
        if not drag.begun and (at - drag.at).manhattanLength() < _DRAG_PX:
            return
        shown = self._dragged(drag, at)
        self._drag = replace(drag, shown=shown if shown is not None else drag.shown, begun=True)
        self._preview(drag.origin, self._drag.shown)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Tell what the drag has come to."""
        drag = self._drag
        if event.button() != Qt.MouseButton.LeftButton or drag is None:
            return
        self._drag = None
        if drag.begun:
            self._give(drag.origin, drag.shown)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Let the times of a span be typed."""
        _, span = self._under(event.position())
        self._drag = None
        if span is not None:
            self.typing_wanted.emit(span)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """Ask for the menu of what is under the mouse, or of what is chosen."""
        if self._hours is None:
            return
        span, at = self.chosen, event.pos()
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            _, span = self._under(QPointF(at))
            self._choose(span)
            day, minute = self.picture.day_at(QPointF(at)), self.picture.minute_at(QPointF(at))
        elif span is not None:
            day, minute = span.day, span.opens_min
            at = self.picture.point_of(day, int(minute))
        else:
            day, minute = 0, 9 * 60
        if 0 <= day < 7:
            self.menu_wanted.emit(day, max(0, min(int(minute), DAY_MIN - 1)), span, self.mapToGlobal(at))

    def _dragged(self, drag: _Drag, at: QPointF) -> Placed | None:
        """Return the span that a drag has come to; None where that is in the way of another."""
        assert self._hours is not None
        day, minute, span = self.picture.day_at(at), self.picture.minute_at(at), drag.origin
        if span is None:
            return drawn(placed(self._hours), drag.day, drag.minute, _until(drag.day, drag.minute, day, minute))
        others = others_of(self._hours, span)
        match drag.part:
            case _Part.WHOLE:
                return moved(others, span, span.day + day - drag.day, span.opens_min + minute - drag.minute)
            case _Part.OPENING:
                return resized_opening(others, span, minute)
            case _:
                return resized_close(others, span, _until(span.day, span.opens_min, day, minute))

    # The keyboard

    def event(self, event: QEvent) -> bool:
        """Keep its keys from the window, where some are others' shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            escapes = event.key() == _Key.Key_Escape and self._drag is not None
            if escapes or (event.key() in _OWN_KEYS and not event.modifiers() & Qt.KeyboardModifier.AltModifier):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move, resize, delete, add, or have times typed."""
        key, chosen = event.key(), self.chosen
        if key == _Key.Key_Escape and self._drag is not None:
            self._cancel()
        elif self._hours is None:
            super().keyPressEvent(event)
        elif key == _Key.Key_Insert:
            self._commit()
            self.add(chosen.day if chosen is not None else 0)
        elif chosen is None:
            super().keyPressEvent(event)
        elif key in _ARROWS:
            self._step(*_ARROWS[_Key(key)], event.modifiers())
        elif key in (_Key.Key_Delete, _Key.Key_Backspace):
            self._commit()
            self.delete(self.chosen or chosen)
        elif key in (_Key.Key_Return, _Key.Key_Enter):
            self._commit()
            self.typing_wanted.emit(self.chosen or chosen)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Tell what an arrow has come to: held down it is one change."""
        if event.key() in _ARROWS and not event.isAutoRepeat():
            self._commit()
        super().keyReleaseEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: N802 (Qt's names)
        """Go from span to span with Tab, and on from the last."""
        self._commit()
        spans = placed(self._hours)
        at = spans.index(self.chosen) if self.chosen in spans else (-1 if next else len(spans))
        at += 1 if next else -1
        if 0 <= at < len(spans):
            self._choose(spans[at])
            return True
        return super().focusNextPrevChild(next)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose a span where the keyboard comes in."""
        super().focusInEvent(event)
        spans = placed(self._hours)
        if spans and event.reason() == Qt.FocusReason.TabFocusReason:
            self._choose(spans[0])
        elif spans and event.reason() == Qt.FocusReason.BacktabFocusReason:
            self._choose(spans[-1])
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Tell what was not told yet."""
        super().focusOutEvent(event)
        self._commit()
        self.update()

    def _step(self, across: int, down: int, modifiers: Qt.KeyboardModifier) -> None:
        """Move or resize the chosen span by a step; nothing is stored before the key is up."""
        hours, chosen = self._shown, self.chosen
        if hours is None or chosen is None:
            return
        others = others_of(hours, chosen)
        control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
        made: Placed | None
        if down:
            made = stepped_days(others, chosen, down)
        elif modifiers & shift:
            resize: Callable[..., Placed] = stepped_opening if modifiers & control else stepped_close
            made = resize(others, chosen, across)
        else:
            made = stepped(others, chosen, across)
        if made is not None and made != chosen:
            self._shown = with_placed(hours, chosen, made)
            self._choose(made)

    # What becomes of it

    def _preview(self, before: Placed | None, after: Placed | None) -> None:
        assert self._hours is not None
        try:
            self._shown = with_placed(self._hours, before, after)
        except InvalidParameter:
            self._shown = self._hours
        self.read_out.emit(_words(after) if after is not None else _HINT)
        self.update()

    def _give(self, before: Placed | None, after: Placed | None) -> None:
        """Tell the hours with one span in the place of another."""
        hours = self._hours
        if hours is None:
            return
        self._shown = hours
        try:
            made = with_placed(hours, before, after)
        except InvalidParameter as error:
            self._choose(before)
            self.refused.emit(error_text(error))
            return
        self._hours = self._shown = made
        self._choose(after)
        if made != hours:
            self.changed.emit(made)

    def _commit(self) -> None:
        """Tell what arrows have come to."""
        if self._drag is None and self._shown != self._hours:
            self._hours = self._shown
            self.changed.emit(self._shown)

    def _cancel(self) -> None:
        """Let go of what is dragged; it stays as it was."""
        drag, self._drag = self._drag, None
        self._shown = self._hours
        self._choose(drag.origin if drag is not None else None)

    def _choose(self, span: Placed | None) -> None:
        self.chosen = span
        text = _words(span) if span is not None else _HINT
        self.setAccessibleDescription(text)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
        self.read_out.emit(text)
        self.update()


def _until(first: int, opens_min: float, day: int, minute: float) -> float:
    """Return a minute that the mouse is at as one of the day on which a span opens.

    Below that day it is one of the next, unless it is later than the opening: nobody drags quite straight.
    """
    minute = max(0.0, min(minute, DAY_MIN))
    below = day > first or (first == 6 and day == 0)
    return DAY_MIN + minute if below and minute < opens_min else minute


def _words(span: Placed) -> str:
    hours, minutes = divmod(span.length_min, 60)
    length = " ".join((f"{hours} h" if hours else "", tr("{minutes} min", minutes=minutes) if minutes else "")).strip()
    return f"{span} · {length}"


def _cursor(part: _Part) -> Qt.CursorShape:
    match part:
        case _Part.OPENING | _Part.CLOSE:
            return Qt.CursorShape.SizeHorCursor
        case _Part.WHOLE:
            return Qt.CursorShape.OpenHandCursor
    return Qt.CursorShape.CrossCursor
