"""Editing polygons with holes and several parts, with the mouse and the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.map import MapFence, MapPolygon, MapView, Position
from engine.domain.geometry import Part, Ring
from tests.desktop.map.hand import Hand, metres_between, metres_per_pixel

CENTRE: Position = (14.5, 46.05)
Key = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier


def box(west: float, south: float, east: float, north: float) -> tuple[Position, ...]:
    return ((west, south), (east, south), (east, north), (west, north), (west, south))


PARK = box(14.492, 46.046, 14.502, 46.054)
LAKE = box(14.495, 46.048, 14.499, 46.052)
ANNEX = box(14.505, 46.047, 14.510, 46.053)
POND = box(14.507, 46.049, 14.509, 46.051)
HOLED = MapFence("park", "Park", "#0072B2", True, MapPolygon(PARK, (LAKE,)))
WHOLE = MapFence("park", "Park", "#0072B2", True, MapPolygon(PARK, (LAKE,), (Part(ANNEX, (POND,)),)))


def shown(shape: MapPolygon) -> list[list[Position]]:
    """Return the rings of a shape in the order of `Polygon.rings`."""
    rings: list[Ring] = []
    for part in shape.parts:
        rings += [part.ring, *part.holes]
    return [list(ring) for ring in rings]


def drag_holding(hand: Hand, keys: Qt.KeyboardModifier, start: Position, end: Position) -> None:
    """Drag with a key held down."""
    target, first, last = hand._target(), hand.at(start), hand.at(end)
    none, left = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
    steps = [(QEvent.Type.MouseMove, first, none, none), (QEvent.Type.MouseButtonPress, first, left, left)]
    steps += [(QEvent.Type.MouseMove, first + (last - first) * step / 5, none, left) for step in range(1, 6)]
    steps += [(QEvent.Type.MouseButtonRelease, last, left, none)]
    for kind, at, button, down in steps:
        place = QPointF(at)
        QApplication.sendEvent(target, QMouseEvent(kind, place, target.mapToGlobal(place), button, down, keys))


@pytest.fixture
def whole(map_view: MapView, hand: Hand) -> MapView:
    """The map with a selected geofence of two parts, each with a hole."""
    map_view.set_fences([WHOLE])
    map_view.select_fence("park")
    hand.settle()
    return map_view


@pytest.mark.parametrize(
    ("number", "vertex", "target"),
    [
        (0, 3, (14.491, 46.0555)),
        (1, 2, (14.5, 46.053)),
        (2, 1, (14.511, 46.0465)),
        (3, 0, (14.5065, 46.0485)),
    ],
)
def test_a_vertex_of_each_ring_is_dragged(
    qtbot: QtBot, whole: MapView, hand: Hand, number: int, vertex: int, target: Position
) -> None:
    before = shown(WHOLE.shape)  # type: ignore[arg-type]
    with qtbot.waitSignal(whole.fence_edited) as edited:
        hand.drag(before[number][vertex], target)
    after = shown(edited.args[1])
    assert metres_between(target, after[number][vertex]) < 2 * metres_per_pixel(whole)
    expected = [list(ring) for ring in before]
    expected[number][vertex] = after[number][vertex]
    expected[number][-1] = expected[number][0]
    assert after == expected


def test_a_new_vertex_is_pulled_out_of_the_edge_of_a_hole(qtbot: QtBot, whole: MapView, hand: Hand) -> None:
    with qtbot.waitSignal(whole.fence_edited) as edited:
        hand.drag((14.497, 46.048), (14.497, 46.0472))
    shape = edited.args[1]
    assert [len(ring) for ring in shown(shape)] == [5, 6, 5, 5]
    assert shape.ring == PARK


def test_a_right_click_removes_a_vertex_of_a_hole_and_at_last_the_hole(
    qtbot: QtBot, whole: MapView, hand: Hand
) -> None:
    sizes: list[list[int]] = []
    whole.fence_edited.connect(lambda _, shape: sizes.append([len(ring) for ring in shown(shape)]))
    for count, corner in enumerate((LAKE[0], LAKE[1]), 1):
        QTest.mouseMove(hand._target(), hand.at(corner))
        QTest.mouseClick(hand._target(), Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, hand.at(corner))
        qtbot.waitUntil(lambda count=count: len(sizes) == count)  # type: ignore[misc]
    assert sizes == [[5, 4, 5, 5], [5, 5, 5]]


@pytest.mark.parametrize(
    ("start", "end", "reason"),
    [
        (LAKE[2], (14.503, 46.0555), "A hole must not cross"),
        (PARK[2], (14.497, 46.050), "A hole must not cross"),
        (ANNEX[0], (14.501, 46.050), "Parts must not overlap"),
        (POND[0], (14.5095, 46.0495), "cross itself"),
    ],
)
def test_a_shape_with_a_fault_springs_back(
    qtbot: QtBot, whole: MapView, hand: Hand, start: Position, end: Position, reason: str
) -> None:
    messages: list[str] = []
    whole.announced.connect(messages.append)
    with qtbot.assertNotEmitted(whole.fence_edited):
        hand.drag(start, end)
        qtbot.waitUntil(lambda: any(reason in text for text in messages))
    with qtbot.waitSignal(whole.fence_edited) as edited:
        hand.drag(start, (start[0] + 0.0006, start[1] + 0.0004))
    qtbot.waitUntil(lambda: not messages[-1])
    changed = [ring for ring, before in zip(shown(edited.args[1]), shown(WHOLE.shape), strict=True) if ring != before]  # type: ignore[arg-type]
    assert len(changed) == 1


def test_the_edit_tool_moves_all_rings(qtbot: QtBot, whole: MapView, hand: Hand) -> None:
    whole.edit_tool()
    with qtbot.waitSignal(whole.fence_edited) as edited:
        hand.drag((14.4935, 46.05), (14.4945, 46.0508))
    for ring, before in zip(shown(edited.args[1]), shown(WHOLE.shape), strict=True):  # type: ignore[arg-type]
        for old, new in zip(before, ring, strict=True):
            assert metres_between((old[0] + 0.001, old[1] + 0.0008), new) < 2.5 * metres_per_pixel(whole)


@pytest.mark.parametrize("tool", ["edit", "edit_part"])
def test_one_part_moves_with_its_holes(qtbot: QtBot, whole: MapView, hand: Hand, tool: str) -> None:
    start, end = (14.506, 46.05), (14.507, 46.0508)
    with qtbot.waitSignal(whole.fence_edited) as edited:
        if tool == "edit":
            whole.edit_tool()
            drag_holding(hand, Qt.KeyboardModifier.ControlModifier, start, end)
        else:
            whole.edit_part_tool()
            hand.drag(start, end)
    after = shown(edited.args[1])
    assert after[:2] == [list(PARK), list(LAKE)]
    for before, ring in zip((ANNEX, POND), after[2:], strict=True):
        for old, new in zip(before, ring, strict=True):
            assert metres_between((old[0] + 0.001, old[1] + 0.0008), new) < 2.5 * metres_per_pixel(whole)


def test_a_part_that_is_moved_over_another_returns(qtbot: QtBot, whole: MapView, hand: Hand) -> None:
    whole.edit_part_tool()
    with qtbot.assertNotEmitted(whole.fence_edited):
        hand.drag((14.506, 46.05), (14.5, 46.05))
        hand.settle()
    with qtbot.waitSignal(whole.fence_edited) as edited:
        hand.drag((14.506, 46.05), (14.5066, 46.05))
    assert shown(edited.args[1])[:2] == [list(PARK), list(LAKE)]


def draw(hand: Hand, corners: tuple[Position, ...]) -> None:
    for corner in corners:
        hand.put_vertex(corner)


def test_a_hole_is_drawn(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([MapFence("park", "", "#0072B2", True, MapPolygon(PARK))])
    map_view.select_fence("park")
    map_view.start_drawing_hole()
    with qtbot.waitSignal(map_view.hole_drawn) as drawn:
        draw(hand, LAKE)
    fence_id, ring = drawn.args
    assert fence_id == "park"
    assert len(ring) == 5
    for wanted, corner in zip(LAKE, ring, strict=True):
        assert metres_between(wanted, corner) < 2 * metres_per_pixel(map_view)
    assert map_view.tool == "select"


def test_a_hole_outside_cannot_be_finished_and_keeps_its_vertices(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    messages: list[str] = []
    map_view.announced.connect(messages.append)
    map_view.set_fences([MapFence("park", "", "#0072B2", True, MapPolygon(PARK))])
    map_view.select_fence("park")
    map_view.start_drawing_hole()
    outside = (14.504, 46.052)
    with qtbot.assertNotEmitted(map_view.hole_drawn):
        draw(hand, (*LAKE[:2], outside))
        hand.press(Key.Key_Return)
        qtbot.waitUntil(lambda: bool(messages) and messages[-1] == "A hole must be inside the geofence")
    with qtbot.waitSignal(map_view.hole_drawn) as drawn:
        hand.press(Key.Key_Backspace)
        draw(hand, (LAKE[2],))
        hand.press(Key.Key_Return)
    assert len(drawn.args[1]) == 4


def test_a_hole_that_bulges_out_of_a_notch_cannot_be_finished(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    notched = ((14.492, 46.046), (14.508, 46.046), (14.508, 46.054), (14.5, 46.048), (14.492, 46.054), (14.492, 46.046))
    map_view.set_fences([MapFence("park", "", "#0072B2", True, MapPolygon(notched))])
    map_view.select_fence("park")
    map_view.start_drawing_hole()
    with qtbot.assertNotEmitted(map_view.hole_drawn):
        draw(hand, ((14.494, 46.047), (14.506, 46.047), (14.506, 46.051), (14.494, 46.051)))
        hand.press(Key.Key_Return)
        hand.settle()
    assert map_view.tool == "hole"


def test_a_part_is_drawn_anywhere(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([HOLED])
    map_view.select_fence("park")
    map_view.start_drawing_part()
    with qtbot.waitSignal(map_view.part_drawn) as drawn:
        draw(hand, ANNEX)
    assert drawn.args[0] == "park"
    assert len(drawn.args[1]) == 5


def test_keys_reach_the_vertices_of_every_ring(qtbot: QtBot, whole: MapView, hand: Hand) -> None:
    messages: list[str] = []
    whole.announced.connect(messages.append)

    def press(*keys: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        for key in keys:
            QTest.keyClick(hand._target(), key, held)
        hand.at(CENTRE)

    def expect(text: str) -> None:
        qtbot.waitUntil(lambda: bool(messages) and text in messages[-1])

    with qtbot.waitSignal(whole.ring_chosen) as chosen:
        press(Key.Key_Return)
    expect("Part 1: Vertex 1 of 4")
    assert chosen.args == ["park", 0]
    with qtbot.waitSignal(whole.ring_chosen) as chosen:
        press(Key.Key_Backtab)
    expect("Part 2, hole 1: Vertex 4 of 4")
    assert chosen.args == ["park", 3]
    press(Key.Key_PageDown, Key.Key_PageDown)
    expect("Part 1, hole 1: Vertex 1 of 4")
    with qtbot.waitSignal(whole.fence_edited) as edited:
        press(Key.Key_Left, held=SHIFT)
    assert shown(edited.args[1])[1][0][0] < LAKE[0][0]
    assert shown(edited.args[1])[0] == list(PARK)
    with qtbot.waitSignal(whole.fence_edited) as edited:
        press(Key.Key_Insert)
    assert [len(ring) for ring in shown(edited.args[1])] == [5, 6, 5, 5]
    press(Key.Key_Delete, Key.Key_Delete)
    expect("Part 1, hole 1: Vertex")
    with qtbot.waitSignal(whole.fence_edited) as edited:
        press(Key.Key_Delete)
    expect("Removed Part 1, hole 1.")
    assert [len(ring) for ring in shown(edited.args[1])] == [5, 5, 5]


def test_keys_move_a_part(qtbot: QtBot, whole: MapView, hand: Hand) -> None:
    messages: list[str] = []
    whole.announced.connect(messages.append)
    whole.edit_part_tool()
    QTest.keyClick(hand._target(), Key.Key_Tab)
    qtbot.waitUntil(lambda: bool(messages) and "Part 1: First vertex" in messages[-1])
    QTest.keyClick(hand._target(), Key.Key_Tab)
    qtbot.waitUntil(lambda: "Part 2: First vertex" in messages[-1])
    with qtbot.waitSignal(whole.fence_edited) as edited:
        QTest.keyClick(hand._target(), Key.Key_Right, SHIFT)
    after = shown(edited.args[1])
    assert after[:2] == [list(PARK), list(LAKE)]
    assert all(
        new[0] > old[0]
        for ring, before in zip(after[2:], (ANNEX, POND), strict=True)
        for new, old in zip(ring, before, strict=True)
    )


def test_the_vertex_stays_chosen_if_the_window_sorts_the_parts(qtbot: QtBot, whole: MapView, hand: Hand) -> None:
    messages: list[str] = []
    whole.announced.connect(messages.append)
    QTest.keyClick(hand._target(), Key.Key_Return)
    hand.at(CENTRE)
    QTest.keyClick(hand._target(), Key.Key_PageUp)
    qtbot.waitUntil(lambda: bool(messages) and "Part 2, hole 1: Vertex 1" in messages[-1])
    sorted_other = MapPolygon(ANNEX, (POND,), (Part(PARK, (LAKE,)),))
    whole.update_fences([MapFence("park", "Park", "#0072B2", True, sorted_other)])
    hand.at(CENTRE)
    QTest.keyClick(hand._target(), Key.Key_Tab)
    qtbot.waitUntil(lambda: "Part 1, hole 1: Vertex 2" in messages[-1])


def test_a_ring_is_marked(whole: MapView, hand: Hand) -> None:
    edge = hand.at((14.497, 46.052))
    places = [edge + QPoint(step, 0) for step in range(6, 30)]
    hand.settle()
    before = [hand.picture().pixelColor(place) for place in places]
    whole.mark_ring("park", 1)
    marked = [hand.picture().pixelColor(place) for place in places]
    assert marked != before
    whole.mark_ring("park", None)
    assert [hand.picture().pixelColor(place) for place in places] == before


def test_parts_on_both_sides_of_180_degrees_are_edited_in_one_piece(
    qtbot: QtBot, map_view: MapView, hand: Hand
) -> None:
    west, east = box(179.9, -17.1, 180.0, -16.9), box(-180.0, -17.1, -179.9, -16.9)
    map_view.show_point(180.0, -17.0, zoom=10)
    map_view.set_fences([MapFence("fiji", "", "#CC79A7", True, MapPolygon(west, (), (Part(east),)))])
    map_view.select_fence("fiji")
    target = (-179.85, -16.85)
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        hand.drag((-179.9, -16.9), target)
    shape = edited.args[1]
    assert [(abs(x), y) for x, y in shape.ring] == [(abs(x), y) for x, y in west]
    (other,) = shape.others
    assert metres_between(target, other.ring[2]) < 2 * metres_per_pixel(map_view)
