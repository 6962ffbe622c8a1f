"""A selected geofence out of sight: an arrow at the map's edge points to it, and a click goes there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.desktop.map import MapCircle, MapFence, MapIsochrone, MapPolygon, MapShape, MapView
from tests.desktop.map.hand import Hand

HERE = (14.5, 46.05)
DEGREE_M = 111_195.0

ARROW = """
(() => {
  const node = document.querySelector(".fw-out-of-sight");
  if (!node || node.hidden) return "null";
  const box = node.getBoundingClientRect();
  const turn = new DOMMatrix(getComputedStyle(node.querySelector("svg")).transform);
  return JSON.stringify({
    text: [...node.querySelectorAll("span")].map((part) => part.textContent),
    html: node.querySelectorAll("b, img").length,
    aria_label: node.getAttribute("aria-label"),
    box: [box.left, box.top, box.right, box.bottom],
    degrees: (Math.atan2(turn.b, turn.a) * 180 / Math.PI + 360) % 360,
  });
})()
"""


@dataclass(frozen=True)
class Arrow:
    """The page's arrow."""

    text: list[str]
    html: int
    aria_label: str
    box: list[float]
    degrees: float

    @property
    def middle(self) -> QPoint:
        left, top, right, bottom = self.box
        return QPoint(round((left + right) / 2), round((top + bottom) / 2))


@pytest.fixture
def look(qtbot: QtBot, map_view: MapView, hand: Hand) -> Any:
    """Return the arrow that is shown, or None."""

    def find() -> Arrow | None:
        hand.settle()
        answers: list[str] = []
        map_view._page.runJavaScript(ARROW, 0, answers.append)
        qtbot.waitUntil(lambda: bool(answers))
        found = orjson.loads(answers[0])
        return None if found is None else Arrow(**found)

    return find


def shown(map_view: MapView, shape: MapShape, label: str = "Store 12") -> None:
    map_view.set_fences([MapFence("far", label, "#0072B2", True, shape)])
    map_view.select_fence("far")


@pytest.mark.parametrize(
    ("place", "degrees", "away", "edge"),
    [
        ((14.6, 46.05), 90, "7717 m", "right"),
        ((14.4, 46.05), 270, "7717 m", "left"),
        ((14.5, 46.15), 0, "11 km", "top"),
        ((14.5, 45.95), 180, "11 km", "bottom"),
    ],
)
def test_it_points_there_and_shows_the_distance(
    map_view: MapView, look: Any, place: tuple[float, float], degrees: float, away: str, edge: str
) -> None:
    shown(map_view, MapCircle(*place, 100.0))
    arrow = look()
    assert arrow.text == ["Store 12", away]
    assert arrow.aria_label == f"Show Store 12 on the map, {away} away"
    assert abs((arrow.degrees - degrees + 180) % 360 - 180) < 1
    left, top, right, bottom = arrow.box
    assert left >= 0
    assert top >= 0
    assert right <= map_view.width()
    assert bottom <= map_view.height()
    gap = {"left": left, "top": top, "right": map_view.width() - right, "bottom": map_view.height() - bottom}
    assert gap[edge] == min(gap.values()) or gap[edge] < 60


def test_a_click_goes_there_and_nothing_else(qtbot: QtBot, map_view: MapView, hand: Hand, look: Any) -> None:
    hand.settle()
    before = map_view.center()
    shown(map_view, MapCircle(14.6, 46.05, 100.0))
    arrow = look()
    assert map_view.center() == before, "the map went somewhere by itself"
    with qtbot.assertNotEmitted(map_view.map_clicked), qtbot.assertNotEmitted(map_view.fence_clicked):
        hand.click(arrow.middle)
        qtbot.waitUntil(lambda: map_view.center() == pytest.approx((14.6, 46.05), abs=1e-3))
    assert look() is None


def test_an_object_in_sight_needs_no_arrow(map_view: MapView, look: Any) -> None:
    shown(map_view, MapCircle(*HERE, 100.0))
    assert look() is None
    shown(map_view, MapCircle(15.0, 46.05, 50_000.0))  # its centre is far away, but the view is inside
    assert look() is None
    west, south, east, north = 14.4, 46.0, 14.6, 46.1
    around = ((west, south), (east, south), (east, north), (west, north), (west, south))
    shown(map_view, MapPolygon(around))
    assert look() is None
    map_view.select_fence(None)
    map_view.update_fences([MapFence("far", "", "#0072B2", True, MapCircle(14.7, 46.05, 100.0))])
    assert look() is None, "it is not selected"


