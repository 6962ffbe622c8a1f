"""The What if analysis in the window: a sandbox invisible to others, and a replay in it, kept or discarded."""

from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle, Point
from engine.domain.tracking.updates import LocationUpdate
from tests.desktop.window.user import User
from tests.desktop.window.walks import write_walk
from tests.engine.fixtures import NOON, circle

pytestmark = pytest.mark.parts(
    "banner",
    "fences",
    "form",
    "list",
    "many",
    "on_map",
    "selection",
    "timeline",
    "timeline_panel",
    "tools",
    "tracks",
    "undoing",
    "whatif",
    "whatif_panel",
)

TEST = Environment.TEST
OUTSIDE, EDGE, INSIDE = 14.503, 14.5018, 14.5
"""Longitudes at about 230 m, 140 m and 0 m from the centre."""


@pytest.fixture
def fence(user: User) -> Geofence:
    """A circle of 120 m that a phone and a watch entered and exited."""
    fence = user.given()
    for device in ("phone", "watch"):
        for minute, longitude in enumerate((OUTSIDE, EDGE, INSIDE, EDGE, OUTSIDE)):
            at = NOON + timedelta(minutes=minute)
            user.engine.tracking.track(TEST, LocationUpdate(device, Point(longitude, 46.05), 10, at=at))
    user.window.actions_.what_if.trigger()
    user.until(lambda: user.window.whatif_panel.device_list.count() == 2)
    return fence


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    return write_walk(tmp_path / "walk.gpx", 14.49, 46.05)


def rows(user: User) -> list[str]:
    tree = user.window.whatif_panel.list
    items = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
    return [" ".join(item.text(column) for column in range(3)) for item in items if item is not None]


def replay(user: User) -> None:
    user.click(user.window.whatif_panel.replay)
    user.until(lambda: user.window.operations.under_way == 0 and user.window.whatif.findings.report is not None)


def open_sandbox(user: User, fence: Geofence) -> None:
    user.click(user.window.whatif_panel.sandbox)
    user.until(user.window.banner.isVisible)
    user.select(fence)


def widen(user: User, metres: int) -> None:
    user.type(user.window.form.basics.radius.number, str(metres))
    user.until(lambda: user.window.operations.under_way == 0)


def radius(fence: Geofence | None) -> float:
    assert fence is not None
    assert isinstance(fence.geometry, Circle)
    return fence.geometry.radius_m


def test_other_settings_are_tried_and_change_nothing(user: User, fence: Geofence) -> None:
    panel = user.window.whatif_panel
    user.click(panel.switches["stop_detection"])
    replay(user)
    assert rows(user) == [
        f"{action} · Store 1 {who} lost" for action in ("Entry", "Exit") for who in ("phone", "watch")
    ]
    assert panel.summary.text() == "10 updates: 4 lost."
    first = panel.list.topLevelItem(0)
    assert first is not None
    user.click_in(panel.list, QPoint(40, panel.list.visualItemRect(first).center().y()))
    assert panel.reason.text().startswith("Entry withheld: stop detection is on")
    user.until(lambda: panel.reason.visibleRegion().boundingRect() == panel.reason.rect())
    assert not user.engine.settings.get(TEST).stop_detection
    assert user.engine.history.counts(TEST).events == 4

    phone = panel.device_list.item(0)
    at = panel.device_list.visualItemRect(phone).center()
    at.setX(10)
    user.click_in(panel.device_list, at)
    assert panel.device_list.chosen() == ("watch",)
    replay(user)
    assert rows(user) == ["Entry · Store 1 watch lost", "Exit · Store 1 watch lost"]
    user.click(panel.discard)
    assert rows(user) == []
    assert not panel.switches["stop_detection"].isChecked()


def test_devices_that_move_and_come_leave_the_list_as_it_is(user: User, fence: Geofence) -> None:
    panel = user.window.whatif_panel
    watch = panel.device_list.item(1)
    at = panel.device_list.visualItemRect(watch).center()
    at.setX(10)
    user.click_in(panel.device_list, at)
    for device in ("phone", "bike", "watch", "zebra"):
        user.engine.tracking.track(TEST, LocationUpdate(device, Point(OUTSIDE, 46.05), 10))
    user.until(lambda: panel.device_list.count() == 4)
    assert panel.device_list.chosen() == ("bike", "phone", "zebra")
    assert panel.device_list.item(2) is watch, "no row was made anew"
    user.engine.history.clear_test_data("phone")
    user.until(lambda: panel.device_list.count() == 3)
    assert panel.device_list.chosen() == ("bike", "zebra")


