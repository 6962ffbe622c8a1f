"""Every cell of an import table becomes a field of its row's change, or an error at its row and column."""

import csv
import json
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, GeofenceChange, Unset
from engine.domain.hours import OperatingHours, parse_hours
from engine.domain.imports import DEFAULT_OPTIONS, ImportFile, ImportOptions, RowError
from engine.domain.ip import IpRanges
from engine.domain.ports import no_progress
from engine.domain.values import replace
from engine.geofences.imports.rows import FORMAT, ReadFile, read_file
from engine.tabular.formats.source import FILE
from engine.tabular.reading import ParsedRow
from engine.tabular.spreadsheet import plain

HEADER = "description,type,tag,externalId,coordinates,radius,enabled,metadata"
CIRCLE = 'Store 1,circle,store,1,"[14.3,45.7]",150,true,"{""open"": true, ""floor"": 2}"'


def table(*lines: str, header: str = HEADER) -> bytes:
    return "\n".join((header, *lines, "")).encode()


def parse_rows(data: bytes) -> ReadFile:
    return read_file(ImportFile(data, "table.csv"), DEFAULT_OPTIONS, no_progress)


def only(data: bytes) -> ParsedRow[GeofenceChange]:
    (row,) = parse_rows(data).rows
    return row


def change(data: bytes) -> GeofenceChange:
    row = only(data)
    assert row.errors == ()
    assert row.change is not None
    return row.change


def errors(data: bytes) -> list[tuple[int, str | None, str]]:
    found = [error for row in parse_rows(data).rows for error in row.errors]
    assert all(row.change is None for row in parse_rows(data).rows if row.errors)
    return [(error.row, error.column, error.message) for error in found]


def refusal(data: bytes) -> InvalidParameter:
    with pytest.raises(InvalidParameter) as caught:
        parse_rows(data)
    return caught.value


def test_a_circle_with_everything() -> None:
    parsed = change(table(CIRCLE))
    assert parsed == GeofenceChange(
        tag="store",
        external_id="1",
        description="Store 1",
        type="circle",
        coordinates=(14.3, 45.7),
        size=150.0,
        enabled=True,
        metadata=parsed.metadata,
    )
    assert parsed.metadata == {"open": True, "floor": 2}


@pytest.mark.parametrize(
    "cell",
    [
        "[[14,45],[15,45],[15,46],[14,45]]",
        '{"type": "Polygon", "coordinates": [[[14,45],[15,45],[15,46],[14,45]]]}',
    ],
)
def test_a_polygon_ignores_its_radius(cell: str) -> None:
    line = StringIO()
    csv.writer(line).writerow(["Area", "Polygon", "zone", "a", cell, "wide"])
    parsed = change(table(line.getvalue(), header="description,type,tag,externalId,coordinates,radius"))
    assert parsed.coordinates == ((14, 45), (15, 45), (15, 46), (14, 45))
    assert (parsed.type, parsed.size) == ("polygon", UNSET)


def test_a_missing_column_keeps_the_stored_value() -> None:
    assert change(table("store,1", header="tag,externalId")) == GeofenceChange(tag="store", external_id="1")


def test_an_empty_cell_resets_a_field_with_a_default() -> None:
    parsed = change(table("store,1,,", header="tag,externalId,enabled,metadata"))
    assert (parsed.enabled, parsed.metadata) == (True, {})


@pytest.mark.parametrize("column", ["description", "type", "tag", "externalId", "coordinates"])
def test_an_empty_cell_of_a_required_field_is_an_error(column: str) -> None:
    cells = dict(zip(HEADER.split(","), next(csv.reader([CIRCLE])), strict=True)) | {column: " "}
    line = StringIO()
    csv.writer(line).writerow(cells.values())
    assert errors(table(line.getvalue())) == [(2, column, f"{column}: must not be empty.")]


def test_an_empty_radius_is_an_error_for_a_circle() -> None:
    header = "type,tag,externalId,radius"
    assert errors(table("circle,store,1,", header=header)) == [(2, "radius", "radius: must not be empty.")]
    assert change(table("polygon,store,1,", header=header)).size is UNSET
    assert change(table("store,1,", header="tag,externalId,radius")).size is None


