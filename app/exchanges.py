"""Requests and their responses as the request log describes them to every interface."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, Protocol

from msgspec import Struct

from engine.domain.geometry import Point


class Exchange(NamedTuple):
    """A request and its response as they were sent over the wire, not yet parsed.

    The response was sent `after_s` seconds after `anchor`. `peer` is the address of the client. `live` is None without
    a key of the workspace. `head` is the request line and the headers. `body` and `answer` (with its own head) may be
    truncated, but their sizes are those of the full bodies. `status` is 0 if there was no response. `faults` are the
    `id`s of the injected faults that hit the request.
    """

    number: int
    anchor: datetime
    after_s: float
    duration_s: float
    peer: str | None
    live: bool | None
    head: bytes
    body: bytes
    body_size: int
    status: int
    answer: bytes
    answer_size: int
    faults: tuple[str, ...] = ()

    @property
    def at(self) -> datetime:
        """Time of the response."""
        return self.anchor + timedelta(milliseconds=round(self.after_s * 1000))


class NearMissKind(StrEnum):
    """The ways in which a request may have meant something else."""

    UNKNOWN_FIELD = "unknownField"
    MISSPELLED_FIELD = "misspelledField"
    WRONG_PLACE = "wrongPlace"
    NOT_SERVED = "notServed"
    WRONG_PATH = "wrongPath"
    WRONG_METHOD = "wrongMethod"
    WRONG_TYPE = "wrongType"


class NearMiss(Struct, frozen=True):
    """A part of a request without the intended effect. `message` explains it in a sentence.

    `param` is the name at fault, as the client wrote it. `suggestion` is the name that was probably meant.
    """

    kind: NearMissKind
    message: str
    param: str | None = None
    suggestion: str | None = None


class EventMark(Struct, frozen=True):
    """An event that a request caused: its `_id` and its type."""

    id: str
    type: str


class RequestSummary(Struct, frozen=True):
    """One-line summary of a request, with masked keys.

    `path` includes the query, and `point` is the position that the request gives.
    """

    number: int
    at: datetime
    duration_s: float
    live: bool | None
    method: str
    path: str
    status: int
    device_id: str | None
    user_id: str | None
    events: tuple[EventMark, ...]
    near_misses: tuple[NearMiss, ...]
    faults: tuple[str, ...] = ()
    point: Point | None = None


type HeaderLines = tuple[tuple[str, str], ...]


class Message(Struct, frozen=True):
    """Headers and body of a request or a response, as text. Keys are masked. `size` is that of the full body."""

    headers: HeaderLines
    body: str
    size: int
    is_cut: bool

    def header(self, name: str) -> str | None:
        """Return a header by its name in lower case."""
        return next((value for each, value in self.headers if each.lower() == name), None)


class LoggedRequest(Struct, frozen=True):
    """A request with all known details. Keys are masked. `answer` is None if there was no response."""

    summary: RequestSummary
    client: str | None
    request: Message
    answer: Message | None

    @property
    def request_id(self) -> str | None:
        """The ID that the response gave the request."""
        return self.answer.header("x-radar-request-id") if self.answer else None


class Requests(Protocol):
    """The request log of an open workspace. May be used from any thread."""

    def snapshot(self) -> Sequence[Exchange]:
        """Return all requests in the log, oldest first."""
        ...

    def summary(self, exchange: Exchange) -> RequestSummary:
        """Return the one-line summary of a request."""
        ...

    def read(self, exchange: Exchange) -> LoggedRequest:
        """Return a request with all known details."""
        ...

    def clear(self, *, live: bool) -> int:
        """Delete the requests of an environment and those without a key, and return how many there were."""
        ...

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call `listener` after each request, from the thread that answers all requests. Returns a function to
        unsubscribe."""
        ...
