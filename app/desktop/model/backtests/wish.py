"""A back-test as the user requests it. Nothing here needs the libraries of back-tests."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct

from app.backtest.folders import only_workspace
from app.desktop.language import counted, tr
from engine.backtest.folders import has_begun, unfinished
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.store.workspace import is_workspace

ACCURACY_M: Final = 10.0
"""Default accuracy of fixes without one."""

LEAST_WORKERS: Final = 2
"""Smallest number of processes. With one, the work would be done in the process of the window and slow it down."""

THEN_NEEDS: Final = tr("requires stored geofences of one workspace, and kept updates of no other.")
"""Condition for geofences as they were at each update."""


class FenceSource(StrEnum):
    """Source of geofences: the displayed environment, with the edits of What if or without them, or elsewhere."""

    NONE = "none"
    EDITED = "edited"
    STORED = "stored"
    OTHER = "other"
    WORKSPACE = "workspace"
    FILES = "files"


class FenceEntry(Struct, frozen=True):
    """Geofences that can be chosen. `folder` is that of another workspace."""

    text: str
    source: FenceSource
    folder: Path | None = None


class BacktestWish(Struct, frozen=True, kw_only=True):
    """The input of the dialog: among others the geofences, and those to compare with.

    A folder of a workspace in the history stands for its kept updates. With `then`, stored geofences and settings are
    used as they were at each update.
    """

    history: tuple[str, ...]
    output: Path
    columns: Mapping[str, str] = {}
    accuracy_m: float = ACCURACY_M
    fences: FenceSource = FenceSource.STORED
    fence_files: tuple[Path, ...] = ()
    fence_folder: Path | None = None
    against: FenceSource = FenceSource.NONE
    against_files: tuple[Path, ...] = ()
    against_folder: Path | None = None
    then: bool = False
    scheduler: str | None = None
    workers: int = LEAST_WORKERS
    skip_bad: bool = False

    @property
    def resume(self) -> bool:
        """Whether there is an unfinished back-test in the folder, which is continued."""
        return is_unfinished(self.output)

    @property
    def workspaces(self) -> dict[str, Path]:
        """The workspaces in the history."""
        return {item: Path(item) for item in self.history if is_kept(item)}

    @property
    def files(self) -> tuple[str, ...]:
        """The files, folders and addresses in the history."""
        return tuple(item for item in self.history if not is_kept(item))

    def then_in(self, own: Path) -> Path | None:
        """Return the workspace whose geofences can be used as they were, if there is one. `own` is the open one."""
        sides = (self.fences, self.fence_folder), (self.against, self.against_folder)
        folders = [stored_in(source, folder, own) for source, folder in sides]
        return only_workspace([*self.workspaces.values()], [each for each in folders if each is not None])


class HistoryLook(Struct, frozen=True, kw_only=True):
    """The first look at a history: its rows and files, the columns of its first file, and an error or notes.

    The number of rows is None for addresses, which are only checked when the back-test starts. `kept` is the number of
    kept updates of workspaces in the displayed `environment`.
    """

    names: tuple[str, ...] = ()
    rows: int | None = None
    files: int = 0
    kept: int = 0
    environment: Environment = Environment.TEST
    notes: tuple[str, ...] = ()
    error: InvalidParameter | None = None

    @property
    def text(self) -> str:
        """The history in one line."""
        if self.rows is None:
            return tr("The history is checked when the back-test starts.")
        parts = []
        if self.files or not self.kept:
            fixes, files = counted(self.rows, "fix", "fixes"), counted(self.files, "file", "files")
            parts.append(tr("{fixes} in {files}", fixes=fixes, files=files))
        if self.kept:
            updates = counted(self.kept, "kept update")
            where = self.environment.capitalize()
            parts.append(tr("{updates} in {environment}", updates=updates, environment=where))
        return " · ".join(parts)


def is_kept(item: str) -> bool:
    """Return whether an item of a history is a workspace, and stands for its kept updates."""
    return "://" not in item and is_workspace(Path(item))


def stored_in(source: FenceSource, folder: Path | None, own: Path) -> Path | None:
    """Return the workspace whose stored geofences of the displayed environment are chosen, or None."""
    return {FenceSource.STORED: own, FenceSource.WORKSPACE: folder}.get(source)


def workspace_labels(folders: Iterable[Path]) -> dict[Path, str]:
    """Return the names of workspaces, and of those with the same name also the folder in which they are."""
    found = tuple(dict.fromkeys(folders))
    names = Counter(folder.name for folder in found)
    return {each: each.name if names[each.name] == 1 else f"{each.name} ({each.parent})" for each in found}


def is_unfinished(output: Path) -> bool:
    """Return whether there is an unfinished back-test for a folder."""
    return has_begun(unfinished(output))


def check_output(output: Path) -> None:
    """Raise `InvalidParameter` naming ``output`` if a back-test cannot be written to a folder."""
    if not output.is_absolute():
        raise InvalidParameter("output", tr("output: must be a folder with its full path."))
    if output.exists() and not (output.is_dir() and not any(output.iterdir())):
        raise InvalidParameter("output", tr("output: exists already; give another folder."))
    if not output.parent.is_dir():
        raise InvalidParameter("output", tr("output: there is no folder {folder}.", folder=output.parent))


def usual_workers() -> int:
    """Return the number of processes for this machine."""
    return max(LEAST_WORKERS, os.cpu_count() or 1)
