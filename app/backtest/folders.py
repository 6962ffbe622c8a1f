"""The folders of a back-test: of its output, and of the workspace whose past it uses."""

from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path

from engine.backtest.folders import unfinished


def new_folder(parent: Path, now: datetime) -> Path:
    """Return a folder named after the time that does not exist yet, with a number if one of this minute does."""
    folder = found = parent / f"backtest-{now:%Y-%m-%d-%H%M}"
    number = 2
    while found.exists() or unfinished(found).exists():
        found = folder.with_name(f"{folder.name}-{number}")
        number += 1
    return found


def only_workspace(of_history: Collection[Path], of_sides: Sequence[Path]) -> Path | None:
    """Return the workspace of the geofences, or None if there is none or if another one is involved."""
    folders = {folder.resolve() for folder in (*of_history, *of_sides)}
    return of_sides[0] if of_sides and len(folders) == 1 else None
