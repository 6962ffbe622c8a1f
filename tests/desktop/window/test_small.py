"""The small window: its parts are those of the main window, made and connected as there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject

from tests.desktop.window.small.recipes import dock_steps, docked, recipes
from tests.desktop.window.small.user import SmallUser
from tests.desktop.window.user import User


def test_it_can_have_every_part_and_then_has_every_connection(small: SmallUser) -> None:
    window = small.small
    assert "form" not in vars(window)
    made = {name: getattr(window, name) for name in recipes().parts if not name.startswith("_")}
    assert len(made) > 80
    assert [name for name, part in made.items() if part is None] == []
    assert len(window._connected) == len(recipes().connections) > 80
    assert set(docked().values()) == dock_steps().keys()
    assert all(window.isAncestorOf(made[panel]) for panel in docked())
    small.click(window.toolbar.environments.live)
    assert window.model.environment.live
    assert not window.form._foot.isHidden()


def test_the_whole_window_has_the_same_parts(user: User) -> None:
    kinds = {name: type(part).__name__ for name, part in vars(user.window).items() if isinstance(part, QObject)}
    assert kinds.keys() - recipes().parts.keys() == set()


@pytest.mark.parts("fences", "selection")
def test_parts_that_are_named_are_made_and_connected(user: User) -> None:
    assert isinstance(user, SmallUser)
    assert {"fences", "selection", "form", "undoing"} <= vars(user.window).keys()
    assert "search" not in vars(user.window)
    fence = user.given()
    user.hand.click((14.5, 46.05))
    assert user.window.form.fence == fence
    assert [each["id"] for each in user.map.sent("fence_select")][-1] == fence.id
