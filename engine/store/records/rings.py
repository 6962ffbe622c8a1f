"""Conversion of many rings at once from their bytes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_NUMBER = np.dtype("<f8")
_POSITION_BYTES = 2 * _NUMBER.itemsize


def positions_of(rings: Sequence[bytes]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the concatenated positions of packed rings, of shape (n, 2), and the number of positions in each ring."""
    counts = np.fromiter(map(len, rings), np.int64, len(rings)) // _POSITION_BYTES
    return np.frombuffer(b"".join(rings), _NUMBER).reshape(-1, 2), counts
