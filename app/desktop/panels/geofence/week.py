"""The editor of operating hours: a week to draw in, above text fields for the times of each day."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from app.desktop.icons import icon
from app.desktop.language import tr, translated
from app.desktop.map.values import Theme
from app.desktop.model.editing.week import copied, parse_span, with_spans
from app.desktop.model.hours.placing import RASTER_MIN, Placed, drawn, placed
from app.desktop.model.words import error_text
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.geofence.week_grid import WeekGrid
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import label, restyle, tool_button
from engine.domain.errors import InvalidParameter
from engine.domain.hours import DAYS, OperatingHours, Span, spell_time

_NAMES = (tr("Monday"), tr("Tuesday"), tr("Wednesday"), tr("Thursday"), tr("Friday"), tr("Saturday"), tr("Sunday"))
_TIME_WIDTH = 66
_TIME_ROOM = 14


class SpanEdit(QWidget):
    """A pair of text fields for the times of a span.

    `finished` is emitted after Enter, or when the focus leaves both fields, as half a span is invalid. Enter in an
    opening that is now after the close leads to the close.
    """

    finished = Signal()
    removed = Signal()

    def __init__(self, day: str) -> None:
        super().__init__()
        self.opens = self._time(tr("{day} opens", day=day))
        self.closes = self._time(tr("{day} closes", day=day))
        self.next_day = label("+1", "hint")
        self.next_day.setToolTip(tr("Closes on the next day"))
        self.remove = _small(tool_button(tr("Remove this span"), self.removed.emit, "RemoveSpan"))
        in_row(
            self.opens,
            label("–"),
            self.closes,
            self.next_day,
            STRETCH,
            self.remove,
            of=self,
            margins=(34, 0, 0, 0),
            spacing=4,
        )

    @property
    def modified(self) -> bool:
        """Whether a typed time has not been committed."""
        return self.opens.isModified() or self.closes.isModified()

    def show_span(self, span: Span) -> None:
        """Show a span."""
        for line, minutes in ((self.opens, span.opens_min), (self.closes, span.closes_min)):
            line.setText(spell_time(minutes))
            line.setModified(False)
            restyle(line, "invalid", False)
        self.next_day.setVisible(span.across_midnight)

    def state(self) -> tuple[str, str]:
        """Return the texts of both fields."""
        return self.opens.text(), self.closes.text()

    def put_back(self, state: tuple[str, str]) -> None:
        """Show texts that have not been committed."""
        for line, text in zip((self.opens, self.closes), state, strict=True):
            if line.text() != text:
                line.setText(text)
                line.setModified(True)

    def read(self, day: int) -> Span:
        """Return the typed span. Raises `InvalidParameter` and marks the fields if it is invalid."""
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
        line.setMinimumWidth(min(line.fontMetrics().horizontalAdvance("00:00") + _TIME_ROOM, _TIME_WIDTH))
        line.setMaximumWidth(_TIME_WIDTH)
        line.setAccessibleName(name)
        line.setToolTip(tr("HH:mm or h:mm AM/PM; a closing time that is not after the opening is on the next day"))
        line.returnPressed.connect(self._on_enter)
        line.left.connect(self._on_left)
        return line

    def _on_enter(self) -> None:
        if self.opens.hasFocus() and not self.closes.isModified() and self._has_turned():
            self.closes.setFocus(Qt.FocusReason.TabFocusReason)
            self.closes.selectAll()
            return
        self.settle()

    def _has_turned(self) -> bool:
        """Whether the typed opening makes the span go past midnight, which the stored one does not."""
        try:
            span = parse_span(self.opens.text(), self.closes.text(), 0)
        except InvalidParameter:
            return False
        return span.across_midnight and self.next_day.isHidden()

    def _on_left(self) -> None:
        if not (self.opens.hasFocus() or self.closes.hasFocus()):
            self.settle()

    def settle(self) -> None:
        """Commit typed times by emitting `finished`."""
        if self.modified:
            self.finished.emit()


class DayEdit(QWidget):
    """The name and the spans of one day.

    Emits the user's edits to the week, which holds the hours.
    """

    edited = Signal(int)
    added = Signal(int)
    removed = Signal(int, int)
    copied = Signal(int, tuple)

    def __init__(self, day: int) -> None:
        super().__init__()
        self.day = day
        self.spans: list[SpanEdit] = []
        self._closed = label(tr("closed"), "hint")
        self.add = _small(
            tool_button(tr("Add a span to {day}", day=_NAMES[day]), lambda: self.added.emit(day), "AddSpan")
        )
        self.copy = _small(tool_button(tr("Copy {day} to other days", day=_NAMES[day]), self._open_menu, "CopyDay"))
        self.menu = self._make_menu()
        self._theme: Theme = "light"
        name = label(translated(DAYS[day]), "label")
        name.setFixedWidth(30)
        head = in_row(name, (self._closed, 1), self.add, self.copy, spacing=4)
        self._column = in_column(head, of=self, margins=0, spacing=2)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self._theme = theme
        self.add.setIcon(icon("plus", theme))
        self.copy.setIcon(icon("copy", theme))
        for span in self.spans:
            span.remove.setIcon(icon("x", theme))

    def show_hours(self, hours: OperatingHours | None, *, keep: bool) -> None:
        """Show the day of these hours. With `keep`, uncommitted times stay in the fields."""
        spans = hours.days[self.day] if hours else ()
        self._closed.setText("" if spans else tr("closed"))
        if keep and self.modified:
            return
        while len(self.spans) > len(spans):
            removed = self.spans.pop()
            self._column.removeWidget(removed)
            removed.hide()
            removed.deleteLater()
        while len(self.spans) < len(spans):
            self._append()
        for editor, span in zip(self.spans, spans, strict=True):
            editor.show_span(span)

    @property
    def modified(self) -> bool:
        """Whether typed times have not been committed."""
        return any(span.modified for span in self.spans)

    def read(self) -> list[Span]:
        """Return the typed spans. Raises `InvalidParameter` if one is invalid."""
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

    def _make_menu(self) -> Menu:
        menu = Menu(self, tr("Copy {day}", day=_NAMES[self.day]))
        others = tuple(day for day in range(7) if day != self.day)
        choices: list[tuple[str, tuple[int, ...]]] = [
            (tr("Copy to every day"), others),
            (tr("Copy to Monday to Friday"), tuple(day for day in others if day < 5)),
            *((tr("Copy to {day}", day=_NAMES[day]), (day,)) for day in others),
        ]
        for text, days in choices:
            menu.addAction(text).triggered.connect(lambda _=False, days=days: self.copied.emit(self.day, days))
        return menu


class WeekEdit(QWidget):
    """An editor for a week that emits the hours after a change, or the error in a time."""

    committed = Signal(object)
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._hours: OperatingHours | None = None
        self.grid = WeekGrid()
        self.readout = label(role="hint", wrap=True)
        self.menu = Menu(self)
        self.days = tuple(DayEdit(day) for day in range(7))
        layout = in_column(self.grid, self.readout, of=self, margins=0, spacing=4)
        self._connect_grid()
        for day in self.days:
            layout.addWidget(day)
            day.edited.connect(self._on_edited)
            day.added.connect(self.grid.add)
            day.removed.connect(self._on_removed)
            day.copied.connect(self._on_copied)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        for day in self.days:
            day.set_theme(theme)

    def set_value(self, hours: OperatingHours | None, *, keep: bool = False) -> None:
        """Show hours. With `keep`, days with uncommitted times stay as they are."""
        self._hours = hours
        self.grid.show_hours(hours)
        for day in self.days:
            day.show_hours(hours, keep=keep)

    def mark(self, day: int, minute: int) -> None:
        """Mark the current day and minute."""
        self.grid.show_minute((day, minute))

    @property
    def hours(self) -> OperatingHours | None:
        """The displayed hours, without uncommitted times."""
        return self._hours

    @property
    def modified(self) -> bool:
        """Whether typed times have not been committed."""
        return any(day.modified for day in self.days)

    def state(self) -> object:
        """Return the hours and the typed times for `put_back`."""
        return self._hours, [[span.state() for span in day.spans] for day in self.days]

    def put_back(self, state: object) -> None:
        """Show hours and typed times from an earlier `state`."""
        assert isinstance(state, tuple)
        hours, days = state
        self.set_value(hours)
        for day, spans in zip(self.days, days, strict=True):
            for span, texts in zip(day.spans, spans, strict=True):
                span.put_back(texts)

    def settle(self) -> None:
        """Commit typed times."""
        for day in self.days:
            if day.modified:
                self._on_edited(day.day)

    def _on_edited(self, day: int) -> None:
        self._try((day,), lambda hours: with_spans(hours, day, self.days[day].read()))

    def _on_removed(self, day: int, place: int) -> None:
        self._try(
            (day,), lambda hours: with_spans(hours, day, [s for n, s in enumerate(hours.days[day]) if n != place])
        )

    def _on_copied(self, day: int, others: tuple[int, ...]) -> None:
        self._try((day, *others), lambda hours: copied(hours, day, others))

    def _try(self, days: tuple[int, ...], change: Callable[[OperatingHours], OperatingHours]) -> None:
        """Change the hours of some days, and keep uncommitted times in the fields of the others."""
        if self._hours is None:
            return
        try:
            self._hours = change(self._hours)
        except InvalidParameter as error:
            self.refused.emit(error_text(error))
            return
        self.grid.show_hours(self._hours)
        for day in self.days:
            day.show_hours(self._hours, keep=day.day not in days)
        self.committed.emit(self._hours)
        self._complain()

    # The week as a picture

    def _connect_grid(self) -> None:
        self.grid.changed.connect(self._on_drawn)
        self.grid.refused.connect(self.refused)
        self.grid.read_out.connect(self.readout.setText)
        self.grid.typing_wanted.connect(self._type)
        self.grid.menu_wanted.connect(self._open_menu)
        self.grid.show_hours(None)

    def _on_drawn(self, hours: OperatingHours) -> None:
        before = self._hours
        if before is not None:
            days = tuple(day for day in range(7) if hours.days[day] != before.days[day])
            self._try(days, lambda _: hours)

    def _type(self, chosen: Placed) -> None:
        """Move the keyboard focus to the times of a span."""
        spans = self._hours.days[chosen.day] if self._hours is not None else ()
        at = next((n for n, span in enumerate(spans) if Placed.of(chosen.day, span) == chosen), None)
        if at is not None and at < len(self.days[chosen.day].spans):
            line = self.days[chosen.day].spans[at].opens
            line.setFocus(Qt.FocusReason.ShortcutFocusReason)
            line.selectAll()

    def _open_menu(self, day: int, minute: int, chosen: Placed | None, at: QPoint) -> None:
        """Open a menu with the actions for a span, or for a free minute."""
        self.menu.clear()
        if chosen is not None:
            self.menu.addAction(tr("Type times"), lambda: self._type(chosen))
            self.menu.addAction(tr("Delete span"), lambda: self.grid.delete(chosen))
        else:
            begin = minute // RASTER_MIN * RASTER_MIN
            made = drawn(placed(self._hours), day, begin, begin + 60)
            add = self.menu.addAction(tr("Add span here"), lambda: self.grid.put(made))
            add.setEnabled(made is not None)
        self.menu.addSeparator()
        self.menu.addMenu(self.days[day].menu)
        close = self.menu.addAction(tr("Close {day}", day=_NAMES[day]), lambda: self._close(day))
        close.setEnabled(bool(self._hours is not None and self._hours.days[day]))
        self.menu.popup(at)

    def _close(self, day: int) -> None:
        self._try((day,), lambda hours: with_spans(hours, day, ()))

    def _complain(self) -> None:
        """Report errors in the times of other days again."""
        try:
            for day in self.days:
                day.read()
        except InvalidParameter as error:
            self.refused.emit(error_text(error))


def _small(made: QToolButton) -> QToolButton:
    """Set the size of a button before its layout, as an icon cannot be painted at zero size."""
    made.setFixedSize(26, 26)
    return made
