"""Commands with the same results whether this process or another one has the workspace open."""

import os
import re
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from app.api.commands.geofences import ImportRequest, import_file
from app.remote import RemoteWorkspace
from app.session import WorkspaceSession
from engine.areas.library import BUNDLED
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError, InvalidParameter, WorkspaceUnreachable
from engine.domain.ports import Cancelled
from engine.store.workspace import Endpoint, read_endpoint
from tests.app.commands import Commands, written
from tests.app.program import Ended

HEADER = "description,type,tag,externalId,coordinates,radius\n"
CIRCLE = '{0},circle,store,{0},"[14.3577,45.7722]",150\n'
BAD = 'Bad,circle,store,bad,"[14.3577,45.7722]",5\n'

TRACK = """time,lat,lon
2026-05-01T08:00:00Z,45.7722,14.3577
2026-05-01T08:05:00Z,45.8722,14.3577
2026-05-01T08:10:00.250Z,45.7722,14.3577
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return written(tmp_path / "fences.csv", HEADER + CIRCLE.format("a") + BAD + CIRCLE.format("b"))


@pytest.fixture
def track(tmp_path: Path) -> Path:
    return written(tmp_path / "walk.csv", TRACK)


def test_good_rows_are_imported_although_others_fail(fencewright: Commands, workspace: Path, table: Path) -> None:
    ended = fencewright("import", table, "--workspace", workspace, "--json", "--keep-good-rows")
    assert ended.code == 1
    (error,) = ended.json["errors"]
    assert (error["row"], error["column"]) == (3, "radius")
    assert "between 10 and 10000" in error["message"]
    counts = {name: ended.json[name] for name in ("rows", "created", "updated", "failed", "dryRun")}
    assert counts == {"rows": 3, "created": 2, "updated": 0, "failed": 1, "dryRun": False}


@pytest.mark.parametrize("option", ["--keep-good-rows", "--dry-run", "--json"])
def test_refused_rows_are_saved_as_they_are(
    fencewright: Commands, workspace: Path, table: Path, tmp_path: Path, option: str
) -> None:
    saved = tmp_path / "refused.csv"
    ended = fencewright("import", table, "--workspace", workspace, option, "--refused", saved)
    assert (ended.code, "1 refused row saved to" in ended.err) == (1, True)
    assert saved.read_bytes().decode().split() == (HEADER + BAD).split()
    if option == "--json":
        assert ended.json["refused"] == [{"row": 3, "tag": "store", "externalId": "bad", "description": "Bad"}]
    saved.unlink()
    table.write_text(HEADER + CIRCLE.format("a"))
    ended = fencewright("import", table, "--workspace", workspace, option, "--refused", saved)
    assert (ended.code, saved.exists()) == (0, False)
    assert "no row was refused" in ended.err


def test_refused_rows_need_a_place_before_anything_is_imported(
    fencewright: Commands, workspace: Path, table: Path, tmp_path: Path
) -> None:
    ended = fencewright("import", table, "--workspace", workspace, "--refused", tmp_path / "none" / "a.csv")
    assert (ended.code, "there is no folder" in ended.err) == (1, True)


def test_an_error_keeps_everything_out(fencewright: Commands, workspace: Path, table: Path) -> None:
    ended = fencewright("import", table, "--workspace", workspace)
    assert ended.code == 1
    assert ended.out.splitlines()[-1].startswith("3 rows: 1 failed (nothing was stored; ")
    assert fencewright("import", table, "--workspace", workspace, "--dry-run", "--json").json["created"] == 2


@pytest.mark.parametrize("option", ["map", "set"])
def test_a_field_that_is_given_twice_is_refused(
    fencewright: Commands, workspace: Path, table: Path, option: str
) -> None:
    twice = (f"--{option}", "tag=a", f"--{option}", "externalId=b", f"--{option}", "tag=c")
    ended = fencewright("import", table, *twice, "--workspace", workspace)
    assert (ended.code, ended.err) == (1, f"fencewright: --{option}: tag is given twice.\n")


def test_other_columns_are_mapped_and_previewed(fencewright: Commands, workspace: Path, tmp_path: Path) -> None:
    table = written(tmp_path / "shops.csv", "No;Name;lng;lat;size;r\n1;Café;9,5;47,1;9;12,5\n2;Bar;9,6;47,1;8;5\n")
    mapping = [
        f"--map={each}" for each in ("externalId=No", "description=Name", "longitude=lng", "latitude=lat", "radius=r")
    ]
    command = ("import", table, "--workspace", workspace, *mapping, "--set", "tag=shop", "--set", "type=circle")
    shown = fencewright(*command, "--dry-run", "--json").json
    assert shown["ignoredColumns"] == ["size"]
    created, failed = shown["preview"]
    assert created == {"row": 2, "action": "create", "tag": "shop", "externalId": "1", "description": "Café"}
    assert (failed["row"], failed["action"], failed["errors"][0]["column"]) == (3, "error", "radius")
    assert fencewright(*command, "--keep-good-rows").out.splitlines()[-1] == "2 rows: 1 created, 0 updated, 1 failed"
    assert fencewright(*command, "--map", "tga=No").code == 1


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        ("X,Y", "--map latitude=Y --map longitude=X"),
        ("Lng,LAT", "--map latitude=LAT --map longitude=Lng"),
        ("WKT,AREA", "--map coordinates=WKT"),
        ("X,AREA", None),
    ],
)
def test_ignored_columns_with_the_position_are_named_once(
    fencewright: Commands, workspace: Path, tmp_path: Path, columns: str, options: str | None
) -> None:
    table = written(tmp_path / "portal.csv", f"{columns},OBJECTID,NAME\n" + "9.5,47.1,1,One\n" * 2)
    mapping = ("--set", "tag=x", "--map", "externalId=OBJECTID", "--map", "description=NAME")
    ended = fencewright("import", table, *mapping, "--workspace", workspace)
    assert (ended.code, ended.out.count("the row has no geometry")) == (1, 2)
    hint = f"ignored columns are probably the position; to use them, add {options}\n"
    assert ended.err.count(hint) == (options is not None)


def test_a_file_made_by_others_is_imported_as_the_command_suggests(
    fencewright: Commands, workspace: Path, tmp_path: Path
) -> None:
    table = tmp_path / "Shops 2025.csv"
    table.write_text("Code,Name,Lat,Lng,Floor\n7,Café,46.05,14.5,2\n8,Bar,46.06,14.5,3\n")
    refused = fencewright("import", table, "--workspace", workspace)
    options: tuple[str, ...] = (
        "--map",
        "latitude=Lat",
        "--map",
        "longitude=Lng",
        "--map",
        "description=Name",
        "--map",
        "externalId=Code",
    )
    options = (*options, "--set", "tag=shops-2025", "--set", "radius=100", "--metadata", "Floor")
    assert refused.code == 1
    assert f"can probably be imported with {' '.join(options)}\n" in refused.err
    assert (
        fencewright("import", table, *options, "--workspace", workspace).out
        == "2 rows: 2 created, 0 updated, 0 failed\n"
    )
    table.write_text("Code,Name,Lat,Lng,Floor\n7,Café,46.05,14.5,2\n9,Inn,46.06,14.5,\n")
    named = fencewright(
        "import", table.rename(tmp_path / "other.csv"), *options, "--dry-run", "--json", "--workspace", workspace
    )
    assert [each["action"] for each in named.json["preview"]] == ["unchanged", "create"]


def test_overwritten_geofences_and_missing_radii_are_reported(
    fencewright: Commands, workspace: Path, tmp_path: Path
) -> None:
    table, other = tmp_path / "a.csv", tmp_path / "b.csv"
    table.write_text("Name,Lat,Lng\nCafé,46.05,14.5\n")
    options: tuple[str, ...] = (
        "--map",
        "latitude=Lat",
        "--map",
        "longitude=Lng",
        "--map",
        "description=Name",
        "--set",
        "tag=t",
    )
    without = fencewright("import", table, *options, "--id", "names", "--workspace", str(workspace))
    assert (without.code, "add --set radius=METRES" in without.err) == (1, True)
    options = (*options, "--set", "radius=100", "--workspace", str(workspace))
    assert fencewright("import", table, *options, "--id", "names").code == 0
    other.write_text("Name,Lat,Lng\nCAFÉ,46.05,14.5\n")
    trial = fencewright("import", other, *options, "--id", "names", "--dry-run")
    assert "overwrites 1 geofence that this file did not create: t/cafe" in trial.err
    assert fencewright("import", other, *options, "--id", "numbers", "--json").json["created"] == 1


def test_the_history_and_undo(fencewright: Commands, workspace: Path, tmp_path: Path) -> None:
    good = written(tmp_path / "good.csv", HEADER + CIRCLE.format("a"))
    imported = fencewright("import", good, "--workspace", workspace, "--json").json
    (record,) = fencewright("imports", "--workspace", workspace, "--json").json
    assert (record["_id"], record["fileName"], record["created"]) == (imported["importId"], "good.csv", 1)
    assert "good.csv: 1 created" in fencewright("imports", "--workspace", workspace).out
    undone = fencewright("imports", "--workspace", workspace, "--undo", record["_id"], "--json").json
    assert undone["status"] == "undone"
    again = fencewright("imports", "--workspace", workspace, "--undo", record["_id"])
    assert (again.code, "already been undone" in again.err) == (1, True)
    none = fencewright("imports", "--workspace", workspace, "--limit", "0")
    assert (none.code, "must be a whole number from 1 to 1,000" in none.err) == (2, True)


def test_an_export_changes_nothing_when_imported(fencewright: Commands, workspace: Path, tmp_path: Path) -> None:
    good = written(tmp_path / "good.csv", HEADER + CIRCLE.format("a") + CIRCLE.format("b"))
    fencewright("import", good, "--workspace", workspace)
    for name in ("f.csv", "f.geojson"):
        assert fencewright("export", "--workspace", workspace, "--output", tmp_path / name).code == 0
        again = fencewright("import", tmp_path / name, "--workspace", workspace)
        assert again.out == "2 rows: 0 created, 0 updated, 2 unchanged, 0 failed\n"
    assert fencewright("export", "--workspace", workspace, "--output", tmp_path / "no" / "f.csv").code == 1


def test_a_destination_off_the_roads_is_imported_with_a_warning(
    fencewright: Commands, workspace: Path, tmp_path: Path
) -> None:
    if not (BUNDLED / "helsinki").is_dir():
        pytest.skip("the bundled area has not been built; the setup does it")
    header = "description,type,tag,externalId,coordinates,radius,mode\n"
    table = written(tmp_path / "bay.csv", header + 'Bay,isochrone,walk,1,"[24.92,60.1719]",5,foot\n')
    ended = fencewright("import", table, "--workspace", workspace, "--json")
    assert ended.code == 0
    ((row, column, message),) = [(each["row"], each["column"], each["message"]) for each in ended.json["warnings"]]
    assert (row, column) == (2, "coordinates")
    assert re.fullmatch(r"coordinates: \(60.1719,24.92\) was moved [\d,]+ m to the nearest road for foot\.", message)
    another = written(tmp_path / "bays.csv", header + 'Bay,isochrone,walk,2,"[24.92,60.1719]",5,foot\n')
    shown = fencewright("import", another, "--workspace", workspace)
    assert shown.out.splitlines() == [f"row 2, column {message}", "1 row: 1 created, 0 updated, 0 failed"]


def test_importing_again_updates(fencewright: Commands, workspace: Path, tmp_path: Path) -> None:
    good = written(tmp_path / "good.csv", HEADER + CIRCLE.format("a"))
    assert fencewright("import", good, "--workspace", workspace).out == "1 row: 1 created, 0 updated, 0 failed\n"
    again = fencewright("import", good, "--workspace", workspace)
    assert (again.code, again.out) == (0, "1 row: 0 created, 0 updated, 1 unchanged, 0 failed\n")
    other = fencewright("import", good, "--workspace", workspace, "--environment", "live")
    assert other.out == "1 row: 1 created, 0 updated, 0 failed\n"


def test_a_dry_run_stores_nothing(fencewright: Commands, workspace: Path, table: Path) -> None:
    ended = fencewright("import", table, "--workspace", workspace, "--dry-run")
    assert ended.code == 1
    assert ended.out.splitlines()[0].startswith("row 3, column radius: ")
    assert "radius: radius: " not in ended.out
    assert ended.out.splitlines()[-1].endswith("2 created, 0 updated, 1 failed (dry run: nothing was stored)")
    kept = fencewright("import", table, "--workspace", workspace, "--json", "--keep-good-rows")
    assert kept.json["created"] == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "its first row must be a header row"), ("1,2\n", "this is not a header row"), (HEADER + '"', "row 2")],
)
def test_a_table_that_is_none_is_refused(
    fencewright: Commands, workspace: Path, tmp_path: Path, content: str, message: str
) -> None:
    ended = fencewright("import", written(tmp_path / "bad.csv", content), "--workspace", workspace)
    assert (ended.code, ended.out) == (1, "")
    assert message in ended.err
    assert ended.err.count("\n") == 1


def test_many_errors_are_cut_short_for_people(fencewright: Commands, tmp_path: Path) -> None:
    table = written(tmp_path / "bad.csv", HEADER + BAD * 60)
    lines = fencewright("import", table, "--workspace", ":memory:").out.splitlines()
    assert len(lines) == 52
    assert lines[50] == "… and 10 more errors; --json shows all of them"


def test_a_temporary_workspace_warns_that_nothing_is_kept(fencewright: Commands, tmp_path: Path, track: Path) -> None:
    good = written(tmp_path / "good.csv", HEADER + CIRCLE.format("a"))
    options = ("--device", "d", "--accuracy", 5, "--json")
    for command in (("import", good, "--json"), ("simulate", track, *options)):
        ended = fencewright(*command, "--workspace", ":memory:")
        assert ended.code == 0
        (warning,) = [line for line in ended.err.splitlines() if ":memory:" in line]
        assert warning.startswith("fencewright: ")
        assert "nothing is kept" in warning
        assert "--workspace DIR" in warning
        assert all(isinstance(each, dict) for each in ([ended.json] if command[0] == "import" else ended.events))
    kept = fencewright("import", good, "--json", "--workspace", tmp_path / "w")
    assert (kept.code, kept.err) == (0, "")


def test_a_new_server_first_removes_an_old_ready_file(
    fencewright: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is removed before anything is loaded, since a script may look for it during the loading."""
    ready = written(tmp_path / "ready.json", '{"url": "http://127.0.0.1:1"}')
    monkeypatch.setitem(sys.modules, "app.cli.serving", None)
    assert fencewright("serve", "--workspace", tmp_path / "w", "--ready-file", ready).code == 1
    assert not ready.exists()


