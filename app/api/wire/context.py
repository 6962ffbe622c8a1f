"""Context of a position."""

from typing import Annotated, NotRequired

from pydantic import Field

from app.api.wire.addresses.place import PlaceRecord, encode_place
from app.api.wire.addresses.region import RegionAnswer, add_regions
from app.api.wire.common.answers import Meta, Record
from app.api.wire.common.fields import Text
from app.api.wire.common.requests import LatitudeLongitude, Radius, RequestModel
from app.api.wire.geofence import CarriedGeofence, encode_carried
from engine.domain.environment import Environment
from engine.domain.queries import Context


class ContextQuery(RequestModel):
    """Position to look up."""

    coordinates: LatitudeLongitude = Field(description="latitude,longitude")
    user_id: Text | None = Field(None, description="Counts users for Radar's prices; here it has no effect.")
    accuracy: Radius = Field(None, description="Metres; how far beyond its outline a place is matched.")


class ContextRecord(Record):
    """Context of a position."""

    live: bool
    geofences: Annotated[list[CarriedGeofence], Field(description="The enabled geofences that contain the position.")]
    place: NotRequired[Annotated[PlaceRecord, Field(description="If the setting places is on.")]]
    country: NotRequired[
        Annotated[RegionAnswer, Field(description="If the setting regions is on, like the other regions.")]
    ]
    state: NotRequired[RegionAnswer]
    dma: NotRequired[RegionAnswer]
    postalCode: NotRequired[RegionAnswer]


class ContextAnswer(ContextRecord):
    """Context of a position, given twice because SDKs read it in either place."""

    meta: Meta
    context: ContextRecord


def encode_context(environment: Environment, context: Context) -> ContextRecord:
    """Return the context of a position."""
    encoded: ContextRecord = {
        "live": environment.live,
        "geofences": [encode_carried(geofence) for geofence in context.geofences],
    }
    add_regions(encoded, context.regions)
    if context.place is not None:
        encoded["place"] = encode_place(context.place)
    return encoded
