"""Addresses: queries and responses."""

from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import BeforeValidator, Field, PlainValidator, StringConstraints

from app.api.http.errors import shown
from app.api.wire.common.answers import AnswerModel, Latitude, Longitude, Record, Word
from app.api.wire.common.decoding import NotServed
from app.api.wire.common.encoding import Encoded, PointAnswer, encode_point, known
from app.api.wire.common.fields import (
    NOT_BLANK,
    LatLon,
    read_list,
    read_words,
    refusal,
    unset_when_empty,
    unset_when_null,
    words_of,
)
from app.api.wire.common.requests import FewLimit, RequestModel
from engine.domain.addresses.address import (
    COARSE,
    DEFAULT_LAYERS,
    FINE,
    MAX_QUERY,
    Address,
    IpAddress,
    Layer,
    MatchConfidence,
    TimeZone,
    check_query,
    flag_of,
)
from engine.domain.ip import normal_address

MAX_LISTED: Final = 300
"""Maximum number of countries, chains, categories or groups per request."""

MAX_PART: Final = 200
"""Maximum length of a part of a postal address, in characters."""

type LayerWord = Literal[
    "place",
    "address",
    "street",
    "intersection",
    "postalCode",
    "neighborhood",
    "locality",
    "county",
    "state",
    "country",
    "coarse",
    "fine",
]
type AddressLanguageWord = Literal["ar", "de", "en", "es", "fr", "ja", "ko", "pt", "ru", "zh"]

_USER_ASSIGNED: Final = frozenset({"XK"})
"""Country codes in use that ISO 3166 does not assign: Kosovo."""

_GROUPS: Final = {"coarse": COARSE, "fine": FINE}
"""Words for several layers."""

_read_layer_words: Final = read_words(*words_of(LayerWord))


def read_layers(value: object) -> frozenset[Layer]:
    """Return the layers of a comma-separated list with groups expanded, or the default layers if it is empty."""
    words = _read_layer_words(value)
    layers = frozenset[Layer]().union(*(_GROUPS.get(word) or {Layer(word)} for word in words))
    return layers or DEFAULT_LAYERS


@cache
def country_codes() -> frozenset[str]:
    """Return the two-letter codes of all countries."""
    table = (files("tzdata.zoneinfo") / "iso3166.tab").read_text(encoding="utf-8")
    listed = {line.partition("\t")[0] for line in table.splitlines() if not line.startswith("#")}
    return frozenset(listed | _USER_ASSIGNED)


def read_countries(value: object) -> frozenset[str]:
    """Return the countries of a comma-separated list, in upper case."""
    words = read_listed(value)
    codes = frozenset(word.upper() for word in words)
    if unknown := codes - country_codes():
        raise refusal(f"must be two-letter country codes (ISO 3166) such as US,CA, not {shown(min(unknown))}")
    return codes


def read_listed(value: object) -> frozenset[str]:
    """Return the words of a comma-separated list."""
    parts = [] if value in (None, "null") else read_list(value)
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise refusal("must be words, comma-separated")
    if len(parts) > MAX_LISTED:
        raise refusal(f"at most {MAX_LISTED} are allowed, not {len(parts)}")
    if any("\0" in part or len(part) > MAX_PART for part in parts):
        raise refusal(f"each must have at most {MAX_PART} characters, without NUL")
    return frozenset(parts)


def read_query(value: object) -> str:
    """Return a search text without surrounding spaces; operators in it have no effect."""
    if not isinstance(value, str):
        raise refusal("must be a string")
    return check_query(value)


def read_ip(value: object) -> str:
    """Return an IP address in its usual notation."""
    address = normal_address(value) if isinstance(value, str) else None
    if address is None:
        raise refusal(f"must be an IP address such as 192.0.2.1 or 2001:db8::1, not {shown(value)}")
    return str(address)


def read_letters(count: int, example: str) -> Callable[[object], str]:
    """Return a reader for a code of `count` letters in any case."""

    def read(value: object) -> str:
        code = value.strip() if isinstance(value, str) else ""
        if not (len(code) == count and code.isascii() and code.isalpha()):
            raise refusal(f"must be {count} letters such as {example}, not {shown(value)}")
        return code.upper()

    return read


type _QueryText = Annotated[str, Field(min_length=1, max_length=MAX_QUERY)]
type Query = Annotated[str, PlainValidator(read_query, json_schema_input_type=_QueryText)]
type Layers = Annotated[frozenset[Layer], PlainValidator(read_layers, json_schema_input_type=str)]
type Countries = Annotated[frozenset[str], PlainValidator(read_countries, json_schema_input_type=str)]
type OptionalAddressLanguage = Annotated[
    AddressLanguageWord | None,
    BeforeValidator(unset_when_empty, json_schema_input_type=AddressLanguageWord | Literal[""]),
]
type OptionalLatLon = Annotated[LatLon | None, BeforeValidator(unset_when_null, json_schema_input_type=str)]
type _Ip = Annotated[str, PlainValidator(read_ip, json_schema_input_type=str)]
type OptionalIp = Annotated[_Ip | None, BeforeValidator(unset_when_empty, json_schema_input_type=str)]
type Part = Annotated[str, StringConstraints(min_length=1, max_length=MAX_PART, pattern=NOT_BLANK)]

