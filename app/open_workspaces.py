"""The workspaces that servers and windows of this user have open, listed so that other commands find them.

The list is a folder with one file per workspace, so that processes do not overwrite each other's entries. The entry of
a process that was killed remains, so a workspace counts as open only if it is locked as well.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from app.settings import settings_file
from engine.store.keys import write_private
from engine.store.workspace import find_holder


class OpenWorkspace(Struct, frozen=True):
    """A workspace that a server or a window has open; `url` is its endpoint, or None while that is stopped."""

    folder: Path
    url: str | None = None
    temporary: bool = False


def list_workspace(folder: Path) -> None:
    """Add a workspace that this process has open. Without write access the list stays as it is."""
    with suppress(OSError):
        entry = _entry(folder)
        entry.parent.mkdir(parents=True, exist_ok=True)
        write_private(entry, os.fsencode(folder.resolve()))


def unlist_workspace(folder: Path) -> None:
    """Remove a workspace from the list. Call this before the lock of the workspace is released."""
    with suppress(OSError):
        _entry(folder).unlink(missing_ok=True)


def open_workspaces() -> tuple[OpenWorkspace, ...]:
    """Return the listed workspaces that are open, by their folders."""
    found = (_open_at(folder) for folder in sorted(_listed()))
    return tuple(each for each in found if each is not None)


def _listed() -> Iterator[Path]:
    for entry in _entries().glob("[0-9a-f]*"):
        with suppress(OSError):  # it has been removed since, or belongs to another user
            folder = Path(os.fsdecode(entry.read_bytes()))
            if folder.is_dir():
                yield folder
            else:  # left by a process that was killed; no other workspace is opened there without a new entry
                entry.unlink(missing_ok=True)


def _open_at(folder: Path) -> OpenWorkspace | None:
    """Return the workspace in a folder, or None if it is closed or only a command has it open."""
    try:
        is_open, endpoint = find_holder(folder)
    except OSError:  # it belongs to another user
        return None
    if not is_open or (endpoint is not None and endpoint.brief):
        return None
    if endpoint is None:
        return OpenWorkspace(folder)
    return OpenWorkspace(folder, endpoint.url, endpoint.temporary)


def _entry(folder: Path) -> Path:
    # A folder has one entry, by whichever link it was opened.
    return _entries() / sha256(os.fsencode(folder.resolve())).hexdigest()[:32]


def _entries() -> Path:
    return settings_file().parent / "open"
