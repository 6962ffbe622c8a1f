"""Forward geocoding: the positions of addresses, of named places and of coordinates in a query."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.domain.addresses.address import COARSE, Address, ForwardQuery, Layer, MatchConfidence, ReverseQuery
from engine.domain.area import Bounds
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.geo.earth import metres_between
from engine.geo.written.positions import position_in, short_code
from engine.geocoding.search.airports import airports
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.contradictions import lies_elsewhere, located
from engine.geocoding.search.crossings import crossings
from engine.geocoding.search.entries import Entry
from engine.geocoding.search.matching import QueryWord, query_words
from engine.geocoding.search.namesakes import by_fame, is_called_after_city, without_unrelated
from engine.geocoding.search.own_names import named, with_code
from engine.geocoding.search.parsing import Reading, read_query, with_digits
from engine.geocoding.search.ranking import (
    WHOLE_NAME,
    RankedEntry,
    Stage,
    by_signs,
    distinct,
    favoured,
    is_on_line,
    search,
)
from engine.geocoding.search.reverse import reverse
from engine.geocoding.search.wording.cities import lacks_city, takes_direction_of_city
from engine.geocoding.search.wording.claims import code_in, is_outside
from engine.geocoding.search.wording.misspelled import misspelled_houses
from engine.geocoding.search.wording.strangers import is_stranger, without_strangers
from engine.geocoding.search.wording.titles import is_called_so, without_title

NEARLY: Final = 0.72
"""Share of the best score below which a result is not shown beside it."""

_COMPARED: Final = 5
"""Number of results that a house is compared with before it counts as the only match."""

_WHOLE: Final = 0.999

_BEFORE_CODE: Final = 0.15
"""Bonus for a street that matches everything in the query except its postal code."""

_NEXT_DOOR_M: Final = 3_000.0
"""Maximum distance in metres of a house in another town from the bounding box of the street that a query names."""

_STREETS: Final = frozenset({"street"})

_LEAST_CODE: Final = 4
"""Minimum length of a postal code."""

type _Understood = tuple[Reading, tuple[QueryWord, ...]]
"""One way to read a query, with its words."""

_LOOKED_AT: Final = 40
"""Number of candidates per gazetteer, matching every word, that are examined closely."""


def forward(areas: Sequence[Finder], world: Sequence[Finder], query: ForwardQuery) -> tuple[Address, ...]:
    """Return the addresses that a query may mean, best first.

    `areas` have streets and houses, `world` has the divisions of the whole earth. A number may be written as a word, as
    in One Police Plaza. Something with exactly that name comes before the house.
    """
    found = _forward(areas, world, query)
    numbered = with_digits(query.text) if areas else query.text
    if numbered == query.text or (found and found[0].confidence is MatchConfidence.EXACT):
        return found
    houses = _forward(areas, world, replace(query, text=numbered))
    return houses if houses and _is_rather_house(houses[0], found[:1]) else found


def _is_rather_house(house: Address, otherwise: Sequence[Address]) -> bool:
    """Return whether a number in words means a house.

    It does if the house matches the query exactly, or is on a street that is found anyway.
    """
    if house.confidence is MatchConfidence.EXACT:
        return True
    return house.number is not None and any(house.street == each.street and each.number is None for each in otherwise)


def _forward(areas: Sequence[Finder], world: Sequence[Finder], query: ForwardQuery) -> tuple[Address, ...]:
    if (point := _position(areas, world, query)) is not None:
        return at_position(areas, world, query, point)
    if at := crossings(areas, query):
        # A stop is named after the corner that it is at.
        stops = sorted(_places_named_so(areas, query), key=_order)
        return (*at, *(_answer(each, (each,), query, world) for each in distinct(stops, query.limit)))[: query.limit]
    if world and (text := with_code(world[0], query.text)) != query.text:
        query = replace(query, text=text)
    flown_to = airports(world, query, MatchConfidence.EXACT)
    # If an airport is meant, no result needs to resemble its name.
    found = _find(areas, world, query, STAGES[:1] if flown_to else STAGES) + _places_named_so(areas, query)
    own = [each for finder in world for each in named(finder, query)]
    if titled := _without_title(areas, world, query, [*found, *own]):
        return titled
    related = without_strangers(list(without_unrelated(found, query)), query.text)
    likely = by_fame(list(favoured([*related, *own], areas)))
    found_once = distinct(_best(likely), max(query.limit, _COMPARED))
    answers = (_answer(each, found_once, query, world) for each in found_once[: query.limit])
    return (*flown_to, *answers)[: query.limit]


def _without_title(
    areas: Sequence[Finder], world: Sequence[Finder], query: ForwardQuery, found: Sequence[RankedEntry]
) -> tuple[Address, ...]:
    """Return the cities or states that a query names with a title, unless something is called so as a whole.

    The City of Industry is called so, but the City of Denver is not Denver City.
    """
    for titled in without_title(query):
        named = list(_named_wholly(areas, world, titled.query))
        entries = [each.entry for each in named]
        if any(is_called_so(titled, each.entry, entries) for each in found):
            return ()
        if named:
            ranked = sorted(by_fame(list(favoured(named, areas))), key=_order)
            found_once = distinct(ranked, max(query.limit, _COMPARED))
            return tuple(_answer(each, found_once, titled.query, world) for each in found_once[: query.limit])
    return ()


def _named_wholly(areas: Sequence[Finder], world: Sequence[Finder], query: ForwardQuery) -> Iterator[RankedEntry]:
    """Yield the entries whose whole names are asked for, as written."""
    for reading, words in _understood(query.text):
        for finder in (*areas, *world):
            for each in search(STAGES[0], finder, reading, words, query):
                if each.complete and each.match.name_share > _WHOLE:
                    yield each


def _places_named_so(areas: Sequence[Finder], query: ForwardQuery) -> list[RankedEntry]:
    """Return the places of areas whose names have all the words of a query that do not name their surroundings.

    The name may contain a number that reads like a house number, or words that read like a unit.
    """
    if Layer.PLACE not in query.layers:
        return []
    places = replace(query, layers=frozenset({Layer.PLACE}))
    readings = _understood(query.text, has_units=False)
    found = (
        each
        for reading, words in readings
        for finder in areas
        for each in search(STAGES[0], finder, reading, words, places)
    )
    return list(filter(_is_named, found))


def _answer(found: RankedEntry, among: Sequence[RankedEntry], query: ForwardQuery, world: Sequence[Finder]) -> Address:
    is_only = sum(each.complete and each.match.name_share >= WHOLE_NAME for each in among) == 1
    confidence = found.confidence(is_only=is_only, has_rival=any(map(found.rivals, among)))
    context = found.house.context if found.house else found.entry.context
    if confidence is not MatchConfidence.FALLBACK:
        read = frozenset(word.text for word in found.words)
        is_doubtful = lacks_city(found, world) or takes_direction_of_city(found)
        if is_doubtful or is_outside(query.text, read, found.entry, context):
            confidence = MatchConfidence.FALLBACK
    return found.address(query.language, confidence, None)


def _position(areas: Sequence[Finder], world: Sequence[Finder], query: ForwardQuery) -> Point | None:
    """Return the position that a query consists of, or None.

    A short plus code is resolved to its position nearest to the place that follows it.
    """
    short = short_code(query.text)
    if short is None:
        return position_in(query.text)
    places = forward(areas, world, ForwardQuery(text=short.place, layers=COARSE, countries=query.countries, limit=1))
    return short.near(places[0].point) if places else None


def as_typed(_: Finder, words: tuple[QueryWord, ...]) -> tuple[QueryWord, ...]:
    """Return the words unchanged, without looking for misspellings."""
    return words


def _unknown_resemble(finder: Finder, words: tuple[QueryWord, ...]) -> tuple[QueryWord, ...]:
    return tuple(word if finder.knows(word) else finder.with_typos(word) for word in finder.respaced(words))


def _all_resemble(finder: Finder, words: tuple[QueryWord, ...]) -> tuple[QueryWord, ...]:
    return tuple(finder.with_typos(word) for word in words)


def _with_all(
    finder: Finder, words: tuple[QueryWord, ...], kinds: frozenset[str], _: tuple[QueryWord, ...]
) -> list[Entry]:
    return finder.entries(finder.all_of(words, _LOOKED_AT, kinds))


STAGES: Final = (
    Stage(as_typed, _with_all),
    Stage(_unknown_resemble, _with_all),
    Stage(as_typed, Finder.candidates),
    Stage(_all_resemble, Finder.candidates),
)
"""Stages of the search, from quick and certain to slow and guessed; the first that answers the query ends it."""


def _find(
    areas: Sequence[Finder], world: Sequence[Finder], query: ForwardQuery, stages: Sequence[Stage]
) -> list[RankedEntry]:
    readings = _understood(query.text)
    first, _ = readings[0]
    found: list[RankedEntry] = []

    def is_house(each: RankedEntry) -> bool:
        return _is_answer(each) and not is_stranger(each, query.text)

    for stage in stages:
        for understood in readings:
            found += _in_areas(stage, areas, world, understood, query)
            if understood[0].number is not None and any(map(is_house, found)):
                return found
        if first.number and (streets := _named_streets(found, first)):
            # The street exists, though not the number, so only its houses in the next town may be meant.
            return found + _next_door(streets, areas, readings, query, stage)
        if stage is STAGES[2]:
            found = [_before_code(each, first) for each in found]
            if on_line := _on_line(found, areas, readings, query):
                # If that contradicts the rest of the query, look the named place up in the world pack.
                return located(on_line, areas, world, query, at_last=False) or on_line
        if stage is not STAGES[-1] or not found:
            found += _in_world(stage, world, readings, query)
        if stage is STAGES[0]:
            found += (each for finder in (*areas, *world) for each in by_signs(finder, query))
        if any(map(_is_answer, found)):
            return found
        at_last = stage is STAGES[-1]
        # Before all words are treated as misspelled: results that the query contradicts need no further search.
        if stage in STAGES[2:] and (named := located(found, areas, world, query, at_last=at_last)) is not None:
            return named
    return found


def _on_line(
    found: list[RankedEntry], areas: Sequence[Finder], readings: Iterable[_Understood], query: ForwardQuery
) -> list[RankedEntry]:
    """Return the results if the street asked for is among them, else the houses on streets that are misspelled."""
    if any(each.is_at_line for each in found):
        return found
    for reading, words in readings:
        if houses := list(misspelled_houses(areas, reading, words, query)):
            return houses
    return []


def _understood(text: str, *, has_units: bool = True) -> list[_Understood]:
    """Return the ways to read a query, the likeliest first, with the words of each."""
    code = code_in(text)
    return [(reading, query_words(reading.words, code=code)) for reading in read_query(text, has_units=has_units)]


def _in_areas(
    stage: Stage,
    areas: Sequence[Finder],
    world: Sequence[Finder],
    understood: _Understood,
    query: ForwardQuery,
) -> Iterator[RankedEntry]:
    """Yield the entries of areas for one reading.

    Once words may be misspelled, entries in a town of another name are left out.
    """
    reading, words = understood
    for finder in areas:
        for each in search(stage, finder, reading, words, query):
            if not is_called_after_city(each) and (stage is STAGES[0] or not lies_elsewhere(each, world)):
                yield each


def _in_world(
    stage: Stage, world: Sequence[Finder], readings: Iterable[_Understood], query: ForwardQuery
) -> Iterator[RankedEntry]:
    """Yield the entries of the world pack for all readings."""
    for reading, words in readings:
        for finder in world:
            yield from search(stage, finder, reading, words, query)


def _named_streets(found: Iterable[RankedEntry], reading: Reading) -> list[Entry]:
    """Return the streets asked for by nearly their whole names, beside the number if there are commas.

    Brooklyn, NY 11206 does not ask for Brooklyn Bridge.
    """
    return [each.entry for each in found if each.match.complete and _is_named_street(each, reading)]


def _next_door(
    streets: Sequence[Entry],
    areas: Sequence[Finder],
    readings: Iterable[_Understood],
    query: ForwardQuery,
    found_in: Stage,
) -> list[RankedEntry]:
    """Return the houses with that number on streets of the same name beyond the town's edge, near the streets found.

    People call the whole university Vancouver, although it lies outside the city.
    """
    called = {street.folded for street in streets}
    boxes = [_box_of(street) for street in streets]

    def bring_up(
        finder: Finder, words: tuple[QueryWord, ...], kinds: frozenset[str], beside: tuple[QueryWord, ...]
    ) -> list[Entry]:
        named = [number for name in called for number in finder.all_of(query_words(name.split()), _LOOKED_AT, _STREETS)]
        entries = (*finder.candidates(words, kinds, beside), *finder.entries(list(dict.fromkeys(named))))
        return list({entry.document: entry for entry in entries}.values())

    stage = Stage(found_in.prepare, bring_up)
    return [
        each
        for understood in readings
        for each in _in_areas(stage, areas, (), understood, query)
        if each.house is not None
        and (each.is_at_line or each.entry.folded in called)
        and any(_away_m(each.house.point, box) <= _NEXT_DOOR_M for box in boxes)
    ]


def _box_of(street: Entry) -> Bounds:
    sql = "SELECT west, south, east, north FROM street_boxes WHERE id = ?"
    west, south, east, north = street.gazetteer.rows(sql, street.ref)[0]
    return west, south, east, north


def _away_m(point: Point, box: Bounds) -> float:
    west, south, east, north = box
    nearest = Point(min(max(point.longitude, west), east), min(max(point.latitude, south), north))
    return metres_between(point, nearest)


def _before_code(found: RankedEntry, reading: Reading) -> RankedEntry:
    """Return the entry with a higher score if it is the street asked for and only its postal code differs.

    It then comes before entries that have that code.
    """
    is_it = found.house is None and reading.number is not None and _is_named_street(found, reading)
    if not is_it or found.match.complete:
        return found
    known = found.entry.named | found.entry.around
    wrong = [word.text for word in found.words if word.is_significant and not word.quality_among(known)]
    if not all(len(text) >= _LEAST_CODE and text.isdigit() for text in wrong):
        return found
    return replace(found, score=found.score + _BEFORE_CODE, is_at_line=True)


def _is_named_street(found: RankedEntry, reading: Reading) -> bool:
    is_whole = found.entry.kind == "street" and found.match.name_share >= WHOLE_NAME
    return is_whole and is_on_line(found.entry, reading.line, found.words)


def _is_answer(found: RankedEntry) -> bool:
    # West Park Avenue in College Heights is not West College Avenue, though it has all the words.
    return found.match.complete and found.number_answered and is_on_line(found.entry, found.line, found.words)


def _best(found: Iterable[RankedEntry]) -> list[RankedEntry]:
    ranked = sorted(found, key=_order)
    if not ranked:
        return []
    least = ranked[0].score * NEARLY
    complete = ranked[0].complete
    return [each for each in ranked if _is_named(each) or (each.score >= least and (each.complete or not complete))]


def _is_named(found: RankedEntry) -> bool:
    """Return whether an entry is a place whose whole name is asked for; a stop may be named like a house."""
    return found.entry.kind == "place" and found.complete and found.match.name_share > _WHOLE


def _order(found: RankedEntry) -> tuple[float, str, int]:
    return (-round(found.score, 9), found.entry.kind, found.entry.document)


def at_position(
    areas: Sequence[Finder], world: Sequence[Finder], query: ForwardQuery, point: Point
) -> tuple[Address, ...]:
    """Return the addresses at a position that was searched for, never as exact matches."""
    reverse_query = ReverseQuery(point=point, layers=query.layers, language=query.language, limit=query.limit)
    return tuple(
        replace(each, confidence=MatchConfidence.FALLBACK, distance_m=None)
        for each in reverse(areas, world, reverse_query)
        if not query.countries or each.country_code in query.countries
    )
