"""Alt and a letter: each control of a dialog, and of the panel with the focus, has a letter of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMessageBox,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from app.desktop.dialogs.ask import ask
from app.desktop.dialogs.bulk_edit.dialog import BulkEditDialog
from app.desktop.dialogs.bulk_edit.hours import CopyHoursDialog
from app.desktop.dialogs.clear import ClearDialog
from app.desktop.dialogs.clock import ClockDialog
from app.desktop.dialogs.faults import FaultsDialog
from app.desktop.dialogs.importing.columns import ColumnsDialog
from app.desktop.dialogs.importing.preview import PreviewDialog
from app.desktop.dialogs.review.promotion import PromotionDialog
from app.desktop.panels.related import buddy_of
from app.desktop.panels.widgets import Field, button, button_text
from tests.desktop.window.test_accessibility import MADE, accessible_name_of, fill
from tests.desktop.window.test_tab_order import named, taken, takes
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("letters")

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier
_MARK = re.compile(r"(?<!&)(?:&&)*&([^&])")


@dataclass
class Shown:
    """The captions that a window shows while Alt is held, with their letters."""

    letters: dict[QWidget, str] = field(default_factory=dict)
    """Letters of buttons, and of the widgets that labels belong to."""
    tabs: list[str] = field(default_factory=list)
    without: list[str] = field(default_factory=list)

    @property
    def all(self) -> list[str]:
        return [*self.letters.values(), *self.tabs]


def handle(window: QWidget) -> QWindow:
    """Return the object that receives the keys pressed in a window."""
    found = window.windowHandle()
    assert found is not None
    return found


def shown(root: QWidget) -> Shown:
    """Read the letters of all visible captions."""
    found = Shown()
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not root.window():
            continue
        if isinstance(widget, QTabBar):
            for tab in range(widget.count()):
                _read(found, None, widget.tabText(tab))
        elif isinstance(widget, QAbstractButton) and widget.text() and not _is_icon(widget):
            _read(found, widget, widget.text())
        elif isinstance(widget, QLabel) and (buddy := buddy_of(widget)) is not None and buddy.isVisible():
            _read(found, buddy, widget.text())
    return found


def _is_icon(button: QAbstractButton) -> bool:
    """Whether a button shows no text, or has a letter that is not in its text, like the toolbar's menus."""
    style = Qt.ToolButtonStyle.ToolButtonIconOnly
    has_key = not button.shortcut().isEmpty() and _MARK.search(button.text()) is None
    has_icon = isinstance(button, QToolButton) and button.toolButtonStyle() == style and not button.icon().isNull()
    return has_key or has_icon


def _read(found: Shown, control: QWidget | None, text: str) -> None:
    mark = _MARK.search(text)
    if mark is None:
        found.without.append(text)
    elif control is None:
        found.tabs.append(mark[1].casefold())
    else:
        found.letters[control] = mark[1].casefold()


def check_letters(dialog: QDialog) -> None:
    """Hold Alt: each caption has a unique letter, and those of labels focus the labelled widgets."""
    dialog.open()
    dialog.activateWindow()
    QApplication.processEvents()
    before = shown(dialog)
    assert before.letters == {}
    order = taken(dialog)
    QTest.keyPress(handle(dialog), Key.Key_Alt, ALT)
    marked = shown(dialog)
    _check_shared(marked)
    for control in {each for each in order if each.window() is dialog and takes(each)}:
        assert _has_letter(control, marked) or _needs_none(control, dialog), named(control)
    for control, letter in marked.letters.items():
        if not isinstance(control, QAbstractButton) and control.isEnabled():
            QTest.keyClick(handle(dialog), Key(ord(letter.upper())), ALT)
            focus = QApplication.focusWidget()
            assert focus is not None
            assert focus is control or control.isAncestorOf(focus), f"{letter} leads to {named(focus)}"
    QTest.keyRelease(handle(dialog), Key.Key_Alt)
    assert shown(dialog).letters == {}
    dialog.close()
    dialog.deleteLater()


