"""The sentences of the reasons for events of trips, beacons, places and regions, fired or not."""

from enum import Enum, StrEnum
from typing import Final


class EventRule(StrEnum):
    """Rules of these events, named after the fields and settings that control them."""

    TRIP = "trip"
    STATUS = "status"
    DESTINATION = "destination"
    ARRIVAL_RADIUS = "arrivalRadius"
    DESTINATION_TAG = "destinationTag"
    ETA = "eta"
    APPROACHING_THRESHOLD = "approachingThreshold"
    ETA_CHANGE = "etaChange"
    TRIP_EXPIRY = "tripExpiry"
    BEACONS = "beacons"
    BEACON_ENABLED = "enabled"
    PLACES = "places"
    PLACE_DATA = "placeData"
    ACCURACY = "accuracy"
    STOPPED = "stopped"
    REACH = "reach"
    CHAINS_AND_CATEGORIES = "chainsAndCategories"
    PLACE_CHAINS = "placeChains"
    MINIMUM_CONFIDENCE = "minimumConfidence"
    REGIONS = "regions"
    REGION_DATA = "regionData"
    REGION = "region"


_TRIP, _STATUS, _DESTINATION, _ETA = EventRule.TRIP, EventRule.STATUS, EventRule.DESTINATION, EventRule.ETA
_RADIUS, _TAG, _CHANGE = EventRule.ARRIVAL_RADIUS, EventRule.DESTINATION_TAG, EventRule.ETA_CHANGE
_THRESHOLD, _EXPIRY = EventRule.APPROACHING_THRESHOLD, EventRule.TRIP_EXPIRY
_BEACONS, _ENABLED = EventRule.BEACONS, EventRule.BEACON_ENABLED
_PLACES, _PLACE_DATA, _ACCURACY, _STOPPED = (
    EventRule.PLACES,
    EventRule.PLACE_DATA,
    EventRule.ACCURACY,
    EventRule.STOPPED,
)
_REACH, _WANTED, _CHAINS = EventRule.REACH, EventRule.CHAINS_AND_CATEGORIES, EventRule.PLACE_CHAINS
_CONFIDENCE = EventRule.MINIMUM_CONFIDENCE
_REGIONS, _REGION_DATA, _REGION = EventRule.REGIONS, EventRule.REGION_DATA, EventRule.REGION


