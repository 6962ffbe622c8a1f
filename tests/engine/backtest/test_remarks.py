"""Histories that were read, but hardly as the user meant: they are refused, or the report has a remark."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine.backtest.backtest import BacktestReport
from engine.domain.errors import InvalidParameter
from tests.engine.backtest.crossings import Backtest

HEADER = "deviceId,time,longitude,latitude"
INSIDE = "d1,2026-01-01T00:00:00Z,24.0,60.0"


def report_of(folder: Path, *lines: str) -> BacktestReport:
    """Return the report on a CSV file."""
    (folder / "history").mkdir()
    (folder / "history" / "fixes.csv").write_text("\n".join([HEADER, *lines, ""]))
    return Backtest(folder, workers=1).run()


def remarks_on(folder: Path, *lines: str) -> tuple[str, ...]:
    """Return the notes after the first, which is about the columns."""
    return report_of(folder, *lines).notes[1:]


def test_usual_updates(tmp_path: Path) -> None:
    assert remarks_on(tmp_path, INSIDE, f"d1,{datetime.now(UTC) + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ},24,60") == ()


def test_days_of_a_spreadsheet_as_times(tmp_path: Path) -> None:
    (found,) = remarks_on(tmp_path, INSIDE, "d1,46266.25,24.0,60.0")
    assert found == "The first location update is from 1970-01-01. Is the column of the time the right one?"


def test_times_in_the_future(tmp_path: Path) -> None:
    (found,) = remarks_on(tmp_path, INSIDE, "d1,2126-01-01T00:00:00Z,24.0,60.0")
    assert found == "The last location update is from 2126-01-01, which is in the future."


def test_swapped_coordinates(tmp_path: Path) -> None:
    (found,) = remarks_on(tmp_path, "d1,2026-01-01T00:00:00Z,60.0,24.0")
    assert found == "No location update was near a geofence. Are longitude and latitude in the right columns?"


def test_a_history_without_any_good_row_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(
        InvalidParameter, match=r"none of its rows can be read.*fixes\.csv, row 1: column time: "
    ) as caught:
        report_of(tmp_path, "d1,01/02/2026 10:00,24.0,60.0", "d1,01/02/2026 11:00,24.0,60.0")
    assert caught.value.param == "history"
    assert [each.name for each in tmp_path.iterdir()] == ["history"]


def test_a_history_without_rows(tmp_path: Path) -> None:
    assert report_of(tmp_path).fixes == 0
