import csv as python_csv
import gzip
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.backtest.reading.cells import text_of
from engine.backtest.reading.delimited import HEAD_BYTES, Part
from engine.domain.errors import InvalidParameter
from tests.engine.backtest.reading.histories import FIRST_US, HEADER, Rows, csv, rows, scanned

ROW = "a,2026-01-01T00:00:00Z,9.5,47.1"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "history.csv"


def test_a_table_of_a_spreadsheet_program(file: Path) -> None:
    csv(
        file,
        "Gerät;deviceId;Zeit;Längengrad;Breitengrad",
        "1;ä;01.01.2026 00:00;9,5;47,1",
        end="\r\n",
        encoding="utf-8-sig",
    )
    found = rows(file)
    assert (found["device"], found["at_us"], found["longitude"], found["latitude"]) == (
        ["ä"],
        [FIRST_US],
        [9.5],
        [47.1],
    )
    assert found.bad == 0


def test_windows_1252(file: Path) -> None:
    csv(file, "deviceId;time;Länge;Breite", "Müller;2026-01-01;9,5;47,1", encoding="cp1252")
    found = scanned(file)
    assert Rows(found)["device"] == ["Müller"]
    assert found.notes[1:] == (f"{file} is not in UTF-8, and is read as Windows-1252.",)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_utf_16(file: Path, encoding: str) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    csv(
        file,
        mark + HEADER.replace(",", "\t"),
        ROW.replace(",", "\t"),
        ROW.replace("a,", "ß,").replace(",", "\t"),
        encoding=encoding,
    )
    assert rows(file)["device"] == ["a", "ß"]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators(file: Path, separator: str) -> None:
    csv(file, HEADER.replace(",", separator), ROW.replace(",", separator))
    assert rows(file)["longitude"] == [9.5]


def test_a_line_may_declare_the_separator(file: Path) -> None:
    csv(file, "sep=;", HEADER.replace(",", ";"), ROW.replace(",", ";"))
    assert rows(file)["longitude"] == [9.5]


def test_line_ends(file: Path) -> None:
    for end in ("\n", "\r\n", "\r"):
        assert rows(csv(file, HEADER, ROW, ROW, end=end))["device"] == ["a", "a"]
    file.write_text(f"{HEADER}\n{ROW}\n{ROW}")
    assert rows(file)["device"] == ["a", "a"]
    assert scanned(file).rows == 2


def test_compressed_files(tmp_path: Path) -> None:
    text = "\n".join([HEADER, *[ROW] * 500, ""]).encode()
    file = tmp_path / "history.csv.gz"
    # Some programs write several members.
    file.write_bytes(gzip.compress(text[:1000]) + gzip.compress(text[1000:]))
    found = scanned(file)
    assert found.portions[0].format == "csv.gz"
    assert len(Rows(found)["device"]) == 500
    file.write_bytes(gzip.compress(text)[:-20])
    with pytest.raises(InvalidParameter, match=r"history: .*history.csv.gz: it cannot be decompressed"):
        scanned(file)
    file.write_bytes(gzip.compress(text + b"x" * HEAD_BYTES)[:-20])
    with pytest.raises(InvalidParameter, match=r"history: .*history.csv.gz is damaged"):
        Rows(scanned(file))


def test_rows_with_other_numbers_of_cells_are_bad(file: Path) -> None:
    csv(file, HEADER, ROW, "a,2026-01-01", ROW, "", f"{ROW},more", "   ", ",,,", ROW, "x,y,z,4")
    found = rows(file)
    assert len(found["device"]) == 3
    assert found.bad == 3
    assert found.messages == [
        (2, "it has 2 cells instead of 4."),
        (5, "it has 5 cells instead of 4."),
        (9, "column time: 'y' is not a time (ISO 8601, or unix seconds or milliseconds)."),
    ]


def test_separators_after_the_last_cell(file: Path) -> None:
    assert len(rows(csv(file, HEADER, f"{ROW},", f"{ROW},"))["device"]) == 2


def test_quoted_newlines_and_quotes(file: Path) -> None:
    csv(
        file, f"note,{HEADER}", f'"one\ntwo, ""three""",{ROW}', f'"\n\n",{ROW}', f'x,"{ROW[:1]}\n"{ROW[1:]}', f"y,{ROW}"
    )
    for portion_rows in (1, 2, 100):
        found = scanned(file, portion_rows=portion_rows)
        assert Rows(found)["device"] == ["a"] * 4
        assert found.rows == 4


def test_a_quote_that_is_not_closed(file: Path) -> None:
    csv(file, HEADER, ROW, f'"{ROW}', ROW)
    with pytest.raises(InvalidParameter, match=r"history: .*history.csv: a quote is not closed\."):
        scanned(file)


@pytest.mark.parametrize("block", [100, 8 * 1024**2])
def test_a_quote_that_is_not_closed_in_a_compressed_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """Its size is too large for a check of the whole file, so the rest of the file is one bad row."""
    monkeypatch.setattr("engine.backtest.reading.delimited._LEAST_BLOCK", block)
    monkeypatch.setattr("engine.backtest.reading.delimited._MOST_BLOCK", block)
    file = tmp_path / "1.csv.gz"
    file.write_bytes(gzip.compress("\n".join([HEADER, *[ROW] * 9, f'"{ROW}', *[ROW] * 30]).encode()))
    found = rows(file)
    assert len(found["device"]) == 9
    assert found.messages == [(10, "a quote is not closed; nothing after it in this file is read.")]


