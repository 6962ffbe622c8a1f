"""A page of the documentation, rendered from its Markdown. It loads nothing from the network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QDesktopServices,
    QImage,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from app.desktop.map.values import Theme
from app.desktop.model.help.pages import Page, file_in_docs, linked_from, page_named, slug
from app.desktop.style import colors

_GITHUB = QTextDocument.MarkdownFeature.MarkdownDialectGitHub
_MARGIN = 48
_MOST_MARKS = 2_000


class PageBrowser(QTextBrowser):
    """Shows a page with its pictures and highlights words in it.

    `page_wanted` carries the target page and heading of a link. Links to the web open in the user's browser.
    """

    page_wanted = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._theme: Theme = "light"
        self._page: Page | None = None
        self._found: list[QTextCursor] = []
        self._at = -1
        self.setAccessibleName("Page")
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._on_link)

    @property
    def page(self) -> Page | None:
        """The displayed page."""
        return self._page

    @property
    def found(self) -> int:
        """Number of highlighted matches."""
        return len(self._found)

    @property
    def at(self) -> int:
        """Number of the current match, from 1, or 0 before the first."""
        return self._at + 1

    def set_theme(self, theme: Theme) -> None:
        """Show the page in the colours of a theme."""
        self._theme = theme
        if self._page is not None:
            self.show_page(self._page)

    def show_page(self, page: Page, anchor: str = "", words: Sequence[str] = ()) -> None:
        """Show a page from a heading and highlight words."""
        self._page = page
        self.document().setMarkdown(page.source, _GITHUB)
        self._dress()
        self.mark(words)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        if anchor:
            self.scrollToAnchor(anchor)

    def mark(self, words: Sequence[str]) -> None:
        """Highlight all matches of the words."""
        self._found, self._at = [], -1
        for word in words:
            at = QTextCursor(self.document())
            while len(self._found) < _MOST_MARKS and not (at := self.document().find(word, at)).isNull():
                self._found.append(at)
        self._found.sort(key=lambda cursor: cursor.position())
        self._show_marks()

    def go(self, step: int) -> None:
        """Go to the next match, or to the previous one."""
        if self._found:
            self._at = (self._at + step) % len(self._found) if self._at >= 0 else (0 if step > 0 else -1)
            self._at %= len(self._found)
            self._show_marks()
            cursor = QTextCursor(self._found[self._at])
            cursor.setPosition(cursor.selectionStart())
            self.setTextCursor(cursor)
            self.ensureCursorVisible()

    def go_from(self, anchor: str) -> None:
        """Go to the first match in or after a heading, or else to the first match of the page."""
        if not self._found:
            return
        begin = next((block.position() for name, block in self._headings() if name == anchor), 0)
        later = (at for at, cursor in enumerate(self._found) if cursor.position() >= begin)
        self._at = next(later, 0) - 1
        self.go(1)

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:  # noqa: N802 (Qt's name)
        """Return a picture of the documentation, scaled to fit; nothing else is ever loaded."""
        url = QUrl(name)
        wanted = url.isRelative() and kind == QTextDocument.ResourceType.ImageResource
        file = file_in_docs(self._path(url)) if wanted else None
        image = QImage(str(file)) if file is not None else QImage()
        room = self.viewport().width() - _MARGIN
        if 0 < room < image.width():
            ratio = self.devicePixelRatioF()
            smooth = Qt.TransformationMode.SmoothTransformation
            image = image.scaledToWidth(min(round(room * ratio), image.width()), smooth)
            image.setDevicePixelRatio(image.width() / room)
        return image

    def _path(self, url: QUrl) -> str:
        return linked_from(self._page.name if self._page else "", url.path())

    def _show_marks(self) -> None:
        c = colors(self._theme)
        marks = []
        for number, cursor in enumerate(self._found):
            mark = QTextEdit.ExtraSelection()
            mark.cursor = cursor
            style = QTextCharFormat()
            style.setBackground(QColor(c.accent if number == self._at else c.live_soft))
            style.setForeground(QColor(c.on_accent if number == self._at else c.text))
            mark.format = style
            marks.append(mark)
        self.setExtraSelections(marks)

    def _headings(self) -> Iterator[tuple[str, QTextBlock]]:
        seen: Counter[str] = Counter()
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                name = slug(block.text())
                yield (f"{name}-{seen[name]}" if seen[name] else name), block
                seen[name] += 1
            block = block.next()

    def _dress(self) -> None:
        """Add anchors to headings, and apply the theme's colours to tables and code."""
        for name, block in list(self._headings()):
            cursor = QTextCursor(block)
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            anchor = QTextCharFormat()
            anchor.setAnchor(True)
            anchor.setAnchorNames([name])
            cursor.mergeCharFormat(anchor)
        line = QBrush(QColor(colors(self._theme).border))
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                style = frame.format()
                style.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                style.setBorderBrush(line)
                style.setBorder(1)
                style.setBorderCollapse(True)
                style.setCellPadding(5)
                style.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
                frame.setFormat(style)

    def _on_link(self, url: QUrl) -> None:
        if url.scheme() in ("https", "http"):
            QDesktopServices.openUrl(url)
        elif url.isRelative():
            name = self._path(url)
            if page_named(name) is not None:
                self.page_wanted.emit(name, url.fragment())
