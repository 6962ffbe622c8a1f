"""Explanations and replays of past updates."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.settings import NO_SETTINGS_CHANGE, SettingsChange
from engine.domain.tracking.decision import Explanation
from engine.domain.tracking.replayed_event import ReplayedEvent
from engine.domain.tracking.updates import NOWHERE, Fix, LocationUpdate, PlaceState, Presence, Subject, UserSummary
from engine.domain.tracking.verdicts import Verdict
from engine.domain.tracking.whatif import NO_EDITS, Difference, FenceEdits


class UpdateQuery(Struct, frozen=True, kw_only=True):
    """A query for the update of a device to explain: the last one at or before `at`, or the last of all.

    `fired` is the type and name of an event other than of a geofence. It selects the update of that time that fired the
    event, if any: several updates may have the same time, as on a frozen clock.
    """

    device_id: str
    user_id: str | None = None
    at: datetime | None = None
    fired: tuple[str, str] | None = None


class ExplainedUpdate(Struct, frozen=True):
    """A kept update and its effect on each nearby geofence, with all data as they were when it was stored.

    `number` orders the updates of an environment; `received_at` is the engine's time. `verdicts` are the reasons
    recorded at that time why events of trips, beacons, places and regions fired or not. `zone` is the name of the time
    zone of the fix. `next_at` is the time of the device's next update, if the query was for a time.
    """

    number: int
    environment: Environment
    user: UserSummary
    fix: Fix
    received_at: datetime
    ip: str | None
    replayed: bool
    explanations: tuple[Explanation, ...]
    verdicts: tuple[Verdict, ...] = ()
    zone: str = "Etc/UTC"
    next_at: datetime | None = None


class KnownDevices(Struct, frozen=True):
    """Devices with kept updates: those most similar to a name, the number of others, and the one that may be meant.

    `elsewhere` is whether updates of the name itself are kept in the other environment.
    """

    device_ids: tuple[str, ...]
    more: int = 0
    closest: str | None = None
    elsewhere: bool = False


class KeptUpdate(Struct, frozen=True):
    """A location update as it was accepted, and the state on which its decision was based.

    `presences` and `place_state` are those before the update. `revision` and `settings` identify the geofences and
    settings in force. `number` orders the updates. `taken_at` is the time given by the device, or None without one, and
    `is_aged` is set if it was given as an age. `in_order` are the presences from the updates in order alone, if late
    ones have arrived since.
    """

    number: int
    user: UserSummary
    subject: Subject
    fix: Fix
    received_at: datetime
    revision: int
    settings: int
    presences: Mapping[str, Presence]
    replayed: bool
    mocked: bool = False
    compromised: bool = False
    place_state: PlaceState = NOWHERE
    taken_at: datetime | None = None
    is_aged: bool = False
    in_order: Mapping[str, Presence] | None = None

    @property
    def stays(self) -> Mapping[str, Presence]:
        """The presences before the update, including those from the updates in order alone."""
        return self.presences if self.in_order is None else {**self.in_order, **self.presences}


class EarlierState(Struct, frozen=True):
    """The state of a user before the first kept update, from earlier ones that are no longer kept.

    `presences` and `in_order` are as in `KeptUpdate`. `newest_at` is the newest time of the earlier updates, known only
    if the first kept one is late.
    """

    presences: Mapping[str, Presence] = {}
    in_order: Mapping[str, Presence] | None = None
    newest_at: datetime | None = None


class GeofenceVersion(Struct, frozen=True):
    """The state of a geofence from the revision `geofence.revision` to before `until`, or until now if it is None."""

    geofence: Geofence
    until: int | None


class ReplayFences(StrEnum):
    """Choice of the geofences for a replay."""

    THEN = "then"
    NOW = "now"


class ReplayQuery(Struct, frozen=True, kw_only=True):
    """A query for the updates to replay, with settings and geofences; the time limits apply to the fixes' times.

    Without `device_ids`, all devices are replayed. `edits` are applied on top of the geofences selected by `fences`. If
    `updates` are given, these are run instead of kept ones, although they were never sent: with the current settings
    and geofences, and with the changes.
    """

    device_ids: tuple[str, ...] = ()
    user_id: str | None = None
    after: datetime | None = None
    before: datetime | None = None
    change: SettingsChange = NO_SETTINGS_CHANGE
    fences: ReplayFences = ReplayFences.THEN
    edits: FenceEdits = NO_EDITS
    updates: tuple[LocationUpdate, ...] | None = None


class ReplayReport(Struct, frozen=True):
    """The events before and after, and their differences. A replay changes no data."""

    updates: int
    before: tuple[ReplayedEvent, ...]
    after: tuple[ReplayedEvent, ...]
    differences: tuple[Difference, ...] = ()

    @property
    def removed(self) -> tuple[ReplayedEvent, ...]:
        """The events that would not have fired."""
        return _without(self.before, self.after)

    @property
    def added(self) -> tuple[ReplayedEvent, ...]:
        """The additional events that would have fired."""
        return _without(self.after, self.before)


def _without(events: tuple[ReplayedEvent, ...], others: tuple[ReplayedEvent, ...]) -> tuple[ReplayedEvent, ...]:
    known = {other.key for other in others}
    return tuple(event for event in events if event.key not in known)


class Cleared(Struct, frozen=True):
    """Numbers of deleted records."""

    users: int
    events: int
    updates: int
    trips: int = 0
    geofences: int = 0
    beacons: int = 0
