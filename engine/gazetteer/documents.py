"""The word index of a gazetteer: one document for each street, division and place."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from math import log10
from typing import Final

import orjson

from engine.gazetteer.rows import rank_of
from engine.gazetteer.text import index_words, is_sign_text

_BATCH: Final = 5_000
_LIES_IN: Final = ("country", "state", "county", "city", "borough", "neighborhood")


def write_documents(
    connection: sqlite3.Connection, ranks: Mapping[int, float], leading: Mapping[int, tuple[str, ...]] | None = None
) -> None:
    """Write documents, words and signs of all existing streets, divisions and places.

    `ranks` overrides the rank of divisions that does not follow from layer and population. If only some names of
    a division lead to its contents, `leading` has these names.
    """
    words = _ContextWords(connection, leading or {})
    numbers = count(1)
    documents = sorted(
        chain(_divisions(connection, words, ranks), _streets(connection, words), _places(connection, words)),
        key=lambda document: -document[2],
    )
    rows = ((number, *document) for number, document in zip(numbers, documents, strict=False))
    while batch := [row for _, row in zip(range(_BATCH), rows, strict=False)]:
        _write(connection, batch)
    connection.execute("INSERT INTO words (words) VALUES ('optimize')")


type _Document = tuple[str, int, float, tuple[str, ...], str]
"""Kind, reference, rank, names, and the words of its surroundings."""


def _write(connection: sqlite3.Connection, batch: list[tuple[int, str, int, float, tuple[str, ...], str]]) -> None:
    connection.executemany("INSERT INTO documents VALUES (?, ?, ?, ?)", [row[:4] for row in batch])
    connection.executemany(
        "INSERT INTO words (rowid, name, context) VALUES (?, ?, ?)",
        [(number, " ".join(map(index_words, names)), context) for number, _, _, _, names, context in batch],
    )
    signs = [(number, " ".join(filter(is_sign_text, names))) for number, _, _, _, names, _ in batch]
    connection.executemany("INSERT INTO signs (rowid, name) VALUES (?, ?)", [row for row in signs if row[1]])


class _ContextWords:
    """The words of the surroundings of something, by the number of its context."""

    def __init__(self, connection: sqlite3.Connection, leading: Mapping[int, tuple[str, ...]]) -> None:
        self._connection = connection
        self._leading = leading
        self._names: dict[int, str] = {}
        self._found: dict[int, str] = {}
        columns = ", ".join(_LIES_IN)
        rows = connection.execute(f"SELECT id, postal_code, country_code, {columns} FROM contexts")
        self._contexts = {number: (post, country, rest) for number, post, country, *rest in rows}
        self._postal: dict[tuple[str, str], list[str]] = defaultdict(list)
        for country, code, name in connection.execute("SELECT country_code, postal_code, name FROM postal_cities"):
            self._postal[country, code].append(index_words(name))

    def of(self, contexts: Iterable[int]) -> str:
        found = [self._of_one(context) for context in contexts]
        return found[0] if len(found) == 1 else _distinct(found)

    def _of_one(self, context: int) -> str:
        words = self._found.get(context)
        if words is None:
            words = self._found[context] = _distinct(self._parts(context))
        return words

    def _parts(self, context: int) -> Iterator[str]:
        post, country, divisions = self._contexts[context]
        yield from (self._words(division) for division in reversed(divisions) if division is not None)
        yield from (index_words(code) for code in (post, country) if code)
        yield from self._postal.get((country, post), ())

    def _words(self, division: int) -> str:
        words = self._names.get(division)
        if words is None:
            words = self._names[division] = _distinct(map(index_words, self._names_of(division)))
        return words

    def _names_of(self, division: int) -> tuple[str, ...]:
        if (names := self._leading.get(division)) is not None:
            return names
        (row,) = self._connection.execute("SELECT name, names, code FROM divisions WHERE id = ?", (division,))
        return _names(*row)


def _divisions(connection: sqlite3.Connection, words: _ContextWords, ranks: Mapping[int, float]) -> Iterator[_Document]:
    rows = connection.execute("SELECT id, layer, name, names, code, population, context FROM divisions")
    for number, layer, name, names, code, population, context in rows:
        rank = ranks.get(number)
        rank = rank_of(layer, population) if rank is None else rank
        yield "division", number, rank, _names(name, names, code), words.of((context,))


def _streets(connection: sqlite3.Connection, words: _ContextWords) -> Iterator[_Document]:
    pairs = connection.execute("SELECT DISTINCT street, context FROM houses ORDER BY street")
    following = next(pairs, None)
    for number, name, names, context, houses in connection.execute(
        "SELECT id, name, names, context, houses FROM streets ORDER BY id"
    ):
        contexts = {context: None}
        while following is not None and following[0] <= number:
            contexts[following[1]] = None
            following = next(pairs, None)
        yield "street", number, min(0.5, 0.2 + log10(1 + houses) / 10), _names(name, names), words.of(contexts)


def _places(connection: sqlite3.Connection, words: _ContextWords) -> Iterator[_Document]:
    rows = connection.execute("SELECT id, name, names, chain_name, rank, context, street FROM places")
    for number, name, names, chain_name, rank, context, street in rows:
        lies_in = words.of((context,))
        around = f"{index_words(street)} {lies_in}" if street else lies_in
        yield "place", number, rank, _names(name, names, chain_name), around


def _names(name: str, names: str | None, further: str | None = None) -> tuple[str, ...]:
    """Return the distinct names, the main one first."""
    translated = orjson.loads(names).values() if names else ()
    return tuple(dict.fromkeys(each for each in (name, *translated, further) if each))


def _distinct(texts: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(word for text in texts for word in text.split()))
