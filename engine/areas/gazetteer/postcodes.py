"""The postal codes of an extract: the valid ones among the codes in its addresses, and their positions."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from engine.areas.gazetteer.address_assignment import HouseNumber
from engine.areas.gazetteer.atlas import Atlas
from engine.areas.gazetteer.countries import AdminDivision
from engine.areas.gazetteer.divisions import DivisionWriter
from engine.domain.addresses.address import Layer

_LEAST: Final = 3
"""Minimum number of houses that must name a postal code without an outline; fewer may be a typing error."""

_SURE: Final = 20
"""Minimum number of houses that locate a postal code better than the centre in the world pack does."""

_COMPACT_M: Final = 5_000.0
"""Maximum median distance in metres of these houses from their middle."""


def write_postcodes(atlas: Atlas, houses: Sequence[HouseNumber], divisions: DivisionWriter) -> None:
    """Write the postal codes that have outlines or enough houses, each in the context of its middle house.

    The cities that addresses with them may name are written, too, as far as the world pack has a table of them.

    With a world pack, a code of the United States without an outline, and with few or scattered houses, gets the
    position from the pack. It is left out if that is outside the extract, since the pack itself has such codes, or if
    the pack does not know the code.
    """
    members: dict[str, list[HouseNumber]] = defaultdict(list)
    for house in houses:
        if house.postcode:
            members[house.postcode].append(house)
    outlined = {division.name: division for division in atlas.divisions if division.layer == Layer.POSTAL_CODE}
    for division in outlined.values():
        if division.name not in members:
            divisions.number(division)
    for code, own in members.items():
        country = own[0].around.country
        if country is not None and country.code == "US":
            divisions.write_postal_cities("US", code, atlas.zip_cities.get(code, ()))
        if code in outlined:
            divisions.write_postcode(outlined[code], _middle(own, atlas).around._replace(neighborhood=None))
        else:
            _write(code, own, atlas, divisions)


def _write(code: str, own: Sequence[HouseNumber], atlas: Atlas, divisions: DivisionWriter) -> None:
    country = _middle(own, atlas).around.country
    known = atlas.zip_codes if country is not None and country.code == "US" else {}
    tagged = [house for house in own if house.address.postcode]
    if known and not (len(tagged) >= _SURE and _is_compact(tagged, atlas)):
        spot = known.get(code)
        if spot is not None and atlas.holds(spot):
            city = _middle(own, atlas).around.city
            around = atlas.around(np.array([spot]))[0]._replace(neighborhood=None, city=city)
            divisions.write_postcode(AdminDivision(layer=Layer.POSTAL_CODE, name=code, spot=spot), around)
    elif len(tagged) >= _LEAST:
        middle = _middle(own, atlas)
        division = AdminDivision(layer=Layer.POSTAL_CODE, name=code, spot=middle.address.spot)
        divisions.write_postcode(division, middle.around._replace(neighborhood=None))


def _middle(own: Sequence[HouseNumber], atlas: Atlas) -> HouseNumber:
    """Return the house nearest to the middle of the houses."""
    spots = _spots(own)
    longitude, latitude = np.median(spots, axis=0).tolist()
    return own[int(atlas.distances_m((longitude, latitude), spots).argmin())]


def _is_compact(own: Sequence[HouseNumber], atlas: Atlas) -> bool:
    spots = _spots(own)
    longitude, latitude = np.median(spots, axis=0).tolist()
    return bool(np.median(atlas.distances_m((longitude, latitude), spots)) <= _COMPACT_M)


def _spots(own: Iterable[HouseNumber]) -> np.ndarray:
    return np.array([house.address.spot for house in own])
