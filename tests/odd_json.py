"""Responses of servers with one unexpected value."""

from collections.abc import Iterator
from copy import copy
from typing import Any, Final

type Way = tuple[str | int, ...]
"""Path of a value in JSON, as names and indices."""

MISSING: Final = object()
"""Marker for a missing value."""

ODD: Final[tuple[Any, ...]] = (None, True, -1, 2**63, 1e300, "text", [], [[]], {}, MISSING)


def changed(answer: Any, way: Way, value: Any) -> Any:
    """Return a response with another value at one path, if the path exists; the rest is shared."""
    if not way:
        return {} if value is MISSING else value
    whole = part = copy(answer)
    try:
        for step in way[:-1]:
            part[step] = copy(part[step])
            part = part[step]
        part[way[-1]]
    except (LookupError, TypeError):
        return answer
    if value is MISSING:
        del part[way[-1]]
    else:
        part[way[-1]] = value
    return whole


def ways_in(answer: Any, way: Way = ()) -> Iterator[Way]:
    """Yield the path of every value in a response.

    Outermost lists contribute their first and last items, lists within them only their last.
    """
    yield way
    if isinstance(answer, dict):
        for name, value in answer.items():
            yield from ways_in(value, (*way, name))
    elif isinstance(answer, list):
        is_inner = any(isinstance(step, int) for step in way)
        for index in sorted({len(answer) - 1 if is_inner else 0, len(answer) - 1}) if answer else ():
            yield from ways_in(answer[index], (*way, index))


def oddities(*answers: Any) -> Iterator[tuple[Way, Any]]:
    """Yield every path in the responses with values to put there.

    Paths that differ only in their list indices share the values, so that each name gets each of them.
    """
    alike: dict[Way, list[Way]] = {}
    for way in dict.fromkeys(way for answer in answers for way in ways_in(answer)):
        alike.setdefault(tuple(0 if isinstance(step, int) else step for step in way), []).append(way)
    for ways in alike.values():
        for number in range(max(len(ODD), len(ways))):
            yield ways[number % len(ways)], ODD[number % len(ODD)]
