"""Events that a set-up can produce. A check for an event that cannot occur is no check."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct

from app.lab.files.words import GeofenceKey
from app.lab.running.data import SETUP
from app.lab.running.recording import Data, Period, Run, key_of
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.trips import Destination
from engine.domain.tracking.updates import EventType

FIRST: Final = frozenset(
    {
        EventType.ENTERED_GEOFENCE,
        EventType.ENTERED_PLACE,
        EventType.ENTERED_COUNTRY,
        EventType.ENTERED_BEACON,
        EventType.FAILED_FRAUD,
        EventType.STARTED_TRIP,
    }
)
"""The first event of each kind of subject. If it cannot occur, neither can the others."""


class SetUp(Struct, frozen=True):
    """All facts that decide which types of events can occur, from the start of a run to its end."""

    periods: Sequence[Period]
    data: Data = Data()
    has_updates: bool = True
    has_beacons: bool = False
    hears_beacons: bool = False
    has_trips: bool = False
    destinations: Sequence[Destination] = ()


def set_up_of(run: Run) -> SetUp:
    """Return the set-up of a run."""
    return SetUp(
        run.periods,
        run.data,
        bool(run.occasions),
        bool(run.scenario.body.beacons),
        run.hears_beacons,
        bool(run.trips),
        run.destinations,
    )


def obstacle(kind: EventType, there: SetUp, geofence: GeofenceKey | None = None) -> str | None:
    """Return why an event of a type cannot occur in a set-up, or None if it can."""
    if kind.value.endswith(("_trip", "_trip_destination")):
        return _of_trips(kind, there)
    if not there.has_updates:
        return "no device sends a location update"
    if kind.value.endswith("_geofence"):
        return _of_geofences(kind, there, geofence)
    if "place" in kind.value:
        return _of_places(kind, there)
    if "region" in kind.value:
        return _of_regions(kind, there)
    if kind.value.endswith("_beacon"):
        return _of_beacons(there)
    return None if _is_on(there, lambda settings: settings.fraud) else "the setting fraud is off"


def _is_on(there: SetUp, setting: Callable[[ProjectSettings], object]) -> bool:
    return any(setting(period.settings) for period in there.periods)


def _of_geofences(kind: EventType, there: SetUp, geofence: GeofenceKey | None) -> str | None:
    found = [
        (period.settings, each)
        for period in there.periods
        for each in period.geofences
        if geofence in (None, key_of(each))
    ]
    if not found:
        return "the scenario has no geofence that is enabled" if geofence is None else f"{geofence} is never enabled"
    if kind is not EventType.DWELLED_IN_GEOFENCE:
        return None
    if not _is_on(there, lambda settings: settings.dwell_event):
        return "the setting dwellEvent is off"
    thresholds = (
        settings.default_dwell_threshold_s or each.rules.dwell_threshold_s
        for settings, each in found
        if settings.dwell_event
    )
    return None if any(thresholds) else "there is neither a defaultDwellThreshold nor a dwellThreshold of a geofence"


def _of_places(kind: EventType, there: SetUp) -> str | None:
    if not _is_on(there, lambda settings: settings.places):
        return "the setting places is off"
    if not there.data.has_places:
        return "no area in use has places; name one in areas"
    chains = _is_on(there, lambda settings: settings.places and settings.place_chains)
    return None if chains or kind is not EventType.NEARBY_PLACE_CHAIN else "the setting placeChains is empty"


def _of_regions(kind: EventType, there: SetUp) -> str | None:
    if not _is_on(there, lambda settings: settings.regions):
        return "the setting regions is off"
    if not there.data.has_world:
        return f"this computer has no world data; {SETUP}"
    if kind in (EventType.ENTERED_DMA, EventType.EXITED_DMA):
        return "a scenario has no market areas, which a workspace reads from its own file"
    return None


def _of_beacons(there: SetUp) -> str | None:
    if not there.has_beacons:
        return "the scenario has no beacon"
    return None if there.hears_beacons else "no location update lists beacons"


def _of_trips(kind: EventType, there: SetUp) -> str | None:
    if not there.has_trips:
        return "no trip is started"
    if kind in (EventType.STARTED_TRIP, EventType.UPDATED_TRIP, EventType.STOPPED_TRIP):
        return None
    if not there.has_updates:
        return "no device sends a location update"
    if not there.destinations:
        return "no trip has a destination"
    if kind is EventType.ARRIVED_AT_WRONG_TRIP_DESTINATION and not _has_wrong_destination(there):
        return "no other geofence has the tag of a destination"
    return None


def _has_wrong_destination(there: SetUp) -> bool:
    tags = Counter(key.tag for key in {key_of(each) for period in there.periods for each in period.geofences})
    return any(tags[end.tag] > 1 for end in there.destinations if end.tag is not None)


def obstacles(kinds: Iterable[EventType], there: SetUp, geofence: GeofenceKey | None = None) -> str | None:
    """Return why none of these types can occur, or None if one can. Reasons shared by many types are given once."""
    reasons: dict[str, None] = {}
    for kind in kinds:
        if (reason := obstacle(kind, there, geofence)) is None:
            return None
        reasons[reason] = None
    return "; ".join(reasons)
