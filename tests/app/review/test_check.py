"""``fencewright check``, on a closed workspace and on one that is open elsewhere."""

import io
import signal
import sys
from pathlib import Path

import pytest

from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.geofences.checks import checking, service
from engine.geofences.checks.findings import CheckReport
from tests.app.commands import Commands, written
from tests.app.program import Program

HEADER = "description,type,tag,externalId,coordinates,radius,operatingHours,disableAfter\n"
SPIKE = (
    "[[25.0,60.2],[25.01,60.2],[25.01,60.205],[25.005002,60.205],[25.005001,60.208],[25.005,60.205],[25.0,60.205],"
    "[25.0,60.2]]"
)
TABLE = (
    f"{HEADER}"
    'Café 日本,circle,store,a,"[24.94,60.17]",150,,\n'
    'Kiosk,circle,store,k,"[24.9401,60.1701]",12,,\n'
    f'Spike,polygon,mall,s,"{SPIKE}",,,\n'
    'Closed,circle,late,c,"[24.80,60.17]",100,off,\n'
    'Old,circle,late,o,"[24.81,60.18]",100,,2020-01-01\n'
)


@pytest.fixture
def checked(fencewright: Commands, workspace: Path, tmp_path: Path) -> Path:
    table = written(tmp_path / "fences.csv", TABLE)
    assert fencewright("import", table, "--workspace", workspace).code == 0
    fencewright("settings", "--set", "bufferEntries=true", "--workspace", workspace)
    return workspace


def test_findings_are_listed_and_set_the_exit_code(fencewright: Commands, checked: Path) -> None:
    ended = fencewright("check", "--workspace", checked)
    assert (ended.code, ended.err) == (1, "")
    *lines, summary = ended.out.splitlines()
    assert [line.split()[1] for line in lines] == ["never-open", "buffers", "too-small", "self-touching", "overlap"]
    assert lines[-1].startswith("warning  overlap        store/k, store/a: Kiosk lies inside Café 日本.  (60.17")
    assert summary.startswith("5 geofences checked: 0 errors, 5 warnings, ")
    assert summary.endswith(" (--severity info lists the others)")
    assert fencewright("check", "--workspace", checked, "--severity", "error").code == 0
    assert fencewright("check", "--workspace", checked, "--environment", "live").code == 0


def test_as_json_with_some_checks_and_a_limit(fencewright: Commands, checked: Path) -> None:
    options = ("--only", "overlap", "--only", "too-small", "--json")
    report = fencewright("check", "--workspace", checked, *options).json
    assert [each["check"] for each in report["findings"]] == ["too-small", "overlap"]
    assert report["counts"] == {"error": 0, "warning": 2, "info": 0}
    overlap = report["findings"][1]
    assert [each["externalId"] for each in overlap["geofences"]] == ["k", "a"]
    assert overlap["coordinates"][0] == pytest.approx(24.94, abs=0.001)
    limited = fencewright("check", "--workspace", checked, *options, "--limit", 0)
    assert (limited.code, limited.json["findings"], limited.json["more"]) == (1, [], 2)
    small = fencewright("check", "--workspace", checked, "--only", "too-small", "--accuracy", 10)
    assert (small.code, small.out) == (0, "5 geofences checked: 0 errors, 0 warnings, 0 info\n")
    skipped = fencewright("check", "--workspace", checked, "--skip", "overlap", "--json").json
    assert "overlap" not in {each["check"] for each in skipped["findings"]}


def test_safe_fixes_are_applied(fencewright: Commands, checked: Path) -> None:
    ended = fencewright("check", "--workspace", checked, "--fix", "--severity", "info", "--json")
    assert ended.code == 1
    assert [each["check"] for each in ended.json["fixed"]] == ["buffers", "self-touching", "expired"]
    assert (ended.json["fixedCount"], ended.json["skippedCount"]) == (3, 0)
    assert {each["check"] for each in ended.json["findings"]}.isdisjoint({"buffers", "self-touching", "expired"})
    assert fencewright("settings", "--workspace", checked, "--json").json["bufferExits"] is True
    again = fencewright("check", "--workspace", checked, "--fix")
    assert "0 fixed" in again.out


def test_settings_that_let_exits_on_coarse_fixes_pass_are_found(fencewright: Commands, workspace: Path) -> None:
    workspace_option = "--workspace", workspace
    ended = fencewright("settings", "--set", "minimumConfidence=2", *workspace_option)
    assert "warning: The minimum confidence of 2 does not prevent exits on coarse fixes" in ended.err
    assert ended.err.endswith("Buffer exits prevent them.\n")
    assert fencewright("settings", *workspace_option).err == ""
    found = fencewright("check", *workspace_option)
    assert (found.code, found.out.split()[:2]) == (1, ["warning", "coarse-exits"])
    assert fencewright("check", "--fix", *workspace_option).code == 0
    assert fencewright("settings", *workspace_option, "--json").json["bufferExits"] is True
    assert fencewright("settings", "--set", "minimumConfidence=2", *workspace_option).err == ""


