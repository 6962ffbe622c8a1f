"""The base and envelope of all responses, and field types that several of them share."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import Field, with_config

from app.api.wire.common.fields import MetadataItem

TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"

type Time = Annotated[str, Field(pattern=TIME, json_schema_extra={"format": "date-time"})]
type Id = Annotated[str, Field(min_length=1, pattern=r"^[0-9A-Za-z]+$")]
type Word = Annotated[str, Field(min_length=1)]
type Metadata = dict[str, MetadataItem]
type Longitude = Annotated[float, Field(ge=-180, le=180)]
type Latitude = Annotated[float, Field(ge=-90, le=90)]
type LongitudeLatitude = tuple[Longitude, Latitude]


@with_config(extra="forbid")
class Record(TypedDict):
    """Base of every part of a response: exactly the documented fields, none of them null.

    The fields have their wire names, so that the type checker holds every encoder to the record it returns and the
    document is generated from the same record.
    """


def one_of(*values: str | int, **described: Any) -> Any:
    """Return a field that is limited to the given values."""
    return Field(json_schema_extra={"enum": list(values)}, **described)


class Meta(Record):
    """Metadata of the response."""

    code: Literal[200]
    warnings: NotRequired[
        Annotated[
            list[str],
            Field(
                min_length=1,
                description=(
                    "Sentences about parameters that were accepted but have no effect, or not the expected one."
                ),
            ),
        ]
    ]


class PageMeta(Meta):
    """Metadata of a list."""

    hasMore: Annotated[bool, Field(description="Whether other records follow the last one.")]


class ErrorMeta(Record):
    """Description of the error."""

    code: Annotated[int, Field(ge=400, le=599, description="The HTTP status.")]
    type: NotRequired[
        Annotated[
            str,
            Field(
                min_length=1,
                description="The limit that was exceeded: trackPerDevice, hourly, daily, or the operation's name.",
            ),
        ]
    ]
    param: NotRequired[Annotated[str, Field(description="The parameter at fault, if any.")]]
    message: Annotated[str, Field(min_length=1)]


class ErrorAnswer(Record):
    """The response to a request that was refused."""

    meta: ErrorMeta


class AnswerModel(Record):
    """Base of the response of an operation."""

    meta: Meta


class PageAnswerModel(Record):
    """Base of the response of an operation that lists records."""

    meta: PageMeta


class EmptyAnswer(AnswerModel):
    """Success without data."""
