"""Field types of requests, each validated in one place and described for the document.

A JSON body is validated strictly (``true`` is no number, ``"1"`` is no number). Forms and query strings hold only text
and are validated leniently (``"1"``, ``"True"``). A refused value results in a 400 that names the parameter.
"""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    GetJsonSchemaHandler,
    PlainValidator,
    Strict,
    StringConstraints,
)
from pydantic_core import CoreSchema, PydanticCustomError

from app.api.http.errors import shown
from app.api.http.json_pieces import MAX_VALUES_OF_LISTS, has_too_many_values
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.hours import OperatingHours, parse_hours
from engine.domain.metadata import MAX_GEOFENCE_KEYS, MAX_USER_KEYS, AnyOf
from engine.domain.nesting import NestedTooDeeply, not_too_deep
from engine.domain.text import MAX_DESCRIPTION, MAX_IDENTIFIER
from engine.domain.tracking.updates import MAX_USER_TAGS, Verification
from engine.domain.words import closest

MAX_METADATA_TEXT: Final = 2_000
MAX_INTEGER: Final = 2**63 - 1
"""Largest integer that clients and the database can read back from JSON."""

MIN_YEAR: Final = 1900
MAX_YEAR: Final = 2199
MAX_MILLISECONDS: Final = 7_258_118_399_999
"""The end of the year 2199, in milliseconds since 1970."""

MAX_AGE_MS: Final = 100 * 366 * 24 * 3600 * 1000
"""A hundred years, in milliseconds."""

_VERDICTS: Final = {
    "ACCEPT": Verification.ACCEPTED,
    "UNVERIFY": Verification.UNVERIFIED,
    "REJECT": Verification.REJECTED,
}
VERDICTS: Final = r"^([Aa][Cc][Cc][Ee][Pp][Tt]|[Uu][Nn][Vv][Ee][Rr][Ii][Ff][Yy]|[Rr][Ee][Jj][Ee][Cc][Tt]|-?1|0)$"

NO_NUL: Final = r"^[^\x00]*$"
NOT_BLANK: Final = r"^[^\x00]*[^\x00\s][^\x00]*$"


class Also:
    """Marks a type that a client may also send in another form, which `described` describes in the document."""

    def __init__(self, **described: Any) -> None:
        self._described = described

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Add the other form to the schema."""
        described = handler(schema)
        return {"anyOf": [*described.get("anyOf", [described]), self._described]}


class LikeModel:
    """Marks values that are validated later, one by one, and that a model describes."""

    def __init__(self, model: type[BaseModel]) -> None:
        self._model = model

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the schema of the model."""
        return handler(self._model.__pydantic_core_schema__)


JSON_TEXT: Final = Also(type="string", contentMediaType="application/json", description="The same as a JSON string.")
COMMA_TEXT: Final = Also(type="string", description="The same, comma-separated.")
ONE_FAULT: Final = Field(fail_fast=True)
"""Stops validation at the first error: only one is reported, and each takes longer than a hundred valid items."""

NOTHING: Final = Also(type="string", maxLength=0, description="An empty value removes the field.")


def refusal(explanation: str) -> PydanticCustomError:
    """Return the error for a value; `explanation` completes a sentence that begins with the parameter's name."""
    return PydanticCustomError("refused", "{explanation}", {"explanation": explanation})


def read_json_text(value: object) -> object:
    """Return the value of JSON text; other values are returned unchanged."""
    if not isinstance(value, str):
        return value
    if has_too_many_values(value.encode("utf-8", "surrogatepass"), MAX_VALUES_OF_LISTS):
        raise refusal(f"must have at most {MAX_VALUES_OF_LISTS:,} values")
    try:
        return json.loads(not_too_deep(value))
    except NestedTooDeeply as error:
        raise refusal(str(error)) from None
    except ValueError:
        raise refusal("must be valid JSON when sent as a string") from None


def read_moment(value: object) -> object:
    """Return an ISO date or datetime in UTC with whole milliseconds; without a zone it is read as UTC."""
    if not isinstance(value, str):
        return value
    try:
        moment = datetime.fromisoformat(value.upper())
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise refusal("must be an ISO 8601 date such as 2025-01-31 or 2025-01-31T10:00:00.000Z") from None
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def check_plausible(moment: datetime) -> datetime:
    """Return a moment whose year, in UTC, is plausible."""
    if not MIN_YEAR <= moment.year <= MAX_YEAR:
        raise refusal(f"must be within the years {MIN_YEAR} to {MAX_YEAR}")
    return moment


def read_position(value: object, subject: str = "each position") -> tuple[float, float]:
    """Return ``(longitude, latitude)``; -0.0 becomes 0.0. Errors begin with the `subject`."""
    if not isinstance(value, list) or len(value) != 2:
        raise refusal(f"{subject} must be two numbers, [longitude, latitude]")
    return _degrees(value[0], subject), _degrees(value[1], subject)


