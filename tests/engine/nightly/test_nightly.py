"""Syncs from real servers: imported, skipped, deleted and kept geofences, failures, and schedules."""

import gzip
import json
import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from engine.domain.clock import ClockChange
from engine.domain.errors import Conflict, InvalidParameter
from engine.domain.imports import ALL_REPAIRS, NO_REPAIRS, Channel, ImportFile, ImportQuery
from engine.domain.nightly.runs import FileOutcome, SyncStatus, SyncTrigger
from engine.domain.nightly.settings import (
    FileOptions,
    SyncChange,
    SyncProtocol,
    SyncSettings,
    last_due,
    next_due,
)
from engine.domain.ports import Cancelled
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from engine.outbound.questions import RequestFailed
from tests.engine.fixtures import SetClock, circle
from tests.engine.nightly.conftest import LIVE, TEST, names, set_urls, until
from tests.engine.nightly.servers import BUCKET, KEY_ID, REGION, SECRET, Files, put, s3, table
from tests.engine.tabular.workbooks import Sheet, workbook
from tests.servers import ReceivedRequest, send, serving

NIGHT = datetime(2026, 5, 4, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with s3() as url:
        yield url


# Files


def test_files_become_geofences_and_are_skipped_as_long_as_they_are_the_same(engine: Engine, served: Files) -> None:
    served.content |= {"a.csv": table(("1", 100), ("2", 200)), "b.csv": table(("3", 300))}
    set_urls(engine, served, "a.csv", "b.csv")
    run = engine.nightly.run(TEST)
    assert (run.status, run.trigger, run.total("created")) == (SyncStatus.SUCCEEDED, SyncTrigger.MANUAL, 3)
    assert names(engine) == {"1", "2", "3"}
    assert not names(engine, LIVE)

    again = engine.nightly.run(TEST)
    assert [file.outcome for file in again.files] == [FileOutcome.UNCHANGED] * 2
    assert served.sent == ["a.csv", "b.csv"]
    served.content["b.csv"] = table(("3", 333))
    changed = engine.nightly.run(TEST)
    assert [file.outcome for file in changed.files] == [FileOutcome.UNCHANGED, FileOutcome.IMPORTED]
    assert changed.total("updated") == 1
    assert served.sent == ["a.csv", "b.csv", "b.csv"]
    assert engine.nightly.run(TEST, force=True).total("unchanged") == 3
    history = engine.imports.page(TEST, ImportQuery()).items
    assert {record.channel for record in history} == {Channel.SYNC}
    assert [record.name for record in reversed(history)] == ["a.csv", "b.csv", "b.csv", "a.csv", "b.csv"]


def test_a_file_without_an_etag_is_known_by_its_content(engine: Engine, served: Files) -> None:
    served.etags = False
    served.content["a.csv"] = table(("1", 100))
    set_urls(engine, served, "a.csv")
    engine.nightly.run(TEST)
    assert engine.nightly.run(TEST).files[0].outcome is FileOutcome.UNCHANGED
    assert len(engine.imports.page(TEST, ImportQuery()).items) == 1


def test_errors_are_reported_and_the_rest_is_imported(engine: Engine, served: Files) -> None:
    served.content |= {"bad.csv": table(("1", 100), ("2", -5)), "no.csv": b"\x00\x01", "good.csv": table(("3", 100))}
    set_urls(engine, served, "bad.csv", "no.csv", "none.csv", "good.csv")
    run = engine.nightly.run(TEST)
    bad, none_table, none, good = run.files
    assert run.status is SyncStatus.PARTIAL
    assert (bad.created, bad.failed, bad.errors[0].row, bad.errors[0].column) == (1, 1, 3, "radius")
    assert (none_table.outcome, none.outcome, good.outcome) == ("failed", "failed", "imported")
    assert "not a table in plain text" in (none_table.message or "")
    assert (none.message or "").endswith("answered with the status 404.")
    assert names(engine) == {"1", "3"}
    # A file with a bad row is reported every night until it is corrected.
    assert engine.nightly.run(TEST).files[0].failed == 1


def test_nothing_is_deleted_unless_that_is_set(engine: Engine, served: Files) -> None:
    served.content["a.csv"] = table(("1", 100), ("2", 200))
    set_urls(engine, served, "a.csv")
    engine.nightly.run(TEST)
    served.content["a.csv"] = table(("1", 100))
    assert engine.nightly.run(TEST).deleted == 0
    assert names(engine) == {"1", "2"}


def test_imported_geofences_missing_from_all_files_are_deleted_if_set(engine: Engine, served: Files) -> None:
    engine.geofences.create(TEST, circle("drawn"))
    served.content |= {"a.csv": table(("1", 100), ("2", 200), ("3", 300)), "b.csv": table(("4", 400))}
    set_urls(engine, served, "a.csv", "b.csv", delete_missing=True)
    engine.nightly.run(TEST)
    kept = engine.geofences.get_by_key(TEST, "store", "3").id
    # One was removed, and one moved to the other file.
    served.content |= {"a.csv": table(("1", 100)), "b.csv": table(("4", 400), ("3", 300))}
    run = engine.nightly.run(TEST)
    assert (run.deleted, run.status) == (1, SyncStatus.SUCCEEDED)
    assert names(engine) == {"drawn", "1", "3", "4"}
    assert engine.geofences.get_by_key(TEST, "store", "3").id == kept
    assert engine.nightly.run(TEST).deleted == 0


@pytest.mark.parametrize("trouble", ["missing", "bad row", "empty"])
def test_nothing_is_deleted_when_not_everything_could_be_read(engine: Engine, served: Files, trouble: str) -> None:
    served.content |= {"a.csv": table(("1", 100), ("2", 200)), "b.csv": table(("3", 300))}
    set_urls(engine, served, "a.csv", "b.csv", delete_missing=True)
    engine.nightly.run(TEST)
    former = dict(served.content)
    served.content["a.csv"] = table(("1", 100))
    match trouble:
        case "missing":
            del served.content["b.csv"]
        case "bad row":
            served.content["b.csv"] = table(("3", -1))
        case "empty":
            served.content |= {"a.csv": table(), "b.csv": table()}
    run = engine.nightly.run(TEST)
    assert run.deleted == 0
    assert run.notes[0].startswith("Nothing was deleted")
    assert names(engine) == {"1", "2", "3"}
    # The deletion is done once all files are complete again.
    served.content |= {"a.csv": table(("1", 100)), "b.csv": former["b.csv"]}
    assert engine.nightly.run(TEST).deleted == 1
    assert names(engine) == {"1", "3"}


def test_an_answer_that_may_be_incomplete_is_not_imported(engine: Engine, served: Files) -> None:
    served.content["a.csv"] = table(("1", 100), ("2", 200))
    set_urls(engine, served, "a.csv")

    def cut(handler: object, request: object) -> None:
        body = gzip.compress(served.content["a.csv"])[:-20]
        send(handler, 200, body, content_encoding="gzip")  # type: ignore[arg-type]

    def without_length(handler: object, request: object) -> None:
        handler.send_response(200)  # type: ignore[attr-defined]
        handler.end_headers()  # type: ignore[attr-defined]
        handler.wfile.write(served.content["a.csv"][:80])  # type: ignore[attr-defined]

    for reply, expected in ((cut, "during its response"), (without_length, "may be incomplete")):
        with serving(reply) as server:
            engine.nightly.change(TEST, SyncChange(urls=(f"{server.url}/a.csv",)))
            assert expected in (engine.nightly.run(TEST).files[0].message or "")
    assert not names(engine)


def test_private_addresses_are_refused_unless_test_allows_them(engine: Engine, served: Files) -> None:
    served.content["a.csv"] = table(("1", 100))
    set_urls(engine, served, "a.csv")
    engine.settings.change(TEST, SettingsChange(allow_private_urls=False))
    run = engine.nightly.run(TEST)
    assert run.status is SyncStatus.FAILED
    refused = "leads to the address 127.0.0.1, which is not public; the setting allowPrivateUrls allows such addresses"
    assert refused in (run.files[0].message or "")
    assert not served.server.requests
    with pytest.raises(InvalidParameter, match="allow_private_urls"):
        engine.settings.change(LIVE, SettingsChange(allow_private_urls=True))


# Options of files

PORTAL = b"OBJECTID,NAME,Lat,Lon,Shape_Area\n7,Zone 7,47.1,9.5,12\n8,Zone 8,47.2,9.6,13\n"
MAPPING = {"externalId": "OBJECTID", "description": "NAME", "latitude": "Lat", "longitude": "Lon"}
FIXED = {"tag": "zone", "type": "circle", "radius": "80"}


def options(served: Files, path: str, **given: object) -> FileOptions:
    return FileOptions(file=served.url(path), **{"mapping": MAPPING, "fixed": FIXED, **given})  # type: ignore[arg-type]


def test_each_file_is_read_with_its_own_options(engine: Engine, served: Files) -> None:
    sheets = workbook(Sheet("Notes", [["about"]]), Sheet("Zones", [["Nr", "tag"], [9.0, "x"]]))
    served.content |= {"portal.csv": PORTAL, "own.csv": table(("1", 100)), "zones.xlsx": sheets}
    in_sheet = options(
        served,
        "zones.xlsx",
        sheet="Zones",
        mapping={"externalId": "Nr"},
        fixed={**FIXED, "description": "Z", "latitude": "47", "longitude": "9"},
    )
    of_portal = options(served, "portal.csv")
    set_urls(engine, served, "portal.csv", "own.csv", "zones.xlsx", file_options=(of_portal, in_sheet))
    run = engine.nightly.run(TEST)
    assert run.status is SyncStatus.SUCCEEDED, run
    assert names(engine) == {"7", "8", "1", "9"}
    assert engine.geofences.get_by_key(TEST, "zone", "7").description == "Zone 7"
    assert engine.geofences.get_by_key(TEST, "x", "9").description == "Z"
    assert [file.ignored for file in run.files] == [("Shape_Area",), (), ()]
    assert engine.nightly.runs(TEST)[0] == run
    assert engine.nightly.state(TEST).settings.file_options == (of_portal, in_sheet)


def test_the_single_repair_of_earlier_versions_means_all(tmp_path: Path) -> None:
    with Engine.open(tmp_path / "w") as engine:
        files = (FileOptions(file="https://example.com/a.csv"), FileOptions(file="https://example.com/b.csv"))
        urls = tuple(each.file for each in files)
        engine.nightly.change(TEST, SyncChange(urls=urls, file_options=files))
    with closing(sqlite3.connect(tmp_path / "w" / "fencewright.db")) as database, database:
        (text,) = database.execute("SELECT content FROM sync_settings").fetchone()
        content = json.loads(text)
        for options, repair in zip(content["file_options"], (True, False), strict=True):
            options |= {"repair": repair}
            del options["repairs"]
        database.execute("UPDATE sync_settings SET content = ?", [json.dumps(content)])
    with Engine.open(tmp_path / "w") as engine:
        read = engine.nightly.state(TEST).settings.file_options
    assert [each.repairs for each in read] == [ALL_REPAIRS, NO_REPAIRS]


def test_warnings_about_a_file_are_kept(engine: Engine, served: Files) -> None:
    served.content["a.xlsx"] = workbook(Sheet("A", [["tag", "externalId"]]), Sheet("B"))
    set_urls(engine, served, "a.xlsx")
    (file,) = engine.nightly.run(TEST).files
    assert [warning.message for warning in file.warnings] == [
        "The sheet 'A' was read, the first with rows. Other sheets: 'B'.",
        "The sheet has a header row and no others.",
    ]
    assert engine.nightly.runs(TEST)[0].files == (file,)


def test_without_a_mapping_the_error_gives_one_that_works(engine: Engine, served: Files) -> None:
    served.content["portal.csv"] = PORTAL
    set_urls(engine, served, "portal.csv")
    (failed,) = engine.nightly.run(TEST).files
    assert "--map externalId=OBJECTID --map description=NAME" in (failed.message or "")


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        (PORTAL.replace(b"OBJECTID", b"FID"), "'OBJECTID', which is mapped to externalId"),
        (PORTAL.replace(b"NAME", b"TITLE"), "'NAME', which is mapped to description"),
    ],
)
def test_a_file_whose_columns_change_names_the_column_and_keeps_the_geofences(
    engine: Engine, served: Files, changed: bytes, named: str
) -> None:
    served.content["portal.csv"] = PORTAL
    set_urls(engine, served, "portal.csv", file_options=(options(served, "portal.csv"),), delete_missing=True)
    engine.nightly.run(TEST)
    served.content["portal.csv"] = changed
    run = engine.nightly.run(TEST)
    assert (run.status, run.deleted) == (SyncStatus.FAILED, 0)
    assert f"there is no column {named}. Columns: " in (run.files[0].message or "")
    assert names(engine) == {"7", "8"}
    served.content["portal.csv"] = PORTAL.replace(b"Zone 7", b"Zone seven")
    assert engine.nightly.run(TEST).total("updated") == 1


