"""A reader of PNG files, written from their specification and not from the encoder."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

type Pixels = NDArray[np.uint8]


def read_png(content: bytes) -> Pixels:
    """Return the rows of RGB pixels of a PNG, and check its structure."""
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    at, chunks = 8, []
    while at < len(content):
        length, kind = struct.unpack(">I4s", content[at : at + 8])
        body = content[at + 8 : at + 8 + length]
        assert struct.unpack(">I", content[at + 8 + length : at + 12 + length]) == (zlib.crc32(kind + body),)
        chunks.append((kind, body))
        at += 12 + length
    assert [kind for kind, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
    assert rest == [8, 2, 0, 0, 0]
    rows = np.frombuffer(zlib.decompress(chunks[1][1]), np.uint8).reshape(height, 1 + 3 * width)
    assert (rows[:, 0] == 1).all()
    return np.cumsum(rows[:, 1:].reshape(height, width, 3), axis=1, dtype=np.uint8)


def share_of(pixels: Pixels, color: str) -> float:
    """Return the share of pixels with exactly this colour, written as ``#rrggbb``."""
    wanted = [int(color[at : at + 2], 16) for at in (1, 3, 5)]
    return float((pixels == wanted).all(axis=2).mean())


def color_at(pixels: Pixels, x: int, y: int) -> str:
    """Return the colour of a pixel as ``#rrggbb``."""
    return "#" + bytes(pixels[y, x].tolist()).hex()
