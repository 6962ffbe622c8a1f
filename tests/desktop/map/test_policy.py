"""Code that may run in the map's page: only the program's own."""

from __future__ import annotations

import logging
import re

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.desktop.map import MapCircle, MapEvent, MapFence, MapTrack, MapView
from app.desktop.map.page import page_from, write_template
from app.desktop.map.values import MapBand, MapPreview
from tests.desktop.map.hand import Hand

_MARKUP = "<b>x</b><img src=x onerror='window.hit = 1'>"
_WATCH = (
    "window.refused = []; addEventListener('securitypolicyviolation', (e) => refused.push(e.effectiveDirective)); 1"
)


def answer(qtbot: QtBot, view: MapView, script: str) -> object:
    """Run a script in the page and return its result."""
    answers: list[object] = []
    view._page.runJavaScript(script, answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    return answers[0]


def test_every_page_has_a_nonce_of_its_own() -> None:
    pages = [page_from(write_template()).decode(), page_from(write_template()).decode()]
    nonces = [set(re.findall(r'nonce[-=]"?([\w-]+)', page)) for page in pages]
    assert all(len(each) == 1 and len(min(each)) >= 22 for each in nonces)
    assert nonces[0] != nonces[1]
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', pages[0])
    assert "unsafe" not in policy
    for tag in re.findall(r"<(?:script|style|link)\b[^>]*>", pages[0]):
        assert "nonce=" in tag, tag


def test_nothing_that_the_page_does_is_against_its_policy(
    caplog: pytest.LogCaptureFixture, qtbot: QtBot, map_view: MapView, hand: Hand
) -> None:
    circle = MapFence("a", _MARKUP, "#0072b2", True, MapCircle(14.5, 46.05, 150.0))
    map_view.set_fences([circle])
    map_view.select_fence("a")
    map_view.set_track(MapTrack(((14.49, 46.05), (14.51, 46.05))))
    map_view.show_device(_MARKUP, 14.505, 46.052, 30.0)
    map_view.set_events([MapEvent("e", 14.495, 46.052, "entry", _MARKUP)])
    ring = ((14.49, 46.04), (14.51, 46.04), (14.51, 46.06), (14.49, 46.06), (14.49, 46.04))
    map_view.set_preview(MapPreview((14.5, 46.05), (MapBand("5 min", ring),), _MARKUP))
    map_view.set_pin((14.5, 46.051), _MARKUP)
    map_view.set_theme("dark")
    hand.move((14.5, 46.05))
    hand.drag((14.502, 46.05), (14.503, 46.05))
    map_view.start_drawing_polygon()
    for corner in ((14.48, 46.048), (14.485, 46.048), (14.485, 46.052)):
        hand.click(corner)
    hand.press(Qt.Key.Key_Escape)
    map_view.start_drawing_circle()
    hand.click((14.48, 46.048))
    hand.move((14.482, 46.048))
    hand.press(Qt.Key.Key_Escape)
    hand.settle()
    records = [*caplog.get_records("setup"), *caplog.get_records("call")]
    assert [record.getMessage() for record in records if record.levelno >= logging.ERROR] == []
    # No text of a user has become an element of the page.
    assert answer(qtbot, map_view, "document.querySelectorAll('b, img:not(.leaflet-tile)').length") == 0
    assert answer(qtbot, map_view, "String(window.hit)") == "undefined"


_MADE = "const it = document.createElement"
_APPENDED = "document.body.insertAdjacentHTML"


@pytest.mark.parametrize(
    ("inject", "directive"),
    [
        (f"{_MADE}('script'); it.textContent = 'hit = 1'; document.body.append(it)", "script-src-elem"),
        (f"{_APPENDED}('beforeend', '<img src=x onerror=\"hit = 1\">')", "script-src-attr"),
        (
            f"{_APPENDED}('beforeend', '<a href=\"javascript:hit=1\">'); document.body.lastChild.click()",
            "script-src-elem",
        ),
        (f"{_MADE}('style'); it.textContent = 'b {{}}'; document.head.append(it)", "style-src-elem"),
        (f"{_MADE}('base'); it.href = 'https://example.com'; document.head.append(it)", "base-uri"),
    ],
    ids=["script", "handler", "link", "style", "base"],
)
def test_injected_code_does_not_run(qtbot: QtBot, map_view: MapView, inject: str, directive: str) -> None:
    answer(qtbot, map_view, f"{_WATCH}; (() => {{ {inject} }})(); 1")
    qtbot.waitUntil(lambda: answer(qtbot, map_view, "refused.join()") == directive)
    assert answer(qtbot, map_view, "String(window.hit)") == "undefined"