def test_live_is_fixed_after_a_question(fencewright: Commands, checked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fencewright("promote", "--workspace", checked, "--yes").code == 0
    fix = "check", "--workspace", checked, "--environment", "live", "--only", "self-touching", "--fix"
    ended = fencewright(*fix)
    assert (ended.code, ended.out, "there is no terminal; give --yes" in ended.err) == (2, "", True)
    for answer in ("n\n", "\n"):
        terminal = io.StringIO(answer)
        monkeypatch.setattr(terminal, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", terminal)
        ended = fencewright(*fix)
        assert (ended.code, "Apply the safe fixes in Live of " in ended.err) == (1, True)
        assert "nothing was changed" in ended.err
    assert "0 fixed" not in fencewright(*fix, "--yes").out
    assert "0 fixed" in fencewright(*fix, "--yes").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--only", "nope"), "must be one of never-open, hours, buffers"),
        (("--severity", "grave"), "must be info, warning, error"),
        (("--accuracy", "0"), "must be greater than 0"),
        (("--accuracy", "1e9"), "must be at most 10,000 m"),
        (("--limit", "-1"), "must be a whole number"),
        (("--soon", "later"), "must be a duration"),
        (("--only", "overlap", "--skip", "expired"), "not allowed with"),
    ],
)
def test_wrong_usage(fencewright: Commands, options: tuple[str, ...], message: str) -> None:
    ended = fencewright("check", *options)
    assert (ended.code, message in ended.err) == (2, True), ended


def test_a_workspace_that_is_not_there(fencewright: Commands, tmp_path: Path) -> None:
    ended = fencewright("check", "--workspace", tmp_path / "none")
    assert (ended.code, "There is no workspace in" in ended.err) == (1, True)
    assert not (tmp_path / "none").exists()


def test_a_geofence_that_is_edited_meanwhile_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with WorkspaceSession(tmp_path / "w") as session:
        geofences, test = session.engine.geofences, Environment.TEST
        change = GeofenceChange(
            tag="a",
            external_id="1",
            description="One",
            type="circle",
            coordinates=(24.94, 60.17),
            size=100,
            disable_after=session.engine.clock.now().replace(year=2020),
        )
        fence = geofences.create(test, change)
        real, edits = checking.check, iter([GeofenceChange(description="Edited")])

        def check_while_edited(*arguments: object) -> CheckReport:
            report = real(*arguments)  # type: ignore[arg-type]
            for edit in edits:
                geofences.update(test, fence.id, edit)
            return report

        monkeypatch.setattr(service, "check", check_while_edited)
        report = session.engine.checks.fix(test)
        assert ([each.text for each in report.fixed], len(report.skipped)) == ([], 1)
        kept = geofences.get(test, fence.id)
        assert (kept.description, kept.rules.disable_after) == ("Edited", change.disable_after)
        assert len(session.engine.checks.fix(test).fixed) == 1
        assert geofences.get(test, fence.id).rules.disable_after is None


