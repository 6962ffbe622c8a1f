"""Whole imports: columns with other names, geometries of several parts, many rows, a full disk."""

import json

import pytest

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, StorageUnavailable
from engine.domain.geometry import Circle, Point, Polygon
from engine.domain.imports import WHOLE_FILE, ImportFile, ImportOptions, ImportQuery, RowAction
from engine.engine import Engine
from engine.geofences.geofences import Decided
from engine.geofences.imports.rows import FORMAT
from engine.store.writer import Connection

TEST = Environment.TEST
RING: list[list[float]] = [[9, 47], [9.1, 47], [9.1, 47.1], [9, 47]]
HOLE = [[9.05, 47.01], [9.06, 47.01], [9.06, 47.02], [9.05, 47.01]]
HEADER = "description,type,tag,externalId,coordinates,radius\n"


def file(text: str, name: str = "f.csv") -> ImportFile:
    return ImportFile(text.encode(), name)


def table(*coordinates: object) -> ImportFile:
    cells = (json.dumps(each).replace('"', '""') for each in coordinates)
    rows = (f'P,polygon,t,{at},"{cell}",\n' for at, cell in enumerate(cells))
    return file(HEADER + "".join(rows))


def keys(engine: Engine) -> set[str]:
    return {geofence.external_id for geofence in engine.geofences.all(TEST)}


def test_a_dialect_of_spreadsheets(engine: Engine) -> None:
    text = "\ufeffsep=;\r\ndescription;type;tag;externalId;coordinates;radius;metadata\r\n"
    text += 'Café;circle;t;1;"[9.5,47.1]";"120,5";"{""a"": ""x;y""}"\r\n'
    assert engine.imports.run(TEST, file(text)).report.created == 1
    stored = engine.geofences.get_by_key(TEST, "t", "1")
    assert isinstance(stored.geometry, Circle)
    assert (stored.geometry.radius_m, dict(stored.metadata)) == (120.5, {"a": "x;y"})
    tabs = "tag\texternalId\tradius\nt\t1\t99,5\n"
    assert engine.imports.run(TEST, file(tabs)).report.updated == 1


def test_shapes_in_every_spelling(engine: Engine) -> None:
    wkt = "POLYGON((9 47, 9.1 47, 9.1 47.1, 9 47))"
    geojson = {"type": "Polygon", "coordinates": [RING]}
    many = [[RING], [[[10, 47], [10.1, 47], [10.1, 47.1], [10, 47]]]]
    report = engine.imports.run(TEST, table(RING, [RING], geojson, many)).report
    assert (report.created, report.errors) == (4, ())
    assert keys(engine) == {"0", "1", "2", "3"}
    by_wkt = engine.imports.run(TEST, file(f'tag,externalId,coordinates\nt,0,"{wkt}"\n')).report
    assert by_wkt.unchanged == 1
    geometry = engine.geofences.get_by_key(TEST, "t", "3").geometry
    assert isinstance(geometry, Polygon)
    assert [len(part.ring) for part in geometry.parts] == [4, 4]


def test_a_polygon_keeps_its_hole(engine: Engine) -> None:
    assert engine.imports.run(TEST, table([RING, HOLE])).report.created == 1
    geometry = engine.geofences.get_by_key(TEST, "t", "0").geometry
    assert isinstance(geometry, Polygon)
    assert [[list(position) for position in ring] for ring in geometry.rings] == [RING, HOLE]


def test_polygons_are_one_geofence_and_other_parts_are_left_out_with_a_warning(engine: Engine) -> None:
    point, line = {"type": "Point", "coordinates": [9.5, 47]}, {"type": "LineString", "coordinates": RING}
    polygon = {"type": "Polygon", "coordinates": [RING]}
    mixed = [{"type": "GeometryCollection", "geometries": each} for each in ([point, polygon, point, line], [line])]
    report = engine.imports.run(TEST, table(*mixed), ImportOptions(keep_good_rows=True)).report
    assert (report.rows, report.created, keys(engine)) == (2, 1, {"0"})
    assert [(warning.row, warning.message) for warning in report.warnings] == [
        (2, "The geofence has the polygons of the geometry, without 1 line and 2 points beside them.")
    ]
    (error,) = report.errors
    assert (error.row, error.column) == (3, "coordinates")
    assert "a line cannot be a geofence. Repair it with a width of lines" in error.message


