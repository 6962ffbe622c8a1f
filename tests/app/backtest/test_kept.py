"""Back-tests of the kept updates of a workspace."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pcsv
import pyarrow.parquet as pq
import pytest

from app.backtest.record import read_report
from app.session import WorkspaceSession
from app.settings import remember_workspace
from engine.backtest.backtest import unfinished
from engine.backtest.reading.kept import kept_batches
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.ports import Cancelled
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import LocationUpdate
from engine.engine import Engine
from engine.store.writer import Connection
from tests.app.commands import Commands, written
from tests.engine.fixtures import HOME, SetClock
from tests.engine.tracking.histories import START
from tests.engine.tracking.measuring import moved

TEST: Final = Environment.TEST
UPDATES: Final = 400

type Row = tuple[str, str | None, str, datetime, str, int, float | None]


def _circle(number: int, radius_m: float, east_m: float = 0, **rules: Any) -> GeofenceChange:
    center = moved(HOME, 90, east_m)
    return GeofenceChange(
        tag="t",
        external_id=str(number),
        description=str(number),
        type="circle",
        coordinates=(center.longitude, center.latitude),
        size=radius_m,
        **rules,
    )


def _edit(engine: Engine, number: int) -> None:
    """Edit geofences and settings at some updates."""
    match number:
        case 40:
            engine.geofences.upsert(TEST, "t", "1", _circle(1, 220))
        case 80:
            engine.settings.change(TEST, SettingsChange(buffer_entries=True, dwell_event=True))
        case 120:
            engine.geofences.upsert(TEST, "t", "2", _circle(2, 150, 500, dwell_threshold_s=60.0))
        case 160:
            engine.geofences.upsert(TEST, "t", "3", _circle(3, 300, -200))
        case 200:
            engine.geofences.upsert(TEST, "t", "1", _circle(1, 220, enabled=False))
        case 260:
            engine.geofences.upsert(TEST, "t", "1", _circle(1, 180, 50, enabled=True))
        case 320:
            (geofence,) = (each for each in engine.geofences.all(TEST) if each.external_id == "3")
            engine.geofences.delete(TEST, geofence.id)
        case 350:
            engine.settings.change(TEST, SettingsChange(buffer_entries=False, buffer_exits=True))


def _lived(engine: Engine, clock: SetClock, seed: int) -> list[list[Row]]:
    """Track devices with users among edits, and return the events of each update."""
    random, found = Random(seed), []
    places = {device: [0.0, 0.0] for device in "abcd"}
    engine.settings.change(TEST, SettingsChange(dwell_event=True, default_dwell_threshold_s=300.0))
    engine.geofences.create(TEST, _circle(1, 100))
    engine.geofences.create(TEST, _circle(2, 150, 300))
    for number in range(UPDATES):
        clock.advance(random.choice((1, 30, 200)))
        _edit(engine, number)
        device = random.choice("abcd")
        place = places[device]
        place[:] = (random.uniform(-600, 600), place[1]) if random.random() < 0.4 else place
        late_s = random.choice((0, 0, 0, 0, 50, 900))
        sent = LocationUpdate(
            device_id=device,
            point=moved(HOME, 90, place[0]),
            accuracy_m=random.choice((5.0, 40.0)),
            user_id=random.choice((None, "anna", "anna")) if device != "a" else None,
            at=clock.moment - timedelta(seconds=late_s) if random.random() < 0.8 else None,
        )
        found.append([_row(event) for event in engine.tracking.track(TEST, sent).events])
    return found


def _row(event: Any) -> Row:
    minutes = None if event.duration_s is None else event.duration_s / 60
    who, about = (event.user.device_id, event.user.user_id), (event.geofence.external_id, event.confidence or 0)
    return (*who, event.type, event.created_at, *about, minutes)


@contextmanager
def _workspace(folder: Path, kept: int = UPDATES, seed: int = 3) -> Iterator[list[Row]]:
    """Make a workspace and yield the events of its kept updates."""
    clock = SetClock(START)
    with Engine.open(folder, clock=clock) as engine:
        engine.settings.change(TEST, SettingsChange(kept_updates=kept))
        events = _lived(engine, clock, seed)
    yield [event for some in events[-kept:] for event in some]


def _rows(folder: Path) -> list[Row]:
    names = ("deviceId", "userId", "type", "createdAt", "externalId", "confidence", "duration")
    table = pa.concat_tables(map(pq.read_table, sorted(folder.glob("events*.parquet"))))
    return sorted(zip(*(table[name].to_pylist() for name in names), strict=True), key=str)


@pytest.mark.parametrize(("kept", "seed"), [(UPDATES, 3), (100, 3), (60, 1)])
def test_with_the_geofences_of_then_the_events_are_those_that_were_stored(
    fencewright: Commands, own_home: Path, tmp_path: Path, kept: int, seed: int
) -> None:
    folder, output = tmp_path / "shops", tmp_path / "out"
    with _workspace(folder, kept, seed) as expected:
        given = "--history", folder, "--fences", folder, "--geofences-at", "then", "--output", output
        ended = fencewright("backtest", *given)
    assert ended.code == 0, ended.err
    assert len(expected) > kept / 8
    assert _rows(output) == sorted(expected, key=str)
    report = read_report((output / "report.json").read_bytes())
    assert (report.fixes, report.history) == (kept, (str(folder),))
    assert report.rules == ("geofences and settings as they were at each update",)
    assert {each.external_id for each in report.geofences} == {"1", "2", "3"}
    assert not unfinished(output).exists()


def test_a_file_with_the_geofences_of_then(fencewright: Commands, own_home: Path, tmp_path: Path) -> None:
    """A file of the same updates gives the same events, with geofences and settings by the time of arrival."""
    folder = tmp_path / "shops"
    with _workspace(folder), WorkspaceSession(folder) as session:
        session.engine.read_at_once(lambda reading: _write_as_csv(reading, tmp_path / "fixes.csv"))
    for history, output in ((folder, "kept"), (tmp_path / "fixes.csv", "file")):
        given = "--history", history, "--fences", folder, "--geofences-at", "then"
        ended = fencewright("backtest", *given, "--output", tmp_path / output)
        assert ended.code == 0, ended.err
    assert _rows(tmp_path / "file") == _rows(tmp_path / "kept")


def _write_as_csv(connection: Connection, file: Path) -> None:
    table = pa.Table.from_batches(kept_batches(connection, TEST))
    names = {"at_us": "time", "received_us": "received", "accuracy_m": "accuracy"}
    # Updates without a time are those of their arrival.
    table = table.set_column(2, "at_us", pc.coalesce(table["at_us"], table["received_us"]))
    kept = table.drop_columns(["number", "revision", "settings"])
    pcsv.write_csv(kept.rename_columns([names.get(name, name) for name in kept.column_names]), file)


@pytest.mark.parametrize("is_open", [False, True])
def test_the_present_geofences_are_the_default(
    fencewright: Commands, own_home: Path, tmp_path: Path, is_open: bool
) -> None:
    folder = tmp_path / "shops"
    with _workspace(folder), WorkspaceSession(folder) if is_open else nullcontext():
        remember_workspace(folder)
        ended = fencewright("backtest", "--history", "shops", "--fences", "shops", "--output", tmp_path / "out")
    assert ended.code == 0, ended.err
    report = read_report((tmp_path / "out" / "report.json").read_bytes())
    assert {each.external_id for each in report.geofences} == {"1", "2"}
    assert (report.fixes, report.history, report.notes) == (UPDATES, ("shops",), ())
    assert "dwellEvent=true" in report.rules


def test_changes_of_then_against_then(fencewright: Commands, own_home: Path, tmp_path: Path) -> None:
    """Settings of the command line change those of each moment."""
    folder = tmp_path / "shops"
    with _workspace(folder):
        given = "--history", folder, "--fences", folder, "--geofences-at", "then", "--set", "dwellEvent=false"
        ended = fencewright("backtest", *given, "--output", tmp_path / "out")
    assert ended.code == 0, ended.err
    report = read_report((tmp_path / "out" / "report.json").read_bytes())
    assert report.rules == ("geofences and settings as they were at each update", "dwellEvent=false")
    assert {each.dwells for each in report.geofences} == {0}


@pytest.mark.parametrize("fences", ["shops.csv", "other"])
def test_geofences_of_then_are_those_of_the_workspace_of_the_updates(
    fencewright: Commands, own_home: Path, tmp_path: Path, fences: str
) -> None:
    written(tmp_path / "shops.csv", "tag,externalId,description,type,latitude,longitude,radius\nt,1,x,circle,1,1,90\n")
    with _workspace(tmp_path / "shops", 1), Engine.open(tmp_path / "other") as engine:
        engine.geofences.create(TEST, _circle(1, 10))
    given = "--history", tmp_path / "shops", "--fences", tmp_path / fences, "--geofences-at", "then"
    ended = fencewright("backtest", *given, "--output", tmp_path / "out")
    assert ended.code == 1
    assert "--geofences-at: then requires geofences of one workspace, and kept updates of no other." in ended.err
    assert not unfinished(tmp_path / "out").exists()


def test_a_workspace_without_kept_updates_is_an_error(fencewright: Commands, own_home: Path, tmp_path: Path) -> None:
    with Engine.open(tmp_path / "shops") as engine:
        engine.geofences.create(TEST, _circle(1, 10))
    given = "--history", tmp_path / "shops", "--fences", tmp_path / "shops"
    ended = fencewright("backtest", *given, "--output", tmp_path / "out")
    assert ended.code == 1
    assert f"--history: there are no kept updates in {tmp_path / 'shops'} in Test." in ended.err
    assert not unfinished(tmp_path / "out").exists()


def test_a_back_test_that_is_resumed_has_the_same_updates(
    fencewright: Commands, own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Updates and edits since the beginning are not in it."""
    folder, output = tmp_path / "shops", tmp_path / "out"
    given = "backtest", "--history", folder, "--fences", folder, "--geofences-at", "then", "--output", output

    def interrupted(*_: object) -> None:
        raise Cancelled

    with _workspace(folder) as expected:
        with monkeypatch.context() as patch:
            patch.setattr("engine.backtest.backtest._decide", interrupted)
            assert "to continue, run the same command" in fencewright(*given).err
        with WorkspaceSession(folder) as session:
            session.engine.tracking.track(TEST, LocationUpdate(device_id="new", point=HOME, accuracy_m=5))
            session.engine.geofences.upsert(TEST, "t", "9", _circle(9, 1_000))
        ended = fencewright(*given, "--resume")
    assert ended.code == 0, ended.err
    assert _rows(output) == sorted(expected, key=str)


