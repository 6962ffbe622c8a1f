"""Back-tests of the kept updates of a workspace."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

import pyarrow.parquet as pq
import pytest

from app.backtest.record import read_report
from app.session import WorkspaceSession
from engine.backtest.backtest import unfinished
from engine.backtest.results import BacktestReport
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import LocationUpdate
from engine.engine import Engine
from tests.app.commands import Commands, written
from tests.engine.fixtures import HOME, SetClock
from tests.engine.tracking.histories import START
from tests.engine.tracking.measuring import moved

TEST: Final = Environment.TEST
KEPT: Final = 100
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


def _lived(engine: Engine, clock: SetClock) -> list[list[Row]]:
    """Track devices with users among edits, and return the events of each update."""
    random, found = Random(3), []
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
def _workspace(folder: Path, kept: int) -> Iterator[tuple[Path, list[Row]]]:
    """A workspace, and the events of its kept updates."""
    clock = SetClock(START)
    with Engine.open(folder, clock=clock) as engine:
        engine.settings.change(TEST, SettingsChange(kept_updates=kept))
        events = _lived(engine, clock)
    yield folder, [event for some in events[-kept:] for event in some]


def _result(folder: Path) -> tuple[BacktestReport, list[Row]]:
    names = ("deviceId", "userId", "type", "createdAt", "externalId", "confidence", "duration")
    table = pq.read_table(folder, schema=None) if folder.is_file() else pq.read_table(sorted(folder.glob("events*"))[0])
    rows = list(zip(*(table[name].to_pylist() for name in names), strict=True))
    return read_report((folder / "report.json").read_bytes()), rows


def _sorted(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=str)


@pytest.mark.parametrize("kept", [UPDATES, KEPT])
def test_with_the_geofences_of_then_the_events_are_those_that_were_stored(
    fencewright: Commands, own_home: Path, tmp_path: Path, kept: int
) -> None:
    with _workspace(tmp_path / "shops", kept) as (folder, expected):
        ended = fencewright(
            *("backtest", "--history", folder, "--fences", folder, "--geofences-at", "then"),
            *("--output", tmp_path / "out"),
        )
    assert ended.code == 0, ended.err
    report, rows = _result(tmp_path / "out")
    assert len(expected) > kept / 8
    assert _sorted(rows) == _sorted(expected)
    assert (report.fixes, report.history) == (kept, (str(folder),))
    assert report.rules == ("geofences and settings as they were at each update",)
    assert {each.external_id for each in report.geofences} == {"1", "2", "3"}
