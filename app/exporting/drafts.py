"""Files that appear whole or not at all, readable by their owner alone: users' positions are in them."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from engine.domain.errors import InvalidParameter


def write_whole(file: Path, content: bytes) -> None:
    """Write a file; raises `InvalidParameter` ``output`` where it cannot be written, and then leaves nothing."""
    with draft_of(file) as stream:
        stream.write(content)


@contextmanager
def draft_of(file: Path) -> Iterator[BinaryIO]:
    """Yield a new file that takes the place of `file` when all went well, and is removed otherwise."""
    file = file.expanduser().absolute()
    draft = file.with_name(f".{file.name[:200]}.{token_hex(4)}.part")
    try:
        _check_target(file)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as stream:  # noqa: PTH123 - a descriptor, so that the mode holds from the start
            yield stream
            stream.flush()
            os.fsync(descriptor)
        draft.replace(file)
    except OSError as error:
        raise InvalidParameter("output", f"output: {file} cannot be written: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _check_target(file: Path) -> None:
    """Refuse what is no file, such as a device, which the new file would take the place of."""
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "no ordinary file"
        raise InvalidParameter("output", f"output: {file} is {what}; give the name of a file.")
