"""States of the simulator, and the updates that it has sent."""

from datetime import datetime
from enum import Enum

from msgspec import Struct

from app.desktop.language import counted, tr


class SimulationState(Enum):
    """The simulator's state, in the words of its panel."""

    EMPTY = "empty"
    STOPPED = "stopped"
    PLAYING = "playing"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"


class Sent(Struct, frozen=True):
    """A fix of the track that was sent, by its number from 0, and the time that the engine gave it."""

    index: int
    at: datetime


class Status(Struct, frozen=True):
    """Where the simulator is. `position` updates of `total` were sent; `at` is the time of the last one.

    `retimed` of them the engine took with the present time, because the device has reported a later one before.
    `unrouted` of them waited in vain for the route of their trip. `accepted` is the time that the engine gave the last
    one, None where it has not been sent from here.
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
    """Return what to say of updates that waited in vain for the route of their trip."""
    fixes = counted(number, "fix", "fixes")
    return tr("{fixes} sent without the route of the trip: it was not found within 5 s.", fixes=fixes)