def test_geofences_without_a_row_are_deleted_with_the_options_of_the_file(engine: Engine, served: Files) -> None:
    served.content["portal.csv"] = PORTAL
    set_urls(engine, served, "portal.csv", file_options=(options(served, "portal.csv"),), delete_missing=True)
    engine.nightly.run(TEST)
    served.content["portal.csv"] = b"".join(PORTAL.splitlines(keepends=True)[:2])
    assert engine.nightly.run(TEST).deleted == 1
    assert names(engine) == {"7"}


def test_an_unchanged_file_is_imported_again_with_other_options(engine: Engine, served: Files) -> None:
    served.content |= {"portal.csv": PORTAL, "own.csv": table(("1", 100))}
    set_urls(engine, served, "portal.csv", "own.csv", file_options=(options(served, "portal.csv"),))
    engine.nightly.run(TEST)
    changed = options(served, "portal.csv", fixed={**FIXED, "radius": "90"})
    engine.nightly.change(TEST, SyncChange(file_options=(changed,)))
    run = engine.nightly.run(TEST)
    assert [file.outcome for file in run.files] == [FileOutcome.IMPORTED, FileOutcome.UNCHANGED]
    assert run.total("updated") == 2
    # The same options again change nothing.
    engine.nightly.change(TEST, SyncChange(file_options=(changed,)))
    assert engine.nightly.run(TEST).total("rows") == 0


