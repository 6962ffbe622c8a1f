"""POST /v1/track: a device reports where it is."""

from app.api.answers import TrackAnswer
from app.api.encoding import Encoded, encode_track
from app.api.operations import Call, Operation, Resource
from app.api.requests import TrackBody
from engine.domain.environment import KeyLevel
from engine.domain.geometry import Point
from engine.domain.metadata import MAX_USER_KEYS, check_metadata
from engine.domain.tracking import DeviceType, LocationUpdate


async def track(call: Call[None, TrackBody]) -> Encoded:
    """Store the update; answer, after its commit, the user and the events it generated."""
    result = await call.services.track(call.environment, location_update(call.body, call.client))
    return encode_track(result)


def location_update(body: TrackBody, ip: str | None) -> LocationUpdate:
    """Return the engine's value for a body; -0.0 becomes 0.0."""
    metadata = body.metadata
    return LocationUpdate(
        device_id=body.device_id,
        point=Point(body.longitude + 0.0, body.latitude + 0.0),
        accuracy_m=body.accuracy,
        user_id=body.user_id,
        at=body.updated_at,
        foreground=body.foreground,
        stopped=body.stopped,
        device_type=None if body.device_type is None else DeviceType(body.device_type),
        description=body.description,
        metadata=None if metadata is None else check_metadata(metadata, max_keys=MAX_USER_KEYS),
        replayed=bool(body.replayed),
        ip=ip,
    )


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
