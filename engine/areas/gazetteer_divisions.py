"""Writes the divisions of an area, each in what it lies in."""

from collections.abc import Iterable

import shapely

from engine.areas.gazetteer_atlas import LAYERS, Atlas
from engine.areas.gazetteer_lands import Around, Land
from engine.domain.geometry import Point
from engine.gazetteer.rows import BOROUGH, Context, Division
from engine.gazetteer.writer import GazetteerWriter


class LandWriter:
    """Writes divisions when they are first referred to, what holds them before them."""

    def __init__(self, writer: GazetteerWriter, atlas: Atlas) -> None:
        self._writer = writer
        self._atlas = atlas
        self._contexts: dict[tuple[Around, str | None], int] = {}

    def context(self, around: Around, postcode: str | None) -> int:
        """Return the number of the context of something that lies in these divisions."""
        number = self._contexts.get((around, postcode))
        if number is None:
            numbers = [self.number(land) if land is not None else None for land in around]
            country, state, county, city, borough, neighborhood = numbers
            context = Context(
                country=country,
                state=state,
                county=county,
                city=city,
                borough=borough,
                neighborhood=neighborhood,
                postal_code=postcode,
                country_code=around.country.code if around.country is not None else None,
            )
            number = self._contexts[around, postcode] = self._writer.context(context)
        return number

    def number(self, land: Land) -> int:
        """Return the number of a division, written now if it was not."""
        if land.number is None:
            land.number = self._write(land, self._above(land))
        return land.number

    def write_postcode(self, land: Land, around: Around) -> None:
        """Write a postal code that lies in what is given."""
        land.number = self._write(land, around)

    def write(self, lands: Iterable[Land]) -> None:
        """Write divisions, each in what holds its middle."""
        for land in lands:
            self.number(land)

    def _above(self, land: Land) -> Around:
        """Return what holds a division: only what is larger."""
        larger = LAYERS.index(land.layer) if land.layer in LAYERS else LAYERS.index(BOROUGH)
        return Around(*self._atlas.around(self._atlas.probe(land))[0][:larger])

    def _write(self, land: Land, above: Around) -> int:
        return self._writer.division(
            Division(
                layer=land.layer,
                name=land.name,
                point=Point(*land.spot),
                context=self.context(above, None),
                osm=land.osm,
                code=land.code,
                names=land.names,
                population=land.population,
                outline=shapely.to_wkb(land.shape) if land.shape is not None and land.osm is not None else None,
            )
        )