def test_options_that_change_during_a_run_apply_from_the_next_one(engine: Engine, served: Files) -> None:
    served.content["portal.csv"] = PORTAL
    first, second = options(served, "portal.csv"), options(served, "portal.csv", fixed={**FIXED, "radius": "90"})
    set_urls(engine, served, "portal.csv", file_options=(first,))

    def change() -> None:
        engine.nightly.change(TEST, SyncChange(file_options=(second,)))

    served.before = change
    engine.nightly.run(TEST)
    served.before = lambda: None
    assert engine.nightly.run(TEST).total("updated") == 2


def test_options_go_with_their_file_and_are_checked_when_they_are_set(engine: Engine, served: Files) -> None:
    of_portal = options(served, "portal.csv")
    set_urls(engine, served, "portal.csv", "own.csv", file_options=(of_portal,))
    for wrong, words in (
        (options(served, "other.csv"), "other.csv: it is not among the files"),
        (options(served, "own.csv", mapping={"externlId": "A"}), "own.csv: map: there is no field 'externlId'"),
        (options(served, "own.csv", fixed={"radus": "1"}), "own.csv: set: there is no field 'radus'"),
        (options(served, "own.csv", mapping={**MAPPING, "coordinates": "WKT"}), "cannot be combined"),
        (options(served, "own.csv", sheet=" "), "sheet: a name must have"),
        (options(served, "own.csv", fixed={"description": "x" * 10_001}), "set: a value may have"),
        (of_portal, "portal.csv: must be given once"),
    ):
        with pytest.raises(InvalidParameter, match=words) as caught:
            engine.nightly.change(TEST, SyncChange(file_options=(of_portal, wrong), hour=5))
        assert caught.value.param == "file_options"
    assert engine.nightly.state(TEST).settings.hour == 2
    assert engine.nightly.state(TEST).settings.file_options == (of_portal,)
    set_urls(engine, served, "own.csv")
    assert engine.nightly.state(TEST).settings.file_options == ()


