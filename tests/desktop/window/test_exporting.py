"""Exporting events and users from their panels."""

from __future__ import annotations

import csv
from pathlib import Path

import orjson
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit, QToolButton

from app.exports import RecordKind
from engine.domain.environment import Environment
from engine.domain.tracking.updates import Conversion
from tests.desktop.window.user import User
from tests.engine.fixtures import update

pytestmark = pytest.mark.parts("exporter")

TEST = Environment.TEST


def happen(user: User, count: int) -> None:
    engine = user.engine
    engine.tracking.track(TEST, update())
    for number in range(count):
        engine.history.log_conversion(TEST, Conversion("bought", f"d{number}", None, None, {}))


def export(user: User, button: QToolButton, file: Path) -> None:
    """Click the button, and enter the name of the file like a user."""
    user.until(button.isEnabled)
    user.click(button)
    found: list[QFileDialog] = []

    def there() -> bool:
        found[:] = [w for w in QApplication.topLevelWidgets() if isinstance(w, QFileDialog) and w.isVisible()]
        return bool(found)

    user.until(there)
    name = found[0].findChild(QLineEdit)
    assert name is not None
    name.setText(str(file))
    box = found[0].findChild(QDialogButtonBox)
    assert box is not None
    user.click(box.button(QDialogButtonBox.StandardButton.Save))


def test_events_and_users_become_files(user: User, tmp_path: Path) -> None:
    happen(user, 5)
    window = user.window
    export(user, window.exporter.events, tmp_path / "events.jsonl")
    user.until(lambda: "Exported 5 events to" in window.message.text.text())
    events = [orjson.loads(line) for line in (tmp_path / "events.jsonl").read_bytes().splitlines()]
    assert [event["user"]["deviceId"] for event in events] == [f"d{number}" for number in range(5)]
    window.docks.bring(window.docks.user)
    export(user, window.exporter.users, tmp_path / "users.csv")
    user.until(lambda: "Exported 1 user to" in window.message.text.text())
    with (tmp_path / "users.csv").open(encoding="utf-8", newline="") as stream:
        assert [row["deviceId"] for row in csv.DictReader(stream)] == ["phone"]


def test_an_unwritable_file_is_reported(user: User, tmp_path: Path) -> None:
    happen(user, 1)
    user.window.exporter.export(tmp_path / "none" / "e.csv", RecordKind.EVENTS)
    user.until(lambda: "cannot be written" in user.window.message.text.text())


def test_an_export_can_be_cancelled(user: User, tmp_path: Path) -> None:
    happen(user, 3)
    operations = user.window.operations
    operations.started.connect(lambda task: task.cancel(), Qt.ConnectionType.SingleShotConnection)
    user.window.exporter.export(tmp_path / "e.csv", RecordKind.EVENTS)
    user.until(lambda: "cancelled; e.csv was not written" in user.window.message.text.text())
    assert list(tmp_path.iterdir()) == []
