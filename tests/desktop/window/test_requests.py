"""The requests in the window: they arrive by themselves, and can be filtered, copied, sent again and cleared."""

from __future__ import annotations

import json
import time
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.desktop.dialogs.send_request import SendDialog
from engine.domain.environment import Environment, KeyLevel
from engine.domain.settings import SettingsChange
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts(
    "requests",
    "requests_panel",
    "selection",
    "availability",
    "endpoint",
    "events",
    "request_book",
    "request_page",
    "requests_panel",
    "tools",
    "undoing",
)

FIX = {"deviceId": "phone-1", "latitude": 46.05, "longitude": 14.5, "accuracy": 5}


class Client:
    """An app that sends requests to the window's endpoint."""

    def __init__(self, user: User, environment: Environment = Environment.TEST) -> None:
        url = user.session.url
        assert url is not None
        self._place = urlsplit(url).netloc
        self.key = user.engine.workspace.keys.value(environment, KeyLevel.SECRET)

    def send(self, method: str, path: str, body: Any = None, key: str | None = None) -> dict[str, Any]:
        """Send a request and return the response."""
        connection = HTTPConnection(self._place, timeout=20)
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, {"Authorization": key or self.key, "Content-Type": "application/json"})
        answer: dict[str, Any] = json.loads(connection.getresponse().read())
        connection.close()
        return answer


def shown(user: User) -> list[tuple[str, str, str]]:
    """Return the method, path and status of all rows, from the top."""
    model = user.window.requests_panel.model
    rows = range(model.rowCount())
    return [tuple(model.data(model.index(row, column)) for column in (1, 2, 3)) for row in rows]


