"""How well a name answers the words of a query."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.gazetteer.text import DIRECTIONS, STREET_TYPES, readings

PREFIX_QUALITY: Final = 0.97
"""Of a word of which only the beginning is typed."""

_ARTICLES: Final = "the of and at in on|de du des la le les l d|der die das den dem am im an zum zur von und|do da dos"
_LITTLE: Final = frozenset(re.findall(r"\w+", _ARTICLES + "|del el los las y e"))
_TYPE_WEIGHT: Final = 0.35
_LITTLE_WEIGHT: Final = 0.15
_QUERY_SHARE: Final = 0.7
"""How much it matters that the query's words are answered; the rest is that the name's words were asked for."""


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of a query; `forms` are what it may mean with how sure that is, 1 for how it is written."""

    text: str
    forms: dict[str, float]
    weight: float
    is_prefix: bool = False

    def quality(self, word: str) -> float:
        """Return how well a word of a name answers this one, 0..1."""
        found = self.forms.get(word, 0.0)
        if not found and self.is_prefix and word.startswith(self.text):
            return PREFIX_QUALITY
        return found

    def quality_among(self, words: frozenset[str]) -> float:
        """Return how well the best of many words answers this one, 0..1."""
        best = max((quality for form, quality in self.forms.items() if form in words), default=0.0)
        if best < PREFIX_QUALITY and self.is_prefix and any(word.startswith(self.text) for word in words):
            return PREFIX_QUALITY
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
    return tuple(_query_word(text, is_prefix=prefix and index == last) for index, text in enumerate(listed))


def _query_word(text: str, *, is_prefix: bool) -> QueryWord:
    forms = dict.fromkeys((text, *readings(text)), 1.0)
    if text.isdigit() and len(text) <= 3:
        # "5 Ave" is Fifth Avenue.
        forms[text + _ending(int(text))] = 1.0
    return QueryWord(text, forms, min(map(weight_of, forms)), is_prefix)


def _ending(number: int) -> str:
    return "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def match(query: tuple[QueryWord, ...], names: Iterable[tuple[str, ...]], around: frozenset[str]) -> Match:
    """Return how well the best of something's names, with the words of what it lies in, answers a query."""
    best = NO_MATCH
    for name in names:
        found = _match_name(query, name, around)
        if found.score > best.score:
            best = found
    return best


def _match_name(query: tuple[QueryWord, ...], name: tuple[str, ...], around: frozenset[str]) -> Match:
    qualities = [0.0] * len(query)
    asked = total = 0.0
    for word in name:
        weight = weight_of(word)
        total += weight
        at, quality = -1, 0.0
        for index, part in enumerate(query):
            if not qualities[index] and (found := part.quality(word)) > quality:
                at, quality = index, found
        if at >= 0:
            qualities[at] = quality
            asked += weight * quality
    if not asked:
        return NO_MATCH
    return _judge(query, qualities, asked / total, around)


def _judge(query: tuple[QueryWord, ...], qualities: list[float], name_share: float, around: frozenset[str]) -> Match:
    answered = whole = 0.0
    complete = exact = True
    for part, named in zip(query, qualities, strict=True):
        quality = named or part.quality_among(around)
        answered += part.weight * quality
        whole += part.weight
        if part.weight > _LITTLE_WEIGHT:
            complete = complete and quality > 0
            exact = exact and quality >= PREFIX_QUALITY
    score = _QUERY_SHARE * answered / whole + (1 - _QUERY_SHARE) * name_share
    return Match(score, complete, complete and exact, name_share)