_QUERY: Final = "Plain text; quotes, asterisks and other operators have no effect."
_LAYERS: Final = (
    "Comma-separated: place, address, street, intersection, postalCode, neighborhood, locality, county, state, "
    "country, coarse (postalCode, locality, county, state, country), fine (address and place); defaults to address and "
    "coarse. Streets and crossings are addresses, and neighborhoods are localities, unless their layers are listed."
)
COUNTRIES: Final = "Comma-separated two-letter codes; defaults to all countries."
_LANGUAGE: Final = "Language of the names, where available; defaults to en."


class ForwardGeocodeQuery(RequestModel):
    """Query of an address."""

    query: Query = Field(description=f"A complete address, or a name. {_QUERY}")
    layers: Layers | None = Field(None, description=_LAYERS)
    country: Countries | None = Field(None, description=COUNTRIES)
    country_code: Countries | None = Field(None, description="Alias of `country`; both are combined.")
    lang: OptionalAddressLanguage = Field(None, description=_LANGUAGE)


class ReverseGeocodeQuery(RequestModel):
    """Position to look up."""

    coordinates: LatLon = Field(description="latitude,longitude")
    layers: Layers | None = Field(None, description=_LAYERS)
    lang: OptionalAddressLanguage = Field(None, description=_LANGUAGE)


class IpGeocodeQuery(RequestModel):
    """Query of the location of an IP address."""

    ip: OptionalIp = Field(
        None,
        description="Defaults to the address of the request. Only its country is known without a `city.mmdb` of yours"
        " in the folder of the workspace.",
    )


class AutocompleteQueryModel(RequestModel):
    """Text typed so far."""

    query: Query = Field(description=f"The beginning of an address or a name. {_QUERY}")
    near: OptionalLatLon = Field(
        None, description="latitude,longitude; defaults to the location of the request's IP address, where known."
    )
    layers: Layers | None = Field(None, description=_LAYERS)
    limit: FewLimit = 10
    country_code: Countries | None = Field(None, description=COUNTRIES)
    country: Countries | None = Field(None, description="Alias of `countryCode`; both are combined.")
    lang: OptionalAddressLanguage = Field(None, description=_LANGUAGE)
    expand_units: Annotated[Any, NotServed("address units")] = None
    mailable: Annotated[Any, NotServed("mail deliverability checks")] = None
    postal_code: Annotated[Any, NotServed("postal code filters")] = None


class AutocompleteClickBody(RequestModel):
    """The suggestion that was selected, as SDKs report it."""

    session_token: Part | None = None
    request_id: Part | None = None
    idx: Annotated[int, Field(ge=0)] | None = Field(None, description="The rank in the list.")


LOCAL_TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$"

type TwoLetters = Annotated[str, Field(pattern="^[A-Z]{2}$")]


class TimeZoneAnswer(Record):
    """The time zone of a position."""

    id: Annotated[Word, Field(description="IANA name, such as Europe/Vaduz.")]
    name: Word
    code: Word
    currentTime: Annotated[str, Field(pattern=LOCAL_TIME)]
    utcOffset: Annotated[int, Field(description="UTC offset in seconds, with daylight saving.")]
    dstOffset: Annotated[int, Field(description="Daylight saving in seconds.")]


class LocatedAnswer(Record):
    """Fields of all addresses with a position; unknown ones are left out."""

    latitude: Latitude
    longitude: Longitude
    geometry: PointAnswer
    country: NotRequired[Word]
    countryCode: NotRequired[TwoLetters]
    countryFlag: NotRequired[Word]
    state: NotRequired[Word]
    stateCode: NotRequired[Word]
    city: NotRequired[Word]
    postalCode: NotRequired[Word]
    timeZone: NotRequired[TimeZoneAnswer]


class AddressAnswer(LocatedAnswer):
    """An address, a larger area, or a named place."""

    county: NotRequired[Word]
    borough: NotRequired[Word]
    neighborhood: NotRequired[Word]
    street: NotRequired[Word]
    number: NotRequired[Word]
    unit: NotRequired[Word]
    addressLabel: NotRequired[Annotated[Word, Field(description="Short form: for a house, number and street.")]]
    placeLabel: NotRequired[Annotated[Word, Field(description="The name of a place.")]]
    formattedAddress: Word
    layer: Layer


