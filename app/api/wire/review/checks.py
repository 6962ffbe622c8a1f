"""Checks of geofences for another command of this workspace: the query and the report."""

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct, to_builtins

from app.api.wire.common.encoding import Encoded
from engine.domain.environment import Environment
from engine.domain.values import replace
from engine.geofences.checks.baseline import Known, baseline_of, compared
from engine.geofences.checks.findings import (
    CheckOptions,
    CheckReport,
    Finding,
    FixReport,
    Severity,
)

MAX_LISTED_GEOFENCES: Final = 100
"""Maximum number of geofences listed per finding; `count` is their total number."""


class CheckQuery(Struct, frozen=True, kw_only=True):
    """The checks to run, and the minimum severity and maximum number of listed findings; `fix` fixes findings.

    Findings of the `baseline` are left out, and dismissed ones unless they are asked for. `saves` asks for a baseline
    of all findings of the severity.
    """

    options: CheckOptions
    severity: Severity = Severity.INFO
    limit: int = 100
    fix: bool = False
    baseline: tuple[Known, ...] | None = None
    saves: bool = False
    dismissed: bool = False


def encode_check_report(environment: Environment, query: CheckQuery, report: CheckReport) -> Encoded:
    """Return a report with the findings that the query asks for, up to its limit.

    `counts` cover the findings of all severities, but not those of the baseline.
    """
    everything = (*report.findings, *report.dismissed)
    hidden = () if query.dismissed else report.dismissed
    findings = tuple(sorted(everything, key=lambda each: each.order)) if query.dismissed else report.findings
    encoded: dict[str, Any] = {}
    if query.baseline is not None:
        found = compared(replace(report, findings=findings, dismissed=hidden), query.baseline, query.options)
        findings = found.new
        encoded["baseline"] = {"known": found.known, "resolved": to_builtins(found.resolved)}
    if query.saves:
        encoded["saved"] = to_builtins(baseline_of(_wanted(query, everything)))
    wanted = _wanted(query, findings)
    return {
        "environment": environment.value,
        "checked": report.checked,
        "accuracy": query.options.accuracy_m,
        "counts": {
            severity.value: sum(finding.severity is severity for finding in findings) for severity in reversed(Severity)
        },
        "findings": _encode_findings(wanted[: query.limit], report.dismissed),
        "more": max(0, len(wanted) - query.limit),
        "dismissed": len(_wanted(query, hidden)),
        "capped": sorted(report.capped),
        "notes": list(report.notes),
        **encoded,
    }


def _wanted(query: CheckQuery, findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity.rank >= query.severity.rank]


def encode_fix_report(environment: Environment, query: CheckQuery, report: FixReport) -> Encoded:
    """Return the fixed findings, the ones skipped because of changes in the meantime, and the remaining ones."""
    return {
        **encode_check_report(environment, query, report.left),
        "fixed": _encode_findings(report.fixed[: query.limit]),
        "fixedCount": len(report.fixed),
        "skipped": _encode_findings(report.skipped[: query.limit]),
        "skippedCount": len(report.skipped),
    }


def _encode_findings(findings: Iterable[Finding], dismissed: Iterable[Finding] = ()) -> list[dict[str, Any]]:
    keys = {finding.key for finding in dismissed}
    return [_encode_finding(finding) | ({"dismissed": True} if finding.key in keys else {}) for finding in findings]


def _encode_finding(finding: Finding) -> dict[str, Any]:
    encoded: dict[str, Any] = {
        "check": finding.check.value,
        "severity": finding.severity.value,
        "text": finding.text,
        "count": len(finding.geofences),
        "geofences": [
            {
                "_id": geofence.id,
                "tag": geofence.tag,
                "externalId": geofence.external_id,
                "description": geofence.description,
            }
            for geofence in finding.geofences[:MAX_LISTED_GEOFENCES]
        ],
    }
    if finding.place is not None:
        encoded["coordinates"] = [finding.place.longitude, finding.place.latitude]
    if finding.fix is not None:
        encoded["fix"] = finding.fix.text
    return encoded
