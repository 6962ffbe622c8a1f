"""Excel files: sheets, the texts of cells, and files that cannot be read."""

from __future__ import annotations

import zipfile
from datetime import UTC, date, datetime, time
from io import BytesIO

import pytest

from engine.domain.errors import InvalidParameter
from engine.domain.imports import ImportFile, ImportOptions
from engine.domain.ports import Cancelled, no_progress
from engine.geofences.imports.rows import ReadFile, read_file
from engine.tabular.formats.opening import open_source
from engine.tabular.formats.source import MEMORY_OF_SYNC, FileFormat, Source
from tests.engine.tabular.workbooks import Sheet, table, workbook

HEADER: list[object] = ["tag", "externalId", "description", "type", "coordinates", "radius"]
STORE: list[object] = ["store", 12.0, "Store 12", "circle", "[9.5,47.1]", 100]


def read(data: bytes, sheet: str | None = None, layer: str | None = None) -> Source:
    return open_source(data, "stores.xlsx", layer, no_progress, sheet=sheet)


def refusal(data: bytes, sheet: str | None = None, layer: str | None = None) -> InvalidParameter:
    with pytest.raises(InvalidParameter) as caught:
        read(data, sheet, layer)
    return caught.value


def imported(data: bytes, **options: object) -> ReadFile:
    return read_file(ImportFile(data, "stores.xlsx"), ImportOptions(**options), no_progress)  # type: ignore[arg-type]


def cells(*values: object) -> tuple[str, ...]:
    """Return the texts of cells in a row below a header."""
    source = read(table(["a", *map(str, range(len(values)))], ["x", *values]))
    return tuple(source.rows[0].values[str(number)] for number in range(len(values)))


def test_a_sheet_is_read_like_a_csv_of_it() -> None:
    read_it = imported(table([" Tag ", *HEADER[1:]], STORE, [None], ["store", "A-7 ", *STORE[2:]]))
    first, second = read_it.rows
    assert (first.row, second.row) == (2, 4)
    assert first.change is not None
    assert second.change is not None
    assert (first.change.external_id, second.change.external_id) == ("12", "A-7")
    assert (first.change.size, first.change.coordinates) == (100.0, (9.5, 47.1))
    assert read_it.warnings == ()
    assert not read_it.of_map


def test_cells_are_written_as_excel_shows_them() -> None:
    assert cells(12.0, 12.5, 0.30000000000000004, -3, 1e15, 1e300) == (
        *("12", "12.5", "0.3", "-3", "1000000000000000", "1e+300"),
    )
    assert cells(True, False, None, "", "  a b ", "007", "=1+1", "12,5") == (
        *("true", "false", "", "", "a b", "007", "=1+1", "12,5"),
    )
    assert cells(date(2029, 1, 31), datetime(2029, 1, 31, 18, 30), time(18, 30), datetime(2029, 1, 31)) == (
        *("2029-01-31", "2029-01-31T18:30:00", "18:30:00", "2029-01-31"),
    )


def test_dates_and_decimal_commas_become_values() -> None:
    columns: list[object] = [*HEADER, "deleteAfter", "dwellThreshold", "enabled"]
    (row,) = imported(table(columns, [*STORE, datetime(2029, 1, 31, 18), "2,5", False])).rows
    assert row.change is not None
    assert row.change.delete_after == datetime(2029, 1, 31, 18, tzinfo=UTC)
    assert (row.change.dwell_threshold_s, row.change.enabled) == (150.0, False)


def test_cells_merged_vertically_hold_for_all_their_rows() -> None:
    rows: list[list[object]] = [["tag", "externalId"], ["store", 1], [None, 2], ["depot", 3], [None, 4]]
    source = read(workbook(Sheet("A", rows, merged=("A2:A3", "A5:B5"))))
    assert [tuple(row.values.values()) for row in source.rows] == [
        ("store", "1"),
        ("store", "2"),
        ("depot", "3"),
        ("", "4"),
    ]
    wide = workbook(Sheet("A", [["tag", "externalId", "description"], ["a", 1, "x"], [None, 2, "y"]], ("A2:B3",)))
    assert [row.values["externalId"] for row in read(wide).rows] == ["1", "2"]


def test_merged_cells_are_found_in_a_table_that_begins_elsewhere() -> None:
    rows: list[list[object]] = [[], [], [None, "tag", "externalId"], [None, "store", "a"], [None, None, "b"]]
    source = read(workbook(Sheet("A", rows, merged=("B4:B5",))))
    assert [tuple(row.values.values()) for row in source.rows] == [("store", "a"), ("store", "b")]


