"""Full-text search in the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from app.desktop.model.help.pages import Page, Section

MOST: Final = 60
_AROUND: Final = 60
_MAX_WORDS: Final = 8


class Place(Struct, frozen=True):
    """A section that contains all the words, with an excerpt around the first match."""

    page: Page
    section: Section
    excerpt: str


def words_of(text: str) -> tuple[str, ...]:
    """Return the words to search for, ignoring case."""
    return tuple(dict.fromkeys(text.casefold().split()))[:_MAX_WORDS]


def search(pages: Iterable[Page], text: str) -> Sequence[Place]:
    """Return the sections that contain all words, best matches first.

    Sections about the words come first, then those that contain them most often.
    """
    words = words_of(text)
    if not words:
        return ()
    found = [
        (_score(page, section, words), Place(page, section, _excerpt(section.text, words)))
        for page in pages
        for section in page.sections
        if _has_all(section, words)
    ]
    return [place for _, place in sorted(found, key=lambda each: -each[0])[:MOST]]


def _has_all(section: Section, words: Sequence[str]) -> bool:
    whole = f"{section.title} {section.text}".casefold()
    return all(word in whole for word in words)


def _score(page: Page, section: Section, words: Sequence[str]) -> float:
    title, text = section.title.casefold(), section.text.casefold()
    in_title = sum(word in title for word in words)
    in_page = sum(word in page.title.casefold() for word in words)
    often = sum(min(text.count(word), 9) for word in words)
    together = " ".join(words) in text
    return 40 * in_title + 10 * in_page + 15 * together + often


def _excerpt(text: str, words: Sequence[str]) -> str:
    folded = text.casefold()
    places = [at for word in words if (at := folded.find(word)) >= 0]
    at = max(min(places, default=0) - _AROUND // 2, 0)
    begin = text.rfind(" ", 0, at) + 1 if at else 0
    part = text[begin : begin + 2 * _AROUND].rsplit(" ", 1)[0] if len(text) > begin + 2 * _AROUND else text[begin:]
    return f"{'…' if begin else ''}{part}{'…' if begin + len(part) < len(text) else ''}"
