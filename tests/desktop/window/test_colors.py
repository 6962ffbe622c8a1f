"""Each tag has one colour, in all places and on every day."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QLabel

from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.engine import Engine
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("views", "availability", "endpoint", "fences", "list", "selection", "workspaces")

TAGS = ("zone", "store", "port", "depot")
"""Tags whose preferred colours are also those of others."""


def in_the_list(user: User) -> dict[str, str]:
    """Return the colour of each tag's mark in the list."""
    seen = {}
    for fence in user.window.model.fences.all():
        mark = user.window.list.model.index_of(fence.id).data(Qt.ItemDataRole.DecorationRole)
        assert isinstance(mark, QIcon)
        seen[fence.tag] = mark.pixmap(12, 12).toImage().pixelColor(6, 6).name()
    return seen


def open_in(user: User, folder: Path) -> None:
    user.window.workspaces.open(folder)
    user.until(lambda: user.engine.workspace.folder == folder and user.session.url is not None)
    user.idle()


@pytest.mark.slow
def test_tags_keep_their_colours_when_the_workspace_is_opened_again(user: User, tmp_path: Path) -> None:
    first, other = tmp_path / "first", tmp_path / "other"
    open_in(user, first)
    for number, tag in enumerate(TAGS):
        user.given(number, tag)
    before = in_the_list(user)
    assert len(set(before.values())) == len(TAGS)
    fence = next(fence for fence in user.stored() if fence.tag == "depot")
    user.select(fence)
    (swatch,) = (label for label in user.window.form.findChildren(QLabel) if not label.pixmap().isNull())
    assert swatch.pixmap().toImage().pixelColor(6, 6).name() == before["depot"]
    open_in(user, other)
    # In the meantime, another user adds a tag that sorts before the others.
    with Engine.open(first) as engine:
        new = GeofenceChange(
            tag="a new one", external_id="9", description="New", type="circle", coordinates=(14.5, 46.05), size=90.0
        )
        engine.geofences.create(Environment.TEST, new)
    open_in(user, first)
    user.until(lambda: len(user.window.model.fences) == len(TAGS) + 1)
    after = in_the_list(user)
    assert {tag: after[tag] for tag in TAGS} == before
    assert after["a new one"] not in before.values()


def test_a_tag_has_the_same_colour_in_live_and_in_a_copy(user: User, tmp_path: Path) -> None:
    first, copy = tmp_path / "first", tmp_path / "copy"
    open_in(user, first)
    for number, tag in enumerate(TAGS):
        user.given(number, tag)
    before = in_the_list(user)
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: len(user.window.model.fences) == 0)
    for number, tag in enumerate(reversed(TAGS)):
        user.given(number, tag)
    assert in_the_list(user) == before
    user.click(user.window.toolbar.environments.test)
    user.until(lambda: (first / "window.json").exists())
    user.idle()
    user.window.workspaces.save_copy(copy)
    user.until(lambda: copy.exists())
    user.idle()
    open_in(user, copy)
    user.until(lambda: len(user.window.model.fences) == len(TAGS))
    assert in_the_list(user) == before
