"""Divisions of the world that a query does not name: they share a word with the street of an address, or with a road.

South Gia Street is not in Gia Định, Mai Street is no part of Mbuji-Mayi, and the I-8 does not lead to Vík í Mýrdal.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final

from engine.domain.addresses.address import Layer
from engine.gazetteer.abbreviations import ENDINGS
from engine.gazetteer.text import STREET_TYPES, fold, readings, split_words
from engine.geocoding.search.entries import Entry
from engine.geocoding.search.matching import UNSURE_WORTH, is_article, names_of, weight_of
from engine.geocoding.search.ranking import WHOLE_NAME, RankedEntry

_PARTS: Final = re.compile(r"[,;\n]")
_POSTAL_CODE: Final = 4
"""Minimum number of digits of a number that may be a postal code."""

_CODE: Final = 3
"""Length of the longest code of a country."""

_ROAD: Final = re.compile(r"(?:[^\W\d_]{1,3} ?\d{1,3}|[^\W\d_] ?\d{4})[^\W\d_]?")
"""The folded number of a road: A 1, US 95, D 1083; more digits behind two letters are a postal code."""

_HALF: Final = 0.5
_KNOWN: Final = 0.64
"""Rank of a locality of ten thousand inhabitants."""

_LARGE: Final = frozenset({Layer.COUNTRY, Layer.STATE})

_CITY_WIDE: Final = frozenset({"city", "island", "islands", "lake", "mount", "park", "port", "village"})
"""Street types that names of towns have as well."""


def is_stranger(found: RankedEntry, text: str, *, is_begun: bool = False) -> bool:
    """Return whether a query has words of a division of the world only as part of a street's or road's name.

    With `is_begun`, only the beginning of the last word may be typed. The I 8 is no other road than the I 9 either.
    """
    entry = found.entry
    if entry.kind == "street":
        is_other = found.match.name_share < _HALF if found.house else not _is_answer(found)
        return is_other and _ROAD.fullmatch(fold(text)) is not None
    if entry.kind != "division" or entry.layer is Layer.POSTAL_CODE or _is_answer(found):
        return False
    if found.is_local and entry.layer not in _LARGE:
        return False
    names = tuple(_sure_names(entry))
    own = frozenset(word for name in names for word in name) | _other_words(entry)
    known = {word.text for word in found.words if word.quality_among(own) > 0}
    parts = _words_of_parts(text)
    naming = [part for part in parts if not known.isdisjoint(part)]
    return bool(naming) and all(
        _is_line(part, own) and not _is_named_beside(part, names, entry, is_begun=is_begun and part is parts[-1])
        for part in naming
    )


@lru_cache(maxsize=100)
def _words_of_parts(text: str) -> list[list[str]]:
    """Return the words of each part between commas."""
    return [split_words(part) for part in _PARTS.split(text)]


def _is_answer(found: RankedEntry) -> bool:
    """Return whether an entry has every word: nearly its whole name, or no number, which may be a mere state's code."""
    if not (found.match.complete and found.number_answered):
        return False
    has_number = any(word.text[0].isdigit() for word in found.words)
    return found.match.name_share >= WHOLE_NAME or not has_number


def _sure_names(entry: Entry) -> Iterator[tuple[str, ...]]:
    """Yield the words of the names, without spellings of unknown language."""
    for name in entry.spellings:
        yield name.words
    for other in entry.others:
        if other.worth != UNSURE_WORTH:
            yield from (name.words for name in names_of(other.name))


def _other_words(entry: Entry) -> frozenset[str]:
    return frozenset(word for other in entry.others for word in split_words(other.name))


def _is_line(part: Sequence[str], own: Collection[str]) -> bool:
    """Return whether a part between commas has a number or a type of street that is not in the division's name."""
    return any(word[0].isdigit() or (_is_type(word) and not _is_one_of(word, own)) for word in part)


def _is_type(word: str) -> bool:
    is_type = not STREET_TYPES.isdisjoint(readings(word)) and word not in _CITY_WIDE
    return is_type or (word.endswith(ENDINGS) and word not in ENDINGS)


def _is_one_of(word: str, own: Collection[str]) -> bool:
    return any(form in own for form in (word, *readings(word)))


def _is_named_beside(part: Sequence[str], names: Sequence[tuple[str, ...]], entry: Entry, *, is_begun: bool) -> bool:
    """Return whether a division's whole name stands before or behind a street, or beside a postal code."""
    if _ROAD.fullmatch(" ".join(part)):
        return False
    return any(
        _is_apart(part[:begin], name, part[begin + len(name) :], entry)
        for name in names
        for begin in range(len(part))
        if _is_telling(name, entry) and _is_written(name, part[begin : begin + len(name)], is_begun=is_begun)
    )


def _is_telling(name: Sequence[str], entry: Entry) -> bool:
    """Return whether a name is more than a direction, a type of street, the code of a country or a few letters."""
    is_short = len(name) == 1 and len(name[0]) <= _CODE
    is_unlikely = entry.layer is Layer.COUNTRY or (entry.layer is Layer.LOCALITY and entry.rank < _KNOWN)
    return not (is_short and is_unlikely) and any(weight_of(word) == 1.0 for word in name)


def _is_written(name: Sequence[str], words: Sequence[str], *, is_begun: bool) -> bool:
    """Return whether words are a name, or its beginning."""
    if len(words) < len(name) and not is_begun:
        return False
    *others, last = zip(name, words, strict=False)
    is_all = all(own in (word, *readings(word)) for own, word in others)
    return is_all and (last[0] in (last[1], *readings(last[1])) or (is_begun and last[0].startswith(last[1])))


def _is_apart(before: Sequence[str], name: Sequence[str], behind: Sequence[str], entry: Entry) -> bool:
    """Return whether there is a street on one side of a name, and nothing else on the other."""
    if all(_is_location(word, entry) for word in behind) and (not before or _is_street(before)):
        return True
    if any(word.isalpha() for word in before) or (len(name) == 1 and len(name[0]) <= _CODE):
        return False
    return _is_street(behind) or (not any(map(_is_house, before)) and not any(word.isalpha() for word in behind))


def _is_location(word: str, entry: Entry) -> bool:
    """Return whether a word behind a name is of its surroundings or a postal code."""
    return word in entry.around or is_article(word) or _is_postal_code(word)


def _is_postal_code(word: str) -> bool:
    return word[0].isdigit() and len(word) >= _POSTAL_CODE


def _is_house(word: str) -> bool:
    """Return whether a number is too short for a postal code."""
    return word[0].isdigit() and len(word) < _POSTAL_CODE


def _is_street(words: Sequence[str]) -> bool:
    """Return whether the words may be a street by their distinctive words."""
    return any(
        not word[0].isdigit() and (weight_of(word) == 1.0 or (_is_type(word) and word.endswith(ENDINGS)))
        for word in words
    )


def without_strangers(found: Sequence[RankedEntry], text: str) -> list[RankedEntry]:
    """Return the entries without such divisions."""
    return [each for each in found if not is_stranger(each, text)]
