"""Answers that nobody meant: places of the world that only share a word with a query, and small namesakes of cities."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.domain.addresses.address import ForwardQuery, Layer
from engine.gazetteer.text import STREET_TYPES, split_words
from engine.geocoding.search.matching import PREFIX_QUALITY, Question
from engine.geocoding.search.ranking import RankedEntry

_FAME: Final = 1.0
"""How much it matters, between places of the world with the name of the query, that one of them is larger.

A tenth of the rank is about seven times the inhabitants.
"""

_KNOWN: Final = 0.81
"""The rank of a city of a million inhabitants, and below that of all countries."""

_CODE: Final = 3
"""Letters of the longest code of a country."""

_COUNTRY_FIRST: Final = 0.02
"""The deduction of a city from a country of its name: Mexico."""


def by_fame(found: Sequence[RankedEntry]) -> Iterator[RankedEntry]:
    """Yield what was found, with deductions for places of the world that have a larger namesake."""
    namesakes = {id(each) for each in found if _is_named(each)}
    largest = max((each.entry.rank for each in found if id(each) in namesakes), default=0.0)
    is_country = any(each.entry.layer is Layer.COUNTRY and each.match.name_share > 0.999 for each in found)
    for each in found:
        if id(each) not in namesakes:
            yield each
        else:
            less = _FAME * (largest - each.entry.rank) + (_COUNTRY_FIRST if is_country else 0.0)
            yield replace(each, score=each.score - less)


def _is_named(found: RankedEntry) -> bool:
    """Whether a locality of the world has the whole name that is asked for, and nothing else is asked for."""
    is_locality = found.entry.layer is Layer.LOCALITY and not found.is_local
    return is_locality and found.number_answered and found.match.complete and found.match.name_share > 0.999


def without_strangers(found: Iterable[RankedEntry], query: ForwardQuery) -> Iterator[RankedEntry]:
    """Yield what was found without what only shares some words with the query.

    Of the world only divisions are known. One of them is an answer to more than its name where that is what something
    lies in: at the end of the query, behind what reads like a street or behind a comma.
    """
    has_number = any(map(str.isdigit, query.text))
    for each in found:
        if each.match.complete or each.house is not None:
            yield each
        elif each.is_local or each.entry.kind != "division":
            if has_number or "," in query.text or _answered_share(each) > 0.5:
                yield each
        elif has_number or _is_where(each, query):
            yield each


def _is_where(found: RankedEntry, query: ForwardQuery) -> bool:
    words = found.words
    if not words or Question(words).is_of_street(found.entry.spellings):
        return False
    # Without a comma what is misspelled besides being incomplete may be anything.
    answered = _answered(found, least=0.0 if "," in query.text else PREFIX_QUALITY)
    begins = next((at for at in range(len(words)) if all(answered[at:])), None)
    if begins is None:
        # The city may stand first, before a comma.
        first = len(split_words(query.text.partition(",")[0]))
        return "," in query.text and first < len(words) and all(answered[:first])
    is_code = begins == len(words) - 1 and len(words[-1].text) <= _CODE
    if (found.entry.rank >= _KNOWN and not is_code) or len(split_words(query.text.rpartition(",")[0])) == begins > 0:
        return True
    # In what stands before it there is a type of street.
    return any(not STREET_TYPES.isdisjoint(word.forms) for word in words[:begins])


def _answered(found: RankedEntry, *, least: float = 0.0) -> list[bool]:
    """Return which words its names or what it lies in answer better than `least`, or tell nothing."""
    own = {word for name in found.entry.spellings for word in name.words}
    other = {word for name in found.entry.others for word in split_words(name.name)}
    known = frozenset(own | other) | found.entry.around
    return [not word.tells or word.quality_among(known) > least for word in found.words]


def _answered_share(found: RankedEntry) -> float:
    told = [(word, answered) for word, answered in zip(found.words, _answered(found), strict=True) if word.tells]
    whole = sum(word.weight for word, _ in told)
    return sum(word.weight for word, answered in told if answered) / whole if whole else 1.0
