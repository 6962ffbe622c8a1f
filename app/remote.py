"""A workspace that another process has open, reached through the address that the process published in it."""

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
    WorkspaceUnreachable,
)
from engine.domain.ports import Cancelled, Progress, no_progress
from engine.domain.queries import EventFilter
from engine.store.workspace import Endpoint, read_keys

_ANSWER_WITHIN_S = 30.0
"""How long the process may send nothing, in seconds. During long work it reports regularly that it is alive."""

_UNUSED_S = 2.0
"""How long a connection may wait for the next operation, in seconds. The process closes it after five seconds."""

_ERRORS: Final[Mapping[int, type[InvalidParameter] | type[NotFound] | type[Conflict]]] = {
    400: InvalidParameter,
    404: NotFound,
    409: Conflict,
}


class RemoteWorkspace:
    """Runs the operations of a command in the process that has the workspace open.

    It may be used from several threads. Each request has its own connection.
    """

    def __init__(self, folder: Path, endpoint: Endpoint) -> None:
        self._folder = folder
        self._endpoint = endpoint
        self._unused: list[tuple[HTTPConnection, float]] = []

    def close(self) -> None:
        """Close the idle connections."""
        while self._unused:
            self._unused.pop()[0].close()

    @property
    def is_brief(self) -> bool:
        """Whether the process is a command, which exits when its own work is done."""
        return self._endpoint.brief

    def check(self) -> None:
        """Raise `WorkspaceUnreachable` or `AnswerLost` unless the process still has the workspace open.

        Raises `WorkspaceError` if it runs another version, whose operations differ.
        """
        with self._request("GET", "/_workspace/status", self._token) as response:
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
        """Run an operation and return its response. An exception raised by `progress` cancels it unless it is already
        done.

        `reuse` keeps the connection of a short operation for the next one, or until `close`.
        """
        work = {**self._token, WORK: token_hex()}
        with self._called(command, request, environment, data, work, reuse=reuse) as response:
            found: A = read_answer(response, self._cancelling(work, progress))
        return found

    def _cancelling(self, work: Mapping[str, str], progress: Progress) -> Progress:
        """Return a progress callback that cancels the remote work when `progress` raises `Cancelled`."""
        cancelled = False

        def report(done: int, total: int) -> None:
            nonlocal cancelled
            try:
                if not cancelled:
                    progress(done, total)
            except Cancelled:
                cancelled = True
                # Even if this fails, the response to the call itself contains the outcome.
                with suppress(FencewrightError), self._request("POST", "/_workspace/cancel", work):
                    pass

        return report

    @contextmanager
    def records(self, environment: Environment, query: RecordQuery) -> Iterator[Records]:
        """Yield the number of events or users, and all of them in batches."""
        with self._called(records, query, environment, b"", self._token) as response:
            yield read_answer(response, no_progress)

    def ask_v1(self, method: str, path: str, environment: Environment, body: object = None) -> Encoded:
        """Call an operation of ``/v1`` with the secret key and return its response without `meta`."""
        content = b"" if body is None else orjson.dumps(body)
        with self._request(method, path, self._key(environment), content) as response:
            answer = orjson.loads(response.read())
        return {name: value for name, value in answer.items() if name != "meta"}

    def follow(self, environment: Environment, wanted: EventFilter, after: str | None) -> Iterator[Encoded]:
        """Yield events as they are stored, from the one after `after`, until the stream ends.

        Raises `WorkspaceUnreachable`, and `InvalidParameter` if the event `after` does not exist.
        """
        headers = self._key(environment) | ({} if after is None else {"Last-Event-ID": after})
        path = f"/v1/events/stream?{urlencode(_event_params(wanted))}"
        try:
            with self._request("GET", path, headers, within_s=3 * HEARTBEAT_S) as response:
                yield from _read_stream(response)
        except WorkspaceError as error:
            raise WorkspaceUnreachable(error.message) from error

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
            # The process first confirms that it accepts the call. If it exits before that, it has done nothing.
            headers = {**headers, "Expect": "100-continue"}
        content = encode_call(environment, request, data)
        with self._request("POST", f"/_workspace/{command.name}", headers, content, reuse=reuse) as response:
            yield response

    @contextmanager
    def _request(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        content: bytes = b"",
        *,
        within_s: float | None = None,
        reuse: bool = False,
    ) -> "Iterator[_Incoming]":
        """Yield the response to a request. Closing it early cancels the operation."""
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
        """Return a connection. With `reuse`, it may be one that was idle for less time than the process keeps it."""
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
            with suppress(ConnectionError):  # the server has already responded, and the response says why
                connection.send(content)
            return connection.getresponse()
        except (OSError, HTTPException) as error:
            is_slow = isinstance(error, TimeoutError)
            raise self._lost(error) if sent or is_slow else self._unreachable(error) from error

    def _unreachable(self, error: Exception) -> WorkspaceUnreachable:
        return WorkspaceUnreachable(f"{self._process} does not answer: {error}.")

    def _lost(self, error: Exception) -> WorkspaceError:
        """Return the error for a request without a response."""
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
    """A response as it arrives. If it is lost, a workspace error is raised."""

    def __init__(self, response: HTTPResponse, lost: Callable[[Exception], WorkspaceError]) -> None:
        self._response = response
        self._lost = lost

    @property
    def is_complete(self) -> bool:
        """Whether the whole response was read and the connection can be reused. A stream ends its connection."""
        return self._response.length == 0 and not self._response.will_close

    def readline(self) -> bytes:
        """Return the next line, or nothing at the end or if it is incomplete."""
        line = self._take(self._response.readline)
        return line if line.endswith(b"\n") else b""

    def read(self, size: int | None = None) -> bytes:
        """Return the next bytes, or all of them."""
        return self._take(lambda: self._response.read(size))

    def _take(self, read: Callable[[], bytes]) -> bytes:
        try:
            return read()
        except (OSError, HTTPException) as error:
            raise self._lost(error) from error


def _event_params(wanted: EventFilter) -> dict[str, str]:
    """Return a filter as query parameters of ``/v1/events``."""
    params = {
        "userId": wanted.user_id,
        "deviceId": wanted.device_id,
        "type": ",".join(sorted(wanted.types)),
        "tag": ",".join(sorted(wanted.tags)),
        "externalId": wanted.external_id,
    }
    return {name: value for name, value in params.items() if value}


def _read_stream(response: _Incoming) -> Iterator[Encoded]:
    """Yield the events of a stream. Its last message, which says why it ends, is skipped."""
    kind = b""
    while line := response.readline():
        name, _, value = line.rstrip(b"\r\n").partition(b": ")
        if name == b"event":
            kind = value
        elif name == b"data" and not kind:
            yield orjson.loads(value)


def _error_of(response: HTTPResponse, content: bytes) -> FencewrightError:
    """Return the error in a response."""
    try:
        meta: dict[str, Any] = orjson.loads(content)["meta"]
        message = str(meta["message"])
    except (ValueError, KeyError, TypeError):
        return WorkspaceError(f"The process that has the workspace open answered {response.status}.")
    if response.status == 503 and response.getheader("connection") == "close":
        return AnswerLost(message)
    kind = _ERRORS.get(response.status)
    return kind(str(meta.get("param", "")), message) if kind else FencewrightError(message)
