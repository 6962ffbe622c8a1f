"""Postal addresses: validation and standardized form."""

from typing import Annotated, NotRequired

from pydantic import BeforeValidator, Field, PlainValidator

from app.api.wire.addresses.address import Part, TwoLetters, read_letters
from app.api.wire.common.answers import AnswerModel, Record, Word, one_of
from app.api.wire.common.encoding import known
from app.api.wire.common.fields import unset_when_empty
from app.api.wire.common.requests import RequestModel
from engine.domain.addresses.validation import (
    Correction,
    PropertyType,
    RecordType,
    UnitFinding,
    ValidatedAddress,
    VerificationStatus,
)

type StateCode = Annotated[str, PlainValidator(read_letters(2, "CA"), json_schema_input_type=str)]
type CountryCode = Annotated[str, PlainValidator(read_letters(2, "US"), json_schema_input_type=str)]
type OptionalPart = Annotated[Part | None, BeforeValidator(unset_when_empty, json_schema_input_type=str)]


class ValidateAddressQuery(RequestModel):
    """A postal address of the US or Canada; it needs `number` and `street`, or `addressLabel`."""

    city: Part
    state_code: StateCode = Field(description="Two letters.")
    postal_code: Part = Field(description="With or without plus-4.")
    country_code: CountryCode = Field(description="US or CA.")
    number: OptionalPart = Field(None, description="House number.")
    street: OptionalPart = None
    unit: OptionalPart = None
    address_label: OptionalPart = Field(None, description="Number and street.")


class AddressMetadataAnswer(Record):
    """Kind of address."""

    recordType: Annotated[
        RecordType,
        Field(description="S street, P post office box, R rural route, H high-rise, F firm, G general delivery."),
    ]
    propertyType: PropertyType


class ValidAddressAnswer(Record):
    """The standardized address."""

    addressLabel: NotRequired[Word]
    unit: NotRequired[Word]
    number: NotRequired[Word]
    street: NotRequired[Word]
    city: NotRequired[Word]
    stateCode: NotRequired[TwoLetters]
    postalCode: NotRequired[Word]
    plus4: NotRequired[Annotated[str, Field(pattern=r"^\d{4}$", description="As given; not looked up.")]]
    county: NotRequired[Word]
    countryCode: Annotated[str, one_of("US", "CA")]
    formattedAddress: Word
    metadata: AddressMetadataAnswer


class ValidationResultAnswer(Record):
    """Status of an address validation."""

    verificationStatus: VerificationStatus
    analysis: NotRequired[
        Annotated[
            list[UnitFinding | Correction],
            Field(min_length=1, description="Errors of the unit, if the building's units are known; corrected parts."),
        ]
    ]


class ValidatedRecord(Record):
    """Result of an address validation."""

    address: ValidAddressAnswer
    result: ValidationResultAnswer


class ValidateAddressAnswer(AnswerModel, ValidatedRecord):
    """Result of an address validation."""


def encode_validated(found: ValidatedAddress) -> ValidatedRecord:
    """Return an address in standardized form, with its validation status."""
    address = found.address
    encoded: ValidAddressAnswer = {
        "formattedAddress": address.formatted,
        "metadata": {"recordType": found.record_type, "propertyType": found.property_type},
        "addressLabel": address.label or "",
        "unit": address.unit or "",
        "number": address.number or "",
        "street": address.street or "",
        "city": address.city or "",
        "stateCode": address.state_code or "",
        "postalCode": address.postal_code or "",
        "plus4": found.plus4 or "",
        "county": address.county or "",
        "countryCode": address.country_code or "",
    }
    result: ValidationResultAnswer = {"verificationStatus": found.status}
    if found.analysis:
        result["analysis"] = list(found.analysis)
    return {"address": known(encoded), "result": result}
