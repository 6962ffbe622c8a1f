"""Reduction of long series to the extremes of each screen column: peaks stay, and the drawing time is constant."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from engine.geo.earth import Counts, Floats


class Columns(Struct, frozen=True, eq=False):
    """The columns of a view: the index and time of the first fix of each. Computed once for all curves of a frame."""

    first: int
    last: int
    starts: Counts
    x: Floats
    whole: bool
    """Whether each fix has its own column."""


def columns_of(x: Floats, low: float, high: float, count: int) -> Columns:
    """Return the columns between two times, with one fix before and after, so that lines reach the edges."""
    first = max(int(np.searchsorted(x, low, "right")) - 1, 0)
    last = min(int(np.searchsorted(x, high, "left")) + 1, len(x))
    if last - first <= 2 * count:
        return Columns(first, last, np.arange(last - first), x[first:last], True)
    edges = first + np.searchsorted(x[first:last], np.linspace(low, high, count, endpoint=False))
    starts = np.unique(np.concatenate(([first], edges[edges < last])))
    return Columns(first, last, starts - first, x[starts], False)


def extremes(columns: Columns, values: Floats) -> tuple[Floats, Floats]:
    """Return the minimum and maximum of each column, or NaN if it has no value."""
    part = values[columns.first : columns.last]
    if columns.whole or not len(part):
        return part, part
    return np.fmin.reduceat(part, columns.starts), np.fmax.reduceat(part, columns.starts)


def polyline(columns: Columns, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the polyline through the extremes of all columns."""
    if columns.whole:
        return columns.x, low
    return np.repeat(columns.x, 2), np.column_stack((low, high)).ravel()


def runs(values: Floats) -> Sequence[slice]:
    """Return the ranges in which all values are numbers."""
    known = np.concatenate(([False], ~np.isnan(values), [False]))
    edges = np.flatnonzero(np.diff(known.astype(np.int8)))
    return [slice(int(begin), int(end)) for begin, end in edges.reshape(-1, 2)]
