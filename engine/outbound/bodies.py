"""Bodies of answers, unpacked while they come, and never further than a limit."""

import zlib
from typing import Final

GZIP: Final = "gzip"
_WINDOWS: Final = {GZIP: 31, "x-gzip": 31, "deflate": 47}
"""The codes of zlib for the compressions."""


_FREE: Final = 1024 * 1024
"""However well the first of it is compressed: a table of few rows may repeat itself."""


class BodyRefused(Exception):
    """A body that is not taken; the text says why, as the end of a sentence about who sent it."""


class Body:
    """Gathers a body. What a few packed bytes become is never held beyond the limit."""

    def __init__(self, encoding: str, max_bytes: int, max_ratio: float | None = None) -> None:
        """Expect a body in a content encoding, of at most so many bytes, unpacked, and so many for each packed one."""
        kind = encoding.strip().lower()
        if kind not in ("", "identity", *_WINDOWS):
            raise BodyRefused("uses an unsupported compression")
        self._unpacker = zlib.decompressobj(_WINDOWS[kind]) if kind in _WINDOWS else None
        self._max_bytes = max_bytes
        self._max_ratio = max_ratio
        self._received = 0
        self._content = bytearray()

    def add(self, piece: bytes) -> None:
        """Take the next piece as it came; raises `BodyRefused` beyond the limit, or where it cannot be unpacked."""
        self._received += len(piece)
        self._content += piece if self._unpacker is None else self._unpacked(piece)
        if max(len(self._content), self._received) > self._max_bytes:
            raise BodyRefused(f"sent more than {self._max_bytes // 1024**2} MB")
        if self._max_ratio is not None and len(self._content) > max(_FREE, self._max_ratio * self._received):
            raise BodyRefused(f"sent data that is compressed to less than 1/{self._max_ratio:g} of its size")

    def _unpacked(self, piece: bytes) -> bytes:
        assert self._unpacker is not None
        try:
            return self._unpacker.decompress(piece, self._max_bytes + 1 - len(self._content))
        except zlib.error:
            raise BodyRefused("sent a response that cannot be decompressed") from None

    def whole(self) -> bytes:
        """Return all of it; raises `BodyRefused` when a packed one broke off."""
        if self._unpacker is not None and self._received and not self._unpacker.eof:
            raise BodyRefused("closed the connection during its response")
        return bytes(self._content)
