"""The search box with real keys and the real mouse: its results, their locations, and actions at a result."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.desktop.dialogs.palette import CommandPalette
from app.desktop.memory import Memory
from app.desktop.model.search.recent import decode_recent, encode_recent
from app.desktop.model.search.results import Kind, SearchResult
from app.desktop.panels.search.rows import Hit
from engine.domain.environment import Environment
from engine.domain.geometry import Circle, Point, Polygon
from tests.desktop.window.typist import CTRL, LEFT, Book, Typist

pytestmark = pytest.mark.parts(
    "availability", "commands", "isochrones", "list", "search", "search_result", "selection", "undoing"
)

# Searching and choosing


def test_groups_come_while_one_types(typist: Typist, book: Book) -> None:
    typist.given(1, "tivoli gate")
    typist.search("tivol")
    assert typist.rows() == ["Geofences", "Tivoli gate 1", "Addresses", "Tivolska cesta 1", "Places", "Tivoli"]
    assert typist.current() == "Tivoli gate 1"
    assert len(typist.window.list.model.tree) == 1


def test_the_keys_choose_and_enter_goes_there(typist: Typist, book: Book) -> None:
    typist.given(1, "tivoli gate")
    typist.search("tivol")
    for key, chosen in (
        (Qt.Key.Key_Down, "Tivolska cesta 1"),
        (Qt.Key.Key_Down, "Tivoli"),
        (Qt.Key.Key_Down, "Tivoli gate 1"),
        (Qt.Key.Key_Up, "Tivoli"),
        (Qt.Key.Key_PageUp, "Tivolska cesta 1"),
        (Qt.Key.Key_PageUp, "Tivoli gate 1"),
        (Qt.Key.Key_PageDown, "Tivolska cesta 1"),
    ):
        typist.key(key)
        assert typist.current() == chosen
    typist.key(Qt.Key.Key_Return)
    assert not typist.popup.isVisible()
    assert typist.window.search_result.card.isVisible()
    assert typist.window.search_result.card.title.text() == "Tivolska cesta 1"
    assert typist.window.search_result.card.location.text() == "46.05600, 14.49800"
    typist.arrived(14.498, 46.056)
    assert typist.window.map.zoom() == 17.0


def test_enter_before_the_answer_goes_there_when_it_comes(typist: Typist, book: Book) -> None:
    typist.press(Qt.Key.Key_F, CTRL)
    QTest.keyClicks(typist.window.toolbar.search, "tivols")
    typist.key(Qt.Key.Key_Return)
    typist.until(lambda: typist.window.search_result.found is not None)
    assert typist.window.search_result.card.title.text() == "Tivolska cesta 1"
    assert book.queries[-1] == "tivols"


def test_the_newest_text_is_the_one_that_is_answered(typist: Typist, book: Book) -> None:
    typist.search("tivoli")
    QTest.keyClicks(typist.window.toolbar.search, "x")
    QTest.keyClick(typist.window.toolbar.search, Qt.Key.Key_Backspace)
    QTest.keyClicks(typist.window.toolbar.search, " nowhere")
    typist.until(lambda: typist.window.search.answered)
    typist.idle()
    assert typist.window.search.search is not None
    assert typist.window.search.search.question.text == "tivoli nowhere"
    assert "Nothing found for “tivoli nowhere”." in typist.popup.note.text()


def test_a_geofence_that_is_found_is_selected(typist: Typist, book: Book) -> None:
    typist.given(1, "north")
    south = typist.given(2, "south", 14.6)
    typist.search("sou")
    typist.key(Qt.Key.Key_Return)
    assert typist.window.model.selection.fence_id == south.id
    typist.arrived(14.6, 46.05)
    assert not typist.window.search_result.card.isVisible()


def test_the_mouse_chooses(typist: Typist, book: Book) -> None:
    typist.search("tivol")
    row = next(at for at, text in enumerate(typist.rows()) if text == "Tivoli")
    rect = typist.popup.list.visualRect(typist.popup.rows.index(row))
    QTest.mouseClick(typist.popup.list.viewport(), LEFT, pos=rect.center())
    assert typist.window.search_result.card.title.text() == "Tivoli"
    assert typist.window.search_result.card.detail.text() == "Park · 1000 Ljubljana, Slovenia"
    # The map is zoomed to the outline of a place.
    typist.arrived(14.495, 46.055)
    assert typist.window.map.zoom() < 17.0


def test_a_head_is_not_chosen(typist: Typist, book: Book) -> None:
    typist.search("tivol")
    rect = typist.popup.list.visualRect(typist.popup.rows.index(0))
    QTest.mouseClick(typist.popup.list.viewport(), LEFT, pos=rect.center())
    assert typist.popup.isVisible()
    assert typist.window.search_result.found is None


def test_coordinates_are_shown_at_once(typist: Typist, book: Book) -> None:
    typist.press(Qt.Key.Key_F, CTRL)
    QTest.keyClicks(typist.window.toolbar.search, "51°30' N 0°7.2' W")
    typist.key(Qt.Key.Key_Return)
    typist.arrived(-0.12, 51.5)
    assert typist.window.search_result.card.title.text() == "51.50000, -0.12000"
    assert book.queries == []


def test_a_card_shows_coordinates_once(typist: Typist, book: Book) -> None:
    typist.search("51.5, -0.12")
    typist.key(Qt.Key.Key_Return)
    card = typist.window.search_result.card
    assert card.location.text() == "Latitude, longitude"
    assert not card.detail.isVisible()


def test_coordinates_out_of_range_are_explained(typist: Typist, book: Book) -> None:
    typist.search("114.9, 46.1")
    assert typist.popup.note.text() == "Latitude comes first and must be between -90 and 90, not 114.9."
    assert typist.rows() == ["Coordinates", "46.10000, 114.90000"]


def test_without_a_geocoder_geofences_are_still_found(typist: Typist, book: Book) -> None:
    typist.given(1, "tivoli gate")
    book.answers = False
    typist.search("tivol")
    assert typist.rows() == ["Geofences", "Tivoli gate 1"]
    assert typist.popup.note.text() == "Addresses and places cannot be searched right now."
    assert not typist.window.message.isVisible()


def test_all_geofences_with_these_words_can_be_listed(typist: Typist, book: Book) -> None:
    for number in range(1, 7):
        typist.given(number, "gate", 14.5 + number / 1000)
    typist.given(7, "other")
    typist.search("gate")
    assert typist.rows()[-1] == "List all 6 geofences"
    typist.key(Qt.Key.Key_Up)
    typist.key(Qt.Key.Key_Return)
    assert len(typist.window.list.model.tree) == 6
    assert typist.window.list.words.text() == "gate"


# Keys and focus


@pytest.mark.whole_window
def test_escape_closes_then_clears_then_leaves(typist: Typist, book: Book) -> None:
    box = typist.window.toolbar.search
    typist.search("tivol")
    typist.key(Qt.Key.Key_Return)
    typist.key(Qt.Key.Key_Down)
    assert typist.popup.isVisible()
    typist.key(Qt.Key.Key_Escape)
    assert not typist.popup.isVisible()
    assert (box.text(), box.hasFocus(), typist.window.search_result.card.isVisible()) == ("tivol", True, True)
    typist.key(Qt.Key.Key_Escape)
    assert (box.text(), box.hasFocus(), typist.window.search_result.card.isVisible()) == ("", True, False)
    typist.key(Qt.Key.Key_Escape)
    typist.key(Qt.Key.Key_Escape)
    assert not box.hasFocus()


def test_tab_leaves_the_box(typist: Typist, book: Book) -> None:
    typist.search("tivol")
    typist.key(Qt.Key.Key_Tab)
    assert not typist.window.toolbar.search.hasFocus()
    assert not typist.popup.isVisible()


def test_a_click_elsewhere_closes_the_list(typist: Typist, book: Book) -> None:
    typist.search("tivol")
    handle = typist.window.windowHandle()
    assert handle is not None
    assert typist.window.toolbar.search.hasFocus()
    # A click on the status line, which takes no focus.
    QTest.mouseClick(handle, LEFT, pos=QPoint(300, typist.window.height() - 12))
    typist.until(lambda: not typist.popup.isVisible())


def press_at(typist: Typist, at: QPoint) -> None:
    """Click like the window system: on the window, which finds the widget at the position."""
    handle = typist.window.windowHandle()
    assert handle is not None
    QTest.mouseClick(handle, LEFT, pos=at)


def test_a_list_that_was_clicked_away_does_not_come_back(typist: Typist, book: Book) -> None:
    typist.search("tivol")
    # A click on the status line, which takes no focus.
    press_at(typist, QPoint(300, typist.window.height() - 12))
    typist.until(lambda: not typist.popup.isVisible())
    typist.given(1, "tivoli gate")
    typist.idle()
    assert not typist.popup.isVisible()
    typist.press(Qt.Key.Key_F, CTRL)
    typist.key(Qt.Key.Key_Down)
    typist.until(lambda: typist.popup.isVisible() and "Tivoli gate 1" in typist.rows())
    live = typist.window.toolbar.environments.live
    press_at(typist, live.mapTo(typist.window, live.rect().center()))
    typist.until(lambda: typist.window.model.environment is Environment.LIVE)
    typist.idle()
    assert not typist.popup.isVisible()


def test_the_chosen_result_stays_while_geofences_change(typist: Typist, book: Book) -> None:
    typist.given(1, "tivoli gate")
    typist.search("tivol")
    typist.key(Qt.Key.Key_Down)
    assert typist.current() == "Tivolska cesta 1"
    typist.given(2, "tivoli yard")
    typist.until(lambda: "Tivoli yard 2" in typist.rows())
    assert typist.current() == "Tivolska cesta 1"
    typist.key(Qt.Key.Key_Return)
    assert typist.window.search_result.card.title.text() == "Tivolska cesta 1"


def test_results_are_requested_again_when_the_areas_change(typist: Typist, book: Book) -> None:
    typist.search("tivol")
    book.answers = False
    typist.window.model.areas_changed.emit()
    typist.until(lambda: "Addresses and places cannot be searched right now." in typist.popup.note.text())
    book.answers = True
    typist.window.model.areas_changed.emit()
    typist.until(lambda: typist.popup.isVisible() and typist.rows()[:1] == ["Addresses"])


def test_distances_are_from_the_current_center_of_the_map(typist: Typist, book: Book) -> None:
    def away() -> float | None:
        row = typist.popup.current
        return row.found.distance_m if typist.popup.isVisible() and isinstance(row, Hit) else None

    def look(longitude: float) -> None:
        typist.window.map.show_point(longitude, 46.056, zoom=15)
        typist.arrived(longitude, 46.056)

    look(14.498)
    typist.search("tivols")
    typist.until(lambda: away() == pytest.approx(0, abs=5))
    look(14.598)
    typist.until(lambda: away() == pytest.approx(7_740, rel=0.01))
    typist.key(Qt.Key.Key_Escape)
    look(14.698)
    typist.press(Qt.Key.Key_F, CTRL)
    typist.key(Qt.Key.Key_Down)
    typist.until(lambda: away() == pytest.approx(15_480, rel=0.01))
    typist.key(Qt.Key.Key_Return)
    typist.arrived(14.498, 46.056)
    typist.press(Qt.Key.Key_F, CTRL)
    typist.key(Qt.Key.Key_Backspace)
    assert typist.rows()[0] == "Recent searches"
    assert away() == pytest.approx(0, abs=5)


def test_results_come_while_one_types_on(typist: Typist, book: Book) -> None:
    typist.press(Qt.Key.Key_F, CTRL)
    box = typist.window.toolbar.search
    for letter in "tivols":
        QTest.keyClicks(box, letter)
        typist.until(lambda: len(box.text()) < 3 or box.text() in book.queries)
    assert len(set(book.queries)) > 2


def test_screen_readers_announce_the_chosen_result(typist: Typist, book: Book) -> None:
    box = typist.window.toolbar.search
    typist.search("tivols")
    assert box.accessibleName() == "Search"
    # The distance is added as soon as the map has reported its position.
    description = "Tivolska cesta 1, 1000 Ljubljana, Slovenia, House, "
    typist.until(
        lambda: box.accessibleDescription().startswith(description) and box.accessibleDescription().endswith(" m")
    )
    typist.key(Qt.Key.Key_Escape)
    assert box.accessibleDescription().startswith("Address, place, geofence")


def test_an_input_method_writes_into_the_box(typist: Typist, book: Book) -> None:
    typist.given(1, "東京タワー")
    typist.press(Qt.Key.Key_F, CTRL)
    box = typist.window.toolbar.search
    making = QInputMethodEvent("とうきょう", [])
    QApplication.sendEvent(box, making)
    assert box.text() == ""
    made = QInputMethodEvent()
    made.setCommitString("東京")
    QApplication.sendEvent(box, made)
    typist.until(lambda: typist.window.search.answered)
    assert typist.rows()[:2] == ["Geofences", "東京タワー 1"]


def test_letters_are_typed_and_do_not_take_tools(typist: Typist, book: Book) -> None:
    typist.search("cpvim ")
    assert typist.window.toolbar.search.text() == "cpvim "
    assert typist.window.map.tool == "select"


# Actions at a result


def test_an_address_becomes_a_geofence_and_that_is_undone(typist: Typist, book: Book) -> None:
    typist.search("tivols")
    typist.key(Qt.Key.Key_Return)
    typist.click(typist.window.search_result.card.fence)
    typist.until(lambda: len(typist.stored()) == 1)
    fence = typist.only()
    assert fence.description == "Tivolska cesta 1"
    assert fence.geometry == Circle(Point(14.498, 46.056), 100.0)
    typist.until(lambda: typist.window.model.selection.fence_id == fence.id)
    assert not typist.window.search_result.card.isVisible()
    typist.press(Qt.Key.Key_Z, CTRL)
    typist.until(lambda: typist.stored() == [])


def test_ctrl_enter_makes_a_geofence_of_an_outline(typist: Typist, book: Book) -> None:
    typist.search("tivoli")
    assert typist.current() == "Tivoli"
    typist.key(Qt.Key.Key_Return, CTRL)
    typist.until(lambda: len(typist.stored()) == 1)
    fence = typist.only()
    assert fence.description == "Tivoli"
    assert isinstance(fence.geometry, Polygon)
    assert (14.49, 46.05) in fence.geometry.ring


def test_ctrl_enter_works_while_the_card_is_shown(typist: Typist, book: Book) -> None:
    typist.search("tivols")
    typist.key(Qt.Key.Key_Return)
    typist.press(Qt.Key.Key_Return, CTRL, on=typist.window.map)
    typist.until(lambda: len(typist.stored()) == 1)
    assert not typist.window.actions_.fence_here.isEnabled()


def test_making_a_geofence_in_live_is_confirmed(typist: Typist, book: Book) -> None:
    typist.click(typist.window.toolbar.environments.live)
    typist.idle()
    typist.search("tivols")
    typist.key(Qt.Key.Key_Return, CTRL)
    assert "Tivolska cesta 1" in typist.box().text() + typist.box().informativeText()
    typist.answer("Cancel")
    typist.idle()
    assert typist.stored(Environment.LIVE) == []
    assert typist.window.search_result.card.isVisible()
    typist.click(typist.window.search_result.card.fence)
    typist.answer("Create")
    typist.until(lambda: len(typist.stored(Environment.LIVE)) == 1)


def test_coordinates_are_copied_latitude_first(typist: Typist, book: Book) -> None:
    typist.search("tivols")
    typist.key(Qt.Key.Key_Return)
    typist.click(typist.window.search_result.card.copy)
    assert QGuiApplication.clipboard().text() == "46.05600, 14.49800"


def test_an_isochrone_begins_there(typist: Typist, book: Book) -> None:
    typist.search("tivols")
    typist.key(Qt.Key.Key_Return)
    typist.click(typist.window.search_result.card.isochrone)
    panel = typist.window.isochrones.panel
    assert panel.isVisible()
    assert not typist.window.search_result.card.isVisible()
    assert panel.trial is not None
    assert panel.trial.center == Point(14.498, 46.056)
    assert panel.location.text() == "To Tivolska cesta 1"
    assert panel.trial.change.description == "Tivolska cesta 1"
    typist.until(lambda: typist.window.isochrones.answered)
    typist.window.map.cancel()


def test_undo_after_a_geofence_was_made_from_the_box_undoes_the_geofence(typist: Typist, book: Book) -> None:
    typist.search("tivols")
    typist.key(Qt.Key.Key_Return, CTRL)
    typist.until(lambda: len(typist.stored()) == 1)
    typist.until(lambda: typist.window.model.selection.fence_id is not None)
    typist.key(Qt.Key.Key_Z, CTRL)
    typist.until(lambda: typist.stored() == [])
    assert typist.window.toolbar.search.text() == "tivols"


def test_of_a_country_no_circle_is_made(typist: Typist, book: Book) -> None:
    country = SearchResult(kind=Kind.COUNTRY, title="Slovenia", point=Point(14.8, 46.1))
    typist.window.search_result.go_and_make_fence(country)
    assert typist.window.search_result.card.isVisible()
    assert not typist.window.search_result.card.fence.isVisible()
    assert not typist.window.actions_.fence_here.isEnabled()
    typist.idle()
    assert typist.stored() == []


def test_a_click_on_the_map_takes_the_card_away(typist: Typist, book: Book) -> None:
    typist.search("tivols")
    typist.key(Qt.Key.Key_Return)
    typist.arrived(14.498, 46.056)
    typist.hand.click((14.4985, 46.0555))
    typist.until(lambda: not typist.window.search_result.card.isVisible())


@pytest.mark.whole_window
@pytest.mark.slow
def test_the_pin_is_seen_at_its_position_in_both_themes(typist: Typist, book: Book) -> None:
    typist.search("tivols")
    typist.key(Qt.Key.Key_Return)
    typist.arrived(14.498, 46.056)
    colors = []
    for theme in ("light", "dark"):
        typist.window.appearance.choose(theme)
        at = typist.hand.at((14.498, 46.056))
        colors.append(typist.hand.color_at(at - QPoint(0, 31)).name())
    assert colors == ["#1a61d1", "#62a0ff"]


def test_text_without_a_command_is_searched_for(typist: Typist, book: Book) -> None:
    typist.press(Qt.Key.Key_K, CTRL)
    palette = typist.window.findChildren(CommandPalette)[-1]
    QTest.keyClicks(palette.search, "tivol")
    assert palette.list.topLevelItemCount() == 1
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    typist.until(lambda: typist.window.search.answered and typist.popup.isVisible())
    assert typist.window.toolbar.search.text() == "tivol"
    assert typist.current() == "Tivolska cesta 1"


# Recent searches


def test_chosen_results_are_offered_again(typist: Typist, book: Book) -> None:
    fence = typist.given(1, "gate")
    typist.search("tivols")
    typist.key(Qt.Key.Key_Return)
    typist.search("gate")
    typist.key(Qt.Key.Key_Return)
    typist.press(Qt.Key.Key_F, CTRL)
    QTest.keyClick(typist.window.toolbar.search, Qt.Key.Key_Backspace)
    assert typist.rows() == ["Recent searches", "Gate 1", "Tivolska cesta 1", "Clear recent searches"]
    typist.engine.geofences.delete(Environment.TEST, fence.id)
    typist.until(lambda: len(typist.window.model.fences) == 0)
    typist.window.toolbar.search.clearFocus()
    typist.press(Qt.Key.Key_F, CTRL)
    assert typist.rows() == ["Recent searches", "Tivolska cesta 1", "Clear recent searches"]
    typist.key(Qt.Key.Key_Up)
    typist.key(Qt.Key.Key_Return)
    typist.key(Qt.Key.Key_Down)
    assert not typist.popup.isVisible()
    assert typist.window.search.recent == ()


def test_recent_searches_are_there_the_next_time(tmp_path: Path) -> None:
    recent = (SearchResult(kind=Kind.HOUSE, title="Städtle 1, “x”; y=1", point=Point(9.0, 47.0)),)
    Memory(tmp_path).searches = encode_recent(recent)
    assert decode_recent(Memory(tmp_path).searches) == recent
    Memory(tmp_path).searches = ""
    assert decode_recent(Memory(tmp_path).searches) == ()
    assert Memory().searches == ""
