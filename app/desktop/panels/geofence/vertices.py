"""The vertices of a polygon as a table that supports editing, adding, removing, copying and pasting."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHeaderView, QTableWidgetItem, QWidget

from app.desktop.language import tr
from app.desktop.model.shaping.positions import Order, axis, degrees, middle_of, read_all, ring_of, spell_all
from app.desktop.model.words import error_text
from app.desktop.panels.fields.tables import EditTable, TableEntry
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import Field, button
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Isochrone, Position

_ROW = 26
_LEAST_ROWS, _MOST_ROWS = 3, 8
_FEWEST = 3

_Keys = QKeySequence.StandardKey
_OWN = (_Keys.Copy, _Keys.Paste, _Keys.Delete)


class VertexTable(EditTable):
    """A table whose rows can be copied, pasted and deleted with the usual keys."""

    copied = Signal()
    pasted = Signal()
    removed = Signal()

    def event(self, event: QEvent) -> bool:
        """Claim the table's keys before the window's shortcuts, as Delete does not delete the geofence here."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._own(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Handle the keys of the table."""
        own = self._own(event)
        if own is None:
            super().keyPressEvent(event)
        else:
            {_Keys.Copy: self.copied, _Keys.Paste: self.pasted, _Keys.Delete: self.removed}[own].emit()

    def _own(self, event: QKeyEvent) -> QKeySequence.StandardKey | None:
        return None if self.editing else next((key for key in _OWN if event.matches(key)), None)