def test_a_geofence_is_edited_in_a_private_sandbox(user: User, fence: Geofence) -> None:
    window, model = user.window, user.window.model
    open_sandbox(user, fence)
    widen(user, 180)
    assert radius(model.fences.get(fence.id)) == 180
    assert radius(user.only()) == 120
    assert window.banner.edits.text() == "1 geofence edited"
    user.engine.geofences.create(TEST, circle("77", center=Point(14.6, 46.05)))
    user.until(lambda: len(model.fences) == 2)
    assert radius(model.fences.get(fence.id)) == 180, "what others do shows, and takes nothing of the sandbox away"

    replay(user)
    assert rows(user) == [
        f"{action} · Store 1 {who} {way}1 min 00 s"
        for action, way in (("Entry", "−"), ("Exit", "+"))
        for who in ("phone", "watch")
    ]
    user.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, on=window.map)
    user.until(lambda: radius(model.fences.get(fence.id)) == 120)
    assert window.banner.edits.text() == "0 geofences edited"
    user.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier, on=window.map)
    user.until(lambda: radius(model.fences.get(fence.id)) == 180)
    user.click(window.banner.discard)
    user.until(lambda: not window.banner.isVisible())
    assert radius(model.fences.get(fence.id)) == 120
    assert window.whatif.findings.report is None


def test_keeping_is_one_step_that_can_be_undone(user: User, fence: Geofence) -> None:
    window, panel = user.window, user.window.whatif_panel
    user.click(panel.switches["buffer_entries"])
    open_sandbox(user, fence)
    widen(user, 180)
    user.tool(window.actions_.circle)
    user.hand.click((14.496, 46.048))
    user.hand.click((14.497, 46.048))
    user.until(lambda: len(window.model.fences) == 2)
    assert user.only().id == fence.id
    user.click(window.banner.keep)
    user.until(lambda: not window.banner.isVisible())
    assert len(user.stored()) == 2
    assert radius(user.engine.geofences.get(TEST, fence.id)) == 180
    assert user.engine.settings.get(TEST).buffer_entries
    user.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, on=window.map)
    user.until(lambda: not user.engine.settings.get(TEST).buffer_entries)
    assert radius(user.only()) == 120
    user.until(lambda: len(window.model.fences) == 1)


def test_nothing_of_others_is_overwritten(user: User, fence: Geofence) -> None:
    open_sandbox(user, fence)
    widen(user, 180)
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(size=90))
    user.click(user.window.banner.keep)
    user.until(lambda: "changed by someone else" in user.window.message.text.text())
    assert radius(user.only()) == 90
    assert user.window.banner.isVisible()


def test_a_track_that_was_never_sent_is_replayed(user: User, fence: Geofence, walk: Path) -> None:
    panel = user.window.whatif_panel
    user.window.tracks.open(walk)
    user.until(lambda: user.window.model.simulation.track is not None)
    before = user.engine.history.counts(TEST)
    panel.source.setFocus()
    QTest.keyClick(panel.source, Qt.Key.Key_Down)
    assert panel.of_track
    user.click(panel.switches["stop_detection"])
    replay(user)
    assert rows(user)
    assert all(row.endswith(" lost") for row in rows(user))
    assert user.engine.history.counts(TEST) == before
    assert not panel.device_list.isEnabled()


def test_a_finding_is_shown_on_the_map(user: User, fence: Geofence) -> None:
    panel = user.window.whatif_panel
    user.click(panel.switches["stop_detection"])
    replay(user)
    item = panel.list.topLevelItem(0)
    assert item is not None
    user.click_in(panel.list, QPoint(40, panel.list.visualItemRect(item).center().y()))
    current = user.window.whatif.findings.current
    assert current is not None
    assert current.label == "− Entry · Store 1 · lost"
    assert user.window.on_map.shown_instead == ["whatif:0", "whatif:1", "whatif:2", "whatif:3"]
    user.click(panel.discard)
    assert user.window.on_map.shown_instead is None


def test_findings_are_on_the_timeline_of_their_device(user: User, fence: Geofence) -> None:
    timeline, panel = user.window.timeline, user.window.whatif_panel
    phone = next(each for each in user.window.model.users.all() if each.device_id == "phone")
    timeline.show_user(phone)
    user.until(lambda: timeline.settled and len(timeline.timeline) == 5 and bool(timeline.overlay.marks))
    user.click(panel.switches["stop_detection"])
    replay(user)
    assert [(mark.at, mark.kind, mark.fence_id) for mark in timeline.marks if mark.finding is not None] == [
        (2, "lost", fence.id),
        (3, "lost", fence.id),
    ]
    left = panel.list.topLevelItem(2)
    assert left is not None
    user.click_in(panel.list, QPoint(40, panel.list.visualItemRect(left).center().y()))
    graph = user.window.timeline_panel.graph
    assert graph is not None
    user.until(lambda: float(graph.main.playhead.value()) == 180.0)
    user.click(panel.discard)
    assert not any(mark.finding is not None for mark in timeline.marks)


def test_without_a_device_there_is_nothing_to_replay(user: User) -> None:
    user.window.actions_.what_if.trigger()
    user.click(user.window.whatif_panel.replay)
    user.until(lambda: "Choose at least one device" in user.window.message.text.text())
