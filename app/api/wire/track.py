"""Location updates: reports of devices and their results."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import BeforeValidator, Field

from app.api.wire.beacon import DetectedBeacons
from app.api.wire.common.answers import AnswerModel, ErrorAnswer, Record
from app.api.wire.common.decoding import Refused
from app.api.wire.common.encoding import encode_time, on_the_wire
from app.api.wire.common.fields import (
    JSON_TEXT,
    Age,
    Description,
    Flag,
    Identifier,
    Identifiers,
    InstallId,
    LikeModel,
    Milliseconds,
    PlausibleMoment,
    UserMetadata,
    UserTags,
    read_json_text,
)
from app.api.wire.common.requests import RequestModel, Switch
from app.api.wire.event import EventRecord, encode_event
from app.api.wire.explanation import EventExplanationAnswer, ExplanationAnswer, encode_explanation, encode_verdict
from app.api.wire.geofence import FoundGeofence
from app.api.wire.sdk import TrackMeta
from app.api.wire.trips.request import TripOptions
from app.api.wire.user import UserRecord, encode_user
from engine.domain.tracking.updates import MAX_USER_TAGS, Timing, TrackResult
from engine.domain.tracking.verdicts import Topic, texts_about
from engine.domain.words import count as counted
from engine.tracking.arrival import AHEAD
from engine.trips.waiting import PATIENCE_S

MAX_REPLAYS = 1_000
MAX_NEARBY = 100
"""Maximum number of geofences that Android lets an app monitor."""
DEFAULT_NEARBY = 20
"""Maximum number of regions that iOS lets an app monitor."""

NO_ATTESTATION: Final = (
    "verified locations (trackVerified in SDKs) are not served: there is no device attestation and no signed token; "
    "use trackOnce instead"
)


ROUTE_TOO_LATE: Final = (
    f"trip.eta: the route was not found within {PATIENCE_S:g} s; this ETA is an estimate, or by the previous route."
)


class TrackBody(RequestModel):
    """A location update of a device."""

    device_id: Identifier = Field(description="ID of the device; required.")
    user_id: Identifier | None = Field(
        None, description="ID of the logged-in user; must not contain personal information."
    )
    latitude: Annotated[float, Field(ge=-90, le=90)] = Field(description="Degrees.")
    longitude: Annotated[float, Field(ge=-180, le=180)] = Field(description="Degrees.")
    accuracy: Annotated[float, Field(gt=0)] = Field(description="Metres; determines the confidence of events.")
    foreground: Flag = None
    stopped: Flag = None
    description: Description | None = None
    metadata: UserMetadata | None = Field(None, description="Replaces the user's metadata; at most 32 keys.")
    user_tags: UserTags | None = Field(
        None, description=f"Replaces the user's tags; at most {MAX_USER_TAGS}. An empty list removes them."
    )
    install_id: InstallId = Field(None, description="ID of the app installation.")
    device_type: Literal["iOS", "Android", "Web"] | None = None
    updated_at: PlausibleMoment | None = Field(
        None,
        description=(
            "The client's time; the server's if absent, or earlier than the user's newest update. An update with the "
            "same time, position and accuracy as a stored one generates no events; the response has the first ones."
        ),
    )
    replayed: Flag = None
    device_os: Description | None = Field(None, alias="deviceOS", description="Version of the operating system.")
    device_make: Description | None = None
    device_model: Description | None = None
    altitude: float | None = Field(None, description="Metres.")
    vertical_accuracy: float | None = Field(None, description="Metres.")
    mocked: Flag = Field(None, description="Whether the device reports that its location is mocked.")
    compromised: Flag = Field(None, description="Whether the device reports that it is compromised.")
    updated_at_ms: Milliseconds | None = Field(
        None, description="The client's time in milliseconds since 1970, if updatedAt is absent."
    )
    updated_at_ms_diff: Age | None = Field(
        None, description="Age of the location in milliseconds, if neither time is given."
    )
    nearby_geofences: Flag = Field(
        None, description="true returns the nearby geofences, which mobile SDKs let the device monitor."
    )
    nearby_geofences_limit: Annotated[int, Field(ge=0)] | None = Field(
        None, description=f"Number of nearby geofences, at most {MAX_NEARBY}; defaults to {DEFAULT_NEARBY}."
    )
    anonymous: Flag = Field(
        None,
        description=(
            "true, or the deviceId `anonymous`: nothing is stored. The device sends its previous state in the next "
            "parameters."
        ),
    )
    geofence_ids: Identifiers | None = Field(None, description="For an anonymous device: the geofences it is in.")
    place_id: Identifier | None = Field(None, description="For an anonymous device: the place it is at.")
    region_ids: Identifiers | None = Field(None, description="For an anonymous device: the regions it is in.")
    source: Identifier | None = Field(
        None, description="Why the device took the location, such as BACKGROUND_LOCATION or GEOFENCE_EXIT."
    )
    trip_options: TripOptions = Field(None, description="Starts or updates the trip with this externalId.")
    beacons: DetectedBeacons | None = Field(
        None,
        description=(
            "Beacons the device hears; an empty list for none. If absent, the user stays near the same beacons."
        ),
    )
    verified: Annotated[None, Refused(NO_ATTESTATION)] = None
    encrypted: Annotated[None, Refused(NO_ATTESTATION)] = None
    attestation_string: Annotated[None, Refused(NO_ATTESTATION)] = None
    attestation_error: Annotated[None, Refused(NO_ATTESTATION)] = None
    integrity_token: Annotated[None, Refused(NO_ATTESTATION)] = None
    integrity_exception: Annotated[None, Refused(NO_ATTESTATION)] = None
    key_id: Annotated[None, Refused(NO_ATTESTATION)] = None
    fraud_payload: Annotated[None, Refused(NO_ATTESTATION)] = None


class TrackQuery(RequestModel):
    """Options of a location update."""

    explain: Switch = Field(None, description="true adds explanations; Test keys only.")


class ReplayBody(RequestModel):
    """Past location updates; each is processed separately."""

    replays: Annotated[
        list[Annotated[Any, LikeModel(TrackBody)]],
        Field(max_length=MAX_REPLAYS, fail_fast=True),
        BeforeValidator(read_json_text),
        JSON_TEXT,
    ] = Field(description="At most 1000 bodies of POST /v1/track, oldest first.")


class TrackAnswer(Record):
    """Result of a location update."""

    meta: TrackMeta
    events: Annotated[list[EventRecord], Field(description="The events this update generated, in order.")]
    user: UserRecord
    nearbyGeofences: NotRequired[
        Annotated[
            list[FoundGeofence],
            Field(
                description=(
                    "If requested: the enabled geofences for this user within 100 km, nearest first. Circles have no "
                    "`geometry`, only a centre and radius."
                )
            ),
        ]
    ]
    explanations: NotRequired[
        Annotated[
            list[ExplanationAnswer],
            Field(
                description="If requested: every geofence within 500 m (or the accuracy), and those the user was in."
            ),
        ]
    ]
    eventExplanations: NotRequired[
        Annotated[
            list[EventExplanationAnswer],
            Field(
                description=(
                    "If requested: why each event of the trip, of beacons, places and regions fired, or did not fire."
                )
            ),
        ]
    ]
    placeReason: NotRequired[
        Annotated[
            str,
            Field(
                min_length=1,
                description="If requested, and the setting places is on: the texts of the explanations of places.",
            ),
        ]
    ]


class StoredAnswer(AnswerModel):
    """Confirmation that an update was stored, in a response too large for its user and events."""


class ReplayAnswer(AnswerModel):
    """Results of past location updates, in total and for each."""

    events: Annotated[list[EventRecord], Field(description="The events of all updates, in order.")]
    user: NotRequired[Annotated[UserRecord, Field(description="The user of the last accepted update.")]]
    replays: list[TrackAnswer | ErrorAnswer | StoredAnswer]


def encode_result(result: TrackResult, meta: TrackMeta) -> TrackAnswer:
    """Return the result of a location update, with the explanations it asked for."""
    events = [encode_event(event) for event in result.events or result.repeated]
    encoded: TrackAnswer = {"meta": meta, "events": events, "user": encode_user(result.user)}
    if result.explanations is not None:
        encoded["explanations"] = [encode_explanation(explanation) for explanation in result.explanations]
        encoded["eventExplanations"] = [encode_verdict(verdict) for verdict in result.verdicts]
        if (reason := texts_about(result.verdicts, Topic.PLACE)) is not None:
            encoded["placeReason"] = reason
    return encoded


def warnings_about(result: TrackResult, *, times: bool = True) -> list[str]:
    """Return a warning for each parameter of an update without its usual effect, and for a missing route."""
    warnings = [f"tripOptions.{on_the_wire(refused).message}" for refused in result.refused]
    if result.lacks_route:
        warnings.append(ROUTE_TOO_LATE)
    if times and result.timing is not Timing.ON_TIME:
        warnings.append(_time_warning(result))
    return warnings


def warnings_about_times(results: Sequence[TrackResult]) -> Iterator[str]:
    """Yield a warning for each kind of unusual time among updates that were sent together."""
    for timing, kind in _TIMINGS.items():
        count = sum(result.timing is timing for result in results)
        if count:
            yield f"updatedAt: {count} of {counted(len(results), 'update')} {'was' if count == 1 else 'were'} {kind}."


_TIMINGS: Final = {
    Timing.LATE: "earlier than the user's newest update, with the server's time instead",
    Timing.AHEAD: f"more than {AHEAD.seconds} seconds ahead of the server's time",
    Timing.REPEATED: "already stored, with the events of the first time in the response",
}


def _time_warning(result: TrackResult) -> str:
    if result.timing is Timing.REPEATED:
        return "updatedAt: this update was already stored; the response contains the events it generated then."
    late_after = result.user.fix.late_after
    if late_after is None:
        return (
            f"updatedAt: more than {AHEAD.seconds} seconds ahead of the server's time; later updates are not compared "
            "with it."
        )
    return (
        f"updatedAt: earlier than the user's newest update, {encode_time(late_after)}; this update has the server's "
        "time instead."
    )
