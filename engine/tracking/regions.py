"""In which regions a user is: what entering and leaving them means."""

from collections.abc import Iterator
from typing import Final

from engine.domain.addresses.address import Region, Regions, RegionType
from engine.domain.tracking.updates import Confidence, EventType, Fix

MAX_REGION_ACCURACY_M: Final = 1_000.0
"""A fix less accurate than this changes nothing about regions."""

SURE_M: Final = 100.0
LIKELY_M: Final = 500.0
"""Up to which accuracy the region of a fix is sure, and up to which it is likely."""

ENTERED: Final = {
    RegionType.COUNTRY: EventType.ENTERED_COUNTRY,
    RegionType.STATE: EventType.ENTERED_STATE,
    RegionType.DMA: EventType.ENTERED_DMA,
    RegionType.POSTAL_CODE: EventType.ENTERED_POSTAL_CODE,
}
EXITED: Final = {
    RegionType.COUNTRY: EventType.EXITED_COUNTRY,
    RegionType.STATE: EventType.EXITED_STATE,
    RegionType.DMA: EventType.EXITED_DMA,
    RegionType.POSTAL_CODE: EventType.EXITED_POSTAL_CODE,
}


def is_accurate(fix: Fix) -> bool:
    """Whether a fix may change the regions a user is in."""
    return fix.accuracy_m <= MAX_REGION_ACCURACY_M


def region_confidence(fix: Fix) -> int:
    """Return how sure it is that somebody is in the region of a fix."""
    if fix.accuracy_m <= SURE_M:
        return Confidence.HIGH
    return Confidence.MEDIUM if fix.accuracy_m <= LIKELY_M else Confidence.LOW


def region_changes(before: Regions, after: Regions) -> Iterator[tuple[EventType, Region]]:
    """Yield the events between two states: the small regions are left first and the large ones entered first."""
    were, are = set(before.all), set(after.all)
    for region in reversed(before.all):
        if region not in are:
            yield EXITED[region.type], region
    for region in after.all:
        if region not in were:
            yield ENTERED[region.type], region
