"""Files from phones, receivers and servers become a track with accuracies and gaps, by their contents."""

import json
import re
import zipfile
from collections.abc import Sequence
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.simulation.formats import fields, found
from engine.simulation.formats.reading import MAX_TRACK_BYTES, parse_track, read_track
from tests.engine.simulation import phones
from tests.engine.simulation.phones import ACCURACIES, FAR, HERE, ISO, NOON, POSITIONS, THERE, TIMES


def positions_of(track: Track) -> list[tuple[float, float]]:
    return [(round(p.point.longitude, 6), round(p.point.latitude, 6)) for p in track.points]


def refusal(data: bytes, name: str = "file") -> str:
    with pytest.raises(InvalidParameter) as caught:
        parse_track(data, name)
    return caught.value.message


@pytest.mark.parametrize("name", phones.ALL)
@pytest.mark.parametrize("called", ["", "whatever.bin"])
def test_a_file_is_read_by_its_content(tmp_path: Path, name: str, called: str) -> None:
    path = tmp_path / (called or name)
    path.write_bytes(phones.ALL[name]())
    track = read_track(path)
    unknown = phones.WITHOUT_ACCURACY.get(name, set())
    accuracies = [None if index in unknown else metres for index, metres in enumerate(ACCURACIES)]
    assert positions_of(track) == [(p.longitude, p.latitude) for p in POSITIONS]
    assert [point.at for point in track.points] == list(TIMES)
    assert [point.accuracy_m for point in track.points] == accuracies
    assert track.timed


@pytest.mark.parametrize("name", phones.ALL)
@given(cut=st.floats(0, 1), byte=st.integers(0, 255))
def test_a_damaged_file_is_a_track_or_a_refusal(name: str, cut: float, byte: int) -> None:
    whole = phones.ALL[name]()
    at = int(len(whole) * cut)
    for damaged in (whole[:at], whole[:at] + bytes([byte]) + whole[at + 1 :]):
        try:
            assert 1 <= len(parse_track(damaged, name).points) <= 9
        except InvalidParameter as error:
            assert error.param == "track"  # noqa: PT017 - a refusal is one of the two good outcomes


@pytest.mark.parametrize(
    ("written", "mps"),
    [
        ("3.40 kn", 3.4 * 1852 / 3600),
        ("3,40 kn", 3.4 * 1852 / 3600),
        ("3.40", 3.4 * 1852 / 3600),
        ("12 km/h", 12 / 3.6),
        ("12km/h", 12 / 3.6),
        (" 30 MPH ", 30 * 1609.344 / 3600),
        ("2.5 m/s", 2.5),
        ("1e1 kn", 18520 / 3600),
        ("0 kn", 0.0),
        ("-1", None),
        ("", None),
    ],
)
def test_a_speed_of_traccar_may_name_its_unit(written: str, mps: float | None) -> None:
    table = f"deviceId;fixTime;latitude;longitude;speed\n3;2026-03-01T08:00:00Z;47.1;9.5;{written}\n".encode()
    position = {"deviceId": 3, "fixTime": "2026-03-01T08:00:00Z", "latitude": 47.1, "longitude": 9.5, "speed": written}
    for track in (parse_track(table, "route.csv"), parse_track(json.dumps([position]).encode(), "route.json")):
        assert track.skipped == ()
        assert track.points[0].speed_mps == (mps if mps is None else pytest.approx(mps))


def test_speeds_that_cannot_be_read_are_counted() -> None:
    rows = "".join(
        f"2026-03-01T08:0{n};47.1;9.5;{cell}\n" for n, cell in enumerate(("fast", "3 furlongs", "1 kn", "-1"))
    )
    track = parse_track(f"time;latitude;longitude;speed\n{rows}".encode(), "track.csv")
    assert [point.speed_mps for point in track.points] == [None, None, pytest.approx(1852 / 3600), None]
    assert track.skipped == ("2 of 4 positions have a speed that cannot be read.",)
    gpx = (
        '<gpx version="1.0"><trk><trkseg><trkpt lat="47.1" lon="9.5"><speed>fast</speed></trkpt>'
        '<trkpt lat="47.2" lon="9.5"><speed>2 m/s</speed></trkpt></trkseg></trk></gpx>'
    )
    track = parse_track(gpx.encode(), "track.gpx")
    assert [point.speed_mps for point in track.points] == [None, 2.0]
    assert track.skipped == ("1 of 2 positions has a speed that cannot be read.",)


