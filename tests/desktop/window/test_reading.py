"""Many geofences are read in the background while everything else continues to work."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt

from app.desktop import fence_reader
from app.desktop.model.fences import ReadFence
from app.desktop.window.controllers.many import editing, table
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Circle
from engine.geofences.geofences import Geofences
from engine.geofences.parts import GeofencePart, part_of
from tests.desktop.window.user import User

pytestmark = [
    pytest.mark.slow,
    pytest.mark.parts("areas", "availability", "commands", "list", "many", "selection", "table", "undoing"),
]

LIVE, TEST = Environment.LIVE, Environment.TEST


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """An event that must be set before several geofences can be read."""
    go_on = threading.Event()
    read = Geofences.parts

    def slowly(self: Geofences, environment: Environment, most: int) -> Iterator[GeofencePart]:
        for part in (*read(self, environment, most),):
            yield part
            while not go_on.wait(0.02):
                yield part_of(())

    monkeypatch.setattr(fence_reader, "AT_ONCE", 3)
    monkeypatch.setattr(Geofences, "parts", slowly)
    yield go_on
    go_on.set()


def look_away_and_back(user: User) -> None:
    switch = user.window.toolbar.environments
    user.click(switch.live)
    user.until(lambda: user.window.model.environment is LIVE)
    user.click(switch.test)
    user.until(lambda: user.window.model.environment is TEST)


def test_changes_while_geofences_are_read_are_shown(user: User, held: threading.Event) -> None:
    fences = [user.given(number) for number in range(5)]
    look_away_and_back(user)
    window, geofences = user.window, user.engine.geofences
    user.until(lambda: window.list._stack.currentWidget() is window.list._waiting)
    user.until(window.status.task.isVisible)
    assert window.status.task.text.text() == "Loading 5 geofences"
    geofences.delete(TEST, fences[0].id)
    geofences.update(TEST, fences[1].id, GeofenceChange(description="Renamed"))
    user.given(9)
    held.set()
    user.until(lambda: len(window.model.fences) == 5)
    names = {fence.description for fence in window.model.fences.all()}
    assert names == {fence.description for fence in user.stored()}
    assert "Renamed" in names
    assert window.list._stack.currentWidget() is window.list.view
    user.until(lambda: not window.status.task.isVisible())


def test_reading_can_be_cancelled(user: User, held: threading.Event) -> None:
    for number in range(5):
        user.given(number)
    look_away_and_back(user)
    window = user.window
    user.until(window.status.task.isVisible)
    user.click(window.status.task.cancel)
    user.until(lambda: "not loaded" in window.message.text.text())
    held.set()
    look_away_and_back(user)
    user.until(lambda: len(window.model.fences) == 5)


def test_the_map_goes_to_them_before_they_are_read(user: User, held: threading.Event) -> None:
    for number in range(5):
        user.given(number)
    fence = user.stored()[0]
    assert isinstance(fence.geometry, Circle)
    look_away_and_back(user)
    window, (longitude, latitude) = user.window, (fence.geometry.center.longitude, fence.geometry.center.latitude)
    window.map.show_point(-120.0, 10.0, zoom=4.0)
    user.until(lambda: window.map.center()[0] < -100)
    look_away_and_back(user)
    user.until(lambda: window.map.zoom() > 10)
    west, south, east, north = window.map.bounds()
    assert west < longitude < east
    assert south < latitude < north
    assert window.model.fences.is_waiting
    # The map stays if it is moved in the meantime.
    window.map.show_point(-120.0, 10.0, zoom=4.0)
    held.set()
    user.until(lambda: len(window.model.fences) == 5)
    settled: list[bool] = []
    window.map.when_settled(lambda: settled.append(True))
    user.until(lambda: bool(settled))
    assert window.map.center()[0] < -100


def test_a_workspace_whose_geofences_are_being_read_has_something_to_show(user: User, held: threading.Event) -> None:
    for number in range(5):
        user.given(number)
    look_away_and_back(user)
    window = user.window
    user.until(lambda: window.model.fences.is_waiting)
    assert len(window.model.fences) == 0
    assert not window.areas._nothing_to_show()
    held.set()
    user.until(lambda: len(window.model.fences) == 5)


def test_geofences_that_are_not_made_yet_are_found_listed_changed_and_put_back(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, most in ((fence_reader, "AT_ONCE"), (table, "AT_ONCE"), (editing, "_MADE_AT_ONCE")):
        monkeypatch.setattr(module, most, 0)
    for number in range(5):
        user.given(number)
    window, stored = user.window, {fence.id: fence for fence in user.stored()}
    look_away_and_back(user)
    user.until(lambda: len(window.model.fences) == 5)
    assert all(isinstance(fence, ReadFence) for fence in window.model.fences.named())
    user.until(lambda: len(window.list.model.tree) == 5)
    window.list.filter("store 3")
    user.until(lambda: len(window.list.model.tree) == 1)
    window.list.filter("")
    window.actions_.geofence_table.trigger()
    user.until(lambda: len(window.table.rows) == 5)
    assert {fence.id: fence for fence in window.table.rows.fences(0, 4)} == stored
    window.actions_.select_all.trigger()
    assert set(window.model.selection.fence_ids) == set(stored)
    window.actions_.disable.trigger()
    user.until(lambda: not any(fence.enabled for fence in window.model.fences.all()))
    user.until(lambda: not any(fence.enabled for fence in window.table.rows.fences(0, 4)))
    # The table shows the edit before the window records it, as the feed of changes may come first.
    user.until(lambda: window.actions_.undo.isEnabled())
    user.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, on=window.list.view)
    user.until(lambda: all(fence.enabled for fence in window.model.fences.all()))
    assert all(fence.enabled for fence in user.stored())
