"""House numbers of a street: as recorded, and interpolated between their neighbours."""

from collections.abc import Mapping, Sequence
from typing import Final

import shapely
from msgspec import Struct

from engine.domain.addresses.address import MatchConfidence
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.gazetteer.reader import AddressContext, Gazetteer
from engine.gazetteer.text import fold, number_of, split_words
from engine.geo.earth import distance_m
from engine.geocoding.search.wording.numbers import (
    HYPHENATED,
    Certainty,
    SplitReading,
    is_range,
    read_split,
    split_number,
    usual_number,
    with_hyphen,
)

NEIGHBOURS_APART_M: Final = 500.0
"""Maximum distance in metres between two neighbours that a number is interpolated between."""

SAME_HOUSE_M: Final = 50.0
"""Distance in metres within which two records with the same number are one house."""

_SAME_ADDRESS_M: Final = 100.0
"""The same for records with an identical context: buildings that share a number, and their shops."""

ESTATE_M: Final = 500.0
"""The same for records with the same city and known postal code: a number may cover all houses of an estate."""

_NUMBERS_APART: Final = 100
"""Maximum difference between the numbers of two neighbours that a number is interpolated between."""

type _Row = tuple[int, str, str, float, float, int]
_INTERPOLATED_ON: Final = 5
_BEHIND_HYPHEN: Final = 3
"""Maximum number of digits behind the hyphen of a house number."""

_COLUMNS: Final = "id, number, suffix, longitude, latitude, context"


class HouseFound(Struct, frozen=True, kw_only=True):
    """A house number on a street: EXACT if the data has it, INTERPOLATED if it lies between others.

    `id` is the house's number in the file, or None for an interpolated one. `is_only` is false if the street has the
    number in several places and the query does not distinguish between them.
    """

    number: str
    point: Point
    context: AddressContext
    confidence: MatchConfidence
    id: int | None = None
    unit: str | None = None
    is_only: bool = True


def find_houses(
    gazetteer: Gazetteer,
    streets: Sequence[int],
    number: str,
    *,
    around: frozenset[str] = frozenset(),
    interpolates: bool = True,
) -> dict[int, HouseFound]:
    """Return the house with a number on each of the streets that has one; `streets` are in order of likelihood.

    Of several houses with the same number, the one whose surroundings have most of the words `around` is chosen. If no
    street has exactly this number and `interpolates` is true, it is interpolated on the first few streets.
    """
    value, suffix = number_of(number)
    rows = gazetteer.rows(
        f"SELECT street, {_COLUMNS} FROM houses WHERE value = ? AND street IN ({','.join(map(str, streets))})"
        " ORDER BY id",
        value,
    )
    by_street: dict[int, list[_Row]] = {}
    for street, *row in rows:
        by_street.setdefault(street, []).append(tuple(row))
    found = {
        street: _exact(gazetteer, same, around)
        for street, houses in by_street.items()
        if (same := [row for row in houses if row[2] == suffix])
    }
    if found or value == 0 or not interpolates:
        return found
    for street in streets[:_INTERPOLATED_ON]:
        house = _placed(gazetteer, street, number, by_street.get(street, []))
        if house is not None:
            found[street] = house
    return found


def find_numbers(
    gazetteer: Gazetteer,
    countries: Mapping[int, str | None],
    number: str,
    *,
    around: frozenset[str] = frozenset(),
    interpolates: bool = True,
) -> dict[int, HouseFound]:
    """Return the houses as `find_houses` does, also for numbers with a unit and for those without their hyphen.

    `countries` has the streets in order of likelihood, with the country of each. A number that a street has as written
    comes before other forms of it, and these before interpolated ones.
    """
    streets = list(countries)
    numbers, hyphenated = split_number(number), with_hyphen(number)
    if numbers is None and not hyphenated:
        return find_houses(gazetteer, streets, number, around=around, interpolates=interpolates)
    found = find_houses(gazetteer, streets, number, around=around, interpolates=False)
    if not found and numbers is not None:
        found = _with_units(gazetteer, countries, numbers, around)
    if not found and (american := [street for street, country in countries.items() if country in HYPHENATED]):
        found = _with_hyphens(gazetteer, american, hyphenated, around)
    if found or not interpolates:
        return found
    if numbers is not None and not _may_be_hyphenated(gazetteer, streets[0], numbers, countries[streets[0]]):
        number = usual_number(numbers, countries[streets[0]]) or number
    return find_houses(gazetteer, streets, number, around=around)


