"""Pictures of the request log: the table, a full request with its near misses, and sending one again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from urllib.parse import urlsplit

from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.send_request import SendDialog
from app.desktop.model.requests.filtering import RequestFilter
from engine.domain.environment import Environment, KeyLevel
from tests.desktop.studio import Studio, wait_for

FIX = {"deviceId": "phone-1", "userId": "anna", "latitude": 51.045, "longitude": 3.725, "accuracy": 12}


def requests_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show the requests of an app, some of them with mistakes."""
    window = studio.window
    studio.open()
    studio.fill()
    window.docks.bring(window.docks.requests)
    yield "requests-empty", None
    session = window.model.session
    assert session is not None
    assert session.url is not None
    keys = session.engine.workspace.keys
    _send(session.url, keys.value(Environment.TEST, KeyLevel.SECRET))
    wait_for(lambda: len(window.request_book) == len(_REQUESTS), "the requests")
    yield "requests-list", None
    book = window.request_book
    entered = next(each for each in book.look(RequestFilter(("/v1/track",))) if book.summary(each).events)
    window.requests_panel.choose(entered.number)
    wait_for(lambda: window.request_page.text.toPlainText() != "", "the request")
    yield "requests", None
    found = window.request_book.look(RequestFilter(("userid",))) or window.request_book.look(RequestFilter(("!",)))
    window.requests_panel.choose(found[0].number)
    wait_for(lambda: window.request_page.near_misses.isVisible(), "the near misses")
    yield "requests-near-miss", None
    window.request_page.send_requested.emit()
    dialog = window.findChildren(SendDialog)[-1]
    yield "requests-send", dialog
    dialog.reject()


_REQUESTS: tuple[tuple[str, str, object], ...] = (
    ("GET", "/v1/config?deviceId=phone-1&installId=1", None),
    ("POST", "/v1/track", {**FIX, "deviceId": "phone-2", "userId": "ben", "latitude": 50.0}),
    ("POST", "/v1/track", FIX),
    ("POST", "/v1/track", {"deviceId": "phone-1", "userID": "anna", "lat": 51.05, "longitude": 3.72, "accuracy": 8}),
    ("GET", "/v1/search/geofences?near=51.05,3.72&radius=1000&tag=depot", None),
    ("GET", "/v1/geofence", None),
    ("DELETE", "/v1/track", None),
    ("POST", "/v1/events", {"name": "bought_ticket", "deviceId": "phone-1", "metadata": {"price": 12.5}}),
)


def _send(url: str, key: str) -> None:
    connection = HTTPConnection(urlsplit(url).netloc)
    for method, path, body in _REQUESTS:
        headers = {"Authorization": key, "User-Agent": "Example/1.0 (iOS 18.4)"}
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, headers | ({"Content-Type": "application/json"} if text else {}))
        connection.getresponse().read()
    connection.close()
