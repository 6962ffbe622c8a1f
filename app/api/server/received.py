"""The bytes of a connection that have arrived and are not parsed yet, cut so that requests come one at a time."""

import re
from typing import Final

BLANK_LINE: Final = b"\r\n\r\n"
"""Ends every head, and every body that is sent in chunks; the parser accepts no other line ends."""

MAX_HEAD: Final = 32 * 1024
"""Request line and headers together."""

MAX_BEGUN: Final = 2 * 1024
"""What the request log tells of bytes that are no request."""

_BREAKS: Final = (b"\r", b"\n")
_BLANKS: Final = re.compile(rb"[\r\n]*")
_METHOD: Final = re.compile(rb"(?:[!#$%&'*+.^_`|~0-9A-Za-z-]{0,64}\Z|[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64} )")
_REQUEST_LINE: Final = re.compile(rb"\S+ [^\r\n]* HTTP/\d\.\d\r\n")


class HeadTooLarge(Exception):
    """The request line and headers exceed what is accepted."""


class NotHttp(Exception):
    """Raised for bytes that are not the beginning of a request."""


class Received:
    """Bytes in the order of their arrival; what is taken is gone."""

    __slots__ = ("_at", "_data", "_skipped")

    def __init__(self) -> None:
        self._data = b""
        self._at = 0
        self._skipped = 0

    def waits(self) -> bool:
        """Whether there is anything that nobody has taken."""
        return self._at < len(self._data)

    def several(self) -> bool:
        """Whether another request seems to wait behind the next one; a body with a blank line looks like one, too."""
        end = self._data.find(BLANK_LINE, self._at)
        return end >= 0 and self._data.find(BLANK_LINE, end + len(BLANK_LINE)) >= 0

    def add(self, data: bytes) -> None:
        """Append what has just arrived."""
        self._data = self._data[self._at :] + data if self._at < len(self._data) else data
        self._at = 0

    def begun(self) -> bytes:
        """Return the beginning of what waits, without taking it."""
        return self._data[self._at : self._at + MAX_BEGUN]

    def clear(self) -> None:
        """Forget everything."""
        self._data, self._at = b"", 0

    def head(self) -> bytes | None:
        """Take the next request's head with the blank line at its end; None while it is not complete.

        Raises `HeadTooLarge`, and `NotHttp` as soon as what there is cannot become a head.
        """
        data, at = self._data, self._at
        if data[at : at + 1] in _BREAKS:
            at = self._skip_blank_lines()
        end = data.find(BLANK_LINE, at) + 4
        if (end if end > 3 else len(data)) - at + self._skipped > MAX_HEAD:
            raise HeadTooLarge
        if end > 3:
            self._skipped = 0
            self._at = end
            return data[at:end]
        if at < len(data):
            self._check_beginning()
        return None

    def _skip_blank_lines(self) -> int:
        """Skip what some clients send between two requests, and return where that ends."""
        found = _BLANKS.match(self._data, self._at)
        assert found is not None
        self._skipped += found.end() - self._at
        self._at = found.end()
        return self._at

    def body(self, most: int) -> bytes:
        """Take up to `most` bytes."""
        return self._take(min(len(self._data), self._at + most))

    def chunks(self, most: int) -> bytes:
        """Take up to `most` bytes that certainly belong to one body that is sent in chunks: up to where it may end."""
        end = min(len(self._data), self._at + most)
        found = self._data.find(BLANK_LINE, self._at, end)
        return self._take(found + 4 if found >= 0 else end - self._begun_blank_line(end))

    def _take(self, end: int) -> bytes:
        part = self._data[self._at : end]
        self._at = end
        return part

    def _begun_blank_line(self, end: int) -> int:
        """Return how many of the bytes before `end` may be the beginning of a blank line."""
        tail = self._data[max(self._at, end - 3) : end]
        return next((size for size in (3, 2, 1) if tail.endswith(BLANK_LINE[:size])), 0)

    def _check_beginning(self) -> None:
        begun = self._data[self._at :]
        if not _METHOD.match(begun):
            raise NotHttp
        if b"\r\n" in begun and not _REQUEST_LINE.match(begun):
            raise NotHttp
