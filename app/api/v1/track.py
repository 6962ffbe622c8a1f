"""POST /v1/track: the current location of a device; POST /v1/track/replay: its past locations."""

import logging
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from http import HTTPStatus
from typing import Final, NamedTuple, cast

import orjson

from app.api.http.admission import CountryCheck
from app.api.http.errors import Forbidden, refusal
from app.api.http.limits import MAX_REPLAY
from app.api.http.responses import new_reference
from app.api.http.services import FEW_UPDATES, Services
from app.api.v1.operations import Call, Routes
from app.api.wire.common.decoding import validate, warnings_of
from app.api.wire.common.encoding import OK, Encoded, encode_answer, in_json, on_the_wire, with_warnings
from app.api.wire.common.portions import MAX_ANSWER
from app.api.wire.event import encode_event
from app.api.wire.geofence import encode_watched
from app.api.wire.sdk import TrackMeta, track_meta
from app.api.wire.track import (
    DEFAULT_NEARBY,
    MAX_NEARBY,
    ReplayAnswer,
    ReplayBody,
    TrackAnswer,
    TrackBody,
    TrackQuery,
    encode_result,
    warnings_about,
    warnings_about_times,
)
from app.api.wire.trips.request import trip_change
from app.api.wire.user import encode_user
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.metadata import MAX_USER_KEYS, check_metadata
from engine.domain.queries import NearbyQuery
from engine.domain.tracking.updates import (
    ANONYMOUS_DEVICE,
    UNKNOWN_DEVICE,
    Anonymous,
    Device,
    DeviceType,
    LocationUpdate,
    Subject,
    TrackResult,
    User,
)
from engine.domain.values import replace
from engine.geofences.geofences import Geofences

LEFT_OUT: Final = "user, events: left out because the response is large; the update was stored."

NEARBY_M: Final = 100_000.0
"""Maximum distance of geofences that a device monitors; it asks again long before it has moved this far."""

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

type MetaOf = Callable[[User], TrackMeta]
"""The `meta` of a response by the user after the update."""

logger = logging.getLogger(__name__)


routes = Routes(KeyLevel.PUBLISHABLE)


@routes(
    "POST",
    "/v1/track",
    name="track",
    summary="Update a device's location and get the events it generates",
    answer=TrackAnswer,
    errors=(403, 429),
    limited=True,
)
async def track(call: Call[TrackQuery, TrackBody]) -> Encoded:
    """Store the update and, after its commit, return the user and the generated events."""
    explain = call.query.explain is True
    if explain and call.environment is not Environment.TEST:
        raise Forbidden("explain: needs a Test key; the request has a Live one.", "explain")
    update = location_update(call.body, call.client, explain=explain, once=call.services.once)
    wanted = nearby_wanted(call.body)
    meta = partial(track_meta, call.services.engine.settings.get(call.environment), call.body.device_type)
    if update.anonymous is not None:
        return await decide_anonymous(call.services, call.environment, update, wanted, meta, call.warnings)
    call.headers += call.services.admission.admit_update(call.environment, update)
    result = await call.services.track(call.environment, update)
    call.warnings += warnings_about(result)
    if wanted is None:
        return encode_result(result, meta(result.user))
    return await with_nearby(call.services, result, wanted, meta)


async def decide_anonymous(
    services: Services,
    environment: Environment,
    update: LocationUpdate,
    wanted: int | None,
    meta: MetaOf,
    warnings: list[str],
) -> Encoded:
    """Return the response to a device that keeps its own state; the limit per device does not apply to it."""
    result = await services.run(services.engine.tracking.track, environment, update)
    warnings += warnings_about(result)
    if wanted is None:
        return encode_result(result, meta(result.user))
    return await with_nearby(services, result, wanted, meta)


async def with_nearby(services: Services, result: TrackResult, count: int, meta: MetaOf) -> Encoded:
    """Return the response to an update with nearby geofences, which a mobile device monitors itself."""
    user = result.user
    subject = Subject(user.user_id, user.ip)
    query = NearbyQuery(near=user.fix.point, limit=count, radius_m=NEARBY_M, subject=subject)
    find = partial(_watched, services.engine.geofences, user.environment, query)
    return {**encode_result(result, meta(user)), "nearbyGeofences": await services.run(find)}


def nearby_wanted(body: TrackBody) -> int | None:
    """Return how many nearby geofences a body asks for, or None if it does not ask for them."""
    if not body.nearby_geofences:
        return None
    limit = body.nearby_geofences_limit
    return DEFAULT_NEARBY if limit is None else min(limit, MAX_NEARBY)


def _watched(geofences: Geofences, environment: Environment, query: NearbyQuery) -> list[orjson.Fragment]:
    found = geofences.nearby(environment, query) if query.limit else ()
    return [in_json(encode_watched(each.geofence)) for each in found]