def test_metadata_by_columns_sets_strings_and_removes_keys() -> None:
    parsed = change(table("store,1,5,", header="tag,externalId,metadata.Floor, Metadata.open "))
    assert parsed.metadata_items == {"Floor": "5", "open": None}
    assert parsed.metadata is UNSET


def test_more_metadata_than_allowed() -> None:
    header = ",".join(["tag", "externalId", *(f"metadata.k{n}" for n in range(17))])
    ((row, column, message),) = errors(table("store,1," + ",".join("x" * 17), header=header))
    assert (row, column) == (2, "metadata")
    assert "16" in message
    assert change(table("store,1," + ",".join("x" * 16) + ",", header=header)).metadata_items


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("type", "hexagon"),
        ("type", "square"),
        ("radius", "150 m"),
        ("radius", "1_50"),
        ("radius", "1,5"),
        ("radius", "nan"),
        ("enabled", "maybe"),
        ("metadata", "{'a': 1}"),
        ("metadata", "[1]"),
        ("metadata", '{"a": [1]}'),
        ("metadata", '{"a": NaN}'),
        ("metadata", '{"a":' * 101 + "1" + "}" * 101),
        ("metadata", json.dumps({f"k{n}": n for n in range(17)})),
        ("coordinates", "14.3,45.7"),
        ("coordinates", "[14.3,"),
        ("coordinates", "7"),
        ("coordinates", "[NaN,45]"),
        ("coordinates", "[" * 50_000),
        ("coordinates", "[" + "9" * 5000 + ",1]"),
        ("coordinates", '{"type": "LineString", "coordinates": [[1,2],[3,4]]}'),
        ("mode", "plane"),
        ("operatingHours", "Mon 9-17"),
        ("operatingHours", '[["09:00", "17:00"]]'),
        ("operatingHours", '{"Mon": [["25:00", "26:00"]]}'),
        ("operatingHours", '{"Someday": []}'),
        ("operatingHours", '{"Mon": [], "monday": []}'),
        ("operatingHours.Mon", "09:00-17:00"),
        ("operatingHours.Mon", '["09:00", "17:00"]'),
        ("operatingHours.Mon", '[["09:00", "noon"]]'),
        ("stopDetection", "yes"),
        ("disableAfter", "soon"),
        ("deleteAfter", "1/2/2029"),
        ("userId", "x" * 257),
        ("userId", "ana,bor"),
        ("userIds", "ana," + "x" * 257),
        ("userIds", ","),
        ("ip", "10.0.0.256"),
        ("ip", "10.0.0.1, 10.0.*"),
        ("ip", ","),
        ("dwellThreshold", "0"),
        ("dwellThreshold", "-5"),
        ("dwellThreshold", "5 min"),
        ("dwellThreshold", "9e999"),
    ],
)
def test_a_bad_cell_is_an_error_of_its_row_and_column(column: str, cell: str) -> None:
    good = {"tag": "store", "externalId": "1", column: ""}
    line = StringIO()
    csv.writer(line).writerow((good | {column: cell}).values())
    found = errors(table(line.getvalue(), header=",".join(good)))
    assert [(row, name) for row, name, _ in found] == [(2, column)]
    assert column.partition(".")[0] in found[0][2]
    assert len(found[0][2]) < 200


def test_an_address_or_a_place_stands_for_coordinates() -> None:
    header = "tag,externalId,type,coordinates,radius,address,placeId"
    only = GeofenceChange(tag="store", external_id="1", type="circle", size=50.0)
    assert change(table('store,1,circle,"[1,2]",50,,', header=header)) == replace(only, coordinates=(1.0, 2.0))
    assert change(table('store,1,circle,,50,"Main Street 1, Vaduz",', header=header)) == replace(
        only, address="Main Street 1, Vaduz"
    )
    assert change(table("store,1,circle,,,,abc", header=header)) == replace(only, size=UNSET, place_id="abc")
    assert change(table('store,1,circle,"[1,2]",50, a ,abc', header=header)) == replace(
        only, coordinates=(1.0, 2.0), address="a", place_id="abc"
    )
    assert [name for _, name, _ in errors(table("store,1,circle,,50,,", header=header))] == ["coordinates"]
    assert [name for _, name, _ in errors(table("store,1,circle,,,a,", header=header))] == ["radius"]
    assert [name for _, name, _ in errors(table("store,1,circle,x,50,a,abc", header=header))] == ["coordinates"]


