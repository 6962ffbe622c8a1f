"""The files of a history: found in folders, by patterns, at addresses and in buckets, and opened in a known state."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Final
from urllib.parse import unquote

from msgspec import Struct

from engine.backtest.reading import buckets, web
from engine.backtest.reading.names import HISTORY
from engine.backtest.reading.ranges import HistoryChanged, State
from engine.backtest.rows import BadFile
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.words import count
from engine.outbound.urls import shown_url

_ENDINGS: Final = re.compile(r"\.(parquet|parq|pq|csv|tsv)(\.(gz|gzip|snappy|zst|zstd))?$", re.IGNORECASE)
"""The names of files that are read from folders; others, such as ``_SUCCESS``, are left out."""

_PATTERN: Final = re.compile(r"[*?\[]")
_FOLDER: Final = re.compile(r"([A-Za-z_][\w.-]*)=(.*)", re.DOTALL)
_NO_VALUE: Final = "__HIVE_DEFAULT_PARTITION__"
_DIGITS: Final = re.compile(r"(\d+)")


class Source(Struct, frozen=True):
    """A file of a history with its state.

    `file` may be shown. `path` is where the file is read if that is elsewhere: a copy, or a URL with a secret.
    """

    file: str
    state: State
    path: str = ""

    @property
    def folders(self) -> dict[str, str]:
        """The values in the names of its folders, such as ``device=abc``."""
        return {} if web.is_address(self.file) else folder_values(self.file)


class Found(Struct):
    """The files of a history, in the natural order of their names."""

    sources: list[Source]
    bad: list[BadFile]
    left_out: int = 0


def find(history: Sequence[str], downloads: Path | None = None) -> Found:
    """Return the files of a history; those that cannot be reached are listed as bad.

    `downloads` is a folder for files from servers that cannot send parts of a file. Raises `InvalidParameter` naming
    ``history`` if nothing is given, or if a folder or a pattern has no files.
    """
    found = Found([], [])
    if not any(item.strip() for item in history):
        raise InvalidParameter(HISTORY, f"{HISTORY}: name at least one file, folder or address.")
    known: set[tuple[str, str]] = set()
    for item in history:
        for source in _sources(item, found, downloads):
            if (source.file, source.path) not in known:
                known.add((source.file, source.path))
                found.sources.append(source)
    found.sources.sort(key=lambda source: natural(source.file))
    return found


def folder_values(path: str) -> dict[str, str]:
    """Return the values in the names of the folders of a path, such as ``device=abc``."""
    parts = path.replace(os.sep, "/").split("/")[:-1]
    pairs = (matched.groups() for part in parts if (matched := _FOLDER.fullmatch(part)))
    return {name: unquote(value) for name, value in pairs if value != _NO_VALUE}


def natural(name: str) -> tuple[tuple[bool, int, str], ...]:
    """Return a key by which names are sorted, with numbers by their value."""
    parts = _DIGITS.split(name)
    return tuple((part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts)


def open_source(file: str, path: str, state: State) -> IO[bytes]:
    """Open a file in a state. Raises `HistoryChanged` if the file changed or disappeared, now or while it is read."""
    if buckets.is_address(file):
        return buckets.opened(file, state)
    if web.is_address(path or file):
        return web.opened(path or file, state)
    check_unchanged(file, path, state)
    try:
        return Path(path or file).open("rb")
    except OSError as error:
        raise HistoryChanged(f"{file} cannot be read: {_reason(error)}.") from None


def check_unchanged(file: str, path: str, state: State) -> None:
    """Raise `HistoryChanged` if a local file is not in a state; other files are checked whenever they are read."""
    if is_remote(path or file):
        return
    try:
        now = _state(Path(path or file))
    except OSError as error:
        raise HistoryChanged(f"{file} cannot be read any more: {_reason(error)}.") from None
    if now != state:
        raise HistoryChanged(f"{file} changed after it was checked; start the back-test again.")


def _sources(item: str, found: Found, downloads: Path | None) -> Iterator[Source]:
    try:
        if buckets.is_address(item):
            yield from _in_bucket(item, found)
        elif web.is_address(item):
            located = web.located(item, downloads)
            shown = shown_url(item)
            yield Source(shown, located.state, located.path or (item if item != shown else ""))
        else:
            yield from _local(item, found)
    except InvalidParameter:
        raise
    except FencewrightError as error:
        shown = shown_url(item) if web.is_address(item) else item
        found.bad.append(BadFile(shown, error.message.removeprefix(f"{shown} ")))


def _in_bucket(item: str, found: Found) -> Iterator[Source]:
    objects = buckets.listed(item)
    wanted = {name: state for name, state in objects.items() if name == item or is_history(name)}
    if not wanted:
        raise _nothing(item, len(objects))
    found.left_out += len(objects) - len(wanted)
    for name, state in wanted.items():
        yield Source(name, state)


def _local(item: str, found: Found) -> Iterator[Source]:
    paths = _matching(Path(item)) if _PATTERN.search(item) and not Path(item).exists() else [Path(item)]
    if not paths:
        raise InvalidParameter(HISTORY, f"{HISTORY}: no file matches {item}.")
    for path in paths:
        if path.is_dir():
            yield from _in_folder(path, found)
        else:
            yield from _file(path, found)


def _matching(pattern: Path) -> list[Path]:
    base = Path(pattern.anchor)
    fixed = next(index for index, part in enumerate(pattern.parts) if _PATTERN.search(part))
    found = base.glob(str(pattern.relative_to(base)))
    return [path for path in found if not _is_hidden(Path(*path.parts[fixed:]))]


def _in_folder(folder: Path, found: Found) -> Iterator[Source]:
    files = [file for file in folder.rglob("*") if file.is_file() and not _is_hidden(file.relative_to(folder))]
    wanted = [file for file in files if is_history(file.name)]
    if not wanted:
        raise _nothing(str(folder), len(files))
    found.left_out += len(files) - len(wanted)
    for file in wanted:
        yield from _file(file, found)


def _file(path: Path, found: Found) -> Iterator[Source]:
    try:
        state = _state(path)
    except OSError as error:
        found.bad.append(BadFile(str(path), f"it cannot be read: {_reason(error)}."))
        return
    yield Source(str(path), state)


def is_history(name: str) -> bool:
    """Return whether a file in a folder is read, by its name."""
    return _ENDINGS.search(name) is not None and not name.rpartition("/")[2].startswith(("_", "."))


def _is_hidden(path: Path) -> bool:
    return any(part.startswith((".", "_")) and "=" not in part for part in path.parts)


def _nothing(item: str, others: int) -> InvalidParameter:
    has = f"it has {count(others, 'other file')}" if others else "it is empty"
    return InvalidParameter(HISTORY, f"{HISTORY}: {item} has no Parquet or CSV file; {has}.")


def _state(path: Path) -> State:
    found = path.stat()
    return State(found.st_size, str(found.st_mtime_ns))


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def is_remote(file: str) -> bool:
    """Return whether a file is on a server or in a bucket."""
    return buckets.is_address(file) or web.is_address(file)
