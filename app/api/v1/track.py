"""POST /v1/track: a device reports where it is."""

from datetime import UTC, datetime, timedelta
from typing import Final

from app.api.answers import TrackAnswer
from app.api.encoding import Encoded, encode_track
from app.api.operations import Call, Operation, Resource
from app.api.requests import TrackBody
from engine.domain.environment import KeyLevel
from engine.domain.geometry import Point
from engine.domain.metadata import MAX_USER_KEYS, check_metadata
from engine.domain.tracking import UNKNOWN_DEVICE, Device, DeviceType, LocationUpdate

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


async def track(call: Call[None, TrackBody]) -> Encoded:
    """Store the update; answer, after its commit, the user and the events it generated."""
    result = await call.services.track(call.environment, location_update(call.body, call.client))
    return encode_track(result)


def location_update(body: TrackBody, ip: str | None, *, explain: bool = False) -> LocationUpdate:
    """Return the engine's value for a body; -0.0 becomes 0.0."""
    metadata = body.metadata
    return LocationUpdate(
        device_id=body.device_id,
        point=Point(body.longitude + 0.0, body.latitude + 0.0),
        accuracy_m=body.accuracy,
        user_id=body.user_id,
        at=_time_of(body),
        age_s=_age_of(body),
        foreground=body.foreground,
        stopped=body.stopped,
        device=_device(body),
        altitude_m=body.altitude,
        vertical_accuracy_m=body.vertical_accuracy,
        description=body.description,
        metadata=None if metadata is None else check_metadata(metadata, max_keys=MAX_USER_KEYS),
        replayed=bool(body.replayed),
        ip=ip,
        mocked=body.mocked,
        compromised=body.compromised,
        explain=explain,
    )


def _time_of(body: TrackBody) -> datetime | None:
    if body.updated_at is not None or body.updated_at_ms is None:
        return body.updated_at
    return EPOCH + timedelta(milliseconds=int(body.updated_at_ms))


def _age_of(body: TrackBody) -> float | None:
    """Return how old the fix is, in seconds; a device whose clocks disagree by a moment tells less than nothing."""
    diff = body.updated_at_ms_diff
    return None if diff is None else max(0.0, diff / 1000)


def _device(body: TrackBody) -> Device:
    kind, os, make, model = body.device_type, body.device_os, body.device_make, body.device_model
    if kind is None and os is None and make is None and model is None:
        return UNKNOWN_DEVICE
    return Device(None if kind is None else DeviceType(kind), os, make, model)


RESOURCES = (
    Resource(
        "/v1/track",
        {
            "POST": Operation(
                name="track",
                summary="Update a device's location and get the events it generates",
                level=KeyLevel.PUBLISHABLE,
                handler=track,
                body=TrackBody,
                answer=TrackAnswer,
            )
        },
    ),
)
