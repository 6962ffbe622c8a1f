"""The window's file in a workspace, with data of the workspace that only the window uses."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from engine.domain.nesting import not_too_deep
from engine.store.keys import write_private
from engine.store.workspace import WINDOW

MAX_BYTES: Final = 1_000_000
"""Maximum size of the file. At most a tenth of it is written."""


def read_window(folder: Path) -> Mapping[str, Any]:
    """Return the fields of the file, or an empty mapping if it does not exist; raises `OSError` or `ValueError`."""
    file = folder / WINDOW
    if not file.exists():
        return {}
    with file.open("rb") as stream:
        content = stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES:,} bytes")
    found = orjson.loads(not_too_deep(content))
    if not isinstance(found, dict):
        raise ValueError("it is not a JSON object")
    return found


def write_window(folder: Path, field: str, value: object) -> None:
    """Write one field of the file and keep the others; raises `OSError`. Concurrent writes are not supported."""
    try:
        others = read_window(folder)
    except ValueError:
        others = {}  # the file is unreadable
    write_private(folder / WINDOW, orjson.dumps({**others, field: value}, option=orjson.OPT_INDENT_2))