def check_panels(user: User) -> None:
    """Hold Alt in each panel of the window, in the toolbar and in the status bar, as in a dialog."""
    window = user.window
    window.activateWindow()
    buttons = window.toolbar.workspace, window.status.keys
    keys = [button.shortcut() for button in buttons]
    keys += (QKeySequence.mnemonic(menu.title()) for menu in window.menus.menus())
    always = {key.toString()[-1].casefold() for key in keys}
    seen = 0
    for part in (window.toolbar, window.status, *window.docks.all()):
        if isinstance(part, QDockWidget):
            window.docks.bring(part)
        QApplication.processEvents()
        first = next((each for each in part.findChildren(QWidget) if takes(each)), None)
        if first is None:
            continue
        first.setFocus()
        QTest.keyPress(handle(window), Key.Key_Alt, ALT)
        marked = shown(part)
        _check_shared(marked, always)
        assert not isinstance(part, QDockWidget) or not always & set(marked.all)
        seen += len(marked.letters)
        QTest.keyRelease(handle(window), Key.Key_Alt)
    assert seen > 40


def _check_shared(marked: Shown, taken_elsewhere: set[str] | None = None) -> None:
    """Check that no letter occurs twice, and that each caption has a letter if one is free."""
    elsewhere = taken_elsewhere or set()
    assert len(marked.all) == len(set(marked.all)), sorted(marked.all)
    used = elsewhere | set(marked.all)
    assert [text for text in marked.without if {each.casefold() for each in text if _is_letter(each)} - used] == []


