"""Possible readings of a query's words: a house number, a unit, and names."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from engine.domain.values import replace
from engine.gazetteer.abbreviations import INSIDE
from engine.gazetteer.text import STREET_TYPES, split_words
from engine.geocoding.search.wording.numbers import take_leading_unit

_UNIT: Final = re.compile(
    r"(?:^|[\s,])(?:"
    r"(?:apartment|apt|appt|apto|suite|ste|unit|room|rm|floor|bldg|penthouse|ph|whg|wohnung|flat|building|кв|квартира|офис)"
    r"\b\.?\s*#?\s*(?P<unit>[a-z]?-?\d+-?[a-z]?|[a-z])(?=$|[\s,])"
    # These have other meanings too: FL is Florida, Lot a river.
    r"|(?:fl|flr|dept|department|lot|spc|trlr|ofc|office|piso|top|stiege)\b\.?\s*#?\s*(?P<few>\d{1,4}[a-z]?)(?=$|[\s,])"
    r"|(?P<floor>\d{1,3}(?:st|nd|rd|th|e|er|[.\u00ba\u00aa]))\s*(?:floor|flr?|stock|og|etage|\u00e9tage|andar|piso)\b\.?"
    r"|(?P<alone>penthouse|ph|basement|bsmt|lobby|lbby)\b\.?(?=\s*(?:,|$))"
    r"|#\s*(?P<mark>[\w-]+))",
    re.IGNORECASE,
)
_MOST_UNITS: Final = 3
"""Maximum number of units: building, floor and flat."""

_CARE_OF: Final = re.compile(r"(?:^|[\s,])(?:c\s?/\s?o|\u2105|attn\b)[\s:.]*[^,;\d]*[,;]?", re.IGNORECASE)
_PARTS: Final = re.compile(r"[,;\n]")
_PLUS_4: Final = re.compile(r"\b(\d{5})-(\d{4})\b")
_HOUSE: Final = re.compile(
    r"\d{1,6}(?:(?i:bis|ter|quater)|[a-zA-Z]{1,2}|[-–/](?:\d{1,5}[a-zA-Z]?(?:/\d{1,4})?|[a-zA-Z])|[a-zA-Z][-–/]\d{0,5}[a-zA-Z])?"
)
_ORDINAL: Final = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
COUNTRY_OF_CODE: Final = re.compile(r"\b([a-z]{1,3})-(?=\d{4,5}\b)", re.IGNORECASE)
"""The vehicle country code before a postal code: D-69117, FL-9490."""

_ROAD: Final = re.compile(r"\s*[a-z]{1,3}-\d{4}\s*", re.IGNORECASE)

_NUMBER_SIGN: Final = re.compile(
    r"(?<!\w)(?:(?:nr|no|num|numero|número|numéro|hausnummer|hausnr|д|дом)\b\s*[.°º]*|n\s*\.?\s*[°º]|№)\s*(?=\d)",
    re.IGNORECASE,
)
_WITHOUT_NUMBER: Final = re.compile(
    r"(?:^|(?<=[\s,]))(?:s\s?[/.]\s?n(?:[.\u00ba\u00b0o]{0,2}|ro|um)|s\.?n\.?c\.?|(?:sin|sem|sense)\s+n[u\u00fa]mero)"
    r"(?=$|[\s,])",
    re.IGNORECASE,
)
"""Texts in the place of the number of a house without one: s/n, s/n\u00ba, snc."""

_JOINED: Final = re.compile(r"(?<=\d)(?=[¼½¾⅓⅔])|(?<=[^\W\d]\.)(?=\d)")
"""Positions of a missing space: 41½, Hauptstr.58."""

_INSIDE: Final = re.compile(INSIDE, re.IGNORECASE)
_FRACTION: Final = re.compile(r"\d/\d|[¼½¾⅓⅔]")
_ALIASES: Final = {"usa": "us", "uk": "gb"}
_AMERICA: Final = re.compile(r"(?<=,)\s*america\s*$", re.IGNORECASE)
"""The country, rather than Avenida de América."""

_INITIALS: Final = re.compile(r"\b([a-z])\.([a-z])\.(?:([a-z])\.)?", re.IGNORECASE)
_ADDITIONS: Final = frozenset({"rear", "bis", "ter", "quater"})
"""Words that are part of the preceding number."""

_NUMBERS: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_NUMBER_WORD: Final = re.compile(rf"(?:^|(?<=,))\s*({'|'.join(_NUMBERS)})\s+(?=[^\W\d])", re.IGNORECASE)
"""A number written as a word at the position of an English house number."""

_DIRECTIONS: Final = frozenset("nesw")
"""Directions, as in ``120 E Beaver Avenue``, which is east rather than number 120e."""

MAX_WORDS: Final = 24
"""Maximum number of words of a query that are considered; an address has fewer."""

_PAIR: Final = re.compile(r"\d{1,4} \d{1,3}[a-z]?", re.IGNORECASE)
"""A house number of Queens without its hyphen."""

_MOST_NUMBERS: Final = 3
_MOST_TIMES: Final = 2


class Reading(Struct, frozen=True):
    """One way to understand a query: its house number, if any, and its other parts.

    `words` are folded as written, without the house number. `has_number` is true if one of the words might be a house
    number. `line` holds the words between the same commas as the number, and is empty if the query has no commas.
    `is_joined` marks a number written as two: 108 15 for 108-15. `code_extension` is what follows the hyphen of a US
    postal code.
    """

    words: tuple[str, ...]
    number: str | None = None
    unit: str | None = None
    has_number: bool = False
    line: frozenset[str] = frozenset()
    is_joined: bool = False
    code_extension: str | None = None


class _Token(str):
    """A part of a query between spaces and commas; `part` is the number of commas before it."""

    __slots__ = ("part",)
    part: int


def read_query(text: str, *, has_units: bool = True) -> tuple[Reading, ...]:
    """Return the ways to understand a query, likeliest first; the last is always the one without a house number.

    Without `has_units`, words that read like a unit are part of a name: Parkway Plaza Building C.
    """
    text = _INSIDE.sub(lambda found: "".join(filter(None, found.groups())), _AMERICA.sub(" us", text))
    unit, rest = _without_units(_without_addressee(text)) if has_units else (None, text)
    text = _NUMBER_SIGN.sub("", _WITHOUT_NUMBER.sub(" ", rest))
    extended = _PLUS_4.search(text)
    if extended is None:
        return _readings(text, unit)
    return tuple(replace(each, code_extension=extended[2]) for each in _readings(_PLUS_4.sub(r"\1", text), unit))


def _readings(text: str, unit: str | None) -> tuple[Reading, ...]:
    if _ROAD.fullmatch(text):
        # K-4101 may be a road as well as a postal code.
        return (*_read(_tokens(text), unit), *_read(_tokens(COUNTRY_OF_CODE.sub("", text)), unit))
    text = _JOINED.sub(" ", COUNTRY_OF_CODE.sub("", text))
    joined = with_joined_initials(text)
    readings = _read(_tokens(joined), unit)
    if joined == text:
        return readings
    # D.C. is DC, but J. F. Kennedy may be written J.F. Kennedy.
    return (*readings[:-1], *_read(_tokens(text), unit), readings[-1])


def with_joined_initials(text: str) -> str:
    """Return a text with D.C. written as DC."""
    return _INITIALS.sub(r"\1\2\3", text)


def with_digits(text: str) -> str:
    """Return a query with the first number word before a name written in digits: 1 Police Plaza."""
    return _NUMBER_WORD.sub(lambda found: f" {in_digits(found[1])} ", text, count=1).lstrip()


def in_digits(number: str) -> str:
    """Return a number word up to twenty in digits, and any other text unchanged."""
    word = number.lower()
    return str(_NUMBERS.index(word) + 1) if word in _NUMBERS else number


def _read(tokens: list[_Token], unit: str | None) -> tuple[Reading, ...]:
    houses = [index for index, token in enumerate(tokens) if _is_number(token)]
    # Postal codes are longer than house numbers; among equals the first in the query wins.
    houses.sort(key=lambda index: (min(len(re.match(r"\d+", tokens[index])[0]), 4), index))  # type: ignore[index]
    readings = [_with_number(tokens, index, unit) for index in houses[:_MOST_NUMBERS]]
    if houses and (lettered := _with_letter(tokens, houses[0], unit)) is not None:
        readings.append(lettered)
    if (joined := _joined(tokens, unit)) is not None:
        readings.append(joined)
    numbered = [reading for reading in dict.fromkeys(readings) if reading.words]
    return (*numbered, Reading(_words(tokens), None, unit, has_number=bool(numbered)))


def _without_addressee(text: str) -> str:
    rest = _CARE_OF.sub(", ", text)
    return rest if rest.strip(" ,") else text


def _is_unit(found: re.Match[str]) -> bool:
    """Return whether a text that reads like a unit is at a unit's position: after an address or before its comma.

    The Empire State Building 350 5th Avenue has no unit.
    """
    before, behind = found.string[: found.start()].strip(" ,"), found.string[found.end() :].strip()
    if not before:
        return behind.startswith(",") and behind.strip(" ,") != ""
    has_number = any(map(str.isdigit, before))
    return has_number or not behind or behind.startswith(",") or "building" not in found[0].lower()


def _without_units(text: str) -> tuple[str | None, str]:
    """Return the last of a text's units, and the text without units."""
    unit, text = take_leading_unit(text)
    for _ in range(_MOST_UNITS):
        found = _UNIT.search(text)
        if found is None or not _is_unit(found):
            break
        unit = next(group for group in found.groups() if group).upper()
        text = f"{text[: found.start()]} {text[found.end() :]}"
    return unit, text


