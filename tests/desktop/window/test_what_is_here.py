"""The context menu of the map: the location there, and the actions."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest

from app.desktop.dialogs.palette import CommandPalette
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Circle, Polygon
from engine.geocoding.geocoding import Geocoding
from tests.desktop.window.typist import CTRL, RIGHT, Book, Typist, choose, menu
from tests.desktop.window.user import CORNERS

pytestmark = pytest.mark.parts(
    "areas", "world_data", "commands", "fences", "search", "search_result", "selection", "tools"
)


def test_a_right_click_looks_up_the_address_here(typist: Typist, book: Book) -> None:
    choose(menu(typist, (14.499, 46.0501)), "What is here?")
    card = typist.window.search_result.card
    typist.until(lambda: card.title.text() == "Tivolska cesta 1")
    assert "away" in card.detail.text()
    assert card.location.text().startswith("46.05")


def test_the_card_does_not_hide_its_pin(typist: Typist, book: Book) -> None:
    typist.until(lambda: typist.window.map.zoom() == 15)
    west, _, _, north = typist.window.map.bounds()
    corner = (west + 0.002, north - 0.001)
    choose(menu(typist, corner), "What is here?")
    found = typist.window.search_result
    typist.until(lambda: found.card.title.text() == "Tivolska cesta 1")

    def seen() -> bool:
        pin = typist.hand.at(corner)
        return not found.card.geometry().intersects(QRect(pin - QPoint(10, 32), QSize(20, 32)))

    typist.until(seen)
    assert typist.window.map.rect().contains(found.card.geometry())
    choose(menu(typist, (14.5, 46.05)), "What is here?")
    typist.until(lambda: found.card.pos() == QPoint(8, 8))


def test_a_missing_address_is_reported(typist: Typist, book: Book) -> None:
    book.answers = False
    choose(menu(typist, (14.499, 46.0501)), "What is here?")
    card = typist.window.search_result.card
    typist.until(lambda: card.detail.text() == "No address found here.")
    assert card.title.text().startswith("46.05")


def test_without_any_data_it_gives_instructions(
    typist: Typist, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program has just been installed, and has no data for searches yet."""
    for holder in (typist.engine, typist.engine._parts):
        monkeypatch.setattr(holder, "geocoding", Geocoding(lambda: (), world=tmp_path))
    typist.given(1, "tivoli gate")
    typist.search("tivol")
    hint = "There is no address or place data yet: download it under World data…, or build an area under Areas…."
    assert (typist.rows(), typist.popup.note.text()) == (["Geofences", "Tivoli gate 1"], hint)
    typist.search("xyz")
    typist.until(lambda: typist.popup.note.text() == f"Nothing found for “xyz”.\n{hint}")
    assert not typist.window.message.isVisible()
    choose(menu(typist, (14.499, 46.0501)), "What is here?")
    typist.until(typist.window.message.isVisible)
    assert typist.window.message.text.text() == hint
    typist.click(typist.window.message.button)
    typist.until(typist.window.world_data.dialog.isVisible)


def test_a_geofence_is_made_from_the_menu(typist: Typist, book: Book) -> None:
    choose(menu(typist, (14.499, 46.0501)), "Create geofence here")
    typist.until(lambda: len(typist.stored()) == 1)
    geometry = typist.only().geometry
    assert isinstance(geometry, Circle)
    assert (geometry.center.longitude, geometry.center.latitude) == pytest.approx((14.499, 46.0501), abs=1e-4)


@pytest.mark.whole_window
def test_the_other_button_is_for_corners_while_one_draws(typist: Typist, book: Book) -> None:
    typist.tool(typist.window.actions_.polygon)
    point = typist.hand.at((14.499, 46.0501))
    target = typist.window.map.render_widget()
    assert target is not None
    QTest.mouseClick(target, RIGHT, Qt.KeyboardModifier.NoModifier, point)
    typist.hand.settle()
    assert not typist.window.search_result.menu.isVisible()
    typist.window.map.cancel()


@pytest.mark.whole_window
def test_a_right_click_on_a_corner_removes_it_without_a_question(typist: Typist, book: Book) -> None:
    typist.given(1)
    fence = typist.draw_polygon()
    assert isinstance(fence.geometry, Polygon)
    typist.hand.click(CORNERS[0])
    ring = [(14.496, 46.048), (14.504, 46.048), (14.504, 46.052), (14.496, 46.052), (14.496, 46.048)]
    change = GeofenceChange(coordinates=tuple(ring))
    typist.engine.geofences.update(Environment.TEST, fence.id, change)
    typist.until(lambda: typist.window.model.fences.get(fence.id) != fence)
    target = typist.window.map.render_widget()
    assert target is not None
    at = typist.hand.at((14.496, 46.052))
    QTest.mouseMove(target, at)
    QTest.mouseClick(target, RIGHT, Qt.KeyboardModifier.NoModifier, at)
    typist.until(lambda: len(typist.engine.geofences.get(Environment.TEST, fence.id).geometry.ring) == 4)  # type: ignore[union-attr]
    assert not typist.window.search_result.menu.isVisible()


def test_the_palette_looks_up_the_middle_of_the_map(typist: Typist, book: Book) -> None:
    typist.press(Qt.Key.Key_K, CTRL)
    palette = typist.window.findChildren(CommandPalette)[-1]
    QTest.keyClicks(palette.search, "what is here")
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    typist.until(lambda: typist.window.search_result.card.title.text() == "Tivolska cesta 1")
