"""The hours and the rules of a geofence, edited by mouse and keyboard, to the engine and back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QMenu, QWidget

from app.desktop.panels.geofence.week import DayEdit
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange, GeofenceRules
from engine.domain.hours import DAYS, OperatingHours, parse_hours, spell_hours
from engine.domain.settings import SettingsChange
from tests.desktop.window.user import User, unmarked

pytestmark = pytest.mark.parts(
    "availability", "commands", "fences", "list", "pending", "project", "selection", "time", "undoing"
)

TEST, LIVE = Environment.TEST, Environment.LIVE
CTRL = Qt.KeyboardModifier.ControlModifier
_HOURS, _RULES = 1, 2


def rules(user: User) -> GeofenceRules:
    return user.only().rules


def spelled(user: User) -> dict[str, list[list[str]]]:
    found = rules(user).operating_hours
    return spell_hours(found) if found else {}


def at_section(user: User, number: int) -> None:
    user.click(user.window.form.switch.buttons[number])
    user.until(lambda: user.window.form.sections[number].isVisible())


def day(user: User, number: int) -> DayEdit:
    return user.window.form.hours.week.days[number]


def seen(user: User, widget: QWidget) -> None:
    """Scroll a widget of the form into view, since a click outside the window has no effect."""
    for section in user.window.form.sections:
        if section.isVisible():
            section.ensureWidgetVisible(widget)


def choose(menu: QMenu, text: str) -> None:
    action = next(each for each in menu.actions() if unmarked(each.text()) == text)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def settled(user: User, expected: dict[str, list[list[str]]]) -> None:
    user.until(lambda: spelled(user) == expected)
    user.idle()


def with_week(user: User) -> None:
    user.select(user.given())
    at_section(user, _HOURS)
    user.click(user.window.form.hours.always)
    user.until(lambda: rules(user).operating_hours is not None)
    user.idle()


NINE_TO_FIVE = [["09:00", "17:00"]]
WORKING: dict[str, list[list[str]]] = {name: NINE_TO_FIVE if name in DAYS[:5] else [] for name in DAYS}
"""The week as the form writes it: all seven days, closed ones as empty lists."""


@pytest.mark.slow
def test_a_week_is_edited_span_by_span(user: User) -> None:
    with_week(user)
    settled(user, WORKING)
    monday = day(user, 0)
    user.type(monday.spans[0].closes, "12:30 pm")
    settled(user, WORKING | {"Mon": [["09:00", "12:30"]]})
    user.click(monday.add)
    settled(user, WORKING | {"Mon": [["09:00", "12:30"], ["13:30", "14:30"]]})
    user.type(monday.spans[1].closes, "18:00")
    settled(user, WORKING | {"Mon": [["09:00", "12:30"], ["13:30", "18:00"]]})
    user.click(monday.spans[0].remove)
    settled(user, WORKING | {"Mon": [["13:30", "18:00"]]})
    assert len(monday.spans) == 1


def test_a_span_across_midnight_is_marked(user: User) -> None:
    """An API client can store such a span; an edit in the form splits it at midnight."""
    fence = user.given()
    night = parse_hours(WORKING | {"Fri": [["22:00", "02:00"]]})
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(operating_hours=night))
    user.select(fence)
    at_section(user, _HOURS)
    user.until(lambda: len(day(user, 4).spans) == 1)
    span = day(user, 4).spans[0]
    assert span.state() == ("22:00", "02:00")
    assert span.next_day.isVisible()
    assert not day(user, 3).spans[0].next_day.isVisible()
    user.type(span.opens, "21:00")
    settled(user, WORKING | {"Fri": [["21:00", "24:00"]], "Sat": [["00:00", "02:00"]]})
    for number in (4, 5):
        assert not day(user, number).spans[0].next_day.isVisible()


def test_a_time_is_typed_as_people_write_it(user: User) -> None:
    with_week(user)
    span = day(user, 0).spans[0]
    for typed, shown in (("2am", "02:00"), ("12 a.m.", "00:00"), ("7 AM", "07:00"), ("8", "08:00"), ("6.30", "06:30")):
        user.type(span.opens, typed)
        settled(user, WORKING | {"Mon": [[shown, "17:00"]]})
        assert span.opens.text() == shown
    user.type(span.closes, "6p")
    settled(user, WORKING | {"Mon": [["06:30", "18:00"]]})


def test_half_a_span_is_not_stored(user: User) -> None:
    """Changing nine to five into a night span by keyboard must not store the intermediate times."""
    with_week(user)
    span, stored = day(user, 0).spans[0], user.only()
    user.type(span.opens, "22:00", enter=False)
    QTest.keyClick(span.opens, Qt.Key.Key_Tab)
    assert span.closes.hasFocus()
    user.idle()
    assert user.only() == stored
    QTest.keyClicks(span.closes, "02:00")
    QTest.keyClick(span.closes, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    user.idle()
    assert user.only() == stored
    user.click(user.window.list.view)
    settled(user, WORKING | {"Mon": [["22:00", "24:00"]], "Tue": [["00:00", "02:00"], *NINE_TO_FIVE]})
    user.type(span.opens, "21:00", enter=False)
    user.click(day(user, 2).spans[0].opens)
    settled(user, WORKING | {"Mon": [["21:00", "24:00"]], "Tue": [["00:00", "02:00"], *NINE_TO_FIVE]})


def test_enter_in_an_opening_after_the_close_leads_to_the_close(user: User) -> None:
    """Half a span would go past midnight, and be split there."""
    with_week(user)
    span, stored = day(user, 0).spans[0], user.only()
    user.type(span.opens, "22:00")
    assert span.closes.hasFocus()
    user.idle()
    assert user.only() == stored
    user.type(span.closes, "23:30")
    settled(user, WORKING | {"Mon": [["22:00", "23:30"]]})


def test_a_day_is_copied_to_others_from_its_menu(user: User) -> None:
    with_week(user)
    monday = day(user, 0)
    user.type(monday.spans[0].opens, "08:00")
    settled(user, WORKING | {"Mon": [["08:00", "17:00"]]})
    for target, days in (("Copy to Sunday", ["Mon", "Sun"]), ("Copy to every day", DAYS)):
        user.click(monday.copy)
        user.until(monday.menu.isVisible)
        choose(monday.menu, target)
        settled(user, WORKING | {name: [["08:00", "17:00"]] for name in days})


def test_an_invalid_time_is_reported_at_the_field_and_changes_nothing(user: User) -> None:
    with_week(user)
    line = day(user, 1).spans[0].opens
    user.type(line, "25:00")
    error = user.window.form.field("operating_hours").error
    user.until(error.isVisible)
    assert error.text().startswith("Operating hours: '25:00' on Tue is not a time; use HH:mm")
    assert line.property("invalid") is True
    assert spelled(user) == WORKING
    user.type(line, "7:00 AM")
    settled(user, WORKING | {"Tue": [["07:00", "17:00"]]})
    assert not error.isVisible()
    assert line.text() == "07:00"


def test_a_time_that_is_none_stays_while_another_day_is_edited(user: User) -> None:
    with_week(user)
    wrong, error = day(user, 1).spans[0].opens, user.window.form.field("operating_hours").error
    user.type(wrong, "25:00")
    user.until(error.isVisible)
    user.type(day(user, 0).spans[0].opens, "7:00")
    settled(user, WORKING | {"Mon": [["07:00", "17:00"]]})
    assert wrong.text() == "25:00"
    assert error.isVisible()
    user.type(wrong, "8:00")
    settled(user, WORKING | {"Mon": [["07:00", "17:00"]], "Tue": [["08:00", "17:00"]]})
    assert not error.isVisible()


def test_hours_are_undone_and_always_open_brings_them_back(user: User) -> None:
    with_week(user)
    user.type(day(user, 0).spans[0].opens, "10:00")
    changed = WORKING | {"Mon": [["10:00", "17:00"]]}
    settled(user, changed)
    user.click(user.window.form.hours.always)
    settled(user, {})
    user.click(user.window.form.hours.always)
    settled(user, changed)
    for expected in ({}, changed, WORKING, {}):
        user.press(Qt.Key.Key_Z, CTRL, on=user.window.list.view)
        settled(user, expected)
    assert user.window.form.hours.always.isChecked()


def test_open_and_closed_follow_the_test_clock(user: User) -> None:
    fence = user.given()
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(operating_hours=parse_hours({"Mon": NINE_TO_FIVE})))
    user.engine.set_clock(ClockChange(now=datetime(2026, 5, 11, 6, 59, tzinfo=UTC), frozen=True))
    user.select(fence)
    at_section(user, _HOURS)
    state = user.window.form.hours.state
    user.until(lambda: state.text() == "Closed now: Mon 08:59, Europe/Ljubljana")
    user.until(lambda: user.window.model.openings.is_closed(fence.id))
    user.engine.set_clock(ClockChange(advance_s=60))
    user.until(lambda: state.text() == "Closed now: Mon 09:00, Europe/Ljubljana")
    assert user.window.model.openings.is_closed(fence.id)
    user.engine.set_clock(ClockChange(advance_s=60))
    user.until(lambda: state.text() == "Open now: Mon 09:01, Europe/Ljubljana")
    user.until(lambda: not user.window.model.openings.is_closed(fence.id))


def test_every_rule_is_stored_and_shown_again(user: User) -> None:
    one = user.given(1)
    user.select(one)
    at_section(user, _RULES)
    section = user.window.form.rules
    section.editors["stop_detection"].setFocus()
    QTest.keyClick(section.editors["stop_detection"], Qt.Key.Key_Down)
    user.until(lambda: rules(user).stop_detection is True)
    user.type(section.editors["dwell_threshold_s"], "7.5")
    user.type(section.editors["user_ids"], "anna, ben")
    user.type(section.editors["ip"], "10.0.*.*, 192.168.7.0/24")
    user.type(section.editors["disable_after"].line, "2030-12-31 18:00")
    user.type(section.editors["delete_after"].line, "2031-01-01")
    user.until(lambda: rules(user).delete_after == datetime(2030, 12, 31, 23, tzinfo=UTC))
    stored = rules(user)
    assert stored.dwell_threshold_s == 450.0
    assert stored.user_ids == ("anna", "ben")
    assert str(stored.ip) == "10.0.*.*,192.168.7.0/24"
    assert stored.disable_after == datetime(2030, 12, 31, 17, tzinfo=UTC)
    assert "Europe/Ljubljana" in section.zone.text()
    user.idle()
    user.window.model.selection.select_fence(None)
    user.select(one)
    assert section.editors["dwell_threshold_s"].text() == "7.5 min"
    assert section.editors["disable_after"].line.text() == "2030-12-31 18:00"
    assert section.editors["stop_detection"].currentText() == "on"
    assert user.window.form.switch.buttons[_RULES].text() == "Rules •"


def test_emptied_fields_set_nothing_any_more(user: User) -> None:
    fence = user.given()
    change = GeofenceChange(dwell_threshold_s=60.0, user_ids=("anna",), delete_after=datetime(2031, 1, 1, tzinfo=UTC))
    user.engine.geofences.update(TEST, fence.id, change)
    user.select(fence)
    at_section(user, _RULES)
    section = user.window.form.rules
    user.until(lambda: section.editors["user_ids"].text() == "anna")
    for field in (
        section.editors["user_ids"],
        section.editors["delete_after"].line,
        section.editors["dwell_threshold_s"],
    ):
        field.setFocus()
        line = field if not hasattr(field, "lineEdit") else field.lineEdit()
        line.selectAll()
        QTest.keyClick(line, Qt.Key.Key_Delete)
        QTest.keyClick(line, Qt.Key.Key_Return)
    user.until(lambda: rules(user) == GeofenceRules())
    user.until(lambda: section.editors["dwell_threshold_s"].number() is None)
    assert section.editors["dwell_threshold_s"].text() == "project default (none), event off"


def test_errors_of_rules_are_at_their_fields(user: User) -> None:
    user.select(user.given())
    at_section(user, _RULES)
    form, section = user.window.form, user.window.form.rules
    wrong = (
        ("ip", section.editors["ip"], "10.0.0", "IP: '10.0.0' is not an IP address"),
        ("disable_after", section.editors["disable_after"].line, "soon", "Disable after: 'soon' is not a date"),
        (
            "dwell_threshold_s",
            section.editors["dwell_threshold_s"],
            "0",
            "Dwell threshold: must be minutes greater than 0",
        ),
    )
    for param, field, text, message in wrong:
        user.type(field, text)
        error = form.field(param).error
        user.until(error.isVisible)
        assert error.text().startswith(message)
        user.idle()
    assert rules(user) == GeofenceRules()


def test_refused_text_stays_until_it_is_corrected_or_reverted(user: User) -> None:
    """A success in another field neither hides the error nor discards the typed text."""
    user.select(user.given())
    at_section(user, _RULES)
    form, section = user.window.form, user.window.form.rules
    user.type(section.editors["ip"], "10.0.0")
    user.until(form.field("ip").error.isVisible)
    user.type(section.editors["user_ids"], "anna")
    user.until(lambda: rules(user).user_ids == ("anna",))
    user.idle()
    user.type(section.editors["dwell_threshold_s"], "0")
    user.until(form.field("dwell_threshold_s").error.isVisible)
    assert section.editors["ip"].text() == "10.0.0"
    assert form.field("ip").error.isVisible()
    user.type(section.editors["ip"], "10.0.0.7")
    user.until(lambda: str(rules(user).ip) == "10.0.0.7")
    user.until(lambda: not form.field("ip").error.isVisible())
    user.idle()
    user.type(section.editors["ip"], "nowhere")
    user.until(form.field("ip").error.isVisible)
    QTest.keyClick(section.editors["ip"], Qt.Key.Key_Escape)
    assert section.editors["ip"].text() == "10.0.0.7"
    assert not form.field("ip").error.isVisible()


def test_a_week_without_a_span_is_closed_and_not_always_open(user: User) -> None:
    fence = user.given()
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(operating_hours=parse_hours({"Mon": NINE_TO_FIVE})))
    user.select(fence)
    at_section(user, _HOURS)
    user.until(lambda: len(day(user, 0).spans) == 1)
    user.click(day(user, 0).spans[0].remove)
    user.until(lambda: rules(user).operating_hours == OperatingHours(((),) * 7))
    user.idle()
    assert not user.window.form.hours.always.isChecked()
    user.until(lambda: user.window.form.hours.note.text() == "Closed every day.")
    user.until(lambda: user.window.form.hours.state.text().startswith("Closed now"))


def test_a_day_is_chosen_in_the_calendar(user: User) -> None:
    user.select(user.given())
    at_section(user, _RULES)
    moment = user.window.form.rules.editors["delete_after"]
    seen(user, moment)
    user.click(moment.open)
    user.until(moment.menu.isVisible)
    moment.calendar.setCurrentPage(2031, 5)
    moment.calendar.setSelectedDate(QDate(2031, 5, 20))
    view = moment.calendar.findChild(QAbstractItemView, "qt_calendar_calendarview")
    assert isinstance(view, QAbstractItemView)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.currentIndex()).center())
    user.until(lambda: rules(user).delete_after == datetime(2031, 5, 19, 22, tzinfo=UTC))
    assert moment.line.text() == "2031-05-20 00:00"


def test_the_project_is_named_if_it_is_followed(user: User) -> None:
    user.select(user.given())
    at_section(user, _RULES)
    section = user.window.form.rules
    assert section.editors["stop_detection"].currentText() == "project default (off)"
    user.engine.settings.change(
        TEST, SettingsChange(stop_detection=True, dwell_event=True, default_dwell_threshold_s=600.0)
    )
    user.until(lambda: section.editors["stop_detection"].currentText() == "project default (on)")
    assert section.editors["dwell_threshold_s"].text() == "project default (10 min)"


def test_rules_of_live_wait_for_apply(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    fence = user.given()
    user.select(fence)
    at_section(user, _HOURS)
    form = user.window.form
    user.click(form.hours.always)
    user.until(form.pending_bar.apply.isEnabled)
    at_section(user, _RULES)
    user.type(form.rules.editors["user_ids"], "anna")
    user.idle()
    assert user.engine.geofences.get(LIVE, fence.id) == fence
    user.click(form.pending_bar.apply)
    user.until(lambda: user.engine.geofences.get(LIVE, fence.id).rules.user_ids == ("anna",))
    stored = user.engine.geofences.get(LIVE, fence.id).rules.operating_hours
    assert stored is not None
    assert spell_hours(stored) == WORKING
    user.until(lambda: not form.pending_bar.apply.isEnabled())


def test_pending_changes_are_withdrawn_by_going_back(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    user.select(user.given())
    at_section(user, _HOURS)
    form = user.window.form
    for waits in (True, False):
        user.click(form.hours.always)
        user.until(lambda waits=waits: form.pending_bar.apply.isEnabled() is waits)  # type: ignore[misc]


def test_escape_takes_a_typed_time_back(user: User) -> None:
    with_week(user)
    line = day(user, 0).spans[0].opens
    user.type(line, "25:00")
    user.until(user.window.form.field("operating_hours").error.isVisible)
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert line.text() == "09:00"
    assert not user.window.form.field("operating_hours").error.isVisible()


def test_changes_by_others_reach_the_section_that_is_shown(user: User) -> None:
    fence = user.given()
    user.select(fence)
    at_section(user, _HOURS)
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(operating_hours=parse_hours({"Sat": NINE_TO_FIVE})))
    user.until(lambda: len(day(user, 5).spans) == 1)
    assert not user.window.form.hours.always.isChecked()
