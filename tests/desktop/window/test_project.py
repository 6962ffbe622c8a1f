"""The project: its settings, the Test clock, clearing, and the command palette."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QWidget

from app.desktop.dialogs.clear import ClearDialog
from app.desktop.dialogs.palette import CommandPalette
from app.desktop.dialogs.segments import SegmentEdit
from app.desktop.dialogs.settings import SettingsDialog
from app.desktop.panels.fields.entries import CheckEntry, ChoiceEntry, NumberEntry, TextEntry
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.widgets import EmptyState
from engine.domain.addresses.place import ChainSetting
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.queries import EventQuery, UserQuery
from engine.domain.settings import DEFAULT_SETTINGS, Comparison, Condition, RehearsedError, SegmentRule, SettingsChange
from engine.domain.tracking.updates import LocationUpdate
from engine.geocoding.geocoding import WORLD
from tests.desktop.window.user import User, unmarked

pytestmark = pytest.mark.parts(
    "availability",
    "clock",
    "commands",
    "events",
    "fences",
    "list",
    "many",
    "project",
    "reasons",
    "selection",
    "time",
    "tools",
)

TEST, LIVE = Environment.TEST, Environment.LIVE
LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
NOW = datetime(2026, 3, 27, 21, 40, tzinfo=UTC)
_PAGES = {"Events": 0, "Fraud": 1, "Segments": 2, "Data": 3, "Endpoint": 4, "Test errors": 5}


def opened(user: User, page: str = "Events") -> SettingsDialog:
    user.window.actions_.settings.trigger()
    dialog = user.window.project.dialog
    user.until(dialog.isVisible)
    user.click(dialog.switch.buttons[_PAGES[page]])
    return dialog


def editor(dialog: SettingsDialog, param: str) -> QWidget:
    entry = dialog.entry(param)
    assert isinstance(entry, CheckEntry | ChoiceEntry | NumberEntry | TextEntry)
    found = entry.editor
    assert isinstance(found, QCheckBox | QComboBox | QLineEdit | NumberBox)
    return found


def test_switches_of_test_act_at_once(user: User) -> None:
    dialog = opened(user)
    for name in ("stop_detection", "buffer_entries", "buffer_exits", "operating_hours_restriction", "dwell_event"):
        user.click(editor(dialog, name))
        user.until(lambda name=name: getattr(user.engine.settings.get(TEST), name) is True)  # type: ignore[misc]
        user.idle()
    assert user.engine.settings.get(LIVE) == DEFAULT_SETTINGS


def test_numbers_have_units_and_may_be_unset(user: User) -> None:
    dialog = opened(user)
    dwell = editor(dialog, "default_dwell_threshold_s")
    user.type(dwell, "12.5")
    user.until(lambda: user.engine.settings.get(TEST).default_dwell_threshold_s == 750.0)
    user.idle()
    assert isinstance(dwell, NumberBox)
    assert dwell.text() == "12.5 min"
    line = dwell.lineEdit()
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClick(line, Qt.Key.Key_Return)
    user.until(lambda: user.engine.settings.get(TEST).default_dwell_threshold_s is None)
    assert dwell.text() == "none"
    choice = editor(dialog, "minimum_confidence")
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    user.until(lambda: user.engine.settings.get(TEST).minimum_confidence == 2)


def test_warnings_of_the_checks_of_settings_are_shown_below_them(user: User) -> None:
    dialog = opened(user)
    assert not dialog.warning.isVisible()
    choice = editor(dialog, "minimum_confidence")
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    user.until(dialog.warning.isVisible)
    assert dialog.warning.text().startswith("The minimum confidence of 2 does not prevent exits on coarse fixes")
    user.click(editor(dialog, "buffer_exits"))
    user.until(lambda: not dialog.warning.isVisible())


def test_fraud_data_and_endpoint_are_set(user: User) -> None:
    dialog = opened(user, "Fraud")
    user.click(editor(dialog, "fraud"))
    user.type(editor(dialog, "jumped_speed_mps"), "150")
    user.type(editor(dialog, "sharing_window_s"), "30")
    user.type(editor(dialog, "blocked"), "anna, tablet-9")
    user.type(editor(dialog, "proxy_addresses"), "10.0.*.*, 192.168.7.0/24")
    user.click(dialog.switch.buttons[_PAGES["Data"]])
    user.type(editor(dialog, "kept_updates"), "500")
    user.click(dialog.switch.buttons[_PAGES["Endpoint"]])
    user.click(editor(dialog, "rate_limit"))
    user.type(editor(dialog, "trusted_proxy_header"), "X-Real-IP")
    user.until(lambda: user.engine.settings.get(TEST).trusted_proxy_header == "X-Real-IP")
    user.idle()
    stored = user.engine.settings.get(TEST)
    assert (stored.fraud, stored.jumped_speed_mps, stored.sharing_window_s) == (True, 150.0, 1800.0)
    assert stored.blocked == ("anna", "tablet-9")
    assert str(stored.proxy_addresses) == "10.0.*.*,192.168.7.0/24"
    assert (stored.kept_updates, stored.rate_limit) == (500, False)
    header = editor(dialog, "trusted_proxy_header")
    assert isinstance(header, QLineEdit)
    header.selectAll()
    QTest.keyClick(header, Qt.Key.Key_Delete)
    QTest.keyClick(header, Qt.Key.Key_Return)
    user.until(lambda: user.engine.settings.get(TEST).trusted_proxy_header is None)


def test_errors_are_rehearsed(user: User) -> None:
    dialog = opened(user, "Test errors")
    choice = editor(dialog, "rehearsed_error")
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    user.until(lambda: user.engine.settings.get(TEST).rehearsed_error is RehearsedError.ORGANIZATION_DISABLED)
    user.idle()
    user.type(editor(dialog, "hourly_limit"), "0")
    user.type(editor(dialog, "blocked_countries"), "cu, kp")
    user.until(lambda: user.engine.settings.get(TEST).blocked_countries == ("CU", "KP"))
    user.idle()
    stored = user.engine.settings.get(TEST)
    assert (stored.hourly_limit, stored.daily_limit) == (0, None)
    user.type(editor(dialog, "blocked_countries"), "Cuba")
    error = dialog.entry("blocked_countries").field.error
    user.until(error.isVisible)
    assert "two-letter codes" in error.text()
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Up)
    user.until(lambda: user.engine.settings.get(TEST).rehearsed_error is None)


def test_chains_are_named_in_user_spelling_and_unknown_ones_are_reported(user: User) -> None:
    user.engine.settings.change(TEST, SettingsChange(chains=(ChainSetting("town-grill"), ChainSetting("mcdonalds"))))
    dialog = opened(user, "Data")
    line = editor(dialog, "place_chains")
    user.type(line, "TOWN GRILL, McDonald's, town-grill")
    user.until(lambda: user.engine.settings.get(TEST).place_chains == ("town-grill", "mcdonalds"))
    user.idle()
    assert isinstance(line, QLineEdit)
    assert line.text() == "town-grill, mcdonalds"
    user.type(line, "???")
    error = dialog.entry("place_chains").field.error
    user.until(error.isVisible)
    assert error.text().startswith("Place chains: must be slugs of chains")
    if (WORLD / "world.sqlite").is_file():
        user.type(line, "town-gril")
        user.until(lambda: "did you mean" in error.text() or "unknown chain" in error.text())
    user.idle()
    assert user.engine.settings.get(TEST).place_chains == ("town-grill", "mcdonalds")


def test_errors_are_at_the_setting_in_the_words_of_the_engine(user: User) -> None:
    dialog = opened(user, "Fraud")
    for param, text, message in (
        ("jumped_speed_mps", "0", "Jumped speed: must be greater than 0."),
        ("proxy_addresses", "10.0.0", "Proxy addresses: '10.0.0' is not an IP address"),
    ):
        user.type(editor(dialog, param), text)
        error = dialog.entry(param).field.error
        user.until(error.isVisible)
        assert error.text().startswith(message)
        user.idle()
    assert user.engine.settings.get(TEST) == DEFAULT_SETTINGS
    user.type(editor(dialog, "jumped_speed_mps"), "20")
    user.until(lambda: user.engine.settings.get(TEST).jumped_speed_mps == 20.0)
    user.until(lambda: not dialog.entry("jumped_speed_mps").field.error.isVisible())


def test_a_number_too_small_for_its_field_is_shown_as_it_is_and_stays(user: User) -> None:
    small = SettingsChange(jumped_speed_mps=1e-300, sharing_window_s=0.006)
    user.engine.settings.change(TEST, small)
    dialog = opened(user, "Fraud")
    speed, window = editor(dialog, "jumped_speed_mps"), editor(dialog, "sharing_window_s")
    assert isinstance(speed, NumberBox)
    assert isinstance(window, NumberBox)
    user.until(lambda: speed.text() == "1e-300 m/s")
    assert window.text() == "0.0001 min"
    for field in (speed, window):
        user.click(field)
        QTest.keyClick(field, Qt.Key.Key_End)
        QTest.keyClick(field, Qt.Key.Key_Return)
        QTest.keyClick(field, Qt.Key.Key_Tab)
    user.idle()
    assert (speed.text(), window.text()) == ("1e-300 m/s", "0.0001 min")
    stored = user.engine.settings.get(TEST)
    assert (stored.jumped_speed_mps, stored.sharing_window_s) == (1e-300, 0.006)
    user.type(speed, "20")
    user.until(lambda: user.engine.settings.get(TEST).jumped_speed_mps == 20.0)
    assert speed.text() == "20 m/s"


def test_enter_closes_nothing(user: User) -> None:
    dialog = opened(user, "Endpoint")
    user.type(editor(dialog, "trusted_proxy_header"), "X-Real-IP")
    user.idle()
    assert dialog.isVisible()


def test_settings_changed_elsewhere_appear(user: User) -> None:
    dialog = opened(user)
    check = editor(dialog, "buffer_exits")
    assert isinstance(check, QCheckBox)
    user.engine.settings.change(TEST, SettingsChange(buffer_exits=True))
    user.until(check.isChecked)


def segments(dialog: SettingsDialog) -> SegmentEdit:
    found = dialog.entry("segments").field.editor
    assert isinstance(found, SegmentEdit)
    return found


def stored_segments(user: User) -> tuple[SegmentRule, ...]:
    return user.engine.settings.get(TEST).segments


def test_segments_are_made_of_rows(user: User) -> None:
    dialog = opened(user, "Segments")
    edit = segments(dialog)
    user.click(edit.add)
    user.until(lambda: len(stored_segments(user)) == 1)
    user.idle()
    user.type(edit.description, "Gold customers")
    user.type(edit.external_id, "gold")
    user.until(lambda: stored_segments(user)[0].external_id == "gold")
    user.idle()
    user.click(edit.add_condition)
    user.until(lambda: len(stored_segments(user)[0].conditions) == 2)
    user.idle()
    table = edit.conditions
    comparison, field = table.cellWidget(1, 1), table.cellWidget(1, 0)
    assert isinstance(field, QComboBox)
    assert isinstance(comparison, QComboBox)
    user.type(field, "metadata.plan")
    user.until(lambda: stored_segments(user)[0].conditions[1].field == "metadata.plan")
    comparison.setFocus()
    QTest.keyClick(comparison, Qt.Key.Key_Home)
    user.until(lambda: stored_segments(user)[0].conditions[1].comparison is Comparison.EQUALS)
    item = table.item(1, 2)
    assert item is not None
    table.setCurrentItem(item)
    table.editItem(item)
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClicks(focus, "gold")
    QTest.keyClick(focus, Qt.Key.Key_Return)
    expected = SegmentRule(
        "Gold customers",
        "gold",
        (Condition("userId", Comparison.EXISTS), Condition("metadata.plan", Comparison.EQUALS, "gold")),
    )
    user.until(lambda: stored_segments(user) == (expected,))
    assert edit.list.item(0).text() == "Gold customers"
    user.click(edit.remove)
    user.until(lambda: stored_segments(user) == ())
    user.until(lambda: not edit.description.isVisible())


def test_a_refused_segment_shows_the_reason(user: User) -> None:
    user.engine.settings.change(
        TEST, SettingsChange(segments=(SegmentRule("A", "a", (Condition("stopped", Comparison.EQUALS, True),)),))
    )
    dialog = opened(user, "Segments")
    table = segments(dialog).conditions
    user.until(lambda: table.rowCount() == 1)
    field = table.cellWidget(0, 0)
    assert isinstance(field, QComboBox)
    user.type(field, "shoeSize")
    error = dialog.entry("segments").field.error
    user.until(error.isVisible)
    assert error.text().startswith("Segments: 'shoeSize' is not one of userId, deviceId")
    assert stored_segments(user)[0].conditions[0].field == "stopped"


@pytest.mark.whole_window
def test_settings_of_live_wait_until_they_are_applied(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    dialog = opened(user)
    user.click(editor(dialog, "stop_detection"))
    user.type(editor(dialog, "default_dwell_threshold_s"), "5")
    user.until(dialog.pending_bar.apply.isEnabled)
    user.idle()
    assert user.engine.settings.get(LIVE) == DEFAULT_SETTINGS
    user.click(dialog.pending_bar.apply)
    user.until(lambda: user.engine.settings.get(LIVE).stop_detection)
    assert user.engine.settings.get(LIVE).default_dwell_threshold_s == 300.0
    user.until(lambda: not dialog.pending_bar.apply.isEnabled())
    assert user.engine.settings.get(TEST) == DEFAULT_SETTINGS


def clock_menu(user: User, text: str) -> None:
    """Choose an entry in the clock's menu, which blocks the window until an entry is chosen."""
    menu = user.window.clock.menu

    def choose() -> None:
        action = next(each for each in menu.actions() if unmarked(each.text()) == text)
        QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())

    menu.aboutToShow.connect(lambda: QTimer.singleShot(0, choose), Qt.ConnectionType.SingleShotConnection)
    user.click(user.window.status.clock)
    user.idle()


