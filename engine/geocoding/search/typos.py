"""Words that resemble what somebody typed, among those that a gazetteer knows."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Final

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

_MOST: Final = 8
"""Near words that are looked for at most."""
_DIGIT: Final = re.compile(r"\d")
_LEAST_BEGUN: Final = 4
"""Letters that have to be typed before a slip among them is looked for."""


class Vocabulary:
    """The words of a gazetteer, to look for those that differ by one or two slips of the finger.

    A slip (a letter too many, missing, another one, or two swapped) changes either the beginning of a word or its end.
    So only words with the same first letter, or the same two last ones, are compared.
    """

    def __init__(self, words_with: Callable[[str | None], Iterable[str]], *, by_ends: bool) -> None:
        """Take words from `words_with`, which returns those with a first letter, None for all, when they are needed.

        Without `by_ends` the first letter is taken for right.
        """
        self._words_with = words_with
        self._by_ends = by_ends
        self._lock = Lock()
        self._read: set[str | None] = set()
        self._words: defaultdict[tuple[str, int], list[str]] = defaultdict(list)

    def near(self, word: str) -> dict[str, float]:
        """Return words that resemble one, each with how much, below 1; not the word itself."""
        slips = slips_allowed(word)
        if slips == 0 or _DIGIT.search(word) is not None:
            return {}
        self._prepare(None if self._by_ends else word[0])
        choices: list[str] = []
        for length in range(len(word) - slips, len(word) + slips + 1):
            choices += self._words.get((word[0], length), ())
            choices += self._words.get((word[-2:], length), ())
        found = extract(word, choices, scorer=OSA.distance, score_cutoff=slips, limit=_MOST * 2)
        # Those that differ least; among them those that begin alike are likelier.
        ranked = sorted({(distance, other[0] != word[0], other) for other, distance, _ in found if distance > 0})
        least = ranked[0][0] if ranked else 0
        return {other: quality_of(distance, word) for distance, _, other in ranked[:_MOST] if distance == least}

    def near_beginning(self, begun: str) -> dict[str, float]:
        """Return beginnings of words that resemble what is being typed, each with how much, below 1."""
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
        found = extract(begun, choices, scorer=OSA.distance, score_cutoff=slips, limit=_MOST * 2)
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
                    if self._by_ends:
                        self._words[word[-2:], len(word)].append(word)
            self._read.add(first)


def slips_allowed(word: str) -> int:
    """Return by how many slips a word may differ from what was meant; short ones resemble too much."""
    length = len(word)
    return 0 if length < 4 else 1 if length < 8 else 2


def quality_of(distance: float, word: str) -> float:
    """Return how much a word resembles one from which it differs by so many slips."""
    return max(0.5, 0.93 - 0.6 * distance / (len(word) + 2))
