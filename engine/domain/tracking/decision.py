"""The decision about a fix and a geofence, with its reasons.

The same values generate the events, the explanations, and the words of the documentation.
"""

from collections.abc import Callable, Mapping
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from engine.domain.geofence import GeofenceSummary

type ReasonValue = str | bool | int | float
type Values = Mapping[str, ReasonValue]


class Outcome(StrEnum):
    """The effect of a fix on the user's presence in a geofence."""

    ENTER = "entry"
    EXIT = "exit"
    DWELL = "dwell"
    ENTRY_WITHHELD = "entry withheld"
    EXIT_WITHHELD = "exit withheld"
    LEAVE_SILENTLY = "exit withheld, presence ended"
    DWELL_WITHHELD = "dwell withheld"
    END_SILENTLY = "presence ended"
    STAY_INSIDE = "inside"
    STAY_OUTSIDE = "outside"


OUTSIDE: Final = frozenset({Outcome.EXIT, Outcome.EXIT_WITHHELD, Outcome.LEAVE_SILENTLY, Outcome.STAY_OUTSIDE})
"""Outcomes that state that the user is outside, so that their confidence is that of being outside."""

_PERCENT: Final = 0.01
_ROUNDING: Final = 1e-9


def shown_part(part: float) -> float:
    """Return a part for display as a percentage, in which only nothing is 0 % and only the whole is 100 %."""
    if part < _ROUNDING or part > 1 - _ROUNDING:
        return part
    return min(max(part, _PERCENT), 1 - _PERCENT)


def shown_share(outcome: Outcome, share: float, distance_m: float) -> tuple[float, bool]:
    """Return the part of the accuracy circle on the side that an outcome states, and whether that is inside.

    `share` is the part inside. A location inside a geofence that is disabled is shown as inside.
    """
    is_inside = outcome not in OUTSIDE or (outcome is Outcome.STAY_OUTSIDE and distance_m <= 0)
    return shown_part(share if is_inside else 1 - share), is_inside


class Rule(StrEnum):
    """Rules, named after the fields and settings that control them."""

    ENABLED = "enabled"
    DISABLE_AFTER = "disableAfter"
    DELETE_AFTER = "deleteAfter"
    BOUNDARY = "boundary"
    BUFFER_ENTRIES = "bufferEntries"
    BUFFER_EXITS = "bufferExits"
    STOP_DETECTION = "stopDetection"
    MINIMUM_CONFIDENCE = "minimumConfidence"
    USER_IDS = "userIds"
    IP = "ip"
    OPERATING_HOURS = "operatingHours"
    DWELL_EVENT = "dwellEvent"
    DWELL_THRESHOLD = "dwellThreshold"
    DWELL_ONCE = "dwellOnce"
    UPDATED_AT = "updatedAt"


FACTS: Final = frozenset({Rule.BOUNDARY, Rule.DWELL_ONCE, Rule.UPDATED_AT})
"""Rules that, if they withhold an event, only state a fact such as the user's position: no condition failed."""


