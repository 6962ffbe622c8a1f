"""The domain of tracking: the update, the user, the presence, the event."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import Enum, IntEnum, StrEnum
from typing import Final

from msgspec import Struct

from engine.domain.addresses.address import NO_REGIONS, Region, Regions
from engine.domain.addresses.place import Chain, Place
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.metadata import NO_METADATA, Metadata
from engine.domain.text import is_personal
from engine.domain.tracking.beacon import NO_STAYS, BeaconStays, BeaconSummary, ReportedBeacon
from engine.domain.tracking.decision import Explanation
from engine.domain.tracking.fraud import Fraud
from engine.domain.tracking.trips import Trip, TripChange
from engine.domain.tracking.verdicts import Verdict


class DeviceType(StrEnum):
    """The types of devices in the specification."""

    IOS = "iOS"
    ANDROID = "Android"
    WEB = "Web"


class EventType(StrEnum):
    """Types of events, in the wire's own words."""

    ENTERED_GEOFENCE = "user.entered_geofence"
    EXITED_GEOFENCE = "user.exited_geofence"
    DWELLED_IN_GEOFENCE = "user.dwelled_in_geofence"
    ENTERED_PLACE = "user.entered_place"
    EXITED_PLACE = "user.exited_place"
    NEARBY_PLACE_CHAIN = "user.nearby_place_chain"
    ENTERED_COUNTRY = "user.entered_region_country"
    EXITED_COUNTRY = "user.exited_region_country"
    ENTERED_STATE = "user.entered_region_state"
    EXITED_STATE = "user.exited_region_state"
    ENTERED_DMA = "user.entered_region_dma"
    EXITED_DMA = "user.exited_region_dma"
    ENTERED_POSTAL_CODE = "user.entered_region_postal_code"
    EXITED_POSTAL_CODE = "user.exited_region_postal_code"
    ENTERED_BEACON = "user.entered_beacon"
    EXITED_BEACON = "user.exited_beacon"
    FAILED_FRAUD = "user.failed_fraud"
    STARTED_TRIP = "user.started_trip"
    UPDATED_TRIP = "user.updated_trip"
    APPROACHING_TRIP_DESTINATION = "user.approaching_trip_destination"
    ARRIVED_AT_TRIP_DESTINATION = "user.arrived_at_trip_destination"
    ARRIVED_AT_WRONG_TRIP_DESTINATION = "user.arrived_at_wrong_trip_destination"
    STOPPED_TRIP = "user.stopped_trip"


class Verification(IntEnum):
    """The verdict of a person or a program about an event."""

    ACCEPTED = 1
    UNVERIFIED = 0
    REJECTED = -1


class Confidence:
    """Confidence of an event, from the share of the accuracy circle on the side stated by the event."""

    HIGH = 3
    MEDIUM = 2
    LOW = 1


class Device(Struct, frozen=True):
    """A device's own description."""

    type: DeviceType | None = None
    os: str | None = None
    make: str | None = None
    model: str | None = None


UNKNOWN_DEVICE = Device()


ANONYMOUS_DEVICE: Final = "anonymous"
"""The name of every device without a name; it stands for many."""


MAX_USER_TAGS: Final = 100
"""Maximum number of tags of a user."""


class Anonymous(Struct, frozen=True):
    """The state that an anonymous device reports of itself: the geofences, the place and the regions that it was in."""

    geofence_ids: tuple[str, ...] = ()
    place_id: str | None = None
    region_ids: tuple[str, ...] = ()


