"""Generator of the tables in docs/tracking.md from the reasons themselves.

Run it as ``python -m tests.engine.tracking.documentation``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Point
from engine.domain.hours import parse_hours
from engine.domain.ip import parse_ip_ranges
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings
from engine.domain.tracking.decision import Outcome, Rule, Wording
from engine.domain.tracking.event_wording import EventRule, EventWording
from engine.domain.tracking.updates import Fix, Presence, Subject
from engine.domain.values import replace
from engine.geo.index import Entry
from engine.geo.shapes import shape_of
from engine.tracking.decide import decide

PAGE = Path(__file__).parents[3] / "docs" / "tracking.md"
VADUZ = Point(9.5209, 47.1410)
SUNDAY = datetime(2026, 3, 1, 22, 10, tzinfo=UTC)
MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
CLOSED_ON_SUNDAYS = GeofenceRules(operating_hours=parse_hours({"Mon": [["09:00", "17:00"]]}))
FIVE_MINUTES = GeofenceRules(dwell_threshold_s=300)
RESTRICTED = ProjectSettings(operating_hours_restriction=True)


@dataclass(frozen=True, kw_only=True)
class Example:
    """A case: the distance of the fix east of the centre, and the other relevant values."""

    case: str
    outcome: Outcome
    east_m: float = 0
    accuracy_m: float = 10
    present_s: float | None = None
    stopped: bool = False
    at: datetime = MONDAY
    enabled: bool = True
    rules: GeofenceRules = field(default_factory=GeofenceRules)
    settings: ProjectSettings = DEFAULT_SETTINGS
    subject: Subject = field(default_factory=Subject)

    def text(self) -> str:
        """Return the text of the explanation."""
        geofence = Geofence(
            id="a",
            environment=Environment.TEST,
            summary=GeofenceSummary("a", "store", "1", "Store"),
            geometry=Circle(VADUZ, 100),
            enabled=self.enabled,
            created_at=MONDAY,
            updated_at=MONDAY,
            rules=self.rules,
        )
        fence = Entry.of("a", geofence, shape_of(geofence.geometry))
        point = replace(VADUZ, longitude=VADUZ.longitude + self.east_m / 75_900)
        fix = Fix(point, self.accuracy_m, self.at, stopped=self.stopped)
        entered_at = self.at - timedelta(seconds=self.present_s or 0)
        presence = None if self.present_s is None else Presence("a", entered_at)
        explanation = decide(presence, self.subject, fix, fence, self.settings, MONDAY).explanation()
        assert explanation.outcome is self.outcome, (self.case, explanation.outcome)
        return explanation.text


EXAMPLES = (
    Example(case="a fix at the centre", outcome=Outcome.ENTER),
    Example(case="120 m from the centre", outcome=Outcome.STAY_OUTSIDE, east_m=120),
    Example(
        case="105 m from the centre, accuracy 10 m, buffer entries on",
        outcome=Outcome.ENTER,
        east_m=105,
        settings=ProjectSettings(buffer_entries=True),
    ),
    Example(
        case="driving through, stop detection on",
        outcome=Outcome.ENTRY_WITHHELD,
        settings=ProjectSettings(stop_detection=True),
    ),
    Example(
        case="stopped, stop detection on",
        outcome=Outcome.ENTER,
        stopped=True,
        settings=ProjectSettings(stop_detection=True),
    ),
    Example(
        case="accuracy 500 m, minimum confidence 2",
        outcome=Outcome.ENTRY_WITHHELD,
        accuracy_m=500,
        settings=ProjectSettings(minimum_confidence=2),
    ),
    Example(
        case="late on a Sunday, hours on Mondays, the restriction on",
        outcome=Outcome.ENTRY_WITHHELD,
        at=SUNDAY,
        rules=CLOSED_ON_SUNDAYS,
        settings=RESTRICTED,
    ),
    Example(
        case="userIds has only ann, and ben is logged in",
        outcome=Outcome.ENTRY_WITHHELD,
        rules=GeofenceRules(user_ids=("ann",)),
        subject=Subject("ben"),
    ),
    Example(
        case="the IP ranges have only 10.0.*.*, the request comes from 192.0.2.7",
        outcome=Outcome.ENTRY_WITHHELD,
        rules=GeofenceRules(ip=parse_ip_ranges("10.0.*.*")),
        subject=Subject(ip="192.0.2.7"),
    ),
    Example(case="the geofence is disabled", outcome=Outcome.STAY_OUTSIDE, enabled=False),
    Example(case="inside for 3 minutes, 120 m from the centre", outcome=Outcome.EXIT, east_m=120, present_s=180),
    Example(
        case="inside, 105 m from the centre, buffer exits on",
        outcome=Outcome.EXIT_WITHHELD,
        east_m=105,
        present_s=180,
        settings=ProjectSettings(buffer_exits=True),
    ),
    Example(
        case="leaving late on a Sunday, hours on Mondays, the restriction on",
        outcome=Outcome.LEAVE_SILENTLY,
        east_m=200,
        present_s=180,
        at=SUNDAY,
        rules=CLOSED_ON_SUNDAYS,
        settings=RESTRICTED,
    ),
    Example(
        case="inside for 3 minutes, threshold 5 minutes",
        outcome=Outcome.STAY_INSIDE,
        present_s=180,
        rules=FIVE_MINUTES,
        settings=ProjectSettings(dwell_event=True),
    ),
    Example(
        case="inside for 6 minutes, threshold 5 minutes",
        outcome=Outcome.DWELL,
        present_s=360,
        rules=FIVE_MINUTES,
        settings=ProjectSettings(dwell_event=True),
    ),
)


def reasons_table() -> str:
    """Return every sentence that a reason can give, by rule."""
    lines = ["| rule | lets the event pass | sentence |", "|---|---|---|"]
    for rule in Rule:
        wordings = (wording for wording in Wording if wording.rule is rule)
        lines += [f"| `{rule}` | {'yes' if each.passed else 'no'} | {readable(each.text)} |" for each in wordings]
    return "\n".join(lines)


def event_reasons_table() -> str:
    """Return every sentence of the reasons for other events, by rule."""
    lines = ["| rule | lets the event pass | sentence |", "|---|---|---|"]
    for rule in EventRule:
        wordings = (wording for wording in EventWording if wording.rule is rule)
        lines += [f"| `{rule}` | {'yes' if each.passed else 'no'} | {readable(each.text)} |" for each in wordings]
    return "\n".join(lines)


def readable(text: str) -> str:
    """Return a sentence with named placeholders, without their number formats."""
    return re.sub(r"\{(\w+)(:[^}]*)?\}", r"*{\1}*", text)


def examples_table() -> str:
    """Return the explanations of the examples."""
    lines = ["| case | explanation |", "|---|---|"]
    return "\n".join([*lines, *(f"| {example.case} | {example.text()} |" for example in EXAMPLES)])


def written(page: str) -> str:
    """Return the page with its tables up to date."""
    for name, table in (
        ("reasons", reasons_table()),
        ("event reasons", event_reasons_table()),
        ("examples", examples_table()),
    ):
        begin, end = _marks(page, name)
        page = f"{page[:begin]}\n{table}\n{page[end:]}"
    return page


def _marks(page: str, name: str) -> Iterator[int]:
    begin = page.index("-->", page.index(f"<!-- {name}:")) + 3
    yield begin
    yield page.index(f"<!-- end of {name} -->", begin)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
