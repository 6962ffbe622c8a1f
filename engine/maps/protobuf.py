"""The parts of Protocol Buffers that vector tiles and glyphs need: both are a few nested messages."""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.domain.errors import FencewrightError

VARINT: Final = 0
BYTES: Final = 2
_SIZES: Final = {1: 8, 5: 4}
"""Sizes of the wire types with a fixed size, in bytes."""


class DamagedMessage(FencewrightError):
    """Raised for bytes that are not a valid message."""

    def __init__(self) -> None:
        super().__init__("A tile of the map is damaged.")


def varint(value: int) -> bytes:
    """Return a number of at least 0 in as few bytes as possible."""
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)


def zigzag(value: int) -> int:
    """Return a number of at least 0 for any integer, small if its absolute value is small."""
    return value << 1 if value >= 0 else (-value << 1) - 1


def number(field: int, value: int) -> bytes:
    """Return a field with a number of at least 0."""
    return varint(field << 3 | VARINT) + varint(value)


def block(field: int, content: bytes) -> bytes:
    """Return a field with bytes: a message, or a text in UTF-8."""
    return varint(field << 3 | BYTES) + varint(len(content)) + content


def numbers(field: int, values: Iterable[int]) -> bytes:
    """Return a packed field with numbers of at least 0."""
    return block(field, b"".join(map(varint, values)))


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a message, each as a number or bytes. Raises `DamagedMessage` if it is invalid."""
    at = 0
    while at < len(message):
        tag, at = _varint_at(message, at)
        kind = tag & 7
        if kind == VARINT:
            value, at = _varint_at(message, at)
            yield tag >> 3, value
            continue
        if kind == BYTES:
            size, at = _varint_at(message, at)
        elif kind in _SIZES:
            size = _SIZES[kind]
        else:
            raise DamagedMessage
        if at + size > len(message):
            raise DamagedMessage
        yield tag >> 3, message[at : at + size]
        at += size


def unpacked(content: bytes) -> Iterator[int]:
    """Yield the numbers of a packed field. Raises `DamagedMessage` if it is invalid."""
    at = 0
    while at < len(content):
        value, at = _varint_at(content, at)
        yield value


def _varint_at(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message) and shift < 64:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise DamagedMessage
