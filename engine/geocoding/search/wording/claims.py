"""States, provinces and countries that a query names in their usual position, and whether a result is in them.

In ``120 Broadway, New York, DE 10271`` the letters DE are Delaware or Germany rather than an article.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from engine.domain.addresses.address import Layer
from engine.gazetteer.reader import COUNTRY_SIGNS, AddressContext, NamedDivision
from engine.gazetteer.text import fold, readings, split_words
from engine.geocoding.search.entries import CODED_STATES, Entry
from engine.geocoding.search.matching import is_article
from engine.geocoding.search.own_names import country_names
from engine.geocoding.search.parsing import COUNTRY_OF_CODE, with_joined_initials
from engine.geocoding.states import CANADA, STATE_NAMES, STATES, US

_PARTS: Final = re.compile(r"[,;\n]")
_ALIASES: Final = {"usa": "us", "uk": "gb", "america": "us"}
_LEAST_POSTAL: Final = 4
"""Minimum length of a postal code."""

_NUMBER_WORDS: Final = (["nr"], ["no"])
"""Words before a house number that are also codes of countries."""

_LEAST_BEFORE: Final = 1
"""Number of words that come before a region if there are no commas."""

_MOST_WORDS: Final = 5
"""Maximum number of words of a region's name."""


_SIGNS: Final = {sign: country for country, sign in COUNTRY_SIGNS.items()} | {
    "A": "AT",
    "AND": "AD",
    "B": "BE",
    "D": "DE",
    "E": "ES",
    "F": "FR",
    "H": "HU",
    "I": "IT",
    "L": "LU",
    "M": "MT",
    "N": "NO",
    "P": "PT",
    "RSM": "SM",
    "S": "SE",
}
"""Countries by the signs of their vehicles, where these are not the codes of the countries."""


class Region(Struct, frozen=True):
    """A country, or one of its states."""

    country: str
    state: str | None = None


def code_in(text: str) -> str | None:
    """Return the code of a state or country that a query has in the usual position, if it could be an article."""
    for part in reversed(_parts(text)):
        words = [word for word in part if not _has_digit(word)]
        while words:
            if is_article(words[-1]) and _coded(words[-1]):
                return words[-1]
            named = next(_named_at_end(words, is_alone=False), None)
            words = words[: -named[0]] if named else []
    return None


def is_outside(text: str, read: Collection[str], entry: Entry, context: AddressContext) -> bool:
    """Return whether a query names a state, province or country that contradicts an entry in these surroundings.

    `read` are the words of the query without those of the number and the unit: Nr is not Nauru there.
    """
    if _has_other_sign(text, context):
        return True
    parts = _parts(text)
    last = parts[-1] if len(parts) > 1 else None
    return any(
        _contradicts(_words_read(part, read, entry, context, is_last=part is last), entry, context) for part in parts
    )


def _has_other_sign(text: str, context: AddressContext) -> bool:
    """Return whether a postal code has the sign of another country before it: F-69117 is not in Germany."""
    own = {context.country_code, context.state.code if context.state is not None else None}
    signs = (found[1].upper() for found in COUNTRY_OF_CODE.finditer(text))
    return any(
        sign not in own and _SIGNS.get(sign, sign) not in own
        for sign in signs
        if sign in _SIGNS or sign in country_names()
    )


class _Part(NamedTuple):
    """The words of a part that may name a region; `is_alone` is true for a code beside a postal code or nothing."""

    words: Sequence[str]
    is_alone: bool


def _words_read(
    part: Sequence[str], read: Collection[str], entry: Entry, context: AddressContext, *, is_last: bool
) -> _Part:
    def is_read(word: str) -> bool:
        return _ALIASES.get(word, word) in read

    words = [word for word in part if not _has_digit(word)]
    is_code = len(part[-1]) >= _LEAST_POSTAL and _has_digit(part[-1])
    has_code = is_code and (words[-1:] not in _NUMBER_WORDS or is_read(part[-1]))
    is_single = len(words) == 1 and len(part) == 1 + has_code
    # PH behind the city is a country, but it may be a penthouse behind the street.
    is_state = has_code or (is_last and is_single)
    if words and not is_state and not is_read(words[-1]):
        is_state = words[-1] == part[-1] and _ends_with_name(words[:-1], 1, entry, context)
    kept = [*filter(is_read, words[:-1]), *(word for word in words[-1:] if is_state or is_read(word))]
    return _Part(kept, has_code or is_single)