class VertexEdit(QWidget):
    """An editor for vertices that emits the whole ring after a change, or the error in a vertex."""

    committed = Signal(object)
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.order = Order.LATITUDE_FIRST
        self.table = VertexTable(0, 2)
        self.table.setObjectName("VertexTable")
        self.table.setAccessibleName(tr("Vertices"))
        self.table.verticalHeader().setDefaultSectionSize(_ROW)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setShowGrid(False)
        self.table.setSelectionBehavior(EditTable.SelectionBehavior.SelectRows)
        self.add = button(tr("Add"), self.add_vertex)
        self.add.setToolTip(tr("Add a vertex in the middle of the edge that follows the selected one"))
        self.remove = button(tr("Remove"), self.remove_vertices)
        self.remove.setToolTip(tr("Remove the selected vertices (Del)"))
        self.paste_button = button(tr("Paste"), self.paste)
        self.paste_button.setToolTip(
            tr("Insert coordinates from the clipboard, one pair a line; selected rows are replaced")
        )
        in_column(
            self.table,
            in_row(self.add, self.remove, self.paste_button, STRETCH, spacing=8),
            of=self,
            margins=0,
            spacing=6,
        )
        self.table.itemChanged.connect(self._on_item)
        self.table.itemSelectionChanged.connect(self._enable)
        self.table.copied.connect(self.copy)
        self.table.pasted.connect(self.paste)
        self.table.removed.connect(self.remove_vertices)
        self.set_order(self.order)

    def set_order(self, order: Order) -> None:
        """Show the columns in the given order."""
        rows = self._texts()
        if order is not self.order:
            rows = [(second, first) for first, second in rows]
        self.order = order
        self.table.setHorizontalHeaderLabels(list(order.axes))
        self._show(rows)

    def set_ring(self, ring: Sequence[Position]) -> None:
        """Show a ring, reusing existing rows so that the keyboard focus stays in its cell."""
        self._show([self._texts_of(position) for position in ring[:-1]])

    def state(self) -> object:
        """Return the displayed rows, longitude first, for `put_back`."""
        return [self.order.sorted((first, second)) for first, second in self._texts()]  # type: ignore[arg-type]

    def put_back(self, state: object) -> None:
        """Restore rows returned by `state`."""
        assert isinstance(state, list)
        self._show([self.order.sorted(texts) for texts in state])  # type: ignore[misc]

    # User actions

    def add_vertex(self) -> None:
        """Add a vertex in the middle of the edge after the current row."""
        vertices = self._vertices()
        if vertices is None or len(vertices) < 2:
            return
        row = max(self.table.currentRow(), 0)
        after = vertices[(row + 1) % len(vertices)]
        vertices.insert(row + 1, middle_of(vertices[row], after))
        self._replace(vertices, row + 1)

    def remove_vertices(self) -> None:
        """Remove the selected rows, keeping at least three vertices."""
        vertices, chosen = self._vertices(), self._chosen()
        if vertices is None or not chosen:
            return
        left = [vertex for row, vertex in enumerate(vertices) if row not in chosen]
        if len(left) < _FEWEST:
            self.refused.emit(tr("Coordinates: a polygon needs at least three vertices."))
            return
        self._replace(left, min(chosen[0], len(left) - 1))

    def copy(self) -> None:
        """Copy the selected rows, or all rows, one per line."""
        vertices, chosen = self._vertices(), self._chosen()
        if vertices is not None:
            picked = [vertices[row] for row in chosen] or vertices
            QGuiApplication.clipboard().setText(spell_all(picked, self.order))

    def paste(self) -> None:
        """Insert the coordinates on the clipboard after the current row, or replace several selected rows."""
        vertices, chosen = self._vertices(), self._chosen()
        if vertices is None:
            return
        try:
            pasted = list(read_all(QGuiApplication.clipboard().text(), self.order))
        except InvalidParameter as error:
            self.refused.emit(error_text(error))
            return
        if len(pasted) > 1 and pasted[0] == pasted[-1]:
            pasted.pop()
        if not pasted:
            self.refused.emit(tr("Coordinates: there are none in the clipboard."))
        elif len(chosen) > 1:
            rest = [vertex for row, vertex in enumerate(vertices) if row > chosen[0] and row not in chosen]
            self._replace([*vertices[: chosen[0]], *pasted, *rest], chosen[0])
        else:
            row = self.table.currentRow()
            self._replace([*vertices[: row + 1], *pasted, *vertices[row + 1 :]], row + 1)

    def _replace(self, vertices: Sequence[Position], current: int) -> None:
        self._show([self._texts_of(vertex) for vertex in vertices])
        self.table.setCurrentCell(current, 0)
        self._commit()

    def _on_item(self, item: QTableWidgetItem) -> None:
        """Accept a number, or fill both columns of the row if the cell contains a whole pair."""
        try:
            pair = read_all(item.text(), self.order) if _is_pair(item.text()) else ()
        except InvalidParameter as error:
            self.refused.emit(error_text(error))
            return
        if len(pair) == 1:
            with QSignalBlocker(self.table):
                for column, text in enumerate(self._texts_of(pair[0])):
                    self._set(item.row(), column, text)
        self._commit()

    def _commit(self) -> None:
        vertices = self._vertices()
        if vertices is None:
            return
        try:
            ring = ring_of(vertices)
        except InvalidParameter as error:
            self.refused.emit(error_text(error))
            return
        self.committed.emit(ring)

    # Rows

    def _vertices(self) -> list[Position] | None:
        """Return the vertices in the table, or None after reporting the error if one is invalid."""
        try:
            return [self._vertex(row, texts) for row, texts in enumerate(self._texts(), 1)]
        except InvalidParameter as error:
            self.refused.emit(error_text(error))
            return None

    def _vertex(self, number: int, texts: tuple[str, str]) -> Position:
        try:
            first, second = (axis(text, name) for text, name in zip(texts, self.order.axes, strict=True))
        except InvalidParameter as error:
            raise InvalidParameter(
                "coordinates",
                tr("coordinates: row {number}: {error}", number=number, error=error.message.partition(": ")[2]),
            ) from None
        return self.order.sorted((first, second))

    def _texts_of(self, position: Position) -> tuple[str, str]:
        first, second = self.order.sorted(position)
        return degrees(first), degrees(second)

    def _texts(self) -> list[tuple[str, str]]:
        return [(self._text(row, 0), self._text(row, 1)) for row in range(self.table.rowCount())]

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text() if item is not None else ""

    def _set(self, row: int, column: int, text: str) -> None:
        item = self.table.item(row, column)
        if item is None:
            self.table.setItem(row, column, QTableWidgetItem(text))
        elif item.text() != text:
            item.setText(text)

    def _show(self, rows: Sequence[tuple[str, str]]) -> None:
        with QSignalBlocker(self.table):
            self.table.setRowCount(len(rows))
            for row, texts in enumerate(rows):
                for column, text in enumerate(texts):
                    self._set(row, column, text)
        shown = min(max(len(rows), _LEAST_ROWS), _MOST_ROWS)
        self.table.setFixedHeight(_ROW * shown + self.table.horizontalHeader().sizeHint().height() + 4)
        self._enable()

    def _chosen(self) -> list[int]:
        return sorted({index.row() for index in self.table.selectedIndexes()})

    def _enable(self) -> None:
        self.remove.setEnabled(bool(self._chosen()))


class VerticesEntry(TableEntry[Geofence, VertexEdit]):
    """The ring of a polygon.

    The ring of an isochrone follows from its destination and cannot be edited.
    """

    def __init__(self, field: Field, editor: VertexEdit) -> None:
        super().__init__("coordinates", field, editor)
        editor.committed.connect(self.give)

    def value(self, record: Geofence) -> tuple[Position, ...] | None:
        """Return the ring, or None if the geofence has no vertices of its own."""
        return None if isinstance(record.geometry, Circle | Isochrone) else tuple(record.geometry.ring)

    def words(self, record: Geofence) -> str:
        """Return the number of vertices, or the kind of shape if it has none."""
        ring = self.value(record)
        return record.geometry.type if ring is None else tr("{count:,} vertices", count=len(ring) - 1)

    def fill(self, record: Geofence) -> None:
        """Show the vertices if the geofence is a polygon."""
        ring = self.value(record)
        self.field.setVisible(ring is not None)
        if ring is not None:
            self.editor.set_ring(ring)


def _is_pair(text: str) -> bool:
    """Return whether a text contains more than one number. ``46,05`` is one number with a decimal comma."""
    parts = text.replace("°", " ").replace(";", " ").replace(", ", " ").split()
    return len(parts) > 1 or text.count(",") > 1 or (text.count(",") == 1 and "." in text)