def test_geofences_of_the_parts_of_a_shape_from_an_earlier_version_are_reported(engine: Engine) -> None:
    other = [[longitude + 1, latitude] for longitude, latitude in RING]
    rows = HEADER + "P,polygon,t,0-1,%s,\nP,polygon,t,0-2,%s,\n"
    earlier = file(rows % tuple(f'"{json.dumps(each)}"' for each in (RING, other)))
    assert engine.imports.run(TEST, earlier).report.created == 2
    (warning,) = engine.imports.preview(TEST, table([[RING], [other]])).warnings
    assert (warning.row, warning.column) == (2, "externalId")
    assert "geofences of their own, from an earlier import: 0-1, 0-2. Delete them" in warning.message
    elsewhere = [[longitude + 2, latitude] for longitude, latitude in RING]
    assert engine.imports.preview(TEST, table([[RING], [elsewhere]])).warnings == ()


def test_several_points_are_several_geofences(engine: Engine) -> None:
    points = {"type": "MultiPoint", "coordinates": [[9, 47], [10, 47]]}
    cell = json.dumps(points).replace('"', '""')
    text = f'description,type,tag,externalId,radius,coordinates\nD,circle,t,0,50,"{cell}"\n'
    assert engine.imports.run(TEST, file(text)).report.created == 2
    assert keys(engine) == {"0-1", "0-2"}


GERMAN = "Name;Straße;Länge;Breite;Größe\nMünchner Hof;Talweg 1;9,52;47,14;100\nCafé Zürich;Am Bach 7;9,53;47,15;80\n"


@pytest.mark.parametrize("encoding", ["latin-1", "windows-1252", "utf-16", "utf-8"])
def test_a_german_table_of_another_encoding_becomes_geofences(engine: Engine, encoding: str) -> None:
    data = ImportFile(GERMAN.encode(encoding), "zonen.csv")
    columns = engine.imports.heading(data).columns
    suggested = FORMAT.suggested(columns)
    assert suggested == {"description": "Name", "longitude": "Länge", "latitude": "Breite", "radius": "Größe"}
    mapping = {**suggested, "externalId": "Name"}
    options = ImportOptions(mapping=mapping, fixed={"type": "circle", "tag": "hotel"})
    outcome = engine.imports.run(TEST, data, options)
    assert {(each.description, each.geometry) for each in engine.geofences.all(TEST)} == {
        ("Münchner Hof", Circle(Point(9.52, 47.14), 100)),
        ("Café Zürich", Circle(Point(9.53, 47.15), 80)),
    }
    notes = [warning.message for warning in outcome.report.warnings]
    label = {"utf-16": "UTF-16 LE", "utf-8": ""}.get(encoding, "Windows-1252")
    assert notes == ([f"The text is not UTF-8; it was read as {label}."] if label else [])
    assert [warning.message for warning in outcome.record.warnings] == notes


def test_columns_are_mapped_and_the_others_ignored(engine: Engine) -> None:
    text = "No,Name,lat,lon,other\n1,Café,47.1,9.5,x\n2,Bar,47.1,,y\n"
    mapping = {
        "externalId": "no",
        "description": "Name",
        "latitude": "lat",
        "longitude": "lon",
        "metadata.shop": "Name",
    }
    fixed = {"tag": "shop", "type": "circle", "radius": "80"}
    report = engine.imports.preview(TEST, file(text), ImportOptions(mapping=mapping, fixed=fixed))
    assert (report.columns, report.ignored) == (("No", "Name", "lat", "lon", "other"), ("other",))
    good, bad = report.judged
    assert (good.action, bad.action) == (RowAction.CREATE, RowAction.ERROR)
    assert good.record is not None
    assert good.record.metadata["shop"] == "Café"
    assert [(error.row, error.column) for error in bad.errors] == [(3, "longitude")]


