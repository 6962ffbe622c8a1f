"""The playhead while its timeline is being read, when there is no fix yet, or a new event whose fix is missing."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.desktop.model.timeline.reading import UserReader
from engine.domain.geometry import Point
from tests.desktop.window.test_timeline import at_van, device_on_map, drawn, graph, track
from tests.desktop.window.user import LEFT, User

pytestmark = pytest.mark.parts("events", "timeline")

_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """An event during which timelines of devices can be read."""
    may_read, read = Event(), UserReader.read
    may_read.set()

    def waiting(reader: UserReader, *arguments: Any) -> object:
        assert may_read.wait(60)
        return read(reader, *arguments)

    monkeypatch.setattr(UserReader, "read", waiting)
    yield may_read
    may_read.set()


def choose_event(user: User, row: int) -> None:
    view = user.window.events.view
    QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model().index(row, 2)).center())


def show_bike(user: User) -> None:
    bike = next(each for each in user.window.model.users.all() if each.device_id == "bike")
    user.window.timeline.show_user(bike)


@pytest.mark.parametrize("key", _KEYS, ids=lambda key: key.name)
def test_keys_do_nothing_while_another_device_is_read(user: User, reading: Event, key: Qt.Key) -> None:
    at_van(user)
    track(user, 14.49, 14.495, device="bike")
    user.until(lambda: len(user.window.model.users) == 2)
    reading.clear()
    show_bike(user)
    QTest.keyClick(graph(user), key)
    assert device_on_map(user) is None
    reading.set()
    drawn(user, 2)
    assert graph(user).main.playhead.value() == user.window.timeline.timeline.offsets_s[1]


def test_an_event_chosen_before_its_fix_is_read_is_shown_with_it(user: User, reading: Event) -> None:
    at_van(user)
    reading.clear()
    track(user, 14.5)
    user.until(lambda: len(user.window.model.events) == 3)
    choose_event(user, 0)
    track(user, 14.5001)
    reading.set()
    drawn(user, 6)
    assert graph(user).main.playhead.value() == user.window.timeline.timeline.offsets_s[4]
    assert device_on_map(user) == ("van", Point(14.5, 46.05), 10.0)


@pytest.mark.slow
def test_an_event_of_another_device_is_shown_once_that_is_read(user: User, reading: Event) -> None:
    at_van(user)
    track(user, 14.49, 14.5, 14.5001, device="bike")
    user.until(lambda: len(user.window.model.events) == 3)
    reading.clear()
    choose_event(user, 0)
    show_bike(user)
    reading.set()
    drawn(user, 3)
    assert graph(user).main.playhead.value() == user.window.timeline.timeline.offsets_s[1]