def _with_units(
    gazetteer: Gazetteer, countries: Mapping[int, str | None], numbers: tuple[str, str], around: frozenset[str]
) -> dict[int, HouseFound]:
    """Return the houses with one of two numbers, where the other is a unit."""
    houses = {
        number: find_houses(gazetteer, list(countries), number, around=around, interpolates=False) for number in numbers
    }
    found: dict[int, HouseFound] = {}
    for street, country in countries.items():
        there = {number: each[street] for number, each in houses.items() if street in each}
        read = read_split(numbers, country, has_first=numbers[0] in there, has_second=numbers[1] in there)
        if read is not None and not _may_be_hyphenated(gazetteer, street, numbers, country):
            read = _by_code(read, there, around)
            found[street] = _in_unit(gazetteer, there[read.number], read, "-".join(numbers))
    return found


def _by_code(read: SplitReading, there: Mapping[str, HouseFound], around: frozenset[str]) -> SplitReading:
    """Return the reading with house and unit exchanged if only this house has the postal code of the query."""
    other = there.get(read.unit)
    if other is None or read.certainty is Certainty.BESIDE:
        return read
    codes = [_has_code(each.context, around) for each in (there[read.number], other)]
    return SplitReading(read.unit, read.number, Certainty.LIKELY) if codes == [False, True] else read


def _has_code(context: AddressContext, around: frozenset[str]) -> bool:
    """Return whether the words around a number contain the postal code of a house in this context."""
    return context.postal_code is not None and around.issuperset(split_words(context.postal_code))


def _in_unit(gazetteer: Gazetteer, house: HouseFound, read: SplitReading, written: str) -> HouseFound:
    if read.certainty is Certainty.BESIDE:
        return replace(house, number=written, id=None, confidence=MatchConfidence.INTERPOLATED)
    if house.id is not None and with_unit(gazetteer, house.id, read.unit):
        return replace(house, unit=read.unit)
    return replace(house, is_only=house.is_only and read.certainty is Certainty.CERTAIN)


def _with_hyphens(
    gazetteer: Gazetteer, streets: Sequence[int], numbers: Sequence[str], around: frozenset[str]
) -> dict[int, HouseFound]:
    """Return the houses with the first of several numbers that a street with hyphens in its numbers has.

    Only the usual one is certain: 1115 is 11-15 rather than 111-5.
    """
    for number in numbers:
        found = find_houses(gazetteer, streets, number, around=around, interpolates=False)
        likely = {street: house for street, house in found.items() if has_hyphens(gazetteer, street)}
        if likely and number == numbers[0]:
            return likely
        if likely:
            return {street: replace(house, is_only=False) for street, house in likely.items()}
    return {}


def _may_be_hyphenated(gazetteer: Gazetteer, street: int, numbers: tuple[str, str], country: str | None) -> bool:
    """Return whether two numbers are one with a hyphen on a street that has such numbers."""
    may_be = country in HYPHENATED and len(str(number_of(numbers[1])[0])) <= _BEHIND_HYPHEN
    return may_be and has_hyphens(gazetteer, street)


def has_hyphens(gazetteer: Gazetteer, street: int) -> bool:
    """Return whether most numbers of a street have a hyphen and are not ranges: 108-15 rather than 108-112."""
    numbers = [written for (written,) in gazetteer.rows("SELECT number FROM houses WHERE street = ?", street)]
    split = [parts for written in numbers if (parts := split_number(written)) is not None]
    return 2 * sum(not is_range(*parts) for parts in split) > len(numbers)


def _placed(gazetteer: Gazetteer, street: int, number: str, same: list[_Row]) -> HouseFound | None:
    """Return a house that is not in the data at its interpolated position, or None if there is no such position.

    `same` are the houses with the same number but other letters.
    """
    value, suffix = number_of(number)
    if same and not suffix:
        return _amid(gazetteer, [row[3:] for row in same], number)
    return _in_range(gazetteer, street, value, number) or _between(gazetteer, street, value, number)


def first_houses(gazetteer: Gazetteer, street: int, begun: str, limit: int = 5) -> list[HouseFound]:
    """Return the first houses of a street whose numbers, as written, begin with a text."""
    rows = gazetteer.rows(
        f"SELECT {_COLUMNS} FROM houses WHERE street = ? AND number LIKE ? ESCAPE '!' ORDER BY value, suffix LIMIT ?",
        *(street, "".join(f"!{char}" if char in "%_!" else char for char in begun) + "%", limit),
    )
    return [_exact(gazetteer, [row], frozenset()) for row in rows]


def with_unit(gazetteer: Gazetteer, house: int, unit: str) -> bool:
    """Return whether a house is known to have a unit."""
    return bool(gazetteer.rows("SELECT 1 FROM units WHERE house = ? AND unit = ?", house, fold(unit)))