def test_a_column_is_mapped_by_its_exact_name_before_that_in_another_case(engine: Engine) -> None:
    text = 'Name,name,tag,type,coordinates,radius\nA,b,t,circle,"[9.5,47.1]",50\n'

    def key(column: str) -> object:
        options = ImportOptions(mapping={"externalId": column}, fixed={"description": "D"})
        (row,) = engine.imports.preview(TEST, file(text), options).judged
        assert row.record is not None
        return row.record.external_id

    assert [key(column) for column in ("Name", "name", " NAME ")] == ["A", "b", "A"]


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({"tga": "a"}, "no field"),
        ({"tag": "z"}, "no column 'z', which is mapped to tag[.] Columns: a, b, KIND"),
        ({"tag": "a"}, "externalId: no column has it"),
        ({"tag": "Kin"}, "no column 'Kin', which is mapped to tag; did you mean 'KIND'[?] Columns: a, b, KIND"),
    ],
)
def test_a_wrong_mapping_is_refused(engine: Engine, mapping: dict[str, str], words: str) -> None:
    with pytest.raises(InvalidParameter, match=words):
        engine.imports.preview(TEST, file("a,b,KIND\n1,2,3\n"), ImportOptions(mapping=mapping))


@pytest.mark.parametrize(
    ("cells", "differing"),
    [
        ('circle,"[9,47]",50,,', ()),
        ('circle,"[9,47]",60,,', ("radius",)),
        ('circle,"[9,46]",60,,', ("coordinates", "radius")),
        (f'polygon,"{RING}",,,', ("type",)),
        ('circle,"[9,47]",50,false,"{""a"": 1}"', ("enabled", "metadata")),
        ('circle,"[9,47]",50,false,"{""a"": true}"', ("enabled", "metadata")),
    ],
)
def test_a_preview_names_the_columns_in_which_a_row_differs(
    engine: Engine, cells: str, differing: tuple[str, ...]
) -> None:
    header = "description,tag,externalId,type,coordinates,radius,enabled,metadata\n"
    engine.imports.run(TEST, file(f'{header}D,t,1,circle,"[9,47]",50,,\n'))
    report = engine.imports.preview(TEST, file(f"{header}D,t,1,{cells}\n"))
    assert [row.differing for row in report.judged] == [differing]
    (renamed,) = engine.imports.preview(TEST, file(f"{header}E,t,1,{cells}\n")).judged
    assert renamed.differing == ("description", *differing)


def test_unknown_properties_of_a_map_are_ignored_and_named(engine: Engine) -> None:
    properties = {"tag": "t", "externalId": "1", "description": "D", "radius": 50, "shape_area": 1.5}
    feature = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [9, 47, 3]}, "properties": properties}
    report = engine.imports.run(TEST, file(json.dumps(feature), "f.geojson")).report
    assert (report.created, report.ignored, report.warnings) == (1, ("shape_area",), ())


def test_a_property_that_is_probably_misspelled_is_a_warning(engine: Engine) -> None:
    properties = {"tag": "t", "externalId": "1", "raduis": 50, "metdata.floor": "2", "Tags": "x", "type": "circle"}
    feature = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [9, 47, 3]}, "properties": properties}
    fixed = ImportOptions(fixed={"description": "D", "radius": "80"})
    report = engine.imports.run(TEST, file(json.dumps(feature), "f.geojson"), fixed).report
    assert (report.created, report.ignored) == (1, ("raduis", "metdata.floor", "Tags"))
    # The other columns are given already.
    assert [(each.row, each.column, each.message) for each in report.warnings] == [
        (WHOLE_FILE, "metdata.floor", "This column was ignored; did you mean metadata.floor?")
    ]
    without = ImportOptions(fixed={"description": "D"}, keep_good_rows=True)
    report = engine.imports.preview(TEST, file(json.dumps(feature), "f.geojson"), without)
    assert ("raduis", "This column was ignored; did you mean radius?") in [
        (each.column, each.message) for each in report.warnings
    ]