@pytest.mark.slow
def test_ctrl_c_ends_it(program: Program, tmp_path: Path) -> None:
    rows = [f'N {n},circle,a,{n},"[24.{n:05},60.17]",9000,,\n' for n in range(6_000)]
    table = written(tmp_path / "many.csv", HEADER + "".join(rows))
    assert program.run("import", table, "--workspace", tmp_path / "w").code == 0
    with program.serve(tmp_path / "w") as serving:
        process = program.start("check", "--workspace", tmp_path / "w", "--fix", "--limit", 1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        # It may already have been ending, or not yet have handled signals.
        assert process.returncode in (0, 1, 130, -signal.SIGINT)
        if process.returncode == 130:
            assert (out, "Traceback" in err) == ("", False)
        assert serving.process.poll() is None
        assert program.run("check", "--workspace", tmp_path / "w", "--only", "expired").code == 0


def test_a_baseline_lets_only_new_findings_fail(fencewright: Commands, checked: Path, tmp_path: Path) -> None:
    check, file = ("check", "--workspace", checked), tmp_path / "baseline.json"
    saved = fencewright(*check, "--save-baseline", file)
    assert (saved.code, saved.err) == (0, f"fencewright: 5 findings saved in {file}\n")
    before = file.read_text(encoding="utf-8")
    assert '"geofences": ["store/a", "store/k"], "text": "Kiosk lies inside Café 日本."' in before
    same = fencewright(*check, "--baseline", file)
    assert (same.code, same.err) == (0, "")
    assert f"; 5 known from {file}, 0 resolved" in same.out
    fencewright("settings", "--set", "bufferExits=true", "--workspace", checked)
    stall = written(tmp_path / "more.csv", HEADER + 'Stall,circle,store,n,"[24.9399,60.1701]",12,,\n')
    fencewright("import", stall, "--workspace", checked)
    ended = fencewright(*check, "--baseline", file)
    assert ended.code == 1
    lines = ended.out.splitlines()
    assert [line.split()[:3] for line in lines[:-1]] == [
        ["warning", "too-small", "store/n:"],
        ["warning", "overlap", "store/n,"],
        ["resolved", "buffers", "Buffer"],
    ]
    assert lines[-1].startswith("6 geofences checked: 0 errors, 2 warnings, ")
    report = fencewright(*check, "--baseline", file, "--json").json
    assert (report["baseline"]["known"], [each["check"] for each in report["baseline"]["resolved"]]) == (4, ["buffers"])
    assert (report["counts"]["warning"], len(report["findings"])) == (2, 2)
    again = fencewright(*check, "--baseline", file, "--save-baseline", file, "--json")
    assert (again.code, "saved" in again.json) == (0, False)
    after = file.read_text(encoding="utf-8")
    assert len(set(after.splitlines()) - set(before.splitlines())) <= 3, "a reviewer sees only what has changed"
    assert fencewright(*check, "--baseline", file).code == 0


def test_the_same_geofences_of_another_workspace_have_the_same_baseline(
    fencewright: Commands, checked: Path, tmp_path: Path
) -> None:
    files = tmp_path / "one.json", tmp_path / "other.json"
    fencewright("check", "--workspace", checked, "--save-baseline", files[0], "--severity", "info")
    other = tmp_path / "other"
    rows = TABLE.removeprefix(HEADER).splitlines(keepends=True)
    fencewright("import", written(tmp_path / "turned.csv", HEADER + "".join(reversed(rows))), "--workspace", other)
    fencewright("settings", "--set", "bufferEntries=true", "--workspace", other)
    fencewright("check", "--workspace", other, "--save-baseline", files[1], "--severity", "info")
    assert files[0].read_bytes() == files[1].read_bytes()


def test_dismissed_findings_do_not_fail_and_are_mentioned(fencewright: Commands, tmp_path: Path) -> None:
    folder = tmp_path / "dismissing"
    fencewright("import", written(tmp_path / "fences.csv", TABLE), "--workspace", folder)
    with WorkspaceSession(folder) as session:
        findings = session.engine.checks.run(Environment.TEST).findings
        session.engine.checks.dismiss(Environment.TEST, [each for each in findings if each.check == "overlap"])
    check = ("check", "--workspace", folder, "--only", "overlap", "--only", "too-small")
    found = fencewright(*check)
    assert (found.code, "overlap" in found.out.splitlines()[0]) == (1, False)
    assert found.out.endswith("; 1 dismissed in the window (--dismissed lists them)\n")
    shown = fencewright(*check, "--dismissed")
    assert shown.out.splitlines()[1].startswith("warning  overlap ")
    assert "(dismissed)" in shown.out.splitlines()[1]
    assert [each.get("dismissed", False) for each in fencewright(*check, "--dismissed", "--json").json["findings"]] == [
        False,
        True,
    ]
    only = fencewright("check", "--workspace", folder, "--only", "overlap")
    assert (only.code, fencewright("check", "--workspace", folder, "--only", "overlap", "--dismissed").code) == (0, 1)
    baseline = tmp_path / "baseline.json"
    fencewright(*check, "--save-baseline", baseline)
    assert '"check": "overlap"' in baseline.read_text(encoding="utf-8"), "what is accepted here is accepted elsewhere"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--baseline", "missing.json"), "--baseline missing.json: cannot be read: No such file or directory."),
        (("--baseline", "wrong.json"), "--baseline wrong.json: is not JSON: "),
        (("--baseline", "/dev/zero"), "--baseline /dev/zero: /dev/zero is larger than 256 MiB."),
        (("--save-baseline", "no/where.json"), "no/where.json cannot be written: there is no folder no."),
    ],
)
def test_a_baseline_that_cannot_be_used(
    fencewright: Commands,
    checked: Path,
    tmp_path: Path,
    options: tuple[str, str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "wrong.json", "{")
    ended = fencewright("check", "--workspace", checked, *options)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"fencewright: {message}")
