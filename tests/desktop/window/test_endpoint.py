"""The endpoint's dialog: HTTPS, who can reach it, the QR code, and the certificate."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.desktop.dialogs.endpoint import EndpointDialog
from app.desktop.memory import Memory
from app.desktop.window.controllers.workspaces import bind_remembering
from app.endpoint import EVERYWHERE, EndpointOptions
from app.qr import connection_text, qr_modules
from engine.domain.environment import Environment, KeyLevel
from engine.domain.ports import Progress, no_progress
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("availability", "endpoint", "network")


def opened(user: User) -> EndpointDialog:
    """Open the dialog like a user."""
    user.click(user.window.status.device)
    dialog = user.window.network.dialog
    user.until(lambda: dialog.isVisible() and dialog.address.text() == user.session.url)
    return dialog


def choose(user: User, dialog: EndpointDialog, host: str) -> None:
    """Choose the devices that can reach it, with the keyboard."""
    dialog.host.setFocus()
    user.press(Qt.Key.Key_Home, on=dialog.host)
    while dialog.host.currentData() != host:
        user.press(Qt.Key.Key_Down, on=dialog.host)
    user.until(lambda: user.session.options.host == host and dialog.host.isEnabled())


def fetch_users(user: User, host: str = "localhost", **options: Any) -> httpx.Response:
    assert user.session.url is not None
    key = user.engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)
    headers = {"Authorization": key, "Host": host}
    return httpx.get(f"{user.session.url}/v1/users", headers=headers, trust_env=False, **options)


def code_of(user: User, environment: Environment = Environment.TEST) -> object:
    """Return the current code for an app to scan."""
    reach = user.session.reach
    assert reach is not None
    key = user.engine.workspace.keys.value(environment, KeyLevel.PUBLISHABLE)
    return qr_modules(connection_text(reach.device_url, key))


def shows_code_of(user: User, environment: Environment) -> bool:
    return user.window.network.dialog.code.modules == code_of(user, environment)


def test_https_is_switched_on_and_off(user: User, tmp_path: Path) -> None:
    dialog = opened(user)
    assert not (user.engine.workspace.folder / "tls").exists()
    QTest.mouseClick(dialog.tls, Qt.MouseButton.LeftButton, pos=QPoint(10, dialog.tls.height() // 2))
    user.until(lambda: dialog.address.text().startswith("https://127.0.0.1:"))
    authority = user.session.certificate()
    assert dialog.fingerprint.text().replace("\n", ":") == authority.fingerprint
    assert fetch_users(user, verify=ssl.create_default_context(cafile=str(authority.file))).status_code == 200
    assert user.window.status.endpoint.text().startswith("● https://")
    assert dialog.code.modules == code_of(user)
    for name in ("ca.crt", "ca.pem"):
        user.window.network.export(tmp_path / name)
        user.until((tmp_path / name).exists)
        user.idle()
    assert (tmp_path / "ca.pem").read_bytes() == authority.pem
    assert (
        x509.load_der_x509_certificate((tmp_path / "ca.crt").read_bytes()).not_valid_after_utc == authority.expires_at
    )
    QTest.mouseClick(dialog.tls, Qt.MouseButton.LeftButton, pos=QPoint(10, dialog.tls.height() // 2))
    user.until(lambda: dialog.address.text().startswith("http://"))
    assert fetch_users(user).status_code == 200
    assert dialog.code.modules == code_of(user)


def test_opening_it_to_the_network_stays_visible(user: User) -> None:
    dialog, status = opened(user), user.window.status
    assert not dialog.warning.isVisible()
    assert dialog.holds.model().flags(dialog.holds.model().index(1, 0)) & Qt.ItemFlag.ItemIsEnabled == Qt.ItemFlag(0)
    choose(user, dialog, EVERYWHERE)
    user.until(dialog.warning.isVisible)
    assert "Other devices on the network can reach this endpoint" in dialog.warning.text()
    assert "unencrypted" in dialog.warning.text()
    assert status.endpoint.text().startswith("⚠")
    assert "Other devices" in status.endpoint.toolTip()
    assert dialog.code.modules == code_of(user)
    assert fetch_users(user, socket.gethostname()).status_code == 200
    user.click(status.toggle)
    user.until(lambda: status.endpoint.text() == "○ Endpoint stopped" and dialog.code.modules == ())
    user.click(status.toggle)
    user.until(lambda: status.endpoint.text().startswith("⚠") and user.window.message.isVisible())
    assert "Other devices" in user.window.message.text.text()
    user.window.message.dismiss()
    choose(user, dialog, "127.0.0.1")
    user.until(lambda: not dialog.warning.isVisible())
    assert status.endpoint.text().startswith("● 127.0.0.1")


def test_host_names_are_allowed_as_they_are_typed(user: User) -> None:
    dialog = opened(user)
    assert fetch_users(user, "map.example.com").status_code == 400
    user.type(dialog.hosts, "http://map.example.com")
    assert "not a host name" in dialog.hosts_field.error.text()
    assert user.session.options.allow_hosts == ()
    user.empty(dialog.hosts)
    user.type(dialog.hosts, "Map.Example.com., 192.0.2.9")
    user.until(lambda: user.session.options.allow_hosts == ("map.example.com", "192.0.2.9"))
    user.until(dialog.hosts.isEnabled)
    assert dialog.hosts_field.error.text() == ""
    assert fetch_users(user, "map.example.com").status_code == 200
    assert fetch_users(user, "192.0.2.9:80").status_code == 200


def test_an_impossible_option_is_reported_and_the_endpoint_stays_as_it_was(user: User) -> None:
    dialog = opened(user)
    before = user.session.options
    user.window.network.change(EndpointOptions("198.51.100.77", 0))
    user.until(user.window.message.isVisible)
    assert "198.51.100.77" in user.window.message.text.text()
    user.until(dialog.host.isEnabled)
    assert user.session.options == before
    assert fetch_users(user).status_code == 200
    assert dialog.host.currentData() == "127.0.0.1"


def test_the_code_is_scannable_in_the_dark_and_never_holds_a_secret(user: User) -> None:
    user.window.appearance.choose("dark")
    dialog = opened(user)
    for environment in Environment:
        user.window.toolbar.environments.chosen.emit(environment)
        user.until(partial(shows_code_of, user, environment))
        user.idle()
        modules = dialog.code.modules
        image = dialog.code.grab().toImage()
        module = image.width() // len(modules)
        edge = (image.width() - module * len(modules)) / 2
        for down, row in enumerate(modules):
            for across, dark in enumerate(row):
                at = (int(edge + (each + 0.5) * module) for each in (across, down))
                assert image.pixelColor(*at).name() == ("#000000" if dark else "#ffffff")
    user.window.toolbar.environments.chosen.emit(Environment.TEST)
    user.idle()
    before = dialog.code.modules
    user.engine.workspace.keys.rotate(Environment.TEST, KeyLevel.SECRET)
    user.window.network.refresh()
    user.idle()
    assert dialog.code.modules == before
    user.engine.workspace.keys.rotate(Environment.TEST, KeyLevel.PUBLISHABLE)
    user.window.network.refresh()
    user.until(lambda: dialog.code.modules == code_of(user) != before)


def test_choices_are_remembered_except_for_the_network(tmp_path: Path) -> None:
    made: list[tuple[object, ...]] = []

    def open_session(
        folder: Path | str,
        *,
        host: str,
        port: int,
        tls: bool,
        allow_hosts: Sequence[str],
        progress: Progress = no_progress,
    ) -> Any:
        made.append((host, port, tls, allow_hosts))

    Memory(tmp_path).remember_endpoint(EndpointOptions(EVERYWHERE, 5, tls=True, allow_hosts=("a.example", "::5")))
    given = EndpointOptions(allow_hosts=("b.example", "a.example"))
    bind_remembering(open_session, given, Memory(tmp_path))("w", no_progress)
    bind_remembering(open_session, EndpointOptions(EVERYWHERE, 0), Memory())("w", no_progress)
    assert made == [
        ("127.0.0.1", 8787, True, ("b.example", "a.example", "::5")),
        (EVERYWHERE, 0, False, ()),
    ]


@pytest.mark.parametrize("content", ["[General]\nendpoint-tls=maybe\nendpoint-hosts=@Invalid()\n", "\x00"])
def test_a_damaged_memory_switches_nothing_on(tmp_path: Path, content: str) -> None:
    (tmp_path / "window.ini").write_text(content)
    memory = Memory(tmp_path)
    assert (memory.tls, [name for name in memory.allow_hosts if "." in name]) == (False, [])
