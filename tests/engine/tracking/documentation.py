"""Generator of the lists of reasons and the examples in docs/tracking.md.

Run it as ``python -m tests.engine.tracking.documentation``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Point
from engine.domain.hours import parse_hours
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
CLOSED_ON_SUNDAYS = GeofenceRules(operating_hours=parse_hours({"Mon": [["09:00", "17:00"]], "Sun": []}))
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
    at: datetime = MONDAY
    rules: GeofenceRules = field(default_factory=GeofenceRules)
    settings: ProjectSettings = DEFAULT_SETTINGS

    def text(self) -> str:
        """Return the text of the explanation."""
        geofence = Geofence(
            id="a",
            environment=Environment.TEST,
            summary=GeofenceSummary("a", "store", "1", "Store"),
            geometry=Circle(VADUZ, 100),
            enabled=True,
            created_at=MONDAY,
            updated_at=MONDAY,
            rules=self.rules,
        )
        fence = Entry.of("a", geofence, shape_of(geofence.geometry))
        point = replace(VADUZ, longitude=VADUZ.longitude + self.east_m / 75_900)
        fix = Fix(point, self.accuracy_m, self.at)
        entered_at = self.at - timedelta(seconds=self.present_s or 0)
        presence = None if self.present_s is None else Presence("a", entered_at)
        explanation = decide(presence, Subject(), fix, fence, self.settings, MONDAY).explanation()
        assert explanation.outcome is self.outcome, (self.case, explanation.outcome)
        return explanation.text


type Marked = tuple[str, Sequence[str]]
"""A sentence: the mark that says whether the rule lets the event pass, and its words."""

EXAMPLES = (
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
    Example(case="inside for 3 minutes, 120 m from the centre", outcome=Outcome.EXIT, east_m=120, present_s=180),
    Example(
        case="inside, 105 m from the centre, buffer exits on",
        outcome=Outcome.EXIT_WITHHELD,
        east_m=105,
        present_s=180,
        settings=ProjectSettings(buffer_exits=True),
    ),
    Example(
        case="leaving late on a Sunday, which is listed without hours, the restriction on",
        outcome=Outcome.LEAVE_SILENTLY,
        east_m=200,
        present_s=180,
        at=SUNDAY,
        rules=CLOSED_ON_SUNDAYS,
        settings=RESTRICTED,
    ),
    Example(
        case="inside for 6 minutes, threshold 5 minutes",
        outcome=Outcome.DWELL,
        present_s=360,
        rules=FIVE_MINUTES,
        settings=ProjectSettings(dwell_event=True),
    ),
)


def list_of_reasons(rules: Iterable[StrEnum], wordings: Sequence[Wording] | Sequence[EventWording]) -> str:
    """Return every sentence of the reasons below its rule, with two that differ in a part as one line."""
    lines = []
    for rule in rules:
        lines.append(str(rule))
        left = [("✓" if each.passed else "✗", readable(each.text).split()) for each in wordings if each.rule is rule]
        while left:
            pair = _pair(*left[:2])
            lines.append(f"  {pair or ' '.join((left[0][0], *left[0][1]))}")
            left = left[2 if pair else 1 :]
    return "\n".join(("```text", *lines, "```"))


def _pair(first: Marked, second: Marked | None = None) -> str:
    """Return two sentences as one if they share half of their words, with brackets around their differences."""
    if second is None:
        return ""
    texts = (first[1], second[1])
    shortest, longest = sorted(map(len, texts))
    begin = next((at for at in range(shortest) if texts[0][at] != texts[1][at]), shortest)
    # Neither alternative is empty: "[✓ is ✗ is not]".
    begin -= begin == shortest
    rest = shortest - begin - 1
    end = next((at for at in range(rest) if texts[0][-1 - at] != texts[1][-1 - at]), rest)
    if begin + end < max(4, longest / 2):
        return ""
    alternatives = (" ".join((mark, *words[begin : len(words) - end])) for mark, words in (first, second))
    return " ".join((*texts[0][:begin], f"[{' '.join(alternatives)}]", *texts[0][len(texts[0]) - end :]))


def readable(text: str) -> str:
    """Return a sentence without the number formats of its placeholders."""
    return re.sub(r"\{(\w+):[^}]*\}", r"{\1}", text)


def examples_table() -> str:
    """Return the explanations of the examples."""
    lines = ["| case | explanation |", "|---|---|"]
    return "\n".join([*lines, *(f"| {example.case} | {example.text()} |" for example in EXAMPLES)])


def written(page: str) -> str:
    """Return the page with its lists and examples up to date."""
    for name, content in (
        ("reasons", list_of_reasons(Rule, tuple(Wording))),
        ("event reasons", list_of_reasons(EventRule, tuple(EventWording))),
        ("examples", examples_table()),
    ):
        begin, end = _marks(page, name)
        page = f"{page[:begin]}\n{content}\n{page[end:]}"
    return page


def _marks(page: str, name: str) -> Iterator[int]:
    begin = page.index("-->", page.index(f"<!-- {name}:")) + 3
    yield begin
    yield page.index(f"<!-- end of {name} -->", begin)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
