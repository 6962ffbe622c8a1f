"""The rows below the search box: heads of groups, results and commands, and their painting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QIcon, QPainter, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.desktop.map.values import Theme
from app.desktop.model.search.results import SearchResult, distance_text
from app.desktop.model.search.words import marked
from app.desktop.panels.widgets import GRID, tip_text
from app.desktop.style import colors

type Index = QModelIndex | QPersistentModelIndex

_NO_INDEX = QModelIndex()
_HEAD, _FOUND, _COMMAND = 24, 40, 30
_ICON = 16
_TEXT_AT = 2 * GRID + _ICON + 2


class Head(Struct, frozen=True):
    """The head of a group, which cannot be chosen."""

    text: str


class Hit(Struct, frozen=True):
    """A search result with the typed text."""

    found: SearchResult
    typed: str


class Command(Struct, frozen=True):
    """A command offered below the results."""

    text: str
    act: Callable[[], object]


type Row = Head | Hit | Command

ROW = Qt.ItemDataRole.UserRole


class SearchRows(QAbstractListModel):
    """The rows with their texts for screen readers."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Row, ...] = ()

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows."""
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802 (Qt's name)
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of a row: all rows except heads can be chosen."""
        choosable = index.isValid() and not isinstance(self.rows[index.row()], Head)
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable if choosable else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a row for a role."""
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.found.words if isinstance(row, Hit) else row.text
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(row, Hit):
            return tip_text(f"{row.found.title}\n{row.found.detail}".strip())
        return None


def height_of(row: Row) -> int:
    """Return the height of a row in pixels."""
    return _HEAD if isinstance(row, Head) else _COMMAND if isinstance(row, Command) else _FOUND


class RowPainter(QStyledItemDelegate):
    """Paints the icon, the name with the typed text in bold, further details below, and the distance at the right."""

    def __init__(self, picture: Callable[[SearchResult], QIcon], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._picture = picture
        self._theme: Theme = "light"

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002, N802 (Qt's name)
        """Return the height of the row. Its width is that of the list."""
        return QSize(0, height_of(index.data(ROW)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a row."""
        row: Row = index.data(ROW)
        rect = QRect(option.rect)
        c = colors(self._theme)
        painter.save()
        if isinstance(row, Head):
            self._write(painter, rect.adjusted(GRID, 2, -GRID, 0), row.text, c.muted, bold=True)
        else:
            self._fill(painter, rect, option.state)
            if isinstance(row, Command):
                self._write(painter, rect.adjusted(_TEXT_AT, 0, -GRID, 0), row.text, c.accent)
            else:
                self._paint_hit(painter, rect, row)
        painter.restore()

    def _fill(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        c = colors(self._theme)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        if chosen or hovered:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.accent_soft if chosen else c.hover))
            painter.drawRoundedRect(rect, 4, 4)

    def _paint_hit(self, painter: QPainter, rect: QRect, row: Hit) -> None:
        c, found = colors(self._theme), row.found
        picture = QRect(rect.left() + GRID, rect.top() + 6, _ICON, _ICON)
        self._picture(found).paint(painter, picture)
        right = rect.right() - GRID
        if found.distance_m is not None:
            text = distance_text(found.distance_m)
            width = QFontMetrics(painter.font()).horizontalAdvance(text)
            self._write(painter, QRect(right - width, rect.top() + 3, width + 2, 18), text, c.muted)
            right -= width + 2 * GRID
        left = rect.left() + _TEXT_AT
        self._write_marked(painter, QRect(left, rect.top() + 3, right - left, 18), found.title, row.typed)
        below = QRect(left, rect.top() + 20, rect.right() - GRID - left, 17)
        self._write(painter, below, found.detail, c.muted)

    def _write(self, painter: QPainter, rect: QRect, text: str, color: str, *, bold: bool = False) -> None:
        font = QFont(painter.font())
        font.setBold(bold)
        painter.setFont(font)
        painter.setPen(QColor(color))
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        font.setBold(False)
        painter.setFont(font)

    def _write_marked(self, painter: QPainter, rect: QRect, text: str, typed: str) -> None:
        bold = QFont(painter.font())
        bold.setBold(True)
        # Measured in bold, so that the text fits regardless of its bold parts.
        shown = QFontMetrics(bold).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        layout = QTextLayout(shown, painter.font())
        layout.setFormats([_bold(shown, begin, end) for begin, end in marked(shown, typed)])
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        painter.setPen(QColor(colors(self._theme).text))
        top = rect.top() + (rect.height() - line.height()) / 2
        layout.draw(painter, QPoint(rect.left(), round(top)))


def _bold(text: str, begin: int, end: int) -> QTextLayout.FormatRange:
    """Return a format that makes a part of a text bold. Qt counts in UTF-16 code units."""
    made = QTextLayout.FormatRange()
    made.start = len(text[:begin].encode("utf-16-le")) // 2
    made.length = len(text[begin:end].encode("utf-16-le")) // 2
    looks = QTextCharFormat()
    looks.setFontWeight(QFont.Weight.Bold)
    made.format = looks
    return made