def _degrees(value: object, subject: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refusal(f"{subject} must be two numbers, [longitude, latitude]")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        raise refusal(f"{subject} must be two finite numbers, [longitude, latitude]")
    return number + 0.0


def read_near(value: object) -> object:
    """Return ``latitude,longitude`` text as ``(latitude, longitude)``."""
    parts = value.split(",") if isinstance(value, str) and value.isascii() and "_" not in value else []
    try:
        latitude, longitude = (float(part) for part in parts)
    except ValueError:
        raise refusal("must be latitude,longitude such as 40.78382,-73.97536") from None
    return latitude, longitude


def read_point(value: object) -> Point:
    """Return ``latitude,longitude`` text as a position on the earth."""
    numbers = read_numbers(value)
    if len(numbers) != 2:
        raise refusal("must be latitude,longitude such as 40.78382,-73.97536")
    latitude, longitude = numbers
    _check_range("latitude", latitude, 90)
    _check_range("longitude", longitude, 180)
    return Point(longitude, latitude)


def read_numbers(value: object) -> list[float]:
    """Return the numbers of a text that are separated by commas, or none if a part is not a number."""
    # Python itself would also read 4_7, and the digits of every script, as a number.
    parts = value.split(",") if isinstance(value, str) and value.isascii() and "_" not in value else []
    try:
        return [float(part) for part in parts]
    except ValueError:
        return []


def _check_range(name: str, value: float, most: int) -> None:
    if not (isfinite(value) and -most <= value <= most):
        raise refusal(f"the {name} must be within [-{most}, {most}], not {value:.12g}")


def read_geojson_point(value: object) -> Point:
    """Return the position of a GeoJSON Point, which may come as JSON text."""
    value = read_json_text(value)
    if not isinstance(value, dict) or value.get("type") != "Point":
        raise refusal('must be a GeoJSON Point such as {"type": "Point", "coordinates": [-73.97536, 40.78382]}')
    return read_coordinates_of_point(value.get("coordinates"))


def read_coordinates_of_point(value: object) -> Point:
    """Return the position of ``[longitude, latitude]``, which may come as JSON text."""
    longitude, latitude = read_position(read_json_text(value))
    _check_range("longitude", longitude, 180)
    _check_range("latitude", latitude, 90)
    return Point(longitude, latitude)


def read_tags(value: object) -> object:
    """Return the tags of comma-separated text, without empty ones."""
    return frozenset(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value


def read_list(value: object) -> object:
    """Return the parts of comma-separated text, or of JSON text that holds a list, without empty ones."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        return read_json_text(value)
    if value.count(",") >= MAX_VALUES_OF_LISTS:
        raise refusal(f"must have at most {MAX_VALUES_OF_LISTS:,} values")
    return [part for part in map(str.strip, value.split(",")) if part]


def read_words(*words: str) -> Callable[[object], list[str]]:
    """Return a reader for a comma-separated list of words, which a client library may also send as JSON."""

    def read(value: object) -> list[str]:
        parts = [] if value in (None, "null") else read_list(value)
        if not isinstance(parts, list):
            parts = [value]
        unknown = [part for part in parts if part not in words]
        if unknown:
            if isinstance(unknown[0], str) and (suggested := closest(unknown[0], words)) is not None:
                raise refusal(f"{shown(unknown[0])} is unknown; did you mean {suggested}?")
            raise refusal(f"must be one or more of {', '.join(words)}, comma-separated, not {shown(unknown[0])}")
        return list(dict.fromkeys(parts))

    return read


def words_of(alias: Any) -> tuple[str, ...]:
    """Return the words of a named `Literal`."""
    words: tuple[str, ...] = get_args(alias.__value__)
    return words


def read_verification(value: object) -> Verification:
    """Return the verification of an event from a number or one of the SDKs' words."""
    if isinstance(value, str):
        word = value.strip().upper()
        if word in _VERDICTS:
            return _VERDICTS[word]
        value = int(word) if word in ("1", "0", "-1") else value
    if isinstance(value, int) and not isinstance(value, bool) and value in (1, 0, -1):
        return Verification(value)
    raise refusal("must be 1, 0 or -1, or ACCEPT, UNVERIFY or REJECT")


def read_hours(value: object) -> OperatingHours | None:
    """Return operating hours, which may come as JSON text, or None for an empty dictionary."""
    try:
        return parse_hours(read_json_text(value))
    except InvalidParameter as error:
        explanation = error.message.removeprefix(f"{error.param}: ").removesuffix(".")
        raise refusal(explanation) from None


def refuse_integer(value: object) -> object:
    """Refuse an integer that is too large to be stored exactly, which a float would round."""
    if isinstance(value, int):
        raise refusal(f"must not contain integers beyond ±{MAX_INTEGER}")
    return value


def refuse_text(value: object) -> object:
    """Refuse a dictionary of a query that is text, even JSON: each key is a parameter of its own."""
    if not isinstance(value, dict):
        raise refusal("must be a dictionary with a parameter for each key, such as metadata[key]=value")
    return value


def read_query_value(value: object) -> AnyOf:
    """Return the possible meanings of a query text; text that no metadata can hold is refused."""
    if not isinstance(value, AnyOf) or len(str(value.values[0])) > MAX_METADATA_TEXT:
        raise refusal(f"must be a string of at most {MAX_METADATA_TEXT} characters")
    return value


def unset_when_null(value: object) -> object:
    """Return None for the text ``null`` that one mobile SDK sends for a parameter without a value."""
    return None if value == "null" else value


def unset_when_empty(value: object) -> object:
    """Return None for empty text and for the text ``null``."""
    return None if value in ("null", "") else value


def read_flag(value: object) -> object:
    """Return the boolean of the number 0 or 1, which some SDKs send in its place."""
    return bool(value) if type(value) is int and value in (0, 1) else value


def split_ring(numbers: Sequence[float]) -> list[float] | list[list[float]]:
    """Return a form's repeated numbers as a position, or as a ring when there are more than two.

    A client library that flattens lists sends a ring as ``lon0, lat0, lon1, lat1, …``.
    """
    if len(numbers) == 2:
        return list(numbers)
    return [list(numbers[at : at + 2]) for at in range(0, len(numbers), 2)]


type Flag = Annotated[bool | None, BeforeValidator(read_flag, json_schema_input_type=bool | Literal[0, 1] | None)]
"""A boolean that may be absent; SDKs also send 0 and 1."""

type LatLon = Annotated[Point, PlainValidator(read_point, json_schema_input_type=str)]
type Text = Annotated[str, StringConstraints(pattern=NO_NUL)]
type Identifier = Annotated[str, StringConstraints(min_length=1, max_length=MAX_IDENTIFIER, pattern=NOT_BLANK)]
type Description = Annotated[str, StringConstraints(max_length=MAX_DESCRIPTION, pattern=NO_NUL)]
type Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_DESCRIPTION, pattern=NOT_BLANK)]
type Moment = Annotated[datetime, BeforeValidator(read_moment, json_schema_input_type=str)]