def test_a_file_of_unknown_format_lists_the_known_ones(tmp_path: Path) -> None:
    for content in (b"hello", b"\x89PNG\r\n\x1a\n\0\0", b'{"a": 1}', b"[]", b"name,age\nann,7\n"):
        message = refusal(content)
        for known in ("GPX", "KML and KMZ", "FIT", "Google Timeline", "OwnTracks", "NMEA 0183", "request log"):
            assert known in message


def test_a_line_that_cannot_be_read_is_named_and_the_rest_is_kept() -> None:
    csv = parse_track(
        b"lat,lon,accuracy\n46.05,14.5,5\n46.05,east,5\n46.1,14.6,0\n46.051,14.501\n46.1,14.6,65\n", "a.csv"
    )
    assert positions_of(csv) == [(14.5, 46.05), (14.6, 46.1)]
    assert csv.skipped == (
        "row 3, column lon: 'east' is not a number.",
        "row 4, column accuracy: must be greater than 0 metres, not 0.",
        "row 5: there are 2 cells, but 3 columns in the header.",
    )
    lines = parse_track(phones.owntracks_lines() + b'\n{"_type": "location", "la', "phone.jsonl")
    assert len(lines.points) == 3
    assert lines.skipped == ("line 5: it is not JSON.",)
    assert parse_track(b'{"_type": "locat\n' + phones.owntracks_lines(), "phone.jsonl").skipped == (
        "line 1: it is not JSON.",
    )
    gpx = parse_track(
        b'<gpx><trk><trkseg>\n<trkpt lat="91" lon="2"/>\n<trkpt lat="1" lon="2"/>\n<trkpt lat="3', "a.gpx"
    )
    assert [point.point for point in gpx.points] == [Point(2, 1)]
    assert gpx.skipped == (
        "line 2: latitude: the latitude must be within [-90, 90], not 91.",
        "line 4, column 1: it is not XML: unclosed token; nothing after that is read.",
    )


def test_only_so_many_places_are_named() -> None:
    rows = b"lat,lon\n1,2\n" + b"x,y\n" * (found.MAX_NAMED + 7)
    skipped = parse_track(rows, "a.csv").skipped
    assert len(skipped) == found.MAX_NAMED + 1
    assert skipped[-1] == "7 more could not be read."


MANY = 400_000


@pytest.mark.parametrize(
    "content",
    [
        b"lat,lon\n" + b"x,y\n" * MANY,
        b"<gpx><trk><trkseg>" + b"<trkpt/>" * MANY + b"</trkseg></trk></gpx>",
        b"<kml><Placemark><LineString><coordinates>" + b"1 " * MANY + b"</coordinates></LineString></Placemark></kml>",
        b'{"locations": [' + b"1," * MANY + b"1]}",
        b"$GPRMC,1\n" * MANY,
    ],
    ids=["csv", "gpx", "kml", "json", "nmea"],
)
def test_a_file_in_which_hardly_anything_can_be_read_is_not_read_to_its_end(content: bytes) -> None:
    assert refusal(content).endswith("; the same problem occurs in 100,000 more places.")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (("a", "a", "b"), "Only the positions of a are used, not those of b (1)."),
        (("a", "a", ""), "Only the positions of a are used, not those that name no device (1)."),
        (
            ("a", "a", "a", "b", "", ""),
            "Only the positions of a are used, not those of b (1) or those that name no device (2).",
        ),
        (("", "", "b"), "Only the positions that name no device are used, not those of b (1)."),
        (
            "aabcdefg",
            "Only the positions of a are used, not those of b (1), c (1), d (1), e (1), f (1) and 1 more device.",
        ),
        (
            "aabcdefgh",
            "Only the positions of a are used, not those of b (1), c (1), d (1), e (1), f (1) and 2 more devices.",
        ),
        (("a", "a"), None),
        (("", ""), None),
    ],
)
def test_devices_left_out_are_reported_in_a_sentence(rows: Sequence[str], expected: str | None) -> None:
    content = found.Found()
    for number, device in enumerate(rows):
        content.add(TrackPoint(Point(number / 100, 1.0)), device or None)
    assert content.track("walk").skipped == (() if expected is None else (expected,))


def test_of_several_devices_the_one_with_most_positions_is_taken_or_the_requested_one(tmp_path: Path) -> None:
    path = tmp_path / "Records.json"
    path.write_bytes(phones.takeout_records())
    phone, tablet = read_track(path), read_track(path, "7")
    assert phone.skipped == ("Only the positions of -577680260 are used, not those of 7 (1).",)
    assert len(phone.points) == 3
    assert [point.at for point in tablet.points] == [NOON]
    with pytest.raises(
        InvalidParameter, match=r"device: the file has no positions of 'watch'; it has positions of -577680260, 7"
    ):
        read_track(path, "watch")


