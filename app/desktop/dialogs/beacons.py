"""The beacons of the displayed environment: a list that goes to one on the map."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QStackedWidget,
    QTableView,
    QWidget,
)

from app.desktop.language import counted, tr
from app.desktop.model.beacons import TYPES, BeaconBook, beacon_name, beacon_tip
from app.desktop.model.editing.metadata import text_of
from app.desktop.model.words import position
from app.desktop.panels.layouts import in_dialog
from app.desktop.panels.tables import set_widths, table_view
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import EmptyState, button, label, tip_text
from app.desktop.relay import Relay
from engine.domain.tracking.beacon import Beacon, IBeacon

_TITLES = (
    tr("Name"),
    tr("Tag"),
    tr("External ID"),
    tr("Type"),
    tr("UUID or UID"),
    tr("Major, minor or instance"),
    tr("Enabled"),
)
_WIDTHS = (0, 104, 104, 88, 296, 184, 72)
_SHOWN_EVERY_MS = 250


class BeaconModel(TitledModel):
    """A Qt model of the beacons, sorted by tag and name."""

    def __init__(self, book: BeaconBook) -> None:
        super().__init__(_TITLES)
        self._book = book
        self._rows: tuple[Beacon, ...] = ()

    def refresh(self) -> None:
        """Show the current beacons."""
        self.beginResetModel()
        self._rows = self._book.all()
        self.endResetModel()

    def beacon(self, row: int) -> Beacon:
        """Return the beacon of a row."""
        return self._rows[row]

    def row_of(self, beacon_id: str) -> int | None:
        """Return the row of a beacon."""
        return next((row for row, beacon in enumerate(self._rows) if beacon.id == beacon_id), None)

    def _count(self) -> int:
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        beacon = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _text(beacon, index.column())
            case Qt.ItemDataRole.ToolTipRole:
                return tip_text(_tip(beacon))
        return None


class BeaconsDialog(QDialog):
    """Lists beacons, follows their changes, and emits the chosen beacon."""

    beacon_chosen = Signal(str)
    new_requested = Signal()

    def __init__(self, parent: QWidget, book: BeaconBook) -> None:
        super().__init__(parent)
        self._book = book
        self.setWindowTitle(tr("Beacons"))
        self.resize(1040, 400)
        self.model = BeaconModel(book)
        self.view = _view(self.model)
        self.note = label("", "muted")
        self.new = button(tr("New beacon"), self.new_requested.emit)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self._stack.addWidget(
            EmptyState(
                tr("No beacons yet"),
                tr("Place one on the map, import a CSV file, or create beacons with POST /v1/beacons."),
                button(tr("New beacon"), self.new_requested.emit, "primary"),
            )
        )
        layout = in_dialog(self, (self._stack, 1), self.note)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.new, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self.view.clicked.connect(self._on_chosen)
        self.view.activated.connect(self._on_chosen)
        self._shown = Relay(self, interval_ms=_SHOWN_EVERY_MS)
        self._shown.rung.connect(self._refresh)
        book.changed.connect(lambda _: self._shown.ring())
        self._refresh()

    def show_beacon(self, beacon_id: str) -> None:
        """Select a beacon and scroll to it."""
        self._shown.deliver()
        row = self.model.row_of(beacon_id)
        if row is not None:
            self.view.selectRow(row)
            self.view.scrollTo(self.model.index(row, 0))

    def _on_chosen(self, index: QModelIndex) -> None:
        self.beacon_chosen.emit(self.model.beacon(index.row()).id)

    def _refresh(self) -> None:
        rows = self.view.selectionModel().selectedRows()
        chosen = self.model.beacon(rows[0].row()).id if rows else None
        self.model.refresh()
        self._stack.setCurrentIndex(0 if len(self._book) else 1)
        disabled = sum(not beacon.enabled for beacon in self._book.all())
        more = tr(", {disabled:,} disabled", disabled=disabled) if disabled else ""
        self.note.setText(f"{counted(len(self._book), 'beacon')}{more}")
        self.note.setVisible(bool(len(self._book)))
        row = None if chosen is None else self.model.row_of(chosen)
        if row is not None:
            self.view.selectRow(row)


def _view(model: BeaconModel) -> QTableView:
    view = table_view(model, tr("Beacons"))
    set_widths(view, _WIDTHS)
    return view


def _text(beacon: Beacon, column: int) -> str:
    signal = beacon.signal
    return (
        beacon_name(beacon),
        beacon.tag,
        beacon.external_id,
        TYPES[signal.type],
        signal.uuid if isinstance(signal, IBeacon) else signal.uid,
        f"{signal.major}, {signal.minor}" if isinstance(signal, IBeacon) else signal.instance,
        tr("yes") if beacon.enabled else tr("no"),
    )[column]


def _tip(beacon: Beacon) -> str:
    metadata = [f"{key}: {text_of(value)}" for key, value in beacon.metadata.items()]
    return "\n".join([beacon_name(beacon), beacon_tip(beacon), position(beacon.point), *metadata])