class LocationUpdate(Struct, frozen=True):
    """A validated report of a device.

    `at` is the client's time, or None if the device sent none; `age_s` may then be the age of the fix. Fields in
    `description`, `metadata`, `user_tags` and `device` that are None were not sent, and keep their stored values.
    `mocked` and `compromised` are findings of the device itself. `beacons` are the ones that it hears, or None if it
    does not report any: the user then stays near the previous ones. `source` is the device's reason for the update,
    such as ``GEOFENCE_EXIT``. `install_id` names the installed app. `explain` requests explanations in the result.
    `trip` starts the trip with its external ID, or changes it. An `anonymous` update is decided on its own contents,
    and nothing of it is stored. If an update that is stored `once` is repeated, it changes nothing, and the result has
    the events of the first time. An update that `awaits_route` belongs to a track being played: if a route for its trip
    is being searched, the decision waits for it.
    """

    device_id: str
    point: Point
    accuracy_m: float
    user_id: str | None = None
    at: datetime | None = None
    age_s: float | None = None
    foreground: bool | None = None
    stopped: bool | None = None
    device: Device = UNKNOWN_DEVICE
    altitude_m: float | None = None
    vertical_accuracy_m: float | None = None
    description: str | None = None
    metadata: Metadata | None = None
    replayed: bool = False
    ip: str | None = None
    mocked: bool | None = None
    compromised: bool | None = None
    beacons: tuple[ReportedBeacon, ...] | None = None
    explain: bool = False
    anonymous: Anonymous | None = None
    trip: TripChange | None = None
    source: str | None = None
    once: bool = False
    awaits_route: bool = False
    user_tags: tuple[str, ...] | None = None
    install_id: str | None = None

    def taken_at(self, now: datetime) -> datetime | None:
        """Return the time of the fix according to the device, in whole milliseconds, or None if it sent none."""
        if self.at is not None:
            return self.at.replace(microsecond=self.at.microsecond // 1000 * 1000)
        if self.age_s is not None:
            return now - timedelta(milliseconds=round(self.age_s * 1000))
        return None


class Fix(Struct, frozen=True):
    """Position and time of a device, as accepted by the engine.

    A fix is late if the client's time is before the user's newest one. It then has the engine's time, and `late_after`
    is that newest time.
    """

    point: Point
    accuracy_m: float
    at: datetime
    foreground: bool = False
    stopped: bool = False
    altitude_m: float | None = None
    vertical_accuracy_m: float | None = None
    source: str | None = None
    late_after: datetime | None = None

    def lasted_s(self, since: datetime) -> float:
        """Return the duration of a stay at this fix, at least 0.

        A late fix does not prolong a stay that began before it.
        """
        until = self.at
        if self.late_after is not None and since <= self.late_after:
            until = self.late_after
        return max(0.0, (until - since).total_seconds())


class Presence(Struct, frozen=True):
    """The presence of a user in a geofence since `entered_at` (the fix's time), with or without a dwell."""

    geofence_id: str
    entered_at: datetime
    dwelled: bool = False


class Subject(Struct, frozen=True):
    """The sender of an update for the rules of geofences: the user who is logged in, and the request's address."""

    user_id: str | None = None
    ip: str | None = None


class SegmentSummary(Struct, frozen=True):
    """The part of a segment that its users include."""

    description: str
    external_id: str


class ChainSummary(Struct, frozen=True):
    """The part of a chain that visitors of its places include; all but name and slug are the project's own."""

    name: str
    slug: str
    external_id: str | None = None
    metadata: Metadata = NO_METADATA
    domain: str | None = None


class UserSummary(Struct, frozen=True):
    """The part of a user that their events include."""

    id: str
    device_id: str
    user_id: str | None = None
    metadata: Metadata = NO_METADATA
    regions: Regions = NO_REGIONS
    segments: tuple[SegmentSummary, ...] = ()
    top_chains: tuple[ChainSummary, ...] = ()


class ChainVisits(Struct, frozen=True):
    """Number of times a user entered places of a chain."""

    slug: str
    name: str
    count: int


class PlaceStay(Struct, frozen=True):
    """The stay of a user at a place since `entered_at` (the fix's time). The place has neither address nor outline."""

    place: Place
    entered_at: datetime


class PlaceState(Struct, frozen=True):
    """A user's place, regions and visited chains, as far as the settings enable them.

    `settings` is the number of the settings with which it was determined. A state from before places or regions were
    enabled no longer counts. `near_chains` are the slugs of those chains in the settings that the user is near.
    """

    stay: PlaceStay | None = None
    regions: Regions = NO_REGIONS
    visits: tuple[ChainVisits, ...] = ()
    settings: int = 0
    near_chains: tuple[str, ...] = ()


NOWHERE = PlaceState()


class InOrder(Struct, frozen=True):
    """State of a user before late updates: the stays and the fix from which the next update in order continues.

    `received_at` is the engine's time when that fix arrived.
    """

    presences: Mapping[str, Presence]
    fix: Fix
    received_at: datetime
    stay: PlaceStay | None = None
    beacons: BeaconStays = NO_STAYS


NO_CLIENT_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The newest client time of a user whose updates were all too far ahead of the engine's clock."""


class User(Struct, frozen=True):
    """A device, with the user ID it logged in with, and its last location.

    `place_state` is the stored state; `place`, `regions` and `top_chains` are the parts of it that the settings expose.
    `updated_at` is the last fix's time and `actual_updated_at` the engine's time of its arrival, or None if both are
    the same. `nearby_chains` are chains with a place near the last fix, nearest first. `trip` is the one in progress.
    `install_id` names the app that sent the last update. `newest_at` is the client's newest time, or None if it is
    `updated_at`. `in_order` is set while late updates have ended or begun stays that the next update in order has yet
    to correct.
    """

    id: str
    environment: Environment
    device_id: str
    user_id: str | None
    description: str | None
    metadata: Metadata
    fix: Fix
    device: Device
    ip: str | None
    created_at: datetime
    updated_at: datetime
    geofences: tuple[GeofenceSummary, ...] = ()
    fraud: Fraud | None = None
    segments: tuple[SegmentSummary, ...] = ()
    place_state: PlaceState = NOWHERE
    place: Place | None = None
    regions: Regions = NO_REGIONS
    top_chains: tuple[ChainSummary, ...] = ()
    trip: Trip | None = None
    actual_updated_at: datetime | None = None
    nearby_chains: tuple[Chain, ...] = ()
    beacons: tuple[BeaconSummary, ...] = ()
    newest_at: datetime | None = None
    in_order: InOrder | None = None
    user_tags: tuple[str, ...] = ()
    install_id: str | None = None

    @property
    def summary(self) -> UserSummary:
        """The part of the user that its events include."""
        return UserSummary(
            self.id, self.device_id, self.user_id, self.metadata, self.regions, self.segments, self.top_chains
        )

    @property
    def personal_data(self) -> bool:
        """Whether the user ID looks like an e-mail address; user IDs must not contain personal information."""
        return self.user_id is not None and is_personal(self.user_id)


class Reporter(Struct, frozen=True):
    """The source of a client's own event: the device, the version of its SDK, and the installed app."""

    device: Device = UNKNOWN_DEVICE
    sdk_version: str | None = None
    install_id: str | None = None


class Event(Struct, frozen=True):
    """An action of a user, decided by the engine or reported by a client, and stored.

    `created_at` is the fix's time and `actual_created_at` the engine's. Events of geofences have `geofence`,
    `currently_operating` if the geofence has hours, and on exits `duration_s`, the duration of the stay. `place` is set
    on events of places, with `duration_s` on exits and `alternate_places`, other places that the fix matches, on
    entries. It is also set on events of a nearby chain, as the nearest place. `beacon` and `region` are set on their
    events. Only events of earlier versions have no `confidence`. `trip` is set on events of trips, with the state at
    that time. `fraud` is set on failed checks, `metadata` on conversions, whose `type` is any word of the client's,
    together with the `reporter`; clients may give them a `revenue` and a `duration_s`. A conversion of an unknown user
    has no position, and an empty `user.id`.
    """

    id: str
    environment: Environment
    type: str
    created_at: datetime
    actual_created_at: datetime
    user: UserSummary
    geofence: GeofenceSummary | None = None
    point: Point | None = None
    accuracy_m: float | None = None
    confidence: int | None = None
    duration_s: float | None = None
    currently_operating: bool | None = None
    metadata: Metadata = NO_METADATA
    fraud: Fraud | None = None
    verification: Verification | None = None
    verified_place_id: str | None = None
    replayed: bool = False
    place: Place | None = None
    region: Region | None = None
    trip: Trip | None = None
    alternate_places: tuple[Place, ...] = ()
    reporter: Reporter | None = None
    beacon: BeaconSummary | None = None
    revenue: float | None = None


class Conversion(Struct, frozen=True):
    """An event reported by a client itself; it is not stored if the device is anonymous."""

    type: str
    device_id: str | None = None
    user_id: str | None = None
    at: datetime | None = None
    metadata: Metadata = NO_METADATA
    reporter: Reporter = Reporter()
    is_anonymous: bool = False
    revenue: float | None = None
    duration_s: float | None = None


class Timing(Enum):
    """The relation of an update's client time to the engine's clock and to earlier updates."""

    ON_TIME = "on time"
    LATE = "late"
    AHEAD = "ahead"
    REPEATED = "repeated"


class TrackResult(Struct, frozen=True):
    """The result of a location update: the user as stored, and the generated events in order.

    `explanations` are set if the update requested them, and are about every nearby geofence and the ones that the user
    was in. So are `verdicts`, the reasons why events of trips, beacons, places and regions fired or not. `refused` has
    the errors of refused trip requests. If the update was stored before, `repeated` has the events of the first time,
    and no new ones are generated. `lacks_route` is set if the route of its trip was not found in time, so that the ETA
    is not based on it.
    """

    user: User
    events: tuple[Event, ...]
    explanations: tuple[Explanation, ...] | None = None
    refused: tuple[InvalidParameter, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    timing: Timing = Timing.ON_TIME
    repeated: tuple[Event, ...] = ()
    lacks_route: bool = False