def _tokens(text: str) -> list[_Token]:
    """Return the parts of a query between spaces and commas, with fractions joined to their number."""
    tokens: list[_Token] = []
    for part, between in enumerate(_PARTS.split(text)):
        for written in between.split():
            bare = written.strip(".:()\"'*^-–#")
            if not bare:
                continue
            if tokens and tokens[-1].isdigit() and _FRACTION.fullmatch(bare):
                bare = f"{tokens.pop()} {bare}"
            token = _Token(bare)
            token.part = part
            tokens.append(token)
    return tokens[:MAX_WORDS]


def _line(tokens: list[_Token], index: int, after: int) -> frozenset[str]:
    """Return the words beside the number, or the words of the part before it if the number is alone between commas.

    Without commas the result is empty.
    """
    others = [*tokens[:index], *tokens[after:]]
    if len({token.part for token in tokens}) == 1:
        return frozenset()
    beside = [token for token in others if token.part == tokens[index].part]
    if not beside and index > 0:
        beside = [token for token in others if token.part == tokens[index - 1].part]
    return frozenset(_words(beside))


def _is_number(token: str) -> bool:
    first = token.split(" ")[0]
    return _HOUSE.fullmatch(first) is not None and _ORDINAL.fullmatch(first) is None


def _with_number(tokens: list[_Token], index: int, unit: str | None) -> Reading:
    number, after = str(tokens[index]), index + 1
    following = tokens[after] if after < len(tokens) else ""
    # "12 a": a letter after the number is part of it, unless the letter alone would be the street.
    is_letter = len(following) == 1 and following.isalpha() and index > 0 and following.lower() not in _DIRECTIONS
    if number.isdigit() and (is_letter or following.lower() in _ADDITIONS):
        number, after = f"{number} {following}", after + 1
    return Reading(_words([*tokens[:index], *tokens[after:]]), number, unit, line=_line(tokens, index, after))


