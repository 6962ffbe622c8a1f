"""A window that is passed from test to test is in its initial state, or it is not passed on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.dialogs.integrations.nightly_sync import NightlySyncDialog
from app.desktop.map import MapProfile
from tests.desktop.window.kept import KeptWindow, all_traces
from tests.desktop.window.traces import differences
from tests.desktop.window.user import User

pytestmark = pytest.mark.slow


@pytest.fixture
def kept(map_profile: MapProfile, kept_window: KeptWindow) -> Iterator[KeptWindow]:
    kept_window.close()
    kept = KeptWindow(map_profile)
    yield kept
    kept.close()


def script(user: User, text: str) -> None:
    """Run a script in the page."""
    answers: list[object] = []
    user.window.map._page.runJavaScript(f"{text}; 1;", 0, answers.append)
    user.until(lambda: bool(answers))


def test_new_windows_are_alike(kept: KeptWindow, qtbot: QtBot) -> None:
    kept.give_back(kept.take(qtbot, hand_on=True).window, hand_on=False)
    window = kept.take(qtbot, hand_on=True).window
    assert kept.like is not None
    qtbot.waitUntil(lambda: not differences(kept.like or {}, all_traces(window)))
    kept.give_back(window, hand_on=False)
    assert (kept.made, kept.handed_on) == (2, 0)


def test_a_used_window_is_handed_on_as_a_new_one(kept: KeptWindow, qtbot: QtBot) -> None:
    user = kept.take(qtbot, hand_on=True)
    fence = user.draw_circle()
    user.given(2, longitude=14.51)
    user.window.map.show_device("phone", 14.5, 46.05, 20)
    user.window.map.set_pin((14.5, 46.05), "Here")
    user.type(user.window.form.basics.description, "Shop")
    user.window.form.show_section(2)
    user.click(user.window.toolbar.environments.live)
    user.window.map.show_point(0, 0, zoom=3)
    QTest.keyClicks(user.window.list.words, "shop")
    user.window.actions_.confidence.trigger()
    script(user, "document.querySelectorAll('.fw-layers input')[4].click()")
    user.window.appearance.choose("dark")
    user.window.docks.bring(user.window.docks.table)
    user.window.table.view.horizontalHeader().setSortIndicator(2, Qt.SortOrder.DescendingOrder)
    user.window.timeline_panel.unfold()
    user.window.nightly_sync.dialog.open()
    session = user.session
    user.window.search_result.dismiss()
    user.window.map.set_pin(None)
    user.window.map.remove_device("phone")
    kept.give_back(user.window, hand_on=True)
    again = kept.take(qtbot, hand_on=True)
    assert kept.left == []
    assert (kept.made, kept.handed_on) == (1, 1)
    assert again.window is user.window
    assert again.session is not session
    assert again.stored() == []
    assert not any(line.isUndoAvailable() for line in again.window.findChildren(QLineEdit))
    assert again.window.list.words.text() == ""
    assert again.window.appearance.theme == "light"
    assert not again.window.actions_.confidence.isChecked()
    assert not again.window.timeline_panel.is_open
    assert not again.window.findChildren(NightlySyncDialog)
    assert again.window.model.fences.get(fence.id) is None
    assert again.window.map.center() == pytest.approx((14.5, 46.05), abs=1e-4)
    assert again.draw_circle().id != fence.id
    kept.give_back(again.window, hand_on=False)


def the_text(widget: QWidget) -> QPlainTextEdit:
    found = widget.findChild(QPlainTextEdit)
    assert found is not None
    return found


MAP = "globalThis[document.querySelector('.folium-map').id]"
LEFT: dict[str, Callable[[User], object]] = {
    "another tip": lambda user: user.window.list.setToolTip("Shop"),
    "text of a request that is not shown": lambda user: the_text(user.window.request_page).setPlainText("shop"),
    "a listener of the map": lambda user: script(user, f"{MAP}.on('click', () => 0)"),
    "a name of all scripts": lambda user: script(user, "globalThis.left = 1"),
    "a track on the map": lambda user: user.window.map.set_way([(14.5, 46.05), (14.6, 46.05)]),
    "a device on the map": lambda user: user.window.map.show_device("phone", 14.5, 46.05, 20),
    "a timer that runs": lambda user: QTimer(user.window, interval=3_600_000).start(),
    "another way to leave": lambda user: setattr(user.window.workspaces, "_leave", lambda _, leave, *__: leave(())),
}


def test_a_window_with_something_left_in_it_is_closed(kept: KeptWindow, qtbot: QtBot) -> None:
    for number, (description, leave) in enumerate(LEFT.items(), start=1):
        user = kept.take(qtbot, hand_on=True)
        leave(user)
        kept.give_back(user.window, hand_on=True)
        assert kept.left, description
        assert (kept.made, kept.handed_on) == (number, 0), description
    kept.give_back(kept.take(qtbot, hand_on=True).window, hand_on=False)
    assert (kept.made, kept.handed_on) == (len(LEFT) + 1, 0)
