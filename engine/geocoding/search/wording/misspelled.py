"""Houses whose street is written with a typing error in a word that is too short, or too usual, to be unknown.

Min Street and Man Street resemble many streets. The number tells them apart: one that is recorded on a street like that
is the house, unless a street is called so.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from engine.domain.addresses.address import ForwardQuery, Layer, MatchConfidence
from engine.domain.values import replace
from engine.gazetteer.text import DIRECTIONS
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.entries import Entry
from engine.geocoding.search.matching import QueryWord, query_word
from engine.geocoding.search.parsing import Reading
from engine.geocoding.search.ranking import RankedEntry, Stage, search

_LOOKED_AT: Final = 200
"""Number of streets that are compared for each misspelled word."""

_MOST_WORDS: Final = 4
"""Number of words, from the first one, in which an error is looked for."""

_LEFT_OUT: Final = 2
"""Length of a word up to which it may be an article that is misspelled."""

_STREETS: Final = frozenset({"street"})


type _Words = tuple[QueryWord, ...]
type _Correct = Callable[[Finder, _Words], _Words]
"""A correction of the words of a query; a word without forms has none."""


def misspelled_houses(
    areas: Sequence[Finder], reading: Reading, words: _Words, query: ForwardQuery
) -> Iterator[RankedEntry]:
    """Yield the houses with the number asked for on streets that differ from the query in one letter or space.

    A word of one or two letters may also be one that no street has.
    """
    if reading.number is None or Layer.ADDRESS not in query.layers:
        return
    for finder in areas:
        for correct in _corrections(reading, words):
            for each in search(_stage(correct), finder, reading, words, query):
                if each.house is not None and each.house.confidence is MatchConfidence.EXACT:
                    # Nothing that is corrected is a match as written.
                    yield replace(each, match=replace(each.match, exact=False))


def _corrections(reading: Reading, words: _Words) -> Iterator[_Correct]:
    """Yield the corrections of the words beside the number, or of all words if there are no commas."""
    beside = [at for at, word in enumerate(words) if not reading.line or word.text in reading.line]
    doubtful = [at for at in beside if words[at].weight == 1.0 and not words[at].text.isdigit()][:_MOST_WORDS]
    for at in doubtful:
        yield partial(_with_slip, at)
    for at in doubtful:
        if at + 1 in doubtful:
            yield partial(_joined, at)
    for at in beside:
        others = [other for other in doubtful if other != at]
        if len(words[at].text) <= _LEFT_OUT and words[at].text.isalpha() and others and not _is_direction(words[at]):
            yield partial(_without, at)


def _is_direction(word: QueryWord) -> bool:
    return not DIRECTIONS.isdisjoint(word.forms)


def _with_slip(at: int, finder: Finder, words: _Words) -> _Words:
    return (*words[:at], finder.with_slip(words[at]), *words[at + 1 :])


def _joined(at: int, finder: Finder, words: _Words) -> _Words:
    """Return the words with two of them as a misspelling of one, as in Mac Dougla Street."""
    one = finder.with_slip(query_word(words[at].text + words[at + 1].text))
    return (*words[:at], replace(one, text=words[at].text), *words[at + 2 :])


def _without(at: int, _: Finder, words: _Words) -> _Words:
    return (*words[:at], *words[at + 1 :])


def _stage(correct: _Correct) -> Stage:
    def bring_up(finder: Finder, words: _Words, _: frozenset[str], beside: _Words) -> list[Entry]:
        if not all(word.forms for word in words):
            return []
        return finder.entries(finder.all_of(beside or words, _LOOKED_AT, _STREETS))

    return Stage(correct, bring_up, interpolates=False)
