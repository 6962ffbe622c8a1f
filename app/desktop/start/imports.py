"""Imports without what PySide6 adds to each of them."""

from __future__ import annotations

import builtins


def import_plainly() -> None:
    """Let PySide6 read no module's source any more to learn whether it uses features of `__feature__`; nobody does.

    It keeps all these sources: 37 MB, and a fifth of the time that the modules of the window take to be loaded.
    """
    import PySide6.QtCore  # noqa: F401 - puts its own import in the place of the one that there was

    before = getattr(builtins, "__orig_import__", None)
    if before is not None:
        vars(builtins)["__import__"] = before
