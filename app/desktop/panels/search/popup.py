"""Search results in a list below the search box, which keeps the keyboard focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QIcon, QMouseEvent, QShowEvent, QWindow
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QWidget

from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.search.results import SearchResult
from app.desktop.panels.layouts import in_column
from app.desktop.panels.search.rows import ROW, Head, Hit, Row, RowPainter, SearchRows, height_of
from app.desktop.panels.widgets import GRID, label

_WIDTH = 440
_EDGE = 4


class SearchPopup(QFrame):
    """A frame over the window, below its search box.

    A click outside closes the frame and emits `dismissed`.
    """

    row_chosen = Signal(object)
    current_changed = Signal()
    dismissed = Signal()

    def __init__(self, window: QWidget, box: QLineEdit, picture: Callable[[SearchResult], QIcon]) -> None:
        super().__init__(window)
        self._box = box
        self._moved = False
        self.setObjectName("SearchPopup")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.rows = SearchRows(self)
        self._painter = RowPainter(picture, self)
        self.list = self._make_list()
        self.note = label(role="hint", wrap=True)
        self.note.setContentsMargins(GRID, 6, GRID, 6)
        in_column(self.list, self.note, of=self, margins=_EDGE, spacing=0)
        self.hide()

    def _make_list(self) -> QListView:
        made = QListView()
        made.setModel(self.rows)
        made.setItemDelegate(self._painter)
        made.setAccessibleName(tr("Search results"))
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.setMouseTracking(True)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        made.clicked.connect(self._on_clicked)
        made.selectionModel().currentChanged.connect(lambda *_: self.current_changed.emit())
        return made

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._painter.set_theme(theme)
        self.list.viewport().update()

    # Display

    def show_rows(self, rows: Sequence[Row], note: str = "", *, more: bool = False) -> None:
        """Show rows, or close if there are neither rows nor a note.

        The first row is chosen. If the rows contain `more` results of the same search, the user's choice of another row
        is kept.
        """
        before = self.current if more and self._moved else None
        self._moved = before is not None
        self.rows.show(rows)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.list.setVisible(bool(rows))
        if not rows and not note:
            self.hide()
            return
        kept = next((at for at, row in enumerate(rows) if before is not None and _same(row, before)), None)
        self._choose(kept if kept is not None else self._next(-1, 1))
        self._place()
        if not self.isVisible():
            self.show()
        self.raise_()

    @property
    def moved(self) -> bool:
        """Whether the user has chosen a row instead of the default first row."""
        return self._moved and self.isVisible()

    @property
    def current(self) -> Row | None:
        """The chosen row, if any."""
        row = self.list.currentIndex().data(ROW)
        return row if row is not None else None

    def _place(self) -> None:
        window = self._box.window()
        below = self._box.mapTo(window, QPoint(0, self._box.height() + 2))
        width = min(_WIDTH, window.width() - 2 * GRID)
        self.setFixedWidth(width)
        self.move(min(below.x(), window.width() - width - GRID), below.y())
        note = self.note.heightForWidth(width - 2 * _EDGE - 2) if self.note.text() else 0
        room = window.height() - below.y() - note - 4 * GRID
        wanted = sum(map(height_of, self.rows.rows))
        self.list.setFixedHeight(max(min(wanted, room), 0))
        edges = 2 * _EDGE + 2
        self.resize(width, (self.list.height() if self.rows.rows else 0) + note + edges)

    # Choosing

    def step(self, by: int) -> None:
        """Choose the next or the previous row, continuing at the other end of the list."""
        self._moved = True
        row = self._next(self.list.currentIndex().row(), by)
        self._choose(row if row is not None else self._next(-1 if by > 0 else len(self.rows.rows), by))

    def page(self, by: int) -> None:
        """Choose the first row of the next or the previous group."""
        self._moved = True
        starts = [at for at, row in enumerate(self.rows.rows) if self._starts(at, row)]
        now = self.list.currentIndex().row()
        onward = [at for at in starts if (at - now) * by > 0]
        if onward:
            self._choose(onward[0] if by > 0 else onward[-1])

    def _starts(self, at: int, row: Row) -> bool:
        return not isinstance(row, Head) and (at == 0 or isinstance(self.rows.rows[at - 1], Head))

    def _next(self, at: int, by: int) -> int | None:
        at += by
        while 0 <= at < len(self.rows.rows):
            if not isinstance(self.rows.rows[at], Head):
                return at
            at += by
        return None

    def _choose(self, row: int | None) -> None:
        if row is None:
            return
        index = self.rows.index(row)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.list.selectionModel().setCurrentIndex(index, flags)
        # If the head of the group is directly above, scroll to it as well.
        above = row - 1 if row and isinstance(self.rows.rows[row - 1], Head) else row
        self.list.scrollTo(self.rows.index(above))
        self.list.scrollTo(index)

    def _on_clicked(self, index: QModelIndex) -> None:
        row = index.data(ROW)
        if not isinstance(row, Head):
            self.row_chosen.emit(row)

    # Closing

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Watch for clicks elsewhere while the list is shown."""
        super().showEvent(event)
        handle = self._handle()
        if handle is not None:
            handle.installEventFilter(self)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Clear the choice."""
        super().hideEvent(event)
        self._moved = False
        handle = self._handle()
        if handle is not None:
            handle.removeEventFilter(self)
        self.current_changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Close on a click elsewhere in the window and when the window is resized.

        A click on a widget that takes no focus also closes the list.
        """
        if event.type() == QEvent.Type.Resize:
            self._dismiss()
        elif isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            at = event.globalPosition().toPoint()
            if not any(each.rect().contains(each.mapFromGlobal(at)) for each in (self, self._box)):
                self._dismiss()
        return super().eventFilter(watched, event)

    def _dismiss(self) -> None:
        self.hide()
        self.dismissed.emit()

    def _handle(self) -> QWindow | None:
        """Return the native window, which receives mouse events before any widget."""
        return self.window().windowHandle()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size that was set."""
        return self.size()


def _same(row: Row, other: Row) -> bool:
    if isinstance(row, Hit) and isinstance(other, Hit):
        a, b = row.found, other.found
        if a.fence_id is not None or b.fence_id is not None:
            return a.fence_id == b.fence_id
        return (a.kind, a.title, a.detail, a.point) == (b.kind, b.title, b.detail, b.point)
    return not isinstance(row, Hit | Head) and not isinstance(other, Hit | Head) and row.text == other.text
