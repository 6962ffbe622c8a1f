"""An injected fault: its request, its record and its encoder."""

from typing import Annotated, Any, Final, Literal, NotRequired, cast

from pydantic import BeforeValidator, Field

from app.api.wire.common.answers import AnswerModel, Id, Record
from app.api.wire.common.encoding import wire_name
from app.api.wire.common.fields import JSON_TEXT, ONE_FAULT, Identifier, Text, read_json_text
from app.api.wire.common.requests import StrictModel
from app.faults.book import Fault
from app.faults.rules import (
    ANY_PATH,
    MAX_BYTES,
    MAX_COUNT,
    MAX_HEADERS,
    MAX_LATENCY_MS,
    MAX_STARS,
    MAX_TEXT,
    DropTime,
    FaultKind,
    FaultRule,
)
from engine.domain.environment import KeyLevel

type KindWord = Literal["latency", "status", "drop", "truncate", "slow"]
type KeyWord = Literal["publishable", "secret", "any"]
type MethodWord = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
type WhenWord = Literal["before", "after"]

KEYS: Final[dict[str, KeyLevel | None]] = {
    "publishable": KeyLevel.PUBLISHABLE,
    "secret": KeyLevel.SECRET,
    "any": None,
}

type _Count = Annotated[int, Field(ge=1, le=MAX_COUNT)]
type _Short = Annotated[Text, Field(max_length=MAX_TEXT)]
type HeaderValues = dict[str, str]
type _Headers = Annotated[
    dict[_Short, _Short], Field(max_length=MAX_HEADERS), ONE_FAULT, BeforeValidator(read_json_text), JSON_TEXT
]

_KIND = (
    "latency holds a request for latencyMs; status answers with status, headers, type and message; drop closes the "
    "connection, before or after the request is processed, and while it is active, connections are not reused; "
    "truncate sends the first bytes of the body, then closes; slow sends the body at bytesPerSecond."
)


class FaultBody(StrictModel):
    """A fault to inject: which requests it affects, and how."""

    kind: KindWord = Field(description=_KIND)
    path: Text | None = Field(
        None, description=f"Such as /v1/track or /v1/route/*; up to {MAX_STARS} stars, each matching any characters."
    )
    method: MethodWord | None = Field(None, description="Defaults to all methods; GET includes HEAD.")
    key: KeyWord | None = Field(None, description="Only requests with such a key; defaults to any.")
    device_id: Identifier | None = Field(None, description="Only requests with this device ID.")
    nth: _Count | None = Field(None, description="Only the nth matching request, counted from 1.")
    every: _Count | None = Field(None, description="Every nth matching request.")
    share: Annotated[float, Field(gt=0, le=1)] | None = Field(
        None, description="A random share of the requests, such as 0.2."
    )
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] | None = Field(
        None, description="For share: the same seed picks the same requests; defaults to 0."
    )
    times: _Count | None = Field(None, description="The fault ends after this many hits.")
    latency_ms: Annotated[int, Field(ge=1, le=MAX_LATENCY_MS)] | None = None
    status: Annotated[int, Field(ge=400, le=599)] | None = None
    headers: _Headers | None = Field(None, description='For status: headers, such as {"Retry-After": "3"}.')
    type: _Short | None = Field(None, description="For status: meta.type, such as hourly.")
    message: _Short | None = Field(None, description="For status: meta.message.")
    when: WhenWord | None = Field(None, description="For drop: defaults to before.")
    bytes: Annotated[int, Field(ge=0, le=MAX_BYTES)] | None = Field(
        None, description="For truncate: defaults to half of the body; the last byte is never sent."
    )
    bytes_per_second: Annotated[int, Field(ge=1, le=MAX_BYTES)] | None = None


class FaultRecord(Record):
    """An injected fault; unset fields are absent."""

    _id: Id
    kind: KindWord
    path: str
    key: KeyWord
    active: Annotated[bool, Field(description="Whether it can still hit requests.")]
    matched: Annotated[int, Field(ge=0, description="Requests that matched while it was active.")]
    hits: Annotated[int, Field(ge=0)]
    method: NotRequired[MethodWord]
    deviceId: NotRequired[str]
    nth: NotRequired[int]
    every: NotRequired[int]
    share: NotRequired[float]
    seed: NotRequired[int]
    times: NotRequired[int]
    latencyMs: NotRequired[int]
    status: NotRequired[int]
    headers: NotRequired[HeaderValues]
    type: NotRequired[str]
    message: NotRequired[str]
    when: NotRequired[WhenWord]
    bytes: NotRequired[int]
    bytesPerSecond: NotRequired[int]


class FaultAnswer(AnswerModel):
    """One fault."""

    fault: FaultRecord


class FaultListAnswer(AnswerModel):
    """Faults, oldest first."""

    faults: list[FaultRecord]


class FaultsClearedAnswer(AnswerModel):
    """Confirmation that the faults were removed."""

    cleared: Annotated[int, Field(ge=0, description="Number of faults removed.")]


def fault_rule(body: FaultBody) -> FaultRule:
    """Return the rule of a request body, not validated yet."""
    return FaultRule(
        kind=FaultKind(body.kind),
        path=body.path or ANY_PATH,
        method=body.method,
        key=None if body.key is None else KEYS[body.key],
        device_id=body.device_id,
        nth=body.nth,
        every=body.every,
        share=body.share,
        seed=body.seed,
        times=body.times,
        latency_ms=body.latency_ms,
        status=body.status,
        headers=tuple((body.headers or {}).items()),
        type=body.type,
        message=body.message,
        when=None if body.when is None else DropTime(body.when),
        bytes=body.bytes,
        bytes_per_second=body.bytes_per_second,
    )


def rule_of(fault: FaultRecord) -> FaultRule:
    """Return the rule of a fault in a response."""
    return fault_rule(FaultBody.model_validate({name: value for name, value in fault.items() if name not in _OWN}))


def encode_fault(fault: Fault) -> FaultRecord:
    """Return a fault."""
    rule = fault.rule
    encoded: dict[str, Any] = {
        "_id": fault.id,
        "kind": rule.kind.value,
        "path": rule.path,
        "key": next(word for word, level in KEYS.items() if level is rule.key),
        "active": not fault.is_spent,
        "matched": fault.seen,
        "hits": fault.hits,
    }
    for name in _PLAIN:
        if (value := getattr(rule, name)) is not None:
            encoded[wire_name(name)] = value
    if rule.headers:
        encoded["headers"] = dict(rule.headers)
    return cast(FaultRecord, encoded)


_PLAIN: Final = tuple(name for name in FaultRule.__struct_fields__ if name not in ("kind", "path", "key", "headers"))
"""Fields that have the same form on the wire."""

_OWN: Final = frozenset({"_id", "active", "matched", "hits"})
"""Fields of a record that requests do not have."""
