"""Candidates in a gazetteer for the words of a query."""

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from heapq import nsmallest
from math import log
from typing import Final

from rapidfuzz.distance import OSA

from engine.domain.addresses.address import Layer
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.gazetteer.abbreviations import ENDINGS
from engine.gazetteer.reader import Gazetteer, NamedDivision
from engine.gazetteer.text import is_sign_text, ordinal, readings, split_words
from engine.geocoding.search.entries import KINDS, Entry, read_entries
from engine.geocoding.search.matching import QueryWord, query_word, query_words
from engine.geocoding.search.typos import Vocabulary, quality_of

_FEW: Final = 40
"""Number of candidates of each kind that are examined."""

_FEWER: Final = 10
"""Number of further streets, after those named next to the house number."""

_COMMON: Final = 1_500
"""Number of names above which a word adds no candidates if there is a rarer word."""

_APART: Final = (*ENDINGS, "anlage", "chaussee", "damm", "dijk", "kade", "promenade", "ring", "singel", "ufer")
"""Endings at which an unknown word is split."""

_LEAST_OF_BEST: Final = 0.45
"""Share of the best score below which candidates are left out."""

_SHORT: Final = 3
"""Length of a typed beginning up to which too many names begin with it."""

_MARGIN: Final = 0.005
"""Margin in degrees around an area within which positions are still looked up there."""

_BEGUN: Final = 250
"""Number of names that are searched for a prefix, best known first."""

_LONGEST_ORDINAL: Final = 3
"""Maximum number of digits of the name of a street."""

_CODE: Final = re.compile("[a-z]{2,3}")
_COMPARABLE: Final = 100_000
_MOST_NAMES: Final = 20_000
_KEPT: Final = 10_000
_KEPT_ENTRIES: Final = 5_000
_KEPT_NAMES: Final = 2_000
"""Number of words, entries and name lists kept in memory. Beyond that, all are discarded and read again."""

_KEPT_NUMBERS: Final = 4_000_000
"""Total length of all name lists, at four bytes per number. The list of a common word is long."""


