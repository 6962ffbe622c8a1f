"""The ASGI application of the endpoint."""

from collections.abc import Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send

from app.api.http.errors import MethodNotAllowed
from app.api.http.hosts import Hosts
from app.api.http.request_log.ring import RequestLog
from app.api.http.services import Services
from app.api.server.certificate import HttpsOnly, certificate_routes
from app.api.server.connections import Places
from app.api.server.control import Control
from app.api.server.docs import documentation_routes
from app.api.server.express import Express, ShortHeads
from app.api.server.middleware import is_public, layers, refused
from app.api.server.near_miss import hint_for
from app.api.server.pacing import Line, Turns
from app.api.server.routing import ResourceRoute
from app.api.server.tls import Tls
from app.api.v1 import HITTABLE, RESOURCES
from app.api.v1.request_log.reader import RequestReader
from app.api.wire.common.decoding import unquoted
from app.faults.book import Faults
from app.sdks.sightings import Sightings
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError, NotFound
from engine.engine import Engine


class Application(Starlette):
    """The Starlette application, with the objects that connections need for the fast path of location updates."""

    def __init__(
        self,
        routes: Sequence[BaseRoute],
        services: Services,
        request_log: RequestLog | None,
        tls: Tls | None = None,
    ) -> None:
        only = [] if tls is None else [Middleware(HttpsOnly)]
        super().__init__(
            routes=routes,
            middleware=[*layers(services.admission), *only],
            exception_handlers={FencewrightError: _refuse, 404: _refuse_path, 405: _refuse_method},
        )
        self.router.redirect_slashes = False
        self.router.default = WithoutLastSlash(self.router)
        self.services = services
        self.tls = tls
        self.request_log = request_log
        self.express = Express(services)
        self.places: Places[Any] = Places()
        self.turns = Turns()
        self.line = Line()
        self.short_heads = ShortHeads()
        services.streams.most = min(services.streams.most, self.places.most // 2)


class WithoutLastSlash:
    """Serves an unknown path that ends in a slash as the path without it.

    The usual response would be a redirect, but clients that accept only status 200 do not follow it.
    """

    def __init__(self, router: Router) -> None:
        self._router = router
        self._not_found = router.default

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        path: str = scope["path"]
        if not (path.startswith(("/v1/", "/maps/")) and path.endswith("/")):
            await self._not_found(scope, receive, send)
            return
        scope["path"] = path.rstrip("/")
        await self._router(scope, receive, send)


async def _refuse(request: Request, error: Exception) -> Response:
    return refused(error, request)


async def _refuse_path(request: Request, _error: Exception) -> Response:
    path = unquoted(request.scope["raw_path"], errors="replace")
    return refused(NotFound("path", f"Nothing is served at {path}; {hint_for(path)}"), request)


async def _refuse_method(request: Request, _error: Exception) -> Response:
    route: Route = request.scope["route"]
    served = (route.methods or set()) - {"HEAD"}
    return refused(MethodNotAllowed(request.method, route.path, served, preflight=is_public(request.scope)), request)


def request_reader(engine: Engine) -> RequestReader:
    """Return a reader of a new, empty request log of a workspace."""
    keys = engine.workspace.keys
    log = RequestLog(engine.clock_of(Environment.LIVE), keys)
    return RequestReader(log, lambda: [*(key.value for key in keys.all()), *engine.webhooks.tokens], RESOURCES)


def create_app(
    engine: Engine,
    *,
    control_token: str | None = None,
    hosts: Hosts | None = None,
    tls: Tls | None = None,
    requests: RequestReader | None = None,
    sightings: Sightings | None = None,
    faults: Faults | None = None,
) -> Application:
    """Return the application of an open engine, for one event loop.

    With a `control_token` it also has the private control routes, does not limit tracking, and does not log requests.
    `hosts` are the accepted host names, by default those of this machine's loopback. With `tls`, plain HTTP is refused.
    `requests` is the request log, by default a new one. `sightings` record which SDKs send requests. `faults` are
    injected faults, which never hit other commands.
    """
    requests = requests or request_reader(engine)
    services = Services(
        engine,
        hosts or Hosts(),
        requests,
        limited=control_token is None,
        sightings=sightings,
        faults=faults or Faults(lambda: HITTABLE),
    )
    routes: list[BaseRoute] = [] if control_token is None else [*Control(services, control_token).routes()]
    routes += [ResourceRoute(resource, services) for resource in RESOURCES]
    routes += documentation_routes()
    routes += certificate_routes(tls)
    return Application(routes, services, requests.log if control_token is None else None, tls)
