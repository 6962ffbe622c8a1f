"""Validation of postal addresses of the US and Canada: the query and its result."""

from enum import StrEnum

from msgspec import Struct

from engine.domain.addresses.address import Address


class VerificationStatus(StrEnum):
    """Verification status of an address."""

    VERIFIED = "verified"
    PARTIALLY_VERIFIED = "partially verified"
    AMBIGUOUS = "ambiguous"
    UNVERIFIED = "unverified"


class RecordType(StrEnum):
    """The kind of an address, in the postal service's letters."""

    STREET = "S"
    POST_OFFICE_BOX = "P"
    RURAL_ROUTE = "R"
    HIGH_RISE = "H"
    FIRM = "F"
    GENERAL_DELIVERY = "G"


class PropertyType(StrEnum):
    """The use of an address, if known."""

    RESIDENTIAL = "residential"
    COMMERCIAL = "commercial"
    UNKNOWN = "unknown"


class UnitFinding(StrEnum):
    """The error of the unit, if the units of the building are known."""

    MISSING = "unit:missing"
    INVALID = "unit:invalid"


class Correction(StrEnum):
    """A corrected part of an address."""

    STREET = "street:corrected"
    CITY = "city:corrected"
    POSTAL_CODE = "postalCode:corrected"


class AddressQuery(Struct, frozen=True, kw_only=True):
    """An address as entered by a user: either `number` and `street`, or `label`, which holds both."""

    city: str
    state_code: str
    postal_code: str
    country_code: str
    number: str | None = None
    street: str | None = None
    unit: str | None = None
    label: str | None = None


class ValidatedAddress(Struct, frozen=True, kw_only=True):
    """The corrected address, and how far it was verified; `plus4` is copied from the query."""

    address: Address
    status: VerificationStatus
    record_type: RecordType
    property_type: PropertyType
    plus4: str | None = None
    analysis: tuple[UnitFinding | Correction, ...] = ()
