"""Divisions of the extract and of the world pack that are the same: by their code, or by one of their names."""

from collections.abc import Iterable

from engine.areas.gazetteer.countries import AdminDivision
from engine.gazetteer.rows import DivisionLayer

type _Key = tuple[DivisionLayer, str]


class Namesakes:
    """Divisions in their order, found by what may be the same; comparing each with each takes long in a large area."""

    def __init__(self, divisions: Iterable[AdminDivision]) -> None:
        self._divisions = list(divisions)
        self._coded: dict[_Key, int] = {}
        self._named: dict[_Key, int] = {}
        self._only_named: dict[_Key, int] = {}
        for number, division in enumerate(self._divisions):
            names = [(division.layer, name) for name in division.known_as()]
            self._coded.setdefault((division.layer, (division.code or "").upper()), number)
            for key in names:
                self._named.setdefault(key, number)
                if not division.code:
                    self._only_named.setdefault(key, number)

    def of_outer(self, outer: AdminDivision) -> AdminDivision | None:
        """Return the first of these, from the extract, that is what the world pack has."""
        if outer.code:
            return self._first([self._coded.get((outer.layer, outer.code))])
        return self._first([self._named.get((outer.layer, name)) for name in outer.known_as()])

    def of_extract(self, here: AdminDivision) -> AdminDivision | None:
        """Return the first of these, from the world pack, that is what the extract has; a code of theirs decides."""
        named = [self._only_named.get((here.layer, name)) for name in here.known_as()]
        coded = self._coded.get((here.layer, here.code.upper())) if here.code else None
        return self._first([coded, *named])

    def _first(self, numbers: Iterable[int | None]) -> AdminDivision | None:
        first = min((number for number in numbers if number is not None), default=None)
        return self._divisions[first] if first is not None else None


def is_same(here: AdminDivision, there: AdminDivision) -> bool:
    """Whether a division of the extract is one of the world pack, whose code decides if it has one."""
    if here.layer != there.layer:
        return False
    return (here.code or "").upper() == there.code if there.code else bool(here.known_as() & there.known_as())
