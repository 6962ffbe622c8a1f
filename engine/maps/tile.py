"""A tile in the form that is sent to clients."""

import gzip
import zlib
from hashlib import sha256
from typing import Final, Self

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.maps.protobuf import DamagedMessage

DEEPEST = 22

_LARGEST: Final = 64 * 1024 * 1024
"""Bytes of the largest tile that is unpacked."""

_GZIP_WINDOW: Final = 31


class Tile(Struct, frozen=True):
    """A vector tile, `packed` with gzip. Its `tag` changes with its content."""

    packed: bytes
    tag: str

    @classmethod
    def of(cls, packed: bytes) -> Self:
        """Return the tile with this compressed content."""
        return cls(packed, sha256(packed).hexdigest()[:32])

    @classmethod
    def plain(cls, content: bytes) -> Self:
        """Return the tile with a content that is not compressed yet."""
        return cls.of(gzip.compress(content, 6, mtime=0))


def unpacked_tile(packed: bytes) -> bytes:
    """Return the content of a tile compressed with gzip.

    Raises `DamagedMessage` if it is incomplete, invalid or too large.
    """
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    try:
        content = unpacker.decompress(packed, _LARGEST)
    except zlib.error as error:
        raise DamagedMessage from error
    if not unpacker.eof:
        raise DamagedMessage
    return content


class TilePlace(Struct, frozen=True):
    """A tile's zoom, column from the west and row from the north.

    Raises `InvalidParameter` for ``z``, ``x`` or ``y`` if one is out of range.
    """

    z: int
    x: int
    y: int

    def __post_init__(self) -> None:
        _check("z", self.z, DEEPEST)
        _check("x", self.x, 2**self.z - 1)
        _check("y", self.y, 2**self.z - 1)


def _check(param: str, value: int, last: int) -> None:
    if not 0 <= value <= last:
        raise InvalidParameter(param, f"{param}: must be within [0, {last}] at this zoom, not {value}.")
