"""Fields of the engine as the wire spells them: ``dwell_threshold_s`` is ``dwellThreshold``."""

import re
from typing import Final

from engine.domain.errors import Conflict, InvalidParameter, NotFound, renamed
from engine.domain.fields.rows import column_of

_OTHERS: Final = {"advance_s": "advanceSeconds", "metadata_items": "metadata", "size": "radius"}

_OF_LEG: Final = re.compile(r"(?<=^legs: leg )(\d+: )(\w+)(?=: )")


def wire_name(field: str) -> str:
    """Return the name on the wire of a field, or of one at a place; a name of the wire stays as it is."""
    before, dot, last = field.rpartition(".")
    return f"{column_of(before)}{dot}{_OTHERS[last]}" if last in _OTHERS else column_of(field)


def on_the_wire[T](outcome: T) -> T:
    """Return an error of the engine, now with its field as the wire spells it; anything else as it is.

    What decoding refuses already names what the client wrote, and is not to go through here.
    """
    if isinstance(outcome, InvalidParameter | Conflict | NotFound):
        name = wire_name(outcome.param)
        message = renamed(outcome.message, outcome.param, name)
        outcome.message = _OF_LEG.sub(lambda found: f"{found[1]}{wire_name(found[2])}", message)
        outcome.param = name
    return outcome
