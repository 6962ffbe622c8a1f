"""Places and chains: queries and responses."""

from typing import Annotated, Final, NotRequired

from pydantic import BeforeValidator, Field, PlainValidator

from app.api.wire.addresses.address import COUNTRIES, Countries, OptionalLatLon, read_letters, read_listed
from app.api.wire.common.answers import AnswerModel, Id, Metadata, Record
from app.api.wire.common.encoding import PointAnswer, encode_point
from app.api.wire.common.fields import MetadataFilter, unset_when_null
from app.api.wire.common.requests import FewLimit, RequestModel
from engine.domain.addresses.place import Chain, Place
from engine.domain.tracking.updates import ChainSummary

MAX_PLACE_RADIUS_M: Final = 10_000

type Listed = Annotated[frozenset[str], PlainValidator(read_listed, json_schema_input_type=str)]
type _PlaceRadius = Annotated[float, Field(ge=1, le=MAX_PLACE_RADIUS_M)]
type PlaceRadius = Annotated[_PlaceRadius | None, BeforeValidator(unset_when_null, json_schema_input_type=_PlaceRadius)]
type _Iata = Annotated[str, PlainValidator(read_letters(3, "SFO"), json_schema_input_type=str)]
type IataCode = Annotated[_Iata | None, BeforeValidator(unset_when_null, json_schema_input_type=str)]


class PlaceSearchQuery(RequestModel):
    """Search of places, nearest first; it needs `chains`, `categories`, `groups` or `iataCode`."""

    near: OptionalLatLon = Field(None, description="latitude,longitude; required unless `iataCode` is given.")
    chains: Listed | None = Field(None, description="Comma-separated slugs, or the project's custom IDs.")
    categories: Listed | None = Field(None, description="Comma-separated.")
    groups: Listed | None = Field(None, description="Comma-separated.")
    iata_code: IataCode = Field(None, description="Finds places in this airport, or up to 3 km from it.")
    chain_metadata: MetadataFilter | None = Field(
        None, description="chainMetadata[key]=value, compared like metadata[key]."
    )
    country: Countries | None = Field(None, description=COUNTRIES)
    country_code: Countries | None = Field(None, description="Alias of `country`; both are combined.")
    radius: PlaceRadius = Field(
        None, description="Metres, 1 to 10000; defaults to 1000, or with `iataCode` to no limit."
    )
    limit: FewLimit = 10


class ChainAnswer(Record):
    """A chain of places; all but name and slug are the project's own."""

    name: str
    slug: str
    domain: NotRequired[str]
    externalId: NotRequired[str]
    metadata: NotRequired[Metadata]


class PlaceRecord(Record):
    """A place that people visit."""

    _id: Annotated[Id, Field(description="Stays the same for as long as the place is in OpenStreetMap.")]
    name: Annotated[str, Field(min_length=1)]
    location: PointAnswer
    chain: NotRequired[ChainAnswer]
    categories: Annotated[list[str], Field(description="From general to specific.")]


class PlaceSearchAnswer(AnswerModel):
    """Places, nearest first."""

    places: list[PlaceRecord]


def encode_place(place: Place) -> PlaceRecord:
    """Return a place."""
    encoded: PlaceRecord = {
        "_id": place.id,
        "name": place.name,
        "location": encode_point(place.point),
        "categories": list(place.categories),
    }
    if place.chain is not None:
        encoded["chain"] = encode_chain(place.chain)
    return encoded


def encode_chain(chain: Chain | ChainSummary) -> ChainAnswer:
    """Return the chain of a place, or one that a user visits."""
    encoded: ChainAnswer = {"name": chain.name, "slug": chain.slug}
    if chain.domain is not None:
        encoded["domain"] = chain.domain
    if chain.external_id is not None:
        encoded["externalId"] = chain.external_id
    if chain.metadata:
        encoded["metadata"] = dict(chain.metadata)
    return encoded
