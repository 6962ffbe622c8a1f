"""Outlines to fill: rings, and lines of a width as one shape each for its segments and for its joints."""

import math
from collections.abc import Iterable
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.maps.pictures.view import Positions

type Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_THIN_PX: Final = 1.5
"""Width up to which the joints of a line are not visible."""

_ROUGH_PX: Final = 0.1
"""How far the outline of a joint may be from a circle."""


class Outline(Struct, frozen=True):
    """Rings whose overlaps are filled once: all their positions, the number of positions of each, and its holes.

    A ring that is a hole belongs to the last one before it that is not.
    """

    positions: Positions
    lengths: NDArray[np.intp]
    holes: NDArray[np.bool_]


NO_OUTLINE: Final = Outline(np.empty((0, 2)), np.empty(0, np.intp), np.empty(0, bool))


def outline_of(rings: Iterable[Positions]) -> Outline:
    """Return the outline of rings; those wound unlike the first are holes."""
    kept = [ring for ring in rings if len(ring) > 2]
    if not kept:
        return NO_OUTLINE
    turns = np.array([_area(ring) for ring in kept])
    return Outline(np.concatenate(kept), np.array([len(ring) for ring in kept], np.intp), turns * turns[0] < 0)


def _area(ring: Positions) -> float:
    """Return twice the area of a ring, negative if it is wound to the left."""
    after = np.roll(ring, -1, axis=0)
    return float(np.dot(ring[:, 0], after[:, 1]) - np.dot(ring[:, 1], after[:, 0]))


def clipped_ring(ring: Positions, box: Box) -> Positions:
    """Return the part of a ring within a box, connected along its edges."""
    return clipped(Outline(ring, np.array([len(ring)]), np.zeros(1, bool)), box).positions


def clipped(outline: Outline, box: Box) -> Outline:
    """Return the parts of the rings of an outline within a box, each connected along its edges."""
    left, top, right, bottom = box
    for axis, limit, side in ((0, left, 1), (0, right, -1), (1, top, 1), (1, bottom, -1)):
        if len(outline.positions):
            outline = _cut(outline, axis, side * limit, side)
    return outline


def _cut(outline: Outline, axis: int, limit: float, side: int) -> Outline:
    """Return the parts of rings on one side of a line; `side` is the direction of that side."""
    positions, lengths = outline.positions, outline.lengths
    beyond = side * positions[:, axis] - limit
    stays = beyond >= 0
    if stays.all():
        return outline
    starts = np.cumsum(lengths) - lengths
    before = np.arange(len(positions)) - 1
    before[starts] = starts + lengths - 1
    crosses = stays != stays[before]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(crosses, beyond[before] / (beyond[before] - beyond), 0)[:, None]
    previous = positions[before]
    both = np.stack([previous + (positions - previous) * share, positions], axis=1)
    kept = np.stack([crosses, stays], axis=1)
    counted = np.add.reduceat(kept.sum(axis=1), starts)
    return Outline(both[kept], counted[counted > 0], outline.holes[counted > 0])


class Segments(Struct, frozen=True):
    """Straight pieces of lines from `start` to `end`, and the positions where pieces of one line meet."""

    start: Positions
    end: Positions
    joints: Positions


_NOTHING: Final = Segments(np.empty((0, 2)), np.empty((0, 2)), np.empty((0, 2)))


def segments_of(lines: Iterable[Positions], box: Box, *, capped: bool = False) -> Segments:
    """Return the segments of lines that touch a box; with `capped`, the ends of lines are joints too."""
    pieces = [line for line in lines if len(line) > 1]
    if not pieces:
        return _NOTHING
    start, step = _steps(pieces)
    joints = np.concatenate(pieces if capped else [line[1:-1] for line in pieces])
    first, last = _within(start, step, box)
    kept = first < last
    start, step = start[kept], step[kept]
    ends = start + step * first[kept, None], start + step * last[kept, None]
    return Segments(*ends, joints[_inside(joints, box)])


