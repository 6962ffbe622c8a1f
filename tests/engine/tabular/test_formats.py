"""Files of every kind are recognized by their contents; hostile ones are refused with a reason."""

import json
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import shapely
from pyogrio import raw

from engine.domain.errors import InvalidParameter
from engine.domain.ports import no_progress
from engine.tabular.formats import vector
from engine.tabular.formats.archives import pack
from engine.tabular.formats.opening import open_source
from engine.tabular.formats.source import FileFormat, Part, SeveralLayers, Source

RING = ((9.0, 47.0), (9.1, 47.0), (9.1, 47.1), (9.0, 47.0))
SQUARE = shapely.Polygon(RING)
KML = """<?xml version="1.0"?>{}<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>d</name><Placemark>
<name>Store</name><ExtendedData><Data name="tag"><value>shop</value></Data></ExtendedData>
<Point><coordinates>9.5,47.1,300</coordinates></Point></Placemark></Document></kml>"""
GPX = """<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">
<wpt lat="47.1" lon="9.5"><name>A</name></wpt><wpt lat="47.2" lon="9.6"><name>B</name></wpt></gpx>"""


def read(data: bytes | str, layer: str | None = None) -> Source:
    return open_source(data.encode() if isinstance(data, str) else data, "a file", layer, no_progress)


def refusal(data: bytes | str) -> str:
    with pytest.raises(InvalidParameter) as caught:
        read(data)
    return caught.value.message


def saved(
    folder: Path, name: str, driver: str, crs: str | None = "EPSG:4326", shape: object = SQUARE, **more: object
) -> Path:
    """Write a file with one named feature, like QGIS."""
    file = folder / name
    wkb = shapely.to_wkb(np.array([shape], dtype=object))
    names = [np.array(["Ärger"], dtype=object)]
    raw.write(str(file), wkb, names, np.array(["name"]), driver=driver, crs=crs, geometry_type="Polygon", **more)
    return file


def zipped(folder: Path, stem: str) -> bytes:
    return pack((file.name, file.read_bytes()) for file in folder.iterdir() if file.stem == stem)


def feature(geometry: object, **properties: object) -> dict[str, object]:
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def collection(*features: object, **more: object) -> bytes:
    return json.dumps({"type": "FeatureCollection", "features": features, **more}).encode()


def test_geojson_keeps_the_types_of_properties_as_cells_spell_them() -> None:
    point = {"type": "Point", "coordinates": [9, 47, 400]}
    source = read(b"\xef\xbb\xbf" + collection(feature(point, a="x", b=True, c=1.5, d={"k": [1]}, e=None)))
    (row,) = source.rows
    assert dict(row.values) == {"a": "x", "b": "true", "c": "1.5", "d": '{"k":[1]}', "e": ""}
    assert row.parts == (Part("point", (9, 47)),)


def test_every_part_of_a_collection_is_one() -> None:
    ring = [list(position) for position in RING]
    many = {"type": "MultiPolygon", "coordinates": [[ring], [ring]]}
    mixed = {"type": "GeometryCollection", "geometries": [many, {"type": "Point", "coordinates": [1, 2]}]}
    (row,) = read(collection(feature(mixed))).rows
    assert row.parts is not None
    assert [part.type for part in row.parts] == ["polygon", "polygon", "point"]


def test_holes_and_lines_are_read_without_heights() -> None:
    with_height = [[*position, 400] for position in RING]
    polygon = feature({"type": "Polygon", "coordinates": [with_height, RING]})
    lines = feature({"type": "MultiLineString", "coordinates": [with_height, RING]})
    first, second = read(collection(polygon, lines)).rows
    assert first.parts == (Part("polygon", RING, (RING,)),)
    assert second.parts == (Part("line", RING), Part("line", RING))


@pytest.mark.parametrize(
    ("given", "longitudes"),
    [
        ([170, 190, 190, 170], [170, -170, -170, 170]),
        ([-190, -170, -170, -190], [170, -170, -170, 170]),
        ([350, 360, 360, 350], [-10, 0, 0, -10]),
        ([180, 179, 179, 180], [180, 179, 179, 180]),
        ([361, 100, 100, 361], [361, 100, 100, 361]),
    ],
)
def test_longitudes_beyond_half_a_turn_are_turned_back(given: list[float], longitudes: list[float]) -> None:
    latitudes = [1, 1, 2, 1]
    ring = [list(pair) for pair in zip(given, latitudes, strict=True)]
    text = ", ".join(f"{longitude} {latitude}" for longitude, latitude in ring)
    for data in (collection(feature({"type": "Polygon", "coordinates": [ring]})), f"POLYGON (({text}))"):
        (row,) = read(data).rows
        assert row.parts == (Part("polygon", tuple(zip(longitudes, latitudes, strict=True))),)


@pytest.mark.parametrize(
    ("geometry", "words"),
    [
        ({"type": "MultiPolygon", "coordinates": []}, "empty"),
        ({"type": "Curve"}, "must be a Point"),
    ],
)
def test_an_unsuitable_geometry_is_an_error_of_its_row(geometry: object, words: str) -> None:
    (row,) = read(collection(feature(geometry))).rows
    assert row.fault is not None
    assert words in row.fault


def test_web_mercator_is_reprojected() -> None:
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}
    (row,) = read(collection(feature({"type": "Point", "coordinates": [1_057_535.2, 5_942_074.0]}), crs=crs)).rows
    assert row.parts is not None
    longitude, latitude = row.parts[0].coordinates
    assert (longitude, latitude) == (pytest.approx(9.5, abs=1e-3), pytest.approx(47.0, abs=1e-2))
    assert "is not known" in refusal(collection(crs={"type": "name", "properties": {"name": "EPSG:999999"}}))


