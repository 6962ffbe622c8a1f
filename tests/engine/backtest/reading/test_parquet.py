import struct
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from engine.domain.errors import InvalidParameter
from tests.engine.backtest.reading.histories import ACCURACY_M, FIRST_US, Rows, parquet, rows, scanned, table


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "history.parquet"


def test_all_columns(file: Path) -> None:
    made = table(
        2,
        userId=["u", None],
        receivedAt=pa.array([FIRST_US + 5, None], pa.timestamp("us")),
        locationAccuracy=pa.array([5, None], pa.float32()),
        stopped=[True, None],
        foreground=[0, 1],
        ip=["10.0.0.1", None],
        speed=[1.0, 2.0],
    )
    found = rows(parquet(file, made))
    assert found.table.slice(0, 1).to_pylist() == [
        {
            "device": "d0",
            "user": "u",
            "at_us": FIRST_US,
            "received_us": FIRST_US + 5,
            "number": 0,
            "longitude": 9.5,
            "latitude": 47.1,
            "accuracy_m": 5.0,
            "stopped": True,
            "foreground": False,
            "ip": "10.0.0.1",
            "revision": 2**62,
            "settings": 0,
        }
    ]
    assert found["accuracy_m"][1] == ACCURACY_M
    assert [found[name][1] for name in ("user", "received_us", "stopped", "foreground", "ip")] == [
        None,
        None,
        False,
        True,
        None,
    ]


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("deviceId", pa.array(["a", "b"]).dictionary_encode(), ["a", "b"]),
        ("deviceId", pa.array(["a", "b"], pa.large_string()), ["a", "b"]),
        ("deviceId", pa.array([b"a", b"b"], pa.binary()), ["a", "b"]),
        ("deviceId", pa.array([7, 8], pa.int32()), ["7", "8"]),
        ("longitude", pa.array([9.5, 10], pa.float32()), [9.5, 10.0]),
        ("longitude", pa.array([Decimal("9.5"), Decimal(10)], pa.decimal128(9, 6)), [9.5, 10.0]),
        ("longitude", pa.array([9, 10], pa.int32()), [9.0, 10.0]),
        ("longitude", pa.array(["9,5", "10"]), [9.5, 10.0]),
        ("longitude", pa.array([9.5, 10]).dictionary_encode(), [9.5, 10.0]),
    ],
    ids=lambda each: str(each.type) if isinstance(each, pa.Array) else "",
)
def test_types_of_other_writers(file: Path, name: str, values: pa.Array, expected: list[Any]) -> None:
    field = "device" if name == "deviceId" else name
    assert rows(parquet(file, table(2, **{name: values})))[field] == expected


def test_old_timestamps(file: Path) -> None:
    found = rows(parquet(file, table(2), use_deprecated_int96_timestamps=True))
    assert found["at_us"] == [FIRST_US, FIRST_US + 1_000_001]


def _wkb(order: str, longitude: float, latitude: float) -> bytes:
    return struct.pack(f"{order}BIdd", order == "<", 1, longitude, latitude)


_EWKB = struct.pack("<BIIdd", 1, 0x2000_0001, 4326, 9.5, 47.1)
_LINE = struct.pack("<BIIdddd", 1, 2, 2, 9.5, 47.1, 9.5, 47.1)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("location", pa.array([{"type": "Point", "coordinates": [9.5, 47.1]}, None])),
        ("location", pa.array([{"longitude": 9.5, "latitude": 47.1}, None])),
        ("location", pa.array(['{"type":"Point","coordinates":[9.5, 47.1]}', None])),
        ("coordinates", pa.array([[9.5, 47.1], []])),
        ("coordinates", pa.array([[9.5, 47.1], None], pa.list_(pa.float64(), 2))),
        ("geometry", pa.array([_wkb("<", 9.5, 47.1), _wkb(">", 9.5, 47.1)[:9]])),
        ("geometry", pa.array([_wkb(">", 9.5, 47.1), None])),
        ("geometry", pa.array([_EWKB, _LINE])),
        ("geom", pa.array([_EWKB.hex(), _LINE.hex()])),
        ("geom", pa.array([_wkb(">", 9.5, 47.1).hex().upper(), "47.1, 9.5"])),
        ("geom", pa.array(["POINT (9.5 47.1)", "POINT EMPTY"])),
        ("geom", pa.array(["POINT Z(9.5 47.1 3)", None]).dictionary_encode()),
        ("point", pa.array([{"x": 9.5, "y": 47.1}, None])),
    ],
    ids=lambda each: str(each.type) if isinstance(each, pa.Array) else each,
)
def test_positions_in_one_column(file: Path, name: str, values: pa.Array) -> None:
    found = rows(parquet(file, table(2, longitude=None, latitude=None, **{name: values})))
    assert (found["longitude"], found["latitude"]) == ([9.5], [47.1])
    assert (found.bad, found.messages[0][0]) == (1, 2)


def test_text_without_a_position_is_explained(file: Path) -> None:
    found = rows(parquet(file, table(1, longitude=None, latitude=None, location=["47.1, 9.5"])))
    assert found.messages == [
        (1, "column location: there is no position such as POINT (9.5 47.1) or [9.5, 47.1], with the longitude first.")
    ]


_DATES = pa.array([FIRST_US], pa.timestamp("us"))


@pytest.mark.parametrize(
    "dates", [_DATES.cast(pa.date32()), _DATES, pa.array(["2026-01-01"])], ids=lambda each: str(each.type)
)
@pytest.mark.parametrize("clock", [pa.time64("us"), pa.time64("ns"), pa.time32("s"), pa.string()], ids=str)
def test_date_and_clock_time_in_two_columns(file: Path, dates: pa.Array, clock: pa.DataType) -> None:
    times = pa.array([FIRST_US + 3_661_000_000], pa.timestamp("us")).cast(pa.time64("us"))
    made = table(1, date=dates, time=times.cast(pa.time32("s")).cast(clock))
    assert rows(parquet(file, made))["at_us"] == [FIRST_US + 3_661_000_000]


