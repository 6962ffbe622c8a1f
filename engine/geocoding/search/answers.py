"""Addresses in results, built from the data of a gazetteer."""

from functools import lru_cache

from msgspec import Struct

from engine.domain.addresses.address import Address, AddressLanguage, Layer, MatchConfidence
from engine.domain.geometry import Point
from engine.gazetteer.reader import AddressContext, NamedDivision
from engine.geocoding.formatting import Parts, formatted, street_line
from engine.geocoding.search.entries import Entry
from engine.geocoding.search.houses import HouseFound


def street_address(
    street: str,
    house: HouseFound | None,
    point: Point,
    context: AddressContext,
    language: AddressLanguage,
    *,
    confidence: MatchConfidence | None = None,
    distance_m: float | None = None,
    is_crossing: bool = False,
) -> Address:
    """Return a house on a street, or the street or crossing if there is no house."""
    number = house.number if house else None
    names = _names_of(house.context if house else context, language)
    parts = Parts(number=number, street=street, **names.line)
    return Address(
        point=house.point if house else point,
        layer=Layer.ADDRESS,
        formatted=formatted(parts),
        label=street_line(street, number, names.country_code),
        number=number,
        street=street,
        unit=house.unit if house else None,
        confidence=confidence,
        distance_m=distance_m,
        finer=None if house else Layer.INTERSECTION if is_crossing else Layer.STREET,
        **names.fields,
    )


def place_address(
    entry: Entry,
    language: AddressLanguage,
    *,
    confidence: MatchConfidence | None = None,
    distance_m: float | None = None,
) -> Address:
    """Return a place: its name and its address."""
    names = _names_of(entry.context, language)
    called = entry.names.get(language) or entry.name
    parts = Parts(name=called, number=entry.number, street=entry.street, **names.line)
    return Address(
        point=entry.point,
        layer=Layer.PLACE,
        formatted=formatted(parts),
        label=street_line(entry.street, entry.number, names.country_code) or called,
        place_label=called,
        number=entry.number if entry.street else None,
        street=entry.street,
        confidence=confidence,
        distance_m=distance_m,
        place_id=entry.place_id,
        finer=None,
        **names.fields,
    )


def division_address(
    division: NamedDivision,
    layer: Layer,
    context: AddressContext,
    language: AddressLanguage,
    *,
    confidence: MatchConfidence | None = None,
    distance_m: float | None = None,
) -> Address:
    """Return a country, state, county, locality or postal code."""
    names = _names_of(context, language)
    called = division.called(language)
    known = dict(names.fields)
    known[_FIELDS.get(division.layer, "city")] = called
    if layer is Layer.STATE:
        known["state_code"] = division.code
    if layer is Layer.COUNTRY:
        known["country_code"] = division.code or names.country_code
    return Address(
        point=division.point,
        layer=layer,
        formatted=_coarse(called, layer, division, known),
        label=called,
        confidence=confidence,
        distance_m=distance_m,
        number=None,
        street=None,
        finer=Layer.NEIGHBORHOOD if division.layer in PARTS_OF_CITIES else None,
        **known,
    )


PARTS_OF_CITIES = frozenset({"borough", "neighborhood"})
_FIELDS = {
    "country": "country",
    "state": "state",
    "county": "county",
    "locality": "city",
    "borough": "borough",
    "neighborhood": "neighborhood",
    "postalCode": "postal_code",
}


def _coarse(called: str, layer: Layer, division: NamedDivision, known: dict[str, str | None]) -> str:
    code = known["country_code"]
    if layer is Layer.COUNTRY:
        return called
    if layer is Layer.STATE:
        return formatted(Parts(name=called, country_code=code))
    line = {"state_code": known["state_code"], "country_code": code}
    if layer is Layer.POSTAL_CODE:
        return formatted(Parts(city=known["city"], postal_code=called, **line))
    if division.layer == "locality":
        return formatted(Parts(city=called, **line))
    return formatted(Parts(name=called, city=known["city"], **line))


class _Names(Struct, frozen=True):
    """The names of the surroundings in one language: fields of an address, and the text after the street."""

    fields: dict[str, str | None]
    line: dict[str, str | None]
    country_code: str | None


@lru_cache(maxsize=10_000)
def _names_of(context: AddressContext, language: AddressLanguage) -> _Names:
    def called(division: NamedDivision | None) -> str | None:
        return None if division is None else division.called(language)

    state_code = context.state.code if context.state else None
    line = {
        "city": called(context.city),
        "state_code": state_code,
        "postal_code": context.postal_code,
        "country_code": context.country_code,
    }
    around = {
        "neighborhood": called(context.neighborhood),
        "borough": called(context.borough),
        "county": called(context.county),
        "state": called(context.state),
        "country": called(context.country),
    }
    return _Names(around | line, line, context.country_code)
