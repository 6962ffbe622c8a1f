"""Exported files of events and users."""

import csv
import signal
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet
import pytest
from arro3.io import read_parquet
from hypothesis import given
from hypothesis import strategies as st

from app.exporting.files import write_records
from app.exports import FileFormat, RecordFilter, RecordKind
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import Conversion
from engine.tabular.spreadsheet import escaped, unescaped
from tests.app.program import TIMEOUT_S, Program
from tests.engine.fixtures import circle, update

TEST = Environment.TEST
EVENTS = RecordKind.EVENTS


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkspaceSession]:
    """A workspace with three users, and with events that cover each kind of cell."""
    with WorkspaceSession(tmp_path_factory.mktemp("exporting")) as session:
        engine = session.engine
        engine.settings.change(TEST, SettingsChange(rate_limit=False))
        engine.geofences.create(TEST, circle("=1+1"))
        for number in range(3):
            for east_m in (0, 500):
                engine.tracking.track(TEST, update(east_m, device_id=f"d{number}", user_id="@ann" if number else None))
        conversion = Conversion("bought", "d0", None, None, {"price": 1.5, "what": "=cmd|' /C calc'!A0"})
        engine.history.log_conversion(TEST, conversion)
        yield session


def records(session: WorkspaceSession, file: Path, kind: RecordKind, wanted: RecordFilter) -> list[dict[str, Any]]:
    """Export as JSON lines and return the records."""
    count = session.export_records(file, FileFormat.JSONL, TEST, kind, wanted)
    found = [orjson.loads(line) for line in file.read_bytes().splitlines()]
    assert len(found) == count
    return found


def test_each_format_holds_the_same(session: WorkspaceSession, tmp_path: Path) -> None:
    for kind in RecordKind:
        files = {each: tmp_path / f"{kind}.{each}" for each in FileFormat}
        for file_format, file in files.items():
            session.export_records(file, file_format, TEST, kind)
            assert file.stat().st_mode & 0o777 == 0o600
        lines = [orjson.loads(line) for line in files[FileFormat.JSONL].read_bytes().splitlines()]
        with files[FileFormat.CSV].open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        table = rows_of(files[FileFormat.PARQUET])
        assert [row["_id"] for row in rows] == [row["_id"] for row in table] == [line["_id"] for line in lines]
        for row, typed, line in zip(rows, table, lines, strict=True):
            longitude, latitude = line["location"]["coordinates"]
            assert (float(row["longitude"]), float(row["latitude"])) == (longitude, latitude)
            assert (typed["longitude"], typed["latitude"]) == (longitude, latitude)
            assert typed["createdAt"] == datetime.fromisoformat(row["createdAt"]) == moment(line["createdAt"])
            assert (row["live"], typed["live"]) == ("false", False)
            of_user = line.get("user", line)
            assert unescaped(row["userId"]) == (typed["userId"] or "") == of_user.get("userId", "")
            assert orjson.loads(row["metadata"] or "{}") == line.get("metadata", {})


