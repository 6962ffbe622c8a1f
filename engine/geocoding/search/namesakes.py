"""Removal of unlikely results: places of the world sharing only a word with a query, and small namesakes of cities."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from engine.domain.addresses.address import ForwardQuery, Layer
from engine.domain.values import replace
from engine.gazetteer.abbreviations import ENDINGS
from engine.gazetteer.text import STREET_TYPES, split_words
from engine.geocoding.search.entries import CODED_STATES, LARGE_CITY
from engine.geocoding.search.matching import PREFIX_QUALITY, QueryWord, Question, names_of
from engine.geocoding.search.ranking import WHOLE_NAME, RankedEntry, shares_its_city
from engine.geocoding.search.typos import quality_of

_FAME: Final = 1.0
"""Weight of size when several places of the world have the name of the query.

A tenth of the rank is about seven times the inhabitants.
"""

_KNOWN: Final = 0.81
"""Rank of a city of a million inhabitants, which is below the rank of every country."""

_TOWN: Final = 0.69
"""Rank of a town of 35,000 inhabitants."""

_LEAST_NAME: Final = 0.3
"""Share of a name of the world that must be asked for: South Station is not Kriel Power Station."""

_HOUSE_FIRST: Final = re.compile(r"\s*\d{1,3}[a-z]?\s", re.IGNORECASE)
"""The start of an address whose number is too short for a postal code."""

_LARGE: Final = frozenset({Layer.COUNTRY, Layer.STATE})
_CITY_FIRST: Final = 0.001
_CODE: Final = 3
"""Length of the longest country code."""

_FEATURE_NOUNS: Final = frozenset(
    {
        *("beach", "bridge", "fort", "garden", "gardens", "harbor", "island", "lake", "mount", "mountain", "park"),
        *("river", "village"),
    }
)
"""Street types that rather indicate something other than a street: Liberty Island is not Liberty Street."""

_UNSURE: Final = 0.1
"""Deduction for a name of unknown language if another place has exactly this name."""

_MOST_NAME: Final = 0.7
_VILLAGE: Final = 0.3
"""Deduction for a village that shares its name with countries: Korea."""

_COUNTRY_FIRST: Final = 0.02
"""Deduction for a city that shares its name with a country: Mexico."""

type _State = tuple[str | None, str | None]
"""The codes of a country and of one of its states; None for any."""


def by_fame(found: Sequence[RankedEntry]) -> Iterator[RankedEntry]:
    """Yield the entries, with deductions for places of the world that have a larger namesake.

    A city comes before the state of the same name that it is in: Luxembourg, Luxembourg means the city. This does not
    apply to countries whose states are better known.
    """
    named = [each for each in found if _is_named(each)]
    namesakes = _Namesakes(found, named)
    known = [replace(each, score=each.score - namesakes.deduction(each)) for each in named]
    yield from known
    cities = _cities_by_state(known)
    called = set(map(id, named))
    for each in found:
        if id(each) not in called:
            city = _city_of(each, cities) if cities and each.entry.layer is Layer.STATE else None
            yield each if city is None else replace(each, score=min(each.score, city - _CITY_FIRST))


class _Namesakes:
    """Places of the world with the name of the query, compared with the largest of them and with countries."""

    def __init__(self, found: Sequence[RankedEntry], named: Sequence[RankedEntry]) -> None:
        # Cairo, IL is not il Cairo.
        self._is_sure = any(each.match.exact and len(each.words) > 1 for each in named)
        sure = [each for each in named if each.match.exact or not self._is_sure]
        self._largest = max((each.entry.rank for each in sure), default=0.0)
        self._is_country = any(each.entry.layer is Layer.COUNTRY and each.match.name_share > 0.999 for each in found)
        self._is_of_countries = any(map(_is_country, found))

    def deduction(self, place: RankedEntry) -> float:
        """Return how much less likely a place is than its score suggests."""
        less = _FAME * max(self._largest - place.entry.rank, 0.0) + (_COUNTRY_FIRST if self._is_country else 0.0)
        less += _UNSURE if self._is_sure and not place.match.exact else 0.0
        less += _VILLAGE if self._is_of_countries and place.entry.rank < _TOWN else 0.0
        return less


def _cities_by_state(named: Iterable[RankedEntry]) -> dict[_State, float]:
    """Return the scores of cities that come before states of the same name, in countries with lesser-known states."""
    cities: dict[_State, float] = {}
    for each in named:
        if each.entry.rank >= _TOWN and each.entry.context.country_code not in CODED_STATES:
            for state in _states_of(each):
                cities[state] = max(each.score, cities.get(state, 0.0))
    return cities


def _is_country(found: RankedEntry) -> bool:
    """Return whether an entry is a country that is asked for by most of its name: Congo, Korea."""
    is_whole = found.match.complete and found.match.exact and found.match.name_share >= _MOST_NAME
    return found.entry.layer is Layer.COUNTRY and is_whole


def _states_of(city: RankedEntry) -> Iterator[_State]:
    """Yield the country and state code of a city; for the largest cities the state is None, which stands for any state.

    The largest cities may be in a state of another name: Mexico City.
    """
    country, state = city.entry.context.country_code, city.entry.context.state
    if city.entry.rank >= LARGE_CITY or state is None:
        yield country, None
    else:
        yield country, state.code


def _city_of(state: RankedEntry, cities: Mapping[_State, float]) -> float | None:
    """Return the score of the city that comes before a state."""
    country = state.entry.context.country_code
    within = cities.get((country, state.entry.code)) if state.entry.code else None
    return within if within is not None else cities.get((country, None))


def _is_named(found: RankedEntry) -> bool:
    """Return whether a locality of the world has the whole name asked for, and nothing else is asked for."""
    is_locality = found.entry.layer is Layer.LOCALITY and not found.is_local
    return is_locality and found.number_answered and found.match.complete and found.match.name_share > 0.999


def without_unrelated(found: Iterable[RankedEntry], query: ForwardQuery) -> Iterator[RankedEntry]:
    """Yield the entries that a query may mean, without those sharing only some words with it.

    The world pack has only divisions. One of them matches a query for more than its name if it is the surroundings of
    something: at the end of the query, after words that read like a street, or after a comma.
    """
    has_number = any(map(str.isdigit, query.text))
    every = list(found)
    likely = [each for each in every if _is_likely(each, query, has_number=has_number)]
    if all(each.match.complete and each.number_answered for each in likely):
        return iter(likely)
    here = _answered_here(every)
    streets = [_named_by(each) for each in likely if each.entry.kind == "street"]
    return (each for each in likely if not _is_namesake(each, here) and not _is_named_less(each, streets))


def _answered_here(found: Iterable[RankedEntry]) -> dict[str, float]:
    """Return how much of a query the localities of areas match, by folded name."""
    here: dict[str, float] = {}
    for each in found:
        if each.is_local and each.entry.layer is Layer.LOCALITY:
            here[each.entry.folded] = max(_answered_share(each), here.get(each.entry.folded, 0.0))
    return here


def _named_by(found: RankedEntry) -> frozenset[str]:
    """Return the distinctive words of the query that are in an entry's names."""
    named = (word for word in found.words if word.weight == 1.0 and word.quality_among(found.entry.named) == 1.0)
    return frozenset(word.text for word in named)


