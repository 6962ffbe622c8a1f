"""The built-in world: its detailed coast at high zoom levels, and the names of visible countries."""

from __future__ import annotations

from collections.abc import Iterator

import orjson
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from app.desktop.demo import VIEW
from app.desktop.map import MapCircle, MapFence, MapPolygon, MapProfile, MapView, scheme
from tests.desktop.map.hand import Hand

ISLE_OF_WIGHT = (-1.30, 50.68)
"""A position at which the coasts of the two atlases differ in many pixels."""

ARRANGED = """
const { CountryLabels } = await import("fencewright://map/code/street_map/labels.js");
const { loadWorld } = await import("fencewright://map/code/street_map/world.js");
const map = window[document.querySelector(".folium-map").id];
globalThis.world ??= await loadWorld("50m");
globalThis.labels ??= new CountryLabels(map, () => world.countries, () => globalThis.boxes ?? []);
labels._arrange();
const scale = 256 * 2 ** map.getZoom();
const { min } = map.getPixelBounds();
return [...labels.placed.values()].map(({ lines, x, y }) => {
  const wrapped = x - Math.floor(x);
  return [lines.join(" "), x * scale - min.x, y * scale - min.y, world.countryAt(wrapped, y), x, y];
});
"""

CONTROLS = """
return [...document.querySelectorAll(".leaflet-control")].map((node) => {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  return [left, top, right, bottom];
});
"""

PLACEMENT = """
const { LabelPlacement } = await import("fencewright://map/code/street_map/label_placement.js");
const found = (block) => {
  const placement = new LabelPlacement([0, 0, 200, 100], 40, 10);
  const [left, right] = [20, 180];
  placement.fill([[left, 0, right, 0, right, 100, left, 100]], (x) => x, (y) => y);
  block.forEach((box) => placement.block(box));
  const best = placement.best();
  return best && [best.x, best.y];
};
return [found([]), found([[74, 0, 180, 100]]), found([[40, 0, 160, 100]])];
"""