def test_kml_points_with_times_and_lines_stand_in_for_a_track() -> None:
    timed = "".join(
        f"<Placemark><TimeStamp><when>{at}</when></TimeStamp><Point><coordinates>{p.longitude},{p.latitude},0</coordinates>"
        "</Point></Placemark>"
        for p, at in zip(POSITIONS, ISO, strict=True)
    )
    positions = "\n14.5,46.05,300\n14.501,46.051,300 x,1\n"
    line = f"<Placemark><LineString><coordinates>{positions}</coordinates></LineString></Placemark>"
    ring = "<outerBoundaryIs><LinearRing><coordinates>1,2 3,4</coordinates></LinearRing></outerBoundaryIs>"
    area = f"<Placemark><Polygon>{ring}</Polygon></Placemark>"
    kml = "<kml><Document>{}</Document></kml>"
    points = parse_track(kml.format(timed + line).encode(), "a.kml")
    assert [point.at for point in points.points] == list(TIMES)
    path = parse_track(kml.format(area + line).encode(), "a.kml")
    assert [(point.point, point.at) for point in path.points] == [(HERE, None), (THERE, None)]
    assert points.skipped == ("1 of 1 line has no times and is left out.",)
    assert path.skipped == (
        "1 polygon is no path and is left out.",
        "line 4, position 3: longitude: 'x' is not a number.",
    )


def test_visits_of_a_timeline_are_stays() -> None:
    visit = {
        "startTime": ISO[0],
        "endTime": ISO[2],
        "visit": {"topCandidate": {"placeLocation": {"latLng": "46.05°, 14.5°"}, "semanticType": "HOME"}},
    }
    activity = {
        "startTime": ISO[2],
        "endTime": "2026-01-01T14:00:00Z",
        "activity": {"start": {"latLng": "46.05°, 14.5°"}, "end": {"latLng": "46.1°, 14.6°"}},
    }
    track = parse_track(
        json.dumps({"semanticSegments": [activity, visit, {"timelineMemory": {}}]}).encode(), "Timeline.json"
    )
    assert [(p.point, p.stopped) for p in track.points] == [(HERE, True), (HERE, None), (HERE, True), (FAR, None)]
    assert track.timed


def test_a_request_log_contains_the_updates_of_the_sdk() -> None:
    body = {"deviceId": "a", "latitude": 46.05, "longitude": 14.5, "accuracy": 8, "foreground": True, "stopped": False}
    form = {
        **phones.logged(4, ISO[2], {}),
        "path": "/api/v1/track",
        "body": "deviceId=a&latitude=46.1&longitude=14.6&accuracy=9.5&stopped=true&updatedAtMsDiff=1000",
    }
    replay = {
        **phones.logged(3, ISO[2], {"replays": [{**body, "updatedAtMs": phones.UNIX[1] * 1000}]}),
        "path": "/v1/track/replay",
    }
    cut = {**phones.logged(6, ISO[2], body), "bodyTruncated": True}
    other = {**phones.logged(7, ISO[2], body), "path": "/v1/events"}
    records = [other, cut, phones.logged(5, ISO[2], body, status=429), form, replay, phones.logged(2, ISO[0], body)]
    track = parse_track(json.dumps({"requests": records}).encode(), "requests.json")
    assert track.points == (
        TrackPoint(HERE, TIMES[0], 8.0, True, False),
        TrackPoint(HERE, TIMES[1], 8.0, True, False),
        TrackPoint(FAR, TIMES[2] - timedelta(seconds=1), 9.5, None, True),
    )
    assert track.skipped == (
        "request 5: it returned the status 429.",
        "request 6: the log keeps only the beginning of its body.",
    )


def test_an_accuracy_that_is_not_known_is_none() -> None:
    (point,) = parse_track(
        b"deviceId,fixTime,latitude,longitude,accuracy\n3,2026-01-01T12:00:00Z,1,2,0.0\n", "a"
    ).points
    assert point.accuracy_m is None
    osmand = (
        b'<gpx creator="OsmAnd~ 4.7"><trk><trkseg><trkpt lat="1" lon="2"><hdop>7</hdop></trkpt></trkseg></trk></gpx>'
    )
    assert parse_track(osmand, "a.gpx").points[0].accuracy_m == 7.0