@routes(
    "POST",
    "/v1/track/replay",
    name="replayTracks",
    summary="Send past location updates in order",
    answer=ReplayAnswer,
    max_body=MAX_REPLAY,
    long_list="replays",
)
async def replay(call: Call[None, ReplayBody]) -> Encoded:
    """Store past updates in order; a refused update reports its error in its place and does not stop the others."""
    services, items = call.services, call.body.replays
    check = services.admission.country_check(call.environment)
    is_short = len(items) <= FEW_UPDATES and check is None
    read = partial(_past_updates, items, call.client, check, once=services.once)
    judged = read() if is_short else await services.heavy.run(read)
    accepted = [each.update for each in judged if isinstance(each, _Accepted)]
    stored = map(on_the_wire, await services.track_past(call.environment, accepted))
    outcomes = [(next(stored), each.warnings) if isinstance(each, _Accepted) else (each, []) for each in judged]
    for outcome, warnings in outcomes:
        if isinstance(outcome, TrackResult):
            call.warnings += (*warnings, *warnings_about(outcome, times=False))
    call.warnings += warnings_about_times([outcome for outcome, _ in outcomes if isinstance(outcome, TrackResult)])
    return await services.heavy.run(partial(_encode_outcomes, outcomes))


class _Accepted(NamedTuple):
    """A past update, and warnings about parameters of its body that had no effect."""

    update: LocationUpdate
    warnings: list[str]


type _Outcome = tuple[TrackResult | BaseException, list[str]]


def _past_updates(
    items: Iterable[object], client: str | None, check: CountryCheck | None, *, once: bool
) -> list[_Accepted | Exception]:
    return [_past_update(item, client, check, once=once) for item in items]


def _past_update(item: object, client: str | None, check: CountryCheck | None, *, once: bool) -> _Accepted | Exception:
    """Return a past update, or the error that refuses it."""
    try:
        if not isinstance(item, dict):
            raise InvalidParameter(
                "replays", "replays: each item must be a dictionary like the body of POST /v1/track."
            )
        body = validate(TrackBody, item, strict=True)
        update = replace(location_update(body, client, once=once), replayed=True, awaits_route=True)
        if check is not None:
            check("latitude", update.point)
        return _Accepted(update, warnings_of(body))
    except Exception as error:  # noqa: BLE001 - whatever it is, the others get their answers
        return error


def _encode_outcomes(outcomes: Iterable[_Outcome]) -> Encoded:
    """Return the response to a replay, encoding each part separately.

    The result of each update holds its user, their geofences and its events, so a small body may lead to a huge
    response. Beyond `MAX_ANSWER` bytes, a result only says that the update was stored.
    """
    events: list[orjson.Fragment] = []
    replays: list[orjson.Fragment] = []
    size, user = 0, None
    for outcome, warnings in outcomes:
        is_whole = size < MAX_ANSWER
        if isinstance(outcome, TrackResult):
            user = outcome.user
            if is_whole:
                events += (in_json(encode_event(event)) for event in outcome.events or outcome.repeated)
        text = orjson.dumps(_encode_outcome(outcome, warnings, whole=is_whole))
        size += len(text)
        replays.append(orjson.Fragment(text))
    last = {} if user is None else {"user": encode_user(user)}
    return encode_answer({"events": events, **last, "replays": replays})


def _encode_outcome(outcome: TrackResult | BaseException, warnings: list[str], *, whole: bool) -> Encoded:
    if isinstance(outcome, TrackResult):
        if whole:
            return with_warnings(encode_result(outcome, cast(TrackMeta, OK)), [*warnings, *warnings_about(outcome)])
        return with_warnings({"meta": OK}, [*warnings, LEFT_OUT])
    reference = new_reference()
    status, body = refusal(outcome, reference)
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        logger.error("An item of a replay failed: %s", reference, exc_info=outcome)
    return {**body}


def location_update(body: TrackBody, ip: str | None, *, explain: bool = False, once: bool = False) -> LocationUpdate:
    """Return the engine's location update for a request body; -0.0 becomes 0.0."""
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
        user_tags=None if body.user_tags is None else tuple(dict.fromkeys(body.user_tags)),
        install_id=body.install_id,
        replayed=bool(body.replayed),
        ip=ip,
        mocked=body.mocked,
        compromised=body.compromised,
        beacons=body.beacons,
        explain=explain,
        trip=None if body.trip_options is None else trip_change(body.trip_options),
        source=body.source,
        once=once,
        anonymous=_anonymous(body) if body.anonymous or body.device_id == ANONYMOUS_DEVICE else None,
    )


def _anonymous(body: TrackBody) -> Anonymous:
    return Anonymous(tuple(body.geofence_ids or ()), body.place_id, tuple(body.region_ids or ()))


def _time_of(updated_at: datetime | None, milliseconds: float) -> datetime:
    return EPOCH + timedelta(milliseconds=int(milliseconds)) if updated_at is None else updated_at


def _age_of(milliseconds: float) -> float:
    """Return the age of a fix in seconds, at least 0; clocks that differ slightly may report a negative age."""
    return max(0.0, milliseconds / 1000)


@lru_cache(maxsize=512)
def _device(kind: str | None, os: str | None, make: str | None, model: str | None) -> Device:
    """Return the device that an update describes; cached, since there are many devices but few models."""
    if kind is None and os is None and make is None and model is None:
        return UNKNOWN_DEVICE
    return Device(None if kind is None else DeviceType(kind), os, make, model)
