"""The track that ``simulate`` plays, and the phone that reports it."""

from argparse import Namespace

from app.cli.simulation.routes import route_plan, routed
from app.cli.terminal.signals import StopRequest
from app.cli.terminal.skipped import note_skipped
from engine.domain.errors import InvalidParameter
from engine.domain.ports import SystemClock
from engine.domain.tracking.tracks import Track
from engine.simulation.formats.reading import read_track
from engine.simulation.motion import USUAL
from engine.simulation.phone import Phone


def track_of(arguments: Namespace, stop: StopRequest) -> Track:
    """Return the track of a file, or of a route along roads; raises `InvalidParameter` naming an option."""
    if not arguments.route:
        if arguments.track is None:
            raise InvalidParameter("TRACK", "TRACK: give a track file, or --route at least twice.")
        for name in ("mode", "interval", "router"):
            if getattr(arguments, name) is not None:
                raise InvalidParameter(f"--{name}", f"--{name}: requires --route; a track is played as it is.")
        found = read_track(arguments.track)
        note_skipped(found)
        return found
    if arguments.track is not None:
        raise InvalidParameter("--route", f"--route: cannot be given together with the track {arguments.track.name}.")
    if arguments.assume_speed is not None:
        raise InvalidParameter(
            "--assume-speed", "--assume-speed: cannot be used with --route, which uses the speeds of the roads."
        )
    return routed(arguments, route_plan(arguments), SystemClock().now(), stop)


def phone_of(arguments: Namespace) -> Phone:
    """Return the phone of ``--noise``, ``--seed`` and ``--derive-motion``."""
    if arguments.seed is not None and arguments.noise is None:
        raise InvalidParameter("--seed", "--seed: requires --noise.")
    return Phone(arguments.noise, arguments.seed or 0, USUAL if arguments.derive_motion else None)
