"""Reasons why events of beacons fired, or not: the rules for the beacons that a device reported."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.beacons.catalog import BeaconCatalog
from engine.beacons.stays import BeaconStep
from engine.domain.queries import NearbyQuery
from engine.domain.tracking.beacon import BeaconStays, BeaconSummary, ReportedBeacon
from engine.domain.tracking.event_wording import EventWording
from engine.domain.tracking.updates import EventType, Fix
from engine.domain.tracking.verdicts import About, Verdict, because, fires, withheld
from engine.geo.zones import zone_at, zoned_text

NOT_REPORTED_M: Final = 100.0
"""Distance in metres within which a beacon is explained if the device does not report it.

The accuracy is used if it is larger.
"""

FARTHEST_M: Final = 500.0
MOST_NOT_REPORTED: Final = 10
MOST_NAMED: Final = 3
_ENTERED, _EXITED = EventType.ENTERED_BEACON, EventType.EXITED_BEACON


def beacon_verdicts(
    before: BeaconStays, reported: Sequence[ReportedBeacon] | None, step: BeaconStep, catalog: BeaconCatalog, fix: Fix
) -> tuple[Verdict, ...]:
    """Return the verdicts of an update on the beacons it concerns. `step` is its effect."""
    if reported is None:
        return tuple(_without_list(before, catalog))
    judge = _Judge(before, reported, step, catalog, fix)
    none = because(EventWording.BEACON_NONE, limit=judge.within_m)
    return tuple(judge.verdicts()) or (withheld(_ENTERED, None, none),)


def anonymous_verdicts(reported: Sequence[ReportedBeacon] | None) -> tuple[Verdict, ...]:
    """Return why the beacons that an anonymous device reports cause no events."""
    return (withheld(_ENTERED, None, because(EventWording.BEACON_ANONYMOUS)),) if reported else ()


def _without_list(before: BeaconStays, catalog: BeaconCatalog) -> Iterator[Verdict]:
    """Yield the verdicts that nothing changes, for the beacons the user is near and for all others."""
    reason = because(EventWording.BEACON_NO_LIST)
    for key in before:
        if (beacon := catalog.find(key)) is not None:
            yield withheld(_EXITED, about_beacon(beacon.summary), reason)
    if catalog:
        yield withheld(_ENTERED, None, reason)


class _Judge:
    """Explains one update that lists the beacons its device detects."""

    def __init__(
        self,
        before: BeaconStays,
        reported: Sequence[ReportedBeacon],
        step: BeaconStep,
        catalog: BeaconCatalog,
        fix: Fix,
    ) -> None:
        self._before, self._step, self._catalog, self._fix = before, step, catalog, fix
        self._known = [(each, catalog.identify(each)) for each in reported]
        self._report_text = self._report()
        self.within_m = min(max(fix.accuracy_m, NOT_REPORTED_M), FARTHEST_M)

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the events, then why others did not happen: for reported beacons, ended stays, and beacons nearby."""
        for left in self._step.left:
            since = self._since(left.beacon.id)
            reason = because(EventWording.BEACON_GONE, reported=self._report_text, since=since)
            yield fires(_EXITED, about_beacon(left.beacon), reason)
        for entered in self._step.entered:
            yield fires(_ENTERED, about_beacon(entered), because(EventWording.BEACON_REPORTED))
        yield from self._reported()
        yield from self._ended()
        yield from self._around()

    def _reported(self) -> Iterator[Verdict]:
        """Yield why reported beacons cause no event."""
        entered = {each.id for each in self._step.entered}
        once = {(beacon.id if beacon else reported): (reported, beacon) for reported, beacon in self._known}
        for reported, beacon in once.values():
            if beacon is None:
                yield withheld(_ENTERED, None, because(EventWording.BEACON_UNKNOWN, signal=_named(reported)))
            elif not beacon.enabled:
                yield withheld(_ENTERED, about_beacon(beacon.summary), because(EventWording.BEACON_DISABLED))
            elif beacon.id not in entered:
                reason = because(EventWording.BEACON_STAYS, since=self._since(beacon.id))
                yield withheld(_EXITED, about_beacon(beacon.summary), reason)

    def _since(self, beacon_id: str) -> str:
        """Return the beginning of a stay as local time, by the time zone of the fix."""
        point = self._fix.point
        return zoned_text(self._before[beacon_id], zone_at(point.longitude, point.latitude))

    def _ended(self) -> Iterator[Verdict]:
        """Yield the stays that end without an event."""
        left = {each.beacon.id for each in self._step.left}
        for key in self._before:
            if key in self._step.stays or key in left:
                continue
            beacon = self._catalog.find(key)
            about = About(key, key) if beacon is None else about_beacon(beacon.summary)
            yield withheld(_EXITED, about, because(EventWording.BEACON_REMOVED))

    def _around(self) -> Iterator[Verdict]:
        """Yield the nearest beacons that the device did not report."""
        skipped = {*self._before, *(beacon.id for _, beacon in self._known if beacon is not None)}
        query = NearbyQuery(near=self._fix.point, limit=MOST_NOT_REPORTED + len(skipped), radius_m=self.within_m)
        others = [each for each in self._catalog.nearby(query) if each.beacon.id not in skipped]
        for near in others[:MOST_NOT_REPORTED]:
            distance = round(near.distance_m, 1)
            reason = because(EventWording.BEACON_NOT_REPORTED, distance=distance, reported=self._report_text)
            yield withheld(_ENTERED, about_beacon(near.beacon.summary), reason)

    def _report(self) -> str:
        """Return the names of the reported beacons, abbreviated if there are many."""
        names = [about_beacon(beacon.summary).name if beacon else _named(reported) for reported, beacon in self._known]
        more = [f"… (+{len(names) - MOST_NAMED})"] if len(names) > MOST_NAMED else []
        return "; ".join([*names[:MOST_NAMED], *more]) or "none"


def _named(reported: ReportedBeacon) -> str:
    return str(reported.signal or reported.id)


def about_beacon(beacon: BeaconSummary) -> About:
    """Return the subject of a verdict about a beacon."""
    return About(f"{beacon.tag}/{beacon.external_id}", beacon.id)
