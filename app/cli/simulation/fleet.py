"""``fencewright fleet``: many devices move along roads, and their events are written as they happen."""

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import quote

from app.api.wire.common.encoding import Encoded
from app.cli.events import event_line
from app.cli.simulation.routes import areas_of, router_of
from app.cli.simulation.sending import is_late, is_unrouted, note_late, note_unrouted
from app.cli.targets import chosen_workspace
from app.cli.terminal.output import end_progress, note, progress_bar, write_json, write_line
from app.cli.terminal.signals import StopRequest, stop_on_signals
from app.cli.workspaces import ReachedWorkspace, Tracked, reach_workspace
from engine.domain.errors import InvalidParameter, NotFound, renamed
from engine.domain.geometry import Point
from engine.domain.ports import Cancelled
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.words import count
from engine.simulation.fleet.fleet import Fleet, FleetState, FleetStatus
from engine.simulation.fleet.plan import FleetPlan, Ground, Target, ground_around
from engine.simulation.fleet.trips import Lap, laps
from engine.simulation.fleet.updates import updates_of
from engine.simulation.motion import USUAL

_OPTIONS: Final = {
    "area": "--area",
    "devices": "--devices",
    "stagger_s": "--stagger",
    "interval_s": "--interval",
    "reach_m": "--reach",
    "stay_s": "--stay",
    "accuracy_m": "--accuracy",
    "prefix": "--device",
}
_MOST_TARGETS: Final = 1_000


def fleet(arguments: Namespace) -> int:
    """Plan a fleet and send its updates, to the end or until a signal requests a stop."""
    plan = _named(lambda: _plan(arguments))
    with stop_on_signals() as stop, reach_workspace(chosen_workspace(arguments), stop) as workspace:
        try:
            ground = _ground(arguments, workspace)
            with router_of(arguments, arguments.area) as router:
                found = _named(lambda: laps(router, plan, ground, progress_bar("planning", stop.check)))
        except Cancelled:
            end_progress()
            return stop.exit_code
        return _send(arguments, workspace, plan, found, stop)


def _plan(arguments: Namespace) -> FleetPlan:
    return FleetPlan(
        devices=arguments.devices,
        seed=arguments.seed or 0,
        mode=arguments.mode,
        interval_s=arguments.interval,
        stagger_s=arguments.stagger,
        reach_m=arguments.reach * 1_000,
        stay_s=arguments.stay,
        loop=arguments.loop,
        trips=arguments.trips,
        noise=arguments.noise,
        motion=USUAL if arguments.derive_motion else None,
        accuracy_m=arguments.accuracy,
        prefix=arguments.device,
    )


def _named[T](make: Callable[[], T]) -> T:
    """Return the result of `make`; its errors name the option instead of the parameter."""
    try:
        return make()
    except InvalidParameter as error:
        option = _OPTIONS.get(error.param, error.param)
        raise InvalidParameter(option, renamed(error.message, error.param, option)) from None


def _ground(arguments: Namespace, workspace: ReachedWorkspace) -> Ground:
    """Return the ground on which the fleet moves: the geofences of ``--tag``, otherwise the areas."""
    targets = [target for tag in arguments.tag for target in _targets(arguments, workspace, tag)]
    bounds = () if targets else tuple(area.bounds for area in areas_of(arguments, arguments.area))
    return _named(lambda: ground_around(targets, bounds))


def _targets(arguments: Namespace, workspace: ReachedWorkspace, tag: str) -> list[Target]:
    path = f"/v1/geofences?limit={_MOST_TARGETS}&tag={quote(tag, safe='')}"
    found: list[Encoded] = workspace.ask_v1("GET", path, arguments.environment)["geofences"]
    if not found:
        raise NotFound("--tag", f"--tag: no geofence has the tag {tag!r}.")
    return [Target(Point(*fence["geometryCenter"]["coordinates"]), fence["_id"]) for fence in found]


def _send(
    arguments: Namespace, workspace: ReachedWorkspace, plan: FleetPlan, found: Sequence[Lap], stop: StopRequest
) -> int:
    start = workspace.now(arguments.environment) if arguments.start == "now" else arguments.start

    late = unrouted = 0

    def send(updates: Sequence[LocationUpdate]) -> list[int | BaseException]:
        nonlocal late, unrouted
        answers = workspace.track_all(arguments.environment, updates)
        sent = [_written(answer, arguments.json) for answer in answers]
        late += sum(_is_late(update, answer) for update, answer in zip(updates, answers, strict=True))
        unrouted += sum(map(is_unrouted, answers))
        return sent

    shown = _Shown(arguments.speed, stop)
    devices = [updates_of(plan, lap, start) for lap in found]
    running = Fleet(send, devices, speed=arguments.speed, until_s=arguments.until, on_progress=shown.show)
    running.start()
    stop.wait()
    running.stop()
    shown.summarize(running.status)
    note_unrouted(unrouted)
    if late:
        note_late(late, "their devices", "--device PREFIX")
    status = running.status
    if status.state is FleetState.FAILED and status.error is not None:
        raise status.error
    return stop.exit_code


def _written(answer: Encoded | BaseException, as_json: bool) -> int | BaseException:
    """Write the events of a response and return their number, or return the error."""
    if isinstance(answer, BaseException):
        return answer
    for event in answer["events"]:
        write_json(event) if as_json else write_line(event_line(event, device=True))
    return len(answer["events"])


def _is_late(update: LocationUpdate, answer: Tracked) -> bool:
    return not isinstance(answer, BaseException) and is_late(update, answer)


class _Shown:
    """Progress of a fleet on the terminal."""

    def __init__(self, speed: float | None, stop: StopRequest) -> None:
        self._speed = speed
        self._stop = stop
        self._has_warned = self._has_shown = False

    def show(self, status: FleetStatus) -> None:
        """Show the progress; called on the fleet's thread."""
        if status.late and self._speed is not None and not self._has_warned:
            self._has_warned = True
            self._clear()
            takes = f"{status.per_second:,.0f} updates per second"
            note(f"warning: the engine processes only {takes}, so the fleet runs slower than ×{self._speed:g}")
        if status.state is not FleetState.RUNNING:
            self._clear()
            self._stop.finish()
        elif sys.stderr.isatty():
            self._has_shown = True
            sys.stderr.write(f"\r\x1b[K{line_of(status)}")
            sys.stderr.flush()

    def _clear(self) -> None:
        if self._has_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def summarize(self, status: FleetStatus) -> None:
        """Report the result of the fleet."""
        sent, events = count(status.sent, "fix", "fixes"), count(status.events, "event")
        note(f"{count(status.devices, 'device')}: {sent} sent, {events}")
        if status.refused:
            note(f"warning: {count(status.refused, 'update')} refused; last error: {status.error}")


def line_of(status: FleetStatus) -> str:
    """Return the status of a fleet as a line."""
    hours, seconds = divmod(int(status.elapsed_s), 3_600)
    clock = f"{hours}:{seconds // 60:02}:{seconds % 60:02}"
    moving = f"{status.moving:,} of {count(status.devices, 'device')}"
    sent = f"{count(status.sent, 'fix', 'fixes')} ({status.per_second:,.0f}/s)"
    return f"{clock} (×{status.pace:.2g})  {moving}, {sent}, {count(status.events, 'event')}"