class EventWording(Enum):
    """Every sentence of these reasons: its rule, whether the rule let the event pass, and the words.

    The parts in braces are filled in with the reason's values. The names are stored with kept updates and must not
    change.
    """

    # Trips
    TRIP_NONE = _TRIP, False, "the user is on no trip, and no trip waits for them"
    TRIP_ANONYMOUS = _TRIP, False, "a trip is not updated for an anonymous device"
    TRIP_REFUSED = _TRIP, False, "the trip {trip} was not updated: {message}"
    TRIP_FIRST = _STATUS, True, "the trip was pending, and this is the first location update of its user"
    TRIP_SET = _STATUS, True, "a client set the status {status}"
    TRIP_WAS = _STATUS, True, "the status of the trip was {status}"
    TRIP_IS = _STATUS, False, "the status of the trip is {status} already"
    TRIP_LATE = _STATUS, False, "the update is late, and the trip goes by those in order"
    TRIP_ARRIVES = _STATUS, False, "the user arrives at the destination with this update"
    TRIP_NOT_SET = _STATUS, False, "no client has set the status completed or canceled"
    TRIP_EXPIRED = _EXPIRY, True, "the trip had no activity for longer than the setting tripExpiry"
    TRIP_NO_DESTINATION = _DESTINATION, False, "the trip has no destination"
    TRIP_IN_GEOFENCE = _DESTINATION, True, "the user is in the destination geofence {geofence}"
    TRIP_OUTSIDE = _DESTINATION, False, "the location is {distance:.1f} m outside the destination geofence {geofence}"
    TRIP_NOT_ENTERED = (
        _DESTINATION,
        False,
        "the location is inside the destination geofence {geofence}, but the entry was withheld",
    )
    TRIP_WITHIN = (
        _RADIUS,
        True,
        "the location is {distance:g} m from the destination, within its arrival radius of {radius:g} m",
    )
    TRIP_BEYOND = (
        _RADIUS,
        False,
        "the location is {distance:g} m from the destination, beyond its arrival radius of {radius:g} m",
    )
    TRIP_OTHER_ENTERED = _TAG, True, "the user entered {geofence}, which has the destination's tag"
    TRIP_NO_TAG = _TAG, False, "the destination is not a geofence, so no other geofence has its tag"
    TRIP_NONE_ENTERED = _TAG, False, "the user entered no other geofence with the tag {tag}"
    TRIP_NO_ETA = _ETA, False, "the ETA is not known"
    TRIP_ROUTED = _ETA, True, "the ETA of {eta:g} s comes from a route that was computed {age:g} s before"
    TRIP_DETOUR = (
        _ETA,
        True,
        "the ETA of {eta:g} s comes from a route that was computed {age:g} s before, and which is {off:.0f} m away",
    )
    TRIP_ESTIMATED = (
        _ETA,
        True,
        "the ETA of {eta:g} s is an estimate for {distance:.0f} m at {speed:g} m/s, as no route was found",
    )
    TRIP_ESTIMATED_FIRST = (
        _ETA,
        True,
        "the ETA of {eta:g} s is an estimate for {distance:.0f} m at {speed:g} m/s, as the route is not computed yet",
    )
    TRIP_BELOW = (
        _THRESHOLD,
        True,
        "the ETA of {eta:g} s is not above the threshold of {threshold:g} s, which is set by the {source}",
    )
    TRIP_ABOVE = (
        _THRESHOLD,
        False,
        "the ETA of {eta:g} s is above the threshold of {threshold:g} s, which is set by the {source}",
    )
    TRIP_OTHER_EVENT = _CHANGE, False, "this update has another event of the trip"
    TRIP_FIRST_ETA = _CHANGE, True, "no event of the trip has contained an ETA yet"
    TRIP_CHANGED = (
        _CHANGE,
        True,
        "the ETA of {eta:g} s differs by {difference:g} s from the last one sent ({sent:g} s), at least {least:g} s",
    )
    TRIP_UNCHANGED = (
        _CHANGE,
        False,
        "the ETA of {eta:g} s differs by {difference:g} s from the last one sent ({sent:g} s), less than {least:g} s",
    )
    TRIP_EDITED = _TRIP, True, "a client changed the trip"

    # Beacons
    BEACON_REPORTED = _BEACONS, True, "the device reported the beacon, and the user was not near it before"
    BEACON_GONE = (
        _BEACONS,
        True,
        "the device no longer reported the beacon (reported: {reported}); the user had been near it since {since}",
    )
    BEACON_STAYS = _BEACONS, False, "the device still reports the beacon; the user has been near it since {since}"
    BEACON_NOT_REPORTED = (
        _BEACONS,
        False,
        "the device did not report the beacon, which is {distance:.0f} m away (reported: {reported})",
    )
    BEACON_NONE = _BEACONS, False, "the device reported no beacon, and none is within {limit:g} m"
    BEACON_NO_LIST = _BEACONS, False, "the update has no list of beacons, so the user stays near the same ones"
    BEACON_UNKNOWN = _BEACONS, False, "no beacon of the project sends {signal}, which the device reported"
    BEACON_ANONYMOUS = _BEACONS, False, "beacons of an anonymous device are not tracked"
    BEACON_DISABLED = _ENABLED, False, "the beacon is disabled"
    BEACON_REMOVED = _ENABLED, False, "the beacon was disabled or deleted, which ends the stay without an event"

    # Places
    PLACES_OFF = _PLACES, False, "the setting places is off"
    INACCURATE = _ACCURACY, False, "the accuracy of {accuracy:g} m is above {limit:g} m"
    PLACE_UNREADABLE = _PLACE_DATA, False, "nearby places could not be read"
    PLACE_NO_AREA = _PLACE_DATA, False, "no area is in use, so no places are known"
    PLACE_MOVING = _STOPPED, False, "the device is neither stopped nor in the foreground"
    PLACE_STOPPED = _STOPPED, True, "the device is {state}"
    PLACE_NONE_NEAR = _REACH, False, "no place is close enough"
    PLACE_INSIDE = _REACH, True, "the location is inside {place}"
    PLACE_NEAR = _REACH, True, "the location is {distance:g} m from {place}, within its reach of {reach:g} m"
    PLACE_AWAY = _REACH, True, "the location is {distance:g} m from {place}, farther than {limit:g} m"
    PLACE_NOT_AWAY = _REACH, False, "the location is {distance:g} m from {place}, not farther than {limit:g} m"
    PLACE_TAKEN_OVER = _REACH, True, "the user is now at {place}, which fits the location better"
    PLACE_NOT_TAKEN_OVER = _REACH, False, "the user is at {place}, and no other place fits the location clearly better"
    PLACE_UNWANTED = _WANTED, False, "{place} is not in the chains and categories of the settings"
    PLACE_CONFIDENT = _CONFIDENCE, True, "the confidence is {confidence}, at least the minimum of {minimum}"
    PLACE_UNSURE = _CONFIDENCE, False, "the confidence for {place} is {confidence}, below the minimum of {minimum}"
    CHAINS_NONE = _CHAINS, False, "the settings name no chains"
    CHAIN_COMES = _CHAINS, True, "a place of {chain} is near: {place}, {distance:.0f} m away"
    CHAIN_STAYS = _CHAINS, False, "the user is still near {chain}"
    CHAIN_FAR = _CHAINS, False, "no place of the chains in the settings is within {limit:g} m"
    CHAIN_ANONYMOUS = _CHAINS, False, "chains near an anonymous device are not tracked"

    # Regions
    REGIONS_OFF = _REGIONS, False, "the setting regions is off"
    REGION_UNREADABLE = _REGION_DATA, False, "the regions of the position could not be read"
    REGION_NO_DATA = _REGION_DATA, False, "the {kind} is unknown because no data covers the position"
    REGION_NO_MARKETS = _REGION_DATA, False, "the market area is unknown because the workspace has no dma.geojson"
    REGION_SEA = _REGION, False, "no country contains the position or is within 12 nautical miles of it"
    REGION_NOT_NORTH = _REGION, False, "states are known only in the United States and Canada"
    REGION_NOT_UNION = _REGION, False, "the {kind} is known only in the United States"
    REGION_NONE = _REGION, False, "no {kind} contains the position"
    REGION_HERE = _REGION, True, "the position is in the {kind} {region}"
    REGION_STAYS = _REGION, False, "the position is still in the {kind} {region}"
    REGION_LEFT_FOR = _REGION, True, "the position is in the {kind} {now}, no longer in {region}"
    REGION_LEFT = _REGION, True, "the position is in no {kind}, no longer in {region}"
    REGION_LOST = _REGION_DATA, True, "no data covers the position any more, so the {kind} {region} is left"

    def __init__(self, rule: EventRule, passed: bool, text: str) -> None:
        self.rule = rule
        self.passed = passed
        self.text = text


_W = EventWording
FACTS: Final = frozenset(
    {
        *(
            _W.TRIP_NONE,
            _W.TRIP_IS,
            _W.TRIP_LATE,
            _W.TRIP_ARRIVES,
            _W.TRIP_NOT_SET,
            _W.TRIP_NONE_ENTERED,
            _W.TRIP_OTHER_EVENT,
        ),
        *(_W.BEACON_STAYS, _W.PLACE_NOT_AWAY, _W.PLACE_NOT_TAKEN_OVER, _W.CHAIN_STAYS, _W.REGION_STAYS),
    }
)
"""Reasons that, if they withhold an event, only state a fact such as a position: no condition failed."""

CONTEXT: Final = frozenset(
    {_W.TRIP_ROUTED, _W.TRIP_DETOUR, _W.TRIP_ESTIMATED, _W.TRIP_ESTIMATED_FIRST, _W.BEACON_NO_LIST}
)
"""Reasons that passed, but are shown beside a failed one to explain its figures."""

OFF: Final = frozenset({_W.PLACES_OFF, _W.REGIONS_OFF})
"""Reasons that state that a setting is off."""
