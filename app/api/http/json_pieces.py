"""Large JSON text, judged and taken apart before it is parsed.

A parser of JSON holds Python's lock for as long as it runs, and so every other client. What is here looks at text
piece by piece: it may take its time in a thread without anybody noticing.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

MAX_VALUES: Final = 25_000
"""Numbers, texts, lists, dictionaries … in one text."""

MAX_VALUES_OF_LISTS: Final = 100_000
"""In a body with a long list, and in JSON that is itself sent as text."""

WINDOW: Final = 64 * 1024

_MARK: Final = re.compile(rb'["{}\[\],:]')
_OPENING: Final = frozenset(b"{[")
_CLOSING: Final = frozenset(b"}]")
_BACKSLASH: Final = ord("\\")


class NotJson(Exception):
    """The text is not valid JSON."""


type Mark = tuple[int, int]
"""Where a bracket, brace, comma or colon is, and which; a text's opening quote stands for the text."""


def has_too_many_values(text: bytes, most: int) -> bool:
    """Whether what may be JSON text holds more than `most` values, without parsing it."""
    # Each value but the first follows a comma, or what opens a list or dictionary: there are no more than these.
    if text.count(b",") + text.count(b"[") + text.count(b"{") < most:
        return False
    # Some may be inside of texts.
    values = (at for at, mark in marks(text) if mark in b",[{")
    return next(islice(values, most - 1, None), None) is not None


def marks(text: bytes) -> Iterator[Mark]:
    """Yield the marks of JSON text in their order, a quote for each text; a text without end is the last."""
    at = 0
    while at < len(text):
        found = _MARK.search(text, at, at + WINDOW)
        if found is None:
            at += WINDOW
            continue
        mark = text[found.start()]
        yield found.start(), mark
        at = _end_of_text(text, found.end()) if mark == ord('"') else found.end()


def _end_of_text(data: bytes, at: int) -> int:
    """Return where a text ends whose opening quote is right before `at`; where everything ends if it does not."""
    while (end := data.find(b'"', at)) >= 0:
        escapes = end
        while escapes > at and data[escapes - 1] == _BACKSLASH:
            escapes -= 1
        if (end - escapes) % 2 == 0:
            return end + 1
        at = end + 1
    return len(data)


def split_member(text: bytes, name: str) -> tuple[bytes, list[bytes]]:
    """Return a JSON object with an empty list for the list that is its member `name`, and that list's items.

    There are no items where it has no such list. Raises `NotJson` for what is no object; whether everything else is
    valid, parsing the pieces tells.
    """
    stream = marks(text)
    begin, mark = next(stream, (0, 0))
    if mark != ord("{") or text[:begin].strip():
        raise NotJson
    wanted, key, depth = f'"{name}"'.encode(), b"", 1
    for at, mark in stream:
        if depth == 1 and mark == ord('"'):
            key = text[at : at + len(wanted)]
        elif depth == 1 and mark == ord(","):
            key = b""
        elif depth == 1 and mark == ord("[") and key == wanted:
            items, end = _items(text, at, stream)
            return text[: at + 1] + text[end:], items
        depth += (mark in _OPENING) - (mark in _CLOSING)
    return text, []


def _items(text: bytes, start: int, stream: Iterator[Mark]) -> tuple[list[bytes], int]:
    """Return the items of the list that opens at `start`, and where it closes."""
    items: list[bytes] = []
    begin, depth = start + 1, 1
    for at, mark in stream:
        depth += (mark in _OPENING) - (mark in _CLOSING)
        if depth == 0 or (depth == 1 and mark == ord(",")):
            items.append(text[begin:at])
            begin = at + 1
        if depth == 0:
            is_empty = len(items) == 1 and not items[0].strip()
            return [] if is_empty else items, at
    raise NotJson
