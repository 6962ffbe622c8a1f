"""The request log: queries and records."""

import re
from typing import Annotated, Final, Literal, NotRequired

from pydantic import Field, PlainValidator

from app.api.http.errors import shown
from app.api.wire.common.answers import AnswerModel, PageAnswerModel, Record, Time, Word, one_of
from app.api.wire.common.encoding import encode_time
from app.api.wire.common.fields import Text, refusal
from app.api.wire.common.requests import Limit, RequestModel, Switch
from app.exchanges import EventMark, LoggedRequest, Message, NearMiss, NearMissKind
from engine.domain.queries import DEFAULT_LIMIT

_STATUS: Final = re.compile(r"[1-5](\d\d|[xX][xX])", re.ASCII)


def _read_statuses(value: object) -> tuple[str, ...]:
    """Return the statuses of comma-separated text in lower case."""
    words = [word.strip() for word in str(value).split(",")]
    if (wrong := next((word for word in words if not _STATUS.fullmatch(word)), None)) is not None:
        expected = (
            "a status from 100 to 599, or 1xx, 2xx, 3xx, 4xx or 5xx for all that begin so; several comma-separated"
        )
        raise refusal(f"must be {expected}, not {shown(wrong)}")
    return tuple(word.lower() for word in words)


type Statuses = Annotated[tuple[str, ...], PlainValidator(_read_statuses, json_schema_input_type=str)]


class RequestListQuery(RequestModel):
    """Query of requests."""

    limit: Limit = DEFAULT_LIMIT
    order: Literal["asc", "desc"] | None = Field(None, description="Defaults to desc, newest first.")
    method: Text | None = Field(None, description="A method such as POST; not case-sensitive.")
    path: Text | None = Field(None, description="Start of the path, such as /v1/track.")
    status: Statuses = Field((), description="One or more statuses, comma-separated, such as 200 or 4xx.")
    device_id: Text | None = None
    user_id: Text | None = None
    since: Text | None = Field(None, description="A request number or a time; lists only later requests.")
    near_misses: Switch = Field(None, description="true: only those with near misses; false: only those without.")


class EventMarkRecord(Record):
    """An event that a request generated."""

    _id: Word
    type: Word


class NearMissRecord(Record):
    """A part of a request that had no effect or was refused, with a suggestion."""

    kind: Annotated[str, one_of(*(kind.value for kind in NearMissKind))]
    message: Word
    param: NotRequired[Annotated[str, Field(description="The name as sent.")]]
    suggestion: NotRequired[Word]


class HeaderRecord(Record):
    """A header."""

    name: str
    value: str


class MessageRecord(Record):
    """The headers and the body of a request or a response; keys are masked."""

    headers: Annotated[list[HeaderRecord], Field(description="In order, as sent.")]
    body: NotRequired[Annotated[str, Field(description="As text; only the first 64 KiB of a larger body.")]]
    bodySize: Annotated[int, Field(ge=0, description="Size of the whole body in bytes.")]
    bodyTruncated: NotRequired[Literal[True]]


class AnswerMessageRecord(MessageRecord):
    """A response."""

    status: Annotated[int, Field(ge=100, le=599)]


class LoggedRequestRecord(MessageRecord):
    """A request, its response and the events that it generated."""

    number: Annotated[int, Field(ge=1)]
    createdAt: Annotated[Time, Field(description="Time of the response, by the system clock.")]
    durationMs: Annotated[float, Field(ge=0, description="From the end of the request headers to the response.")]
    method: str
    path: Annotated[str, Field(description="With the query, as sent.")]
    environment: NotRequired[Annotated[str, one_of("test", description="Absent without a valid key.")]]
    client: NotRequired[Annotated[str, Field(description="IP address of the client.")]]
    deviceId: NotRequired[Word]
    userId: NotRequired[Word]
    requestId: NotRequired[Annotated[Word, Field(description="The response's x-radar-request-id.")]]
    response: NotRequired[Annotated[AnswerMessageRecord, Field(description="Absent if there was no response.")]]
    events: Annotated[list[EventMarkRecord], Field(description="The events that it generated.")]
    nearMisses: list[NearMissRecord]
    faults: NotRequired[
        Annotated[list[Word], Field(min_length=1, description="The `_id`s of injected faults that affected it.")]
    ]


class RequestAnswer(AnswerModel):
    """One request."""

    request: LoggedRequestRecord


class RequestListAnswer(PageAnswerModel):
    """Requests of the log."""

    requests: list[LoggedRequestRecord]


class RequestsClearedAnswer(AnswerModel):
    """Confirmation that the log was cleared."""

    cleared: Annotated[int, Field(ge=0, description="Number of requests removed.")]


def encode_request(logged: LoggedRequest) -> LoggedRequestRecord:
    """Return a request of the log."""
    summary = logged.summary
    encoded: LoggedRequestRecord = {
        "number": summary.number,
        "createdAt": encode_time(summary.at),
        "durationMs": round(summary.duration_s * 1000, 3),
        "method": summary.method,
        "path": summary.path,
        **_encode_message(logged.request),
        "events": [_encode_event(event) for event in summary.events],
        "nearMisses": [encode_near_miss(each) for each in summary.near_misses],
    }
    if summary.faults:
        encoded["faults"] = list(summary.faults)
    if summary.live is not None:
        encoded["environment"] = "live" if summary.live else "test"
    if logged.client:
        encoded["client"] = logged.client
    if summary.device_id:
        encoded["deviceId"] = summary.device_id
    if summary.user_id:
        encoded["userId"] = summary.user_id
    if logged.request_id:
        encoded["requestId"] = logged.request_id
    if logged.answer is not None:
        encoded["response"] = {"status": summary.status, **_encode_message(logged.answer)}
    return encoded


def encode_near_miss(near_miss: NearMiss) -> NearMissRecord:
    """Return a near miss."""
    encoded: NearMissRecord = {"kind": near_miss.kind.value, "message": near_miss.message}
    if near_miss.param is not None:
        encoded["param"] = near_miss.param
    if near_miss.suggestion is not None:
        encoded["suggestion"] = near_miss.suggestion
    return encoded


def _encode_event(event: EventMark) -> EventMarkRecord:
    return {"_id": event.id, "type": event.type}


def _encode_message(message: Message) -> MessageRecord:
    headers: list[HeaderRecord] = [{"name": name, "value": value} for name, value in message.headers]
    encoded: MessageRecord = {"headers": headers, "bodySize": message.size}
    if message.body:
        encoded["body"] = message.body
    if message.is_cut:
        encoded["bodyTruncated"] = True
    return encoded
