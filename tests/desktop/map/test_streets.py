"""The streets of areas: visible in every theme, served tile by tile, and removed with their area."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.desktop.map import MapArea, MapProfile, MapView
from engine.areas.folder import read_area
from engine.areas.library import BUNDLED
from tests.desktop.map.hand import Hand

pytestmark = pytest.mark.slow

ATTRIBUTION = "document.querySelector('.leaflet-control-attribution').textContent"
FETCH = """
fetch({url!r}).then(
    async (answer) => answer.ok ? `got ${{(await answer.arrayBuffer()).byteLength}}` : "refused",
    () => "refused",
).then((text) => {{ document.title = `{number} ${{text}}`; }});
"""
_numbers = count()


@pytest.fixture
def helsinki() -> MapArea:
    """The bundled area."""
    found = read_area(BUNDLED / "helsinki", bundled=True)
    if found is None or found.basemap is None:
        pytest.skip("the bundled area has not been built; the setup does it")
    return MapArea(found.name, found.bounds, found.basemap)


def go_to(view: MapView, area: MapArea, zoom: float) -> tuple[float, float]:
    west, south, east, north = area.bounds
    view.show_point((west + east) / 2, (south + north) / 2, zoom=zoom)
    return (west + east) / 2, (south + north) / 2


def colors(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(100, 700, 3) for y in range(100, 500, 3)}


def share_of_difference(one: QImage, other: QImage) -> float:
    places = [(x, y) for x in range(0, one.width(), 4) for y in range(0, one.height(), 4)]
    return sum(one.pixel(x, y) != other.pixel(x, y) for x, y in places) / len(places)


def fetched(qtbot: QtBot, view: MapView, url: str) -> str:
    with qtbot.waitSignal(view._page.titleChanged) as answered:
        view._page.runJavaScript(FETCH.format(url=url, number=next(_numbers)))
    return str(answered.args[0]).partition(" ")[2]


def attribution(qtbot: QtBot, view: MapView) -> str:
    answers: list[str] = []
    view._page.runJavaScript(ATTRIBUTION, answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    return answers[0]


def test_streets_come_and_go_with_their_area(qtbot: QtBot, map_view: MapView, hand: Hand, helsinki: MapArea) -> None:
    go_to(map_view, helsinki, 16)
    before = hand.picture()
    assert "OpenStreetMap" not in attribution(qtbot, map_view)
    map_view.set_areas([helsinki])
    streets = hand.picture()
    assert len(colors(streets)) > 10 * len(colors(before))
    assert "© OpenStreetMap contributors" in attribution(qtbot, map_view)
    map_view.set_areas([])
    assert hand.picture() == before
    assert "OpenStreetMap" not in attribution(qtbot, map_view)


def test_settled_means_painted_also_after_every_move(map_view: MapView, hand: Hand, helsinki: MapArea) -> None:
    """The first picture is already the final one."""
    map_view.set_areas([helsinki])
    for zoom in (15, 17, 14):
        go_to(map_view, helsinki, zoom)
        first = hand.picture()
        assert len(colors(first)) > 20
        assert hand.picture() == first


def test_a_view_that_is_left_before_it_is_painted_is_waited_for_no_more(
    map_view: MapView, hand: Hand, helsinki: MapArea
) -> None:
    map_view.set_areas([helsinki])
    for zoom in (16, 3, 15, 17, 3):
        go_to(map_view, helsinki, zoom)
    hand.settle()
    for theme in ("dark", "light"):
        map_view.set_theme(theme)
        map_view.set_areas([])
        map_view.set_areas([helsinki])
    go_to(map_view, helsinki, 16)
    assert len(colors(hand.picture())) > 20


def test_streets_are_dark_in_the_dark(map_view: MapView, hand: Hand, helsinki: MapArea) -> None:
    map_view.set_areas([helsinki])
    go_to(map_view, helsinki, 16)
    for theme, dark in (("dark", True), ("light", False)):
        map_view.set_theme(theme)  # type: ignore[arg-type]
        image = hand.picture()
        lightness = [image.pixelColor(x, y).lightness() for x in range(50, 750, 7) for y in range(50, 550, 7)]
        assert (sum(lightness) / len(lightness) < 80) is dark
        assert len(colors(image)) > 20


def test_two_areas_at_once(map_view: MapView, hand: Hand, helsinki: MapArea) -> None:
    """The second area has no data in the view. It must neither cover the first nor delay its painting."""
    map_view.set_areas([helsinki])
    go_to(map_view, helsinki, 16)
    alone = hand.picture()
    west, south, east, north = helsinki.bounds
    other = MapArea("elsewhere", (west + 5, south, east + 5, north), helsinki.tiles)
    map_view.set_areas([helsinki, other])
    # The order of reading decides which of two colliding names is written.
    assert share_of_difference(hand.picture(), alone) < 0.01


def test_only_pieces_of_offered_files_are_served(qtbot: QtBot, map_view: MapView, helsinki: MapArea) -> None:
    address = map_view._profile.handler.offer_tiles([helsinki.tiles])[helsinki.tiles]
    size = helsinki.tiles.stat().st_size
    answers = {
        f"{address}/0-127": "got 127",
        f"{address}/16000-100001": "got 100001",
        f"{address}/{size - 10}-1000": "got 10",
        address: "refused",
        f"{address}/../../code/main.js": "got ",
        "/tiles/0123456789abcdef01234567/0-127": "refused",
        f"/tiles/{helsinki.tiles}/0-127": "refused",
        f"{address}/0--5": "refused",
    }
    for url, expected in answers.items():
        assert fetched(qtbot, map_view, url).startswith(expected), url
    map_view._profile.handler.offer_tiles([])
    assert fetched(qtbot, map_view, f"{address}/0-127") == "refused"


def test_an_unreadable_file_is_reported_once(
    qtbot: QtBot, map_profile: MapProfile, helsinki: MapArea, tmp_path: Path
) -> None:
    view = MapView(profile=map_profile)
    qtbot.addWidget(view)
    view.resize(800, 600)
    errors: list[str] = []
    view.failed.connect(errors.append)
    with qtbot.waitSignal(view.ready, timeout=30_000):
        view.show()
    view.set_areas([MapArea("gone", helsinki.bounds, tmp_path / "gone.pmtiles")])
    go_to(view, helsinki, 16)
    Hand(qtbot, view).settle()
    assert errors == ["The streets of gone could not be read: Request Failed."]
    view.shutdown()