def test_a_column_named_like_a_field_that_becomes_metadata_is_no_misspelling(engine: Engine) -> None:
    properties = {"tag": "t", "externalId": "1", "description": "D", "radius": 50, "type": "food"}
    feature = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [9, 47]}, "properties": properties}
    options = ImportOptions(mapping={"type": ""}, metadata=("type",))
    report = engine.imports.run(TEST, file(json.dumps(feature), "f.geojson"), options).report
    assert (report.created, report.warnings) == (1, ())


PLACE = {"tag": "t", "description": "D", "radius": 50}


def places(*hours: dict[str, str]) -> ImportFile:
    """Return points with columns of hours, as an extract of OpenStreetMap has them."""
    features = [
        {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [9, 47]},
            "properties": {**PLACE, "externalId": str(number), **each},
        }
        for number, each in enumerate(hours)
    ]
    return file(json.dumps({"type": "FeatureCollection", "features": features}), "f.geojson")


def hours_of(engine: Engine, external_id: str = "0") -> str:
    return str(engine.geofences.get_by_key(TEST, "t", external_id).rules.operating_hours)


@pytest.mark.parametrize("column", ["opening_hours", "openingHours", "OPENING_HOURS", "operatingHours"])
def test_opening_hours_of_openstreetmap_are_read_and_what_is_left_out_is_listed(engine: Engine, column: str) -> None:
    texts = ("Mo-Fr 08:00-18:00", "Mo-Sa 08:00-18:00; PH off; Dec 25 off", "sunrise-sunset", "24/7", "")
    outcome = engine.imports.run(TEST, places(*({column: text} for text in texts)))
    report = outcome.report
    assert (report.created, report.ignored, report.errors) == (5, (), ())
    assert [hours_of(engine, str(number)) for number in range(5)] == [
        "Mon–Fri 08:00–18:00",
        "Mon–Sat 08:00–18:00",
        "None",
        "None",
        "None",
    ]
    assert [(warning.row, warning.column, warning.message) for warning in report.warnings] == [
        (2, "operatingHours", "Public holidays are left out: 'PH closed'."),
        (2, "operatingHours", "Dates are left out: 'Dec 25 closed'."),
        (
            3,
            "operatingHours",
            "'sunrise-sunset' gives no weekly hours, so the geofence keeps its own; a new one is always open.",
        ),
    ]
    assert (outcome.record.warned, outcome.record.warnings) == (3, report.warnings)
    assert engine.imports.get(TEST, outcome.record.id) == outcome.record
    judged = engine.imports.preview(TEST, places(*({column: text} for text in texts))).judged
    assert [(row.action, len(row.warnings)) for row in judged] == [(RowAction.UNCHANGED, n) for n in (0, 2, 1, 0, 0)]


def test_other_texts_in_a_column_of_hours_are_errors_that_show_the_form(engine: Engine) -> None:
    (error,) = engine.imports.run(TEST, places({"opening_hours": "9am to 5pm"})).report.errors
    assert (error.row, error.column) == (1, "operatingHours")
    assert error.message == (
        "operatingHours: '9am to 5pm' is neither JSON nor OpenStreetMap's opening_hours; "
        'write it as {"Mon": [["09:00", "17:00"]]} or Mo-Fr 09:00-17:00; Sa 10:00-12:00.'
    )


def test_hours_that_are_no_week_keep_the_stored_ones(engine: Engine) -> None:
    engine.imports.run(TEST, places({"opening_hours": "Mo 08:00-18:00"}))
    report = engine.imports.run(TEST, places({"opening_hours": "Apr-Oct 08:00-20:00"})).report
    assert (report.unchanged, len(report.warnings), hours_of(engine)) == (1, 1, "Mon 08:00–18:00")


