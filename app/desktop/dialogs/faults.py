"""Injected faults: their list, the number of hits of each, and a line to add one."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QStackedWidget,
    QTableView,
    QWidget,
)

from app.desktop.language import tr
from app.desktop.model.inspector.faults import choice_text, effect_text, scope_text
from app.desktop.model.words import error_text
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.fields.numbers import NumberBox, take_all
from app.desktop.panels.layouts import in_dialog
from app.desktop.panels.tables import set_widths, table_view
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import GRID, EmptyState, button, caption, label, tip_text
from app.faults.book import Fault
from app.faults.rules import ANY_PATH, METHODS, DropTime, FaultKind, FaultRule
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter

_TITLES: Final = ("ID", tr("Effect"), tr("Requests"), tr("Applies to"), tr("Matched"), tr("Hits"))
_WIDTHS: Final = (72, 176, 0, 176, 80, 88)

_KINDS: Final = (
    (FaultKind.STATUS, tr("Status")),
    (FaultKind.LATENCY, tr("Latency")),
    (FaultKind.DROP, tr("Drop the connection")),
    (FaultKind.TRUNCATE, tr("Truncate the body")),
    (FaultKind.SLOW, tr("Slow body")),
)
_STATUSES: Final = (429, 402, 451, 500, 502, 503, 504)
_KEYS: Final[tuple[tuple[KeyLevel | None, str], ...]] = (
    (None, tr("any key")),
    (KeyLevel.PUBLISHABLE, tr("publishable key")),
    (KeyLevel.SECRET, tr("secret key")),
)
_CHOICES: Final = (
    ("", tr("every request")),
    ("times", tr("the next n requests")),
    ("nth", tr("only the nth request")),
    ("every", tr("every nth request")),
    ("share", tr("a percentage of requests")),
)


class FaultModel(TitledModel):
    """A Qt model of the faults, oldest first."""

    def __init__(self) -> None:
        super().__init__(_TITLES)
        self.faults: tuple[Fault, ...] = ()

    def show_faults(self, faults: tuple[Fault, ...]) -> None:
        """Show faults; if they are the same as before, update only their counts."""
        same = [fault.id for fault in faults] == [fault.id for fault in self.faults]
        if not same:
            self.beginResetModel()
        self.faults = faults
        if not same:
            self.endResetModel()
        elif faults:
            self.dataChanged.emit(self.index(0, 0), self.index(len(faults) - 1, len(_TITLES) - 1))

    def _count(self) -> int:
        return len(self.faults)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        text = _cells(self.faults[index.row()])[index.column()]
        return text if role == Qt.ItemDataRole.DisplayRole else tip_text(text)


class FaultsDialog(QDialog):
    """Emits the user's requests; the dialog is modeless, so the window stays usable."""

    add_requested = Signal(object)
    remove_requested = Signal(str)
    clear_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Test faults"))
        self.resize(800, 440)
        self.model = FaultModel()
        self.view = _view(self.model)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self._stack.addWidget(
            EmptyState(
                tr("No faults"),
                tr(
                    "Add one to see how your app copes when the service is slow, refuses requests or drops "
                    "connections. Live is never affected."
                ),
            )
        )
        self.remove = button(tr("Remove"), self._on_remove)
        self.clear = button(tr("Remove all"), self.clear_requested.emit)
        self._make_line()
        layout = in_dialog(self, (self._stack, 1), self._arranged(), self.error)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.remove, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.clear, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        delete = QShortcut(QKeySequence.StandardKey.Delete, self.view, context=Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._on_remove)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.kind.currentIndexChanged.connect(lambda _: self._show_fields())
        self.choice.currentIndexChanged.connect(lambda _: self._show_fields())
        self._show_fields()
        self.show_faults(())

    def show_faults(self, faults: tuple[Fault, ...]) -> None:
        """Show faults and keep the selection."""
        chosen = self._chosen()
        self.model.show_faults(faults)
        row = next((row for row, fault in enumerate(faults) if fault.id == chosen), None)
        if row is not None:
            self.view.selectRow(row)
        self._stack.setCurrentIndex(0 if faults else 1)
        self._enable()

    def show_error(self, error: Exception | None) -> None:
        """Show the error of a new fault, or hide the last one if it is None."""
        self.error.setText("" if error is None else error_text(error))
        self.error.setVisible(error is not None)

    def rule(self) -> FaultRule:
        """Return the rule of the input line. Raises `InvalidParameter` if the headers cannot be read."""
        kind = FaultKind(self.kind.currentData())  # Qt returns a plain string.
        status = kind is FaultKind.STATUS
        way: str = self.choice.currentData()
        number = self.number.number() or 0.0
        chosen: dict[str, Any] = {}
        if way:
            chosen[way] = number / 100 if way == "share" else int(number)
        amount, key = self.amount.number(), self.key.currentData()
        return FaultRule(
            kind=kind,
            path=self.path.text().strip() or ANY_PATH,
            method=self.method.currentData(),
            key=None if key is None else KeyLevel(key),
            status=int(self.status.currentText()) if status else None,
            headers=_headers(self.headers.text()) if status else (),
            when=DropTime(self.when.currentData()) if kind is FaultKind.DROP else None,
            latency_ms=int(amount or 0) if kind is FaultKind.LATENCY else None,
            bytes=None if kind is not FaultKind.TRUNCATE or amount is None else int(amount),
            bytes_per_second=int(amount or 0) if kind is FaultKind.SLOW else None,
            **chosen,
        )

    def _make_line(self) -> None:
        self.kind, self.status, self.when = _choice(tr("Effect")), _choice(tr("Status")), _choice(tr("When"))
        self.method, self.key, self.choice = _choice(tr("Method")), _choice(tr("Key")), _choice(tr("Applies to"))
        for kind, text in _KINDS:
            self.kind.addItem(text, kind)
        for status in _STATUSES:
            self.status.addItem(str(status), status)
        for when, text in (
            (DropTime.BEFORE, tr("before it is processed")),
            (DropTime.AFTER, tr("after it is processed")),
        ):
            self.when.addItem(text, when)
        for method in (None, *METHODS):
            self.method.addItem(method or tr("any method"), method)
        for key, text in _KEYS:
            self.key.addItem(text, key)
        for way, text in _CHOICES:
            self.choice.addItem(text, way)
        self.amount = NumberBox("", decimals=0)
        self.number = NumberBox("", decimals=0)
        self.number.set_number(1)
        self.amount.setAccessibleName(tr("Amount"))
        self.number.setAccessibleName(tr("Number"))
        self.headers, self.path = TextLine(), TextLine()
        self.headers.setPlaceholderText("Retry-After: 3; X-RateLimit-Remaining: 0")
        self.headers.setAccessibleName(tr("Headers"))
        self.path.setPlaceholderText(tr("any path; for example /v1/track or /v1/route/*"))
        self.path.setAccessibleName(tr("Path"))
        self.add = button(tr("Add"), self._on_add, "primary")
        self.error = label("", "error", wrap=True)
        self.error.hide()

    def _arranged(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID)
        grid.setColumnStretch(3, 1)
        rows: tuple[tuple[QWidget, ...], ...] = (
            (caption(tr("Effect"), self.kind, "muted"), self.kind, self.status, self.headers),
            (caption(tr("Requests"), self.method, "muted"), self.method, self.key, self.path),
            (caption(tr("Applies to"), self.choice, "muted"), self.choice, self.number),
        )
        for row, widgets in enumerate(rows):
            for column, widget in enumerate(widgets):
                grid.addWidget(widget, row, column)
        grid.addWidget(self.when, 0, 2, 1, 2)
        grid.addWidget(self.amount, 0, 2)
        grid.addWidget(self.add, 2, 3, Qt.AlignmentFlag.AlignRight)
        return grid

    def _show_fields(self) -> None:
        """Show the fields of the chosen kind of fault."""
        kind = FaultKind(self.kind.currentData())  # Qt returns a plain string.
        self.status.setVisible(kind is FaultKind.STATUS)
        self.headers.setVisible(kind is FaultKind.STATUS)
        self.when.setVisible(kind is FaultKind.DROP)
        self.amount.setVisible(kind in _AMOUNTS)
        if kind in _AMOUNTS:
            unit, first = _AMOUNTS[kind]
            self.amount.setSuffix(f" {unit}")
            self.amount.set_number(first)
        way = self.choice.currentData()
        self.number.setVisible(bool(way))
        self.number.setSuffix(" %" if way == "share" else "")

    def _on_add(self) -> None:
        if not take_all(box for box in (self.amount, self.number) if not box.isHidden()):
            return
        try:
            rule = self.rule()
        except InvalidParameter as error:
            self.show_error(error)
            return
        self.add_requested.emit(rule)

    def _on_remove(self) -> None:
        if (chosen := self._chosen()) is not None:
            self.remove_requested.emit(chosen)

    def _chosen(self) -> str | None:
        rows = self.view.selectionModel().selectedRows()
        return self.model.faults[rows[0].row()].id if rows else None

    def _enable(self) -> None:
        self.remove.setEnabled(self._chosen() is not None)
        self.clear.setEnabled(bool(self.model.faults))


