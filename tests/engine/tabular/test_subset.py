"""Some rows of a file are saved in its format with all of their columns, so that they can be corrected and imported."""

import json
from pathlib import Path

import numpy as np
import pytest
import shapely
from pyogrio import raw

from engine.domain.imports import ImportFile, ImportOptions
from engine.domain.ports import no_progress
from engine.tabular.formats.archives import pack
from engine.tabular.formats.opening import open_source
from engine.tabular.formats.source import Source
from engine.tabular.formats.subset import Subset, subset_of
from tests.engine.tabular.workbooks import Sheet, workbook

CSV = 'id;name;note\n1;Süd;"a;\nb"\n\n2;Café;\'=x\n3;Bar;\n'
HOLED = [[[0, 0], [4, 0], [4, 4], [0, 0]], [[2, 1], [3, 1], [3, 2], [2, 1]]]
FEATURES = [
    {"type": "Feature", "id": at, "properties": {"name": name, "more": {"a": [at]}}, "geometry": shape}
    for at, (name, shape) in enumerate(
        [
            ("a", {"type": "Point", "coordinates": [9, 47]}),
            ("b", {"type": "LineString", "coordinates": [[9, 47], [9, 48]]}),
            ("c", {"type": "Polygon", "coordinates": HOLED}),
        ],
        1,
    )
]  # fmt: skip
CRS = {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}
COLLECTION = json.dumps({"type": "FeatureCollection", "crs": CRS, "features": FEATURES, "after": 1})
PLACEMARK = (
    "<Placemark><name>{0}</name><ExtendedData><Data name='note'><value>{0}!</value></Data></ExtendedData>"
    "<Point><coordinates>9.{0},47</coordinates></Point></Placemark>"
)
KML = f"""<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>d</name>
{"".join(map(PLACEMARK.format, (1, 2, 3)))}</Document></kml>"""
GPX = f"""<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">
{"".join(f'<wpt lat="47.{at}" lon="9"><name>{at}</name><sym>Flag</sym></wpt>' for at in (1, 2, 3))}</gpx>"""
WKT = "POINT(9 47)\n\nLINESTRING(9 47,9 48)\nPOINT(1 2)\n"


def read(data: bytes) -> Source:
    return open_source(data, "a file", None, no_progress)


def saved(data: bytes, *rows: int, layer: str | None = None) -> Subset:
    return subset_of(ImportFile(data, "a file"), ImportOptions(layer=layer), rows, no_progress)


def check(data: bytes, ending: str, *rows: int) -> None:
    """Check that the saved rows are read like those of the original file."""
    subset, original = saved(data, *rows), read(data)
    assert (subset.ending, subset.note) == (ending, "")
    copy = read(subset.data)
    assert (copy.format, copy.columns, copy.encoding) == (original.format, original.columns, original.encoding)
    wanted = [row for row in original.rows if row.number in rows]
    unnumbered = [{**row.values, "line": ""} for row in wanted]
    assert [{**row.values, "line": ""} for row in copy.rows] == unnumbered
    assert [(row.parts, row.fault) for row in copy.rows] == [(row.parts, row.fault) for row in wanted]
    assert len(wanted) == len(rows)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "windows-1252"])
def test_rows_of_a_table_keep_their_separator_and_encoding(encoding: str) -> None:
    check(CSV.encode(encoding), ".csv", 2, 4)
    assert saved(CSV.encode(), 4).data == "id;name;note\r\n2;Café;'=x\r\n".encode()


def test_a_row_with_too_few_cells_is_saved_as_it_is() -> None:
    assert saved(b"sep=|\na|b\n1\n2|3\n", 3).data == b"sep=|\r\na|b\r\n1\r\n"


@pytest.mark.parametrize(
    ("text", "ending"), [(COLLECTION, ".geojson"), (KML, ".kml"), (GPX, ".gpx"), (WKT, ".wkt")], ids=str
)
def test_features_are_copied_unchanged(text: str, ending: str) -> None:
    rows = (3, 4) if text == WKT else (2, 3)
    check(text.encode(), ending, *rows)
    if text == COLLECTION:
        expected = {"type": "FeatureCollection", "crs": CRS, "features": FEATURES[1:], "after": 1}
        assert json.loads(saved(text.encode(), 2, 3).data) == expected


