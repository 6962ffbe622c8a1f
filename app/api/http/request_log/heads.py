"""Heads of requests and answers, taken apart when somebody reads them."""

import zlib
from typing import Final

type RawLines = list[tuple[bytes, bytes]]

MAX_OPENED: Final = 256 * 1024
"""Bytes that are made of a packed body."""

_CODINGS: Final = {"gzip": 31, "x-gzip": 31, "deflate": 15}
_NOTHING: Final = (b"", b"")


def split_head(head: bytes) -> tuple[bytes, bytes, RawLines]:
    """Return the first two words of a head (method and target, or version and status) and its headers.

    What is no head, since the request was refused for that, has as many of them as can be made out.
    """
    first, *lines = head.partition(b"\r\n\r\n")[0].split(b"\r\n")
    words = (*first.split(b" ", 2), *_NOTHING)
    pairs = (line.partition(b":") for line in lines)
    return words[0], words[1], [(name, value.strip()) for name, colon, value in pairs if colon]


def split_line(head: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the words of the first line of a head: method, target and version, as far as it has them."""
    words = (*head.partition(b"\r\n")[0].split(b" ", 2), *_NOTHING, b"")
    return words[0], words[1], words[2]


def opened(body: bytes, coding: str) -> bytes:
    """Return what a body holds that may be packed, as far as it can be unpacked and up to `MAX_OPENED` bytes."""
    name = coding.strip().lower()
    if name in ("", "identity"):
        return body
    wbits = _CODINGS.get(name)
    if wbits is None:
        return b""
    try:
        return zlib.decompressobj(wbits).decompress(body, MAX_OPENED)
    except zlib.error:
        return b""
