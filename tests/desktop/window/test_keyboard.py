"""The window by keyboard alone: drawing, vertices, and what is said of them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.desktop.demo import demo_file
from engine.domain.geometry import Circle
from tests.desktop.window.user import User

Key = Qt.Key
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def press(user: User, *keys: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press keys where the map has the keyboard."""
    map_ = user.window.map.render_widget()
    assert map_ is not None
    for key in keys:
        QTest.keyClick(map_, key, held)


def circle_of(user: User) -> Circle:
    geometry = user.only().geometry
    assert isinstance(geometry, Circle)
    return geometry


def test_a_circle_is_drawn_and_moved_and_undone(user: User) -> None:
    counts = user.window.status.counts
    user.hand.settle()
    usual = counts.whole
    user.press(Key.Key_C)
    user.until(lambda: user.window.map.tool == "circle")
    press(user, Key.Key_Space)
    user.until(lambda: counts.whole == "46.05000, 14.50000")
    press(user, Key.Key_Space)
    press(user, Key.Key_Right, held=SHIFT)
    press(user, Key.Key_Space)
    user.until(lambda: len(user.stored()) == 1)
    drawn = circle_of(user)
    assert drawn.center.latitude == pytest.approx(46.05, abs=2e-5)
    user.until(lambda: user.window.model.selection.fence_id == user.only().id)
    user.hand.settle()
    user.window.map.take_keyboard()
    press(user, Key.Key_Return)
    user.until(lambda: counts.whole.startswith("Centre at 46.0500"))
    press(user, *[Key.Key_Up] * 3)
    user.until(lambda: circle_of(user).center.latitude > drawn.center.latitude)
    assert circle_of(user).radius_m == drawn.radius_m
    press(user, Key.Key_Escape)
    user.until(lambda: counts.whole not in ("", usual) and "1 geofence" in counts.whole)
    user.press(Key.Key_Z, CTRL)
    user.until(lambda: circle_of(user) == drawn)


def test_arrows_step_a_track_where_there_is_one_and_pan_otherwise(user: User) -> None:
    window = user.window
    user.hand.settle()
    window.map.take_keyboard()
    before = window.map.center()
    press(user, Key.Key_Right)
    user.until(lambda: window.map.center()[0] > before[0])
    window.tracks.open(demo_file("track.gpx"))
    user.until(lambda: window.model.simulation.track is not None)
    user.hand.settle()
    window.map.take_keyboard()
    seen = window.map.center()
    press(user, Key.Key_Right)
    user.until(lambda: window.model.simulation.status.position == 1)
    user.hand.settle()
    assert window.map.center() == seen
    press(user, Key.Key_Right, held=CTRL)
    user.until(lambda: window.map.center()[0] > seen[0])
    assert window.model.simulation.status.position == 1
