"""Data of gazetteers for postal addresses: the streets that a postal code may have, their houses and units."""

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from engine.domain.geometry import Point
from engine.gazetteer.reader import AddressContext, Gazetteer
from engine.gazetteer.rows import ZipCode
from engine.gazetteer.text import DIRECTIONS, STREET_TYPES, fold, number_of, ordinal, words
from engine.geo.earth import metres_per_degree

_RESEMBLES: Final = 88.0
"""Minimum similarity of two names, in per cent, for one to be a misspelling of the other."""

_LEAST_LETTERS: Final = 4
"""Minimum length of a name; shorter ones resemble too many others."""

_MOST_DIGITS: Final = 3
"""Maximum number of digits of a street named by a number."""

_KEPT: Final = 16
"""Number of counties whose streets stay in memory."""
_PLACE_WITHIN_M: Final = 150.0
_ALONG: Final = np.linspace(0, 1, 9)

_SAINT_OR_STREET: Final = ("saint", "street")
_SHORT: Final = 2
"""Maximum length of a word that is not a misspelling of another word."""

_LONG: Final = 8
"""Minimum length of a name that may have two typing errors."""

type Words = tuple[str, ...]


class KnownHouse(Struct, frozen=True, kw_only=True):
    """A house of a gazetteer; `use` is the value of its building tag, `units` are folded."""

    id: int
    number: str
    point: Point
    context: AddressContext
    name: str | None
    use: str | None
    units: frozenset[str]


class KnownStreet(Struct, frozen=True, eq=False):
    """A street of a gazetteer."""

    gazetteer: Gazetteer
    id: int
    name: str
    context: AddressContext

    def houses(self, number: str) -> list[KnownHouse]:
        """Return its houses with exactly this number."""
        value, suffix = number_of(number)
        rows = self.gazetteer.rows(
            "SELECT id, number, longitude, latitude, context, name, use FROM houses"
            " WHERE street = ? AND value = ? AND suffix = ? ORDER BY id",
            *(self.id, value, suffix),
        )
        return [
            KnownHouse(
                id=house,
                number=written,
                point=Point(longitude, latitude),
                context=self.gazetteer.context(context),
                name=name,
                use=use,
                units=frozenset(
                    unit for (unit,) in self.gazetteer.rows("SELECT unit FROM units WHERE house = ?", house)
                ),
            )
            for house, written, longitude, latitude, context, name, use in rows
        ]

    def points(self) -> list[Point]:
        """Return some positions along it."""
        ((longitude, latitude, line),) = self.gazetteer.rows(
            "SELECT longitude, latitude, line FROM streets WHERE id = ?", self.id
        )
        if line is None:
            return [Point(longitude, latitude)]
        along = shapely.line_interpolate_point(shapely.from_wkb(line), _ALONG, normalized=True)
        return [Point(longitude, latitude) for longitude, latitude in shapely.get_coordinates(along).tolist()]

    def postal_codes(self) -> frozenset[str]:
        """Return the postal codes of its houses, in the usual notation."""
        rows = self.gazetteer.rows(
            "SELECT DISTINCT c.postal_code FROM houses h JOIN contexts c ON c.id = h.context WHERE h.street = ?",
            self.id,
        )
        codes = [code for (code,) in rows] + [self.context.postal_code]
        return frozenset(usual_code(code) for code in codes if code)

    def firms_at(self, house: KnownHouse) -> int:
        """Return the number of places with the address of a house."""
        x, y = metres_per_degree(house.point.latitude)
        west, south = _PLACE_WITHIN_M / x, _PLACE_WITHIN_M / y
        rows = self.gazetteer.rows(
            "SELECT p.street, p.number FROM place_boxes b JOIN places p ON p.id = b.id"
            " WHERE b.west <= ? AND b.east >= ? AND b.south <= ? AND b.north >= ?",
            *(house.point.longitude + west, house.point.longitude - west),
            *(house.point.latitude + south, house.point.latitude - south),
        )
        own = (self.name.casefold(), house.number.casefold())
        return sum(own == ((street or "").casefold(), (number or "").casefold()) for street, number in rows)


def usual_code(code: str) -> str:
    """Return a postal code without its four-digit extension, or a Canadian one with its space."""
    stripped = code.strip().upper()
    if stripped[:5].isdigit():
        return stripped[:5]
    return f"{stripped[:3]} {stripped[3:].strip()}"


