"""The test clock: changes and current state."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from app.api.http.errors import misspelled
from app.api.wire.common.answers import AnswerModel, Record, Time
from app.api.wire.common.encoding import encode_time
from app.api.wire.common.fields import Moment
from app.api.wire.common.requests import RequestModel
from engine.domain.clock import MAX_SCALE, ClockChange, ClockState
from engine.domain.errors import InvalidParameter


class ClockBody(RequestModel):
    """A change of the Test clock: `now` and `frozen`, `advanceSeconds`, `scale`, or `system`."""

    now: Moment | None = Field(None, description="The current time of the clock.")
    frozen: bool | None = Field(None, description="Whether it is frozen.")
    advance_seconds: Annotated[float, Field(ge=0)] | None = Field(
        None, description="Advances the clock by this many seconds."
    )
    scale: Annotated[float, Field(ge=0, le=MAX_SCALE)] | None = Field(
        None, description="Clock seconds per real second."
    )
    system: bool | None = Field(None, description="true follows the system clock again; no other field is allowed.")

    @model_validator(mode="before")
    @classmethod
    def _refuse_only_misspelled(cls, data: Any) -> Any:
        """Raise `InvalidParameter` if no field has a value, but a similar name is given."""
        known = {each.alias for each in cls.model_fields.values()}
        if isinstance(data, Mapping) and all(data.get(name) is None for name in known):
            found = misspelled(data, cls)
            if found is not None:
                given, field = found
                raise InvalidParameter(field, f"{field}: at least one field is required; {given} was given instead.")
        return data


class ClockRecord(Record):
    """Time and pace of the Test clock."""

    now: Time
    system: Annotated[bool, Field(description="Whether it follows the system clock.")]
    frozen: bool
    scale: Annotated[float, Field(ge=0, description="Clock seconds per real second.")]


class ClockAnswer(AnswerModel, ClockRecord):
    """Time and pace of the Test clock."""


def encode_clock(state: ClockState) -> ClockRecord:
    """Return the time and pace of a clock."""
    return {"now": encode_time(state.now), "system": state.system, "frozen": state.frozen, "scale": state.scale}


def clock_change(body: ClockBody) -> ClockChange:
    """Return the engine's clock change for a request body."""
    return ClockChange(
        now=body.now,
        frozen=body.frozen,
        advance_s=body.advance_seconds,
        scale=body.scale,
        system=bool(body.system),
    )
