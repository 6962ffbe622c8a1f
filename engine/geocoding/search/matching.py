"""Matching of names with the words of a query."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from msgspec import Struct

from engine.gazetteer.abbreviations import BEFORE_NAME
from engine.gazetteer.text import DIRECTIONS, STREET_TYPES, fold, ordinal, readings, spellings

PREFIX_QUALITY: Final = 0.97
"""Quality of a word of which only the beginning is typed."""

_ARTICLES: Final = "the of and at in on|de du des la le les l d|der die das den dem am im an zum zur von und|do da dos"
_LITTLE: Final = frozenset(re.findall(r"\w+", _ARTICLES + "|del el los las"))
_LATIN: Final = re.compile("[a-z]")
_TYPE_WEIGHT: Final = 0.35
_LITTLE_WEIGHT: Final = 0.15
_BEGUN_SHARE: Final = 0.9
"""Share of a name that counts as asked for if the typed text is the beginning of the name."""

_AROUND_WORTH: Final = 0.85
"""Weight of a word that only the surroundings match, compared with one that the name itself matches."""

OTHER_WORTH: Final = 0.96
"""Weight of a name in another language."""
_BEGUN_WORTH: Final = 0.9
"""Factor for such a name until it is typed in full, so that local names with this beginning come first."""
_TURNED_WORTH: Final = 0.85
"""Weight of a name whose words are in another order in a query that has other distinctive words."""
UNSURE_WORTH: Final = 0.85
"""Weight of a spelling of unknown language; a match by it is never exact."""

_LEFT_OUT: Final = ("borough", "city", "county")
"""Words behind the name of a division that a query may leave out."""

_WHOLE_NAME: Final = 0.999
_WHOLE_NUMBER: Final = 0.9
"""Share of a road's number that must be asked for; a letter may be missing in its words."""

_QUERY_SHARE: Final = 0.67
_NAME_SHARE: Final = 0.28
_ORDER_SHARE: Final = 0.05
"""Weights of the share of query words matched, of the share of the name asked for, and of the word order."""


class QueryWord(Struct, frozen=True):
    """A word of a query, with its possible `forms` and how certain each is (1 as written).

    If only the beginning of the word is typed, `prefixes` holds the possible beginnings with their certainty.
    """

    text: str
    forms: dict[str, float]
    weight: float
    prefixes: tuple[tuple[str, float], ...] = ()

    @property
    def is_prefix(self) -> bool:
        """Whether only the beginning is typed."""
        return bool(self.prefixes)

    @property
    def is_significant(self) -> bool:
        """Whether the word is more than an article."""
        return self.weight > _LITTLE_WEIGHT

    def quality_begun(self, word: str) -> float:
        """Return how well a word matches the typed beginning of this one, 0..1."""
        best = 0.0
        for prefix, quality in self.prefixes:
            if quality > best and word.startswith(prefix):
                best = quality
        return best

    def quality_among(self, words: frozenset[str]) -> float:
        """Return how well the best of several words matches this one, 0..1."""
        best = 0.0
        for form, quality in self.forms.items():
            if quality > best and form in words:
                best = quality
        if not self.prefixes or best >= PREFIX_QUALITY:
            return best
        begins = tuple(prefix for prefix, _ in self.prefixes)
        return max((best, *(self.quality_begun(word) for word in words if word.startswith(begins))))


class Match(Struct, frozen=True):
    """Match of a name and its surroundings with a query.

    `score` is 0..1. `complete` means that every significant word of the query is matched, `exact` that each is matched
    as written. `name_share` is the share of the name that was asked for.
    """

    score: float
    complete: bool
    exact: bool
    name_share: float


NO_MATCH: Final = Match(0.0, False, False, 0.0)


@lru_cache(maxsize=20_000)
def weight_of(word: str) -> float:
    """Return how distinctive a word is: little for street types and directions, hardly at all for articles."""
    if word in _LITTLE:
        return _LITTLE_WEIGHT
    return _TYPE_WEIGHT if word in STREET_TYPES or word in DIRECTIONS or word == "city" else 1.0


