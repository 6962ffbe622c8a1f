"""The events panel as an inspector: filtered, pinned, copied, exported, while new events arrive."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTableView

from app.exports import RecordKind
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.tracking.updates import Conversion
from engine.domain.values import replace
from tests.desktop.window.test_exporting import export
from tests.desktop.window.user import User, unmarked
from tests.engine.fixtures import update

pytestmark = pytest.mark.parts("event_controller", "exporter", "reasons", "selection")

TEST = Environment.TEST


def happen(user: User, *names: tuple[str, str]) -> None:
    """Store custom events, each with a name and a device."""
    for name, device in names:
        user.engine.history.log_conversion(TEST, Conversion(name, device, None, None, {}))


def shown(user: User) -> list[str]:
    model = user.window.events.model
    return [f"{model.event_at(row).type} {model.event_at(row).user.device_id}" for row in range(model.rowCount())]


def choose(user: User, row: int) -> None:
    view = user.window.events.view
    user.click_in(view, view.visualRect(user.window.events.model.index(row, 0)).center())
    user.until(lambda: user.window.events.head.pin.isEnabled())


def left_edges(view: QTableView) -> list[int]:
    """Return the position of each visible column of a view on the screen."""
    columns = [column for column in range(view.model().columnCount()) if not view.isColumnHidden(column)]
    return [view.viewport().mapToGlobal(QPoint(view.columnViewportPosition(each), 0)).x() for each in columns]


def pick(user: User, text: str) -> None:
    """Choose an entry of the open menu."""
    found: list[QMenu] = []

    def there() -> bool:
        found[:] = [each for each in QApplication.topLevelWidgets() if isinstance(each, QMenu) and each.isVisible()]
        return bool(found)

    user.until(there)
    (menu,) = found
    action = next(each for each in menu.actions() if unmarked(each.text()) == text)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def test_words_and_names_filter_the_rows(user: User) -> None:
    happen(user, ("bought", "d1"), ("sold", "d1"), ("bought", "d2"), ("bought", "d12"))
    panel = user.window.events
    user.until(lambda: len(shown(user)) == 4)
    for text, wanted in (
        ("bought", ["bought d12", "bought d2", "bought d1"]),
        ("type:bou device:d1", ["bought d1"]),
        ("device:d1* -nothing", []),
        ("device:d1*", ["bought d12", "sold d1", "bought d1"]),
        ('device:"d2"', ["bought d2"]),
        ("before:2001-01-01", []),
        ("after:2001-01-01 SOLD", ["sold d1"]),
        ("user:ann", []),
        ("", ["bought d12", "bought d2", "sold d1", "bought d1"]),
    ):
        panel.head.words.clear()
        user.type(panel.head.words, text, enter=False)
        user.until(lambda wanted=wanted: shown(user) == wanted)  # type: ignore[misc]
    user.type(panel.head.words, "device:none", enter=False)
    user.until(panel._none.isVisible)
    assert "0 of 4" in user.window.docks.title(user.window.docks.events).note.whole
    user.type(panel.head.words, " after:soon", enter=False)
    user.until(lambda: "is not a date" in panel.head.words.toolTip())
    user.press(Qt.Key.Key_Escape, on=panel.head.words)
    user.until(lambda: len(shown(user)) == 4)


def test_new_events_pass_the_filter_or_stay_away(user: User) -> None:
    happen(user, ("bought", "d1"))
    user.until(lambda: len(shown(user)) == 1)
    user.type(user.window.events.head.words, "bought", enter=False)
    choose(user, 0)
    happen(user, ("sold", "d1"), ("bought", "d2"))
    user.until(lambda: shown(user) == ["bought d2", "bought d1"])
    assert user.window.events.view.currentIndex().row() == 1


def test_others_are_filtered_by_an_event(user: User) -> None:
    user.given(1)
    user.engine.tracking.track(TEST, replace(update(), point=Point(14.5, 46.05)))
    happen(user, ("bought", "phone"), ("bought", "d2"))
    user.until(lambda: len(shown(user)) == 3)
    choose(user, 2)
    user.click(user.window.events.head.narrow)
    pick(user, "Only device phone")
    user.until(lambda: shown(user) == ["bought phone", "user.entered_geofence phone"])
    choose(user, 1)
    user.click(user.window.events.head.narrow)
    pick(user, "Only tag store")
    user.until(lambda: shown(user) == ["user.entered_geofence phone"])
    assert user.window.events.head.words.text() == "device:phone tag:store"
    for name in ("geofence:store/1", "geofence:1", "tag:STORE type:entered_geofence"):
        user.window.events.head.words.clear()
        user.type(user.window.events.head.words, name, enter=False)
        user.until(lambda: shown(user) == ["user.entered_geofence phone"])


def test_a_pinned_event_stays_in_sight(user: User) -> None:
    happen(user, *((f"e{number}", "d1") for number in range(60)))
    panel = user.window.events
    user.until(lambda: len(shown(user)) == 60)
    assert panel.pins.isHidden()
    choose(user, 1)
    user.click(panel.head.pin)
    user.until(panel.pins.isVisible)
    assert panel.view.verticalScrollBar().isVisible()
    user.until(lambda: left_edges(panel.pins) == left_edges(panel.view))
    assert panel.pinned_model.event_at(0).type == "e58"
    choose(user, 0)
    assert not panel.head.pin.isChecked()
    user.type(panel.head.words, "e0", enter=False)
    user.until(lambda: shown(user) == ["e0 d1"])
    user.until(lambda: left_edges(panel.pins) == left_edges(panel.view))
    user.click_in(panel.pins, panel.pins.visualRect(panel.pinned_model.index(0, 0)).center())
    selection = user.window.model.selection
    user.until(lambda: selection.event is not None and selection.event.type == "e58")
    user.until(panel.head.pin.isChecked)
    user.click(panel.head.pin)
    user.until(panel.pins.isHidden)


def test_pins_go_with_their_events(user: User) -> None:
    happen(user, ("bought", "d1"))
    user.until(lambda: len(shown(user)) == 1)
    choose(user, 0)
    user.click(user.window.events.head.pin)
    user.until(user.window.events.pins.isVisible)
    user.engine.history.clear_test_data(None)
    user.until(user.window.events.pins.isHidden)


def test_the_row_in_view_stays_while_others_come(user: User) -> None:
    happen(user, *((f"e{number}", "d1") for number in range(60)))
    panel = user.window.events
    user.until(lambda: len(shown(user)) == 60)
    panel.view.verticalScrollBar().setValue(30)
    top = panel.model.event_at(panel.view.rowAt(0)).type
    happen(user, *((f"new{number}", "d1") for number in range(10)))
    user.until(lambda: len(shown(user)) == 70)
    assert panel.model.event_at(panel.view.rowAt(0)).type == top
    panel.view.verticalScrollBar().setValue(0)
    happen(user, ("newest", "d1"))
    user.until(lambda: len(shown(user)) == 71)
    assert panel.model.event_at(panel.view.rowAt(0)).type == "newest"


def test_json_is_copied_as_it_is_sent(user: User) -> None:
    happen(user, ("bought", "d1"))
    user.until(lambda: len(shown(user)) == 1)
    choose(user, 0)
    QGuiApplication.clipboard().clear()
    user.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier, on=user.window.events.view)
    user.until(lambda: QGuiApplication.clipboard().text().startswith("{"))
    copied = orjson.loads(QGuiApplication.clipboard().text())
    assert (copied["type"], copied["user"]["deviceId"], copied["custom"]) == ("bought", "d1", True)


def test_the_filtered_events_are_exported(user: User, tmp_path: Path) -> None:
    happen(user, ("bought", "d1"), ("sold", "d1"), ("bought", "d2"))
    user.until(lambda: len(shown(user)) == 3)
    user.type(user.window.events.head.words, "bought", enter=False)
    user.until(lambda: len(shown(user)) == 2)
    export(user, user.window.exporter.events, tmp_path / "some.jsonl")
    user.until(lambda: "Exported 2 events to" in user.window.message.text.text())
    events = [orjson.loads(line) for line in (tmp_path / "some.jsonl").read_bytes().splitlines()]
    assert [event["user"]["deviceId"] for event in events] == ["d1", "d2"]


def test_of_more_events_than_the_table_has_all_that_pass_are_exported(user: User, tmp_path: Path) -> None:
    user.window.model.events._kept = 10
    happen(user, *(("bought" if number % 2 else "sold", f"d{number}") for number in range(60)))
    user.until(lambda: len(shown(user)) == 10)
    user.type(user.window.events.head.words, "bought", enter=False)
    user.window.exporter.export(tmp_path / "all.jsonl", RecordKind.EVENTS)
    user.until(lambda: "Exported 30 events to" in user.window.message.text.text())
    events = [orjson.loads(line) for line in (tmp_path / "all.jsonl").read_bytes().splitlines()]
    assert [event["user"]["deviceId"] for event in events] == [f"d{number}" for number in range(1, 60, 2)]
    user.window.operations.started.connect(lambda task: task.cancel(), Qt.ConnectionType.SingleShotConnection)
    user.window.exporter.export(tmp_path / "none.jsonl", RecordKind.EVENTS)
    user.until(lambda: "cancelled; none.jsonl was not written" in user.window.message.text.text())
    assert [file.name for file in tmp_path.iterdir()] == ["all.jsonl"]


def test_a_row_has_a_menu(user: User) -> None:
    happen(user, ("bought", "d1"), ("sold", "d1"))
    panel = user.window.events
    user.until(lambda: len(shown(user)) == 2)
    at = panel.view.visualRect(panel.model.index(1, 0)).center()
    panel.view.customContextMenuRequested.emit(at)
    pick(user, "Only bought")
    user.until(lambda: shown(user) == ["bought d1"])
    user.until(lambda: not panel.head.findChildren(QMenu))


def test_a_full_log_forgets_its_last_without_a_jump(user: User) -> None:
    log = user.window.model.events
    log._kept = 50
    happen(user, *((f"e{number}", "d1") for number in range(50)))
    panel = user.window.events
    user.until(lambda: len(shown(user)) == 50)
    choose(user, 2)
    resets: list[bool] = []
    panel.model.modelReset.connect(lambda: resets.append(True))
    happen(user, *((f"new{number}", "d1") for number in range(5)))
    user.until(lambda: shown(user)[0] == "new4 d1")
    assert (len(shown(user)), resets) == (50, [])
    assert panel.model.event_at(panel.view.currentIndex().row()).type == "e47"