def _is_named_less(found: RankedEntry, streets: Iterable[frozenset[str]]) -> bool:
    """Return whether a house's street has only some of the query words of another street: Ebert Street, Ebert Quay."""
    if found.house is None or found.match.complete or found.is_at_line:
        return False
    own = _named_by(found)
    return any(own < other for other in streets)


def _is_namesake(found: RankedEntry, here: Mapping[str, float]) -> bool:
    """Return whether an entry is a town of the world that matches no more of a query than its namesake in an area."""
    is_all = found.match.complete and found.number_answered
    if found.is_local or is_all or found.entry.layer is not Layer.LOCALITY:
        return False
    return _answered_share(found) <= here.get(found.entry.folded, 0.0)


def is_called_after_city(found: RankedEntry) -> bool:
    """Return whether a street shares only types, directions and names of its surroundings with a query.

    The 33rd Street in New York is not York Street, nor West 33rd Street West Street.
    """
    if found.entry.kind != "street":
        return False
    telling = [word for word in found.words if word.weight == 1.0]
    named = [word for word in telling if word.quality_among(found.entry.named) > 0]
    if len(named) == len(telling) or not all(_names_surroundings(word, found) for word in named):
        return False
    if any(word.text in found.line for word in named) or _is_written(found):
        return False
    return shares_its_city(found, found.entry.named) or not all(_names_surroundings(word, found) for word in telling)


