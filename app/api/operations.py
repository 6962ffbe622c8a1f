"""An operation of the interface: what it takes, who may call it, what it answers.

A handler in `v1/` sees a `Call` and returns the fields of its answer; it knows neither headers nor bytes.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.api.answers import AnswerModel, ContextAnswer, PageAnswerModel, SettingsAnswer
from app.api.cors import Headers
from app.api.encoding import Encoded
from app.api.endpoint_limits import Rate
from app.api.limits import MAX_BODY
from app.api.requests import RequestModel
from app.api.services import Services
from engine.domain.environment import Environment, KeyLevel


@dataclass(slots=True)
class Call[Q, B]:
    """A request, decoded: the key's environment, the path's parameters, the query and the body.

    A handler may add to `headers` what the answer is to carry.
    """

    services: Services
    environment: Environment
    path: Mapping[str, str]
    query: Q
    body: B
    client: str | None
    headers: Headers = field(default_factory=list)


type Handler = Callable[[Call[Any, Any]], Awaitable[Encoded]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one path.

    `errors` are the statuses beyond 400, 401, 500 and 503 that it may answer; `limited` tells that answers carry the
    headers of a rate limit; `rate` is how many requests a second it takes where the setting `endpointRateLimits` is
    on; bodies hold at most `max_body` bytes.
    """

    name: str
    summary: str
    level: KeyLevel
    handler: Handler
    answer: type[AnswerModel] | type[PageAnswerModel] | type[SettingsAnswer] | type[ContextAnswer]
    query: type[RequestModel] | None = None
    body: type[RequestModel] | None = None
    errors: tuple[int, ...] = ()
    limited: bool = False
    rate: Rate | None = None
    max_body: int = MAX_BODY


@dataclass(frozen=True, slots=True)
class Resource:
    """A path, whose parts in braces each take one segment, and its operations by method.

    Where the path could also be another's, `applies` tells from its parameters whether it is this one's.
    """

    path: str
    operations: Mapping[str, Operation]
    applies: Callable[[Services, Mapping[str, str]], bool] | None = None
