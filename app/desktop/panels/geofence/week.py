"""The editor of operating hours: the days of a week, each with its spans and a bar that shows them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.desktop.icons import icon
from app.desktop.map.values import Theme
from app.desktop.model.editing.week import copied, next_span, parse_span, stretches, with_spans
from app.desktop.model.words import error_text
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.widgets import label, restyle, tool_button
from engine.domain.errors import InvalidParameter
from engine.domain.hours import DAYS, OperatingHours, Span, spell_time

_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAY_MIN = 24 * 60
_TIME_WIDTH = 66


class HoursBar(QWidget):
    """A day from midnight to midnight, coloured where it is open, with a mark at the present minute."""

    def __init__(self) -> None:
        super().__init__()
        self._hours: OperatingHours | None = None
        self._day = 0
        self._minute: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_hours(self, hours: OperatingHours | None, day: int) -> None:
        """Show a day."""
        self._hours, self._day = hours, day
        self.update()

    def show_minute(self, minute: int | None) -> None:
        """Mark a minute of the day, or none."""
        if minute != self._minute:
            self._minute = minute
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """A thin line."""
        return QSize(96, 14)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the day."""
        roles = QPalette.ColorRole
        across = self.width() / _DAY_MIN
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.palette().color(roles.Mid))
            painter.drawRoundedRect(QRectF(0, 4, self.width(), 6), 2, 2)
            painter.setBrush(self.palette().color(roles.Highlight))
            for stretch in stretches(self._hours, self._day):
                left = stretch.from_min * across
                painter.drawRoundedRect(QRectF(left, 4, stretch.to_min * across - left, 6), 2, 2)
            if self._minute is not None:
                painter.setBrush(self.palette().color(roles.Text))
                painter.drawRect(QRectF(self._minute * across - 1, 0, 2, 14))


class SpanEdit(QWidget):
    """One span: two times that are typed. `finished` comes when both are left, or with Enter: half a span is none."""

    finished = Signal()
    removed = Signal()

    def __init__(self, day: str) -> None:
        super().__init__()
        self.opens = self._time(f"{day} opens")
        self.closes = self._time(f"{day} closes")
        self.next_day = label("+1", "hint")
        self.next_day.setToolTip("Closes on the next day")
        self.remove = _small(tool_button("Remove this span", self.removed.emit, "RemoveSpan"))
        row = QHBoxLayout(self)
        row.setContentsMargins(34, 0, 0, 0)
        row.setSpacing(4)
        for widget in (self.opens, label("–"), self.closes, self.next_day):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.remove)

    @property
    def modified(self) -> bool:
        """Whether a time was typed that is not taken over."""
        return self.opens.isModified() or self.closes.isModified()

    def show_span(self, span: Span) -> None:
        """Show a span."""
        for line, minutes in ((self.opens, span.opens_min), (self.closes, span.closes_min)):
            line.setText(spell_time(minutes))
            line.setModified(False)
            restyle(line, "invalid", False)
        self.next_day.setVisible(span.across_midnight)

    def state(self) -> tuple[str, str]:
        """Return the two texts."""
        return self.opens.text(), self.closes.text()

    def put_back(self, state: tuple[str, str]) -> None:
        """Show texts that are not taken over."""
        for line, text in zip((self.opens, self.closes), state, strict=True):
            if line.text() != text:
                line.setText(text)
                line.setModified(True)

    def read(self, day: int) -> Span:
        """Return what is typed; raises `InvalidParameter`, and marks the times then."""
        wrong = True
        try:
            span = parse_span(self.opens.text(), self.closes.text(), day)
            wrong = False
        finally:
            for line in (self.opens, self.closes):
                restyle(line, "invalid", wrong and line.isModified())
        return span

    def _time(self, name: str) -> TextLine:
        line = TextLine()
        line.setFixedWidth(_TIME_WIDTH)
        line.setAccessibleName(name)
        line.setToolTip("HH:mm or h:mm AM/PM; a closing time that is not after the opening is on the next day")
        line.returnPressed.connect(self.settle)
        line.left.connect(self._on_left)
        return line

    def _on_left(self) -> None:
        if not (self.opens.hasFocus() or self.closes.hasFocus()):
            self.settle()

    def settle(self) -> None:
        """Tell of times that were typed and are not taken over."""
        if self.modified:
            self.finished.emit()


