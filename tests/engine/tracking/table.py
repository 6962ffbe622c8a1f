"""Notation of a row in the table of the rules.

The geofence of every row is a circle of 100 m; positions are given in metres from its centre. It is Monday, 13:00 in
Vaduz.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from engine import Engine
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.settings import SettingsChange
from engine.domain.tracking.decision import Outcome, Rule
from engine.domain.tracking.updates import EventType, LocationUpdate
from tests.engine.fixtures import HOME, NOON
from tests.engine.tracking.measuring import moved

TEST = Environment.TEST

type Step = Callable[[Engine], object]


def fix(metres: float, seconds: float = 0, *, accuracy_m: float = 10, **given: Any) -> LocationUpdate:
    """Return an update at a distance in metres east of the centre, at a time in seconds after noon."""
    at = NOON + timedelta(seconds=seconds)
    return LocationUpdate("phone", moved(HOME, 90, metres), accuracy_m, at=at, explain=True, **given)


def came(update: LocationUpdate) -> Step:
    return lambda engine: engine.tracking.track(TEST, update)


def edited(**change: Any) -> Step:
    return lambda engine: engine.geofences.upsert(TEST, "store", "1", GeofenceChange(**change))


def switched(**change: Any) -> Step:
    return lambda engine: engine.settings.change(TEST, SettingsChange(**change))


def waited(seconds: float) -> Step:
    return lambda engine: engine.set_clock(ClockChange(advance_s=seconds))


ENTERED = came(fix(0))


@dataclass(frozen=True, kw_only=True)
class Row:
    """The effect of a rule in a case; `wording` is part of the explanation, `names` the blamed rule if different."""

    rule: Rule
    column: Literal["fires", "withheld", "edge"]
    case: str
    fix: LocationUpdate
    outcome: Outcome | None
    wording: str = ""
    names: Rule | None = None
    before: tuple[Step, ...] = ()
    fence: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.rule}: {self.column}: {self.case}"


EVENTS = {
    Outcome.ENTER: [EventType.ENTERED_GEOFENCE],
    Outcome.EXIT: [EventType.EXITED_GEOFENCE],
    Outcome.DWELL: [EventType.DWELLED_IN_GEOFENCE],
}


def rows(rule: Rule, *cases: tuple[Any, ...], **common: Any) -> list[Row]:
    """Return rows of one rule: column, case, fix, outcome, text of the explanation, and other values."""
    return [
        Row(
            rule=rule,
            column=column,
            case=case,
            fix=update,
            outcome=outcome,
            wording=wording,
            **{**common, **(rest[0] if rest else {})},
        )
        for column, case, update, outcome, wording, *rest in cases
    ]
