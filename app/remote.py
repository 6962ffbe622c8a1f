"""A workspace that another process has open, reached through the address that process published in it."""

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import orjson

from app.api.commands.command import Command
from app.api.commands.messages import VERSION, WORK, encode_call, read_answer
from app.api.commands.records import RecordQuery, Records, records
from app.api.wire.common.encoding import Encoded
from app.api.wire.event import HEARTBEAT_S
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import (
    AnswerLost,
    Conflict,
    FencewrightError,
    InvalidParameter,
    NotFound,
    WorkspaceError,
    WorkspaceGone,
)
from engine.domain.ports import Cancelled, Progress, no_progress
from engine.domain.queries import EventFilter
from engine.store.workspace import Endpoint, read_keys

_ANSWER_WITHIN_S = 30.0
"""How long the process may send nothing; one that works for long says from time to time that it still does."""

_UNUSED_S = 2.0
"""How long a connection may wait for the next operation; the process closes it after five seconds."""

_ERRORS: Final[Mapping[int, type[InvalidParameter] | type[NotFound] | type[Conflict]]] = {
    400: InvalidParameter,
    404: NotFound,
    409: Conflict,
}


class RemoteWorkspace:
    """Has the process that has a workspace open do what a command would do itself on a closed one.

    It may be used by several threads: each request has a connection to itself.
    """

    def __init__(self, folder: Path, endpoint: Endpoint) -> None:
        self._folder = folder
        self._endpoint = endpoint
        self._unused: list[tuple[HTTPConnection, float]] = []

    def close(self) -> None:
        """Close the connections that wait for the next operation."""
        while self._unused:
            self._unused.pop()[0].close()

    @property
    def is_brief(self) -> bool:
        """Whether the process is a command, which ends when its own work is done."""
        return self._endpoint.brief

    def check(self) -> None:
        """Raise `WorkspaceGone` or `AnswerLost` unless the process still has the workspace open.

        Raises `WorkspaceError` where it is of another version, whose operations are others.
        """
        with self._asked("GET", "/_workspace/status", self._token) as response:
            status = orjson.loads(response.read())
        if status.get("version") != VERSION:
            raise WorkspaceError(f"{self._process} runs another version of Fencewright. Close it, or use that version.")

    def run[Q, A](
        self,
        command: Command[Q, A],
        request: Q,
        environment: Environment = Environment.TEST,
        data: bytes = b"",
        progress: Progress = no_progress,
        *,
        reuse: bool = False,
    ) -> A:
        """Do an operation and return its answer; what `progress` raises cancels it, unless it is done by then.

        `reuse` leaves the connection of a short operation to the next one, or to `close`.
        """
        work = {**self._token, WORK: token_hex()}
        with self._called(command, request, environment, data, work, reuse=reuse) as response:
            found: A = read_answer(response, self._cancelling(work, progress))
        return found

    def _cancelling(self, work: Mapping[str, str], progress: Progress) -> Progress:
        """Return a progress that cancels the remote work when `progress` raises `Cancelled`."""
        asked = False

        def report(done: int, total: int) -> None:
            nonlocal asked
            try:
                if not asked:
                    progress(done, total)
            except Cancelled:
                asked = True
                # Even if this fails, the answer of the call itself ends with the outcome.
                with suppress(FencewrightError), self._asked("POST", "/_workspace/cancel", work):
                    pass

        return report

    @contextmanager
    def records(self, environment: Environment, query: RecordQuery) -> Iterator[Records]:
        """Yield how many events or users there are, and all of them, some at a time."""
        with self._called(records, query, environment, b"", self._token) as response:
            yield read_answer(response, no_progress)

    def ask_v1(self, method: str, path: str, environment: Environment, body: object = None) -> Encoded:
        """Call an operation of ``/v1`` with the secret key and return its response without `meta`."""
        content = b"" if body is None else orjson.dumps(body)
        with self._asked(method, path, self._key(environment), content) as response:
            answer = orjson.loads(response.read())
        return {name: value for name, value in answer.items() if name != "meta"}

    def follow(self, environment: Environment, wanted: EventFilter, after: str | None) -> Iterator[Encoded]:
        """Yield events as they are stored, beginning after one, until the stream ends; raises `WorkspaceGone`.

        Raises `InvalidParameter` where there is no event that it is to begin after.
        """
        headers = self._key(environment) | ({} if after is None else {"Last-Event-ID": after})
        path = f"/v1/events/stream?{urlencode(_event_params(wanted))}"
        try:
            with self._asked("GET", path, headers, within_s=3 * HEARTBEAT_S) as response:
                yield from _read_stream(response)
        except WorkspaceError as error:
            raise WorkspaceGone(error.message) from error

    @property
    def _token(self) -> dict[str, str]:
        return {"Authorization": self._endpoint.control_token}

    def _key(self, environment: Environment) -> dict[str, str]:
        return {"Authorization": read_keys(self._folder).value(environment, KeyLevel.SECRET)}

    @contextmanager
    def _called[Q, A](
        self,
        command: Command[Q, A],
        request: Q,
        environment: Environment,
        data: bytes,
        headers: Mapping[str, str],
        *,
        reuse: bool = False,
    ) -> "Iterator[_Incoming]":
        if not command.repeats(request):
            # The process says first that it takes the call: one that ends before that has done nothing.
            headers = {**headers, "Expect": "100-continue"}
        content = encode_call(environment, request, data)
        with self._asked("POST", f"/_workspace/{command.name}", headers, content, reuse=reuse) as response:
            yield response

    @contextmanager
    def _asked(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        content: bytes = b"",
        *,
        within_s: float | None = None,
        reuse: bool = False,
    ) -> "Iterator[_Incoming]":
        """Yield the response to a request; closing it early cancels the operation."""
        connection = self._connection(within_s, reuse=reuse)
        is_complete = False
        try:
            with closing(self._answered(connection, method, path, headers, content)) as response:
                incoming = _Incoming(response, self._lost)
                if response.status != 200:
                    raise _error_of(response, incoming.read())
                yield incoming
                is_complete = incoming.is_complete
        finally:
            if reuse and is_complete:
                self._unused.append((connection, monotonic()))
            else:
                connection.close()

    def _connection(self, within_s: float | None, *, reuse: bool) -> HTTPConnection:
        """Return a connection, with `reuse` one that has been unused for so short a time that the process keeps it."""
        with suppress(IndexError):  # another thread may take the last one
            while reuse:
                connection, since = self._unused.pop()
                if monotonic() - since < _UNUSED_S:
                    return connection
                connection.close()
        address = urlsplit(self._endpoint.control_url)
        return HTTPConnection(address.hostname or "", address.port, timeout=within_s or _ANSWER_WITHIN_S)

    def _answered(
        self, connection: HTTPConnection, method: str, path: str, headers: Mapping[str, str], content: bytes
    ) -> HTTPResponse:
        sent = False
        try:
            if connection.sock is None:
                connection.connect()
            connection.putrequest(method, path)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                connection.putheader(name, value)
            sent = "Expect" not in headers
            connection.endheaders()
            if not sent and not connection.sock.recv(1, socket.MSG_PEEK):
                raise ConnectionResetError("the connection was closed")
            sent = True
            with suppress(ConnectionError):  # it has answered already, and then says why
                connection.send(content)
            return connection.getresponse()
        except (OSError, HTTPException) as error:
            is_slow = isinstance(error, TimeoutError)
            raise self._lost(error) if sent or is_slow else self._gone(error) from error

    def _gone(self, error: Exception) -> WorkspaceGone:
        return WorkspaceGone(f"{self._process} does not answer: {error}.")

    def _lost(self, error: Exception) -> WorkspaceError:
        """Return the error of a request without an answer."""
        if isinstance(error, TimeoutError):
            return WorkspaceError(
                f"{self._process} has not answered within {_ANSWER_WITHIN_S:g} s. It may still do what was requested: "
                "check that before you run the command again."
            )
        return AnswerLost(
            f"{self._process} ended before it answered: {error}. It may have done what was requested: "
            "check that before you run the command again."
        )

    @property
    def _process(self) -> str:
        return f"The process that has {self._folder} open (process {self._endpoint.pid})"


