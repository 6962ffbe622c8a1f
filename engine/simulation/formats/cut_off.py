"""JSON that breaks off, as an interrupted download or a full disk leaves it: what of it is complete."""

import re
from typing import Final

_NEXT_BRACKET: Final = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+([\[\]{}])', re.DOTALL)
"""The next bracket that is in no text; none is found in a text that does not end."""

_CLOSING: Final = bytes.maketrans(b"[{", b"]}")


def complete_part(data: bytes) -> bytes | None:
    """Return JSON that breaks off without the record that was begun last, and closed; None where nothing is complete.

    Records are the items of the outermost list that has any, or else the members of an object.
    """
    opened = bytearray()
    ends: list[int] = []
    """Where the last complete list or object ends within each one that is open; 0 where there is none."""
    at = 0
    while (found := _NEXT_BRACKET.match(data, at)) is not None:
        at = found.end()
        if found[1] in b"[{":
            opened += found[1]
            ends.append(0)
            continue
        if not opened:
            return None
        opened.pop()
        ends.pop()
        if ends:
            ends[-1] = at
    levels = [level for level, end in enumerate(ends) if end]
    if not levels:
        return None
    level = next((each for each in levels if opened[each] == ord("[")), levels[0])
    return data[: ends[level]] + opened[: level + 1][::-1].translate(_CLOSING)
