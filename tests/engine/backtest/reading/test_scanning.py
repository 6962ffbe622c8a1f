import os
import pickle
from pathlib import Path

import pyarrow as pa
import pytest

from engine.backtest.reading.ranges import HistoryChanged
from engine.backtest.reading.reading import read
from engine.backtest.reading.scanning import column_names
from engine.backtest.rows import Scan
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled
from tests.engine.backtest.reading.histories import HEADER, Rows, csv, parquet, rows, scanned, table

ROW = "a,2026-01-01T00:00:00Z,9.5,47.1"


def files(found: Scan, folder: Path) -> list[str]:
    return [Path(portion.file).relative_to(folder).as_posix() for portion in found.portions]


def test_folders_patterns_and_files(tmp_path: Path) -> None:
    for name in ("part-10.parquet", "part-9.parquet", "part-1.snappy.parquet", "x.parquet.snappy"):
        parquet(tmp_path / "a" / name)
    csv(tmp_path / "b" / "c" / "2.csv", HEADER, ROW)
    csv(tmp_path / "b" / "notes.txt", "none")
    csv(tmp_path / "b" / "_SUCCESS", "")
    (tmp_path / "b" / ".hidden").mkdir()
    csv(tmp_path / "b" / ".hidden" / "1.csv", "none")
    found = scanned(tmp_path)
    expected = ["a/part-1.snappy.parquet", "a/part-9.parquet", "a/part-10.parquet", "a/x.parquet.snappy", "b/c/2.csv"]
    assert files(found, tmp_path) == expected
    assert [portion.number for portion in found.portions] == [0, 1, 2, 3, 4]
    assert "1 other file in the folders was left out." in found.notes
    assert files(scanned(tmp_path / "a" / "part-*", tmp_path / "a" / "part-9.parquet"), tmp_path) == expected[:3]
    assert files(scanned(f"{tmp_path}/**/*.csv"), tmp_path) == expected[-1:]


def test_other_names_and_contents(tmp_path: Path) -> None:
    """A file that is named itself may have any name, and its content determines its format."""
    made = parquet(tmp_path / "export.csv")
    assert scanned(made).portions[0].format == "parquet"
    assert len(rows(csv(tmp_path / "export[1].txt", HEADER, ROW))["device"]) == 1


