"""Words of a gazetteer that resemble a typed word."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Final

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

_MOST: Final = 8
"""Maximum number of similar words that are looked for."""
_DIGIT: Final = re.compile(r"\d")
_LEAST_SHORT: Final = 3
"""Minimum length of a word in which an error is looked for if something else confirms it."""

_LEAST_BEGUN: Final = 4
"""Minimum number of typed letters before errors in them are looked for."""


class Vocabulary:
    """The words of a gazetteer, searchable by similarity with up to two typing errors.

    A typing error (an extra, missing or different letter, or two swapped letters) changes either the beginning of a
    word or its end. Therefore only words with the same first letter or the same last two letters are compared.
    """

    def __init__(self, words_with: Callable[[str | None], Iterable[str]], *, by_ends: bool) -> None:
        """Take a callback that returns the words with a first letter, or all words for None; it is called on demand.

        Without `by_ends` the first letter is assumed to be right.
        """
        self._words_with = words_with
        self._by_ends = by_ends
        self._lock = Lock()
        self._read: set[str | None] = set()
        self._words: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        self._lengths: defaultdict[int, list[str]] = defaultdict(list)

    def near(self, word: str) -> dict[str, float]:
        """Return words that resemble a word, each with its similarity below 1, without the word itself."""
        slips = slips_allowed(word)
        if slips == 0 or _DIGIT.search(word) is not None:
            return {}
        self._prepare(None if self._by_ends else word[0])
        choices: list[str] = []
        for length in range(len(word) - slips, len(word) + slips + 1):
            choices += self._words.get((word[0], length), ())
            choices += self._words.get((word[-2:], length), ())
        found = extract(word, choices, scorer=OSA.distance, score_cutoff=slips, limit=_MOST * 2)
        # The words with the fewest differences; among them, those with the same beginning are likelier.
        ranked = sorted({(distance, other[0] != word[0], other) for other, distance, _ in found if distance > 0})
        least = ranked[0][0] if ranked else 0
        return {other: quality_of(distance, word) for distance, _, other in ranked[:_MOST] if distance == least}

    def near_short(self, word: str) -> dict[str, float]:
        """Return all words that differ from a word, of three letters or more, by one typing error."""
        if len(word) < _LEAST_SHORT or _DIGIT.search(word) is not None:
            return {}
        self._prepare(None if self._by_ends else word[0])
        with self._lock:
            choices = [each for length in range(len(word) - 1, len(word) + 2) for each in self._lengths[length]]
        found = extract(word, choices, scorer=OSA.distance, score_cutoff=1, limit=None)
        return {other: quality_of(distance, word) for other, distance, _ in found if distance > 0}

    def near_beginning(self, begun: str) -> dict[str, float]:
        """Return beginnings of words that resemble the typed text, each with its similarity below 1."""
        slips = slips_allowed(begun)
        if len(begun) < _LEAST_BEGUN or _DIGIT.search(begun) is not None:
            return {}
        self._prepare(None if self._by_ends else begun[0])
        choices: set[str] = set()
        with self._lock:
            for (first, length), words in self._words.items():
                if first == begun[0] and length >= len(begun):
                    choices.update(word[: len(begun)] for word in words)
                    choices.update(word[: len(begun) + 1] for word in words)
        # Without a limit, as the set has another order in each process.
        found = extract(begun, choices, scorer=OSA.distance, score_cutoff=slips, limit=None)
        ranked = sorted({(distance, -len(other), other) for other, distance, _ in found if distance > 0})
        least = ranked[0][0] if ranked else 0
        return {other: quality_of(distance, begun) for distance, _, other in ranked[:_MOST] if distance == least}

    def _prepare(self, first: str | None) -> None:
        with self._lock:
            if first in self._read:
                return
            for word in self._words_with(first):
                if len(word) > 2 and _DIGIT.search(word) is None:
                    self._words[word[0], len(word)].append(word)
                    self._lengths[len(word)].append(word)
                    if self._by_ends:
                        self._words[word[-2:], len(word)].append(word)
            self._read.add(first)


def slips_allowed(word: str) -> int:
    """Return the number of typing errors allowed in a word; short words resemble too many others."""
    length = len(word)
    return 0 if length < 4 else 1 if length < 8 else 2


def quality_of(distance: float, word: str) -> float:
    """Return the similarity of a word to one that differs by this many typing errors."""
    return max(0.5, 0.93 - 0.6 * distance / (len(word) + 2))