def test_the_test_clock_is_frozen_moved_on_and_given_back(user: User) -> None:
    button = user.window.status.clock
    user.until(button.isVisible)
    assert button.text() == ""
    user.engine.set_clock(ClockChange(now=NOW, frozen=True))
    user.until(lambda: button.text() == "2026-03-27 21:40:00 UTC · frozen")
    for text, ahead in (("Advance 1 hour", timedelta(hours=1)), ("Advance 1 day", timedelta(days=1, hours=1))):
        clock_menu(user, text)
        user.until(lambda ahead=ahead: user.engine.test_clock.now() == NOW + ahead)  # type: ignore[misc]
    user.until(lambda: button.text() == "2026-03-28 22:40:00 UTC · frozen")
    user.select(user.given())
    user.until(lambda: button.text() == "2026-03-28 23:40:00 CET · frozen")
    clock_menu(user, "Reset to system time")
    user.until(lambda: user.engine.test_clock.state().system)
    user.until(lambda: button.text() == "")


def test_the_clock_is_set_and_scaled_in_its_dialog(user: User) -> None:
    user.window.actions_.clock.trigger()
    dialog = user.window.clock.dialog
    user.until(dialog.isVisible)
    user.click(dialog.frozen)
    user.until(lambda: user.engine.test_clock.state().frozen)
    user.type(dialog.now, "2026-03-29 01:30")
    user.until(lambda: user.engine.test_clock.now() == datetime(2026, 3, 29, 1, 30, tzinfo=UTC))
    user.type(dialog.amount, "90")
    QTest.mouseClick(_button(dialog, "Advance"), LEFT)
    user.until(lambda: user.engine.test_clock.now() == datetime(2026, 3, 29, 3, 0, tzinfo=UTC))
    user.type(dialog.scale, "60")
    QTest.mouseClick(_button(dialog, "Set", 1), LEFT)
    user.until(lambda: user.engine.test_clock.state().scale == 60.0)
    user.type(dialog.now, "soon")
    error = dialog._fields["now"].error
    user.until(error.isVisible)
    assert error.text().startswith("Now: 'soon' is not a date")
    user.type(dialog.now, "1900-01-01")
    user.until(lambda: error.text() == "Now: must be between 1971 and 2200.")
    QTest.mouseClick(dialog.back, LEFT)
    user.until(lambda: user.engine.test_clock.state().system)


