"""The folders of a back-test, without the libraries that its work needs."""

from pathlib import Path
from typing import Final

PLAN: Final = "plan.json"
"""The file with what must be the same when a back-test is resumed."""


def unfinished(output: Path) -> Path:
    """Return the folder beside the output that has the finished parts of a back-test until it is complete."""
    return output.with_name(f"{output.name}.unfinished")


def has_begun(folder: Path) -> bool:
    """Return whether a folder of `unfinished` has a back-test to resume."""
    return (folder / PLAN).exists()
