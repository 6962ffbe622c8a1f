"""Checking and splitting of large JSON text before it is parsed.

A JSON parser holds Python's lock for its whole run and so delays all other clients. These functions examine text piece
by piece, so they can take their time in a thread without blocking others.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

MAX_VALUES: Final = 25_000
"""Maximum number of values in one text: numbers, strings, lists, dictionaries and so on."""

MAX_VALUES_OF_LISTS: Final = 100_000
"""Maximum number of values in a body with a long list, and in JSON that is sent as a string."""

WINDOW: Final = 64 * 1024

_MARK: Final = re.compile(rb'["{}\[\],:]')
_OPENING: Final = frozenset(b"{[")
_CLOSING: Final = frozenset(b"}]")
_BACKSLASH: Final = ord("\\")


class NotJson(Exception):
    """The text is not valid JSON."""


type Mark = tuple[int, int]
"""The position and byte of a bracket, brace, comma or colon; a string is represented by its opening quote."""


def has_too_many_values(text: bytes, most: int) -> bool:
    """Return whether possible JSON text holds more than `most` values, without parsing it."""
    # Each value but the first follows a comma or an opening bracket or brace, so their number is an upper bound.
    if text.count(b",") + text.count(b"[") + text.count(b"{") < most:
        return False
    # Some may be inside strings.
    values = (at for at, mark in marks(text) if mark in b",[{")
    return next(islice(values, most - 1, None), None) is not None


def marks(text: bytes) -> Iterator[Mark]:
    """Yield the marks of JSON text in order, with one quote per string; an unterminated string is the last mark."""
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
    """Return the end of the string whose opening quote is right before `at`, or the end of the data if unterminated."""
    while (end := data.find(b'"', at)) >= 0:
        escapes = end
        while escapes > at and data[escapes - 1] == _BACKSLASH:
            escapes -= 1
        if (end - escapes) % 2 == 0:
            return end + 1
        at = end + 1
    return len(data)


def split_member(text: bytes, name: str) -> tuple[bytes, list[bytes]]:
    """Return a JSON object with its list `name` emptied, and the items of that list.

    Without such a list there are no items. Raises `NotJson` if the text is not an object; other errors surface when the
    pieces are parsed.
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
    """Return the items of the list that opens at `start`, and the position where it closes."""
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