def _button(dialog: QWidget, text: str, number: int = 0) -> QWidget:
    from PySide6.QtWidgets import QPushButton

    found = [each for each in dialog.findChildren(QPushButton) if each.text() == text]
    return found[number]


def test_the_clock_is_in_the_zone_in_which_events_are_shown(user: User) -> None:
    """The two geofences are far apart. A date is in the time zone that is named next to it."""
    near, far = user.given(1), user.given(2, "far", longitude=115.86)
    user.engine.set_clock(ClockChange(now=NOW, frozen=True))
    button, dialog = user.window.status.clock, user.window.clock.dialog
    user.until(lambda: button.text() == "2026-03-27 22:40:00 CET · frozen")
    for longitude, zone in ((115.86, "UTC+08"), (14.5, "CET")):
        user.engine.tracking.track(TEST, LocationUpdate(f"phone-{zone}", Point(longitude, 46.05), 10.0))
        user.until(lambda zone=zone: zone in button.text())  # type: ignore[misc]
        newest = user.window.events.model.index(0, 0).data()
        assert newest.endswith(zone)
        assert newest.split()[-2] in button.text()
    user.select(far)
    user.until(lambda: "UTC+08" in button.text())
    user.window.actions_.clock.trigger()
    user.until(lambda: "Dates are in Asia/Ulaanbaatar." in dialog.note.text())
    dialog.now.setFocus()
    dialog.now.selectAll()
    QTest.keyClicks(dialog.now, "2026-03-28 12:00")
    # Another geofence is selected before Enter.
    user.window.model.selection.select_fence(near.id)
    user.window.time.look()
    assert "Dates are in Asia/Ulaanbaatar." in dialog.note.text()
    QTest.keyClick(dialog.now, Qt.Key.Key_Return)
    user.until(lambda: user.engine.test_clock.now() == datetime(2026, 3, 28, 4, 0, tzinfo=UTC))
    dialog.close()


