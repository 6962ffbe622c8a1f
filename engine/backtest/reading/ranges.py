"""Files that are read in ranges of bytes, from a server or a bucket."""

import io
from collections.abc import Callable
from typing import Any, Final, override

from msgspec import Struct

from engine.domain.errors import FencewrightError

_AT_ONCE: Final = 16 * 1024**2
"""Most bytes of a request."""

_AHEAD: Final = 1024**2


class HistoryChanged(FencewrightError):
    """Raised if a file of a history changed or disappeared after it was checked; the text names the file."""


class State(Struct, frozen=True):
    """The state of a file: its size in bytes, and a version that differs when its content does."""

    size: int
    version: str


type Fetch = Callable[[int, int], bytes]
"""Return the bytes of a file from one position up to another."""


class RangedFile(io.RawIOBase):
    """A file for reading whose bytes are fetched as they are read."""

    def __init__(self, size: int, fetch: Fetch) -> None:
        self._size = size
        self._fetch = fetch
        self._at = 0

    @override
    def readable(self) -> bool:
        return True

    @override
    def seekable(self) -> bool:
        return True

    @override
    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = max(0, offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence])
        return self._at

    @override
    def readinto(self, buffer: Any) -> int:
        wanted = min(len(buffer), max(0, self._size - self._at))
        for begin in range(0, wanted, _AT_ONCE):
            end = min(begin + _AT_ONCE, wanted)
            buffer[begin:end] = self._fetch(self._at + begin, self._at + end)
        self._at += wanted
        return wanted


def buffered(size: int, fetch: Fetch) -> io.BufferedReader:
    """Return a file whose bytes are fetched at least a megabyte at a time."""
    return io.BufferedReader(RangedFile(size, fetch), _AHEAD)
