"""Outcome of the updates that a command sends: routes that were not found in time, and times that were not taken."""

from app.api.wire.common.encoding import Encoded, encode_time
from app.api.wire.track import ROUTE_TOO_LATE
from app.cli.terminal.output import note
from app.cli.workspaces import Tracked
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.words import count
from engine.trips.waiting import PATIENCE_S


def is_late(update: LocationUpdate, answer: Encoded) -> bool:
    """Whether an update was older than what the workspace knows of its device, and so has not kept its time."""
    return update.at is not None and bool(answer["user"]["updatedAt"] != encode_time(update.at))


def is_unrouted(answer: Tracked) -> bool:
    """Whether an update waited in vain for the route of its trip."""
    return not isinstance(answer, BaseException) and ROUTE_TOO_LATE in answer["meta"].get("warnings", ())


def note_unrouted(number: int) -> None:
    """Warn of updates that have no ETA by the route of their trip."""
    if number:
        fixes = count(number, "fix", "fixes")
        note(f"warning: {fixes} sent without the route of the trip, which took longer than {PATIENCE_S:g} s to find")


def note_late(number: int, device: str, option: str) -> None:
    """Warn of updates that have not kept their times."""
    are = "is" if number == 1 else "are"
    note(
        f"warning: {count(number, 'fix', 'fixes')} {are} older than the last update of {device}; using the current "
        f"time; to keep their times, use another {option} or a later --start"
    )
