"""Several geofences are selected in the list and on the map, by mouse and keyboard, and deleted as one step."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.desktop.map.values import Position
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from tests.desktop.window.test_selection import given_many
from tests.desktop.window.user import LEFT, User

pytestmark = pytest.mark.parts("availability", "commands", "fences", "list", "selection", "tools", "undoing")

TEST, LIVE = Environment.TEST, Environment.LIVE
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NORTH, SOUTH = 46.051, 46.049


def selected(user: User) -> list[str]:
    """Return the external IDs of the selection, in its order. The list must mark the same ones."""
    window = user.window
    ids = window.model.selection.fence_ids
    marked = window.list.model.ids_in(window.list.view.selectionModel().selection())
    assert set(marked) == set(ids)
    fences = [window.model.fences.get(each) for each in ids]
    return [fence.external_id for fence in fences if fence is not None]


def click_row(user: User, fence: Geofence, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    view = user.window.list.view
    at = view.visualRect(user.window.list.model.index_of(fence.id)).center()
    QTest.mouseClick(view.viewport(), LEFT, keys, at)


def drag(user: User, path: list[Position], keys: Qt.KeyboardModifier) -> None:
    """Drag along a path with keys held down, slowly enough for the page to process each move."""
    target = user.window.map.render_widget()
    assert target is not None
    points = [user.hand.at(place) for place in path]
    QTest.mouseMove(target, points[0])
    QTest.mousePress(target, LEFT, keys, points[0])
    for start, end in pairwise(points):
        for step in range(1, 4):
            QTest.mouseMove(target, start + (end - start) * step / 3)
            user.hand.at(path[0])
    QTest.mouseRelease(target, LEFT, keys, points[-1])


def shift_drag(user: User, start: Position, end: Position) -> None:
    drag(user, [start, end], SHIFT)


def click_map(user: User, place: Position, keys: Qt.KeyboardModifier) -> None:
    target = user.window.map.render_widget()
    assert target is not None
    at = user.hand.at(place)
    QTest.mouseMove(target, at)
    QTest.mouseClick(target, LEFT, keys, at)


def test_the_list_selects_several_by_mouse_and_keyboard(user: User) -> None:
    fences = given_many(user, 5)
    bar, form, view = user.window.form.several, user.window.form, user.window.list.view
    click_row(user, fences[1])
    assert not bar.isVisible()
    click_row(user, fences[3], CTRL)
    assert selected(user) == ["001", "003"]
    assert form.fence == fences[3]
    assert bar.isVisible()
    assert bar.text.whole == "2 geofences selected"
    click_row(user, fences[1], CTRL)
    assert selected(user) == ["003"]
    assert form.fence == fences[3]
    click_row(user, fences[0], SHIFT)
    assert sorted(selected(user)) == ["000", "001", "003"]
    click_row(user, fences[2])
    assert selected(user) == ["002"]
    QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
    assert selected(user) == ["002", "003"]
    assert form.fence == fences[3]
    QTest.keyClick(view, Qt.Key.Key_A, CTRL)
    assert len(selected(user)) == 5
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert selected(user) == []
    assert not bar.isVisible()
    assert user.window.form.fence is None


@pytest.mark.whole_window
def test_the_map_selects_several_by_clicks(user: User) -> None:
    fences = given_many(user, 4)
    user.hand.click((14.5, 46.05))
    user.until(lambda: selected(user) == ["000"])
    click_map(user, (14.502, 46.05), CTRL)
    user.until(lambda: selected(user) == ["000", "001"])
    click_map(user, (14.504, 46.05), SHIFT)
    user.until(lambda: selected(user) == ["000", "001", "002"])
    assert user.window.form.fence == fences[2]
    click_map(user, (14.502, 46.05), CTRL)
    user.until(lambda: selected(user) == ["000", "002"])
    click_map(user, (14.503, 46.054), CTRL)
    user.hand.settle()
    assert selected(user) == ["000", "002"], "a missed click with Ctrl leaves the selection as it is"
    user.hand.press(Qt.Key.Key_Escape)
    user.until(lambda: selected(user) == [])


@pytest.mark.whole_window
def test_a_rectangle_adds_geofences_with_their_middle_inside_and_the_map_stays(user: User) -> None:
    given_many(user, 5)
    user.hand.settle()
    before = user.window.map.center(), user.window.map.zoom()
    shift_drag(user, (14.4985, NORTH), (14.5030, SOUTH))
    user.until(lambda: selected(user) == ["000", "001"])
    shift_drag(user, (14.5055, SOUTH), (14.5065, NORTH))
    user.until(lambda: selected(user) == ["000", "001", "003"])
    user.hand.settle()
    assert (user.window.map.center(), user.window.map.zoom()) == before


@pytest.mark.whole_window
def test_a_lasso_replaces_the_selection_and_ends(user: User) -> None:
    given_many(user, 5)
    user.hand.click((14.5, 46.05))
    user.until(lambda: selected(user) == ["000"])
    user.press(Qt.Key.Key_L)
    user.until(user.window.actions_.lasso.isChecked)
    around: list[Position] = [(14.5011, SOUTH), (14.5049, SOUTH), (14.5049, NORTH), (14.5011, NORTH), (14.5011, SOUTH)]
    drag(user, around, Qt.KeyboardModifier.NoModifier)
    user.until(lambda: selected(user) == ["001", "002"])
    assert user.window.actions_.select.isChecked()
    user.hand.settle()
    center = user.window.map.center()
    user.hand.drag(QPoint(300, 60), QPoint(360, 90))
    user.hand.settle()
    assert user.window.map.center() != center, "the map moves again"
    user.press(Qt.Key.Key_L)
    user.until(user.window.actions_.lasso.isChecked)
    user.hand.press(Qt.Key.Key_Escape)
    user.until(user.window.actions_.select.isChecked)
    assert selected(user) == ["001", "002"]


@pytest.mark.whole_window
def test_all_selected_geofences_look_selected(user: User) -> None:
    given_many(user, 3)
    edge = user.hand.at((14.5, 46.05 + 60 / 111_195))
    before = user.hand.color_at(edge)
    shift_drag(user, (14.4985, NORTH), (14.5030, SOUTH))
    user.until(lambda: len(selected(user)) == 2)
    user.hand.move(QPoint(5, 300))
    assert user.hand.color_at(edge) != before or user.hand.color_at(edge + QPoint(0, -3)) != before
    user.hand.press(Qt.Key.Key_Escape)
    user.until(lambda: not selected(user))
    assert user.hand.color_at(edge) == before


def test_delete_takes_all_selected_as_one_step(user: User) -> None:
    fences = given_many(user, 5)
    click_row(user, fences[1])
    click_row(user, fences[3], CTRL)
    view = user.window.list.view
    for _ in range(2):
        QTest.keyClick(view, Qt.Key.Key_Delete)
    user.until(lambda: len(user.window.model.fences) == 3)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    user.idle()
    assert [fence.external_id for fence in user.stored()] == ["000", "002", "004"]
    assert user.window.message.text.text() == "Deleted 2 geofences."
    user.press(Qt.Key.Key_Z, CTRL, on=view)
    user.until(lambda: len(user.window.model.fences) == 5)
    user.idle()
    assert [(f.id, f.summary, f.geometry) for f in user.stored()] == [(f.id, f.summary, f.geometry) for f in fences]
    assert sorted(selected(user)) == ["001", "003"]
    user.press(Qt.Key.Key_Z, CTRL | SHIFT, on=view)
    user.until(lambda: len(user.window.model.fences) == 3)


@pytest.mark.whole_window
def test_delete_on_the_map_takes_all_selected(user: User) -> None:
    given_many(user, 3)
    shift_drag(user, (14.4985, NORTH), (14.5030, SOUTH))
    user.until(lambda: len(selected(user)) == 2)
    user.hand.press(Qt.Key.Key_Delete)
    user.until(lambda: [fence.external_id for fence in user.stored()] == ["002"])


def test_changes_of_several_in_live_are_confirmed_once(user: User) -> None:
    user.window.toolbar.environments.live.click()
    user.idle()
    fences = [user.given(n, longitude=14.5 + n * 0.002, radius_m=60) for n in range(3)]
    click_row(user, fences[0])
    click_row(user, fences[2], SHIFT)
    QTest.keyClick(user.window.list.view, Qt.Key.Key_Delete)
    assert user.box().text() == "Delete 3 geofences from Live?"
    user.answer("Delete")
    user.until(lambda: user.stored(LIVE) == [])
    user.idle()


def test_geofences_deleted_by_others_are_no_longer_selected(user: User) -> None:
    fences = given_many(user, 4)
    click_row(user, fences[0])
    click_row(user, fences[2], SHIFT)
    user.engine.geofences.delete(TEST, fences[1].id)
    user.until(lambda: selected(user) == ["000", "002"])
    user.engine.geofences.delete(TEST, fences[2].id)
    user.until(lambda: selected(user) == ["000"])
    assert user.window.form.fence == fences[0]
    assert not user.window.form.several.isVisible()


def test_another_environment_has_nothing_selected(user: User) -> None:
    fences = given_many(user, 3)
    click_row(user, fences[0])
    click_row(user, fences[2], SHIFT)
    user.window.toolbar.environments.live.click()
    user.until(lambda: len(user.window.model.fences) == 0)
    assert selected(user) == []
    user.window.toolbar.environments.test.click()
    user.until(lambda: len(user.window.model.fences) == 3)
    assert selected(user) == []


def test_the_filter_leaves_hidden_geofences_selected_until_another_is(user: User) -> None:
    fences = given_many(user, 4)
    click_row(user, fences[0])
    click_row(user, fences[2], SHIFT)
    words = user.window.list.words
    user.type(words, "001", enter=False)
    user.until(lambda: len(user.window.list.model.tree) == 1)
    assert len(user.window.model.selection.fence_ids) == 3
    words.clear()
    user.until(lambda: len(user.window.list.model.tree) == 4)
    assert selected(user) == ["000", "001", "002"]
