"""Findings of a replay, or of a back-test, for the list, the map and the timeline."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from app.desktop.language import counted, tr, translated
from app.desktop.model.notify import Notifier
from app.desktop.model.why import explanation_text
from app.desktop.model.words import capital, duration, region_name
from engine.domain.tracking.explaining import ReplayReport
from engine.domain.tracking.replayed_event import ReplayedEvent
from engine.domain.tracking.updates import EventType
from engine.domain.tracking.whatif import Difference, DifferenceKind

SIGNS: Final = {DifferenceKind.GAINED: "+", DifferenceKind.LOST: "−", DifferenceKind.MOVED: "→"}
_VERBS: Final[Mapping[str, str]] = {
    EventType.ENTERED_GEOFENCE: tr("entry"),
    EventType.EXITED_GEOFENCE: tr("exit"),
    EventType.DWELLED_IN_GEOFENCE: tr("dwell"),
}


class Finding(Struct, frozen=True):
    """An event that is gained, lost or moved, with its number in the report. A back-test gives no reasons."""

    number: int
    difference: Difference
    has_reason: bool = True

    @property
    def kind(self) -> DifferenceKind:
        """Outcome of the event."""
        return self.difference.kind

    @property
    def event(self) -> ReplayedEvent:
        """The event as it was, or as it would have been."""
        return self.difference.event

    @property
    def mark_id(self) -> str:
        """The identifier of its mark on the map."""
        return f"whatif:{self.number}"

    @property
    def event_text(self) -> str:
        """The event in words, such as ``Entry``."""
        event_type = str(self.event.type)
        return capital(_VERBS.get(event_type, event_type.removeprefix("user.").replace("_", " ")))

    @property
    def subject(self) -> str:
        """Subject of the event."""
        event = self.event
        if event.geofence is not None:
            return event.geofence.description or event.geofence.external_id
        if event.region is not None:
            return region_name(event.region)
        return "" if event.place is None else event.place.name

    @property
    def note(self) -> str:
        """Outcome in words."""
        moved_s = self.difference.moved_s
        if moved_s is None:
            return translated(self.kind)
        apart = duration(abs(moved_s))
        return (
            tr("{time_difference} later", time_difference=apart)
            if moved_s > 0
            else tr("{time_difference} earlier", time_difference=apart)
        )

    @property
    def change(self) -> str:
        """Outcome in short: ``lost``, or the time difference, later (+) or earlier (−)."""
        moved_s = self.difference.moved_s
        if moved_s is None:
            return translated(self.kind)
        return f"{'+' if moved_s > 0 else '−'}{duration(abs(moved_s))}"

    @property
    def reason(self) -> str:
        """Decision of the sandbox, as a sentence."""
        if not self.has_reason:
            return ""
        explanation = self.difference.explanation
        if explanation is not None:
            return f"{capital(explanation_text(explanation))}."
        return tr("The geofence is not in the sandbox.") if self.event.geofence is not None else ""

    @property
    def label(self) -> str:
        """The complete finding in one line."""
        return f"{SIGNS[self.kind]} {self.event_text} · {self.subject} · {self.note}"


class Findings:
    """The findings of the last replay or back-test.

    `changed` is emitted for new findings, `selected` for a new current finding.
    """

    def __init__(self) -> None:
        self.report: ReplayReport | None = None
        self._text: str | None = None
        """The summary of a back-test, if the findings are of one."""
        self.all: tuple[Finding, ...] = ()
        self.current: Finding | None = None
        self.changed: Notifier[[]] = Notifier()
        self.selected: Notifier[[]] = Notifier()

    def show(self, report: ReplayReport | None) -> None:
        """Show the findings of a replay, or none."""
        differences = () if report is None else report.differences
        self._show(report, None, tuple(Finding(number, each) for number, each in enumerate(differences)))

    def show_backtest(self, differences: Sequence[Difference], summary: str) -> None:
        """Show the listed differences of a back-test, with a summary of all."""
        self._show(None, summary, tuple(Finding(number, each, False) for number, each in enumerate(differences)))

    def _show(self, report: ReplayReport | None, text: str | None, findings: tuple[Finding, ...]) -> None:
        self.report, self._text, self.all = report, text, findings
        self.current = None
        self.changed.emit()
        self.selected.emit()

    def select(self, finding: Finding | None) -> None:
        """Select one of the findings, or none."""
        if finding is not self.current:
            self.current = finding
            self.selected.emit()

    def by_mark(self, mark_id: str) -> Finding | None:
        """Return the finding of a mark on the map."""
        return next((finding for finding in self.all if finding.mark_id == mark_id), None)

    @property
    def are_shown(self) -> bool:
        """Whether findings are shown, even if there are none."""
        return self.report is not None or self.are_of_backtest

    @property
    def are_of_backtest(self) -> bool:
        """Whether the findings are those of a back-test."""
        return self._text is not None

    @property
    def summary(self) -> str:
        """Summary of the replay or the back-test in one line."""
        if self._text is not None:
            return self._text
        if self.report is None:
            return ""
        numbers = {kind: sum(finding.kind is kind for finding in self.all) for kind in DifferenceKind}
        updates = counted(self.report.updates, "update")
        if not self.all:
            return tr("{updates}: no event would change.", updates=updates)
        parts = ", ".join(
            tr("{count:,} {difference_type}", count=number, difference_type=translated(kind))
            for kind, number in numbers.items()
            if number
        )
        return f"{updates}: {parts}."
