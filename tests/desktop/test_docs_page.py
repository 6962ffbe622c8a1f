"""The page of the endpoint's interface, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from PySide6.QtWidgets import QApplication
from pytestqt.exceptions import TimeoutError as TookTooLong
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from app.api.server.docs import ASSETS
from app.session import WorkspaceSession
from engine.store.workspace import MEMORY

pytestmark = pytest.mark.slow

_ATTEMPTS = 30

_STEPS = """
(() => {
  const seen = document.querySelectorAll(".opblock").length;
  const reads = [...document.querySelectorAll(".opblock-get")];
  const geofences = reads.find((block) => block.textContent.includes("/v1/geofences"));
  const press = (name) => geofences && geofences.querySelector(name)?.click();
  if (!geofences?.querySelector(".opblock-body")) press(".opblock-summary-control");
  else if (!geofences.querySelector(".execute")) press(".try-out__btn");
  else if (!geofences.querySelector(".live-responses-table")) press(".execute");
  return `${seen} ${geofences?.querySelector(".live-responses-table tbody .response-col_status")?.textContent ?? ""}`;
})()
"""
_FRAME = "<iframe src='{url}/docs' width='600' height='400' onload='document.title = \"loaded\"'></iframe>"


class Page(QWebEnginePage):
    """A page of an ordinary browser that keeps its console messages."""

    def __init__(self, profile: QWebEngineProfile) -> None:
        super().__init__(profile)
        self.console: list[str] = []

    def javaScriptConsoleMessage(  # noqa: N802 (Qt's name)
        self, _level: QWebEnginePage.JavaScriptConsoleMessageLevel, message: str, _line: int, _source: str
    ) -> None:
        """Keep a message."""
        self.console.append(message)


@pytest.fixture
def url() -> Iterator[str]:
    """The address of an endpoint."""
    session = WorkspaceSession(MEMORY, host="127.0.0.1", port=0)
    yield session.start_endpoint()
    session.close()


@pytest.fixture
def page(qapp: QApplication) -> Iterator[Page]:
    """A browser's page."""
    profile = QWebEngineProfile()
    page = Page(profile)
    yield page
    delete(page)
    delete(profile)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def answer(qtbot: QtBot, page: Page, script: str) -> str:
    """Run a script and return its result, with retries because a page that is loading may lose the request."""
    answers: list[object] = []
    for _ in range(_ATTEMPTS):
        page.runJavaScript(script, answers.append)
        with suppress(TookTooLong):
            qtbot.waitUntil(lambda: bool(answers), timeout=5_000)
            break
    return str(answers[0])


@pytest.mark.skipif(not ASSETS.is_dir(), reason="the web assets have not been built")
def test_the_page_works_under_its_policy(qtbot: QtBot, page: Page, url: str) -> None:
    with qtbot.waitSignal(page.loadFinished, timeout=30_000):
        page.load(QUrl(f"{url}/docs"))
    # The page lists the operations, and one can be tried out. Without a key, this returns a 401.
    qtbot.waitUntil(lambda: " 401" in answer(qtbot, page, _STEPS), timeout=150_000)
    assert int(answer(qtbot, page, _STEPS).split()[0]) > 30
    assert [text for text in page.console if "Content Security Policy" in text] == []


def test_code_injected_into_the_page_does_not_run(qtbot: QtBot, page: Page, url: str) -> None:
    with qtbot.waitSignal(page.loadFinished, timeout=30_000):
        page.load(QUrl(f"{url}/docs"))
    inject = "const made = document.createElement('script'); made.textContent = 'window.hit = 1';"
    answer(qtbot, page, f"{inject} document.body.append(made); 1")
    assert answer(qtbot, page, "String(window.hit)") == "undefined"
    qtbot.waitUntil(lambda: any("Content Security Policy" in text for text in page.console))


def test_the_page_is_shown_in_nobodys_frame(qtbot: QtBot, page: Page, url: str) -> None:
    page.setHtml(_FRAME.format(url=url), QUrl("http://127.0.0.1:1/"))
    qtbot.waitUntil(lambda: page.title() == "loaded", timeout=30_000)
    qtbot.waitUntil(lambda: any(text.startswith("Refused to frame") for text in page.console))
