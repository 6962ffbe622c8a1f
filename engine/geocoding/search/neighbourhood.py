"""Search for the matches of a query near a position."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import nsmallest
from typing import Final

from engine.domain.geometry import Point
from engine.gazetteer.text import index_words, split_words
from engine.geo.earth import metres_per_degree
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.matching import QueryWord

_MATCHED: Final = 4_000
"""Number of matches from which the names in the neighbourhood are compared instead."""

_SHORT: Final = 2
"""Length in letters up to which a word has too many matches to read them all."""

_PLACED: Final = 400
"""Number of entries whose distance is looked up."""

_WITHIN_M: Final = (500.0, 3_000.0, 15_000.0)
_TABLES: Final = {
    "street": ("street_boxes", "streets"),
    "division": ("division_boxes", "divisions"),
    "place": ("place_boxes", "places"),
}

type _Row = tuple[int, str, float, float, float, float]
"""A document, its name, and its bounding box: west, east, south, north."""


def nearest(finder: Finder, words: Sequence[QueryWord], near: Point, limit: int, kinds: frozenset[str]) -> list[int]:
    """Return the documents nearest to a position that have every word in their names or surroundings."""
    is_short = len(words) == 1 and len(words[0].text) <= _SHORT
    matched = [] if is_short else finder.matching(words, _MATCHED)
    if not is_short and len(matched) <= _PLACED:
        return _first(_rows_of(finder, matched, kinds), near, limit)
    among = frozenset(matched) if 0 < len(matched) < _MATCHED else None
    found: dict[int, _Row] = {}
    for within_m in _WITHIN_M:
        rows = [row for kind in sorted(kinds) for row in _rows_within(finder, kind, near, within_m)]
        found |= {row[0]: row for row in rows if (_is_begun(words[-1], row[1]) if among is None else row[0] in among)}
        # A box with this many rows was not read completely, and neither would a larger one be.
        if len(found) >= limit or len(rows) >= _PLACED:
            break
    return _first(found.values(), near, limit)


def _rows_of(finder: Finder, documents: Sequence[int], kinds: frozenset[str]) -> Iterator[_Row]:
    listed = ",".join(map(str, documents))
    for kind in sorted(kinds):
        boxes, _ = _TABLES[kind]
        yield from finder.gazetteer.rows(
            f"SELECT d.id, '', b.west, b.east, b.south, b.north FROM documents d CROSS JOIN {boxes} b ON b.id = d.ref"
            f" WHERE d.id IN ({listed}) AND d.kind = '{kind}'"
        )


def _rows_within(finder: Finder, kind: str, near: Point, within_m: float) -> list[_Row]:
    boxes, table = _TABLES[kind]
    x, y = metres_per_degree(near.latitude)
    wide, high = within_m / max(x, 1.0), within_m / y
    return finder.gazetteer.rows(
        f"SELECT d.id, t.name, b.west, b.east, b.south, b.north FROM {boxes} b CROSS JOIN {table} t ON t.id = b.id"
        f" CROSS JOIN documents d ON d.kind = '{kind}' AND d.ref = b.id"
        " WHERE b.west <= ? AND b.east >= ? AND b.south <= ? AND b.north >= ? LIMIT ?",
        *(near.longitude + wide, near.longitude - wide, near.latitude + high, near.latitude - high, _PLACED),
    )


def _is_begun(word: QueryWord, name: str) -> bool:
    text = _words_of(name)
    return any(f" {prefix}" in text for prefix, _ in word.prefixes) or any(f" {form} " in text for form in word.forms)


@lru_cache(maxsize=10_000)
def _words_of(name: str) -> str:
    """Return the words of a name, each between spaces; cached because nearby names recur."""
    return f" {' '.join(split_words(name)) if name.isascii() else index_words(name)} "


def _first(rows: Iterable[_Row], near: Point, limit: int) -> list[int]:
    x, y = metres_per_degree(near.latitude)

    def away(row: _Row) -> float:
        _, _, west, east, south, north = row
        across = max(west - near.longitude, near.longitude - east, 0.0) * x
        along = max(south - near.latitude, near.latitude - north, 0.0) * y
        return across * across + along * along

    return [row[0] for row in nsmallest(limit, rows, key=away)]
