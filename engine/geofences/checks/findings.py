"""Findings of checks: typed, with a message, a place on the map, and a fix if a safe one exists."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct, field

from engine.domain.geofence import Geofence, GeofenceChange, GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.settings import SettingsChange

DEFAULT_ACCURACY_M: Final = 20.0
"""Accuracy that a phone reports outdoors in a city, in metres."""

MAX_ACCURACY_M: Final = 10_000.0

DEFAULT_SOON_S: Final = 7 * 86_400.0

_SHOWN_NAME: Final = 60


class Severity(StrEnum):
    """The severity of a finding, from possibly intended to certainly wrong."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """A number that increases with the severity."""
        return tuple(Severity).index(self)


class Check(StrEnum):
    """The checks, in the order in which their findings are listed."""

    NEVER_OPEN = "never-open"
    HOURS = "hours"
    BUFFERS = "buffers"
    COARSE_EXITS = "coarse-exits"
    TOO_SMALL = "too-small"
    SELF_TOUCHING = "self-touching"
    SLIVER = "sliver"
    ISOCHRONE = "isochrone"
    EDGE = "edge"
    SAME_PLACE = "same-place"
    SAME_NAME = "same-name"
    OVERLAP = "overlap"
    PORTABLE = "portable"
    EXPIRING = "expiring"
    EXPIRED = "expired"
    OUTSIDE_AREAS = "outside-areas"


TITLES: Final[Mapping[Check, str]] = {
    Check.NEVER_OPEN: "Hours that never open",
    Check.HOURS: "Hours that depend on the rule",
    Check.BUFFERS: "Buffer entries without buffer exits",
    Check.COARSE_EXITS: "Exits on coarse fixes",
    Check.TOO_SMALL: "Too small for the accuracy",
    Check.SELF_TOUCHING: "Nearly crossing themselves",
    Check.SLIVER: "Slivers",
    Check.ISOCHRONE: "Isochrones far from roads",
    Check.EDGE: "Isochrones at the edge of an area",
    Check.SAME_PLACE: "Same place",
    Check.SAME_NAME: "Same name",
    Check.OVERLAP: "Overlaps",
    Check.PORTABLE: "Not portable",
    Check.EXPIRING: "Expiring soon",
    Check.EXPIRED: "Expired",
    Check.OUTSIDE_AREAS: "Outside the areas",
}


type FindingKey = tuple[Check, tuple[str, ...]]


class Fix(Struct, frozen=True):
    """A safe change that resolves a finding; `text` describes it as an instruction.

    `fences` are changes by geofence ID.
    """

    text: str
    fences: Mapping[str, GeofenceChange] = field(default_factory=dict)
    settings: SettingsChange | None = None


class Finding(Struct, frozen=True):
    """A suspicious property of some geofences, or of the project if there are no geofences.

    `place` is its position on the map.
    """

    check: Check
    severity: Severity
    geofences: tuple[GeofenceSummary, ...]
    text: str
    place: Point | None = None
    fix: Fix | None = None

    @property
    def geofence_ids(self) -> tuple[str, ...]:
        """The IDs of the affected geofences."""
        return tuple(geofence.id for geofence in self.geofences)

    @property
    def key(self) -> FindingKey:
        """The check and the IDs of the geofences in alphabetical order, which identify the finding."""
        return self.check, tuple(sorted(self.geofence_ids))

    @property
    def order(self) -> tuple[int, int]:
        """A sort key: highest severity first, findings of a check together."""
        return -self.severity.rank, tuple(Check).index(self.check)


class CheckOptions(Struct, frozen=True, kw_only=True):
    """The checks to run, the assumed accuracy of devices, and the time within which an expiry counts as soon."""

    checks: frozenset[Check] = frozenset(Check)
    accuracy_m: float = DEFAULT_ACCURACY_M
    soon_s: float = DEFAULT_SOON_S


DEFAULT_CHECKS: Final = CheckOptions()


class CheckReport(Struct, frozen=True):
    """The findings among `checked` geofences, highest severity first.

    `capped` are the checks that found more than is listed, `unmade` those that could not be made, which `notes`
    explain. `dismissed` are the findings that users have dismissed; they are not among `findings`.
    """

    findings: tuple[Finding, ...]
    checked: int
    capped: frozenset[Check] = frozenset()
    notes: tuple[str, ...] = ()
    unmade: frozenset[Check] = frozenset()
    dismissed: tuple[Finding, ...] = ()


class FixReport(Struct, frozen=True):
    """Findings that were fixed or skipped, and the remaining ones.

    Findings are skipped if another client changed their geofences in the meantime.
    """

    fixed: tuple[Finding, ...]
    skipped: tuple[Finding, ...]
    left: CheckReport


def name_of(geofence: Geofence | GeofenceSummary) -> str:
    """Return the name of a geofence for use in a sentence."""
    name = geofence.description or geofence.external_id
    return name if len(name) <= _SHOWN_NAME else f"{name[: _SHOWN_NAME - 1]}…"


def names_of(one: Geofence, other: Geofence) -> tuple[str, str]:
    """Return the names of two geofences for use in a sentence, made distinct if necessary."""
    names = name_of(one), name_of(other)
    if names[0] != names[1]:
        return names
    return f"{names[0]} ({one.tag}/{one.external_id})", f"{names[1]} ({other.tag}/{other.external_id})"
