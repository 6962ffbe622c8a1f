"""Files made by others: each kind opens with a suggestion under which every row becomes a geofence."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pyogrio
import pytest
import shapely

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence
from engine.domain.imports import DEFAULT_OPTIONS, ImportFile, ImportOptions, ImportReport, Repair, RowAction
from engine.domain.values import replace
from engine.engine import Engine
from engine.tabular.formats.source import SeveralLayers
from tests.engine.tabular.workbooks import Sheet, workbook

TEST = Environment.TEST


def square(at: int) -> Any:
    return shapely.box(9 + at / 10, 47, 9.05 + at / 10, 47.05)


def collection(*properties: dict[str, Any], shape: Callable[[int], Any] = square, **extra: Any) -> bytes:
    features = [
        {
            "type": "Feature",
            "properties": each,
            "geometry": shapely.geometry.mapping(shape(at)),
            **{name: values[at] for name, values in extra.items()},
        }
        for at, each in enumerate(properties)
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()


def written(path: Path, columns: dict[str, list[Any]], *, driver: str, **options: Any) -> Path:
    count = len(next(iter(columns.values())))
    shapes = np.array([square(at).wkb for at in range(count)], dtype=object)
    values = [
        np.array(cells, dtype=type(cells[0]) if not isinstance(cells[0], str) else object) for cells in columns.values()
    ]
    pyogrio.raw.write(
        path, shapes, values, list(columns), driver=driver, geometry_type="Polygon", crs="EPSG:4326", **options
    )
    return path


def opened(engine: Engine, file: ImportFile, layer: str | None = None) -> tuple[ImportOptions, ImportReport]:
    """Return the suggestion for a file, and the preview with it."""
    part = ImportOptions(layer=layer)
    guess = engine.imports.heading(file, part).guess
    assert guess is not None
    guess = replace(guess, layer=layer)
    return guess, engine.imports.preview(TEST, file, guess)


def stored(engine: Engine, data: bytes, name: str, layer: str | None = None) -> dict[str, Geofence]:
    """Import a file as suggested, and return its geofences by tag and external ID."""
    file = ImportFile(data, name)
    options, report = opened(engine, file, layer)
    assert not report.errors
    assert {row.action for row in report.judged} == {RowAction.CREATE}
    assert engine.imports.run(TEST, file, options).report.created == report.rows
    return {f"{each.tag}/{each.external_id}": each for each in engine.geofences.all(TEST)}


def test_districts_with_german_headers_in_capitals(engine: Engine) -> None:
    data = collection(
        {"SCHLUESSEL": "01", "BEZIRK": "Mitte", "EINWOHNER": 380000, "AKTIV": True},
        {"SCHLUESSEL": "02", "BEZIRK": "Neukölln", "EINWOHNER": 330000, "AKTIV": False},
    )
    found = stored(engine, data, "Berlin Bezirke.geojson")
    assert {key: each.description for key, each in found.items()} == {
        "berlin-bezirke/01": "Mitte",
        "berlin-bezirke/02": "Neukölln",
    }
    assert dict(found["berlin-bezirke/01"].metadata) == {"EINWOHNER": 380000, "AKTIV": True}


def test_boroughs_as_a_shapefile_with_codes(engine: Engine, tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {
        "GEOID": ["36047", "36061"],
        "BoroName": ["Brooklyn", "Manhattan"],
        "Shape_Area": [1.5, 2.5],
    }
    written(tmp_path / "nybb.shp", columns, driver="ESRI Shapefile", encoding="UTF-8")
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for each in tmp_path.iterdir():
            archive.write(each, f"nybb/{each.name}")
    found = stored(engine, out.getvalue(), "nybb (1).zip")
    assert {key: each.description for key, each in found.items()} == {
        "nybb/36047": "Brooklyn",
        "nybb/36061": "Manhattan",
    }
    assert dict(found["nybb/36061"].metadata) == {"Shape_Area": 2.5}


def test_a_shapefile_with_a_code_page(engine: Engine, tmp_path: Path) -> None:
    columns = {"NAME": ["Köln", "Düren"]}
    written(tmp_path / "orte.shp", columns, driver="ESRI Shapefile", encoding="ISO-8859-1")
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for each in tmp_path.iterdir():
            archive.write(each, each.name)
        assert "orte.cpg" in archive.namelist()
    found = stored(engine, out.getvalue(), "orte.zip")
    assert {key: each.description for key, each in found.items()} == {"orte/koln": "Köln", "orte/duren": "Düren"}


_PLACEMARK = (
    "<Placemark><name>{name}</name>{more}<styleUrl>#icon-1899-0288D1</styleUrl>"
    "<ExtendedData><Data name='Besuche'><value>{visits}</value></Data></ExtendedData>{shape}</Placemark>"
)
_POINT = "<Point><coordinates>\n 9.5,47.1,0\n</coordinates></Point>"
_RING = (
    "<Polygon><outerBoundaryIs><LinearRing><tessellate>1</tessellate><coordinates>9,47,0 9.1,47,0 9.1,47.1,0 9,47,0"
    "</coordinates></LinearRing></outerBoundaryIs></Polygon>"
)
MY_MAPS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Touren</name>'
    '<Style id="icon-1899-0288D1-normal"><IconStyle><scale>1</scale></IconStyle></Style>'
    "<Folder><name>Läden</name>"
    + _PLACEMARK.format(
        name="Café", more="<description><![CDATA[gut<br>Besuche: 3]]></description>", visits=3, shape=_POINT
    )
    + _PLACEMARK.format(name="Café", more="", visits=4, shape=_POINT)
    + "</Folder><Folder><name>Gebiete</name>"
    + _PLACEMARK.format(name="Altstadt", more="", visits=5, shape=_RING)
    + "</Folder></Document></kml>"
)


def test_a_map_of_my_maps_with_folders_and_styles(engine: Engine) -> None:
    found = stored(engine, MY_MAPS.encode(), "Touren.kml")
    assert {key: each.description for key, each in found.items()} == {
        "touren/cafe": "Café",
        "touren/cafe-2": "Café",
        "touren/altstadt": "Altstadt",
    }
    assert found["touren/cafe"].metadata["Besuche"] == 3
    assert [found[f"touren/{name}"].metadata["folder"] for name in ("cafe", "altstadt")] == ["Läden", "Gebiete"]
    assert "gut" in str(found["touren/cafe"].metadata["description"])
    assert found["touren/cafe"].geometry.type.value == "circle"


def test_the_same_map_packed(engine: Engine) -> None:
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        archive.writestr("doc.kml", MY_MAPS)
        archive.writestr("images/icon-1.png", b"x")
    assert len(stored(engine, out.getvalue(), "Touren.kmz")) == 3


GPX = (
    '<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">'
    '<wpt lat="47.1" lon="9.5"><ele>440</ele><name>Hütte</name><sym>Flag</sym></wpt>'
    '<wpt lat="47.2" lon="9.5"><ele>450</ele><name>Quelle</name><sym>Flag</sym></wpt>'
    '<rte><name>R</name><rtept lat="47.1" lon="9.5"/><rtept lat="47.2" lon="9.5"/></rte></gpx>'
)


def test_waypoints_beside_a_route(engine: Engine) -> None:
    found = stored(engine, GPX.encode(), "tour.gpx")
    assert set(found) == {"tour/hutte", "tour/quelle"}
    assert found["tour/hutte"].metadata["ele"] == 440
    warnings = opened(engine, ImportFile(GPX.encode(), "tour.gpx"))[1].warnings
    assert any("1 route" in each.message for each in warnings)


def test_a_geopackage_with_two_layers(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "town.gpkg"
    written(path, {"nr": [12, 13], "label": ["A", "B"]}, driver="GPKG", layer="Parks")
    written(path, {"nr": [12, 13], "label": ["C", "D"]}, driver="GPKG", layer="Schools", append=True)
    file = ImportFile(path.read_bytes(), "town.gpkg")
    with pytest.raises(SeveralLayers):
        engine.imports.heading(file)
    found = stored(engine, file.data, file.name, "Schools")
    assert {key: each.description for key, each in found.items()} == {"schools/12": "C", "schools/13": "D"}


def test_flatgeobuf(engine: Engine, tmp_path: Path) -> None:
    path = written(tmp_path / "zones.fgb", {"gid": [1, 2], "name": ["A", "B"]}, driver="FlatGeobuf")
    found = stored(engine, path.read_bytes(), "zones.fgb")
    assert {key: each.description for key, each in found.items()} == {"zones/1": "A", "zones/2": "B"}


def test_a_table_with_shapes_as_text(engine: Engine) -> None:
    rows = "".join(f'{at};Zone {at};x;"{square(at).wkt}"\n' for at in range(3))
    found = stored(engine, f"id;titel;typ;the_geom\n{rows}".encode(), "zonen.csv")
    assert set(found) == {"zonen/0", "zonen/1", "zonen/2"}
    assert {each.geometry.type.value for each in found.values()} == {"polygon"}
    assert dict(found["zonen/1"].metadata) == {"typ": "x"}


def test_a_table_with_degrees_and_a_column_type_of_its_own(engine: Engine) -> None:
    text = "Shop Name,type,Lat,Lon,Postal code\nCafé,bar,47.1,9.5,00123\nInn,pub,47.2,9.5,00456\n"
    found = stored(engine, text.encode(), "shops.csv")
    assert set(found) == {"shops/00123", "shops/00456"}
    assert dict(found["shops/00123"].metadata) == {"type": "bar"}
    assert found["shops/00123"].description == "Café"


def test_points_with_umlauts_and_decimal_commas(engine: Engine) -> None:
    text = (
        "Name;Straße;Länge;Breite;Größe\nMünchner Hof;Hauptstraße 1;9,52;47,14;100\nCafé Zürich;Weg 7;9,53;47,15;80\n"
    )
    found = stored(engine, text.encode(), "hotels.csv")
    assert [(key, each.description) for key, each in sorted(found.items())] == [
        ("hotels/cafe-zurich", "Café Zürich"),
        ("hotels/munchner-hof", "Münchner Hof"),
    ]
    assert found["hotels/munchner-hof"].geometry.radius_m == 100  # type: ignore[union-attr]


def test_an_excel_file(engine: Engine) -> None:
    rows: list[list[object]] = [
        ["Standort", "Objekt-Nr", "X", "Y"],
        ["Lager", 7.0, 9.5, 47.1],
        ["Büro", 8.0, 9.6, 47.2],
    ]
    found = stored(engine, workbook(Sheet("Tabelle1", rows)), "Standorte 2025.xlsx")
    assert set(found) == {"standorte-2025/7", "standorte-2025/8"}


def test_nested_properties_are_kept_as_text(engine: Engine) -> None:
    data = collection({"name": "A", "tags": {"level": 2}, "list": [1, 2]}, {"name": "B", "tags": None, "list": []})
    found = stored(engine, data, "osm.geojson")
    assert dict(found["osm/a"].metadata) == {"tags": '{"level":2}', "list": "[1,2]"}


def test_duplicate_ids_are_no_external_ids(engine: Engine) -> None:
    data = collection({"id": 1, "code": "x", "name": "A"}, {"id": 1, "code": "y", "name": "B"})
    found = stored(engine, data, "zones.geojson")
    assert set(found) == {"zones/x", "zones/y"}
    assert found["zones/x"].metadata["id"] == 1


def test_rows_without_a_name_get_that_of_the_file(engine: Engine) -> None:
    data = collection({"name": "A"}, {"name": None}, {"name": ""})
    found = stored(engine, data, "Zones of 2024.geojson")
    assert {key: each.description for key, each in found.items()} == {
        "zones-of-2024/a": "A",
        "zones-of-2024/zones-of-2024": "Zones of 2024",
        "zones-of-2024/zones-of-2024-2": "Zones of 2024",
    }


def test_numbers_with_zero_decimals_are_whole_ids(engine: Engine) -> None:
    data = collection({"OBJECTID": 1.0, "Name": "A"}, {"OBJECTID": 2.0, "Name": "B"})
    assert set(stored(engine, data, "zones.geojson")) == {"zones/1", "zones/2"}


def test_the_ids_of_features_are_external_ids(engine: Engine) -> None:
    data = collection({"name": "A"}, {"name": "A"}, id=["way/1", "way/2"])
    assert set(stored(engine, data, "export.geojson")) == {"export/way/1", "export/way/2"}


def test_features_without_properties_are_numbered_and_continue(engine: Engine) -> None:
    data = collection({}, {})
    assert set(stored(engine, data, "drawn.geojson")) == {"drawn/1", "drawn/2"}
    assert set(stored(engine, data, "drawn.geojson")) == {"drawn/1", "drawn/2", "drawn/3", "drawn/4"}


def test_text_of_geometries(engine: Engine) -> None:
    found = stored(engine, f"{square(0).wkt}\n{square(1).wkt}\n".encode(), "drawn.wkt")
    assert set(found) == {"drawn/1", "drawn/2"}


def test_an_own_export_is_read_as_it_is(engine: Engine) -> None:
    text = b"tag,externalId,description,type,coordinates,radius\nt,1.0,D,circle,[9;47],x\n"
    guess = engine.imports.heading(ImportFile(text, "x.csv")).guess
    assert guess == ImportOptions(repairs=frozenset({Repair.RINGS, Repair.SIMPLIFY}))


def test_a_table_without_positions_has_no_suggestion(engine: Engine) -> None:
    assert engine.imports.heading(ImportFile(b"a,b\n1,2\n", "x.csv")).guess is None


def test_columns_beyond_the_limit_are_named(engine: Engine) -> None:
    data = collection({"code": "1", "name": "A", **{f"k{at:02}": at for at in range(20)}})
    options, report = opened(engine, ImportFile(data, "z.geojson"))
    assert options.metadata == ("all",)
    assert [(each.column, "'k16', 'k17', 'k18', 'k19'" in each.message) for each in report.warnings] == [
        ("metadata", True)
    ]
    (row,) = report.judged
    assert row.record is not None
    assert len(row.record.metadata) == 16


def test_a_preview_marks_geofences_that_other_files_created(engine: Engine) -> None:
    data = collection({"code": "1", "name": "A"}, {"code": "2", "name": "B"})
    stored(engine, data, "zones.geojson")
    changed = data.replace(b'"A"', b'"C"')
    assert [row.overwrites for row in opened(engine, ImportFile(changed, "zones.geojson"))[1].judged] == [False, False]
    options, _ = opened(engine, ImportFile(changed, "zones.geojson"))
    other = engine.imports.preview(TEST, ImportFile(changed, "other.geojson"), options)
    assert [(row.action, row.overwrites) for row in other.judged] == [
        (RowAction.UPDATE, True),
        (RowAction.UNCHANGED, False),
    ]


def test_a_row_that_replaces_an_earlier_row_overwrites_nothing_of_other_files(engine: Engine) -> None:
    data = collection({"code": "1", "name": "A"}, {"code": "1", "name": "B"}, {"code": "2", "name": "C"})
    options = ImportOptions(mapping={"externalId": "code", "description": "name"}, fixed={"tag": "zones"})
    report = engine.imports.preview(TEST, ImportFile(data, "zones.geojson"), options)
    assert [(row.action, row.overwrites) for row in report.judged] == [
        (RowAction.CREATE, False),
        (RowAction.UPDATE, False),
        (RowAction.CREATE, False),
    ]
    stored(engine, collection({"code": "1", "name": "Z"}), "zones.geojson")
    report = engine.imports.preview(TEST, ImportFile(data, "other.geojson"), options)
    assert [row.overwrites for row in report.judged] == [True, False, False]


def test_unattended_imports_still_refuse_unknown_columns(engine: Engine) -> None:
    text = 'tag,externalId,description,type,coordinates,raduis\nt,1,D,polygon,"[[9,47],[9.1,47],[9.1,47.1],[9,47]]",5\n'
    file = ImportFile(text.encode(), "f.csv")
    with pytest.raises(InvalidParameter, match="unknown column 'raduis'"):
        engine.imports.run(TEST, file, DEFAULT_OPTIONS)
    with pytest.raises(InvalidParameter, match="no column 'radios'"):
        engine.imports.run(TEST, file, ImportOptions(metadata=("radios",)))
    report = engine.imports.run(TEST, file, ImportOptions(metadata=("raduis",))).report
    assert (report.created, report.warnings) == (1, ())
    assert dict(engine.geofences.get_by_key(TEST, "t", "1").metadata) == {"raduis": 5}
    (warning,) = engine.imports.run(TEST, file, ImportOptions(metadata=("all",))).report.warnings
    assert "became metadata" in warning.message


def test_chosen_columns_only_become_metadata_and_the_others_stay_refused(engine: Engine) -> None:
    text = 'tag,externalId,description,type,coordinates,radius,floor,flor\nt,1,D,circle,"[9,47]",50,2,3\n'
    with pytest.raises(InvalidParameter, match="unknown column 'flor'"):
        engine.imports.run(TEST, ImportFile(text.encode(), "f.csv"), ImportOptions(metadata=("floor",)))


def test_a_field_without_a_column(engine: Engine) -> None:
    text = 'tag,externalId,description,type,coordinates,radius,enabled\nt,1,D,circle,"[9,47]",50,ja\n'
    options = ImportOptions(mapping={"enabled": ""})
    report = engine.imports.run(TEST, ImportFile(text.encode(), "f.csv"), options).report
    assert (report.created, report.ignored) == (1, ("enabled",))


def test_a_new_point_needs_a_radius(engine: Engine) -> None:
    data = collection({"code": "1", "name": "A"}, shape=lambda at: shapely.Point(9, 47 + at))
    options, _ = opened(engine, ImportFile(data, "z.geojson"))
    assert options.fixed["radius"] == "100"
    fixed = {name: value for name, value in options.fixed.items() if name != "radius"}
    (row,) = engine.imports.preview(TEST, ImportFile(data, "z.geojson"), replace(options, fixed=fixed)).judged
    assert [(error.column, "has no radius" in error.message) for error in row.errors] == [("radius", True)]


@pytest.mark.parametrize("made", ["names", "numbers"])
def test_made_ids_exclude_a_column_of_ids(engine: Engine, made: str) -> None:
    data = collection({"tag": "t", "externalId": "9", "description": "Ä"})
    file = ImportFile(data, "z.geojson")
    (row,) = engine.imports.preview(TEST, file, ImportOptions(id=made)).judged
    assert row.record is not None
    assert row.record.external_id == ("a" if made == "names" else "1")
    with pytest.raises(InvalidParameter, match="only one of these"):
        engine.imports.preview(TEST, file, ImportOptions(id=made, mapping={"externalId": "externalId"}))
