"""Results of back-tests as rows, findings, lines and words."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from app.backtest.record import report_json
from app.desktop.model.backtests.ground import Ground
from app.desktop.model.backtests.results import MOST_LINES, ResultRows, differences_of, lines_of
from app.desktop.model.backtests.running import look_at, report_in, run_wish
from app.desktop.model.backtests.wish import BacktestWish, FenceSource, check_output
from app.desktop.model.backtests.words import examples_text, headlines, note_text, notes_text, pace_text, progress_text
from app.desktop.model.whatif.findings import Findings
from engine.backtest.backtest import DECIDING, SORTING, Progress
from engine.backtest.folders import unfinished
from engine.backtest.results import BacktestReport, Travel
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.ports import Cancelled, no_progress
from engine.domain.tracking.whatif import NO_EDITS, FenceEdits
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.workspace import MEMORY
from tests.app.backtest.reports import COMPARED, COMPARISON, REPORT, large_report
from tests.desktop.histories import write_history

TEST, LIVE = Environment.TEST, Environment.LIVE
CENTER = (14.5, 46.05)


def names(rows: ResultRows) -> list[str]:
    return [row.fence.name for row in rows.shown]


def test_rows_are_sorted_and_filtered() -> None:
    rows = ResultRows(COMPARED)
    assert names(rows) == ["store/vienna-1", "depot/north", "store/graz-9"]
    assert [column.text(rows.shown[0]) for column in rows.columns] == [
        *("Vienna <Mitte>", "store/vienna-1", "278", "125", "62 h 30 min", "17", "2", "31", "7")
    ]
    rows.sort(0, descending=False)
    assert names(rows) == ["depot/north", "store/graz-9", "store/vienna-1"]
    rows.sort(6, descending=True)
    assert names(rows)[0] == "depot/north"
    rows.filter("STORE graz", only_idle=False)
    assert names(rows) == ["store/graz-9"]
    rows.filter("", only_idle=True)
    assert names(rows) == ["store/graz-9"]
    rows.filter("vienna", only_idle=True)
    assert names(rows) == []
    assert len(ResultRows(REPORT).columns) == 6


def test_differences_are_findings() -> None:
    findings = Findings()
    findings.show_backtest(differences_of(COMPARED), examples_text(COMPARISON))
    assert [each.label for each in findings.all] == [
        "+ Entry · north · gained",
        "→ Exit · Vienna <Mitte> · 12 min 30 s later",
        "− Dwell · Vienna <Mitte> · lost",
    ]
    assert [each.reason for each in findings.all] == ["", "", ""]
    assert findings.all[0].event.user.device_id == "van-1"
    assert findings.summary == "Back-test: 12 gained, 31 lost, 7 moved. The first 3 are listed."
    assert (findings.are_shown, findings.are_of_backtest) == (True, True)
    findings.show(None)
    assert (findings.are_shown, findings.are_of_backtest, findings.summary) == (False, False, "")
    assert differences_of(REPORT) == ()


def test_lines_are_between_different_geofences_and_few() -> None:
    assert lines_of(REPORT) == [(16.40, 48.26, 16.372, 48.208, 19), (16.372, 48.208, 16.40, 48.26, 25)]
    large = large_report(40)
    travels = tuple(Travel(a, b, a * 40 + b + 1, 60.0) for a in range(40) for b in range(40) if a != b)
    found = lines_of(replace(large, travels=travels))
    assert len(found) == MOST_LINES
    assert found[-1][-1] == 39 * 40 + 38 + 1
    assert found == sorted(found, key=lambda line: line[-1])


def test_the_words_of_a_report_and_of_its_progress() -> None:
    assert list(headlines(COMPARED)) == [
        "1,000,000 fixes · 20 devices · 2 s",
        "338 events: 150 entries, 148 exits, 40 dwells",
        "1 of 3 geofences never fired · 2 devices without an event",
        "From shops-new.csv to shops.csv: 12 gained, 31 lost, 7 moved",
    ]
    assert len(list(headlines(REPORT))) == 3
    assert notes_text(REPORT) == (
        "1 file: broken.parquet: The file ends too early. 14 rows could not be read. "
        "fixes.csv, 17: latitude: must be within [-90, 90], not 91."
    )
    progress = Progress(DECIDING, 400_000, 1_000_000, 1_204, 4.0, 75.0, ())
    assert progress_text(progress) == "Deciding · 400,000 of 1,000,000 fixes"
    assert pace_text(progress) == "100,000 fixes/s · 1,204 events · 1 min 15 s left"
    assert pace_text(Progress(SORTING, 0, 10, 0, 0.0, None, ())) == "0 events"


@pytest.mark.parametrize(
    ("note", "text"),
    [
        (
            "Columns of 1 file: device from van, time from at.",
            "Columns of 1 file: Device from van, Time of the fix from at.",
        ),
        (
            "Columns of 1,200 files: device from the folders, latitude from lat, user. Not used: speed, x.",
            "Columns of 1,200 files: Device from the folders, Latitude from lat, user. Not used: speed, x.",
        ),
        ("a.csv is not in UTF-8, and is read as Windows-1252.", "a.csv is not in UTF-8, and is read as Windows-1252."),
    ],
)
def test_notes_of_the_engine_have_the_fields_of_the_window(note: str, text: str) -> None:
    assert note_text(note) == text


def test_folders_of_outputs(tmp_path: Path) -> None:
    wish = BacktestWish(history=(), output=tmp_path / "out")
    check_output(wish.output)
    assert wish.resume is False
    unfinished(wish.output).mkdir()
    (unfinished(wish.output) / "plan.json").touch()
    assert replace(wish).resume is True
    check_output(tmp_path / "out")
    for folder, message in (
        (Path("out"), "must be a folder with its full path"),
        (tmp_path, "exists already"),
        (tmp_path / "none" / "out", "there is no folder"),
    ):
        with pytest.raises(InvalidParameter, match=message):
            check_output(folder)


def test_a_report_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_bytes(report_json(COMPARED))
    assert report_in(tmp_path) == COMPARED
    (tmp_path / "report.json").write_text("{}")
    with pytest.raises(InvalidParameter, match="is not the report of a back-test"):
        report_in(tmp_path)


def test_columns_that_are_not_known_are_named_without_options_of_the_command_line(tmp_path: Path) -> None:
    """The window has a table for the columns instead."""
    file, ground = tmp_path / "1.csv", Ground(cast(Engine, None), TEST, NO_EDITS)
    for header, text in (
        ("vehicle,lat,lng,time", "no column is known for device"),
        ("vehicle,lat,lng", "no column is known for device and time"),
        ("device,time,lat,latitude,lng", "several columns may be the latitude"),
    ):
        file.write_text(f"{header}\n")
        look = look_at(BacktestWish(history=(str(file),), output=tmp_path), ground, no_progress)
        assert look.names == tuple(header.split(","))
        assert look.error is not None
        assert look.error.message == f"{file}: {text}. Choose the columns below."


def created(engine: Engine, environment: Environment, number: int, radius_m: float) -> Geofence:
    change = GeofenceChange(
        tag="store",
        external_id=str(number),
        description="Store",
        type="circle",
        coordinates=(CENTER[0] + 0.015, CENTER[1]),
        size=radius_m,
    )
    return engine.geofences.create(environment, change)


@pytest.mark.slow
def test_geofences_of_the_workspace_are_compared(tmp_path: Path) -> None:
    """The geofences are those of the displayed environment with or without edits, or those of the other one."""
    history = str(write_history(tmp_path / "history.parquet", CENTER, devices=20, fixes=200))

    def run(name: str, ground: Ground, fences: FenceSource, against: FenceSource) -> BacktestReport:
        wish = BacktestWish(history=(history,), output=tmp_path / name, fences=fences, against=against, workers=1)
        return run_wish(wish, ground, no_progress, lambda _: None)

    with Engine.open(MEMORY) as engine:
        stored = created(engine, TEST, 1, 120.0)
        created(engine, LIVE, 1, 400.0)
        larger = engine.geofences.judged_change(TEST, stored, GeofenceChange(size=400.0))
        edited = Ground(engine, TEST, FenceEdits((larger,)))
        plain = run("a", Ground(engine, TEST, NO_EDITS), FenceSource.STORED, FenceSource.OTHER)
        wide = run("b", edited, FenceSource.EDITED, FenceSource.STORED)
        live = run("c", Ground(engine, LIVE, NO_EDITS), FenceSource.STORED, FenceSource.NONE)
        removed = Ground(engine, TEST, FenceEdits(removed=frozenset({stored.id})))
        without = run("d", removed, FenceSource.EDITED, FenceSource.STORED)
    assert plain.comparison is not None
    assert wide.comparison is not None
    assert without.comparison is not None
    assert 0 < plain.events < wide.events == live.events
    assert (plain.comparison.gained, plain.comparison.lost) == (wide.comparison.lost, wide.comparison.gained)
    assert wide.comparison.gained > wide.comparison.lost
    assert (without.events, without.comparison.lost) == (0, plain.events)
    assert "(Test) with the edits" in wide.fences
    assert live.fences.endswith("(Live)")


def test_a_cancelled_back_test_leaves_nothing_before_it_begins(tmp_path: Path) -> None:
    def cancelled(_done: int, _total: int) -> None:
        raise Cancelled

    history = str(write_history(tmp_path / "history.parquet", CENTER, devices=2, fixes=10))
    wish = BacktestWish(history=(history,), output=tmp_path / "out", workers=1)
    with Engine.open(MEMORY) as engine:
        created(engine, TEST, 1, 120.0)
        with pytest.raises(Cancelled):
            run_wish(wish, Ground(engine, TEST, NO_EDITS), cancelled, lambda _: None)
    assert not unfinished(wish.output).exists()
