"""The ASGI application of the endpoint."""

from collections.abc import Iterable
from typing import override

from starlette.applications import Starlette
from starlette.types import ASGIApp

from app.api.control import Control
from app.api.docs import documentation_routes
from app.api.express import Express
from app.api.gate import Gate, Hosts
from app.api.routing import PathRoute, ResourceRoute, unknown_path
from app.api.services import Services
from app.api.v1 import RESOURCES
from engine.engine import Engine


class Application(Starlette):
    """Starlette with the gate as its only layer.

    Starlette's own two layers turn exceptions into answers; the gate does that already, in our shape, and without
    them an update of a device is answered with noticeably less work.
    """

    def __init__(self, routes: list[PathRoute], hosts: Hosts, services: Services) -> None:
        super().__init__(routes=routes)
        self.express = Express(services, hosts)
        self.services = services
        self._hosts = hosts
        self.router.redirect_slashes = False
        self.router.default = unknown_path

    @override
    def build_middleware_stack(self) -> ASGIApp:
        return Gate(self.router.app, self._hosts)


def create_app(engine: Engine, *, control_token: str | None = None, hosts: Iterable[str] = ()) -> Application:
    """Return the application over an open engine, for one event loop.

    With a `control_token` it also has the private control routes, and no limit on tracking. `hosts` are names under
    which it may be called besides ``localhost`` and addresses.
    """
    services = Services(engine, limited=control_token is None)
    routes: list[PathRoute] = [ResourceRoute(resource, services) for resource in RESOURCES]
    routes += documentation_routes()
    if control_token is not None:
        routes += Control(services, control_token).routes()
    return Application(routes, Hosts(hosts), services)
