"""Names along lines: they follow the lines if there is enough room, and are legible."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import cos, hypot, pi, sin

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.map import MapView

type Line = list[tuple[float, float]]

# A context with the methods that a name uses records the drawing.
WRITE = """
import("fencewright://map/code/street_map/along.js").then(({{ NamesAlong }}) => {{
    const scratch = document.createElement("canvas").getContext("2d");
    const lines = {lines}.map((line) => line.map(([x, y]) => ({{ x, y }})));
    const names = new NamesAlong({{ size: 10, fill: "black", stroke: "white" }});
    const labels = names.place({{ zoom: 16, scratch }}, lines, {{ props: {{ name: {name} }} }}) ?? [];
    window.written = JSON.stringify(labels.map(({{ anchor, bboxes, draw }}) => {{
        const pieces = [];
        let last = {{}};
        draw({{
            save: () => {{ last = {{}}; }},
            restore: () => {{}},
            strokeText: () => {{}},
            translate: (x, y) => Object.assign(last, {{ x: anchor.x + x, y: anchor.y + y }}),
            rotate: (angle) => Object.assign(last, {{ angle }}),
            fillText: (text) => pieces.push({{ text, ...last }}),
        }});
        return {{ x: anchor.x, y: anchor.y, pieces, boxes: bboxes.length }};
    }}));
}});
"""


@dataclass(frozen=True)
class Piece:
    text: str
    x: float
    y: float
    angle: float


@dataclass(frozen=True)
class Label:
    x: float
    y: float
    pieces: list[Piece]

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def written(qtbot: QtBot, view: MapView, name: str, *lines: Line) -> list[Label]:
    """Return the positions for a name along lines, best first."""
    answers: list[str] = []
    view._page.runJavaScript("window.written = ''; 1;")
    view._page.runJavaScript(WRITE.format(lines=json.dumps(lines), name=json.dumps(name)))

    def has_answer() -> bool:
        view._page.runJavaScript("window.written", lambda text: answers.append(text) if text else None)
        return bool(answers)

    qtbot.waitUntil(has_answer)
    return [
        Label(label["x"], label["y"], [Piece(**piece) for piece in label["pieces"]]) for label in json.loads(answers[0])
    ]


def arc(radius: float, start: float, end: float, count: int = 40) -> Line:
    angles = [start + (end - start) * at / count for at in range(count + 1)]
    return [(radius * cos(angle), radius * sin(angle)) for angle in angles]


def test_a_straight_line_has_its_name_in_its_middle_in_one_piece(qtbot: QtBot, map_view: MapView) -> None:
    # Many points on the line make no difference.
    first, *_ = written(qtbot, map_view, "Main Street", [(x, 7.0) for x in range(0, 201, 2)])
    assert (first.x, first.y) == pytest.approx((100, 7))
    (piece,) = first.pieces
    assert piece.text == "Main Street"
    assert piece.angle == pytest.approx(0)


@pytest.mark.parametrize("angle", [0.0, 0.7, 1.5, 1.7, 2.5, pi, 4.0, 5.5])
def test_no_name_is_upside_down(qtbot: QtBot, map_view: MapView, angle: float) -> None:
    first, *_ = written(qtbot, map_view, "Main Street", [(0, 0), (200 * cos(angle), 200 * sin(angle))])
    assert cos(first.pieces[0].angle) > 0


@pytest.mark.parametrize("backwards", [False, True])
def test_letters_follow_a_bend_in_order(qtbot: QtBot, map_view: MapView, backwards: bool) -> None:
    bend = arc(100, pi, 2 * pi)
    first, *_ = written(qtbot, map_view, "Ring Road", bend[::-1] if backwards else bend)
    assert first.text == "Ring Road"
    assert len(first.pieces) == 9
    assert [hypot(piece.x, piece.y) for piece in first.pieces] == pytest.approx([100] * 9, abs=1)
    assert [piece.x for piece in first.pieces] == sorted(piece.x for piece in first.pieces)
    assert all(cos(piece.angle) > 0 for piece in first.pieces)


def test_a_name_goes_round_no_corner(qtbot: QtBot, map_view: MapView) -> None:
    corner: Line = [(0, 0), (30, 0), (30, 30)]
    assert written(qtbot, map_view, "Main Street", corner) == []
    for label in written(qtbot, map_view, "Main Street", [(0, 0), (120, 0), (120, 30)]):
        assert label.y == 0
        assert label.x + 35 < 125
    assert written(qtbot, map_view, "Main Street", arc(15, 0, 2 * pi)) == [], "a small roundabout"


def test_a_line_that_is_too_short_has_no_name_and_a_long_one_several(qtbot: QtBot, map_view: MapView) -> None:
    assert written(qtbot, map_view, "Main Street", [(0, 0), (40, 0)]) == []
    places = [label.x for label in written(qtbot, map_view, "Main Street", [(0, 0), (1000, 0)])]
    assert places[:3] == pytest.approx([1000 / 6, 500, 5000 / 6]), "these are tried before others near them"
    assert len(written(qtbot, map_view, "Main Street", [(0, 0), (300, 0)], [(0, 50), (300, 50)])) > 1
    assert written(qtbot, map_view, "x" * 41, [(0, 0), (9000, 0)]) == []


def test_joined_letters_stay_together(qtbot: QtBot, map_view: MapView) -> None:
    """Letters that change their form next to others are written in one piece, or not at all."""
    name = "شارع الملك"
    (piece,) = written(qtbot, map_view, name, [(0, 0), (200, 0)])[0].pieces
    assert piece.text == name
    assert written(qtbot, map_view, name, arc(60, pi, 2 * pi)) == []
    assert len(written(qtbot, map_view, "Улица Мира", arc(60, pi, 2 * pi))[0].pieces) == 10
