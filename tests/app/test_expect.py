"""``fencewright simulate --expect``: a run compared with the events of an earlier one."""

from pathlib import Path
from time import sleep

import orjson
import pytest

from app.cli.workspaces import ReachedWorkspace
from app.session import WorkspaceSession
from tests.app.commands import Commands, written
from tests.app.program import Ended
from tests.app.test_commands import CIRCLE, HEADER, TRACK


class Run:
    """A simulation with two geofences, each time with another device at times without earlier updates."""

    def __init__(self, fencewright: Commands, folder: Path, workspace: Path) -> None:
        self._fencewright = fencewright
        self._workspace = workspace
        self._devices = 0
        self.track = written(folder / "walk.csv", TRACK)
        table = written(folder / "fences.csv", HEADER + CIRCLE.format("a") + CIRCLE.format("b"))
        assert fencewright("import", table, "--workspace", workspace).code == 0
        self.expected = folder / "expected.jsonl"

    def __call__(self, *options: object) -> Ended:
        self._devices += 1
        device = ("--device", f"phone{self._devices}", "--accuracy", 10)
        return self._fencewright("simulate", self.track, "--workspace", self._workspace, *device, *options)

    def settings(self, *assignments: str) -> None:
        assert self._fencewright("settings", "--set", *assignments, "--workspace", self._workspace).code == 0


@pytest.fixture
def run(fencewright: Commands, tmp_path: Path, workspace: Path) -> Run:
    made = Run(fencewright, tmp_path, workspace)
    made.expected.write_text(made("--json").out, encoding="utf-8")
    return made


def test_the_same_run_makes_the_same_events(run: Run) -> None:
    ended = run("--expect", run.expected, "--tolerance", 0, "--json")
    assert ended.code == 0
    assert len(ended.events) == 6
    assert ended.err.endswith("fencewright: 6 events as expected\n")


def test_a_missing_event_comes_with_the_reasons_of_the_engine(run: Run) -> None:
    run.settings("stopDetection=true")
    ended = run("--expect", run.expected)
    assert ended.code == 1
    assert "- missing     2026-05-01T08:00:00.000Z  user.entered_geofence  store/a" in ended.err
    assert "stop detection is on" in ended.err
    assert ended.err.splitlines()[-1] == "fencewright: 6 missing"


def test_the_end_of_a_track_stops_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The differences are explained after the end of the track, which may take a while."""
    stopped: list[bool] = []

    def explain_slowly(_comparison: object, workspace: ReachedWorkspace, *_: object) -> list[str]:
        sleep(0.5)
        stopped.append(isinstance(workspace._found, WorkspaceSession) and workspace._found.engine.stop.begun)
        return []

    monkeypatch.setattr("app.cli.records.expected.Comparison.lines", explain_slowly)
    run.settings("stopDetection=true")
    assert run("--expect", run.expected).code == 1
    assert stopped == [False]


def test_late_and_unexpected_events(run: Run, tmp_path: Path) -> None:
    events = [orjson.loads(line) for line in run.expected.read_bytes().splitlines()]
    events[0]["createdAt"] = "2026-05-01T07:59:30.000Z"
    fewer = written(tmp_path / "fewer.json", orjson.dumps({"events": events[:5]}).decode())
    ended = run("--expect", fewer)
    assert ended.code == 1
    lines = ended.err.splitlines()
    assert "fencewright:   ~ 30 s late   2026-05-01T07:59:30.000Z  user.entered_geofence  store/a" in lines
    assert "fencewright:   + unexpected  2026-05-01T08:10:00.250Z  user.entered_geofence  store/b" in lines
    assert lines[-1] == "fencewright: 4 as expected, 1 different, 1 unexpected"
    wide = run("--expect", fewer, "--tolerance", 30)
    assert wide.err.splitlines()[-1] == "fencewright: 5 as expected, 1 unexpected"


def test_without_times_the_order_counts(run: Run, tmp_path: Path) -> None:
    written_by_hand = [
        {"type": kind, "tag": "store", "externalId": each}
        for kind in ("user.entered_geofence", "user.exited_geofence", "user.entered_geofence")
        for each in "ab"
    ]
    good = written(tmp_path / "good.json", orjson.dumps(written_by_hand).decode())
    assert run("--expect", good).code == 0
    turned = written(tmp_path / "turned.json", orjson.dumps([written_by_hand[2], *written_by_hand]).decode())
    ended = run("--expect", turned)
    assert ended.code == 1
    assert "- missing     at any time  user.exited_geofence  store/a" in ended.err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"type": "a"}\n{', "line 2 is not JSON"),
        ('[{"type": "a"}, 5]', "event 2 must be a JSON object"),
        ('{"geofence": {"tag": "store"}}', "event 1 needs a type"),
        ('{"type": "a", "createdAt": "soon"}', "event 1: createdAt must be an ISO 8601 time"),
        ('{"type": "a", "tag": 5}', "event 1: tag must be a string"),
        ('"text"', "must hold events"),
    ],
)
def test_a_file_that_holds_no_events(run: Run, tmp_path: Path, content: str, words: str) -> None:
    ended = run("--expect", written(tmp_path / "bad.json", content))
    assert (ended.code, ended.out) == (1, "")
    assert words in ended.err


def test_wrong_options(run: Run, tmp_path: Path) -> None:
    assert run("--expect", tmp_path / "none.json").code == 1
    assert run("--expect", run.expected, "--tolerance", -1).code == 2
    assert "--tolerance: requires --expect" in run("--tolerance", 5).err
