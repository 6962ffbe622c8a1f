"""The command palette, which finds every command by its words and everything else by a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QIcon, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import QDialog, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.desktop.language import tr
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.layouts import in_column
from app.desktop.panels.widgets import GRID, tip_text

WORDS = "words"
"""Name of the action property with other words for it that users may type."""

NEEDS = "needs"
"""Name of the action property with what to do first while the action is not available."""

_ACTION = Qt.ItemDataRole.UserRole
_SHOWN_ROWS = 10
_ROW = 26


class CommandPalette(QDialog):
    """Filters the commands as the user types. Enter runs the selected one, or searches for other texts.

    Commands that are not available come last among those that match equally well, with what they need.
    """

    def __init__(self, parent: QWidget, actions: Iterable[QAction], find: Callable[[str], object]) -> None:
        super().__init__(parent)
        self._find = find
        self.setWindowTitle(tr("Commands"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(460)
        self._actions = tuple(action for action in actions if _is_offered(action))
        self.search = TextLine()
        self.search.setPlaceholderText(tr("Type a command"))
        self.search.setAccessibleName(tr("Command"))
        self.list = QTreeWidget()
        self.list.setObjectName("Commands")
        self.list.setAccessibleName(tr("Commands"))
        self.list.setColumnCount(2)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setIconSize(QSize(16, 16))
        self.list.setFixedHeight(_SHOWN_ROWS * _ROW)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        in_column(self.search, self.list, of=self, margins=GRID, spacing=GRID)
        self.search.installEventFilter(self)
        self.search.textChanged.connect(self._fill)
        self.search.returnPressed.connect(self._run)
        self.list.itemClicked.connect(lambda _: self._run())
        self._fill("")
        self.search.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Let the arrow keys select in the list while the user types."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None:
                self._choose(self.list.currentIndex().row() + step)
                return True
        return super().eventFilter(watched, event)

    def _fill(self, text: str) -> None:
        words = text.casefold().split()
        self.list.clear()
        for action in sorted(self._actions, key=lambda action: _rank(action, words)):
            name = f"{action.iconText()} {action.toolTip()} {action.property(WORDS) or ''}".casefold()
            if all(word in name for word in words):
                self.list.addTopLevelItem(_item(action))
        rows = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        if words and not any(row is not None and row.data(0, _ACTION).isEnabled() for row in rows):
            self.list.addTopLevelItem(
                QTreeWidgetItem([tr("Find “{query}” on the map", query=" ".join(text.split())), ""])
            )
        self._choose(0)

    def _choose(self, row: int) -> None:
        rows = self.list.topLevelItemCount()
        if rows:
            item = self.list.topLevelItem(row % rows)
            assert item is not None
            self.list.setCurrentItem(item)

    def _run(self) -> None:
        item = self.list.currentItem()
        if self.list.topLevelItemCount() and item is not None:
            action = item.data(0, _ACTION)
            if action is not None and not action.isEnabled():
                return
            text = self.search.text()
            self.accept()
            if action is None:
                self._find(text)
            else:
                action.trigger()


def _is_offered(action: QAction) -> bool:
    """Return whether to list an action: one that is not available only if it is known what it needs."""
    return not action.isSeparator() and (action.isEnabled() or bool(action.property(NEEDS)))


def _rank(action: QAction, words: Sequence[str]) -> tuple[int, bool]:
    """Return the rank of a command: names that begin with the words first, then names that contain them."""
    name = action.iconText().casefold()
    rank = 0 if name.startswith(" ".join(words)) else 1 if all(word in name for word in words) else 2
    return rank, not action.isEnabled()


def _item(action: QAction) -> QTreeWidgetItem:
    name, enabled = action.iconText(), action.isEnabled()
    text = name if enabled else f"{name}: {action.property(NEEDS)}"
    item = QTreeWidgetItem([text, action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)])
    item.setIcon(0, action.icon())
    item.setToolTip(0, action.toolTip())
    item.setData(0, _ACTION, action)
    if not enabled:
        item.setToolTip(0, tip_text(text))
        # Not a disabled item, which the keyboard could not reach.
        faint = QGuiApplication.palette().brush(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
        item.setForeground(0, faint)
        item.setForeground(1, faint)
        item.setIcon(0, QIcon(action.icon().pixmap(16, QIcon.Mode.Disabled)))
    return item