def test_a_file_that_cannot_be_read(fencewright: Commands, tmp_path: Path) -> None:
    for command in (
        ("import", tmp_path / "none.csv"),
        ("import", tmp_path),
        ("simulate", tmp_path / "none.gpx", "--device", "d", "--accuracy", 5),
    ):
        ended = fencewright(*command, "--workspace", tmp_path / "fresh")
        assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert not (tmp_path / "fresh").exists()


def test_a_track_moves_a_device_and_its_events_are_written(
    fencewright: Commands, workspace: Path, table: Path, track: Path
) -> None:
    fencewright("import", table, "--keep-good-rows", "--workspace", workspace)
    options = ("--workspace", workspace, "--device", "phone", "--accuracy", 10, "--user", "ana", "--json")
    ended = fencewright("simulate", track, *options)
    assert ended.code == 0
    assert [(e["type"], e["geofence"]["externalId"], e["createdAt"], e["confidence"]) for e in ended.events] == [
        ("user.entered_geofence", "a", "2026-05-01T08:00:00.000Z", 3),
        ("user.entered_geofence", "b", "2026-05-01T08:00:00.000Z", 3),
        ("user.exited_geofence", "a", "2026-05-01T08:05:00.000Z", 3),
        ("user.exited_geofence", "b", "2026-05-01T08:05:00.000Z", 3),
        ("user.entered_geofence", "a", "2026-05-01T08:10:00.250Z", 3),
        ("user.entered_geofence", "b", "2026-05-01T08:10:00.250Z", 3),
    ]
    event = ended.events[2]
    assert event["user"]["userId"] == "ana"
    assert (event["duration"], event["locationAccuracy"], event["live"]) == (5.0, 10.0, False)
    assert ended.err == "fencewright: 3 fixes sent, 6 events\n"