def _names_surroundings(word: QueryWord, found: RankedEntry) -> bool:
    if word.quality_among(found.entry.around) >= PREFIX_QUALITY:
        return True
    return found.house is not None and word.quality_among(found.house.context.words) >= PREFIX_QUALITY


def _is_written(found: RankedEntry) -> bool:
    """Return whether the words of one of its local names are adjacent in the query."""
    names = [name.words for name in found.entry.spellings]
    begins = range(len(found.words))
    return any(
        len(words) > 1 and all(own in word.forms for own, word in zip(words, found.words[at:], strict=False))
        for words in names
        for at in begins[: len(found.words) - len(words) + 1]
    )


def _is_otherwise(found: RankedEntry) -> bool:
    """Return whether a division shares words with something of another name: Market Street is not Market Shop."""
    if not found.match.complete:
        return _is_scattered(found)
    is_part = not found.is_local and found.match.name_share < WHOLE_NAME
    return is_part and Question(found.words).is_of_street(found.entry.spellings)


def _is_scattered(found: RankedEntry) -> bool:
    """Return whether a distinctive word stands between the words of the name: East 33rd Street New York."""
    named = [name.words for name in found.entry.spellings]
    occurrences = [positions for words in named if len(positions := list(_positions(words, found.words))) > 1]
    return bool(occurrences) and not any(_stand_together(positions, found.words) for positions in occurrences)


def _positions(words: Sequence[str], query: Sequence[QueryWord]) -> Iterator[list[int]]:
    """Yield the positions in a query of each word of a name that occurs in it."""
    for own in words:
        if at := [index for index, word in enumerate(query) if own in word.forms]:
            yield at


def _stand_together(positions: Sequence[Sequence[int]], query: Sequence[QueryWord]) -> bool:
    return any(
        all(query[index].weight < 1.0 or index in at for index in range(min(at), max(at))) for at in product(*positions)
    )


def _is_likely(found: RankedEntry, query: ForwardQuery, *, has_number: bool) -> bool:
    if found.house is not None:
        return True
    if _is_far_guess(found):
        return False
    if found.entry.kind == "division" and _is_otherwise(found):
        return False
    if found.match.complete and (has_number or _begins_with_it(found, query)):
        return is_alike(found, found.words)
    if found.entry.kind != "division":
        if has_number:
            return _is_more_than_number(found)
        return not found.match.complete and _is_named_mostly(found, query)
    if found.is_local:
        return has_number or "," in query.text or _answered_share(found) > 0.5 or _names_location(found, query)
    return _names_location(found, query) or (has_number and not _is_of_street(found, query))


def _is_far_guess(found: RankedEntry) -> bool:
    """Return whether an entry is a small town of the world that a word resembles only by two typing errors.

    The Pentagon is not Penagos.
    """
    entry = found.entry
    if found.is_local or found.match.exact or entry.layer is not Layer.LOCALITY or entry.rank >= _TOWN:
        return False
    return any(
        0 < word.quality_among(entry.named) < quality_of(1, word.text) for word in found.words if word.is_significant
    )


