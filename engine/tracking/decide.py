"""The decision about a fix and one geofence, with its reasons.

`decide` is a pure function. The value it returns carries the reasons, so that events, explanations and tests all come
from the same place.
"""

from collections.abc import Callable, Container, Iterable
from datetime import datetime
from typing import NamedTuple, Self
from zoneinfo import ZoneInfo

from engine.domain.clock import utc_text
from engine.domain.geofence import Geofence
from engine.domain.hours import DAYS, HoursRule
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.decision import OUTSIDE, Explanation, Outcome, Reason, Values, Wording, shown_part
from engine.domain.tracking.updates import Fix, Presence, Subject
from engine.geo.index import Entry
from engine.geo.zones import zone_at, zoned_text
from engine.tracking.measure import Measure


class Decision(NamedTuple):
    """The outcome for one geofence, its reasons in the order they were applied, and the measurements."""

    outcome: Outcome
    reasons: tuple[Reason, ...]
    fence: Entry[Geofence]
    measure: Measure
    hours_rule: HoursRule

    @property
    def confidence(self) -> int:
        """Confidence of the event, or of the event that would have fired: 1 to 3."""
        return self.measure.confidence(inside=self.outcome not in OUTSIDE)

    @property
    def currently_operating(self) -> bool | None:
        """Whether the geofence is open at the fix's time, or None if it has no hours."""
        hours = self.fence.item.rules.operating_hours
        return None if hours is None else hours.is_open(local_time(self.fence, self.measure.fix), self.hours_rule)

    def reversal(self, *, inside: bool) -> Self:
        """Return the entry or exit that reverses the report of a late fix, even if a rule would withhold it."""
        alive = self.reasons[0]
        if not alive.passed:
            return self._replace(outcome=Outcome.END_SILENTLY, reasons=(alive,))
        location = Reason(Wording.INSIDE if self.measure.inside else Wording.OUTSIDE, _distance(self.measure))
        outcome = Outcome.ENTER if inside else Outcome.EXIT
        return self._replace(outcome=outcome, reasons=(alive, location, Reason(Wording.REVERSES_LATE)))

    def explanation(self) -> Explanation:
        """Return the decision as an explanation with its measurements."""
        measure = self.measure
        return Explanation(
            self.fence.item.summary,
            self.outcome,
            self.reasons,
            measure.distance_m,
            measure.share,
            self.confidence,
            zone=zone_of(self.fence).key,
        )


def explained(decisions: Iterable[Decision], within_m: float, presences: Container[str]) -> tuple[Explanation, ...]:
    """Return explanations of decisions within a distance or on presences, nearest geofence first."""
    found = [decision.explanation() for decision in decisions]
    shown = (each for each in found if each.distance_m <= within_m or each.geofence.id in presences)
    return tuple(sorted(shown, key=lambda each: (each.distance_m, each.geofence.id)))


def local_time(fence: Entry[Geofence], fix: Fix) -> datetime:
    """Return the fix's time in the time zone of the geofence's centre."""
    try:
        return fix.at.astimezone(zone_of(fence))
    except OverflowError:  # the first or last day of the calendar
        return fix.at


def zone_of(fence: Entry[Geofence]) -> ZoneInfo:
    """Return the time zone of the geofence's centre."""
    center = fence.shape.center
    return zone_at(center.longitude, center.latitude)


class _Case(NamedTuple):
    """The case to decide, in the form that the rules take."""

    presence: Presence | None
    subject: Subject
    fix: Fix
    fence: Entry[Geofence]
    settings: ProjectSettings
    measure: Measure

    def decision(self, outcome: Outcome, *reasons: Reason) -> Decision:
        return Decision(outcome, reasons, self.fence, self.measure, self.settings.operating_hours_rule)


def decide(
    presence: Presence | None,
    subject: Subject,
    fix: Fix,
    fence: Entry[Geofence],
    settings: ProjectSettings,
    now: datetime,
) -> Decision:
    """Return the decision for a geofence that the user is in (with a presence) or not in (None).

    `now` is the engine's time, which determines whether the geofence is in force. All other rules use the fix's own
    time.
    """
    case = _Case(presence, subject, fix, fence, settings, Measure(fix, fence))
    alive = _alive(fence, now)
    if not alive.passed:
        return case.decision(Outcome.STAY_OUTSIDE if presence is None else Outcome.END_SILENTLY, alive)
    return _entry(case, alive) if presence is None else _stay_or_exit(case, presence, alive)


def changes_nothing(
    presence: Presence, fix: Fix, fence: Entry[Geofence], settings: ProjectSettings, now: datetime
) -> bool:
    """Return whether a presence simply continues: the user is inside and no dwell is due.

    The result is that of `decide` at lower cost.
    """
    geofence, point = fence.item, fix.point
    return (
        _alive(fence, now).passed
        and _not_yet_dwelled(presence, fix, _dwell_threshold_s(geofence, settings), settings) is not None
        and fence.shape.contains(point.longitude, point.latitude)
    )


