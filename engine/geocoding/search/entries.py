"""Entries of a gazetteer as the search needs them: streets, divisions and places."""

from collections.abc import Iterable
from functools import cached_property
from typing import Final

import orjson
from msgspec import Struct
from rapidfuzz import fuzz

from engine.domain.addresses.address import DIVISIONS, Layer
from engine.domain.geometry import Point
from engine.gazetteer.reader import AddressContext, Gazetteer
from engine.gazetteer.rows import ROAD_NUMBER
from engine.gazetteer.text import fold, spellings, split_words
from engine.geocoding.search.matching import Name, OtherName, code_name, is_latin, names_of, other_name

LARGE_CITY: Final = 0.85
"""Rank of a city of more than two and a half million inhabitants."""

KINDS: Final = frozenset({"street", "division", "place"})
"""Kinds of documents."""

CODED_STATES: Final = frozenset({"US", "CA", "AU", "BR"})
"""Countries in whose addresses states are written as codes."""

_IN_ENGLISH: Final = frozenset({"AU", "US"})
"""Countries whose towns go by their English names, so that other names are former names or nicknames."""

_CALLED_OTHERWISE: Final = 0.81
"""Rank of a city of a million inhabitants, whose nicknames are well known: the Big Apple."""

_PREFIX: Final = 3
"""Maximum length of the prefix of a road's number."""

_ALIKE: Final = 60.0
"""Minimum similarity of a spelling to the name itself, out of 100: Filadelfia, Wallingford Center."""

_LAYERS: Final = {layer.value: layer for layer in Layer} | {"borough": Layer.LOCALITY, "neighborhood": Layer.LOCALITY}


class Entry(Struct, frozen=True, kw_only=True, dict=True):
    """A street, division or place as the search needs it; `ref` is its number in its table.

    `part` is the layer of a division as the file spells it. A street's layer is ADDRESS.
    """

    gazetteer: Gazetteer
    document: int
    kind: str
    ref: int
    rank: float
    layer: Layer
    name: str
    names: dict[str, str]
    code: str | None
    context: AddressContext
    point: Point
    part: str | None = None
    chain: str | None = None
    street: str | None = None
    number: str | None = None
    place_id: str | None = None

    @property
    def finer(self) -> Layer | None:
        """The finer layer of a street or a part of a city, None for all others."""
        if self.kind == "street":
            return Layer.STREET
        return Layer.NEIGHBORHOOD if self.part in ("borough", "neighborhood") else None

    @cached_property
    def spellings(self) -> tuple[Name, ...]:
        """Local names in each spelling."""
        every = dict.fromkeys(each for each in (self.name, self._short_name, self.chain) if each)
        found = dict.fromkeys(spelling for name in every for spelling in names_of(name))
        if self.code and self._is_called_by_code:
            found[code_name(self.code)] = None
        return tuple(found)

    @cached_property
    def named(self) -> frozenset[str]:
        """Words of all names; of a road's number, neither Highway nor State."""
        names = (self.name, self.chain, *(name for key, name in self._known_names.items() if not _is_number(key)))
        words = {word for name in names if name for spelling in names_of(name) for word in spelling.words}
        numbers = (word for key, name in self.names.items() if _is_number(key) for word in split_words(name))
        return frozenset(words.union(word for word in numbers if len(word) <= _PREFIX or word[-1].isdigit()))

    @cached_property
    def _known_names(self) -> dict[str, str]:
        """Other names by key, without outdated names of towns."""
        is_town = self.layer is Layer.LOCALITY and self.rank < _CALLED_OTHERWISE
        if not is_town or self.context.country_code not in _IN_ENGLISH:
            return self.names
        return {key: name for key, name in self.names.items() if not _is_unsure(key) or self._resembles(name)}

    def _resembles(self, name: str) -> bool:
        """Return whether a name is in another script or spells the entry's name: Bethpage is not Central Park."""
        one, other = self.folded, fold(name)
        return not is_latin(name) or max(fuzz.ratio(one, other), fuzz.partial_ratio(one, other)) >= _ALIKE

    @property
    def _short_name(self) -> str | None:
        """Name of one of the largest cities without "City": New York, Mexico, Ho Chi Minh."""
        is_city = self.layer is Layer.LOCALITY and self.rank >= LARGE_CITY and self.name.endswith(" City")
        return self.name.removesuffix(" City") if is_city else None

    @cached_property
    def others(self) -> tuple[OtherName, ...]:
        """Foreign names, and spellings of unknown language."""
        unsure: dict[str, bool] = {self.code: True} if self.code and self.code.isalpha() else {}
        for key, name in self._known_names.items():
            # GeoNames mixes old names and misspellings of localities with their names in all languages, without a
            # language.
            unsure[name] = unsure.get(name, True) and self.layer is Layer.LOCALITY and _is_unsure(key)
        if self._is_called_by_code and self.code:
            unsure.pop(self.code, None)
        numbers = {name for key, name in self.names.items() if _is_number(key)}
        others = {name: odd for name, odd in unsure.items() if name != self.name}
        return tuple(other_name(name, unsure=odd, is_number=name in numbers) for name, odd in others.items())

    @property
    def _is_called_by_code(self) -> bool:
        """Whether people know the code, as they do for countries and for states that addresses abbreviate."""
        if self.code is None or not self.code.isalpha():
            return False
        return self.layer is not Layer.STATE or self.context.country_code in CODED_STATES

    @cached_property
    def folded(self) -> str:
        """Name in folded form."""
        return fold(self.name)

    def is_also_called(self, other: "Entry") -> bool:
        """Return whether one of the two entries has the other's name among its own."""
        return self.folded in other._every_name or other.folded in self._every_name

    @cached_property
    def _every_name(self) -> frozenset[str]:
        return frozenset(map(fold, filter(None, (self.name, self._short_name, *self.names.values()))))

    @cached_property
    def around(self) -> frozenset[str]:
        """Words of the divisions that the entry lies in, and of the street that it lies on."""
        if self.street is None:
            return self.context.words
        return self.context.words.union(*spellings(self.street))


