"""Requests to the process and its responses, as bytes on a pipe: a JSON header and a text body."""

import struct
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import orjson

_LENGTHS: Final = struct.Struct(">II")


def frame(header: dict[str, Any], body: str = "") -> bytes:
    """Encode a header and a body."""
    head, text = orjson.dumps(header), body.encode("utf-8", "surrogatepass")
    return b"".join((_LENGTHS.pack(len(head), len(text)), head, text))


def frames(stream: BinaryIO) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the headers and bodies of a stream, up to its end."""
    while len(lengths := stream.read(_LENGTHS.size)) == _LENGTHS.size:
        of_head, of_text = _LENGTHS.unpack(lengths)
        content = stream.read(of_head + of_text)
        if len(content) < of_head + of_text:
            return
        yield orjson.loads(content[:of_head]), content[of_head:].decode("utf-8", "surrogatepass")
