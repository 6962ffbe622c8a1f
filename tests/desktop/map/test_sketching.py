"""Pressing at a centre and dragging draws a circle. Without the tool, a drag moves the map as usual."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.desktop.map import MapCircle, MapFence, MapView
from tests.desktop.map.hand import Hand, metres_between, metres_per_pixel

CENTRE = (14.5, 46.05)
EDGE = (14.504, 46.05)
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


def target(map_view: MapView) -> QWidget:
    widget = map_view.render_widget()
    assert widget is not None
    return widget


def press(map_view: MapView, at: QPoint, button: Qt.MouseButton = LEFT) -> None:
    QTest.mouseMove(target(map_view), at)
    QTest.mousePress(target(map_view), button, NO_KEYS, at)


def release(map_view: MapView, at: QPoint, button: Qt.MouseButton = LEFT) -> None:
    QTest.mouseRelease(target(map_view), button, NO_KEYS, at)


def assert_drawn(map_view: MapView, circle: object) -> None:
    assert isinstance(circle, MapCircle)
    pixel = metres_per_pixel(map_view)
    assert metres_between(CENTRE, (circle.longitude, circle.latitude)) < 1.5 * pixel
    assert circle.radius_m == pytest.approx(metres_between(CENTRE, EDGE), abs=2.5 * pixel)


def test_a_circle_is_drawn_in_one_go(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    hand.settle()
    before = map_view.center()
    map_view.start_drawing_circle()
    quiet = (map_view.map_clicked, map_view.fence_clicked)
    with (
        qtbot.assertNotEmitted(quiet[0]),
        qtbot.assertNotEmitted(quiet[1]),
        qtbot.waitSignal(map_view.circle_drawn) as drawn,
    ):
        hand.drag(CENTRE, EDGE)
    assert_drawn(map_view, drawn.args[0])
    assert map_view.tool == "select"
    hand.settle()
    assert map_view.center() == before, "the map was moved"


def test_it_grows_under_the_mouse(map_view: MapView, hand: Hand) -> None:
    beside = (14.501, 46.051)
    empty = hand.color_at(beside)
    map_view.start_drawing_circle()
    first, last = hand.at(CENTRE), hand.at(EDGE)
    press(map_view, first)
    QTest.mouseMove(target(map_view), first + (last - first) / 2)
    QTest.mouseMove(target(map_view), last)
    assert hand.color_at(beside) != empty
    hand.press(Qt.Key.Key_Escape)
    assert hand.color_at(beside) == empty
    release(map_view, last)


def test_two_clicks_draw_as_before_and_the_map_can_be_moved_between(
    qtbot: QtBot, map_view: MapView, hand: Hand
) -> None:
    map_view.start_drawing_circle()
    hand.click(CENTRE)
    hand.settle()
    before = map_view.center()
    hand.drag(QPoint(200, 450), QPoint(260, 450))
    hand.settle()
    assert map_view.center() != before
    with qtbot.waitSignal(map_view.circle_drawn) as drawn:
        hand.click(EDGE)
    assert_drawn(map_view, drawn.args[0])


def test_a_hand_that_trembles_clicks(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.start_drawing_circle()
    at = hand.at(CENTRE)
    with qtbot.assertNotEmitted(map_view.circle_drawn, wait=300):
        press(map_view, at)
        QTest.mouseMove(target(map_view), at + QPoint(2, 1))
        release(map_view, at + QPoint(2, 1))
        hand.settle()
    with qtbot.waitSignal(map_view.circle_drawn) as drawn:
        hand.click(EDGE)
    assert drawn.args[0].radius_m == pytest.approx(metres_between(CENTRE, EDGE), abs=6 * metres_per_pixel(map_view))


@pytest.mark.parametrize("moved", [0, 60])
def test_escape_gives_it_up_and_letting_go_does_nothing(
    qtbot: QtBot, map_view: MapView, hand: Hand, moved: int
) -> None:
    map_view.set_fences([MapFence("below", "", "#0072B2", True, MapCircle(*CENTRE, 800.0))])
    map_view.start_drawing_circle()
    at = hand.at(CENTRE)
    press(map_view, at)
    if moved:
        QTest.mouseMove(target(map_view), at + QPoint(moved // 2, 0))
        QTest.mouseMove(target(map_view), at + QPoint(moved, 0))
    hand.settle()
    with qtbot.waitSignal(map_view.tool_changed) as changed:
        hand.press(Qt.Key.Key_Escape)
    assert changed.args == ["select"]
    hand.settle()
    quiet = (map_view.circle_drawn, map_view.fence_clicked, map_view.map_clicked)
    with qtbot.assertNotEmitted(quiet[0], wait=300), qtbot.assertNotEmitted(quiet[1]), qtbot.assertNotEmitted(quiet[2]):
        release(map_view, at + QPoint(moved, 0))
        hand.settle()
    with qtbot.waitSignal(map_view.fence_clicked):
        hand.click(CENTRE)


def test_without_the_tool_a_drag_moves_the_map(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    def moves() -> bool:
        hand.settle()
        before = map_view.center()
        hand.drag(QPoint(400, 300), QPoint(300, 300))
        hand.settle()
        return map_view.center() != before

    assert moves()
    map_view.start_drawing_circle()
    hand.settle()
    map_view.select_tool()
    assert moves()
    map_view.start_drawing_circle()
    hand.settle()
    with qtbot.waitSignal(map_view.circle_drawn):
        hand.drag(QPoint(300, 300), QPoint(360, 300))
    map_view.discard_drawing()
    with qtbot.assertNotEmitted(map_view.circle_drawn):
        assert moves()
    map_view.start_drawing_polygon()
    assert moves(), "a polygon is drawn with clicks"


def test_it_is_never_smaller_or_larger_than_allowed(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.start_drawing_circle()
    hand.settle()
    with qtbot.waitSignal(map_view.circle_drawn) as drawn:
        hand.drag(QPoint(400, 300), QPoint(404, 300))
    assert drawn.args[0].radius_m >= 10
    map_view.show_point(*CENTRE, zoom=9)
    map_view.start_drawing_circle()
    with qtbot.waitSignal(map_view.circle_drawn) as drawn:
        hand.drag(CENTRE, (15.2, 46.05))
    assert drawn.args[0].radius_m == pytest.approx(10_000, abs=1)


def test_the_other_button_draws_nothing(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.start_drawing_circle()
    hand.settle()
    with qtbot.assertNotEmitted(map_view.circle_drawn, wait=300):
        press(map_view, QPoint(400, 300), RIGHT)
        QTest.mouseMove(target(map_view), QPoint(450, 300))
        release(map_view, QPoint(450, 300), RIGHT)
        hand.settle()
    with qtbot.waitSignal(map_view.circle_drawn):
        hand.drag(CENTRE, EDGE)


def test_changes_by_others_do_not_end_it(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    other = MapFence("other", "", "#0072B2", True, MapCircle(14.49, 46.05, 50.0))
    map_view.set_fences([other])
    map_view.select_fence("other")
    map_view.start_drawing_circle()
    first, last = hand.at(CENTRE), hand.at(EDGE)
    press(map_view, first)
    QTest.mouseMove(target(map_view), first + (last - first) / 2)
    hand.settle()
    map_view.update_fences([MapFence("other", "new", "#0072B2", False, MapCircle(14.49, 46.05, 70.0))])
    map_view.set_theme("dark")
    hand.settle()
    QTest.mouseMove(target(map_view), last)
    with qtbot.waitSignal(map_view.circle_drawn) as drawn:
        release(map_view, last)
    assert_drawn(map_view, drawn.args[0])
