"""The week as a picture whose spans are drawn, moved, resized and deleted with the mouse or the keyboard."""

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
    """The part of a span that is being dragged."""

    OPENING = "opening"
    CLOSE = "close"
    WHOLE = "whole"
    NOTHING = "nothing"


class _Drag(Struct, frozen=True):
    """A drag in progress: the part and the span it began with, its start, and the resulting span."""

    part: _Part
    origin: Placed | None
    at: QPointF
    day: int
    minute: float
    shown: Placed | None
    begun: bool = False


class WeekGrid(QWidget):
    """Seven days from midnight to midnight. Each gesture emits one change when it ends.

    `changed` carries the new hours, and `refused` the reason why they are invalid. `read_out` describes the chosen or
    dragged span, `typing_wanted` requests editing of a span's times as text, and `menu_wanted` requests the menu for a
    minute of a day or for a span.
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
        """The hours including the span that is being dragged or moved with a key that is still held down."""
        self._now: tuple[int, int] | None = None
        self._drag: _Drag | None = None
        self.chosen: Placed | None = None
        """The chosen span."""
        self._choose(None)

    # Display

    def show_hours(self, hours: OperatingHours | None) -> None:
        """Show hours. A drag in progress continues only if the hours have not changed."""
        if hours == self._hours and self._drag is not None:
            return
        self._drag = None
        self._hours = self._shown = hours
        chosen, spans = self.chosen, placed(hours)
        if chosen is not None and chosen not in spans:
            # A span that went past midnight has been split there.
            chosen = replace(chosen, length_min=min(chosen.length_min, DAY_MIN - chosen.opens_min))
        self._choose(chosen if chosen in spans else None)

    def show_minute(self, now: tuple[int, int] | None) -> None:
        """Mark the current day and minute, or remove the mark."""
        if now != self._now:
            self._now = now
            self.update()

    def add(self, day: int) -> None:
        """Add a span to a day if there is room."""
        if self._hours is None:
            return
        made = fitting(placed(self._hours), Placed.of(day, next_span(self._hours.days[day])))
        if made is not None:
            self._give(None, made)
        else:
            self.refused.emit(tr("There is no room for another span on {day}.", day=translated(DAYS[day])))

    def put(self, span: Placed | None) -> None:
        """Add the span, if one is given."""
        if span is not None:
            self._give(None, span)

    def delete(self, span: Placed) -> None:
        """Delete a span."""
        self._give(span, None)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size with seven rows below the line of hours."""
        return QSize(280, HEIGHT_PX)

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the days, their spans, and the current minute."""
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

    # Mouse

    def _under(self, at: QPointF) -> tuple[_Part, Placed | None]:
        """Return the part and the span at a point. Ends take precedence over spans, and the chosen span over others."""
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
        """Choose the span under the mouse and prepare for a drag."""
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
        """Show the result of the drag, or the cursor for the part under the mouse."""
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
        """Commit the result of the drag."""
        drag = self._drag
        if event.button() != Qt.MouseButton.LeftButton or drag is None:
            return
        self._drag = None
        if drag.begun:
            self._give(drag.origin, drag.shown)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Request editing of a span's times as text."""
        _, span = self._under(event.position())
        self._drag = None
        if span is not None:
            self.typing_wanted.emit(span)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """Request the menu for the span or minute under the mouse, or for the chosen span."""
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
        """Return the span that results from a drag, or None if there is no room for it."""
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

    # Keyboard

    def event(self, event: QEvent) -> bool:
        """Claim the keys of the grid, some of which are also shortcuts of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            escapes = event.key() == _Key.Key_Escape and self._drag is not None
            if escapes or (event.key() in _OWN_KEYS and not event.modifiers() & Qt.KeyboardModifier.AltModifier):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move, resize, delete or add a span, or request editing of its times."""
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
        """Commit the change made with an arrow key, as one change however long the key was held down."""
        if event.key() in _ARROWS and not event.isAutoRepeat():
            self._commit()
        super().keyReleaseEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: N802 (Qt's names)
        """Move from span to span with Tab, and leave the week after the last one."""
        self._commit()
        spans = placed(self._hours)
        at = spans.index(self.chosen) if self.chosen in spans else (-1 if next else len(spans))
        at += 1 if next else -1
        if 0 <= at < len(spans):
            self._choose(spans[at])
            return True
        return super().focusNextPrevChild(next)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose the first or last span when the keyboard focus enters with Tab."""
        super().focusInEvent(event)
        spans = placed(self._hours)
        if spans and event.reason() == Qt.FocusReason.TabFocusReason:
            self._choose(spans[0])
        elif spans and event.reason() == Qt.FocusReason.BacktabFocusReason:
            self._choose(spans[-1])
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Commit changes made with arrow keys that have not been emitted yet."""
        super().focusOutEvent(event)
        self._commit()
        self.update()

    def _step(self, across: int, down: int, modifiers: Qt.KeyboardModifier) -> None:
        """Move or resize the chosen span by one step. The change is committed when the key is released."""
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

    # Results

    def _preview(self, before: Placed | None, after: Placed | None) -> None:
        assert self._hours is not None
        try:
            self._shown = with_placed(self._hours, before, after)
        except InvalidParameter:
            self._shown = self._hours
        self.read_out.emit(_words(after) if after is not None else _HINT)
        self.update()

    def _give(self, before: Placed | None, after: Placed | None) -> None:
        """Replace a span and emit the resulting hours."""
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
        """Emit the changes made with arrow keys."""
        if self._drag is None and self._shown != self._hours:
            self._hours = self._shown
            self.changed.emit(self._shown)

    def _cancel(self) -> None:
        """Cancel the drag and restore the hours."""
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
    """Return the minute at the mouse, counted from the day on which the span opens.

    Below that day it counts as a minute of the next day, unless it is later than the opening, because drags are rarely
    quite horizontal.
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
