"""Events in other formats: every value is kept, formulas do not run, and a file is complete or absent."""

import csv
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.backtest.converting import convert_events
from app.backtest.formats import EventFormat
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled
from engine.tabular.spreadsheet import unescaped

_START: Final = datetime(2026, 1, 1, 6, 30, 0, 250_000, tzinfo=UTC)
_SCHEMA: Final = pa.schema(
    [
        ("deviceId", pa.string()),
        ("userId", pa.string()),
        ("type", pa.string()),
        ("createdAt", pa.timestamp("ms", tz="UTC")),
        ("tag", pa.string()),
        ("externalId", pa.string()),
        ("confidence", pa.int8()),
        ("duration", pa.float64()),
        ("longitude", pa.float64()),
        ("latitude", pa.float64()),
        ("accuracy", pa.float64()),
    ]
)


def _event(**changed: object) -> dict[str, object]:
    return {
        "deviceId": "van-1",
        "userId": None,
        "type": "user.exited_geofence",
        "createdAt": _START,
        "tag": "store",
        "externalId": "1",
        "confidence": 3,
        "duration": 12.5,
        "longitude": 16.372,
        "latitude": 48.208,
        "accuracy": 10.0,
    } | changed


def _write(folder: Path, *parts: list[dict[str, object]]) -> Path:
    folder.mkdir(exist_ok=True)
    for number, rows in enumerate(parts):
        pq.write_table(pa.Table.from_pylist(rows, _SCHEMA), folder / f"events-{number:05}.parquet")
    return folder


def _csv_rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def _features(file: Path) -> list[dict[str, Any]]:
    collection = orjson.loads(file.read_bytes())
    assert collection["type"] == "FeatureCollection"
    features: list[dict[str, Any]] = collection["features"]
    return features


def test_csv_has_the_columns_of_the_parquet_files(tmp_path: Path) -> None:
    entry = _event(type="user.entered_geofence", duration=None, userId="anna", createdAt=_START + timedelta(hours=1))
    folder = _write(tmp_path / "out", [_event()], [entry])
    assert convert_events(folder, tmp_path / "events.csv", EventFormat.CSV) == 2
    first, second = _csv_rows(tmp_path / "events.csv")
    assert list(first) == _SCHEMA.names
    assert first["createdAt"] == "2026-01-01T06:30:00.250Z"
    assert (first["duration"], first["userId"], first["longitude"]) == ("12.5", "", "16.372")
    assert (second["duration"], second["userId"], second["confidence"]) == ("", "anna", "3")
    assert second["createdAt"] == "2026-01-01T07:30:00.250Z"


def test_geojson_has_points_with_the_other_columns(tmp_path: Path) -> None:
    folder = _write(tmp_path / "out", [_event()], [_event(duration=None, userId="anna")])
    assert convert_events(folder, tmp_path / "events.geojson", EventFormat.GEOJSON) == 2
    first, second = _features(tmp_path / "events.geojson")
    assert first["geometry"] == {"type": "Point", "coordinates": [16.372, 48.208]}
    assert first["properties"] == {
        "deviceId": "van-1",
        "type": "user.exited_geofence",
        "createdAt": "2026-01-01T06:30:00.250Z",
        "tag": "store",
        "externalId": "1",
        "confidence": 3,
        "duration": 12.5,
        "accuracy": 10.0,
    }
    assert second["properties"]["userId"] == "anna"
    assert "duration" not in second["properties"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "'=1", "＝1", "\t=1"])
def test_a_cell_of_a_csv_is_no_formula(tmp_path: Path, text: str) -> None:
    folder = _write(tmp_path / "out", [_event(deviceId=text, externalId=text)])
    convert_events(folder, tmp_path / "events.csv", EventFormat.CSV)
    (row,) = _csv_rows(tmp_path / "events.csv")
    assert row["deviceId"] == row["externalId"] == f"'{text}"
    assert row["duration"] == "12.5"


def test_a_negative_number_stays_a_number(tmp_path: Path) -> None:
    folder = _write(tmp_path / "out", [_event(longitude=-16.5)])
    convert_events(folder, tmp_path / "events.csv", EventFormat.CSV)
    assert _csv_rows(tmp_path / "events.csv")[0]["longitude"] == "-16.5"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(
    st.lists(
        st.builds(
            _event,
            deviceId=st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
            userId=st.none() | st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
            duration=st.none() | st.floats(0, 1e6),
            longitude=st.floats(-180, 180),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_every_value_survives(tmp_path: Path, events: list[dict[str, object]]) -> None:
    folder = _write(tmp_path / "out", events)
    convert_events(folder, tmp_path / "events.csv", EventFormat.CSV)
    convert_events(folder, tmp_path / "events.geojson", EventFormat.GEOJSON)
    table = _csv_rows(tmp_path / "events.csv")
    features = _features(tmp_path / "events.geojson")
    for event, row, feature in zip(events, table, features, strict=True):
        assert unescaped(row["deviceId"]) == feature["properties"]["deviceId"] == event["deviceId"]
        assert unescaped(row["userId"]) == (event["userId"] or "")
        assert feature["properties"].get("userId") == event["userId"]
        assert feature["properties"].get("duration") == event["duration"]
        assert float(row["longitude"]) == feature["geometry"]["coordinates"][0] == event["longitude"]


@pytest.mark.parametrize("kind", [EventFormat.CSV, EventFormat.GEOJSON])
def test_no_events_are_an_empty_file(tmp_path: Path, kind: EventFormat) -> None:
    folder = _write(tmp_path / "out", [])
    file = tmp_path / "events"
    assert convert_events(folder, file, kind) == 0
    if kind is EventFormat.CSV:
        assert file.read_text(encoding="utf-8").splitlines() == [",".join(f'"{name}"' for name in _SCHEMA.names)]
    else:
        assert _features(file) == []


def test_only_the_owner_may_read_the_file(tmp_path: Path) -> None:
    convert_events(_write(tmp_path / "out", [_event()]), tmp_path / "events.csv", EventFormat.CSV)
    assert stat.S_IMODE((tmp_path / "events.csv").stat().st_mode) == 0o600


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    folder = _write(tmp_path / "out", [_event()] * 15_000)
    convert_events(folder, tmp_path / "e.csv", EventFormat.CSV, lambda done, total: seen.append((done, total)))
    assert seen == [(0, 15_000), (10_000, 15_000), (15_000, 15_000)]


def test_a_cancelled_conversion_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    folder = _write(tmp_path / "out", [_event()] * 15_000)
    file = tmp_path / "events.csv"
    file.write_text("before", encoding="utf-8")

    def cancel(done: int, _: int) -> None:
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        convert_events(folder, file, EventFormat.CSV, cancel)
    assert file.read_text(encoding="utf-8") == "before"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["events.csv", "out"]


def test_a_folder_without_events_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="is not the output of a back-test"):
        convert_events(tmp_path, tmp_path / "events.csv", EventFormat.CSV)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "events-00000.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(InvalidParameter, match="cannot be read"):
        convert_events(tmp_path, tmp_path / "events.csv", EventFormat.CSV)
    assert not (tmp_path / "events.csv").exists()
