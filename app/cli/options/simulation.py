"""The options for the roads along which a device moves, and for the behaviour of its phone."""

from argparse import SUPPRESS, Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from app.cli.options.shared import Commands, Parser, add, add_environment, add_json, add_workspace
from app.cli.terminal.simulated import read_devices, read_mode, read_noise, read_position, read_seed
from app.cli.terminal.values import (
    read_duration,
    read_positive,
    read_seconds,
    read_some_seconds,
    read_speed,
    read_start,
    read_url,
)
from engine.domain.travel import FIX_INTERVAL_S, MODES, TravelMode
from engine.simulation.fleet.plan import DEFAULT_PREFIX
from engine.simulation.noise.model import PRESETS


class _AddWaypoint(Action):
    """Adds a waypoint, which is passed without a wait, to the previous ones."""

    def __call__(  # the arguments of argparse, including unused ones
        self,
        parser: ArgumentParser,  # noqa: ARG002
        namespace: Namespace,
        values: Any,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        namespace.route = [*namespace.route, (values, 0.0)]


class _Wait(Action):
    """Lets the device wait at the previous waypoint."""

    def __call__(  # the arguments of argparse, including unused ones
        self,
        parser: ArgumentParser,  # noqa: ARG002
        namespace: Namespace,
        values: Any,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        if not namespace.route:
            raise ArgumentError(self, "must follow the --route where the device waits")
        namespace.route = [*namespace.route[:-1], (namespace.route[-1][0], values)]


def add_route(parser: Parser) -> None:
    """Add ``--route`` and the options that belong to it."""
    parser.add_argument(
        "--route",
        action=_AddWaypoint,
        type=read_position,
        default=[],
        metavar="LAT,LNG",
        help="instead of TRACK: follow roads from each --route to the next",
    )
    parser.add_argument(
        "--wait",
        action=_Wait,
        type=read_seconds,
        default=SUPPRESS,
        metavar="S",
        help="wait this many seconds at the preceding --route",
    )
    _add_roads(parser, None, None)


def add_fleet(commands: Commands) -> None:
    """Add ``fleet``."""
    parser = add(
        commands,
        "fleet",
        "move many devices along roads at once",
        "Move many devices along roads, and write their events as they happen.",
    )
    parser.add_argument("--devices", required=True, type=read_devices, metavar="N", help="how many devices")
    add_phone(parser, "the same number gives the same fleet")
    _add_roads(parser, TravelMode.CAR, 5.0)
    _add_itineraries(parser)
    _add_sending(parser)
    add_workspace(parser)
    add_environment(parser)
    add_json(parser)


def _add_itineraries(parser: Parser) -> None:
    """Add the options for the destinations and the schedule of a fleet."""
    parser.add_argument(
        "--area",
        action="append",
        default=[],
        metavar="NAME",
        help="move in this area; repeatable (default: all areas in use)",
    )
    parser.add_argument(
        "--tag", action="append", default=[], metavar="TAG", help="go to geofences with this tag; repeatable"
    )
    parser.add_argument("--reach", type=read_positive, default=5.0, metavar="KM", help="longest route (default: 5)")
    parser.add_argument(
        "--stay",
        type=read_seconds,
        default=180.0,
        metavar="S",
        help="stop at the end of each route (default: 180)",
    )
    parser.add_argument("--loop", action="store_true", help="go back and start again until Ctrl-C or the end of --for")
    parser.add_argument(
        "--stagger",
        type=read_seconds,
        default=1.0,
        metavar="S",
        help="time between the starts of devices (default: 1)",
    )
    parser.add_argument("--trips", action="store_true", help="make each route a trip")


def _add_sending(parser: Parser) -> None:
    """Add the options for the device IDs, accuracy, speed, duration and start of a fleet's updates."""
    parser.add_argument(
        "--accuracy",
        type=read_positive,
        default=10.0,
        metavar="M",
        help="accuracy without --noise (default: 10)",
    )
    parser.add_argument(
        "--device",
        default=DEFAULT_PREFIX,
        metavar="PREFIX",
        help=f"prefix of the device IDs (default: {DEFAULT_PREFIX})",
    )
    parser.add_argument(
        "--speed", type=read_speed, default=1.0, metavar="max|N", help="N times real time, or max (default: 1)"
    )
    parser.add_argument(
        "--for",
        dest="until",
        type=read_duration,
        metavar="DURATION",
        help="end after this much simulated time",
    )
    parser.add_argument(
        "--start", type=read_start, default="now", metavar="ISO|now", help="simulated time of the start (default: now)"
    )


def _add_roads(parser: Parser, mode: TravelMode | None, interval_s: float | None) -> None:
    """Add the options for travel along roads; without defaults, the command can see whether they were given."""
    parser.add_argument("--mode", type=read_mode, default=mode, metavar="MODE", help=f"{MODES} (default: car)")
    parser.add_argument(
        "--interval",
        type=read_some_seconds,
        default=interval_s,
        metavar="S",
        help=f"time between fixes (default: {interval_s or FIX_INTERVAL_S:g})",
    )
    parser.add_argument("--router", type=read_url, metavar="URL", help="find routes with this Valhalla server")


def add_phone(parser: Parser, seeded: str = "with --noise: the same number gives the same noise") -> None:
    """Add ``--noise`` and the other options of a phone; `seeded` is what the seed decides."""
    parser.add_argument("--noise", type=read_noise, metavar="PRESET", help=f"noise of a phone: {', '.join(PRESETS)}")
    parser.add_argument("--seed", type=read_seed, metavar="N", help=f"{seeded} (default: 0)")
    parser.add_argument("--derive-motion", action="store_true", help="derive stopped and foreground from the movement")


def with_positions_joined(arguments: Sequence[str]) -> list[str]:
    """Return arguments in which a position south of the equator is not mistaken for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] == "--route" and argument[:1] == "-" and argument[1:2].isdigit():
            joined[-1] = f"--route={argument}"
        else:
            joined.append(argument)
    return joined