class StreetBook:
    """The streets of one gazetteer around a postal code, found by their words."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._gazetteer = gazetteer
        self.streets_of = lru_cache(_KEPT)(self._streets_of)

    def _streets_of(self, country: str, state: str, postal_code: str, county: str, cities: frozenset[str]) -> "Streets":
        """Return the streets with this postal code, in its county, or in one of its cities.

        `county` is folded, `cities` are as `city_key` returns them.
        """
        contexts = [
            (number, context)
            for (number,) in self._gazetteer.rows("SELECT id FROM contexts")
            if (context := self._gazetteer.context(number)).country_code == country
            and (context.state is None or context.state.code in (None, state))
        ]
        counties = {
            context.county.id
            for _, context in contexts
            if context.county and usual_code(context.postal_code or "") == postal_code
        }
        chosen = {
            number
            for number, context in contexts
            if (context.county is not None and (context.county.id in counties or fold(context.county.name) == county))
            or usual_code(context.postal_code or "") == postal_code
            or (context.city is not None and city_key(context.city.name) in cities)
        }
        return Streets(
            KnownStreet(self._gazetteer, number, name, self._gazetteer.context(context))
            for number, name, context in self._gazetteer.rows("SELECT id, name, context FROM streets")
            if context in chosen
        )


class Streets:
    """A set of streets, found by their words."""

    def __init__(self, streets: Iterable[KnownStreet]) -> None:
        self._by_words = defaultdict[Words, list[KnownStreet]](list)
        self._by_core = defaultdict[Words, list[tuple[Words, KnownStreet]]](list)
        for street in streets:
            spelled = street_words(street.name)
            self._by_words[spelled].append(street)
            core, rest = _apart(spelled)
            self._by_core[core].append((rest, street))
        self._cores = list(self._by_core)
        self._texts = [" ".join(core) for core in self._cores]

    def named(self, name: Words) -> list[KnownStreet]:
        """Return the streets with exactly these words."""
        return self._by_words.get(name, [])

    def like(self, name: Words) -> list[KnownStreet]:
        """Return streets that differ only in a type or direction that one of the names omits, else streets that
        resemble it.

        If any of them has the same type and direction, only these are returned.
        """
        for find in (lambda core: self._by_core.get(core, []), self._resembling):
            for variant in (name, *_with_types(name)):
                core, rest = _apart(variant)
                found = [(other, street) for other, street in find(core) if _is_compatible(rest, other)]
                if found:
                    return [street for other, street in found if other == rest] or [street for _, street in found]
        return []

    def _resembling(self, core: Words) -> list[tuple[Words, KnownStreet]]:
        text = " ".join(core)
        if len(text) < _LEAST_LETTERS:
            return []
        found = process.extract(text, self._texts, scorer=fuzz.ratio, score_cutoff=_RESEMBLES, limit=5)
        cores = (self._cores[index] for _, _, index in found)
        return [each for other in cores if is_spelling(core, other) for each in self._by_core[other]]


def is_spelling(given: Words, known: Words) -> bool:
    """Return whether words may be a misspelling of others, rather than another name.

    Numbers and single letters must be the same, and no word may be missing, but two may be joined or one split.
    """
    if sorted(filter(None, map(_fixed, given))) != sorted(filter(None, map(_fixed, known))):
        return False
    if len(given) == len(known):
        return all(_resembles(one, other) for one, other in zip(given, known, strict=True))
    return _resembles("".join(given), "".join(known))


def _fixed(word: str) -> str:
    """Return a word that must not change, and nothing for other words."""
    return word if len(word) <= _SHORT or not word.isalpha() else ""


def _resembles(one: str, other: str) -> bool:
    most = 2 if min(len(one), len(other)) >= _LONG else 1
    return OSA.distance(one, other, score_cutoff=most) <= most


def street_words(name: str) -> Words:
    """Return the words of a street's name, with numbers as ordinals: 33 Street is 33rd Street."""
    return tuple(ordinal(int(word)) if _is_short_number(word) else word for word in words(name))


def street_forms(name: str) -> tuple[Words, ...]:
    """Return the possible words of a street's name as given, the usual ones first: St is Saint or Street."""
    usual = street_words(name)
    either = [_SAINT_OR_STREET if word in _SAINT_OR_STREET else (word,) for word in usual]
    return tuple(dict.fromkeys((usual, *product(*either)))) if "st" in fold(name).split() else (usual,)


def is_named(street: str) -> bool:
    """Return whether a street has a name beside its type and direction."""
    return any(word not in _TYPES_AND_DIRECTIONS for word in words(street))


def city_key(name: str) -> str:
    """Return a city's name as it is compared: St Albans is Saint Albans."""
    return " ".join(words(name))


def _is_short_number(word: str) -> bool:
    return word.isdecimal() and word.isascii() and len(word) <= _MOST_DIGITS


def _with_types(name: Words) -> list[Words]:
    """Return variants of a name with a word replaced by a street type that it may misspell: Bank Steet, Bank Street.

    The first word is never replaced.
    """
    found = []
    for index, word in enumerate(name):
        if index and len(word) >= _LEAST_LETTERS and word not in _TYPES_AND_DIRECTIONS:
            near = process.extract(word, _LONG_TYPES, scorer=OSA.distance, score_cutoff=1, limit=3)
            found += [(*name[:index], corrected, *name[index + 1 :]) for corrected, _, _ in near]
    return found


def _apart(name: Words) -> tuple[Words, Words]:
    """Return the words of a street's name without type and direction, and these; all words if nothing else is left."""
    core = tuple(word for word in name if word not in _TYPES_AND_DIRECTIONS)
    rest = tuple(word for word in name if word in _TYPES_AND_DIRECTIONS)
    return (core, rest) if core else (name, ())


def _is_compatible(given: Words, known: Words) -> bool:
    """Return whether the types and directions do not conflict: Madison Street is not Madison Avenue."""
    for kind in (_DIRECTIONS, _TYPES):
        one, other = kind.intersection(given), kind.intersection(known)
        if one and other and one != other:
            return False
    return True


_DIRECTIONS: Final = frozenset(full for word in DIRECTIONS for full in words(word))
_TYPES: Final = frozenset(full for word in STREET_TYPES for full in words(word)) - _DIRECTIONS
_TYPES_AND_DIRECTIONS: Final = _TYPES | _DIRECTIONS
_LONG_TYPES: Final = sorted(word for word in _TYPES if len(word) >= _LEAST_LETTERS)


def accepted_cities(code: ZipCode | None) -> frozenset[str]:
    """Return the cities that are accepted with a postal code, as `city_key` returns them."""
    return frozenset() if code is None else frozenset(city_key(city) for city in (code.city, *code.accepted))