def test_bytes_that_are_no_text(file: Path) -> None:
    file.write_bytes(f"{HEADER}\n".encode() + b"a,\xff\xfe,9.5,47.1\n\xff,1\n\xff,0,9.5,47.1\n")
    found = rows(file)
    assert found["device"] == ["ÿ"]
    assert found.messages == [
        (1, "column time: 'ÿþ' is not a time (ISO 8601, or unix seconds or milliseconds)."),
        (2, "it has 2 cells instead of 4."),
    ]


def test_a_quote_inside_a_cell_is_a_character(file: Path) -> None:
    csv(file, f"note,{HEADER}", f'5" pipe,{ROW}', f"x,{ROW}", f'"quoted\n",{ROW}')
    found = scanned(file, portion_rows=1)
    assert len(found.portions) == 1
    assert any("quotes inside cells" in note for note in found.notes)
    assert Rows(found)["device"] == ["a"] * 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is empty."),
        (b"\n\n", "it is empty; its first row must be a header row."),
        (b"\x00\x01\x02", "it is neither Parquet nor a CSV table of text."),
        (b"a,b\n1,2\n", "there is no column for device and longitude and latitude and time; its columns are a, b."),
        (b"deviceId,time,lat,latitude,lon\n", "the columns 'lat' and 'latitude' both give the latitude"),
        (b"deviceId,time,lat,lat,lon\n", "the columns 'lat' and 'lat' both give the latitude"),
        (b"deviceId,deviceId,time,lat,lon\n", "it has several columns named 'deviceId'."),
    ],
)
def test_files_that_are_no_table(file: Path, content: bytes, message: str) -> None:
    file.write_bytes(content)
    with pytest.raises(InvalidParameter) as caught:
        scanned(file)
    assert caught.value.param == "history"
    assert f"{file}: {message}" in caught.value.message


def test_only_a_header(file: Path) -> None:
    found = scanned(csv(file, HEADER))
    assert found.rows == 0
    assert Rows(found)["device"] == []


def test_row_numbers_in_all_portions(file: Path) -> None:
    csv(file, HEADER, *[ROW] * 40, "bad row", *[ROW] * 40, ROW.replace("47.1", "97.1"))
    found = scanned(file, portion_rows=10)
    assert len(found.portions) > 5
    assert Rows(found).messages == [
        (41, "it has 1 cell instead of 4."),
        (82, "column latitude: the latitude must be within [-90, 90], not 97.1."),
    ]


_CELL = st.lists(st.sampled_from([*'ab1,";\n é', "\r\n"]), max_size=6).map("".join)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    written=st.lists(st.tuples(_CELL, st.integers(0, 99), _CELL), max_size=40),
    end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([python_csv.QUOTE_MINIMAL, python_csv.QUOTE_ALL]),
    portion_rows=st.integers(1, 12),
    block=st.integers(1, 200),
)
def test_every_division_gives_the_same_rows(
    tmp_path: Path, written: list[Any], end: str, quoting: int, portion_rows: int, block: int
) -> None:
    file, text = tmp_path / "divided.csv", io.StringIO()
    writer = python_csv.writer(text, lineterminator=end, quoting=quoting)  # type: ignore[arg-type]
    writer.writerow(["before", *HEADER.split(","), "after"])
    for number, (before, device, after) in enumerate(written):
        writer.writerow([before, f"d{device}", number, 9.5, 47.1, after])
    file.write_bytes(text.getvalue().encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.backtest.reading.delimited._BLOCK", block)
        divided = scanned(file, portion_rows=portion_rows)
    found = Rows(divided)
    assert found["device"] == [f"d{device}" for _, device, _ in written]
    assert found["at_us"] == [number * 1_000_000 for number in range(len(written))]
    assert (found.bad, divided.rows) == (0, len(written))
    firsts = [portion.first_row for portion in divided.portions]
    assert firsts == [sum(each.rows for each in divided.portions[:index]) for index in range(len(firsts))]


@given(pieces=st.lists(st.sampled_from([b"a", "é".encode(), "€".encode(), b"\xe9", b"\x81"])), size=st.integers(1, 4))
def test_letters_on_the_boundary_of_two_blocks(pieces: list[bytes], size: int) -> None:
    data = b"".join(pieces)
    part = Part(io.BytesIO(data), len(data))
    read = list(iter(lambda: part.read(size), b""))
    assert all(len(each) <= size for each in read)
    assert b"".join(read).decode() == text_of(data)


_BYTES = st.lists(
    st.sampled_from([b"a", b"1", b",", b'"', b"\n", b"\r", "é".encode(), "€".encode(), b"\xe9", b"\x81", ROW.encode()]),
    max_size=120,
).map(b"".join)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=_BYTES, portion_rows=st.integers(1, 6), block=st.integers(1, 60))
def test_any_bytes_are_divided_without_a_change(tmp_path: Path, data: bytes, portion_rows: int, block: int) -> None:
    file = tmp_path / "any.csv"
    file.write_bytes(f"{HEADER}\n{ROW}\n".encode() + data)
    try:
        divided = scanned(file, portion_rows=portion_rows)
    except InvalidParameter:
        with pytest.raises(InvalidParameter, match="a quote is not closed"):
            scanned(file)
        return
    whole, parts = Rows(scanned(file)), Rows(divided)
    assert parts.table == whole.table
    assert parts.bad == whole.bad
    assert parts.messages[:10] == whole.messages
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.backtest.reading.delimited._BLOCK", block)
        assert scanned(file, portion_rows=portion_rows) == divided