def test_live_has_no_clock_of_its_own_and_nothing_to_clear(user: User) -> None:
    user.window.actions_.clock.trigger()
    user.until(user.window.clock.dialog.isVisible)
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: not user.window.status.clock.isVisible())
    assert not user.window.clock.dialog.isVisible()
    assert not any(action.isEnabled() for action in user.window.actions_.of_test())
    user.click(user.window.toolbar.environments.test)
    user.until(user.window.status.clock.isVisible)
    assert all(action.isEnabled() for action in user.window.actions_.of_test())


def test_a_fence_that_expires_by_the_clock_is_disabled_in_the_window(user: User) -> None:
    from engine.domain.geofence import GeofenceChange

    fence = user.given()
    user.engine.set_clock(ClockChange(now=NOW, frozen=True))
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(disable_after=NOW + timedelta(minutes=30)))
    user.select(fence)
    assert user.window.form.basics.enabled.isChecked()
    user.window.clock.change(ClockChange(advance_s=3600.0))
    user.until(lambda: not user.window.form.basics.enabled.isChecked())


def with_data(user: User) -> None:
    user.given()
    for device in ("phone-1", "phone-2"):
        user.engine.tracking.track(TEST, LocationUpdate(device, Point(14.5, 46.05), 10.0))
    user.until(lambda: len(user.window.model.events) == 2 and len(user.window.model.users) == 2)