_AMOUNTS: Final = {
    FaultKind.LATENCY: ("ms", 3000),
    FaultKind.TRUNCATE: (tr("bytes"), 100),
    FaultKind.SLOW: (tr("bytes per second"), 100),
}


def _headers(text: str) -> tuple[tuple[str, str], ...]:
    """Return the headers of a line, which are separated by semicolons."""
    headers = []
    for part in filter(None, map(str.strip, text.split(";"))):
        name, colon, value = part.partition(":")
        if not colon:
            raise InvalidParameter(
                "headers", tr("headers: {header!r} must be a name, a colon and a value.", header=part[:40])
            )
        headers.append((name.strip(), value.strip()))
    return tuple(headers)


def _cells(fault: Fault) -> tuple[str, ...]:
    rule = fault.rule
    hits = tr("{hits:,} · used up", hits=fault.hits) if fault.is_spent else tr("{hits:,}", hits=fault.hits)
    return fault.id, effect_text(rule), scope_text(rule), choice_text(rule), tr("{seen:,}", seen=fault.seen), hits


def _choice(name: str) -> ChoiceBox:
    made = ChoiceBox()
    made.setAccessibleName(name)
    return made


def _view(model: FaultModel) -> QTableView:
    view = table_view(model, tr("Faults"))
    set_widths(view, _WIDTHS)
    return view