def is_article(word: str) -> bool:
    """Return whether a word is an article or a preposition, which names have or omit."""
    return word in _LITTLE


def is_written(name: Sequence[str], at: int, query_forms: Collection[str]) -> bool:
    """Return whether a query has a name, or its beginning up to an article behind a word: Frankfurt am Main."""
    if not all(other in query_forms or weight_of(other) < 1.0 for other in name[:at]):
        return False
    # Bellerose is not Bellerose Manor.
    behind = takewhile(lambda other: not is_article(other), name[at + 1 :])
    return all(other in query_forms or other in _LEFT_OUT for other in behind)


def query_words(texts: Iterable[str], *, prefix: bool = False, code: str | None = None) -> tuple[QueryWord, ...]:
    """Return words with all their possible meanings; with `prefix` the last one is only the beginning of a word.

    The last word equal to `code` is the code of a state or country, not an article.
    """
    listed = list(texts)
    last = len(listed) - 1
    words = [query_word(text, is_prefix=prefix and index == last) for index, text in enumerate(listed)]
    if code in listed:
        words[last - listed[::-1].index(code)] = _code_word(code)
    return tuple(words)


@lru_cache(maxsize=500)
def _code_word(text: str) -> QueryWord:
    return QueryWord(text, {text: 1.0}, 1.0)


@lru_cache(maxsize=10_000)
def query_word(text: str, *, is_prefix: bool = False) -> QueryWord:
    """Return a word with all its possible meanings."""
    forms = dict.fromkeys((text, *readings(text)), 1.0)
    if text.isdecimal() and len(text) <= 3:
        # "5 Ave" is Fifth Avenue.
        forms[ordinal(int(text))] = 1.0
    prefixes = ((text, PREFIX_QUALITY),) if is_prefix else ()
    # An abbreviation that is also a word may be as distinctive as any: Che Guevara.
    weight = weight_of(text) if readings(text)[0] == text else min(map(weight_of, forms))
    return QueryWord(text, forms, weight, prefixes)


class Name(NamedTuple):
    """One spelling of a name: its words, their weights, the sum and maximum of the weights, and the whole text."""

    words: tuple[str, ...]
    weights: tuple[float, ...]
    total: float
    max_weight: float
    text: str


class OtherName(NamedTuple):
    """A name in another language, not yet split into words; `worth` is lower for a spelling of unknown language.

    A number of a road only matches as a whole (`is_number`): 26 Highway is not on Highway 8.
    """

    name: str
    lowered: str
    is_ascii: bool
    is_latin: bool
    worth: float
    is_number: bool = False


def other_name(name: str, *, unsure: bool = False, is_number: bool = False) -> OtherName:
    """Return a name with its cheaply determined properties; with `unsure` it may be a mere misspelling."""
    lowered = name.casefold().replace("'", "")
    latin = is_latin(lowered)
    # A name in another script cannot be a misspelling of the Latin one.
    worth = UNSURE_WORTH if unsure and latin else OTHER_WORTH
    return OtherName(name, lowered, name.isascii(), latin, worth, is_number)


def is_latin(name: str) -> bool:
    """Return whether a name has Latin letters."""
    return _LATIN.search(name.casefold()) is not None


@lru_cache(maxsize=5_000)
def code_name(code: str) -> Name:
    """Return a code as a name, without expanding its letters as in a street's name."""
    return _name((fold(code),))


@lru_cache(maxsize=10_000)
def names_of(text: str) -> tuple[Name, ...]:
    """Return the spellings of a name."""
    return tuple(_name(words) for words in spellings(text))


def _name(words: tuple[str, ...]) -> Name:
    weights = tuple(weight_of(word) for word in words)
    if len(words) > 1 and max(weights) == _TYPE_WEIGHT:
        # The distinctive word is Wall in Wall Street, and Park in West Park Avenue.
        types = [at for at, weight in enumerate(weights) if weight == _TYPE_WEIGHT]
        called = next((at for at in types if words[at] not in DIRECTIONS), types[0])
        if called == types[-1]:
            # As in East Street.
            called = types[0]
        weights = (*weights[:called], 1.0, *weights[called + 1 :])
    return Name(words, weights, sum(weights), max(weights, default=0.0), " " + " ".join(words))


