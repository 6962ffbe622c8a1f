"""Reasons why a user entered or left a region, or did not, based on the regions before and after."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.domain.addresses.address import Region, Regions, RegionType
from engine.domain.tracking.event_wording import EventWording
from engine.domain.tracking.updates import Fix
from engine.domain.tracking.verdicts import About, EventReason, Verdict, because, fires, withheld
from engine.tracking.place_state import Around, AroundData, Moved
from engine.tracking.regions import ENTERED, EXITED, MAX_REGION_ACCURACY_M, is_accurate

KINDS: Final[Mapping[RegionType, str]] = {
    RegionType.COUNTRY: "country",
    RegionType.STATE: "state",
    RegionType.DMA: "market area",
    RegionType.POSTAL_CODE: "postal code",
}
_UNION: Final = "US"
_NORTH: Final = frozenset({_UNION, "CA"})


def region_verdicts(moved: Moved, fix: Fix, around: Around) -> Iterator[Verdict]:
    """Yield the verdicts of a fix on each kind of region: exits, entries, or why there were none.

    Regions must be enabled. If no country is known, its parts have no verdicts.
    """
    before, after = _by_kind(moved.before.regions), _by_kind(moved.after.regions)
    why = _unchangeable(moved, fix)
    for kind in RegionType:
        was, here = before.get(kind), after.get(kind)
        if was is not None:
            yield _exit(kind, was, here, why, moved.after.regions, around)
        if here != was or (here is None and (kind is RegionType.COUNTRY or RegionType.COUNTRY in after)):
            yield _entry(kind, here, why, moved.after.regions, around)


def _by_kind(regions: Regions) -> dict[RegionType, Region]:
    return {region.type: region for region in regions.all}


def _unchangeable(moved: Moved, fix: Fix) -> EventReason | None:
    """Return why a fix changes no regions, or None if it may change them."""
    if not is_accurate(fix):
        return because(EventWording.INACCURATE, accuracy=fix.accuracy_m, limit=MAX_REGION_ACCURACY_M)
    return None if moved.traced.are_regions_known else because(EventWording.REGION_UNREADABLE)


def _exit(
    kind: RegionType, was: Region, here: Region | None, why: EventReason | None, after: Regions, around: Around
) -> Verdict:
    """Return the verdict on leaving a region."""
    about, noun, region = _about(was), KINDS[kind], was.name
    if here == was:
        return withheld(EXITED[kind], about, why or because(EventWording.REGION_STAYS, kind=noun, region=region))
    if here is not None:
        return fires(
            EXITED[kind], about, because(EventWording.REGION_LEFT_FOR, kind=noun, region=region, now=here.name)
        )
    is_known = _lack(kind, after, around.data()).wording is not EventWording.REGION_NO_DATA
    wording = EventWording.REGION_LEFT if is_known else EventWording.REGION_LOST
    return fires(EXITED[kind], about, because(wording, kind=noun, region=region))


def _entry(kind: RegionType, here: Region | None, why: EventReason | None, after: Regions, around: Around) -> Verdict:
    """Return the verdict on entering a region, or why the user is in none."""
    if here is not None:
        reason = because(EventWording.REGION_HERE, kind=KINDS[kind], region=here.name)
        return fires(ENTERED[kind], _about(here), reason)
    return withheld(ENTERED[kind], None, why or _lack(kind, after, around.data()))


def _lack(kind: RegionType, after: Regions, data: AroundData) -> EventReason:
    """Return why a position is in no region of a kind."""
    noun = KINDS[kind]
    if not data.world:
        return because(EventWording.REGION_NO_DATA, kind=noun)
    if kind is RegionType.COUNTRY or after.country is None:
        return because(EventWording.REGION_SEA)
    if kind is RegionType.STATE and after.country.code not in _NORTH:
        return because(EventWording.REGION_NOT_NORTH)
    if kind is not RegionType.STATE and after.country.code != _UNION:
        return because(EventWording.REGION_NOT_UNION, kind=noun)
    if kind is RegionType.DMA and not data.markets:
        return because(EventWording.REGION_NO_MARKETS)
    return because(EventWording.REGION_NONE, kind=noun)


def _about(region: Region) -> About:
    return About(region.name, region.code)
