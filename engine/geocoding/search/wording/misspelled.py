"""Houses whose street is written with a typing error in a word that is too short, or too usual, to be unknown.

Min Street and Man Street resemble many streets. The number tells them apart: one that is recorded on a street like that
is the house, unless a street is called so.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.domain.addresses.address import ForwardQuery, Layer, MatchConfidence
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.entries import Entry
from engine.geocoding.search.matching import QueryWord
from engine.geocoding.search.parsing import Reading
from engine.geocoding.search.ranking import RankedEntry, Stage, search

_LOOKED_AT: Final = 200
"""Number of streets that are compared for each misspelled word."""

_MOST_WORDS: Final = 4
"""Number of words, from the first one, in which an error is looked for."""

_STREETS: Final = frozenset({"street"})


def misspelled_houses(
    areas: Sequence[Finder], reading: Reading, words: tuple[QueryWord, ...], query: ForwardQuery
) -> Iterator[RankedEntry]:
    """Yield the houses with the number asked for on streets that differ from the query in one letter of one word."""
    if reading.number is None or Layer.ADDRESS not in query.layers:
        return
    for finder in areas:
        for at in _doubtful(reading, words):
            for each in search(_stage(at), finder, reading, words, query):
                if each.house is not None and each.house.confidence is MatchConfidence.EXACT:
                    yield each


def _doubtful(reading: Reading, words: tuple[QueryWord, ...]) -> list[int]:
    """Return the positions of the words that a street may be called by, beside the number if there are commas."""
    named = [
        at
        for at, word in enumerate(words)
        if word.weight == 1.0 and word.text.isalpha() and (not reading.line or word.text in reading.line)
    ]
    return named[:_MOST_WORDS]


def _stage(at: int) -> Stage:
    def prepare(finder: Finder, words: tuple[QueryWord, ...]) -> tuple[QueryWord, ...]:
        return (*words[:at], finder.with_slip(words[at]), *words[at + 1 :])

    def bring_up(
        finder: Finder, words: tuple[QueryWord, ...], _: frozenset[str], beside: tuple[QueryWord, ...]
    ) -> list[Entry]:
        if not words[at].forms:
            return []
        return finder.entries(finder.all_of(beside or words, _LOOKED_AT, _STREETS))

    return Stage(prepare, bring_up, interpolates=False)
