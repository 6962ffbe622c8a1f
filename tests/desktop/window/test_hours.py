"""The week drawn with the mouse, adjusted with the keyboard, selected, as JSON, and copied to other geofences."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.desktop.dialogs.bulk_edit.hours import CopyHoursDialog
from app.desktop.panels.geofence.hours import HoursSection
from app.desktop.panels.geofence.week_grid import WeekGrid
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.hours import DAYS, parse_hours, spell_hours
from tests.desktop.window.user import User, unmarked

pytestmark = pytest.mark.parts(
    "availability", "commands", "fences", "list", "many", "project", "selection", "time", "undoing"
)

TEST, LIVE = Environment.TEST, Environment.LIVE
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key
_HOURS = 1

type Days = dict[str, list[list[str]]]
type At = tuple[int, int]
"""A day and a minute of the day."""


def section(user: User) -> HoursSection:
    return user.window.form.hours


def grid(user: User) -> WeekGrid:
    return section(user).week.grid


def stored(user: User, fence: Geofence, environment: Environment = TEST) -> Days | None:
    hours = user.engine.geofences.get(environment, fence.id).rules.operating_hours
    return None if hours is None else spell_hours(hours)


def full(days: Days) -> Days:
    """Return hours as the form writes them: all seven days, closed ones as empty lists."""
    return {day: days.get(day, []) for day in DAYS}


def shown(user: User, days: Days | None) -> Geofence:
    """Show a geofence with hours."""
    fence = user.given()
    if days is not None:
        user.engine.geofences.update(TEST, fence.id, GeofenceChange(operating_hours=parse_hours(days)))
    show(user, fence)
    user.until(lambda: (section(user).week.hours is None) is (days is None))
    user.idle()
    return fence


def show(user: User, fence: Geofence) -> None:
    user.select(fence)
    user.click(user.window.form.switch.buttons[_HOURS])
    user.until(section(user).isVisible)


def settled(user: User, fence: Geofence, expected: Days | None) -> None:
    user.until(lambda: stored(user, fence) == expected)
    user.idle()


def point(user: User, at: At, dx: int = 0) -> QPoint:
    return grid(user).picture.point_of(*at) + QPoint(dx, 0)


def drag(user: User, begin: At, end: At, dx: int = 0) -> None:
    """Drag the mouse over the week, in a few moves."""
    week, first, last = grid(user), point(user, begin, dx), point(user, end)
    section(user).ensureWidgetVisible(week)
    QTest.mousePress(week, LEFT, NONE, first)
    for part in (0.3, 0.7, 1.0):
        QTest.mouseMove(week, (QPointF(first) + QPointF(last - first) * part).toPoint())
    QTest.mouseRelease(week, LEFT, NONE, last)


def press(user: User, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(grid(user), key, modifiers)


def undo(user: User) -> None:
    user.window.activateWindow()
    user.until(user.window.isActiveWindow)
    user.press(Key.Key_Z, CTRL, on=user.window.list.view)


NINE = 9 * 60
FIVE = 17 * 60


def test_spans_are_drawn_moved_resized_and_deleted_each_as_one_step(user: User) -> None:
    fence = shown(user, {"Tue": [["09:07", "12:01"]]})
    drag(user, (0, NINE), (0, FIVE))
    settled(user, fence, full({"Mon": [["09:00", "17:00"]], "Tue": [["09:07", "12:01"]]}))
    drag(user, (0, 12 * 60), (2, 13 * 60))
    settled(user, fence, full({"Tue": [["09:07", "12:01"]], "Wed": [["10:00", "18:00"]]}))
    drag(user, (2, 18 * 60), (2, 20 * 60), dx=-2)
    settled(user, fence, full({"Tue": [["09:07", "12:01"]], "Wed": [["10:00", "20:00"]]}))
    drag(user, (2, 10 * 60), (2, 8 * 60), dx=2)
    settled(user, fence, full({"Tue": [["09:07", "12:01"]], "Wed": [["08:00", "20:00"]]}))
    press(user, Key.Key_Delete)
    settled(user, fence, full({"Tue": [["09:07", "12:01"]]}))
    assert user.window.model.fences.get(fence.id) is not None
    for expected in ([["08:00", "20:00"]], [["10:00", "20:00"]], [["10:00", "18:00"]]):
        undo(user)
        settled(user, fence, full({"Tue": [["09:07", "12:01"]], "Wed": expected}))


def test_a_span_over_midnight_is_split_and_its_parts_are_dragged_on(user: User) -> None:
    fence = shown(user, {"Mon": []})
    drag(user, (4, 22 * 60), (5, 2 * 60))
    settled(user, fence, full({"Fri": [["22:00", "24:00"]], "Sat": [["00:00", "02:00"]]}))
    days = section(user).week.days
    assert [[span.state() for span in days[day].spans] for day in (4, 5)] == [
        [("22:00", "24:00")],
        [("00:00", "02:00")],
    ]
    assert not days[4].spans[0].next_day.isVisible()
    drag(user, (5, 2 * 60), (5, 3 * 60), dx=-2)
    settled(user, fence, full({"Fri": [["22:00", "24:00"]], "Sat": [["00:00", "03:00"]]}))
    drag(user, (4, 24 * 60), (4, 23 * 60), dx=-2)
    settled(user, fence, full({"Fri": [["22:00", "23:00"]], "Sat": [["00:00", "03:00"]]}))
    undo(user)
    undo(user)
    settled(user, fence, full({"Fri": [["22:00", "24:00"]], "Sat": [["00:00", "02:00"]]}))
    undo(user)
    settled(user, fence, {"Mon": []})


def test_escape_lets_go_of_a_drag(user: User) -> None:
    fence = shown(user, {"Mon": [["09:00", "17:00"]]})
    week = grid(user)
    QTest.mousePress(week, LEFT, NONE, point(user, (0, 12 * 60)))
    QTest.mouseMove(week, point(user, (3, 14 * 60)))
    user.until(lambda: section(user).week.readout.text().startswith("Thu 11:00–19:00"))
    press(user, Key.Key_Escape)
    QTest.mouseRelease(week, LEFT, NONE, point(user, (3, 14 * 60)))
    assert section(user).week.readout.text().startswith("Mon 09:00–17:00")
    user.idle()
    assert stored(user, fence) == {"Mon": [["09:00", "17:00"]]}


def test_a_week_is_edited_by_keyboard(user: User) -> None:
    fence = shown(user, {"Mon": [["09:00", "10:00"]], "Wed": [["09:07", "11:03"]]})
    week = grid(user)
    section(user).copy.setFocus()
    QTest.keyClick(section(user).copy, Key.Key_Tab)
    assert QApplication.focusWidget() is week
    assert week.accessibleDescription().startswith("Mon 09:00–10:00")
    press(user, Key.Key_Tab)
    assert week.accessibleDescription() == "Wed 09:07–11:03 · 1 h 56 min"
    press(user, Key.Key_Right)
    settled(user, fence, full({"Mon": [["09:00", "10:00"]], "Wed": [["09:15", "11:11"]]}))
    press(user, Key.Key_Right, SHIFT)
    settled(user, fence, full({"Mon": [["09:00", "10:00"]], "Wed": [["09:15", "11:15"]]}))
    press(user, Key.Key_Left, SHIFT | CTRL)
    settled(user, fence, full({"Mon": [["09:00", "10:00"]], "Wed": [["09:00", "11:15"]]}))
    press(user, Key.Key_Up)
    settled(user, fence, full({"Mon": [["09:00", "10:00"]], "Tue": [["09:00", "11:15"]]}))
    press(user, Key.Key_Return)
    line = section(user).week.days[1].spans[0].opens
    assert QApplication.focusWidget() is line
    QTest.keyClicks(line, "9:20")
    QTest.keyClick(line, Key.Key_Return)
    settled(user, fence, full({"Mon": [["09:00", "10:00"]], "Tue": [["09:20", "11:15"]]}))
    week.setFocus(Qt.FocusReason.BacktabFocusReason)
    press(user, Key.Key_Insert)
    settled(user, fence, full({"Mon": [["09:00", "10:00"]], "Tue": [["09:20", "11:15"], ["12:15", "13:15"]]}))
    press(user, Key.Key_Delete)
    settled(user, fence, full({"Mon": [["09:00", "10:00"]], "Tue": [["09:20", "11:15"]]}))


def test_an_arrow_that_is_held_down_is_one_step(user: User) -> None:
    fence = shown(user, {"Mon": [["09:00", "10:00"]]})
    week = grid(user)
    week.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(4):
        QTest.keyPress(week, Key.Key_Right)
    QTest.keyRelease(week, Key.Key_Right)
    settled(user, fence, full({"Mon": [["10:00", "11:00"]]}))
    undo(user)
    settled(user, fence, {"Mon": [["09:00", "10:00"]]})


def test_the_wheel_changes_nothing(user: User) -> None:
    fence = shown(user, {"Mon": [["09:00", "10:00"]]})
    week = grid(user)
    at = QPointF(point(user, (0, NINE + 30)))
    turn = QWheelEvent(
        at, week.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, NONE,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(week, turn)
    user.idle()
    assert stored(user, fence) == {"Mon": [["09:00", "10:00"]]}


def choose(menu: QMenu, text: str) -> None:
    action = next(each for each in menu.actions() if unmarked(each.text()) == text)
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())


def test_the_menu_adds_and_deletes_at_its_position(user: User) -> None:
    fence = shown(user, {"Mon": [["09:00", "10:00"]]})
    week = grid(user)
    cases: tuple[tuple[At, str, Days], ...] = (
        ((2, 14 * 60 + 5), "Add span here", {"Mon": [["09:00", "10:00"]], "Wed": [["14:00", "15:00"]]}),
        ((0, NINE + 30), "Delete span", {"Wed": [["14:00", "15:00"]]}),
        ((2, 2 * 60), "Close Wednesday", {}),
    )
    for at, text, expected in cases:
        position = point(user, at)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, position, week.mapToGlobal(position))
        QApplication.sendEvent(week, event)
        user.until(section(user).week.menu.isVisible)
        choose(section(user).week.menu, text)
        settled(user, fence, full(expected))


def test_presets_set_the_week(user: User) -> None:
    fence = shown(user, None)
    menu = section(user).presets.menu()
    assert isinstance(menu, QMenu)
    for text, expected in (
        ("Every night, 22:00–06:00", {day: [["00:00", "06:00"], ["22:00", "24:00"]] for day in DAYS}),
        ("Weekends, all day", full({"Sat": [["00:00", "24:00"]], "Sun": [["00:00", "24:00"]]})),
        ("Always open", None),
    ):  # fmt: skip
        menu.popup(user.window.mapToGlobal(QPoint(40, 40)))
        choose(menu, text)
        settled(user, fence, expected)
        assert section(user).always.isChecked() is (expected is None)


def write(user: User, text: str) -> None:
    edit = section(user).text.edit
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, text)


def test_json_and_the_week_follow_each_other(user: User) -> None:
    fence = shown(user, {"Mon": [["09:00", "10:00"]]})
    pane = section(user).text
    assert json.loads(pane.text) == {"Mon": [["09:00", "10:00"]]}
    write(user, '{"Sat": [["10:00", "25:00"]]}')
    user.until(lambda: pane.status.text() == "Line 1, column 20: Operating hours: '25:00' on Sat is not a time; use "
               "HH:mm (00:45) or h:mm aa (12:45 AM).")  # fmt: skip
    assert stored(user, fence) == {"Mon": [["09:00", "10:00"]]}
    write(user, '{"Sat": [["10:00", "12:30"]]}')
    user.until(lambda: len(section(user).week.days[5].spans) == 1)
    QTest.keyClick(pane.edit, Key.Key_Return, CTRL)
    settled(user, fence, {"Sat": [["10:00", "12:30"]]})
    assert pane.text == '{"Sat": [["10:00", "12:30"]]}'
    drag(user, (5, 11 * 60), (5, 12 * 60))
    settled(user, fence, full({"Sat": [["11:00", "13:30"]]}))
    user.until(lambda: json.loads(pane.text) == full({"Sat": [["11:00", "13:30"]]}))
    write(user, "{}")
    QTest.keyClick(pane.edit, Key.Key_Return, CTRL)
    settled(user, fence, None)
    assert section(user).always.isChecked()


def test_json_is_stored_as_it_is_written(user: User) -> None:
    fence = shown(user, full({"Mon": [["09:00", "10:00"]]}))
    pane = section(user).text
    for text, expected in (
        ('{"Fri": [["22:00", "02:00"]]}', {"Fri": [["22:00", "02:00"]]}),
        ('{"Fri": [["22:00", "02:00"]], "Sun": []}', {"Fri": [["22:00", "02:00"]], "Sun": []}),
        ('{"Fri": [["22:00", "02:00"]]}', {"Fri": [["22:00", "02:00"]]}),
    ):
        write(user, text)
        QTest.keyClick(pane.edit, Key.Key_Return, CTRL)
        settled(user, fence, expected)
    section(user).presets.setFocus()
    user.idle()
    assert json.loads(pane.text) == {"Fri": [["22:00", "02:00"]]}
    assert stored(user, fence) == {"Fri": [["22:00", "02:00"]]}
    note = section(user).note.text()
    assert "Not listed, and so open all day by the platform rule: Mon–Thu, Sat–Sun." in note
    assert "Hours past midnight never hold by the platform rule." in note


def test_opening_hours_are_pasted_and_what_is_left_out_stays_in_sight(user: User) -> None:
    fence = shown(user, None)
    user.click(section(user).always)
    user.until(lambda: stored(user, fence) is not None)
    user.idle()
    pane = section(user).text
    write(user, "Mo-Fr 9-17")
    user.until(lambda: pane.status.text() == "This is neither JSON nor OpenStreetMap's opening_hours, such as "
               "Mo-Fr 09:00-17:00; Sa 10:00-12:00.")  # fmt: skip
    assert not pane.apply.isEnabled()
    write(user, "sunrise-sunset")
    user.until(lambda: pane.status.text().startswith("These are no weekly hours"))
    write(user, "Fr-Sa 20:00-02:00; Su 10:00-12:00; PH off")
    user.until(lambda: len(section(user).week.days[6].spans) == 2)
    note = "Public holidays are left out: 'PH closed'."
    assert pane.status.text().startswith(f"{note} Valid.")
    QTest.keyClick(pane.edit, Key.Key_Return, CTRL)
    night, early = ["20:00", "24:00"], ["00:00", "02:00"]
    week = full({"Fri": [night], "Sat": [early, night], "Sun": [early, ["10:00", "12:00"]]})
    settled(user, fence, week)
    assert (pane.text, pane.status.text()) == ("Fr-Sa 20:00-02:00; Su 10:00-12:00; PH off", note)
    section(user).presets.setFocus()
    user.until(lambda: json.loads(pane.text) == week)
    user.idle()
    assert pane.status.text() == note
    drag(user, (0, 11 * 60), (0, 12 * 60))
    settled(user, fence, {**week, "Mon": [["11:00", "12:00"]]})
    assert pane.status.text() == ""


def test_json_that_is_wrong_stays_while_another_geofence_is_shown(user: User) -> None:
    other = user.given(2)
    fence = shown(user, {"Mon": [["09:00", "10:00"]]})
    pane = section(user).text
    write(user, '{"Mon": ')
    user.until(lambda: bool(pane.edit.extraSelections()))
    show(user, other)
    assert pane.text == "{}"
    show(user, fence)
    assert pane.text == '{"Mon": '
    QTest.keyClick(pane.edit, Key.Key_Escape)
    user.until(lambda: json.loads(pane.text) == {"Mon": [["09:00", "10:00"]]})
    assert stored(user, other) is None


def copying(user: User) -> CopyHoursDialog:
    user.click(section(user).copy)
    user.until(lambda: user.window.many.hours.dialog is not None)
    dialog = user.window.many.hours.dialog
    assert dialog is not None
    user.until(dialog.isActiveWindow)
    return dialog


def test_hours_are_copied_to_a_tag_and_to_chosen_ones_as_one_step_each(user: User) -> None:
    others = [user.given(number, tag) for number, tag in ((2, "store"), (3, "store"), (4, "depot"))]
    fence = shown(user, {"Mon": [["09:00", "10:00"]]})
    dialog = copying(user)
    assert dialog.to_tag.isChecked()
    assert dialog.copy.text() == "Copy to 2 geofences"
    user.click(dialog.copy)
    user.until(lambda: [stored(user, each) for each in others] == [stored(user, fence)] * 2 + [None])
    user.until(lambda: user.window.many.hours.dialog is None)
    user.idle()
    undo(user)
    user.until(lambda: [stored(user, each) for each in others] == [None] * 3)
    user.idle()
    show(user, fence)
    dialog = copying(user)
    QTest.keyClicks(dialog.filter, "depot")
    assert dialog.model.rowCount() == 1
    dialog.view.setFocus()
    dialog.view.selectRow(0)
    QTest.keyClick(dialog.view, Key.Key_Space)
    assert dialog.to_chosen.isChecked()
    user.click(dialog.copy)
    user.until(lambda: stored(user, others[2]) == stored(user, fence))
    assert stored(user, others[0]) is None
    user.until(lambda: user.window.many.hours.dialog is None)
    user.idle()


def test_nothing_is_copied_twice_whatever_is_chosen_meanwhile(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    others = [user.given(number, tag) for number, tag in ((2, "store"), (3, "depot"))]
    fence = shown(user, {"Mon": [["09:00", "10:00"]]})
    dialog = copying(user)
    go_on = user.hold(monkeypatch, "edit_all")
    user.click(dialog.copy)
    dialog.view.setFocus()
    dialog.view.selectRow(1)
    QTest.keyClick(dialog.view, Key.Key_Space)
    assert dialog.to_chosen.isChecked()
    assert not dialog.copy.isEnabled()
    go_on.set()
    user.until(lambda: user.window.many.hours.dialog is None)
    assert [stored(user, each) for each in others] == [stored(user, fence), None]
    user.idle()


def test_copying_in_live_is_confirmed(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    one, two = user.given(1), user.given(2)
    hours = parse_hours({"Mon": [["09:00", "10:00"]]})
    user.engine.geofences.update(LIVE, one.id, GeofenceChange(operating_hours=hours))
    show(user, one)
    user.until(lambda: section(user).week.hours == hours)
    user.click(copying(user).copy)
    user.answer("Set hours")
    user.until(lambda: stored(user, two, LIVE) == {"Mon": [["09:00", "10:00"]]})
    user.until(lambda: user.window.many.hours.dialog is None)
    user.idle()
