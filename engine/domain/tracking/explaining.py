"""Past updates, explained and run again."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.settings import NO_SETTINGS_CHANGE, SettingsChange
from engine.domain.tracking.decision import Explanation
from engine.domain.tracking.happened import ReplayedEvent
from engine.domain.tracking.updates import NOWHERE, Fix, LocationUpdate, PlaceState, Presence, Subject, UserSummary
from engine.domain.tracking.verdicts import Verdict
from engine.domain.tracking.whatif import NO_EDITS, Difference, FenceEdits


class UpdateQuery(Struct, frozen=True, kw_only=True):
    """The update of a device to explain: the last one at or before `at`, or the last of all.

    With `fired`, the type and name of an event that is not of a geofence, it is the one at that time that fired it, if
    there is one: several updates may have one time, as on a clock that stands still.
    """

    device_id: str
    user_id: str | None = None
    at: datetime | None = None
    fired: tuple[str, str] | None = None


class ExplainedUpdate(Struct, frozen=True):
    """A kept update and what it meant for each geofence near, as everything was when it was stored.

    `number` orders the updates of an environment; `received_at` is the engine's time. `verdicts` say why events of
    trips, beacons, places and regions fired, or not, as that was found then.
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


class KeptUpdate(Struct, frozen=True):
    """A location update as it was accepted, and by what it was decided.

    `presences` and `place_state` are those before the update; `revision` and `settings` tell which geofences and
    settings were in force; `number` orders the updates. `taken_at` is the time that the device gave, None where it gave
    none, and `is_aged` tells that it gave it as an age. `in_order` are the presences by the updates in order alone,
    where late ones have come since.
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
        """The presences before the update, also those by the updates in order alone."""
        return self.presences if self.in_order is None else {**self.in_order, **self.presences}


class GeofenceVersion(Struct, frozen=True):
    """The state of a geofence from the revision `geofence.revision` up to before `until`; None is up to now."""

    geofence: Geofence
    until: int | None


class ReplayFences(StrEnum):
    """Choice of the geofences that a replay uses."""

    THEN = "then"
    NOW = "now"


class ReplayQuery(Struct, frozen=True, kw_only=True):
    """Query of the updates to run again, with settings and geofences; times bound the fixes' times.

    Without `device_ids` all devices are meant. `edits` come on top of the geofences that `fences` chooses. With
    `updates` these are run, which were never sent, instead of kept ones: by the settings and geofences of now, and
    with the changes.
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
    """The events before and after, and what differs. Nothing is changed by finding out."""

    updates: int
    before: tuple[ReplayedEvent, ...]
    after: tuple[ReplayedEvent, ...]
    differences: tuple[Difference, ...] = ()

    @property
    def removed(self) -> tuple[ReplayedEvent, ...]:
        """The events that would not have been."""
        return _without(self.before, self.after)

    @property
    def added(self) -> tuple[ReplayedEvent, ...]:
        """The events that would have been besides."""
        return _without(self.after, self.before)


def _without(events: tuple[ReplayedEvent, ...], others: tuple[ReplayedEvent, ...]) -> tuple[ReplayedEvent, ...]:
    known = {other.key for other in others}
    return tuple(event for event in events if event.key not in known)


class Cleared(Struct, frozen=True):
    """Numbers of records that were removed."""

    users: int
    events: int
    updates: int
    trips: int = 0
    geofences: int = 0
    beacons: int = 0