def test_a_workspace_made_before_files_had_options_keeps_its_sync(tmp_path: Path, served: Files) -> None:
    served.content["a.csv"] = table(("1", 100))
    with Engine.open(tmp_path / "w") as engine:
        engine.settings.change(TEST, SettingsChange(allow_private_urls=True))
        set_urls(engine, served, "a.csv", hour=4)
        engine.nightly.run(TEST)
    with closing(sqlite3.connect(tmp_path / "w" / "fencewright.db")) as database, database:
        ((content,),) = database.execute("SELECT content FROM sync_settings").fetchall()
        settings = json.loads(content)
        del settings["file_options"]
        database.execute("UPDATE sync_settings SET content = ?", (json.dumps(settings),))
        ((content,),) = database.execute("SELECT content FROM sync_runs").fetchall()
        run = json.loads(content)
        for file in run["files"]:
            del file["warnings"], file["ignored"]
        database.execute("UPDATE sync_runs SET content = ?", (json.dumps(run),))
    with Engine.open(tmp_path / "w") as engine:
        state = engine.nightly.state(TEST)
        assert (state.settings.hour, state.settings.file_options) == (4, ())
        assert state.last_run is not None
        assert state.last_run.files[0].ignored == ()
        assert engine.nightly.run(TEST).files[0].outcome is FileOutcome.UNCHANGED