@pytest.mark.parametrize(
    ("history", "message"),
    [
        ([], "history: name at least one file, folder or address."),
        ([" "], "history: name at least one file, folder or address."),
        (["{}/none.csv"], "history: {}/none.csv: it cannot be read: no such file or directory."),
        (["{}/*.csv"], "history: no file matches {}/*.csv."),
        (["{}"], "history: {} has no Parquet or CSV file; it is empty."),
    ],
)
def test_histories_without_a_file(tmp_path: Path, history: list[str], message: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        scanned(*(item.format(tmp_path) for item in history))
    assert caught.value.message == message.format(tmp_path)
    assert caught.value.param == "history"


def test_values_in_the_names_of_folders(tmp_path: Path) -> None:
    made = table(2, deviceId=None)
    parquet(tmp_path / "date=2026-01-02" / "device=a%2Fb" / "1.parquet", made)
    parquet(tmp_path / "date=2026-01-01" / "device=c" / "1.parquet", made)
    assert rows(tmp_path)["device"] == ["c", "c", "a/b", "a/b"]


def test_a_folder_may_be_mapped(tmp_path: Path) -> None:
    parquet(tmp_path / "unit=7" / "1.parquet", table(1))
    found = rows(tmp_path, columns={"user": "unit"})
    assert (found["device"], found["user"]) == (["d0"], ["7"])


def test_an_invalid_value_of_a_folder(tmp_path: Path) -> None:
    csv(tmp_path / "device=a%00" / "1.csv", HEADER.removeprefix("deviceId,"), ROW[2:])
    found = rows(tmp_path)
    assert found.messages == [(1, "the folder for device: contains a character that is not valid text.")]


def test_date_and_time_in_two_columns(tmp_path: Path) -> None:
    csv(
        tmp_path / "1.csv",
        "device,date,time,lat,lon",
        "a,2026-01-01,12:00:00,1,2",
        "a,02.01.2026,13:00,1,2",
        "a,2026-01-03,,1,2",
    )
    found = rows(tmp_path)
    assert [us // 3_600_000_000 - 490_896 for us in found["at_us"]] == [12, 37, 48]


def test_rows_need_one_of_two_times(tmp_path: Path) -> None:
    csv(tmp_path / "1.csv", "device,time,receivedAt,lat,lon", "a,0,,1,2", "a,,0,1,2", "a,,,1,2", "a,?,0,1,2")
    found = rows(tmp_path)
    assert (found["at_us"], found["received_us"]) == ([0, None], [None, 0])
    assert found.messages[0] == (3, "column time: there is no value.")
    assert found.bad == 2


def test_bad_files_stop_a_scan_or_are_listed(tmp_path: Path) -> None:
    csv(tmp_path / "1.csv", "a,b", "1,2")
    csv(tmp_path / "2.csv", HEADER, ROW)
    (tmp_path / "3.parquet").write_bytes(b"PAR1")
    with pytest.raises(InvalidParameter, match=r"history: .*/1.csv: there is no column for device"):
        scanned(tmp_path)
    found = scanned(tmp_path, tmp_path / "none.csv", skip_bad=True)
    assert files(found, tmp_path) == ["2.csv"]
    assert [Path(bad.file).name for bad in found.bad_files] == ["none.csv", "1.csv", "3.parquet"]
    assert found.bad_files[1].message.startswith("there is no column for device")
    with pytest.raises(InvalidParameter, match=r"history: .*1.csv: .* 1 other file cannot be read either"):
        scanned(tmp_path / "1.csv", tmp_path / "3.parquet", skip_bad=True)


def test_mappings_of_unknown_fields_and_columns(tmp_path: Path) -> None:
    file = csv(tmp_path / "1.csv", HEADER, ROW)
    with pytest.raises(InvalidParameter, match=r"^columns: there is no field 'devce'; did you mean device\?"):
        scanned(file, columns={"devce": "deviceId"})
    with pytest.raises(
        InvalidParameter, match=r"^columns: .*1.csv: there is no column 'devicId', .* did you mean deviceId\?"
    ):
        scanned(file, columns={"device": "devicId"})
    with pytest.raises(InvalidParameter, match=r"^columns: the name of the column for device is empty"):
        scanned(file, columns={"device": " "})


@pytest.mark.parametrize("name", ["1.csv", "1.parquet"])
def test_files_that_change_or_disappear(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    write = parquet if name.endswith("parquet") else lambda path: csv(path, HEADER, ROW)
    found = scanned(write(file))
    os.utime(file, ns=(0, 0))
    with pytest.raises(HistoryChanged, match=f"{name} changed after it was checked"):
        Rows(found)
    file.unlink()
    with pytest.raises(HistoryChanged, match=rf"{name} cannot be read any more: no such file or directory\."):
        Rows(found)


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    file = parquet(tmp_path / "1.parquet", table(1000))
    portion = scanned(file).portions[0]
    reads = read(portion, default_accuracy_m=5, batch_rows=10)
    next(reads)
    parquet(file, table(999))
    with pytest.raises(HistoryChanged):
        list(reads)


def test_batches_have_at_most_the_given_rows(tmp_path: Path) -> None:
    for file in (parquet(tmp_path / "1.parquet", table(100)), csv(tmp_path / "1.csv", HEADER, *[ROW] * 100)):
        sizes = [each.batch.num_rows for each in read(scanned(file).portions[0], default_accuracy_m=5, batch_rows=30)]
        assert sizes == [30, 30, 30, 10]


def test_every_division_of_parquet_gives_the_same_rows(tmp_path: Path) -> None:
    made = table(200, latitude=[47.1] * 150 + [99.0] + [47.1] * 49)
    whole = Rows(scanned(parquet(tmp_path / "1.parquet", made)))
    for group, portion in ((7, 1), (7, 50), (200, 10)):
        file = parquet(tmp_path / "2.parquet", made, row_group_size=group)
        divided = Rows(scanned(file, portion_rows=portion), batch_rows=13)
        assert divided.table == whole.table
        assert divided.messages == whole.messages


def test_large_row_groups_are_reported(tmp_path: Path) -> None:
    found = scanned(parquet(tmp_path / "1.parquet", table(100)), portion_rows=10)
    assert len(found.portions) == 1
    assert any("has a row group of 100 rows" in note for note in found.notes)


def test_an_empty_table(tmp_path: Path) -> None:
    found = scanned(parquet(tmp_path / "1.parquet", table(0, deviceId=pa.array([], pa.string()))))
    assert (found.portions, found.rows) == ((), 0)


def test_progress_and_cancellation(tmp_path: Path) -> None:
    files = [csv(tmp_path / f"{number}.csv", HEADER, ROW) for number in range(3)]
    reported: list[tuple[int, int]] = []
    scanned(*files, progress=lambda *counts: reported.append(counts))
    assert list(dict.fromkeys(reported)) == [(0, 3), (1, 3), (2, 3), (3, 3)]

    def cancel(done: int, total: int) -> None:
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        scanned(*files, progress=cancel, skip_bad=True)


def test_portions_can_be_sent_to_workers(tmp_path: Path) -> None:
    csv(tmp_path / "device=a" / "1.csv", HEADER, ROW)
    parquet(tmp_path / "device=a" / "2.parquet")
    found = scanned(tmp_path)
    assert pickle.loads(pickle.dumps(found)) == found


def test_any_column_may_hold_positions(tmp_path: Path) -> None:
    mapping = {"longitude": "where.0", "latitude": "where.1"}
    file = csv(tmp_path / "1.csv", "device;time;where", "a;2026-01-01;POINT(9.5 47.1)")
    assert rows(file, columns=mapping)["longitude"] == [9.5]
    made = table(1, longitude=None, latitude=None, where=['{"coordinates": [9.5, 47.1]}'])
    assert rows(parquet(tmp_path / "1.parquet", made), columns=mapping)["latitude"] == [47.1]
    with pytest.raises(InvalidParameter, match="the column where has the type int64, which has no coordinates"):
        rows(parquet(tmp_path / "1.parquet", table(1, where=[1])), columns=mapping)


def test_names_of_columns(tmp_path: Path) -> None:
    """The names that a user can choose from, also of files whose columns are not known."""
    first = parquet(tmp_path / "1.parquet", table(2).rename_columns(["a", "b", "c", "d"]))
    second = csv(tmp_path / "2.csv", "vehicle;location;when", "a;POINT(9 47);2026-01-01T00:00:00Z")
    assert column_names([str(tmp_path)]) == column_names([str(first)]) == ("a", "b", "c", "d")
    assert column_names([str(second)]) == ("vehicle", "location", "location.0", "location.1", "when")
    with pytest.raises(InvalidParameter, match=r"none\.csv: it cannot be read"):
        column_names([str(tmp_path / "none.csv")])
    with pytest.raises(InvalidParameter, match=r"3\.parquet: it is a damaged Parquet file"):
        column_names([str(csv(tmp_path / "3.parquet", "PAR1"))])
