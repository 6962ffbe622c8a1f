"""Expectations of a scenario: events, forbidden events, and the states of users and trips."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, ModelWrapValidatorHandler, model_validator

from app.api.wire.common.fields import Identifier, Text, refusal
from app.api.wire.trips.fields import StatusWord
from app.lab.files.words import Duration, GeofenceRef, LabModel, Levels, OneOf, Time, refused_too
from engine.domain.tracking.updates import EventType
from engine.domain.webhooks.webhook import CHUNK
from engine.domain.words import closest

MAX_EXPECTED = 5_000


def _check_type(name: str) -> str:
    known = [str(kind) for kind in EventType]
    if name in known:
        return name
    close = closest(name, known) or closest(f"user.{name}", known)
    hint = f"; did you mean {close}?" if close else " such as user.entered_geofence"
    raise refusal(f"must be a type of events{hint}")


type TypeWord = Annotated[str, AfterValidator(_check_type), Field(json_schema_extra={"enum": [*map(str, EventType)]})]
type Tolerance = Annotated[int, Field(ge=0, le=2)]
type AnswerStatus = Annotated[int, Field(ge=200, le=599)]
type Called = Annotated[Text, Field(min_length=1)]
type Fences = Annotated[list[GeofenceRef], Field(min_length=1)]


type Rows[T] = Annotated[list[T], Field(min_length=1, max_length=MAX_EXPECTED)]
"""Expectations of one kind. An empty list would check nothing."""


class EventPattern(LabModel):
    """Pattern of events, which match if they have all given values."""

    type: TypeWord
    device_id: Identifier | None = None
    user_id: Identifier | None = None
    geofence: GeofenceRef | None = Field(None, description="tag/externalId.")
    beacon: GeofenceRef | None = Field(None, description="tag/externalId.")
    place: Called | None = Field(None, description="Its name or _id.")
    region: Called | None = Field(None, description="Its code or name.")
    trip: Called | None = Field(None, description="Its external ID.")


class ExpectedEvent(EventPattern):
    """An event that must occur once."""

    at: Time | None = Field(None, description="Its createdAt: a duration since the start, or a time.")
    tolerance: Duration | None = Field(None, description="How much earlier or later it may be.")
    confidence: Levels | None = Field(None, description="One level, or a list of those that are as good.")
    confidence_tolerance: Tolerance | None = None


class ForbiddenEvent(EventPattern):
    """Events that must not occur."""

    type: TypeWord | None = None  # type: ignore[assignment]
    after: Time | None = Field(None, description="Only those after this time.")
    before: Time | None = Field(None, description="Only those before this time.")


class ExpectedUser(LabModel):
    """The expected location of a user, at the end or at another time."""

    device_id: Identifier | None = None
    user_id: Identifier | None = None
    at: Time | None = Field(None, description="At this time; at the end where neither is given.")
    within: Time | None = Field(None, description="At some time until then.")
    geofences: list[GeofenceRef] | None = Field(None, description="Exactly those that the user is in.")
    in_geofences: Fences | None = Field(None, alias="in", description="Those the user is in, among others.")
    not_in: Fences | None = None
    place: Text | None = Field(None, description="The name or _id of the place; empty for none.")
    trip: StatusWord | Literal["none"] | None = Field(None, description="The status of the trip under way.")

    @model_validator(mode="wrap")
    @classmethod
    def _check_whose(cls, data: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        explanation = None
        if isinstance(data, dict) and not (data.get("deviceId") or data.get("userId")):
            explanation = "must have a deviceId or a userId"
        elif isinstance(data, dict) and data.get("at") is not None and data.get("within") is not None:
            explanation = "must have one of at and within, not both"
        checked: Self = refused_too(cls, data, validate, explanation)
        return checked


class ExpectedTrip(LabModel):
    """The expected progress of a trip at the end."""

    external_id: Identifier
    status: StatusWord


class ExpectedDelivery(OneOf):
    """A request that a webhook's receiver gets, correctly signed."""

    ways = ("event", "events")

    webhook: Identifier = Field(description="Its name.")
    event: EventPattern | None = Field(None, description="The event of a request with a single one.")
    events: Annotated[list[EventPattern], Field(min_length=1, max_length=CHUNK)] | None = Field(
        None, description="All events of the request, in order."
    )
    at: Time | None = Field(None, description="When it was acknowledged: a duration since the start, or a time.")
    tolerance: Duration | None = Field(None, description="How much earlier or later it may be.")
    answers: Annotated[list[AnswerStatus], Field(min_length=1)] | None = Field(
        None, description="The status of each answer, such as [500, 200]; else any, and the last one acknowledges it."
    )
    body: Annotated[dict[str, Any], Field(min_length=1)] | None = Field(
        None, description="The part of the JSON body that is compared."
    )

    @property
    def patterns(self) -> list[EventPattern]:
        """The expected events, in order."""
        return self.events or [event for event in (self.event,) if event is not None]


class Expect(LabModel):
    """All expectations of a scenario."""

    order: Literal["exact", "any"] = Field(
        "exact", description="Whether events, and deliveries of a webhook, come in the order of the list."
    )
    others: Literal["fail", "ignore"] = Field(
        "fail", description="What becomes of events and deliveries that are not in the list."
    )
    tolerance: Duration | None = Field(None, description="In time, for events without their own; else none.")
    confidence_tolerance: Tolerance = 0
    events: Annotated[list[ExpectedEvent], Field(max_length=MAX_EXPECTED)] | None = Field(
        None, description="The events that come; an empty list for none at all."
    )
    none: Rows[ForbiddenEvent] = Field(default_factory=list)
    users: Rows[ExpectedUser] = Field(default_factory=list)
    trips: Rows[ExpectedTrip] = Field(default_factory=list)
    deliveries: Annotated[list[ExpectedDelivery], Field(max_length=MAX_EXPECTED)] | None = Field(
        None, description="The requests to webhooks; an empty list for none at all."
    )