RULES = "operatingHours,stopDetection,disableAfter,deleteAfter,userIds,ip,dwellThreshold"
NINE_TO_FIVE = parse_hours({"Mon": [["09:00", "17:00"]]})


def test_the_rules_of_a_geofence() -> None:
    line = StringIO()
    cells = ('{"monday": [["9:00 AM", "17:00"]]}', "FALSE", "Jan 1, 2029", "2030-01-01T02:00+02:00")
    csv.writer(line).writerow(["store", "1", *cells, " ana, bor,ana", "10.0.0.1, 10.1.*.*", "2.5"])
    parsed = change(table(line.getvalue(), header=f"tag,externalId,{RULES}"))
    assert parsed == GeofenceChange(
        tag="store",
        external_id="1",
        operating_hours=NINE_TO_FIVE,
        stop_detection=False,
        disable_after=datetime(2029, 1, 1, tzinfo=UTC),
        delete_after=datetime(2030, 1, 1, tzinfo=UTC),
        user_ids=("ana", "bor"),
        ip=IpRanges(("10.0.0.1", "10.1.*.*")),
        dwell_threshold_s=150,
    )


def test_empty_cells_reset_the_rules() -> None:
    parsed = change(table("store,1" + "," * 7, header=f"tag,externalId,{RULES}"))
    assert parsed == GeofenceChange(
        tag="store",
        external_id="1",
        operating_hours=None,
        stop_detection=None,
        disable_after=None,
        delete_after=None,
        user_ids=(),
        ip=None,
        dwell_threshold_s=None,
    )


@pytest.mark.parametrize(
    ("header", "cells", "expected"),
    [
        ("userId", "ana", ("ana",)),
        ("userId", "", ()),
        ("userId,userIds", ",", ()),
        ("userId,userIds", 'cyd,"ana,bor"', ("ana", "bor", "cyd")),
        ("userIds,userId", "ana,ana", ("ana",)),
    ],
)
def test_the_deprecated_user_joins_the_others(header: str, cells: str, expected: tuple[str, ...]) -> None:
    assert change(table(f"store,1,{cells}", header=f"tag,externalId,{header}")).user_ids == expected


def hours_by_day(header: str, *cells: str) -> OperatingHours | Unset | None:
    line = StringIO()
    csv.writer(line).writerow(["store", "1", *cells])
    return change(table(line.getvalue(), header=f"tag,externalId,{header}")).operating_hours


def test_the_columns_of_days_are_the_whole_hours() -> None:
    assert hours_by_day("operatingHours.MON", '[["09:00", "5:00 pm"]]') == NINE_TO_FIVE
    two = "operatingHours.Sunday, operatinghours.Mon "
    assert hours_by_day(two, "", '[["09:00", "17:00"]]') == parse_hours({"Mon": [["09:00", "17:00"]], "Sun": []})
    assert hours_by_day(two, "[]", "") == parse_hours({"Mon": [], "Sun": []})
    assert hours_by_day(two, "", "") is None  # always open


def test_each_bad_day_is_reported() -> None:
    header = "tag,externalId,operatingHours.mon,operatingHours.tuesday"
    found = errors(table("store,1,x,y", header=header))
    assert [column for _, column, _ in found] == ["operatingHours.Mon", "operatingHours.Tue"]


def test_all_errors_of_a_row_are_reported_at_once() -> None:
    found = errors(table(',circle,store,,"[1",abc,perhaps,', CIRCLE))
    assert [column for _, column, _ in found] == ["coordinates", "externalId", "description", "enabled", "radius"]
    assert {row for row, _, _ in found} == {2}


