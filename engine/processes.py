"""Modules of the program that run in processes of their own."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_PACKAGES: Final = Path(__file__).parents[1]


def module_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module with this interpreter, or with the installed program."""
    return [sys.executable, "-m", module, *arguments]


def search_path(libraries: Iterable[Path] = ()) -> str:
    """Return the PYTHONPATH of such a process: the program's packages, further folders, and the user's own."""
    return os.pathsep.join(filter(None, [str(_PACKAGES), *map(str, libraries), os.environ.get("PYTHONPATH")]))
