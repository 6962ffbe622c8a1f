"""Texts of users, clients and files are shown literally, without markup in any label, tooltip, button or menu."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QKeySequence, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QToolTip,
    QWidget,
)

import app.desktop
from app.desktop.dialogs.areas import AreasDialog
from app.desktop.dialogs.clear import ClearDialog
from app.desktop.dialogs.import_report import ImportReportDialog
from app.desktop.dialogs.palette import CommandPalette
from app.desktop.dialogs.timing import TimingDialog
from app.desktop.model.areas import Areas
from app.desktop.model.simulation.sender import Timing
from engine.domain.area import Area
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.imports import ImportReport, RowError
from engine.domain.settings import Comparison, Condition, SegmentRule, SettingsChange
from engine.domain.tracking.updates import Conversion, Event, LocationUpdate
from engine.simulation.formats.reading import read_track
from tests.desktop.window.user import User

pytestmark = pytest.mark.new_window

MARKUP = "<b>x</b><img src=http://127.0.0.1:9/i.png onerror=z> R&D &lt;"
FILE = "<b>x<img src=i.png onerror=z> R&D"
_TRACE = "onerror=z"
_TIP = Qt.ItemDataRole.ToolTipRole
TEST = Environment.TEST
NOW = datetime(2026, 5, 12, 6, 0, tzinfo=UTC)


def read(text: str) -> str:
    """Return the visible text of a widget in which Qt itself detects markup."""
    if not GuiQt.mightBeRichText(text):
        return text
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()


def on_button(text: str) -> str:
    """Return the visible text on a button or in a menu, where an ampersand underlines the next letter."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def cells(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[QModelIndex]:
    for row in range(model.rowCount(parent)):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)):
            index = model.index(row, column, parent)
            yield index
            if column == 0:
                yield from cells(model, index)


def texts(widget: QWidget) -> Iterator[tuple[str, str, str]]:
    """Yield the texts of a widget that could be markup: the kind, the text as set, and the text as shown."""
    kind = type(widget).__name__
    yield f"{kind} tip", widget.toolTip(), read(widget.toolTip())
    if isinstance(widget, QLabel):
        plain = widget.textFormat() is Qt.TextFormat.PlainText
        # A text label in a window of its own is a tooltip, or part of a question.
        yield f"{kind} text", widget.text(), widget.text() if plain else read(widget.text())
    if isinstance(widget, QAbstractButton):
        yield f"{kind} caption", widget.text(), on_button(widget.text())
    if isinstance(widget, QMenu):
        for action in widget.actions():
            yield f"{kind} entry", action.text(), on_button(action.text())
            yield f"{kind} tip", action.toolTip(), read(action.toolTip())
    model = widget.model() if isinstance(widget, QAbstractItemView | QComboBox) else None
    if model is not None:
        for index in cells(model, QModelIndex()):
            tip = str(index.data(_TIP) or "")
            name = widget.accessibleName() or widget.objectName() or kind
            yield f"{name} row's tip", tip, read(tip)


def survey() -> Counter[str]:
    """Assert that all texts are shown literally, and return the kinds of widgets with such a text."""
    seen: Counter[str] = Counter()
    for widget in QApplication.allWidgets():
        for location, text, shown in texts(widget):
            if _TRACE in text:
                seen[location] += 1
                assert MARKUP in shown or FILE in shown, f"{location}: {shown!r}"
    return seen


