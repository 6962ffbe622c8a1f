from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.backtest.reading import cells
from engine.domain.errors import InvalidParameter
from engine.simulation.formats import fields
from tests.engine.backtest.reading.histories import FIRST_US

AT = datetime(2026, 1, 1, tzinfo=UTC)
MANY = 300


def values(found: cells.Cells) -> list[Any]:
    """Return the values, with the string ``bad`` for cells at fault."""
    return ["bad" if fault else value for value, fault in zip(found.values.to_pylist(), found.faults, strict=True)]


@pytest.mark.parametrize(
    ("text", "us"),
    [
        ("2026-01-01T00:00:00Z", FIRST_US),
        ("2026-01-01T02:00:00+02:00", FIRST_US),
        ("2026-01-01T02:00:00+0200", FIRST_US),
        ("2025-12-31 18:30:00.000001-05:30", FIRST_US + 1),
        ("2026-01-01T00:00:00.123456789Z", FIRST_US + 123_456),
        ("2026-01-01T00:00:00", FIRST_US),
        ("2026-01-01", FIRST_US),
        (" 2026-01-01 00:00 ", FIRST_US),
        ("01.01.2026, 00:00:00", FIRST_US),
        ("2026/1/1 0:00:00 UTC", FIRST_US),
        ("1767225600", FIRST_US),
        ("1767225600.25", FIRST_US + 250_000),
        ("1767225600001", FIRST_US + 1_000),
        ("1767225600000001", FIRST_US + 1),
        ("1767225600000001999", FIRST_US + 1),
        ("0", 0),
        ("-1", -1_000_000),
        ("", None),
        ("yesterday", "bad"),
        ("2026-13-01", "bad"),
        ("1/2/2026", "bad"),
        ("99999999999999999999999", "bad"),
        ("inf", "bad"),
    ],
)
def test_times_in_text(text: str, us: int | str | None) -> None:
    assert values(cells.times(pa.array([text]))) == [us]
    # Among others, the same text takes another way.
    among = pa.array(["2026-01-01T00:00:00Z"] * MANY + [text] + ["2026-01-01"] * MANY)
    assert values(cells.times(among)) == [FIRST_US] * MANY + [us] + [FIRST_US] * MANY
    assert values(cells.times(among.dictionary_encode()))[MANY] == us


