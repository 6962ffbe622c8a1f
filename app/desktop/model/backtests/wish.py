"""A back-test as the user requests it. Nothing here needs the libraries of back-tests."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct

from app.desktop.language import counted, tr
from engine.backtest.folders import has_begun, unfinished
from engine.domain.errors import InvalidParameter

ACCURACY_M: Final = 10.0
"""Default accuracy of fixes without one."""

LEAST_WORKERS: Final = 2
"""Smallest number of processes. With one, the work would be done in the process of the window and slow it down."""


class FenceSource(StrEnum):
    """Source of geofences: the displayed environment, with the edits of What if or without them, or elsewhere."""

    NONE = "none"
    EDITED = "edited"
    STORED = "stored"
    OTHER = "other"
    FILES = "files"


class BacktestWish(Struct, frozen=True, kw_only=True):
    """The input of the dialog: among others the geofences, and those to compare with."""

    history: tuple[str, ...]
    output: Path
    columns: Mapping[str, str] = {}
    accuracy_m: float = ACCURACY_M
    fences: FenceSource = FenceSource.STORED
    fence_files: tuple[Path, ...] = ()
    against: FenceSource = FenceSource.NONE
    against_files: tuple[Path, ...] = ()
    scheduler: str | None = None
    workers: int = LEAST_WORKERS
    skip_bad: bool = False

    @property
    def resume(self) -> bool:
        """Whether there is an unfinished back-test in the folder, which is continued."""
        return is_unfinished(self.output)


class HistoryLook(Struct, frozen=True, kw_only=True):
    """The first look at a history: its rows and files, the columns of its first file, and an error or notes.

    The number of rows is None for addresses, which are only checked when the back-test starts.
    """

    names: tuple[str, ...] = ()
    rows: int | None = None
    files: int = 0
    notes: tuple[str, ...] = ()
    error: InvalidParameter | None = None

    @property
    def text(self) -> str:
        """The history in one line."""
        if self.rows is None:
            return tr("The history is checked when the back-test starts.")
        return tr(
            "{fixes} in {files}", fixes=counted(self.rows, "fix", "fixes"), files=counted(self.files, "file", "files")
        )


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