@pytest.mark.parametrize(
    ("data", "param", "message"),
    [
        (b"", FILE, "its first row must be a header row"),
        (b"\n  \n,,\n", FILE, "its first row must be a header row"),
        (CIRCLE.encode(), FILE, "row 1: this is not a header row; it begins with 'Store 1'"),
        (table(header="tag,externalId,raduis"), "raduis", "row 1: unknown column 'raduis'; did you mean radius?"),
        (table(header="tag,externalId,metdata.floor"), "metdata.floor", "did you mean metadata.floor?"),
        (table(header="tag,externalId,tags"), "tags", "unknown column 'tags'."),
        (table(header="tag,externalId,metadata."), "metadata.", "unknown column"),
        (table(header="tag,externalId,Tag"), "tag", "duplicate column tag"),
        (table(header="tag,externalId,metadata.a,metadata.a"), "metadata.a", "duplicate"),
        (table(header="tag,externalId,metadata.a,metadata"), "metadata", "cannot be combined"),
        (table(header="tag,externalId,metadata,metadata.a"), "metadata", "cannot be combined"),
        (table(header="tag,externalId,operatingHours,operatingHours.Mon"), "operatingHours", "cannot be combined"),
        (table(header="tag,externalId,operatingHours.Noday"), "operatingHours.Noday", "unknown column"),
        (table(header="tag,externalId,operatingHours."), "operatingHours.", "unknown column"),
        (table(header="tag,externalId,operatingHours.Mon,operatingHours.monday"), "operatingHours.Mon", "duplicate"),
        (table(header="description,externalId"), "tag", "row 1: the column tag is missing"),
        (table(header="description,tag"), "externalId", "row 1: the column externalId is missing"),
        (table("a,1").decode().encode("utf-16")[:-1], FILE, "row 2: the byte 0x0a is not UTF-16 LE"),
        (table("a,1", header="tag,externalId") + b"\x81,2\n", FILE, "row 3: the byte 0x81 is not UTF-8"),
        (table("a,1\0", header="tag,externalId"), FILE, "row 2: it contains a NUL"),
        (table("a,1", 'b,"2', "c,3", header="tag,externalId"), FILE, "row 3: a quote is not closed"),
        (table('a,"1"x', header="tag,externalId"), FILE, "row 2: there is text after a closing quote"),
        (table("a," + "x" * 1_000_001, header="tag,externalId"), FILE, "row 2: a cell is longer"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused(data: bytes, param: str, message: str) -> None:
    error = refusal(data)
    assert (error.param, message in error.message) == (param, True), error.message


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (
            "OBJECTID,NAME,Lat",
            "row 1: no column has the name of a field: 'OBJECTID', 'NAME', 'Lat'. Map columns to fields, or give "
            "values for all rows, such as: --set tag=VALUE --map externalId=OBJECTID --map description=NAME "
            "--map latitude=Lat.",
        ),
        (
            "X,Y,OBJECTID,NAME",
            "--map externalId=OBJECTID --map description=NAME --map latitude=Y --map longitude=X.",
        ),
        ("FOO,Objekt Nr", "--set tag=VALUE --map externalId=COLUMN."),
        ("Bezeichnung,Gruppe", "--map externalId=COLUMN --map description=Bezeichnung."),
        ("1,NAME", "row 1: this is not a header row; it begins with '1', 'NAME'."),
        (",".join(f"c{number}" for number in range(12)), "'c9' and 2 more. Map"),
        (
            "tag,externalId,NAME,foo",
            "row 1: unknown columns 'NAME' and 'foo'. Correct the name, or map columns to fields, such as --map "
            "description=NAME; columns that are not mapped are then ignored.",
        ),
        (
            "tag,externalId,Umkreis",
            "unknown column 'Umkreis'. Correct the name, or map columns to fields, such as --map radius=Umkreis",
        ),
        ("tag,externalId,Objekt Name", "such as --map 'FIELD=Objekt Name'; columns"),
        ("tag,externalId,description,name", "such as --map FIELD=name; columns"),
        (
            "description,externalId",
            "the column tag is missing. Map a column to it, or give a value for all rows: --set tag=VALUE.",
        ),
    ],
)
def test_the_error_about_columns_says_how_to_map_them(header: str, message: str) -> None:
    assert message in refusal(table(header=header)).message


@pytest.mark.parametrize("others", ["lat,lon,geometry", "latitude,longitude,geom", "y,geometry"])
def test_the_suggested_columns_can_be_imported_together(others: str) -> None:
    columns = ("Nr", "Group", *others.split(","))
    found = FORMAT.suggested(columns)
    assert ("coordinates" in found, "latitude" in found) == (True, False)
    cells = {"tag": "a", "externalId": "1", "coordinates": '"[9.5,47.1]"'}
    row = ",".join(
        next((cells.get(field, "9") for field in found if found[field] == column), "9") for column in columns
    )
    data = table(row, header=",".join(columns))
    read = read_file(
        ImportFile(data, "a.csv"), ImportOptions(mapping=found, fixed={"type": "circle", "radius": "50"}), no_progress
    )
    assert [each.errors for each in read.rows] == [()]


def test_a_mapping_in_the_error_imports_the_file() -> None:
    data = table("7,Store 7", header="OBJECTID,NAME")
    options = ImportOptions(mapping={"externalId": "OBJECTID", "description": "NAME"}, fixed={"tag": "zone"})
    (row,) = read_file(ImportFile(data, "portal.csv"), options, no_progress).rows
    assert row.change is not None
    assert (row.change.tag, row.change.external_id, row.change.description) == ("zone", "7", "Store 7")


def test_quirks_of_spreadsheets() -> None:
    data = (
        '\ufeff TAG , ExternalID,description,\r\n\r\nstore,1,"Two\r\nlines, and ""quotes""",\r\n,,,\r\nstore,2,x,,,\r\n'
    )
    first, second = parse_rows(data.encode()).rows
    assert (first.row, second.row) == (3, 5)
    assert first.change is not None
    assert first.change.description == 'Two\r\nlines, and "quotes"'


def test_ragged_rows_and_cells_without_a_name() -> None:
    data = table("a", "a,1,,", "a,1,,x", "a,1,y,", header="tag,externalId,")
    assert errors(data) == [
        (2, None, "There are 1 cells, but 3 columns in the header."),
        (4, None, "There are 4 cells, but 3 columns in the header."),
        (5, None, "'y' is in a column without a name."),
    ]


def test_a_bad_row_leaves_its_neighbours_alone() -> None:
    rows = parse_rows(table("a,1,5", "b,2,x", "c,3,6", header="tag,externalId,radius")).rows
    assert [row.change.tag if row.change else row.errors for row in rows] == [
        "a",
        (RowError(3, "radius", "radius: 'x' is not a number."),),
        "c",
    ]


words = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), min_size=1).filter(
    # The table is written without the apostrophes of an export.
    lambda word: plain(word) == word
)
values = st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | words
positions = st.tuples(st.floats(-180, 180), st.floats(-90, 90))
fences = st.fixed_dictionaries(
    {
        "description": words,
        "tag": words,
        "externalId": words,
        "coordinates": positions | st.lists(positions, min_size=1, max_size=6).map(tuple),
        "radius": st.floats(1, 1e6),
        "enabled": st.booleans(),
        "metadata": st.dictionaries(words, values, max_size=16),
    }
)