@pytest.mark.parametrize(
    "column",
    [
        pa.array([AT], pa.timestamp("s")),
        pa.array([AT], pa.timestamp("ms", "UTC")),
        pa.array([AT], pa.timestamp("us", "Europe/Berlin")),
        pa.array([FIRST_US * 1_000 + 999], pa.timestamp("ns")),
        pa.array([date(2026, 1, 1)]),
        pa.array([date(2026, 1, 1)], pa.date64()),
        pa.array([FIRST_US // 1_000_000], pa.int32()),
        pa.array([FIRST_US // 1_000], pa.uint64()),
        pa.array([FIRST_US // 1_000_000], pa.float64()),
        pa.array([Decimal(FIRST_US) / 1_000_000], pa.decimal128(20, 6)),
        pa.array([AT.isoformat()], pa.large_string()),
    ],
    ids=lambda column: str(column.type),
)
def test_times_in_other_types(column: pa.Array) -> None:
    assert values(cells.times(column)) == [FIRST_US]
    assert values(cells.times(pa.nulls(2, column.type))) == [None, None]


def test_microseconds_of_decimal_times_are_kept() -> None:
    assert values(cells.times(pa.array([1767225600.123456]))) == [FIRST_US + 123_456]


def test_times_outside_the_calendar_are_faults() -> None:
    seconds = pa.array([2**62, -(2**62), None, 0]).cast(pa.timestamp("s"))
    assert values(cells.times(seconds)) == ["bad", "bad", None, 0]
    assert values(cells.times(pa.array([2**63 - 1, -(2**63)]))) == [9223372036854775, -9223372036854776]


@given(st.lists(st.text(alphabet="0123456789-:.TZ+ ,/", max_size=24), min_size=1, max_size=200))
def test_times_are_read_as_in_tracks(texts: list[str]) -> None:
    found = values(cells.times(pa.array(texts)))
    for text, us in zip(texts, found, strict=True):
        try:
            expected = fields.moment(text.strip()) if text.strip() else None
        except InvalidParameter:
            # Larger numbers are Unix times in smaller units here.
            assert us in ("bad", None) or text.strip().strip("+-").replace(".", "").isdecimal()
            continue
        if expected is None:
            assert us is None
        elif us != "bad" and abs(us) < 10**17:
            assert isinstance(us, int)
            number = text.strip().strip("+-").replace(".", "").isdecimal()
            assert number or us == (expected - cells.EPOCH) // cells.MICROSECOND


@pytest.mark.parametrize(
    ("text", "number"),
    [("9.5", 9.5), ("9,5", 9.5), ("1.234,5", 1234.5), (" 9.5 ", 9.5), ("+1e3", 1000.0), ("", None), ("x", "bad")],
)
def test_numbers_in_text(text: str, number: float | str | None) -> None:
    assert values(cells.numbers(pa.array([text]))) == [number]
    assert values(cells.numbers(pa.array(["1,5"] * MANY + [text]))) == [1.5] * MANY + [number]


@pytest.mark.parametrize(
    "kind",
    [pa.int8(), pa.uint64(), pa.float16(), pa.float32(), pa.decimal128(21, 2), pa.large_string(), pa.string_view()],
    ids=str,
)
def test_numbers_in_other_types(kind: pa.DataType) -> None:
    assert values(cells.numbers(pa.array([2, None]).cast(kind))) == [2.0, None]


@pytest.mark.parametrize(
    ("cells_", "expected"),
    [
        (
            ["true", "FALSE", " yes ", "no", "1", "0", "", None, "maybe"],
            [True, False, True, False, True, False, False, False, "bad"],
        ),
        ([1, 0, None, 2], [True, False, False, "bad"]),
        ([1.0, 0.0, None, 0.5, float("nan")], [True, False, False, "bad", False]),
        ([True, None], [True, False]),
    ],
)
def test_flags(cells_: list[Any], expected: list[Any]) -> None:
    assert values(cells.flags(pa.array(cells_))) == expected


def test_identifiers() -> None:
    texts = [" a ", "é" * 256, "x" * 257, "nul\0", "", None, "　b"]
    assert values(cells.identifiers(pa.array(texts))) == ["a", "é" * 256, "bad", "bad", None, None, "b"]
    assert values(cells.identifiers(pa.array(["a", "x" * 257]))) == ["a", "bad"]
    assert values(cells.identifiers(pa.array([7, None]))) == ["7", None]
    assert values(cells.identifiers(pa.array([7.0, None, 0.5]))) == ["7", None, "0.5"]
    uuid = UUID(int=5)
    assert values(cells.identifiers(pa.array([uuid.bytes], pa.binary(16)))) == [str(uuid)]
    assert values(cells.identifiers(pa.array([uuid.bytes], pa.uuid()))) == [str(uuid)]


def test_identifiers_in_windows_1252() -> None:
    column = pa.array([b"M\xfcller", "Müller".encode()]).view(pa.string())
    assert values(cells.identifiers(column)) == ["Müller", "Müller"]
    assert cells.cell_of(column, 0) == "Müller"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.0.0.255", "10.0.0.255"),
        (" ::1 ", "::1"),
        ("10.0.0.256", "bad"),
        ("10.0.0.1.", "bad"),
        ("1.2.3", "bad"),
        ("01.2.3.4", "bad"),
        ("", None),
    ],
)
def test_addresses(text: str, expected: str | None) -> None:
    assert values(cells.addresses(pa.array([text, "1.2.3.4"]))) == [expected, "1.2.3.4"]


def test_a_cell_with_a_fault_costs_only_its_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[object] = []
    monkeypatch.setattr(cells, "moment", checked.append)
    texts = np.full(100_000, "2026-01-01T00:00:00Z", object)
    texts[[5, 70_000]] = "?"
    cells.times(pa.array(texts))
    assert len(checked) <= 4
