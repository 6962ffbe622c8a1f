"""Words of the typed text: compared without case, accents and apostrophes, and highlighted in results."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from enum import IntEnum
from typing import Final

_APOSTROPHES: Final = str.maketrans("", "", "'’‘ʼ`´")


class Match(IntEnum):
    """How well a name matches the typed text. Lower is better."""

    NAME = 0
    """The name is exactly the typed text."""
    IN_NAME = 1
    """Every word is a whole word of the name."""
    WHOLE = 2
    """Every word is a whole word of the name or the detail."""
    BEGINS = 3
    """Every word is the beginning of a word."""
    WITHIN = 4
    """Every word occurs somewhere."""
    NOT = 5
    """The name only resembles the typed text, or matches in another language."""


def fold(text: str) -> str:
    """Return a text in lower case without accents and apostrophes."""
    text = text.translate(_APOSTROPHES)
    if text.isascii():
        return text.lower()
    return "".join(each for each in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(each))


def split(text: str) -> tuple[str, ...]:
    """Return the folded words of the typed text."""
    return tuple(fold(text.replace(",", " ").replace(";", " ")).split())


def words_of(text: str) -> frozenset[str]:
    """Return the folded words of a displayed text; ``L'Olivier`` counts as one word and as two."""
    apart = "".join(each if each.isalnum() else " " for each in f"{fold(text)} {fold(text.replace("'", ' '))}")
    return frozenset((*apart.split(), *fold(text).split()))


def match(typed: str, title: str, detail: str) -> Match:
    """Return how well a title and its detail match the typed text."""
    words = split(typed)
    if fold(title).split() == list(words):
        return Match.NAME
    of_name = words_of(title)
    if of_name.issuperset(words):
        return Match.IN_NAME
    of_all = of_name | words_of(detail)
    if of_all.issuperset(words):
        return Match.WHOLE
    if all(any(each.startswith(word) for each in of_all) for word in words):
        return Match.BEGINS
    text = fold(f"{title} {detail}")
    return Match.WITHIN if all(word in text for word in words) else Match.NOT


def marked(text: str, typed: str) -> tuple[tuple[int, int], ...]:
    """Return the (begin, end) parts of a text that match the typed text, to be shown in bold."""
    folded, origins = [], []
    for at, each in enumerate(text):
        for part in fold(each):
            folded.append(part)
            origins.append(at)
    whole = "".join(folded)
    hits: set[int] = set()
    for word in split(typed):
        at = _place_of(word, whole)
        if at >= 0:
            hits.update(range(origins[at], origins[at + len(word) - 1] + 1))
    return _runs(sorted(hits))


def _place_of(word: str, text: str) -> int:
    """Return the position of a word in a text, or -1 if it does not occur.

    Beginnings of words are preferred. A single letter is found only there.
    """
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(word, at + 1)
    return at if at >= 0 or len(word) < 2 else text.find(word)


def _runs(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number:
            runs[-1] = runs[-1][0], number + 1
        else:
            runs.append((number, number + 1))
    return tuple(runs)
