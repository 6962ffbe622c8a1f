"""The default folder of a back-test's output."""

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
