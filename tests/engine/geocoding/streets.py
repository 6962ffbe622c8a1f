"""A made-up gazetteer of one town with the streets and house numbers that a test states."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.domain.addresses.address import Layer
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.gazetteer.writer import Context, Division, GazetteerWriter, House, Street

APART: float = 0.01
"""Degrees of latitude between two streets: about a kilometre."""


def write_town(
    file: Path,
    country: tuple[str, str],
    town: str,
    streets: Mapping[str, Sequence[str]],
    *,
    state: tuple[str, str] | None = None,
    postal_code: str | None = None,
    units: Mapping[tuple[str, str], str] | None = None,
    codes: Mapping[tuple[str, str], str] | None = None,
) -> Path:
    """Write the gazetteer of a town.

    `country` and `state` have a name and a code; `units` and `codes` have a unit or another postal code for one of the
    numbers of a street.
    """
    with GazetteerWriter(file, {"name": town}) as writer:
        at = Point(10.0, 45.0)
        known = Context(country_code=country[1])
        number = writer.division(
            Division(layer=Layer.COUNTRY, name=country[0], code=country[1], point=at, context=writer.context(known))
        )
        known = Context(country=number, country_code=country[1])
        if state is not None:
            within = writer.division(
                Division(layer=Layer.STATE, name=state[0], code=state[1], point=at, context=writer.context(known))
            )
            known = Context(country=number, state=within, country_code=country[1])
        city = writer.division(
            Division(layer=Layer.LOCALITY, name=town, point=at, context=writer.context(known), population=90_000)
        )
        context = writer.context(replace(known, city=city, postal_code=postal_code))
        for row, (name, numbers) in enumerate(streets.items()):
            street = writer.street(Street(name=name, point=position(row, 0), context=context))
            for column, each in enumerate(numbers):
                own = codes.get((name, each)) if codes else None
                lies_in = context if own is None else writer.context(replace(known, city=city, postal_code=own))
                house = writer.house(House(street=street, number=each, point=position(row, column), context=lies_in))
                if units and (unit := units.get((name, each))):
                    writer.unit(house, unit)
    return file


def position(row: int, column: int) -> Point:
    """Return the position of a house: houses of a street are about 80 m apart."""
    return Point(10.0 + 0.001 * column, 45.0 + APART * row)
