"""Views in which the user selects several geofences."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QSignalBlocker, Qt, SignalInstance
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView


class Selecting:
    """Mixin for views of geofences, to be listed as the first base class.

    Qt requires that the view itself declares the signals. `selected` is emitted after the user has done something that
    may have changed the selection. `all_wanted` and `none_wanted` are emitted when the user selects all geofences,
    including those not currently listed, or none.
    """

    selected: SignalInstance
    all_wanted: SignalInstance
    none_wanted: SignalInstance

    def select_several(self) -> None:
        """Allow the selection of several geofences."""
        assert isinstance(self, QAbstractItemView)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def mark(self, selection: QItemSelection) -> None:
        """Select exactly these rows, given as ranges of whole rows.

        Qt would compute the position on the screen for each of thousands of ranges, so the whole view is repainted
        instead.
        """
        assert isinstance(self, QAbstractItemView)
        with QSignalBlocker(self.selectionModel()):
            self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Select the clicked geofence."""
        super().mousePressEvent(event)  # type: ignore[misc]
        self.selected.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Select the geofences over which the mouse is dragged."""
        super().mouseMoveEvent(event)  # type: ignore[misc]
        if event.buttons():
            self.selected.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Select the clicked geofence out of several selected ones."""
        super().mouseReleaseEvent(event)  # type: ignore[misc]
        self.selected.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Select with the keyboard. Escape clears the selection."""
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            self.none_wanted.emit()
            return
        super().keyPressEvent(event)  # type: ignore[misc]
        self.selected.emit()

    def selectAll(self) -> None:  # noqa: N802 (Qt's name)
        """Request the selection of all geofences."""
        self.all_wanted.emit()