def _with_letter(tokens: list[_Token], index: int, unit: str | None) -> Reading | None:
    """Return the reading of ``646 G Oakwood Avenue`` or ``Hauptstrasse 12 e`` with the letter as part of the number."""
    letter = tokens[index + 1] if index + 1 < len(tokens) else ""
    if not tokens[index].isdigit() or len(letter) != 1 or not letter.isalpha():
        return None
    words = _words([*tokens[:index], *tokens[index + 2 :]])
    return Reading(words, f"{tokens[index]} {letter}", unit, line=_line(tokens, index, index + 2))


def _joined(tokens: list[_Token], unit: str | None) -> Reading | None:
    """Return the reading of ``108 15 72nd Avenue`` with the number 108-15, or None."""
    for index, (one, other) in enumerate(pairwise(tokens[:-1])):
        if not one.isdigit() or one.part != other.part or not _PAIR.fullmatch(f"{one} {other}"):
            continue
        behind = [token.lower() for token in tokens[index + 2 :] if token.part == one.part]
        # 10 4 St is in 4th Street.
        if len(behind) > 1 or not STREET_TYPES.issuperset(behind):
            words, line = _words([*tokens[:index], *tokens[index + 2 :]]), _line(tokens, index, index + 2)
            return Reading(words, f"{one}-{other}", unit, line=line, is_joined=True)
    return None


def _words(tokens: Sequence[str]) -> tuple[str, ...]:
    counts: Counter[str] = Counter()
    found: list[str] = []
    for token in tokens:
        for word in _words_in(str(token)):
            counts[word] += 1
            # Baden-Baden repeats a word, but no name has one three times.
            if counts[word] <= _MOST_TIMES:
                found.append(word)
    return tuple(found[:MAX_WORDS])


@lru_cache(maxsize=10_000)
def _words_in(token: str) -> tuple[str, ...]:
    """Return the words of a token; cached because the same towns and streets are asked for repeatedly."""
    return tuple(_ALIASES.get(word, word) for word in split_words(token))
