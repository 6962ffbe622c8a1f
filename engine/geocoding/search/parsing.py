"""The possible meanings of a query's words: a house number, a unit, and names."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from engine.gazetteer.text import split_words

_UNIT: Final = re.compile(
    r"(?:^|[\s,])(?:(?:apartment|apt|appt|apto|suite|ste|unit|room|rm|floor|bldg|building|penthouse|ph|whg|wohnung)"
    r"\b\.?\s*#?\s*(?P<unit>[a-z]?-?\d+[a-z]?|[a-z])(?=$|[\s,])|#\s*(?P<mark>[\w-]+))",
    re.IGNORECASE,
)
_PLUS_4: Final = re.compile(r"\b(\d{5})-\d{4}\b")
_HOUSE: Final = re.compile(r"\d{1,6}(?:[a-zA-Z]{1,2}|[-–/]\d{1,5}[a-zA-Z]?|[a-zA-Z][-–/]\d{0,5}[a-zA-Z])?")
_ORDINAL: Final = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
_FRACTION: Final = re.compile(r"\d/\d|[¼½¾⅓⅔]")
_SPLIT: Final = re.compile(r"[\s,;]+")
_ALIASES: Final = {"usa": "us", "uk": "gb", "america": "us"}
_INITIALS: Final = re.compile(r"\b([a-z])\.([a-z])\.(?:([a-z])\.)?", re.IGNORECASE)
_ADDITIONS: Final = frozenset({"rear", "bis", "ter", "quater"})
"""Words that belong to the number before them."""

_DIRECTIONS: Final = frozenset("nesw")
"""``120 E Beaver Avenue``: rather east than 120e."""

MAX_WORDS: Final = 24
"""Further words of a query are not looked at; an address has fewer."""

_MOST_NUMBERS: Final = 3
_MOST_TIMES: Final = 2


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a query: which of its parts is the house number, if any, and what the others are.

    `words` are folded, as they were written; the house number is not among them. `has_number` where one of the words
    might be one.
    """

    words: tuple[str, ...]
    number: str | None = None
    unit: str | None = None
    has_number: bool = False


def read_query(text: str) -> tuple[Reading, ...]:
    """Return the ways to understand a query, the likeliest first, always ending with that of no house number."""
    unit, rest = _without_unit(text)
    tokens = _tokens(_INITIALS.sub(r"\1\2\3", _PLUS_4.sub(r"\1", rest)))
    houses = [index for index, token in enumerate(tokens) if _is_number(token)]
    # Postal codes are longer than the numbers of houses; then what comes first.
    houses.sort(key=lambda index: (min(len(re.match(r"\d+", tokens[index])[0]), 4), index))  # type: ignore[index]
    readings = [_with_number(tokens, index, unit) for index in houses[:_MOST_NUMBERS]]
    if houses and (lettered := _with_letter(tokens, houses[0], unit)) is not None:
        readings.append(lettered)
    numbered = [reading for reading in dict.fromkeys(readings) if reading.words]
    return (*numbered, Reading(_words(tokens), None, unit, has_number=bool(numbered)))


def _without_unit(text: str) -> tuple[str | None, str]:
    found = _UNIT.search(text)
    if found is None or not text[: found.start()].strip(" ,"):
        return None, text
    unit = found["unit"] or found["mark"]
    return unit.upper(), f"{text[: found.start()]} {text[found.end() :]}"


def _tokens(text: str) -> list[str]:
    """Return a query's parts between spaces and commas, with a fraction or letter that belongs to a number joined."""
    tokens: list[str] = []
    for token in _SPLIT.split(text.strip()):
        bare = token.strip(".:()\"'*^")
        if not bare:
            continue
        if tokens and tokens[-1].isdigit() and _FRACTION.fullmatch(bare):
            tokens[-1] += f" {bare}"
        else:
            tokens.append(bare)
    return tokens[:MAX_WORDS]


def _is_number(token: str) -> bool:
    first = token.split(" ")[0]
    return _HOUSE.fullmatch(first) is not None and _ORDINAL.fullmatch(first) is None


def _with_number(tokens: list[str], index: int, unit: str | None) -> Reading:
    number, after = tokens[index], index + 1
    following = tokens[after] if after < len(tokens) else ""
    # "12 a": a letter behind the number belongs to it where nothing else would be its street.
    is_letter = len(following) == 1 and following.isalpha() and index > 0 and following.lower() not in _DIRECTIONS
    if number.isdigit() and (is_letter or following.lower() in _ADDITIONS):
        number, after = f"{number} {following}", after + 1
    return Reading(_words([*tokens[:index], *tokens[after:]]), number, unit)


def _with_letter(tokens: list[str], index: int, unit: str | None) -> Reading | None:
    """Return the reading of ``646 G Oakwood Avenue`` or ``Hauptstrasse 12 e`` in which the letter is no word itself."""
    letter = tokens[index + 1] if index + 1 < len(tokens) and (index > 0 or index + 2 < len(tokens)) else ""
    if not tokens[index].isdigit() or len(letter) != 1 or not letter.isalpha():
        return None
    return Reading(_words([*tokens[:index], *tokens[index + 2 :]]), f"{tokens[index]} {letter}", unit)


def _words(tokens: list[str]) -> tuple[str, ...]:
    counts: Counter[str] = Counter()
    found: list[str] = []
    for written in split_words(" ".join(tokens)):
        word = _ALIASES.get(written, written)
        counts[word] += 1
        # Baden-Baden has a word twice, and nothing has one three times.
        if counts[word] <= _MOST_TIMES:
            found.append(word)
    return tuple(found[:MAX_WORDS])
