"""The vertices of each ring of a polygon as a table that supports editing, adding, removing, copying and pasting."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QHeaderView, QTableWidgetItem, QWidget

from app.desktop.language import tr
from app.desktop.model.shaping.positions import Order, axis, degrees, middle_of, read_all, ring_of, spell_all
from app.desktop.model.shaping.rings import RingPlace, places_of
from app.desktop.model.words import error_text
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.fields.tables import EditTable, TableEntry
from app.desktop.panels.flow import Flow
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.widgets import Field, button, key_text, tip_text
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Isochrone, Polygon, Position, Ring
from engine.geo.parts import check_polygon

_ROW = 26
_LEAST_ROWS, _MOST_ROWS = 3, 8
_FEWEST = 3

_Keys = QKeySequence.StandardKey
_OWN = (_Keys.Copy, _Keys.Paste, _Keys.Delete)

type _Rows = list[tuple[str, str]]
"""The texts of the vertices of a ring, in the order of the columns."""


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
    """An editor for vertices that emits the coordinates of the polygon after a change, or the error in a vertex.

    The table shows one ring at a time. `ring_shown` carries its number, or None while there is no choice of rings to
    see. `delete_wanted` carries the number of the ring to delete.
    """

    committed = Signal(object)
    refused = Signal(str)
    ring_shown = Signal(object)
    delete_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.order = Order.LATITUDE_FIRST
        self._fence_id = ""
        self._places: tuple[RingPlace, ...] = ()
        self._rows: list[_Rows] = [[]]
        """The texts of all rings. Those of the ring in the table are in the table."""
        self._number = 0
        self._locked = False
        self._make_rings()
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
        self.draw_hole, self.draw_part = button(tr("Draw hole")), button(tr("Draw part"))
        self.draw_hole.setToolTip(tip_text(tr("Draw a hole on the map ({shortcut})", shortcut=key_text("Shift+H"))))
        self.draw_part.setToolTip(
            tip_text(tr("Draw a further part on the map ({shortcut})", shortcut=key_text("Shift+P")))
        )
        self._ring = QWidget()
        in_column(
            self.table,
            Flow(self.add, self.remove, self.paste_button),
            Flow(self.draw_hole, self.draw_part),
            of=self._ring,
            margins=0,
            spacing=6,
        )
        in_column(self._ring_row, self._ring, of=self, margins=0, spacing=6)
        self.table.itemChanged.connect(self._on_item)
        self.table.itemSelectionChanged.connect(self._enable)
        self.table.copied.connect(self.copy)
        self.table.pasted.connect(self.paste)
        self.table.removed.connect(self.remove_vertices)
        self.set_order(self.order)

    def _make_rings(self) -> None:
        self.rings = ChoiceBox()
        # The longest name of a ring must not make the page wider than the panel; the list below the box is.
        self.rings.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.rings.setMinimumContentsLength(8)
        self.rings.setAccessibleName(tr("Ring"))
        self.rings.setToolTip(tr("The ring whose vertices are listed; it is marked on the map"))
        self.rings.activated.connect(self.choose_ring)
        self.delete_ring = button(tr("Delete"), lambda: self.delete_wanted.emit(self._number))
        self._ring_row = QWidget()
        in_row((self.rings, 1), self.delete_ring, of=self._ring_row, margins=0, spacing=8)
        self._ring_row.hide()

    @property
    def number(self) -> int:
        """The number of the ring in the table."""
        return self._number

    @property
    def place(self) -> RingPlace | None:
        """The place of the ring in the table."""
        return self._places[self._number] if self._places else None

    @property
    def shown_ring(self) -> int | None:
        """The number of the ring in the table, or None if it is not visible or the only one."""
        return self._number if self.isVisible() and len(self._places) > 1 else None

    def choose_ring(self, number: int) -> None:
        """List the vertices of another ring. Input that was refused stays in its ring."""
        if number != self._number and number < len(self._rows):
            self.table.take()
            self._rows[self._number] = self._texts()
            self._number = number
            self._show(self._rows[number])
            self.table.scrollToTop()
            self._show_rings()
        self.ring_shown.emit(self.shown_ring)

    def set_locked(self, locked: bool) -> None:
        """Allow changes only if the shape is not locked. Its rings can still be listed."""
        self._locked = locked
        self._ring.setEnabled(not locked)
        self._show_rings()

    def set_order(self, order: Order) -> None:
        """Show the columns in the given order."""
        self._rows[self._number] = self._texts()
        if order is not self.order:
            self._rows = [[(second, first) for first, second in rows] for rows in self._rows]
        self.order = order
        self.table.setHorizontalHeaderLabels(list(order.axes))
        self._show(self._rows[self._number])

    def set_polygon(self, polygon: Polygon, fence_id: str = "") -> None:
        """Show a polygon, reusing existing rows so that the keyboard focus stays in its cell.

        The ring in the table stays, even if it has another number now.
        """
        texts = self._texts()
        rings = [[self._texts_of(position) for position in ring[:-1]] for ring in polygon.rings]
        number = self._number if fence_id == self._fence_id else 0
        if fence_id == self._fence_id and texts in rings:
            number = rings.index(texts)
        self._fence_id, self._places, self._rows = fence_id, places_of(polygon), rings
        self._number = min(number, len(rings) - 1)
        self._show(rings[self._number])
        self._show_rings()
        self.ring_shown.emit(self.shown_ring)

    def state(self) -> object:
        """Return the displayed rings and rows, longitude first, for `put_back`."""
        self._rows[self._number] = self._texts()
        rows = [[self.order.sorted(texts) for texts in ring] for ring in self._rows]  # type: ignore[arg-type]
        return self._fence_id, self._places, self._number, rows

    def put_back(self, state: object) -> None:
        """Restore what `state` returned."""
        assert isinstance(state, tuple)
        self._fence_id, self._places, self._number, rows = state
        self._rows = [[self.order.sorted(texts) for texts in ring] for ring in rows]  # type: ignore[misc]
        self._show(self._rows[self._number])
        self._show_rings()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Emit the ring in the table, which is visible now."""
        super().showEvent(event)
        self.ring_shown.emit(self.shown_ring)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Emit that no ring is visible."""
        super().hideEvent(event)
        self.ring_shown.emit(None)

    def _show_rings(self) -> None:
        """Offer the rings with their numbers of vertices, if there are several."""
        texts = [
            tr("{ring_name} ({count:,} vertices)", ring_name=place.name, count=len(rows))
            for place, rows in zip(self._places, self._rows, strict=False)
        ]
        with QSignalBlocker(self.rings):
            if texts != [self.rings.itemText(row) for row in range(self.rings.count())]:
                self.rings.clear()
                self.rings.addItems(texts)
            self.rings.setCurrentIndex(self._number)
        self._ring_row.setVisible(len(texts) > 1)
        place = self.place
        self.delete_ring.setEnabled(place is not None and place.can_be_deleted and not self._locked)
        self.delete_ring.setToolTip(
            tr("Delete this hole") if place is not None and place.hole else tr("Delete this part with its holes")
        )

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
        if self._vertices() is None:
            return
        self._rows[self._number] = self._texts()
        try:
            polygon = self._polygon()
        except InvalidParameter as error:
            self.refused.emit(error_text(error))
            return
        self.committed.emit(coordinates_of(polygon))

    def _polygon(self) -> Polygon:
        """Return the polygon with the displayed vertices. Raises `InvalidParameter` if it is not valid."""
        if len(self._rows) == 1:
            return Polygon(ring_of([self._vertex(row, texts) for row, texts in enumerate(self._rows[0], 1)]))
        parts: list[list[Ring]] = []
        for place, rows in zip(self._places, self._rows, strict=True):
            vertices = [self._vertex(row, texts, place) for row, texts in enumerate(rows, 1)]
            if place.hole == 0:
                parts.append([])
            parts[-1].append((*vertices, vertices[0]))
        return check_polygon(parts)

    # Rows

    def _vertices(self) -> list[Position] | None:
        """Return the vertices in the table, or None after reporting the error if one is invalid."""
        try:
            return [self._vertex(row, texts) for row, texts in enumerate(self._texts(), 1)]
        except InvalidParameter as error:
            self.refused.emit(error_text(error))
            return None

    def _vertex(self, number: int, texts: tuple[str, str], place: RingPlace | None = None) -> Position:
        try:
            first, second = (axis(text, name) for text, name in zip(texts, self.order.axes, strict=True))
        except InvalidParameter as error:
            reason = error.message.partition(": ")[2]
            message = tr("coordinates: row {number}: {error}", number=number, error=reason)
            if place is not None:
                message = tr(
                    "coordinates: {ring_name}, row {number}: {error}", ring_name=place.name, number=number, error=reason
                )
            raise InvalidParameter("coordinates", message) from None
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
    """The rings of a polygon.

    The ring of an isochrone follows from its destination and cannot be edited.
    """

    def __init__(self, field: Field, editor: VertexEdit) -> None:
        super().__init__("coordinates", field, editor)
        editor.committed.connect(self.give)

    def value(self, record: Geofence) -> tuple[object, ...] | None:
        """Return the coordinates, or None if the geofence has no vertices of its own."""
        return None if isinstance(record.geometry, Circle | Isochrone) else coordinates_of(record.geometry)

    def words(self, record: Geofence) -> str:
        """Return the number of vertices, or the kind of shape if it has none."""
        geometry = record.geometry
        if isinstance(geometry, Circle | Isochrone):
            return geometry.type
        return tr("{count:,} vertices", count=geometry.position_count - len(geometry.rings))

    def fill(self, record: Geofence) -> None:
        """Show the vertices if the geofence is a polygon."""
        geometry = record.geometry
        if isinstance(geometry, Circle | Isochrone):
            self.field.hide()
            return
        self.field.show()
        self.editor.set_polygon(geometry, record.id)


def coordinates_of(polygon: Polygon) -> tuple[object, ...]:
    """Return the ring of a polygon, or the coordinates of a GeoJSON Polygon or MultiPolygon, as tuples."""
    if polygon.is_single_ring:
        return tuple(polygon.ring)
    parts = tuple((tuple(part.ring), *map(tuple, part.holes)) for part in polygon.parts)
    return parts if polygon.others else parts[0]


def _is_pair(text: str) -> bool:
    """Return whether a text contains more than one number. ``46,05`` is one number with a decimal comma."""
    parts = text.replace("°", " ").replace(";", " ").replace(", ", " ").split()
    return len(parts) > 1 or text.count(",") > 1 or (text.count(",") == 1 and "." in text)
