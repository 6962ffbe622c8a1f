"""Ranking of the entries that match a query: found, scored and deduplicated."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from msgspec import Struct

from engine.domain.addresses.address import (
    Address,
    AddressLanguage,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
    MatchConfidence,
)
from engine.domain.values import replace
from engine.gazetteer.reader import AddressContext, NamedDivision
from engine.gazetteer.text import fold, spellings, split_words
from engine.geo.earth import distance_m
from engine.geocoding.search.answers import division_address, place_address, street_address
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.entries import LARGE_CITY, Entry, kinds_of
from engine.geocoding.search.houses import SAME_HOUSE_M, HouseFound, find_numbers, has_other_extension, with_unit
from engine.geocoding.search.matching import Match, QueryWord, Question, is_written
from engine.geocoding.search.parsing import Reading

LEAST_SCORE: Final = 0.45
"""Minimum match score of an entry that is shown."""

WHOLE_NAME: Final = 0.75
"""Share of a name that must be asked for, so that only the type or a direction may be missing."""

_HOUSE_WORTH: Final = {MatchConfidence.EXACT: 0.3, MatchConfidence.INTERPOLATED: 0.2}
_NO_HOUSE: Final = -0.15
_PARTLY: Final = 0.25
_OF_STREET: Final = 0.2
RANK_SHARE: Final = 0.05
_SAME_PLACE_M: Final = 30_000.0
_SAME_CITY_M: Final = 3_000.0
_SAME_HOUSE_M: Final = 100.0
_LOCAL_WORTH: Final = 0.02
_CITY_WORTH: Final = 0.008
_MISSPELLED_WORTH: Final = 0.05
_OF_POST: Final = 0.03
"""Deduction for a city that the post accepts for the postal code, so that a house in the city itself comes first."""

_OFF_LINE: Final = 0.15
"""Deduction for a street that matches no word beside the number, between the same commas."""

_AT_LINE: Final = 0.15
"""Bonus for a house on a street with exactly that name."""

_DIRECTED: Final = re.compile(" [nesw]$", re.IGNORECASE)
"""The end of a number whose letter may be a direction."""

_LEAST_CODE: Final = 4
"""Minimum length of a postal code in which a typing error is looked for."""

_SLIP_WORTH: Final = 0.03
"""Bonus if the postal code differs from a word of the query by one digit."""


class RankedEntry(Struct, frozen=True):
    """An entry that the query may mean, with its `words` as they were understood.

    `number_answered` is also true if no number was asked for. `is_local` marks an entry of an area in use. `line` holds
    the words between the same commas as the house number. `is_at_line` marks a house on a street with exactly that
    name, or the street itself without the house.
    """

    entry: Entry
    match: Match
    score: float
    house: HouseFound | None
    number_answered: bool
    words: tuple[QueryWord, ...]
    is_local: bool = False
    line: frozenset[str] = frozenset()
    is_at_line: bool = False

    @property
    def complete(self) -> bool:
        """Whether every word is matched as written, and the number too."""
        return self.match.exact and self.number_answered

    def confidence(self, *, is_only: bool, has_rival: bool = False) -> MatchConfidence:
        """Return the confidence of the match; `is_only` is true if no other entry matches as completely.

        `has_rival` is true if another house, elsewhere, has the same address.
        """
        whole = self.match.name_share > 0.999 or (is_only and self.match.name_share >= WHOLE_NAME)
        if not (self.complete and whole) or not _matches_surroundings(self):
            return MatchConfidence.FALLBACK
        if self.house is None:
            return MatchConfidence.EXACT
        return self.house.confidence if self.house.is_only and not has_rival else MatchConfidence.FALLBACK

    def rivals(self, other: "RankedEntry") -> bool:
        """Return whether another house elsewhere has all the words of the query, so that either may be meant."""
        if self.house is None or other.house is None or other.house.confidence is not MatchConfidence.EXACT:
            return False
        is_whole = other.complete and other.match.name_share > 0.999
        if not is_whole or _houses_apart_m(self.house, other.house) <= SAME_HOUSE_M:
            return False
        # Brooklyn is also in New York, but only in the state of that name.
        return other.is_in_city or not self.is_in_city

    @property
    def is_in_city(self) -> bool:
        """Whether the query has all the words of a name of the city that the house is in."""
        city = self.house.context.city if self.house else None
        query_words = {word.text for word in self.words}
        return city is not None and any(
            query_words.issuperset(split_words(name)) for name in (city.name, *city.names.values())
        )

    def address(self, language: AddressLanguage, confidence: MatchConfidence | None, away_m: float | None) -> Address:
        """Return the entry as an address of the result."""
        entry = self.entry
        if entry.kind == "place":
            return place_address(entry, language, confidence=confidence, distance_m=away_m)
        if entry.kind == "street":
            name = entry.names.get(language) or entry.name
            return street_address(
                name, self.house, entry.point, entry.context, language, confidence=confidence, distance_m=away_m
            )
        division = entry.gazetteer.division(entry.ref)
        return division_address(
            division, entry.layer, entry.context, language, confidence=confidence, distance_m=away_m
        )


def shares_its_city(found: RankedEntry, called: frozenset[str]) -> bool:
    """Return whether a word of `called` occurs in the query only as part of the name of a surrounding division.

    New York Avenue, in New York, is not York Avenue.
    """
    query_forms = [word.forms.keys() for word in found.words]
    for word in called:
        if sum(word in forms for forms in query_forms) == 1:
            named = (name for name in _names_with(word, found) if not called.issuperset(name))
            if any(_is_in_query(name, query_forms) for name in named):
                return True
    return False


def _is_in_query(name: Sequence[str], query_forms: Sequence[Collection[str]]) -> bool:
    """Return whether the words of a name are adjacent in a query."""
    starts = range(len(query_forms) - len(name) + 1)
    return any(all(word in forms for word, forms in zip(name, query_forms[at:], strict=False)) for at in starts)


def _matches_surroundings(found: RankedEntry) -> bool:
    """Return whether the words beside the name begin names of its surroundings, as York does not begin New York."""
    beside = [word for word in found.words if word.weight == 1.0 and not word.quality_among(found.entry.named)]
    if not beside or found.entry.kind == "place":
        return True
    called = frozenset(word for name in found.entry.spellings for word in name.words)
    if found.entry.kind == "street" and shares_its_city(found, called):
        return False
    query_forms = frozenset(form for word in found.words for form in word.forms)
    return all(_begins_a_name(word, query_forms, found) for word in beside)


def _begins_a_name(word: QueryWord, query_forms: frozenset[str], found: RankedEntry) -> bool:
    """Return whether a surrounding name with this word is in the query, or no surrounding name has the word."""
    names = [(form, name) for form in word.forms for name in _names_with(form, found)]
    return not names or any(is_written(name, name.index(form), query_forms) for form, name in names)


def _names_with(word: str, found: RankedEntry) -> Iterator[tuple[str, ...]]:
    """Yield the names of an entry's surroundings that contain a word."""
    context = found.house.context if found.house else found.entry.context
    for code in (context.postal_code, context.country_code):
        if code and word in split_words(code):
            yield (word,)
    for city in context.postal_cities:
        if word in (words := tuple(split_words(city))):
            yield words
    for division in context.divisions:
        yield from _names_by_word(division).get(word, ())


@lru_cache(maxsize=1_000)
def _names_by_word(division: NamedDivision) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    found: dict[str, dict[tuple[str, ...], None]] = {}
    names = [name for name in (division.name, division.code, *division.names.values()) if name]
    if division.layer == Layer.LOCALITY:
        # People call Edingen-Neckarhausen by the beginning of its name.
        names += [name.partition("-")[0] for name in names if "-" in name]
    for words in chain.from_iterable(map(spellings, names)):
        for word in words:
            found.setdefault(word, {})[words] = None
    return {word: tuple(names) for word, names in found.items()}


class Stage(Struct, frozen=True):
    """A stage of the search: its treatment of misspelled words, and whether all words must be present.

    With `interpolates`, a house that is not in the data is placed between its neighbours.
    """

    prepare: Callable[[Finder, tuple[QueryWord, ...]], tuple[QueryWord, ...]]
    bring_up: Callable[[Finder, tuple[QueryWord, ...], frozenset[str], tuple[QueryWord, ...]], list[Entry]]
    interpolates: bool = True


def search(
    stage: Stage,
    finder: Finder,
    reading: Reading,
    words: tuple[QueryWord, ...],
    query: ForwardQuery | AutocompleteQuery,
) -> Iterator[RankedEntry]:
    """Yield the entries of one gazetteer that match the words of a query, read in one way."""
    if not words:
        return
    prepared = stage.prepare(finder, words)
    question = Question(prepared)
    matched = [
        (entry, found)
        for entry in stage.bring_up(finder, prepared, kinds_of(query.layers), _beside(prepared, reading))
        if wanted(entry, query.layers, query.countries)
        and (found := question.match(entry.spellings, entry.others, entry.around)).score >= LEAST_SCORE
    ]
    has_houses = reading.number is not None and Layer.ADDRESS in query.layers
    houses = _houses(finder, reading, matched, interpolates=stage.interpolates) if has_houses else {}
    for entry, found in matched:
        house = houses.get(entry.ref) if entry.kind == "street" else None
        judged = judge(entry, found, house, reading, question, is_local=not finder.is_world)
        # A number that is not part of a name still counts as unmatched.
        unanswered = reading.number is None and reading.has_number and not found.complete
        yield replace(judged, score=judged.score + _NO_HOUSE) if unanswered else judged


def wanted(entry: Entry, layers: frozenset[Layer], countries: frozenset[str]) -> bool:
    """Return whether an entry is of one of the layers and in one of the countries (empty for all)."""
    if entry.layer not in layers and entry.finer not in layers:
        return False
    code = entry.code if entry.layer is Layer.COUNTRY else entry.context.country_code
    return not countries or code in countries


def judge(
    entry: Entry, matched: Match, house: HouseFound | None, reading: Reading, question: Question, *, is_local: bool
) -> RankedEntry:
    """Return the ranking of an entry for a query, with the house on it if there is one."""
    words = question.words
    likelier = RANK_SHARE * entry.rank + (_LOCAL_WORTH if is_local else 0.0)
    if not is_on_line(entry, reading.line, words):
        likelier -= _OFF_LINE
    if entry.rank >= LARGE_CITY and entry.part == Layer.LOCALITY:
        # New York means the city rather than the state.
        likelier += _CITY_WORTH
    score = matched.score + likelier
    if entry.kind == "division" and not matched.complete and question.is_of_street(entry.spellings):
        score -= _OF_STREET
    if reading.number is None:
        return RankedEntry(entry, matched, score, None, True, words, is_local)
    if house is None:
        answered = entry.number is not None and fold(entry.number) == fold(reading.number)
        # A suburb named after a street is not the location of a house on that street.
        partly = _PARTLY if entry.kind == "division" and matched.name_share < 0.999 else 0.0
        score += (0 if answered else _NO_HOUSE) - partly
        return RankedEntry(entry, matched, score, None, answered, words, is_local)
    if entry.context is not house.context:
        matched = question.match(entry.spellings, entry.others, _around(entry.context, house.context))
        score = matched.score + likelier
    if any(is_slip(word.text, house.context.postal_code) for word in words):
        score += _SLIP_WORTH
    score -= _OF_POST * _is_only_of_post(entry, house.context, words)
    is_exact = house.confidence is MatchConfidence.EXACT and matched.name_share >= WHOLE_NAME
    at_line = is_exact and _is_called(entry, reading.line, words)
    score += _HOUSE_WORTH[house.confidence] + (_AT_LINE if at_line else 0.0)
    return RankedEntry(entry, matched, score, house, True, words, is_local, reading.line, at_line)


def _is_only_of_post(entry: Entry, context: AddressContext, words: tuple[QueryWord, ...]) -> bool:
    """Return whether only a city that the post accepts for the postal code has a word of the query."""
    if not context.postal_cities:
        return False
    beside = (word for word in words if word.weight == 1.0 and not word.quality_among(entry.named))
    others = (word for word in beside if not word.quality_among(context.own_words))
    return any(word.quality_among(context.postal_words) for word in others)


def _is_called(entry: Entry, line: frozenset[str], words: tuple[QueryWord, ...]) -> bool:
    """Return whether a street's names have all the words beside the number, as written."""
    beside = [word for word in words if word.text in line and word.is_significant]
    return bool(beside) and all(word.quality_among(entry.named) == 1.0 for word in beside)


def is_on_line(entry: Entry, line: frozenset[str], words: tuple[QueryWord, ...]) -> bool:
    """Return whether a street matches a distinctive word beside the number, or the query has no such word."""
    beside = [word for word in words if word.text in line and word.weight == 1.0] if entry.kind == "street" else []
    return not beside or any(word.quality_among(entry.named) > 0 for word in beside)


def _beside(words: tuple[QueryWord, ...], reading: Reading) -> tuple[QueryWord, ...]:
    return tuple(word for word in words if word.text in reading.line)


@lru_cache(maxsize=500)
def _around(street: AddressContext, house: AddressContext) -> frozenset[str]:
    """Return the words around a street and a house on it; the house's postal code takes precedence."""
    if house.postal_code is None or street.postal_code is None:
        return street.words | house.words
    return street.words.difference(street.postal_words) | house.words


def is_slip(word: str, postal_code: str | None) -> bool:
    """Return whether a word differs from a postal code in exactly one digit."""
    code = fold(postal_code).replace(" ", "") if postal_code else ""
    if len(code) != len(word) or len(code) < _LEAST_CODE:
        return False
    different = [(one, other) for one, other in zip(word, code, strict=True) if one != other]
    return len(different) == 1 and all(char.isdigit() for char in different[0])


def _houses(
    finder: Finder, reading: Reading, matched: list[tuple[Entry, Match]], *, interpolates: bool
) -> dict[int, HouseFound]:
    """Return the houses with the number asked for, by street."""
    streets = [(entry, found.score) for entry, found in matched if entry.kind == "street"]
    if not streets or reading.number is None:
        return {}
    streets.sort(key=lambda pair: -pair[1])
    countries, around = {entry.ref: entry.context.country_code for entry, _ in streets}, frozenset(reading.words)
    # 196 E Houston Street is in the east rather than between numbers of the western street.
    interpolates = interpolates and not reading.is_joined and _DIRECTED.search(reading.number) is None
    houses = find_numbers(finder.gazetteer, countries, reading.number, around=around, interpolates=interpolates)
    if reading.unit is not None:
        for street, house in houses.items():
            if house.id is not None and with_unit(finder.gazetteer, house.id, reading.unit):
                houses[street] = replace(house, unit=reading.unit)
    if reading.code_extension is not None:
        for street, house in houses.items():
            if house.id is not None and has_other_extension(finder.gazetteer, house.id, reading.code_extension):
                houses[street] = replace(house, is_only=False)
    return houses


def by_signs(finder: Finder, query: ForwardQuery | AutocompleteQuery) -> Iterator[RankedEntry]:
    """Yield the entries whose names contain the query anywhere, for scripts without spaces between words."""
    documents = finder.signs(query.text, query.limit)
    for entry in finder.entries(documents) if documents else ():
        if wanted(entry, query.layers, query.countries):
            share = len(query.text) / max(len(name) for name in (entry.name, *entry.names.values()))
            matched = Match(0.5 + 0.4 * min(share, 1.0), True, False, min(share, 1.0))
            score = matched.score + RANK_SHARE * entry.rank
            yield RankedEntry(entry, matched, score, None, True, (), not finder.is_world)


