"""Selection follows the geofence, never its row, regardless of who renames, tags, moves or deletes geofences."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest

from app.desktop.map.values import Position
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from tests.desktop.window.user import User
from tests.engine.fixtures import import_csv

pytestmark = pytest.mark.parts("availability", "commands", "fences", "list", "selection", "tools")

TEST, LIVE = Environment.TEST, Environment.LIVE
FAR_EAST = 15.9


def given_many(user: User, count: int, tag: str = "store") -> list[Geofence]:
    """Create circles side by side, of which the first is in view, and return them once the window lists them."""
    rows = "\n".join(
        f'{tag.capitalize()} {n:03},circle,{tag},{n:03},"[{14.5 + n * 0.002:.4f},46.05]",60' for n in range(count)
    )
    import_csv(user.engine, TEST, f"description,type,tag,externalId,coordinates,radius\n{rows}\n".encode())
    user.until(lambda: len(user.window.model.fences) == count)
    user.window.map.show_point(14.5, 46.05, zoom=15)
    return user.stored()


def marked(user: User) -> str | None:
    """Return the ID of the geofence that the list marks."""
    (index,) = user.window.list.view.selectionModel().selectedIndexes() or [QModelIndex()]
    fence = user.window.list.model.fence(index)
    return fence.id if fence else None


def camera(user: User) -> tuple[Position, float]:
    user.hand.settle()
    return user.window.map.center(), user.window.map.zoom()


def is_selected(user: User, fence_id: str) -> bool:
    form = user.window.form.fence
    return (user.window.model.selection.fence_id, form.id if form else None, marked(user)) == (fence_id,) * 3


def selected_nowhere(user: User) -> bool:
    return (user.window.model.selection.fence_id, user.window.form.fence, marked(user)) == (None, None, None)


def test_a_renamed_geofence_stays_selected_at_its_new_row(user: User) -> None:
    fences = given_many(user, 5)
    user.select(fences[1])
    user.type(user.window.form.basics.description, "Zebra crossing")
    user.until(lambda: user.engine.geofences.get(TEST, fences[1].id).description == "Zebra crossing")
    user.idle()
    assert user.window.list.model.index_of(fences[1].id).row() == 4
    assert is_selected(user, fences[1].id)


def test_a_retagged_geofence_stays_selected_in_its_new_group(user: User) -> None:
    fences = given_many(user, 3)
    user.select(fences[1])
    basics = user.window.form.basics
    user.type(basics.tag, "depot")
    user.type(basics.external_id, "north")
    user.until(lambda: user.engine.geofences.get(TEST, fences[1].id).external_id == "north")
    user.idle()
    assert user.engine.geofences.get(TEST, fences[1].id).tag == "depot"
    assert is_selected(user, fences[1].id)
    others = [user.engine.geofences.get(TEST, fence.id) for fence in (fences[0], fences[2])]
    assert others == [fences[0], fences[2]]


def test_changes_by_others_move_rows_and_not_the_selection(user: User) -> None:
    fences = given_many(user, 6)
    user.select(fences[2])
    before = camera(user)
    user.engine.geofences.update(TEST, fences[2].id, GeofenceChange(description="Zoo"))
    user.until(lambda: user.window.form.basics.description.text() == "Zoo")
    assert is_selected(user, fences[2].id)
    user.engine.geofences.update(TEST, fences[2].id, GeofenceChange(tag="park"))
    user.until(lambda: user.window.form.basics.tag.text() == "park")
    assert is_selected(user, fences[2].id)
    user.engine.geofences.delete(TEST, fences[1].id)
    user.until(lambda: user.window.model.fences.get(fences[1].id) is None)
    assert is_selected(user, fences[2].id)
    assert camera(user) == before


def test_a_deletion_by_others_selects_nothing_and_leaves_the_map_in_place(user: User) -> None:
    fences = given_many(user, 5)
    far = user.given(7, "zone", FAR_EAST)
    user.select(fences[4])
    before = camera(user)
    user.engine.geofences.delete(TEST, fences[4].id)
    user.until(lambda: user.window.model.fences.get(fences[4].id) is None)
    assert selected_nowhere(user)
    assert camera(user) == before
    assert user.window.model.fences.get(far.id) is not None


def test_delete_pressed_twice_deletes_one_and_selects_nothing(user: User) -> None:
    fences = given_many(user, 4)
    user.select(fences[1])
    view = user.window.list.view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Delete)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    user.until(lambda: len(user.window.model.fences) == 3)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    user.idle()
    assert [fence.id for fence in user.stored()] == [fences[0].id, fences[2].id, fences[3].id]
    assert selected_nowhere(user)
    assert user.window.message.text.text() == "Deleted Store 001."


def test_delete_pressed_twice_on_the_map_deletes_one(user: User) -> None:
    fences = given_many(user, 3)
    user.hand.click((14.502, 46.05))
    user.until(lambda: user.window.model.selection.fence_id == fences[1].id)
    for _ in range(2):
        user.hand.press(Qt.Key.Key_Delete)
    user.until(lambda: len(user.window.model.fences) == 2)
    user.hand.press(Qt.Key.Key_Delete)
    user.idle()
    assert [fence.id for fence in user.stored()] == [fences[0].id, fences[2].id]
    assert selected_nowhere(user)


def test_the_arrows_continue_from_a_deleted_geofence(user: User) -> None:
    fences = given_many(user, 5)
    user.select(fences[2])
    view = user.window.list.view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Delete)
    user.until(lambda: len(user.window.model.fences) == 4)
    user.idle()
    assert selected_nowhere(user)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert is_selected(user, fences[3].id)


def test_a_moved_geofence_stays_selected_when_dropped_on_another(user: User) -> None:
    one = user.given(1, longitude=14.5, radius_m=150)
    other = user.given(2, longitude=14.506, radius_m=60)
    user.select(one)
    user.tool(user.window.actions_.move)
    user.hand.drag((14.5, 46.0505), (14.506, 46.0505))
    user.until(lambda: user.engine.geofences.get(TEST, one.id).geometry != one.geometry)
    user.idle()
    user.hand.settle()
    assert is_selected(user, one.id)
    assert user.engine.geofences.get(TEST, other.id) == other


@pytest.mark.whole_window
def test_a_corner_dropped_on_another_geofence_selects_nothing_else(user: User) -> None:
    fence = user.draw_polygon()
    other = user.given(2, longitude=14.508, radius_m=60)
    user.idle()
    user.hand.drag((14.504, 46.048), (14.508, 46.05))
    user.until(lambda: user.engine.geofences.get(TEST, fence.id).geometry != fence.geometry)
    user.idle()
    user.hand.settle()
    assert is_selected(user, fence.id)
    assert user.engine.geofences.get(TEST, other.id) == other


@pytest.mark.whole_window
def test_a_hand_that_trembles_clicks_and_moves_nothing(user: User) -> None:
    one = user.given(1, radius_m=150)
    other = user.given(2, longitude=14.501, radius_m=40)
    user.select(one)
    user.tool(user.window.actions_.move)
    at = user.hand.at((14.501, 46.05))
    user.hand.drag(at, at + QPoint(1, 1))
    user.until(lambda: user.window.model.selection.fence_id == other.id)
    user.idle()
    assert user.stored() == [one, other]


def test_the_list_keeps_its_scroll_position(user: User) -> None:
    """Changes by others neither scroll the list back to the selection nor open a collapsed group."""
    fences = given_many(user, 120)
    user.select(fences[0])
    bar = user.window.list.view.verticalScrollBar()
    bar.setValue(bar.maximum())
    scrolled = bar.value()
    assert scrolled > 0
    user.engine.geofences.update(TEST, fences[60].id, GeofenceChange(enabled=False))
    user.until(lambda: user.window.model.fences.get(fences[60].id).enabled is False)  # type: ignore[union-attr]
    assert bar.value() == scrolled
    for fence in fences[10:110]:
        user.engine.geofences.update(TEST, fence.id, GeofenceChange(enabled=False))
    user.until(lambda: user.window.model.fences.get(fences[109].id).enabled is False)  # type: ignore[union-attr]
    assert bar.value() == scrolled
    assert is_selected(user, fences[0].id)
    view, group = user.window.list.view, user.window.list.model.index(0, 0)
    view.scrollToTop()
    user.click_in(view, view.visualRect(group).center())
    assert not view.isExpanded(group)
    user.engine.geofences.update(TEST, fences[0].id, GeofenceChange(enabled=False))
    user.until(lambda: not user.window.form.basics.enabled.isChecked())
    assert not view.isExpanded(group)


def test_many_changes_at_once_keep_the_selection(user: User) -> None:
    fences = given_many(user, 200)
    user.select(fences[3])
    rows = "\n".join(
        f'{"Zz" if n % 2 else "Aa"} {n:03},circle,store,{n:03},"[{14.5 + n * 0.002:.4f},46.05]",60' for n in range(200)
    )
    import_csv(user.engine, TEST, f"description,type,tag,externalId,coordinates,radius\n{rows}\n".encode())
    user.until(lambda: user.window.form.basics.description.text() == "Zz 003")
    assert is_selected(user, fences[3].id)


def test_the_filter_hides_the_selected_geofence_and_brings_it_back(user: User) -> None:
    fences = given_many(user, 4)
    user.select(fences[2])
    words = user.window.list.words
    user.type(words, "001", enter=False)
    user.until(lambda: len(user.window.list.model.tree) == 1)
    assert user.window.model.selection.fence_id == fences[2].id
    assert marked(user) is None
    words.clear()
    user.until(lambda: len(user.window.list.model.tree) == 4)
    assert is_selected(user, fences[2].id)


def test_an_arrow_key_in_the_list_selects(user: User) -> None:
    fences = given_many(user, 3)
    user.select(fences[0])
    QTest.keyClick(user.window.list.view, Qt.Key.Key_Down)
    assert is_selected(user, fences[1].id)


def test_groups_stay_open_whatever_others_import(user: User) -> None:
    rows = "\n".join(f'Fence {n},circle,tag{n % 3},{n},"[14.5,46.05]",60' for n in range(600))
    table = f"description,type,tag,externalId,coordinates,radius\n{rows}\n"
    import_csv(user.engine, TEST, table.encode())
    view, model = user.window.list.view, user.window.list.model
    user.until(lambda: len(model.tree) == 600)
    first, second = model.index(0, 0), model.index(1, 0)
    assert not view.isExpanded(first)
    user.click_in(view, view.visualRect(second).center())
    assert view.isExpanded(second)
    import_csv(user.engine, TEST, table.replace("Fence", "Renamed").encode())
    user.until(lambda: model.index(0, 0, model.index(1, 0)).data().startswith("Renamed"))
    assert [view.isExpanded(model.index(row, 0)) for row in range(3)] == [False, True, False]