def _is_letter(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _has_letter(control: QWidget, marked: Shown) -> bool:
    if isinstance(control, QTabBar):
        return bool(marked.tabs)
    return any(each is control or each.isAncestorOf(control) for each in marked.letters)


def _needs_none(control: QWidget, dialog: QDialog) -> bool:
    """Whether a control has no caption of its own, and is reached with Tab or pressed with Escape."""
    if isinstance(dialog, ColumnsDialog) and (control is dialog.cancel or dialog.repairs.isAncestorOf(control)):
        return True  # the dialog has more controls than there are letters
    if isinstance(control, QLineEdit) and control.placeholderText():
        return True  # a filter
    if isinstance(control, QComboBox | QLineEdit | QAbstractSpinBox):
        return type(dialog) in WITHOUT_CAPTIONS
    return isinstance(control, QAbstractScrollArea | QAbstractSlider | QToolButton)


WITHOUT_CAPTIONS = (BulkEditDialog, ClockDialog, CopyHoursDialog, FaultsDialog, PreviewDialog, PromotionDialog)
"""Dialogs with fields that have no caption of their own.

The fields follow a check box or a radio button with a letter, or another field, as a unit follows its number, or choose
the contents of a table.
"""


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_every_caption_of_a_dialog_has_a_letter(looker: User, kind: type[QDialog]) -> None:
    check_letters(MADE[kind](looker))


@pytest.mark.whole_window
def test_every_caption_of_a_panel_has_a_letter(user: User) -> None:
    fill(user)
    check_panels(user)


def open_dialog(user: User, dialog: QDialog) -> QWindow:
    """Show a dialog with the focus, and return the object that receives its keys."""
    dialog.open()
    dialog.activateWindow()
    QApplication.processEvents()
    return handle(dialog)


def letter_of(dialog: QDialog, control: QWidget) -> Qt.Key:
    """Return the key of a control, as shown while Alt is held."""
    QTest.keyPress(handle(dialog), Key.Key_Alt, ALT)
    letter = shown(dialog).letters[control]
    QTest.keyRelease(handle(dialog), Key.Key_Alt)
    return Key(ord(letter.upper()))


def test_letters_press_check_and_choose(user: User) -> None:
    dialog = ClearDialog(user.window, ("phone",), None, None)
    chosen: list[object] = []
    dialog.chosen.connect(lambda *choice: chosen.append(choice))
    keys = open_dialog(user, dialog)
    for control, checked in ((dialog.geofences, True), (dialog.geofences, False), (dialog.beacons, True)):
        QTest.keyClick(keys, letter_of(dialog, control), ALT)
        user.until(lambda control=control, checked=checked: control.isChecked() == checked)  # type: ignore[misc]
    QTest.keyClick(keys, letter_of(dialog, dialog.one), ALT)
    user.until(dialog.one.isChecked)
    QTest.keyClick(keys, letter_of(dialog, dialog.everything), ALT)
    user.until(dialog.everything.isChecked)
    QTest.keyClick(keys, letter_of(dialog, dialog.clear), ALT)
    user.until(lambda: chosen == [(None, False, True)])


def test_standard_buttons_have_letters(user: User) -> None:
    done: list[bool] = []
    box = ask(user.window, "Remove", "Remove it?", [(button_text("Remove R&D"), lambda: done.append(True))])
    open_dialog(user, box)
    cancel = box.button(QMessageBox.StandardButton.Cancel)
    assert letter_of(box, cancel) != letter_of(box, box.buttons()[0])
    QTest.keyClick(handle(box), letter_of(box, box.buttons()[0]), ALT)
    user.until(lambda: done == [True])


def test_an_ampersand_in_user_text_stays_one(user: User) -> None:
    dialog = QDialog(user.window)
    column = QVBoxLayout(dialog)
    line, other = QLineEdit(), QLineEdit()
    field, named, pressed = Field("R&D", line), Field("Q & A", other), button(button_text("Fish & chips"))
    for each in (field, named, pressed):
        column.addWidget(each)
    keys = open_dialog(user, dialog)
    assert accessible_name_of(line) == "R&D"
    QTest.keyPress(keys, Key.Key_Alt, ALT)
    # The letters are their own first letters, not the ones after the ampersands.
    assert shown(dialog).letters == {line: "r", other: "q", pressed: "f"}
    QTest.keyRelease(keys, Key.Key_Alt)
    assert pressed.text() == "Fish && chips"
    # Text that is set in the meantime is kept.
    QTest.keyPress(keys, Key.Key_Alt, ALT)
    pressed.setText("Peas")
    QTest.keyRelease(keys, Key.Key_Alt)
    assert pressed.text() == "Peas"
    dialog.close()
    dialog.deleteLater()


def test_alt_gr_and_other_windows_leave_texts_as_they_are(user: User) -> None:
    dialog = ClearDialog(user.window, ("phone",), None, None)
    keys = open_dialog(user, dialog)
    QTest.keyPress(keys, Key.Key_Alt, ALT | Qt.KeyboardModifier.ControlModifier)
    assert shown(dialog).letters == {}
    QTest.keyRelease(keys, Key.Key_Alt)
    QTest.keyPress(keys, Key.Key_Alt, ALT)
    assert shown(dialog).letters
    # Alt+Tab: the key is released in another window.
    dialog.close()
    user.window.activateWindow()
    user.until(lambda: QApplication.activeWindow() is user.window)
    assert not isValid(dialog) or shown(dialog).letters == {}


@pytest.mark.whole_window
def test_the_panel_with_the_keyboard_has_letters(user: User) -> None:
    fence = user.given()
    user.select(fence)
    window = user.window
    form = window.form.basics
    form.description.setFocus()
    window.activateWindow()
    QTest.keyPress(handle(window), Key.Key_Alt, ALT)
    here = shown(window.docks.fence)
    assert len(here.letters) > 8
    assert len(set(here.all)) == len(here.all)
    assert not set(here.all) & {"v", "h", "w", "k"}, "the menus of the window keep theirs"
    assert shown(window.docks.simulator).letters == {}
    QTest.keyClick(handle(window), Key(ord(here.letters[form.tag].upper())), ALT)
    assert QApplication.focusWidget() is form.tag
    QTest.keyRelease(handle(window), Key.Key_Alt)
    assert shown(window.docks.fence).letters == {}
    view = window.menus.view
    QTest.keyClick(handle(window), Key.Key_V, ALT)
    user.until(view.isVisible)
    QTest.keyClick(view, Key.Key_Escape)
