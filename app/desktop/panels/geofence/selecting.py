"""Views in which the user selects several geofences."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QSignalBlocker, Qt, SignalInstance
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView


class Selecting:
    """The first base of a view of geofences. Its signals are declared by the view itself, which Qt wants.

    `selected` comes when the user has done something that may have selected other geofences; `all_wanted` and
    `none_wanted` when that is to be all of them, also those that are not listed just now, or none.
    """

    selected: SignalInstance
    all_wanted: SignalInstance
    none_wanted: SignalInstance

    def select_several(self) -> None:
        """Let several be selected."""
        assert isinstance(self, QAbstractItemView)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def mark(self, selection: QItemSelection) -> None:
        """Select exactly these rows, of which the ranges are whole rows.

        Of thousands of ranges Qt would work out where each is on the screen: the view is painted anew instead.
        """
        assert isinstance(self, QAbstractItemView)
        with QSignalBlocker(self.selectionModel()):
            self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Select what is clicked."""
        super().mousePressEvent(event)  # type: ignore[misc]
        self.selected.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Select what is dragged over."""
        super().mouseMoveEvent(event)  # type: ignore[misc]
        if event.buttons():
            self.selected.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Select what is clicked of several that were selected."""
        super().mouseReleaseEvent(event)  # type: ignore[misc]
        self.selected.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Select by the keyboard; Escape selects nothing."""
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            self.none_wanted.emit()
            return
        super().keyPressEvent(event)  # type: ignore[misc]
        self.selected.emit()

    def selectAll(self) -> None:  # noqa: N802 (Qt's name)
        """Ask for all of them."""
        self.all_wanted.emit()
