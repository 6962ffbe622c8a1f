"""Rings as bytes: for each position the longitude and the latitude, as little-endian 64-bit numbers."""

from collections.abc import Sequence
from itertools import chain
from struct import calcsize, pack, unpack

import numpy as np
from numpy.typing import NDArray

from engine.domain.geometry import Ring

_NUMBER = np.dtype("<f8")
_POSITION_BYTES = 2 * calcsize("<d")


def pack_ring(ring: Ring) -> bytes:
    """Return a ring as bytes, exactly."""
    return pack(f"<{2 * len(ring)}d", *chain.from_iterable(ring))


def unpack_ring(packed: bytes) -> Ring:
    """Return the ring that bytes hold."""
    numbers = unpack(f"<{len(packed) // calcsize('<d')}d", packed)
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def positions_of(rings: Sequence[bytes]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the positions of packed rings, one after the other, of shape (n, 2), and how many each ring has."""
    counts = np.fromiter(map(len, rings), np.int64, len(rings)) // _POSITION_BYTES
    return np.frombuffer(b"".join(rings), _NUMBER).reshape(-1, 2), counts
