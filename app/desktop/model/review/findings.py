"""Findings of the last check of each environment: grouped, dismissed, and outdated once geofences change."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct, field

from app.desktop.language import counted, tr, translated
from app.desktop.model.fences import FenceDelta
from app.desktop.model.notify import Notifier
from engine.domain.environment import Environment
from engine.domain.values import replace
from engine.geofences.checks.findings import TITLES, Check, CheckReport, Finding, FindingKey, Severity

_NOUNS: Final = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("note", "notes"),
}


class Group(Struct, frozen=True):
    """The shown findings of a check; `capped` is whether there are more findings than were listed."""

    check: Check
    findings: tuple[Finding, ...]
    capped: bool

    @property
    def title(self) -> str:
        """The name of the check with the number of its findings."""
        more = "+" if self.capped else ""
        return tr(
            "{check_title} ({count:,}{plus_sign})",
            check_title=translated(TITLES[self.check]),
            count=len(self.findings),
            plus_sign=more,
        )

    @property
    def severity(self) -> Severity:
        """Severity of the gravest finding."""
        return max((finding.severity for finding in self.findings), key=lambda severity: severity.rank)


class _Checked(Struct):
    """The last check of an environment and the changes since."""

    report: CheckReport
    touched: set[str] = field(default_factory=set)
    stale: bool = False
    about: frozenset[str] = frozenset()
    """IDs of the geofences of all findings."""

    dismissed: frozenset[FindingKey] = frozenset()
    """Keys of the dismissed findings."""


class FindingBook:
    """The findings of the current environment."""

    def __init__(self) -> None:
        self._environment = Environment.TEST
        self._checked: dict[Environment, _Checked] = {}
        self._shown: tuple[Finding, ...] = ()
        self.severity = Severity.INFO
        self.shows_dismissed = False
        self.changed: Notifier[[]] = Notifier()

    @property
    def report(self) -> CheckReport | None:
        """The last report, or None if nothing has been checked."""
        checked = self._checked.get(self._environment)
        return None if checked is None else checked.report

    @property
    def stale(self) -> bool:
        """Whether geofences or settings have changed since the check."""
        checked = self._checked.get(self._environment)
        return checked is not None and checked.stale

    @property
    def dismissed(self) -> int:
        """Number of dismissed findings."""
        return 0 if self.report is None else len(self.report.dismissed)

    def is_dismissed(self, finding: Finding) -> bool:
        """Return whether a finding is dismissed."""
        checked = self._checked.get(self._environment)
        return checked is not None and finding.key in checked.dismissed

    def findings(self) -> tuple[Finding, ...]:
        """Return the shown findings, gravest first."""
        return self._shown

    def groups(self) -> tuple[Group, ...]:
        """Return the shown findings grouped by check. Checks with the gravest findings come first."""
        by_check: dict[Check, list[Finding]] = {}
        for finding in self.findings():
            by_check.setdefault(finding.check, []).append(finding)
        capped = frozenset[Check]() if self.report is None else self.report.capped
        return tuple(Group(check, tuple(found), check in capped) for check, found in by_check.items())

    def fixable(self) -> tuple[Finding, ...]:
        """Return the shown findings that are up to date, not dismissed, and can be fixed."""
        return tuple(
            each
            for each in self.findings()
            if each.fix is not None and not self.is_outdated(each) and not self.is_dismissed(each)
        )

    def is_outdated(self, finding: Finding) -> bool:
        """Return whether a geofence of the finding has changed since the check."""
        checked = self._checked.get(self._environment)
        if checked is None:
            return False
        return not checked.touched.isdisjoint(finding.geofence_ids) or (not finding.geofences and checked.stale)

    def brief(self) -> str:
        """Return a short text with the number of findings, marked if they may be outdated."""
        report = self.report
        if report is None:
            return ""
        parts = [
            counted(number, *_NOUNS[severity])
            for severity in reversed(Severity)
            if (number := sum(finding.severity is severity for finding in report.findings))
        ]
        text = ", ".join(parts) or tr("nothing found")
        return tr("Outdated: {finding_counts}", finding_counts=text) if self.stale else text

    def summary(self) -> str:
        """Return a summary in sentences, with the notes of the report."""
        report = self.report
        if report is None:
            return ""
        text = tr("{geofences} checked.", geofences=counted(report.checked, "geofence"))
        if self.dismissed:
            text += tr(" {findings} dismissed.", findings=counted(self.dismissed, "finding"))
        if self.stale:
            text += tr(" Geofences or settings may have changed since.")
        return " ".join((text, *map(translated, report.notes)))

    # Actions

    def show(self, environment: Environment) -> None:
        """Show the findings of an environment."""
        self._environment = environment
        self._update_shown()

    def take(self, environment: Environment, report: CheckReport, *, stale: bool = False) -> None:
        """Store a new report; `stale` is whether a change was made during the check."""
        findings = (*report.findings, *report.dismissed)
        about = frozenset(key for finding in findings for key in finding.geofence_ids)
        self._checked[environment] = _Checked(
            report, stale=stale, about=about, dismissed=frozenset(finding.key for finding in report.dismissed)
        )
        self._update_shown()

    def forget(self) -> None:
        """Drop everything because another workspace was opened."""
        self._checked.clear()
        self.shows_dismissed = False
        self._update_shown()

    def follow(self, delta: FenceDelta) -> None:
        """Record the geofences that have changed."""
        checked = self._checked.get(self._environment)
        if checked is None or delta.reset:
            return
        touched = {*(fence.id for fence in delta.upserted), *delta.removed} & checked.about - checked.touched
        if touched or not checked.stale:
            checked.touched |= touched
            checked.stale = True
            self._update_shown()

    def outdate(self, environment: Environment) -> None:
        """Record that an environment has changed in a way that was not reported as edits."""
        checked = self._checked.get(environment)
        if checked is not None and not checked.stale:
            checked.stale = True
            self._update_shown()

    def show_from(self, severity: Severity) -> None:
        """Show findings of a severity and above."""
        self.severity = severity
        self._update_shown()

    def show_dismissed(self, shown: bool) -> None:
        """Show dismissed findings among the others, or hide them."""
        self.shows_dismissed = shown
        self._update_shown()

    def mark(self, environment: Environment, findings: Sequence[Finding], *, dismissed: bool) -> None:
        """Record that findings have been dismissed or restored."""
        checked = self._checked.get(environment)
        if checked is None:
            return
        keys, report = {finding.key for finding in findings}, checked.report
        everything = sorted((*report.findings, *report.dismissed), key=lambda finding: finding.order)
        before = {finding.key for finding in report.dismissed}
        now = before | keys if dismissed else before - keys
        checked.report = replace(
            report,
            findings=tuple(finding for finding in everything if finding.key not in now),
            dismissed=tuple(finding for finding in everything if finding.key in now),
        )
        checked.dismissed = frozenset(now)
        self._update_shown()

    def _update_shown(self) -> None:
        """Update the shown findings and notify listeners."""
        report = self.report
        listed: Sequence[Finding] = () if report is None else report.findings
        if report is not None and self.shows_dismissed:
            listed = sorted((*report.findings, *report.dismissed), key=lambda finding: finding.order)
        self._shown = tuple(finding for finding in listed if finding.severity.rank >= self.severity.rank)
        self.changed.emit()