def _entry(case: _Case, alive: Reason) -> Decision:
    boundary = _reaches(case)
    if not boundary.passed:
        return case.decision(Outcome.STAY_OUTSIDE, alive, boundary)
    rules = (_stop_detection(case), _confidence(case, inside=True), *_permitted(case))
    fires = all(reason.passed for reason in rules)
    return case.decision(Outcome.ENTER if fires else Outcome.ENTRY_WITHHELD, alive, boundary, *rules)


def _stay_or_exit(case: _Case, presence: Presence, alive: Reason) -> Decision:
    if case.measure.inside:
        outcome, dwell = _dwell(case, presence)
        # If a dwell is possible, being inside supports it. Otherwise it explains why there is no exit.
        inside = Reason(Wording.INSIDE if dwell else Wording.STILL_INSIDE, _distance(case.measure))
        return case.decision(outcome, alive, inside, *dwell)
    leaves = _leaves(case)
    if not all(reason.passed for reason in leaves):
        return _held(case, presence, alive, leaves)
    permitted = _permitted(case)
    fires = all(reason.passed for reason in permitted)
    return case.decision(Outcome.EXIT if fires else Outcome.LEAVE_SILENTLY, alive, *leaves, *permitted)


def _held(case: _Case, presence: Presence, alive: Reason, leaves: tuple[Reason, ...]) -> Decision:
    """Return the decision for a fix outside that is not an exit.

    It is a dwell only if the buffer counts as inside.
    """
    reaches = _reaches(case)
    if reaches.passed:
        outcome, dwell = _dwell(case, presence)
        if outcome is Outcome.DWELL:
            return case.decision(outcome, alive, reaches, *dwell)
    return case.decision(Outcome.EXIT_WITHHELD, alive, *leaves)


def _dwell(case: _Case, presence: Presence) -> tuple[Outcome, tuple[Reason, ...]]:
    """Return the outcome for a continuing presence, with the reasons if a dwell threshold or dwell events are set."""
    settings, threshold_s = case.settings, _dwell_threshold_s(case.fence.item, case.settings)
    if threshold_s is None and not settings.dwell_event:
        return Outcome.STAY_INSIDE, ()
    wording = _not_yet_dwelled(presence, case.fix, threshold_s, settings)
    if threshold_s is None or wording not in (None, Wording.TOO_SHORT):
        return Outcome.STAY_INSIDE, (Reason(wording or Wording.NO_THRESHOLD),)
    stayed_s = case.fix.lasted_s(presence.entered_at)
    values: Values = {"minutes": stayed_s / 60, "threshold": threshold_s / 60, "stayed": _lasted(stayed_s)}
    if wording is not None:
        return Outcome.STAY_INSIDE, (Reason(wording, values),)
    long_enough = Reason(Wording.LONG_ENOUGH, values)
    permitted = _permitted(case)
    fires = all(reason.passed for reason in permitted)
    return Outcome.DWELL if fires else Outcome.DWELL_WITHHELD, (long_enough, *permitted)


def _dwell_threshold_s(geofence: Geofence, settings: ProjectSettings) -> float | None:
    own = geofence.rules.dwell_threshold_s
    return settings.default_dwell_threshold_s if own is None else own


def _not_yet_dwelled(
    presence: Presence, fix: Fix, threshold_s: float | None, settings: ProjectSettings
) -> Wording | None:
    """Return why a continuing presence is not a dwell for any user, or None if it may be one."""
    if threshold_s is None:
        return Wording.NO_THRESHOLD
    if not settings.dwell_event:
        return Wording.DWELL_EVENT_OFF
    if presence.dwelled:
        return Wording.DWELLED_ALREADY
    if fix.late_after is not None and presence.entered_at <= fix.late_after:
        return Wording.LATE
    return Wording.TOO_SHORT if fix.lasted_s(presence.entered_at) <= threshold_s else None


_ENABLED = Reason(Wording.ENABLED)
_DISABLED = Reason(Wording.DISABLED)


def _alive(fence: Entry[Geofence], now: datetime) -> Reason:
    rules = fence.item.rules
    if rules.delete_after is not None and now > rules.delete_after:
        return Reason(Wording.DELETED_SINCE, _since("deleteAfter", rules.delete_after, fence))
    if rules.disable_after is not None and now > rules.disable_after:
        return Reason(Wording.DISABLED_SINCE, _since("disableAfter", rules.disable_after, fence))
    return _ENABLED if fence.item.enabled else _DISABLED


def _since(name: str, moment: datetime, fence: Entry[Geofence]) -> Callable[[], Values]:
    return lambda: {name: utc_text(moment), "since": zoned_text(moment, zone_of(fence))}


def _distance(measure: Measure) -> Callable[[], Values]:
    def values() -> Values:
        distance_m = measure.distance_m
        return {"distance": distance_m, "inside": 0.0 - distance_m, "accuracy": measure.fix.accuracy_m}

    return values


