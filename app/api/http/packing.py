"""Compression: bodies that come packed, and answers that go out packed where the client takes them so.

What is unpacked never becomes larger than a body may be, however much more it would be: unpacking stops there. Large
answers are packed in pieces in a thread, where the packer leaves Python's lock to others.
"""

import asyncio
import zlib
from collections.abc import AsyncIterator
from enum import IntEnum
from typing import Final

from app.api.http.errors import BodyTooLarge, UnsupportedCoding, too_large
from app.api.http.headers import Headers, RawHeaders
from engine.domain.errors import InvalidParameter

MIN_PACKED: Final = 1024
"""Smaller answers go out as they are: they would become hardly smaller."""

PIECE: Final = 256 * 1024
VARY: Final = (b"vary", b"accept-encoding")
PACKED: Final = (b"content-encoding", b"gzip")

_QUICKLY: Final = 1
_AS_GZIP: Final = 31


class Coding(IntEnum):
    """Encodings of a body; the values are those of zlib."""

    GZIP = _AS_GZIP
    DEFLATE = 15


_CODINGS: Final = {b"gzip": Coding.GZIP, b"x-gzip": Coding.GZIP, b"deflate": Coding.DEFLATE}
_AS_IT_IS: Final = (b"", b"identity")


def coding_of(headers: RawHeaders) -> Coding | None:
    """Return how a request's body is packed, None where it is not; raises `UnsupportedCoding`."""
    name = headers.get(b"content-encoding", b"").strip().lower()
    if name in _AS_IT_IS:
        return None
    coding = _CODINGS.get(name)
    if coding is None:
        raise UnsupportedCoding(name.decode("latin-1"))
    return coding


def unpacked(body: bytes, coding: Coding, limit: int) -> bytes:
    """Return what a packed body holds.

    Raises `BodyTooLarge` beyond `limit` bytes, of which no more are made, and `InvalidParameter` ``body`` for what is
    not packed so, ends too early or goes on behind its end.
    """
    packed = zlib.decompressobj(coding)
    try:
        content = packed.decompress(body, limit + 1)
    except zlib.error:
        raise _not_packed(coding, "is not") from None
    if len(content) > limit:
        raise BodyTooLarge(f"{too_large(limit)[:-1]} when decompressed.")
    if not packed.eof:
        raise _not_packed(coding, "is incomplete") from None
    if packed.unused_data:
        raise InvalidParameter("body", f"body: holds more than one {coding.name.lower()} stream; send one.")
    return content


def _not_packed(coding: Coding, what: str) -> InvalidParameter:
    return InvalidParameter("body", f"body: {what} {coding.name.lower()} data, as its Content-Encoding says.")


def takes_gzip(headers: RawHeaders) -> bool:
    """Whether a client takes packed answers, as its ``Accept-Encoding`` says."""
    accepted = headers.get(b"accept-encoding")
    if accepted is None:
        return False
    weights = dict(_weighed(part) for part in accepted.lower().split(b","))
    return weights.get(b"gzip", weights.get(b"x-gzip", weights.get(b"*", 0.0))) > 0


def _weighed(part: bytes) -> tuple[bytes, float]:
    """Return one coding of ``Accept-Encoding`` with its weight."""
    name, _, weight = part.partition(b";")
    try:
        return name.strip(), float(weight.replace(b" ", b"").removeprefix(b"q=") or 1)
    except ValueError:
        return name.strip(), 0.0


def packed_headers(headers: Headers, length: int | None) -> Headers:
    """Return the headers of an answer once it is packed; its length is unknown while it is not whole."""
    others = [header for header in headers if header[0] != b"content-length"]
    return [*others, PACKED, *([] if length is None else [(b"content-length", b"%d" % length)])]


def packed(content: bytes) -> bytes:
    """Return a small answer packed."""
    return zlib.compress(content, _QUICKLY, _AS_GZIP)


async def packed_pieces(content: bytes) -> AsyncIterator[bytes]:
    """Yield a large answer packed, piece by piece."""
    packer = zlib.compressobj(_QUICKLY, wbits=_AS_GZIP)
    view = memoryview(content)
    for at in range(0, len(view), PIECE):
        piece = await asyncio.to_thread(packer.compress, view[at : at + PIECE])
        if piece:
            yield piece
    yield packer.flush()
