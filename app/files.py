"""Files that users name: those to import, and those that are written, which appear whole or not at all."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from engine.domain.errors import InvalidParameter
from engine.domain.imports import ImportFile
from engine.tabular.formats.archives import SHAPE, SIDECARS, pack

MAX_BYTES = 256 * 1024 * 1024

_SHOWN = 60
"""Length of a name in that of its draft: no more than 255 bytes, whatever the letters."""


def read_import(path: Path) -> ImportFile:
    """Return a file to import; a Shapefile with the files beside it. Raises `InvalidParameter` ``file``."""
    try:
        if path.suffix.lower() == SHAPE:
            beside = {each.suffix.lower(): each for each in path.parent.iterdir() if each.stem == path.stem}
            files = [(f"{path.stem}{ending}", _bytes(beside[ending])) for ending in SIDECARS if ending in beside]
            return ImportFile(pack(files), path.name)
        return ImportFile(_bytes(path), path.name)
    except OSError as error:
        raise InvalidParameter("file", f"{path} cannot be read: {error.strerror}.") from error


def write_file(file: Path, content: bytes, *, owner_only: bool = False) -> None:
    """Write a file, whole or not at all; see `draft_of`."""
    with draft_of(file, owner_only=owner_only) as stream:
        stream.write(content)


@contextmanager
def draft_of(file: Path, *, owner_only: bool) -> Iterator[BinaryIO]:
    """Yield a new file that takes the place of `file` when all went well, and is removed otherwise.

    Where `file` is a link, what it leads to is replaced, and the link stays. With `owner_only`, for what holds users'
    positions, nobody else may ever read it; a file that takes the place of another one may be read by whoever might
    read that. Raises `InvalidParameter` ``output``.
    """
    file = file.expanduser().absolute()
    draft: Path | None = None
    try:
        before = _mode_of(file)
        # Otherwise the system's own links would be lost, too, such as /dev/stdout to whoever is allowed to.
        target = file.resolve()
        draft = target.with_name(f".{target.name[:_SHOWN]}.{token_hex(4)}.part")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if owner_only else 0o666)
        with open(descriptor, "wb") as stream:  # noqa: PTH123 - a descriptor, so that the mode holds from the start
            if before is not None and not owner_only:
                draft.chmod(before)
            yield stream
            stream.flush()
            os.fsync(descriptor)
        draft.replace(target)
    except OSError as error:
        raise InvalidParameter("output", f"{file} cannot be written: {error.strerror}.") from error
    finally:
        if draft is not None:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def _mode_of(file: Path) -> int | None:
    """Return who may read and write a file, None where there is none; a device or a folder is refused."""
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise InvalidParameter("output", f"{file} is {what}; give the name of a file.")
    return stat.S_IMODE(mode)


def _bytes(path: Path) -> bytes:
    if path.stat().st_size > MAX_BYTES:
        raise InvalidParameter("file", f"{path} is larger than {MAX_BYTES // 1024**2} MiB.")
    return path.read_bytes()
