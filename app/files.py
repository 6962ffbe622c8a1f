"""Files that users name: imports, and output files that are written atomically."""

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
"""Characters of a file's name in that of its draft, which has at most 255 bytes even if each takes four."""


def read_import(path: Path) -> ImportFile:
    """Return a file to import, with the companion files of a Shapefile. Raises `InvalidParameter` for ``file``."""
    try:
        if path.suffix.lower() == SHAPE:
            beside = {each.suffix.lower(): each for each in path.parent.iterdir() if each.stem == path.stem}
            files = [(f"{path.stem}{ending}", read_limited(beside[ending])) for ending in SIDECARS if ending in beside]
            return ImportFile(pack(files), path.name)
        return ImportFile(read_limited(path), path.name)
    except OSError as error:
        raise InvalidParameter("file", f"{path} cannot be read: {error.strerror}.") from error


def check_writable(file: Path | None) -> None:
    """Refuse an output file that cannot be written, before long work begins."""
    if file is not None and (file.is_dir() or not file.absolute().parent.is_dir()):
        reason = "it is a folder" if file.is_dir() else f"there is no folder {file.parent}"
        raise InvalidParameter("output", f"{file} cannot be written: {reason}.")


def write_file(file: Path, content: bytes, *, owner_only: bool = False) -> None:
    """Write a file atomically. See `draft_of`."""
    with draft_of(file, owner_only=owner_only) as stream:
        stream.write(content)


@contextmanager
def draft_of(file: Path, *, owner_only: bool) -> Iterator[BinaryIO]:
    """Yield a new file that replaces `file` on success, and is removed otherwise.

    If `file` is a link, its target is replaced and the link stays. With `owner_only`, for files with users' positions,
    only the owner may ever read the file. Otherwise a file that replaces another one keeps its permissions. Raises
    `InvalidParameter` for ``output``.
    """
    file = file.expanduser().absolute()
    draft: Path | None = None
    try:
        before = _mode_of(file)
        # Otherwise links of the system such as /dev/stdout would be replaced, too, if the user has the permission.
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
    """Return the permissions of a file, or None if it does not exist. Devices and folders are refused."""
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise InvalidParameter("output", f"{file} is {kind}; give the name of a file.")
    return stat.S_IMODE(mode)


def read_limited(path: Path) -> bytes:
    """Return the content of a file. Raises `OSError`, and `InvalidParameter` if it is larger than allowed."""
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise InvalidParameter("file", f"{path} is larger than {MAX_BYTES // 1024**2} MiB.")
    return content
