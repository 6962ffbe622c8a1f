"""Warnings about updates that a command sends: routes not found in time, and times not kept."""

from app.api.wire.common.encoding import Encoded, encode_time
from app.api.wire.track import ROUTE_TOO_LATE
from app.cli.terminal.output import note
from app.cli.workspaces import Tracked
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.words import count
from engine.trips.waiting import PATIENCE_S


def is_late(update: LocationUpdate, answer: Encoded) -> bool:
    """Return whether an update was older than the last update of its device, so that its time was not kept."""
    return update.at is not None and bool(answer["user"]["updatedAt"] != encode_time(update.at))


def is_unrouted(answer: Tracked) -> bool:
    """Return whether the route of an update's trip was not found in time."""
    return not isinstance(answer, BaseException) and ROUTE_TOO_LATE in answer["meta"].get("warnings", ())


def note_unrouted(number: int) -> None:
    """Warn about updates without an ETA along the route of their trip."""
    if number:
        fixes = count(number, "fix", "fixes")
        note(f"warning: {fixes} sent without the route of the trip, which took longer than {PATIENCE_S:g} s to find")


def note_late(number: int, device: str, option: str) -> None:
    """Warn about updates whose times were not kept."""
    are = "is" if number == 1 else "are"
    note(
        f"warning: {count(number, 'fix', 'fixes')} {are} older than the last update of {device}; using the current "
        f"time; to keep their times, use another {option} or a later --start"
    )
