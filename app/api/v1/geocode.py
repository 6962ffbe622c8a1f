"""GET /v1/geocode/forward, /v1/geocode/reverse and /v1/geocode/ip: addresses and positions."""

from collections.abc import Iterable
from typing import Final

from app.api.address_answers import ForwardGeocodeAnswer, IpGeocodeAnswer, ReverseGeocodeAnswer
from app.api.address_encoding import Zoned, encode_distant, encode_forward, encode_ip
from app.api.address_requests import ForwardGeocodeQuery, IpGeocodeQuery, ReverseGeocodeQuery
from app.api.encoding import Encoded, encode_answer
from app.api.endpoint_limits import Rate
from app.api.operations import Call, Operation, Resource
from engine.domain.address import (
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

HERE: Final = "127.0.0.1"
"""Who asks without an address asks from this machine."""


async def forward(call: Call[ForwardGeocodeQuery, None]) -> Encoded:
    """Find an address."""
    query = forward_query_of(call.query)

    def find() -> Encoded:
        engine = call.services.engine
        return encode_forward(zoned(engine, call.environment, engine.geocoder.forward(query)))

    return encode_answer(await call.services.geocoding.run(find))


def forward_query_of(query: ForwardGeocodeQuery) -> ForwardQuery:
    """Return the engine's query."""
    return ForwardQuery(
        text=query.query,
        layers=query.layers or DEFAULT_LAYERS,
        countries=(query.country or frozenset()) | (query.country_code or frozenset()),
        language=AddressLanguage(query.lang or AddressLanguage.ENGLISH),
    )


async def reverse(call: Call[ReverseGeocodeQuery, None]) -> Encoded:
    """Find what is at a position."""
    query = ReverseQuery(
        point=call.query.coordinates,
        layers=call.query.layers or DEFAULT_LAYERS,
        language=AddressLanguage(call.query.lang or AddressLanguage.ENGLISH),
    )

    def find() -> Encoded:
        engine = call.services.engine
        return encode_distant(zoned(engine, call.environment, engine.geocoder.reverse(query)))

    return encode_answer(await call.services.geocoding.run(find))


async def ip(call: Call[IpGeocodeQuery, None]) -> Encoded:
    """Find where an IP address is."""

    def find() -> Encoded:
        engine = call.services.engine
        found = engine.locate_ip(call.query.ip or client_ip(call.client), call.environment)
        return encode_ip(found, _time_zone(engine, call.environment, found.address))

    return encode_answer(await call.services.lookups.run(find))


def _time_zone(engine: Engine, environment: Environment, address: Address | None) -> TimeZone | None:
    if address is None:
        return None
    if address.layer is Layer.COUNTRY:
        return engine.time_zone_of_country(address, environment)
    return engine.time_zone(address.point, environment)


def client_ip(client: str | None) -> str:
    """Return the address that a request comes from, as it is usually written."""
    return str(normal_address(client or HERE) or HERE)


def zoned(engine: Engine, environment: Environment, found: Iterable[Address]) -> Iterable[Zoned]:
    """Return addresses with their time zones, by the clock of an environment."""
    return [(address, engine.time_zone(address.point, environment)) for address in found]


RESOURCES = (
    Resource(
        "/v1/geocode/forward",
        {
            "GET": Operation(
                name="forwardGeocode",
                summary="Find the position of an address or a name",
                level=KeyLevel.PUBLISHABLE,
                rate=Rate(10),
                handler=forward,
                query=ForwardGeocodeQuery,
                answer=ForwardGeocodeAnswer,
            )
        },
    ),
    Resource(
        "/v1/geocode/reverse",
        {
            "GET": Operation(
                name="reverseGeocode",
                summary="Find the address of a position, and what it lies in",
                level=KeyLevel.PUBLISHABLE,
                rate=Rate(10),
                handler=reverse,
                query=ReverseGeocodeQuery,
                answer=ReverseGeocodeAnswer,
            )
        },
    ),
    Resource(
        "/v1/geocode/ip",
        {
            "GET": Operation(
                name="ipGeocode",
                summary="Find where the requester's IP address is",
                level=KeyLevel.PUBLISHABLE,
                rate=Rate(10, per_client=True),
                handler=ip,
                query=IpGeocodeQuery,
                answer=IpGeocodeAnswer,
            )
        },
    ),
)
