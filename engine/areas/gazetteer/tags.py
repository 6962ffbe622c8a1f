"""Tags for the gazetteer: boundaries and settlements, streets, and addresses."""

import re
from collections.abc import Container, Iterator, Mapping
from typing import Final

from msgspec import Struct

from engine.areas.world.names import one_name
from engine.domain.addresses.address import AddressLanguage, Layer
from engine.gazetteer.rows import BOROUGH, NEIGHBORHOOD, DivisionLayer

type Tags = Mapping[str, str]

_LANGUAGES: Final = frozenset(AddressLanguage)
_OTHER_NAMES: Final = {"alt_name": "alt", "official_name": "official", "short_name": "short", "loc_name": "local"}

_LEVELS: Final[Mapping[int, DivisionLayer]] = {
    2: Layer.COUNTRY,
    4: Layer.STATE,
    6: Layer.COUNTY,
    8: Layer.LOCALITY,
    9: BOROUGH,
    10: NEIGHBORHOOD,
}
_LEVELS_OF: Final[Mapping[str, Mapping[int, DivisionLayer | None]]] = {
    "AU": {9: Layer.LOCALITY, 10: Layer.LOCALITY},
    "CZ": {4: None, 6: Layer.STATE, 7: Layer.COUNTY},
    "DK": {7: Layer.LOCALITY},
    "FI": {4: None, 6: Layer.STATE},
    "GB": {8: None, 10: None},
    "HU": {4: None, 6: Layer.STATE},
    "IE": {8: None},
    "JP": {6: None, 7: Layer.LOCALITY, 8: BOROUGH},
    "MT": {4: None},
    "MX": {6: Layer.LOCALITY},
    "NL": {10: Layer.LOCALITY},
    "NO": {7: Layer.LOCALITY},
    "PT": {4: None, 6: Layer.STATE, 7: Layer.LOCALITY, 8: BOROUGH},
    "SE": {7: Layer.LOCALITY},
    "US": {5: Layer.LOCALITY, 7: BOROUGH, 9: None, 10: None},
}
"""Administrative levels that differ from the usual ones in a country; None if a level is not part of addresses."""

_SETTLEMENTS: Final[Mapping[str, DivisionLayer]] = {
    "city": Layer.LOCALITY,
    "town": Layer.LOCALITY,
    "village": Layer.LOCALITY,
    "hamlet": Layer.LOCALITY,
    "borough": BOROUGH,
    "suburb": NEIGHBORHOOD,
    "quarter": NEIGHBORHOOD,
    "neighbourhood": NEIGHBORHOOD,
}
_NOT_A_CITY: Final = frozenset(("township", "civil_parish", "unorganized"))
_NO_STREETS: Final = frozenset(
    ("construction", "proposed", "platform", "elevator", "rest_area", "services", "bus_stop", "corridor", "raceway")
)
_BESIDE_STREETS: Final = frozenset(("sidewalk", "crossing", "traffic_island", "access_aisle", "link"))
_NUMBER: Final = re.compile(r"\d+[^\W\d_]?(?:\s?[^\W\d_])?(?:\s?[-–/]\s?\d*[^\W\d_]?)?(?:\s\d/\d)?")
_EXTENDED: Final = re.compile(r"(\d{5})[-\s](\d{4})")
_RANGE: Final = re.compile(r"(\d{1,5})\s?[-–]\s?(\d{1,5})")
_LONGEST_RANGE: Final = 60
_LARGEST_UNITS: Final = 500
"""Maximum number of flats of one house; more is a mistake in the data."""


def names_of(tags: Tags, local: Container[str] = ()) -> dict[str, str]:
    """Return the additional names: by language, and as ``alt``, ``official``, ``short``, ``local``.

    The languages are the supported ones and the `local` ones.
    """
    names = {}
    for key, value in tags.items():
        if key.startswith("name:"):
            if value and ((language := key[5:]) in _LANGUAGES or language in local):
                names[language] = one_name(value) if language == "zh" else value
        elif key in _OTHER_NAMES and value:
            names[_OTHER_NAMES[key]] = value
    return names


