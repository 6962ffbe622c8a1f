"""Help in the window: opened with F1 for the focused widget, searched, followed from page to page, offline."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.help.browser import PageBrowser
from app.desktop.dialogs.help.dialog import HelpDialog
from app.desktop.map.values import Theme
from app.desktop.model.help.pages import FIRST, page_named, pages
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("help", "table", "toolbar")

F1 = Qt.Key.Key_F1


def helped(user: User, widget: QWidget | None = None) -> HelpDialog:
    """Press F1 with the focus in the search or on another widget."""
    user.window.activateWindow()
    user.until(user.window.isActiveWindow)
    target = widget or user.window.toolbar.search
    # A table appears only when it has a row, a moment after the geofence is known.
    user.until(target.isVisible)
    target.setFocus()
    QTest.keyClick(target, F1)
    user.until(lambda: user.window.help.dialog is not None and user.window.help.dialog.isVisible())
    dialog = user.window.help.dialog
    assert dialog is not None
    user.until(dialog.isActiveWindow)
    return dialog


def heading_in_sight(page: PageBrowser) -> str:
    """Return the text of the first visible line of a page."""
    return page.cursorForPosition(QPoint(8, 8)).block().text()


@pytest.mark.whole_window
def test_f1_opens_the_section_about_the_panel_that_has_the_keyboard(user: User) -> None:
    user.window.docks.bring(user.window.docks.table)
    user.given()
    dialog = helped(user, user.window.table.view)
    assert dialog.page.page is pages()["window-editing.md"]
    user.until(lambda: heading_in_sight(dialog.page) == "The table of geofences")
    dialog.close()
    assert helped(user) is dialog
    assert dialog.page.page is pages()[FIRST]
    user.until(lambda: heading_in_sight(dialog.page) == "Search")
    dialog.close()


def test_every_part_of_the_window_has_a_section(user: User) -> None:
    sections = {f"{page.name}#{section.anchor}" for page in pages().values() for section in page.sections}
    assert {section for _, section in user.window.help.sections} <= sections
    assert {*user.window.docks.all()} <= {part for part, _ in user.window.help.sections}


def test_words_are_searched_and_marked(user: User) -> None:
    dialog = helped(user)
    assert dialog.list.count() == len(pages())
    QTest.keyClicks(dialog.words, "dwell threshold")
    assert 0 < dialog.list.count() < len(pages()) * 5
    assert dialog.note.text().endswith("found")
    QTest.keyClick(dialog.words, Qt.Key.Key_Return)
    assert dialog.page.page is not None
    first = dialog.page.page
    marked = {mark.cursor.selectedText().casefold() for mark in dialog.page.extraSelections()}
    assert marked == {"dwell", "threshold"}
    assert dialog.place.text() == f"{dialog.page.at} of {dialog.page.found}"
    at = dialog.page.at
    QTest.keyClick(dialog.words, Qt.Key.Key_F3)
    assert dialog.page.at == at % dialog.page.found + 1
    QTest.keyClick(dialog.words, Qt.Key.Key_Down)
    assert dialog.list.currentRow() == 1
    assert dialog.back.isEnabled()
    user.click(dialog.back)
    assert dialog.page.page is first
    dialog.words.clear()
    QTest.keyClicks(dialog.words, "xyzzy")
    assert dialog.list.count() == 0
    assert "Nothing found" in dialog.note.text()
    assert dialog.page.extraSelections() == []
    dialog.words.clear()
    assert dialog.list.count() == len(pages())
    dialog.close()


def test_a_link_is_followed_by_a_click(user: User) -> None:
    dialog = helped(user)
    dialog.open_page("workspace.md")
    page = dialog.page
    found = page.document().find("sdks.md")
    assert not found.isNull()
    page.setTextCursor(found)
    page.ensureCursorVisible()
    QTest.mouseClick(page.viewport(), Qt.MouseButton.LeftButton, pos=page.cursorRect(found).center() - QPoint(8, 0))
    assert page.page is pages()["sdks.md"]
    user.until(lambda: heading_in_sight(page) == "HTTPS")
    dialog.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_link_and_picture_of_the_documentation_works_here(user: User, theme: Theme) -> None:
    page = PageBrowser()
    page.resize(700, 600)
    page.set_theme(theme)
    link = re.compile(r"(!?)\[[^]]*\]\(([^)\s]+)\)")
    followed: list[tuple[str, str]] = []
    page.page_wanted.connect(lambda name, anchor: followed.append((name, anchor)))
    anchors = {}
    for name, shown in pages().items():
        page.show_page(shown)
        anchors[name] = {anchor for anchor, _ in page._headings()}
        assert anchors[name] == {section.anchor for section in shown.sections}, name
    dead = []
    for name, shown in pages().items():
        page.show_page(shown)
        for picture, target in link.findall(re.sub(r"```.*?```|`[^`]*`", "", shown.source, flags=re.DOTALL)):
            if target.startswith(("http:", "https:")):
                continue
            followed.clear()
            if picture:
                image = page.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl(target))
                works = not image.isNull() and image.width() / image.devicePixelRatio() <= 700
            else:
                page._on_link(QUrl(target))
                there, anchor = followed[0] if followed else ("", "")
                works = page_named(there) is not None and (not anchor or anchor in anchors.get(there, ()))
            if not works:
                dead.append((name, target))
    assert dead == []
    page.deleteLater()


def test_nothing_is_fetched_from_the_network(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture on a server is not loaded. A link to a server opens in the user's browser, and nowhere else."""
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    page = PageBrowser()
    kind = QTextDocument.ResourceType.ImageResource.value
    for target in ("https://example.com/a.png", "file:///etc/hostname", "../README.md", "//example.com/a.png"):
        assert page.loadResource(kind, QUrl(target)).isNull()
    followed: list[str] = []
    page.page_wanted.connect(lambda name, _: followed.append(name))
    for target in ("https://example.com/", "file:///etc/passwd", "javascript:alert(1)", "../pyproject.toml"):
        page._on_link(QUrl(target))
    assert (opened, followed) == (["https://example.com/"], [])
    page.deleteLater()


@pytest.mark.slow
def test_the_theme_changes_while_the_help_is_open(user: User) -> None:
    dialog = helped(user)
    QTest.keyClicks(dialog.words, "radius")
    user.window.appearance.choose("dark")
    assert dialog.page.page is not None
    assert dialog.page.found == 0 or dialog.page.extraSelections()
    user.window.appearance.choose("light")
    dialog.close()
