"""Operations of the API: their parameters, access level and answers.

A handler in `v1/` receives a `Call` and returns the fields of its answer; it deals with neither headers nor bytes. Its
method and path are declared with the `Routes` of its module.
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
    """A decoded request: the key's environment, the path's parameters, the query and the body.

    `device_type` is the device type that an SDK sends, such as ``iOS``; `last_event_id` is the event after which a
    stream resumes.

    A handler may add response headers to `headers`, and warnings for the `meta` of the response to `warnings`. Warnings
    are plain sentences that begin with the parameter they are about; those about parameters without effect are already
    present. `origin` is the client's base URL of this endpoint, without a trailing slash. `author` identifies the
    client in the history of geofences.
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
    """A response with its own content type; the query may hold the key, since some clients cannot send headers.

    It may be `empty`, with status 204, or a whole file that also supports `ranges`.
    """

    kind: str
    empty: bool = False
    ranges: bool = False


class Streamed(Struct, frozen=True):
    """A continuous response: server-sent events, each of which carries a record."""

    record: type[Record]


class Operation(Struct, frozen=True, kw_only=True):
    """One method of one path.

    `errors` are the statuses that the operation may return in addition to the common ones. `limited` marks responses
    with rate limit headers. `rate` is the number of requests that it accepts per second if the setting
    `endpointRateLimits` is on. `rehearsed` means that settings may have it answered with an error, which is never the
    case for operations that tests depend on. Bodies hold at most `max_body` bytes, of which the part beyond one MiB is
    reserved for the items of `long_list`. A body with such a list may also hold more values. `credit` names the source
    of the data in Markdown, for the operation's description.
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
    credit: str = ""


type _Applies = Callable[[Services, Mapping[str, str]], bool]


class Resource(Struct, frozen=True):
    """A path and its operations by method; each part in braces matches one segment.

    If the path could also belong to another resource, `applies` decides from its parameters whether it belongs to this
    one.
    """

    path: str
    operations: Mapping[str, Operation]
    applies: _Applies | None = None


class _OperationFields(TypedDict, total=False):
    """The fields of an operation that its declaration sets."""

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
    credit: str


class Routes:
    """The resources of a module, in the order in which their paths first appear.

    `level` and `rehearsed` are the defaults of its operations.
    """

    def __init__(self, level: KeyLevel, *, rehearsed: bool = True) -> None:
        self._level, self._rehearsed = level, rehearsed
        self._operations: dict[str, dict[str, Operation]] = {}
        self._applies: dict[str, _Applies] = {}

    def __call__[H: Handler](
        self, method: str, path: str, *, applies: _Applies | None = None, **fields: Unpack[_OperationFields]
    ) -> Callable[[H], H]:
        """Declare a handler as an operation; the types of its query and body come from its `Call`."""
        fields.setdefault("level", self._level)
        fields.setdefault("rehearsed", self._rehearsed)

        def declare(handler: H) -> H:
            query, body = (None if each is type(None) else each for each in get_args(handler.__annotations__["call"]))
            operation = Operation(handler=handler, query=query, body=body, **fields)
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
