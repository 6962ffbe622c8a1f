"""Tracks are read in every format of the window and the terminal, and errors in bad files name the position."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.reading import MAX_TRACK_BYTES, parse_track, read_track
from engine.simulation.timing import timed_points, untimed_reason
from tests.shared import SharedData

LINE = {"type": "LineString", "coordinates": [[14.5, 45.5, 600], [14.6, 45.6]]}
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
GPX = '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">{}</gpx>'
ONE_POINT = '<trk><trkseg><trkpt lat="45.5" lon="14.5"/></trkseg></trk>'


def saved(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(InvalidParameter) as caught:
        read_track(path)
    assert caught.value.param == "track"
    assert caught.value.message.startswith(f"{path.name}: ")
    assert "\n" not in caught.value.message
    return caught.value.message.removeprefix(f"{path.name}: ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "points", "timed"),
    [
        ("cerknicko-jezero.gpx", 296, True),
        ("cerknicko-without-times.gpx", 296, False),
        ("korita-zbevnica.gpx", 871, False),
        ("gpx1.1_with_all_fields.gpx", 1, True),
        ("track-with-empty-segment.gpx", 9, True),
    ],
)
def test_recorded_tracks(shared_data: SharedData, name: str, points: int, timed: bool) -> None:
    track = read_track(shared_data.track(name))
    assert (track.name, len(track.points), track.timed) == (name, points, timed)


def test_gpx_joins_tracks_and_segments_and_passes_over_empty_ones(tmp_path: Path) -> None:
    segment = '<trkseg><trkpt lat="1" lon="{}"><time>2026-01-01T12:00:00Z</time></trkpt></trkseg>'
    body = f"<trk>{segment.format(1)}<trkseg/>{segment.format(2)}</trk><trk/><trk>{segment.format(3)}</trk>"
    track = read_track(saved(tmp_path, "a.gpx", GPX.format(body)))
    assert track.points == tuple(TrackPoint(Point(lon, 1.0), NOON) for lon in (1.0, 2.0, 3.0))


def test_gpx_routes_stand_in_for_a_missing_track(tmp_path: Path) -> None:
    body = '<rte><rtept lat="1" lon="2"/></rte><rte><rtept lat="3" lon="4"/></rte><trk><trkseg/></trk>'
    track = read_track(saved(tmp_path, "a.gpx", GPX.format(body)))
    assert [point.point for point in track.points] == [Point(2.0, 1.0), Point(4.0, 3.0)]


@pytest.mark.parametrize("time", ["2026-01-01T12:00:00", "2026-01-01T14:00:00+02:00", "2026-01-01T12:00:00.000Z"])
def test_gpx_times_are_utc(time: str) -> None:
    body = f'<trk><trkseg><trkpt lat="1" lon="2"><time>{time}</time></trkpt></trkseg></trk>'
    assert parse_track(GPX.format(body).encode(), "a.gpx").points[0].at == NOON


def test_gpx_with_a_prefix_for_its_namespace() -> None:
    text = GPX.format(ONE_POINT).replace("xmlns=", "xmlns:g=").replace("<", "<g:").replace("<g:/", "</g:")
    assert parse_track(text.encode(), "a.gpx").points[0].point == Point(14.5, 45.5)


@pytest.mark.parametrize(
    ("prolog", "encoding"),
    [
        ("", "utf-8-sig"),
        ('<?xml version="1.0" encoding="UTF-16"?>', "utf-16"),
        ('<?xml version="1.0" encoding="ISO-8859-1"?>', "latin-1"),
    ],
)
def test_gpx_in_the_encoding_it_declares(prolog: str, encoding: str) -> None:
    body = f"{prolog}{GPX.format(f'<metadata><name>Čćž né</name></metadata>{ONE_POINT}')}"
    assert parse_track(body.encode(encoding, "ignore"), "a.gpx").points[0].point == Point(14.5, 45.5)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "it is empty."),
        (" \n ", "it is empty."),
        ("hello", "line 1, column 1: it is not XML"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "it is not XML"),
        ('<gpx><trk>\n<trkseg>\n<trkpt lat="1"', "line 3, column 1: it is not XML"),
        ("<html><body/></html>", "its XML is neither GPX, KML nor TCX: the document is <html>"),
        ('<!DOCTYPE gpx [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><gpx>&b;</gpx>', "a document type is not allowed"),
        ('<?xml version="1.0" encoding="klingon"?><gpx/>', "line 1"),
        (GPX.format(""), "it contains no positions."),
        (GPX.format('<wpt lat="1" lon="2"/>'), "it contains no positions of a path: 1 of 1 waypoint has no time."),
        (
            GPX.format('<trk><trkseg><trkpt lat="91" lon="2"/></trkseg></trk>'),
            "line 1: latitude: the latitude must be within [-90, 90], not 91.",
        ),
        (GPX.format('<rte>\n<rtept lat="1" lon="181"/></rte>'), "line 2: longitude: "),
        (GPX.format('<trk><trkseg><trkpt lat="nan" lon="2"/></trkseg></trk>'), "[-90, 90]"),
        (GPX.format('<trk><trkseg><trkpt lat="north" lon="2"/></trkseg></trk>'), "latitude: 'north' is"),
        (GPX.format('<trk><trkseg><trkpt lon="2"/></trkseg></trk>'), "line 1: latitude: '' is not a number."),
        (
            GPX.format('<trk><trkseg>\n<trkpt lat="1" lon="2"><time>soon</time></trkpt></trkseg></trk>'),
            "line 2: time: 'soon' is not a time",
        ),
        ("<a:gpx><a:trk/></a:gpx>", "it contains no positions."),
    ],
)
def test_bad_gpx_is_named_at_its_place(tmp_path: Path, content: str | bytes, message: str) -> None:
    assert message in refusal(saved(tmp_path, "walk.gpx", content))


@pytest.mark.parametrize("before", ["          ", "\ufeff\n\n"])
def test_xml_with_spaces_before_its_declaration_as_strava_writes_it(before: str) -> None:
    track = '<gpx><trk><trkseg><trkpt lat="46" lon="14"/></trkseg></trk></gpx>'
    text = f'{before}<?xml version="1.0" encoding="UTF-8"?>\n{track}'
    assert [point.point for point in parse_track(text.encode(), "ride.gpx").points] == [Point(14.0, 46.0)]


def test_gpx_knows_its_own_elements_from_those_that_programs_add() -> None:
    added = """<extensions><x:time xmlns:x="urn:x">1999</x:time><trkpt lat="9" lon="9"/></extensions>"""
    point = f"""<trkpt lat="1" lon="2"><ele>high</ele>{added}<time> 2026-01-01T12:00:00.0004Z\n</time>{added}</trkpt>"""
    other = """<x:trkpt xmlns:x="urn:x" lat="north"/>"""
    (found,) = parse_track(GPX.format(f"<trk><trkseg>{point}{other}</trkseg></trk>").encode(), "a.gpx").points
    assert found == TrackPoint(Point(2.0, 1.0), NOON.replace(microsecond=400))


@pytest.mark.parametrize(
    ("time", "at"),
    [
        ("", None),
        ("2026-1-1 12:0:0", NOON),
        ("2026-01-01T12:00:00.0000004Z", NOON),
        ("2026-01-01T14:00:00+0200", NOON),
    ],
)
def test_gpx_times_as_programs_write_them(time: str, at: datetime | None) -> None:
    body = f'<trk><trkseg><trkpt lat="1" lon="2"><time>{time}</time></trkpt></trkseg></trk>'
    assert parse_track(GPX.format(body).encode(), "a.gpx").points[0].at == at


def nested_gpx(levels: int) -> str:
    """Return a GPX file whose deepest element is at this level."""
    between = levels - 5
    return GPX.format(
        f'<trk><trkseg><trkpt lat="1" lon="2">{"<a>" * (between + 1)}{"</a>" * (between + 1)}</trkpt></trkseg></trk>'
    )


def nested_geojson(levels: int) -> str:
    between = levels - 2
    nest = "[" * between + "]" * between
    return f'{{"type": "Feature", "geometry": {json.dumps(LINE)}, "properties": {{"nest": {nest}}}}}'


@pytest.mark.parametrize(("name", "nested"), [("a.gpx", nested_gpx), ("a.geojson", nested_geojson)])
def test_files_are_nested_as_deeply_as_a_hundred_levels(
    tmp_path: Path, name: str, nested: Callable[[int], str]
) -> None:
    assert read_track(saved(tmp_path, name, nested(100))).points
    assert "it is nested more than 100 levels deep." in refusal(saved(tmp_path, name, nested(101)))


DEEP: dict[str, str | bytes] = {
    "deep.gpx": nested_gpx(200_000),
    "open.gpx": GPX.partition("{")[0] + "<a>" * 200_000,
    "deep.kml": f"<kml>{'<Folder>' * 200_000}{'</Folder>' * 200_000}</kml>",
    "deep.geojson": nested_geojson(200_000),
    "deep.json": '{"a":' * 200_000 + "1" + "}" * 200_000,
    "open.json": "[" * 200_000,
    "utf-16.json": ("[" * 200_000 + "]" * 200_000).encode("utf-16"),
    "unending.json": '"' + '\\"' * 1_000_000,
    "utf-7.gpx": '<?xml version="1.0" encoding="utf-7"?><gpx>' + "+ADw-a+AD4-" * 200_000 + "</gpx>",
    "xmlns.gpx": GPX.format(f"<desc>{' xmlns' * 1_000_000}=x</desc>"),
}


@pytest.mark.parametrize("name", DEEP)
def test_no_file_ends_the_program(tmp_path: Path, name: str) -> None:
    # Run in a separate process, because a file that is not refused would crash it or keep it busy for hours.
    read = "import sys; from pathlib import Path; from engine.simulation.formats.reading import read_track as read"
    refused = "from engine.domain.errors import InvalidParameter"
    code = f"{read}; {refused}\ntry: read(Path(sys.argv[1]))\nexcept InvalidParameter as error: print(error.message)"
    file = saved(tmp_path, name, DEEP[name])
    ended = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith(f"{name}: ")


SHAKY = """<trkpt lat="46.43" lon="13.74"><time>2026-01-01T12:00:00.2073437Z</time></trkpt>
<trkpt lat="46.44" lon="13.74"><time>2026-01-01T12:00:00.207Z</time></trkpt>
<trkpt lat="46.44" lon="13.75"><time>{}</time></trkpt>
<trkpt lat="46.45" lon="13.75"><time>2026-01-01T12:00:01Z</time></trkpt>"""


def test_times_that_go_back_by_less_than_a_millisecond_are_one_time(tmp_path: Path) -> None:
    shaky = SHAKY.format("2026-01-01T12:00:00.206344Z")
    track = read_track(saved(tmp_path, "a.gpx", GPX.format(f"<trk><trkseg>{shaky}</trkseg></trk>")))
    assert track.timed
    assert [point.at for point in track.points[:3]] == [NOON.replace(microsecond=207_343)] * 3
    fixes = timed_points(track, now=NOON)
    assert [fix.at.microsecond for fix in fixes] == [207_000, 207_000, 207_000, 0]
    assert fixes[3].at == NOON + timedelta(seconds=1)


@pytest.mark.parametrize("back", ["2026-01-01T12:00:00.206343Z", "2026-01-01T11:59:59Z"])
def test_times_that_go_back_by_more_do_not(tmp_path: Path, back: str) -> None:
    # A millisecond before the latest time, although the previous time was between them.
    track = read_track(saved(tmp_path, "a.gpx", GPX.format(f"<trk><trkseg>{SHAKY.format(back)}</trkseg></trk>")))
    assert not track.timed
    assert untimed_reason(track) == "the time of position 3 is earlier than the previous one"


@pytest.mark.slow
def test_a_recorded_track_whose_times_go_back_by_less_than_a_millisecond(shared_data: SharedData) -> None:
    assert len(timed_points(read_track(shared_data.track("mojstrovka.gpx")), now=NOON)) == 184


def test_csv_with_any_of_the_names(tmp_path: Path) -> None:
    path = saved(
        tmp_path, "a.csv", "id, LAT ,lng,updatedAt,Accuracy\r\n7,45.5,14.5,2026-01-01T12:00:00Z,5\r\n,1,2,,\r\n"
    )
    assert read_track(path).points == (
        TrackPoint(Point(14.5, 45.5), NOON, 5.0),
        TrackPoint(Point(2.0, 1.0)),
    )


@pytest.mark.parametrize(
    "time", ["2026-01-01T12:00:00", "1767268800", "1767268800000", "1767268800.0", "20260101T120000Z"]
)
def test_times_as_iso_or_unix(time: str) -> None:
    assert fields.moment(time) == NOON


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("45.5,14.5\n45.6,14.6\n", "row 1: the header row has no column latitude."),
        ("lat,time\n1,2\n", "row 1: the header row has no column longitude."),
        ("lat,latitude,lon\n1,1,2\n", "row 1: the columns 'lat' and 'latitude' both give the latitude."),
        ("lat,lon\n", "it contains no positions."),
        ("lat,lon\n\n1\n", "row 3: there are 1 cells, but 2 columns in the header."),
        ("lat,lon\n1,2,3\n", "row 2: there are 3 cells, but 2 columns in the header."),
        ("lat,lon\n91,2\n", "row 2, column lat: the latitude must be within [-90, 90], not 91."),
        ("Lat,Lng\n1,east\n", "row 2, column Lng: 'east' is not a number."),
        ("lat,lon\n1,\n", "row 2, column lon: '' is not a number."),
        ("lat,lon,time\n1,2,soon\n", "row 2, column time: 'soon' is not a time"),
        ("lat,lon,time\n1,2,1e300\n", "row 2, column time: '1e300' is not a time"),
        ("lat,lon,accuracy\n1,2,0\n", "row 2, column accuracy: must be greater than 0 metres, not 0."),
        ('lat,lon\n1,"2\n', "row 2: a quote is not closed."),
        (b"lat,lon\n1,\0002\n", "row 2: it contains a NUL character"),
        (b"lat,lon\n\xff,2\n", "row 2, column lat: 'ÿ' is not a number."),
        ("Breite,Länge\n".encode() + b"\xff,2\n", "row 2, column Breite: '\ufffd' is not a number."),
    ],
)
def test_bad_csv_is_named_by_row_and_column(tmp_path: Path, content: str | bytes, message: str) -> None:
    assert message in refusal(saved(tmp_path, "walk.csv", content))


GERMAN_TABLE = "Breitengrad;Längengrad;Gerät;Höhe über Meer\n60,17;24,94;Jörgs Gerät;12\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"])
def test_tables_in_the_encodings_of_spreadsheets(tmp_path: Path, encoding: str) -> None:
    track = read_track(saved(tmp_path, "walk.csv", GERMAN_TABLE.encode(encoding)))
    assert [point.point for point in track.points] == [Point(24.94, 60.17)]
    unknown = "2 columns were not recognised: Gerät, Höhe über Meer."
    guessed = ["The text is not UTF-8; it was read as Windows-1252."]
    assert list(track.skipped) == [*guessed * (encoding in ("latin-1", "cp1252")), unknown]


def test_a_table_in_another_encoding_without_a_file_ending(tmp_path: Path) -> None:
    track = read_track(saved(tmp_path, "walk", GERMAN_TABLE.encode("latin-1")))
    assert [point.point for point in track.points] == [Point(24.94, 60.17)]


TIMES = ["2026-01-01T12:00:00Z", 1767268800]


@pytest.mark.parametrize(
    "document",
    [
        {"type": "Feature", "geometry": LINE, "properties": {"coordTimes": TIMES}},
        {"type": "Feature", "geometry": LINE, "properties": {"coordinateProperties": {"times": TIMES}}},
        {
            "type": "Feature",
            "geometry": {"type": "MultiLineString", "coordinates": [[position] for position in LINE["coordinates"]]},
            "properties": {"coordTimes": [[time] for time in TIMES]},
        },
        {
            "type": "FeatureCollection",
            "features": [
                {"type": "Feature", "geometry": None, "properties": None},
                *(
                    {"type": "Feature", "geometry": {"type": "Point", "coordinates": p}, "properties": {"time": t}}
                    for p, t in zip(LINE["coordinates"], TIMES, strict=True)
                ),
            ],
        },
    ],
)
def test_geojson_with_times(tmp_path: Path, document: object) -> None:
    track = read_track(saved(tmp_path, "a.geojson", json.dumps(document)))
    assert track.points == (TrackPoint(Point(14.5, 45.5), NOON), TrackPoint(Point(14.6, 45.6), NOON))


def test_geojson_line_alone_has_no_times(tmp_path: Path) -> None:
    assert not read_track(saved(tmp_path, "a.json", json.dumps(LINE))).timed


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("[1, 2", "character 5: the file breaks off."),
        ("[1, 2}", "line 1, column 6: it is not JSON: Expecting ',' delimiter."),
        ("[1, 2]\n0", "line 2, column 1: it is not JSON: Extra data."),
        ("[1, 2]", "its format is not known. Supported formats: GPX, KML and KMZ, FIT, "),
        ('{"type": "Topology"}', "type: 'Topology' is not a GeoJSON feature"),
        ('{"type": "FeatureCollection", "features": 1}', "features must be a list."),
        ('{"type": "LineString", "coordinates": [[1]]}', "geometry.coordinates[0]: a position is"),
        ('{"type": "LineString", "coordinates": [[200, 2]]}', "geometry.coordinates[0]: longitude: "),
        ('{"type": "LineString", "coordinates": [[1, "x"]]}', "latitude: 'x' is not a number."),
        ('{"type": "LineString", "coordinates": [[1, NaN]]}', "[-90, 90]"),
        ('{"type": "LineString", "coordinates": [[1, ' + "9" * 5000 + "]]}", "its text cannot be read"),
        ("[" * 100_000, "it is nested more than 100 levels deep."),
        (
            '{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[1, 2]]},'
            ' "properties": {"coordTimes": []}}',
            "geometry.coordinates: 1 position, but 0 times.",
        ),
        ('{"type": "Polygon", "coordinates": []}', "type: 'Polygon'"),
        (
            '{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry":'
            ' {"type": "Point", "coordinates": [1, 2]}, "properties": {"time": true}}]}',
            "features[0].geometry.coordinates: time: True is not a time",
        ),
    ],
)
def test_bad_geojson_is_named_by_its_path(tmp_path: Path, document: str, message: str) -> None:
    assert message in refusal(saved(tmp_path, "walk.geojson", document))


@pytest.mark.parametrize(
    "content", [GPX.format(ONE_POINT), "lat,lon\n45.5,14.5\n", json.dumps({**LINE, "coordinates": [[14.5, 45.5]]})]
)
def test_without_a_known_suffix_the_content_decides(tmp_path: Path, content: str) -> None:
    assert read_track(saved(tmp_path, "track.txt", content)).points[0].point == Point(14.5, 45.5)


def test_paths_that_are_not_a_file(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "it is not a file."
    assert "it cannot be read: No such file" in refusal(tmp_path / "missing.gpx")
    os.mkfifo(tmp_path / "pipe.gpx")
    assert refusal(tmp_path / "pipe.gpx") == "it is not a file."


def test_a_huge_file_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    path = tmp_path / "huge.gpx"
    with path.open("wb") as file:
        file.truncate(MAX_TRACK_BYTES + 1)
    assert refusal(path) == "it is larger than 32 MB."


def test_millions_of_positions_are_refused_before_they_are_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json, "loads", None)  # parsing would fail
    positions = b",".join([b"[1,2]"] * 3_000_000)
    path = tmp_path / "long.geojson"
    path.write_bytes(b'{"type": "LineString", "coordinates": [' + positions + b"]}")
    assert refusal(path) == "it has more than 1,000,000 positions."


@pytest.mark.parametrize(
    ("name", "head", "point", "tail"),
    [
        ("a.csv", "lat,lon\n", "45,14\n", ""),
        ("a.json", '{"type": "LineString", "coordinates": [', "[14,45],", "[14,45]]}"),
        ("a.gpx", "<gpx><trk><trkseg>", '<trkpt lat="45" lon="14"/>', "</trkseg></trk></gpx>"),
    ],
)
def test_a_track_has_no_more_positions_than_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, head: str, point: str, tail: str
) -> None:
    monkeypatch.setattr(fields, "MAX_POSITIONS", 3)
    most = 2 if name.endswith(".json") else 3
    assert len(read_track(saved(tmp_path, name, head + point * most + tail)).points) == 3
    assert refusal(saved(tmp_path, name, head + point * (most + 1) + tail)) == "it has more than 3 positions."


BEGINNINGS = (
    b"",
    b"<gpx><trk>",
    b"<kml><Placemark>",
    b"\x0e\x10\xd9\x07\xff\x00\x00\x00.FIT",
    b'{"locations": [',
    b"$GPRMC,",
    b"lat,lon\n",
    b"PK\x03\x04",
)


@given(st.binary(max_size=300))
def test_no_bytes_lead_to_anything_but_a_track_or_a_refusal(data: bytes) -> None:
    for begin in BEGINNINGS:
        try:
            parse_track(begin + data, "a")
        except InvalidParameter as error:
            assert error.message  # noqa: PT017 - a refusal is one of the two good outcomes


@given(
    st.lists(
        st.tuples(
            st.floats(-180, 180),
            st.floats(-90, 90),
            st.none() | st.datetimes(datetime(1971, 1, 1), datetime(2500, 1, 1), timezones=st.just(UTC)),
            st.none() | st.floats(0.1, 1e6),
        ),
        min_size=1,
    )
)
def test_csv_is_read_as_it_was_written(points: list[tuple[float, float, datetime | None, float | None]]) -> None:
    rows = "".join(f"{lon!r},{lat!r},{at.isoformat() if at else ''},{acc or ''}\n" for lon, lat, at, acc in points)
    read = parse_track(f"longitude,latitude,time,accuracy\n{rows}".encode(), "a.csv").points
    assert [(p.point.longitude, p.point.latitude, p.at, p.accuracy_m) for p in read] == points
