"""The regions of a user, and the events for entering and leaving them."""

from collections.abc import Iterator
from typing import Final

from engine.domain.addresses.address import Region, Regions, RegionType
from engine.domain.tracking.updates import Confidence, EventType, Fix

MAX_REGION_ACCURACY_M: Final = 1_000.0
"""Worst accuracy in metres with which a fix may change the regions."""

SURE_M: Final = 100.0
LIKELY_M: Final = 500.0
"""Worst accuracy in metres with which the region of a fix is likely. Up to `SURE_M` it is certain."""

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
    """Return whether a fix may change the regions of a user."""
    return fix.accuracy_m <= MAX_REGION_ACCURACY_M


def region_confidence(fix: Fix) -> int:
    """Return the confidence that a user is in the region of a fix."""
    if fix.accuracy_m <= SURE_M:
        return Confidence.HIGH
    return Confidence.MEDIUM if fix.accuracy_m <= LIKELY_M else Confidence.LOW


def region_changes(before: Regions, after: Regions) -> Iterator[tuple[EventType, Region]]:
    """Yield the events between two states, leaving small regions first and entering large ones first."""
    were, are = set(before.all), set(after.all)
    for region in reversed(before.all):
        if region not in are:
            yield EXITED[region.type], region
    for region in after.all:
        if region not in were:
            yield ENTERED[region.type], region