def test_a_compressed_document_is_saved_without_compression() -> None:
    subset = saved(pack([("doc.kml", KML.encode())]), 2)
    assert [row.values["Name"] for row in read(subset.data).rows] == ["2"]


def in_folder(number: int) -> str:
    """Return the KML with one of its features in a folder."""
    feature = PLACEMARK.format(number)
    return KML.replace(feature, f"<Folder><name>f</name>{feature}</Folder>")


def test_features_in_folders_are_copied_with_their_folders() -> None:
    folders = (f"<Folder><name>{name}</name>{PLACEMARK.format(name)}</Folder>" for name in (1, 2, 3))
    data = f'<kml xmlns="http://www.opengis.net/kml/2.2"><Document>{"".join(folders)}</Document></kml>'
    subset = saved(data.encode(), 2, 3)
    assert (subset.ending, subset.note) == (".kml", "")
    copied = [(row.values["folder"], row.values["note"], row.parts) for row in read(subset.data).rows]
    assert copied == [(at, f"{at}!", row.parts) for at, row in zip("23", read(data.encode()).rows[1:], strict=True)]


def test_features_in_folders_that_are_read_in_another_order_become_geojson() -> None:
    data = in_folder(1)
    subset = saved(data.encode(), 1)
    note = "Rows of this KML cannot be copied; they were saved as GeoJSON."
    assert (subset.ending, subset.note) == (".geojson", note)
    (row,) = read(subset.data).rows
    assert row.parts == read(data.encode()).rows[0].parts


def test_rows_of_a_workbook_become_a_table() -> None:
    data = workbook(Sheet("Zones", [["id", "name"], [1, "Süd"], [2, "=1"]]))
    subset = saved(data, 3)
    assert (subset.ending, subset.note) == (".csv", "Rows of this Excel file cannot be copied; they were saved as CSV.")
    assert [dict(row.values) for row in read(subset.data).rows] == [{"id": "2", "name": "=1"}]


@pytest.mark.parametrize(
    ("driver", "ending"), [("GPKG", ".gpkg"), ("ESRI Shapefile", ".shp")], ids=["gpkg", "shapefile"]
)
def test_records_of_a_database_keep_their_columns_and_system(tmp_path: Path, driver: str, ending: str) -> None:
    shapes = [shapely.box(2_700_000 + at, 1_200_000, 2_701_000 + at, 1_201_000) for at in range(3)]
    fields = [
        np.array(["Süd", "Café", "Bar"], dtype=object),
        np.array([1, 2, 3], dtype=np.int32),
        np.array([0.5, 1.5, 2.5]),
        np.array(["2024-01-01", "2024-01-02", "2024-01-03"], dtype="datetime64[D]"),
    ]
    names = np.array(["name", "number", "share", "since"])
    file, wkb = tmp_path / f"zones{ending}", shapely.to_wkb(np.array(shapes, dtype=object))
    raw.write(str(file), wkb, fields, names, driver=driver, crs="EPSG:2056", geometry_type="Polygon")
    parts = [(each.name, each.read_bytes()) for each in sorted(tmp_path.iterdir())]
    data = file.read_bytes() if driver == "GPKG" else pack(parts)
    check(data, ".gpkg" if driver == "GPKG" else ".zip", 2, 3)


def test_a_layer_that_cannot_be_copied_becomes_geojson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "zones.gpkg"
    wkb = shapely.to_wkb(np.array([shapely.box(1, 2, 3, 4)], dtype=object))
    for layer in ("a", "b"):
        name = [np.array([layer], dtype=object)]
        raw.write(
            str(file), wkb, name, np.array(["name"]), driver="GPKG", crs="EPSG:4326", geometry_type="Polygon",
            layer=layer, append=layer == "b",
        )  # fmt: skip
    copied = saved(file.read_bytes(), 1, layer="b")
    assert [row.values["name"] for row in read(copied.data).rows] == ["b"]
    monkeypatch.setattr("engine.tabular.formats.subset._COPIER", "engine.no_such_module")
    subset = saved(file.read_bytes(), 1, layer="b")
    assert (subset.ending, [row.values["name"] for row in read(subset.data).rows]) == (".geojson", ["b"])
