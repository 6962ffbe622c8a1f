"""Regions: countries, states, market areas and postal codes."""

from typing import Annotated, NotRequired

from pydantic import Field

from app.api.wire.common.answers import Record
from engine.domain.addresses.address import Region, Regions, RegionType, flag_of


class RegionAnswer(Record):
    """A country, a state, a market area or a postal code."""

    _id: Annotated[str, Field(min_length=1)]
    type: RegionType
    code: Annotated[str, Field(min_length=1)]
    name: Annotated[str, Field(min_length=1)]
    flag: NotRequired[Annotated[str, Field(min_length=1, description="Flag of a country.")]]


class RegionsRecord(Record):
    """The regions of a position."""

    country: NotRequired[RegionAnswer]
    state: NotRequired[RegionAnswer]
    dma: NotRequired[RegionAnswer]
    postalCode: NotRequired[RegionAnswer]


def encode_region(region: Region) -> RegionAnswer:
    """Return a country, state, market area or postal code; a country includes its flag."""
    encoded: RegionAnswer = {"_id": region.id, "type": region.type, "code": region.code, "name": region.name}
    if region.type is RegionType.COUNTRY:
        encoded["flag"] = flag_of(region.code)
    return encoded


def add_regions(encoded: RegionsRecord, regions: Regions) -> None:
    """Add the regions of a position under the names that they have on a user."""
    if regions.country is not None:
        encoded["country"] = encode_region(regions.country)
    if regions.state is not None:
        encoded["state"] = encode_region(regions.state)
    if regions.dma is not None:
        encoded["dma"] = encode_region(regions.dma)
    if regions.postal_code is not None:
        encoded["postalCode"] = encode_region(regions.postal_code)
