"""Location of IP addresses: by a city database of the user or of the set-up, else by country in the world pack."""

import logging
from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Final

import maxminddb
import orjson

from engine.bundled import CITY_FILES
from engine.domain.addresses.address import COARSE, Address, AddressLanguage, Geocoder, IpAddress, Layer, ReverseQuery
from engine.domain.area import Area
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.ip import IpRanges, normal_address
from engine.domain.nesting import not_too_deep
from engine.gazetteer.text import fold
from engine.geocoding.absent import NO_CITIES, NO_CITY, NO_PRIVATE_IP, NO_PUBLIC_IP
from engine.geocoding.formatting import Parts, formatted
from engine.geocoding.ip_databases import CityRecord, city_record, open_database, record_of
from engine.geocoding.regions import RegionFinder
from engine.geocoding.states import STATE_NAMES, STATES
from engine.geocoding.world import World
from engine.outbound.special_purpose import is_public

log = logging.getLogger(__name__)

IP_FILE: Final = "ip.mmdb"
"""Name of the file with the country of every address, in the folder of the world pack."""

CITY_FILE: Final = "city.mmdb"
"""Name of the user's city database in a workspace's folder, in the format of GeoLite2-City or ip-location-db."""

HOME_FILE: Final = "home.json"
"""Name of the file with the position of private addresses in a workspace's folder: ``{"latitude": …, "longitude": …}``.
"""

_CODE_WITHIN_M: Final = 1_000.0
"""Maximum distance in metres of a house that determines the postal code of a position with no other known code."""

_ENGLISH: Final = AddressLanguage.ENGLISH


class IpLocator:
    """Locates IP addresses. May be used from any thread. Files are opened on first use."""

    def __init__(
        self,
        pack: Path,
        workspace: Path | None,
        *,
        cities: Path | None = None,
        world: World | None,
        regions: RegionFinder,
        geocoder: Geocoder,
        areas: Sequence[Area],
    ) -> None:
        """Read the databases in the folders of the world pack, of a workspace and of the `cities` of the set-up.

        `areas` are those in use. A database that is missing, or cannot be read (which is logged), returns no results.
        """
        self._world = world
        self._regions = regions
        self._geocoder = geocoder
        self._workspace = workspace
        self._areas = areas
        self._countries = [*_opened([pack / IP_FILE])]
        own = () if workspace is None else (workspace / CITY_FILE,)
        downloaded = () if cities is None else (cities / name for name in CITY_FILES)
        self._cities = [*_opened([*own, *downloaded])]
        self._has_logged_home_error = False

    def locate(self, ip: str, proxies: IpRanges | None = None) -> IpAddress:
        """Return the location of an address, whether it is one of `proxies`, and what is missing beyond its country.

        An address outside the public internet (private, loopback, link-local, carrier-grade NAT, documentation) is
        located at home. Raises `InvalidParameter` for ``ip`` if it is not an address.
        """
        found = normal_address(ip)
        if found is None:
            raise InvalidParameter("ip", f"ip: must be an IP address, not {ip[:60]!r}.")
        address = self._public(found) if is_public(found) else self._at_home(found)
        only_country = address is not None and address.layer is Layer.COUNTRY and is_public(found)
        lack = (NO_CITY if self._cities else NO_CITIES) if only_country else None
        return IpAddress(str(found), address, proxies is not None and str(found) in proxies, lack)

    def lack(self, ip: str) -> str | None:
        """Return a sentence about why addresses like this one cannot be located, or None if some can."""
        found = normal_address(ip)
        if found is not None and is_public(found):
            known = self._cities or (self._countries and self._world is not None)
            return None if known else NO_PUBLIC_IP
        return NO_PRIVATE_IP if self._home() is None else None

    def close(self) -> None:
        """Close the databases."""
        for database in (*self._countries, *self._cities):
            database.close()

    def _at_home(self, ip: IPv4Address | IPv6Address) -> Address | None:
        if ip.is_multicast:
            return None
        point = self._home()
        return None if point is None else self._address_at(point)

    def _home(self) -> Point | None:
        """Return the position of the workspace, and only log an invalid file, since clients cannot fix it."""
        try:
            return home_of(self._workspace, self._areas)
        except InvalidParameter as error:
            if not self._has_logged_home_error:
                self._has_logged_home_error = True
                log.warning("%s The middle of the first area in use is used instead.", error)
            return home_of(None, self._areas)

    def _public(self, ip: IPv4Address | IPv6Address) -> Address | None:
        if ip.is_multicast:
            return None
        record = record_of(self._cities, ip)
        city = None if record is None else city_record(record)
        if city is not None:
            return self._in_city(city)
        country = record_of(self._countries, ip)
        return None if country is None else self._in_country(str(country.get("country_code") or ""))

    def _in_country(self, code: str) -> Address | None:
        """Return a country as an address at its centre.

        It is without the surroundings of the centre, which say nothing about the IP address.
        """
        country = self._world.country(code) if self._world else None
        if country is None:
            return None
        name = country.called(_ENGLISH)
        return Address(
            point=country.point, layer=Layer.COUNTRY, formatted=name, label=name, country=name, country_code=code
        )

    def _in_city(self, record: CityRecord) -> Address:
        """Return the record of a city database, completed from its position."""
        there = self._address_at(record.point)
        if record.country_code not in (None, there.country_code):
            there = _written(record.point, **dict.fromkeys(_NAMES))
        country = self._world.country(record.country_code) if self._world and record.country_code else None
        state, state_code = self._state_of(record, there)
        return _written(
            record.point,
            city=record.city or there.city,
            county=there.county,
            state=state,
            state_code=state_code,
            postal_code=record.postal_code or (there.postal_code if record.has_postal_codes else None),
            country=record.country or (country.called(_ENGLISH) if country else there.country),
            country_code=record.country_code or there.country_code,
        )

    def _state_of(self, record: CityRecord, there: Address) -> tuple[str | None, str | None]:
        """Return the name and code of a record's state: its own, else those in the tables, else those of its position.

        A state that the tables spell otherwise is that of the position if the same city is there.
        """
        if record.state is None:
            return there.state, record.state_code or there.state_code
        if record.state_code is not None or record.country_code is None:
            return record.state, record.state_code or there.state_code
        country, code = STATE_NAMES.get(record.state.lower(), (None, None))
        if country == record.country_code:
            return record.state, code
        state = self._world.state(record.country_code, record.state) if self._world else None
        if state is not None:
            return state.called(_ENGLISH), state.code
        is_there = there.country_code == record.country_code and record.country_code not in STATES
        if is_there and there.state_code and record.city and fold(record.city) == fold(there.city or ""):
            return there.state, there.state_code
        return record.state, None

    def _address_at(self, point: Point) -> Address:
        """Return the city, postal code, county, state and country of a position."""
        found = self._geocoder.reverse(ReverseQuery(point=point, layers=COARSE))
        regions = self._regions.regions_at(point)
        names = {
            field: next((value for address in found if (value := getattr(address, field)) is not None), None)
            for field in _NAMES
        }
        for field, code_field, region in (
            ("state", "state_code", regions.state),
            ("country", "country_code", regions.country),
        ):
            if region is not None:
                names[field] = names[field] or region.name
                names[code_field] = names[code_field] or region.code
        if regions.postal_code is not None:
            names["postal_code"] = names["postal_code"] or regions.postal_code.code
        if names["postal_code"] is None:
            names["postal_code"] = self._regions.postal_code_near(point, _CODE_WITHIN_M, names["city"])
        return _written(point, **names)


