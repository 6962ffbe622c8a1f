"""The webhooks panel: all webhooks, deliveries of the chosen one, and requests to the built-in receiver."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QWidget,
)

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.webhooks import (
    DELIVERY_TITLES,
    RECEIVED_TITLES,
    TableRow,
    WebhooksShown,
    delivery_row,
)
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import GRID, EmptyState, PageSwitch, button, panel, tip_text, tool_button
from app.desktop.style import colors
from engine.outbound.urls import without_url_secrets

_ROW = 26
_STRETCHED = 2
"""Column of the events in both tables."""

_TABLE, _EMPTY, _NO_WEBHOOK = range(3)
_SENT, _RECEIVED = range(2)


class RowTable(QTableWidget):
    """A table with rows of text that keeps the chosen row when other rows are added."""

    row_chosen = Signal(str)

    def __init__(self, name: str, titles: Sequence[str], samples: Sequence[str]) -> None:
        super().__init__(0, len(titles))
        self._rows: tuple[TableRow, ...] = ()
        self._theme: Theme = "light"
        self.setHorizontalHeaderLabels(list(titles))
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        for column, sample in enumerate(samples):
            header.resizeSection(column, self.fontMetrics().horizontalAdvance(sample) + 24)
        header.setSectionResizeMode(_STRETCHED, QHeaderView.ResizeMode.Stretch)
        self.currentCellChanged.connect(self._on_current)

    @property
    def chosen(self) -> str | None:
        """Key of the chosen row."""
        row = self.currentRow()
        return self._rows[row].key if 0 <= row < len(self._rows) else None

    def show_rows(self, rows: Sequence[TableRow]) -> None:
        """Show the given rows."""
        if tuple(rows) == self._rows:
            return
        chosen, top = self.chosen, self.verticalScrollBar().value()
        with QSignalBlocker(self):
            self._rows = tuple(rows)
            self.setRowCount(len(rows))
            for number, row in enumerate(rows):
                self._fill(number, row)
            at = next((number for number, row in enumerate(rows) if row.key == chosen), -1)
            self.setCurrentCell(at, 0 if at >= 0 else -1)
        self.verticalScrollBar().setValue(top)
        if chosen is not None and at < 0:
            self.row_chosen.emit("")

    def set_theme(self, theme: Theme) -> None:
        """Colour failures."""
        self._theme = theme
        rows, self._rows = self._rows, ()
        self.show_rows(rows)

    def _fill(self, number: int, row: TableRow) -> None:
        for column, text in enumerate(row.cells):
            item = QTableWidgetItem(text)
            item.setToolTip(tip_text(f"{text}\n{row.tip}" if column else row.tip))
            if row.bad and column in (1, 3):
                item.setForeground(QColor(colors(self._theme).danger))
            self.setItem(number, column, item)

    def _on_current(self, row: int, *_: int) -> None:
        self.row_chosen.emit(self._rows[row].key if 0 <= row < len(self._rows) else "")


class WebhooksPanel(QWidget):
    """The tables of webhooks, whose user actions are handled by a controller."""

    webhook_chosen = Signal(str)
    delivery_chosen = Signal(str)
    received_chosen = Signal(str)
    create_requested = Signal()
    edit_requested = Signal()
    delete_requested = Signal()
    test_requested = Signal()
    pause_toggled = Signal(bool)
    replay_requested = Signal()
    receive_toggled = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self._shown = WebhooksShown()
        self._make_head()
        self.deliveries = RowTable(
            tr("Deliveries"), DELIVERY_TITLES, ("00:00:00", tr("Delivered"), "", "200 in 100 ms")
        )
        self.received = RowTable(tr("Received"), RECEIVED_TITLES, ("00:00:00", tr("Not checked"), ""))
        self._lay_out()
        self._connect()
        self.show_webhooks(self._shown)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size that lets the user make the panel small."""
        return QSize(240, 96)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size with room for a few deliveries."""
        return QSize(640, 208)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons and failures."""
        self.new.setIcon(icon("plus", theme))
        self.more.setIcon(icon("dots-three-vertical", theme))
        self.deliveries.set_theme(theme)
        self.received.set_theme(theme)

    # Display

    def show_webhooks(self, shown: WebhooksShown) -> None:
        """Show the webhooks and the deliveries of the chosen one."""
        self._shown = shown
        chosen = shown.chosen
        with QSignalBlocker(self.choice):
            self.choice.clear()
            for webhook in shown.webhooks:
                self.choice.addItem(without_url_secrets(webhook.url), webhook.id)
            self.choice.setCurrentIndex(-1 if chosen is None else self.choice.findData(chosen.id))
        self.choice.setVisible(bool(shown.webhooks))
        for each in (self.test, self.more, self.edit, self.pause, self.replay, self.delete):
            each.setEnabled(chosen is not None)
        self.pause.setText(tr("Resume") if chosen is not None and chosen.paused else tr("Pause"))
        self.deliveries.show_rows([delivery_row(delivery, shown.zone) for delivery in shown.deliveries])
        self._show_page(self._page())

    def show_received(self, rows: Sequence[TableRow]) -> None:
        """Show the requests that the built-in receiver received."""
        self.received.show_rows(rows)
        self._show_page(self._page())

    def show_page(self, number: int) -> None:
        """Show the page with sent (0) or received (1) requests."""
        self.pages.show_page(number)
        self._show_page(number)

    def show_receiving(self, *, on: bool) -> None:
        """Show whether the built-in receiver is running."""
        with QSignalBlocker(self.receive):
            self.receive.setChecked(on)
        self.receive.setText(tr("Stop receiving") if on else tr("Receive here"))

    def set_available(self, *, available: bool, live: bool) -> None:
        """Enable the actions on webhooks while a workspace is open, and the built-in receiver only in Test."""
        self.new.setEnabled(available)
        self.pages.setEnabled(available)
        self.receive.setEnabled(available and not live)
        tip = (
            tr("Live webhooks cannot reach this computer")
            if live
            else tr("Run a receiver on this computer, with its own webhook")
        )
        self.receive.setToolTip(tip_text(tip))

    def _page(self) -> int:
        return _RECEIVED if self.pages.buttons[_RECEIVED].isChecked() else _SENT

    def _show_page(self, number: int) -> None:
        is_sent = number == _SENT
        table = self.deliveries if is_sent else self.received
        self._tables.setCurrentWidget(table)
        state = _TABLE
        if is_sent and not self._shown.webhooks:
            state = _NO_WEBHOOK
        elif not table.rowCount():
            state = _EMPTY
        self._nothing.title.setText(tr("Nothing sent yet") if is_sent else tr("Nothing received yet"))
        self._nothing.text.setText(
            tr("The events of this webhook appear here. “Test” sends a sample event.")
            if is_sent
            else tr("“Receive here” runs a receiver on this computer and shows what its webhook sends.")
        )
        self._stack.setCurrentIndex(state)

    def _on_pause(self) -> None:
        chosen = self._shown.chosen
        if chosen is not None:
            self.pause_toggled.emit(not chosen.paused)

    # Construction

    def _make_head(self) -> None:
        self.choice = ChoiceBox()
        self.choice.setAccessibleName(tr("Webhook"))
        self.choice.setMinimumWidth(120)
        self.new = tool_button(tr("New webhook"), self.create_requested.emit, "NewWebhook")
        self.head = QWidget()
        self.more = tool_button(tr("Pause, edit, replay, delete"), name="WebhookActions")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self._make_menu())
        in_row((self.choice, 1), self.new, self.more, of=self.head, margins=0, spacing=4)

    def _make_menu(self) -> Menu:
        menu = Menu(self)
        self.pause = menu.addAction(tr("Pause"), self._on_pause)
        self.edit = menu.addAction(tr("Edit…"), self.edit_requested.emit)
        self.replay = menu.addAction(tr("Replay…"), self.replay_requested.emit)
        self.delete = menu.addAction(tr("Delete…"), self.delete_requested.emit)
        return menu

    def _lay_out(self) -> None:
        self.pages = PageSwitch((tr("Sent"), tr("Received")))
        self.receive = button(tr("Receive here"))
        self.receive.setCheckable(True)
        self.test = button(tr("Test"), self.test_requested.emit)
        self._tables = QStackedWidget()
        self._tables.addWidget(self.deliveries)
        self._tables.addWidget(self.received)
        self._nothing = EmptyState(tr("Nothing sent yet"), "")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._tables)
        self._stack.addWidget(self._nothing)
        self._stack.addWidget(
            EmptyState(
                tr("No webhooks yet"),
                tr(
                    "A webhook sends each event to your server as a signed POST request. Without a server, "
                    "receive here."
                ),
                button(tr("New webhook…"), self.create_requested.emit),
            )
        )
        bar = in_row(self.pages, STRETCH, self.test, self.receive, margins=(GRID, GRID // 2, GRID, 0), spacing=4)
        body, inner = panel()
        inner.addLayout(bar)
        inner.addWidget(self._stack, 1)
        in_column(body, of=self, margins=0)

    def _connect(self) -> None:
        self.choice.activated.connect(lambda: self.webhook_chosen.emit(self.choice.currentData()))
        self.pages.chosen.connect(self.show_page)
        self.deliveries.row_chosen.connect(self.delivery_chosen)
        self.received.row_chosen.connect(self.received_chosen)
        self.receive.toggled.connect(self.receive_toggled)
