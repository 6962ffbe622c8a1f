"""The project: its settings, the clock of Test, clearing, and the command palette."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QWidget

from app.desktop.dialogs.clear import ClearDialog
from app.desktop.dialogs.palette import CommandPalette
from app.desktop.dialogs.segments import SegmentEdit
from app.desktop.dialogs.settings import SettingsDialog
from app.desktop.panels.entries import CheckEntry, ChoiceEntry, NumberEntry, TextEntry
from app.desktop.panels.numbers import NumberBox
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.place import ChainSetting
from engine.domain.queries import EventQuery, UserQuery
from engine.domain.settings import DEFAULT_SETTINGS, Comparison, Condition, SegmentRule, SettingsChange
from engine.domain.tracking import LocationUpdate
from engine.geocoders import WORLD
from tests.desktop.window.user import User

TEST, LIVE = Environment.TEST, Environment.LIVE
LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
NOW = datetime(2026, 3, 27, 21, 40, tzinfo=UTC)
_PAGES = {"Events": 0, "Fraud": 1, "Segments": 2, "Data": 3, "Endpoint": 4}


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
    for param, name in (
        ("stopDetection", "stop_detection"),
        ("bufferEntries", "buffer_entries"),
        ("bufferExits", "buffer_exits"),
        ("operatingHoursRestriction", "operating_hours_restriction"),
        ("dwellEvent", "dwell_event"),
    ):
        user.click(editor(dialog, param))
        user.until(lambda name=name: getattr(user.engine.settings(TEST), name) is True)  # type: ignore[misc]
        user.idle()
    assert user.engine.settings(LIVE) == DEFAULT_SETTINGS


def test_numbers_have_units_and_may_be_unset(user: User) -> None:
    dialog = opened(user)
    dwell = editor(dialog, "defaultDwellThreshold")
    user.type(dwell, "12.5")
    user.until(lambda: user.engine.settings(TEST).default_dwell_threshold_s == 750.0)
    user.idle()
    assert isinstance(dwell, NumberBox)
    assert dwell.text() == "12.5 min"
    line = dwell.lineEdit()
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClick(line, Qt.Key.Key_Return)
    user.until(lambda: user.engine.settings(TEST).default_dwell_threshold_s is None)
    assert dwell.text() == "none"
    choice = editor(dialog, "minimumConfidence")
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    user.until(lambda: user.engine.settings(TEST).minimum_confidence == 2)


def test_fraud_data_and_endpoint_are_set(user: User) -> None:
    dialog = opened(user, "Fraud")
    user.click(editor(dialog, "fraud"))
    user.type(editor(dialog, "jumpedSpeed"), "150")
    user.type(editor(dialog, "sharingWindow"), "30")
    user.type(editor(dialog, "blocked"), "anna, tablet-9")
    user.type(editor(dialog, "proxyAddresses"), "10.0.*.*, 192.168.7.0/24")
    user.click(dialog.switch.buttons[_PAGES["Data"]])
    user.type(editor(dialog, "keptUpdates"), "500")
    user.click(dialog.switch.buttons[_PAGES["Endpoint"]])
    user.click(editor(dialog, "rateLimit"))
    user.type(editor(dialog, "trustedProxyHeader"), "X-Real-IP")
    user.until(lambda: user.engine.settings(TEST).trusted_proxy_header == "X-Real-IP")
    user.idle()
    stored = user.engine.settings(TEST)
    assert (stored.fraud, stored.jumped_speed_mps, stored.sharing_window_s) == (True, 150.0, 1800.0)
    assert stored.blocked == ("anna", "tablet-9")
    assert str(stored.proxy_addresses) == "10.0.*.*,192.168.7.0/24"
    assert (stored.kept_updates, stored.rate_limit) == (500, False)
    header = editor(dialog, "trustedProxyHeader")
    assert isinstance(header, QLineEdit)
    header.selectAll()
    QTest.keyClick(header, Qt.Key.Key_Delete)
    QTest.keyClick(header, Qt.Key.Key_Return)
    user.until(lambda: user.engine.settings(TEST).trusted_proxy_header is None)


def test_chains_are_named_as_people_write_them_and_unknown_ones_are_told(user: User) -> None:
    user.engine.change_settings(TEST, SettingsChange(chains=(ChainSetting("town-grill"), ChainSetting("mcdonalds"))))
    dialog = opened(user, "Data")
    line = editor(dialog, "placeChains")
    user.type(line, "TOWN GRILL, McDonald's, town-grill")
    user.until(lambda: user.engine.settings(TEST).place_chains == ("town-grill", "mcdonalds"))
    user.idle()
    assert isinstance(line, QLineEdit)
    assert line.text() == "town-grill, mcdonalds"
    user.type(line, "???")
    error = dialog.entry("placeChains").field.error
    user.until(error.isVisible)
    assert error.text().startswith("placeChains: must be slugs of chains")
    if (WORLD / "world.sqlite").is_file():
        user.type(line, "town-gril")
        user.until(lambda: "did you mean" in error.text() or "no chain" in error.text())
    user.idle()
    assert user.engine.settings(TEST).place_chains == ("town-grill", "mcdonalds")


def test_errors_are_at_the_setting_in_the_words_of_the_api(user: User) -> None:
    dialog = opened(user, "Fraud")
    for param, text, message in (
        ("jumpedSpeed", "0", "jumpedSpeed: must be greater than 0."),
        ("proxyAddresses", "10.0.0", "proxyAddresses: '10.0.0' is not an IP address"),
    ):
        user.type(editor(dialog, param), text)
        error = dialog.entry(param).field.error
        user.until(error.isVisible)
        assert error.text().startswith(message)
        user.idle()
    assert user.engine.settings(TEST) == DEFAULT_SETTINGS
    user.type(editor(dialog, "jumpedSpeed"), "20")
    user.until(lambda: user.engine.settings(TEST).jumped_speed_mps == 20.0)
    user.until(lambda: not dialog.entry("jumpedSpeed").field.error.isVisible())


def test_enter_closes_nothing(user: User) -> None:
    dialog = opened(user, "Endpoint")
    user.type(editor(dialog, "trustedProxyHeader"), "X-Real-IP")
    user.idle()
    assert dialog.isVisible()


def test_settings_changed_elsewhere_appear(user: User) -> None:
    dialog = opened(user)
    check = editor(dialog, "bufferExits")
    assert isinstance(check, QCheckBox)
    user.engine.change_settings(TEST, SettingsChange(buffer_exits=True))
    user.until(check.isChecked)


def segments(dialog: SettingsDialog) -> SegmentEdit:
    found = dialog.entry("segments").field.editor
    assert isinstance(found, SegmentEdit)
    return found


def stored_segments(user: User) -> tuple[SegmentRule, ...]:
    return user.engine.settings(TEST).segments


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


def test_a_segment_that_is_refused_says_why(user: User) -> None:
    user.engine.change_settings(
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
    assert error.text().startswith("segments: 'shoeSize' is not one of userId, deviceId")
    assert stored_segments(user)[0].conditions[0].field == "stopped"


def test_settings_of_live_wait_for_apply_and_are_not_lost_silently(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    dialog = opened(user)
    user.click(editor(dialog, "stopDetection"))
    user.type(editor(dialog, "defaultDwellThreshold"), "5")
    user.until(dialog.apply_button.isVisible)
    user.idle()
    assert user.engine.settings(LIVE) == DEFAULT_SETTINGS
    user.click(dialog.apply_button)
    user.until(lambda: user.engine.settings(LIVE).stop_detection)
    assert user.engine.settings(LIVE).default_dwell_threshold_s == 300.0
    user.until(lambda: not dialog.apply_button.isVisible())
    user.click(editor(dialog, "bufferEntries"))
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert "were not applied to Live" in user.window.message.text.text()
    user.click(user.window.message.button)
    user.until(lambda: user.engine.settings(LIVE).buffer_entries)
    assert user.engine.settings(TEST) == DEFAULT_SETTINGS


def clock_menu(user: User, text: str) -> None:
    """Choose in the menu of the clock; the window waits in it until something is chosen."""
    menu = user.window.clock.menu

    def choose() -> None:
        action = next(each for each in menu.actions() if each.text() == text)
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
    for text, ahead in (("Move on 1 hour", timedelta(hours=1)), ("Move on 1 day", timedelta(days=1, hours=1))):
        clock_menu(user, text)
        user.until(lambda ahead=ahead: user.engine.test_clock.now() == NOW + ahead)  # type: ignore[misc]
    user.until(lambda: button.text() == "2026-03-28 22:40:00 UTC · frozen")
    user.select(user.given())
    user.until(lambda: button.text() == "2026-03-28 23:40:00 CET · frozen")
    clock_menu(user, "Back to the system's time")
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
    QTest.mouseClick(_button(dialog, "Move on"), LEFT)
    user.until(lambda: user.engine.test_clock.now() == datetime(2026, 3, 29, 3, 0, tzinfo=UTC))
    user.type(dialog.scale, "60")
    QTest.mouseClick(_button(dialog, "Set", 1), LEFT)
    user.until(lambda: user.engine.test_clock.state().scale == 60.0)
    user.type(dialog.now, "soon")
    error = dialog._fields["now"].error
    user.until(error.isVisible)
    assert error.text().startswith("now: 'soon' is not a date")
    user.type(dialog.now, "1900-01-01")
    user.until(lambda: error.text() == "now: must be between 1971 and 2200.")
    QTest.mouseClick(dialog.back, LEFT)
    user.until(lambda: user.engine.test_clock.state().system)


def _button(dialog: QWidget, text: str, number: int = 0) -> QWidget:
    from PySide6.QtWidgets import QPushButton

    found = [each for each in dialog.findChildren(QPushButton) if each.text() == text]
    return found[number]


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
    user.engine.update_geofence(TEST, fence.id, GeofenceChange(disable_after=NOW + timedelta(minutes=30)))
    user.select(fence)
    assert user.window.form.basics.enabled.isChecked()
    user.window.clock.change(ClockChange(advance_s=3600.0))
    user.until(lambda: not user.window.form.basics.enabled.isChecked())


def with_data(user: User) -> None:
    user.given()
    for device in ("phone-1", "phone-2"):
        user.engine.track(TEST, LocationUpdate(device, Point(14.5, 46.05), 10.0))
    user.until(lambda: len(user.window.desk.events) == 2 and len(user.window.desk.users) == 2)


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
    assert user.engine.counts(TEST).events == 2
    dialog = clearing(user)
    user.click(dialog.geofences)
    QTest.mouseClick(dialog.clear, LEFT)
    user.until(lambda: user.engine.counts(TEST).geofences == 0)
    user.until(lambda: len(user.window.desk.events) == 0 and len(user.window.desk.users) == 0)
    user.until(lambda: len(user.window.desk.fences) == 0)
    user.until(lambda: user.window.message.text.text().startswith("Deleted 2 users, 2 events, 2 updates, 1 geofence"))


def test_one_device_is_cleared_and_the_others_stay(user: User) -> None:
    with_data(user)
    user.window.docks.bring(user.window.docks.user)
    phone = next(each for each in user.window.desk.users.all() if each.device_id == "phone-2")
    user.window.reasons.explain_user(phone.summary)
    user.until(lambda: user.window.user.user is not None)
    user.click(user.window.user.clear)
    user.until(lambda: isinstance(QApplication.activeModalWidget(), ClearDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ClearDialog)
    assert dialog.one.isChecked()
    assert dialog.device.currentText() == "phone-2"
    assert not dialog.geofences.isEnabled()
    QTest.mouseClick(dialog.clear, LEFT)
    user.until(lambda: len(user.window.desk.events) == 1 and len(user.window.desk.users) == 1)
    assert [each.device_id for each in user.engine.users(TEST, UserQuery()).items] == ["phone-1"]
    assert user.engine.events(TEST, EventQuery()).items[0].user.device_id == "phone-1"
    user.until(lambda: user.window.user.user is None)
    assert user.stored() != []


def test_a_command_is_found_by_its_words(user: User) -> None:
    user.press(Qt.Key.Key_K, CTRL)
    user.until(lambda: isinstance(QApplication.activeModalWidget(), CommandPalette))
    palette = QApplication.activeModalWidget()
    assert isinstance(palette, CommandPalette)
    everything = palette.list.topLevelItemCount()
    QTest.keyClicks(palette.search, "draw")
    assert 1 < palette.list.topLevelItemCount() < everything
    QTest.keyClick(palette.search, Qt.Key.Key_Down)
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    user.until(user.window.actions_.polygon.isChecked)
