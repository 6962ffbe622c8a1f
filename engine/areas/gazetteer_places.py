"""Writes the places of an extract: what people visit, with chains and categories."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import shapely

from engine.areas.brands import BrandTable
from engine.areas.categories import PlaceKind, place_kind
from engine.areas.gazetteer_atlas import M_PER_DEGREE, Atlas
from engine.areas.gazetteer_divisions import LandWriter
from engine.areas.gazetteer_homes import Home
from engine.areas.gazetteer_lands import Around
from engine.areas.gazetteer_reading import Found
from engine.areas.gazetteer_tags import names_of
from engine.domain.geometry import Point
from engine.gazetteer.rows import PlaceRow, place_id_of
from engine.gazetteer.writer import GazetteerWriter

_NEIGHBOUR: Final = 250.0 / M_PER_DEGREE
"""What a house so near, in degrees, has for a city and a postal code, a place has, too."""


class PlaceWriter:
    """Writes places, each in what the houses around it are in."""

    def __init__(self, writer: GazetteerWriter, lands: LandWriter, atlas: Atlas, brands: BrandTable | None) -> None:
        self._writer = writer
        self._lands = lands
        self._atlas = atlas
        self._brands = brands

    def write(self, places: Iterable[Found], homes: Sequence[Home], languages: frozenset[str]) -> None:
        """Write what is a place of what may be one, as far as its middle is in the extract."""
        candidates = [found for found in places if self._atlas.holds(found.spot)]
        if not candidates:
            return
        own = {home.address.osm: home for home in reversed(homes)}
        around = self._atlas.around(np.array([found.spot for found in candidates]))
        for found, lies, neighbour in zip(candidates, around, _neighbours(candidates, homes), strict=True):
            country = lies.country
            point = Point(*found.spot)
            kind = place_kind(found.tags, point, country.code if country is not None else None, self._brands)
            if kind is not None:
                self._write(found, kind, own.get(found.osm) or own.get(found.house or ""), lies, neighbour, languages)

    def _write(
        self,
        found: Found,
        kind: PlaceKind,
        home: Home | None,
        around: Around,
        neighbour: Home | None,
        languages: frozenset[str],
    ) -> None:
        nearest = home or neighbour
        if home is not None:
            around = home.around
        elif neighbour is not None and neighbour.around.city is not None:
            around = around._replace(city=neighbour.around.city)
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
                context=self._lands.context(around, nearest.postcode if nearest is not None else None),
                street=home.street if home is not None else None,
                number=home.number if home is not None else None,
                iata=found.tags.get("iata"),
                outline=found.shape,
            )
        )


def _neighbours(places: Sequence[Found], homes: Sequence[Home]) -> list[Home | None]:
    """Return the nearest house of each place, if there is one near."""
    nearest: list[Home | None] = [None] * len(places)
    if homes:
        tree = shapely.STRtree(shapely.points([home.address.spot for home in homes]))
        spots = shapely.points([found.spot for found in places])
        for place, home in tree.query_nearest(spots, max_distance=_NEIGHBOUR, all_matches=False).T.tolist():
            nearest[place] = homes[home]
    return nearest
