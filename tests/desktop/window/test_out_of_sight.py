"""The map moves only where the user chooses. If the selected geofence is elsewhere, an arrow leads to it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from tests.desktop.window.user import User

TEST = Environment.TEST
CTRL = Qt.KeyboardModifier.ControlModifier
HOME = (14.5, 46.05)
FAR = 14.8
ARROW = """
(() => {
  const node = document.querySelector(".fw-out-of-sight");
  if (!node || node.hidden) return "";
  const { left, top, width, height } = node.getBoundingClientRect();
  return [Math.round(left + width / 2), Math.round(top + height / 2), node.textContent].join("|");
})()
"""


def arrow(user: User) -> tuple[QPoint, str] | None:
    """Return the position and the text of the arrow, or None."""
    user.hand.settle()
    answers: list[str] = []
    user.window.map._page.runJavaScript(ARROW, 0, answers.append)
    user.until(lambda: bool(answers))
    if not answers[0]:
        return None
    x, y, text = answers[0].split("|", 2)
    return QPoint(int(x), int(y)), text


def looks_at(user: User, longitude: float, latitude: float = 46.05) -> bool:
    return user.window.map.center() == pytest.approx((longitude, latitude), abs=2e-3)


def at_home(user: User) -> None:
    user.window.map.show_point(*HOME, zoom=15)
    user.hand.settle()
    assert looks_at(user, *HOME)


def test_a_fence_chosen_in_the_list_is_brought_into_view(user: User) -> None:
    near, far = user.given(1), user.given(2, longitude=FAR)
    at_home(user)
    user.select(near)
    user.hand.settle()
    assert looks_at(user, *HOME), "it was in sight"
    user.select(far)
    user.until(lambda: looks_at(user, FAR))
    assert arrow(user) is None
    at_home(user)
    found = arrow(user)
    assert found is not None, "the map was moved away from it"
    assert found[1].startswith("Store 2")
    user.select(far)
    user.until(lambda: looks_at(user, FAR))
    # The same with the keyboard.
    at_home(user)
    user.press(Qt.Key.Key_Up, on=user.window.list.view)
    assert user.window.model.selection.fence_id == near.id
    user.press(Qt.Key.Key_Down, on=user.window.list.view)
    user.until(lambda: looks_at(user, FAR))


def test_a_partly_visible_fence_does_not_move_the_map(user: User) -> None:
    ring = ((13.0, 45.9), (14.51, 45.9), (14.51, 46.2), (13.0, 46.2), (13.0, 45.9))
    change = GeofenceChange(tag="region", external_id="1", description="West", type="polygon", coordinates=ring)
    west: Geofence = user.engine.geofences.create(TEST, change)
    user.until(lambda: user.window.model.fences.get(west.id) is not None)
    at_home(user)
    user.select(west)
    user.hand.settle()
    assert looks_at(user, *HOME)
    assert arrow(user) is None


def test_undo_selects_far_away_and_an_arrow_leads_there(user: User) -> None:
    far = user.given(2, longitude=FAR)
    user.select(far)
    user.until(lambda: looks_at(user, FAR))
    user.press(Qt.Key.Key_Delete, on=user.window.list.view)
    user.until(lambda: user.stored() == [])
    user.idle()
    at_home(user)
    assert arrow(user) is None
    user.press(Qt.Key.Key_Z, CTRL, on=user.window.map.render_widget())
    user.until(lambda: len(user.stored()) == 1)
    user.until(lambda: user.window.model.selection.fence_id == user.stored()[0].id)
    found = arrow(user)
    assert looks_at(user, *HOME), "the map went away unasked"
    assert found is not None
    assert "23 km" in found[1]
    user.hand.click(found[0])
    user.until(lambda: looks_at(user, FAR))
    assert user.window.model.selection.fence_id == user.stored()[0].id


def test_a_fence_that_an_app_moves_away_is_pointed_at(user: User) -> None:
    fence = user.given(1)
    at_home(user)
    user.select(fence)
    assert arrow(user) is None
    moved = GeofenceChange(coordinates=(FAR, 46.05))
    user.engine.geofences.update(TEST, fence.id, moved)
    user.until(lambda: arrow(user) is not None)
    assert looks_at(user, *HOME)
