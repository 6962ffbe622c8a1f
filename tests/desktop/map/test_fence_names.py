"""Names of geofences: more of them at a higher zoom level, without overlaps, and only if they are switched on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.desktop.map import MapCircle, MapFence, MapView, Theme
from tests.desktop.map.hand import LEFT, Hand
from tests.desktop.map.test_policy import answer

NAME = "Warehouse"
LARGE, SMALL = MapCircle(14.5, 46.05, 60.0), MapCircle(14.5012, 46.05, 55.0)
"""Circles side by side, whose names would overlap at a low zoom level."""


def picture(map_view: MapView, hand: Hand, first: str, second: str) -> QImage:
    map_view.set_fences([MapFence("a", first, "#009E73", True, LARGE), MapFence("b", second, "#0072B2", True, SMALL)])
    return middle(hand)


def middle(hand: Hand) -> QImage:
    """Return the picture without the controls in the corners of the map."""
    return hand.picture().copy(200, 150, 400, 300)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_come_from_nearer_and_leave_each_other_room(map_view: MapView, hand: Hand, theme: Theme) -> None:
    map_view.set_theme(theme)
    map_view.show_point(14.5, 46.05, zoom=15)
    none, one = picture(map_view, hand, "", ""), picture(map_view, hand, NAME, "")
    assert one != none
    assert picture(map_view, hand, NAME, NAME) == one
    map_view.show_point(14.5006, 46.05, zoom=17)
    none, one = picture(map_view, hand, "", ""), picture(map_view, hand, NAME, "")
    assert picture(map_view, hand, NAME, NAME) not in (none, one)
    map_view.show_point(14.5, 46.05, zoom=12)
    assert picture(map_view, hand, NAME, NAME) == picture(map_view, hand, "", "")


def test_the_name_of_the_selected_one_goes_before_others(map_view: MapView, hand: Hand) -> None:
    picture(map_view, hand, NAME, NAME)
    map_view.select_fence("b")
    both = middle(hand)
    assert picture(map_view, hand, "", NAME) == both
    assert picture(map_view, hand, "", "") != both


def test_names_are_switched_off_with_the_mouse(map_view: MapView, hand: Hand, qtbot: QtBot) -> None:
    named, plain = picture(map_view, hand, NAME, NAME), picture(map_view, hand, "", "")
    assert named != plain
    picture(map_view, hand, NAME, NAME)
    toggle(map_view, qtbot)
    qtbot.waitUntil(lambda: middle(hand) == plain)
    toggle(map_view, qtbot)
    qtbot.waitUntil(lambda: middle(hand) == named)


def toggle(map_view: MapView, qtbot: QtBot) -> None:
    """Open the layers, click their switch for names, and close them."""
    row = "[...document.querySelectorAll('.fw-layers label')].find((each) => each.textContent === 'Geofence names')"
    layers = "document.querySelector('.fw-layers')"
    click(map_view, qtbot, f"{layers}.firstChild", changes=f"{layers}.open")
    click(map_view, qtbot, row, changes=f"{row}.firstChild.checked")
    click(map_view, qtbot, f"{layers}.firstChild", changes=f"{layers}.open")


def click(map_view: MapView, qtbot: QtBot, element: str, *, changes: str) -> None:
    """Click an element of the page, and wait for a change, as scripts may run before earlier clicks."""
    target = map_view.render_widget()
    assert target is not None
    before = answer(qtbot, map_view, f"String({changes})")
    script = f"(() => {{ const b = ({element}).getBoundingClientRect(); return `${{b.x}} ${{b.y}}`; }})()"
    left, top = map(float, str(answer(qtbot, map_view, script)).split())
    QTest.mouseClick(target, LEFT, pos=QPoint(round(left) + 8, round(top) + 12))
    qtbot.waitUntil(lambda: answer(qtbot, map_view, f"String({changes})") != before)
