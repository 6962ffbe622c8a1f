"""The isochrone tool on the map: choosing a destination, previewing, and moving the destination."""

from __future__ import annotations

import json

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.desktop.map import MapBand, MapFence, MapIsochrone, MapPreview, MapView
from tests.desktop.map.hand import Hand, metres_between, metres_per_pixel

CENTRE = (14.5, 46.05)
WEST, SOUTH, EAST, NORTH = 14.495, 46.047, 14.505, 46.053
RING = ((WEST, SOUTH), (EAST, SOUTH), (EAST, NORTH), (WEST, NORTH), (WEST, SOUTH))
INNER = ((14.498, 46.049), (14.502, 46.049), (14.502, 46.051), (14.498, 46.051), (14.498, 46.049))
FENCE = MapFence("reach", "", "#009E73", True, MapIsochrone(RING, longitude=CENTRE[0], latitude=CENTRE[1]))
PLAIN = (14.5013, 46.0507)
# Positions of texts on a canvas, in its own pixels.
NOTE_TEXTS = """
window.texts = {};
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    window.texts[text] = [x, y];
    return write.call(this, text, x, y);
};
1;
"""


def test_a_click_chooses_the_destination_also_on_a_fence(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    tools: list[str] = []
    map_view.tool_changed.connect(tools.append)
    map_view.set_fences([FENCE])
    map_view.isochrone_tool()
    with qtbot.assertNotEmitted(map_view.fence_clicked), qtbot.waitSignal(map_view.destination_chosen) as chosen:
        hand.click(PLAIN)
    assert metres_between((chosen.args[0], chosen.args[1]), PLAIN) < 1.5 * metres_per_pixel(map_view)
    assert tools == ["isochrone"]
    with qtbot.waitSignal(map_view.finish_requested):
        hand.press(Qt.Key.Key_Return)
    hand.press(Qt.Key.Key_Escape)
    assert tools == ["isochrone", "select"]


def test_a_preview_is_shown_and_removed(map_view: MapView, hand: Hand) -> None:
    before = hand.picture()
    empty = hand.color_at(PLAIN)
    map_view.set_preview(MapPreview(CENTRE, (MapBand("10 min", RING),)))
    one = hand.color_at(PLAIN)
    map_view.set_preview(MapPreview(CENTRE, (MapBand("10 min", RING), MapBand("5 min", INNER))))
    two = hand.color_at(PLAIN)
    assert len({empty.name(), one.name(), two.name()}) == 3
    map_view.set_preview(None)
    assert hand.picture() == before


def test_bands_that_touch_have_their_names_apart(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    """Bands touch if an area ends and all of them end there."""
    hand.settle()
    map_view._page.runJavaScript(NOTE_TEXTS)
    corners = ((SOUTH + 0.002, 0.001), (SOUTH + 0.004, 0.002), (NORTH, 0.004))
    bands = [
        MapBand(f"{5 * n} min", ((x1, SOUTH), (x2, SOUTH), (x2, north), (x1, north), (x1, SOUTH)))
        for n, (north, x1, x2) in enumerate(((north, 14.5 - half, 14.5 + half) for north, half in corners), 1)
    ]
    map_view.set_preview(MapPreview(CENTRE, tuple(reversed(bands))))
    hand.settle()
    answers: list[str] = []
    map_view._page.runJavaScript("JSON.stringify(window.texts)", answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    texts: dict[str, tuple[float, float]] = json.loads(answers[0])
    places = [texts[f"{minutes} min"] for minutes in (5, 10, 15)]
    for number, (x, y) in enumerate(places):
        assert all(abs(x - other) > 40 or abs(y - below) > 16 for other, below in places[:number])


def test_a_note_is_at_the_place_and_is_no_markup(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_preview(MapPreview(CENTRE, note="<b>No road</b> near"))
    hand.settle()
    texts: list[str] = []
    map_view._page.runJavaScript("document.querySelector('.fw-refusal').textContent", texts.append)
    qtbot.waitUntil(lambda: bool(texts))
    assert texts == ["<b>No road</b> near"]
    map_view.set_preview(None)
    answers: list[bool] = []
    map_view._page.runJavaScript("document.querySelector('.fw-refusal') === null", answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == [True]


def test_a_destination_reports_its_position_while_it_is_dragged(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([FENCE])
    map_view.select_fence("reach")
    moves: list[tuple[str, float, float, bool]] = []
    map_view.destination_moved.connect(lambda *args: moves.append(args))
    target = (14.503, 46.052)
    hand.drag(CENTRE, target)
    qtbot.waitUntil(lambda: bool(moves) and moves[-1][3])
    assert all(fence_id == "reach" for fence_id, *_ in moves)
    assert metres_between((moves[-1][1], moves[-1][2]), target) < 2 * metres_per_pixel(map_view)
    assert [done for *_, done in moves].count(True) == 1


def test_a_refused_move_puts_the_destination_back(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([FENCE])
    map_view.select_fence("reach")
    before = hand.picture()
    with qtbot.waitSignal(map_view.destination_moved, check_params_cb=lambda *args: args[3]):
        hand.drag(CENTRE, (14.503, 46.052))
    map_view.update_fences([FENCE])
    hand.move((14.52, 46.06))
    assert hand.picture() == before
