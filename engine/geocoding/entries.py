"""What a gazetteer holds, as far as finding it needs: streets, divisions and places."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import orjson

from engine.domain.address import COARSE, Layer
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer, Surroundings
from engine.gazetteer.text import fold, spellings
from engine.geocoding.matching import Name, OtherName, names_of, other_name

KINDS: Final = frozenset({"street", "division", "place"})
"""What documents are of."""

_LAYERS: Final = {layer.value: layer for layer in Layer} | {"borough": Layer.LOCALITY, "neighborhood": Layer.LOCALITY}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A street, division or place, as far as finding it needs; `ref` is its number in its table.

    `part` is the layer of a division in the file's words. A street's layer is ADDRESS.
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
    context: Surroundings
    point: Point
    part: str | None = None
    chain: str | None = None
    street: str | None = None
    number: str | None = None
    place_id: str | None = None

    @cached_property
    def spellings(self) -> tuple[Name, ...]:
        """What it is called here, in each way that is spelled."""
        # Some states have numbers for codes, which nobody calls them by.
        code = self.code if self.code and self.code.isalpha() else None
        every = dict.fromkeys(each for each in (self.name, code, self.chain) if each)
        return tuple(dict.fromkeys(spelling for name in every for spelling in names_of(name)))

    @cached_property
    def others(self) -> tuple[OtherName, ...]:
        """What it is called elsewhere."""
        return tuple(other_name(name) for name in dict.fromkeys(self.names.values()) if name != self.name)

    @cached_property
    def folded(self) -> str:
        """Its name, folded."""
        return fold(self.name)

    @cached_property
    def around(self) -> frozenset[str]:
        """The words of what it lies in, or on."""
        if self.street is None:
            return self.context.words
        return self.context.words.union(*spellings(self.street))


def kinds_of(layers: frozenset[Layer]) -> frozenset[str]:
    """Return the kinds of documents that have things of some layers."""
    kinds = {"street": Layer.ADDRESS in layers, "place": Layer.PLACE in layers, "division": bool(layers & COARSE)}
    return frozenset(kind for kind, wanted in kinds.items() if wanted)


def read_entries(gazetteer: Gazetteer, documents: list[int]) -> list[Entry]:
    """Return what documents of a gazetteer are of, in no order."""
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
