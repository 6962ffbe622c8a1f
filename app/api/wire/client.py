"""Auxiliary requests of SDKs: configuration, ping and logs."""

from typing import Annotated, Final, NotRequired

from pydantic import BeforeValidator, Field

from app.api.wire.common.answers import AnswerModel
from app.api.wire.common.decoding import Refused
from app.api.wire.common.fields import JSON_TEXT, Text, read_json_text
from app.api.wire.common.requests import RequestModel

MAX_LOGS = 2_000

NO_VERIFIED_CONFIG: Final = (
    "verified locations (trackVerified in SDKs) are not served: there is no device attestation, and so no nonce for it"
)


class ConfigQuery(RequestModel):
    """Information that an SDK sends about itself; the IDs find the user whose tracking options it receives."""

    id: Text | None = Field(None, description="The user's _id.")
    device_id: Text | None = None
    install_id: Text | None = None
    session_id: Text | None = None
    user_id: Text | None = None
    verified: Annotated[None, Refused(NO_VERIFIED_CONFIG)] = None


class LogEntry(RequestModel):
    """A line of a client's log."""

    message: Text | None = None
    level: Text | None = None
    type: Text | None = None
    created_at: Text | int | None = Field(None, description="ISO 8601, or milliseconds since 1970.")


class LogsBody(RequestModel):
    """Lines of a client's log."""

    logs: (
        Annotated[
            list[LogEntry],
            Field(max_length=MAX_LOGS, fail_fast=True),
            BeforeValidator(read_json_text),
            JSON_TEXT,
        ]
        | None
    ) = None


class PingAnswer(AnswerModel):
    """The address the request came from."""

    ip: NotRequired[str]
