"""Fields of trips in requests: statuses, modes, minutes, moments and positions.

Durations are minutes here and seconds in the engine; distances are metres.
"""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, PlainValidator

from app.api.wire.common.fields import (
    MAX_MILLISECONDS,
    Moment,
    read_json_text,
    read_list,
    read_position,
    refusal,
)
from engine.domain.geometry import Point
from engine.domain.tracking.trips import (
    TripStatus,
)
from engine.domain.travel import MODES, TravelMode

_STATUSES: Final = ", ".join(TripStatus)
_UNSET_WORDS: Final = ("", "unknown", "null")
"""Words that an SDK sends to set no status."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def _read_status(value: object) -> TripStatus | None:
    if value is None or value in _UNSET_WORDS:
        return None
    try:
        return TripStatus(str(value).lower())
    except ValueError:
        raise refusal(f"must be one of {_STATUSES}") from None


def read_leg_status(value: object) -> TripStatus:
    """Return the status to set on a leg; words that set no status are refused."""
    status = _read_status(value)
    if status is None:
        raise refusal(f"must be one of {_STATUSES}")
    return status


def read_statuses(value: object) -> frozenset[TripStatus]:
    """Return the statuses of a list, without words that set no status."""
    words = read_list(value)
    assert isinstance(words, list)
    return frozenset(status for status in map(_read_status, words) if status is not None)


def _read_mode(value: object) -> TravelMode | None:
    if value in (None, ""):
        return None
    try:
        return TravelMode(str(value).lower())
    except ValueError:
        raise refusal(f"must be one of {MODES}") from None


def _read_number(value: object) -> object:
    """Return the number that text spells, since one SDK sends a threshold as text."""
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    try:
        return float(value) if value.isascii() and "_" not in value else value
    except ValueError:
        raise refusal("must be a number") from None


def _read_arrival(value: object) -> object:
    """Return a moment that may be given in milliseconds since 1970."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None if value == "" else value
    if not 0 <= value <= MAX_MILLISECONDS:
        raise refusal("must be an ISO 8601 date, or milliseconds since 1970")
    return _EPOCH + timedelta(milliseconds=int(value))


def _read_point(value: object) -> object:
    """Return ``[longitude, latitude]``, or a GeoJSON Point, as a position on the earth."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        value = read_json_text(value)
    if isinstance(value, dict):
        value = value.get("coordinates")
    if value in (None, ""):
        return None
    longitude, latitude = read_position(value)
    if not (-180 <= longitude <= 180 and -90 <= latitude <= 90):
        raise refusal("must be [longitude, latitude] within [-180, 180] and [-90, 90]")
    return Point(longitude, latitude)


def read_unless_empty(value: object) -> object:
    """Return the value of JSON text, or None for empty text, which a form sends for an unset field."""
    return None if value in ("", "null") else read_json_text(value)


type StatusWord = Literal["pending", "started", "approaching", "arrived", "completed", "canceled", "expired"]
type Status = Annotated[TripStatus | None, PlainValidator(_read_status, json_schema_input_type=StatusWord | None)]
type Mode = Annotated[
    TravelMode | None,
    PlainValidator(_read_mode, json_schema_input_type=Literal["car", "truck", "foot", "bike", "motorbike"] | None),
]
type _Minutes = Annotated[float, Field(ge=0)]
type Minutes = Annotated[_Minutes | None, BeforeValidator(_read_number, json_schema_input_type=_Minutes | str)]
type Metres = Annotated[Annotated[float, Field(gt=0)] | None, BeforeValidator(_read_number)]
type Arrival = Annotated[Moment | None, BeforeValidator(_read_arrival, json_schema_input_type=str | float)]
type LongitudeLatitude = Annotated[tuple[float, float], Field(description="[longitude, latitude]")]
type Place = Annotated[Point | None, PlainValidator(_read_point, json_schema_input_type=LongitudeLatitude | None)]
