"""Preferences that are kept between runs, which survive damage and read-only home folders."""

from pathlib import Path

import pytest

from app.settings import (
    MAX_RECENT,
    Settings,
    default_workspace,
    load_settings,
    remember_workspace,
    save_settings,
    settings_file,
    workspace_to_open,
)
from engine.store.workspace import open_workspace

DEEP = b'{"recent": ["/tmp"], "more": ' + b"[" * 200 + b"]" * 200 + b"}"


def test_the_first_run_has_nothing_to_remember(own_home: Path) -> None:
    assert load_settings() == Settings()
    assert settings_file().is_relative_to(own_home)
    assert workspace_to_open() == default_workspace()
    assert default_workspace().is_relative_to(own_home)


def test_the_last_workspace_comes_first_and_once(own_home: Path, tmp_path: Path) -> None:
    for name in ("a", "b", "a"):
        remember_workspace(tmp_path / name)
    assert load_settings().recent == (tmp_path / "a", tmp_path / "b")
    assert load_settings().last_workspace == tmp_path / "a"
    assert load_settings().forgotten(tmp_path / "a").recent == (tmp_path / "b",)


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    settings = Settings()
    for number in range(MAX_RECENT + 5):
        settings = settings.opened(tmp_path / str(number))
    assert len(settings.recent) == MAX_RECENT
    assert settings.last_workspace == tmp_path / str(MAX_RECENT + 4)


def test_a_deleted_workspace_is_not_opened_again(own_home: Path, tmp_path: Path) -> None:
    remember_workspace(tmp_path / "gone")
    assert workspace_to_open() == default_workspace()
    open_workspace(tmp_path / "gone").close()
    assert workspace_to_open() == tmp_path / "gone"


def test_the_last_workspace_that_exists_is_opened(own_home: Path, tmp_path: Path) -> None:
    open_workspace(tmp_path / "kept").close()
    (tmp_path / "empty").mkdir()
    for name in ("kept", "empty", "gone"):
        remember_workspace(tmp_path / name)
    assert workspace_to_open() == tmp_path / "kept"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"recent": 5}',
        b'{"recent": [1, null, ""]}',
        b'{"recent": ["a\\u0000"]}',
        b"\xff\xfe",
        DEEP,
    ],
)
def test_a_broken_file_counts_as_none(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "settings.json"
    file.write_bytes(content)
    assert load_settings(file) == Settings()
    assert remember_workspace(tmp_path, file).last_workspace == tmp_path
    assert load_settings(file).recent == (tmp_path,)


def test_nothing_breaks_if_nothing_can_be_saved(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert not save_settings(Settings(), tmp_path / "file" / "settings.json")
    assert load_settings(tmp_path / "file" / "settings.json") == Settings()
