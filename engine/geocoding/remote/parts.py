"""Conversion of the parts of an address, as remote servers return them, to an `Address`."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

from msgspec import Struct

from engine.domain.addresses.address import Address, Layer, MatchConfidence
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.gazetteer.text import fold
from engine.geo.earth import distance_m
from engine.geocoding.formatting import Parts as Line
from engine.geocoding.formatting import formatted, street_line

MAX_TEXT: Final = 500


class Parts(Struct, frozen=True, kw_only=True):
    """A server's data about one result, with the field names of `Address`."""

    point: Point
    layer: Layer
    name: str | None = None
    number: str | None = None
    street: str | None = None
    neighborhood: str | None = None
    borough: str | None = None
    city: str | None = None
    county: str | None = None
    state: str | None = None
    state_code: str | None = None
    postal_code: str | None = None
    country: str | None = None
    country_code: str | None = None


def address_of(parts: Parts) -> Address | None:
    """Return the address of the parts, or None if they contain only a position."""
    whole = formatted_of(parts)
    if not whole:
        return None
    return Address(
        point=parts.point,
        layer=parts.layer,
        formatted=whole,
        label=label_of(parts),
        place_label=parts.name if parts.layer is Layer.PLACE else None,
        number=parts.number,
        street=parts.street,
        neighborhood=parts.neighborhood,
        borough=parts.borough,
        city=parts.city,
        county=parts.county,
        state=parts.state,
        state_code=parts.state_code,
        postal_code=parts.postal_code,
        country=parts.country,
        country_code=parts.country_code,
        finer=_finer(parts),
    )


def _finer(parts: Parts) -> Layer | None:
    """Return the finer layer of a street or a part of a city, None for all others."""
    if parts.layer is Layer.ADDRESS:
        return Layer.STREET if parts.number is None else None
    is_part = parts.name in (parts.neighborhood, parts.borough) and parts.name != parts.city
    return Layer.NEIGHBORHOOD if parts.layer is Layer.LOCALITY and parts.name and is_part else None


def label_of(parts: Parts) -> str | None:
    """Return the short form: number and street in the order of their country, else the name."""
    return street_line(parts.street, parts.number, parts.country_code) or parts.name


def formatted_of(parts: Parts) -> str:
    """Return the whole address on one line, in the format of the areas' addresses."""
    name, state, country = parts.name, parts.state_code, parts.country_code
    match parts.layer:
        case Layer.COUNTRY:
            return name or parts.country or ""
        case Layer.STATE:
            line = Line(name=name, country_code=country)
        case Layer.COUNTY:
            line = Line(name=name, state_code=state, country_code=country)
        case Layer.POSTAL_CODE:
            code = parts.postal_code or name
            line = Line(city=parts.city, postal_code=code, state_code=state, country_code=country)
        case Layer.LOCALITY:
            within = parts.city if parts.city != name else None
            line = Line(name=name, city=within, state_code=state, country_code=country)
            if within is None:
                line = Line(city=name, state_code=state, country_code=country)
        case _:
            line = Line(
                name=name if parts.layer is Layer.PLACE or parts.street is None else None,
                number=parts.number,
                street=parts.street,
                city=parts.city,
                state_code=state,
                postal_code=parts.postal_code,
                country_code=country,
            )
    return formatted(line)


def text_of(values: Mapping[str, Any], *names: str) -> str | None:
    """Return the first of these values that is a text."""
    for name in names:
        value = values.get(name)
        if isinstance(value, str) and value.strip() and "\0" not in value:
            return value.strip()[:MAX_TEXT]
    return None


def code_of(values: Mapping[str, Any], *names: str) -> str | None:
    """Return the first of these values that is a two-letter code, in upper case."""
    code = text_of(values, *names)
    return code.upper() if code is not None and len(code) == 2 and code.isascii() and code.isalpha() else None


def point_of(longitude: object, latitude: object) -> Point | None:
    """Return a position whose coordinates may be texts, or None if it is invalid."""
    if isinstance(longitude, bool) or isinstance(latitude, bool):
        return None
    try:
        point = Point(float(longitude), float(latitude))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    inside = isfinite(point.longitude + point.latitude) and abs(point.longitude) <= 180 and abs(point.latitude) <= 90
    return point if inside else None


def feature_point(feature: Mapping[str, Any]) -> Point | None:
    """Return the position of a GeoJSON point feature."""
    geometry = feature.get("geometry")
    coordinates = geometry.get("coordinates") if isinstance(geometry, dict) else None
    if not isinstance(coordinates, list) or len(coordinates) < 2:
        return None
    return point_of(coordinates[0], coordinates[1])


def match_confidence(address: Address, query: str) -> MatchConfidence:
    """Return how well a result matches a query, if the server does not say.

    EXACT is a house whose number is in the query. For other results, all words of the name must be in the query, and
    the query must not contain a number that the result lacks.
    """
    query_words = set(fold(query).split())
    if address.number is not None and address.layer is Layer.ADDRESS:
        return MatchConfidence.EXACT if set(fold(address.number).split()) <= query_words else MatchConfidence.FALLBACK
    name = set(fold(_named(address)).split())
    rest = {word for word in query_words - name if any(char.isdigit() for char in word)}
    if address.postal_code is not None:
        rest -= set(fold(address.postal_code).split())
    return MatchConfidence.EXACT if name and name <= query_words and not rest else MatchConfidence.FALLBACK


def _named(address: Address) -> str:
    if address.layer is Layer.PLACE:
        return address.place_label or ""
    return address.label or ""


def with_distance(address: Address, point: Point) -> Address:
    """Return an address with its distance from a position."""
    to = address.point
    return replace(address, distance_m=distance_m(point.longitude, point.latitude, to.longitude, to.latitude))
