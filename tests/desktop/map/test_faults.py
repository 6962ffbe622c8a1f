"""Faults among the rings of a polygon, as the page finds them during editing, compared with the engine's validation."""

from __future__ import annotations

import json
from math import cos, sin, tau
from random import Random
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.map import MapView, Position
from engine.domain.errors import InvalidParameter
from engine.geo.parts import check_polygon

type Part = list[list[Position]]

SQUARE: list[Position] = [(0, 0), (4, 0), (4, 4), (0, 4)]
INNER: list[Position] = [(1, 1), (2, 1), (2, 2), (1, 2)]


LOAD = """
(() => {
  const script = document.createElement("script");
  script.type = "module";
  script.nonce = document.querySelector("script[nonce]").nonce;
  script.textContent = 'import * as rings from "/code/geometry/rings.js"; window.rings = rings;';
  document.head.append(script);
})(); 1;
"""


def ask(qtbot: QtBot, view: MapView, call: str, *arguments: object) -> Any:
    """Call a function with the page's module on rings and some arguments, and return its result."""
    answers: list[Any] = []
    page = view._page
    page.runJavaScript(LOAD)

    def loaded() -> bool:
        page.runJavaScript("Boolean(window.rings)", 0, answers.append)
        return True in answers

    qtbot.waitUntil(loaded)
    answers.clear()
    page.runJavaScript(f"JSON.stringify(({call})(window.rings, ...{json.dumps(arguments)}))", 0, answers.append)
    qtbot.waitUntil(lambda: any(isinstance(answer, str) for answer in answers))
    return json.loads(next(answer for answer in answers if isinstance(answer, str)))


def faults(qtbot: QtBot, view: MapView, cases: list[list[Part]]) -> list[dict[str, Any] | None]:
    found = ask(qtbot, view, "(rings, cases) => cases.map((parts) => rings.faultOf(parts))", cases)
    assert isinstance(found, list)
    return found


def star(random: Random, middle: Position, radius: float, corners: int) -> list[Position]:
    """Return a ring around a point, which does not cross itself unless it is made wrong."""
    angles = sorted(random.uniform(0, tau) for _ in range(corners))
    ring = [
        (
            middle[0] + radius * random.uniform(0.4, 1) * cos(angle),
            middle[1] + radius * random.uniform(0.4, 1) * sin(angle),
        )
        for angle in angles
    ]
    if random.random() < 0.15:
        at = random.sample(range(corners), 2)
        ring[at[0]], ring[at[1]] = ring[at[1]], ring[at[0]]
    return ring


def case(random: Random) -> list[Part]:
    """Return one to three parts with up to three holes each."""

    def near(spread: float) -> Position:
        return 14.5 + random.uniform(-spread, spread), 46.05 + random.uniform(-spread, spread)

    parts: list[Part] = []
    for _ in range(random.choice((1, 1, 2, 3))):
        middle = near(0.02)
        part = [star(random, middle, random.uniform(0.003, 0.012), random.randint(3, 9))]
        for _ in range(random.choice((0, 0, 1, 2, 3))):
            shift = random.uniform(-0.004, 0.004), random.uniform(-0.004, 0.004)
            place = middle[0] + shift[0], middle[1] + shift[1]
            part.append(star(random, place, random.uniform(0.0003, 0.004), random.randint(3, 6)))
        parts.append(part)
    return parts


def is_valid(parts: list[Part]) -> bool:
    try:
        check_polygon([[[*ring, ring[0]] for ring in part] for part in parts])
    except InvalidParameter:
        return False
    return True


@pytest.mark.parametrize("seed", range(3))
def test_the_page_and_the_engine_agree(qtbot: QtBot, map_view: MapView, seed: int) -> None:
    random = Random(seed)
    cases = [case(random) for _ in range(1_000)]
    found = faults(qtbot, map_view, cases)
    expected = [is_valid(parts) for parts in cases]
    assert 150 < sum(expected) < 850
    differing = [
        parts for parts, fault, valid in zip(cases, found, expected, strict=True) if (fault is None) is not valid
    ]
    assert differing == []