def test_a_file_is_fetched_for_its_columns_without_being_saved(engine: Engine, served: Files) -> None:
    served.content["portal.csv"] = PORTAL
    file = engine.nightly.fetch(TEST, SyncChange(enabled=True), served.url("portal.csv"))
    assert (file.data, file.name) == (PORTAL, "portal.csv")
    assert engine.imports.heading(file).columns[:2] == ("OBJECTID", "NAME")
    assert engine.nightly.state(TEST).settings == SyncSettings()
    with pytest.raises(RequestFailed, match="status 404"):
        engine.nightly.fetch(TEST, SyncChange(), served.url("none.csv"))
    with pytest.raises(InvalidParameter, match="urls"):
        engine.nightly.fetch(TEST, SyncChange(), "ftp://a")


# S3


def s3_change(url: str, *keys: str, **others: object) -> SyncChange:
    fields: dict[str, object] = {
        "protocol": SyncProtocol.S3,
        "region": REGION,
        "bucket": BUCKET,
        "object_keys": keys,
        "access_key_id": KEY_ID,
        "secret_access_key": SECRET,
        "endpoint": url,
    }
    return SyncChange(**{**fields, **others})  # type: ignore[arg-type]


def test_objects_of_s3_are_synced_by_their_etags(engine: Engine, bucket: str) -> None:
    put(bucket, "nightly/stores & more.csv", table(("1", 100)))
    engine.nightly.change(TEST, s3_change(bucket, "nightly/stores & more.csv"))
    assert engine.nightly.run(TEST).total("created") == 1
    assert engine.nightly.run(TEST).files[0].outcome is FileOutcome.UNCHANGED
    put(bucket, "nightly/stores & more.csv", table(("1", 111), ("2", 200)))
    run = engine.nightly.run(TEST)
    assert (run.total("created"), run.total("updated")) == (1, 1)
    assert engine.imports.page(TEST, ImportQuery()).items[0].name == "stores & more.csv"


def test_an_object_of_s3_is_fetched_for_its_columns(engine: Engine, bucket: str) -> None:
    put(bucket, "nightly/portal.csv", PORTAL)
    engine.nightly.change(TEST, SyncChange(urls=("https://example.com/a.csv",)))
    file = engine.nightly.fetch(TEST, s3_change(bucket, "a.csv", "nightly/portal.csv"), "nightly/portal.csv")
    assert (file.data, file.name) == (PORTAL, "portal.csv")


