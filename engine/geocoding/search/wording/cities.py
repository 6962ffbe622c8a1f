"""Cities that a query names although nothing proves that the result lies in them.

The Quezon City of ``14 C. Cruz, Quezon City`` may be matched by a coarse outline of that name, or by the nearest city.
A state or county with the name of a city does not prove that city: Getafe is in Madrid, but not in the city of Madrid.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.domain.addresses.address import Layer
from engine.gazetteer.reader import COUNTRY_SIGNS, AddressContext, NamedDivision
from engine.gazetteer.text import DIRECTIONS, fold, index_words, split_words
from engine.geo.earth import metres_between
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.contradictions import remembered
from engine.geocoding.search.entries import Entry
from engine.geocoding.search.matching import QueryWord
from engine.geocoding.search.ranking import RankedEntry

_WITHIN_M: Final = 60_000.0
"""Maximum distance in metres of a city that may be meant instead of the county around a result."""


class _Words(NamedTuple):
    """The words of the divisions around something by what they prove.

    `own` are those of its city, smaller parts and postal code. `sure` has them, too, with countries and codes.
    """

    own: frozenset[str]
    sure: frozenset[str]
    city: frozenset[str]
    state: frozenset[str]
    county: frozenset[str]


def lacks_city(found: RankedEntry, world: Sequence[Finder]) -> bool:
    """Return whether a query names a city that a result merely may lie in."""
    entry = found.entry
    if entry.kind == "division":
        return False
    context = found.house.context if found.house else entry.context
    around = _around(context)
    beside = [word for word in found.words if word.is_significant and not word.quality_among(entry.named)]
    open_words = [word for word in beside if not word.quality_among(around.sure)]
    if not open_words:
        return False
    if context.is_uncertain and any(word.quality_among(around.city) for word in open_words):
        return True
    if any(word.weight == 1.0 and word.quality_among(around.own) for word in beside):
        return False
    return any(_are_city(_among(open_words, words), found, context, world) for words in (around.state, around.county))


def takes_direction_of_city(found: RankedEntry) -> bool:
    """Return whether the direction of a street only stands before a city behind a comma: Broadway, West Vancouver."""
    if found.entry.kind != "street" or not found.line:
        return False
    own = [word for word in found.words if word.quality_among(found.entry.named)]
    beyond = [word for word in own if word.text not in found.line and not DIRECTIONS.isdisjoint(word.forms)]
    return bool(beyond) and any(word.text in found.line for word in own)


def _among(query: Iterable[QueryWord], words: frozenset[str]) -> tuple[QueryWord, ...]:
    return tuple(word for word in query if word.quality_among(words))


def _are_city(
    words: tuple[QueryWord, ...], found: RankedEntry, context: AddressContext, world: Sequence[Finder]
) -> bool:
    """Return whether words that only a state or a county matches are the name of a city in or near it."""
    if not words:
        return False
    point = found.house.point if found.house else found.entry.point
    for finder in world:
        for city in remembered(finder, words):
            is_near = metres_between(city.point, point) <= _WITHIN_M or _is_in_state(city, context)
            if is_near and city.layer is Layer.LOCALITY and city.context.country_code == context.country_code:
                return _has_post(city, finder)
    return False


def _is_in_state(city: Entry, context: AddressContext) -> bool:
    one, other = city.context.state, context.state
    return one is not None and other is not None and (one.code, fold(one.name)) == (other.code, fold(other.name))


def _has_post(city: Entry, world: Finder) -> bool:
    """Return whether a city is one of addresses; in the United States, Queens has no postal code of that name."""
    state = city.context.state
    if city.context.country_code != "US" or state is None:
        return True
    key = ("post", city.ref)
    known = world.memory.get(key)
    if not isinstance(known, bool):
        names = (city.name, city.name.removesuffix(" City"))
        sql = "SELECT 1 FROM zip_codes WHERE state = ? AND city IN (?, ?) LIMIT 1"
        has_table = bool(world.gazetteer.rows("SELECT 1 FROM sqlite_master WHERE name = 'zip_codes'"))
        known = world.memory[key] = not has_table or bool(world.gazetteer.rows(sql, state.code, *names))
    return known


@lru_cache(maxsize=1_000)
def _around(context: AddressContext) -> _Words:
    city = frozenset(_words_of(context.city))
    parts = frozenset(word for part in (context.borough, context.neighborhood) for word in _words_of(part))
    own = parts | context.postal_words | (frozenset() if context.is_uncertain else city)
    codes = (context.country_code, COUNTRY_SIGNS.get(context.country_code or ""), *_codes_of(context))
    sure = own.union(_words_of(context.country), (word for code in codes if code for word in split_words(code)))
    return _Words(own, sure, city, frozenset(_words_of(context.state)), frozenset(_words_of(context.county)))


def _codes_of(context: AddressContext) -> Iterator[str | None]:
    yield from (division.code for division in context.divisions)


def _words_of(division: NamedDivision | None) -> Iterator[str]:
    for name in (division.name, *division.names.values()) if division is not None else ():
        yield from index_words(name).split() if name else ()