def test_events_for_people(fencewright: Commands, workspace: Path, table: Path, track: Path) -> None:
    fencewright("import", table, "--keep-good-rows", "--workspace", workspace)
    ended = fencewright("simulate", track, "--workspace", workspace, "--device", "phone", "--accuracy", 10)
    assert ended.out.splitlines()[2] == ("2026-05-01T08:05:00.000Z  exited   store/a  a  (confidence 3, after 5 min)")


def test_a_track_that_is_older_than_the_device_is_not_sent(
    fencewright: Commands, workspace: Path, table: Path, track: Path
) -> None:
    fencewright("import", table, "--keep-good-rows", "--workspace", workspace)
    options = ("--workspace", workspace, "--accuracy", 10, "--json")
    simulate = ("simulate", track, "--device", "my phone", *options)
    first = fencewright(*simulate).events
    ended = fencewright(*simulate)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == (
        "fencewright: --device: 'my phone' has already sent updates up to 2026-05-01T08:10:00.250Z. The fixes of this "
        "track that are not later (3 of 3) would generate other events or none, so nothing "
        f"was sent. Use --reset-device or fencewright clear --device 'my phone' --workspace {workspace} to delete "
        "them, another --device, a later --start, or --continue to send it nevertheless.\n"
    )
    again = fencewright(*simulate, "--reset-device")
    assert [(each["type"], each["createdAt"]) for each in again.events] == [
        (each["type"], each["createdAt"]) for each in first
    ]
    assert again.err == (
        "fencewright: reset the device 'my phone': deleted 6 events of Test\nfencewright: 3 fixes sent, 6 events\n"
    )
    sent = fencewright(*simulate, "--continue")
    assert sent.code == 0
    assert "warning: 3 fixes are older than the last update of 'my phone'" in sent.err
    later = fencewright(*simulate, "--start", "2100-01-01")
    assert (later.code, "warning" in later.err) == (0, False)
    for start in ("2100-01-01", "2090-01-01"):
        assert fencewright(*simulate, "--start", start).code == 1, "the future can be simulated once, too"


