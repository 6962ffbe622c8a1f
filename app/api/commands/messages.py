"""Calls and answers of operations as bytes, between a command and the process that has the workspace open.

A call is a line of JSON followed by the bytes of a file. An answer consists of lines of JSON: progress, and finally the
result. Bytes follow their line; records are several more lines. Empty lines only signal that the process is still
working. The last progress is then reported again, so that the caller has a chance to cancel.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final, Protocol, get_args, get_type_hints

import msgspec
import orjson

from app.api.commands.command import Call, Command
from app.api.commands.errors import decode_error, encode_error
from app.api.commands.records import Records
from app.exports import Batches
from engine.domain.environment import Environment
from engine.domain.errors import AnswerLost, FencewrightError, WorkspaceStopped, WorkspaceUnreachable
from engine.domain.ports import Cancelled, Progress, Stopped
from engine.engine import Engine

VERSION: Final = 5
"""Protocol version; increase it when calls, answers or operations change, because other versions are not called."""

STILL_AT_WORK: Final = b"\n"

WORK: Final = "X-Fencewright-Work"
"""The header that identifies a call, so that a command can cancel it and still read its outcome."""

_FAULT: Final = FencewrightError("Something went wrong inside Fencewright; its log has the details.")

logger = logging.getLogger(__name__)


class Incoming(Protocol):
    """An answer that is being received."""

    def readline(self) -> bytes:
        """Return the next line, or an empty one at the end."""
        ...

    def read(self, size: int) -> bytes:
        """Return the next bytes."""
        ...


def encode_call(environment: Environment, request: object, data: bytes) -> bytes:
    """Return a call as bytes."""
    return b"%b\n%b" % (msgspec.json.encode({"environment": environment, "request": request}, enc_hook=_plain), data)


def decode_call(engine: Engine, command: Command[Any, Any], content: bytes, progress: Progress) -> Call[Any]:
    """Return the received call; raises `msgspec.DecodeError`."""
    line, _, data = content.partition(b"\n")
    sent = msgspec.json.decode(line, type=_Sent)
    request = _decoder(command).decode(sent.request)
    return Call(engine, sent.environment, request, data, progress, elsewhere=True)


def answer(command: Command[Any, Any], call: Callable[[], Call[Any]]) -> Iterator[tuple[bytes, bool]]:
    """Run the operation and yield its answer in parts, each with whether more follow."""
    try:
        made = call()
        found = command.run(made)
        match found:
            case bytes():
                yield _line({"bytes": len(found)}) + found, False
            case Records():
                yield _line({"total": found.total}), True
                for batch in found.batches:
                    made.engine.stop.check()
                    yield _line({"records": batch}), True
                yield _line({"end": True}), False
            case _:
                yield _line({"answer": found}), False
    except Stopped:
        yield _line({"stopped": command.stopped}), False
    except Cancelled:
        yield _line({"cancelled": True}), False
    except FencewrightError as error:
        yield _line(encode_error(error)), False
    except Exception:
        logger.exception("The operation %s failed", command.name)
        yield _line(encode_error(_FAULT)), False


def read_answer(incoming: Incoming, progress: Progress) -> Any:
    """Return an answer after reporting its progress; raises the error it contains."""
    reached: tuple[int, int] | None = None
    while line := incoming.readline():
        match _message(line):
            case {"done": done, "total": total}:
                reached = done, total
                progress(*reached)
            case {} if line == STILL_AT_WORK and reached is not None:
                progress(*reached)
            case {"answer": found}:
                return found
            case {"bytes": size} if len(content := incoming.read(size)) == size:
                return content
            case {"total": total}:
                return Records(total, _batches(incoming))
    raise AnswerLost(
        "The process that has the workspace open ended before it answered. It may have done all of it or nothing: "
        "check that before you run the command again."
    )


def _batches(incoming: Incoming) -> Batches:
    """Yield the batches of records until the final line."""
    while line := incoming.readline():
        match _message(line):
            case {"records": batch}:
                yield batch
            case {"end": _}:
                return
    raise WorkspaceUnreachable("The process that has the workspace open ended before everything was read.")


def _message(line: bytes) -> Mapping[str, Any]:
    """Return the message of a line; raises the error it contains."""
    message: Mapping[str, Any] = {} if line == STILL_AT_WORK else orjson.loads(line)
    match message:
        case {"stopped": outcome}:
            text = f"The process that has the workspace open was stopped; {outcome}. Run the command again."
            raise WorkspaceStopped(text)
        case {"cancelled": _}:
            raise Cancelled
        case {"error": error}:
            raise decode_error(error)
    return message


def _line(message: Mapping[str, Any]) -> bytes:
    return orjson.dumps(message) + b"\n"


class _Sent(msgspec.Struct, frozen=True):
    environment: Environment
    request: msgspec.Raw


@cache
def _decoder(command: Command[Any, Any]) -> msgspec.json.Decoder[Any]:
    """Return the decoder of an operation's requests, whose type is given by the annotation of its call."""
    (request,) = get_args(get_type_hints(command.run)["call"])
    return msgspec.json.Decoder(request)


def _plain(value: object) -> object:
    """Return a read-only mapping as a plain dict, which can be encoded."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be sent")
