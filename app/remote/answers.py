"""Answers of a process that has a workspace open: reports, streams, records and errors."""

from collections.abc import Iterator, Mapping

import httpx
import orjson

from app.api.wire.common.encoding import Encoded
from app.exports import Batches
from engine.domain.errors import (
    AnswerLost,
    Conflict,
    FencewrightError,
    InvalidParameter,
    NotFound,
    WorkspaceError,
    WorkspaceGone,
    WorkspaceStopped,
)
from engine.domain.ports import Cancelled, Progress

_ERRORS: Mapping[int, type[InvalidParameter] | type[NotFound] | type[Conflict]] = {
    400: InvalidParameter,
    404: NotFound,
    409: Conflict,
}


def without_meta(answer: Encoded) -> Encoded:
    """Return an answer without its ``meta``."""
    return {name: value for name, value in answer.items() if name != "meta"}


def read_report(lines: Iterator[str], progress: Progress) -> Encoded:
    """Return the report at the end of these lines, and tell the progress in the lines before it."""
    for line in lines:
        message = orjson.loads(line)
        if "report" in message:
            report: Encoded = message["report"]
            return report
        if "stopped" in message:
            raise WorkspaceStopped(
                f"The process that has the workspace open was stopped; {message['stopped']}. Run the command again."
            )
        if "cancelled" in message:
            raise Cancelled
        if "error" in message:
            error = message["error"]
            raise InvalidParameter(str(error.get("param", "file")), str(error.get("message", "It failed.")))
        progress(int(message["done"]), int(message["total"]))
    raise AnswerLost(
        "The process that has the workspace open ended before it answered. It may have done all of it or nothing: "
        "check that before you run the command again."
    )


def read_stream(lines: Iterator[str]) -> Iterator[Encoded]:
    """Yield the events of a stream; its last message, which says why it ends, is none."""
    kind = ""
    for line in lines:
        name, _, value = line.partition(": ")
        if name == "event":
            kind = value
        elif name == "data" and not kind:
            yield orjson.loads(value)


def read_records(lines: Iterator[str]) -> Batches:
    """Yield the batches of records until the line that ends them."""
    for line in lines:
        message = orjson.loads(line)
        if "end" in message:
            return
        if "error" in message:
            raise FencewrightError(str(message["error"]["message"]))
        yield message["records"]
    raise WorkspaceGone("The process that has the workspace open ended before everything was read.")


def error_of(response: httpx.Response) -> FencewrightError:
    """Return the error that a response tells."""
    try:
        meta = orjson.loads(response.content)["meta"]
        message = str(meta["message"])
    except (ValueError, KeyError, TypeError):
        return WorkspaceError(f"The process that has the workspace open answered {response.status_code}.")
    if response.status_code == 503 and response.headers.get("connection") == "close":
        return AnswerLost(message)
    kind = _ERRORS.get(response.status_code)
    return kind(str(meta.get("param", "")), message) if kind else FencewrightError(message)