def split(value: str) -> list[str]:
    """Return the distinct values separated by semicolons."""
    if ";" not in value:
        whole = " ".join(value.split())
        return [whole] if whole else []
    return list(dict.fromkeys(part for each in value.split(";") if (part := " ".join(each.split()))))


def name_in(tags: Tags) -> str | None:
    """Return the name, or the first of several names in one tag."""
    return next(iter(split(tags.get("name", ""))), None)


def layer_of(tags: Tags, country: str | None) -> DivisionLayer | None:
    """Return the layer of a boundary or settlement in its country, or None if it is not a division."""
    if tags.get("boundary") == "administrative" and (level := tags.get("admin_level", "")).isdecimal():
        special = _LEVELS_OF.get(country or "", {})
        number = int(level)
        return special[number] if number in special else _LEVELS.get(number)
    if tags.get("boundary") == "postal_code":
        return Layer.POSTAL_CODE
    return _SETTLEMENTS.get(tags.get("place", ""))


def is_city(tags: Tags) -> bool:
    """Return whether people write a locality as the city of an address, unlike a township around a city."""
    return tags.get("place") not in _NOT_A_CITY and tags.get("border_type") not in _NOT_A_CITY


def population_of(tags: Tags) -> int:
    """Return the number of inhabitants, or 0 if it is not tagged."""
    digits = re.sub(r"[\s,.']", "", tags.get("population", ""))
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 11 else 0


def is_street(tags: Tags) -> bool:
    """Return whether a way is a street, path or square of its own, not a sidewalk or the like beside a street."""
    if tags.get("place") == "square":
        return True
    return (
        tags.get("highway", "construction") not in _NO_STREETS
        and tags.get("footway") not in _BESIDE_STREETS
        and tags.get("cycleway") not in _BESIDE_STREETS
        and tags.get("is_sidepath") != "yes"
    )


def numbers_in(value: str) -> list[str]:
    """Return the house numbers in one tag: ``12;14`` and ``12, 14`` are two, ``12-16`` is one.

    A part after a comma that is not a number (a floor) is left out.
    """
    if value.isdigit():
        return [value]
    found = []
    for part in split(value):
        pieces = (piece.strip() for piece in part.split(","))
        found += [piece for piece in pieces if _NUMBER.fullmatch(piece)] or [part]
    return list(dict.fromkeys(found))


class Numbers(Struct, frozen=True):
    """House numbers from `first` to `last` in steps of `step`."""

    first: int
    last: int
    step: int


def range_in(number: str) -> Numbers | None:
    """Return the numbers of a range such as ``12-16``, or None for ``12-5`` or ``300-3026``, which end with a unit."""
    match = _RANGE.fullmatch(number)
    if match is None:
        return None
    first, last = int(match[1]), int(match[2])
    if not 0 < last - first <= _LONGEST_RANGE or (last - first) % 2:
        return None
    return Numbers(first, last, 2)


def units_in(tags: Tags) -> tuple[str, ...]:
    """Return the units in ``addr:unit`` and ``addr:flats``, with ranges such as ``137-140`` expanded."""
    if "addr:unit" not in tags and "addr:flats" not in tags:
        return ()
    units = split(tags.get("addr:unit", ""))
    for part in (piece.strip() for each in split(tags.get("addr:flats", "")) for piece in each.split(",")):
        units += _flats(part)
    return tuple(dict.fromkeys(unit for unit in units if unit))[:_LARGEST_UNITS]


def _flats(text: str) -> Iterator[str]:
    match = _RANGE.fullmatch(text)
    if match is not None and 0 <= int(match[2]) - int(match[1]) < _LARGEST_UNITS:
        yield from map(str, range(int(match[1]), int(match[2]) + 1))
    else:
        yield text


def code_extension(value: str) -> str | None:
    """Return the four-digit extension of the first US postal code in a tag."""
    found = _EXTENDED.fullmatch(next(iter(split(value)), ""))
    return found[2] if found is not None else None


def postcode_in(value: str, country: str | None) -> str | None:
    """Return the first postal code in a tag; a US code without its four-digit extension."""
    code = next(iter(split(value)), "")
    if country in ("US", None) and _EXTENDED.fullmatch(code):
        return code[:5]
    return code or None
