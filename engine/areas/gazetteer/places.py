"""Writes the places of an extract: places that people visit, with chains and categories."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import shapely

from engine.areas.brands import BrandTable
from engine.areas.categories import PlaceKind, place_kind
from engine.areas.gazetteer.address_assignment import HouseNumber
from engine.areas.gazetteer.atlas import M_PER_DEGREE, Atlas
from engine.areas.gazetteer.countries import AdminDivision, Around
from engine.areas.gazetteer.divisions import DivisionWriter
from engine.areas.gazetteer.reading import TaggedObject
from engine.areas.gazetteer.tags import names_of
from engine.domain.geometry import Point
from engine.gazetteer.rows import PlaceRow, place_id_of
from engine.gazetteer.writer import GazetteerWriter

_RIVER: Final = "river"
"""Category of features that are written once for each city they flow through."""

_NEIGHBOUR: Final = 250.0 / M_PER_DEGREE
"""Distance in degrees within which a place takes city and postal code of a house."""


class PlaceWriter:
    """Writes places, each with the context of the houses around it."""

    def __init__(
        self, writer: GazetteerWriter, divisions: DivisionWriter, atlas: Atlas, brands: BrandTable | None
    ) -> None:
        self._writer = writer
        self._divisions = divisions
        self._atlas = atlas
        self._brands = brands

    def write(self, places: Iterable[TaggedObject], houses: Sequence[HouseNumber], languages: frozenset[str]) -> None:
        """Write the objects that are places and whose centre is in the extract."""
        candidates = [found for found in places if self._atlas.holds(found.spot)]
        if not candidates:
            return
        own = {house.address.osm: house for house in reversed(houses)}
        around = self._atlas.around(np.array([found.spot for found in candidates]))
        rivers: dict[tuple[str, AdminDivision | None], list[_Placed]] = defaultdict(list)
        for found, lies, neighbour in zip(candidates, around, _neighbours(candidates, houses), strict=True):
            country = lies.country
            point = Point(*found.spot)
            kind = place_kind(found.tags, point, country.code if country is not None else None, self._brands)
            if kind is not None:
                placed = _Placed(found, kind, own.get(found.osm) or own.get(found.house or ""), lies, neighbour)
                if kind.categories[-1] == _RIVER and found.shape is None:
                    rivers[kind.name, placed.lies_in().city].append(placed)
                else:
                    self._write(placed, languages)
        for pieces in rivers.values():
            self._write(_amid(pieces), languages)

    def _write(self, placed: "_Placed", languages: frozenset[str]) -> None:
        found, kind, house, _, neighbour = placed
        around, nearest = placed.lies_in(), house or neighbour
        self._writer.place(
            PlaceRow(
                place_id=place_id_of(found.osm),
                osm=found.osm,
                name=kind.name,
                names=names_of(found.tags, languages),
                chain=kind.chain,
                chain_name=kind.chain_name,
                categories=kind.categories,
                rank=kind.rank,
                point=Point(*found.spot),
                context=self._divisions.context(around, nearest.postcode if nearest is not None else None),
                street=house.street if house is not None else None,
                number=house.number if house is not None else None,
                iata=found.tags.get("iata"),
                outline=found.shape,
            )
        )


class _Placed(NamedTuple):
    """A place with its own or enclosing house, its surroundings, and the nearest house."""

    found: TaggedObject
    kind: PlaceKind
    house: HouseNumber | None
    around: Around
    neighbour: HouseNumber | None

    def lies_in(self) -> Around:
        """Return the surroundings of its house, or its own with the city of the nearest house."""
        if self.house is not None:
            return self.house.around
        if self.neighbour is not None and self.neighbour.around.city is not None:
            return self.around._replace(city=self.neighbour.around.city)
        return self.around


def _amid(pieces: Sequence[_Placed]) -> _Placed:
    """Return the piece of a river that is nearest to the middle of all pieces; each piece is a separate way."""
    spots = np.array([piece.found.spot for piece in pieces])
    return pieces[int(np.hypot(*(spots - np.median(spots, axis=0)).T).argmin())]


def _neighbours(places: Sequence[TaggedObject], houses: Sequence[HouseNumber]) -> list[HouseNumber | None]:
    """Return the nearest house of each place, if one is close."""
    nearest: list[HouseNumber | None] = [None] * len(places)
    if houses:
        tree = shapely.STRtree(shapely.points([house.address.spot for house in houses]))
        spots = shapely.points([found.spot for found in places])
        for place, house in tree.query_nearest(spots, max_distance=_NEIGHBOUR, all_matches=False).T.tolist():
            nearest[place] = houses[house]
    return nearest