def _reaches(case: _Case) -> Reason:
    """Return the reason why the location allows an entry (inside, or close enough), or does not."""
    if case.measure.inside:
        return Reason(Wording.INSIDE, _distance(case.measure))
    if not case.settings.buffer_entries:
        return Reason(Wording.IN_HOLE if case.measure.in_hole else Wording.NOT_INSIDE, _distance(case.measure))
    if case.measure.within_accuracy:
        return Reason(Wording.IN_BUFFER, _distance(case.measure))
    return Reason(Wording.BEYOND_BUFFER, _distance(case.measure))


def _leaves(case: _Case) -> tuple[Reason, ...]:
    """Return the reasons why the location is outside with enough certainty, or is not."""
    wording = Wording.OUT_IN_HOLE if case.measure.in_hole else Wording.OUTSIDE
    outside = Reason(wording, _distance(case.measure))
    confidence = _confidence(case, inside=False)
    if not case.settings.buffer_exits:
        return outside, confidence
    beyond = not case.measure.within_accuracy
    wording = Wording.OUT_OF_BUFFER if beyond else Wording.HELD_BY_BUFFER
    return outside, Reason(wording, _distance(case.measure)), confidence


def _stop_detection(case: _Case) -> Reason:
    own = case.fence.item.rules.stop_detection
    if not (case.settings.stop_detection if own is None else own):
        return _NO_STOP_DETECTION
    source = "project" if own is None else "geofence"
    if not (case.fix.stopped or case.fix.foreground):
        return Reason(Wording.MOVING, {"source": source})
    state = "stopped" if case.fix.stopped else "in the foreground"
    return Reason(Wording.STOPPED, {"source": source, "state": state})


_NO_STOP_DETECTION = Reason(Wording.STOP_DETECTION_OFF)


def _confidence(case: _Case, *, inside: bool) -> Reason:
    measure, minimum = case.measure, case.settings.minimum_confidence
    # No confidence is below 1, so the share is measured only if the values of the reason are read.
    passed = minimum <= 1 or measure.confidence(inside=inside) >= minimum

    def values() -> Values:
        return {
            "confidence": measure.confidence(inside=inside),
            "minimum": minimum,
            "share": measure.share,
            "part": shown_part(measure.share if inside else 1 - measure.share),
            "side": "inside" if inside else "outside",
            "accuracy": case.fix.accuracy_m,
        }

    wording = Wording.CONFIDENT if passed else Wording.NOT_CONFIDENT
    return Reason(wording, values)


def _permitted(case: _Case) -> tuple[Reason, ...]:
    """Return the reasons why an event is permitted, or not, for this user, from this address, at this time."""
    return _users(case), _addresses(case), _hours(case)


def _users(case: _Case) -> Reason:
    wanted, user_id = case.fence.item.rules.user_ids, case.subject.user_id
    if not wanted:
        return _ANY_USER
    if user_id is None:
        return Reason(Wording.NO_USER)
    known = user_id in wanted
    return Reason(Wording.THIS_USER if known else Wording.OTHER_USERS, {"userId": user_id})


_ANY_USER = Reason(Wording.ANY_USER)


def _addresses(case: _Case) -> Reason:
    ranges, ip = case.fence.item.rules.ip, case.subject.ip
    if ranges is None:
        return _ANY_ADDRESS
    if ip is None:
        return Reason(Wording.NO_ADDRESS, {"ranges": str(ranges)})
    known = ip in ranges
    wording = Wording.THIS_ADDRESS if known else Wording.OTHER_ADDRESS
    return Reason(wording, {"ip": ip, "ranges": str(ranges)})


_ANY_ADDRESS = Reason(Wording.ANY_ADDRESS)


def _hours(case: _Case) -> Reason:
    hours = case.fence.item.rules.operating_hours
    if hours is None:
        return _ALWAYS_OPEN
    local = local_time(case.fence, case.fix)
    rule = case.settings.operating_hours_rule
    values = {"rule": rule.value, "hours": str(hours), "local": _local_text(local)}
    if hours.is_open(local, rule):
        if rule is HoursRule.PLATFORM and local.weekday() not in hours.listed:
            return Reason(Wording.OPEN_UNLISTED, values)
        return Reason(Wording.OPEN, values)
    if case.settings.operating_hours_restriction:
        return Reason(Wording.CLOSED, values)
    return Reason(Wording.CLOSED_ALLOWED, values)


_ALWAYS_OPEN = Reason(Wording.ALWAYS_OPEN)


def _local_text(local: datetime) -> str:
    zone = local.tzinfo.key if isinstance(local.tzinfo, ZoneInfo) else str(local.tzinfo)
    return f"{DAYS[local.weekday()]} {local:%H:%M} {zone}"


def _lasted(seconds: float) -> str:
    """Return a duration exactly, such as ``5 min 0.5 s``, as rounding would mislead next to a threshold."""
    minutes, rest = divmod(round(seconds, 3), 60)
    parts = [f"{minutes:.0f} min"] if minutes or not rest else []
    return " ".join([*parts, f"{rest:g} s"] if rest else parts)
