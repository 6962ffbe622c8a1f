"""Tracks along roads in the areas that a workspace uses, even if another process has it open."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.cli.targets import chosen_workspace
from app.cli.terminal.output import note, progress_line
from app.cli.terminal.signals import StopRequest
from engine.areas.library import AreaLibrary
from engine.domain.errors import InvalidParameter, renamed
from engine.domain.routing import Router
from engine.domain.tracking.tracks import Track
from engine.domain.travel import FIX_INTERVAL_S, TravelMode
from engine.simulation.routed import RoutePlan, Waypoint, route

if TYPE_CHECKING:
    from engine.domain.area import Area

_OPTIONS: Final = {"waypoints": "--route", "wait_s": "--wait", "interval_s": "--interval"}


def route_plan(arguments: Namespace) -> RoutePlan:
    """Return the route that ``--route`` and its options describe; raises `InvalidParameter` naming an option."""
    try:
        waypoints = tuple(Waypoint(point, wait_s) for point, wait_s in arguments.route)
        return RoutePlan(waypoints, arguments.mode or TravelMode.CAR, arguments.interval or FIX_INTERVAL_S)
    except InvalidParameter as error:
        raise with_option(error) from None


def routed(arguments: Namespace, plan: RoutePlan, start: datetime, stop: StopRequest) -> Track:
    """Return the track along a route, and report waypoints far from roads; raises `Cancelled`."""
    with router_of(arguments) as router:
        try:
            found = route(router, plan, start, progress_line("finding a route", stop.check))
        except InvalidParameter as error:
            raise with_option(error) from None
    for moved in found.moved:
        note(f"warning: {renamed(moved.text, 'waypoints', '--route')}")
    return found.track


def with_option(error: InvalidParameter) -> InvalidParameter:
    """Return an error that names the option instead of the field."""
    option = _OPTIONS.get(error.param, error.param)
    return InvalidParameter(option, renamed(error.message, error.param, option))


@contextmanager
def router_of(arguments: Namespace, names: Sequence[str] = ()) -> Iterator[Router]:
    """Yield a router over the areas of the workspace, over the named areas, or on the server of ``--router``."""
    # Imported here because the router takes long to load.
    from engine.routing.areas import AreaRouter
    from engine.routing.remote import RemoteRouter

    router = RemoteRouter(arguments.router) if arguments.router else AreaRouter(areas_of(arguments, names))
    try:
        yield router
    finally:
        router.close()


def areas_of(arguments: Namespace, names: Sequence[str] = ()) -> "tuple[Area, ...]":
    """Return the areas that the workspace uses, or the named areas; raises `NotFound` naming ``area``.

    Areas are stored in folders, so the workspace does not have to be open.
    """
    # A temporary workspace has no such folder and uses the bundled areas.
    library = AreaLibrary(Path(chosen_workspace(arguments)))
    return tuple(library.get(name) for name in names) if names else library.in_use()
