"""Units of postal addresses: the words before them, and the units at the end of a line."""

import re
from typing import Final

from msgspec import Struct
from scourgify.address_constants import OCCUPANCY_TYPE_ABBREVIATIONS

_FRENCH: Final = ("APP", "APPT", "APPARTEMENT", "BUREAU", "LOCAL", "UNITÉ", "ÉTAGE")
_WORDS: Final = "|".join(
    sorted(
        {re.escape(word) for pair in OCCUPANCY_TYPE_ABBREVIATIONS.items() for word in pair if word != "#"}
        | {"RM", "SUITES?", *_FRENCH},
        key=lambda word: (-len(word), word),
    )
)
_ALONE: Final = "PENTHOUSE|PH|BASEMENT|BSMT|LOBBY|LBBY"
"""Words that are a unit without an ID, and seldom the end of a street's name."""

_ALONE_TOO: Final = re.compile(rf"(?:{_ALONE}|FRONT|FRNT|LOWER|LOWR|OFFICE|OFC|REAR|SIDE|UPPER|UPPR)\.?", re.IGNORECASE)
"""Words that are a unit only if the text has nothing else."""

_ID: Final = r"(?:[A-Z]{0,3}-?\d[\w/-]*|[A-Z])(?![\w-])"
_PART: Final = (
    rf"(?:(?:{_WORDS})\b\.?\s*#?\s*{_ID}|#\s*\w[\w-]*|(?:{_ALONE})\b\.?"
    r"|\d{1,3}(?:ST|ND|RD|TH)\s+(?:FLOOR|FL)\b\.?|\d{1,3}E\s+ÉTAGE\b)"
)
_AT_END: Final = re.compile(rf"(?:[\s,]+{_PART})+\s*(?=,|$)", re.IGNORECASE)
_AT_START: Final = re.compile(rf"\s*(?P<units>{_PART}(?:[\s,]+{_PART})*)[\s,;:]+(?=\d)", re.IGNORECASE)
_SIGN_AT_END: Final = re.compile(r"[\s,]+(?P<unit>#\s*\w[\w-]*)\s*(?=,|$)")
_EACH: Final = re.compile(_PART, re.IGNORECASE)
_WORD_FIRST: Final = re.compile(rf"(?P<word>{_WORDS})\b\.?\s*#?\s*(?P<id>.*)", re.IGNORECASE)
_FLOOR: Final = re.compile(r"(?P<id>\d+)(?P<ending>ST|ND|RD|TH|E)\s+(?P<word>FLOOR|FL|ÉTAGE)\.?", re.IGNORECASE)

NO_LINE: Final = re.compile(rf"[-+]\d|(?:{_WORDS}|#)\.? *#? *(?:[A-Z]|[\w-]*\d[\w-]*)$", re.IGNORECASE)
"""Texts that look like a number but are not one, and texts of only a unit."""


class Unit(Struct, frozen=True):
    """A unit: `id` without the word before it (``4B``), `text` with it (``Apt 4B``), as written in an address.

    For several units (``Bldg 3 Apt 4``) `id` contains all of them, and `ids` the forms that a building may list.
    """

    id: str
    text: str
    ids: tuple[str, ...]


def unit_of(text: str) -> str | None:
    """Return a unit without the word before it, or None: ``Apt. 4b`` gives ``4B``."""
    collapsed = " ".join(text.split())
    found = _WORD_FIRST.fullmatch(collapsed)
    return (found["id"] if found else collapsed).strip(" #.").upper() or None


def read_unit(text: str) -> Unit | None:
    """Return the unit that a text such as ``apt 4b``, ``#4`` or ``Penthouse`` denotes, or None."""
    parts = [found[0] for found in _EACH.finditer(text)]
    if len(parts) < 2 or _EACH.sub("", text).strip(" ,"):
        return _one(" ".join(text.split()))
    read = [unit for part in parts if (unit := _one(part)) is not None]
    whole = " ".join(unit.text for unit in read)
    return Unit(whole.upper(), whole, (whole.upper(), *(unit.id for unit in read)))


def take_unit(line: str) -> tuple[str, Unit | None]:
    """Return a line without the units at the end of its street, and these units."""
    found = _AT_END.search(line)
    if found is None or not line[: found.start()].strip(" ,"):
        return line, None
    return line[: found.start()] + line[found.end() :], read_unit(found[0].strip(" ,"))


def take_first_unit(line: str) -> tuple[str, Unit | None]:
    """Return a line without the units before its house number, and these units: ``Apt 4, 120 Main St``."""
    found = _AT_START.match(line)
    return (line, None) if found is None else (line[found.end() :], read_unit(found["units"]))


def take_number_sign(line: str) -> tuple[str, Unit | None]:
    """Return a line without the ``#4`` at the end of its street, and this unit; the word before it may be a name."""
    found = _SIGN_AT_END.search(line)
    if found is None:
        return line, None
    return line[: found.start()] + line[found.end() :], read_unit(found["unit"])


def _one(text: str) -> Unit | None:
    if floor := _FLOOR.fullmatch(text):
        written = f"{floor['id']}{floor['ending'].lower()} {floor['word'].capitalize()}"
        return Unit(floor["id"], written, (floor["id"],))
    if _ALONE_TOO.fullmatch(text):
        word = _written(text)
        return Unit(word.upper(), word, (word.upper(),))
    number = unit_of(text)
    if number is None:
        return None
    found = _WORD_FIRST.fullmatch(text)
    return Unit(number, f"{_written(found['word']) if found else 'Unit'} {number}", (number,))


def _written(word: str) -> str:
    bare = word.strip(". ")
    return "PH" if bare.upper() == "PH" else bare.capitalize()
