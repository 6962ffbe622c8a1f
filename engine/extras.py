"""Parts of the program that `pip` can add, and the advice to users who lack one."""

import sys


def is_packaged() -> bool:
    """Return whether this is the installed program, which contains its own Python and which `pip` cannot extend."""
    return bool(getattr(sys, "frozen", False))


def how_to_install(extra: str) -> str:
    """Return the advice, as a sentence, for a user who lacks the libraries of an extra of the wheel."""
    if is_packaged():
        return "The installed program contains it, so this installation is damaged: install the program again."
    return f"Install it with: pip install 'fencewright[{extra}]'."
