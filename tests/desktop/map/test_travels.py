"""Travel between geofences: lines whose width is the number of trips, on both copies of ±180°."""

from __future__ import annotations

import json

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.map import MapView
from tests.desktop.map.hand import Hand

# A context with the methods that a line uses records the strokes.
PAINT = """
import("fencewright://map/code/layers/travels.js").then(({{ Travels }}) => {{
    const strokes = [];
    let path = [];
    const context = {{
        beginPath: () => {{ path = []; }},
        moveTo: (x, y) => path.push([x, y]),
        lineTo: () => {{}},
        quadraticCurveTo: (...numbers) => path.push(numbers),
        closePath: () => {{}},
        fill: () => {{}},
        stroke() {{ if (path.length === 2 && path[1].length === 4) strokes.push([this.lineWidth, ...path.flat()]); }},
    }};
    const travels = new Travels();
    travels.attach(() => {{}});
    travels.show({lines});
    const view = {{
        scale: 360, box: [0, 0, 1, 1], copies: [-1, 0, 1], theme: {{}},
        x: (x, copy) => (x + copy) * 360, y: (y) => y * 360,
    }};
    travels.paint(context, view);
    window.painted = JSON.stringify(strokes);
}});
"""


def painted(qtbot: QtBot, view: MapView, *lines: tuple[float, float, float, float, int]) -> list[list[float]]:
    """Return the width and the coordinates of each line, without its halo."""
    found: list[str] = []
    view._page.runJavaScript(f"window.painted = '';{PAINT.format(lines=json.dumps(lines))}")

    def there() -> bool:
        view._page.runJavaScript("window.painted", lambda text: found.append(text or ""))
        return bool(found and found[-1])

    qtbot.waitUntil(there, timeout=10_000)
    strokes: list[list[float]] = json.loads(found[-1])
    return strokes[1::2]


def test_the_width_is_the_number_of_trips(qtbot: QtBot, map_view: MapView) -> None:
    rare, common = painted(qtbot, map_view, (10.0, 0.0, 20.0, 0.0, 1), (20.0, 0.0, 10.0, 0.0, 100))
    assert rare[0] == pytest.approx(1.5 + 7.5 / 10)
    assert common[0] == 9
    assert (rare[1], rare[5]) == (190, 200)
    # Both directions are bent to their own side, so that neither hides the other.
    assert rare[4] < 180 < common[4]


def test_a_line_takes_the_short_way_across_the_edge_of_the_world(qtbot: QtBot, map_view: MapView) -> None:
    ends = {(round(line[1]), round(line[5])) for line in painted(qtbot, map_view, (179.0, 0.0, -179.0, 0.0, 1))}
    assert ends == {(359, 361), (-1, 1)}


def test_lines_are_drawn_and_removed(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.show_point(14.5, 46.05, zoom=13)
    before = hand.picture()
    map_view.set_travels([(14.48, 46.05, 14.52, 46.05, 3)])
    assert hand.picture() != before
    map_view.set_travels([])
    assert hand.picture() == before