def rows_of(file: Path) -> list[dict[str, Any]]:
    """Return the rows of a Parquet file."""
    return [row for batch in read_parquet(file) for row in batch.to_struct_array().to_pylist()]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def test_formulas_are_escaped_in_a_table_only(session: WorkspaceSession, tmp_path: Path) -> None:
    session.export_records(tmp_path / "e.csv", FileFormat.CSV, TEST, EVENTS)
    with (tmp_path / "e.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    entry = rows[0]
    assert (entry["geofenceExternalId"], unescaped(entry["geofenceExternalId"])) == ("'=1+1", "=1+1")
    assert {row["userId"] for row in rows} == {"", "'@ann"}
    starts = {cell[0] for row in rows for name, cell in row.items() if cell and name not in ("latitude", "longitude")}
    assert not starts & set("=+-@")
    session.export_records(tmp_path / "e.parquet", FileFormat.PARQUET, TEST, EVENTS)
    first = rows_of(tmp_path / "e.parquet")[0]
    assert first["geofenceExternalId"] == "=1+1"


@given(st.text(alphabet=st.sampled_from("'=+-@\t\r\nab1 ＝")) | st.text())
def test_every_cell_reads_back_as_it_was(text: str) -> None:
    assert unescaped(escaped(text)) == text
    assert not escaped(text).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_filters(session: WorkspaceSession, tmp_path: Path) -> None:
    every = records(session, tmp_path / "e", EVENTS, RecordFilter())
    assert len(every) == 7

    def ids(**wanted: Any) -> list[str]:
        return [event["_id"] for event in records(session, tmp_path / "e", EVENTS, RecordFilter(**wanted))]

    assert ids(device_id="d1") == [event["_id"] for event in every if event["user"]["deviceId"] == "d1"]
    assert len(ids(user_id="@ann")) == 4
    assert len(ids(types=frozenset({"user.exited_geofence", "bought"}))) == 4
    assert ids(before=datetime(2020, 1, 1, tzinfo=UTC)) == []
    assert len(ids(tags=frozenset({"store"}), after=datetime(2020, 1, 1, tzinfo=UTC))) == 6
    users = records(session, tmp_path / "u", RecordKind.USERS, RecordFilter(user_id="@ann"))
    assert {user["deviceId"] for user in users} == {"d1", "d2"}


def test_a_cancelled_export_keeps_the_previous_file(session: WorkspaceSession, tmp_path: Path) -> None:
    for file_format in FileFormat:
        file = tmp_path / f"old.{file_format}"
        file.write_text("old")

        def cancel(done: int, total: int) -> None:
            if done:
                raise Cancelled

        with pytest.raises(Cancelled):
            session.export_records(file, file_format, TEST, EVENTS, progress=cancel)
        assert file.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 3, "nothing half written is left"


def test_records_go_to_the_file_as_they_are_read(tmp_path: Path) -> None:
    def batches() -> Iterator[list[dict[str, Any]]]:
        for number in range(40):
            yield [{"_id": f"{number}-{row}", "type": "x" * 500} for row in range(1_000)]
            if number > 20:
                (draft,) = tmp_path.iterdir()
                sizes.append(draft.stat().st_size)

    for file_format in FileFormat:
        sizes: list[int] = []
        file = tmp_path / "out"
        assert write_records(file, file_format, EVENTS, 40_000, batches()) == 40_000
        assert 0 < sizes[0] < sizes[-1], "nothing waits in memory for the end"
        file.unlink()


@pytest.mark.parametrize(("name", "words"), [(".", "is a folder"), ("none/e.csv", "No such file")])
def test_places_that_cannot_hold_a_file(session: WorkspaceSession, tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(InvalidParameter, match=words) as caught:
        session.export_records(tmp_path / name, FileFormat.CSV, TEST, EVENTS)
    assert caught.value.param == "output"


def test_a_device_is_not_replaced_by_a_file(session: WorkspaceSession) -> None:
    with pytest.raises(InvalidParameter, match="not a regular file"):
        session.export_records(Path("/dev/null"), FileFormat.CSV, TEST, EVENTS)
    assert Path("/dev/null").is_char_device()


def test_without_arro3_the_package_to_install_is_named(
    session: WorkspaceSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "app.exporting.parquet", raising=False)
    monkeypatch.setitem(sys.modules, "arro3.io", None)
    with pytest.raises(InvalidParameter, match=r"fencewright\[gis\]") as caught:
        session.export_records(tmp_path / "e.parquet", FileFormat.PARQUET, TEST, EVENTS)
    assert caught.value.param == "format"
    assert list(tmp_path.iterdir()) == []


def test_a_parquet_file_has_types_and_row_groups(tmp_path: Path) -> None:
    """The file is read by the library that defines Arrow, which did not write it."""

    def batches() -> Iterator[list[dict[str, Any]]]:
        for number in range(0, 25_000, 1_000):
            yield [event(number + row) for row in range(1_000)]

    def event(number: int) -> dict[str, Any]:
        if number % 2:
            return {"_id": f"{number}"}
        position = {"type": "Point", "coordinates": [number / 7, -number / 11]}
        user = {"metadata": {"ü": "\U0001f600\0"}}
        made = {"createdAt": f"1969-12-31T23:59:59.{number % 1_000:03}Z", "live": number % 4 == 0}
        return {"_id": f"{number}", **made, "location": position, "confidence": 3, "user": user}

    file = tmp_path / "e.parquet"
    assert write_records(file, FileFormat.PARQUET, EVENTS, 25_000, batches()) == 25_000
    stored = pyarrow.parquet.ParquetFile(file)
    meta = stored.metadata
    assert [meta.row_group(number).num_rows for number in range(meta.num_row_groups)] == [10_000, 10_000, 5_000]
    assert {meta.row_group(0).column(number).compression for number in range(meta.num_columns)} == {"ZSTD"}
    types = {field.name: str(field.type) for field in stored.schema_arrow}
    wanted = {"_id": "string", "createdAt": "timestamp[ms, tz=UTC]", "live": "bool", "longitude": "double"}
    wanted |= {"confidence": "int8", "userMetadata": "string"}
    assert types.items() >= wanted.items()
    rows = stored.read(list(wanted)).to_pylist()
    assert rows[13_579] == dict.fromkeys(wanted) | {"_id": "13579"}
    given = event(13_580)
    assert rows[13_580] == {
        "_id": "13580",
        "createdAt": moment(given["createdAt"]),
        "live": True,
        "longitude": 13_580 / 7,
        "confidence": 3,
        "userMetadata": '{"ü":"\U0001f600\\u0000"}',
    }


@pytest.mark.parametrize("file_format", [FileFormat.CSV, FileFormat.PARQUET])
def test_a_disk_that_is_full_leaves_nothing(
    session: WorkspaceSession, program: Program, tmp_path: Path, file_format: FileFormat
) -> None:
    program.home.mkdir(exist_ok=True)
    for number in range(300):
        session.engine.history.log_conversion(
            TEST, Conversion("bought", "full", None, None, {"note": f"{number}" * 60})
        )
    # Compiled modules would be truncated, too.
    limited = ["bash", "-c", 'export PYTHONDONTWRITEBYTECODE=1; ulimit -f 2; exec "$@"', "limited"]
    place = tmp_path / "files"
    place.mkdir()
    command = ("export", "events", "--workspace", session.engine.workspace.folder, "--output", place / "e")
    with program.start_with(limited, *command, "--device", "full", "--format", file_format) as process:
        _, errors = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 1, errors
    assert "cannot be written: File too large" in errors
    assert list(place.iterdir()) == []


@pytest.mark.slow
def test_an_interrupted_export_leaves_nothing(program: Program, tmp_path: Path) -> None:
    place = tmp_path / "files"
    place.mkdir()
    with WorkspaceSession(tmp_path / "w") as session:
        session.engine.geofences.create(TEST, circle())
        updates = [(TEST, update(500 * (number % 2)), lambda _result, _error: None) for number in range(10_000)]
        session.engine.tracking.submit(updates)
        session.engine.tracking.track(TEST, update(500))
        for file in (place / "e.csv", place / "e.parquet"):
            command = ("export", "events", "--workspace", tmp_path / "w", "--output", file)
            with program.start(*command) as process:
                while not list(place.iterdir()):
                    assert process.poll() is None
                process.send_signal(signal.SIGINT)
                _, errors = process.communicate(timeout=TIMEOUT_S)
            assert process.returncode == 130
            assert errors.endswith(f"stopped; {file} was not written\n")
            assert list(place.iterdir()) == []
