"""States of the simulator, and the sent updates."""

from datetime import datetime
from enum import Enum

from msgspec import Struct

from app.desktop.language import counted, tr


class SimulationState(Enum):
    """The simulator's state, as shown in its panel."""

    EMPTY = "empty"
    STOPPED = "stopped"
    PLAYING = "playing"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"


class Sent(Struct, frozen=True):
    """A fix that was sent: its index in the track, and the time that the engine assigned to it."""

    index: int
    at: datetime


class Status(Struct, frozen=True):
    """State of the simulator. Of `total` updates, `position` were sent; `at` is the time of the last one.

    `retimed` is the number of updates that the engine stored with the current time because the device had reported a
    later one before. `unrouted` is the number of updates for which no route of the trip was found in time. `accepted`
    is the time that the engine assigned to the last update, or None if it was not sent from here.
    """

    state: SimulationState
    position: int = 0
    total: int = 0
    at: datetime | None = None
    error: BaseException | None = None
    retimed: int = 0
    unrouted: int = 0
    accepted: datetime | None = None


def without_routes(number: int) -> str:
    """Return a note about updates that were sent without the route of their trip."""
    fixes = counted(number, "fix", "fixes")
    return tr("{fixes} sent without the route of the trip: it was not found within 5 s.", fixes=fixes)
