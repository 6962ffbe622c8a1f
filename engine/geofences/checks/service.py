"""Checks of the geofences of an open workspace, and safe fixes of their findings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from engine.domain.area import Area
from engine.domain.edits import EditSource, editing_as
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, NotFound
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Point
from engine.domain.ports import Clock, Progress, no_progress
from engine.domain.routing import Router
from engine.domain.settings import ProjectSettings, SettingsChange
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geofences.checks.checking import check
from engine.geofences.checks.findings import DEFAULT_CHECKS, CheckOptions, CheckReport, Finding, FixReport, Severity
from engine.geofences.checks.surroundings import Surroundings
from engine.geofences.geofences import Decided, Geofences
from engine.geofences.judging import Judge
from engine.store.database import Database
from engine.store.dismissals import Dismissal, dismissals, drop_dismissals, keep_dismissals
from engine.store.writer import Connection, Writer

_A_MOMENT_MIN: Final = 1.0
"""Travel time, in minutes, of requests for the nearest road only; a short one makes the router fast."""


class Checks:
    """Checks geofences. Its methods may be called from any thread but the writer's."""

    def __init__(
        self,
        geofences: Geofences,
        judges: Mapping[Environment, Judge],
        clocks: Mapping[Environment, Clock],
        settings: Callable[[Environment], ProjectSettings],
        change_settings: Callable[[Environment, SettingsChange], object],
        areas: Callable[[], tuple[Sequence[Area], Sequence[Area]]],
        router: Callable[[], Router],
        confidence: Callable[[float], int],
        database: Database,
        writer: Writer,
    ) -> None:
        """Create the checks. `areas` returns the installed areas and those in use."""
        self._geofences = geofences
        self._judges = judges
        self._clocks = clocks
        self._settings = settings
        self._change_settings = change_settings
        self._areas = areas
        self._router = router
        self._confidence = confidence
        self._database = database
        self._writer = writer

    def run(
        self, environment: Environment, options: CheckOptions = DEFAULT_CHECKS, progress: Progress = no_progress
    ) -> CheckReport:
        """Return the findings among the geofences; `progress` may raise `Cancelled`."""
        return self._checked(environment, options, progress)[1]

    def dismiss(self, environment: Environment, findings: Iterable[Finding]) -> None:
        """Dismiss findings for good, until they are restored or become graver."""
        at = self._clocks[environment].now()
        items = [Dismissal(each.check, each.key[1], each.severity, at) for each in findings]
        known = {geofence.id for geofence in self._geofences.all(environment)}

        def work(connection: Connection) -> None:
            kept = dismissals(connection, environment)
            outdated = [(each.check, each.geofence_ids) for each in kept if not known.issuperset(each.geofence_ids)]
            drop_dismissals(connection, environment, outdated)
            keep_dismissals(connection, environment, items)

        self._writer.run(work)

    def restore(self, environment: Environment, findings: Iterable[Finding]) -> None:
        """Take back the dismissal of findings."""
        keys = {each.key for each in findings}
        self._writer.run(lambda connection: drop_dismissals(connection, environment, keys))

    def fix(
        self, environment: Environment, options: CheckOptions = DEFAULT_CHECKS, progress: Progress = no_progress
    ) -> FixReport:
        """Apply all safe fixes, those of geofences in one transaction, and check again.

        A geofence that another client changes in the meantime is left unchanged, and so is a dismissed finding.
        """
        seen, report = self._checked(environment, options, progress)
        fixable = [finding for finding in report.findings if finding.fix is not None]
        if not fixable:
            return FixReport((), (), report)
        for finding in fixable:
            if finding.fix is not None and finding.fix.settings is not None:
                self._change_settings(environment, finding.fix.settings)
        skipped = self._fix_geofences(environment, fixable, seen)
        fixed = tuple(finding for finding in fixable if not skipped & set(finding.geofence_ids))
        # From here on, the operation must no longer be reported as cancelled.
        left = self.run(environment, options)
        return FixReport(fixed, tuple(finding for finding in fixable if finding not in fixed), left)

    def _fix_geofences(
        self, environment: Environment, findings: Sequence[Finding], seen: Mapping[str, Geofence]
    ) -> frozenset[str]:
        """Change the geofences, and return the IDs of those modified since the check."""
        changes = changes_of(findings)
        if not changes:
            return frozenset()

        def decide() -> Decided[frozenset[str]]:
            same = {key for key in changes if self._find(environment, key) == seen[key]}
            saved = tuple(self._changed(environment, seen[key], changes[key]) for key in changes if key in same)
            others = frozenset(changes.keys() - same)
            return Decided(lambda _: others, saved)

        with editing_as(EditSource.CHECKS):
            return self._geofences.edit(environment, decide)

    def _find(self, environment: Environment, geofence_id: str) -> Geofence | None:
        try:
            return self._geofences.get(environment, geofence_id)
        except NotFound:
            return None

    def _changed(self, environment: Environment, geofence: Geofence, changes: Sequence[GeofenceChange]) -> Geofence:
        for change in changes:
            geofence = self._judges[environment].changed(geofence, change)
        return geofence

    def _checked(
        self, environment: Environment, options: CheckOptions, progress: Progress
    ) -> tuple[dict[str, Geofence], CheckReport]:
        geofences = self._geofences.all(environment, self._geofences.stop.check)
        installed, in_use = self._areas()
        around = Surroundings(
            options,
            self._settings(environment),
            self._clocks[environment].now(),
            installed,
            in_use,
            self._road_distance_m,
            self._confidence,
            lambda isochrone: self._router().edge(isochrone),
        )
        report = check(geofences, around, self._geofences.stop.heeded(progress))
        kept = self._database.read(lambda connection: dismissals(connection, environment))
        return {geofence.id: geofence for geofence in geofences}, without_dismissed(report, kept)

    def _road_distance_m(self, center: Point, mode: TravelMode) -> float | None:
        try:
            return self._router().isochrones(center, [_A_MOMENT_MIN], mode).moved_m
        except InvalidParameter:
            return None  # without data there, which another check reports


def without_dismissed(report: CheckReport, kept: Iterable[Dismissal]) -> CheckReport:
    """Return a report with its dismissed findings apart, except those that have become graver since."""
    ranks = {(each.check, each.geofence_ids): Severity(each.severity).rank for each in kept}
    dismissed = [each for each in report.findings if each.severity.rank <= ranks.get(each.key, -1)]
    if not dismissed:
        return report
    left = tuple(each for each in report.findings if each.severity.rank > ranks.get(each.key, -1))
    return replace(report, findings=left, dismissed=tuple(dismissed))


def changes_of(findings: Sequence[Finding]) -> dict[str, tuple[GeofenceChange, ...]]:
    """Return the changes that fix findings, by geofence ID."""
    changes: dict[str, tuple[GeofenceChange, ...]] = {}
    for finding in findings:
        for geofence_id, change in finding.fix.fences.items() if finding.fix is not None else ():
            changes[geofence_id] = (*changes.get(geofence_id, ()), change)
    return changes