def test_merged_columns_are_read_as_far_as_there_are_rows() -> None:
    rows: list[list[object]] = [["tag", "externalId"], ["store", 1], [None, 2]]
    source = read(workbook(Sheet("A", rows, merged=("A2:A1048576",) * 1_000)))
    assert [row.values["tag"] for row in source.rows] == ["store", "store"]


def test_the_first_visible_sheet_with_rows_is_read_with_a_note() -> None:
    data = workbook(
        Sheet("Empty", [[None]]), Sheet("Old", [HEADER, STORE], state="hidden"), Sheet("Stores", [HEADER, STORE])
    )
    source = read(data)
    assert (source.format, source.sheet, source.sheets) == (FileFormat.EXCEL, "Stores", ("Empty", "Old", "Stores"))
    (warning,) = imported(data).warnings
    assert warning.message == "The sheet 'Stores' was read, the first with rows. Other sheets: 'Empty', 'Old'."
    # A sheet that was asked for needs no note, not even a hidden one.
    assert read(data, " old").sheet == "Old"
    assert imported(data, sheet="Old").warnings == ()


def test_a_title_above_the_header_row_is_skipped_with_a_note() -> None:
    data = table(["Our stores"], [None], HEADER, STORE)
    read_it = imported(data)
    assert [row.row for row in read_it.rows] == [4]
    assert [each.message for each in read_it.warnings] == ["The header row is row 3; the text above it was skipped."]


def test_an_unknown_column_names_the_sheet_and_the_row() -> None:
    with pytest.raises(InvalidParameter) as caught:
        imported(table(["Stores"], ["tag", "externalId", "Objekt"], ["a", 1, "x"], name="Läden"))
    assert caught.value.message.startswith("sheet 'Läden', row 2: unknown column 'Objekt'.")


@pytest.mark.parametrize(
    ("sheet", "layer", "param", "message"),
    [
        ("Store", None, "sheet", "sheet: there is no sheet 'Store'. Sheets: 'Empty', 'Stores'."),
        ("Empty", None, "file", "The sheet 'Empty' is empty"),
        (None, "Stores", "layer", "layer: an Excel file has sheets"),
    ],
)
def test_a_sheet_that_cannot_be_chosen(sheet: str | None, layer: str | None, param: str, message: str) -> None:
    error = refusal(workbook(Sheet("Empty"), Sheet("Stores", [HEADER, STORE])), sheet, layer)
    assert error.param == param
    assert message in error.message


def test_only_excel_files_have_sheets() -> None:
    assert refusal(b"tag,externalId\n", sheet="A").param == "sheet"


def test_a_workbook_without_rows() -> None:
    assert "no visible sheet with rows" in refusal(workbook(Sheet("A"), Sheet("B", [HEADER], state="hidden"))).message
    (warning,) = imported(table(HEADER)).warnings
    assert warning.message == "The sheet has a header row and no others."


def _office(**files: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


BOOK = table(HEADER, STORE)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (BOOK[:-40], "ZIP archive is damaged"),
        (BOOK[:60] + bytes(40) + BOOK[100:], "damaged or encrypted"),
        (workbook(Sheet("A", [HEADER]), extra={"xl/worksheets/sheet1.xml": b"<worksheet><"}), "cannot be read"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "protected with a password"),
        (OLE, "an old version of Excel"),
        (_office(**{"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<x/>"}), "not an Excel workbook"),
        (_office(mimetype=b"application/vnd.oasis", **{"content.xml": b"<x/>"}), "OpenDocument"),
        (workbook(Sheet("A", [HEADER]), extra={"xl/media/big.bin": bytes(8 * 1024**2)}), "too large when unpacked"),
    ],
    ids=["cut", "bytes", "xml", "password", "old", "word", "opendocument", "bomb"],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_reason(data: bytes, message: str) -> None:
    error = refusal(data)
    assert (error.param, message in error.message) == ("file", True), error.message


def test_a_sheet_with_a_cell_in_its_last_corner_harms_only_the_process_that_reads_it() -> None:
    data = workbook(Sheet("A", [HEADER, STORE]), extra={"xl/worksheets/sheet1.xml": CORNER})
    assert "damaged or too large" in refusal(data).message
    with pytest.raises(InvalidParameter, match="damaged or too large"):
        open_source(data, "stores.xlsx", None, no_progress, MEMORY_OF_SYNC)


CORNER = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    b'<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    b"</sheetData></worksheet>"
)


def test_reading_can_be_cancelled() -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    rows = [["store", number, "x"] for number in range(1_500)]
    with pytest.raises(Cancelled):
        open_source(table(["tag", "externalId", "description"], *rows), "stores.xlsx", None, stop)