def computed(qtbot: QtBot, view: MapView, body: str) -> list[list[object]]:
    """Return the result of JavaScript in the page."""
    answers: list[object] = []
    work = f"(async () => {{ {body} }})().then((answer) => {{ window.answer = JSON.stringify(answer); }});"
    view._page.runJavaScript(f"window.answer = ''; {work}")

    def answered() -> bool:
        view._page.runJavaScript("window.answer", answers.append)
        qtbot.waitUntil(lambda: bool(answers))
        return bool(answers.pop())

    qtbot.waitUntil(answered)
    view._page.runJavaScript("window.answer", answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    found = orjson.loads(str(answers[0]))
    assert isinstance(found, list)
    return found


class Named:
    """The names of countries on a map, each with its position."""

    def __init__(self, qtbot: QtBot, view: MapView) -> None:
        found = computed(qtbot, view, ARRANGED)
        self.pixels = {str(name): QPoint(round(float(str(x))), round(float(str(y)))) for name, x, y, *_ in found}
        self.countries = {str(name): country for name, _, _, country, *_ in found}
        self.world = {str(name): tuple(place) for name, _, _, _, *place in found}


@pytest.fixture
def demo_map(qtbot: QtBot, map_view: MapView, hand: Hand) -> MapView:
    """The map as shown in the demo's picture."""
    longitude, latitude, zoom = VIEW
    map_view.resize(782, 494)
    map_view.show_point(longitude, latitude, zoom=zoom)
    hand.settle()
    return map_view


def test_the_demo_shows_the_names_of_the_four_countries_it_crosses(qtbot: QtBot, demo_map: MapView) -> None:
    named = Named(qtbot, demo_map)
    assert named.countries == {
        "UNITED KINGDOM": "United Kingdom",
        "FRANCE": "France",
        "BELGIUM": "Belgium",
        "NETHERLANDS": "Netherlands",
    }


def test_names_lie_beside_the_controls_and_inside_the_view(qtbot: QtBot, demo_map: MapView) -> None:
    controls = [[float(str(side)) for side in box] for box in computed(qtbot, demo_map, CONTROLS)]
    assert len(controls) >= 4
    for point in Named(qtbot, demo_map).pixels.values():
        assert 30 < point.x() < demo_map.width() - 30
        assert 10 < point.y() < demo_map.height() - 10
        for left, top, right, bottom in controls:
            assert not (left - 30 < point.x() < right + 30 and top - 8 < point.y() < bottom + 8)


def test_names_are_painted_at_their_positions(qtbot: QtBot, demo_map: MapView) -> None:
    positions = Named(qtbot, demo_map).pixels
    assert positions
    # Chromium hands over the frame after the page has drawn it.
    qtbot.waitUntil(lambda: unpainted(demo_map, positions) == [])


def unpainted(view: MapView, positions: dict[str, QPoint]) -> list[str]:
    """Return the names that are not painted in their colour around their positions."""
    image, ink = view.grab().toImage(), QColor("#7d8790")

    def ink_pixels(point: QPoint) -> int:
        near = [image.pixelColor(point.x() + x, point.y() + y) for x in range(-30, 31) for y in range(-14, 15)]
        return sum(abs(color.lightness() - ink.lightness()) < 12 for color in near)

    return [name for name, point in positions.items() if ink_pixels(point) <= 20]


def test_a_small_move_leaves_names_on_their_places(qtbot: QtBot, demo_map: MapView, hand: Hand) -> None:
    before = Named(qtbot, demo_map).world
    centre = demo_map.center()
    hand.drag(QPoint(400, 250), QPoint(393, 246))
    hand.settle()
    assert demo_map.center() != centre
    after = Named(qtbot, demo_map).world
    for name in ("FRANCE", "BELGIUM"):
        assert after[name] == before[name]


def test_a_name_is_hidden_if_too_little_of_its_country_is_seen(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    map_view.show_point(6.1, 49.75, zoom=6)
    hand.settle()
    assert "LUXEMBOURG" not in Named(qtbot, map_view).countries
    map_view.show_point(6.1, 49.75, zoom=9)
    hand.settle()
    assert Named(qtbot, map_view).countries["LUXEMBOURG"] == "Luxembourg"
    map_view.show_point(6.1, 49.75, zoom=12)
    hand.settle()
    assert Named(qtbot, map_view).countries == {}


@pytest.mark.parametrize("longitude", [179.0, -179.0])
def test_names_are_found_on_both_sides_of_180_degrees(
    qtbot: QtBot, map_view: MapView, hand: Hand, longitude: float
) -> None:
    map_view.show_point(longitude, 66.0, zoom=4)
    hand.settle()
    countries = Named(qtbot, map_view).countries
    assert countries["RUSSIA"] == "Russia"
    assert countries["UNITED STATES OF AMERICA"] == "United States of America"


def test_names_avoid_fences_if_there_is_room_elsewhere(qtbot: QtBot, demo_map: MapView, hand: Hand) -> None:
    before = Named(qtbot, demo_map).pixels["FRANCE"]
    west, east = demo_map.bounds()[0], demo_map.bounds()[2]
    here = f"world.countries && {(before.x() / 782) * (east - west) + west} / 360 + 0.5"
    box = f"const x = {here}; const y = labels.placed.get('France 0').y;"
    computed(qtbot, demo_map, f"{box} globalThis.boxes = [[x - 1e-4, y - 1e-4, x + 1e-4, y + 1e-4]]; return [];")
    moved = Named(qtbot, demo_map)
    assert moved.countries["FRANCE"] == "France"
    assert (moved.pixels["FRANCE"] - before).manhattanLength() > 15


def test_room_is_found_in_the_middle_of_the_free_space(qtbot: QtBot, map_view: MapView) -> None:
    middle, left, none = computed(qtbot, map_view, PLACEMENT)
    assert middle == pytest.approx([100, 50], abs=5)
    assert left == pytest.approx([47, 50], abs=5)
    assert none is None


@pytest.fixture
def middle_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[MapProfile]:
    """A profile whose pages lack the detailed atlas."""
    monkeypatch.setattr(scheme, "_WORLDS", ("50m",))
    profile = MapProfile()
    yield profile
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    profile.handler.close()
    delete(profile)


def test_pictures_wait_for_the_fine_coast_and_do_without_it(
    qtbot: QtBot, map_view: MapView, hand: Hand, middle_only: MapProfile
) -> None:
    map_view.show_point(*ISLE_OF_WIGHT, zoom=9)
    fine = hand.picture()
    map_view.show_point(0.0, 0.0, zoom=9)
    map_view.show_point(*ISLE_OF_WIGHT, zoom=9)
    assert hand.picture() == fine, "the first picture was taken too early"
    other = MapView(profile=middle_only)
    complaints: list[str] = []
    other.failed.connect(complaints.append)
    other.resize(map_view.size())
    with qtbot.waitSignal(other.ready, timeout=30_000):
        other.show()
    other.show_point(*ISLE_OF_WIGHT, zoom=9)
    coarse = Hand(qtbot, other).picture()
    other.close()
    other.deleteLater()
    assert coarse != fine
    assert complaints == []


def test_a_name_of_a_narrow_slanting_fence_is_not_written_beside_it(map_view: MapView, hand: Hand) -> None:
    corners = ((14.495, 46.046), (14.4955, 46.046), (14.505, 46.054), (14.5045, 46.054))
    lane = MapFence("a", "", "#009E73", True, MapPolygon((*corners, corners[0])))
    map_view.set_fences([lane])
    plain = hand.picture()
    map_view.set_fences([MapFence("a", "A long name", "#009E73", True, MapPolygon((*corners, corners[0])))])
    assert hand.picture() == plain
    map_view.set_fences([MapFence("a", "", "#009E73", True, MapCircle(14.5, 46.05, 400.0))])
    plain = hand.picture()
    map_view.set_fences([MapFence("a", "A name", "#009E73", True, MapCircle(14.5, 46.05, 400.0))])
    assert hand.picture() != plain


def test_a_tile_that_goes_out_of_view_gives_its_picture_back(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    keep = """
    globalThis.before = [...document.querySelectorAll(".leaflet-basemap-pane canvas")];
    return [before.map(({ width }) => width)];
    """
    hand.settle()
    [widths] = computed(qtbot, map_view, keep)
    assert widths
    assert 0 not in widths
    map_view.show_point(-60.0, 10.0, zoom=4)
    hand.settle()
    [left] = computed(qtbot, map_view, "return [before.filter((tile) => !tile.isConnected).map(({ width }) => width)];")
    assert left
    assert set(left) == {0}
