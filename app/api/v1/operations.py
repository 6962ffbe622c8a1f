"""An operation of the interface: what it takes, who may call it, what it answers.

A handler in `v1/` sees a `Call` and returns the fields of its answer; it knows neither headers nor bytes. What it is
called by is declared at it, by the `Routes` of its module.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, Required, TypedDict, Unpack, get_args

from msgspec import Struct, field

from app.api.http.content import Content, WholeFile
from app.api.http.headers import Headers
from app.api.http.limits import MAX_BODY
from app.api.http.rates import Rate
from app.api.http.services import Services
from app.api.http.streams.reader import Follow
from app.api.wire.common.answers import Record
from app.api.wire.common.encoding import Encoded
from app.api.wire.common.requests import RequestModel
from engine.domain.environment import Environment, KeyLevel


class Call[Q, B](Struct):
    """A request, decoded: the key's environment, the path's parameters, the query and the body.

    `device_type` is what an SDK calls the device, such as ``iOS``; `last_event_id` where a stream is to go on.

    A handler may add to `headers` what the answer is to carry, and to `warnings` what its `meta` is to say: plain
    sentences, each beginning with the parameter it is about. Those on parameters without effect are there already.
    `origin` is what the client calls this endpoint, without a slash at the end; `author` is what is told of the client
    in the history of geofences.
    """

    services: Services
    environment: Environment
    path: Mapping[str, str]
    query: Q
    body: B
    client: str | None
    device_type: str | None = None
    last_event_id: str | None = None
    origin: str = ""
    author: str = ""
    headers: Headers = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


type Answer = Encoded | Content | WholeFile | Follow
type Handler = Callable[[Call[Any, Any]], Awaitable[Answer]]


class Media(Struct, frozen=True):
    """An answer of a content type of its own. What asks for it may be unable to send headers: the key may be in the
    query.

    It may be `empty`, with status 204, or a whole file of which `ranges` can be had.
    """

    kind: str
    empty: bool = False
    ranges: bool = False


class Streamed(Struct, frozen=True):
    """An answer that goes on: server-sent events, each of which carries a record."""

    record: type[Record]


class Operation(Struct, frozen=True, kw_only=True):
    """One method of one path.

    `errors` are the statuses that it may answer beyond those that each may; `limited` tells that answers carry the
    headers of a rate limit; `rate` is how many requests a second it takes where the setting `endpointRateLimits` is
    on; `rehearsed` tells whether settings may have it answered with an error, which those that a
    test needs to go on never are; bodies hold at most `max_body` bytes, of which those beyond a MiB are for the items
    of `long_list`; with such a list they may hold more values, too.
    """

    name: str
    summary: str
    level: KeyLevel
    handler: Handler
    answer: type[Record] | Media | Streamed
    query: type[RequestModel] | None = None
    body: type[RequestModel] | None = None
    errors: tuple[int, ...] = ()
    limited: bool = False
    rate: Rate | None = None
    rehearsed: bool = True
    max_body: int = MAX_BODY
    long_list: str | None = None


type _Applies = Callable[[Services, Mapping[str, str]], bool]


class Resource(Struct, frozen=True):
    """A path, whose parts in braces each take one segment, and its operations by method.

    Where the path could also be another's, `applies` tells from its parameters whether it is this one's.
    """

    path: str
    operations: Mapping[str, Operation]
    applies: _Applies | None = None


class _Said(TypedDict, total=False):
    """The fields of an operation that are said where it is declared."""

    name: Required[str]
    summary: Required[str]
    answer: Required[type[Record] | Media | Streamed]
    level: KeyLevel
    errors: tuple[int, ...]
    limited: bool
    rate: Rate
    rehearsed: bool
    max_body: int
    long_list: str


class Routes:
    """The resources of a module, in the order in which their paths are first named.

    `level` and `rehearsed` are those of operations that do not say otherwise.
    """

    def __init__(self, level: KeyLevel, *, rehearsed: bool = True) -> None:
        self._level, self._rehearsed = level, rehearsed
        self._operations: dict[str, dict[str, Operation]] = {}
        self._applies: dict[str, _Applies] = {}

    def __call__[H: Handler](
        self, method: str, path: str, *, applies: _Applies | None = None, **said: Unpack[_Said]
    ) -> Callable[[H], H]:
        """Declare the operation that a handler is, of which its `Call` says the query and the body."""
        said.setdefault("level", self._level)
        said.setdefault("rehearsed", self._rehearsed)

        def declare(handler: H) -> H:
            query, body = (None if each is type(None) else each for each in get_args(handler.__annotations__["call"]))
            operation = Operation(handler=handler, query=query, body=body, **said)
            operations = self._operations.setdefault(path, {})
            if method in operations:
                raise ValueError(f"{method} {path} has two handlers")
            operations[method] = operation
            if applies is not None:
                self._applies[path] = applies
            return handler

        return declare

    def __iter__(self) -> Iterator[Resource]:
        for path, operations in self._operations.items():
            yield Resource(path, operations, self._applies.get(path))
