"""A date and time, typed or chosen in a calendar. Empty means never."""

from __future__ import annotations

from PySide6.QtCore import QDate, Signal
from PySide6.QtWidgets import QWidget, QWidgetAction

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.fields.calendar import Calendar
from app.desktop.panels.layouts import in_row
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import tool_button

_FORMAT = "yyyy-MM-dd"


class MomentEdit(QWidget):
    """A text field with a calendar button."""

    chosen = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.line = TextLine()
        self.line.setPlaceholderText(tr("never"))
        self.line.setAccessibleName(name)
        self.open = tool_button(tr("Choose the day in a calendar"), self._open)
        in_row((self.line, 1), self.open, of=self, margins=0, spacing=4)
        self.menu = Menu(self)
        self.calendar = Calendar()
        action = QWidgetAction(self.menu)
        action.setDefaultWidget(self.calendar)
        self.menu.addAction(action)
        self.calendar.clicked.connect(self._on_day)
        self.calendar.activated.connect(self._on_day)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icon for a theme."""
        self.open.setIcon(icon("calendar-blank", theme))

    def _open(self) -> None:
        day = QDate.fromString(self.line.text()[:10], _FORMAT)
        self.calendar.setSelectedDate(day if day.isValid() else QDate.currentDate())
        self.menu.popup(self.open.mapToGlobal(self.open.rect().bottomLeft()))

    def _on_day(self, day: QDate) -> None:
        """Set the day. The time of day is kept, and is midnight initially."""
        self.menu.close()
        self.line.setText(day.toString(_FORMAT) + (self.line.text()[10:].rstrip() or " 00:00"))
        self.chosen.emit()
