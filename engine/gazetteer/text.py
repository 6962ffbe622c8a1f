"""Normalization of names to comparable words: folding, abbreviations, ordinals and other spellings.

Names are indexed under `index_words`, and searched by `words` with the `readings` of each.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from engine.gazetteer.abbreviations import COMPOUNDS, MARKS, NO_WORD, OTHERS, TYPES, lines_of
from engine.gazetteer.postal_service import DIRECTIONS, POSTAL_TYPES, postal_forms

__all__ = ["DIRECTIONS", "STREET_TYPES"]

MAX_NUMBER: Final = 999_999_999
"""Largest possible house number."""

_LETTERS: Final = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "№": " ", "⁄": " "}
)
"""Letters that Unicode does not decompose (sharp s is covered by case folding)."""

_OTHER_SPELLINGS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
"""Common spellings of letters that keyboards may lack."""

_APOSTROPHES: Final = re.compile(r"['’‘ʼ`´]")
_ELISION: Final = re.compile(r"\b(?:[cdjlmnst]|qu)['’‘ʼ`´](?=\w{2})", re.IGNORECASE)
_SIGNS: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
_VOICING: Final = "\u3099\u309a"
"""Japanese voicing marks, which turn one letter into another."""

_NOT_ASCII_WORD: Final = re.compile(r"[^a-z0-9]+")
_NOT_WORD: Final = re.compile(r"[\W_]")
_NUMBER: Final = re.compile(r"(\d+)(.*)", re.DOTALL)

_ORDINALS: Final = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]


def ordinal(number: int) -> str:
    """Return a number as an ordinal in street names: ``33rd``."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


@lru_cache(maxsize=20_000)
def fold(text: str) -> str:
    """Return text as words of letters and digits with single spaces between them.

    Case, diacritics, apostrophes and punctuation are removed. Cached because a search compares the same names often.
    """
    lowered = _APOSTROPHES.sub("", text.casefold())
    if not lowered.isascii():
        lowered = lowered.translate(_LETTERS)
    if lowered.isascii():
        return _NOT_ASCII_WORD.sub(" ", lowered).strip()
    # Decompose, remove marks and compose again (which Korean syllables and Japanese voicing need).
    bare = _NOT_WORD.sub(_without_mark, unicodedata.normalize("NFKD", lowered))
    apart = unicodedata.normalize("NFC", bare).casefold().translate(_LETTERS)
    return " ".join(_NOT_WORD.sub(_without_any_mark, apart).split())


def _without_mark(found: re.Match[str]) -> str:
    """Return nothing for a mark, a voicing mark unchanged, and a space for other characters outside words."""
    return found[0] if found[0] in _VOICING else _without_any_mark(found)


def _without_any_mark(found: re.Match[str]) -> str:
    return "" if unicodedata.category(found[0])[0] == "M" else " "


def is_sign_text(text: str) -> bool:
    """Return whether a text is in a script without spaces between words, such as Chinese or Japanese."""
    return _SIGNS.search(text) is not None


def words(text: str) -> list[str]:
    """Return folded words, with abbreviations of street types and directions in their usual full form.

    "St" at the beginning or after a house number is Saint if more follows, else Street. Each Chinese or similar
    character is a word.
    """
    raw = split_words(text)
    return [_usual(word, index, raw) for index, word in enumerate(raw)]


def split_words(text: str) -> list[str]:
    """Return folded words as written; each Chinese or similar character is a word."""
    folded = fold(text)
    return (_SIGNS.sub(lambda sign: f" {sign[0]} ", folded) if _SIGNS.search(folded) else folded).split()


def _usual(word: str, index: int, raw: list[str]) -> str:
    forms = readings(word)
    if word == "st" and index + 1 < len(raw) and all(other[0].isdigit() for other in raw[:index]):
        return "saint"
    return forms[0]


def _forms() -> dict[str, tuple[str, ...]]:
    """Return the full forms of all abbreviations, folded, the usual one first."""
    postal = postal_forms()
    found = {word: dict.fromkeys(forms) for word, forms in postal.items()}
    for short, full in (*lines_of(TYPES), *lines_of(OTHERS)):
        word = fold(short)
        # An abbreviation that is also a word has itself first, so that it stays unchanged.
        itself = [word] if short[-1] in MARKS and word not in postal else []
        found[word] = dict.fromkeys((*itself, *found.get(word, ()), fold(full)))
    ordinals = {word: (ordinal(number),) for number, word in enumerate(_ORDINALS, start=1)}
    return {word: tuple(forms) for word, forms in found.items()} | ordinals


def _types() -> frozenset[str]:
    full = {fold(full) for _, full in lines_of(TYPES)}
    return POSTAL_TYPES | full | {fold(short) for short, _ in lines_of(TYPES) if short.endswith(NO_WORD)}


_FORMS: Final = _forms()
STREET_TYPES: Final = _types()
"""Words for types of streets, in full and abbreviated."""


@lru_cache(maxsize=20_000)
def readings(word: str) -> tuple[str, ...]:
    """Return the possible meanings of a folded word, the usual one first; the word itself if it is no abbreviation."""
    if forms := _FORMS.get(word):
        return forms
    for ending, forms, least in COMPOUNDS:
        if len(word) >= least and word.endswith(ending):
            begin = word.removesuffix(ending)
            return tuple(word if full == "*" else begin + full for full in forms)
    return (word,)


def index_words(name: str) -> str:
    """Return all words that a name is found by: as written, in full, and with other spellings of its letters.

    ``Äulestr.`` gives aulestr, aulestrasse, aeulestr and aeulestrasse.
    """
    found: dict[str, None] = {}
    for spelling in _spellings(name):
        for index, word in enumerate(raw := split_words(spelling)):
            found |= dict.fromkeys((word, _usual(word, index, raw), *readings(word)))
    return " ".join(found)


def spellings(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the `words` of a name in each spelling of its letters, the usual one first."""
    return tuple(dict.fromkeys(tuple(words(each)) for each in _spellings(name)))


def _spellings(name: str) -> list[str]:
    lowered = name.casefold()
    if lowered.isascii() and _APOSTROPHES.search(lowered) is None:
        return [lowered]
    composed = lowered if lowered.isascii() else unicodedata.normalize("NFC", lowered)
    different = [composed, composed.translate(_OTHER_SPELLINGS), _ELISION.sub(" ", composed)]
    return list(dict.fromkeys(different))


def number_of(text: str) -> tuple[int, str]:
    """Return the number that a house number begins with, and the folded rest: ``12a`` gives (12, "a").

    A text without such a number, or with one that is too large, gives (0, the whole text folded).
    """
    found = _NUMBER.match(text.strip())
    if found is None or len(found[1]) > len(str(MAX_NUMBER)):
        return 0, fold(text)
    return int(found[1]), fold(found[2])
