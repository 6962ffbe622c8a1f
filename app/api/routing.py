"""From a raw path to the operation that serves it."""

from collections.abc import Awaitable, Callable
from typing import Final, NoReturn, override
from urllib.parse import unquote

from pydantic import BaseModel
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from app.api.authentication import authenticate
from app.api.decoding import decode_body, decode_query
from app.api.exchange import EXCHANGE, JSON_TYPE, Exchange
from app.api.limits import read_body, refuse_announced
from app.api.operations import Call, Operation, Resource
from app.api.services import Services
from engine.domain.errors import InvalidParameter, NotFound

_FULL: Final[tuple[Match, Scope]] = (Match.FULL, {})
_NONE: Final[tuple[Match, Scope]] = (Match.NONE, {})


class PathRoute(BaseRoute):
    """A route for one path template.

    The raw path is split before it is decoded, so that a parameter may hold ``%2F``.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._raw = path.encode()
        self._parts = self._raw.split(b"/")
        self._names = {at: part[1:-1].decode() for at, part in enumerate(self._parts) if part[:1] == b"{"}

    @override
    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the request's path is this one, whatever its method."""
        path = scope[EXCHANGE].path
        return _FULL if (self._fits(path) if self._names else path == self._raw) else _NONE

    def _fits(self, path: bytes) -> bool:
        parts = path.split(b"/")
        return len(parts) == len(self._parts) and all(
            at in self._names or part == self._parts[at] for at, part in enumerate(parts)
        )

    def parameters(self, path: bytes) -> dict[str, str]:
        """Return the path's parameters by their names in the template, percent-decoded."""
        if not self._names:
            return {}
        parts = path.split(b"/")
        return {name: decode_segment(parts[at], name) for at, name in self._names.items()}


class ResourceRoute(PathRoute):
    """Serves the operations of a resource."""

    def __init__(self, resource: Resource, services: Services) -> None:
        super().__init__(resource.path)
        self.resource = resource
        self._services = services

    @override
    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the request's path is this resource's, whatever its method."""
        match = super().matches(scope)
        applies = self.resource.applies
        if applies is None or match is _NONE:
            return match
        return _FULL if applies(self._services, self.parameters(scope[EXCHANGE].path)) else _NONE

    @override
    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the operation and send its answer."""
        exchange: Exchange = scope[EXCHANGE]
        operation = self._operation(scope["method"])
        key = authenticate(self._services.keys, exchange.headers.get(b"authorization"), operation.level)
        call = Call(
            services=self._services,
            environment=key.environment,
            path=self.parameters(exchange.path),
            query=decode_query(operation.query, scope["query_string"]) if operation.query else None,
            body=await _body_of(exchange, operation) if operation.body else None,
            client=self._services.client(key.environment, exchange.headers, exchange.client),
        )
        call.headers += self._services.admit_request(key, operation.name, operation.rate, call.client)
        answer = await operation.handler(call)
        await exchange.answer_json(200, answer, call.headers)

    def _operation(self, method: str) -> Operation:
        operations = self.resource.operations
        operation = operations.get("GET" if method == "HEAD" else method)
        if operation is None:
            raise NotFound("method", f"{method} is not served at {self.path}; it serves {', '.join(operations)}.")
        return operation


class ExchangeRoute(PathRoute):
    """Serves one method of a path with a function that answers the exchange itself."""

    def __init__(self, path: str, method: str, serve: Callable[[Exchange], Awaitable[None]]) -> None:
        super().__init__(path)
        self._method = method
        self._serve = serve

    @override
    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the function answer."""
        if scope["method"] not in (self._method, "HEAD" if self._method == "GET" else self._method):
            raise NotFound("method", f"{scope['method']} is not served at {self.path}; it serves {self._method}.")
        await self._serve(scope[EXCHANGE])


async def _body_of(exchange: Exchange, operation: Operation) -> BaseModel:
    assert operation.body is not None
    refuse_announced(exchange, operation.max_body)
    body = await read_body(exchange, operation.max_body)
    return decode_body(operation.body, body, exchange.headers.get(b"content-type", JSON_TYPE))


def decode_segment(segment: bytes, param: str) -> str:
    """Return one segment of a raw path, percent-decoded; a plus sign is a plus sign."""
    try:
        return unquote(segment.decode("ascii"), errors="strict")
    except UnicodeDecodeError:
        raise InvalidParameter(param, f"{param}: the path is not valid UTF-8.") from None


async def unknown_path(scope: Scope, _receive: Receive, _send: Send) -> NoReturn:
    """Refuse a path that nothing serves."""
    raise NotFound("path", f"Nothing is served at {scope['path']}; /docs lists what is.")
