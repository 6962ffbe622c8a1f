"""Panning, drawing and reshaping with the keyboard alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.desktop.map import MapCircle, MapFence, MapIsochrone, MapPolygon, MapView, Position
from tests.desktop.map.hand import Hand, metres_between, metres_per_pixel

CENTRE: Position = (14.5, 46.05)
CIRCLE = MapFence("circle", "", "#009E73", True, MapCircle(*CENTRE, 200.0))
RING = ((14.496, 46.048), (14.504, 46.048), (14.504, 46.052), (14.496, 46.052), (14.496, 46.048))
POLYGON = MapFence("polygon", "", "#0072B2", True, MapPolygon(RING))
Key = Qt.Key
PLAIN, SHIFT, CONTROL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)


class Keyboard:
    """A user without a mouse, and the messages that they hear."""

    def __init__(self, qtbot: QtBot, view: MapView, hand: Hand) -> None:
        self._qtbot, self._view, self._hand = qtbot, view, hand
        self.announcements: list[str] = []
        view.announced.connect(self.announcements.append)

    def press(self, *keys: Qt.Key, held: Qt.KeyboardModifier = PLAIN) -> None:
        """Press keys one after another, on the map."""
        target = self._view.render_widget()
        assert target is not None
        for key in keys:
            QTest.keyClick(target, key, held)
        self._hand.at(CENTRE)

    def until_announced(self, text: str) -> None:
        """Wait until a text is announced."""
        self._qtbot.waitUntil(lambda: bool(self.announcements) and text in self.announcements[-1])


@pytest.fixture
def keyboard(qtbot: QtBot, map_view: MapView, hand: Hand) -> Keyboard:
    hand.settle()
    return Keyboard(qtbot, map_view, hand)


@pytest.mark.parametrize("held", [PLAIN, CONTROL], ids=["plain", "ctrl"])
def test_arrows_pan_the_map(qtbot: QtBot, map_view: MapView, keyboard: Keyboard, held: Qt.KeyboardModifier) -> None:
    pixel = metres_per_pixel(map_view)
    for key, far, east, north in (
        (Key.Key_Right, PLAIN, 80, 0),
        (Key.Key_Up, PLAIN, 0, 60),
        (Key.Key_Left, SHIFT, -400, 0),
        (Key.Key_Down, SHIFT, 0, -300),
    ):
        before = map_view.center()
        with qtbot.waitSignal(map_view.camera_changed):
            keyboard.press(key, held=held | far)
        after = map_view.center()
        assert metres_between(before, after) == pytest.approx(pixel * max(abs(east), abs(north)), rel=0.02)
        (moved_east, moved_north) = after[0] - before[0], after[1] - before[1]
        assert (moved_east * east > 0) if east else (moved_north * north > 0)


def test_plus_and_minus_zoom(qtbot: QtBot, map_view: MapView, keyboard: Keyboard) -> None:
    before = map_view.zoom()
    for key, zoom in ((Key.Key_Plus, before + 1), (Key.Key_Equal, before + 2), (Key.Key_Minus, before + 1)):
        with qtbot.waitSignal(map_view.camera_changed):
            keyboard.press(key)
        assert map_view.zoom() == zoom


def test_a_circle_is_drawn(qtbot: QtBot, map_view: MapView, keyboard: Keyboard) -> None:
    pixel = metres_per_pixel(map_view)
    map_view.start_drawing_circle()
    keyboard.press(Key.Key_Right)
    keyboard.until_announced("46.05000, 14.50")
    keyboard.press(Key.Key_Space)
    keyboard.until_announced("Placed at")
    with qtbot.waitSignal(map_view.circle_drawn) as drawn:
        keyboard.press(Key.Key_Right, held=SHIFT)
        keyboard.press(Key.Key_Right, Key.Key_Right, Key.Key_Return)
    circle = drawn.args[0]
    assert metres_between(CENTRE, (circle.longitude, circle.latitude)) == pytest.approx(10 * pixel, abs=1.5 * pixel)
    assert circle.radius_m == pytest.approx(80 * pixel, abs=2.5 * pixel)
    assert map_view.tool == "select"
    qtbot.waitUntil(lambda: keyboard.announcements[-1] == "")


def test_a_polygon_is_drawn_and_its_last_vertex_taken_back(qtbot: QtBot, map_view: MapView, keyboard: Keyboard) -> None:
    pixel = metres_per_pixel(map_view)
    map_view.start_drawing_polygon()
    # The first Space shows the crosshair.
    keyboard.press(Key.Key_Space, Key.Key_Space)
    keyboard.press(Key.Key_Right, held=SHIFT)
    keyboard.press(Key.Key_Space)
    keyboard.press(Key.Key_Down, held=SHIFT)
    keyboard.press(Key.Key_Space)
    keyboard.press(Key.Key_Left, held=SHIFT)
    keyboard.press(Key.Key_Space, Key.Key_Backspace)
    with qtbot.waitSignal(map_view.polygon_drawn) as drawn:
        keyboard.press(Key.Key_Return)
    ring = drawn.args[0].ring
    assert len(ring) == 4
    assert metres_between(ring[0], CENTRE) < 1.5 * pixel
    assert metres_between(ring[0], ring[1]) == pytest.approx(60 * pixel, abs=2 * pixel)
    assert ring[2][1] < ring[1][1]


def test_space_on_the_first_vertex_finishes_a_polygon(qtbot: QtBot, map_view: MapView, keyboard: Keyboard) -> None:
    map_view.start_drawing_polygon()
    keyboard.press(Key.Key_Space, Key.Key_Space)
    for key in (Key.Key_Right, Key.Key_Down):
        keyboard.press(key, held=SHIFT)
        keyboard.press(Key.Key_Space)
    keyboard.press(Key.Key_Left, Key.Key_Up, held=SHIFT)
    with qtbot.waitSignal(map_view.polygon_drawn) as drawn:
        keyboard.press(Key.Key_Space)
    assert len(drawn.args[0].ring) == 4


def test_the_crosshair_takes_the_map_along(qtbot: QtBot, map_view: MapView, keyboard: Keyboard) -> None:
    map_view.start_drawing_circle()
    before = map_view.center()
    keyboard.press(*[Key.Key_Right] * 8, held=SHIFT)
    qtbot.waitUntil(lambda: map_view.center()[0] > before[0])


def test_escape_ends_drawing_and_the_mouse_takes_over(
    qtbot: QtBot, map_view: MapView, hand: Hand, keyboard: Keyboard
) -> None:
    map_view.start_drawing_polygon()
    keyboard.press(Key.Key_Space)
    keyboard.until_announced("46.05000, 14.50000")
    hand.move((14.502, 46.051))
    qtbot.waitUntil(lambda: keyboard.announcements[-1] == "")
    keyboard.press(Key.Key_Space, Key.Key_Space)
    keyboard.press(Key.Key_Escape)
    qtbot.waitUntil(lambda: keyboard.announcements[-1] == "")
    assert map_view.tool == "select"


@pytest.mark.parametrize("tool", ["beacon", "isochrone", "waypoint"])
def test_a_place_is_chosen(qtbot: QtBot, map_view: MapView, keyboard: Keyboard, tool: str) -> None:
    start, signal = {
        "beacon": (map_view.beacon_tool, map_view.beacon_placed),
        "isochrone": (map_view.isochrone_tool, map_view.destination_chosen),
        "waypoint": (map_view.waypoint_tool, map_view.waypoint_chosen),
    }[tool]
    start()
    with qtbot.waitSignal(signal) as chosen:
        keyboard.press(Key.Key_Up, Key.Key_Space)
    assert metres_between((chosen.args[0], chosen.args[1]), CENTRE) == pytest.approx(
        10 * metres_per_pixel(map_view), rel=0.2
    )


def test_a_lasso_is_drawn(qtbot: QtBot, map_view: MapView, keyboard: Keyboard) -> None:
    map_view.set_fences([CIRCLE])
    map_view.lasso_tool()
    keyboard.press(Key.Key_Left, Key.Key_Up, held=SHIFT)
    keyboard.press(Key.Key_Space)
    for key in (Key.Key_Right, Key.Key_Down, Key.Key_Left):
        keyboard.press(key, key, held=SHIFT)
    with qtbot.waitSignal(map_view.fences_caught) as caught:
        keyboard.press(Key.Key_Space)
    assert caught.args == [("circle",), False]


def test_a_vertex_is_chosen_and_moved_once(qtbot: QtBot, map_view: MapView, keyboard: Keyboard) -> None:
    map_view.set_fences([POLYGON])
    map_view.select_fence("polygon")
    keyboard.press(Key.Key_Return)
    keyboard.until_announced("Vertex 1 of 4 at 46.04800, 14.49600")
    keyboard.press(Key.Key_Backtab)
    keyboard.until_announced("Vertex 4 of 4")
    keyboard.press(Key.Key_Tab, Key.Key_Tab)
    keyboard.until_announced("Vertex 2 of 4")
    edits: list[MapPolygon] = []
    map_view.fence_edited.connect(lambda _, shape: edits.append(shape))
    keyboard.press(Key.Key_Right, Key.Key_Right, Key.Key_Right)
    keyboard.press(Key.Key_Right, held=SHIFT)
    keyboard.press(Key.Key_Tab)
    qtbot.waitUntil(lambda: bool(edits))
    (shape,) = edits
    moved = metres_between(RING[1], shape.ring[1])
    assert moved == pytest.approx(13 * metres_per_pixel(map_view), rel=0.05)
    assert [shape.ring[at] for at in (0, 2, 3)] == [RING[at] for at in (0, 2, 3)]
    # The window's response keeps the vertex selected.
    map_view.update_fences([MapFence("polygon", "", "#0072B2", True, shape)])
    keyboard.press(Key.Key_Tab)
    keyboard.until_announced("Vertex 4 of 4")
    keyboard.press(Key.Key_Up)
    qtbot.waitUntil(lambda: len(edits) == 2)
    assert edits[1].ring[3][1] > RING[3][1]


def test_a_vertex_is_added_and_removed(qtbot: QtBot, map_view: MapView, keyboard: Keyboard) -> None:
    map_view.set_fences([POLYGON])
    map_view.select_fence("polygon")
    keyboard.press(Key.Key_Return)
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        keyboard.press(Key.Key_Insert)
    keyboard.until_announced("Added. Vertex 2 of 5 at 46.04800, 14.50000")
    assert len(edited.args[1].ring) == 6
    with qtbot.waitSignal(map_view.fence_edited) as edited, qtbot.assertNotEmitted(map_view.fence_delete_requested):
        keyboard.press(Key.Key_Delete, Key.Key_Delete)
    keyboard.until_announced("of 3")
    keyboard.press(Key.Key_Delete)
    keyboard.until_announced("at least 3")
    keyboard.press(Key.Key_Escape)
    qtbot.waitUntil(lambda: keyboard.announcements[-1] == "")
    with qtbot.waitSignal(map_view.fence_delete_requested):
        keyboard.press(Key.Key_Delete)


def test_an_outline_does_not_cross_itself(qtbot: QtBot, map_view: MapView, keyboard: Keyboard) -> None:
    map_view.set_fences([POLYGON])
    map_view.select_fence("polygon")
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        keyboard.press(Key.Key_Return)
        keyboard.press(*[Key.Key_Right] * 25, held=SHIFT)
        keyboard.until_announced("cross itself")
    assert edited.args[1].ring[0][0] < RING[1][0]


def test_a_circle_is_moved_and_resized(qtbot: QtBot, map_view: MapView, keyboard: Keyboard) -> None:
    map_view.set_fences([CIRCLE])
    map_view.select_fence("circle")
    keyboard.press(Key.Key_Return)
    keyboard.until_announced("Centre at 46.05000, 14.50000")
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        keyboard.press(Key.Key_Up, held=SHIFT)
    assert edited.args[1].latitude > CENTRE[1]
    assert edited.args[1].radius_m == pytest.approx(200.0)
    keyboard.press(Key.Key_Tab)
    keyboard.until_announced("Radius 200 m")
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        keyboard.press(Key.Key_Right, held=SHIFT)
    assert edited.args[1].radius_m == pytest.approx(200 + 10 * metres_per_pixel(map_view), rel=0.02)
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        keyboard.press(*[Key.Key_Down] * 30, held=SHIFT)
    assert edited.args[1].radius_m == 10.0


@pytest.mark.parametrize("fence", [CIRCLE, POLYGON], ids=["circle", "polygon"])
def test_the_move_tool_moves_the_whole(qtbot: QtBot, map_view: MapView, keyboard: Keyboard, fence: MapFence) -> None:
    map_view.set_fences([fence])
    map_view.select_fence(fence.id)
    map_view.edit_tool()
    with qtbot.waitSignal(map_view.fence_edited) as edited:
        keyboard.press(Key.Key_Left, Key.Key_Left, held=SHIFT)
    shape = edited.args[1]
    if isinstance(shape, MapPolygon):
        east = [a[0] - b[0] for a, b in zip(shape.ring, RING, strict=True)]
        assert max(east) < 0
        assert max(east) == pytest.approx(min(east))
    else:
        assert shape.longitude < CENTRE[0]
        assert shape.radius_m == pytest.approx(200.0)
    keyboard.press(Key.Key_Escape)
    assert map_view.tool == "select"


def test_a_destination_is_moved(qtbot: QtBot, map_view: MapView, keyboard: Keyboard) -> None:
    map_view.set_fences(
        [MapFence("way", "", "#0072B2", True, MapIsochrone(RING, longitude=CENTRE[0], latitude=CENTRE[1]))]
    )
    map_view.select_fence("way")
    keyboard.press(Key.Key_Return)
    keyboard.until_announced("Destination at")
    with qtbot.waitSignal(map_view.destination_moved, check_params_cb=lambda *args: args[3]) as moved:
        keyboard.press(Key.Key_Right)
    assert moved.args[1] > CENTRE[0]


def test_a_locked_fence_has_no_vertices_for_keys(qtbot: QtBot, map_view: MapView, keyboard: Keyboard) -> None:
    map_view.set_fences([MapFence("polygon", "", "#0072B2", True, MapPolygon(RING), locked=True)])
    map_view.select_fence("polygon")
    keyboard.press(Key.Key_Return)
    before = map_view.center()
    with qtbot.waitSignal(map_view.camera_changed):
        keyboard.press(Key.Key_Right)
    assert map_view.center()[0] > before[0]
