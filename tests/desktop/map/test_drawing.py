"""Drawing with the mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.desktop.map import MapCircle, MapFence, MapPolygon, MapView
from tests.desktop.map.hand import Hand, metres_between, metres_per_pixel

CENTRE = (14.5, 46.05)
EDGE = (14.504, 46.05)
CORNERS = [(14.496, 46.048), (14.504, 46.048), (14.504, 46.052), (14.496, 46.052)]


def test_a_circle_is_drawn_with_the_mouse(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.start_drawing_circle()
    hand.click(CENTRE)
    hand.move((14.502, 46.05))
    with qtbot.waitSignal(map_view.circle_drawn) as drawn:
        hand.click(EDGE)
    circle = drawn.args[0]
    assert isinstance(circle, MapCircle)
    pixel = metres_per_pixel(map_view)
    assert metres_between(CENTRE, (circle.longitude, circle.latitude)) < 1.5 * pixel
    assert circle.radius_m == pytest.approx(metres_between(CENTRE, EDGE), abs=2.5 * pixel)
    assert map_view.tool == "select"


def test_a_circle_is_never_larger_than_allowed(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.show_point(*CENTRE, zoom=9)
    map_view.start_drawing_circle()
    hand.click(CENTRE)
    with qtbot.waitSignal(map_view.circle_drawn) as drawn:
        hand.click((15.2, 46.05))
    assert drawn.args[0].radius_m == pytest.approx(10_000, abs=1)


def test_polygon_corners_are_at_the_mouse_clicks(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.start_drawing_polygon()
    for corner in CORNERS:
        hand.click(corner)
    with qtbot.waitSignal(map_view.polygon_drawn) as drawn:
        hand.click(CORNERS[0])
    polygon = drawn.args[0]
    assert isinstance(polygon, MapPolygon)
    assert polygon.ring[0] == polygon.ring[-1]
    assert len(polygon.ring) == 5
    for corner, position in zip(CORNERS, polygon.ring, strict=False):
        assert metres_between(corner, position) < 1.5 * metres_per_pixel(map_view)
    for longitude, latitude in polygon.ring:
        assert (longitude, latitude) == (round(longitude, 7), round(latitude, 7))


def test_enter_finishes_a_polygon_and_backspace_takes_a_corner_back(
    qtbot: QtBot, map_view: MapView, hand: Hand
) -> None:
    map_view.start_drawing_polygon()
    for corner in [*CORNERS, (14.49, 46.05)]:
        hand.click(corner)
    hand.at(CENTRE)
    hand.press(Qt.Key.Key_Backspace)
    with qtbot.waitSignal(map_view.polygon_drawn) as drawn:
        hand.press(Qt.Key.Key_Return)
    assert len(drawn.args[0].ring) == 5


def test_a_corner_that_would_make_the_outline_cross_itself_is_not_taken(
    qtbot: QtBot, map_view: MapView, hand: Hand
) -> None:
    map_view.start_drawing_polygon()
    a, b, c, d = CORNERS
    for corner in (a, b, d, (14.5, 46.046)):
        hand.click(corner)
    with qtbot.waitSignal(map_view.polygon_drawn) as drawn:
        hand.click(a)
    assert len(drawn.args[0].ring) == 4
    assert all(metres_between(c, corner) > 100 for corner in drawn.args[0].ring)


def test_escape_gives_a_drawing_up(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.start_drawing_circle()
    hand.click(CENTRE)
    hand.at(CENTRE)
    with qtbot.waitSignal(map_view.tool_changed) as changed:
        hand.press(Qt.Key.Key_Escape)
    assert changed.args == ["select"]
    with qtbot.assertNotEmitted(map_view.circle_drawn), qtbot.waitSignal(map_view.map_clicked):
        hand.click(EDGE)


def test_a_drawing_stays_until_it_is_answered(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    empty = hand.color_at(CENTRE)
    map_view.start_drawing_circle()
    hand.click(CENTRE)
    with qtbot.waitSignal(map_view.circle_drawn):
        hand.click(EDGE)
    beside = (14.501, 46.051)
    assert hand.color_at(beside) != empty
    map_view.discard_drawing()
    assert hand.color_at(beside) == empty


def test_drawing_does_not_click_the_fence_below(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([MapFence("below", "", "#0072B2", True, MapCircle(*CENTRE, 800.0))])
    map_view.start_drawing_circle()
    with qtbot.assertNotEmitted(map_view.fence_clicked), qtbot.waitSignal(map_view.circle_drawn):
        hand.click(CENTRE)
        hand.click(EDGE)


def test_a_polygon_across_180_degrees_comes_back_within_the_limits(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.show_point(180.0, -17.0, zoom=10)
    map_view.start_drawing_polygon()
    corners = [(179.9, -17.1), (-179.9, -17.1), (-179.9, -16.9)]
    for corner in corners:
        hand.click(corner)
    with qtbot.waitSignal(map_view.polygon_drawn) as drawn:
        hand.click(corners[0])
    for corner, position in zip(corners, drawn.args[0].ring, strict=False):
        assert metres_between(corner, position) < 1.5 * metres_per_pixel(map_view)


def test_track_points_are_at_the_mouse_clicks_and_a_track_may_cross_itself(
    qtbot: QtBot, map_view: MapView, hand: Hand
) -> None:
    a, b, c, d = CORNERS
    way = [a, c, b, d]
    map_view.start_drawing_track()
    for position in [*way, (14.49, 46.05)]:
        hand.click(position)
    hand.at(CENTRE)
    hand.press(Qt.Key.Key_Backspace)
    with qtbot.waitSignal(map_view.track_drawn) as drawn, qtbot.assertNotEmitted(map_view.polygon_drawn):
        hand.press(Qt.Key.Key_Return)
    (positions,) = drawn.args
    assert len(positions) == len(way)
    for clicked, position in zip(way, positions, strict=True):
        assert metres_between(clicked, position) < 1.5 * metres_per_pixel(map_view)
    assert map_view.tool == "select"


def test_enter_does_not_overtake_the_click_before_it(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.start_drawing_track()
    hand.click(CORNERS[0])
    hand.click(CORNERS[1])
    last = hand.at(CORNERS[2])
    with qtbot.waitSignal(map_view.track_drawn) as drawn:
        # The key arrives first, as on a busy machine.
        map_view.outbox.put("drawing_finish", clicks=map_view._clicks + 1)
        QTest.qWait(100)
        hand.click(last)
    assert len(drawn.args[0]) == 3
    assert metres_between(CORNERS[2], drawn.args[0][-1]) < 1.5 * metres_per_pixel(map_view)


def test_enter_does_not_wait_long_for_a_click_that_does_not_come(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    for _ in range(2):
        map_view._clicks += 1
        map_view.start_drawing_track()
        for corner in CORNERS[:2]:
            hand.click(corner)
        with qtbot.waitSignal(map_view.track_drawn) as drawn:
            hand.press(Qt.Key.Key_Return)
        assert len(drawn.args[0]) == 2


def test_a_second_click_ends_a_track_and_escape_gives_it_up(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.start_drawing_track()
    hand.click(CORNERS[0])
    hand.click(CORNERS[2])
    with qtbot.waitSignal(map_view.track_drawn) as drawn:
        hand.click(CORNERS[2])
    (positions,) = drawn.args
    assert len(positions) == 2
    map_view.start_drawing_track()
    hand.click(CORNERS[0])
    hand.click(CORNERS[1])
    hand.at(CENTRE)
    with qtbot.waitSignal(map_view.tool_changed), qtbot.assertNotEmitted(map_view.track_drawn):
        hand.press(Qt.Key.Key_Escape)