def _is_number(key: str) -> bool:
    """Return whether a name is the number of a road, in one of the ways to write it."""
    return key.startswith(ROAD_NUMBER)


def _is_unsure(key: str) -> bool:
    """Return whether a name has no known language: alt1, alt2."""
    return key[:3] == "alt" and key != "alt"


def kinds_of(layers: frozenset[Layer]) -> frozenset[str]:
    """Return the kinds of documents that have entries of the layers."""
    kinds = {
        "street": bool(layers & {Layer.ADDRESS, Layer.STREET}),
        "place": Layer.PLACE in layers,
        "division": bool(layers & DIVISIONS),
    }
    return frozenset(kind for kind, wanted in kinds.items() if wanted)


def read_entries(gazetteer: Gazetteer, documents: list[int]) -> list[Entry]:
    """Return the entries of a gazetteer's documents, in no particular order."""
    rows = gazetteer.rows(f"SELECT id, kind, ref, rank FROM documents WHERE id IN ({','.join(map(str, documents))})")
    by_kind: dict[str, dict[int, tuple[int, float]]] = {}
    for number, kind, ref, rank in rows:
        by_kind.setdefault(kind, {})[ref] = (number, rank)
    readers = {"street": _streets, "division": _divisions, "place": _places}
    return [entry for kind, refs in by_kind.items() for entry in readers[kind](gazetteer, refs)]


def _streets(gazetteer: Gazetteer, refs: dict[int, tuple[int, float]]) -> Iterable[Entry]:
    sql = f"SELECT id, name, names, context, longitude, latitude FROM streets WHERE id IN ({_list(refs)})"
    for ref, name, names, context, longitude, latitude in gazetteer.rows(sql):
        yield Entry(
            gazetteer=gazetteer,
            document=refs[ref][0],
            kind="street",
            ref=ref,
            rank=refs[ref][1],
            layer=Layer.ADDRESS,
            name=name,
            names=orjson.loads(names) if names else {},
            code=None,
            context=gazetteer.context(context),
            point=Point(longitude, latitude),
        )


def _divisions(gazetteer: Gazetteer, refs: dict[int, tuple[int, float]]) -> Iterable[Entry]:
    for ref, (document, rank) in refs.items():
        division = gazetteer.division(ref)
        yield Entry(
            gazetteer=gazetteer,
            document=document,
            kind="division",
            ref=ref,
            rank=rank,
            layer=_LAYERS[division.layer],
            name=division.name,
            names=division.names,
            code=division.code,
            context=gazetteer.context(division.context),
            point=division.point,
            part=division.layer,
        )


def _places(gazetteer: Gazetteer, refs: dict[int, tuple[int, float]]) -> Iterable[Entry]:
    columns = "id, place_id, name, names, chain_name, context, longitude, latitude, street, number"
    sql = f"SELECT {columns} FROM places WHERE id IN ({_list(refs)})"
    for ref, place_id, name, names, chain, context, longitude, latitude, street, number in gazetteer.rows(sql):
        yield Entry(
            gazetteer=gazetteer,
            document=refs[ref][0],
            kind="place",
            ref=ref,
            rank=refs[ref][1],
            layer=Layer.PLACE,
            name=name,
            names=orjson.loads(names) if names else {},
            code=None,
            context=gazetteer.context(context),
            point=Point(longitude, latitude),
            chain=chain,
            street=street,
            number=number,
            place_id=place_id,
        )


def _list(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))
