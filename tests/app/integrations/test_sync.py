"""``fencewright sync``, on a closed workspace and on one that is open elsewhere."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.commands import Commands
from tests.engine.nightly.servers import SECRET, Files, files, table


@pytest.fixture
def served() -> Iterator[Files]:
    with files() as served:
        yield served


def test_it_is_set_shown_and_run(fencewright: Commands, workspace: Path, served: Files) -> None:
    at = ("--workspace", workspace)
    fencewright("settings", "--set", "allowPrivateUrls=true", *at)
    served.content["a.csv"] = table(("1", 100), ("2", 200))
    ended = fencewright("sync", "set", f"urls={served.url('a.csv')}", "hour=4", "enabled=true", *at)
    assert (ended.code, ended.err) == (0, ""), ended
    assert "hour                4\n" in ended.out
    ran = fencewright("sync", "run", *at)
    assert ran.code == 0, ran
    assert "2 rows: 2 created, 0 updated, 0 unchanged, 0 failed" in ran.out
    assert "unchanged" in fencewright("sync", "run", *at).out
    served.content.clear()
    failed = fencewright("sync", "run", "--force", "--json", *at)
    assert (failed.code, failed.json["status"], failed.json["files"][0]["outcome"]) == (1, "failed", "failed")
    shown = fencewright("sync", "show", "--json", *at).json
    assert (shown["hour"], shown["enabled"], shown["lastRun"]["status"]) == (4, True, "failed")
    assert fencewright("sync", "show", "--environment", "live", "--json", *at).json["enabled"] is False


def test_a_secret_is_read_from_standard_input(
    fencewright: Commands, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{SECRET}\n"))
    ended = fencewright("sync", "set", "secretAccessKey", "bucket=fences", "--workspace", workspace)
    assert ended.code == 0, ended
    assert "secretAccessKeySet  true" in ended.out
    assert SECRET not in ended.out


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("hours=4", "hours: unknown setting"),
        ("hour=25", "hour: must be within [0, 23]"),
        ("urls=ftp://a", "urls: 'ftp://a' is not an http"),
        ("enabled=true", "urls: is required"),
    ],
)
def test_an_invalid_setting_changes_nothing(
    fencewright: Commands, workspace: Path, assignment: str, message: str
) -> None:
    ended = fencewright("sync", "set", assignment, "--workspace", workspace)
    assert ended.code == 1
    assert message in ended.err
    assert fencewright("sync", "show", "--json", "--workspace", workspace).json["hour"] == 2
