"""Databases of IP addresses in the MMDB format: opening, lookups, and what a record of a city contains."""

import logging
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Any

import maxminddb
from msgspec import Struct

from engine.domain.geometry import Point

log = logging.getLogger(__name__)

_DIGITS = 5
"""Digits of a degree that are kept: the database's floats have 24 bits, the rest is noise."""

type Record = Mapping[str, Any]


class CityRecord(Struct, frozen=True):
    """The city of an address and its position, as far as a database knows them.

    If `has_postal_codes` is false, the database has none, and its positions are not precise enough to derive them.
    """

    point: Point
    city: str | None = None
    state: str | None = None
    state_code: str | None = None
    postal_code: str | None = None
    country: str | None = None
    country_code: str | None = None
    has_postal_codes: bool = True


def open_database(file: Path) -> maxminddb.Reader | None:
    """Open a database, or return None if it does not exist or cannot be used, which is logged."""
    if not file.is_file():
        return None
    try:
        return maxminddb.open_database(file)
    except (maxminddb.InvalidDatabaseError, OSError, ValueError) as error:
        log.warning("%s cannot be used: %s", file, error)
        return None


def record_of(databases: Sequence[maxminddb.Reader], ip: IPv4Address | IPv6Address) -> Record | None:
    """Return the record of an address in the first database that has one.

    A database has none if it is damaged there, or made for the other version of the protocol.
    """
    for database in databases:
        with suppress(ValueError, maxminddb.InvalidDatabaseError):
            found = database.get(ip)
            if isinstance(found, Mapping):
                return found
    return None


def city_record(record: Record) -> CityRecord | None:
    """Return the content of a city database's record, or None without a position.

    Records are nested as in GeoLite2-City, or flat as in ip-location-db.
    """
    return _nested(record) if "location" in record else _flat(record)


def _nested(record: Record) -> CityRecord | None:
    location = _part(record, "location")
    point = _point(location.get("longitude"), location.get("latitude"))
    if point is None:
        return None
    subdivisions = record.get("subdivisions")
    state = subdivisions[0] if isinstance(subdivisions, list) and subdivisions else {}
    country = _part(record, "country")
    return CityRecord(
        point,
        city=_name(_part(record, "city")),
        state=_name(state),
        state_code=_text(state.get("iso_code")),
        postal_code=_text(_part(record, "postal").get("code")),
        country=_name(country),
        country_code=_text(country.get("iso_code")),
    )


def _flat(record: Record) -> CityRecord | None:
    point = _point(record.get("longitude"), record.get("latitude"))
    # A record without a city is at the equator and the prime meridian.
    if point is None or point == Point(0, 0):
        return None
    city = _text(record.get("city"))
    return CityRecord(
        Point(round(point.longitude, _DIGITS), round(point.latitude, _DIGITS)),
        # The district follows in brackets: Stockholm (Ostermalm).
        city=city and city.partition(" (")[0],
        state=_text(record.get("state1")),
        postal_code=_text(record.get("postcode")),
        country_code=_text(record.get("country_code")),
        has_postal_codes=False,
    )


def _point(longitude: Any, latitude: Any) -> Point | None:
    try:
        x, y = float(longitude), float(latitude)
    except (TypeError, ValueError):
        return None
    # NaN fails every comparison.
    return Point(x, y) if math.fabs(x) <= 180 and math.fabs(y) <= 90 else None


def _part(record: Record, key: str) -> Record:
    part = record.get(key)
    return part if isinstance(part, Mapping) else {}


def _name(record: Record) -> str | None:
    return _text(_part(record, "names").get("en"))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