def test_wkt_is_a_geometry_per_line() -> None:
    source = read("POINT Z (9 47 1)\n\nSRID=4326;POLYGON((9 47,9.1 47,9.1 47.1,9 47))\nPOINT(9\n")
    assert [(row.number, row.fault is None) for row in source.rows] == [(1, True), (3, True), (4, False)]
    assert source.rows[0].parts == (Part("point", (9.0, 47.0)),)


@pytest.mark.parametrize("packed", [False, True])
def test_kml_and_kmz(packed: bool) -> None:
    data = KML.format("").encode()
    source = read(pack([("doc.kml", data)]) if packed else data)
    (row,) = source.rows
    assert (source.format, row.values["Name"], row.values["tag"]) == (FileFormat.KML, "Store", "shop")
    assert row.parts == (Part("point", (9.5, 47.1)),)


def test_gpx_waypoints() -> None:
    source = read(GPX)
    assert [row.values["name"] for row in source.rows] == ["A", "B"]
    assert source.rows[1].parts == (Part("point", (9.6, 47.2)),)


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:2056"])
def test_a_shapefile_is_read_and_reprojected(tmp_path: Path, crs: str) -> None:
    swiss = shapely.Polygon([(2_700_000, 1_200_000), (2_701_000, 1_200_000), (2_701_000, 1_201_000)])
    saved(tmp_path, "zones.shp", "ESRI Shapefile", crs, SQUARE if crs == "EPSG:4326" else swiss)
    (row,) = read(zipped(tmp_path, "zones")).rows
    assert row.values == {"name": "Ärger"}
    assert row.parts is not None
    assert shapely.box(5, 45, 11, 48).contains(shapely.Polygon(row.parts[0].coordinates))


def test_a_geopackage(tmp_path: Path) -> None:
    (row,) = read(saved(tmp_path, "zones.gpkg", "GPKG").read_bytes()).rows
    assert (row.values, row.parts) == (
        {"name": "Ärger"},
        (Part("polygon", tuple(shapely.Polygon(RING).exterior.coords)),),
    )


def test_several_layers_have_to_be_chosen_from(tmp_path: Path) -> None:
    for name in ("a", "b"):
        saved(tmp_path, f"{name}.shp", "ESRI Shapefile")
    data = pack((file.name, file.read_bytes()) for file in tmp_path.iterdir())
    assert refusal(data) == "layer: there are several layers: 'a', 'b'. Choose one."
    assert len(read(data, "b").rows) == 1


def test_the_layers_of_a_geopackage_are_listed_to_choose_from(tmp_path: Path) -> None:
    data = saved(tmp_path, "a.gpkg", "GPKG").read_bytes()
    assert len(read(data).rows) == 1
    data = saved(tmp_path, "a.gpkg", "GPKG", layer="b", append=True).read_bytes()
    with pytest.raises(SeveralLayers) as refused:
        read(data)
    assert refused.value.layers == ("a", "b")
    assert len(read(data, "b").rows) == 1


def bomb() -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("doc.kml", b" " * 50_000_000)
    return out.getvalue()


def lying() -> bytes:
    """Return an archive whose directory claims that its file is small."""
    data = bytearray(bomb())
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = (100).to_bytes(4, "little")
    return bytes(data)


LAUGHS = '<!DOCTYPE kml [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"PK\x03\x04nonsense", "damaged"),
        (pack([("readme.txt", b"x")]), "no geographic file or table"),
        (pack([("a.shp", b"\x00\x00\x27\x0a")]), "no .dbf"),
        (pack([("a.shp", b"\x00\x00\x27\x0a" + b"\xff" * 96), ("a.dbf", b"x")]), "Shapefile"),
        (KML.format(LAUGHS), "document type is not allowed"),
        ("<kml>" + "<a>" * 500, "nested more than"),
        ("<kml><Document>", "this is not XML"),
        ("<html></html>", "neither KML nor GPX"),
        ("<OGRVRTDataSource><OGRVRTLayer/></OGRVRTDataSource>", "neither KML nor GPX"),
        (b"SQLite format 3\0" + b"\0" * 100, "not a GeoPackage"),
        (b"SQLite format 3\0" + b"\0" * 52 + b"GPKG" + b"\xff" * 5_000, "GeoPackage"),
        ("[" * 100_000, "nested more than"),
        ('{"type":"Topology"}', "TopoJSON"),
        ('{"type":"FeatureCollection","features":[1', "not JSON"),
        (b'{"type":"\xff"}', "not"),
        ("a;b\n1;2\n\xff".encode("latin-1"), "not UTF-8"),
        (b"\xff\xfea\0b\0", "UTF-16"),
        (b"\x00\x00\x27\x0a" + b"\0" * 96, ".dbf"),
    ],
)
def test_a_hostile_file_is_refused_with_a_reason(data: bytes | str, words: str) -> None:
    assert words in refusal(data)


@pytest.mark.parametrize(("make", "words"), [(bomb, "too large when unpacked"), (lying, "in the ZIP archive is")])
def test_an_archive_that_unpacks_to_too_much_is_refused(make: Callable[[], bytes], words: str) -> None:
    assert words in refusal(make())


def test_a_missing_library_is_reported_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "find_spec", lambda name: None)
    assert "pip install 'fencewright[gis]'" in refusal(KML.format(""))
    assert len(read("POINT(9 47)").rows) == 1
