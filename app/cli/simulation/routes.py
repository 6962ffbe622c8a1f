"""Tracks along roads, of the areas that a workspace uses, whichever process has it open."""

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
    """Return the way that ``--route`` and its options describe; raises `InvalidParameter` naming an option."""
    try:
        waypoints = tuple(Waypoint(point, wait_s) for point, wait_s in arguments.route)
        return RoutePlan(waypoints, arguments.mode or TravelMode.CAR, arguments.interval or FIX_INTERVAL_S)
    except InvalidParameter as error:
        raise with_option(error) from None


def routed(arguments: Namespace, plan: RoutePlan, start: datetime, stop: StopRequest) -> Track:
    """Return the track along a way, and say what waypoints lie far from roads; raises `Cancelled`."""
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
    """Yield a router over the areas that the workspace uses, or over those named, or on the server of ``--router``."""
    # Only here: what finds ways takes long to load.
    from engine.routing.areas import AreaRouter
    from engine.routing.remote import RemoteRouter

    router = RemoteRouter(arguments.router) if arguments.router else AreaRouter(areas_of(arguments, names))
    try:
        yield router
    finally:
        router.close()


def areas_of(arguments: Namespace, names: Sequence[str] = ()) -> "tuple[Area, ...]":
    """Return the areas that the workspace uses, or those named; raises `NotFound` naming ``area``.

    Areas lie in folders, so nobody has to open the workspace for that.
    """
    # Of a temporary workspace there is no such folder, and so it uses those that came with the program.
    library = AreaLibrary(Path(chosen_workspace(arguments)))
    return tuple(library.get(name) for name in names) if names else library.in_use()
