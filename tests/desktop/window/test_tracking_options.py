"""Tracking options in the project settings: a preset for each state of the user, and the table of options."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QWidget

from app.desktop.dialogs.settings import SettingsDialog
from app.desktop.dialogs.tracking_options import OptionsTable, TrackingEntry
from app.desktop.panels.fields.numbers import NumberBox
from engine.domain.environment import Environment
from engine.domain.settings import ProjectSettings, SettingsChange
from engine.domain.tracking.sdk import TrackingOptions, TrackingPreset
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("project")

TEST, LIVE = Environment.TEST, Environment.LIVE
EFFICIENT = TrackingOptions(TrackingPreset.EFFICIENT)
CONTINUOUS = TrackingOptions(TrackingPreset.CONTINUOUS)
DEFAULT, ON_TRIP, IN_GEOFENCE = 1, 2, 3
"""Columns of the table."""


def opened(user: User) -> tuple[SettingsDialog, OptionsTable]:
    user.window.project.open("tracking_options")
    dialog = user.window.project.dialog
    user.until(dialog.isVisible)
    found = dialog.findChild(OptionsTable)
    assert isinstance(found, OptionsTable)
    return dialog, found


def settings(user: User, environment: Environment = TEST) -> ProjectSettings:
    return user.engine.settings.get(environment)


def choose(dialog: SettingsDialog, name: str, preset: str) -> None:
    entry = dialog.entry(name)
    assert isinstance(entry, TrackingEntry)
    index = entry.box.findText(preset)
    entry.box.setCurrentIndex(index)
    entry.box.activated.emit(index)


def cell(table: OptionsTable, option: str, column: int) -> QModelIndex:
    rows = [table.model.index(row, 0).data() for row in range(table.model.rowCount())]
    return table.model.index(rows.index(option), column)


def edit(table: OptionsTable, index: QModelIndex) -> QWidget:
    """Open the editor of a cell by its key."""
    table.view.setFocus()
    table.view.setCurrentIndex(index)
    table.view.edit(index)
    found = [each for each in table.view.viewport().findChildren(QWidget) if isinstance(each, QComboBox | NumberBox)]
    assert len(found) == 1
    return found[0]


def test_a_preset_is_chosen_for_each_state(user: User) -> None:
    dialog, table = opened(user)
    assert cell(table, "sync", IN_GEOFENCE).data() == "–"
    choose(dialog, "tracking_options", "Efficient")
    choose(dialog, "in_geofence_tracking_options", "Continuous")
    user.type(dialog.entry("in_geofence_tracking_tags").field.editor, "store, depot")
    user.until(lambda: settings(user).in_geofence_tracking_tags == ("store", "depot"))
    user.idle()
    stored = settings(user)
    assert (stored.tracking_options, stored.on_trip_tracking_options) == (EFFICIENT, None)
    assert stored.in_geofence_tracking_options == CONTINUOUS
    assert cell(table, "desiredSyncInterval", IN_GEOFENCE).data() == "20 s"
    choose(dialog, "tracking_options", "The app's own")
    user.until(lambda: settings(user).tracking_options is None)
    assert cell(table, "sync", DEFAULT).data() == "–"


def test_the_table_has_the_options_and_values_of_a_platform(user: User) -> None:
    user.engine.settings.change(TEST, SettingsChange(tracking_options=EFFICIENT))
    _, table = opened(user)
    user.until(lambda: cell(table, "desiredStoppedUpdateInterval", DEFAULT).data() == "3600 s")
    names = [table.model.index(row, 0).data() for row in range(table.model.rowCount())]
    assert "foregroundServiceEnabled" in names
    assert "showBlueBar" not in names
    table.platform.setCurrentText("iOS")
    assert cell(table, "desiredStoppedUpdateInterval", DEFAULT).data() == "0 s"
    names = [table.model.index(row, 0).data() for row in range(table.model.rowCount())]
    assert "foregroundServiceEnabled" not in names
    assert "showBlueBar" in names


def test_an_option_is_changed_and_reset(user: User) -> None:
    user.engine.settings.change(TEST, SettingsChange(on_trip_tracking_options=EFFICIENT))
    _, table = opened(user)
    index = cell(table, "desiredSyncInterval", ON_TRIP)
    user.until(lambda: index.data() == "140 s")
    number = edit(table, index)
    assert isinstance(number, NumberBox)
    number.selectAll()
    QTest.keyClicks(number, "60")
    # What others change meanwhile does not replace what is being typed.
    user.engine.settings.change(TEST, SettingsChange(tracking_options=CONTINUOUS))
    user.until(lambda: cell(table, "desiredSyncInterval", DEFAULT).data() == "20 s")
    QTest.keyClick(number, Qt.Key.Key_Return)
    changed = EFFICIENT.with_option("sync_interval_s", 60)
    user.until(lambda: settings(user).on_trip_tracking_options == changed)
    user.idle()
    assert index.data() == "60 s"
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "Value of the preset: 140 s"
    font = index.data(Qt.ItemDataRole.FontRole)
    assert isinstance(font, QFont)
    assert font.bold()
    user.click(table.reset)
    user.until(lambda: settings(user).on_trip_tracking_options == EFFICIENT)
    assert index.data(Qt.ItemDataRole.FontRole) is None
    assert not table.reset.isEnabled()


@pytest.mark.parametrize(
    ("text", "refusal"),
    [("604801", "must be at most 604800."), ("soon", "must be a number"), ("1.5", "whole"), ("", "must be a number")],
)
def test_an_invalid_number_stays_open_with_its_error(user: User, text: str, refusal: str) -> None:
    user.engine.settings.change(TEST, SettingsChange(on_trip_tracking_options=EFFICIENT))
    _, table = opened(user)
    index = cell(table, "desiredSyncInterval", ON_TRIP)
    user.until(lambda: index.data() == "140 s")
    number = edit(table, index)
    assert isinstance(number, NumberBox)
    number.selectAll()
    QTest.keyClick(number, Qt.Key.Key_Delete)
    QTest.keyClicks(number, text)
    QTest.keyClick(number, Qt.Key.Key_Return)
    assert refusal in number.refusal
    user.idle()
    assert number.isVisible()
    QTest.keyClick(number, Qt.Key.Key_Escape)
    user.idle()
    assert index.data() == "140 s"
    assert settings(user).on_trip_tracking_options == EFFICIENT


@pytest.mark.parametrize(
    ("option", "key", "name", "value"), [("sync", "e", "sync", "events"), ("beacons", "t", "beacons", True)]
)
def test_words_and_switches_are_chosen(user: User, option: str, key: str, name: str, value: str | bool) -> None:
    user.engine.settings.change(TEST, SettingsChange(on_trip_tracking_options=CONTINUOUS))
    _, table = opened(user)
    index = cell(table, option, ON_TRIP)
    user.until(lambda: index.data() != "–")
    box = edit(table, index)
    QTest.keyClicks(box, key)
    QTest.keyClick(box, Qt.Key.Key_Return)
    user.until(lambda: settings(user).on_trip_tracking_options == CONTINUOUS.with_option(name, value))


def test_a_state_without_a_preset_cannot_be_edited(user: User) -> None:
    _, table = opened(user)
    for column in (0, DEFAULT, ON_TRIP):
        assert not cell(table, "sync", column).flags() & Qt.ItemFlag.ItemIsEditable
    assert not table.reset.isEnabled()


def test_changes_are_kept_with_another_preset(user: User) -> None:
    changed = EFFICIENT.with_option("beacons", True)
    user.engine.settings.change(TEST, SettingsChange(tracking_options=changed))
    dialog, table = opened(user)
    user.until(lambda: cell(table, "beacons", DEFAULT).data() == "true")
    choose(dialog, "tracking_options", "Continuous")
    user.until(lambda: settings(user).tracking_options == CONTINUOUS.with_option("beacons", True))


@pytest.mark.whole_window
def test_in_live_options_wait_until_they_are_applied(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    dialog, table = opened(user)
    choose(dialog, "on_trip_tracking_options", "Continuous")
    field = dialog.entry("on_trip_tracking_options").field
    user.until(lambda: field.toolTip() == "Pending. In Live: not set.")
    assert settings(user, LIVE).on_trip_tracking_options is None
    assert cell(table, "sync", ON_TRIP).data() == "all"
    user.click(dialog.pending_bar.apply)
    user.until(lambda: settings(user, LIVE).on_trip_tracking_options == CONTINUOUS)