class Wording(Enum):
    """Every sentence of a reason: its rule, whether the rule let the event pass, and the words.

    The parts in braces are filled in with the reason's values.
    """

    ENABLED = Rule.ENABLED, True, "the geofence is enabled"
    DISABLED = Rule.ENABLED, False, "the geofence is disabled"
    DISABLED_SINCE = Rule.DISABLE_AFTER, False, "the geofence has been disabled since {since}"
    DELETED_SINCE = Rule.DELETE_AFTER, False, "the geofence has been deleted since {since}"
    INSIDE = Rule.BOUNDARY, True, "the location is inside, {inside:.1f} m from the boundary"
    NOT_INSIDE = Rule.BOUNDARY, False, "the location is outside, {distance:.1f} m from the boundary"
    OUTSIDE = Rule.BOUNDARY, True, "the location is outside, {distance:.1f} m from the boundary"
    STILL_INSIDE = Rule.BOUNDARY, False, "the location is inside, {inside:.1f} m from the boundary"
    IN_HOLE = Rule.BOUNDARY, False, "the location is in a hole of the geofence, {distance:.1f} m from the boundary"
    OUT_IN_HOLE = Rule.BOUNDARY, True, "the location is in a hole of the geofence, {distance:.1f} m from the boundary"
    IN_BUFFER = (
        Rule.BUFFER_ENTRIES,
        True,
        "buffer entries is on and the location is {distance:.1f} m outside, within its accuracy of {accuracy:g} m",
    )
    BEYOND_BUFFER = (
        Rule.BUFFER_ENTRIES,
        False,
        "buffer entries is on and the location is {distance:.1f} m outside, beyond its accuracy of {accuracy:g} m",
    )
    OUT_OF_BUFFER = (
        Rule.BUFFER_EXITS,
        True,
        "buffer exits is on and the location is {distance:.1f} m outside, beyond its accuracy of {accuracy:g} m",
    )
    HELD_BY_BUFFER = (
        Rule.BUFFER_EXITS,
        False,
        "buffer exits is on and the location is only {distance:.1f} m outside, within its accuracy of {accuracy:g} m",
    )
    STOP_DETECTION_OFF = Rule.STOP_DETECTION, True, "stop detection is off"
    STOPPED = Rule.STOP_DETECTION, True, "stop detection is on and the device is {state}"
    MOVING = (
        Rule.STOP_DETECTION,
        False,
        "stop detection is on and the device is neither stopped nor in the foreground",
    )
    CONFIDENT = (
        Rule.MINIMUM_CONFIDENCE,
        True,
        "the confidence is {confidence}, at least the minimum of {minimum}: "
        "{part:.0%} of the accuracy circle is {side}",
    )
    NOT_CONFIDENT = (
        Rule.MINIMUM_CONFIDENCE,
        False,
        "the confidence is {confidence}, below the minimum of {minimum}: {part:.0%} of the accuracy circle is {side}",
    )
    ANY_USER = Rule.USER_IDS, True, "the geofence applies to all users"
    THIS_USER = Rule.USER_IDS, True, "user {userId} is in userIds"
    OTHER_USERS = Rule.USER_IDS, False, "user {userId} is not in userIds"
    NO_USER = Rule.USER_IDS, False, "the geofence has userIds, and no user is logged in"
    ANY_ADDRESS = Rule.IP, True, "the geofence applies to requests from all addresses"
    THIS_ADDRESS = Rule.IP, True, "the address {ip} is in the geofence's IP ranges: {ranges}"
    OTHER_ADDRESS = Rule.IP, False, "the address {ip} is not in the geofence's IP ranges: {ranges}"
    NO_ADDRESS = Rule.IP, False, "the geofence has IP ranges, and the request has no address: {ranges}"
    ALWAYS_OPEN = Rule.OPERATING_HOURS, True, "the geofence is always open"
    OPEN = Rule.OPERATING_HOURS, True, "open by the {rule} rule: {hours}, local time {local}"
    OPEN_UNLISTED = (
        Rule.OPERATING_HOURS,
        True,
        "open by the {rule} rule, since the day is not listed: {hours}, local time {local}",
    )
    CLOSED_ALLOWED = (
        Rule.OPERATING_HOURS,
        True,
        "closed by the {rule} rule, but the operating hours restriction is off: {hours}, local time {local}",
    )
    CLOSED = Rule.OPERATING_HOURS, False, "closed by the {rule} rule: {hours}, local time {local}"
    DWELL_EVENT_OFF = Rule.DWELL_EVENT, False, "the dwell event is off"
    NO_THRESHOLD = Rule.DWELL_THRESHOLD, False, "neither the geofence nor the project sets a dwell threshold"
    DWELLED_ALREADY = Rule.DWELL_ONCE, False, "the user has already dwelled in this stay"
    TOO_SHORT = (
        Rule.DWELL_THRESHOLD,
        False,
        "the stay has lasted {stayed}, not more than the dwell threshold of {threshold:g} min",
    )
    LONG_ENOUGH = (
        Rule.DWELL_THRESHOLD,
        True,
        "the stay has lasted {stayed}, more than the dwell threshold of {threshold:g} min",
    )
    LATE = Rule.UPDATED_AT, False, "the update is late, and the dwell of this stay goes by those in order"
    REPORTED_LATE = Rule.UPDATED_AT, False, "a late update has already reported it"
    REVERSES_LATE = Rule.UPDATED_AT, True, "this reverses what a late update has reported"

    def __init__(self, rule: Rule, passed: bool, text: str) -> None:
        self.rule = rule
        self.passed = passed
        self.text = text


_NOTHING_SET: Final = frozenset(
    {Wording.ENABLED, Wording.STOP_DETECTION_OFF, Wording.ANY_USER, Wording.ANY_ADDRESS, Wording.ALWAYS_OPEN}
)
"""Reasons that can be left out for an event that fired."""

NO_VALUES: Final[Values] = MappingProxyType({})


class Reason(Struct, frozen=True):
    """A rule as it was applied: whether it let the event pass, and the values that decided.

    `given` may be a function if the values are costly to measure and needed only on request.
    """

    wording: Wording
    given: Values | Callable[[], Values] = NO_VALUES

    @property
    def rule(self) -> Rule:
        """The rule that was applied."""
        return self.wording.rule

    @property
    def passed(self) -> bool:
        """Whether the rule let the event pass."""
        return self.wording.passed

    @property
    def is_fact(self) -> bool:
        """Whether the reason only states a fact and no condition failed."""
        return not self.passed and self.rule in FACTS

    @property
    def values(self) -> Values:
        """The values that decided, by their names on the wire."""
        return self.given() if callable(self.given) else self.given

    @property
    def text(self) -> str:
        """The reason as a sentence."""
        return self.wording.text.format(**self.values)


