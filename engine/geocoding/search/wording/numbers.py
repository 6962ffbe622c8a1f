"""House numbers with a unit (``5-332``, ``332/5``), and those of Queens without their hyphen.

In Canada, Australia, New Zealand and South Africa the unit precedes the house. In other countries where the number
precedes the street, it may be on either side. Elsewhere the second number is an entrance or the end of a range.
"""

import re
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from engine.gazetteer.text import number_of

UNIT_FIRST: Final = frozenset({"AU", "CA", "NZ", "ZA"})
_EITHER: Final = frozenset("GB HK IE IL IN MT MY PH SG TH US".split())  # noqa: SIM905
HYPHENATED: Final = frozenset({"US"})
"""Countries with streets whose house numbers have a hyphen: 108-15 72nd Avenue."""

_SPLIT: Final = re.compile(r"(\d{1,5}[a-z]?)[-–/](\d{1,5}[a-z]?)", re.IGNORECASE)
_PLAIN: Final = re.compile(r"(\d{2,7})([a-z]?)", re.IGNORECASE)
_BEHIND_HYPHEN: Final = (2, 3, 1)
"""Numbers of digits behind a hyphen, the usual one first."""

_LONGEST_BEFORE: Final = 3
_RANGE: Final = 20
"""Maximum difference between the numbers of a building with several, which are on the same side of its street."""

_HOUSE: Final = r"\d{1,5}[a-z]?(?:[-–]\d{1,5}[a-z]?)?(?=\s+[^\W\d]|\s+\d+(?:st|nd|rd|th)\b)"
_UNIT_WORDS: Final = "apartment|apt|unit|suite|ste|flat|room|rm|shop|office|villa|townhouse|level"
_LEADING_UNIT: Final = re.compile(
    rf"(?P<start>^|,)\s*(?:(?:{_UNIT_WORDS})\b\.?\s*#?\s*(?P<called>[a-z]{{0,2}}\d{{1,5}}[a-z]?|[a-z])(?:\s*[-–/]\s*|\s+)"
    r"|\#?\s*(?P<lettered>\d{1,4}[a-z]|[a-z]{1,2}\d{1,4})\s*[-–/]\s*"
    r"|\#\s*(?P<signed>\d{1,5}[a-z]?|[a-z])\s+"
    rf"|\#?\s*(?P<before_range>\d{{1,5}})\s*/\s*(?=\d{{1,5}}[-–]\d)){_HOUSE.join(('(?=', ')'))}",
    re.IGNORECASE,
)
"""A unit directly before a house number."""

_SPACED: Final = re.compile(r"((?:^|,)\s*\d{1,5})\s+[-–/]\s+(?=\d{1,5}[a-z]?\s)", re.IGNORECASE)


class Certainty(Enum):
    """How certain a reading of two numbers is."""

    CERTAIN = auto()
    LIKELY = auto()
    BESIDE = auto()
    """The house is at this number, but may be called otherwise."""


class SplitReading(Struct, frozen=True):
    """The house and the unit that two numbers mean."""

    number: str
    unit: str
    certainty: Certainty


def take_leading_unit(text: str) -> tuple[str | None, str]:
    """Return the unit that directly precedes a house number, and the text without it: ``Unit 5/332 Water St``."""
    text = _SPACED.sub(r"\1-", text)
    found = _LEADING_UNIT.search(text)
    unit = None if found is None else next(filter(None, found.groups()[1:]), None)
    if found is None or unit is None:
        return None, text
    return unit.upper(), f"{text[: found.start()]}{found['start']} {text[found.end() :]}".strip()


def split_number(number: str) -> tuple[str, str] | None:
    """Return the two numbers of ``5-332`` or ``5/332``, or None."""
    found = _SPLIT.fullmatch(number)
    return (found[1], found[2]) if found else None


def with_hyphen(number: str) -> tuple[str, ...]:
    """Return ``10815`` as ``108-15``, and with the hyphen elsewhere: likeliest first."""
    if (found := _PLAIN.fullmatch(number)) is None:
        return ()
    digits, letter = found.groups()
    lengths = [length for length in _BEHIND_HYPHEN if 0 < len(digits) - length <= _LONGEST_BEFORE]
    return tuple(f"{digits[:-length]}-{digits[-length:]}{letter}" for length in lengths)


def is_range(first: str, second: str) -> bool:
    """Return whether two numbers may be the ends of a range on one side of a street: 12-16."""
    between = number_of(second)[0] - number_of(first)[0]
    return 0 < between <= _RANGE and between % 2 == 0


def read_split(
    numbers: tuple[str, str], country: str | None, *, has_first: bool, has_second: bool
) -> SplitReading | None:
    """Return the house that two numbers mean on a street that has the first or the second, or None if it has neither.

    If it has both, the habit of the country decides.
    """
    if not (has_first or has_second):
        return None
    first, second = numbers
    if country in UNIT_FIRST:
        is_usual = has_second
        is_clear = has_second and (not has_first or number_of(first)[0] < number_of(second)[0])
    elif country in _EITHER and not is_range(first, second):
        is_larger = number_of(second)[0] > number_of(first)[0]
        is_usual = has_second and (is_larger or not has_first)
        is_clear = not has_second and not is_larger
    elif has_first:
        return SplitReading(first, second, Certainty.BESIDE)
    else:
        is_usual, is_clear = True, False
    certainty = Certainty.CERTAIN if is_clear else Certainty.LIKELY
    return SplitReading(second, first, certainty) if is_usual else SplitReading(first, second, certainty)


def usual_number(numbers: tuple[str, str], country: str | None) -> str | None:
    """Return the house number of two that a street probably has although it is not in the data, or None for both."""
    first, second = numbers
    is_larger = number_of(second)[0] > number_of(first)[0]
    if country in UNIT_FIRST or (country in _EITHER and is_larger and not is_range(first, second)):
        return second
    return None
