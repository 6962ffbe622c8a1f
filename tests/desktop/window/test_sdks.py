"""Connecting an SDK in the window. The window follows a reset."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.desktop.dialogs.sdks import SdkDialog
from app.sdks.snippets import Sdk
from app.seeds import decode_seed
from app.session import WorkspaceSession
from engine.domain.environment import Environment, KeyLevel
from engine.domain.ports import Progress
from tests.engine.fixtures import circle, update

pytestmark = pytest.mark.parts("sdks", "status", "availability", "endpoint", "sdks")

if TYPE_CHECKING:
    from app.desktop.window.main_window import MainWindow
    from tests.desktop.window.user import User

SEED = {
    "version": 1,
    "geofences": [
        {
            "tag": "store",
            "externalId": "1",
            "description": "A store",
            "type": "circle",
            "coordinates": [9.5209, 47.141],
            "radius": 100,
        }
    ],
}


def key_of(user: User, environment: Environment, level: KeyLevel = KeyLevel.PUBLISHABLE) -> str:
    return user.engine.workspace.keys.value(environment, level)


def ask(user: User, key: str, kind: str) -> None:
    headers = {"Authorization": key, "X-Radar-Device-Type": kind, "X-Radar-SDK-Version": "5.2.0"}
    httpx.get(f"{user.session.url}/v1/config", headers=headers, trust_env=False)


def opened(user: User) -> SdkDialog:
    user.window.actions_.sdks.trigger()
    dialog = user.window.sdks.dialog
    user.until(dialog.isVisible)
    return dialog


def choose(dialog: SdkDialog, sdk: Sdk) -> None:
    QTest.mouseClick(dialog.switch.buttons[list(Sdk).index(sdk)], Qt.MouseButton.LeftButton)
    assert dialog.sdk is sdk


def test_the_lines_have_the_address_and_the_key_and_are_copied(user: User) -> None:
    dialog = opened(user)
    for sdk in Sdk:
        choose(dialog, sdk)
        code = "\n".join(each.text for each in dialog.codes())
        assert key_of(user, Environment.TEST) in code
        assert (user.session.url or "").rpartition(":")[2] in code
        assert dialog.arrivals[sdk].text.text() == "Waiting for the first request…"
    choose(dialog, Sdk.JAVASCRIPT)
    lines = dialog.codes()[1]
    QTest.mouseClick(lines.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == lines.text
    assert "Radar.initialize(" in lines.text
    assert lines.copy.toolTip() == "Copied"
    QTest.mouseClick(dialog.codes()[0].copy, Qt.MouseButton.LeftButton)
    assert lines.copy.toolTip() == "Copy these lines", "what would be pasted are others"


def test_the_first_request_turns_the_check_green(user: User) -> None:
    dialog = opened(user)
    ask(user, "prj_test_pk_of_somebody_else", "Web")
    status = dialog.arrivals[Sdk.JAVASCRIPT]
    user.until(lambda: "not one of this workspace's keys" in status.text.text())
    assert status.text.property("role") == "error"
    ask(user, key_of(user, Environment.LIVE), "Web")
    user.until(lambda: status.text.text().endswith(" with a Live key. Use the Test key below."))
    assert status.text.property("role") == "error"
    ask(user, key_of(user, Environment.TEST), "Web")
    user.until(lambda: status.text.text().startswith("Connected: the JavaScript SDK 5.2.0 sent its first request"))
    assert status.text.property("role") == "good"
    assert dialog.arrivals[Sdk.IOS].text.text() == "Waiting for the first request…"
    # Requests that arrived while the dialog was closed are shown when it is opened again.
    dialog.close()
    ask(user, key_of(user, Environment.TEST), "iOS")
    opened(user)
    user.until(lambda: dialog.arrivals[Sdk.IOS].text.text().startswith("Connected"))


def test_the_lines_follow_the_environment_the_keys_and_the_endpoint(user: User) -> None:
    dialog = opened(user)

    def shown() -> str:
        return "\n".join(each.text for each in dialog.codes())

    before = key_of(user, Environment.TEST)
    user.window.toolbar.environments.live.click()
    user.until(lambda: key_of(user, Environment.LIVE) in shown())
    assert "go to Live" in dialog.environment.text()
    user.window.toolbar.environments.test.click()
    user.until(lambda: before in shown())
    user.window.endpoint._rotate(user.session, Environment.TEST, KeyLevel.PUBLISHABLE)
    user.until(lambda: key_of(user, Environment.TEST) in shown() and before not in shown())
    assert not dialog.stopped.isVisible()
    user.window.endpoint.toggle(False)
    user.until(dialog.stopped.isVisible)
    assert "http://127.0.0.1:8787" in shown()
    (start,) = [each for each in dialog.stopped.children() if each.property("text") == "Start"]
    start.click()  # type: ignore[attr-defined]
    user.until(lambda: not dialog.stopped.isVisible() and (user.session.url or "?") in shown())


@pytest.mark.slow
def test_the_window_follows_a_reset(empty_window: MainWindow, qtbot: QtBot) -> None:
    from tests.desktop.window.user import User

    def open_seeded(folder: object, progress: Progress) -> WorkspaceSession:
        return WorkspaceSession(":memory:", port=0, seed=decode_seed(json.dumps(SEED).encode()))

    empty_window.workspaces._open_session = open_seeded
    with qtbot.waitSignal(empty_window.model.opened):
        empty_window.workspaces.open(":memory:")
    user = User(qtbot, empty_window)
    user.until(lambda: user.session.url is not None and empty_window.operations.under_way == 0)
    model = empty_window.model
    assert [fence.description for fence in model.fences.all()] == ["A store"]
    (store,) = model.fences.all()
    user.engine.geofences.delete(Environment.TEST, store.id)
    user.engine.geofences.create(Environment.TEST, circle("added"))
    user.engine.tracking.track(Environment.TEST, update())
    user.until(lambda: len(model.events) == 1 and [fence.external_id for fence in model.fences.all()] == ["added"])
    headers = {"Authorization": key_of(user, Environment.TEST, KeyLevel.SECRET)}
    assert httpx.post(f"{user.session.url}/v1/reset", headers=headers, trust_env=False).status_code == 200
    user.until(lambda: len(model.events) == 0 and [fence.id for fence in model.fences.all()] == [store.id])