WANTED: Final = MappingProxyType(
    {
        Outcome.STAY_OUTSIDE: Outcome.ENTER,
        Outcome.ENTRY_WITHHELD: Outcome.ENTER,
        Outcome.EXIT_WITHHELD: Outcome.EXIT,
        Outcome.LEAVE_SILENTLY: Outcome.EXIT,
        Outcome.DWELL_WITHHELD: Outcome.DWELL,
        Outcome.STAY_INSIDE: Outcome.DWELL,
    }
)
"""The event that would have fired, by the outcome without one."""


class Factor(Enum):
    """The factors that might have been different for an event to fire, with their words.

    The parts in braces are filled in with the change's values.
    """

    NEARER = "nearer", "{metres:g} m nearer to the geofence"
    FARTHER = "farther", "{metres:g} m farther from the geofence"
    ACCURATE = "accuracy_at_most", "with an accuracy of {accuracy:g} m or better"
    INACCURATE = "accuracy_at_least", "with an accuracy of {accuracy:g} m or worse"
    STOPPED = "stopped", "with the device stopped"
    FOREGROUND = "foreground", "with the app in the foreground"
    EARLIER = "earlier", "{duration} earlier"
    LATER = "later", "{duration} later"
    STOP_DETECTION = "stop_detection", "with stop detection off"
    OWN_STOP_DETECTION = "geofence_stop_detection", "with the geofence's own stop detection off"
    BUFFER_ENTRIES = "buffer_entries", "with buffer entries on"
    BUFFER_EXITS = "buffer_exits", "with buffer exits off"
    RESTRICTION = "operating_hours_restriction", "with the operating hours restriction off"
    CONFIDENCE = "minimum_confidence", "with a minimum confidence of {minimum}"
    DWELL_EVENT = "dwell_event", "with the dwell event on"
    DWELL_THRESHOLD = "dwell_threshold", "with a dwell threshold of {duration} or shorter"
    LARGER = "radius_at_least", "with a radius of {radius:g} m or more"
    SMALLER = "radius_at_most", "with a radius of {radius:g} m or less"
    OPEN_UNTIL = "operating_hours_until", "with operating hours until {closes} on {day}"
    OPEN_FROM = "operating_hours_from", "with operating hours from {opens} on {day}"
    ENABLED = "enabled", "with the geofence enabled"
    NO_DISABLE_AFTER = "disable_after", "without disableAfter"
    NO_DELETE_AFTER = "delete_after", "without deleteAfter"
    USER = "user_ids", "with user {user_id} in userIds"
    NO_USERS = "no_user_ids", "without userIds"
    ADDRESS = "ip", "with the address {ip} in the geofence's IP ranges"
    NO_ADDRESSES = "no_ip", "without the geofence's IP ranges"

    def __init__(self, field: str, text: str) -> None:
        self.field = field
        self.text = text


class Change(Struct, frozen=True):
    """A change of one factor that was tried, with the values tried."""

    factor: Factor
    values: Values = NO_VALUES

    @property
    def text(self) -> str:
        """The change in words, such as "18.3 m nearer to the geofence"."""
        return self.factor.text.format(**self.values)


class Remedy(Struct, frozen=True):
    """A minimal set of changes that together would have made an event fire: none of them can be left out."""

    changes: tuple[Change, ...]

    @property
    def text(self) -> str:
        """The changes in words."""
        *others, last = (change.text for change in self.changes)
        return f"{', '.join(others)} and {last}" if others else last


_NAMES: Final = {Outcome.ENTER: "an entry", Outcome.EXIT: "an exit", Outcome.DWELL: "a dwell"}


def would_have(outcome: Outcome) -> str:
    """Return the heading of the remedies of an outcome, such as "an entry would have fired"."""
    return f"{_NAMES[WANTED[outcome]]} would have fired"


class Explanation(Struct, frozen=True):
    """A readable form of a decision: measured and worded.

    `distance_m` is the signed distance to the boundary, negative inside. `share` is the part of the accuracy circle
    inside. `confidence` (1 to 3) is that of the event, fired or not. `remedies` are alternatives, each of which would
    have made the event fire; they are set only if they were requested. `zone` is the name of the geofence's time zone.
    """

    geofence: GeofenceSummary
    outcome: Outcome
    reasons: tuple[Reason, ...]
    distance_m: float
    share: float
    confidence: int
    remedies: tuple[Remedy, ...] = ()
    zone: str = "Etc/UTC"

    @property
    def failed(self) -> tuple[Reason, ...]:
        """The reasons that withheld an event, or for which none was considered."""
        return tuple(reason for reason in self.reasons if not reason.passed)

    @property
    def follows_late(self) -> bool:
        """Whether an earlier late update caused the outcome."""
        return any(reason.rule is Rule.UPDATED_AT for reason in self.reasons)

    @property
    def relevant_reasons(self) -> tuple[Reason, ...]:
        """The reasons to mention in a sentence."""
        telling = tuple(reason for reason in self.reasons if reason.wording not in _NOTHING_SET)
        return self.failed or telling or self.reasons

    @property
    def text(self) -> str:
        """The explanation as a sentence, such as "outside: the location is outside, 12.0 m from the boundary"."""
        return f"{self.outcome}: {'; '.join(reason.text for reason in self.relevant_reasons)}"
