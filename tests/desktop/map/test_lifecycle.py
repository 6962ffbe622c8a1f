"""Creation, destruction and outside connections."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QUrl
from PySide6.QtWebEngineCore import QWebEnginePage
from pytestqt.qtbot import QtBot

from app.desktop.map import MapCircle, MapFence, MapProfile, MapView
from tests.desktop.map.hand import Hand


def test_requests_before_the_page_is_ready_are_performed(qtbot: QtBot, map_profile: MapProfile) -> None:
    view = MapView(profile=map_profile)
    qtbot.addWidget(view)
    view.set_fences([MapFence("early", "", "#0072B2", True, MapCircle(14.5, 46.05, 900.0))])
    view.show_point(14.5, 46.05, zoom=15)
    assert not view.is_ready()
    with qtbot.waitSignal(view.ready, timeout=30_000):
        view.show()
    with qtbot.waitSignal(view.fence_clicked) as clicked:
        Hand(qtbot, view).click((14.5, 46.05))
    assert clicked.args == ["early"]


def test_a_map_closed_before_it_is_ready_leaves_nothing(qtbot: QtBot, map_profile: MapProfile) -> None:
    view = MapView(profile=map_profile)
    view.show()
    view.close()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_a_map_that_has_been_shut_down_takes_calls_and_does_nothing(map_view: MapView) -> None:
    map_view.shutdown()
    map_view.shutdown()
    map_view.set_fences([])
    map_view.show_device("phone", 14.5, 46.05, 10.0)
    map_view.set_theme("dark")
    map_view.select_tool()
    assert not map_view.is_ready()


def test_a_message_that_is_none_is_refused(qtbot: QtBot, map_profile: MapProfile) -> None:
    view = MapView(profile=map_profile)
    qtbot.addWidget(view)
    with qtbot.waitSignal(view.failed) as failed:
        view._bridge.post('{"kind": "drawn", "shape": {"longitude": "here"}}')
    assert "longitude" in failed.args[0]
    view.shutdown()


def test_a_program_that_just_ends_prints_nothing() -> None:
    """Neither Qt nor Chromium complains when the application exits with a map open."""
    program = """
import sys
from app.desktop.webengine import prepare_webengine
prepare_webengine()
from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QMainWindow
from app.desktop.map import MapView
app = QApplication([])
window = QMainWindow()
view = MapView(window)
window.setCentralWidget(view)
said = []
view.ready.connect(lambda: (qInstallMessageHandler(lambda *a: print("SAID", a[2])), app.quit()))
view.failed.connect(lambda text: print("FAILED", text))
window.show()
sys.exit(app.exec())
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == ""
    assert "Expect troubles" not in ended.stderr


class Counting(BaseHTTPRequestHandler):
    """Counts requests."""

    hits: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.hits.append(self.path)
        self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@pytest.fixture
def foreign_server() -> Iterator[str]:
    """The address of an unrelated server."""
    Counting.hits.clear()
    with HTTPServer(("127.0.0.1", 0), Counting) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_no_request_is_sent_to_a_foreign_server(qtbot: QtBot, map_profile: MapProfile, foreign_server: str) -> None:
    page = QWebEnginePage(map_profile)
    html = (
        f'<img src="{foreign_server}/picture.png" onerror="document.title = \'blocked\'">'
        f'<script src="{foreign_server}/script.js"></script>'
    )
    with qtbot.waitSignal(page.titleChanged, check_params_cb=lambda title: title == "blocked"):
        page.setHtml(html, QUrl("fencewright://map/"))
    page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert Counting.hits == []


def test_online_tiles_without_a_network_are_no_drama(qtbot: QtBot, map_view: MapView, hand: Hand) -> None:
    place = (14.5013, 46.0507)
    before = hand.color_at(place)
    with qtbot.waitSignal(map_view.online_tiles_changed) as changed:
        map_view.set_online_tiles(True)
    assert changed.args == [True]
    assert hand.color_at(place) == before
    attribution: list[str] = []
    script = "document.querySelector('.leaflet-control-attribution').textContent"
    map_view._page.runJavaScript(script, attribution.append)
    qtbot.waitUntil(lambda: bool(attribution))
    assert "OpenStreetMap" in attribution[0]
    assert "Natural Earth" in attribution[0]
    map_view.set_online_tiles(False)
    assert not map_view._profile.requests.tiles_allowed