def clearing(user: User) -> ClearDialog:
    user.window.actions_.clear.trigger()
    user.until(lambda: isinstance(QApplication.activeModalWidget(), ClearDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ClearDialog)
    return dialog


def test_all_of_test_is_cleared_after_a_question(user: User) -> None:
    with_data(user)
    dialog = clearing(user)
    QTest.mouseClick(dialog.cancel, LEFT)
    user.idle()
    assert user.engine.history.counts(TEST).events == 2
    dialog = clearing(user)
    assert not dialog.beacons.isChecked()
    user.click(dialog.geofences)
    QTest.mouseClick(dialog.clear, LEFT)
    user.until(lambda: user.engine.history.counts(TEST).geofences == 0)
    user.until(lambda: len(user.window.model.events) == 0 and len(user.window.model.users) == 0)
    user.until(lambda: len(user.window.model.fences) == 0)
    user.until(lambda: user.window.message.text.text().startswith("Deleted 2 users, 2 events, 2 updates, 1 geofence"))


def test_one_device_is_cleared_and_the_others_stay(user: User) -> None:
    with_data(user)
    user.window.docks.bring(user.window.docks.user)
    phone = next(each for each in user.window.model.users.all() if each.device_id == "phone-2")
    user.window.reasons.explain_user(phone.summary)
    user.until(lambda: user.window.user.user is not None)
    user.click(user.window.user.clear)
    user.until(lambda: isinstance(QApplication.activeModalWidget(), ClearDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ClearDialog)
    assert dialog.one.isChecked()
    assert dialog.device.currentText() == "phone-2"
    assert not dialog.geofences.isEnabled()
    assert not dialog.beacons.isEnabled()
    QTest.mouseClick(dialog.clear, LEFT)
    user.until(lambda: len(user.window.model.events) == 1 and len(user.window.model.users) == 1)
    assert [each.device_id for each in user.engine.users.page(TEST, UserQuery()).items] == ["phone-1"]
    assert user.engine.history.page(TEST, EventQuery()).items[0].user.device_id == "phone-1"
    user.until(lambda: user.window.user.user is None)
    assert user.stored() != []


def palette_of(user: User) -> CommandPalette:
    user.press(Qt.Key.Key_K, CTRL)
    user.until(lambda: isinstance(QApplication.activeModalWidget(), CommandPalette))
    palette = QApplication.activeModalWidget()
    assert isinstance(palette, CommandPalette)
    return palette


def commands(palette: CommandPalette, words: str) -> list[str]:
    """Return the commands that are listed for a text."""
    palette.search.clear()
    QTest.keyClicks(palette.search, words)
    items = (palette.list.topLevelItem(row) for row in range(palette.list.topLevelItemCount()))
    return [item.text(0) for item in items if item is not None]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("theme", ["Light", "Dark", "Follow system"]),
        ("dark theme", ["Dark"]),
        ("segments", ["Segments"]),
        ("rotate test", ["Rotate Test publishable key", "Rotate Test secret key"]),
        ("copy live secret", ["Copy Live secret key"]),
        ("filter", ["Filter geofences", "Geofence table"]),
        ("export", ["Export", "Export map", "Save a copy"]),
    ],
)
def test_a_command_is_found_by_other_words_for_it(user: User, words: str, found: list[str]) -> None:
    palette = palette_of(user)
    assert commands(palette, words) == found
    palette.close()


