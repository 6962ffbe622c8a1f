"""From a device to its events: the update, the user, the presence, the event."""

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
from engine.domain.tracking.beacon import NO_STAYS, BeaconStays, BeaconSummary, HeardBeacon
from engine.domain.tracking.decision import Explanation
from engine.domain.tracking.fraud import Fraud
from engine.domain.tracking.trips import Trip, TripChange
from engine.domain.tracking.verdicts import Verdict


class DeviceType(StrEnum):
    """The kinds of device the specification names."""

    IOS = "iOS"
    ANDROID = "Android"
    WEB = "Web"


class EventType(StrEnum):
    """Why an event was generated, in the wire's own words."""

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
    """Confidence of an event: from the share of the accuracy circle on the side that the event says."""

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
"""What every device without a name is called; it stands for many."""


class Anonymous(Struct, frozen=True):
    """What a device that wants to stay unknown says of itself: in which geofences, at which place it was, and so on."""

    geofence_ids: tuple[str, ...] = ()
    place_id: str | None = None
    region_ids: tuple[str, ...] = ()


class LocationUpdate(Struct, frozen=True):
    """One report of a device, checked.

    `at` is the client's time, or None when the device gave none; then `age_s` may tell how long ago the fix was
    taken. What is None in `description`, `metadata` and `device` the device did not send; then what is stored stays.
    `mocked` and `compromised` are what the device itself found. `beacons` are those that it hears, None where it does
    not say: then the user stays near those of before. `source` is the device's word for why it looked where it is, such
    as ``GEOFENCE_EXIT``. `explain` asks for the result's explanations. `trip` starts the trip with its external ID, or
    changes it. An `anonymous` update is decided by what it holds, and nothing of it is stored. One that is stored
    `once` and comes again changes nothing, and is answered with the events of the first time. One that `awaits_route`
    is of a track that is played: if its trip is having a route searched, it is decided once that is found.
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
    beacons: tuple[HeardBeacon, ...] | None = None
    explain: bool = False
    anonymous: Anonymous | None = None
    trip: TripChange | None = None
    source: str | None = None
    once: bool = False
    awaits_route: bool = False

    def taken_at(self, now: datetime) -> datetime | None:
        """Return when the device says that the fix was taken, in whole milliseconds; None where it says nothing."""
        if self.at is not None:
            return self.at.replace(microsecond=self.at.microsecond // 1000 * 1000)
        if self.age_s is not None:
            return now - timedelta(milliseconds=round(self.age_s * 1000))
        return None


class Fix(Struct, frozen=True):
    """Position and time of a device, as the engine accepted them.

    A late fix, whose client's time is before the user's newest one, has the engine's time, and `late_after` is that
    newest time.
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
        """Return how long a stay has lasted at this fix, at least 0; a late fix prolongs none of before it."""
        until = self.at
        if self.late_after is not None and since <= self.late_after:
            until = self.late_after
        return max(0.0, (until - since).total_seconds())


class Presence(Struct, frozen=True):
    """A user is inside a geofence since `entered_at` (the fix's time), and perhaps has dwelled there."""

    geofence_id: str
    entered_at: datetime
    dwelled: bool = False


class Subject(Struct, frozen=True):
    """Whose update it is, as far as rules of geofences ask: the user who is logged in, the request's address."""

    user_id: str | None = None
    ip: str | None = None


class SegmentSummary(Struct, frozen=True):
    """The part of a segment that its users carry."""

    description: str
    external_id: str


class ChainSummary(Struct, frozen=True):
    """The part of a chain that visitors of its places carry."""

    name: str
    slug: str
    external_id: str | None = None


class UserSummary(Struct, frozen=True):
    """The part of a user that their events carry."""

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
    """A user is at a place since `entered_at` (the fix's time). The place has neither address nor outline."""

    place: Place
    entered_at: datetime


class PlaceState(Struct, frozen=True):
    """At which place and in which regions a user is, and which chains they visited, as far as the settings ask for it.

    `settings` numbers the settings that found it: what is older than switching places or regions on no longer counts.
    `near_chains` are the slugs of the chains, of those that the settings name, that the user is near.
    """

    stay: PlaceStay | None = None
    regions: Regions = NO_REGIONS
    visits: tuple[ChainVisits, ...] = ()
    settings: int = 0
    near_chains: tuple[str, ...] = ()


NOWHERE = PlaceState()


class InOrder(Struct, frozen=True):
    """State of a user before late updates: the stays, and the fix, that the next update in order continues from.

    `received_at` is the engine's time when that fix came.
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

    `place_state` are as they are stored; `place`, `regions` and `top_chains` are what the settings let see of them.
    `updated_at` is the last fix's time and `actual_updated_at` the engine's when it came, None where that is the same.
    `nearby_chains` are those with a place near the last fix, the nearest first.
    `trip` is the one under way. `newest_at` is the client's newest time, None where it is `updated_at`; `in_order` is
    there while late updates have ended or begun stays that the next update in order has yet to correct.
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

    @property
    def summary(self) -> UserSummary:
        """The part of the user that its events carry."""
        return UserSummary(
            self.id, self.device_id, self.user_id, self.metadata, self.regions, self.segments, self.top_chains
        )

    @property
    def personal_data(self) -> bool:
        """Whether the user ID looks like an e-mail address; user IDs must not carry personal information."""
        return self.user_id is not None and is_personal(self.user_id)


class Reporter(Struct, frozen=True):
    """What reported an event of a client's own: the device, the version of its SDK, and the installed app."""

    device: Device = UNKNOWN_DEVICE
    sdk_version: str | None = None
    install_id: str | None = None


class Event(Struct, frozen=True):
    """Something a user did, decided by the engine or reported by a client, and stored.

    `created_at` is the fix's time and `actual_created_at` the engine's. On events of geofences: `geofence`,
    `currently_operating` where the geofence has hours, and on exits `duration_s`, how long the stay was. `place` is on
    events of places, with `duration_s` on exits and, on entries, `alternate_places`, which the fix would also fit, and
    on those of a chain nearby, whose nearest place it is;
    `beacon` and `region` on theirs. Only events of former versions have no `confidence`.
    `trip` is on events of trips, as it was then; `fraud` is on failed checks, `metadata` on conversions, whose `type`
    is any word of the client's, with the `reporter`. A
    conversion of a user who is not known yet has no place, and an empty `user.id`.
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


class Conversion(Struct, frozen=True):
    """An event that a client reports itself; that of an anonymous device is not stored."""

    type: str
    device_id: str | None = None
    user_id: str | None = None
    at: datetime | None = None
    metadata: Metadata = NO_METADATA
    reporter: Reporter = Reporter()
    is_anonymous: bool = False


class Timing(Enum):
    """How the client's time of an update compares with the engine's clock and with the updates before it."""

    ON_TIME = "on time"
    LATE = "late"
    AHEAD = "ahead"
    REPEATED = "repeated"


class TrackResult(Struct, frozen=True):
    """The result of a location update: the user as stored, and the events it generated in order.

    `explanations` are there when the update asked for them: every geofence near, and those the user was in. So are
    `verdicts`: why events of trips, beacons, places and regions fired, or not. `refused` is what the update asked of a
    trip in vain. Of an update that was stored before, `repeated` are the events of the first time; it has generated
    none. `lacks_route` says that it waited in vain for the route of its trip, which its ETA therefore does not go by.
    """

    user: User
    events: tuple[Event, ...]
    explanations: tuple[Explanation, ...] | None = None
    refused: tuple[InvalidParameter, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    timing: Timing = Timing.ON_TIME
    repeated: tuple[Event, ...] = ()
    lacks_route: bool = False
