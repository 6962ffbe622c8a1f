"""Response bodies, decompressed as they arrive, and never beyond a limit."""

import zlib
from typing import Final

GZIP: Final = "gzip"
_WINDOWS: Final = {GZIP: 31, "x-gzip": 31, "deflate": 47}
"""The zlib window bits of the encodings."""


_FREE: Final = 1024 * 1024
"""Size up to which the compression ratio does not matter, because a small table may repeat itself."""


class BodyRefused(Exception):
    """A refused body; the message is the end of a sentence about the sender."""


class Body:
    """Collects a body without ever decompressing it beyond the limit."""

    def __init__(self, encoding: str, max_bytes: int, max_ratio: float | None = None) -> None:
        """Expect a body in an encoding, with limits on its decompressed size and on its compression ratio."""
        kind = encoding.strip().lower()
        if kind not in ("", "identity", *_WINDOWS):
            raise BodyRefused("uses an unsupported compression")
        self._unpacker = zlib.decompressobj(_WINDOWS[kind]) if kind in _WINDOWS else None
        self._max_bytes = max_bytes
        self._max_ratio = max_ratio
        self._received = 0
        self._content = bytearray()

    def add(self, piece: bytes) -> None:
        """Add the next piece as received; raises `BodyRefused` beyond the limit or if it cannot be decompressed."""
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
        """Return the complete body; raises `BodyRefused` if a compressed one is incomplete."""
        if self._unpacker is not None and self._received and not self._unpacker.eof:
            raise BodyRefused("closed the connection during its response")
        return bytes(self._content)
