"""Layers of geofences: hidden by tag and by state, coloured by state, and kept with the workspace."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest
from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtTest import QTest

from app.desktop.model.map_layers.fences import FenceState
from app.desktop.panels.layers import LayerList, LayersPanel
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from tests.desktop.window.test_colors import open_in
from tests.desktop.window.test_several import drag
from tests.desktop.window.user import CENTRE, LEFT, User
from tests.engine.fixtures import import_csv

# A reused window has drawn the geofences of the next test late, or not at all.
TEST = Environment.TEST
SHIFT = Qt.KeyboardModifier.ShiftModifier
BESIDE = (14.5006, 46.0504)
"""A position within the geofence at the centre, next to its handles."""


def panel(user: User) -> LayersPanel:
    """The panel of layers, opened by its shortcut."""
    if not user.window.layers.isVisible():
        user.press(Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier | SHIFT)
        user.until(user.window.layers.isVisible)
    return user.window.layers


def names(view: LayerList) -> list[str]:
    """Return the layers in a list, with their numbers."""
    model = view.model()
    return [" ".join(str(model.index(row, column).data()) for column in range(2)) for row in range(model.rowCount())]


def click_box(view: LayerList, name: str) -> None:
    """Click the check box of a layer."""
    model = view.model()
    row = next(row for row in range(model.rowCount()) if model.index(row, 0).data() == name)
    view.scrollTo(model.index(row, 0))
    rect: QRect = view.visualRect(model.index(row, 0))
    QTest.mouseClick(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, QPoint(rect.left() + 12, rect.center().y()))


def hit(user: User) -> str | None:
    """Return the geofence that a click at the centre selects."""
    user.window.model.selection.clear()
    clicked: list[str | None] = []
    links = (
        user.window.map.fence_clicked.connect(clicked.append),
        user.window.map.map_clicked.connect(lambda *_: clicked.append(None)),
    )
    user.hand.click(BESIDE)
    user.until(lambda: bool(clicked))
    for link in links:
        QObject.disconnect(link)
    return clicked[0]


@pytest.mark.slow
def test_a_hidden_tag_is_neither_drawn_nor_hit_nor_caught(user: User) -> None:
    store, depot = user.given(1, "store"), user.given(2, "depot", longitude=14.506)
    shown = user.hand.color_at(BESIDE)
    layers = panel(user)
    user.until(lambda: names(layers.tag_list) == ["depot 1", "store 1"])
    assert hit(user) == store.id
    user.window.model.selection.clear()
    click_box(layers.tag_list, "store")
    user.until(lambda: layers.note.text() == "1 of 2 geofences hidden")
    assert user.hand.color_at(BESIDE) != shown
    assert hit(user) is None
    drag(user, [(14.497, 46.0518), (14.508, 46.0482)], SHIFT)
    user.until(lambda: user.window.model.selection.fence_ids == (depot.id,))
    # The geofence in the form is drawn and can be clicked, even if its layer is hidden.
    user.select(store)
    assert user.hand.color_at(BESIDE) != shown
    drawn = user.hand.color_at(BESIDE)
    user.hand.click(BESIDE)
    assert user.window.model.selection.fence_id == store.id
    click_box(layers.tag_list, "store")
    user.until(lambda: layers.note.text() == "All geofences are shown.")
    assert user.hand.color_at(BESIDE) == drawn
    assert hit(user) == store.id


def test_states_are_hidden_by_keyboard_and_followed(user: User) -> None:
    fence = user.given(1)
    layers = panel(user)
    user.until(lambda: names(layers.state_list)[0] == "Enabled 1")
    layers.state_list.setFocus()
    layers.state_list.setCurrentIndex(layers.states.index(0, 0))
    QTest.keyClick(layers.state_list, Qt.Key.Key_Space)
    user.until(lambda: layers.note.text() == "1 of 1 geofence hidden")
    assert hit(user) is None
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(enabled=False))
    user.until(lambda: names(layers.state_list) == ["Enabled 0", "Closed now 0", "Disabled 1", "Expired 0"])
    assert layers.note.text() == "All geofences are shown."
    assert hit(user) == fence.id


def test_colours_are_those_of_states(user: User) -> None:
    user.given(1)
    by_tag = user.hand.color_at(BESIDE)
    layers = panel(user)
    layers.coloring.setFocus()
    QTest.keyClick(layers.coloring, Qt.Key.Key_Down)
    QTest.keyClick(layers.coloring, Qt.Key.Key_Return)
    user.until(lambda: layers.coloring.currentText() == "State")
    assert user.hand.color_at(BESIDE) != by_tag
    QTest.keyClick(layers.coloring, Qt.Key.Key_Up)
    user.until(lambda: user.hand.color_at(BESIDE) == by_tag)


def test_all_and_none_are_for_the_tags_that_are_listed(user: User) -> None:
    for number, tag in enumerate(("shop north", "shop south", "depot")):
        user.given(number, tag)
    layers = panel(user)
    user.type(layers.words, "shop", enter=False)
    user.until(lambda: names(layers.tag_list) == ["shop north 1", "shop south 1"])
    user.click(layers.none)
    user.until(lambda: layers.note.text() == "2 of 3 geofences hidden")
    QTest.keyClick(layers.words, Qt.Key.Key_Escape)
    user.until(lambda: len(names(layers.tag_list)) == 3)
    user.click(layers.none)
    user.until(lambda: layers.note.text() == "3 of 3 geofences hidden")
    user.click(layers.all)
    user.until(lambda: layers.note.text() == "All geofences are shown.")


def test_layers_are_kept_with_the_workspace(user: User, tmp_path: Path) -> None:
    first, other = tmp_path / "first", tmp_path / "other"
    open_in(user, first)
    user.given(1, "store")
    layers = panel(user)
    user.until(lambda: names(layers.tag_list) == ["store 1"])
    click_box(layers.tag_list, "store")
    click_box(layers.state_list, "Expired")
    user.until(lambda: layers.note.text() == "1 of 1 geofence hidden")
    user.idle()
    open_in(user, other)
    assert user.window.fence_layers.layers.hidden_tags == frozenset()
    open_in(user, first)
    user.until(lambda: layers.note.text() == "1 of 1 geofence hidden")
    assert user.window.fence_layers.layers.hidden_states == {FenceState.EXPIRED}
    assert hit(user) is None
    # An unreadable setting hides nothing, and is reported.
    open_in(user, other)
    (first / "window.json").write_text('{"mapLayers": [1]}')
    open_in(user, first)
    user.until(lambda: "cannot be read" in user.window.message.text.text())
    assert layers.note.text() == "All geofences are shown."


@pytest.mark.second_try("measures how soon the geofences of a tag are hidden")
def test_ten_thousand_with_a_hundred_tags(user: User) -> None:
    rows = "\n".join(
        f'Store {n},circle,tag {n % 100},{n},"[{14.3 + n % 100 / 250:.4f},{46.0 + n // 100 / 1000:.4f}]",50'
        for n in range(10_000)
    )
    import_csv(user.engine, TEST, f"description,type,tag,externalId,coordinates,radius\n{rows}\n".encode())
    layers = panel(user)
    user.until(lambda: len(user.window.model.fences) == 10_000, timeout=120_000)
    user.until(lambda: len(names(layers.tag_list)) == 100)
    user.hand.at(CENTRE)
    user.hand.settle()
    begun = monotonic()
    click_box(layers.tag_list, "tag 7")
    assert layers.note.text() == "100 of 10,000 geofences hidden"
    user.hand.at(CENTRE)
    # It takes less than 0.2 s on an idle machine.
    assert monotonic() - begun < 5
