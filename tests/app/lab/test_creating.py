"""Scenarios from a recorded track: `fencewright test --new`, and the times of recorded tracks in all scenarios."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.lab.files.reading import load_scenario
from app.lab.results import Status
from app.lab.testing import run_file
from tests.app.commands import Commands, written
from tests.app.lab.conftest import STORE, Write

FENCES = (
    "description,type,tag,externalId,coordinates,radius,operatingHours\n"
    'A shop,circle,store,1,"[14.3577,45.7722]",150,"{""Fri"":[[""09:00"",""18:00""]]}"\n'
)
FRIDAY = "2026-11-27"
WALK = "".join(
    f"{FRIDAY}T{time}Z,{latitude},14.3577\n"
    for time, latitude in (("15:00:00.125", 45.78), ("15:05:00", 45.7722), ("15:20:00", 45.78))
)
"""A walk through the shop on a Friday afternoon, during its hours."""

DEVICE = "devices:\n  - deviceId: phone\n    track: {file: walk.csv}\n"
SHOP = f"version: 1\ngeofences:\n  - {STORE}\n{DEVICE}expectsNothing: true\n"


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    return written(tmp_path / "walk.csv", f"time,lat,lon\n{WALK}")


@pytest.fixture
def shop(fencewright: Commands, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    fencewright("import", written(tmp_path / "fences.csv", FENCES), "--workspace", workspace)
    fencewright("settings", "--set", "operatingHoursRestriction=true", "--workspace", workspace)
    monkeypatch.chdir(tmp_path)
    return workspace


class TestNew:
    def test_a_scenario_has_the_set_up_of_the_workspace_and_the_times_of_the_track(
        self, fencewright: Commands, shop: Path, walk: Path
    ) -> None:
        ended = fencewright("test", "--new", walk, "--workspace", shop)
        assert ended.code == 0
        assert "fencewright: walk.fence.yaml written: 3 fixes, 1 geofence, 2 events expected\n" in ended.err
        assert "3 fixes have no accuracy, so 10 m is used" in ended.err
        assert ended.out.endswith("1 passed; 2 events of 3 fixes\n")
        file = Path("walk.fence.yaml")
        body = load_scenario(file).body
        assert body.clock == datetime(2026, 11, 27, 15, 0, 0, 125_000, UTC)
        assert body.settings is not None
        assert body.settings.model_fields_set == {"operating_hours_restriction"}
        assert [each.type for each in body.expect.events or ()] == ["user.entered_geofence", "user.exited_geofence"]
        assert run_file(file).notes == ()
        users = fencewright("export", "users", "--format", "csv", "--workspace", shop).out
        assert "phone" not in users, "nothing is sent to the workspace"

    def test_the_hours_decide_by_the_time_of_the_recording(
        self, fencewright: Commands, shop: Path, tmp_path: Path
    ) -> None:
        evening = written(tmp_path / "evening.csv", f"time,lat,lon\n{WALK.replace('T15', 'T17')}")
        ended = fencewright("test", "--new", evening, "--workspace", shop)
        assert "0 events expected" in ended.err

    def test_the_clock_moves_with_the_track(self, fencewright: Commands, shop: Path, tmp_path: Path) -> None:
        header, row = FENCES.splitlines()
        ends = written(tmp_path / "ends.csv", f"{header},disableAfter\n{row},2100-11-26T15:10:00Z\n")
        fencewright("import", ends, "--workspace", shop)
        future = written(tmp_path / "future.csv", f"time,lat,lon\n{WALK.replace(FRIDAY, '2100-11-26')}")
        ended = fencewright("test", "--new", future, "--workspace", shop)
        assert (ended.code, "1 event expected" in ended.err) == (0, True), ended

    def test_its_options(self, fencewright: Commands, shop: Path, tmp_path: Path) -> None:
        untimed = written(tmp_path / "untimed.csv", "lat,lon\n45.78,14.3577\n45.7722,14.3577\n")
        ended = fencewright("test", "--new", untimed, "--workspace", shop)
        assert (ended.code, ended.err.startswith("fencewright: --assume-speed: in untimed.csv, ")) == (2, True)
        options = ("--assume-speed", 5, "--accuracy", 20, "--device", "watch", "--environment", "live")
        ended = fencewright("test", "--new", untimed, "slow", "--workspace", shop, *options)
        assert (ended.code, "no accuracy" in ended.err, "0 geofences" in ended.err) == (0, False, True)
        (device,) = load_scenario(Path("slow.fence.yaml")).body.devices
        assert (device.device_id, device.accuracy) == ("watch", 20)

    def test_an_existing_file_and_wrong_usage_are_refused(
        self, fencewright: Commands, shop: Path, walk: Path, write: Write
    ) -> None:
        kept = write()
        before = kept.read_bytes()
        for arguments, complaint in (
            (("--new", walk, kept, "--workspace", shop), f"{kept} exists already; give the new scenario another name."),
            (("--new", walk, "a", "b", "--workspace", shop), "--new writes one scenario, not 2 files."),
            (("--new", walk, "no/a", "--workspace", shop), "no/a.fence.yaml cannot be written: there is no folder no."),
            (("--workspace", shop, kept), "--workspace: requires --new; a scenario runs by itself."),
            (("--environment", "live", kept), "--environment: requires --new"),
        ):
            ended = fencewright("test", *arguments)
            assert (ended.code, ended.out, complaint in ended.err) == (2, "", True), ended
        assert kept.read_bytes() == before


class TestTimes:
    def test_the_clock_of_a_scenario_without_one_is_that_of_its_first_track(self, write: Write, walk: Path) -> None:
        file = write(SHOP)
        assert load_scenario(file).body.start == datetime(2026, 11, 27, 15, 0, 0, 125_000, UTC)
        assert run_file(file).notes[1:] == ()
        later = write(SHOP.replace("{file: walk.csv}", "{file: walk.csv}\n    start: 10m"), "later")
        assert load_scenario(later).body.start == datetime(2026, 11, 27, 14, 50, 0, 125_000, UTC)
        written(walk, f"time,lat,lon\n{WALK.replace(FRIDAY, '2026-11-28')}")
        assert load_scenario(file).body.start.day == 28, "the file is read again"

    def test_without_recorded_times_it_is_the_usual_one(self, write: Write, tmp_path: Path) -> None:
        written(tmp_path / "walk.csv", "lat,lon\n45.78,14.3577\n")
        assert load_scenario(write(SHOP)).body.start == datetime(2026, 1, 5, 12, tzinfo=UTC)
        (tmp_path / "walk.csv").unlink()
        result = run_file(write(SHOP))
        assert result.status is Status.INVALID
        assert "cannot be read" in str(result.faults[0].message)

    def test_a_track_that_is_played_at_another_time_is_noted(self, write: Write, walk: Path) -> None:
        moved = write(SHOP.replace("version: 1", "version: 1\nclock: 2026-01-05T12:00:00Z"))
        times = "recorded 2026-11-27T15:00:00Z, played at 2026-01-05T12:00:00Z; operating hours may decide differently"
        assert f"walk.csv: {times}" in run_file(moved).notes
        points = "{points: [{at: 0s, coordinates: [1.0, 51.0]}], recorded: 2026-11-27T15:00:00Z}"
        inline = write(SHOP.replace("{file: walk.csv}", points), "inline")
        assert not any("recorded" in note for note in run_file(inline).notes)
        inline = write(moved.read_text().replace("{file: walk.csv}", points), "inline")
        assert f"the track of phone: {times}" in run_file(inline).notes