@given(st.lists(fences, max_size=5), st.permutations(["description", "tag", "externalId", "coordinates", "radius"]))
def test_a_written_table_is_read_unchanged(written: list[dict[str, Any]], order: list[str]) -> None:
    text = StringIO()
    columns = [*order, "enabled", "metadata"]
    writer = csv.writer(text)
    writer.writerow(columns)
    for fence in written:
        cells = fence | {name: json.dumps(fence[name]) for name in ("coordinates", "enabled", "metadata")}
        writer.writerow(cells[name] for name in columns)
    rows = parse_rows(text.getvalue().encode()).rows
    assert [row.row for row in rows] == list(range(2, len(written) + 2))
    for row, fence in zip(rows, written, strict=True):
        assert row.change is not None, row.errors
        read = row.change
        assert (read.description, read.tag, read.external_id) == (
            fence["description"],
            fence["tag"],
            fence["externalId"],
        )
        assert (read.coordinates, read.size) == (fence["coordinates"], fence["radius"])
        assert (read.enabled, read.metadata) == (fence["enabled"], fence["metadata"])


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_bytes_lead_to_anything_but_rows_or_a_refusal(data: bytes) -> None:
    columns = b"tag,externalId,coordinates,metadata", f"tag,externalId,{RULES}".encode()
    for content in (data, *(header + b"\n" + data for header in columns)):
        try:
            parse_rows(content)
        except InvalidParameter as error:
            assert error.message  # noqa: PT017 - a refusal is one of the two good outcomes
