"""Pictures, compared by the colours of the widget."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import orjson
import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.desktop.map import EventKind, MapBeacon, MapCircle, MapEvent, MapFence, MapPolygon, MapTrack, MapView
from engine.domain.values import replace
from tests.desktop.map.hand import Hand

CENTRE = (14.5, 46.05)
OFFSET = (14.503, 46.052)
PLAIN = (14.5013, 46.0507)
"""A position next to every line of the grid."""


def many_fences(count: int) -> list[MapFence]:
    """Return circles and polygons over a region, one in ten a polygon of 60 vertices."""
    fences = []
    for number in range(count):
        longitude, latitude = 14.0 + number % 100 / 100, 45.5 + number // 100 / 100
        if number % 10:
            shape: MapCircle | MapPolygon = MapCircle(longitude, latitude, 200.0)
        else:
            corners = [(longitude + i / 1e5, latitude + (i % 2) / 1e5) for i in range(60)]
            shape = MapPolygon((*corners, (longitude, latitude - 0.001), corners[0]))
        fences.append(MapFence(f"f{number}", f"Fence {number}", "#0072B2", number % 7 > 0, shape))
    return fences


def test_fences_come_change_and_go(map_view: MapView, hand: Hand) -> None:
    empty = hand.color_at(PLAIN)
    fence = MapFence("a", "", "#D55E00", True, MapCircle(*CENTRE, 400.0))
    map_view.set_fences([fence])
    orange = hand.color_at(PLAIN)
    map_view.update_fences([MapFence("a", "", "#0072B2", True, fence.shape)])
    blue = hand.color_at(PLAIN)
    map_view.update_fences(removed=["a"])
    assert len({color.name() for color in (empty, orange, blue)}) == 3
    assert hand.color_at(PLAIN) == empty
    map_view.set_fences([fence])
    map_view.set_fences([])
    assert hand.color_at(PLAIN) == empty


def test_a_disabled_fence_is_hatched(map_view: MapView, hand: Hand) -> None:
    seen = {}
    for enabled in (True, False):
        map_view.set_fences([MapFence("a", "", "#009E73", enabled, MapCircle(*CENTRE, 400.0))])
        start = hand.at(PLAIN)
        hand.settle()
        image = map_view.grab().toImage()
        seen[enabled] = {image.pixelColor(start.x() + step, start.y()).name() for step in range(12)}
    assert len(seen[True]) == 1
    assert len(seen[False]) > 2


def test_a_fence_outside_its_hours_has_a_dashed_outline(map_view: MapView, hand: Hand) -> None:
    """A dashed outline shows the map between its strokes, and a solid one does not."""
    west, east = 14.497, 14.503
    ring = ((west, 46.049), (east, 46.049), (east, 46.051), (west, 46.051), (west, 46.049))
    seen = {}
    for closed in (False, True):
        map_view.set_fences([MapFence("a", "", "#009E73", True, MapPolygon(ring), closed)])
        start, end = hand.at((west, 46.051)), hand.at((east, 46.051))
        hand.settle()
        image = map_view.grab().toImage()
        line = [image.pixelColor(x, start.y()).lightness() for x in range(start.x() + 5, end.x() - 5)]
        seen[closed] = max(line) - min(line)
    assert seen[False] < 40
    assert seen[True] > 60


def test_every_kind_of_event_has_a_shape_of_its_own(map_view: MapView, hand: Hand) -> None:
    kinds: tuple[EventKind, ...] = ("entry", "exit", "dwell", "fraud", "other")
    looks = set()
    for kind in kinds:
        map_view.set_events([MapEvent("e", *CENTRE, kind, kind)])
        middle = hand.at(CENTRE)
        hand.settle()
        image = map_view.grab().toImage()
        box = image.copy(middle.x() - 12, middle.y() - 12, 24, 24)
        colored = frozenset((x, y) for x in range(24) for y in range(24) if box.pixelColor(x, y).saturation() > 90)
        assert len(colored) > 40
        looks.add(colored)
    assert len(looks) == len(kinds)


def test_beacons_come_change_and_go(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    empty = hand.color_at(PLAIN)
    looks = []
    for enabled in (True, False):
        map_view.set_beacons([MapBeacon("b", *PLAIN, "Door", enabled)])
        middle = hand.at(PLAIN)
        hand.settle()
        box = map_view.grab().toImage().copy(middle.x() - 12, middle.y() - 12, 24, 24)
        colored = sum(box.pixelColor(x, y).saturation() > 90 for x in range(24) for y in range(24))
        looks.append(colored)
    assert looks[0] > 100
    assert looks[1] < 20, "a disabled one is grey"
    with qtbot.waitSignal(map_view.beacon_clicked) as clicked:
        hand.click(PLAIN)
    assert clicked.args == ["b"]
    map_view.update_beacons([MapBeacon("c", *CENTRE, "Gate")], ["b"])
    assert hand.color_at(PLAIN) == empty
    with qtbot.waitSignal(map_view.beacon_clicked) as clicked:
        hand.click(CENTRE)
    assert clicked.args == ["c"]
    map_view.set_beacons([])
    with qtbot.waitSignal(map_view.map_clicked):
        hand.click(CENTRE)


def test_many_beacons(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_beacons([MapBeacon(str(n), 14.0 + n % 100 / 100, 45.5 + n // 100 / 100, "") for n in range(5_000)])
    map_view.update_beacons([MapBeacon("last", *CENTRE, "")])
    hand.settle()
    with qtbot.waitSignal(map_view.beacon_clicked) as clicked:
        hand.click(CENTRE)
    assert clicked.args == ["last"]


@pytest.mark.parametrize("zoom", [8, 12])
def test_a_fence_across_180_degrees_is_on_both_sides(map_view: MapView, hand: Hand, zoom: int) -> None:
    map_view.show_point(180.0, 0.0, zoom=zoom)
    reach = 60 / 2**zoom * 1.5
    west, east = (180 - reach / 2, reach / 3), (-180 + reach / 2, reach / 3)
    sea = (hand.color_at(west), hand.color_at(east))
    ring = ((180 - reach, -reach), (-180 + reach, -reach), (-180 + reach, reach), (180 - reach, reach))
    map_view.set_fences([MapFence("a", "", "#CC79A7", True, MapPolygon((*ring, ring[0])))])
    fence = (hand.color_at(west), hand.color_at(east))
    assert fence[0] == fence[1]
    assert sea[0] == sea[1] != fence[0]
    far = (180 - 3 * reach, reach / 3)
    assert hand.color_at(far) == sea[0]


def test_a_circle_across_180_degrees_is_seen_from_both_sides(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([MapFence("a", "", "#CC79A7", True, MapCircle(179.999, 0.0, 1_000.0))])
    for side in (179.995, -179.996):
        map_view.show_point(side, 0.001, zoom=14)
        with qtbot.waitSignal(map_view.fence_clicked) as clicked:
            hand.click((side, 0.001))
        assert clicked.args == ["a"]


def test_land_is_not_sea_and_russia_goes_on_behind_180_degrees(map_view: MapView, hand: Hand) -> None:
    map_view.show_point(180.0, 67.2, zoom=6)
    chukotka = (-176.3, 66.7), (177.3, 66.7)
    sea = (-177.1, 69.1)
    assert hand.color_at(chukotka[0]) == hand.color_at(chukotka[1]) != hand.color_at(sea)


def test_dark_and_light_differ(map_view: MapView, hand: Hand) -> None:
    map_view.set_theme("dark")
    dark = hand.color_at(PLAIN)
    map_view.set_theme("light")
    light = hand.color_at(PLAIN)
    assert dark.lightness() < 60
    assert light.lightness() > 200


def test_ten_thousand_fences_arrive_in_portions_and_answer(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    sent: list[str] = []
    map_view._bridge.command.connect(sent.append)
    map_view.set_fences(many_fences(10_000))
    assert len(sent) <= 2, "only the first portions are encoded at once"
    map_view.fit_fences()
    hand.settle()
    assert sum('"fences_stage"' in command for command in sent) > 10
    map_view.show_point(14.55, 45.55, zoom=14)
    with qtbot.waitSignal(map_view.fence_clicked) as clicked:
        hand.click((14.55, 45.55))
    assert clicked.args == ["f555"]


def test_a_change_of_many_leaves_the_others(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([MapFence("a", "", "#0072b2", True, MapCircle(*CENTRE, 500.0)), *many_fences(1_000)])
    map_view.update_fences([replace(fence, color="#d55e00") for fence in many_fences(1_000)])
    map_view.show_point(*CENTRE, zoom=14)
    with qtbot.waitSignal(map_view.fence_clicked) as clicked:
        hand.click(CENTRE)
    assert clicked.args == ["a"]
    map_view.show_point(14.5, 45.5, zoom=16)
    assert hand.color_at((14.5, 45.5)).red() > hand.color_at((14.5, 45.5)).blue() + 20


def test_a_device_is_at_its_last_seen_position(map_view: MapView, hand: Hand) -> None:
    empty = hand.color_at(OFFSET)
    for step in range(200):
        map_view.show_device("phone", 14.49 + step * 1e-5, 46.05, 20.0)
    map_view.show_device("phone", *OFFSET, 20.0)
    assert hand.color_at(OFFSET) == QColor("#0072b2")
    map_view.remove_device("phone")
    assert hand.color_at(OFFSET) == empty


def test_events_are_coloured_by_type_and_clicked_before_fences(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences([MapFence("a", "", "#999999", True, MapCircle(*CENTRE, 500.0))])
    map_view.set_events([MapEvent("in", *CENTRE, "entry", "entered")])
    map_view.add_events([MapEvent("out", *OFFSET, "exit", "left")])
    assert hand.color_at(CENTRE) == QColor("#009e73")
    assert hand.color_at(OFFSET) == QColor("#d55e00")
    with qtbot.assertNotEmitted(map_view.fence_clicked), qtbot.waitSignal(map_view.event_clicked) as clicked:
        hand.click(OFFSET)
    assert clicked.args == ["out"]
    map_view.set_events([])
    with qtbot.waitSignal(map_view.fence_clicked):
        hand.click(OFFSET)


def _select(view: MapView) -> None:
    view.set_events([MapEvent("e", *CENTRE, "entry", "entered")])
    view.select_event("e")


@pytest.mark.parametrize(
    "change",
    [
        lambda view: view.set_track(MapTrack(((14.49, 46.05), CENTRE, (14.51, 46.05)))),
        lambda view: view.highlight_point(*CENTRE),
        _select,
    ],
    ids=["track", "highlight", "selected event"],
)
def test_shown_objects_can_be_removed(map_view: MapView, hand: Hand, change: Callable[[MapView], None]) -> None:
    before = hand.picture()
    change(map_view)
    assert hand.picture() != before
    map_view.set_track(None)
    map_view.clear_highlight()
    map_view.set_events([])
    assert hand.picture() == before


def test_the_camera_moves_to_the_requested_position(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.fit((14.0, 45.5, 15.0, 46.5))
    hand.settle()
    west, south, east, north = map_view.bounds()
    assert west <= 14.0 < 15.0 <= east
    assert south <= 45.5 < 46.5 <= north
    map_view.fit((179.0, -1.0, -179.0, 1.0))
    hand.settle()
    assert abs(map_view.center()[0]) == pytest.approx(180.0, abs=0.01)
    map_view.set_track(MapTrack(((10.0, 50.0), (10.2, 50.1))))
    map_view.fit_track(animate=True)
    hand.settle()
    assert map_view.center() == pytest.approx((10.1, 50.05), abs=0.01)
    map_view.show_point(-70.0, -33.0, zoom=12)
    hand.settle()
    assert map_view.center() == pytest.approx((-70.0, -33.0), abs=1e-3)


def test_a_picture_can_be_taken_when_the_map_has_settled(map_view: MapView, hand: Hand) -> None:
    for theme in ("dark", "light", "dark"):
        map_view.set_theme(theme)
        map_view.show_point(10.0, 30.0, zoom=3)
        hand.settle()
        sea = map_view.grab().toImage().pixelColor(20, 300).lightness()
        assert (sea < 60) is (theme == "dark")


def test_simultaneous_requests_are_answered_in_order(qtbot: QtBot, map_view: MapView) -> None:
    answers: list[int] = []
    for number in range(5):
        map_view.when_settled(partial(answers.append, number))
    qtbot.waitUntil(lambda: len(answers) == 5)
    assert answers == [0, 1, 2, 3, 4]


def test_a_hidden_map_settles_too(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.hide()
    map_view.show_device("phone", 14.5, 46.05, 10.0)
    map_view.show_device("phone", 14.6, 46.05, 10.0)
    hand.settle()


_BACK = """
const map = window[document.querySelector(".folium-map").id];
const overlay = Object.values(map._layers).find(({ painters }) => painters?.some((each) => each.figures));
"""
"""Script with which the page finds the canvas of all geofences."""

_SLOW = "const now = performance.now.bind(performance); let late = now(); performance.now = () => (late += 20);"
"""Script that makes each step of a painting take longer than a frame."""


def evaluate(qtbot: QtBot, map_view: MapView, script: str) -> Any:
    """Return the result of a script in the page."""
    answers: list[str] = []
    map_view._page.runJavaScript(f"JSON.stringify((() => {{ {_BACK} {script} }})() ?? null)", 0, answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    return orjson.loads(answers[0])


def test_many_fences_are_painted_in_slices_and_their_picture_moves_meanwhile(
    qtbot: QtBot, map_view: MapView, hand: Hand
) -> None:
    map_view.set_fences(many_fences(6_000))
    map_view.fit_fences()
    hand.settle()
    busy, away, painted, moved = evaluate(
        qtbot,
        map_view,
        f"""
        {_SLOW}
        const pixels = () => {{
          const {{ width, height }} = overlay._container;
          return new Uint32Array(overlay._context.getImageData(0, 0, width, height).data.buffer);
        }};
        const [before, from, wide] = [pixels(), overlay._bounds.min, overlay._container.width];
        map.panBy([300, 0], {{ animate: false }});
        const [after, to, {{ width, height }}] = [pixels(), overlay._bounds.min, overlay._container];
        performance.now = now;
        let [painted, moved] = [0, 0];
        before.forEach((pixel, at) => {{
          const [x, y] = [(at % wide) + from.x - to.x, Math.floor(at / wide) + from.y - to.y];
          if (!pixel || x < 0 || y < 0 || x >= width || y >= height) return;
          painted += 1;
          moved += Number(after[y * width + x] !== 0);
        }});
        return [overlay.isBusy(), to.x - from.x, painted, moved];
        """,
    )
    assert busy, "the picture is not finished yet"
    assert away != 0
    assert painted > 1_000
    assert moved == painted
    in_slices = hand.picture()
    evaluate(qtbot, map_view, "for (const each of overlay.painters) each.isHeavy = () => false; overlay.redraw();")
    assert hand.picture() == in_slices


def test_a_painting_that_is_begun_again_and_again_comes_to_an_end(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.set_fences(many_fences(6_000))
    map_view.fit_fences()
    hand.settle()
    script = f"""
    {_SLOW}
    const busy = [];
    for (let time = 0; time < 60; time += 1) {{ overlay._paint(); busy.push(overlay.isBusy()); }}
    performance.now = now;
    return [busy[0], busy.every((each) => each)];
    """
    assert evaluate(qtbot, map_view, script) == [True, False]


@pytest.mark.parametrize(
    ("zoom", "change"),
    [
        pytest.param(8, "fences.hover('f4711');", id="another is in front"),
        # At a higher zoom level, most are outlined, and some are dots, which are painted after them.
        pytest.param(12, "fences.remove(fences.figures.sorted.map(({ id }) => id).slice(0, 5500));", id="most go"),
    ],
)
def test_a_change_while_many_are_painted_leaves_the_others(
    qtbot: QtBot, map_view: MapView, hand: Hand, zoom: int, change: str
) -> None:
    map_view.set_fences(many_fences(6_000))
    map_view.show_point(14.5, 45.8, zoom=zoom)
    hand.settle()
    script = f"""
    const fences = overlay.painters.find((each) => each.figures);
    const front = Object.values(map._layers).find(({{ painters }}) => painters?.includes(fences.front));
    {_SLOW}
    overlay._paint();
    const was = overlay.isBusy();
    {change}
    front._paint();
    while (overlay._steps) overlay._goOn();
    performance.now = now;
    fences.hover(null);
    return was;
    """
    assert evaluate(qtbot, map_view, script) is True
    painted = hand.picture()
    evaluate(qtbot, map_view, "for (const each of overlay.painters) each.isHeavy = () => false; overlay.redraw();")
    assert hand.picture() == painted


def test_the_smallest_of_many_dots_lies_on_top(map_view: MapView, hand: Hand) -> None:
    small = MapFence("small", "", "#0072b2", True, MapCircle(*CENTRE, 20.0))
    large = MapFence("large", "", "#d55e00", True, MapCircle(*CENTRE, 60.0))
    beside = MapFence("beside", "", "#d55e00", True, MapCircle(14.8, 46.05, 60.0))
    map_view.show_point(14.6, 46.05, zoom=9)
    map_view.set_fences([large, small, beside, *many_fences(1_500)])
    assert hand.color_at(CENTRE) == QColor("#0072b2")
    assert hand.color_at((14.8, 46.05)) == QColor("#d55e00")
