"""The optimal order of stops, found exactly: with ten locations, two of them fixed, there are few enough orders."""

from collections.abc import Callable, Sequence
from math import inf

from engine.domain.errors import InvalidParameter
from engine.domain.routing import OptimizedLeg, OptimizedRoute, Route
from engine.routing.matrices import Table

type _Seconds = Sequence[Sequence[float]]
type _Order = tuple[int, ...]


def order_of(table: Table) -> _Order:
    """Return the indexes of all locations in the fastest order; the first and last stay in place.

    Raises `InvalidParameter` for ``locations`` naming one that cannot be reached or left.
    """
    _check_reachable(table)
    seconds = [[inf if cell is None else cell.duration_s for cell in row] for row in table]
    total, order = _best(seconds)
    if total == inf:
        raise InvalidParameter("locations", "locations: no route connects all of them.")
    return order


def _best(seconds: _Seconds) -> tuple[float, _Order]:
    """Return the shortest time and its order, by the Held-Karp algorithm over sets of stops and their last one."""
    last = len(seconds) - 1
    stops = range(1, last)
    best: dict[tuple[frozenset[int], int], tuple[float, _Order]] = {(frozenset(), 0): (0.0, (0,))}
    for _ in stops:
        longer: dict[tuple[frozenset[int], int], tuple[float, _Order]] = {}
        for (visited, at), (time, order) in best.items():
            for stop in stops:
                if stop not in visited:
                    key = (visited | {stop}, stop)
                    longer[key] = min(longer.get(key, (inf, ())), (time + seconds[at][stop], (*order, stop)))
        best = longer
    return min((time + seconds[at][last], (*order, last)) for (_, at), (time, order) in best.items())


def _check_reachable(table: Table) -> None:
    """Raise for a location that fits in no order: first for single ones, then for groups of them."""
    last = len(table) - 1
    for index in range(1, last + 1):
        if all(row[index] is None for other, row in enumerate(table) if other != index):
            raise _unreachable(index, "be reached from any of the others")
    for index in range(last):
        if all(cell is None for other, cell in enumerate(table[index]) if other != index):
            raise _unreachable(index, "be left for any of the others")
    from_first = _linked(0, lambda start, end: table[start][end] is not None, last)
    to_last = _linked(last, lambda end, start: table[start][end] is not None, last)
    for found, action in ((from_first, "be reached from the first one"), (to_last, "be left for the last one")):
        for index in range(last + 1):
            if index not in found:
                raise _unreachable(index, action)


def _linked(start: int, is_link: Callable[[int, int], bool], last: int) -> set[int]:
    """Return the indexes linked with one, directly or through others."""
    found, new = {start}, [start]
    while new:
        at = new.pop()
        for other in range(last + 1):
            if other not in found and is_link(at, other):
                found.add(other)
                new.append(other)
    return found


def _unreachable(index: int, action: str) -> InvalidParameter:
    return InvalidParameter("locations", f"locations: item {index + 1} cannot {action}.")


def put_in_order(route: Route, order: Sequence[int]) -> OptimizedRoute:
    """Return a route through the locations in that order."""
    legs = tuple(
        OptimizedLeg(leg, start, end) for leg, start, end in zip(route.legs, order[:-1], order[1:], strict=True)
    )
    return OptimizedRoute(route.travel, legs)
