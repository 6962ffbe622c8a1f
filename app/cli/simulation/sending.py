"""Outcome of the updates that a command sends: ETAs that follow from them alone, and times that were not taken."""

from collections.abc import Sequence

from app.api.wire.common.encoding import Encoded, encode_time
from app.cli.terminal.output import note
from app.cli.terminal.signals import StopRequest
from app.cli.workspaces import ReachedWorkspace, Tracked
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.words import count


def settle_etas(workspace: ReachedWorkspace, answers: Sequence[Tracked], stop: StopRequest) -> None:
    """Wait for the ways of the trips in `answers`, so that however quick updates follow, their ETAs are the same."""
    on_trip = any(not isinstance(answer, BaseException) and "trip" in answer["user"] for answer in answers)
    while on_trip and stop.signal is None and not workspace.settle_trips():
        pass


def with_etas(workspace: ReachedWorkspace, answer: Encoded, stop: StopRequest) -> Encoded:
    """Return the answer to an update once the next update has its ETA."""
    settle_etas(workspace, (answer,), stop)
    return answer


def is_late(update: LocationUpdate, answer: Encoded) -> bool:
    """Whether an update was older than what the workspace knows of its device, and so has not kept its time."""
    return update.at is not None and bool(answer["user"]["updatedAt"] != encode_time(update.at))


def note_late(number: int, device: str, option: str) -> None:
    """Warn of updates that have not kept their times."""
    are = "is" if number == 1 else "are"
    note(
        f"warning: {count(number, 'fix', 'fixes')} {are} older than the last update of {device}; using the current "
        f"time; to keep their times, use another {option} or a later --start"
    )
