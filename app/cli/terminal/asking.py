"""Questions on the terminal."""

import sys
from typing import Final

WRONG_USAGE: Final = 2
"""The exit code where a question is needed and there is nobody to ask."""


def agreed(question: str) -> bool:
    """Ask, and return whether the answer is yes."""
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