def _is_of_street(found: RankedEntry, query: ForwardQuery) -> bool:
    """Return whether the name of a division is part of a street's name between the same commas: 10 Columbus Circle."""
    parts = [tuple(_significant_words(part, found)) for part in query.text.split(",")]
    named = [words for words in parts if any(word.quality_among(found.entry.named) > 0 for word in words)]
    return bool(named) and all(Question(words).is_of_street(found.entry.spellings) for words in named)


def _weight_of(unanswered: QueryWord) -> float:
    return 1.0 if unanswered.text in _FEATURE_NOUNS else unanswered.weight


def _begins_with_it(found: RankedEntry, query: ForwardQuery) -> bool:
    """Return whether the name of a resembling entry has the first word of a query or of a part between commas.

    Without it, that word must be in the surroundings, as written, and the other words nearly the whole name: Vaduz
    Aulestrase. Divisions and exact matches always qualify.
    """
    if found.match.exact or found.entry.kind == "division":
        return True
    parts = [_significant_words(part, found) for part in query.text.split(",")]
    named = [words for words in parts if any(word.quality_among(found.entry.named) > 0 for word in words)]
    return not named or any(_is_first_of(found, words) for words in named)


def _is_first_of(found: RankedEntry, words: Sequence[QueryWord]) -> bool:
    if words[0].quality_among(found.entry.named) > 0:
        return True
    return words[0].quality_among(found.entry.around) >= PREFIX_QUALITY and found.match.name_share >= WHOLE_NAME


def _significant_words(part: str, found: RankedEntry) -> list[QueryWord]:
    """Return the words of a part of the query that are more than articles."""
    own = set(split_words(part))
    return [word for word in found.words if word.text in own and word.is_significant]


def _is_more_than_number(found: RankedEntry) -> bool:
    """Return whether the name has more of the query than a number, if the query has more.

    10 Columbus Circle is not 10th Avenue.
    """
    named = [word for word in found.words if word.weight == 1.0 and word.quality_among(found.entry.named) > 0]
    others = [word for word in found.words if word.weight == 1.0 and word not in named]
    return not others or not named or not all(word.text.isdigit() for word in named)


def may_become(found: RankedEntry, text: str) -> bool:
    """Return whether the typed text may become an entry: most of it matches, and the name is not a different one."""
    if found.entry.kind == "division" and _lacks_number(found, text):
        return False
    if is_called_after_city(found):
        return False
    if found.house is not None or found.match.exact:
        return True
    return (found.match.complete or _answered_share(found) > 0.5) and is_alike(found, found.words)


def _lacks_number(found: RankedEntry, text: str) -> bool:
    """Return whether a number that a division does not match is a house number.

    Neither a country nor a town far away has one.
    """
    if found.match.complete and found.number_answered:
        return False
    return (found.entry.layer in _LARGE and any(map(str.isdigit, text))) or (
        not found.is_local and _HOUSE_FIRST.match(text) is not None
    )


def is_alike(found: RankedEntry, words: Sequence[QueryWord]) -> bool:
    """Return whether the words agree with the entry's name, or with enough of a division's name, more than they differ.

    Words for the type of street or its surroundings do not count. A name that is asked for exactly as written may be
    part of a longer one.
    """
    if found.entry.kind == "division":
        return found.is_local or found.match.name_share >= _LEAST_NAME
    named, around = found.entry.named, found.entry.around
    if all(
        max(word.quality_among(named), word.quality_among(around)) >= PREFIX_QUALITY
        for word in words
        if word.is_significant
    ):
        return True
    telling = [word for word in words if word.weight == 1.0 and word.quality_among(around) < PREFIX_QUALITY]
    unmatched = _count_unmatched_words(found, words)
    return unmatched == 0 or sum(word.quality_among(named) for word in telling) > 0.5 * (len(telling) + unmatched)


