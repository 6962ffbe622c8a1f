"""A router at a URL: a Valhalla server, for data larger than one machine."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, Final

import orjson

from engine.domain.errors import InvalidParameter, RoutingUnavailable
from engine.outbound.server import Answer, RemoteServer
from engine.outbound.shapes import WrongShape, record, text, whole
from engine.outbound.urls import shown_url
from engine.routing.router import ValhallaRouter
from engine.routing.service import LIMIT_S, Action, Deadline, Refused, Request

MAX_CONNECTIONS: Final = 16
_MAX_CODE: Final = 999


class RemoteService:
    """Valhalla over HTTP."""

    timed = True
    steady = False

    def __init__(self, url: str) -> None:
        """Connect to the server at `url`. Raises `InvalidParameter` for ``router`` if it is not a URL."""
        try:
            self._server = RemoteServer("routing server", url, RoutingUnavailable, connections=MAX_CONNECTIONS)
        except ValueError:
            raise InvalidParameter(
                "router", f"router: must be a URL such as http://localhost:8002, not {shown_url(url)!r}."
            ) from None

    @property
    def name(self) -> str:
        """The name of the server in messages."""
        return self._server.name

    def ask[T](self, action: Action, request: Request, deadline: Deadline, read: Callable[[Any], T]) -> T:
        """Return the response of the server, converted by `read`."""
        answer = self._server.post(f"/{action}", orjson.dumps(request), deadline.left_s())
        if answer.status != HTTPStatus.OK:
            raise self._refusal(answer)
        try:
            content = answer.json()
        except WrongShape:
            raise self._server.failure("is not a Valhalla server") from None
        try:
            return read(content)
        except WrongShape:
            raise self._server.strange() from None

    def ask_all[T](
        self, action: Action, requests: Sequence[Request], deadline: Deadline, read: Callable[[Any], T]
    ) -> list[T | Refused]:
        """Return each response, converted by `read`, or its refusal."""
        return [self._ask_or_refusal(action, request, deadline, read) for request in requests]

    def _ask_or_refusal[T](
        self, action: Action, request: Request, deadline: Deadline, read: Callable[[Any], T]
    ) -> T | Refused:
        try:
            return self.ask(action, request, deadline, read)
        except Refused as refused:
            return refused

    def _refusal(self, answer: Answer) -> Exception:
        try:
            content = record(answer.json())
            code, words = whole(content.get("error_code"), 0, _MAX_CODE), text(content.get("error"))
        except WrongShape:
            return self._server.failure(f"answered with status {answer.status}")
        return Refused(code, self._server.shown(words))

    def close(self) -> None:
        """Close the connections."""
        self._server.close()


class RemoteRouter(ValhallaRouter):
    """Finds routes by asking a Valhalla server."""

    def __init__(self, url: str, *, limit_s: float = LIMIT_S) -> None:
        service = RemoteService(url)
        super().__init__(service, service.name, limit_s)
