"""The stretches of a route: its roads, with the time on each and the delay at the crossing behind it."""

from typing import Any

import pytest

from engine.domain.geometry import Point
from engine.domain.routing import Leg, Line, Stretch, Travel
from engine.outbound.shapes import WrongShape
from engine.routing.polylines import PRECISE, encode_polylines
from engine.routing.router import read_stretches

LINE: Line = ((9.5, 47.1), (9.51, 47.1), (9.52, 47.1), (9.52, 47.11))
LEG = Leg(Point(*LINE[0]), Point(*LINE[-1]), Travel(3_000, 300), LINE)


def edge(first: int, last: int, **node: float) -> dict[str, Any]:
    return {"begin_shape_index": first, "end_shape_index": last, "end_node": node}


def answer(*edges: dict[str, Any], line: Line = LINE) -> dict[str, Any]:
    return {"shape": encode_polylines([line], PRECISE)[0], "edges": list(edges)}


FIRST, LAST = edge(0, 2, elapsed_time=100.0, transition_time=5.0), edge(2, 3, elapsed_time=145.0)


def test_a_delay_at_a_crossing_counts_to_the_road_before_it_and_may_be_missing() -> None:
    assert read_stretches(answer(FIRST, LAST), LEG) == (Stretch(LINE[:3], 100.0, 5.0), Stretch(LINE[2:], 40.0, 0.0))
    at_once = edge(2, 3, elapsed_time=105.0, transition_time=0.0)
    assert read_stretches(answer(FIRST, at_once), LEG) == (Stretch(LINE[:3], 100.0, 5.0), Stretch(LINE[2:], 0.0, 0.0))


@pytest.mark.parametrize(
    "other",
    [
        answer(),
        answer(FIRST),
        answer(LAST),
        answer(FIRST, edge(1, 3, elapsed_time=145.0)),
        answer(FIRST, edge(2, 3, elapsed_time=104.9)),
        answer(FIRST, LAST, line=((9.4, 47.1), *LINE[1:])),
        answer(FIRST, LAST, line=(*LINE[:-1], (9.52, 47.12))),
    ],
    ids=["none", "only the first", "only the last", "overlapping", "back in time", "another start", "another end"],
)
def test_roads_that_do_not_fit_the_route_are_unknown(other: dict[str, Any]) -> None:
    assert read_stretches(other, LEG) is None


@pytest.mark.parametrize(
    "wrong",
    [
        edge(2, 4, elapsed_time=145.0),
        edge(2, 1, elapsed_time=145.0),
        edge(2, 3),
        edge(2, 3, elapsed_time=-1.0),
        edge(2, 3, elapsed_time=145.0, transition_time=-1.0),
    ],
)
def test_an_answer_with_impossible_values_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(WrongShape):
        read_stretches(answer(FIRST, wrong), LEG)
