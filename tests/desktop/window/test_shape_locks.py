"""Locked shapes: neither the mouse nor the form reshapes them, and the workspace stores the locks."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.desktop.icons import dot
from app.desktop.model.colors import read_colors, write_colors
from app.desktop.model.fence_table.columns import NAME
from app.desktop.model.shaping.locks import read_locks, write_locks
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Circle
from engine.store.workspace import WINDOW
from tests.desktop.window.test_bulk_edit import apply, line, opened
from tests.desktop.window.test_selection import given_many
from tests.desktop.window.user import CENTRE, EDGE, User

pytestmark = pytest.mark.parts("availability", "fences", "list", "many", "selection", "shaping", "table", "tools")

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.mark.whole_window
def test_a_locked_shape_is_not_dragged_or_reshaped(user: User) -> None:
    fence = user.given()
    user.select(fence)
    user.press(Qt.Key.Key_L, CTRL)
    locks = user.window.model.fences.locks
    assert locks.is_locked(fence.id)
    user.hand.settle()
    user.tool(user.window.actions_.move)
    user.hand.settle()
    user.hand.drag(CENTRE, EDGE)
    user.idle()
    assert user.only().geometry == fence.geometry
    user.press(Qt.Key.Key_V)
    user.type(user.window.form.basics.radius.number, "200")
    error = user.window.form.field("size").error
    user.until(error.isVisible)
    assert error.text() == "The shape of Store 1 is locked. Unlock it to change it."
    user.window.actions_.buffer.trigger()
    assert user.window.message.text.text() == "The shape of Store 1 is locked. Unlock it to change it."
    assert not user.window.shaping.operations.panel.isVisible()
    user.idle()
    assert user.only().geometry == fence.geometry
    user.window.message.dismiss()


def test_the_table_has_a_padlock(user: User) -> None:
    fence = user.given()
    user.select(fence)
    user.window.docks.bring(user.window.docks.table)
    model = user.window.table.model
    user.until(lambda: model.rowCount() == 1)
    name = model.index(0, model.columns.index(NAME))
    shape_of = dot(user.window.model.fences.color("store")).pixmap(12, 12).toImage()
    icon = name.data(Qt.ItemDataRole.DecorationRole)
    assert icon.pixmap(12, 12).toImage() == shape_of
    user.press(Qt.Key.Key_L, CTRL, on=user.window.table.view)
    icon = name.data(Qt.ItemDataRole.DecorationRole)
    assert icon.pixmap(12, 12).toImage() != shape_of
    assert "Locked" in str(name.data(Qt.ItemDataRole.ToolTipRole))
    user.press(Qt.Key.Key_L, CTRL, on=user.window.table.view)
    assert "Locked" not in str(name.data(Qt.ItemDataRole.ToolTipRole))


def test_all_else_of_a_locked_geofence_is_edited_and_others_may_change_it(user: User) -> None:
    fence = user.given()
    user.select(fence)
    user.click(user.window.form.switch.buttons[3])
    user.click(user.window.form.shape.locked)
    assert not user.window.form.shape.centre.isEnabled()
    user.click(user.window.form.switch.buttons[0])
    user.type(user.window.form.basics.description, "Renamed")
    user.until(lambda: user.only().description == "Renamed")
    user.engine.geofences.update(fence.environment, fence.id, GeofenceChange(size=300.0))
    user.until(lambda: user.window.form.basics.radius.number.value() == 300)
    user.press(Qt.Key.Key_L, CTRL)
    user.type(user.window.form.basics.radius.number, "200")
    user.until(lambda: isinstance(geometry := user.only().geometry, Circle) and geometry.radius_m == 200)


def test_the_workspace_keeps_locks_and_colours_beside_one_another(tmp_path: Path) -> None:
    write_colors(tmp_path, {"store": "#0072B2"})
    write_locks(tmp_path, ("a", "b"))
    assert (read_locks(tmp_path), read_colors(tmp_path)) == (("a", "b"), {"store": "#0072B2"})
    write_colors(tmp_path, {})
    assert read_locks(tmp_path) == ("a", "b")
    for text in ("", "[]", '{"lockedShapes": 3}', '{"lockedShapes": [1, "a"]}'):
        (tmp_path / WINDOW).write_text(text)
        assert read_locks(tmp_path) in ((), ("a",))
        assert read_colors(tmp_path) == {}
    assert read_locks(tmp_path / "nowhere") == ()


def test_several_are_not_resized_if_one_is_locked(user: User) -> None:
    fences = given_many(user, 3)
    user.window.model.fences.locks.set([fences[1].id], locked=True)
    dialog = opened(user, fences)
    user.type(line(dialog, "size"), "50", enter=False)
    apply(user, dialog)
    user.until(dialog.problem.isVisible)
    assert dialog.problem.text() == "The shape of Store 001 is locked. Unlock it to change it."
    user.idle()
    assert user.stored() == fences
    dialog.reject()