class _Incoming:
    """A response as it comes, whose loss is an error of the workspace."""

    def __init__(self, response: HTTPResponse, lost: Callable[[Exception], WorkspaceError]) -> None:
        self._response = response
        self._lost = lost

    @property
    def is_complete(self) -> bool:
        """Whether all of it was read and the connection can have another request; a stream ends its connection."""
        return self._response.length == 0 and not self._response.will_close

    def readline(self) -> bytes:
        """Return the next line; nothing at the end, or where it is cut off."""
        line = self._take(self._response.readline)
        return line if line.endswith(b"\n") else b""

    def read(self, size: int | None = None) -> bytes:
        """Return the next bytes, or all."""
        return self._take(lambda: self._response.read(size))

    def _take(self, read: Callable[[], bytes]) -> bytes:
        try:
            return read()
        except (OSError, HTTPException) as error:
            raise self._lost(error) from error


def _event_params(wanted: EventFilter) -> dict[str, str]:
    """Return a filter as the query of ``/v1/events`` spells it."""
    params = {
        "userId": wanted.user_id,
        "deviceId": wanted.device_id,
        "type": ",".join(sorted(wanted.types)),
        "tag": ",".join(sorted(wanted.tags)),
        "externalId": wanted.external_id,
    }
    return {name: value for name, value in params.items() if value}


def _read_stream(response: _Incoming) -> Iterator[Encoded]:
    """Yield the events of a stream; its last message, which says why it ends, is none."""
    kind = b""
    while line := response.readline():
        name, _, value = line.rstrip(b"\r\n").partition(b": ")
        if name == b"event":
            kind = value
        elif name == b"data" and not kind:
            yield orjson.loads(value)


def _error_of(response: HTTPResponse, content: bytes) -> FencewrightError:
    """Return the error that a response is about."""
    try:
        meta: dict[str, Any] = orjson.loads(content)["meta"]
        message = str(meta["message"])
    except (ValueError, KeyError, TypeError):
        return WorkspaceError(f"The process that has the workspace open answered {response.status}.")
    if response.status == 503 and response.getheader("connection") == "close":
        return AnswerLost(message)
    kind = _ERRORS.get(response.status)
    return kind(str(meta.get("param", "")), message) if kind else FencewrightError(message)