def test_a_dot_is_in_sight(map_view: MapView, look: Any) -> None:
    ring = ((14.5, 46.05), (14.5001, 46.05), (14.5001, 46.0501), (14.5, 46.05))
    map_view.show_point(*HERE, zoom=8)
    shown(map_view, MapPolygon(ring))
    assert look() is None
    shown(map_view, MapCircle(*HERE, 10.0))
    assert look() is None


def test_an_outline_that_only_goes_around_the_view_is_out_of_sight(map_view: MapView, look: Any) -> None:
    """The bounding box of the horseshoe, which is open to the east, covers the view."""
    ring = (
        *((14.3, 45.9), (14.7, 45.9), (14.7, 45.95), (14.35, 45.95)),
        *((14.35, 46.15), (14.7, 46.15), (14.7, 46.2), (14.3, 46.2), (14.3, 45.9)),
    )
    shown(map_view, MapPolygon(ring))
    assert look() is not None


def test_it_follows_the_map(qtbot: QtBot, map_view: MapView, hand: Hand, look: Any) -> None:
    shown(map_view, MapCircle(*HERE, 60.0))
    assert look() is None
    hand.drag(QPoint(700, 300), QPoint(100, 300))
    qtbot.waitUntil(lambda: look() is not None)
    hand.settle()
    assert look().degrees == pytest.approx(270, abs=5)
    # After a drag the map glides by its speed, so the way back is not known in advance.
    for _ in range(20):
        if look() is not None:
            hand.drag(QPoint(300, 200), QPoint(500, 200))
            hand.settle()
    assert look() is None
    map_view.show_point(14.9, 46.05, zoom=15)
    assert look().degrees == pytest.approx(270, abs=2)
    map_view.show_point(14.9, 46.05, zoom=8)
    assert look() is None


def test_across_180_degrees_it_points_the_short_way(map_view: MapView, look: Any) -> None:
    map_view.show_point(179.9, 0.0, zoom=12)
    shown(map_view, MapCircle(-179.0, 0.0, 100.0))
    arrow = look()
    assert arrow.degrees == pytest.approx(90, abs=1)
    assert arrow.text[1] == f"{round(1.1 * DEGREE_M / 1000)} km"


def test_it_goes_with_the_fence_and_while_something_is_drawn(map_view: MapView, hand: Hand, look: Any) -> None:
    ring = ((14.6, 46.0), (14.62, 46.0), (14.61, 46.02), (14.6, 46.0))
    shown(map_view, MapIsochrone(ring, longitude=14.61, latitude=46.01))
    assert look() is not None
    map_view.start_drawing_circle()
    assert look() is None
    hand.press(Qt.Key.Key_Escape)
    assert look() is not None
    map_view.update_fences(removed=["far"])
    assert look() is None


def test_its_name_is_text(map_view: MapView, look: Any) -> None:
    shown(map_view, MapCircle(14.6, 46.05, 100.0), "<b>Store</b> <img src=x>" + "long " * 60)
    arrow = look()
    assert arrow.html == 0
    assert arrow.text[0].startswith("<b>Store</b>")
    left, _, right, _ = arrow.box
    assert right - left < 300
    shown(map_view, MapCircle(14.6, 46.05, 100.0), "")
    assert look().text[0] == "The geofence"


def test_reveal_moves_only_to_an_object_out_of_sight(map_view: MapView, hand: Hand, look: Any) -> None:
    # The first vertex and the centre are out of sight.
    ring = ((13.0, 45.9), (14.51, 45.9), (14.51, 46.2), (13.0, 46.2), (13.0, 45.9))
    hand.settle()
    before = map_view.center(), map_view.zoom()
    shown(map_view, MapPolygon(ring))
    map_view.reveal_fence("far")
    hand.settle()
    assert (map_view.center(), map_view.zoom()) == before
    shown(map_view, MapCircle(14.7, 46.05, 100.0))
    map_view.reveal_fence("far")
    hand.settle()
    assert map_view.center() == pytest.approx((14.7, 46.05), abs=1e-3)
