"""The effect of detected beacons on the beacons that a user is near, as pure functions."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from engine.beacons.catalog import BeaconCatalog
from engine.domain.tracking.beacon import NO_STAYS, Beacon, BeaconStays, BeaconSummary
from engine.domain.tracking.updates import Confidence, Fix

CONFIDENCE: Final = Confidence.HIGH
"""Confidence of all beacon events, as a device that detects a beacon is near it, however inaccurate its location."""


class Left(Struct, frozen=True):
    """A beacon that a user has left, with the duration of the stay."""

    beacon: BeaconSummary
    duration_s: float


class BeaconStep(Struct, frozen=True):
    """Beacons that a user is near after an update, and beacons left and entered, by tag and external ID."""

    stays: BeaconStays
    left: tuple[Left, ...] = ()
    entered: tuple[BeaconSummary, ...] = ()


def beacon_step(
    stays: BeaconStays,
    reported: Mapping[str, Beacon],
    catalog: BeaconCatalog,
    fix: Fix,
    in_order: BeaconStays | None = None,
) -> BeaconStep:
    """Return the effect of a fix at which a device detects these beacons and no others.

    A stay near a beacon that was deleted or disabled ends without an event. `in_order` are the stays before late
    updates, which continue at the next fix in order. See `engine.tracking.step`.
    """
    continued = NO_STAYS if in_order is None or fix.late_after is not None else in_order
    if fix.late_after is None:
        stays = _begun(stays, fix, in_order)
    known = {key: beacon.summary for key in stays if (beacon := catalog.find(key)) is not None and beacon.enabled}
    left = [Left(beacon, fix.lasted_s(stays[key])) for key, beacon in known.items() if key not in reported]
    entered = [beacon.summary for key, beacon in reported.items() if key not in known]
    after = {key: stays[key] for key in known if key in reported}
    after |= {each.id: continued.get(each.id, fix.at) for each in entered}
    if after == stays:
        return BeaconStep(stays)
    left.sort(key=lambda each: _order(each.beacon))
    entered.sort(key=_order)
    return BeaconStep(after or NO_STAYS, tuple(left), tuple(entered))


def _begun(stays: BeaconStays, fix: Fix, in_order: BeaconStays | None) -> BeaconStays:
    """Return stays as seen by a fix in order. Stays begun by late updates or in the future begin with the fix."""
    late = {key: fix.at for key, at in stays.items() if at > fix.at or (in_order is not None and key not in in_order)}
    return {**stays, **late} if late else stays


def near(stays: BeaconStays, catalog: BeaconCatalog) -> tuple[BeaconSummary, ...]:
    """Return the beacons of stays, by tag and external ID."""
    found = (catalog.find(key) for key in stays)
    return tuple(sorted((beacon.summary for beacon in found if beacon is not None), key=_order))


def _order(beacon: BeaconSummary) -> tuple[str, str]:
    return beacon.tag, beacon.external_id
