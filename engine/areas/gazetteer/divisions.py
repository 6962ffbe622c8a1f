"""Writes the divisions of an area, each with the larger divisions that contain it."""

from collections.abc import Iterable

import shapely

from engine.areas.gazetteer.atlas import LAYERS, Atlas
from engine.areas.gazetteer.countries import AdminDivision, Around
from engine.domain.geometry import Point
from engine.gazetteer.rows import BOROUGH, Context, Division
from engine.gazetteer.writer import GazetteerWriter


class DivisionWriter:
    """Writes divisions on first reference, after the divisions that contain them."""

    def __init__(self, writer: GazetteerWriter, atlas: Atlas) -> None:
        self._writer = writer
        self._atlas = atlas
        self._contexts: dict[tuple[Around, str | None, bool], int] = {}

    def context(self, around: Around, postcode: str | None, *, is_uncertain: bool = False) -> int:
        """Return the number of the context of something that lies in these divisions, perhaps in another city."""
        number = self._contexts.get((around, postcode, is_uncertain))
        if number is None:
            numbers = [self.number(division) if division is not None else None for division in around]
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
                is_uncertain=is_uncertain,
            )
            number = self._contexts[around, postcode, is_uncertain] = self._writer.context(context)
        return number

    def number(self, division: AdminDivision) -> int:
        """Return the number of a division, and write it first if necessary."""
        if division.number is None:
            division.number = self._write(division, self._above(division))
        return division.number

    def write_postcode(self, division: AdminDivision, around: Around) -> None:
        """Write a postal code that lies in the given divisions."""
        division.number = self._write(division, around)

    def write_postal_cities(self, country: str, code: str, names: Iterable[str]) -> None:
        """Write the cities that addresses with a postal code may name."""
        self._writer.postal_cities(country, code, names)

    def write(self, divisions: Iterable[AdminDivision]) -> None:
        """Write divisions, each with the larger divisions that contain it."""
        for division in divisions:
            self.number(division)

    def _above(self, division: AdminDivision) -> Around:
        """Return the larger divisions that contain a division."""
        larger = LAYERS.index(division.layer) if division.layer in LAYERS else LAYERS.index(BOROUGH)
        return Around(*self._atlas.around(self._atlas.probe(division))[0][:larger])

    def _write(self, division: AdminDivision, above: Around) -> int:
        return self._writer.division(
            Division(
                layer=division.layer,
                name=division.name,
                point=Point(*division.spot),
                context=self.context(above, None),
                osm=division.osm,
                code=division.code,
                names=division.names,
                population=division.population,
                outline=shapely.to_wkb(division.shape)
                if division.shape is not None and division.osm is not None
                else None,
            )
        )
