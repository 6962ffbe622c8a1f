"""Autocompletion of incomplete queries."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.domain.addresses.address import Address, AutocompleteQuery, ForwardQuery, Layer
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.geo.earth import distance_m
from engine.geocoding.search.airports import airports
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.crossings import crossings
from engine.geocoding.search.entries import Entry
from engine.geocoding.search.forward import STAGES, as_typed
from engine.geocoding.search.houses import first_houses
from engine.geocoding.search.matching import QueryWord, query_words
from engine.geocoding.search.namesakes import may_become
from engine.geocoding.search.neighbourhood import nearest
from engine.geocoding.search.parsing import Reading, read_query, with_digits
from engine.geocoding.search.ranking import RankedEntry, Stage, by_signs, distinct, favoured, search
from engine.geocoding.search.wording.strangers import is_stranger

_LOOKED_AT: Final = 20
"""Number of candidates of each gazetteer that are examined, unless more are requested."""

_RANK_WORTH: Final = 0.15
_LOCAL_WORTH: Final = 0.1
"""The advantage of entries in an area in use over better known ones in the rest of the world."""

_NEAR_WORTH: Final = 0.3
_NEAR_M: Final = 5_000.0
"""Distance at which half of the bonus for proximity remains, in metres."""

_LEAST_OF_BEST: Final = 0.6

_AIRPORT_NEAR_M: Final = 150_000.0


def autocomplete(areas: Sequence[Finder], world: Sequence[Finder], query: AutocompleteQuery) -> tuple[Address, ...]:
    """Return the completions of a text, by relevance and proximity."""
    readings = read_query(query.text)
    best = _best(areas, world, query, readings)
    if areas and (numbered := _in_digits(query.text)):
        houses = [each for each in _best(areas, world, query, numbered) if each.house is not None]
        # A complete match comes first: Two Bridges before 2 Bridge Street.
        best = [*best, *houses] if any(each.match.complete for each in best) else [*houses, *best]
    begun = _begun_number(query, readings)
    with_houses = (house for each in distinct(best, query.limit) for house in _with_houses(each, begun))
    answers = (
        each.address(query.language, None, _away_m(each, query.near)) for each in distinct(with_houses, query.limit)
    )
    flown_to = tuple(_with_distance(each, query.near) for each in airports(world, query, None))
    # Three letters begin many words. They are primarily an airport's code in capitals, as on a ticket, or nearby.
    first = tuple(each for each in flown_to if query.text.isupper() or _is_near(each) or " " in query.text)
    others = tuple(each for each in flown_to if each not in first)
    return (*_corners(areas, query), *first, *answers, *others)[: query.limit]


def _begun_number(query: AutocompleteQuery, readings: Sequence[Reading]) -> str | None:
    """Return the house number at the end of a text, of which more may follow, if houses are requested."""
    if Layer.ADDRESS not in query.layers:
        return None
    return next((each.number for each in readings if each.number and _is_last(each.number, query.text)), None)


def _corners(areas: Sequence[Finder], query: AutocompleteQuery) -> Iterator[Address]:
    """Yield the crossings of the two streets that a text names completely, as the search for addresses finds them."""
    corners = ForwardQuery(
        text=query.text,
        layers=query.layers,
        countries=query.countries,
        language=query.language,
        limit=query.limit,
    )
    for each in crossings(areas, corners):
        yield _with_distance(replace(each, confidence=None), query.near)


def _best(
    areas: Sequence[Finder], world: Sequence[Finder], query: AutocompleteQuery, readings: Sequence[Reading]
) -> list[RankedEntry]:
    """Return the matches of a text in its readings that are about as good as the best, by relevance and proximity."""
    found = _find(areas, world, query, [(each, _words_of(each, query.text)) for each in readings])
    likely = favoured((each for each in found if _may_become(each, query.text)), areas)
    ranked = sorted(((_worth(each, query.near), each) for each in likely), key=_order)
    return [each for worth, each in ranked if worth >= ranked[0][0] * _LEAST_OF_BEST]


def _may_become(found: RankedEntry, text: str) -> bool:
    return may_become(found, text) and not is_stranger(found, text, is_begun=True)


def _in_digits(text: str) -> list[Reading]:
    """Return the readings of a text with a number that is written as a word: One Police Plaza."""
    numbered = with_digits(text)
    return [each for each in read_query(numbered) if each.number is not None] if numbered != text else []


def _is_near(airport: Address) -> bool:
    return airport.distance_m is not None and airport.distance_m <= _AIRPORT_NEAR_M


def _with_distance(address: Address, near: Point | None) -> Address:
    if near is None:
        return address
    point = address.point
    return replace(address, distance_m=distance_m(near.longitude, near.latitude, point.longitude, point.latitude))


def _words_of(reading: Reading, text: str) -> tuple[QueryWord, ...]:
    """Return the words of a reading. The last one is incomplete unless it is the house number."""
    return query_words(reading.words, prefix=reading.number is None or not _is_last(reading.number, text))


def _is_last(number: str, text: str) -> bool:
    return text.endswith(f" {number}")


def _find(
    areas: Sequence[Finder],
    world: Sequence[Finder],
    query: AutocompleteQuery,
    readings: Sequence[tuple[Reading, tuple[QueryWord, ...]]],
) -> list[RankedEntry]:
    stages = _stages(query)
    found: list[RankedEntry] = []
    for stage in stages:
        for finders in (areas, world) if stage is not stages[-1] or not found else (areas,):
            for reading, words in readings:
                for finder in finders:
                    found += search(stage, finder, reading, words, query)
            # If a house or a misspelled name was found nearby, do not search the whole world.
            if any(each.house is not None or (stage is not stages[0] and each.match.complete) for each in found):
                return found
        if stage is stages[0]:
            found += (each for finder in (*areas, *world) for each in by_signs(finder, query))
        if any(each.match.complete for each in found):
            return found
    return found


def _stages(query: AutocompleteQuery) -> tuple[Stage, ...]:
    def begun(
        finder: Finder, words: tuple[QueryWord, ...], kinds: frozenset[str], _: tuple[QueryWord, ...]
    ) -> list[Entry]:
        return _begun(finder, words, kinds, query)

    misspelled = STAGES[1]
    every = (Stage(as_typed, begun), Stage(misspelled.prepare, begun), *STAGES[2:])
    return tuple(replace(stage, interpolates=False) for stage in every)


def _begun(
    finder: Finder, words: tuple[QueryWord, ...], kinds: frozenset[str], query: AutocompleteQuery
) -> list[Entry]:
    """Return entries with every word: nearby ones first, then well-known ones."""
    limit = max(_LOOKED_AT, query.limit)
    documents = finder.all_of(words, limit, kinds)
    if len(documents) == limit:
        documents = [*finder.begun(words, limit, kinds), *documents]
        if query.near is not None and not finder.is_world:
            documents = [*nearest(finder, words, query.near, limit, kinds), *documents]
    return finder.entries(list(dict.fromkeys(documents)))


def _worth(found: RankedEntry, near: Point | None) -> float:
    worth = found.score + _RANK_WORTH * found.entry.rank + (_LOCAL_WORTH if found.is_local else 0.0)
    if near is None:
        return worth
    return worth + _NEAR_WORTH / (1 + _distance_m(found, near) / _NEAR_M)


def _order(pair: tuple[float, RankedEntry]) -> tuple[float, str, int]:
    worth, found = pair
    return (-round(worth, 9), found.entry.kind, found.entry.document)


def _with_houses(found: RankedEntry, begun: str | None) -> Iterable[RankedEntry]:
    """Return a street with the houses whose numbers begin with the incomplete one."""
    if begun is None or found.house is not None or found.entry.kind != "street":
        return (found,)
    houses = first_houses(found.entry.gazetteer, found.entry.ref, begun)
    return [replace(found, house=house) for house in houses] or (found,)


def _away_m(found: RankedEntry, near: Point | None) -> float | None:
    return None if near is None else _distance_m(found, near)


def _distance_m(found: RankedEntry, near: Point) -> float:
    point = found.house.point if found.house else found.entry.point
    return distance_m(near.longitude, near.latitude, point.longitude, point.latitude)