def home_of(workspace: Path | None, areas: Sequence[Area]) -> Point | None:
    """Return the position of a workspace by its ``home.json``, else the centre of the first area in use, else None.

    Raises `InvalidParameter` for ``home`` if the file contains no position.
    """
    if workspace is not None and (file := workspace / HOME_FILE).is_file():
        return _home_in(file)
    if not areas:
        return None
    west, south, east, north = areas[0].bounds
    middle = (west + east) / 2
    return Point(middle if middle <= 180 else middle - 360, (south + north) / 2)


def _home_in(file: Path) -> Point:
    try:
        content = orjson.loads(not_too_deep(file.read_bytes()))
        longitude, latitude = float(content["longitude"]), float(content["latitude"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _no_home(file) from error
    if not (-180 <= longitude <= 180 and -90 <= latitude <= 90):
        raise _no_home(file)
    return Point(longitude, latitude)


def _no_home(file: Path) -> InvalidParameter:
    return InvalidParameter("home", f"home: {file} must be an object with latitude and longitude in degrees.")


def _written(point: Point, **names: str | None) -> Address:
    layer = next((layer for field, layer in _LAYERS.items() if names[field] is not None), Layer.COUNTRY)
    parts = {field: names[field] for field in ("city", "state_code", "postal_code", "country_code")}
    label = names["city"] or names["state"] or names["country"]
    return Address(
        point=point,
        layer=layer,
        formatted=formatted(Parts(**parts)),
        label=label,
        city=names["city"],
        county=names["county"],
        state=names["state"],
        state_code=names["state_code"],
        postal_code=names["postal_code"],
        country=names["country"],
        country_code=names["country_code"],
    )


_NAMES: Final = ("city", "county", "state", "state_code", "postal_code", "country", "country_code")
_LAYERS: Final = {"city": Layer.LOCALITY, "postal_code": Layer.POSTAL_CODE, "state": Layer.STATE}


def _opened(files: Sequence[Path]) -> Iterator[maxminddb.Reader]:
    for file in files:
        if (database := open_database(file)) is not None:
            yield database
