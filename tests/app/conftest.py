"""Fixtures shared by the tests of the interfaces."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from app.session import WorkspaceSession
from tests.app.commands import Commands
from tests.app.program import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


@pytest.fixture
def fencewright(capsys: pytest.CaptureFixture[str], own_home: Path) -> Commands:
    return Commands(capsys, own_home)


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Store the settings and data of this process in a folder of the test."""
    home = tmp_path / "home"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    return home


@pytest.fixture(params=["alone", "open elsewhere"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """The folder of a workspace, once closed and once open in another process."""
    folder = tmp_path / "workspace"
    with ExitStack() as stack:
        if request.param == "open elsewhere":
            stack.enter_context(WorkspaceSession(folder))
        yield folder