def dashes_of(lines: Iterable[Positions], box: Box, dash: float, gap: float) -> Segments:
    """Return the dashes of lines within a box."""
    pieces = [line for line in lines if len(line) > 1]
    if not pieces:
        return _NOTHING
    start, step = _steps(pieces)
    lengths = np.hypot(step[:, 0], step[:, 1])
    at = np.cumsum(lengths) - lengths
    firsts = np.cumsum([0, *(len(line) - 1 for line in pieces[:-1])])
    # Each line begins with a dash.
    at -= np.repeat(at[firsts], [len(line) - 1 for line in pieces])
    period = dash + gap
    first, last = _within(start, step, box)
    kept = (first < last) & (lengths > 0)
    start, at, lengths = start[kept], at[kept], lengths[kept]
    ahead = step[kept] / lengths[:, None]
    enters, leaves = at + first[kept] * lengths, at + last[kept] * lengths
    count = (leaves // period - enters // period).astype(np.intp) + 1
    of = np.repeat(np.arange(len(count)), count)
    number = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)
    begins = (enters // period)[of] * period + number * period
    low, high = np.maximum(begins, enters[of]), np.minimum(begins + dash, leaves[of])
    of, low, high = (values[low < high] for values in (of, low, high))
    inner = (at > 0) & (at % period < dash)
    begin, end = (start[of] + ahead[of] * (along - at[of])[:, None] for along in (low, high))
    return Segments(begin, end, start[inner])


def pieces_within(line: Positions, box: Box) -> list[Positions]:
    """Return the parts of a line within a box, which it may leave and enter again."""
    start, step = _steps([line])
    first, last = _within(start, step, box)
    pieces: list[list[Positions]] = []
    reached = -1
    for at in np.flatnonzero(first < last).tolist():
        enters, leaves = start[at] + step[at] * first[at], start[at] + step[at] * last[at]
        if pieces and reached == at - 1 and not first[at]:
            pieces[-1].append(leaves)
        else:
            pieces.append([enters, leaves])
        reached = at if last[at] == 1 else -1
    return [np.array(piece) for piece in pieces]


def _steps(lines: list[Positions]) -> tuple[Positions, Positions]:
    """Return the starts of the segments of lines, and the steps to their ends."""
    start = np.concatenate([line[:-1] for line in lines])
    return start, np.concatenate([line[1:] for line in lines]) - start


def _inside(positions: Positions, box: Box) -> NDArray[np.bool_]:
    low, high = np.array(box[:2]), np.array(box[2:])
    inside: NDArray[np.bool_] = ((positions >= low) & (positions <= high)).all(axis=1)
    return inside


def _within(start: Positions, step: Positions, box: Box) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where segments enter and leave a box, as parts of their steps; outside of it both are in reverse order."""
    first, last = np.zeros(len(start)), np.ones(len(start))
    with np.errstate(divide="ignore", invalid="ignore"):
        for axis in (0, 1):
            low, high = ((limit - start[:, axis]) / step[:, axis] for limit in (box[axis], box[axis + 2]))
            is_still = step[:, axis] == 0
            is_inside = (start[:, axis] >= box[axis]) & (start[:, axis] <= box[axis + 2])
            enters = np.where(is_still, np.where(is_inside, 0, 2), np.minimum(low, high))
            leaves = np.where(is_still, 1, np.maximum(low, high))
            first, last = np.maximum(first, enters), np.minimum(last, leaves)
    first[(step == 0).all(axis=1)] = 2
    return first, last


def stroke(segments: Segments, width: float) -> Outline:
    """Return the outline of segments with a width; joints are round."""
    step = segments.end - segments.start
    length = np.hypot(step[:, 0], step[:, 1])
    aside = np.stack([-step[:, 1], step[:, 0]], axis=1) / length[:, None] * (width / 2)
    corners = (segments.start + aside, segments.end + aside, segments.end - aside, segments.start - aside)
    quads = np.stack(corners, axis=1)
    lengths = [np.full(len(quads), 4, np.intp)]
    positions = [quads.reshape(-1, 2)]
    if width > _THIN_PX:
        circle = ring_around(width / 2)
        positions.append((segments.joints[:, None, :] + circle[None]).reshape(-1, 2))
        lengths.append(np.full(len(segments.joints), len(circle), np.intp))
    counted = np.concatenate(lengths)
    return Outline(np.concatenate(positions), counted, np.zeros(len(counted), bool))


def ring_around(radius: float) -> Positions:
    """Return a circle around the origin, wound like the segments of a stroke."""
    angle = math.acos(max(1 - _ROUGH_PX / radius, 0.0)) if radius > 0 else math.pi / 3
    sides = min(max(math.ceil(math.pi / angle), 6), 64)
    angles = -np.arange(sides) / sides * 2 * math.pi
    return np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius
