"""Contradictions between the location in a query and that of its results.

A query for Downing Street in London does not mean the one in New York. If no result has every word, the words that no
name matches are looked up. If they name a city, state or country far from the results, that becomes the result. A
nearby city, as the post or neighbours would name it, is no contradiction, nor is any city beside the postal code of a
house.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from engine.domain.addresses.address import ForwardQuery, Layer, MatchConfidence
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.gazetteer.text import split_words
from engine.geo.earth import metres_between
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.entries import LARGE_CITY, Entry
from engine.geocoding.search.matching import PREFIX_QUALITY, QueryWord, Question, query_words
from engine.geocoding.search.parsing import read_query
from engine.geocoding.search.ranking import RANK_SHARE, WHOLE_NAME, RankedEntry, is_slip, wanted
from engine.geocoding.search.wording.claims import code_in

_NEAR_M: Final = {Layer.LOCALITY: 30_000.0, Layer.COUNTY: 80_000.0, Layer.POSTAL_CODE: 30_000.0}
"""Maximum distance between an entry and the centre of the division in which a query places it, in metres."""

_NEIGHBOURHOOD_M: Final = 3_000.0
"""Maximum distance in metres to the neighbourhood that something is said to be in."""

_WELL_KNOWN: Final = 0.75
"""Rank of a city of some hundred thousand inhabitants, which is not written by mistake."""

_LARGE_M: Final = 20_000.0
"""Additional distance for the largest cities, in metres."""

_KNOWN: Final = 0.64
"""The rank of a locality of ten thousand inhabitants. A single word seldom means a smaller one."""

_PART_OF_ANY: Final = frozenset(
    {
        *("altstadt", "center", "centrale", "central", "centre", "centro", "centrum", "city", "downtown", "innenstadt"),
        *("midtown", "stadtmitte", "uptown", "zentrum"),
    }
)
"""Names for parts of any city. A query with Midtown does not mean the one in Tennessee."""

_CODE: Final = 2
"""Length of a state code."""

_LOOKED_AT: Final = 20
_KEPT: Final = 5_000
_KINDS: Final = frozenset({"division"})
_CALLED: Final = frozenset({"division", "place"})
_INSTEAD: Final = 0.2
"""Bonus for a division that the words name, so that it precedes entries that match only some of them."""
_LIKELIER: Final = {Layer.LOCALITY: 0.05, Layer.POSTAL_CODE: 0.1}
"""Bonus of a city over a state of the same name, since addresses are in a city, and of its postal code over the city.
"""

type _Words = tuple[QueryWord, ...]


def located(
    found: list[RankedEntry], areas: Sequence[Finder], world: Sequence[Finder], query: ForwardQuery, *, at_last: bool
) -> list[RankedEntry] | None:
    """Return the results that the query's words do not contradict, and the divisions that these words name.

    Returns None if the words neither contradict the results nor confirm that the best one is a house near the division
    that they name. With `at_last`, when no further search follows, the city is also returned if there is no street to
    contradict.
    """
    places = _Places((*areas, *world), query.text)
    kept: list[RankedEntry] = []
    instead: list[RankedEntry] = []
    most: _Words = ()
    for each in sorted(found, key=lambda each: -each.score):
        words, named = places.named_by_rest(each)
        if not named or _lies_in_one(named, each) or places.is_mistaken(named, each):
            if named and not kept and each.house is not None:
                return found
            kept.append(each)
        elif _total_weight(words) > _total_weight(most) and not any(_is_of_name(words, other) for other in kept):
            # "Springfield, IL" says more than the "IL" that is left of it next to Springfield Circle.
            most, instead = words, places.found(named, each.words)
    if instead or (at_last and all(each.entry.kind == "division" for each in kept)):
        instead = places.named_at_end(query, most) or instead
    if not instead:
        return None
    instead = _ranked_behind_contained(instead, kept)
    return kept + [each for each in instead if wanted(each.entry, query.layers, query.countries)]


def _lies_in_one(named: Sequence[Entry], found: RankedEntry) -> bool:
    return _has_code(found) or any(_holds(entry, found) for entry in named)


def _ranked_behind_contained(instead: list[RankedEntry], kept: Sequence[RankedEntry]) -> list[RankedEntry]:
    """Return the named divisions, ranked behind a remaining entry in one of them, which is closer to the query.

    Divisions of the same name elsewhere are then left out.
    """
    left = [each for each in kept if each.entry.kind != "division"]
    around = [(each, max(there)) for each in instead if (there := [o.score for o in left if _holds(each.entry, o)])]
    return [replace(each, score=min(each.score, best) - _INSTEAD) for each, best in around] or instead


def is_near_division(finder: Finder, words: _Words, point: Point) -> bool:
    """Return whether a division near a position has nearly the whole name that is asked for."""
    question = Question(words)
    for entry in finder.entries(finder.all_of(words, _LOOKED_AT, _KINDS)):
        if metres_between(entry.point, point) <= _NEIGHBOURHOOD_M:
            match = question.match(entry.spellings, entry.others, entry.around)
            if match.complete and match.name_share >= WHOLE_NAME:
                return True
    return False


def lies_elsewhere(found: RankedEntry, world: Sequence[Finder]) -> bool:
    """Return whether a word that only resembles an entry's surroundings is the name of a town far from it.

    The Hauptstraße in Edingen is not the one in Ehingen.
    """
    if found.match.exact or found.entry.kind == "division":
        return False
    around = found.house.context.words if found.house else found.entry.around
    for word in found.words:
        likeness = word.quality_among(around)
        if word.quality_among(found.entry.named) < likeness < PREFIX_QUALITY:
            towns = [entry for finder in world for entry in remembered(finder, query_words((word.text,)))]
            known = [entry for entry in towns if not _is_small(entry)]
            if known and not any(_holds(entry, found) for entry in known):
                return True
    return False


def _is_of_name(words: _Words, found: RankedEntry) -> bool:
    """Return whether the words are part of the name of a street: the Rua de Santa Catarina is not in Santa Catarina."""
    return found.entry.kind != "division" and all(word.quality_among(found.entry.named) > 0 for word in words)


def _total_weight(words: _Words) -> float:
    return sum(word.weight for word in words)


def _as_found(entry: Entry, words: _Words, *, is_local: bool) -> RankedEntry:
    """Return a division that the query names as a result, although it does not match the other words."""
    match = Question(words).match(entry.spellings, entry.others, entry.around)
    score = match.score + RANK_SHARE * entry.rank + _INSTEAD
    # Texas means the state rather than a village.
    likelier = 0.0 if _is_small(entry) else _LIKELIER.get(entry.layer, 0.0)
    return RankedEntry(entry, match, score + likelier, None, False, words, is_local)


class _Places:
    """The divisions that words name."""

    def __init__(self, finders: Sequence[Finder], text: str) -> None:
        self._finders = finders
        self._by_gazetteer = {id(finder.gazetteer): finder for finder in finders}
        every = [split_words(part) for part in text.split(",")]
        parts = [tuple(word for word in part if not _has_digit(word)) for part in every]
        self._parts = tuple(dict.fromkeys(parts)) if len(parts) > 1 else ()
        self._begins = frozenset(part[0] for part in self._parts if part)
        self._has_digit = _has_digit(text)

    def named_by_rest(self, found: RankedEntry) -> tuple[_Words, list[Entry]]:
        """Return the words that an entry does not match but that name divisions, and these divisions."""
        if found.match.complete or found.entry.kind == "division":
            return (), []
        rest, has_answered = _rest(found)
        if _is_only_slip(rest, found):
            return (), []
        begins = self._begins if found.is_at_line else frozenset()
        for words in (*_attempts(rest, has_answered=has_answered), *self._whole_parts(rest, has_answered=has_answered)):
            # Hotel Panorama before a house does not refer to Panorama in Brazil.
            if begins and words[0].text not in begins:
                continue
            of_any_size = not has_answered and self._stands_apart(words, found) and not self._is_here(words, found)
            if named := [*self._all(words, of_any_size=of_any_size), *self._codes(words, rest)]:
                return words, named
        return (), []

    def is_mistaken(self, named: Sequence[Entry], found: RankedEntry) -> bool:
        """Return whether divisions are named by mistake: towns whose name resembles that of one nearby."""
        is_street = found.entry.kind == "street" and found.match.name_share >= WHOLE_NAME
        if not (is_street and found.is_local) or any(map(_is_well_known, named)):
            return False
        finder = self._by_gazetteer[id(found.entry.gazetteer)]
        rest = tuple(finder.with_any_slip(word) for word in _rest(found)[0] if not _has_digit(word.text))
        return is_near_division(finder, rest, found.house.point if found.house else found.entry.point)

    def _whole_parts(self, rest: _Words, *, has_answered: bool) -> Iterator[_Words]:
        """Yield the parts between commas before the street, if no other words state its location."""
        for part in self._parts if not has_answered else ():
            words = tuple(word for word in rest if word.text in part)
            if words and tuple(word.text for word in words) == part:
                yield words

    def _stands_apart(self, words: _Words, found: RankedEntry) -> bool:
        """Return whether words are in the usual position of a city: between commas, at the end, or before a street."""
        if self._parts:
            return tuple(word.text for word in words) in self._parts
        others = tuple(word for word in found.words if not _has_digit(word.text))
        return others[-len(words) :] == words or (not self._has_digit and others[: len(words)] == words)

    def _is_here(self, words: _Words, found: RankedEntry) -> bool:
        """Return whether an entry in the same area has this name, which is more likely meant than a village far away.

        A place must begin with the name: Merrill is not Todd Merrill Studio.
        """
        finder = self._by_gazetteer[id(found.entry.gazetteer)]
        if not all(finder.has_named(word, _CALLED) for word in words):
            return False
        entries = finder.entries(finder.all_of(words, _LOOKED_AT, _CALLED))
        return any(entry.kind == "division" or _begins_so(entry, words) for entry in entries)

    def named_at_end(self, query: ForwardQuery, most: _Words) -> list[RankedEntry]:
        """Return the divisions that the last words of a query name, if these say more than the words already found.

        The end of a street's name does not count if the city is written before the street.
        """
        words, named = self._last_named(query)
        is_more = {word.text for word in words}.issuperset(word.text for word in most)
        return named if is_more and _total_weight(words) > _total_weight(most) else []

    def _last_named(self, query: ForwardQuery) -> tuple[_Words, list[RankedEntry]]:
        """Return the last words of a query that name divisions, and these divisions."""
        words = query_words(read_query(query.text)[0].words, code=code_in(query.text))
        for last in _attempts(words, has_answered=False):
            if named := self._all(last):
                begin = next(at for at, word in enumerate(words) if word is last[0])
                found = self.found([*named, *self._codes(last, words[begin:])], words)
                return last, found
        return (), []

    def found(self, named: Sequence[Entry], words: _Words) -> list[RankedEntry]:
        """Return divisions as results."""
        here = {id(finder.gazetteer) for finder in self._finders if not finder.is_world}
        return [_as_found(entry, words, is_local=id(entry.gazetteer) in here) for entry in named]

    def _codes(self, words: _Words, rest: _Words) -> list[Entry]:
        """Return the postal codes among all the words that lie in a division named by some of them."""
        if len(words) == len(rest):
            return []
        return [entry for entry in self._all(rest) if entry.layer is Layer.POSTAL_CODE]

    def _all(self, words: _Words, *, of_any_size: bool = False) -> list[Entry]:
        named = [(finder, entry) for finder in self._finders for entry in remembered(finder, words)]
        if len(words) > 1:
            return [entry for _, entry in named]
        if words[0].text in _PART_OF_ANY:
            return [entry for finder, entry in named if not (finder.is_world and entry.layer is Layer.LOCALITY)]
        return [entry for finder, entry in named if of_any_size or not (finder.is_world and _is_small(entry))]


def _begins_so(entry: Entry, words: _Words) -> bool:
    return any(
        len(name.words) >= len(words) and all(own in word.forms for own, word in zip(name.words, words, strict=False))
        for name in entry.spellings
    )


def _rest(found: RankedEntry) -> tuple[_Words, bool]:
    """Return the words that the name does not match, and whether the surroundings match any of them.

    No words are returned if the surroundings match all of them.
    """
    own = Counter(word for name in found.entry.spellings[:1] for word in name.words)
    for name in found.entry.spellings[1:]:
        own |= Counter(name.words)
    around = found.entry.around | (found.house.context.words if found.house else frozenset())
    rest = []
    for word in found.words:
        form = next((form for form in word.forms if own[form] > 0), None)
        if form is None:
            rest.append(word)
        else:
            own[form] -= 1
    answered = [(word, word.quality_among(around) > 0) for word in rest if word.is_significant]
    # A location in the East Village does not confirm a street that is not the eastern one.
    has_answered = any(is_there and (word.weight == 1.0 or len(word.text) == _CODE) for word, is_there in answered)
    return (() if all(is_there for _, is_there in answered) else tuple(rest)), has_answered


def _has_code(found: RankedEntry) -> bool:
    """Return whether a query has the number, the street and the postal code of a house, though perhaps another city."""
    code = found.house.context.postal_code if found.house else None
    if code is None or found.house is None or found.house.confidence is not MatchConfidence.EXACT:
        return False
    written = {word.text for word in found.words}
    return found.match.name_share >= WHOLE_NAME and written.issuperset(split_words(code))


def _is_only_slip(rest: _Words, found: RankedEntry) -> bool:
    """Return whether only the postal code of a house does not match, and differs by one digit."""
    code = found.house.context.postal_code if found.house else None
    return bool(rest) and all(is_slip(word.text, code) for word in rest)


def _attempts(rest: _Words, *, has_answered: bool) -> Iterator[_Words]:
    """Yield the words that may name a place: all except postal codes, then fewer and fewer of the last words.

    If the surroundings match one of them, only all words together can contradict that.
    """
    texts = tuple(word for word in rest if not _has_digit(word.text)) or rest
    for begin in range(min(1, len(texts)) if has_answered else len(texts)):
        # At least one word must be distinctive, since there is a town named Street.
        if any(word.weight == 1.0 for word in texts[begin:]):
            yield texts[begin:]


def remembered(finder: Finder, words: _Words) -> tuple[Entry, ...]:
    """Return the divisions that words name wholly; cached, since the same towns are looked up repeatedly."""
    key = ("named", *((word.text, len(word.forms), word.weight) for word in words))
    named = finder.memory.get(key)
    if not isinstance(named, tuple):
        if len(finder.memory) > _KEPT:
            finder.memory.clear()
        named = finder.memory[key] = tuple(_named(finder, words))
    return named


def _named(finder: Finder, words: _Words) -> Iterator[Entry]:
    question = Question(words)
    for entry in finder.entries(finder.all_of(words, _LOOKED_AT, _KINDS)):
        found = question.match(entry.spellings, entry.others, entry.around)
        if found.complete and found.exact and found.name_share > 0.999:
            yield entry


def _is_small(entry: Entry) -> bool:
    return entry.layer is Layer.LOCALITY and entry.rank < _KNOWN


def _is_well_known(entry: Entry) -> bool:
    return entry.layer is not Layer.LOCALITY or entry.rank >= _WELL_KNOWN


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _holds(entry: Entry, found: RankedEntry) -> bool:
    """Return whether an entry may be said to lie in a division: near a town, or in the state or country."""
    context = found.house.context if found.house else found.entry.context
    if entry.layer is Layer.COUNTRY:
        return entry.code == context.country_code
    if entry.layer is Layer.STATE:
        state = context.state
        return state is not None and (entry.code, entry.context.country_code) == (state.code, context.country_code)
    within_m = _NEAR_M[entry.layer] + (_LARGE_M if entry.rank >= LARGE_CITY else 0.0)
    return metres_between(entry.point, found.house.point if found.house else found.entry.point) <= within_m
