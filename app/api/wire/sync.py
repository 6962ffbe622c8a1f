"""The region that a mobile device keeps: its content, with which the device reports only relevant updates."""

from typing import Annotated, NotRequired

from pydantic import Field

from app.api.wire.addresses.place import PlaceRecord, encode_place
from app.api.wire.beacon import BeaconSummaryAnswer
from app.api.wire.common.answers import AnswerModel, Latitude, Longitude, Record
from app.api.wire.common.fields import Identifier
from app.api.wire.common.requests import RequestModel
from app.api.wire.geofence import FoundGeofence
from engine.domain.geometry import Point
from engine.tracking.context import SyncedPlace


class SyncBody(RequestModel):
    """Position and user of a device."""

    latitude: Annotated[float, Field(ge=-90, le=90)] = Field(description="Degrees.")
    longitude: Annotated[float, Field(ge=-180, le=180)] = Field(description="Degrees.")
    user_id: Identifier | None = Field(None, description="Geofences for other users are left out.")


class SyncedPlaceRecord(PlaceRecord):
    """A place with its size."""

    geometryRadius: NotRequired[
        Annotated[float, Field(gt=0, description="Metres from `location` to the farthest vertex of its outline.")]
    ]


class RegionRecord(Record):
    """A circle."""

    latitude: Latitude
    longitude: Longitude
    radius: Annotated[float, Field(gt=0, description="Metres.")]


class SyncAnswer(AnswerModel):
    """The content of a region; a device syncs again when it leaves it."""

    geofences: Annotated[
        list[FoundGeofence],
        Field(description="All enabled geofences for this user that overlap the region; circles have no `geometry`."),
    ]
    places: Annotated[
        list[SyncedPlaceRecord], Field(description="All places that generate events, if the setting places is on.")
    ]
    beacons: Annotated[list[BeaconSummaryAnswer], Field(description="All enabled beacons in the region.")]
    region: RegionRecord


def encode_synced_place(synced: SyncedPlace) -> SyncedPlaceRecord:
    """Return a place for a device that monitors it."""
    encoded: SyncedPlaceRecord = {**encode_place(synced.place)}
    if synced.radius_m:
        encoded["geometryRadius"] = synced.radius_m
    return encoded


def encode_region(center: Point, radius_m: float) -> RegionRecord:
    """Return a circle."""
    return {"latitude": center.latitude, "longitude": center.longitude, "radius": radius_m}