def test_only_a_device_that_has_sent_newer_updates_is_refused(
    fencewright: Commands, workspace: Path, tmp_path: Path
) -> None:
    def simulate(*times: str, device: str = "phone", user: str = "", environment: str = "test") -> Ended:
        rows = "".join(f"45.7722,14.3577,2026-05-01T{time}Z\n" for time in times)
        file = written(tmp_path / "part.csv", f"lat,lon,time\n{rows}")
        who = ("--device", device, "--accuracy", 10, *(("--user", user) if user else ()))
        return fencewright("simulate", file, *who, "--workspace", workspace, "--environment", environment)

    assert simulate("08:00:00", "08:10:00").code == 0
    assert simulate("08:10:00", "08:20:00").code == 0, "a track may begin where the last one has ended"
    partly = simulate("08:15:00", "08:25:00")
    assert (partly.code, "(1 of 2)" in partly.err) == (1, True)
    assert simulate("08:20:00").code == 1, "a single fix that is sent again has no events"
    assert simulate("08:00:00", device="watch").code == 0
    live = simulate("08:00:00", environment="live")
    assert live.code == 0
    refused = simulate("07:00:00", environment="live")
    assert (refused.code, "reset" in refused.err, "--continue" in refused.err) == (1, False, True)
    assert simulate("08:00:00", device="tablet", user="ana").code == 0
    assert simulate("07:00:00", device="tablet", user="bob").code == 0, "each user of a device has own updates"
    assert simulate("07:00:00", device="tablet", user="ana").code == 1


