"""POST /v1/track: a device reports where it is; POST /v1/track/replay: where it was."""

import asyncio
import logging
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from http import HTTPStatus
from typing import Final

from app.api.answers import ReplayAnswer, TrackAnswer
from app.api.decoding import validate
from app.api.encoding import Encoded, encode_answer, encode_event, encode_track, encode_user
from app.api.errors import Forbidden, refusal
from app.api.exchange import new_reference
from app.api.explanations import encode_explanation
from app.api.limits import MAX_REPLAY
from app.api.operations import Call, Operation, Resource
from app.api.requests import ReplayBody, TrackBody, TrackQuery
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.metadata import MAX_USER_KEYS, check_metadata
from engine.domain.tracking import UNKNOWN_DEVICE, Device, DeviceType, LocationUpdate, TrackResult

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

logger = logging.getLogger(__name__)


async def track(call: Call[TrackQuery, TrackBody]) -> Encoded:
    """Store the update; answer, after its commit, the user and the events it generated."""
    explain = call.query.explain is True
    if explain and call.environment is not Environment.TEST:
        raise Forbidden("explain: explanations are for test keys only; the request has a live one.", "explain")
    update = location_update(call.body, call.client, explain=explain)
    call.headers += call.services.admit(call.environment, update)
    return encode_result(await call.services.track(call.environment, update))


async def replay(call: Call[None, ReplayBody]) -> Encoded:
    """Store updates of the past in their order; one that is refused says so in its place and stops none of the rest."""
    outcomes = await asyncio.gather(*(_replay_one(call, item) for item in call.body.replays))
    results = [outcome for outcome in outcomes if isinstance(outcome, TrackResult)]
    last = {"user": encode_user(results[-1].user)} if results else {}
    events = [encode_event(event) for result in results for event in result.events]
    return encode_answer({"events": events, **last, "replays": [_encode_outcome(outcome) for outcome in outcomes]})


async def _replay_one(call: Call[None, ReplayBody], item: object) -> TrackResult | Exception:
    """Hand in one update of the past; those handed in one after the other are stored in that order."""
    try:
        if not isinstance(item, dict):
            raise InvalidParameter("replays", "replays: each item must be a dictionary like the body of a track.")
        update = location_update(validate(TrackBody, item, strict=True), call.client)
        return await call.services.track(call.environment, replace(update, replayed=True))
    except Exception as error:  # noqa: BLE001 - whatever it is, the others get their answers
        return error


def _encode_outcome(outcome: TrackResult | Exception) -> Encoded:
    if isinstance(outcome, TrackResult):
        return encode_result(outcome)
    reference = new_reference()
    status, body = refusal(outcome, reference)
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        logger.error("An item of a replay failed: %s", reference, exc_info=outcome)
    return {**body}


def encode_result(result: TrackResult) -> Encoded:
    """Return what a location update led to, with the explanations it asked for."""
    encoded = encode_track(result)
    if result.explanations is not None:
        encoded["explanations"] = [encode_explanation(explanation) for explanation in result.explanations]
    if result.place_reason is not None:
        encoded["placeReason"] = result.place_reason
    return encoded


def location_update(body: TrackBody, ip: str | None, *, explain: bool = False) -> LocationUpdate:
    """Return the engine's value for a body; -0.0 becomes 0.0."""
    metadata = body.metadata
    return LocationUpdate(
        device_id=body.device_id,
        point=Point(body.longitude + 0.0, body.latitude + 0.0),
        accuracy_m=body.accuracy,
        user_id=body.user_id,
        at=body.updated_at if body.updated_at_ms is None else _time_of(body.updated_at, body.updated_at_ms),
        age_s=None if body.updated_at_ms_diff is None else _age_of(body.updated_at_ms_diff),
        foreground=body.foreground,
        stopped=body.stopped,
        device=_device(body.device_type, body.device_os, body.device_make, body.device_model),
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


def _time_of(updated_at: datetime | None, milliseconds: float) -> datetime:
    return EPOCH + timedelta(milliseconds=int(milliseconds)) if updated_at is None else updated_at


def _age_of(milliseconds: float) -> float:
    """Return how old a fix is, in seconds; a device whose clocks disagree by a moment may tell less than nothing."""
    return max(0.0, milliseconds / 1000)


@lru_cache(maxsize=512)
def _device(kind: str | None, os: str | None, make: str | None, model: str | None) -> Device:
    """Return what a device says of itself; there are many devices and few models."""
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
                query=TrackQuery,
                body=TrackBody,
                answer=TrackAnswer,
                errors=(403, 429),
                limited=True,
            )
        },
    ),
    Resource(
        "/v1/track/replay",
        {
            "POST": Operation(
                name="replayTracks",
                summary="Send location updates of the past, in their order",
                level=KeyLevel.PUBLISHABLE,
                handler=replay,
                body=ReplayBody,
                answer=ReplayAnswer,
                max_body=MAX_REPLAY,
            )
        },
    ),
)
