"""The best order of stops, compared with all possible orders."""

from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.routing import Travel
from engine.routing.matrices import Table
from engine.routing.optimizing import order_of

cells = st.none() | st.integers(0, 50).map(lambda seconds: Travel(1.0, seconds))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    count = draw(st.integers(2, 7))
    return tuple(tuple(draw(cells) for _ in range(count)) for _ in range(count))


def time_of(table: Table, order: tuple[int, ...]) -> float | None:
    legs = [table[start][end] for start, end in pairwise(order)]
    return None if None in legs else sum(leg.duration_s for leg in legs if leg)


@given(table=tables())
def test_no_order_is_quicker(table: Table) -> None:
    last = len(table) - 1
    times = [time_of(table, (0, *order, last)) for order in permutations(range(1, last))]
    possible = [time for time in times if time is not None]
    if not possible:
        with pytest.raises(InvalidParameter):
            order_of(table)
        return
    order = order_of(table)
    assert order[0] == 0
    assert order[-1] == last
    assert sorted(order) == list(range(len(table)))
    assert time_of(table, order) == min(possible)


def test_ten_stops_take_no_time() -> None:
    table = tuple(tuple(Travel(1, abs(row - column)) for column in range(10)) for row in range(10))
    assert order_of(table) == tuple(range(10))