@pytest.mark.parametrize(
    ("parts", "text", "place"),
    [
        ([[[(0, 0), (2, 2), (2, 0), (0, 2)]]], "The outline must not cross itself", (1, 1)),
        ([[SQUARE, [(1, 1), (5, 1), (1, 2)]]], "A hole must not cross the outline or another hole", (4, 1)),
        ([[SQUARE, [(5, 5), (6, 5), (6, 6)]]], "A hole must be inside the outline", (5, 5)),
        ([[INNER, SQUARE]], "A hole must be inside the outline", (0, 0)),
        ([[SQUARE, INNER, [(1.2, 1.2), (1.8, 1.2), (1.5, 1.8)]]], "Holes must not overlap", None),
        ([[SQUARE, INNER, INNER]], "Holes must not overlap", None),
        ([[SQUARE], [INNER]], "Parts must not overlap", (1, 1)),
        ([[SQUARE], [[(3, 1), (5, 1), (5, 2)]]], "Parts must not overlap", (4, 1)),
    ],
)
def test_a_fault_has_a_reason_and_a_place(
    qtbot: QtBot, map_view: MapView, parts: list[Part], text: str, place: Position | None
) -> None:
    (fault,) = faults(qtbot, map_view, [parts])
    assert fault is not None
    assert fault["text"] == text
    if place is not None:
        assert tuple(fault["at"]) == place


@pytest.mark.parametrize(
    "parts",
    [
        [[SQUARE], [[(4, 1), (6, 1), (6, 3), (4, 3)]]],
        [[SQUARE], [[(4, 4), (6, 4), (6, 6), (4, 6)]]],
        [[SQUARE, INNER], [[(1.2, 1.2), (1.8, 1.2), (1.5, 1.8)]]],
        [[SQUARE, INNER], [INNER]],
        [[SQUARE, [(0, 2), (1, 1), (1, 3)]]],
        [[[(0, 0), (4, 0), (4, 0), (4, 4)]]],
    ],
    ids=["edge in common", "corner in common", "in a hole", "fills a hole", "hole touches", "repeated vertex"],
)
def test_rings_may_touch(qtbot: QtBot, map_view: MapView, parts: list[Part]) -> None:
    assert faults(qtbot, map_view, [parts]) == [None]


@pytest.mark.parametrize(
    ("parts", "hole", "text"),
    [
        ([[SQUARE]], INNER, None),
        ([[SQUARE]], [(1, 1), (5, 1), (1, 2)], "A hole must be inside the geofence"),
        (
            [[[(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]]],
            [(0.5, 0.5), (3.5, 0.5), (3.5, 2), (0.5, 2)],
            "A hole must be inside the geofence",
        ),
        ([[SQUARE, INNER]], [(1.2, 1.2), (1.8, 1.2), (1.5, 1.8)], "There is already a hole"),
        ([[SQUARE, INNER]], [(1.5, 1.5), (3, 1.5), (3, 3)], None),
        ([[SQUARE], [[(4, 0), (8, 0), (8, 4), (4, 4)]]], [(3, 1), (5, 1), (5, 3), (3, 3)], None),
    ],
    ids=["inside", "across", "in a notch", "in a hole", "over a hole", "across parts that meet"],
)
def test_a_drawn_hole_is_checked(
    qtbot: QtBot, map_view: MapView, parts: list[Part], hole: list[Position], text: str | None
) -> None:
    fault = ask(qtbot, map_view, "(rings, parts, hole) => rings.holeFaultOf(parts, hole, true)", parts, hole)
    assert (fault and fault["text"]) == text


def test_rings_on_both_sides_of_180_degrees_are_continuous(qtbot: QtBot, map_view: MapView) -> None:
    def closed(*corners: Position) -> list[Position]:
        return [*corners, corners[0]]

    shape = {
        "ring": closed((179, -17), (-179, -17), (-179, -15), (179, -15)),
        "holes": [closed((-179.8, -16.5), (-179.4, -16.5), (-179.4, -16))],
        "others": [{"ring": closed((-178, -17), (-177, -17), (-177, -16))}],
    }
    for middle, turn in ((180, 0), (-180, -360), (530, 360)):
        parts = ask(qtbot, map_view, "(rings, shape, middle) => rings.openParts(shape, middle)", shape, middle)
        assert [[ring[0][0] for ring in part] for part in parts] == [
            [179 + turn, pytest.approx(180.2 + turn)],
            [182 + turn],
        ]
