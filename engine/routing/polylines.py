"""Encoded polylines: a line as text, with each position as its difference to the previous one."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.domain.geometry import Position
from engine.domain.routing import Line

PRECISE: Final = 6
"""Number of decimals in Valhalla's polylines."""

_BITS: Final = 5
_MORE: Final = 1 << _BITS
_OFFSET: Final = 63
_CHUNKS: Final = 6
"""Number of five-bit chunks per value: six hold twice the earth's circumference in millionths of a degree."""

_FARTHEST: Final = np.array([90.0, 180.0])

type _Integers = NDArray[np.int64]


def decode_polyline(encoded: str, decimals: int = PRECISE) -> Line:
    """Return the positions of an encoded polyline. Raises `ValueError` if they are not on the earth."""
    if not encoded:
        return ()
    chunks = np.frombuffer(encoded.encode("ascii"), np.uint8).astype(np.int64) - _OFFSET
    ends = np.flatnonzero(chunks < _MORE)
    starts = np.concatenate(([0], ends[:-1] + 1))
    places = np.arange(len(chunks)) - np.repeat(starts, ends - starts + 1)
    values = np.add.reduceat((chunks & (_MORE - 1)) << (places * _BITS), starts)
    steps = (values >> 1) ^ -(values & 1)
    degrees = np.cumsum(steps.reshape(-1, 2), axis=0) / 10**decimals
    if (np.abs(degrees) > _FARTHEST).any():
        raise ValueError("a position is out of range")
    return tuple(zip(degrees[:, 1].tolist(), degrees[:, 0].tolist(), strict=True))


def encode_polylines(lines: Sequence[Sequence[Position]], decimals: int = PRECISE) -> list[str]:
    """Return encoded polylines, rounded to `decimals`.

    Many short lines take hardly longer than a single long one.
    """
    positions = [position for line in lines for position in line]
    if not positions:
        return [""] * len(lines)
    whole = np.rint(np.asarray(positions, dtype=np.float64)[:, ::-1] * 10**decimals).astype(np.int64)
    steps = whole.copy()
    steps[1:] -= whole[:-1]
    ends = list(accumulate(len(line) for line in lines))
    starts = [end - len(line) for end, line in zip(ends, lines, strict=True) if line]
    steps[starts] = whole[starts]
    text, places = _text_of(((steps << 1) ^ (steps >> 63)).ravel())
    return [text[places[end - len(line)] : places[end]] if line else "" for end, line in zip(ends, lines, strict=True)]


def _text_of(values: _Integers) -> tuple[str, list[int]]:
    """Return the characters of all values, and the offsets at which the pairs begin, with that of the end."""
    shifted = values[:, None] >> (np.arange(_CHUNKS) * _BITS)
    more: NDArray[Any] = (shifted >> _BITS) > 0
    used = np.concatenate((np.ones((len(values), 1), bool), more[:, :-1]), axis=1)
    chunks = (shifted & (_MORE - 1)) + np.where(more, _MORE, 0) + _OFFSET
    text: bytes = chunks[used].astype(np.uint8).tobytes()
    places = np.concatenate(([0], np.cumsum(used.reshape(len(values) // 2, -1).sum(axis=1))))
    return text.decode("ascii"), places.tolist()
