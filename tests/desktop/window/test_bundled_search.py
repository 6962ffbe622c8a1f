"""The search box over the bundled data."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.desktop.window.main_window import MainWindow
from engine.areas.library import BUNDLED
from engine.domain.geometry import Polygon
from engine.geocoding.geocoding import WORLD
from engine.store.workspace import MEMORY
from tests.desktop.window.typist import CTRL, LEFT, STATION, Typist, choose, menu

pytestmark = pytest.mark.slow


@pytest.fixture
def helsinki(qtbot: QtBot, empty_window: MainWindow) -> Typist:
    """A user in the middle of Helsinki."""
    if not (BUNDLED / "helsinki" / "gazetteer.sqlite").is_file() or not (WORLD / "world.sqlite").is_file():
        pytest.skip("the bundled data has not been built; the setup does it")
    with qtbot.waitSignal(empty_window.model.opened):
        empty_window.workspaces.open(MEMORY)
    typist = Typist(qtbot, empty_window)
    typist.until(lambda: typist.session.url is not None and empty_window.map.zoom() > 12)
    return typist


def test_an_address_of_the_bundled_area_is_found_and_shown(helsinki: Typist) -> None:
    helsinki.search("mannerheimintie 4")
    assert "Mannerheimintie 4" in helsinki.rows()
    helsinki.key(Qt.Key.Key_Return)
    assert helsinki.window.search_result.card.title.text() == "Mannerheimintie 4"
    assert "Helsinki" in helsinki.window.search_result.card.detail.text()
    helsinki.arrived(24.9421, 60.1669, within=2e-3)


def test_a_park_of_the_bundled_area_becomes_a_polygon(helsinki: Typist) -> None:
    helsinki.search("kaisaniemi park")
    rows = helsinki.rows()
    row = rows.index("Kaisaniemi Park", rows.index("Places"))
    rect = helsinki.popup.list.visualRect(helsinki.popup.rows.index(row))
    QTest.mouseClick(helsinki.popup.list.viewport(), LEFT, pos=rect.center())
    helsinki.press(Qt.Key.Key_Return, CTRL, on=helsinki.window.map)
    helsinki.until(lambda: len(helsinki.stored()) == 1)
    fence = helsinki.only()
    assert fence.description == "Kaisaniemi Park"
    assert isinstance(fence.geometry, Polygon)


def test_a_country_is_shown_as_one(helsinki: Typist) -> None:
    helsinki.search("liechtenstein")
    helsinki.key(Qt.Key.Key_Return)
    helsinki.arrived(9.55, 47.15, within=0.2)
    assert helsinki.window.map.zoom() < 12


def test_the_area_reachable_from_a_result_is_shown(helsinki: Typist) -> None:
    helsinki.search("mannerheimintie 4")
    helsinki.key(Qt.Key.Key_Return)
    helsinki.arrived(24.9421, 60.1669, within=2e-3)
    assert helsinki.window.map.zoom() == 17.0
    helsinki.click(helsinki.window.search_result.card.isochrone)
    panel = helsinki.window.isochrones.panel
    helsinki.until(panel.create_button.isEnabled)
    helsinki.until(lambda: helsinki.window.map.zoom() < 15.5)
    helsinki.click(panel.create_button)
    helsinki.until(lambda: len(helsinki.stored()) == 1)
    assert helsinki.only().description == "Mannerheimintie 4"


def test_the_address_at_the_station(helsinki: Typist) -> None:
    helsinki.window.map.show_point(*STATION, zoom=16)
    choose(menu(helsinki, STATION), "What is here?")
    card = helsinki.window.search_result.card
    helsinki.until(lambda: "Helsinki" in card.detail.text())
