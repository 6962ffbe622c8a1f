"""Rows are numbered as in a spreadsheet, regardless of their contents."""

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.tabular.rows import read_csv, read_rows

cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), max_size=8)


@given(st.lists(st.lists(cells, min_size=1, max_size=4), max_size=8), st.sampled_from(["\n", "\r\n", "\r"]))
def test_rows_keep_their_number_and_their_cells(written: list[list[str]], end: str) -> None:
    text = StringIO(newline="")
    csv.writer(text, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(written)
    read = [(row.number, list(row.cells)) for row in read_rows(text.getvalue().encode(), "file")]
    expected = [(number, row) for number, row in enumerate(written, 1) if any(cell.strip() for cell in row)]
    assert read == expected


@pytest.mark.parametrize(
    ("data", "row"),
    [(b'a\n"b\nb"\n\x81\n', 3), (b"a\r\nb\r\n\x81", 3), (b"a\rb\r\x81", 3), (b"\x81", 1), (b"a\n\n\0", 3)],
)
def test_a_place_that_is_not_text_is_named_by_its_row(data: bytes, row: int) -> None:
    with pytest.raises(InvalidParameter, match=f"^row {row}: "):
        list(read_rows(data, "file"))


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ('"externalId";"metadata.a, b"', ("externalId", "metadata.a, b")),
        ('"externalId","metadata.a; b"', ("externalId", "metadata.a; b")),
        ("\r\n;\r\nexternalId;tag,x;radius", ("externalId", "tag,x", "radius")),
        ("externalId\ttag", ("externalId", "tag")),
        ("externalId|tag,x|radius", ("externalId", "tag,x", "radius")),
        ("sep=|\r\nexternalId|tag", ("externalId", "tag")),
        ("externalId", ("externalId",)),
    ],
)
def test_the_separator_is_that_of_the_header(header: str, columns: tuple[str, ...]) -> None:
    assert read_csv(f"{header}\n".encode()).columns == columns


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_header_and_blank_rows_do_not_count_among_the_most(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    monkeypatch.setattr("engine.tabular.rows.MAX_ROWS", 3)
    table = end.join(["tag,externalId", "a,1", "", 'a,"2', '3"', "a,4", ""])
    assert [row.values["externalId"] for row in read_csv(table.encode()).rows] == ["1", f"2{end}3", "4"]
    with pytest.raises(InvalidParameter, match=r"^There are 5 rows; at most 3 are allowed\.$"):
        read_csv((table + f"a,5{end}a,6").encode())
