"""Encoding of pictures as PNG."""

import struct
import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS, _RGB = 8, 2
_SUB: Final = 1
_LEVEL: Final = 6


def encode_png(pixels: NDArray[np.uint8]) -> bytes:
    """Return an array of rows of RGB pixels as PNG."""
    height, width, _ = pixels.shape
    # Each row stores the differences from the pixel to the left: areas of one colour become zeros.
    rows = np.empty((height, 1 + width * 3), np.uint8)
    rows[:, 0] = _SUB
    flat = np.ascontiguousarray(pixels).reshape(height, width * 3)
    rows[:, 1:4] = flat[:, :3]
    np.subtract(flat[:, 3:], flat[:, :-3], out=rows[:, 4:])
    head = struct.pack(">IIBBBBB", width, height, _EIGHT_BITS, _RGB, 0, 0, 0)
    body = zlib.compress(rows, _LEVEL)
    return _SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
