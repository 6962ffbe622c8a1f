"""Selecting, moving and reshaping with the mouse. The window decides about the result."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.desktop.map import MapCircle, MapFence, MapPolygon, MapView
from tests.desktop.map.hand import Hand, metres_between, metres_per_pixel

CENTRE = (14.5, 46.05)
CIRCLE = MapFence("circle", "Store 12", "#E69F00", True, MapCircle(*CENTRE, 300.0))
A, B, C, D = (14.496, 46.048), (14.504, 46.048), (14.504, 46.052), (14.496, 46.052)
POLYGON = MapFence("polygon", "Yard", "#0072B2", True, MapPolygon((A, B, C, D, A)))
EAST_EDGE = (14.5 + 300.0 / (111_195.0 * 0.69403), 46.05)
"""Position of the resize handle, east of the centre. The factor is the cosine of the latitude."""


def test_a_click_reports_the_fence_that_it_hit(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([POLYGON])
    with qtbot.waitSignal(map_view.fence_clicked) as clicked:
        hand.click(CENTRE)
    assert clicked.args == ["polygon"]


def test_of_fences_above_one_another_the_smallest_is_hit(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    small = MapFence("small", "", "#009E73", True, MapCircle(*CENTRE, 60.0))
    map_view.set_fences([small, POLYGON, CIRCLE])
    with qtbot.waitSignal(map_view.fence_clicked) as clicked:
        hand.click(CENTRE)
    assert clicked.args == ["small"]


def test_a_click_beside_every_fence_reports_its_position(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([CIRCLE])
    place = (14.51, 46.055)
    with qtbot.waitSignal(map_view.map_clicked) as clicked:
        hand.click(place)
    assert metres_between(place, (clicked.args[0], clicked.args[1])) < 1.5 * metres_per_pixel(map_view)


def test_a_circle_is_moved_by_its_centre(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([CIRCLE])
    map_view.select_fence("circle")
    target = (14.503, 46.052)
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        hand.drag(CENTRE, target)
    fence_id, shape = edited.args
    assert fence_id == "circle"
    assert isinstance(shape, MapCircle)
    assert metres_between(target, (shape.longitude, shape.latitude)) < 2 * metres_per_pixel(map_view)
    assert shape.radius_m == 300.0


def test_a_circle_is_resized_by_its_handle(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([CIRCLE])
    map_view.select_fence("circle")
    target = (14.507, 46.05)
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        hand.drag(EAST_EDGE, target)
    shape = edited.args[1]
    assert isinstance(shape, MapCircle)
    assert (shape.longitude, shape.latitude) == CENTRE
    assert shape.radius_m == pytest.approx(metres_between(CENTRE, target), abs=2.5 * metres_per_pixel(map_view))


def test_the_edit_tool_moves_a_fence_by_its_body(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([POLYGON])
    map_view.select_fence("polygon")
    map_view.edit_tool()
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        hand.drag((14.5, 46.051), (14.502, 46.0525))
    ring = edited.args[1].ring
    pixel = metres_per_pixel(map_view)
    for before, after in zip((A, B, C, D), ring, strict=False):
        assert metres_between((before[0] + 0.002, before[1] + 0.0015), after) < 2.5 * pixel


def test_the_select_tool_moves_the_map_instead(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([POLYGON])
    map_view.select_fence("polygon")
    hand.at(CENTRE)
    before = map_view.center()
    with qtbot.assertNotEmitted(map_view.fence_edited):
        hand.drag((14.5, 46.051), (14.504, 46.051))
        qtbot.waitUntil(lambda: map_view.center() != before)
    assert map_view.center()[0] < before[0]


def test_a_corner_is_dragged(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([POLYGON])
    map_view.select_fence("polygon")
    target = (14.508, 46.054)
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        hand.drag(C, target)
    ring = edited.args[1].ring
    assert metres_between(target, ring[2]) < 2 * metres_per_pixel(map_view)
    assert (ring[0], ring[1], ring[3], ring[4]) == (A, B, D, A)


def test_a_new_corner_is_pulled_out_of_an_edge_and_reported_once(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([POLYGON])
    map_view.select_fence("polygon")
    reported: list[MapPolygon] = []
    map_view.fence_edited.connect(lambda _, shape: reported.append(shape))
    target = (14.508, 46.05)
    with qtbot.waitSignal(map_view.fence_edited):
        hand.drag((14.504, 46.05), target)
    hand.settle()
    assert len(reported) == 1
    assert len(reported[0].ring) == 6
    assert metres_between(target, reported[0].ring[2]) < 2 * metres_per_pixel(map_view)


def test_an_outline_that_crosses_itself_springs_back(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([POLYGON])
    map_view.select_fence("polygon")
    with qtbot.assertNotEmitted(map_view.fence_edited):
        hand.drag(C, (14.494, 46.049))
        hand.settle()
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        hand.drag(C, (14.505, 46.053))
    assert edited.args[1].ring[0] == A


def test_an_accepted_edit_can_be_followed_by_another(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([CIRCLE])
    map_view.select_fence("circle")
    map_view.fence_edited.connect(
        lambda fence_id, shape: map_view.update_fences([MapFence(fence_id, "", "#E69F00", True, shape)])
    )
    second, third = (14.502, 46.051), (14.498, 46.049)
    for start, end in ((CENTRE, second), (second, third)):
        with qtbot.waitSignal(map_view.fence_edited) as edited:
            hand.drag(start, end)
    shape = edited.args[1]
    assert metres_between(third, (shape.longitude, shape.latitude)) < 2 * metres_per_pixel(map_view)


def test_a_refused_edit_is_taken_back(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([CIRCLE])
    map_view.select_fence("circle")
    inside, outside = (14.498, 46.051), (14.508, 46.051)
    filled, empty = hand.color_at(inside), hand.color_at(outside)
    assert filled != empty
    with qtbot.waitSignal(map_view.fence_edited):
        hand.drag(CENTRE, (14.51, 46.05))
    assert (hand.color_at(inside), hand.color_at(outside)) == (empty, filled)
    map_view.update_fences([CIRCLE])
    assert (hand.color_at(inside), hand.color_at(outside)) == (filled, empty)
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        hand.drag(CENTRE, (14.5, 46.051))
    assert edited.args[1].longitude == pytest.approx(14.5, abs=1e-4)


def test_delete_requests_deletion_of_the_selected_fence(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([CIRCLE, POLYGON])
    map_view.select_fence("polygon")
    with qtbot.waitSignal(map_view.fence_delete_requested) as blocker:
        hand.press(Qt.Key.Key_Delete)
    assert blocker.args == ["polygon"]


def test_a_removed_fence_has_no_handles_and_no_delete(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([CIRCLE])
    map_view.select_fence("circle")
    map_view.update_fences(removed=["circle"])
    with qtbot.assertNotEmitted(map_view.fence_delete_requested):
        hand.press(Qt.Key.Key_Delete)
    with qtbot.waitSignal(map_view.map_clicked):
        hand.click(CENTRE)


def test_a_fence_across_180_degrees_is_edited_in_one_piece(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    a, b, c = (179.95, -17.05), (-179.95, -17.05), (-179.95, -16.95)
    map_view.show_point(180.0, -17.0, zoom=11)
    map_view.set_fences([MapFence("fiji", "", "#CC79A7", True, MapPolygon((a, b, c, a)))])
    map_view.select_fence("fiji")
    target = (-179.9, -16.9)
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        hand.drag(c, target)
    ring = edited.args[1].ring
    assert ring[:2] == (a, b)
    assert metres_between(target, ring[2]) < 2 * metres_per_pixel(map_view)
