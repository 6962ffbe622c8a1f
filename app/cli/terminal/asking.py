"""Questions on the terminal."""

import sys
from typing import Final

WRONG_USAGE: Final = 2
"""Exit code if a confirmation is required and there is no terminal to ask for it."""


def agreed(question: str) -> bool:
    """Ask a question and return whether the user agreed."""
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