def test_only_devices_of_test_can_be_reset(fencewright: Commands, workspace: Path, track: Path) -> None:
    options = ("--device", "phone", "--accuracy", 10, "--workspace", workspace, "--reset-device")
    ended = fencewright("simulate", track, *options, "--environment", "live")
    assert (ended.code, ended.err) == (1, "fencewright: --reset-device: only the data of Test can be deleted.\n")
    both = fencewright("simulate", track, *options, "--continue")
    assert (both.code, "not allowed with argument" in both.err) == (2, True)


def test_test_and_live_do_not_mix(fencewright: Commands, workspace: Path, table: Path, track: Path) -> None:
    fencewright("import", table, "--keep-good-rows", "--workspace", workspace, "--environment", "live")
    options = (track, "--workspace", workspace, "--device", "d", "--accuracy", 10, "--json")
    assert fencewright("simulate", *options).events == []
    events = fencewright("simulate", *options, "--environment", "live").events
    assert len(events) == 6
    assert all(event["live"] for event in events)


def test_times_come_from_a_stated_speed_or_a_stated_start(
    fencewright: Commands, workspace: Path, table: Path, tmp_path: Path
) -> None:
    fencewright("import", table, "--keep-good-rows", "--workspace", workspace)
    untimed = written(tmp_path / "untimed.csv", "lat,lon\n45.7722,14.3577\n45.8722,14.3577\n")
    options = (untimed, "--workspace", workspace, "--accuracy", 10, "--json")
    refused = fencewright("simulate", *options, "--device", "a")
    assert refused.code == 1
    assert "untimed.csv, 2 of 2 positions have no time" in refused.err
    assert "--assume-speed" in refused.err
    started = (*options, "--assume-speed", 36, "--start")
    timed = fencewright("simulate", *started, "2026-05-01T10:00:00+02:00", "--device", "b")
    assert [event["createdAt"] for event in timed.events][:2] == ["2026-05-01T08:00:00.000Z"] * 2
    assert timed.events[2]["createdAt"] == "2026-05-01T08:18:31.478Z"  # 11,114.78 m at 10 m/s
    now = fencewright("simulate", *started, "now", "--device", "c")
    moment = datetime.fromisoformat(now.events[0]["createdAt"])
    assert abs((datetime.now(UTC) - moment).total_seconds()) < 60