@pytest.fixture
def odd(user: User, tmp_path: Path) -> User:
    """A window in which everything with a name is named by markup."""
    user.engine.settings.change(
        TEST,
        SettingsChange(
            segments=(SegmentRule(MARKUP, "odd", (Condition("deviceId", Comparison.EQUALS, MARKUP),)),),
            rate_limit=False,
        ),
    )
    fence = user.engine.geofences.create(
        TEST,
        GeofenceChange(
            tag=MARKUP,
            external_id=MARKUP,
            description=MARKUP,
            metadata_items={MARKUP[:40] + _TRACE: MARKUP},
            type="circle",
            coordinates=(14.5, 46.05),
            size=120.0,
            enabled=True,
        ),
    )
    for minute, longitude in enumerate((14.49, 14.5, 14.51, 14.5)):
        user.engine.tracking.track(
            TEST,
            LocationUpdate(
                MARKUP,
                Point(longitude, 46.05),
                10.0,
                user_id=MARKUP,
                at=NOW.replace(minute=minute),
                description=MARKUP,
                metadata={"note": MARKUP},
            ),
        )
    user.engine.history.log_conversion(
        TEST, Conversion(MARKUP[:30] + _TRACE, device_id=MARKUP, metadata={"note": MARKUP})
    )
    user.until(lambda: user.window.events.model.rowCount() >= 3 and len(user.window.model.users) == 1)
    track = tmp_path / f"{FILE}.csv"
    track.write_text("time,lat,lon\n2026-05-12T06:00:00Z,46.05,14.49\n2026-05-12T06:01:00Z,46.05,14.5\n")
    user.window.tracks.open(track)
    user.until(lambda: user.window.model.simulation.track is not None)
    user.until(lambda: user.window.model.fences.get(fence.id) is not None)
    user.select(fence)
    user.idle()
    return user


def chosen(odd: User) -> Event:
    """Select an event of the geofence, and wait for its reason."""
    events = odd.window.model.events.all()
    event = next(event for event in events if event.geofence is not None)
    odd.window.model.selection.select_event(event)
    odd.until(lambda: bool(odd.window.why.headline.text()) and odd.window.status.why.isVisible())
    return event


@pytest.mark.slow
def test_names_are_shown_as_they_are_written_wherever_they_are_shown(odd: User) -> None:
    chosen(odd)
    odd.window.form.basics.description.setFocus()
    odd.type(odd.window.form.basics.description, f"{MARKUP} 2")
    odd.until(lambda: odd.window.actions_.undo.isEnabled())
    odd.window.message.complain(f"{MARKUP} is wrong.")
    odd.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(odd.window.toolbar.search, "onerror")
    odd.until(lambda: odd.window.search.answered and odd.window.search.popup.isVisible())
    odd.window.status.show_why(f"R&D: {MARKUP}")
    seen = survey()
    assert on_button(odd.window.status.why.text()).startswith("Why? ▸ R&D: <b>x</b>")
    for location in (
        "Geofences row's tip",
        "Events row's tip",
        "Search results row's tip",
        "Decisions row's tip",
        "QLabel text",
        "QLabel tip",
        "QToolButton tip",
        "QPushButton tip",
    ):
        assert seen[location], location


def test_dialogs_show_names_as_they_are_written(odd: User, tmp_path: Path) -> None:
    window = odd.window
    odd.type(window.form.basics.description, f"{MARKUP} 2")
    odd.until(lambda: window.actions_.undo.isEnabled())
    report = ImportReport(1, 0, 0, (RowError(3, MARKUP, f"{MARKUP} is no tag."),))
    area = Area(
        name=MARKUP,
        folder=tmp_path,
        bounds=(14.0, 46.0, 15.0, 47.0),
        roads=tmp_path,
        basemap=None,
        built_at=NOW,
        source=MARKUP,
        format=1,
    )
    areas = AreasDialog(window)
    areas.show_areas(Areas((area,), (area,)))
    areas.show_error("file", f"{MARKUP} is no extract.")
    window.status.show_areas((area,))
    track = read_track(tmp_path / f"{FILE}.csv")
    dialogs = (
        ImportReportDialog(window, FILE, report),
        ClearDialog(window, (MARKUP,), MARKUP, None),
        CommandPalette(window, window.actions_.all(), lambda _: None),
        TimingDialog(window, track, Timing(), NOW),
        areas,
    )
    for dialog in dialogs:
        dialog.show()
    window.workspaces.recent = lambda: (tmp_path / FILE,)  # type: ignore[method-assign]
    window.menus.offer_recent(window.workspaces.recent)
    window.toolbar.workspace.menu().aboutToShow.emit()
    window.toolbar_layout.show_workspace(FILE)
    seen = survey()
    for location in ("Errors row's tip", "Areas row's tip", "Commands row's tip", "Menu entry", "OneLine tip"):
        assert seen[location], location
    assert seen["QToolButton caption"] + seen["QToolButton tip"] >= 2
    for dialog in dialogs:
        dialog.close()


