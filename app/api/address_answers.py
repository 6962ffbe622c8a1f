"""What operations on addresses and places answer: the models that the document is made from."""

from typing import Annotated, Literal

from pydantic import Field

from app.api.answers import AnswerModel
from app.api.records import Latitude, Longitude, PlaceRecord, PointAnswer, Strictly, optional
from engine.domain.address import Layer, MatchConfidence
from engine.domain.validation import PropertyType, RecordType, UnitFinding, VerificationStatus

LOCAL_TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$"

type Word = Annotated[str, Field(min_length=1)]
type TwoLetters = Annotated[str, Field(pattern="^[A-Z]{2}$")]


class TimeZoneAnswer(Strictly):
    """The time zone of a position."""

    id: Word = Field(description="Of the IANA, such as Europe/Vaduz.")
    name: Word
    code: Word
    current_time: str = Field(pattern=LOCAL_TIME)
    utc_offset: int = Field(description="Seconds, with daylight saving.")
    dst_offset: int = Field(description="Seconds of daylight saving.")


class LocatedAnswer(Strictly):
    """What all addresses with a position have; what is not known is left out."""

    latitude: Latitude
    longitude: Longitude
    geometry: PointAnswer
    country: Word = optional()
    country_code: TwoLetters = optional()
    country_flag: Word = optional()
    state: Word = optional()
    state_code: Word = optional()
    city: Word = optional()
    postal_code: Word = optional()
    time_zone: TimeZoneAnswer = optional()


class AddressAnswer(LocatedAnswer):
    """An address, or something larger or named, that was found."""

    county: Word = optional()
    borough: Word = optional()
    neighborhood: Word = optional()
    street: Word = optional()
    number: Word = optional()
    unit: Word = optional()
    address_label: Word = optional(description="Short: of a house, number and street.")
    place_label: Word = optional(description="The name of a place.")
    formatted_address: Word
    layer: Layer


class ForwardAddressAnswer(AddressAnswer):
    """What a query means."""

    confidence: MatchConfidence


class DistantAddressAnswer(AddressAnswer):
    """What is near a position."""

    distance: float = optional(ge=0, description="Metres.")


class ForwardGeocodeAnswer(AnswerModel):
    """What a query means, best first."""

    addresses: list[ForwardAddressAnswer]


class ReverseGeocodeAnswer(AnswerModel):
    """What is at a position: the nearest first, then what holds it, from small to large."""

    addresses: list[DistantAddressAnswer]


class AutocompleteAnswer(AnswerModel):
    """What the text may become, by relevance and proximity."""

    addresses: list[DistantAddressAnswer]


class IpGeocodeAnswer(AnswerModel):
    """Where an IP address is."""

    ip: Word
    proxy: bool
    address: LocatedAnswer = optional(description="Where anything is known.")


class PlaceSearchAnswer(AnswerModel):
    """Places, nearest first."""

    places: list[PlaceRecord]


class AddressMetadataAnswer(Strictly):
    """What kind of address it is."""

    record_type: RecordType = Field(
        description="S street, P post office box, R rural route, H high-rise, F firm, G general delivery."
    )
    property_type: PropertyType


class ValidAddressAnswer(Strictly):
    """The address as it is written properly."""

    address_label: Word = optional()
    unit: Word = optional()
    number: Word = optional()
    street: Word = optional()
    city: Word = optional()
    state_code: TwoLetters = optional()
    postal_code: Word = optional()
    plus4: str = optional(alias="plus4", pattern=r"^\d{4}$", description="As it was given; never looked up.")
    county: Word = optional()
    country_code: Literal["US", "CA"]
    formatted_address: Word
    metadata: AddressMetadataAnswer


class ValidationResultAnswer(Strictly):
    """How far the address is known."""

    verification_status: VerificationStatus
    analysis: list[UnitFinding] = optional(min_length=1, description="Where the units of the building are known.")


class ValidateAddressAnswer(AnswerModel):
    """Whether an address is one."""

    address: ValidAddressAnswer
    result: ValidationResultAnswer