def test_the_four_keys(fencewright: Commands, workspace: Path) -> None:
    ended = fencewright("keys", "--workspace", workspace, "--json")
    assert list(ended.json) == ["test", "live"]
    assert all(list(levels) == ["publishable", "secret"] for levels in ended.json.values())
    assert ended.json["live"]["secret"].startswith("prj_live_sk_")
    assert stat.S_IMODE((workspace / "keys.json").stat().st_mode) == 0o600
    lines = [line.split() for line in fencewright("keys", "--workspace", workspace).out.splitlines()]
    assert lines == [[env, level, value] for env, levels in ended.json.items() for level, value in levels.items()]


def test_keys_for_a_shell(fencewright: Commands, tmp_path: Path) -> None:
    workspace = tmp_path / "a workspace"
    ended = fencewright("keys", "--workspace", workspace, "--shell")
    keys = fencewright("keys", "--workspace", workspace, "--json").json["test"]
    shown = subprocess.run(
        ["sh", "-c", f"{ended.out}\nsh -c 'echo $PUBLISHABLE $SECRET'"], capture_output=True, text=True, check=True
    )
    assert shown.stdout.split() == [keys["publishable"], keys["secret"]]
    assert fencewright("keys", "--workspace", workspace, "--shell", "--json").code == 2


@pytest.mark.parametrize(
    ("options", "replaced"),
    [
        (["test-secret"], {("test", "secret")}),
        (["test-secret", "--rotate", "live-publishable"], {("test", "secret"), ("live", "publishable")}),
        (["all"], {(env, level) for env in ("test", "live") for level in ("publishable", "secret")}),
    ],
)
def test_keys_are_replaced(
    fencewright: Commands, workspace: Path, options: list[str], replaced: set[tuple[str, str]]
) -> None:
    before = fencewright("keys", "--workspace", workspace, "--json").json
    after = fencewright("keys", "--workspace", workspace, "--json", "--rotate", *options)
    changed = {(env, level) for env in before for level in before[env] if before[env][level] != after.json[env][level]}
    assert changed == replaced
    assert after.err.count("was replaced") == len(replaced)
    assert fencewright("keys", "--workspace", workspace, "--json").json == after.json


def test_a_replaced_key_is_refused_at_once(fencewright: Commands, tmp_path: Path) -> None:
    with WorkspaceSession(tmp_path / "w", port=0) as session:
        session.start_endpoint()
        old = fencewright("keys", "--workspace", tmp_path / "w", "--json").json["test"]["secret"]
        new = fencewright("keys", "--workspace", tmp_path / "w", "--json", "--rotate", "test-secret").json
        answers = [
            httpx.get(f"{session.url}/v1/users", headers={"Authorization": key}, trust_env=False).status_code
            for key in (old, new["test"]["secret"])
        ]
    assert answers == [401, 200]


