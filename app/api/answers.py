"""What operations answer: the models that the document is made from.

Answers are built by `encoding` without passing through these, for speed; the tests hold every answer against them.
"""

from typing import Literal

from pydantic import Field

from app.api.records import (
    ContextRecord,
    EventRecord,
    ExplanationAnswer,
    FoundGeofence,
    GeofenceRecord,
    SettingsRecord,
    Strictly,
    Time,
    UserRecord,
    optional,
)


class Meta(Strictly):
    """About the answer itself."""

    code: Literal[200]


class PageMeta(Meta):
    """About an answer that lists records."""

    has_more: bool = Field(description="Whether other records follow the last one.")


class ErrorMeta(Strictly):
    """What was wrong."""

    code: int = Field(ge=400, le=599, description="The HTTP status.")
    type: str = optional(
        min_length=1, description="The limit that was exceeded: trackPerDevice, or the operation's name."
    )
    param: str = optional(description="The parameter at fault, when there is one.")
    message: str = Field(min_length=1)


class ErrorAnswer(Strictly):
    """The answer to a request that was not accepted."""

    meta: ErrorMeta


class AnswerModel(Strictly):
    """Base of the answer of an operation."""

    meta: Meta


class PageAnswerModel(Strictly):
    """Base of the answer of an operation that lists records."""

    meta: PageMeta


class EmptyAnswer(AnswerModel):
    """Nothing but success."""


class PingAnswer(AnswerModel):
    """The address the request came from."""

    ip: str = optional()


class TrackAnswer(AnswerModel):
    """What a location update led to."""

    events: list[EventRecord] = Field(description="The events this update generated, in order.")
    user: UserRecord
    explanations: list[ExplanationAnswer] = optional(
        description="Where asked for: every geofence within 500 m (or the accuracy), and those the user was in."
    )
    place_reason: str = optional(
        min_length=1, description="Where asked for, while the setting places is on: at which place, or why at none."
    )


class ReplayAnswer(AnswerModel):
    """What location updates of the past led to: together, and each in its place."""

    events: list[EventRecord] = Field(description="The events of all updates, in order.")
    user: UserRecord = optional(description="The user of the last update that was accepted.")
    replays: list[TrackAnswer | ErrorAnswer]


class UserAnswer(AnswerModel):
    """One user."""

    user: UserRecord


class EventAnswer(AnswerModel):
    """One event."""

    event: EventRecord


class ContextAnswer(ContextRecord):
    """What is around a position; the same twice, since SDKs read it in either place."""

    meta: Meta
    context: ContextRecord


class ClockAnswer(AnswerModel):
    """What the test clock shows and how it goes."""

    now: Time
    system: bool = Field(description="Whether it follows the system's clock.")
    frozen: bool
    scale: float = Field(ge=0, description="How many of its seconds pass in a real one.")


class SettingsAnswer(SettingsRecord):
    """The settings of an environment, as a plain object and once more in `settings`."""

    meta: Meta
    settings: SettingsRecord


class GeofenceAnswer(AnswerModel):
    """One geofence."""

    geofence: GeofenceRecord


class GeofenceListAnswer(PageAnswerModel):
    """Geofences, newest update first."""

    geofences: list[GeofenceRecord]


class GeofenceSearchAnswer(AnswerModel):
    """Geofences, nearest first."""

    geofences: list[FoundGeofence]


class UserSearchAnswer(AnswerModel):
    """Users, nearest first."""

    users: list[UserRecord]


class UserListAnswer(PageAnswerModel):
    """Users, newest update first."""

    users: list[UserRecord]


class EventListAnswer(PageAnswerModel):
    """Events, newest first."""

    events: list[EventRecord]
