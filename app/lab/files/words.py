"""The notation of durations, times and names of geofences in a scenario file."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar, Final, Self

from msgspec import Struct
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PlainValidator,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from app.api.wire.common.fields import read_moment, refusal
from engine.domain.words import spelled_seconds

MAX_DAYS: Final = 3660
DURATION: Final = "must be a duration with its unit, such as 90s, 5m or 1h30m"


class LabModel(BaseModel):
    """Base of the models in a scenario file, spelled as on the wire. A misspelled key is an error.

    A key without a value is the same as no key, since an author who writes ``expect:`` may not have written its content
    yet.
    """

    model_config = ConfigDict(
        extra="forbid", allow_inf_nan=False, alias_generator=to_camel, validate_by_name=False, defer_build=False
    )

    @model_validator(mode="before")
    @classmethod
    def _drop_empty(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        known = {field.alias for field in cls.model_fields.values()}
        return {key: value for key, value in data.items() if value is not None or key not in known}


def refused_too(
    model: type[BaseModel],
    data: Any,
    validate: Callable[[Any], Any],
    explanation: str | None,
    loc: tuple[str | int, ...] = (),
) -> Any:
    """Return the result of `validate`.

    If there is an explanation, refuse `loc` with it, along with all other errors.
    """
    if explanation is None:
        return validate(data)
    own = InitErrorDetails(type=refusal(explanation), loc=loc, input=data)
    try:
        validate(data)
    except ValidationError as error:
        # Repeat each message unchanged, since pydantic has already formatted it.
        others = [_again(each) for each in error.errors(include_url=False)]
        raise ValidationError.from_exception_data(model.__name__, [own, *others]) from None
    raise ValidationError.from_exception_data(model.__name__, [own])


def _again(error: ErrorDetails) -> InitErrorDetails:
    context = error.get("ctx", {})
    kind = PydanticCustomError(error["type"], "{explanation}", context) if error["type"] == "refused" else error["type"]
    return InitErrorDetails(type=kind, loc=error["loc"], input=error["input"], ctx=context)


class OneOf(LabModel):
    """Base of models that are given in exactly one of several ways."""

    ways: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="wrap")
    @classmethod
    def _check_one(cls, data: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        checked: Self = refused_too(cls, data, validate, cls.wrong_choice(data))
        return checked

    @classmethod
    def wrong_choice(cls, data: Any) -> str | None:
        """Return why the data is not given in exactly one way, or None."""
        if not isinstance(data, dict):
            return None
        given = [name for name in cls.ways if data.get(name) is not None]
        known = {field.alias for field in cls.model_fields.values()}
        if len(given) == 1 or not set(data) <= known:  # an unknown key is the more helpful error
            return None
        named = f"not {' and '.join(given)}" if given else "and none is given"
        return f"must have exactly one of {', '.join(cls.ways)}, {named}"


class GeofenceKey(Struct, frozen=True):
    """A geofence by its tag and external ID."""

    tag: str
    external_id: str

    def __str__(self) -> str:
        """Return the geofence as files and reports write it."""
        return f"{self.tag}/{self.external_id}"

    @property
    def encoded(self) -> dict[str, str]:
        """The geofence as a file writes it if its tag contains a slash."""
        return {"tag": self.tag, "externalId": self.external_id}


def read_duration(value: object) -> timedelta:
    """Return the duration that a text such as ``1m30s`` represents."""
    seconds = spelled_seconds(value) if isinstance(value, str) else None
    if seconds is None:
        raise refusal(DURATION)
    if seconds > MAX_DAYS * 86400:
        raise refusal(f"must not be longer than {MAX_DAYS} days")
    return timedelta(milliseconds=round(seconds * 1000))


def spell_duration(duration: timedelta) -> str:
    """Return a duration in the format of a file: ``1m30s``, ``0s``. A negative one has a minus sign."""
    milliseconds = round(duration.total_seconds() * 1000)
    sign, milliseconds = ("-" if milliseconds < 0 else ""), abs(milliseconds)
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{number}{unit}" for number, unit in ((hours, "h"), (minutes, "m")) if number]
    if rest or not parts:
        parts.append(f"{rest / 1000:g}s" if rest >= 1000 or rest == 0 else f"{rest}ms")
    return sign + "".join(parts)


def _read_time(value: object) -> timedelta | datetime:
    """Return a duration since the start, or a time."""
    if isinstance(value, str) and spelled_seconds(value) is None:
        try:
            moment = read_moment(value)
        except PydanticCustomError:
            raise refusal(f"{DURATION} since the start, or a time such as 2026-03-02T09:05:00Z") from None
        assert isinstance(moment, datetime)
        return moment
    return read_duration(value)


def _read_key(value: object) -> GeofenceKey:
    if isinstance(value, dict) and set(value) == {"tag", "externalId"}:
        tag, external_id = value["tag"], value["externalId"]
    elif isinstance(value, str):
        tag, _, external_id = value.partition("/")
    else:
        tag = external_id = None
    if not (isinstance(tag, str) and isinstance(external_id, str) and tag.strip() and external_id.strip()):
        raise refusal('must be tag/externalId such as store/1, or {tag: store, externalId: "1"}')
    return GeofenceKey(tag, external_id)


def _one_or_several(value: object) -> object:
    return [value] if isinstance(value, int) and not isinstance(value, bool) else value


_KEY_SCHEMA: Any = str | dict[str, str]

type Duration = Annotated[timedelta, PlainValidator(read_duration, json_schema_input_type=str)]
type Time = Annotated[timedelta | datetime, PlainValidator(_read_time, json_schema_input_type=str)]
type GeofenceRef = Annotated[GeofenceKey, PlainValidator(_read_key, json_schema_input_type=_KEY_SCHEMA)]
type Level = Annotated[int, Field(ge=1, le=3)]
type Levels = Annotated[
    list[Level], Field(min_length=1), BeforeValidator(_one_or_several, json_schema_input_type=list[Level] | Level)
]