class DayEdit(QWidget):
    """One day: its name, its bar, its spans. It tells what is wanted; the week knows the hours."""

    edited = Signal(int)
    added = Signal(int)
    removed = Signal(int, int)
    copied = Signal(int, tuple)

    def __init__(self, day: int) -> None:
        super().__init__()
        self.day = day
        self.spans: list[SpanEdit] = []
        self.bar = HoursBar()
        self.add = _small(tool_button(f"Add a span to {_NAMES[day]}", lambda: self.added.emit(day), "AddSpan"))
        self.copy = _small(tool_button(f"Copy {_NAMES[day]} to other days", self._open_menu, "CopyDay"))
        self.menu = self._make_menu()
        self._theme: Theme = "light"
        name = label(DAYS[day], "label")
        name.setFixedWidth(30)
        head = QHBoxLayout()
        head.setSpacing(4)
        for widget in (name, self.bar, self.add, self.copy):
            head.addWidget(widget)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addLayout(head)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self._theme = theme
        self.add.setIcon(icon("plus", theme))
        self.copy.setIcon(icon("copy", theme))
        for span in self.spans:
            span.remove.setIcon(icon("x", theme))

    def show_hours(self, hours: OperatingHours | None, *, keep: bool) -> None:
        """Show the day of these hours; with `keep` times that are typed and not taken over stay."""
        self.bar.show_hours(hours, self.day)
        if keep and self.modified:
            return
        spans = hours.days[self.day] if hours else ()
        while len(self.spans) > len(spans):
            gone = self.spans.pop()
            self._column.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        while len(self.spans) < len(spans):
            self._append()
        for editor, span in zip(self.spans, spans, strict=True):
            editor.show_span(span)

    @property
    def modified(self) -> bool:
        """Whether times were typed that are not taken over."""
        return any(span.modified for span in self.spans)

    def read(self) -> list[Span]:
        """Return the spans as they are typed; raises `InvalidParameter`."""
        return [span.read(self.day) for span in self.spans]

    def _append(self) -> None:
        made = SpanEdit(_NAMES[self.day])
        made.remove.setIcon(icon("x", self._theme))
        made.finished.connect(lambda: self.edited.emit(self.day))
        made.removed.connect(lambda: self.removed.emit(self.day, self.spans.index(made)))
        self.spans.append(made)
        self._column.addWidget(made)

    def _open_menu(self) -> None:
        self.menu.popup(self.copy.mapToGlobal(self.copy.rect().bottomLeft()))

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        others = tuple(day for day in range(7) if day != self.day)
        choices: list[tuple[str, tuple[int, ...]]] = [
            ("Copy to every day", others),
            ("Copy to Monday to Friday", tuple(day for day in others if day < 5)),
            *((f"Copy to {_NAMES[day]}", (day,)) for day in others),
        ]
        for text, days in choices:
            menu.addAction(text).triggered.connect(lambda _=False, days=days: self.copied.emit(self.day, days))
        return menu


class WeekEdit(QWidget):
    """Emits the hours when the user has changed them, or what is wrong with a time."""

    committed = Signal(object)
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._hours: OperatingHours | None = None
        self.days = tuple(DayEdit(day) for day in range(7))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        for day in self.days:
            layout.addWidget(day)
            day.edited.connect(self._on_edited)
            day.added.connect(self._on_added)
            day.removed.connect(self._on_removed)
            day.copied.connect(self._on_copied)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        for day in self.days:
            day.set_theme(theme)

    def set_value(self, hours: OperatingHours | None, *, keep: bool = False) -> None:
        """Show hours; with `keep` days stay where times are typed that are not taken over."""
        self._hours = hours
        for day in self.days:
            day.show_hours(hours, keep=keep)

    def mark(self, day: int, minute: int) -> None:
        """Mark the present minute."""
        for each in self.days:
            each.bar.show_minute(minute if each.day == day else None)

    @property
    def modified(self) -> bool:
        """Whether times were typed that are not taken over."""
        return any(day.modified for day in self.days)

    def state(self) -> object:
        """Return the hours with the times that are typed, for `put_back`."""
        return self._hours, [[span.state() for span in day.spans] for day in self.days]

    def put_back(self, state: object) -> None:
        """Show what was shown before, and typed."""
        assert isinstance(state, tuple)
        hours, days = state
        self.set_value(hours)
        for day, spans in zip(self.days, days, strict=True):
            for span, texts in zip(day.spans, spans, strict=True):
                span.put_back(texts)

    def settle(self) -> None:
        """Tell of times that were typed and are not taken over."""
        for day in self.days:
            if day.modified:
                self._on_edited(day.day)

    def _on_edited(self, day: int) -> None:
        self._try((day,), lambda hours: with_spans(hours, day, self.days[day].read()))

    def _on_added(self, day: int) -> None:
        self._try((day,), lambda hours: with_spans(hours, day, (*hours.days[day], next_span(hours.days[day]))))

    def _on_removed(self, day: int, place: int) -> None:
        self._try(
            (day,), lambda hours: with_spans(hours, day, [s for n, s in enumerate(hours.days[day]) if n != place])
        )

    def _on_copied(self, day: int, others: tuple[int, ...]) -> None:
        self._try((day, *others), lambda hours: copied(hours, day, others))

    def _try(self, days: tuple[int, ...], change: Callable[[OperatingHours], OperatingHours]) -> None:
        """Change the hours of some days; of the others, times that are typed and cannot be taken over stay."""
        if self._hours is None:
            return
        try:
            self._hours = change(self._hours)
        except InvalidParameter as error:
            self.refused.emit(error_text(error))
            return
        for day in self.days:
            day.show_hours(self._hours, keep=day.day not in days)
        self.committed.emit(self._hours)
        self._complain()

    def _complain(self) -> None:
        """Say again what is wrong with the times of other days."""
        try:
            for day in self.days:
                day.read()
        except InvalidParameter as error:
            self.refused.emit(error_text(error))


def _small(made: QToolButton) -> QToolButton:
    """Give a button its size before it is laid out: an icon cannot be painted on nothing."""
    made.setFixedSize(26, 26)
    return made
