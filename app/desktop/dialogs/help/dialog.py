"""Help: the documentation, with its contents and a search, offline."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QWidget,
)

from app.desktop.dialogs.help.browser import PageBrowser
from app.desktop.icons import icon
from app.desktop.language import counted, tr
from app.desktop.language.catalogue import ENGLISH, language
from app.desktop.map.values import Theme
from app.desktop.model.help.pages import Page, page_named, pages
from app.desktop.model.help.search import Place, search, words_of
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import GRID, key_text, label, tip_text, tool_button

_ENTRY = Qt.ItemDataRole.UserRole
_SIZE = QSize(1_000, 680)
_LIST_PX = 270
type _Spot = tuple[str, str]


class HelpDialog(QDialog):
    """Contents or results on the left, the page on the right. The dialog is modeless."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Help"))
        self.resize(_SIZE.boundedTo(parent.size()))
        self._spots: list[_Spot] = []
        self._spot = -1
        self.page = PageBrowser()
        self.page.page_wanted.connect(self.open_page)
        self._make_side()
        self._make_head()
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        for part in (self._side, self._reading):
            split.addWidget(part)
        split.setStretchFactor(1, 1)
        split.setSizes([_LIST_PX, _SIZE.width() - _LIST_PX])
        in_column(split, of=self, margins=GRID)
        self._make_keys()
        self.set_theme(theme)
        self._fill()

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons and the page."""
        for control, name in (
            (self.back, "arrow-left"),
            (self.forward, "arrow-right"),
            (self.previous, "caret-up"),
            (self.next, "caret-down"),
        ):
            control.setIcon(icon(name, theme))
        self.page.set_theme(theme)

    def open_page(self, name: str, anchor: str = "") -> None:
        """Show a page from a heading and add it to the browsing history."""
        if page_named(name) is None:
            return
        del self._spots[self._spot + 1 :]
        self._spots.append((name, anchor))
        self._spot = len(self._spots) - 1
        self._show(name, anchor)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Let the arrow keys select in the list while the user types."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None:
                self.list.setCurrentRow(min(max(self.list.currentRow() + step, 0), self.list.count() - 1))
                return True
        return super().eventFilter(watched, event)

    # Construction

    def _make_side(self) -> None:
        self.words = TextLine()
        self.words.setPlaceholderText(tr("Search the documentation"))
        self.words.setAccessibleName(tr("Search the documentation"))
        self.words.setClearButtonEnabled(True)
        self.words.installEventFilter(self)
        self.words.textChanged.connect(self._fill)
        self.words.returnPressed.connect(lambda: self._on_enter())
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Contents"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.note = label("", "hint", wrap=True)
        self._side = QWidget()
        in_column(self.words, self.list, self.note, of=self._side, margins=0, spacing=GRID)

    def _make_head(self) -> None:
        self.back = tool_button(tr("Back ({shortcut})", shortcut=key_text("Alt+Left")), lambda: self._travel(-1))
        self.forward = tool_button(tr("Forward ({shortcut})", shortcut=key_text("Alt+Right")), lambda: self._travel(1))
        self.previous = tool_button(
            tr("Previous match ({shortcut})", shortcut=key_text("Shift+F3")), lambda: self._go(-1)
        )
        self.next = tool_button(tr("Next match (F3)"), lambda: self._go(1))
        self.place = label("", "muted")
        head = in_row(self.back, self.forward, STRETCH, self.place, self.previous, self.next, spacing=GRID // 2)
        self._reading = QWidget()
        in_column(head, (self.page, 1), of=self._reading, margins=0, spacing=GRID)

    def _make_keys(self) -> None:
        keys = QKeySequence.StandardKey
        for key, act in (
            (keys.Find, self._find),
            (keys.Back, lambda: self._travel(-1)),
            (keys.Forward, lambda: self._travel(1)),
            (keys.FindNext, lambda: self._go(1)),
            (keys.FindPrevious, lambda: self._go(-1)),
        ):
            QShortcut(key, self).activated.connect(act)

    # User actions

    def _fill(self) -> None:
        """List the pages or the search results."""
        text = self.words.text()
        self.list.blockSignals(True)
        self.list.clear()
        if words_of(text):
            found = search(pages().values(), text)
            self._list_places(found)
            self.note.setText(
                tr("{sections} found", sections=counted(len(found), "section"))
                if found
                else tr("Nothing found. Try fewer words.")
            )
        else:
            self._list_pages(tuple(pages().values()))
            in_english = tr("The documentation is in English.") if language() != ENGLISH else ""
            self.note.setText(in_english if pages() else tr("The documentation is not installed."))
        self.note.setVisible(bool(self.note.text()))
        self.list.blockSignals(False)
        self.page.mark(words_of(text))
        self._show_place()

    def _list_pages(self, listed: Sequence[Page]) -> None:
        for page in listed:
            item = QListWidgetItem(page.title)
            item.setData(_ENTRY, (page.name, ""))
            self.list.addItem(item)
            if page is self.page.page:
                self.list.setCurrentItem(item)

    def _list_places(self, found: Sequence[Place]) -> None:
        for place in found:
            page, section = place.page, place.section
            title = section.title if section.title == page.title else f"{page.title} › {section.title}"
            item = QListWidgetItem(title)
            item.setToolTip(tip_text(f"{title}\n{place.excerpt}"))
            item.setData(_ENTRY, (page.name, section.anchor))
            self.list.addItem(item)

    def _find(self) -> None:
        self.words.setFocus()
        self.words.selectAll()

    def _on_enter(self) -> None:
        """Go to the first result, or to the next match of the open page."""
        if self.list.currentRow() < 0 and self.list.count():
            self.list.setCurrentRow(0)
        else:
            self._go(1)

    def _on_chosen(self, item: QListWidgetItem | None, _: object = None) -> None:
        if item is not None:
            name, anchor = item.data(_ENTRY)
            self.open_page(name, anchor)

    def _travel(self, step: int) -> None:
        if 0 <= self._spot + step < len(self._spots):
            self._spot += step
            self._show(*self._spots[self._spot])

    def _go(self, step: int) -> None:
        self.page.go(step)
        self._show_place()

    def _show(self, name: str, anchor: str) -> None:
        page = page_named(name)
        if page is not None:
            self.page.show_page(page, anchor, words_of(self.words.text()))
            self.page.go_from(anchor)
        self.back.setEnabled(self._spot > 0)
        self.forward.setEnabled(self._spot + 1 < len(self._spots))
        self._show_place()

    def _show_place(self) -> None:
        searched = bool(words_of(self.words.text()))
        for part in (self.place, self.previous, self.next):
            part.setVisible(searched)
        for each in (self.previous, self.next):
            each.setEnabled(self.page.found > 0)
        self.place.setText(
            tr("{match_number} of {match_count}", match_number=self.page.at, match_count=self.page.found)
            if self.page.found
            else tr("Not on this page")
        )
