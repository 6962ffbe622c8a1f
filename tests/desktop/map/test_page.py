"""The page, its files and the flags it needs."""

from __future__ import annotations

import re

import folium
import pytest
from PySide6.QtWebEngineCore import QWebEngineUrlScheme
from pytestqt.qtbot import QtBot

from app.desktop.map import MapView
from app.desktop.map.page import new_map, page_from, write_template
from app.desktop.map.scheme import assets_folder
from app.desktop.webengine import chromium_flags, prepare_webengine


def test_the_page_is_foliums_and_names_no_other_host() -> None:
    assert isinstance(new_map(), folium.Map)
    page = page_from(write_template()).decode()
    assert set(re.findall(r'(?:src|href)="([a-z]+://[^/"]+)', page)) == {"fencewright://map"}
    assert set(re.findall(r"https?://[^/\s\"';]+", page)) == {"https://tile.openstreetmap.org"}


def test_every_file_of_the_page_is_there() -> None:
    for path in re.findall(r"fencewright://map/assets/([^\"]+)", page_from(write_template()).decode()):
        assert (assets_folder() / path).is_file(), path


FETCH = """
fetch({path!r}).then(
    (answer) => {{ document.title = answer.ok ? "there" : "not there"; }},
    () => {{ document.title = "refused"; }},
);
"""


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("/code/main.js", True),
        ("/assets/leaflet/leaflet.css", True),
        ("/code/%2e%2e/view.py", False),
        ("/code/..%2fview.py", False),
        ("/code/../../../../pyproject.toml", False),
        ("/etc/passwd", False),
        ("/code/", False),
        ("/code/none.js", False),
    ],
)
def test_only_our_own_files_are_served(qtbot: QtBot, map_view: MapView, path: str, there: bool) -> None:
    with qtbot.waitSignal(map_view._page.titleChanged) as answered:
        map_view._page.runJavaScript(FETCH.format(path=path))
    assert (answered.args[0] == "there") is there


COLLECTING = "--js-flags=--initial-old-space-size=48,--heap-growing-percent=50"
SOFTWARE = "--ignore-gpu-blocklist --disable-gpu-compositing"


@pytest.mark.parametrize(
    ("given", "sandbox", "gpu", "expected"),
    [
        ("", True, True, COLLECTING),
        ("", True, False, f"{COLLECTING} {SOFTWARE} --use-gl=disabled"),
        ("--use-gl=angle", True, False, f"--use-gl=angle {COLLECTING} {SOFTWARE}"),
        ("", False, True, f"{COLLECTING} --no-sandbox {SOFTWARE}"),
        ("--no-sandbox --lang=de", False, False, f"--no-sandbox --lang=de {COLLECTING} {SOFTWARE} --use-gl=disabled"),
        ("--lang=de", True, True, f"--lang=de {COLLECTING}"),
        ("--js-flags=--expose-gc", True, True, "--js-flags=--expose-gc"),
    ],
)
def test_flags_are_added_if_needed(given: str, sandbox: bool, gpu: bool, expected: str) -> None:
    assert chromium_flags(given, sandbox=sandbox, gpu=gpu) == expected


def test_preparing_twice_changes_nothing() -> None:
    import os

    before = os.environ["QTWEBENGINE_CHROMIUM_FLAGS"]
    prepare_webengine()
    assert os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] == before
    assert QWebEngineUrlScheme.schemeByName(b"fencewright").name() == b"fencewright"
