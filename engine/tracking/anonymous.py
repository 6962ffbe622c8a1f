"""Updates of devices that keep their own state. The server stores nothing about them."""

from collections.abc import Mapping
from typing import Final

from engine.domain.addresses.address import NO_REGIONS, Region, Regions, RegionType
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.updates import NOWHERE, Anonymous, EventType, Fix, PlaceState, PlaceStay, Presence
from engine.domain.values import replace
from engine.tracking.context import Fences
from engine.tracking.place_state import Around, Moved, Unreadable, move
from engine.tracking.places import with_setting

_TYPES: Final[Mapping[str, RegionType]] = {kind.value: kind for kind in RegionType}


def reported_presences(anonymous: Anonymous, fences: Fences, fix: Fix) -> dict[str, Presence]:
    """Return the presences that a device reports. Their start is unknown, so no stay counts as long."""
    reported = dict.fromkeys(anonymous.geofence_ids)
    return {key: Presence(key, fix.at) for key in reported if fences.get(key) is not None}


def moved_from(anonymous: Anonymous, fix: Fix, settings: ProjectSettings, number: int, around: Around) -> Moved:
    """Return the changes of a fix to the place and regions that a device reports.

    The device does not report nearby chains, so events for coming near one are not generated.
    """
    if not (settings.places or settings.regions):
        return Moved(NOWHERE)
    before = PlaceState(_stay(anonymous, fix, settings, around), _regions(anonymous, fix, settings, around), (), number)
    moved = move(before, fix, settings, number, around)
    known = (each for each in moved.events if each.type is not EventType.NEARBY_PLACE_CHAIN)
    after, events = replace(moved.after, near_chains=()), tuple(replace(each, duration_s=None) for each in known)
    return Moved(after, events, before, moved.traced)


def _stay(anonymous: Anonymous, fix: Fix, settings: ProjectSettings, around: Around) -> PlaceStay | None:
    if not settings.places or anonymous.place_id is None:
        return None
    try:
        place = around.place(anonymous.place_id)
    except Unreadable:
        return None
    return None if place is None else PlaceStay(replace(with_setting(place, settings.chains), outline=None), fix.at)


def _regions(anonymous: Anonymous, fix: Fix, settings: ProjectSettings, around: Around) -> Regions:
    """Return the regions with these identifiers.

    The code serves as the name of a region that does not contain the fix.
    """
    if not settings.regions or not anonymous.region_ids:
        return NO_REGIONS
    try:
        here = {region.id: region for region in around.regions(fix.point).all}
    except Unreadable:
        here = {}
    reported = (here.get(key) or _region(key) for key in anonymous.region_ids)
    return Regions.of(region for region in reported if region is not None)


def _region(key: str) -> Region | None:
    kind, _, code = key.partition("-")
    return Region(_TYPES[kind], code, code) if kind in _TYPES and code else None