@pytest.mark.parametrize(
    "dates", [_DATES.cast(pa.date32()), _DATES, pa.array([20260101])], ids=lambda each: str(each.type)
)
def test_a_date_beside_complete_times(file: Path, dates: pa.Array) -> None:
    assert rows(parquet(file, table(1, date=dates)))["at_us"] == [FIRST_US]


def test_a_clock_time_without_a_date(file: Path) -> None:
    with pytest.raises(InvalidParameter, match=r"the column time has the type time64\[us\], which has no date\."):
        scanned(parquet(file, table(1, time=pa.array([3_661_000_000], pa.time64("us")))))


def test_columns_of_records(file: Path) -> None:
    user = pa.array([{"deviceId": "a", "userId": "u", "createdAt": "2020-01-01", "stopped": True}])
    location = pa.array([{"coordinates": [9.5, 47.1], "accuracy": 7.0}])
    made = pa.table({"user": user, "location": location, "createdAt": ["2026-01-01"], "actualCreatedAt": [FIRST_US]})
    found = rows(parquet(file, made))
    row = found.table.to_pylist()[0]
    assert (row["device"], row["user"], row["stopped"], row["accuracy_m"]) == ("a", "u", True, 7.0)
    assert (row["at_us"], row["received_us"], row["longitude"]) == (FIRST_US, FIRST_US, 9.5)


def test_bad_cells_are_named_with_their_columns(file: Path) -> None:
    count = 30
    made = table(
        count,
        deviceId=["x" * 257, None, *["d"] * 28],
        time=["2026-01-01"] * 2 + ["soon", None] + ["2026-01-01"] * 26,
        latitude=[47.1] * 4 + [91.0, float("nan")] + [47.1] * 24,
        accuracy=["5"] * 6 + ["0", "-1", "x", "NaN"] + [""] * 20,
        ip=[None] * 10 + ["300.1.1.1"] + [None] * 19,
        stopped=["no"] * 11 + ["perhaps"] * 5 + ["yes"] * 14,
    )
    found = rows(parquet(file, made))
    assert found.bad == 15
    assert found.messages == [
        (1, "column deviceId: at most 256 characters are allowed, not 257."),
        (2, "column deviceId: there is no value."),
        (3, "column time: 'soon' is not a time (ISO 8601, or unix seconds or milliseconds)."),
        (4, "column time: there is no value."),
        (5, "column latitude: the latitude must be within [-90, 90], not 91."),
        (6, "column latitude: there is no value."),
        (7, "column accuracy: must be greater than 0 metres, not 0."),
        (8, "column accuracy: must be greater than 0 metres, not -1."),
        (9, "column accuracy: 'x' is not a number."),
        (11, "column ip: '300.1.1.1' is not an IP address."),
    ]


def test_row_numbers_of_row_groups(file: Path) -> None:
    made = table(100, latitude=[47.1] * 64 + [99.0] + [47.1] * 35)
    found = scanned(parquet(file, made, row_group_size=10), portion_rows=25)
    assert [portion.row_groups for portion in found.portions] == [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)]
    read = Rows(found, batch_rows=7)
    assert [row for row, _ in read.messages] == [65]
    assert len(read["device"]) == 99


def test_zero_is_an_unknown_accuracy_in_files_of_traccar(file: Path) -> None:
    times = {"time": None, "fixTime": table(3)["time"], "serverTime": table(3)["time"]}
    found = rows(parquet(file, table(3, **times, accuracy=[0.0, -1.0, 4.0])))
    assert found["accuracy_m"] == [ACCURACY_M, ACCURACY_M, 4.0]
    assert found["received_us"][0] == FIRST_US


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        (
            "longitude",
            pa.array([True, False]),
            "the column longitude has the type bool, which is not one of longitude.",
        ),
        ("time", pa.array([True, False]), "the column time has the type bool, which is not one of time."),
        ("deviceId", table(2)["time"], "the column deviceId has the type timestamp"),
        ("ip", pa.array([1, 2]), "the column ip has the type int64, which is not one of ip."),
        ("Time", pa.array([1, 2]), None),
        ("Longitude", pa.array([1, 2]), "the columns 'longitude' and 'Longitude' both give the longitude"),
    ],
)
def test_columns_with_other_types(file: Path, name: str, values: Any, message: str | None) -> None:
    made = table(2, **{name: values})
    if message is None:
        assert rows(parquet(file, made))["at_us"][0] == FIRST_US
        return
    with pytest.raises(InvalidParameter) as caught:
        scanned(parquet(file, made))
    assert f"history: {file}: {message}" in caught.value.message


def test_damaged_files(file: Path) -> None:
    data = parquet(file).read_bytes()
    file.write_bytes(data[:-4] + b"PAR0")
    with pytest.raises(InvalidParameter, match=r"history: .*history.parquet: it is a damaged Parquet file: "):
        scanned(file)
    file.write_bytes(data[:40])
    with pytest.raises(InvalidParameter, match="damaged Parquet file"):
        scanned(file)


def test_damaged_pages(file: Path) -> None:
    data = bytearray(parquet(file, table(1000)).read_bytes())
    data[4:400] = bytes(396)
    file.write_bytes(data)
    found = scanned(file)
    with pytest.raises(InvalidParameter, match=r"history: .*history.parquet is damaged: "):
        Rows(found)