def test_questions_show_names_as_they_are_written(odd: User) -> None:
    odd.type(odd.window.form.basics.description, f"{MARKUP} 2")
    odd.until(lambda: odd.window.actions_.undo.isEnabled())
    odd.engine.geofences.update(TEST, odd.only().id, GeofenceChange(description=f"{MARKUP} 3"))
    odd.idle()
    odd.window.actions_.undo.trigger()
    box = odd.box()
    assert _TRACE in box.text()
    assert box.textFormat() is Qt.TextFormat.PlainText
    survey()
    odd.answer("Cancel")


def tip_at(odd: User, view: QAbstractItemView, at: QPoint) -> str:
    """Hover over a row with the mouse and return the text of the tooltip."""
    QTest.mouseMove(view.viewport(), at)
    event = QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at))
    QApplication.sendEvent(view.viewport(), event)
    odd.until(QToolTip.isVisible)
    (label,) = (w for w in QApplication.topLevelWidgets() if w.inherits("QTipLabel") and w.isVisible())
    assert isinstance(label, QLabel)
    assert label.textFormat() is Qt.TextFormat.AutoText
    shown = read(label.text())
    QToolTip.hideText()
    odd.until(lambda: not QToolTip.isVisible())
    return shown


@pytest.mark.slow
def test_the_tip_under_the_mouse_has_the_name_as_it_is_written(odd: User) -> None:
    window = odd.window
    event = chosen(odd)
    row = window.model.events.row(event.id)
    assert row is not None
    fences, events = window.list.view, window.events.view
    fence = window.list.model.index_of(odd.only().id)
    assert tip_at(odd, fences, fences.visualRect(fence).center()).startswith(f"{MARKUP}\n{MARKUP} / {MARKUP}")
    assert MARKUP in tip_at(odd, events, events.visualRect(window.events.model.index(row, 2)).center())
    odd.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(window.toolbar.search, "onerror")
    odd.until(lambda: window.search.answered and window.search.popup.isVisible())
    found = window.search.popup.list
    assert MARKUP in tip_at(odd, found, found.visualRect(found.currentIndex()).center())


@pytest.mark.slow
def test_the_map_shows_names_as_they_are_written(odd: User) -> None:
    window = odd.window
    answers: list[object] = []
    odd.hand.move((14.5, 46.0505))
    odd.hand.settle()
    script = """JSON.stringify([
        [...document.querySelectorAll(".leaflet-tooltip, .fw-device-body")].map((node) => node.innerText),
        document.querySelectorAll("b, img:not(.leaflet-tile)").length,
    ])"""
    window.map._page.runJavaScript(script, answers.append)
    odd.until(lambda: bool(answers))
    assert MARKUP in str(answers[0])
    assert str(answers[0]).endswith(",0]")


@pytest.mark.slow
def test_an_ampersand_in_a_name_is_no_shortcut(odd: User) -> None:
    odd.window.toolbar_layout.show_workspace("R&D")
    button = odd.window.toolbar.workspace
    assert on_button(button.text()) == "R&D ▾"
    assert button.shortcut() == QKeySequence("Alt+W"), "the letter of the button, whatever the name"


_PLAIN = {"tip_text", "toolTip"}
"""Functions that return plain text. `toolTip` returns a text that was set before."""

_SETTERS = {"setToolTip", "setStatusTip", "setWhatsThis"}


def is_ours(node: ast.expr) -> bool:
    """Whether an expression cannot contain text of users, or is converted to plain text."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.IfExp):
        return is_ours(node.body) and is_ours(node.orelse)
    if not isinstance(node, ast.Call):
        return False
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    return name in _PLAIN or (name == "tr" and not node.keywords)


def test_every_tooltip_is_escaped_when_it_is_set() -> None:
    folder = Path(app.desktop.__file__).parent
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SETTERS:
                assert is_ours(node.args[-1]), f"{file.name}:{node.lineno}"
