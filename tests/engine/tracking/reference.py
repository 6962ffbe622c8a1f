"""A slow and simple implementation of the tracking rules, written from the specification, to compare the engine with.

It shares only the values of the domain with the engine: it measures with GeographicLib and shapely, counts the open
minutes of a week one by one, and keeps everything in lists.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from math import inf
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from engine.domain.geometry import Geometry, Point
from engine.domain.hours import DAYS
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings
from engine.domain.tracking.decision import Outcome, Rule
from engine.domain.tracking.fraud import FraudCheck
from engine.domain.tracking.updates import LocationUpdate
from tests.engine.tracking.measuring import distance_m, geodesic_m, share_inside

type Key = tuple[str, str]
"""Tag and external ID."""

type Week = Mapping[str, list[tuple[str, str]]]
"""Days to spans, in ``HH:mm``."""


@dataclass
class Fence:
    """A geofence and its rules; `hours` None means always open, and empty `networks` and `user_ids` mean all."""

    key: Key
    geometry: Geometry
    zone: ZoneInfo
    enabled: bool = True
    hours: Week | None = None
    stop_detection: bool | None = None
    disable_after: datetime | None = None
    delete_after: datetime | None = None
    user_ids: tuple[str, ...] = ()
    networks: tuple[str, ...] = ()
    dwell_threshold_s: float | None = None

    def lives(self, now: datetime) -> bool:
        return self.enabled and not (_is_after(now, self.disable_after) or _is_after(now, self.delete_after))

    def is_open(self, at: datetime, settings: ProjectSettings) -> bool:
        local = at.astimezone(self.zone)
        minute = local.hour * 60 + local.minute
        if self.hours is None:
            return True
        if settings.operating_hours_rule == "calendar":
            return local.weekday() * 1440 + minute in open_minutes(self.hours)
        spans = self.hours.get(DAYS[local.weekday()])
        return spans is None or any(_minutes(opens) < minute < _minutes(closes) for opens, closes in spans)


def _is_after(now: datetime, moment: datetime | None) -> bool:
    return moment is not None and now > moment


def open_minutes(week: Week) -> set[int]:
    """Return every open minute of the week; a close that is not after its open is on the next day."""
    found: set[int] = set()
    for day, spans in week.items():
        for opens, closes in spans:
            start, end = _minutes(opens), _minutes(closes)
            end += 0 if end > start else 1440
            found.update((DAYS.index(day) * 1440 + minute) % (7 * 1440) for minute in range(start, end))
    return found


def _minutes(text: str) -> int:
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


@dataclass
class Stay:
    entered_at: datetime
    dwelled: bool = False


@dataclass
class Record:
    """A user: a device, possibly with a logged-in user."""

    device_id: str
    user_id: str | None
    updated_at: datetime
    seen: tuple[Point, float, datetime]
    """Position, accuracy and time of the last update in order."""
    came: datetime | None = None
    newest: datetime | None = None
    aside: dict[Key, Stay] | None = None
    """The stays before late updates, until the next update in order has corrected its stays."""
    stays: dict[Key, Stay] = field(default_factory=dict)
    suspicions: frozenset[str] = frozenset()
    last_failed: dict[FraudCheck, datetime] = field(default_factory=dict)


class ReportedEvent(NamedTuple):
    """An event in the form that tests compare."""

    type: str
    at: datetime
    fence: Key | None
    confidence: int | None
    duration_s: float | None = None
    operating: bool | None = None


class Meaning(NamedTuple):
    """The effect of an update on one geofence, and the rules that withheld an event."""

    outcome: Outcome
    distance_m: float
    share: float
    confidence: int
    failed: frozenset[Rule] = frozenset()


class Answer(NamedTuple):
    record: Record
    events: list[ReportedEvent]
    meanings: dict[Key, Meaning]


ENTERED, EXITED = "user.entered_geofence", "user.exited_geofence"
DWELLED, FAILED_FRAUD = "user.dwelled_in_geofence", "user.failed_fraud"

_EVENTS = {Outcome.EXIT: EXITED, Outcome.ENTER: ENTERED, Outcome.DWELL: DWELLED}


class Reference:
    """A whole environment by the rules."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.settings: ProjectSettings = DEFAULT_SETTINGS
        self.fences: dict[Key, Fence] = {}
        self.records: list[Record] = []

    # Events from outside

    def set_now(self, now: datetime) -> None:
        """Move the clock, and expire geofences that are due, without events."""
        self.now = now
        for fence in list(self.fences.values()):
            if _is_after(now, fence.delete_after):
                self.remove(fence.key)
            else:
                self.edit(fence.key)

    def edit(self, key: Key, **changes: Any) -> None:
        """Change a geofence; if it is disabled or expired, its stays end."""
        fence = self.fences[key]
        for name, value in changes.items():
            setattr(fence, name, value)
        if not fence.lives(self.now):
            fence.enabled = False
            self._end_stays(key)

    def remove(self, key: Key) -> None:
        del self.fences[key]
        self._end_stays(key)

    def _end_stays(self, key: Key) -> None:
        for record in self.records:
            record.stays.pop(key, None)

    def track(self, update: LocationUpdate) -> Answer:
        known = self.record_for(update.device_id, update.user_id)
        at, late_after = self.accepted(update, known), self.late_after(update, known)
        found = self._suspicions(update, known, at)
        new = found - (known.suspicions if known else frozenset())
        record = self._seen(update, known, at, found)
        reported = set(record.stays)
        if late_after is None:
            self._go_back(record, at)
        elif record.aside is None:
            record.aside = {key: replace(stay) for key, stay in record.stays.items()}
        meanings = {
            key: self._meaning(fence, record.stays.get(key), update, at, late_after)
            for key, fence in self.fences.items()
        }
        differing = reported ^ set(record.stays) if late_after is None else set()
        decided = [
            (key, each)
            for key, meaning in meanings.items()
            for each in (
                _corrected(meaning, update.accuracy_m, was_inside=key in reported) if key in differing else [meaning]
            )
        ]
        events = [
            self._event(key, meaning, record.stays.get(key, Stay(at)), at, late_after)
            for outcome in _EVENTS
            for key, meaning in sorted(decided, key=lambda each: each[0])
            if meaning.outcome is outcome
        ]
        for key, meaning in meanings.items():
            _settle(record, key, meaning.outcome, at)
        meanings |= dict(reversed(decided))
        if late_after is None:
            record.seen = (update.point, update.accuracy_m, at)
        blocked = self.is_listed(record, self.settings.blocked)
        if new and (blocked or not self.is_listed(record, self.settings.bypassed)):
            events.append(ReportedEvent(FAILED_FRAUD, at, None, 3))
        return Answer(record, events, meanings)

    def _go_back(self, record: Record, at: datetime) -> None:
        """Continue from the stays before late updates, with no entry later than now."""
        if record.aside is not None:
            record.stays = {key: stay for key, stay in record.aside.items() if key in self.fences}
            record.aside = None
        for stay in record.stays.values():
            stay.entered_at = min(stay.entered_at, at)

    # Users and times

    def record_for(self, device_id: str, user_id: str | None) -> Record | None:
        """Return the record of this pair; the first user of a device takes over the device's record."""
        own = [record for record in self.records if record.device_id == device_id]
        exact = [record for record in own if record.user_id == user_id]
        if exact:
            return exact[0]
        return own[0] if own and all(record.user_id is None for record in own) else None

    def accepted(self, update: LocationUpdate, known: Record | None) -> datetime:
        """Return the client's time, or the clock's if it is missing or older than the newest one."""
        at = self._client_time(update)
        return self.now if at is None or self.late_after(update, known) is not None else at

    def late_after(self, update: LocationUpdate, known: Record | None) -> datetime | None:
        """Return the newest time of the user if the client's is older; a newest time in the future is ignored."""
        at = self._client_time(update)
        newest = None if known is None or not self._is_past(known.newest) else known.newest
        if known is None or newest is None or at is None:
            return None
        return newest if at < newest or (at == newest and known.aside is not None) else None

    def _client_time(self, update: LocationUpdate) -> datetime | None:
        if update.at is None and update.age_s is not None:
            return self.now - timedelta(seconds=update.age_s)
        return update.at

    def _is_past(self, at: datetime | None) -> bool:
        return at is not None and at <= self.now + timedelta(seconds=60)

    def _seen(self, update: LocationUpdate, known: Record | None, at: datetime, found: frozenset[str]) -> Record:
        late_after = self.late_after(update, known)
        record = known or Record(update.device_id, update.user_id, at, (update.point, update.accuracy_m, at))
        if known is None:
            self.records.append(record)
        if not self._is_past(record.newest):
            record.newest = None
        if late_after is None and self._is_past(at) and (record.newest is None or at > record.newest):
            record.newest = at
        record.user_id, record.updated_at = update.user_id, at
        record.suspicions, record.came = found, self.now
        last = record.last_failed if self.settings.fraud else {}
        record.last_failed = last | {check: at for check in FraudCheck if check in found}
        return record

    # Fraud

    def _suspicions(self, update: LocationUpdate, known: Record | None, at: datetime) -> frozenset[str]:
        """Return the checks that fail, and "blocked" if the user is blocked."""
        settings = self.settings
        proxies = settings.proxy_addresses.items if settings.proxy_addresses else ()
        checks: dict[str, bool] = {
            FraudCheck.MOCKED: bool(update.mocked),
            FraudCheck.COMPROMISED: bool(update.compromised),
            FraudCheck.INACCURATE: update.accuracy_m > settings.inaccurate_accuracy_m,
            FraudCheck.JUMPED: known is not None and self.beyond_speed_m(update, known, at) > 0,
            FraudCheck.SHARING: self._shared(update, at),
            FraudCheck.PROXY: _is_in(update.ip, proxies),
            "blocked": bool({update.device_id, update.user_id} & set(settings.blocked)),
        }
        return frozenset(check for check, failed in checks.items() if failed and settings.fraud)

    def beyond_speed_m(self, update: LocationUpdate, known: Record, at: datetime) -> float:
        """Return how much farther than possible the device has moved since its last fix, in metres."""
        point, accuracy_m, since = known.seen
        beyond = geodesic_m(point, update.point) - accuracy_m - update.accuracy_m
        if update.at is not None:
            return beyond - self.settings.jumped_speed_mps * abs((update.at - since).total_seconds())
        passed = known.came is not None and self.now > known.came
        if update.age_s is not None and passed:
            elapsed_s = (self.now - timedelta(seconds=update.age_s) - since).total_seconds()
            return beyond - self.settings.jumped_speed_mps * max(1.0, abs(elapsed_s))
        if at <= since or not passed:
            return -inf
        return beyond - self.settings.jumped_speed_mps * (at - since).total_seconds()

    def _shared(self, update: LocationUpdate, at: datetime) -> bool:
        window = timedelta(seconds=self.settings.sharing_window_s)
        return any(
            record.device_id == update.device_id
            and None not in (record.user_id, update.user_id)
            and record.user_id != update.user_id
            and abs(at - record.seen[2]) <= window
            for record in self.records
        )

    def is_listed(self, record: Record, listed: Iterable[str]) -> bool:
        return bool({record.device_id, record.user_id} & set(listed))

    # The boundary

    def _meaning(
        self, fence: Fence, stay: Stay | None, update: LocationUpdate, at: datetime, late_after: datetime | None
    ) -> Meaning:
        distance = distance_m(fence.geometry, update.point)
        share = share_inside(fence.geometry, update.point, update.accuracy_m)
        inside = confidence_of(share, whole=distance <= -update.accuracy_m)
        outside = confidence_of(1 - share, whole=distance >= update.accuracy_m)
        if not fence.lives(self.now):
            outcome, failed = Outcome.STAY_OUTSIDE if stay is None else Outcome.END_SILENTLY, _NOTHING
        elif stay is None:
            outcome, failed = self._entry(fence, distance, inside, update, at)
        else:
            outcome, failed = self._exit(fence, distance, outside, update, at)
            buffer_m = update.accuracy_m if self.settings.buffer_entries else 0
            held = outcome is Outcome.EXIT_WITHHELD and distance <= buffer_m
            if (outcome is Outcome.STAY_INSIDE or held) and self._dwells(fence, stay, at, late_after):
                forbidden = self._forbidden(fence, update, at)
                if not forbidden:
                    outcome, failed = Outcome.DWELL, _NOTHING
                elif outcome is Outcome.STAY_INSIDE:
                    outcome, failed = Outcome.DWELL_WITHHELD, forbidden
        leaving = outcome in (Outcome.EXIT, Outcome.EXIT_WITHHELD, Outcome.LEAVE_SILENTLY)
        return Meaning(outcome, distance, share, outside if leaving else inside, failed)

    def _entry(
        self, fence: Fence, distance: float, confidence: int, update: LocationUpdate, at: datetime
    ) -> tuple[Outcome, frozenset[Rule]]:
        if distance > (update.accuracy_m if self.settings.buffer_entries else 0):
            return Outcome.STAY_OUTSIDE, _NOTHING
        failed = self._forbidden(fence, update, at) | self._unstopped(fence, update) | self._unsure(confidence)
        return Outcome.ENTRY_WITHHELD if failed else Outcome.ENTER, failed

    def _exit(
        self, fence: Fence, distance: float, confidence: int, update: LocationUpdate, at: datetime
    ) -> tuple[Outcome, frozenset[Rule]]:
        if distance <= 0:
            return Outcome.STAY_INSIDE, _NOTHING
        buffered = self.settings.buffer_exits and distance <= update.accuracy_m
        held = _if(buffered, Rule.BUFFER_EXITS) | self._unsure(confidence)
        if held:
            return Outcome.EXIT_WITHHELD, held
        forbidden = self._forbidden(fence, update, at)
        return Outcome.LEAVE_SILENTLY if forbidden else Outcome.EXIT, forbidden

    def _event(
        self, key: Key, meaning: Meaning, stay: Stay | None, at: datetime, late_after: datetime | None
    ) -> ReportedEvent:
        fence = self.fences[key]
        left = stay is not None and meaning.outcome is Outcome.EXIT
        return ReportedEvent(
            _EVENTS[meaning.outcome],
            at,
            key,
            meaning.confidence,
            _lasted(stay, at, late_after).total_seconds() if stay is not None and left else None,
            None if fence.hours is None else fence.is_open(at, self.settings),
        )

    # The rules

    def _unsure(self, confidence: int) -> frozenset[Rule]:
        return _if(confidence < self.settings.minimum_confidence, Rule.MINIMUM_CONFIDENCE)

    def _unstopped(self, fence: Fence, update: LocationUpdate) -> frozenset[Rule]:
        wanted = self.settings.stop_detection if fence.stop_detection is None else fence.stop_detection
        return _if(wanted and not (update.stopped or update.foreground), Rule.STOP_DETECTION)

    def _forbidden(self, fence: Fence, update: LocationUpdate, at: datetime) -> frozenset[Rule]:
        return (
            _if(bool(fence.user_ids) and update.user_id not in fence.user_ids, Rule.USER_IDS)
            | _if(bool(fence.networks) and not _is_in(update.ip, fence.networks), Rule.IP)
            | _if(
                self.settings.operating_hours_restriction and not fence.is_open(at, self.settings), Rule.OPERATING_HOURS
            )
        )

    def _dwells(self, fence: Fence, stay: Stay, at: datetime, late_after: datetime | None) -> bool:
        threshold_s = fence.dwell_threshold_s or self.settings.default_dwell_threshold_s
        return (
            self.settings.dwell_event
            and threshold_s is not None
            and not stay.dwelled
            and (late_after is None or stay.entered_at > late_after)
            and _lasted(stay, at, late_after) > timedelta(seconds=threshold_s)
        )


