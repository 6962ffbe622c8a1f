"""``fencewright simulate``: a device moves along a track, and its events are written as they happen."""

from argparse import Namespace
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct, field

from app.api.wire.common.encoding import Encoded
from app.cli.events import event_line
from app.cli.records.expected import Comparison, RecordedEvent, read_expected
from app.cli.simulation.sending import check_order, is_late, is_unrouted, note_late, note_unrouted, prepare_device
from app.cli.simulation.sources import phone_of, track_of
from app.cli.targets import chosen_workspace
from app.cli.terminal.output import note, write_json, write_line
from app.cli.terminal.signals import StopRequest, stop_on_signals
from app.cli.workspaces import ReachedWorkspace, reach_workspace
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, renamed
from engine.domain.ports import Cancelled, SystemClock
from engine.domain.tracking.tracks import Track
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.words import count
from engine.simulation.player import Player
from engine.simulation.timing import location_updates, timed_points

_TOLERANCE_S: Final = 1.0
_OPTIONS: Final = {
    "assume_speed_kmh": "--assume-speed",
    "device_id": "--device",
    "user_id": "--user",
    "accuracy": "--accuracy",
    "start": "--start",
}


def simulate(arguments: Namespace) -> int:
    """Play the track to its end, or until a signal requests a stop."""
    if arguments.tolerance is not None and arguments.expect is None:
        raise InvalidParameter("--tolerance", "--tolerance: requires --expect, whose events it compares.")
    if arguments.reset_device and arguments.environment.live:
        raise InvalidParameter("--reset-device", "--reset-device: only the data of Test can be deleted.")
    with stop_on_signals() as stop:
        track = track_of(arguments, stop)
        expected = None if arguments.expect is None else read_expected(arguments.expect)
        _updates(track, arguments, SystemClock().now())  # reports invalid arguments before any effect
        return _simulate(track, arguments, stop, expected)


def _simulate(track: Track, arguments: Namespace, stop: StopRequest, expected: Sequence[RecordedEvent] | None) -> int:
    with reach_workspace(chosen_workspace(arguments), stop) as workspace:
        prepare_device(arguments, workspace)
        updates = _updates(track, arguments, workspace.now(arguments.environment))
        check_order(arguments, workspace, updates)
        writer = _EventWriter(as_json=arguments.json, kept=None if expected is None else [])
        _play(workspace, arguments.environment, updates, arguments.speed, writer, stop)
        _summarize(writer, len(updates), arguments.device)
        if expected is None or writer.kept is None or writer.fixes < len(updates):
            return stop.exit_code
        tolerance_s = _TOLERANCE_S if arguments.tolerance is None else arguments.tolerance
        comparison = Comparison(expected, writer.kept, tolerance_s)
        return _write_differences(comparison, comparison.lines(workspace, arguments.environment, arguments.device))


def _write_differences(comparison: Comparison, lines: Iterable[str]) -> int:
    """Write the differences from the expected events and return the exit code."""
    found = comparison.difference
    if found.is_none:
        note(f"{count(len(found.met), 'event')} as expected")
        return 0
    note("the events differ from the expected ones")
    for line in lines:
        note(f"  {line}")
    counts = {"as expected": found.met, "missing": found.missing, "different": found.near}
    totals = [f"{len(each)} {label}" for label, each in (counts | {"unexpected": found.unexpected}).items() if each]
    note(", ".join(totals))
    return 1


class _EventWriter(Struct):
    """Writes the events of each response, and counts outcomes of interest to the user."""

    as_json: bool
    kept: list[Encoded] | None = None
    """The events, if they will be compared with expected ones."""

    fixes: int = 0
    events: int = 0
    late: int = 0
    unrouted: int = 0
    errors: list[BaseException] = field(default_factory=list)

    def on_step(self, _index: int, update: LocationUpdate, answer: Encoded) -> None:
        self.fixes += 1
        self.late += is_late(update, answer)
        self.unrouted += is_unrouted(answer)
        for event in answer["events"]:
            self.events += 1
            if self.kept is not None:
                self.kept.append(event)
            write_json(event) if self.as_json else write_line(event_line(event))


def _play(
    workspace: ReachedWorkspace,
    environment: Environment,
    updates: Sequence[LocationUpdate],
    speed: float | None,
    writer: _EventWriter,
    stop: StopRequest,
) -> None:
    def on_error(error: BaseException) -> None:
        writer.errors.append(error)
        stop.finish()

    player = Player(
        lambda update: workspace.track(environment, update),
        updates,
        speed=speed,
        on_step=writer.on_step,
        on_finished=stop.finish,
        on_error=on_error,
    )
    player.play()
    stop.wait()
    player.stop()
    # Updates that a signal cancelled count as not sent.
    failed = [error for error in writer.errors if stop.signal is None or not isinstance(error, Cancelled)]
    if failed:
        raise failed[0]


def _updates(track: Track, arguments: Namespace, now: datetime) -> tuple[LocationUpdate, ...]:
    """Return the updates to send; errors about an argument name its option."""
    try:
        return _timed_updates(track, arguments, now)
    except InvalidParameter as error:
        option = _OPTIONS.get(error.param, error.param)
        raise InvalidParameter(option, renamed(error.message, error.param, option)) from None


def _timed_updates(track: Track, arguments: Namespace, now: datetime) -> tuple[LocationUpdate, ...]:
    start = now if arguments.start == "now" or (arguments.route and not arguments.start) else arguments.start
    fixes = timed_points(track, now=now, assume_speed_kmh=arguments.assume_speed, start=start)
    return location_updates(
        phone_of(arguments).reports(fixes),
        device_id=arguments.device,
        accuracy_m=arguments.accuracy,
        user_id=arguments.user,
        foreground=arguments.foreground,
        stopped=arguments.stopped,
    )


def _summarize(writer: _EventWriter, total: int, device: str) -> None:
    sent = "" if writer.fixes == total else f"{writer.fixes:,} of "
    note(f"{sent}{count(total, 'fix', 'fixes')} sent, {count(writer.events, 'event')}")
    note_unrouted(writer.unrouted)
    if writer.late:
        note_late(writer.late, f"{device!r}", "--device")
