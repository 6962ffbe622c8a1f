"""The calendar month in which a day is chosen."""

from __future__ import annotations

from PySide6.QtCore import QDate, QRect, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPalette, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QToolButton

_WEEKS = 6
_ARROWS = ("qt_calendar_prevmonth", "qt_calendar_nextmonth")
_WEEKEND = (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday)


class Calendar(QCalendarWidget):
    """A month in the colours of the theme, with room for all days at any font size."""

    def __init__(self) -> None:
        super().__init__()
        self.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.setHorizontalHeaderFormat(QCalendarWidget.HorizontalHeaderFormat.ShortDayNames)
        self.setFirstDayOfWeek(self.locale().firstDayOfWeek())
        for day in _WEEKEND:
            # Qt shows weekends in red, which would indicate an error.
            self.setWeekdayTextFormat(day, QTextCharFormat())
        for name in _ARROWS:
            button = self.findChild(QToolButton, name)
            assert button is not None
            # The style sheet has its own arrows for light and dark themes.
            button.setIcon(QIcon())

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size that leaves space between days."""
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the minimum size at which all days and weekday names are readable."""
        letters = self.fontMetrics()
        names = (self.locale().dayName(day, self.locale().FormatType.ShortFormat) for day in range(1, 8))
        across = max(letters.horizontalAdvance(text) for text in (*names, "30")) + letters.height()
        down = letters.height() * 7 // 4
        smallest = super().minimumSizeHint()
        return QSize(max(smallest.width(), 7 * across), max(smallest.height(), (_WEEKS + 2) * down + letters.height()))

    def paintCell(self, painter: QPainter, rect: QRect, date: QDate | object) -> None:  # noqa: N802 (Qt's name)
        """Paint a day: the selected one filled, today with a ring, and days of other months pale."""
        assert isinstance(date, QDate)
        chosen, roles = date == self.selectedDate(), QPalette.ColorRole
        of_month = date.month() == self.monthShown() and date.year() == self.yearShown()
        role = roles.HighlightedText if chosen else roles.Text if of_month else roles.PlaceholderText
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or date == QDate.currentDate():
            painter.setPen(self._color(roles.Highlight))
            painter.setBrush(self._color(roles.Highlight) if chosen else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(2, 1, -3, -2), 4, 4)
        painter.setPen(self._color(role))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, str(date.day()))
        painter.restore()

    def _color(self, role: QPalette.ColorRole) -> QColor:
        return self.palette().color(QPalette.ColorGroup.Active, role)
