"""GET /v1/search/autocomplete and /v1/search/places: completions of typed text, and places around a point."""

import logging
from types import MappingProxyType

from app.api.http.rates import Rate
from app.api.v1.geocoding.geocode import client_ip, zoned
from app.api.v1.operations import Call, Routes
from app.api.wire.addresses.address import (
    AutocompleteAnswer,
    AutocompleteClickBody,
    AutocompleteQueryModel,
    encode_distant,
)
from app.api.wire.addresses.place import PlaceSearchAnswer, PlaceSearchQuery, encode_place
from app.api.wire.common.answers import EmptyAnswer
from app.api.wire.common.encoding import Encoded, encode_answer
from engine.domain.addresses.address import DEFAULT_ADDRESSES, DEFAULT_LAYERS, AddressLanguage, AutocompleteQuery
from engine.domain.addresses.place import DEFAULT_PLACES, PlaceQuery
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter, NoGeocodingData
from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA
from engine.engine import Engine

logger = logging.getLogger(__name__)


routes = Routes(KeyLevel.PUBLISHABLE)


@routes(
    "GET",
    "/v1/search/autocomplete",
    name="autocomplete",
    summary="Autocomplete an address or place name",
    answer=AutocompleteAnswer,
    rate=Rate(10),
)
async def autocomplete(call: Call[AutocompleteQueryModel, None]) -> Encoded:
    """Complete a partly typed address or name."""

    def find() -> Encoded:
        engine = call.services.engine
        near = call.query.near or near_ip(engine, call.client)
        found = engine.geocoding.geocoder.autocomplete(autocomplete_query_of(call.query, near))
        return encode_distant(zoned(engine, call.environment, found))

    return encode_answer(await call.services.geocoding.run(find))


def near_ip(engine: Engine, client: str | None) -> Point | None:
    """Return the location that a request comes from, or None if it is unknown."""
    try:
        address = engine.geocoding.locate_ip(client_ip(client)).address
    except NoGeocodingData:
        return None
    return None if address is None else address.point


def autocomplete_query_of(query: AutocompleteQueryModel, near: Point | None) -> AutocompleteQuery:
    """Return the engine's query."""
    return AutocompleteQuery(
        text=query.query,
        near=near,
        layers=query.layers or DEFAULT_LAYERS,
        countries=(query.country_code or frozenset()) | (query.country or frozenset()),
        language=AddressLanguage(query.lang or AddressLanguage.ENGLISH),
        limit=query.limit or DEFAULT_ADDRESSES,
    )


@routes(
    "POST",
    "/v1/search/autocomplete/click",
    name="reportAutocompleteClick",
    summary="Report which suggestion was selected",
    answer=EmptyAnswer,
)
async def click(call: Call[None, AutocompleteClickBody]) -> Encoded:
    """Log the selected suggestion at debug level; nothing is stored."""
    body = call.body
    logger.debug("completion %s of request %s was chosen (%s)", body.idx, body.request_id, body.session_token)
    return encode_answer({})


@routes(
    "GET",
    "/v1/search/places",
    name="searchPlaces",
    summary="Find places near a point or in an airport, nearest first",
    answer=PlaceSearchAnswer,
    rate=Rate(150),
)
async def search_places(call: Call[PlaceSearchQuery, None]) -> Encoded:
    """Find places, nearest first."""
    query = place_query_of(call.query)

    def find() -> Encoded:
        engine = call.services.engine
        found = engine.geocoding.places.search(query, engine.settings.get(call.environment).chains)
        return {"places": [encode_place(nearby.place) for nearby in found]}

    return encode_answer(await call.services.lookups.run(find))


def place_query_of(query: PlaceSearchQuery) -> PlaceQuery:
    """Return the engine's query; raises `InvalidParameter` if the kind of place or the location is missing."""
    if query.iata_code is None:
        if not (query.chains or query.categories or query.groups):
            raise InvalidParameter("chains", "chains: is required without categories, groups or iataCode.")
        if query.near is None:
            raise InvalidParameter("near", "near: is required without iataCode.")
    return PlaceQuery(
        near=query.near,
        chains=query.chains or frozenset(),
        categories=query.categories or frozenset(),
        groups=query.groups or frozenset(),
        chain_metadata=NO_METADATA if query.chain_metadata is None else MappingProxyType(query.chain_metadata),
        countries=(query.country or frozenset()) | (query.country_code or frozenset()),
        iata_code=query.iata_code,
        radius_m=query.radius,
        limit=query.limit or DEFAULT_PLACES,
    )
