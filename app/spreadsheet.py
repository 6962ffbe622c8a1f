"""Cells of text that a spreadsheet would take for a formula.

Such a cell gets an apostrophe in front, which spreadsheets take for the mark of a text. One that already has some gets
another, so that every cell can be read back as it was.
"""

from typing import Final

_MARK: Final = "'"
_RUN: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def escaped(text: str) -> str:
    """Return a cell that is only shown."""
    return _MARK + text if _would_run(text) else text


def unescaped(cell: str) -> str:
    """Return what a cell was before it was escaped."""
    return cell[1:] if cell.startswith(_MARK) and _would_run(cell[1:]) else cell


def _would_run(text: str) -> bool:
    return text.lstrip(_MARK).startswith(_RUN)
