"""Injected faults in the window: the status line, the dialog, the requests panel."""

from __future__ import annotations

import httpx
import pytest

from app.faults.rules import FaultKind, FaultRule
from engine.domain.environment import Environment, KeyLevel
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("availability", "endpoint", "faults", "requests")


def ask(user: User, environment: Environment = Environment.TEST) -> int:
    key = user.engine.workspace.keys.value(environment, KeyLevel.PUBLISHABLE)
    url = user.session.start_endpoint()
    return httpx.get(f"{url}/v1/config", headers={"Authorization": key}).status_code


def test_the_status_line_shows_faults_of_any_client(user: User) -> None:
    status, faults = user.window.status, user.session.faults
    assert status.faults.isHidden()
    faults.add(FaultRule(kind=FaultKind.STATUS, status=503, times=1))
    faults.add(FaultRule(kind=FaultKind.LATENCY, latency_ms=1))
    user.until(lambda: status.faults.isVisible() and "2 faults active" in status.faults.text())
    user.click(status.faults)
    dialog = user.window.faults.dialog
    user.until(dialog.isVisible)
    assert [dialog.model.index(0, column).data() for column in range(6)] == [
        *("fault1", "status 503", "any path", "the next request", "0", "0")
    ]
    assert ask(user) == 503
    user.until(lambda: dialog.model.index(0, 5).data() == "1 · used up")
    user.until(lambda: "1 fault active" in status.faults.text())
    user.click(dialog.clear)
    user.until(status.faults.isHidden)
    assert dialog.model.rowCount() == 0


def test_a_fault_is_added_and_removed_in_the_dialog(user: User) -> None:
    user.window.actions_.faults.trigger()
    dialog = user.window.faults.dialog
    user.until(dialog.isVisible)
    user.type(dialog.path, "/v1/con*", enter=False)
    user.type(dialog.headers, "Retry-After: 3; X-Other: 1", enter=False)
    dialog.choice.setCurrentIndex(dialog.choice.findData("every"))
    dialog.number.set_number(2)
    user.click(dialog.add)
    user.until(lambda: dialog.model.rowCount() == 1)
    (fault,) = user.session.faults.all()
    assert fault.rule == FaultRule(
        kind=FaultKind.STATUS,
        status=429,
        headers=(("Retry-After", "3"), ("X-Other", "1")),
        path="/v1/con*",
        every=2,
    )
    assert [ask(user), ask(user)] == [200, 429]
    user.until(lambda: user.window.requests_panel.model.rowCount() == 2)
    user.window.docks.bring(user.window.docks.requests)
    user.until(lambda: user.window.requests_panel.model.index(0, 3).data() == "429 ⚡")
    user.click_in(dialog.view, dialog.view.visualRect(dialog.model.index(0, 1)).center())
    user.until(dialog.remove.isEnabled)
    user.click(dialog.remove)
    user.until(lambda: user.session.faults.all() == ())


def test_a_fault_that_is_added_while_live_is_shown_hits_test_alone(user: User) -> None:
    user.window.model.show(Environment.LIVE)
    user.window.faults.open()
    user.click(user.window.faults.dialog.add)
    user.until(lambda: "1 fault active" in user.window.status.faults.text())
    assert [ask(user, Environment.LIVE), ask(user)] == [200, 429]


@pytest.mark.parametrize(
    ("path", "headers", "words"),
    [
        ("/docs", "", "must be a path that begins with /v1/"),
        ("/v1/trak", "", "faults hit nothing at '/v1/trak'; did you mean /v1/track?"),
        ("", "no colon", "a name, a colon and a value"),
    ],
)
def test_errors_are_reported(user: User, path: str, headers: str, words: str) -> None:
    user.window.faults.open()
    dialog = user.window.faults.dialog
    user.type(dialog.path, path, enter=False)
    user.type(dialog.headers, headers, enter=False)
    user.click(dialog.add)
    user.until(dialog.error.isVisible)
    assert words in dialog.error.text()
    assert user.session.faults.all() == ()


def test_each_kind_has_its_own_fields(user: User) -> None:
    user.window.faults.open()
    dialog = user.window.faults.dialog
    made = []
    for kind in FaultKind:
        dialog.kind.setCurrentIndex(dialog.kind.findData(kind))
        shown = [field.isVisible() for field in (dialog.status, dialog.headers, dialog.when, dialog.amount)]
        made.append((kind.value, shown))
        user.click(dialog.add)
    assert dict(made) == {
        "latency": [False, False, False, True],
        "status": [True, True, False, False],
        "drop": [False, False, True, False],
        "truncate": [False, False, False, True],
        "slow": [False, False, False, True],
    }
    assert [fault.rule.kind for fault in user.session.faults.all()] == list(FaultKind)
