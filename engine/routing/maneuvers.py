"""The specification's words for what a traveller does at a step, and the short texts that belong to it.

Valhalla numbers its maneuvers from 0 to 43 (`DirectionsLeg.Maneuver.Type`); the specification's words are the names of
those numbers in small letters.
"""

from collections.abc import Iterable
from typing import Final

from engine.outbound.shapes import Record, record, records, text, texts

_WORDS: Final = (
    "continue",  # none: goes on
    "start",
    "start",  # on the right side
    "start",  # on the left side
    "destination",
    "destination-right",
    "destination-left",
    "continue",  # the street gets another name
    "continue",
    "slight-right",
    "right",
    "sharp-right",
    "uturn-right",
    "uturn-left",
    "sharp-left",
    "left",
    "slight-left",
    "ramp-straight",
    "ramp-right",
    "ramp-left",
    "exit-right",
    "exit-left",
    "stay-straight",
    "stay-right",
    "stay-left",
    "merge",
    "roundabout-enter",
    "roundabout-exit",
    "ferry-enter",
    "ferry-exit",
    "transit",
    "transit-transfer",
    "transit-remain-on",
    "transit-connection-start",
    "transit-connection-transfer",
    "transit-connection-destination",
    "post-transit-connection-destination",
    "merge-right",
    "merge-left",
    "elevator-enter",
    "steps-enter",
    "escalator-enter",
    "building-enter",
    "building-exit",
)

WORDS: Final = frozenset(_WORDS)
EXITS: Final = frozenset({"exit-right", "exit-left"})

_EXIT_NAMES: Final = ("exit_number_elements", "exit_toward_elements", "exit_branch_elements", "exit_name_elements")
_SIGNS: Final = ("exit_branch_elements", "exit_toward_elements", "exit_name_elements")


def word_of(kind: int) -> str:
    """Return the word for a kind of maneuver."""
    return _WORDS[kind] if 0 <= kind < len(_WORDS) else "continue"


def street_names(maneuver: Record) -> list[str]:
    """Return the names of the street that a step begins on; raises `WrongShape`, as all below."""
    return texts(maneuver.get("begin_street_names") or maneuver.get("street_names") or [])


def banner_of(maneuver: Record) -> str:
    """Return what a sign would show: where an exit leads, else the street's names; nothing where there are none."""
    return _signed(maneuver, _SIGNS) or "/".join(street_names(maneuver))


def exit_name_of(maneuver: Record) -> str | None:
    """Return an exit's number, or else where it leads."""
    return _signed(maneuver, _EXIT_NAMES)


def _signed(maneuver: Record, parts: Iterable[str]) -> str | None:
    """Return what the first of these parts of a sign says; None where there is none of them."""
    sign = record(maneuver.get("sign", {}))
    elements = next((records(sign[part]) for part in parts if part in sign), None)
    return None if elements is None else "/".join(text(element.get("text")) for element in elements)
