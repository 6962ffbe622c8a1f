"""The layers that every request passes on its way to a route, and every response on its way back.

Each is one plain ASGI layer. The server has neither lifespan nor websockets, so only requests arrive here.
"""

import re
from asyncio import CancelledError
from typing import Final

from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.http.admission import Admission
from app.api.http.cors import preflight_headers
from app.api.http.errors import Stopping
from app.api.http.headers import check_single, raw_headers
from app.api.http.responses import JsonResponse, common_headers, error_response, new_reference
from app.api.wire.common.encoding import OK
from engine.domain.errors import InvalidParameter

_EXTRA_SLASHES: Final = re.compile(r"^/+(?=(?:api/)?v1/|maps/)")

CONTROL: Final = "/_workspace"
"""Prefix of the paths that no page may call."""


def layers(admission: Admission) -> list[Middleware]:
    """Return the layers, outermost first."""
    return [
        Middleware(RawPath),
        Middleware(CommonHeaders),
        Middleware(Failures),
        Middleware(HostCheck, admission),
        Middleware(Preflight),
    ]


def is_public(scope: Scope) -> bool:
    """Return whether a page may call the path of a request."""
    return not is_private(scope["path"])


def is_private(path: str) -> bool:
    """Return whether a path is reserved for other commands of this program."""
    return path.startswith(CONTROL)


def refused(error: Exception, request: Request) -> JsonResponse:
    """Return the response to an error."""
    return error_response(error, request.state.reference, f"{request.method} {request.scope['path']}")


class RawPath:
    """Makes routes match the path as sent, without the alias, because a segment may contain ``%2F``.

    A client whose host was configured with a trailing slash sends paths with two leading ones.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        path = _EXTRA_SLASHES.sub("/", scope["raw_path"].decode("latin-1"))
        scope["path"] = path[4:] if path.startswith("/api/v1/") else path
        await self._app(scope, receive, send)


class CommonHeaders:
    """Assigns a request ID and adds the common headers to the response.

    Starlette's own CORS layer does not fit: it writes nothing if there is no origin, adds ``Vary``, and answers a
    preflight with plain text.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        reference = new_reference()
        scope["state"]["reference"] = reference

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *common_headers(reference, public=is_public(scope))]
            await send(message)

        await self._app(scope, receive, send_marked)


class Failures:
    """Responds if no route did: to an internal error, and when the server stops.

    Starlette's own layer for errors raises them again, which would close the connection.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        started = False

        async def send_noted(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        except ClientDisconnect:
            return
        except CancelledError:
            # The server is stopping and this request exceeded its grace period; a response that has begun stays
            # incomplete.
            if started:
                return
            await refused(Stopping(), Request(scope))(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            response = refused(error, Request(scope))
            if not started:
                await response(scope, receive, send)


class HostCheck:
    """Refuses requests with foreign host names, and those with several hosts or keys in their headers."""

    def __init__(self, app: ASGIApp, admission: Admission) -> None:
        self._app = app
        self._admission = admission

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        try:
            check_single(scope["headers"])
            self._admission.check_host(raw_headers(scope))
        except InvalidParameter as error:
            await refused(error, Request(scope))(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class Preflight:
    """Answers a browser's preflight request for any path."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["method"] == "OPTIONS" and is_public(scope):
            response = JsonResponse({"meta": OK}, headers=preflight_headers(raw_headers(scope)))
            await response(scope, receive, send)
        else:
            await self._app(scope, receive, send)