class TestNmea:
    def test_a_damaged_sentence_is_named(self) -> None:
        lines = phones.nmea().decode().splitlines()
        lines[1] = lines[1].replace("GNGGA,12", "GNGGA,13")
        track = parse_track("\n".join(lines).encode(), "a.nmea")
        assert [point.accuracy_m for point in track.points] == [None, 20.0, 65.0]
        stated = lines[1].rstrip().rpartition("*")[2]
        (skipped,) = track.skipped
        assert re.fullmatch(rf"line 2: its checksum is [0-9A-F]{{2}}, not {stated}\.", skipped)
        assert f"is {stated}" not in skipped

    def test_midnight_passes(self) -> None:
        gga = "GPGGA,{},4603.0,N,01430.0,E,1,08,1.0,300,M,46,M,,"
        lines = [
            phones.sentence(gga.format("235958")),
            phones.sentence("GPRMC,235959,A,4603.0,N,01430.0,E,,,311225,,"),
            phones.sentence(gga.format("000001")),
            phones.sentence("GPRMC,000002,V,,,,,,,010126,,"),
        ]
        track = parse_track("\n".join(lines).encode(), "a.nmea")
        midnight = NOON - timedelta(hours=12)
        assert [point.at for point in track.points] == [midnight + timedelta(seconds=s) for s in (-2, -1, 1)]

    def test_the_first_fixes_lie_before_the_first_date(self) -> None:
        lines = [
            phones.sentence("GPGGA,235958,4603.0,N,01430.0,E,1,08,1.0,300,M,46,M,,"),
            phones.sentence("GPGGA,000000,4603.0,N,01430.0,E,1,08,1.0,300,M,46,M,,"),
            phones.sentence("GPRMC,000001,A,4603.0,N,01430.0,E,,,010126,,"),
        ]
        track = parse_track("\n".join(lines).encode(), "a.nmea")
        midnight = NOON - timedelta(hours=12)
        assert [point.at for point in track.points] == [midnight + timedelta(seconds=s) for s in (-2, 0, 1)]

    def test_without_a_date_the_days_count_from_1970(self) -> None:
        track = parse_track(phones.nmea(dated=False), "a.nmea")
        assert [point.at for point in track.points] == [
            NOON.replace(year=1970, month=1, day=1) + (at - NOON) for at in TIMES
        ]
        assert track.skipped == ("No sentence has a date (RMC or ZDA), so the track starts on 1970-01-01.",)


def test_tcx_says_how_many_points_have_no_position_and_are_planned() -> None:
    text = phones.tcx().decode()
    text = text.replace("</Track>", "<Trackpoint><Time>2026-01-01T13:00:00Z</Time></Trackpoint></Track>")
    point = "<Position><LatitudeDegrees>46</LatitudeDegrees><LongitudeDegrees>14</LongitudeDegrees></Position>"
    course = f"<Courses><Course><Track>{f'<Trackpoint>{point}</Trackpoint>' * 2}</Track></Course></Courses>"
    track = parse_track(text.replace("</Activities>", f"</Activities>{course}").encode(), "a.tcx")
    assert len(track.points) == len(TIMES)
    assert track.skipped == (
        "1 of 4 track points has no position.",
        "2 track points are of a course, which is planned, and are left out.",
    )
    alone = f'<TrainingCenterDatabase xmlns="urn:x"><Activities/>{course}</TrainingCenterDatabase>'
    planned = parse_track(alone.encode(), "a.tcx")
    assert [point.point for point in planned.points] == [Point(14.0, 46.0)] * 2
    assert planned.skipped == ()


def zipped(**files: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return out.getvalue()


def test_a_bomb_is_not_unpacked() -> None:
    bomb = zipped(doc_kml=b"<kml>" + b" " * (MAX_TRACK_BYTES + 1))
    assert len(bomb) < 100_000
    assert "is too large when unpacked" in refusal(bomb)
    assert "contains no track" in refusal(zipped(readme_md=b"hello"))
    nested = zipped(a_kml=zipped(b_kml=phones.kml()))
    assert "it is not XML" in refusal(nested)


def test_every_format_has_no_more_positions_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "MAX_POSITIONS", 2)
    for name, made in phones.ALL.items():
        assert "it has more than 2 positions." in refusal(made(), name), name


@pytest.mark.parametrize("depth", [101, 200_000])
def test_deep_json_is_refused(depth: int) -> None:
    assert "nested more than 100 levels" in refusal(b'{"locations":' + b"[" * depth + b"]" * depth + b"}")
    line = b'2026-01-01T12:00:00Z\t*\t{"_type": "location", "a": ' + b"[" * depth + b"]" * depth + b"}"
    track = parse_track(phones.owntracks_rec() + line, "a.rec")
    assert track.skipped == ("line 5: it is not JSON.",)