@pytest.mark.parametrize("own", ["operatingHours", "operatingHours.Tue"])
def test_the_columns_of_the_program_come_before_opening_hours(engine: Engine, own: str) -> None:
    value = '[["09:00", "10:00"]]' if own.endswith("Tue") else '{"Tue": [["09:00", "10:00"]]}'
    report = engine.imports.run(TEST, places({"opening_hours": "Mo 08:00-18:00", own: value})).report
    assert (report.created, report.ignored, hours_of(engine)) == (1, ("opening_hours",), "Tue 09:00–10:00")


def test_opening_hours_can_be_mapped_elsewhere_or_from_any_column(engine: Engine) -> None:
    kept = ImportOptions(mapping={"metadata.opening_hours": "opening_hours"})
    report = engine.imports.run(TEST, places({"opening_hours": "call us"}), kept).report
    assert (report.created, report.warnings, hours_of(engine)) == (1, (), "None")
    mapped = ImportOptions(mapping={"operatingHours": "times"})
    engine.imports.run(TEST, places({"times": "Mo 08:00-18:00"}), mapped)
    assert hours_of(engine) == "Mon 08:00–18:00"
    fixed = ImportOptions(fixed={"operatingHours": "Tu 08:00-18:00"})
    engine.imports.run(TEST, places({}), fixed)
    assert hours_of(engine) == "Tue 08:00–18:00"


def test_a_warning_about_several_points_is_given_once(engine: Engine) -> None:
    cell = json.dumps({"type": "MultiPoint", "coordinates": [[9, 47], [10, 47]]}).replace('"', '""')
    header = "description,type,tag,externalId,radius,coordinates,opening_hours"
    text = f'{header}\nD,circle,t,0,50,"{cell}",Mo 08:00-09:00; PH off\n'
    report = engine.imports.run(TEST, file(text)).report
    assert (report.created, len(report.warnings)) == (2, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>'
         '<trkpt lat="47" lon="9"/></trkseg></trk></gpx>', "no waypoints; tracks can be played in the simulator"),
        ('{"type": "FeatureCollection", "features": []}', "no features"),
        (HEADER, "a header row and no others"),
    ],
)  # fmt: skip
def test_a_file_without_rows_is_reported(engine: Engine, text: str, words: str) -> None:
    for report in (engine.imports.preview(TEST, file(text)), engine.imports.run(TEST, file(text)).report):
        (warning,) = report.warnings
        assert (report.rows, report.errors, warning.row) == (0, (), 0)
        assert words in warning.message


def test_a_feature_without_a_geometry_is_reported(engine: Engine) -> None:
    text = json.dumps({"type": "Feature", "geometry": None, "properties": {"tag": "t", "externalId": "1"}})
    (error,) = engine.imports.run(TEST, file(text)).report.errors
    assert (error.row, error.column) == (1, "coordinates")
    assert "no geometry" in error.message


def test_a_row_that_repeats_another_names_it(engine: Engine) -> None:
    report = engine.imports.run(TEST, file(f'{HEADER}A,circle,t,1,"[9,47]",50\nB,circle,t,1,"[9,47]",50\n')).report
    assert (report.created, report.updated, report.errors) == (1, 1, ())
    (warning,) = report.warnings
    assert (warning.row, "replaces row 2" in warning.message) == (3, True)


def test_refused_rows_are_named_and_located_as_far_as_they_can_be_read(engine: Engine) -> None:
    ring = [[9, 47], [9.1, 47], [9.1, 47.1], [9, 47]]
    crossing = [(9.0, 47.0), (9.1, 47.1), (9.1, 47.0), (9.0, 47.1), (9.0, 47.0)]
    properties = {"tag": "t", "externalId": "1", "description": "Zone"}
    report = engine.imports.preview(
        TEST,
        collection(
            feature(1, {"type": "Polygon", "coordinates": [crossing]}),
            {"type": "Feature", "geometry": {"type": "Curve"}, "properties": properties},
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [9, 47]}, "properties": {"tag": "x"}},
            feature(4, {"type": "Polygon", "coordinates": [ring]}),
        ),
    )
    assert [(row.row, row.tag, row.external_id, row.name) for row in report.refused] == [
        (1, "t", "1", "P 1"),
        (2, "t", "1", "Zone"),
        (3, "x", "", ""),
    ]
    drawn = [row.refused.rings if row.refused else None for row in report.judged]
    assert drawn[0] == (tuple(crossing),)
    assert drawn[1:] == [(), (((9.0, 47.0),),), None]


