"""GET /v1/geocode/forward, /v1/geocode/reverse and /v1/geocode/ip: addresses and positions."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from app.api.http.rates import Rate
from app.api.v1.operations import Call, Routes
from app.api.wire.addresses.address import (
    ForwardGeocodeAnswer,
    ForwardGeocodeQuery,
    IpGeocodeAnswer,
    IpGeocodeQuery,
    ReverseGeocodeAnswer,
    ReverseGeocodeQuery,
    Zoned,
    encode_distant,
    encode_forward,
    encode_ip,
)
from app.api.wire.common.encoding import Encoded, encode_answer
from engine import bundled
from engine.domain.addresses.address import (
    DEFAULT_LAYERS,
    Address,
    AddressLanguage,
    ForwardQuery,
    Layer,
    ReverseQuery,
    TimeZone,
)
from engine.domain.environment import Environment, KeyLevel
from engine.domain.ip import normal_address
from engine.engine import Engine
from engine.geo.zones import time_zone_at, time_zone_of_country

HERE: Final = "127.0.0.1"
"""Address assumed for a client without one: this machine."""


routes = Routes(KeyLevel.PUBLISHABLE)


@routes(
    "GET",
    "/v1/geocode/forward",
    name="forwardGeocode",
    summary="Geocode an address or place name",
    answer=ForwardGeocodeAnswer,
    rate=Rate(10),
)
async def forward(call: Call[ForwardGeocodeQuery, None]) -> Encoded:
    """Find an address."""
    query = forward_query_of(call.query)

    def find() -> Encoded:
        engine = call.services.engine
        return encode_forward(zoned(engine, call.environment, engine.geocoding.geocoder.forward(query)))

    return encode_answer(await call.services.geocoding.run(find))


def forward_query_of(query: ForwardGeocodeQuery) -> ForwardQuery:
    """Return the engine's query."""
    return ForwardQuery(
        text=query.query,
        layers=query.layers or DEFAULT_LAYERS,
        countries=(query.country or frozenset()) | (query.country_code or frozenset()),
        language=AddressLanguage(query.lang or AddressLanguage.ENGLISH),
    )


@routes(
    "GET",
    "/v1/geocode/reverse",
    name="reverseGeocode",
    summary="Reverse geocode a position",
    answer=ReverseGeocodeAnswer,
    rate=Rate(10),
)
async def reverse(call: Call[ReverseGeocodeQuery, None]) -> Encoded:
    """Find the addresses at a position."""
    query = ReverseQuery(
        point=call.query.coordinates,
        layers=call.query.layers or DEFAULT_LAYERS,
        language=AddressLanguage(call.query.lang or AddressLanguage.ENGLISH),
    )

    def find() -> Encoded:
        engine = call.services.engine
        return encode_distant(zoned(engine, call.environment, engine.geocoding.geocoder.reverse(query)))

    return encode_answer(await call.services.geocoding.run(find))


@routes(
    "GET",
    "/v1/geocode/ip",
    name="ipGeocode",
    summary="Geocode an IP address",
    answer=IpGeocodeAnswer,
    rate=Rate(10, per_client=True),
    credit=f"Cities, if downloaded: [{bundled.CITIES_CREDIT}]({bundled.CITIES_URL}).",
)
async def ip(call: Call[IpGeocodeQuery, None]) -> Encoded:
    """Find the location of an IP address."""

    def find() -> Encoded:
        engine = call.services.engine
        proxies = engine.settings.get(call.environment).proxy_addresses
        found = engine.geocoding.locate_ip(call.query.ip or client_ip(call.client), proxies)
        if found.lack is not None:
            call.warnings.append(found.lack)
        return encode_ip(found, _time_zone(found.address, engine.clock_of(call.environment).now()))

    return encode_answer(await call.services.lookups.run(find))


def _time_zone(address: Address | None, now: datetime) -> TimeZone | None:
    if address is None:
        return None
    return time_zone_of_country(address, now) if address.layer is Layer.COUNTRY else time_zone_at(address.point, now)


def client_ip(client: str | None) -> str:
    """Return the IP address that a request comes from, in its usual notation."""
    return str(normal_address(client or HERE) or HERE)


def zoned(engine: Engine, environment: Environment, found: Iterable[Address]) -> Iterable[Zoned]:
    """Return addresses with their time zones at the current time of an environment's clock."""
    now = engine.clock_of(environment).now()
    return [(address, time_zone_at(address.point, now)) for address in found]