def test_a_back_test_of_one_workspace_does_not_continue_with_another(
    fencewright: Commands, own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output, fences = tmp_path / "out", tmp_path / "shops.csv"
    written(fences, "tag,externalId,description,type,latitude,longitude,radius\nt,1,x,circle,1,1,90\n")

    def interrupted(*_: object) -> None:
        raise Cancelled

    for name in ("shops", "other"):
        with _workspace(tmp_path / name, 50):
            pass
    given = "backtest", "--fences", fences, "--output", output, "--history"
    with monkeypatch.context() as patch:
        patch.setattr("engine.backtest.backtest._decide", interrupted)
        fencewright(*given, tmp_path / "shops")
    ended = fencewright(*given, tmp_path / "other", "--resume")
    assert ended.code == 1
    assert "resume: the history, the geofences, the settings or Fencewright itself have changed" in ended.err
    assert fencewright(*given, tmp_path / "shops", "--resume").code == 0


def test_ctrl_c_while_updates_are_read_leaves_nothing(
    fencewright: Commands, own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, output = tmp_path / "shops", tmp_path / "out"

    def interrupted(_done: int, _total: int) -> None:
        signal.raise_signal(signal.SIGINT)
        raise Cancelled

    monkeypatch.setattr("app.cli.backtests.given.progress_line", lambda *_: interrupted)
    with _workspace(folder):
        ended = fencewright("backtest", "--history", folder, "--fences", folder, "--output", output)
    assert (ended.code, ended.err) == (130, "fencewright: stopped; nothing was done\n")
    assert not unfinished(output).exists()