@pytest.mark.whole_window
def test_the_filter_the_segments_and_the_keys_are_reached_by_command(user: User) -> None:
    user.given()
    for words in ("filter", "segments"):
        palette = palette_of(user)
        commands(palette, words)
        QTest.keyClick(palette.search, Qt.Key.Key_Return)
        user.until(lambda: QApplication.activeModalWidget() is None)
        if words == "filter":
            user.until(user.window.list.words.hasFocus)
    dialog = user.window.project.dialog
    user.until(dialog.isVisible)
    editor = dialog.findChild(SegmentEdit)
    assert isinstance(editor, SegmentEdit)
    user.until(editor.isVisible)
    explained = [each.text.text() for each in editor.findChildren(EmptyState) if each.isVisible()]
    assert len(explained) == 1
    assert explained[0].startswith("A segment is a group of users")
    editor.add.click()
    assert not any(each.isVisible() for each in editor.findChildren(EmptyState))
    dialog.close()
    palette = palette_of(user)
    commands(palette, "rotate live secret")
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    box = user.box()
    assert "Live secret" in box.text()
    box.reject()


def test_a_command_is_found_by_its_words(user: User) -> None:
    palette = palette_of(user)
    everything = palette.list.topLevelItemCount()
    QTest.keyClicks(palette.search, "draw")
    assert 1 < palette.list.topLevelItemCount() < everything
    (circle,) = palette.list.findItems("Circle", Qt.MatchFlag.MatchExactly)
    for _ in range(palette.list.indexOfTopLevelItem(circle)):
        QTest.keyClick(palette.search, Qt.Key.Key_Down)
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    user.until(user.window.actions_.circle.isChecked)