def test_refused_lines_are_located(engine: Engine) -> None:
    line = [(9.0, 47.0), (9.1, 47.1)]
    (of_map,) = engine.imports.preview(
        TEST, collection(feature(1, {"type": "LineString", "coordinates": line}))
    ).refused
    assert of_map.rings == (tuple(line),)
    text = 'tag,externalId,description,type,coordinates\nt,1,D,polygon,"LINESTRING (9 47, 9.1 47.1, 9.2 47)"\n'
    (of_table,) = engine.imports.preview(TEST, file(text)).refused
    assert of_table.rings == (((9.0, 47.0), (9.1, 47.1), (9.2, 47.0)),)


def test_a_row_of_a_table_is_located_although_its_radius_is_invalid(engine: Engine) -> None:
    text = "tag,externalId,description,type,latitude,longitude,radius\nt,1,Café,circle,47,9,5\nt,2,Bar,circle,,9,x\n"
    first, second = engine.imports.preview(TEST, file(text)).refused
    assert (first.name, first.rings) == ("Café", (((9.0, 47.0),),))
    assert (second.name, second.rings) == ("Bar", ())


def test_each_of_many_bad_rows_is_reported(engine: Engine) -> None:
    """A benchmark has 100,000 rows; each bad one is reported by its number."""
    bad = set(range(2, 5_002, 50))
    rows = (f'D,circle,t,{at},"[9,47]",{5 if at in bad else 50}\n' for at in range(2, 5_002))
    progress: list[tuple[int, int]] = []
    data = file(HEADER + "".join(rows))
    report = engine.imports.preview(TEST, data, progress=lambda done, total: progress.append((done, total)))
    assert {error.row for error in report.errors} == bad
    assert (report.failed, report.created) == (100, 4_900)
    assert progress == sorted(progress)
    assert progress[-1] == (10_000, 10_000)


def test_a_full_disk_leaves_all_as_it_was(engine: Engine) -> None:
    """The database cannot grow in the middle of an import, and the import succeeds once there is space."""
    data = file(HEADER + "".join(f'D,circle,t,{at},"[9,47]",50\n' for at in range(3_000)))

    def limit(pages: str) -> None:
        def work(connection: Connection) -> None:
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

        engine.geofences.edit(TEST, lambda: Decided(lambda published: work(published.connection)))

    limit("60")
    with pytest.raises(StorageUnavailable, match="full"):
        engine.imports.run(TEST, data)
    assert (keys(engine), engine.imports.page(TEST, ImportQuery()).items) == (set(), ())
    assert engine.history.counts(TEST).geofences == 0
    limit("4294967294")
    assert engine.imports.run(TEST, data).report.created == 3_000


def feature(number: int, geometry: object) -> object:
    properties = {"tag": "t", "externalId": str(number), "description": f"P {number}", "radius": 100}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def collection(*features: object) -> ImportFile:
    return file(json.dumps({"type": "FeatureCollection", "features": features}), "f.geojson")


def test_a_feature_without_a_geometry_is_mentioned(engine: Engine) -> None:
    point = {"type": "Point", "coordinates": [9.5, 47.1]}
    first = engine.imports.run(TEST, collection(feature(1, point), feature(2, point)))
    assert first.report.warnings == ()
    report = engine.imports.run(TEST, collection(feature(1, point), feature(2, None))).report
    (warning,) = report.warnings
    assert (warning.row, warning.column) == (2, "coordinates")
    assert "has no geometry, so that of the geofence was kept" in warning.message
    assert engine.imports.run(TEST, file("tag,externalId,radius\nt,1,99\n")).report.warnings == ()
