"""The scenarios of this repository, which pass and cover all rules of docs/tracking.md."""

import json
from pathlib import Path

import pytest

from engine.domain.tracking.decision import Rule
from tests.app.commands import Commands
from tests.app.program import ROOT

SCENARIOS = ROOT / "tests" / "scenarios"


@pytest.mark.slow
def test_the_scenarios_pass_and_no_rule_is_left_out(fencewright: Commands, tmp_path: Path) -> None:
    report = tmp_path / "coverage.json"
    ended = fencewright("test", SCENARIOS, "--jobs", 1, "--coverage", report)
    assert ended.code == 0, ended.out
    coverage = json.loads(report.read_text(encoding="utf-8"))
    assert coverage["scenarios"] >= 20
    assert {rule["rule"] for rule in coverage["rules"]} == {rule.value for rule in Rule}
    assert [reason["text"] for rule in coverage["rules"] for reason in rule["reasons"] if not reason["count"]] == []
    assert [check["check"] for check in coverage["fraudChecks"] if not check["count"]] == []
    assert [each["geofence"] for each in coverage["geofences"] if not each["events"]] == []
