"""Known findings: baselines in files, and findings that users have dismissed."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange, GeofenceSummary
from engine.domain.values import replace
from engine.engine import Engine
from engine.geofences.checks.baseline import baseline_of, compared, read_baseline, write_baseline
from engine.geofences.checks.findings import DEFAULT_CHECKS, Check, CheckOptions, CheckReport, Finding, Severity
from engine.store.workspace import DATABASE
from tests.engine.fixtures import NOON, SetClock
from tests.engine.store.earlier import make

TEST, LIVE = Environment.TEST, Environment.LIVE


def finding(
    check: Check = Check.OVERLAP, *names: str, severity: Severity = Severity.WARNING, text: str = "One lies in two."
) -> Finding:
    geofences = tuple(GeofenceSummary(f"id-{name}", "store", name, name) for name in names or ("1", "2"))
    return Finding(check, severity, geofences, text)


def report(*findings: Finding, **more: object) -> CheckReport:
    return replace(CheckReport(findings, 5), **more)  # type: ignore[arg-type]


def test_a_baseline_is_a_sorted_file_with_a_line_for_each_finding() -> None:
    found = [finding(Check.TOO_SMALL, "b", text='"Café" is small.'), finding(Check.OVERLAP, "b", "a")]
    text = write_baseline(baseline_of(found)).decode()
    assert text == (
        '{\n  "version": 1,\n  "findings": [\n'
        '    {"check": "overlap", "severity": "warning", "geofences": ["store/a", "store/b"], '
        '"text": "One lies in two."},\n'
        '    {"check": "too-small", "severity": "warning", "geofences": ["store/b"], "text": "\\"Café\\" is small."}\n'
        "  ]\n}\n"
    )
    assert write_baseline(baseline_of(reversed(found))).decode() == text
    assert read_baseline(text.encode()) == baseline_of(found)
    assert read_baseline(write_baseline(())) == ()


def test_findings_are_new_known_or_resolved() -> None:
    known = baseline_of([finding(), finding(Check.TOO_SMALL, "1"), finding(Check.SLIVER, "1")])
    moved = replace(finding(text="Half of one lies in two."), geofences=tuple(reversed(finding().geofences)))
    new = finding(Check.OVERLAP, "1", "3")
    result = compared(report(moved, new, finding(Check.TOO_SMALL, "1")), known, DEFAULT_CHECKS)
    assert (result.new, result.known) == ((new,), 2)
    assert [each.check for each in result.resolved] == [Check.SLIVER]


def test_a_finding_that_has_become_graver_is_new() -> None:
    known = baseline_of([finding(severity=Severity.INFO)])
    graver = compared(report(finding()), known, DEFAULT_CHECKS)
    assert (len(graver.new), graver.known, graver.resolved) == (1, 0, ())
    less = compared(report(finding(severity=Severity.INFO)), baseline_of([finding()]), DEFAULT_CHECKS)
    assert (less.new, less.known, less.resolved) == ((), 1, ())


def test_only_findings_of_checks_that_were_made_are_resolved() -> None:
    known = baseline_of([finding(), finding(Check.ISOCHRONE, "1"), finding(Check.SLIVER, "1")])
    assert len(compared(report(), known, DEFAULT_CHECKS).resolved) == 3
    assert compared(report(), known, CheckOptions(checks=frozenset({Check.EXPIRED}))).resolved == ()
    partly = report(unmade=frozenset({Check.ISOCHRONE}), capped=frozenset({Check.OVERLAP}))
    assert [each.check for each in compared(partly, known, DEFAULT_CHECKS).resolved] == [Check.SLIVER]
    assert len(compared(report(dismissed=(finding(),)), known, DEFAULT_CHECKS).resolved) == 2


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a baseline; fencewright check --save-baseline writes one"),
        ('{"version": 2, "findings": []}', "has version 2; this program reads version 1"),
        ('{"version": 1, "findings": [{"check": "overlap"}]}', "finding 1 needs check, severity and geofences"),
        (
            '{"version": 1, "findings": [{"check": "nope", "severity": "info", "geofences": []}]}',
            "finding 1: 'nope' is not a valid Check",
        ),
    ],
)
def test_a_file_that_is_no_baseline_is_refused(content: str, complaint: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        read_baseline(content.encode())
    assert refused.value.message.startswith(f"baseline: {complaint}")


def small(engine: Engine, key: str = "1", size: float = 12) -> str:
    change = GeofenceChange(
        tag="store", external_id=key, description=f"Kiosk {key}", type="circle", coordinates=(9.5, 47.1), size=size
    )
    return engine.geofences.create(TEST, change).id


ONLY_SMALL = CheckOptions(checks=frozenset({Check.TOO_SMALL}))


def test_dismissed_findings_stay_dismissed_until_they_are_restored(tmp_path: Path) -> None:
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        small(engine)
        (found,) = engine.checks.run(TEST, ONLY_SMALL).findings
        engine.checks.dismiss(TEST, [found])
    with Engine.open(tmp_path, clock=SetClock(NOON)) as engine:
        checked = engine.checks.run(TEST, ONLY_SMALL)
        assert (checked.findings, checked.dismissed) == ((), (found,))
        assert engine.checks.fix(TEST, ONLY_SMALL).left.dismissed == (found,)
        engine.checks.restore(LIVE, [found])
        assert engine.checks.run(TEST, ONLY_SMALL).dismissed == (found,)
        engine.checks.restore(TEST, [found])
        assert engine.checks.run(TEST, ONLY_SMALL).findings == (found,)


def test_a_dismissed_finding_returns_when_it_becomes_graver(tmp_path: Path) -> None:
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        key = small(engine, size=18)
        (found,) = engine.checks.run(TEST, ONLY_SMALL).findings
        assert found.severity is Severity.INFO
        engine.checks.dismiss(TEST, [found])
        engine.geofences.update(TEST, key, GeofenceChange(size=11))
        assert [each.severity for each in engine.checks.run(TEST, ONLY_SMALL).findings] == [Severity.WARNING]
        engine.geofences.update(TEST, key, GeofenceChange(size=17))
        assert engine.checks.run(TEST, ONLY_SMALL).findings == ()


def test_a_dismissed_finding_is_not_fixed(tmp_path: Path) -> None:
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        key = small(engine)
        engine.geofences.update(TEST, key, GeofenceChange(disable_after=NOON.replace(year=2020)))
        options = CheckOptions(checks=frozenset({Check.EXPIRED}))
        engine.checks.dismiss(TEST, engine.checks.run(TEST, options).findings)
        assert engine.checks.fix(TEST, options).fixed == ()
        assert engine.geofences.get(TEST, key).rules.disable_after is not None


def test_dismissals_of_deleted_geofences_are_removed(tmp_path: Path) -> None:
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        one = small(engine)
        engine.checks.dismiss(TEST, engine.checks.run(TEST, ONLY_SMALL).findings)
        engine.geofences.delete(TEST, one)
        small(engine, "2")
        engine.checks.dismiss(TEST, engine.checks.run(TEST, ONLY_SMALL).findings)
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        assert database.execute("SELECT count(*) FROM dismissed_findings").fetchone() == (1,)


def test_a_workspace_of_this_version_has_its_dismissals(tmp_path: Path) -> None:
    make(tmp_path, "0021")
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        options = CheckOptions(checks=frozenset({Check.OVERLAP}))
        dismissed = engine.checks.run(TEST, options).dismissed
        assert [each.text for each in dismissed] == ["Store 1 lies inside Zone — Süd."]
