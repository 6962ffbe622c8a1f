"""At which place and in which regions a position is, without anybody being tracked there."""

from datetime import datetime

from engine.domain.address import NO_REGIONS, Regions
from engine.domain.geometry import Point
from engine.domain.place import Place
from engine.domain.settings import ProjectSettings
from engine.domain.tracking import Fix
from engine.tracking.places import place_step, with_setting
from engine.tracking.whereabouts import Around, Unreadable


def place_at(around: Around, point: Point, accuracy_m: float, now: datetime, settings: ProjectSettings) -> Place | None:
    """Return the place that a user who stops there would enter; None where there is none, or places are off."""
    if not settings.places:
        return None
    fix = Fix(point, accuracy_m, now, foreground=True, stopped=True)
    try:
        entered = place_step(None, None, around.spots(fix), fix, settings).entered
    except Unreadable:
        return None
    return None if entered is None else with_setting(entered.place, settings.chains)


def regions_at(around: Around, point: Point, settings: ProjectSettings) -> Regions:
    """Return the regions that a user there is in; none while regions are off."""
    try:
        return around.regions(point) if settings.regions else NO_REGIONS
    except Unreadable:
        return NO_REGIONS