class Finder:
    """Finds candidates in one gazetteer, and caches the names that contain a word."""

    def __init__(self, gazetteer: Gazetteer, *, is_world: bool = False) -> None:
        """Use an open gazetteer, that of an area or that of the world."""
        self.gazetteer = gazetteer
        self.is_world = is_world
        self._names: dict[tuple[str, str | None], array[int]] = {}
        self._numbers = 0
        self._known: dict[str, bool] = {}
        self._near: dict[str, dict[str, float]] = {}
        self._entries: dict[int, Entry] = {}
        self._begun: dict[str, list[int]] = {}
        self.memory: dict[tuple[object, ...], object] = {}
        """Cache for other results about this gazetteer, by their kind."""

    @cached_property
    def countries(self) -> frozenset[str]:
        """The codes of the countries with any data."""
        sql = "SELECT DISTINCT country_code FROM contexts WHERE country_code IS NOT NULL"
        return frozenset(code for (code,) in self.gazetteer.rows(sql))

    @cached_property
    def _size(self) -> int:
        return int(self.gazetteer.rows("SELECT max(id) FROM documents")[0][0] or 1)

    def is_outlined(self, point: Point) -> bool:
        """Return whether a position is within the bounding box of all outlines."""
        box = self._outlined
        return box[0] is not None and box[0] <= point.longitude <= box[1] and box[2] <= point.latitude <= box[3]

    @cached_property
    def _outlined(self) -> tuple[float, float, float, float]:
        sql = "SELECT min(west), max(east), min(south), max(north) FROM division_boxes WHERE east > west"
        west, east, south, north = self.gazetteer.rows(sql)[0]
        return west, east, south, north

    def covers(self, point: Point) -> bool:
        """Return whether a position is in the bounding box of all streets, houses and places.

        Some hundred metres around the box are included.
        """
        box = self._bounds
        return box is None or (box[0] <= point.longitude <= box[1] and box[2] <= point.latitude <= box[3])

    @cached_property
    def _bounds(self) -> tuple[float, float, float, float] | None:
        rows = [
            self.gazetteer.rows(f"SELECT min(west), max(east), min(south), max(north) FROM {table}")[0]
            for table in ("street_boxes", "house_positions", "place_boxes")
        ]
        boxes = [row for row in rows if row[0] is not None]
        if not boxes:
            return None
        west, east, south, north = (list(edge) for edge in zip(*boxes, strict=True))
        return min(west) - _MARGIN, max(east) + _MARGIN, min(south) - _MARGIN, max(north) + _MARGIN

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of all names, for finding typos."""
        # The world has too many words to compare their endings, too, or to read all words for one letter.
        return Vocabulary(self._words_with, by_ends=self._size <= _COMPARABLE)

    def _words_with(self, first: str | None) -> Iterator[str]:
        condition = "" if first is None else "WHERE term >= ? AND term < ?"
        values = () if first is None else (first, chr(ord(first) + 1))
        for (term,) in self.gazetteer.rows(f"SELECT term FROM vocabulary {condition}", *values):
            yield term

    def knows(self, word: QueryWord) -> bool:
        """Return whether any name, including those of surroundings, contains one of a word's forms."""
        return any(self._knows(form) for form in word.forms)

    def has_named(self, word: QueryWord, kinds: frozenset[str]) -> bool:
        """Return whether any entry of some kinds has a word, as written, in its names."""
        written = [form for form, quality in word.forms.items() if quality == 1.0]
        return any(len(self._names_with(form, kind)) > 0 for form in written for kind in kinds & self._kinds)

    def with_typos(self, word: QueryWord) -> QueryWord:
        """Return a word that may also mean similar ones.

        A known word may only mean words with the same first letter and a single typo: Tower does not mean Lower, and
        Columbus does not mean Columbia.
        """
        near = self._remembered(word.text, self._forms_near)
        if near and self.knows(word):
            least = quality_of(1, word.text)
            near = {form: quality for form, quality in near.items() if form[0] == word.text[0] and quality >= least}
        prefixes = word.prefixes
        if prefixes:
            prefixes += tuple(self._remembered(f"{word.text}*", self._beginnings_near).items())
        return replace(word, forms=near | word.forms, prefixes=prefixes)

    def with_slip(self, word: QueryWord) -> QueryWord:
        """Return a word that means only those that differ from it in one letter, however short it is.

        The number of an ordinal is taken for right.
        """
        digits = re.sub(r"\D", "", word.text)
        if digits and digits != word.text:
            if len(digits) > _LONGEST_ORDINAL:
                return replace(word, forms={})
            likely = ordinal(int(digits))
            is_near = OSA.distance(likely, word.text) == 1 and self._knows(likely)
            return replace(word, forms={likely: quality_of(1, word.text)} if is_near else {})
        near = self._remembered(f"{word.text}?", lambda key: self.vocabulary.near_short(key.removesuffix("?")))
        forms = {form: value for each, value in near.items() for form in readings(each)}
        return replace(word, forms={form: value for form, value in forms.items() if form not in word.forms})

    def with_any_slip(self, word: QueryWord) -> QueryWord:
        """Return a word that may also mean any that differs in one letter, or similar ones if it is long."""
        typos = self.with_typos(word)
        return replace(typos, forms=self.with_slip(word).forms | typos.forms)

    def _forms_near(self, text: str) -> dict[str, float]:
        found = self.vocabulary.near(text)
        return {form: value for each, value in found.items() for form in readings(each)}

    def _beginnings_near(self, text: str) -> dict[str, float]:
        return self.vocabulary.near_beginning(text.removesuffix("*"))

    def _remembered(self, key: str, find: Callable[[str], dict[str, float]]) -> dict[str, float]:
        near = self._near.get(key)
        if near is None:
            if len(self._near) > _KEPT:
                self._near.clear()
            near = self._near[key] = find(key)
        return near

    def respaced(self, words: tuple[QueryWord, ...]) -> tuple[QueryWord, ...]:
        """Return the words with two joined or one split, if only that makes them known.

        "Mac Dougal Street" is MacDougal Street, "Plankner Strasse" is Planknerstrasse, and the other way round.
        """
        found: list[QueryWord] = []
        left = list(words)
        while left:
            word = left.pop(0)
            joined = query_word(word.text + left[0].text, is_prefix=left[0].is_prefix) if left else word
            # Words that are next to each other in a name are not joined, since there is also a NewYork somewhere.
            if left and self.knows(joined) and not self._names_with(f"{word.text} {left[0].text}"):
                found.append(joined)
                left.pop(0)
            elif not word.is_prefix and not self.knows(word) and (parts := self._parts(word)):
                found += parts
            else:
                found.append(word)
        return tuple(found)

    def _parts(self, word: QueryWord) -> tuple[QueryWord, ...]:
        for form in word.forms:
            for ending in _APART:
                if form.endswith(ending) and len(form) > len(ending) + 1:
                    parts = query_words((form.removesuffix(ending), ending))
                    if all(map(self.knows, parts)):
                        return parts
        return ()

    def candidates(
        self,
        words: tuple[QueryWord, ...],
        kinds: frozenset[str] = KINDS,
        beside: tuple[QueryWord, ...] = (),
    ) -> list[Entry]:
        """Return the entries that match most and the rarest of the words: the best of each kind.

        Streets named by the words `beside` the house number come first. The other words may state the wrong location.
        """
        found: list[int] = []
        if beside and "street" in kinds & self._kinds:
            found += self._likely(beside, "street", words)
        for kind in sorted(kinds & self._kinds):
            found += self._likely(words, kind, words)[: _FEWER if found and kind == "street" else _FEW]
        return self.entries(list(dict.fromkeys(found)))

    def _likely(self, words: tuple[QueryWord, ...], kind: str, every: tuple[QueryWord, ...]) -> list[int]:
        scores = self._score(words, kind)
        if not scores:
            return []
        best = max(scores.values())
        likely = nsmallest(_FEW, scores, key=lambda document: (-scores[document], document))
        equal = [document for document, score in scores.items() if score >= best * 0.999]
        if len(equal) > _FEW:
            agreed = self._agreed(every, kind, likely[0])
            likely = nsmallest(_FEW, equal, key=lambda document: (-agreed.get(document, 0.0), document))
        return [document for document in likely if scores[document] >= best * _LEAST_OF_BEST]

    def _agreed(self, words: tuple[QueryWord, ...], kind: str, like: int) -> dict[int, float]:
        """Return how well the other words match the surroundings of entries with the same name, by document.

        Any of these words may be wrong, so each counts by itself.
        """
        named = [word for word in words if like in self._named(word, kind)]
        called = " AND ".join(f"({_any(word)})" for word in named)
        agreed: dict[int, float] = {}
        for word in words:
            if word in named or not word.is_significant:
                continue
            found = self._found(f"(name : ({called})) AND (context : ({_any(word)}))", _MOST_NAMES, frozenset({kind}))
            value = word.weight * log(1 + self._size / len(found)) if found else 0.0
            for document in found:
                agreed[document] = agreed.get(document, 0.0) + value
        return agreed

    def all_of(self, words: Sequence[QueryWord], limit: int, kinds: frozenset[str] = KINDS) -> list[int]:
        """Return documents of some kinds with every word in their names or their surroundings, best known first.

        If there are too many, the first are those with all words in their names, then with a number, then with the
        first two words, then with any word that is not a type of street: Pennsylvania Avenue is one of many avenues in
        Pennsylvania.
        """
        wanted = kinds & self._kinds
        if not words or not wanted:
            return []
        every = " AND ".join(f"({_any(word)})" for word in words)
        if len(words) == 1:
            found = [*self._coded(words[0], wanted), *self._found(f"name : ({every})", limit, wanted)]
            return list(dict.fromkeys(found))
        found = self._found(every, limit, wanted)
        if len(found) < limit:
            return found
        named = self._found(f"name : ({every})", limit, wanted)
        telling = [word for word in words if word.weight == 1.0 or word.is_prefix] or words
        codes = [word for word in words if any(map(str.isdigit, word.text))]
        first_two = " AND ".join(f"({_any(word)})" for word in words[:2])
        for names in (" OR ".join(map(_any, codes)), first_two, " OR ".join(map(_any, telling))):
            if names and len(named) < limit:
                named += self._found(f"({every}) AND name : ({names})", limit, wanted)
        return list(dict.fromkeys((*named, *found)))[:limit]

    def begun(self, words: Sequence[QueryWord], limit: int, kinds: frozenset[str]) -> list[int]:
        """Return divisions with every word in their names, and a word in their own name that begins with the last word.

        Without this restriction, the best known ones would match by any of their names in any language.
        """
        last = words[-1] if words else None
        if last is None or not last.is_prefix or "division" not in kinds & self._kinds:
            return []
        every = " AND ".join(f"({_any(word)})" for word in words)
        if (known := self._begun.get(every)) is not None:
            return known
        rows = self.gazetteer.rows(
            "SELECT d.id, v.name FROM words w CROSS JOIN documents d ON d.id = w.rowid"
            " CROSS JOIN divisions v ON v.id = d.ref WHERE words MATCH ? AND d.kind = 'division' LIMIT ?",
            *(f"name : ({every})", _BEGUN),
        )
        found = [number for number, name in rows if any(map(last.quality_begun, split_words(name)))][:limit]
        if len(self._begun) > _KEPT_NAMES:
            self._begun.clear()
        self._begun[every] = found
        return found

    def _coded(self, word: QueryWord, kinds: frozenset[str]) -> list[int]:
        """Return the countries and states with a code."""
        if "division" not in kinds or not _CODE.fullmatch(word.text):
            return []
        sql = (
            "SELECT d.id FROM divisions v JOIN documents d ON d.kind = 'division' AND d.ref = v.id"
            " WHERE v.layer IN ('country', 'state') AND v.code = ? ORDER BY d.id"
        )
        return [number for (number,) in self.gazetteer.rows(sql, word.text.upper())]

    def _found(self, expression: str, limit: int, kinds: frozenset[str]) -> list[int]:
        sql = "SELECT w.rowid FROM words w WHERE words MATCH ? LIMIT ?"
        if kinds != self._kinds:
            listed = ", ".join(f"'{kind}'" for kind in sorted(kinds))
            sql = (
                "SELECT w.rowid FROM words w CROSS JOIN documents d ON d.id = w.rowid"
                f" WHERE words MATCH ? AND d.kind IN ({listed}) LIMIT ?"
            )
        return [number for (number,) in self.gazetteer.rows(sql, expression, limit)]

    @cached_property
    def _kinds(self) -> frozenset[str]:
        """The kinds of documents in the gazetteer."""
        sql = "SELECT EXISTS (SELECT 1 FROM documents WHERE kind = ?)"
        return frozenset(kind for kind in KINDS if self.gazetteer.rows(sql, kind)[0][0])

    def matching(self, words: Sequence[QueryWord], limit: int) -> list[int]:
        """Return documents of all kinds with every word in their names or their surroundings, best known first."""
        every = " AND ".join(f"({_any(word)})" for word in words)
        return self._found(every if len(words) > 1 else f"name : ({every})", limit, self._kinds)

    def postal_code(self, code: str, country_code: str | None) -> NamedDivision | None:
        """Return the division of a postal code, or None if it is unknown."""
        first, *others = split_words(code) or [""]
        named = set(self._names_with(first)).intersection(*map(self._names_with, others))
        for entry in self.entries(sorted(named)):
            is_it = entry.layer is Layer.POSTAL_CODE and entry.name == code
            if is_it and country_code in (None, entry.context.country_code):
                return self.gazetteer.division(entry.ref)
        return None

    def signs(self, text: str, limit: int) -> list[int]:
        """Return documents whose names contain a text of three or more signs, such as Chinese characters."""
        if len(text) < 3 or not is_sign_text(text):
            return []
        sql = "SELECT rowid FROM signs WHERE signs MATCH ? LIMIT ?"
        return [number for (number,) in self.gazetteer.rows(sql, _quoted(text), limit)]

    def entries(self, documents: list[int]) -> list[Entry]:
        """Return the entries of documents, in their order."""
        found = {number: entry for number in documents if (entry := self._entries.get(number)) is not None}
        missing = [number for number in documents if number not in found]
        if missing:
            if len(self._entries) > _KEPT_ENTRIES:
                self._entries.clear()
            read = {entry.document: entry for entry in read_entries(self.gazetteer, missing)}
            self._entries |= read
            found |= read
        return [entry for number in documents if (entry := found.get(number)) is not None]

    def _score(self, words: tuple[QueryWord, ...], kind: str) -> dict[int, float]:
        """Return documents of a kind with the weight of the words that match their names."""
        found = sorted(((self._named(word, kind), word.weight) for word in words), key=lambda pair: len(pair[0]))
        scores: dict[int, float] = {}
        for documents, weight in found:
            if not documents:
                continue
            value = weight * log(1 + self._size / len(documents))
            if scores and len(documents) > _COMMON:
                for document in scores.keys() & documents.keys():
                    scores[document] += value * documents[document]
            else:
                for document, quality in documents.items():
                    scores[document] = scores.get(document, 0.0) + value * quality
        return scores

    def _named(self, word: QueryWord, kind: str) -> dict[int, float]:
        """Return the documents of a kind with a word in their names, and the quality of each match."""
        found: dict[int, float] = {}
        for form, quality in word.forms.items():
            for document in self._names_with(form, kind):
                if found.get(document, 0.0) < quality:
                    found[document] = quality
        for prefix, quality in word.prefixes if word.is_prefix and len(word.text) > _SHORT else ():
            for document in self._names_with(f"{prefix}*", kind):
                found.setdefault(document, quality)
        return found

    def _names_with(self, form: str, kind: str | None = None) -> array[int]:
        documents = self._names.get((form, kind))
        if documents is None:
            word = _searched(form)
            kinds = self._kinds if kind is None else frozenset({kind})
            documents = array("i", self._found(f"name : {word}", _MOST_NAMES, kinds))
            self._numbers += len(documents)
            if len(self._names) > _KEPT_NAMES or self._numbers > _KEPT_NUMBERS:
                self._names.clear()
                self._numbers = len(documents)
            self._names[form, kind] = documents
        return documents

    def _knows(self, form: str) -> bool:
        known = self._known.get(form)
        if known is None:
            if len(self._known) > _KEPT:
                self._known.clear()
            known = self._known[form] = bool(self.gazetteer.rows("SELECT 1 FROM vocabulary WHERE term = ?", form))
        return known


def _any(word: QueryWord) -> str:
    beginnings = (_searched(f"{prefix}*") for prefix, _ in word.prefixes)
    return " OR ".join((*beginnings, *map(_searched, word.forms)))


@lru_cache(maxsize=20_000)
def _searched(form: str) -> str:
    """Return a form of a word, which ends with an asterisk if it is a beginning, for the full-text search.

    A form of several words is found in any order, since the index does not know the places of words.
    """
    beginning = "*" if form.endswith("*") else ""
    text = form.removesuffix("*")
    if " " not in text:
        return _quoted(text) + beginning
    return f"({' AND '.join(map(_quoted, text.split()))}{beginning})"


def _quoted(word: str) -> str:
    """Return a word quoted for the full-text search."""
    return '"' + word.replace('"', '""') + '"'