@lru_cache(maxsize=500)
def _parts(text: str) -> list[list[str]]:
    """Return the words of each part between commas that may name a region: all except the first, or the only one."""
    parts = [words for part in _PARTS.split(with_joined_initials(text)) if (words := split_words(part))]
    return parts[1:] or [part for part in parts if sum(not _has_digit(word) for word in part) > _LEAST_BEFORE]


def _contradicts(part: _Part, entry: Entry, context: AddressContext) -> bool:
    words = part.words
    while words:
        is_alone = part.is_alone or not _is_named(words[-1], entry)
        named = next(_named_at_end(words, is_alone=is_alone), None)
        if named is None:
            return False
        count, regions = named
        if not (_is_own_code(words[-1], context) or any(_is_in(region, entry, context) for region in regions)):
            return not _ends_with_name(words, count, entry, context)
        # The country may follow its state.
        words = words[:-count]
    return False


def _named_at_end(words: Sequence[str], *, is_alone: bool) -> Iterator[tuple[int, frozenset[Region]]]:
    """Yield the number of words at the end that name regions, and these regions, the longest name first.

    A code that is also an abbreviation, as CT is of Court, counts only if it `is_alone`: not part of a street's name.
    """
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        if regions := _region_names().get(" ".join(words[-count:])):
            yield count, regions
    code = _ALIASES.get(words[-1], words[-1])
    if (is_alone or readings(code) == (code,)) and (regions := _coded(code)):
        yield 1, regions


def _ends_with_name(words: Sequence[str], count: int, entry: Entry, context: AddressContext) -> bool:
    """Return whether the last words are a name of the entry or of its surroundings: Ontario in California."""
    if len(words) > count and entry.kind != "division" and all(_is_named(word, entry) for word in words):
        return True
    ends = [tuple(words[begin:]) for begin in range(len(words) - count + 1)]
    if entry.kind == "division" and not {_words_of(entry.name), *map(_words_of, entry.names.values())}.isdisjoint(ends):
        return True
    if not {*map(_words_of, context.postal_cities)}.isdisjoint(ends):
        # Jamaica in New York.
        return True
    return not all(_names_of(division).isdisjoint(ends) for division in context.divisions)


def _is_own_code(word: str, context: AddressContext) -> bool:
    """Return whether a word is the code of the state around: PR is Paraná in Brazil, WA Western Australia."""
    state = context.state
    return state is not None and context.country_code in CODED_STATES and state.code == word.upper()


@lru_cache(maxsize=1_000)
def _names_of(division: NamedDivision) -> frozenset[tuple[str, ...]]:
    return frozenset(map(_words_of, (division.name, *division.names.values())))


def _is_named(word: str, entry: Entry) -> bool:
    return any(form in entry.named for form in (word, *readings(word)))


@lru_cache(maxsize=10_000)
def _words_of(name: str) -> tuple[str, ...]:
    return tuple(split_words(name))


def _is_in(region: Region, entry: Entry, context: AddressContext) -> bool:
    """Return whether an entry is in a region, or a division around it has the region's code."""
    country = context.country_code or (entry.code if entry.layer is Layer.COUNTRY else None)
    if region.state is None:
        return region.country == country
    if region.state == COUNTRY_SIGNS.get(country or ""):
        # FL is Liechtenstein as well as Florida.
        return True
    codes = {division.code for division in context.divisions} | {entry.code}
    return region.country == country and region.state in codes


@cache
def _coded(code: str) -> frozenset[Region]:
    """Return the regions with a code in small letters."""
    upper = code.upper()
    found = {Region(country, upper) for country in (US, CANADA) if upper in STATES[country]}
    if upper in country_names():
        found.add(Region(upper))
    return frozenset(found)


@cache
def _region_names() -> dict[str, frozenset[Region]]:
    """Return the regions with a folded name."""
    found: dict[str, set[Region]] = {}
    for name, (country, state) in STATE_NAMES.items():
        found.setdefault(fold(name), set()).add(Region(country, state))
    for country, names in country_names().items():
        for name in names:
            found.setdefault(fold(name), set()).add(Region(country))
    return {name: frozenset(regions) for name, regions in found.items() if name}


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))