def test_times_are_in_the_zone_of_the_events_beside_them(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine may have another time zone. Requests without a position use that of the newest event."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        client = Client(user)
        user.given()
        client.send("POST", "/v1/track", FIX)
        client.send("GET", "/v1/search/geofences?near=40.78,-73.97")
        client.send("GET", "/v1/ping")
        user.until(lambda: len(shown(user)) == 3 and len(user.window.model.events) == 1)
        model, events = user.window.requests_panel.model, user.window.events.model
        zone = str(events.data(events.index(0, 0))).rpartition(" ")[2]
        assert zone in ("CET", "CEST")
        zones = [str(model.data(model.index(row, 0))).rpartition(" ")[2] for row in range(3)]
        assert zones[::2] == [zone, zone]
        assert zones[1] in ("EST", "EDT")
        tips = [str(model.data(model.index(row, 0), Qt.ItemDataRole.ToolTipRole)) for row in range(3)]
        assert ["Europe/Ljubljana" in tip for tip in tips] == [True, False, True]
        assert "America/New_York" in tips[1]
    finally:
        monkeypatch.undo()
        time.tzset()


def choose(user: User, row: int) -> None:
    """Click a row."""
    panel = user.window.requests_panel
    user.click_in(panel.view, panel.view.visualRect(panel.model.index(row, 1)).center())
    user.until(lambda: bool(user.window.request_page.text.toPlainText()))
    user.idle()


def open_panel(user: User) -> None:
    """Show the panel with its shortcut."""
    user.press(Qt.Key.Key_R)
    user.until(user.window.requests_panel.isVisible)
    user.engine.settings.change(Environment.TEST, SettingsChange(rate_limit=False))


def test_requests_arrive_and_lead_to_their_events(user: User) -> None:
    fence = user.given()
    open_panel(user)
    panel, page = user.window.requests_panel, user.window.request_page
    client = Client(user)
    client.send("POST", "/v1/track", FIX | {"userID": "ann"})
    client.send("GET", "/v1/nothing")
    user.until(lambda: shown(user) == [("GET", "/v1/nothing", "404"), ("POST", "/v1/track", "200")])
    assert not page.isVisible()
    choose(user, 1)
    user.until(page.isVisible)
    assert page.near_misses.text() == "userID: no parameter of POST /v1/track; did you mean userId?"
    assert '"userID": "ann"' in page.text.toPlainText()
    assert client.key not in page.text.toPlainText()
    assert f"prj_test_sk_…{client.key[-4:]}" in page.text.toPlainText()
    user.click(page.pages.buttons[1])
    assert page.text.toPlainText().startswith("200\n")
    assert '"user.entered_geofence"' in page.text.toPlainText()
    (link,) = page.links
    assert link.text() == "entered geofence"
    user.click(link)
    selection = user.window.model.selection
    user.until(lambda: selection.event is not None and selection.fence_id == fence.id)
    client.send("GET", "/v1/users")
    user.until(lambda: len(shown(user)) == 3)
    assert panel.view.currentIndex().row() == 2, "what was chosen stays chosen while others arrive above it"


def test_words_filter_the_rows(user: User) -> None:
    open_panel(user)
    client, panel = Client(user), user.window.requests_panel
    client.send("POST", "/v1/track", FIX)
    client.send("POST", "/v1/track", FIX | {"colour": "red"})
    client.send("GET", "/v1/users")
    client.send("GET", "/v1/geofence")
    user.until(lambda: len(shown(user)) == 4)
    for text, paths in (
        ("4xx", ["/v1/geofence"]),
        ("!", ["/v1/geofence", "/v1/track"]),
        ("phone-1 post", ["/v1/track", "/v1/track"]),
        ("nothing like this", []),
    ):
        user.type(panel.words, text, enter=False)
        user.until(lambda paths=paths: [path for _, path, _ in shown(user)] == paths)  # type: ignore[misc]
    client.send("GET", "/v1/users")
    QTest.keyClick(panel.words, Qt.Key.Key_Escape)
    user.until(lambda: len(shown(user)) == 5)
    assert panel.words.text() == ""


def test_a_pause_and_the_end_of_it(user: User) -> None:
    open_panel(user)
    client, panel = Client(user), user.window.requests_panel
    client.send("GET", "/v1/users")
    user.until(lambda: len(shown(user)) == 1)
    user.click(panel.pause)
    client.send("GET", "/v1/events")
    user.qtbot.wait(300)
    assert len(shown(user)) == 1
    user.click(panel.pause)
    user.until(lambda: len(shown(user)) == 2)
    choose(user, 0)
    user.click(panel.clear)
    user.until(lambda: shown(user) == [])
    assert user.session.requests.snapshot() == []
    client.send("GET", "/v1/users")
    user.until(lambda: len(shown(user)) == 1)


def test_a_request_is_copied_with_and_without_a_key(user: User) -> None:
    open_panel(user)
    client, page = Client(user), user.window.request_page
    client.send("POST", "/v1/events", {"name": "it's", "deviceId": "d"})
    user.until(lambda: len(shown(user)) == 1)
    choose(user, 0)
    clipboard = QGuiApplication.clipboard()
    QTest.keyClick(user.window.requests_panel.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text().startswith(f"curl {user.session.url}/v1/events")
    assert "Authorization: YOUR_KEY" in clipboard.text()
    menu = page.copy.menu()
    assert menu is not None
    menu.actions()[1].trigger()
    publishable = user.engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
    assert f"Authorization: {publishable}" in clipboard.text()
    assert client.key not in clipboard.text()


def test_a_request_is_changed_and_sent_again(user: User) -> None:
    open_panel(user)
    client, page = Client(user), user.window.request_page
    client.send("POST", "/v1/track", FIX | {"userID": "ann"})
    user.until(lambda: len(shown(user)) == 1)
    choose(user, 0)
    user.click(page.again)
    (dialog,) = user.window.findChildren(SendDialog)
    assert dialog.key.currentText() == "Test secret key"
    body = dialog.body.toPlainText()
    path = dialog.path
    assert isinstance(path, QLineEdit)
    user.type(path, "no slash", enter=False)
    user.click(dialog.send)
    user.until(lambda: "must begin with a slash" in dialog.error.text())
    user.type(path, "/v1/track", enter=False)
    dialog.body.selectAll()
    QTest.keyClicks(dialog.body, body.replace("userID", "userId").replace("\n", ""))
    user.click(dialog.send)
    user.until(lambda: len(shown(user)) == 2)
    user.until(lambda: user.window.requests_panel.view.currentIndex().row() == 0)
    user.until(lambda: '"userId": "ann"' in page.text.toPlainText())
    user.until(lambda: not page.near_misses.isVisible())
    users = client.send("GET", "/v1/users")["users"]
    assert [each.get("userId") for each in users] == ["ann"]


def test_live_shows_its_own_requests(user: User) -> None:
    open_panel(user)
    test, live = Client(user), Client(user, Environment.LIVE)
    test.send("GET", "/v1/users")
    live.send("GET", "/v1/events")
    test.send("GET", "/v1/users", key="unknown")
    user.until(lambda: shown(user) == [("GET", "/v1/users", "401"), ("GET", "/v1/users", "200")])
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: shown(user) == [("GET", "/v1/users", "401"), ("GET", "/v1/events", "200")])


def test_a_flood_leaves_the_window_in_hand(user: User) -> None:
    open_panel(user)
    requests = user.session.requests
    log: Any = requests._begun.log  # type: ignore[attr-defined]
    head = b"POST /v1/track HTTP/1.1\r\nHost: x\r\n\r\n"
    body = json.dumps(FIX).encode()
    for _ in range(10_000):
        log.add(0.0, "127.0.0.1", False, head, body, len(body), 200, b"HTTP/1.1 200 OK\r\n\r\n{}", 2)
    kept = len(requests.snapshot())
    user.until(lambda: len(user.window.request_book) == kept)
    view = user.window.requests_panel.view
    assert len(user.window.request_book._summaries) < 200, "only what is in view is read"
    choose(user, 0)
    QTest.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    user.until(lambda: view.currentIndex().row() == kept - 1)
    user.until(lambda: "phone-1" in user.window.request_page.text.toPlainText())
    assert len(user.window.request_book._summaries) < 400
