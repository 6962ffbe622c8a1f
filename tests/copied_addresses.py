"""A large area made of copies of a real one's addresses, each shifted and in a town with its own name."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from engine.domain.addresses.address import Layer
from engine.domain.geometry import Point
from engine.gazetteer.writer import Context, Division, GazetteerWriter, House, Street
from tests.osm_addresses import RealAddress, is_plain

SHIFT_DEG = 0.2
"""Shift between neighbouring copies, in degrees."""


@dataclass(frozen=True, slots=True)
class Copied:
    """An address of a copy."""

    number: str
    street: str
    town: str
    point: Point


def write_copies(file: Path, addresses: list[RealAddress], copies: int, country_code: str) -> Iterator[Copied]:
    """Write a gazetteer of shifted copies side by side, and yield its addresses."""
    streets = _by_street(addresses)
    side = max(1, round(copies**0.5))
    with GazetteerWriter(file, {"name": "copies"}) as writer:
        origin = Point(addresses[0].longitude, addresses[0].latitude)
        country = writer.division(
            Division(
                layer=Layer.COUNTRY, name="Land", code=country_code, point=origin, context=writer.context(Context())
            )
        )
        in_country = writer.context(Context(country=country, country_code=country_code))
        for copy in range(copies):
            # Names must not contain digits, which would be house numbers.
            town = f"Kopstadt{''.join(chr(ord('a') + int(digit)) for digit in f'{copy:03}')}"
            shift = (copy % side * SHIFT_DEG, copy // side * SHIFT_DEG)
            middle = Point(origin.longitude + shift[0], origin.latitude + shift[1])
            city = writer.division(
                Division(layer=Layer.LOCALITY, name=town, point=middle, context=in_country, population=20_000)
            )
            context = writer.context(
                Context(country=country, city=city, postal_code=f"{90_000 + copy}", country_code=country_code)
            )
            for name, houses in streets.items():
                yield from _write_street(writer, name, houses, context, town, shift)


def _by_street(addresses: list[RealAddress]) -> dict[str, list[RealAddress]]:
    """Return the addresses of each street, with each number only once."""
    streets: dict[str, dict[str, RealAddress]] = {}
    for each in filter(is_plain, addresses):
        streets.setdefault(each.street, {}).setdefault(each.number, each)
    return {name: list(numbers.values()) for name, numbers in streets.items()}


def _write_street(
    writer: GazetteerWriter,
    name: str,
    houses: list[RealAddress],
    context: int,
    town: str,
    shift: tuple[float, float],
) -> Iterator[Copied]:
    middle = Point(
        median(each.longitude for each in houses) + shift[0], median(each.latitude for each in houses) + shift[1]
    )
    street = writer.street(Street(name=name, point=middle, context=context))
    for each in houses:
        point = Point(each.longitude + shift[0], each.latitude + shift[1])
        writer.house(House(street=street, number=each.number, point=point, context=context))
        yield Copied(each.number, name, town, point)
