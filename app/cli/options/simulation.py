"""The options that say along which roads a device moves, and what its phone makes of that."""

from argparse import SUPPRESS, Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from app.cli.options.shared import Parser
from app.cli.terminal.simulated import read_mode, read_noise, read_position, read_seconds, read_seed
from app.cli.terminal.values import read_positive, read_url
from engine.domain.travel import MODES, TravelMode
from engine.simulation.noise.model import PRESETS


class _AddWaypoint(Action):
    """Adds a waypoint, which is passed without a wait, to those before."""

    def __call__(  # what argparse hands in, also what is of no use here
        self,
        parser: ArgumentParser,  # noqa: ARG002
        namespace: Namespace,
        values: Any,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        namespace.route = [*namespace.route, (values, 0.0)]


class _Wait(Action):
    """Lets the device wait at the waypoint before it."""

    def __call__(  # what argparse hands in, also what is of no use here
        self,
        parser: ArgumentParser,  # noqa: ARG002
        namespace: Namespace,
        values: Any,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        if not namespace.route:
            raise ArgumentError(self, "must follow the --route at which the device is to wait")
        namespace.route = [*namespace.route[:-1], (namespace.route[-1][0], values)]


def add_route(parser: Parser) -> None:
    """Add ``--route`` and what belongs to it."""
    parser.add_argument(
        "--route",
        action=_AddWaypoint,
        type=read_position,
        default=[],
        metavar="LAT,LNG",
        help="instead of TRACK: go along roads from each --route to the next, at their speeds",
    )
    parser.add_argument(
        "--wait",
        action=_Wait,
        type=read_seconds,
        default=SUPPRESS,
        metavar="S",
        help="wait so many seconds at the --route before this; without it the device passes",
    )
    parser.add_argument("--mode", type=read_mode, default=TravelMode.CAR, metavar="MODE", help=f"{MODES}; default: car")
    parser.add_argument(
        "--interval",
        type=read_positive,
        default=1.0,
        metavar="S",
        help="seconds between fixes of a route; default: 1",
    )
    parser.add_argument("--router", type=read_url, metavar="URL", help="find ways on this Valhalla server")


def add_phone(parser: Parser) -> None:
    """Add ``--noise`` and what else a phone makes of a track."""
    parser.add_argument(
        "--noise",
        type=read_noise,
        metavar="PRESET",
        help=f"report fixes as a phone would: {', '.join(PRESETS)}",
    )
    parser.add_argument(
        "--seed", type=read_seed, metavar="N", help="the same number gives the same noise everywhere; default: 0"
    )
    parser.add_argument("--derive-motion", action="store_true", help="send stopped and foreground as the movement says")


def with_positions_joined(arguments: Sequence[str]) -> list[str]:
    """Return arguments in which a position south of the equator is not taken for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] == "--route" and argument[:1] == "-" and argument[1:2].isdigit():
            joined[-1] = f"--route={argument}"
        else:
            joined.append(argument)
    return joined
