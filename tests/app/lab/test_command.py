"""``fencewright test``: its exit codes and reports, and runs in several processes."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.app.commands import Commands
from tests.app.lab.conftest import CAME, VISIT, Write
from tests.placeholders import unfilled


def test_the_exit_code_shows_whether_all_passed_one_failed_or_a_file_is_wrong(
    fencewright: Commands, write: Write, tmp_path: Path
) -> None:
    good, bad = write(), write(VISIT + CAME.replace("8m", "9m"), "bad")
    wrong = write("version: 1\nwrong: 1\n", "wrong")
    assert fencewright("test", good).code == 0
    assert fencewright("test", good, bad).code == 1
    assert fencewright("test", good, bad, wrong).code == 2
    assert fencewright("test", tmp_path / "none").code == 2
    assert fencewright("test").code == 2
    assert fencewright("test", tmp_path).out.splitlines()[-1] == "1 passed, 1 failed, 1 invalid; 4 events of 8 fixes"


def test_a_failure_shows_the_difference_and_the_reasons(fencewright: Commands, write: Write) -> None:
    shown = fencewright("test", write(VISIT + CAME.replace("8m", "9m"))).out.splitlines()
    assert shown[0].startswith("✗ A visit  (")
    assert shown[1:3] == [
        "    different: user.exited_geofence of store/1: expected at 9m, came at 8m  (visit.fence.yaml:17)",
        "        8m: exit: the location is outside, 402.4 m from the boundary; "
        "the confidence is 3, at least the minimum of 1: 100% of the accuracy circle is outside",
    ]


def test_a_fault_of_a_file_is_one_line_with_its_place(fencewright: Commands, write: Write) -> None:
    file = write(VISIT.replace("radius", "radios"))
    assert (
        f"{file}:5:103: geofences[0].radios: there is no such key; did you mean radius?"
        in fencewright("test", file).out
    )


def test_json_and_junit_report_the_same(fencewright: Commands, write: Write, tmp_path: Path) -> None:
    files = [write(), write(VISIT + CAME.replace("8m", "9m"), "bad"), write("version: 1\nwrong: 1\n", "wrong")]
    ended = fencewright("test", *files, "--json", "--junit", tmp_path / "junit.xml")
    report = json.loads(ended.out)
    assert report["counts"] == {"passed": 1, "failed": 1, "invalid": 1}
    assert [each["status"] for each in report["scenarios"]] == ["passed", "failed", "invalid"]
    (failure,) = report["scenarios"][1]["failures"]
    assert (failure["kind"], failure["line"], len(failure["reasons"])) == ("different", 17, 1)
    (fault,) = report["scenarios"][2]["faults"]
    assert (fault["line"], fault["column"], fault["field"]) == (2, 1, "wrong")
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "1")
    assert [[kind.tag for kind in case] for case in suite] == [[], ["failure"], ["error"]]
    assert failure["text"] in str(suite[1][0].text)


@pytest.mark.slow
def test_several_processes_report_the_same_in_the_same_order(fencewright: Commands, write: Write) -> None:
    files = [write(VISIT + CAME.replace("8m", f"{n}m"), f"n{n}") for n in range(7, 10)]

    def results(jobs: int) -> list[object]:
        ended = fencewright("test", *files, "--json", "--jobs", jobs)
        return [{**each, "seconds": 0} for each in json.loads(ended.out)["scenarios"]]

    assert results(2) == results(1)


def test_update_writes_the_outcome_and_the_next_run_passes(fencewright: Commands, write: Write) -> None:
    file = write(VISIT + "expect:\n  events: []  # none yet\n")
    assert fencewright("test", file, "--update").code == 0
    assert file.read_text().endswith(CAME.replace("events:", "events:  # none yet"))
    assert "updated" not in fencewright("test", file, "--update").out


def test_a_scenario_is_run_once_however_often_it_is_named(
    fencewright: Commands, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "self").symlink_to(tmp_path)
    ended = fencewright("test", tmp_path, file, Path(file.name), tmp_path / "self" / file.name)
    assert ended.out.splitlines()[-1] == "1 passed; 2 events of 4 fixes"


def test_a_name_cannot_write_to_the_terminal(fencewright: Commands, write: Write) -> None:
    out = fencewright("test", write('version: 1\nexpectsNothing: true\nname: "a\\e[31m\\nb"\n')).out
    assert out.startswith("✓ a\\x1b[31m\\nb  (")


@pytest.mark.parametrize("option", ["--junit", "--coverage"])
def test_a_report_that_cannot_be_written_is_refused_before_anything_runs(
    fencewright: Commands, write: Write, tmp_path: Path, option: str
) -> None:
    ended = fencewright("test", write(), option, tmp_path / "none" / "report.json")
    assert (ended.code, ended.out) == (2, "")
    assert f"report.json cannot be written: there is no folder {tmp_path / 'none'}." in ended.err


def test_faults_beyond_the_first_are_counted_in_every_report(
    fencewright: Commands, write: Write, tmp_path: Path
) -> None:
    file = write("version: 1\n" + "".join(f"wrong{number}: 1\n" for number in range(30)))
    assert f"    {file}: and 10 more" in fencewright("test", file).out.splitlines()
    ended = fencewright("test", file, "--json", "--junit", tmp_path / "junit.xml")
    (result,) = json.loads(ended.out)["scenarios"]
    assert (len(result["faults"]), result["omittedFaults"]) == (20, 10)
    assert "and 10 more" in (tmp_path / "junit.xml").read_text()


@pytest.mark.parametrize("ending", ["json", "html"])
def test_the_coverage_has_the_exercised_and_unexercised_rules(
    fencewright: Commands, write: Write, tmp_path: Path, ending: str
) -> None:
    report = tmp_path / f"coverage.{ending}"
    file = write((VISIT + CAME).replace("A store", "'<script>alert(1)</script>'"))
    assert fencewright("test", file, "--coverage", report).code == 0
    text = report.read_text(encoding="utf-8")
    if ending == "html":
        assert "store/1" in text
        assert "&lt;script&gt;" in text
        assert "http" not in text
        assert "<script" not in text
        return
    coverage = json.loads(text)
    boundary = next(rule for rule in coverage["rules"] if rule["rule"] == "boundary")
    assert {"hole" not in reason["text"] for reason in boundary["reasons"] if reason["count"]} == {True}
    assert {"hole" in reason["text"] for reason in boundary["reasons"] if not reason["count"]} == {True}
    assert {each["type"]: each["count"] for each in coverage["eventTypes"]}["user.entered_geofence"] == 1
    assert {each["type"]: each["count"] for each in coverage["eventTypes"]}["user.entered_place"] == 0
    assert coverage["geofences"][0]["events"] == {"user.entered_geofence": 1, "user.exited_geofence": 1}
    assert coverage["summary"]["rules"]["exercised"] < coverage["summary"]["rules"]["all"]


@pytest.mark.parametrize("option", ["", "--json", "--junit", "--coverage json", "--coverage html"])
def test_no_report_has_a_placeholder(fencewright: Commands, write: Write, tmp_path: Path, option: str) -> None:
    files = [write(VISIT + CAME, "good"), write(VISIT + CAME.replace("8m", "9m"), "bad"), write("wrong: 1\n", "wrong")]
    name, _, ending = option.partition(" ")
    report = tmp_path / f"report.{ending or 'xml'}"
    options = [name, report] if ending or name == "--junit" else [name] if name else []
    ended = fencewright("test", *files, *options)
    text = report.read_text(encoding="utf-8") if report.exists() else ended.out
    assert len(text) > 500
    assert unfilled(text) == []


def test_the_coverage_has_reasons_without_their_values(fencewright: Commands, write: Write, tmp_path: Path) -> None:
    report = tmp_path / "coverage.json"
    fencewright("test", write(), "--coverage", report)
    texts = [reason["text"] for rule in json.loads(report.read_text())["rules"] for reason in rule["reasons"]]
    assert "the location is inside, … m from the boundary" in texts
    assert "the geofence is enabled" in texts


def test_the_schema_is_written_for_editors(fencewright: Commands) -> None:
    assert json.loads(fencewright("test", "--schema").out)["title"] == "Fencewright scenario"


@pytest.mark.parametrize("wrong", [("--jobs", "0"), ("--coverage", "a.txt"), ("--jobs", "x")])
def test_wrong_options_are_wrong_usage(fencewright: Commands, write: Write, wrong: tuple[str, str]) -> None:
    assert fencewright("test", write(), *wrong).code == 2
