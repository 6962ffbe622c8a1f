"""Updates in order go on past late ones: what these leave behind for the next update that is in order.

See `engine.tracking.step` for geofences and `engine.beacons.stays` for beacons.
"""

from collections.abc import Mapping
from datetime import datetime

from engine.domain.settings import ProjectSettings
from engine.domain.tracking.beacon import BeaconStays
from engine.domain.tracking.updates import Fix, InOrder, PlaceState, Presence
from engine.tracking.place_state import Around, Moved, begun, move, still_interrupted
from engine.tracking.step import Presences, Step


def all_presences(presences: Presences, in_order: InOrder | None) -> Mapping[str, Presence]:
    """Return where a user is inside, also by the updates in order alone."""
    return presences if in_order is None else {**in_order.presences, **presences}


def moved_in_order(
    where: PlaceState, in_order: InOrder | None, fix: Fix, settings: ProjectSettings, number: int, around: Around
) -> Moved:
    """Return what a fix changes about the place and the regions of a user; `where` is what is `valid`."""
    if fix.late_after is not None:
        return move(where, fix, settings, number, around)
    interrupted = None if in_order is None else in_order.stay
    return move(begun(where, fix, in_order), fix, settings, number, around, interrupted)


def in_order_after(
    in_order: InOrder | None,
    before: InOrder | None,
    fix: Fix,
    taken: Step,
    where: Moved,
    settings: ProjectSettings,
    around: Around,
    now: datetime,
    heard: BeaconStays | None = None,
) -> InOrder | None:
    """Return `User.in_order` after a fix.

    `before` is the state before the fix, None for a new user; `heard` are the stays near beacons after it, None if it
    reports none.
    """
    if fix.late_after is not None:
        return before if in_order is None else in_order
    if in_order is None:
        return None
    ended = still_interrupted(in_order.stay, where, fix, settings, around)
    if ended is None and (heard is not None or not in_order.beacons):
        return None
    stay = where.after.stay if ended is None else ended
    return InOrder(taken.presences, fix, now, stay, in_order.beacons if heard is None else heard)
