"""What a location update meant for events of trips, beacons, places and regions, all together."""

from collections.abc import Iterable

from engine.beacons.catalog import BeaconCatalog
from engine.beacons.reasons import anonymous_verdicts, beacon_verdicts
from engine.beacons.stays import BeaconStep
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.beacon import BeaconStays
from engine.domain.tracking.event_wording import EventWording
from engine.domain.tracking.updates import EventType, Fix, LocationUpdate
from engine.domain.tracking.verdicts import Topic, Verdict, because, withheld
from engine.tracking.place_state import Around, Moved
from engine.tracking.reasons.places import place_verdicts
from engine.tracking.reasons.regions import region_verdicts


def around_verdicts(moved: Moved, fix: Fix, settings: ProjectSettings, around: Around) -> tuple[Verdict, ...]:
    """Return what a fix meant for places and regions, as far as the settings ask for them."""
    if not (settings.places or settings.regions):
        return ()
    places = place_verdicts(moved, fix, settings, around) if settings.places else ()
    regions = region_verdicts(moved, fix, around) if settings.regions else ()
    return (*places, *regions)


def heard_verdicts(
    before: BeaconStays, update: LocationUpdate, step: BeaconStep, catalog: BeaconCatalog, fix: Fix
) -> tuple[Verdict, ...]:
    """Return what an update meant for beacons; nothing where there are none and it reports none."""
    if not catalog and not update.beacons:
        return ()
    return beacon_verdicts(before, update.beacons, step, catalog, fix)


def anonymous_update_verdicts(
    moved: Moved, update: LocationUpdate, fix: Fix, settings: ProjectSettings, around: Around, *, has_trip: bool
) -> tuple[Verdict, ...]:
    """Return what an update meant for a device of which nothing is stored: neither beacons nor trips."""
    trip = withheld(EventType.STARTED_TRIP, None, because(EventWording.TRIP_ANONYMOUS))
    found = (
        *((trip,) if has_trip else ()),
        *anonymous_verdicts(update.beacons),
        *around_verdicts(moved, fix, settings, around),
    )
    return complete(found, settings)


def complete(verdicts: Iterable[Verdict], settings: ProjectSettings) -> tuple[Verdict, ...]:
    """Return what was found with what needs no mention to be stored: no trip, and settings that are off."""
    found = tuple(verdicts)
    topics = {each.topic for each in found}
    left = []
    if Topic.TRIP not in topics:
        left.append(withheld(EventType.STARTED_TRIP, None, because(EventWording.TRIP_NONE)))
    if not settings.places:
        left.append(withheld(EventType.ENTERED_PLACE, None, because(EventWording.PLACES_OFF)))
    if not settings.regions:
        left.append(withheld(EventType.ENTERED_COUNTRY, None, because(EventWording.REGIONS_OFF)))
    return (*found, *left)
