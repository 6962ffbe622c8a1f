"""The stretches of a way: what it takes on each of its roads, and at the crossings between them."""

from engine.domain.routing import Leg, Stretch
from engine.outbound.shapes import number, record, records, whole
from engine.routing.answering import read_line

_MOST_S = 1e8


def read_stretches(answer: object, leg: Leg) -> tuple[Stretch, ...] | None:
    """Return the stretches of the roads along a leg; None where they are not those of the leg. Raises `WrongShape`."""
    found = record(answer)
    line = read_line(found.get("shape"), 0)
    stretches: list[Stretch] = []
    at, elapsed_s = 0, 0.0
    for edge in records(found.get("edges")):
        first = whole(edge.get("begin_shape_index"), 0, len(line) - 1)
        last = whole(edge.get("end_shape_index"), first, len(line) - 1)
        node = record(edge.get("end_node"))
        passed_s = number(node.get("elapsed_time"), 0, _MOST_S)
        delay_s = number(node.get("transition_time", 0), 0, _MOST_S)
        if first != at or passed_s < elapsed_s:
            return None
        stretches.append(Stretch(line[first : last + 1], passed_s - elapsed_s, delay_s))
        at, elapsed_s = last, passed_s + delay_s
    return tuple(stretches) if stretches and (line[0], line[at]) == (leg.line[0], leg.line[-1]) else None


def stretches_of_steps(leg: Leg) -> tuple[Stretch, ...]:
    """Return a stretch for each instruction of a leg: what is known where the roads themselves are not."""
    parts = [(step.line, step.travel.duration_s) for step in leg.steps if len(step.line) > 1]
    told_s = sum(seconds for _, seconds in parts)
    if told_s <= 0:
        return (Stretch(leg.line, leg.travel.duration_s),)
    # Steps leave out what crossings take.
    share = leg.travel.duration_s / told_s
    return tuple(Stretch(line, seconds * share) for line, seconds in parts)