class ForwardAddressAnswer(AddressAnswer):
    """An address that matches a query."""

    confidence: MatchConfidence


class DistantAddressAnswer(AddressAnswer):
    """An address near a position."""

    distance: NotRequired[Annotated[float, Field(ge=0, description="Metres.")]]


class ForwardGeocodeAnswer(AnswerModel):
    """Addresses that match a query, best first."""

    addresses: list[ForwardAddressAnswer]


class ReverseGeocodeAnswer(AnswerModel):
    """Addresses at a position, nearest first, then the regions that contain it, from small to large."""

    addresses: list[DistantAddressAnswer]


class AutocompleteAnswer(AnswerModel):
    """Completions of the text, by relevance and proximity."""

    addresses: list[DistantAddressAnswer]


class IpAddressAnswer(LocatedAnswer):
    """The city or larger region of an IP address."""

    county: NotRequired[Word]
    formattedAddress: NotRequired[Word]


class IpRecord(Record):
    """The location of an IP address."""

    ip: Word
    proxy: bool
    address: NotRequired[Annotated[IpAddressAnswer, Field(description="Absent if nothing is known.")]]


class IpGeocodeAnswer(AnswerModel, IpRecord):
    """The location of an IP address."""


DISTANCE_DIGITS: Final = 1
"""Decimal places of distances in metres; no data source is more accurate than a tenth of a metre."""

type Zoned = tuple[Address, TimeZone | None]
"""An address and the time zone it lies in."""


def encode_forward(found: Iterable[Zoned]) -> Encoded:
    """Return the addresses that match a query."""
    return {"addresses": [_encode_matched(address, zone) for address, zone in found]}


def encode_distant(found: Iterable[Zoned]) -> Encoded:
    """Return the addresses near a position."""
    return {"addresses": [_encode_near(address, zone) for address, zone in found]}


def _encode_matched(address: Address, zone: TimeZone | None) -> ForwardAddressAnswer:
    return {**encode_address(address, zone), "confidence": address.confidence or MatchConfidence.FALLBACK}


def _encode_near(address: Address, zone: TimeZone | None) -> DistantAddressAnswer:
    encoded: DistantAddressAnswer = {**encode_address(address, zone)}
    if address.distance_m is not None:
        encoded["distance"] = round(address.distance_m, DISTANCE_DIGITS)
    return encoded


def encode_address(address: Address, zone: TimeZone | None) -> AddressAnswer:
    """Return an address with all known fields."""
    encoded: AddressAnswer = {
        **encode_located(address, zone),
        "formattedAddress": address.formatted,
        "layer": address.layer,
        "county": address.county or "",
        "borough": address.borough or "",
        "neighborhood": address.neighborhood or "",
        "street": address.street or "",
        "number": address.number or "",
        "unit": address.unit or "",
        "addressLabel": address.label or "",
        "placeLabel": address.place_label or "",
    }
    return known(encoded)


def encode_located(address: Address, zone: TimeZone | None) -> LocatedAnswer:
    """Return the location of an address, from the country down to the city."""
    encoded: LocatedAnswer = {
        "latitude": address.point.latitude,
        "longitude": address.point.longitude,
        "geometry": encode_point(address.point),
        "country": address.country or "",
        "countryCode": address.country_code or "",
        "countryFlag": flag_of(address.country_code) if address.country_code else "",
        "state": address.state or "",
        "stateCode": address.state_code or "",
        "city": address.city or "",
        "postalCode": address.postal_code or "",
    }
    if zone is not None:
        encoded["timeZone"] = encode_zone(zone)
    return known(encoded)


def encode_zone(zone: TimeZone) -> TimeZoneAnswer:
    """Return a time zone; its time is the only one in a response without milliseconds."""
    local = zone.now.isoformat(timespec="seconds")
    return {
        "id": zone.id,
        "name": zone.name,
        "code": zone.code,
        "currentTime": f"{local[:-6]}Z" if local.endswith("+00:00") else local,
        "utcOffset": zone.utc_offset_s,
        "dstOffset": zone.dst_offset_s,
    }


def encode_ip(found: IpAddress, zone: TimeZone | None) -> IpRecord:
    """Return the location of an IP address, without `address` if nothing is known."""
    encoded: IpRecord = {"ip": found.ip, "proxy": found.proxy}
    if found.address is not None:
        encoded["address"] = _encode_ip_address(found.address, zone)
    return encoded


def _encode_ip_address(address: Address, zone: TimeZone | None) -> IpAddressAnswer:
    encoded: IpAddressAnswer = {
        **encode_located(address, zone),
        "county": address.county or "",
        "formattedAddress": address.formatted,
    }
    return known(encoded)
