"""Rows that are not imported, as far as they can be read: what they were meant for, and where."""

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Final

from engine.domain.geofence import UNSET, Unset
from engine.domain.imports import RefusedRow

MAX_DRAWN: Final = 500
"""Maximum number of positions of a ring, since it is only drawn."""

_FEWEST: Final = 2
_DEEPEST: Final = 4

type Ring = tuple[tuple[float, float], ...]


def refused(row: int, values: Mapping[str, str], coordinates: object = None) -> RefusedRow:
    """Return a row by its cells, and coordinates that need not be valid."""
    return RefusedRow(
        row,
        values.get("tag", ""),
        values.get("externalId", ""),
        values.get("description", ""),
        tuple(rings_of(coordinates)),
    )


def given(text: str | Unset) -> str:
    """Return a text, or an empty one if it is not given."""
    return "" if text is UNSET else text


def rings_of(coordinates: object, depth: int = 0) -> Iterator[Ring]:
    """Yield the rings, and as rings of one the positions, of coordinates that are nested in any way.

    Rings with positions that are not on the earth are left out, and long rings are thinned out.
    """
    if not isinstance(coordinates, list | tuple) or not coordinates or depth > _DEEPEST:
        return
    if (alone := _position(coordinates)) is not None:
        yield (alone,)
        return
    if any(isinstance(each, int | float) for each in coordinates):
        return
    positions = [_position(each) for each in coordinates]
    if any(each is not None for each in positions):
        ring = tuple(each for each in positions if each is not None)
        if len(ring) == len(positions) and len(set(ring)) >= _FEWEST:
            yield ring[:: -(-len(ring) // MAX_DRAWN)]
        return
    for each in coordinates:
        yield from rings_of(each, depth + 1)


def _position(value: object) -> tuple[float, float] | None:
    """Return a position without its height, or None for anything else."""
    match value:
        case [int() | float() as longitude, int() | float() as latitude, *_] if (
            isfinite(longitude) and abs(longitude) <= 180 and isfinite(latitude) and abs(latitude) <= 90
        ):
            return float(longitude), float(latitude)
        case _:
            return None