def distinct(found: Iterable[RankedEntry], limit: int) -> list[RankedEntry]:
    """Return the first entries without duplicates, in their order."""
    kept: list[RankedEntry] = []
    for each in found:
        at = next((at for at, other in enumerate(kept) if _same(each, other)), None)
        if at is None:
            kept += [each] if len(kept) < limit else []
        elif each.is_local and not kept[at].is_local:
            # An area has more precise data than the world pack.
            kept[at] = each
    return kept


def favoured(found: Iterable[RankedEntry], areas: Sequence[Finder]) -> Iterator[RankedEntry]:
    """Yield the entries, with states of the areas' countries from the world pack scored as if an area had them.

    A state does not precede a city of its name that comes first elsewhere: New York, Washington. A misspelled name is
    rather that of a division of an area than that of one elsewhere.
    """
    every = list(found)
    cities: dict[tuple[str, str | None], float] = {}
    for each in every:
        if each.entry.part == Layer.LOCALITY:
            name = each.entry.folded
            key = (
                name.removesuffix(" city") if each.entry.rank >= LARGE_CITY else name,
                each.entry.context.country_code,
            )
            cities[key] = max(each.score, cities.get(key, 0.0))
    countries = frozenset(code for finder in areas for code in finder.countries)
    for each in every:
        code = each.entry.context.country_code
        if each.entry.layer is not Layer.STATE:
            yield replace(each, score=each.score + _MISSPELLED_WORTH) if _is_misspelled_here(each) else each
            continue
        score = each.score - (_LOCAL_WORTH if each.is_local else 0.0)
        if score < cities.get((each.entry.folded, code), 0.0):
            yield replace(each, score=score, is_local=False)
        elif code in countries and not each.is_local:
            yield replace(each, score=score + _LOCAL_WORTH)
        else:
            yield each


def _is_misspelled_here(found: RankedEntry) -> bool:
    match = found.match
    is_whole = match.complete and match.name_share >= WHOLE_NAME and not match.exact
    return found.is_local and found.entry.kind == "division" and is_whole and found.number_answered


def _same(one: RankedEntry, other: RankedEntry) -> bool:
    a, b = one.entry, other.entry
    if a is b:
        return (one.house and one.house.number) == (other.house and other.house.number)
    if a.layer is not b.layer or a.kind != b.kind or a.kind == "place":
        return a.place_id is not None and a.place_id == b.place_id
    if a.kind == "division":
        return _is_one_division(one, other)
    return a.folded == b.folded and _is_one_address(one, other)


def _is_one_division(one: RankedEntry, other: RankedEntry) -> bool:
    a, b = one.entry, other.entry
    if a.layer in (Layer.COUNTRY, Layer.STATE) and a.code:
        return a.code == b.code and a.context.country_code == b.context.country_code
    is_of_two_sources = one.is_local is not other.is_local and a.part == b.part
    if is_of_two_sources and a.is_also_called(b) and _apart_m(a, b) < _SAME_CITY_M:
        # The world pack's "New York City" is New York in OpenStreetMap.
        return True
    is_one_kind = a.gazetteer is b.gazetteer and a.part == b.part
    return a.folded == b.folded and _apart_m(a, b) < (_SAME_CITY_M if is_one_kind else _SAME_PLACE_M)


def _is_one_address(one: RankedEntry, other: RankedEntry) -> bool:
    """Return whether two streets with the same name, or the houses on them, are the same."""
    if one.house and other.house:
        return one.house.number == other.house.number and _houses_apart_m(one.house, other.house) < _SAME_HOUSE_M
    return one.house is None and other.house is None and _apart_m(one.entry, other.entry) < _SAME_HOUSE_M


def _apart_m(a: Entry, b: Entry) -> float:
    return distance_m(a.point.longitude, a.point.latitude, b.point.longitude, b.point.latitude)


def _houses_apart_m(a: HouseFound, b: HouseFound) -> float:
    return distance_m(a.point.longitude, a.point.latitude, b.point.longitude, b.point.latitude)
