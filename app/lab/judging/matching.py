"""Which event stands for which expectation: as many as possible, in their order or in any."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

MAX_CELLS: Final = 1_000_000
"""Of the table that finds the most pairs in order; beyond it each expectation takes the next event that fits."""

type Fits = Callable[[int, int], bool]
type Pairs = list[int | None]
"""For each expectation the event that stands for it."""


def pair_in_any_order(options: Sequence[Sequence[int]]) -> Pairs:
    """Return pairs for expectations, each with the events that fit it, the best first."""
    taken: dict[int, int] = {}
    for index in range(len(options)):
        _augment(index, options, taken)
    pairs: Pairs = [None] * len(options)
    for event, index in taken.items():
        pairs[index] = event
    return pairs


def _augment(start: int, options: Sequence[Sequence[int]], taken: dict[int, int]) -> None:
    """Find an event for one more expectation; others may have to take another one."""
    came_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        index = waiting.popleft()
        for event in options[index]:
            if event in came_from:
                continue
            came_from[event] = index
            if event not in taken:
                _settle(event, start, came_from, taken)
                return
            waiting.append(taken[event])


def _settle(event: int, start: int, came_from: dict[int, int], taken: dict[int, int]) -> None:
    while True:
        index = came_from[event]
        previous = next((other for other, owner in taken.items() if owner == index), None)
        taken[event] = index
        if index == start or previous is None:
            return
        event = previous


def pair_in_order(expected: int, events: int, fits: Fits) -> Pairs:
    """Return the most pairs of which none crosses another."""
    pairs: Pairs = [None] * expected
    first = 0
    while first < min(expected, events) and fits(first, first):
        pairs[first] = first
        first += 1
    last = 0
    while last < min(expected, events) - first and fits(expected - 1 - last, events - 1 - last):
        pairs[expected - 1 - last] = events - 1 - last
        last += 1
    rows, columns = expected - first - last, events - first - last
    if rows * columns > MAX_CELLS:
        between = _next_that_fits(rows, columns, lambda i, j: fits(i + first, j + first))
    else:
        between = _most(rows, columns, lambda i, j: fits(i + first, j + first))
    for index, event in between:
        pairs[index + first] = event + first
    return pairs


def _most(rows: int, columns: int, fits: Fits) -> list[tuple[int, int]]:
    """Return the longest common subsequence, by its table."""
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], (best[i + 1][j + 1] + 1) if fits(i, j) else 0)
    found, i, j = [], 0, 0
    while i < rows and j < columns:
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            found.append((i, j))
            i, j = i + 1, j + 1
    return found


def _next_that_fits(rows: int, columns: int, fits: Fits) -> list[tuple[int, int]]:
    found, j = [], 0
    for i in range(rows):
        at = next((event for event in range(j, columns) if fits(i, event)), None)
        if at is not None:
            found.append((i, at))
            j = at + 1
    return found