type PlausibleMoment = Annotated[Moment, AfterValidator(check_plausible)]
type Milliseconds = Annotated[float, Field(ge=0, le=MAX_MILLISECONDS)]
type Age = Annotated[float, Field(ge=-MAX_AGE_MS, le=MAX_AGE_MS)]

type MetadataItem = (
    Annotated[str, Strict(), StringConstraints(max_length=MAX_METADATA_TEXT)]
    | Annotated[bool, Strict()]
    | Annotated[int, Strict(), Field(ge=-MAX_INTEGER, le=MAX_INTEGER)]
    | Annotated[float, Strict(), BeforeValidator(refuse_integer)]
)
type _QueryValue = Annotated[AnyOf, PlainValidator(read_query_value, json_schema_input_type=str)]
type MetadataFilter = Annotated[dict[Identifier, _QueryValue], ONE_FAULT, BeforeValidator(refuse_text)]
"""Filter by metadata, in which each text of a query stands for several values."""

METADATA_FILTER: Final = (
    "metadata[key]=value: matches strings, numbers and booleans (true, false, 1 or 0); "
    'a value in double quotes, such as "5", matches only strings.'
)

type GeofenceMetadata = Annotated[
    dict[Identifier, MetadataItem],
    Field(max_length=MAX_GEOFENCE_KEYS, fail_fast=True),
    BeforeValidator(read_json_text),
    JSON_TEXT,
]
type UserMetadata = Annotated[
    dict[Identifier, MetadataItem],
    Field(max_length=MAX_USER_KEYS, fail_fast=True),
    BeforeValidator(read_json_text),
    JSON_TEXT,
]

type Identifiers = Annotated[list[Identifier], ONE_FAULT, BeforeValidator(read_list), COMMA_TEXT]
type UserTags = Annotated[
    Annotated[list[Identifier], Field(max_length=MAX_USER_TAGS, fail_fast=True)], BeforeValidator(read_list), COMMA_TEXT
]
type InstallId = Annotated[Identifier | None, BeforeValidator(unset_when_empty)]
type Ranges = Annotated[list[Text], ONE_FAULT, BeforeValidator(read_list), COMMA_TEXT]
"""IP addresses: single, with wildcards (``10.0.*.*``), or as networks (``10.0.0.0/16``)."""

type WeekSpans = dict[str, list[Annotated[list[str], Field(min_length=2, max_length=2)]] | None]
type Hours = Annotated[OperatingHours, PlainValidator(read_hours, json_schema_input_type=WeekSpans), JSON_TEXT]
