"""How well a name answers the words of a query."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from engine.gazetteer.text import DIRECTIONS, STREET_TYPES, readings, spellings

PREFIX_QUALITY: Final = 0.97
"""Of a word of which only the beginning is typed."""

_ARTICLES: Final = "the of and at in on|de du des la le les l d|der die das den dem am im an zum zur von und|do da dos"
_LITTLE: Final = frozenset(re.findall(r"\w+", _ARTICLES + "|del el los las"))
_LATIN: Final = re.compile("[a-z]")
_TYPE_WEIGHT: Final = 0.35
_LITTLE_WEIGHT: Final = 0.15
_QUERY_SHARE: Final = 0.67
_NAME_SHARE: Final = 0.28
_ORDER_SHARE: Final = 0.05
"""How much it matters that the query's words are answered, that those of the name were asked for, and in its order."""


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of a query; `forms` are what it may mean with how sure that is, 1 for how it is written.

    Of one of which only the beginning is typed, `prefixes` are with what it may begin.
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
    def tells(self) -> bool:
        """Whether it is more than an article."""
        return self.weight > _LITTLE_WEIGHT

    def quality_begun(self, word: str) -> float:
        """Return how well a word answers what has been typed of this one, 0..1."""
        return max((quality for prefix, quality in self.prefixes if word.startswith(prefix)), default=0.0)

    def quality_among(self, words: frozenset[str]) -> float:
        """Return how well the best of many words answers this one, 0..1."""
        best = max((quality for form, quality in self.forms.items() if form in words), default=0.0)
        if self.prefixes and best < PREFIX_QUALITY:
            return max(best, max(map(self.quality_begun, words), default=0.0))
        return best


@dataclass(frozen=True, slots=True)
class Match:
    """How a name and its surroundings answer a query.

    `score` 0..1; `complete` when every word of the query that matters is answered, `exact` when each as it is written;
    `name_share` is the part of the name that was asked for.
    """

    score: float
    complete: bool
    exact: bool
    name_share: float


NO_MATCH: Final = Match(0.0, False, False, 0.0)


@lru_cache(maxsize=65_536)
def weight_of(word: str) -> float:
    """Return how much a word tells: types of streets and directions little, articles nearly nothing."""
    if word in _LITTLE:
        return _LITTLE_WEIGHT
    return _TYPE_WEIGHT if word in STREET_TYPES or word in DIRECTIONS else 1.0


def query_words(texts: Iterable[str], *, prefix: bool = False) -> tuple[QueryWord, ...]:
    """Return words with all they may mean; with `prefix` the last one is only the beginning of a word."""
    listed = list(texts)
    last = len(listed) - 1
    return tuple(query_word(text, is_prefix=prefix and index == last) for index, text in enumerate(listed))


def query_word(text: str, *, is_prefix: bool = False) -> QueryWord:
    """Return a word with all it may mean."""
    forms = dict.fromkeys((text, *readings(text)), 1.0)
    if text.isdigit() and len(text) <= 3:
        # "5 Ave" is Fifth Avenue.
        forms[text + _ending(int(text))] = 1.0
    prefixes = ((text, PREFIX_QUALITY),) if is_prefix else ()
    return QueryWord(text, forms, min(map(weight_of, forms)), prefixes)


def _ending(number: int) -> str:
    return "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


class Name(NamedTuple):
    """One spelling of a name: its words, what each tells, the sum of that and the most, and all of it as a text."""

    words: tuple[str, ...]
    weights: tuple[float, ...]
    total: float
    tells: float
    text: str


class OtherName(NamedTuple):
    """A name in another language, before its words are looked at."""

    name: str
    lowered: str
    is_ascii: bool
    is_latin: bool


def other_name(name: str) -> OtherName:
    """Return a name with what can be told of it at a glance."""
    lowered = name.casefold().replace("'", "")
    return OtherName(name, lowered, name.isascii(), _LATIN.search(lowered) is not None)


@lru_cache(maxsize=30_000)
def names_of(text: str) -> tuple[Name, ...]:
    """Return the spellings of a name."""
    return tuple(_name(words) for words in spellings(text))


def _name(words: tuple[str, ...]) -> Name:
    weights = tuple(weight_of(word) for word in words)
    return Name(words, weights, sum(weights), max(weights, default=0.0), " " + " ".join(words))


class Question:
    """The words of a query, arranged so that many names can be compared with them quickly."""

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
        self._is_ascii = all(form.isascii() for form in self._forms)
        self.weights = tuple(word.weight for word in words)
        self.whole = sum(self.weights)
        self._tells = max(self.weights, default=0.0)

    def match(self, names: Iterable[Name], others: Iterable[OtherName], around: frozenset[str]) -> Match:
        """Return how well the best of something's names, with the words of what it lies in, answers."""
        best = NO_MATCH
        elsewhere = (name for other in others if self._may_hold(other) for name in names_of(other.name))
        for name in chain(names, elsewhere):
            if self._may_answer(name):
                found = self._match(name, around)
                if found.score > best.score:
                    best = found
        return best

    def _may_hold(self, other: OtherName) -> bool:
        """Whether one of the words may be in a name; most names in other languages can be told at a glance."""
        if not other.is_ascii:
            return other.is_latin or not self._is_ascii
        lowered = other.lowered
        return any(form in lowered for form in self._forms)

    def _may_answer(self, name: Name) -> bool:
        if not self.by_form.keys().isdisjoint(name.words):
            return True
        return any(begins in name.text for begins in self._begins)

    def _match(self, name: Name, around: frozenset[str]) -> Match:
        qualities = [0.0] * len(self.words)
        asked = heaviest = 0.0
        last, in_order = -2, 0
        for word, weight in zip(name.words, name.weights, strict=True):
            at, quality = self._answering(word, qualities, last + 1)
            if quality:
                qualities[at] = quality
                asked += weight * quality
                # Of a word that is only begun nobody knows yet whether it tells little.
                heaviest = max(heaviest, weight, 1.0 if self.words[at].is_prefix else 0.0)
                in_order += at == last + 1
                last = at
        if not asked or heaviest < min(name.tells, self._tells):
            # Only that it is a street too, or lies in the east, makes nothing of what was asked for.
            return NO_MATCH
        order = in_order / (len(name.words) - 1) if len(name.words) > 1 else 1.0
        return self._judge(qualities, asked / name.total, order, around)

    def _answering(self, word: str, taken: list[float], following: int) -> tuple[int, float]:
        """Return which free word of the query a word of a name answers best, and how well; 0 for none."""
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

    def _judge(self, qualities: list[float], name_share: float, order: float, around: frozenset[str]) -> Match:
        answered = 0.0
        complete = exact = True
        for index, named in enumerate(qualities):
            quality = named or self.words[index].quality_among(around)
            weight = self.weights[index]
            answered += weight * quality
            if weight > _LITTLE_WEIGHT:
                complete = complete and quality > 0
                exact = exact and quality >= PREFIX_QUALITY
        score = _QUERY_SHARE * answered / self.whole + _NAME_SHARE * name_share + _ORDER_SHARE * order
        return Match(score, complete, complete and exact, name_share)