def _count_unmatched_words(found: RankedEntry, words: Sequence[QueryWord]) -> int:
    """Return the number of distinctive words of a name that are not asked for, for the name with the fewest."""
    names = (*found.entry.spellings, *(name for other in found.entry.others for name in names_of(other.name)))
    counts = []
    for name in names:
        telling = [word for word, weight in zip(name.words, name.weights, strict=True) if weight == 1.0]
        present = [word for word in telling if any(_means(each, word) for each in words)]
        if present or name is found.entry.spellings[0]:
            counts.append(len(telling) - len(present))
    return min(counts)


def _means(query_word: QueryWord, word: str) -> bool:
    return word in query_word.forms or query_word.quality_begun(word) > 0


def _is_named_mostly(found: RankedEntry, query: ForwardQuery) -> bool:
    """Return whether a part of the query between commas is, by more than half, the name of something in an area.

    The Statue of Liberty, New York, is not Liberty Street.
    """
    for part in query.text.split(","):
        words = _significant_words(part, found)
        named = [word for word in words if word.quality_among(found.entry.named) > 0]
        lies = [word for word in words if word.quality_among(found.entry.around) >= PREFIX_QUALITY]
        others = [word for word in words if word not in named and word not in lies]
        # A name that begins with another word is a different name.
        counted = named if others and words[0] is others[0] else [word for word in words if word not in others]
        is_more = sum(word.weight for word in counted) > sum(map(_weight_of, others))
        if named and is_more and is_alike(found, words):
            return True
    return False


def _names_location(found: RankedEntry, query: ForwardQuery) -> bool:
    words = found.words
    if not words or Question(words).is_of_street(found.entry.spellings):
        return False
    if "," not in query.text and found.match.name_share < WHOLE_NAME:
        # The Gare du Nord is not in la Corée du Nord.
        return False
    # Without a comma, a word that is both misspelled and incomplete may be anything.
    answered = _answered(found, least=0.0 if "," in query.text else PREFIX_QUALITY)
    begins = next((at for at in range(len(words)) if all(answered[at:])), None)
    if begins is None:
        # The city may come first, before a comma.
        first = len(split_words(query.text.partition(",")[0]))
        return "," in query.text and first < len(words) and all(answered[:first])
    if _is_known_place(found, words[begins:]) or len(split_words(query.text.rpartition(",")[0])) == begins > 0:
        return True
    return _holds_street(words[:begins])


def _is_known_place(found: RankedEntry, named: Sequence[QueryWord]) -> bool:
    """Return whether an entry is well known enough to be named by these words at the end of a query without a comma."""
    is_code = len(named) == 1 and len(named[0].text) <= _CODE
    return found.entry.rank >= _KNOWN and not is_code and not all(word.text in _FEATURE_NOUNS for word in named)


def _holds_street(words: Sequence[QueryWord]) -> bool:
    """Return whether the words contain a street: a type and a name, or both in one word."""
    is_street = any(not STREET_TYPES.isdisjoint(word.forms) for word in words) and any(
        word.weight == 1.0 for word in words
    )
    return is_street or any(word.text.endswith(ENDINGS) for word in words)


def _answered(found: RankedEntry, *, least: float = 0.0) -> list[bool]:
    """Return for each word whether the names or surroundings match it better than `least`, or it is an article."""
    own = {word for name in found.entry.spellings for word in name.words}
    other = {word for name in found.entry.others for word in split_words(name.name)}
    known = frozenset(own | other) | found.entry.around
    return [not word.is_significant or word.quality_among(known) > least for word in found.words]


def _answered_share(found: RankedEntry) -> float:
    significant = [
        (word, answered) for word, answered in zip(found.words, _answered(found), strict=True) if word.is_significant
    ]
    whole = sum(word.weight for word, _ in significant)
    return sum(word.weight for word, answered in significant if answered) / whole if whole else 1.0
