"""Storage of the rings of polygons: their positions as bytes, and the number of positions in each ring.

Nearly all polygons have one ring. Of others, the rings of each part follow one another, its outer ring first.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import orjson
from numpy.typing import NDArray

from engine.domain.geometry import PackedRing, Part, Polygon

_NUMBER = np.dtype("<f8")
_POSITION_BYTES = 2 * _NUMBER.itemsize


def positions_of(rings: Sequence[bytes]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the concatenated positions of packed rings, of shape (n, 2), and the number of positions in each ring."""
    counts = np.fromiter(map(len, rings), np.int64, len(rings)) // _POSITION_BYTES
    return np.frombuffer(b"".join(rings), _NUMBER).reshape(-1, 2), counts


def packed_rings(polygon: Polygon) -> bytes:
    """Return the positions of all rings as bytes."""
    return b"".join(PackedRing.of(ring).packed for ring in polygon.rings)


def ring_sizes(polygon: Polygon) -> str | None:
    """Return the numbers of positions in the rings of each part, as JSON, or None for a single ring."""
    if polygon.is_single_ring:
        return None
    return orjson.dumps([[len(part.ring), *map(len, part.holes)] for part in polygon.parts]).decode()


def polygon_of(positions: bytes, sizes: str) -> Polygon:
    """Return the polygon with these positions and ring sizes."""
    first, *others = (Part(outer, tuple(holes)) for outer, *holes in parts_of(positions, sizes))
    return Polygon(first.ring, first.holes, tuple(others))


def parts_of(positions: bytes, sizes: str | None) -> Iterator[list[PackedRing]]:
    """Yield the rings of each part of a polygon with these positions and ring sizes, its outer ring first."""
    if sizes is None:
        yield [PackedRing(positions)]
        return
    begin = 0
    for counts in orjson.loads(sizes):
        places = np.cumsum([begin, *(count * _POSITION_BYTES for count in counts)]).tolist()
        yield [PackedRing(positions[start:end]) for start, end in pairwise(places)]
        begin = places[-1]
