"""From addresses to the wire. Absent fields are left out and never null."""

from collections.abc import Iterable
from typing import Final

from app.api.encoding import Encoded, encode_point
from engine.domain.address import Address, IpAddress, TimeZone, flag_of
from engine.domain.validation import ValidatedAddress

DISTANCE_DIGITS: Final = 1
"""A tenth of a metre is less than any of the data knows."""

type Zoned = tuple[Address, TimeZone | None]
"""An address and the time zone it lies in."""


def encode_forward(found: Iterable[Zoned]) -> Encoded:
    """Return what a query means."""
    return {"addresses": [encode_address(address, zone) | _confidence(address) for address, zone in found]}


def encode_distant(found: Iterable[Zoned]) -> Encoded:
    """Return what is near a position."""
    return {"addresses": [encode_address(address, zone) | _distance(address) for address, zone in found]}


def _confidence(address: Address) -> Encoded:
    return {} if address.confidence is None else {"confidence": address.confidence}


def _distance(address: Address) -> Encoded:
    return {} if address.distance_m is None else {"distance": round(address.distance_m, DISTANCE_DIGITS)}


def encode_address(address: Address, zone: TimeZone | None) -> Encoded:
    """Return an address with everything that is known of it."""
    encoded = encode_located(address, zone) | {"formattedAddress": address.formatted, "layer": address.layer}
    for name, value in (
        ("county", address.county),
        ("borough", address.borough),
        ("neighborhood", address.neighborhood),
        ("street", address.street),
        ("number", address.number),
        ("unit", address.unit),
        ("addressLabel", address.label),
        ("placeLabel", address.place_label),
    ):
        if value:
            encoded[name] = value
    return encoded


def encode_located(address: Address, zone: TimeZone | None) -> Encoded:
    """Return where an address is, down to its city."""
    encoded: Encoded = {
        "latitude": address.point.latitude,
        "longitude": address.point.longitude,
        "geometry": encode_point(address.point),
    }
    for name, value in (
        ("country", address.country),
        ("countryCode", address.country_code),
        ("countryFlag", flag_of(address.country_code) if address.country_code else None),
        ("state", address.state),
        ("stateCode", address.state_code),
        ("city", address.city),
        ("postalCode", address.postal_code),
    ):
        if value:
            encoded[name] = value
    if zone is not None:
        encoded["timeZone"] = encode_zone(zone)
    return encoded


def encode_zone(zone: TimeZone) -> Encoded:
    """Return a time zone; its time is the one in an answer without milliseconds."""
    local = zone.now.isoformat(timespec="seconds")
    return {
        "id": zone.id,
        "name": zone.name,
        "code": zone.code,
        "currentTime": f"{local[:-6]}Z" if local.endswith("+00:00") else local,
        "utcOffset": zone.utc_offset_s,
        "dstOffset": zone.dst_offset_s,
    }


def encode_ip(found: IpAddress, zone: TimeZone | None) -> Encoded:
    """Return where an IP address is; without `address` where nothing is known."""
    address = {} if found.address is None else {"address": encode_located(found.address, zone)}
    return {"ip": found.ip, "proxy": found.proxy} | address


def encode_validated(found: ValidatedAddress) -> Encoded:
    """Return an address as it is written properly, and how far it is known."""
    address = found.address
    encoded: Encoded = {
        "formattedAddress": address.formatted,
        "metadata": {"recordType": found.record_type, "propertyType": found.property_type},
    }
    for name, value in (
        ("addressLabel", address.label),
        ("unit", address.unit),
        ("number", address.number),
        ("street", address.street),
        ("city", address.city),
        ("stateCode", address.state_code),
        ("postalCode", address.postal_code),
        ("plus4", found.plus4),
        ("county", address.county),
        ("countryCode", address.country_code),
    ):
        if value:
            encoded[name] = value
    analysis = {"analysis": list(found.analysis)} if found.analysis else {}
    return {"address": encoded, "result": {"verificationStatus": found.status} | analysis}
