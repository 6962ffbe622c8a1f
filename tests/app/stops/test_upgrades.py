"""Stops while a workspace of an earlier version is upgraded, for all kinds of commands."""

import os
import signal
from pathlib import Path
from typing import Final

import pytest

from app.cli import Interfaces, run
from app.cli.terminal import output
from engine.store.migrations.copies import copy_of
from tests.app.stops.test_server import BOTH
from tests.engine.store.earlier import dump, make

COMMANDS: Final = {
    "serve": ["--port", "0"],
    "settings": [],
    "import": ["shops.csv"],
    "simulate": ["walk.gpx", "--device", "phone", "--accuracy", "5"],
    "export": ["events", "--output", "events.csv"],
    "promote": ["--yes"],
}
TRACK: Final = (
    '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg><trkpt lat="47.141" lon="9.5209">'
    "<time>2026-03-01T10:00:00Z</time></trkpt></trkseg></trk></gpx>"
)


def no_window(*_: object) -> int:
    raise AssertionError


@BOTH
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_has_changed_and_no_copy_is_left(
    command: str,
    number: signal.Signals,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = make(tmp_path / "w", "0004")
    before = dump(file)
    monkeypatch.chdir(tmp_path)
    Path("shops.csv").write_text("description,type,tag,externalId,coordinates,radius\n", encoding="utf-8")
    Path("walk.gpx").write_text(TRACK, encoding="utf-8")

    def stop(message: str) -> None:
        print_note(message)
        if "upgrading" in message:
            os.kill(os.getpid(), number)

    print_note = output.note
    monkeypatch.setattr(output, "note", stop)
    code = run([command, *COMMANDS[command], "--workspace", str(file.parent)], Interfaces(no_window, no_window))
    assert code == (0 if command == "serve" else 128 + number)
    upgrading, stopped = capsys.readouterr().err.splitlines()
    assert "upgrading the workspace" in upgrading
    assert stopped.startswith("fencewright: stopped")
    assert dump(file) == before
    assert not copy_of(file, "0004").exists()
