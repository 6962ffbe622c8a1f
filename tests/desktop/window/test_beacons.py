"""Beacons in the window: on the map, in their list, in the events and in the user panel."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.desktop.model.drops import FileKind, kind_of_content
from app.desktop.panels.beacon.form import BeaconForm
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.tracking.beacon import Beacon, BeaconChange, Eddystone, IBeacon, ReportedBeacon
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.values import replace
from tests.desktop.window.user import CENTRE, User
from tests.engine.fixtures import UUID, beacon

pytestmark = pytest.mark.parts(
    "availability",
    "beacon_form",
    "beacons",
    "commands",
    "events",
    "fences",
    "imports",
    "list",
    "reasons",
    "selection",
    "tools",
    "undoing",
    "why",
)

TEST, LIVE = Environment.TEST, Environment.LIVE
LEFT = Qt.MouseButton.LeftButton
EAST = (14.503, 46.05)
TABLE = f"""type,description,tag,externalId,uuid,major,minor,latitude,longitude
ibeacon,Front door,shop,door,{UUID},100,1,46.05,14.5
ibeacon,Wrong,shop,wrong,{UUID},70000,2,46.05,14.5
"""


def put_up(user: User, minor: int, position: tuple[float, float] = CENTRE, description: str = "") -> Beacon:
    """Create a beacon as a client would, and wait until the window has it."""
    change = beacon(str(minor), minor=minor, point=Point(*position))
    change = replace(change, description=description) if description else change
    made = user.engine.beacons.create(user.window.model.environment, change)
    user.until(lambda: user.window.model.beacons.get(made.id) is not None)
    return made


def send(user: User, *detected: Beacon) -> None:
    reported = tuple(ReportedBeacon(each.signal) for each in detected)
    user.engine.tracking.track(TEST, LocationUpdate("phone-1", Point(*EAST), 10.0, beacons=reported))


def listed(user: User) -> list[str]:
    model = user.window.beacons.dialog.model
    return [model.beacon(row).external_id for row in range(model.rowCount())]


def test_a_click_on_the_map_shows_it_in_its_form_and_in_the_list(user: User) -> None:
    put_up(user, 1)
    stored = put_up(user, 2, EAST, description="Gate B")
    user.hand.click(EAST)
    form = user.window.beacon_form
    user.until(lambda: form.isVisible() and form.beacon == stored)
    assert [form.fields.lines[name].text() for name in ("description", "major", "minor")] == ["Gate B", "100", "2"]
    assert form.fields.lines["uuid"].text() == UUID
    assert not form.fields.lines["uid"].isVisible()
    assert not form.save.isEnabled()
    user.window.actions_.beacons.trigger()
    dialog = user.window.beacons.dialog
    (row,) = dialog.view.selectionModel().selectedRows()
    assert dialog.model.beacon(row.row()) == stored
    texts = [dialog.model.index(row.row(), column).data() for column in range(7)]
    assert texts == ["Gate B", "door", "2", "iBeacon", UUID, "100, 2", "yes"]


@pytest.mark.whole_window
def test_the_mouse_over_one_shows_its_name(user: User) -> None:
    put_up(user, 1, EAST, description="<b>Gate</b> B")
    answers: list[object] = []

    def tips() -> bool:
        script = 'document.querySelector(".leaflet-tooltip")?.innerText ?? ""'
        user.window.map._page.runJavaScript(script, answers.append)
        return "<b>Gate</b> B (iBeacon)" in answers

    user.hand.move(CENTRE)
    user.hand.move(EAST)
    user.until(tips)


def test_the_list_follows_and_goes_to_one_on_the_map(user: User) -> None:
    user.window.actions_.beacons.trigger()
    dialog = user.window.beacons.dialog
    stored = put_up(user, 1, (15.2, 46.3))
    put_up(user, 2)
    user.until(lambda: listed(user) == ["1", "2"])
    assert dialog.note.text() == "2 beacons"
    QTest.mouseClick(dialog.view.viewport(), LEFT, pos=dialog.view.visualRect(dialog.model.index(0, 1)).center())
    user.until(lambda: abs(user.window.map.center()[0] - 15.2) < 0.01)
    user.engine.beacons.update(TEST, stored.id, BeaconChange(enabled=False))
    user.until(lambda: dialog.note.text() == "2 beacons, 1 disabled")
    assert [row.row() for row in dialog.view.selectionModel().selectedRows()] == [0], "what is chosen stays so"
    user.engine.beacons.delete(TEST, stored.id)
    user.until(lambda: listed(user) == ["2"])
    user.window.toolbar.environments.live.click()
    user.until(lambda: listed(user) == [])


@pytest.mark.whole_window
def test_a_deleted_beacon_is_off_the_map(user: User) -> None:
    empty = user.hand.color_at(EAST)
    stored = put_up(user, 1, EAST)
    assert user.hand.color_at(EAST) != empty
    user.engine.beacons.delete(TEST, stored.id)
    user.until(lambda: user.window.model.beacons.get(stored.id) is None)
    assert user.hand.color_at(EAST) == empty


def test_events_of_beacons_and_the_user_near_one(user: User) -> None:
    door = put_up(user, 1, description="Front door")
    send(user, door)
    send(user)
    table = user.window.events.model
    user.until(lambda: table.rowCount() == 2)
    assert [table.text(row, 1) for row in (0, 1)] == ["Left beacon", "Entered beacon"]
    assert [table.text(row, 2) for row in (0, 1)] == ["Front door", "Front door"]
    tip = table.index(1, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert "phone-1 entered beacon Front door" in tip
    assert "door / 1" in tip
    assert UUID in tip
    view = user.window.events.view
    QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(table.index(1, 2)).center())
    expected = "✓ the device reported the beacon, and the user was not near it before"
    user.until(lambda: user.window.reasons.answered and user.window.why.reasons.texts()[:1] == [expected])
    send(user, door)
    user.window.docks.bring(user.window.docks.user)
    user.until(lambda: user.window.user.facts.texts().get("Near beacon") == "Front door")


def test_a_table_of_beacons_is_imported(user: User, tmp_path: Path) -> None:
    file = tmp_path / "beacons.csv"
    file.write_text(TABLE)
    assert kind_of_content(TABLE.encode()) is FileKind.FENCES, "and no track, though it has latitudes"
    user.window.imports.import_file(file)
    user.until(lambda: len(user.window.model.beacons) == 1)
    user.until(lambda: "1 beacon created" in user.window.message.text.text())


def only(user: User, environment: Environment = TEST) -> Beacon:
    (stored,) = user.engine.beacons.all(environment)
    return stored


def place(user: User, position: tuple[float, float] = EAST) -> BeaconForm:
    """Click with the tool at the position of a new beacon."""
    user.tool(user.window.actions_.beacon)
    user.hand.click(position)
    form = user.window.beacon_form
    user.until(lambda: form.is_new and form.point is not None)
    return form


def line(form: BeaconForm, name: str) -> QLineEdit:
    return form.fields.lines[name]


def error_of(form: BeaconForm, name: str) -> str:
    return form.fields.entry(name).field.error.text()


def chosen(user: User, minor: int = 1) -> tuple[BeaconForm, Beacon]:
    """An existing beacon, shown in the form."""
    stored = put_up(user, minor, EAST)
    user.hand.click(EAST)
    user.until(lambda: user.window.beacon_form.beacon == stored)
    return user.window.beacon_form, stored


def undo(user: User) -> None:
    user.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, on=user.window.list)
    user.idle()


def test_one_is_placed_described_and_taken_back(user: User) -> None:
    form = place(user)
    user.click(form.save)
    user.until(lambda: "UUID: must be a UUID" in error_of(form, "uuid"))
    user.type(line(form, "description"), "Gate B", enter=False)
    user.type(line(form, "uuid"), UUID.upper(), enter=False)
    user.type(line(form, "major"), "70000", enter=False)
    user.type(line(form, "minor"), "2")
    user.until(lambda: "Major: must be a whole number" in error_of(form, "major"))
    assert user.engine.beacons.all(TEST) == ()
    user.type(line(form, "major"), "7")
    user.until(lambda: len(user.window.model.beacons) == 1 and not form.is_new)
    stored = only(user)
    assert stored.signal == IBeacon(UUID, 7, 2)
    assert (stored.description, stored.tag, stored.external_id) == ("Gate B", "beacon", "beacon-1")
    assert (stored.point.longitude, stored.point.latitude) == pytest.approx(EAST, abs=1e-4)
    assert form.beacon == stored
    assert not form.dirty
    undo(user)
    user.until(lambda: user.engine.beacons.all(TEST) == () and form.beacon is None)
    user.tool(user.window.actions_.redo)
    user.until(lambda: form.beacon is not None and only(user).id == stored.id)


def test_another_type_comes_with_all_its_parts(user: User) -> None:
    form, stored = chosen(user)
    form.fields.type.setFocus()
    QTest.keyClick(form.fields.type, Qt.Key.Key_Down)
    assert line(form, "uid").isVisible()
    assert not line(form, "uuid").isVisible()
    user.click(form.save)
    user.until(lambda: "20 hexadecimal digits" in error_of(form, "uid"))
    user.type(line(form, "uid"), "EDD1EBEAC04E5DEFA017", enter=False)
    user.type(line(form, "instance"), "0bdb87539b67", enter=False)
    user.click(form.fields.enabled)
    user.click(form.save)
    user.until(lambda: only(user).signal == Eddystone("edd1ebeac04e5defa017", "0bdb87539b67") and not form.dirty)
    assert not only(user).enabled
    undo(user)
    user.until(lambda: only(user).signal == stored.signal and line(form, "uuid").isVisible())
    assert form.fields.enabled.isChecked()


def test_it_is_moved_with_the_mouse_and_by_typing(user: User) -> None:
    form, stored = chosen(user)
    user.hand.drag(EAST, (14.5045, 46.0505))
    user.until(lambda: only(user).point.longitude > 14.504)
    assert only(user).point.latitude == pytest.approx(46.0505, abs=2e-4)
    user.until(lambda: form.beacon == only(user))
    user.type(form.fields.point, "91, 5")
    assert "Latitude comes first" in error_of(form, "geometry")
    user.type(form.fields.point, "46° 3' N, 14° 30' E")
    user.until(lambda: only(user).point == Point(14.5, 46.05) and form.fields.point.text() == "46.05, 14.5")
    assert not form.dirty
    undo(user)
    undo(user)
    user.until(lambda: only(user).point == stored.point)
    user.click(form.fields.place)
    user.hand.click(CENTRE)
    user.until(lambda: only(user).point.longitude < 14.501)


def test_del_twice_deletes_one(user: User) -> None:
    fence = user.given()
    other = put_up(user, 2)
    chosen(user)
    user.hand.press(Qt.Key.Key_Delete)
    user.hand.press(Qt.Key.Key_Delete)
    user.until(lambda: user.engine.beacons.all(TEST) == (other,))
    user.until(lambda: user.window.beacon_form.beacon is None)
    user.hand.press(Qt.Key.Key_Delete)
    user.idle()
    assert user.engine.beacons.all(TEST) == (other,)
    assert user.stored() == [fence]
    undo(user)
    user.until(lambda: len(user.engine.beacons.all(TEST)) == 2)


def test_changes_by_others_are_reported_and_not_overwritten(user: User) -> None:
    form, stored = chosen(user)
    user.type(line(form, "description"), "Mine", enter=False)
    user.engine.beacons.update(TEST, stored.id, BeaconChange(description="Theirs", major=9))
    field = form.fields.entry("description").field
    user.until(lambda: field.remote_change.value == "Theirs")
    assert line(form, "major").text() == "9", "what is not being edited follows"
    assert line(form, "description").text() == "Mine"
    QTest.keyClick(line(form, "description"), Qt.Key.Key_Escape)
    assert line(form, "description").text() == "Theirs"
    user.type(line(form, "description"), "Mine", enter=False)
    user.engine.beacons.delete(TEST, stored.id)
    user.until(lambda: form.lost)
    assert form.head.text.text() == "Deleted remotely"
    user.click(form.head.restore)
    user.until(lambda: user.engine.beacons.all(TEST) != () and only(user).description == "Mine")
    user.until(lambda: not form.lost and not form.dirty)
    assert only(user).id == stored.id


def test_a_signal_in_use_is_reported_at_its_field_and_drafts_stay(user: User) -> None:
    put_up(user, 2)
    form, stored = chosen(user)
    user.type(line(form, "minor"), "2")
    user.until(lambda: "has the same UUID, major and minor" in error_of(form, "minor"))
    assert user.engine.beacons.get(TEST, stored.id).signal == stored.signal
    user.select(user.given(longitude=14.497))
    assert form.beacon == stored, "what is not saved is not put away"
    assert "not saved" in form.title
    user.window.close()
    user.answer("Cancel")
    assert user.window.isVisible()
    user.hand.click(CENTRE)
    user.until(lambda: form.beacon is not None and form.beacon.id != stored.id)
    user.hand.click(EAST)
    user.until(lambda: form.beacon == stored)
    assert line(form, "minor").text() == "2"
    user.click(form.revert)
    assert line(form, "minor").text() == "1"
    assert not form.dirty


def test_each_change_in_live_is_confirmed(user: User) -> None:
    user.window.toolbar.environments.live.click()
    form, stored = chosen(user)
    user.type(line(form, "description"), "Gate B", enter=False)
    user.click(form.save)
    user.answer("Cancel")
    assert only(user, LIVE) == stored
    assert form.dirty
    user.click(form.save)
    user.answer("Save")
    user.until(lambda: only(user, LIVE).description == "Gate B" and not form.dirty)
    user.hand.drag(EAST, CENTRE)
    user.answer("Cancel")
    assert only(user, LIVE).point == stored.point
    user.click(form.delete)
    user.answer("Delete")
    user.until(lambda: user.engine.beacons.all(LIVE) == ())
    place(user, CENTRE)
    user.window.toolbar.environments.test.click()
    user.until(lambda: not form.is_new)
    assert user.engine.beacons.all(TEST) == (), "what was meant for Live is in Live or nowhere"