def test_a_temporary_workspace_has_no_keys_to_show(fencewright: Commands) -> None:
    ended = fencewright("keys", "--workspace", ":memory:")
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)


def test_a_database_of_another_program_is_reported_and_no_keys_are_made(fencewright: Commands, tmp_path: Path) -> None:
    folder = tmp_path / "bookmarks"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "fencewright.db")) as foreign:
        foreign.execute("CREATE TABLE bookmarks (url)")
    for command in (("keys",), ("keys", "--rotate", "all"), ("serve", "--port", 0), ("settings",)):
        ended = fencewright(*command, "--workspace", folder)
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
        assert "is a database of another program (with the table bookmarks)" in ended.err
    assert sorted(path.name for path in folder.iterdir()) == ["fencewright.db", "lock"]


@pytest.mark.parametrize("content", ["{", '{"a":' * 200 + "1" + "}" * 200])
def test_damaged_keys_are_reported(fencewright: Commands, tmp_path: Path, content: str) -> None:
    written(tmp_path / "keys.json", content)
    ended = fencewright("keys", "--workspace", tmp_path)
    assert ended.code == 1
    assert "damaged" in ended.err


def test_a_workspace_that_cannot_be_made(fencewright: Commands, table: Path) -> None:
    ended = fencewright("import", table, "--workspace", "/proc/nowhere")
    assert (ended.code, ended.err.count("\n")) == (1, 1)


def test_a_file_in_the_place_of_a_workspace(fencewright: Commands, table: Path) -> None:
    ended = fencewright("import", table, "--workspace", table)
    assert (ended.code, ended.err.count("\n")) == (1, 1)


class TestRemote:
    """Details of using a workspace through the process that has it open."""

    @pytest.fixture
    def session(self, tmp_path: Path) -> WorkspaceSession:
        return WorkspaceSession(tmp_path / "workspace")

    def remote(self, session: WorkspaceSession) -> RemoteWorkspace:
        folder = session.engine.workspace.folder
        endpoint = read_endpoint(folder)
        assert endpoint is not None
        return RemoteWorkspace(folder, endpoint)

    def test_progress_is_reported_and_may_stop_the_import(self, session: WorkspaceSession) -> None:
        data = (HEADER + "".join(CIRCLE.format(number) for number in range(3000))).encode()
        reported: list[tuple[int, int]] = []

        def cancel(done: int, total: int) -> None:
            reported.append((done, total))
            raise Cancelled

        with session:
            remote, request = self.remote(session), ImportRequest(name="t.csv")
            with pytest.raises(Cancelled):
                remote.run(import_file, request, Environment.TEST, data, cancel)
            assert reported[0][1] == 9000
            reported.clear()
            report = remote.run(
                import_file, request, Environment.LIVE, data, lambda done, total: reported.append((done, total))
            )
            assert report["created"] == 3000
            assert reported[-1] == (9000, 9000)

    def test_errors_come_back_as_they_were_raised(self, session: WorkspaceSession) -> None:
        data = HEADER.replace("tag", "tga").encode()
        with session, pytest.raises(InvalidParameter) as caught:
            self.remote(session).run(import_file, ImportRequest(name="t.csv"), data=data)
        assert caught.value.param == "tga"

    def test_a_process_that_has_ended_is_reported(self, session: WorkspaceSession) -> None:
        remote = self.remote(session)
        session.close()
        with pytest.raises(WorkspaceUnreachable, match=f"process {os.getpid()}"):
            remote.check()

    def test_another_server_at_the_address_is_not_taken_for_the_workspace(
        self, session: WorkspaceSession, tmp_path: Path
    ) -> None:
        folder = session.engine.workspace.folder
        endpoint = read_endpoint(folder)
        assert endpoint is not None
        other = Endpoint(endpoint.pid, endpoint.control_url, "another token", None)
        with session, pytest.raises(FencewrightError):
            RemoteWorkspace(folder, other).check()
