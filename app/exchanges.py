"""Requests and their answers as the request log tells of them, for whichever interface shows them."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, Protocol

from msgspec import Struct

from engine.domain.geometry import Point


class Exchange(NamedTuple):
    """A request and its answer as they went over the wire; nothing of it has been read yet.

    `after_s` seconds after `anchor` it was answered; `peer` is the address of the connection's other end. `live` is
    None without a key of the workspace. `head` is the request line and the headers; `body` and `answer` (with its own
    head) may be cut, their sizes tell how large the bodies were. `status` is 0 where there was no answer. `faults` are
    the `id`s of those on purpose that have hit it.
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
        """When it was answered."""
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
    """Something in a request that has no effect, or another one than was meant; `message` says it in a sentence.

    `param` is the name at fault, as the client wrote it; `suggestion` what was probably meant.
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
    """A request in a line; keys are masked. `path` is with its query, and `point` is the position that it gives."""

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
    """Headers and body of a request or an answer, as text; keys are masked. `size` is that of the whole body."""

    headers: HeaderLines
    body: str
    size: int
    is_cut: bool

    def header(self, name: str) -> str | None:
        """Return a header by its name in small letters."""
        return next((value for each, value in self.headers if each.lower() == name), None)


class LoggedRequest(Struct, frozen=True):
    """A request with all that is known of it; keys are masked. `answer` is None where there was none."""

    summary: RequestSummary
    client: str | None
    request: Message
    answer: Message | None

    @property
    def request_id(self) -> str | None:
        """The name that the answer gave the request."""
        return self.answer.header("x-radar-request-id") if self.answer else None


class Requests(Protocol):
    """The request log of an open workspace. May be used from any thread."""

    def snapshot(self) -> Sequence[Exchange]:
        """Return everything that is kept, oldest first."""
        ...

    def summary(self, exchange: Exchange) -> RequestSummary:
        """Return a request in a line."""
        ...

    def read(self, exchange: Exchange) -> LoggedRequest:
        """Return a request with all that is known of it."""
        ...

    def clear(self, *, live: bool) -> int:
        """Forget the requests of an environment and those without a key; return how many there were."""
        ...

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call `listener` after each request, from the thread that answers all of them; return what ends that."""
        ...
