"""Polygons with holes and several parts: drawn, hit by the mouse and named by their interior."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.desktop.map import MapFence, MapPolygon, MapShape, MapView, Position
from app.desktop.shapes import map_polygon
from engine.geo.parts import check_polygon
from tests.desktop.map.hand import LEFT, Hand
from tests.desktop.map.test_policy import answer

VISIBLE = 40
"""Difference of a colour above rounding of translucent pixels."""

type Ring = tuple[Position, ...]

CENTRE = (14.5, 46.05)
LAND, LAKE, EXCLAVE, BESIDE = (14.4965, 46.0482), (14.5013, 46.0507), (14.511, 46.0507), (14.5078, 46.0507)
"""Positions next to every line of the grid: inside, in the hole, in the other part, and between the parts."""

NOTE_TEXTS = """
window.texts = {};
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const [left, top] = this.canvas._leaflet_pos ? [this.canvas._leaflet_pos.x, this.canvas._leaflet_pos.y] : [0, 0];
    window.texts[text] = [x + left, y + top];
    return write.call(this, text, x, y);
};
String(1);
"""


def box(west: float, south: float, east: float, north: float) -> Ring:
    return ((west, south), (east, south), (east, north), (west, north), (west, south))


def shape(*parts: tuple[Ring, ...]) -> MapPolygon:
    return map_polygon(check_polygon(parts))


WITH_LAKE = (box(14.494, 46.047, 14.506, 46.053), box(14.499, 46.049, 14.503, 46.0515))
DISTRICT = shape(WITH_LAKE, (box(14.509, 46.049, 14.513, 46.052),))

type Show = Callable[[MapView, MapFence], None]


def all_at_once(map_view: MapView, fence: MapFence) -> None:
    map_view.set_fences([fence])


def after_others(map_view: MapView, fence: MapFence) -> None:
    map_view.set_fences([])
    map_view.update_fences([fence])


BOTH_WAYS = pytest.mark.parametrize("show", [all_at_once, after_others])


def fence(of: MapShape, label: str = "", *, enabled: bool = True) -> MapFence:
    return MapFence("district", label, "#0072B2", enabled, of)


@BOTH_WAYS
def test_a_hole_is_not_filled_and_every_part_is(map_view: MapView, hand: Hand, show: Show) -> None:
    places = (LAND, LAKE, EXCLAVE, BESIDE)
    empty = [hand.color_at(each) for each in places]
    show(map_view, fence(DISTRICT))
    filled = [hand.color_at(each) for each in places]
    assert [before == after for before, after in zip(empty, filled, strict=True)] == [False, True, False, True]


@BOTH_WAYS
def test_every_ring_has_an_outline(map_view: MapView, hand: Hand, show: Show) -> None:
    edges = ((14.4965, 46.053), (14.5013, 46.049), (14.503, 46.0507), (14.511, 46.052))
    show(map_view, fence(DISTRICT))
    outlined = [hand.color_at(each) for each in edges]
    assert all(_is_like(each, outlined[0]) for each in outlined)
    assert not _is_like(outlined[0], hand.color_at(LAND))


@BOTH_WAYS
def test_a_click_in_a_hole_is_a_click_on_the_map(qtbot: QtBot, map_view: MapView, hand: Hand, show: Show) -> None:
    show(map_view, fence(DISTRICT))
    for place in (LAND, EXCLAVE):
        with qtbot.waitSignal(map_view.fence_clicked) as clicked:
            hand.click(place)
        assert clicked.args == ["district"]
    for place in (LAKE, BESIDE):
        with qtbot.assertNotEmitted(map_view.fence_clicked), qtbot.waitSignal(map_view.map_clicked):
            hand.click(place)


def test_a_fence_in_the_hole_of_another_is_hit(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    inner = MapFence("island", "", "#D55E00", True, shape((box(14.4995, 46.0493, 14.5027, 46.0512),)))
    map_view.set_fences([inner, fence(DISTRICT)])
    with qtbot.waitSignal(map_view.fence_clicked) as clicked:
        hand.click(LAKE)
    assert clicked.args == ["island"]


def test_a_part_inside_a_hole_is_filled(map_view: MapView, hand: Hand) -> None:
    empty = hand.color_at(LAKE)
    map_view.set_fences([fence(shape(WITH_LAKE, (box(14.5005, 46.0503, 14.502, 46.0511),)))])
    assert hand.color_at(LAKE) != empty


@BOTH_WAYS
def test_parts_that_meet_are_drawn_without_a_boundary(map_view: MapView, hand: Hand, show: Show) -> None:
    """The edge that they have in common is cut at different vertices, as in files of other programs."""
    seam = 14.5008
    west = (box(14.494, 46.047, seam, 46.053),)
    east = (
        (
            (seam, 46.047),
            (14.507, 46.047),
            (14.507, 46.053),
            (seam, 46.053),
            (seam, 46.0511),
            (seam, 46.0489),
            (seam, 46.047),
        ),
    )
    show(map_view, fence(shape((box(14.494, 46.047, 14.507, 46.053),))))
    single = hand.picture()
    show(map_view, fence(shape(west, east)))
    assert _differing(hand.picture(), single) == 0
    for meeting in (west, east):
        show(map_view, fence(shape(meeting)))
        assert _differing(hand.picture(), single) > 1_000


@pytest.mark.parametrize("zoom", [8, 12])
def test_a_polygon_cut_at_180_degrees_is_one(map_view: MapView, hand: Hand, zoom: int) -> None:
    map_view.show_point(180.0, 0.0, zoom=zoom)
    reach = 60 / 2**zoom * 1.5
    west, east = box(180 - reach, -reach, 180, reach), box(-180, -reach, -180 + 2 * reach, reach)
    whole = ((180 - reach, -reach), (-180 + 2 * reach, -reach), (-180 + 2 * reach, reach), (180 - reach, reach))
    map_view.set_fences([fence(shape(((*whole, whole[0]),)))])
    single = hand.picture()
    map_view.set_fences([fence(shape((west,), (east,)))])
    assert _differing(hand.picture(), single) == 0


def test_a_hole_and_a_part_beyond_180_degrees_are_near_the_largest(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    """The outer ring crosses ±180°, and its hole and the other part are on the other side of it."""
    outer = ((179.9, -0.1), (-179.9, -0.1), (-179.9, 0.1), (179.9, 0.1), (179.9, -0.1))
    map_view.set_fences([fence(shape((outer, box(-179.95, -0.05, -179.92, 0.05)), (box(-179.85, -0.1, -179.8, 0.1),)))])
    map_view.show_point(180.0, 0.0, zoom=10)
    for inside in ((179.95, 0.02), (-179.98, 0.02), (-179.91, 0.02), (-179.83, 0.02)):
        with qtbot.waitSignal(map_view.fence_clicked):
            hand.click(inside)
    for outside in ((-179.935, 0.02), (-179.875, 0.02)):
        with qtbot.assertNotEmitted(map_view.fence_clicked), qtbot.waitSignal(map_view.map_clicked):
            hand.click(outside)


def test_a_disabled_fence_is_hatched_outside_its_holes(map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([fence(DISTRICT, enabled=False)])
    seen = []
    for place in (LAND, LAKE, EXCLAVE):
        start = hand.at(place)
        hand.settle()
        image = map_view.grab().toImage()
        seen.append(len({image.pixelColor(start.x() + step, start.y()).name() for step in range(12)}))
    land, lake, exclave = seen
    assert land > 2
    assert exclave > 2
    assert lake == 1


def test_the_name_is_inside_the_largest_part_and_in_no_hole(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    """The middle of all is between the parts, and the middle of the largest part is in its hole."""
    hand.settle()
    answer(qtbot, map_view, NOTE_TEXTS)
    map_view.set_fences([fence(DISTRICT, "District")])
    hand.settle()
    x, y = json.loads(str(answer(qtbot, map_view, "JSON.stringify(window.texts)")))["District"]
    corner, lake = hand.at((14.494, 46.053)), hand.at((14.499, 46.0515))
    end, lake_end = hand.at((14.506, 46.047)), hand.at((14.503, 46.049))
    assert corner.x() < x < end.x()
    assert corner.y() < y < end.y()
    assert not (lake.x() < x < lake_end.x() and lake.y() < y < lake_end.y())


def test_a_rectangle_catches_a_fence_by_a_position_inside_it(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    """The middle of its bounding box is between its parts."""
    map_view.set_fences([fence(shape((box(14.49, 46.048, 14.498, 46.052),), (box(14.509, 46.049, 14.511, 46.05),)))])

    def catch(west: float, east: float) -> list[str]:
        first, last = hand.at((west, 46.0555)), hand.at((east, 46.0455))
        target = map_view.render_widget()
        assert target is not None
        shift = Qt.KeyboardModifier.ShiftModifier
        with qtbot.waitSignal(map_view.fences_caught) as caught:
            QTest.mouseMove(target, first)
            QTest.mousePress(target, LEFT, shift, first)
            for step in range(1, 6):
                QTest.mouseMove(target, first + (last - first) * step / 5)
            QTest.mouseRelease(target, LEFT, shift, last)
        return list(caught.args[0])

    assert catch(14.4995, 14.502) == []
    assert catch(14.492, 14.496) == ["district"]


def test_a_fence_with_the_view_in_its_hole_is_out_of_sight(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([fence(DISTRICT, "District")])
    map_view.select_fence("district")
    hidden = "String(document.querySelector('.fw-out-of-sight').hidden)"
    hand.settle()
    assert answer(qtbot, map_view, hidden) == "true"
    map_view.show_point(14.501, 46.0502, zoom=20)
    hand.settle()
    assert answer(qtbot, map_view, hidden) == "false"


def test_the_arrow_to_a_fence_out_of_sight_points_to_its_largest_part(
    qtbot: QtBot, map_view: MapView, hand: Hand
) -> None:
    """The middle of its bounding box is west of the view."""
    map_view.set_fences([fence(shape((box(14.6, 46.045, 14.62, 46.055),), (box(14.2, 46.05, 14.205, 46.051),)))])
    map_view.select_fence("district")
    hand.settle()
    turn = "new DOMMatrix(getComputedStyle(document.querySelector('.fw-out-of-sight svg')).transform)"
    a, b = json.loads(str(answer(qtbot, map_view, f"JSON.stringify([{turn}.a, {turn}.b])")))
    assert (a, b) == pytest.approx((0.0, 1.0), abs=0.02), "turned by 90 degrees, to the east"


def test_a_preview_has_its_holes_and_parts(map_view: MapView, hand: Hand) -> None:
    places = (LAND, LAKE, EXCLAVE, BESIDE)
    before = hand.picture()
    empty = [hand.color_at(each) for each in places]
    map_view.set_outlines([DISTRICT])
    shown = [hand.color_at(each) for each in places]
    assert [old == new for old, new in zip(empty, shown, strict=True)] == [False, True, False, True]
    map_view.set_outlines([])
    assert hand.picture() == before


def test_all_parts_are_in_view_after_a_fit(map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([fence(DISTRICT)])
    map_view.fit_fences(["district"])
    hand.settle()
    west, south, east, north = map_view.bounds()
    assert west < 14.494 < 14.513 < east
    assert south < 46.047 < 46.053 < north
    assert east - west < 4 * (14.513 - 14.494)


def _is_like(one: QColor, other: QColor) -> bool:
    red, green, blue = one.red() - other.red(), one.green() - other.green(), one.blue() - other.blue()
    return max(abs(red), abs(green), abs(blue)) < VISIBLE


def _differing(one: QImage, other: QImage) -> int:
    """Return how many pixels of two pictures differ visibly."""
    first, second = (
        np.frombuffer(each.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint8) for each in (one, other)
    )
    return int((np.abs(first.astype(int) - second).reshape(-1, 4).max(axis=1) >= VISIBLE).sum())