def has_other_extension(gazetteer: Gazetteer, house: int, digits: str) -> bool:
    """Return whether a house is known to have another extension of its US postal code."""
    if not gazetteer.has_table("code_extensions"):
        return False
    return any(
        known != digits for (known,) in gazetteer.rows("SELECT digits FROM code_extensions WHERE house = ?", house)
    )


def _exact(gazetteer: Gazetteer, rows: list[_Row], around: frozenset[str]) -> HouseFound:
    likely = rows if len(rows) == 1 else _lying(gazetteer, rows, around)
    number, written, _, longitude, latitude, context = likely[0]
    return HouseFound(
        number=written,
        point=Point(longitude, latitude),
        context=gazetteer.context(context),
        confidence=MatchConfidence.EXACT,
        id=number,
        is_only=all(_is_same(gazetteer, likely[0], other) for other in likely[1:]),
    )


def _is_same(gazetteer: Gazetteer, one: _Row, other: _Row) -> bool:
    """Return whether two records with the same number on a street are near enough to be one house or one address."""
    away_m = distance_m(one[3], one[4], other[3], other[4])
    if is_one_address(gazetteer.context(one[5]), gazetteer.context(other[5])):
        return away_m <= ESTATE_M
    return away_m <= (_SAME_ADDRESS_M if one[5] == other[5] else SAME_HOUSE_M)


def is_one_address(one: AddressContext, other: AddressContext) -> bool:
    """Return whether two records with the same number on a street have the same city and known postal code."""
    return one.postal_code is not None and (one.city, one.postal_code) == (other.city, other.postal_code)


def _lying(gazetteer: Gazetteer, rows: list[_Row], around: frozenset[str]) -> list[_Row]:
    """Return the rows whose surroundings have most of the words; a matching postal code counts more than all others.

    Of several, those in a city of that name come before those that the post merely accepts there.
    """
    contexts = [gazetteer.context(row[5]) for row in rows]
    codes = [each.postal_code is not None and around.issuperset(split_words(each.postal_code)) for each in contexts]
    answered = [
        (is_coded, len(around & each.words), len(around & each.own_words))
        for is_coded, each in zip(codes, contexts, strict=True)
    ]
    most = max(answered)
    return [row for row, each in zip(rows, answered, strict=True) if each == most]


def _amid(gazetteer: Gazetteer, rows: list[tuple[float, float, int]], number: str) -> HouseFound | None:
    """Return number 12 in the middle of 12a and 12b."""
    (west, south, _), (east, north, _) = (min(rows), max(rows))
    if distance_m(west, south, east, north) > NEIGHBOURS_APART_M:
        return None
    longitude = sum(row[0] for row in rows) / len(rows)
    latitude = sum(row[1] for row in rows) / len(rows)
    return _interpolated(gazetteer, number, Point(longitude, latitude), rows[0][2])


def _between(gazetteer: Gazetteer, street: int, value: int, number: str) -> HouseFound | None:
    """Return a number interpolated between its neighbours on the same side of the street (same parity)."""
    columns = "SELECT value, longitude, latitude, context FROM houses WHERE street = ? AND value % 2 = ?"
    # A number with a letter lies after the plain number, which may therefore be the lower neighbour.
    below = "value <= ?" if number_of(number)[1] else "value < ?"
    lower = gazetteer.rows(f"{columns} AND {below} AND value > 0 ORDER BY value DESC LIMIT 1", street, value % 2, value)
    upper = gazetteer.rows(f"{columns} AND value > ? ORDER BY value LIMIT 1", street, value % 2, value)
    if not lower or not upper or upper[0][0] - lower[0][0] > _NUMBERS_APART:
        return None
    (first, west, south, context), (last, east, north, _) = lower[0], upper[0]
    if distance_m(west, south, east, north) > NEIGHBOURS_APART_M:
        return None
    share = (value - first) / (last - first)
    point = Point(west + (east - west) * share, south + (north - south) * share)
    return _interpolated(gazetteer, number, point, context)


def _in_range(gazetteer: Gazetteer, street: int, value: int, number: str) -> HouseFound | None:
    """Return a number interpolated on a line that OpenStreetMap marks as an address range."""
    for first, last, step, line, context in gazetteer.rows(
        "SELECT first, last, step, line, context FROM ranges WHERE street = ? AND ? BETWEEN first AND last",
        *(street, value),
    ):
        if last > first and (value - first) % max(step, 1) == 0:
            share = (value - first) / (last - first)
            at = shapely.from_wkb(line).interpolate(share, normalized=True)
            return _interpolated(gazetteer, number, Point(at.x, at.y), context)
    return None


def _interpolated(gazetteer: Gazetteer, number: str, point: Point, context: int) -> HouseFound:
    return HouseFound(
        number=number,
        point=point,
        context=gazetteer.context(context),
        confidence=MatchConfidence.INTERPOLATED,
    )
