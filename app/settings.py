"""Settings that the program keeps between runs, and the location of its files on this machine."""

from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import orjson
from msgspec import Struct
from platformdirs import user_config_path, user_data_path

from engine.domain.nesting import not_too_deep
from engine.domain.values import replace
from engine.store.keys import write_private
from engine.store.workspace import is_workspace

APP = "fencewright"
MAX_RECENT = 10


class Settings(Struct, frozen=True):
    """Recently opened workspaces, most recent first."""

    recent: tuple[Path, ...] = ()

    @property
    def last_workspace(self) -> Path | None:
        """The most recently opened workspace."""
        return self.recent[0] if self.recent else None

    def opened(self, workspace: Path) -> Self:
        """Return the settings after `workspace` was opened."""
        others = (path for path in self.recent if path != workspace)
        return replace(self, recent=(workspace, *others)[:MAX_RECENT])

    def forgotten(self, workspace: Path) -> Self:
        """Return the settings without `workspace`."""
        return replace(self, recent=tuple(path for path in self.recent if path != workspace))


def settings_file() -> Path:
    """Return the path of the settings file."""
    return user_config_path(APP, appauthor=False) / "settings.json"


def load_settings(file: Path | None = None) -> Settings:
    """Return the saved settings. Missing or unreadable ones have their default values."""
    try:
        content = orjson.loads(not_too_deep((file or settings_file()).read_bytes()))
    except (OSError, ValueError):
        return Settings()
    return Settings(recent=_paths(content.get("recent") if isinstance(content, dict) else None))


def save_settings(settings: Settings, file: Path | None = None) -> bool:
    """Save the settings atomically. Returns False if that is impossible, for instance in a read-only home folder."""
    target = file or settings_file()
    content = {"recent": [str(path) for path in settings.recent]}
    with suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        write_private(target, orjson.dumps(content, option=orjson.OPT_INDENT_2))
        return True
    return False


def remember_workspace(workspace: Path, file: Path | None = None) -> Settings:
    """Put `workspace` first among the recent ones, and return the saved settings."""
    before = load_settings(file)
    settings = before.opened(workspace.absolute())
    if settings != before:
        save_settings(settings, file)
    return settings


def default_workspace() -> Path:
    """Return the workspace of a user who has never chosen one."""
    return user_data_path(APP, appauthor=False) / "Workspace"


def workspace_to_open(settings: Settings | None = None) -> Path:
    """Return the most recently opened workspace that still exists, or else the default one."""
    recent = (settings or load_settings()).recent
    return next((folder for folder in recent if is_workspace(folder)), default_workspace())


def _paths(value: Any) -> tuple[Path, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(Path(item) for item in value if isinstance(item, str) and item and "\0" not in item)[:MAX_RECENT]
