"""The ASGI application of the endpoint."""

from collections.abc import Iterable

from starlette.applications import Starlette
from starlette.middleware import Middleware

from app.api.control import Control
from app.api.docs import documentation_routes
from app.api.gate import Gate, Hosts
from app.api.routing import PathRoute, ResourceRoute, unknown_path
from app.api.services import Services
from app.api.v1 import RESOURCES
from engine.engine import Engine


def create_app(engine: Engine, *, control_token: str | None = None, hosts: Iterable[str] = ()) -> Starlette:
    """Return the application over an open engine, for one event loop.

    With a `control_token` it also has the private control routes. `hosts` are names under which it may be called
    besides ``localhost`` and addresses.
    """
    services = Services(engine)
    routes: list[PathRoute] = [ResourceRoute(resource, services) for resource in RESOURCES]
    routes += documentation_routes()
    if control_token is not None:
        routes += Control(services, control_token).routes()
    app = Starlette(routes=routes, middleware=[Middleware(Gate, hosts=Hosts(hosts))])
    app.router.redirect_slashes = False
    app.router.default = unknown_path
    app.state.services = services
    return app