def test_an_object_of_s3_that_breaks_off_is_not_imported(engine: Engine) -> None:
    def cut(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
        content = table(("1", 100), ("2", 200))
        handler.send_response(200)
        handler.send_header("content-length", str(len(content) + 100))
        handler.end_headers()
        handler.wfile.write(content)
        handler.close_connection = True

    with serving(cut) as server:
        engine.nightly.change(TEST, s3_change(server.url, "a.csv"))
        run = engine.nightly.run(TEST)
    assert run.status is SyncStatus.FAILED
    assert "during its response" in (run.files[0].message or "")
    assert not names(engine)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"secret_access_key": "wrong"}, "the secret access key does not belong to the access key ID"),
        ({"access_key_id": "AKIAOTHER"}, "the access key ID is unknown"),
        ({"object_keys": ("none.csv",)}, "the bucket has no object with this key"),
        ({"bucket": "no-such-bucket"}, "the bucket does not exist"),
        ({"secret_access_key": None}, "set it again"),
    ],
    ids=["secret", "key", "object", "bucket", "no-secret"],
)
def test_errors_of_s3_are_reported_without_secrets(
    engine: Engine, bucket: str, wrong: dict[str, object], expected: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    put(bucket, "a.csv", table(("1", 100)))
    engine.nightly.change(TEST, s3_change(bucket, "a.csv", **wrong))
    run = engine.nightly.run(TEST)
    assert run.status is SyncStatus.FAILED
    assert expected in " ".join([*run.notes, *(file.message or "" for file in run.files)])
    ours = "\n".join(each.getMessage() for each in caplog.records if each.name.startswith(("engine", "http")))
    for shown in (str(run), str(engine.nightly.state(TEST)), ours):
        assert SECRET not in shown
        assert "X-Amz-Signature" not in shown


# Every night


def test_it_runs_every_night_by_the_clock_of_its_environment(tmp_path: Path, served: Files) -> None:
    served.content["a.csv"] = table(("1", 100))
    clock = SetClock(NIGHT)
    with Engine.open(tmp_path / "w", clock=clock, frozen_at=NIGHT) as engine:
        engine.settings.change(TEST, SettingsChange(allow_private_urls=True))
        set_urls(engine, served, "a.csv", enabled=True, hour=2, time_zone="UTC")
        engine.nightly.start()
        assert engine.nightly.state(TEST).next_run_at == NIGHT + timedelta(hours=1)
        engine.set_clock(ClockChange(advance_s=3_601))
        until(lambda: len(engine.nightly.runs(TEST)) == 1)
        engine.set_clock(ClockChange(advance_s=60))
        served.content["a.csv"] = table(("1", 111))
        engine.set_clock(ClockChange(advance_s=24 * 3_600))
        until(lambda: len(engine.nightly.runs(TEST)) == 2)
        newest = engine.nightly.runs(TEST)[0]
        assert (newest.trigger, newest.total("updated")) == (SyncTrigger.NIGHTLY, 1)
        # Setting the clock back does not stop the sync until the same time is reached again.
        engine.set_clock(ClockChange(now=NIGHT - timedelta(days=30)))
        engine.set_clock(ClockChange(advance_s=2 * 3_600))
        until(lambda: len(engine.nightly.runs(TEST)) == 3)
        assert not engine.nightly.runs(LIVE)


def test_a_missed_night_is_made_up_at_the_start(tmp_path: Path, served: Files) -> None:
    served.content["a.csv"] = table(("1", 100))
    with Engine.open(tmp_path / "w", clock=SetClock(NIGHT)) as engine:
        engine.settings.change(TEST, SettingsChange(allow_private_urls=True))
        set_urls(engine, served, "a.csv", enabled=True, hour=2, time_zone="UTC")
    for days, runs in ((0, 0), (3, 1), (3, 1), (4, 2)):
        clock = SetClock(NIGHT + timedelta(days=days, hours=0 if days == 0 else 5))
        with Engine.open(tmp_path / "w", clock=clock) as engine:
            engine.nightly.start()
            until(lambda engine=engine, runs=runs: len(engine.nightly.runs(TEST)) >= runs)  # type: ignore[misc]
        with Engine.open(tmp_path / "w", clock=clock) as engine:
            assert len(engine.nightly.runs(TEST)) == runs


@pytest.mark.parametrize(
    ("zone", "hour", "now", "last", "following"),
    [
        ("UTC", 2, "2026-05-04T01:59:59", "2026-05-03T02:00", "2026-05-04T02:00"),
        ("UTC", 2, "2026-05-04T02:00:00", "2026-05-04T02:00", "2026-05-05T02:00"),
        ("Europe/Zurich", 0, "2026-05-04T22:30:00", "2026-05-04T22:00", "2026-05-05T22:00"),
        ("America/New_York", 23, "2026-05-04T02:00:00", "2026-05-03T03:00", "2026-05-04T03:00"),
        # The hour that does not exist that night, and the one that occurs twice.
        ("Europe/Zurich", 2, "2026-03-29T12:00:00", "2026-03-29T01:00", "2026-03-30T00:00"),
        ("Europe/Zurich", 2, "2026-10-25T12:00:00", "2026-10-25T00:00", "2026-10-26T01:00"),
    ],
)
def test_when_a_sync_is_due(zone: str, hour: int, now: str, last: str, following: str) -> None:
    settings = SyncSettings(hour=hour, time_zone=zone)
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert last_due(settings, moment).isoformat()[:16] == last
    assert next_due(settings, moment).isoformat()[:16] == following


# At once


def test_one_sync_of_an_environment_runs_at_a_time_and_can_be_cancelled(engine: Engine, served: Files) -> None:
    hold, requested = threading.Event(), threading.Event()
    served.content |= {"a.csv": table(("1", 100)), "b.csv": table(("2", 100))}

    def before() -> None:
        if len(served.server.requests) > 1:
            requested.set()
            hold.wait(30)

    served.before = before
    set_urls(engine, served, "a.csv", "b.csv")
    states: list[bool] = []
    engine.changes.subscribe(lambda change: states.append(engine.nightly.state(TEST).running) if change.sync else None)
    done = []
    thread = threading.Thread(target=lambda: done.append(engine.nightly.run(TEST)))
    thread.start()
    try:
        assert requested.wait(30)
        assert engine.nightly.state(TEST).running
        with pytest.raises(Conflict, match="running already"):
            engine.nightly.run(TEST)
        # Other changes are possible meanwhile.
        engine.geofences.create(TEST, circle("drawn"))
        assert engine.nightly.cancel(TEST)
        thread.join(30)
    finally:
        hold.set()
    assert [run.status for run in done] == [SyncStatus.CANCELLED]
    assert names(engine) == {"1", "drawn"}
    # Listeners see it begin and end.
    assert (states[0], states[-1]) == (True, False)
    assert not engine.nightly.cancel(TEST)
    served.before = lambda: None
    assert engine.nightly.run(TEST).status is SyncStatus.SUCCEEDED
    assert names(engine) == {"1", "2", "drawn"}


def test_an_import_and_a_sync_at_once_are_both_whole(engine: Engine, served: Files) -> None:
    of_sync, of_import = ([(str(number), 100.0) for number in range(start, start + 1_000)] for start in (0, 500))
    served.content["a.csv"] = table(*of_sync)
    set_urls(engine, served, "a.csv")
    thread = threading.Thread(target=lambda: engine.imports.run(TEST, ImportFile(table(*of_import), "b.csv")))
    thread.start()
    run = engine.nightly.run(TEST)
    thread.join(60)
    assert run.status is SyncStatus.SUCCEEDED
    assert names(engine) == {str(number) for number in range(1_500)}


@pytest.mark.parametrize("deletes", [False, True])
def test_its_progress_only_grows_up_to_its_end(engine: Engine, served: Files, deletes: bool) -> None:
    files = ("a.csv", "b.csv", "c.csv")

    def serve(count: int) -> None:
        for number, name in enumerate(files):
            served.content[name] = table(*((f"{number}-{row}", 100) for row in range(count)))

    serve(500)
    set_urls(engine, served, *files, delete_missing=deletes)
    engine.nightly.run(TEST)
    serve(400)
    progress: list[tuple[int, int]] = []
    run = engine.nightly.run(TEST, progress=lambda done, total: progress.append((done, total)))
    assert run.deleted == (300 if deletes else 0)
    assert progress == sorted(progress)
    parts = 4 if deletes else 3
    assert (progress[0], progress[-1]) == ((0, parts * 100), (parts * 100, parts * 100))
    assert {done // 100 for done, _ in progress} == set(range(parts + 1))
    assert [done for done, _ in progress].count(parts * 100) == 1, "the last part is not the end of the sync"


def test_the_caller_can_stop_it_within_a_file(engine: Engine, served: Files) -> None:
    served.content["a.csv"] = table(*((str(number), 100) for number in range(1_000)))
    set_urls(engine, served, "a.csv")

    def stop(done: int, _total: int) -> None:
        if done >= 40:
            raise Cancelled

    assert engine.nightly.run(TEST, progress=stop).status is SyncStatus.CANCELLED
    assert not names(engine)


def test_closing_the_workspace_ends_a_sync_and_the_night_is_made_up(tmp_path: Path, served: Files) -> None:
    hold, requested = threading.Event(), threading.Event()
    served.content["a.csv"] = table(("1", 100))

    def before() -> None:
        requested.set()
        hold.wait(30)

    served.before = before
    with Engine.open(tmp_path / "w", clock=SetClock(NIGHT)) as engine:
        engine.settings.change(TEST, SettingsChange(allow_private_urls=True))
        set_urls(engine, served, "a.csv", enabled=True, hour=2, time_zone="UTC")
    clock = SetClock(NIGHT + timedelta(hours=2))
    try:
        with Engine.open(tmp_path / "w", clock=clock) as engine:
            engine.nightly.start()
            assert requested.wait(30)
    finally:
        hold.set()
    served.before = lambda: None
    with Engine.open(tmp_path / "w", clock=clock) as engine:
        assert not engine.nightly.runs(TEST)
        engine.nightly.start()
        until(lambda: len(engine.nightly.runs(TEST)) == 1)
        assert names(engine) == {"1"}


def test_clearing_test_forgets_the_state_of_the_files(engine: Engine, served: Files) -> None:
    served.content["a.csv"] = table(("1", 100))
    set_urls(engine, served, "a.csv")
    engine.nightly.run(TEST)
    engine.geofences.delete_all(TEST)
    assert engine.nightly.run(TEST).total("created") == 1


# Settings


@pytest.mark.parametrize(
    ("change", "param"),
    [
        (SyncChange(enabled=True), "urls"),
        (SyncChange(enabled=True, protocol=SyncProtocol.S3, region=REGION), "bucket"),
        (
            SyncChange(enabled=True, urls=("https://example.com/a.csv",), notification_email="a@b.example"),
            "smtp_host",
        ),
        (SyncChange(urls=("ftp://example.com/a.csv",)), "urls"),
        (SyncChange(urls=("https://me:secret@example.com/a.csv",)), "urls"),
        (SyncChange(urls=("https://example.com/a", "https://example.com/a")), "urls"),
        (SyncChange(urls=tuple(f"https://example.com/{number}" for number in range(51))), "urls"),
        (SyncChange(endpoint="localhost"), "endpoint"),
        (SyncChange(notification_email="a@b.example, c@d.example"), "notification_email"),
        (SyncChange(smtp_from="a@b\nBcc: c@d.example"), "smtp_from"),
        (SyncChange(hour=24), "hour"),
        (SyncChange(time_zone="../etc/passwd"), "time_zone"),
        (SyncChange(time_zone="Europe"), "time_zone"),
        (SyncChange(smtp_port=0), "smtp_port"),
        (SyncChange(smtp_host="smtp.example.com:2525"), "smtp_host"),
        (SyncChange(smtp_host="192.168.1.2:25"), "smtp_host"),
        (SyncChange(smtp_host="[::1]:25"), "smtp_host"),
        (SyncChange(bucket="a/b"), "bucket"),
        (SyncChange(region="a b"), "region"),
        (SyncChange(secret_access_key="a\nb"), "secret_access_key"),
    ],
)
def test_wrong_settings_are_refused_by_name(engine: Engine, change: SyncChange, param: str) -> None:
    before = engine.nightly.state(TEST)
    with pytest.raises(InvalidParameter) as error:
        engine.nightly.change(TEST, change)
    assert error.value.param == param
    assert engine.nightly.state(TEST) == before