class Question:
    """The words of a query, arranged for fast comparison with many names."""

    def __init__(self, words: tuple[QueryWord, ...]) -> None:
        self.words = words
        self._last = words[-1] if words and words[-1].is_prefix else None
        self._begins = tuple(f" {prefix}" for prefix, _ in self._last.prefixes) if self._last else ()
        self.by_form: dict[str, list[tuple[int, float]]] = {}
        for index, word in enumerate(words):
            for form, quality in word.forms.items():
                self.by_form.setdefault(form, []).append((index, quality))
        begun = (prefix for prefix, _ in self._last.prefixes) if self._last else ()
        self._forms = (*begun, *self.by_form)
        self._numbers = frozenset(form for form in self.by_form if not form.isalpha())
        self._is_ascii = all(form.isascii() for form in self._forms)
        self.weights = tuple(word.weight for word in words)
        self.whole = sum(self.weights)
        self._max_weight = max(self.weights, default=0.0)
        self._starts_significant = bool(words) and words[0].is_significant

    def is_of_street(self, names: Iterable[Name]) -> bool:
        """Return whether the query has a street type next to the name that is not part of the name.

        Baker in Louisiana is not meant by Baker Street, nor Rivoli by Rue de Rivoli, nor Terrace by Evergreen Terrace.
        """
        own = {word for name in names for word in name.words}
        named = [not own.isdisjoint(word.forms) for word in self.words]
        telling = [index for index, word in enumerate(self.words) if word.is_significant]
        for at, after in pairwise(telling):
            before_name = named[after] and not named[at] and not BEFORE_NAME.isdisjoint(self.words[at].forms)
            behind_name = named[at] and not named[after] and not STREET_TYPES.isdisjoint(self.words[after].forms)
            is_type = named[after] and not named[at] and self.words[at].weight == 1.0 and own <= STREET_TYPES
            if before_name or behind_name or is_type:
                return True
        return False

    def match(self, names: Iterable[Name], others: Iterable[OtherName], around: frozenset[str]) -> Match:
        """Return the match of the best of an entry's names, together with the words of its surroundings."""
        best = NO_MATCH
        for name in names:
            if self._may_answer(name):
                found = self._match(name, around, 1.0)
                if found.score > best.score:
                    best = found
        for other in others:
            if not self._may_hold(other):
                continue
            for name in names_of(other.name):
                if not self._may_answer(name):
                    continue
                found = self._match(name, around, other.worth)
                if found.score > best.score and (found.name_share >= _WHOLE_NUMBER or not other.is_number):
                    best = found
        return best

    def _may_hold(self, other: OtherName) -> bool:
        """Return whether a name may contain one of the words; this rules out most foreign names at a glance."""
        if other.is_number and self._last is None and self._numbers.isdisjoint(other.lowered.split()):
            return False
        if not other.is_ascii:
            return other.is_latin or not self._is_ascii
        lowered = other.lowered
        return any(form in lowered for form in self._forms)

    def _may_answer(self, name: Name) -> bool:
        if not self.by_form.keys().isdisjoint(name.words):
            return True
        return any(begins in name.text for begins in self._begins)

    def _match(self, name: Name, around: frozenset[str], worth: float) -> Match:
        qualities = [0.0] * len(self.words)
        matched = heaviest = 0.0
        last, in_order, starts = -2, 0, False
        last_distinctive, turned = -1, False
        for word, weight in zip(name.words, name.weights, strict=True):
            at, quality = self._answering(word, qualities, last + 1)
            if quality:
                if worth == UNSURE_WORTH and quality < PREFIX_QUALITY:
                    # A word that resembles an odd spelling could be anything.
                    return NO_MATCH
                qualities[at] = quality
                matched += weight * quality
                # It is not yet known whether a word of which only the beginning is typed is distinctive.
                heaviest = max(heaviest, weight, 1.0 if self.words[at].is_prefix else 0.0)
                in_order += at == last + 1
                starts = starts or (at == 0 and word == name.words[0])
                last = at
                if self.weights[at] == 1.0:
                    turned = turned or at < last_distinctive
                    last_distinctive = at
        if not matched or heaviest < min(name.max_weight, self._max_weight):
            # Matching only a street type or a direction is no match.
            return NO_MATCH
        begun = self._last is not None and starts and all(qualities) and in_order == len(qualities) - 1
        order = in_order / (len(name.words) - 1) if len(name.words) > 1 else 1.0
        found = self._judge(qualities, matched / name.total, order, around, begun=begun)
        return self._weighed(found, qualities, worth, turned=turned)

    def _weighed(self, found: Match, qualities: list[float], worth: float, *, turned: bool) -> Match:
        """Return a match weighted by the worth of the name; it is reduced if words are turned, and inexact if apart."""
        if turned and self._has_other(qualities):
            # Hyde Park, New York is not New Hyde Park.
            return Match(found.score * worth * _TURNED_WORTH, found.complete, False, found.name_share)
        exact = found.exact and worth != UNSURE_WORTH and self._is_together(qualities)
        exact = exact and (found.name_share > _WHOLE_NAME or not self._has_other_article(qualities))
        if worth == 1.0 and exact == found.exact:
            return found
        if worth < 1.0 and self._last is not None and 0.0 < qualities[-1] < 1.0:
            worth *= _BEGUN_WORTH
        return Match(found.score * worth, found.complete, exact, found.name_share)

    def _has_other(self, qualities: list[float]) -> bool:
        """Return whether the query has a distinctive word that is not part of the name."""
        return any(not quality and weight == 1.0 for quality, weight in zip(qualities, self.weights, strict=True))

    def _has_other_article(self, qualities: list[float]) -> bool:
        """Return whether an article that the name does not have stands amid its words: den Karm is not Dun Karm."""
        named = [index for index, quality in enumerate(qualities) if quality]
        return any(
            not qualities[index] and self.weights[index] <= _LITTLE_WEIGHT for index in range(named[0], named[-1])
        )

    def _is_together(self, qualities: list[float]) -> bool:
        """Return whether no distinctive word stands between the words of the name: New York City is not New City."""
        named = [index for index, quality in enumerate(qualities) if quality]
        return all(qualities[index] or self.weights[index] < 1.0 for index in range(named[0], named[-1]))

    def _answering(self, word: str, taken: list[float], following: int) -> tuple[int, float]:
        """Return the index of the free query word that a word of a name matches best, and how well, 0 for no match."""
        at, best = -1, 0.0
        for index, quality in self.by_form.get(word, ()):
            if not taken[index] and (quality > best or (quality == best and index == following)):
                at, best = index, quality
        last = len(taken) - 1
        if self._last is not None and best < PREFIX_QUALITY and not taken[last]:
            begun = self._last.quality_begun(word)
            if begun > best:
                return last, begun
        return at, best

    def _judge(
        self, qualities: list[float], name_share: float, order: float, around: frozenset[str], *, begun: bool
    ) -> Match:
        answered = 0.0
        complete = exact = True
        for index, named in enumerate(qualities):
            quality = named or self.words[index].quality_among(around)
            weight = self.weights[index]
            answered += weight * (named or quality * _AROUND_WORTH)
            if weight > _LITTLE_WEIGHT:
                complete = complete and quality > 0
                exact = exact and quality >= PREFIX_QUALITY
        if self._last is not None and self._starts_significant and not qualities[0]:
            # Users seldom type the surroundings before the name.
            order = 0.0
        # The rest of a name that is still being typed is yet to come.
        shown_share = max(name_share, _BEGUN_SHARE) if begun else name_share
        score = _QUERY_SHARE * answered / self.whole + _NAME_SHARE * shown_share + _ORDER_SHARE * order
        return Match(score, complete, complete and exact, name_share)