def confidence_of(share: float, *, whole: bool) -> int:
    return 3 if whole else 2 if share >= 0.5 - 1e-6 else 1


_ENDS = (Outcome.EXIT, Outcome.LEAVE_SILENTLY, Outcome.END_SILENTLY)


def _corrected(meaning: Meaning, accuracy_m: float, *, was_inside: bool) -> list[Meaning]:
    """Return the effects of an update after a late one has reported whether the user was inside."""
    outcome = meaning.outcome
    is_inside = outcome is Outcome.ENTER if was_inside else outcome not in _ENDS
    if is_inside is was_inside:
        return [meaning._replace(outcome=Outcome.STAY_INSIDE if is_inside else Outcome.STAY_OUTSIDE)]
    share, towards_m = (meaning.share, meaning.distance_m) if is_inside else (1 - meaning.share, -meaning.distance_m)
    confidence = confidence_of(share, whole=towards_m <= -accuracy_m)
    reversal = Meaning(
        Outcome.ENTER if is_inside else Outcome.EXIT, meaning.distance_m, meaning.share, confidence, _NOTHING
    )
    return [reversal, meaning] if outcome is Outcome.DWELL else [reversal]


def _lasted(stay: Stay, at: datetime, late_after: datetime | None) -> timedelta:
    """Return the duration of a stay; a late update does not prolong a stay of the updates in order."""
    until = late_after if late_after is not None and stay.entered_at <= late_after else at
    return max(timedelta(0), until - stay.entered_at)


def _settle(record: Record, key: Key, outcome: Outcome, at: datetime) -> None:
    """Begin the stay in a geofence, mark it as dwelled, or end it."""
    if outcome is Outcome.ENTER:
        record.stays[key] = Stay(at)
    elif outcome is Outcome.DWELL:
        record.stays[key].dwelled = True
    elif outcome in _ENDS:
        del record.stays[key]


_NOTHING: frozenset[Rule] = frozenset()


def _if(condition: bool, rule: Rule) -> frozenset[Rule]:
    return frozenset({rule}) if condition else _NOTHING


def _is_in(address: str | None, networks: Iterable[str]) -> bool:
    return address is not None and any(ip_address(address) in ip_network(network) for network in networks)
