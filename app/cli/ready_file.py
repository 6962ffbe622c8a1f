"""The file in which a server announces its address to the process that started it."""

import os
from contextlib import suppress
from pathlib import Path

import orjson

from engine.domain.errors import WorkspaceError
from engine.domain.nesting import not_too_deep


def remove_ready_file(file: Path) -> None:
    """Remove the file of an earlier server, which would announce a server that is no longer running."""
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise WorkspaceError(f"The ready file {file} cannot be replaced: {error.strerror}.") from error


def withdraw_ready_file(file: Path) -> None:
    """Remove the file of this process, unless another server has written its own there."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        if orjson.loads(not_too_deep(file.read_bytes()))["pid"] == os.getpid():
            file.unlink()
