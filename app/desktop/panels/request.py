"""The full view of a request: its content, its effects, and likely mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from app.desktop.language import tr
from app.desktop.model.requests.texts import RequestDetails, can_repeat, event_name
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.menus import Menu
from app.desktop.panels.side import SidePanel
from app.desktop.panels.widgets import GRID, EmptyState, PageSwitch, button, button_text, label, panel, tip_text
from app.exchanges import EventMark

_SHOWN_EVENTS = 6
_REQUEST, _ANSWER = range(2)


class RequestPage(SidePanel):
    """A request in full, with its near misses, its events, and the transmitted data."""

    event_chosen = Signal(object)
    copy_requested = Signal(bool)
    send_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._details: RequestDetails | None = None
        self.pages = PageSwitch((tr("Request"), tr("Response")))
        self.copy = QPushButton(tr("Copy as curl"))
        self.copy.setAutoDefault(False)
        self.copy.setMenu(self._copy_menu())
        self.again = button(tr("Send again…"), self.send_requested.emit)
        self.near_misses = label("", "closed", wrap=True)
        self.near_misses.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(tr("Request or response"))
        self.text.setTabChangesFocus(True)
        self._events = QWidget()
        self._events_row = in_column(of=self._events, margins=0, spacing=4)
        self._lay_out()
        self.pages.chosen.connect(self._show_page)

    def show_details(self, details: RequestDetails | None) -> None:
        """Show a request, or the empty page.

        The chosen part, request or response, stays in front.
        """
        self._details = details
        self._stack.setCurrentIndex(0 if details is None else 1)
        if details is None:
            return
        self.near_misses.setText("\n".join(each.message for each in details.near_misses))
        self.near_misses.setVisible(bool(details.near_misses))
        self._show_events(details.events)
        whole = can_repeat(details.logged)
        tip = "" if whole else tr("The log keeps only the beginning of this body")
        for each in (self.copy, self.again):
            each.setEnabled(whole)
            each.setToolTip(tip_text(tip))
        self._show_page(self._page())

    @property
    def links(self) -> list[QPushButton]:
        """Buttons that lead to the events."""
        return self._events.findChildren(QPushButton)

    def _page(self) -> int:
        return _ANSWER if self.pages.buttons[_ANSWER].isChecked() else _REQUEST

    def _show_page(self, number: int) -> None:
        self.pages.show_page(number)
        if self._details is not None:
            self.text.setPlainText(self._details.request if number == _REQUEST else self._details.answer)

    def _show_events(self, events: Sequence[EventMark]) -> None:
        while (item := self._events_row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.setParent(None)
                widget.deleteLater()
        for event in events[:_SHOWN_EVENTS]:
            link = button(button_text(event_name(event)), partial(self.event_chosen.emit, event))
            link.setToolTip(tip_text(tr("Select this event: {event_type}", event_type=event.type)))
            self._events_row.addWidget(link)
        if len(events) > _SHOWN_EVENTS:
            self._events_row.addWidget(label(tr("and {count} more", count=len(events) - _SHOWN_EVENTS), "muted"))
        self._events.setVisible(bool(events))

    def _copy_menu(self) -> Menu:
        menu = Menu(self)
        menu.addAction(tr("With a placeholder for the key"), lambda: self.copy_requested.emit(False))
        menu.addAction(tr("With the Test publishable key"), lambda: self.copy_requested.emit(True))
        return menu

    def _lay_out(self) -> None:
        buttons = in_row(self.copy, self.again, STRETCH, spacing=GRID)
        body, inner = panel(margins=12)
        inner.addWidget(self.near_misses)
        inner.addWidget(self._events)
        inner.addWidget(self.pages)
        inner.addWidget(self.text, 1)
        inner.addLayout(buttons)
        self._stack = self._add_pages(
            EmptyState(tr("No request selected"), tr("Select one in the list of requests."), narrow=True), body
        )
