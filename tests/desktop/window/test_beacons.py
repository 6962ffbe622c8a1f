"""Beacons in the window: on the map, in their list, in the events and at a user."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.desktop.model.drops import FileKind, kind_of_table
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.tracking.beacon import Beacon, BeaconChange, HeardBeacon
from engine.domain.tracking.updates import LocationUpdate
from tests.desktop.window.user import CENTRE, User
from tests.engine.fixtures import UUID, beacon

TEST = Environment.TEST
LEFT = Qt.MouseButton.LeftButton
EAST = (14.503, 46.05)
TABLE = f"""type,description,tag,externalId,uuid,major,minor,latitude,longitude
ibeacon,Front door,shop,door,{UUID},100,1,46.05,14.5
ibeacon,Wrong,shop,wrong,{UUID},70000,2,46.05,14.5
"""


def put_up(user: User, minor: int, where: tuple[float, float] = CENTRE, description: str = "") -> Beacon:
    """Create a beacon as a client would, and wait until the window has it."""
    change = beacon(str(minor), minor=minor, point=Point(*where))
    change = replace(change, description=description) if description else change
    made = user.engine.beacons.create(user.window.model.environment, change)
    user.until(lambda: user.window.model.beacons.get(made.id) is not None)
    return made


def send(user: User, *heard: Beacon) -> None:
    reported = tuple(HeardBeacon(each.signal) for each in heard)
    user.engine.tracking.track(TEST, LocationUpdate("phone-1", Point(*EAST), 10.0, beacons=reported))


def listed(user: User) -> list[str]:
    model = user.window.beacons.dialog.model
    return [model.beacon(row).external_id for row in range(model.rowCount())]


def test_a_click_on_the_map_shows_it_in_the_list(user: User) -> None:
    put_up(user, 1)
    stored = put_up(user, 2, EAST, description="Gate B")
    dialog = user.window.beacons.dialog
    assert not dialog.isVisible()
    user.hand.click(EAST)
    user.until(dialog.isVisible)
    (row,) = dialog.view.selectionModel().selectedRows()
    assert dialog.model.beacon(row.row()) == stored
    texts = [dialog.model.index(row.row(), column).data() for column in range(7)]
    assert texts == ["Gate B", "door", "2", "iBeacon", UUID, "100, 2", "yes"]


def test_the_mouse_over_one_tells_its_name(user: User) -> None:
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
    user.until(lambda: user.window.reasons.answered and bool(user.window.why.around))
    assert user.window.why.reached.texts() == {"Beacon": "The device reported that it hears this beacon."}
    send(user, door)
    user.window.docks.bring(user.window.docks.user)
    user.until(lambda: user.window.user.facts.texts().get("Near beacon") == "Front door")


def test_a_table_of_beacons_is_imported(user: User, tmp_path: Path) -> None:
    file = tmp_path / "beacons.csv"
    file.write_text(TABLE)
    assert kind_of_table(TABLE.encode()) is FileKind.FENCES, "and no track, though it has latitudes"
    user.window.imports.import_file(file)
    user.until(lambda: len(user.window.model.beacons) == 1)
    user.until(lambda: "1 beacon created" in user.window.message.text.text())
