"""The diagnostics bundle: a zip archive of the parts, with a table of contents."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from app.diagnostics.collecting import Part
from app.files import write_file

SUFFIX: Final = ".zip"
LEFT_OUT: Final = (
    "No keys, tokens, passwords or addresses of servers, no users, positions, geofences or names are in this file."
)


def listed(parts: Iterable[Part]) -> str:
    """Return the table of contents of a bundle."""
    return "".join(f"{part.name:<18}{part.about}\n" for part in parts)


def save(parts: Iterable[Part], file: Path) -> None:
    """Write a bundle atomically. Raises `InvalidParameter` for ``output``."""
    parts = tuple(parts)
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", f"Fencewright diagnostics\n\n{listed(parts)}\n{LEFT_OUT}\n")
        for part in parts:
            archive.writestr(part.name, part.content)
    write_file(file, content.getvalue(), owner_only=True)
