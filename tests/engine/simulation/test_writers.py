"""Tracks as real programs write them: custom elements and columns, missing data, and extra data."""

import json
import struct
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from math import isnan
from typing import Any

import pytest

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.simulation.formats import fields
from engine.simulation.formats.reading import parse_track
from tests.engine.simulation.phones import FIT_EPOCH, sentence

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ISO = "2026-01-01T12:00:00Z"
GPX_1_1 = "http://www.topografix.com/GPX/1/1"


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def gpx(point: str, head: str = f'xmlns="{GPX_1_1}"', after_track: str = "") -> Track:
    text = f'<gpx {head}><trk><trkseg><trkpt lat="46.05" lon="14.5"><time>{ISO}</time>{point}</trkpt></trkseg></trk>'
    return parse_track(f"{text}{after_track}</gpx>".encode(), "walk.gpx")


class TestGpx:
    @pytest.mark.parametrize(
        ("head", "point"),
        [
            ('version="1.0"', "<extensions><accuracy>20</accuracy><speed>1.4</speed></extensions>"),
            (f'xmlns="{GPX_1_1}"', "<extensions><speed>1.4</speed><accuracy> 20 </accuracy></extensions>"),
            ('version="1.0"', "<speed>1.4</speed><hAcc>20</hAcc><vAcc>3</vAcc>"),
            (f'xmlns="{GPX_1_1}"', "<accuracy>20,0</accuracy><speed>1,4</speed>"),
            (
                f'xmlns="{GPX_1_1}" xmlns:ulogger="https://github.com/bfabiszewski/ulogger-android/1"',
                "<extensions><ulogger:accuracy>20</ulogger:accuracy><ulogger:speed>1.4</ulogger:speed></extensions>",
            ),
            (
                f'xmlns="{GPX_1_1}" xmlns:gpxtpx="urn:garmin" xmlns:opentracks="urn:opentracks"',
                "<extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>1.4</gpxtpx:speed>"
                "<opentracks:accuracy_horizontal>20</opentracks:accuracy_horizontal></gpxtpx:TrackPointExtension>"
                "</extensions>",
            ),
            (
                f'xmlns="{GPX_1_1}"',
                "<extensions><osmand:speed>1.4</osmand:speed><my:hAcc>20</my:hAcc></extensions>",
            ),
            ('creator="Locus Map, Android"', "<hdop>20.0</hdop><speed>1.4</speed>"),
            ('creator="OsmAnd 4.9"', "<hdop>20</hdop><extensions><speed>1.4</speed></extensions>"),
            ('creator="GPSLogger 132"', "<hdop>4</hdop><speed>1.4</speed>"),
            ('creator="a"', "<extensions><hdop>4,0</hdop><speed>1.4</speed></extensions>"),
        ],
        ids=[
            "none",
            "default",
            "Apple",
            "own",
            "ulogger",
            "OpenTracks",
            "undeclared",
            "Locus",
            "OsmAnd",
            "hdop",
            "ext",
        ],
    )
    def test_accuracy_and_speed_however_a_program_writes_them(self, head: str, point: str) -> None:
        track = gpx(point, head)
        assert track.points == (TrackPoint(Point(14.5, 46.05), NOON, 20.0, speed_mps=1.4),)
        assert track.skipped == ()

    @pytest.mark.parametrize(
        "point",
        [
            "<extensions><accuracy>0</accuracy><speed>-1</speed></extensions>",
            "<extensions><hAcc>-1</hAcc><speed>fast</speed></extensions>",
            "<extensions><accuracy/><hdop></hdop><vertical_accuracy>3</vertical_accuracy></extensions>",
            "<link><accuracy>3</accuracy></link>",
        ],
    )
    def test_a_position_is_kept_if_its_accuracy_and_speed_are_unknown(self, point: str) -> None:
        track = gpx(point)
        assert [(each.accuracy_m, each.speed_mps) for each in track.points] == [(None, None)]

    def test_points_beside_the_track_are_counted(self) -> None:
        beside = '<wpt lat="1" lon="2"/>' * 3 + '<rte><rtept lat="1" lon="2"/></rte>'
        assert gpx("", after_track=beside).skipped == (
            "1 route point is not on the track and is left out.",
            "3 waypoints are not on the track and are left out.",
        )

    def test_positions_without_times_among_others_are_counted(self) -> None:
        points = '<trkpt lat="1" lon="2"/>' * 5
        track = gpx("", after_track=f"<trk><trkseg>{points}</trkseg></trk>")
        assert track.skipped == ("5 of 6 positions have no times.",)

    def test_decimal_commas_and_a_time_of_another_zone(self) -> None:
        text = '<gpx><trk><trkseg><trkpt lat="46,05" lon="14,5"><time>2026-01-01T14:00:00.5+02:00</time></trkpt>'
        (point,) = parse_track(f"{text}</trkseg></trk></gpx>".encode(), "a").points
        assert point == TrackPoint(Point(14.5, 46.05), NOON.replace(microsecond=500_000))


class TestTables:
    def test_a_spreadsheet_with_decimal_commas(self) -> None:
        head = "Start Time;Latitude;Longitude;Accuracy (m);Speed (km/h);Mood"
        rows = "2026-01-01 12:00:00;46,05;14,5;12,5;36,0;good\n01.01.2026 12:00:10;46,051;14,501;14;;"
        track = parse_track(f"{head}\n{rows}\n".encode("utf-8-sig"), "a.csv")
        assert track.points == (
            TrackPoint(Point(14.5, 46.05), NOON, 12.5, speed_mps=pytest.approx(10)),  # type: ignore[arg-type]
            TrackPoint(Point(14.501, 46.051), after(10), 14.0),
        )
        assert track.skipped == ("1 column was not recognised: Mood.",)

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_german_names_in_any_encoding(self, encoding: str) -> None:
        text = "Datum;Uhrzeit;Breite;Länge;Genauigkeit;Höhe\n1.1.2026;12:00;46,05;14,5;5;300\n"
        track = parse_track(text.encode(encoding), "a.csv")
        assert (track.points, track.skipped) == ((TrackPoint(Point(14.5, 46.05), NOON, 5.0),), ())

    @pytest.mark.parametrize(
        ("head", "row", "unknown"),
        [
            ("date,time,lat,lon", "2026-01-01,12:00:00,46.05,14.5", ()),
            ("date,time,lat,lon", "2026-01-01,2026-01-01 12:00:00 UTC,46.05,14.5", ()),
            ("Date,Lat (deg),Lon [°]", "2026/1/1 12:00,46.05,14.5", ()),
            ("End Time,Time,Timestamp,lat,lon", f"soon,{ISO},never,46.05,14.5", ("End Time",)),
            ("UTC Time,Local Time,lat,lon", "2026-01-01T12:00Z,2026-01-01T15:00,46.05,14.5", ("Local Time",)),
            ("tst,lat,lon,accuracy (ft),vel", "1767268800,46.05,14.5,9,", ("accuracy (ft)",)),
            ("time,lat,lon", "2026-01-01 13:00:00 +0100,46.05,14.5", ()),
        ],
    )
    def test_the_time_is_found_and_unknown_columns_are_named(self, head: str, row: str, unknown: tuple[str]) -> None:
        track = parse_track(f"{head}\n{row}\n".encode(), "a.csv")
        assert track.points == (TrackPoint(Point(14.5, 46.05), NOON),)
        expected = tuple(f"1 column was not recognised: {name}." for name in unknown)
        assert track.skipped == expected

    @pytest.mark.parametrize(
        ("head", "mps"),
        [
            ("speed", 36.0),
            ("Speed (km/h)", 10.0),
            ("speed_kmh", 10.0),
            ("speed [kn]", 18.52),
            ("speed_mph", 16.09344),
            ("fixTime,speed", 18.52),
            ("tst,vel", 10.0),
        ],
    )
    def test_the_unit_of_a_speed_is_that_of_its_column_or_program(self, head: str, mps: float) -> None:
        time = f"{ISO}," if "," in head else ""
        (point,) = parse_track(f"lat,lon,{head}\n46.05,14.5,{time}36\n".encode(), "a.csv").points
        assert point.speed_mps == pytest.approx(mps)

    def test_slashes_that_begin_with_a_day_or_month_are_not_guessed(self) -> None:
        with pytest.raises(InvalidParameter, match="row 2, column Date: '3/4/2026 12:00' is not a time"):
            parse_track(b"Date,lat,lon\n3/4/2026 12:00,46.05,14.5\n", "a.csv")

    def test_of_very_many_unknown_columns_some_are_named(self) -> None:
        head = ",".join(f"x{number}" for number in range(25))
        track = parse_track(f"lat,lon,{head}\n1,2{',' * 25}\n".encode(), "a.csv")
        assert track.skipped[0].startswith("25 columns were not recognised: x0, x1, ")
        assert track.skipped[0].endswith("x19 and 5 more.")


def e7(point: Point, latitude: str = "latitudeE7", longitude: str = "longitudeE7") -> dict[str, int]:
    return {latitude: round(point.latitude * 1e7), longitude: round(point.longitude * 1e7)}


def lasting(begin: float, end: float) -> dict[str, str]:
    return {"startTimestamp": after(begin).isoformat(), "endTimestamp": after(end).isoformat()}


class TestGoogle:
    A, B, C = Point(9.52, 47.14), Point(9.52, 47.15), Point(9.52, 47.18)

    def month(self, *objects: Mapping[str, Any]) -> Track:
        return parse_track(json.dumps({"timelineObjects": objects}).encode(), "2026_JANUARY.json")

    def activity(self, begin: Point | None, end: Point | None, *steps: Point, **more: Any) -> dict[str, Any]:
        segment = {
            "startLocation": {} if begin is None else e7(begin),
            "endLocation": {} if end is None else e7(end),
            "duration": lasting(0, 400),
            "waypointPath": {"waypoints": [e7(step, "latE7", "lngE7") for step in steps]},
        }
        return {"activitySegment": segment | more}

    @pytest.mark.parametrize(("begin", "end"), [(A, C), (None, C), (A, None), (None, None)])
    def test_way_points_have_times_by_their_distance(self, begin: Point | None, end: Point | None) -> None:
        track = self.month(self.activity(begin, end, self.A, self.B, self.C))
        assert [each.point for each in track.points] == [self.A, self.B, self.C]
        assert [each.at for each in track.points] == [after(0), after(100), after(400)]
        estimated = 3 - (begin is not None) - (end is not None)
        noun = "way point got its time" if estimated == 1 else "way points got their times"
        assert f"{estimated} {noun} by distance." in track.skipped

    def test_way_points_without_a_time_are_named(self) -> None:
        without = self.activity(self.A, self.C, self.B, duration={"startTimestamp": after(0).isoformat()})
        track = self.month(without, self.activity(self.A, self.C, self.B))
        assert [each.point for each in track.points] == [self.A, self.A, self.B, self.C]
        place = "timelineObjects[0].activitySegment"
        assert track.skipped == (
            "1 way point got its time by distance.",
            f"{place}.endLocation: time: there is none.",
            f"{place}.waypointPath.waypoints: time: there is none.",
        )

    def test_a_month_without_some_positions_is_read(self) -> None:
        visit = {"placeVisit": {"location": e7(self.C), "duration": lasting(400, 900)}}
        nowhere = {"placeVisit": {"location": {"name": "Home"}, "duration": lasting(900, 950)}}
        track = self.month(self.activity(None, self.C), visit, nowhere)
        assert [(each.at, each.stopped) for each in track.points] == [
            (after(400), None),
            (after(400), True),
            (after(900), True),
        ]
        assert track.skipped == ("1 of 1 activity has no start position.", "1 of 2 visits has no position.")

    def test_measured_points_replace_the_way_points(self) -> None:
        raw = [e7(self.B, "latE7", "lngE7") | {"timestamp": after(50).isoformat(), "accuracyMeters": 9}]
        track = self.month(self.activity(self.A, self.C, self.B, self.B, simplifiedRawPath={"points": raw}))
        assert [(each.at, each.accuracy_m) for each in track.points] == [
            (after(0), None),
            (after(50), 9),
            (after(400), None),
        ]
        assert track.skipped == ("2 way points are beside a measured path and are left out.",)

    def test_stops_of_a_ride_and_a_spoiled_way_point(self) -> None:
        stops = [{**e7(self.B), "name": "Bus"}, {"latitudeE7": 99_0000000, "longitudeE7": 0}]
        ride = self.activity(self.A, self.C, transitPath={"transitStops": stops})
        track = self.month(ride)
        assert [each.at for each in track.points] == [after(0), after(100), after(400)]
        assert track.skipped[-1].startswith(
            "timelineObjects[0].activitySegment.transitPath.transitStops[1]: latitude: "
        )

    def test_a_long_path(self) -> None:
        steps = [Point(9.52, 47.14 + number / 1e5) for number in range(2_000)]
        track = self.month(self.activity(None, None, *steps))
        assert len(track.points) == 2_000
        assert track.timed


class TestKml:
    WALK = (
        "<Placemark><MultiGeometry><Point><coordinates>9.52,47.14</coordinates></Point>"
        "<LineString><coordinates>9.52,47.14 9.521,47.141</coordinates></LineString>"
        "<LineString><coordinates>9.523,47.143,500</coordinates></LineString></MultiGeometry></Placemark>"
    )

    def read(self, *parts: str) -> Track:
        head = '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>'
        return parse_track(f"{head}{''.join(parts)}</Document></kml>".encode(), "a.kml")

    def test_all_geometries_of_a_placemark_are_one_way(self) -> None:
        track = self.read(self.WALK)
        assert [each.point.longitude for each in track.points] == [9.52, 9.52, 9.521, 9.523]
        assert track.skipped == ()

    def test_points_of_a_placemark_have_its_time(self) -> None:
        points = "<Point><coordinates>1,2</coordinates></Point><Point><coordinates>3,4</coordinates></Point>"
        timed = f"<TimeStamp><when>{ISO}</when></TimeStamp><MultiGeometry>{points}</MultiGeometry>"
        track = self.read(f"<Placemark>{timed}</Placemark>")
        assert [(each.point, each.at) for each in track.points] == [(Point(1, 2), NOON), (Point(3, 4), NOON)]

    def test_omissions_are_counted(self) -> None:
        place = "<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>"
        line = "<Placemark><LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark>"
        array = '<gx:SimpleArrayData name="{}"><gx:value>{}</gx:value></gx:SimpleArrayData>'
        track = (
            f"<Placemark><gx:Track><when>{ISO}</when><gx:coord>1 2</gx:coord><ExtendedData><SchemaData>"
            f"{array.format('speed', 1.5)}{array.format('accuracy_horizontal', 7)}"
            "</SchemaData></ExtendedData></gx:Track></Placemark>"
        )
        found = self.read(place, line * 5, track)
        assert found.points == (TrackPoint(Point(1, 2), NOON, 7.0, speed_mps=1.5),)
        assert found.skipped == (
            "5 of 6 lines have no times and are left out.",
            "1 point is not on the track and is left out.",
        )
        assert self.read(place * 2, line).skipped == ("2 points are not on the track and are left out.",)
        with pytest.raises(InvalidParameter, match="it contains no positions of a path: 1 point without times"):
            self.read(place)


def feature(kind: str, coordinates: object, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "geometry": {"type": kind, "coordinates": coordinates}, "properties": properties}


class TestGeojson:
    def read(self, *features: object) -> Track:
        return parse_track(json.dumps({"type": "FeatureCollection", "features": features}).encode(), "a.geojson")

    def test_lines_without_times_are_counted_if_one_has_them(self) -> None:
        timed = feature("LineString", [[1, 2], [3, 4]], coordTimes=[ISO, ISO])
        plain = feature("LineString", [[5, 6], [7, 8]])
        track = self.read(plain, *[plain] * 4, timed)
        assert [each.point for each in track.points] == [Point(1, 2), Point(3, 4)]
        assert track.skipped == ("5 of 6 lines have no times and are left out.",)
        alone = self.read(plain, plain)
        assert (len(alone.points), alone.skipped) == (4, ())

    def test_times_of_some_lines_of_several(self) -> None:
        lines = feature("MultiLineString", [[[1, 2]], [[3, 4]]], coordTimes=[[ISO]])
        assert self.read(lines).skipped == ("1 of 2 lines has no times and is left out.",)

    def test_every_geometry_is_read_or_counted(self) -> None:
        collection = {
            "type": "GeometryCollection",
            "geometries": [{"type": "Point", "coordinates": [1, 2]}, {"type": "Polygon", "coordinates": []}],
        }
        track = self.read(
            {"type": "Feature", "geometry": collection, "properties": {}},
            feature("MultiPoint", [[3, 4], [5, 6]]),
            {"type": "Feature", "geometry": None, "properties": {}},
        )
        assert [each.point for each in track.points] == [Point(1, 2), Point(3, 4), Point(5, 6)]
        assert track.skipped == (
            "1 feature is without a geometry and is left out.",
            "1 polygon is no path and is left out.",
        )

    def test_overland_of_two_devices(self) -> None:
        still = {"motion": ["stationary"], "horizontal_accuracy": 4, "speed": 0, "device_id": "a"}
        points = [
            feature("Point", [14.5, 46.05], timestamp=after(10).isoformat(), **still),
            feature("Point", [14.6, 46.05], timestamp=ISO, device_id="a", motion=["driving"], speed=9.5),
            feature("Point", [1, 2], timestamp=ISO, device_id="b", horizontal_accuracy=-1),
        ]
        track = parse_track(json.dumps({"locations": points}).encode(), "batch.json")
        assert track.points == (
            TrackPoint(Point(14.6, 46.05), NOON, None, None, False, 9.5),
            TrackPoint(Point(14.5, 46.05), after(10), 4.0, None, True, 0.0),
        )
        assert track.skipped == ("Only the positions of a are used, not those of b (1).",)
        assert parse_track(json.dumps(points).encode(), "list.json").points == track.points[::-1]


class TestNmea:
    GGA = "GPGGA,{},4603.0,N,01430.0,E,1,08,1.0,300,M,46,M,,"

    def read(self, *bodies: str) -> Track:
        return parse_track("\r\n".join(map(sentence, bodies)).encode(), "a.nmea")

    def test_the_date_of_zda_alone(self) -> None:
        track = self.read(
            self.GGA.format("115959"),
            "GPZDA,120000.00,01,01,2026,00,00",
            self.GGA.format("120000.00"),
            self.GGA.format("120001"),
        )
        assert [each.at for each in track.points] == [after(-1), after(0), after(1)]
        assert track.skipped == ()

    def test_a_date_once_and_midnight_between(self) -> None:
        track = self.read("GNZDA,235958,31,12,2025,,", self.GGA.format("235959"), self.GGA.format("000001"))
        midnight = NOON - timedelta(hours=12)
        assert [each.at for each in track.points] == [midnight + timedelta(seconds=s) for s in (-1, 1)]

    def test_a_receiver_that_does_not_know_yet(self) -> None:
        track = self.read(
            "GPZDA,,,,,,",
            "GPZDA,000003,06,01,1980,00,00",
            "GPGGA,000003,,,,,0,00,99.9,,,,,,",
            self.GGA.format("120000"),
            "GPRMC,120000,A,4603.0,N,01430.0,E,10.0,90.0,010126,,",
        )
        assert track.points == (TrackPoint(Point(14.5, 46.05), NOON, 5.0, speed_mps=pytest.approx(5.144, abs=0.01)),)  # type: ignore[arg-type]
        assert track.skipped == ("3 sentences are without a fix and are left out.",)

    def test_positions_of_gns_and_gll(self) -> None:
        track = self.read(
            "GNGNS,120000.00,4603.0,N,01430.0,E,AN,08,2.0,300,46,,",
            "GPZDA,120000.00,01,01,2026,00,00",
            "GPGLL,4606.0,N,01436.0,E,120010.00,A,A",
            "GNGNS,120020.00,4603.0,N,01430.0,E,NN,00,,,,,",
        )
        assert track.points == (
            TrackPoint(Point(14.5, 46.05), NOON, 10.0),
            TrackPoint(Point(14.6, 46.1), after(10)),
        )
        assert track.skipped == ("1 sentence is without a fix and is left out.",)


class TestTcx:
    def read(self, body: str, name: str = "Activities") -> Track:
        text = f"<TrainingCenterDatabase><{name}><Lap><Track>{body}</Track></Lap></{name}></TrainingCenterDatabase>"
        return parse_track(text.encode(), "a.tcx")

    POINT = (
        "<Trackpoint><Time>{}</Time><Position><LatitudeDegrees>{}</LatitudeDegrees>"
        "<LongitudeDegrees>14.5</LongitudeDegrees></Position><Extensions><TPX "
        'xmlns="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Speed>2.5</Speed></TPX></Extensions></Trackpoint>'
    )

    def test_points_have_times_and_speeds_and_those_without_a_position_are_counted(self) -> None:
        indoors = "<Trackpoint><Time>2026-01-01T12:00:01Z</Time></Trackpoint>"
        wrong = self.POINT.format(ISO, 95)
        track = self.read(self.POINT.format(ISO, 46.05) + indoors * 2 + wrong)
        assert track.points == (TrackPoint(Point(14.5, 46.05), NOON, speed_mps=2.5),)
        assert track.skipped == (
            "2 of 4 track points have no position.",
            "line 1: latitude: the latitude must be within [-90, 90], not 95.",
        )

    def test_a_course_is_read_without_an_activity(self) -> None:
        assert len(self.read(self.POINT.format(ISO, 46.05), "Courses").points) == 1


def fit_message(
    local: int, number: int, fields_of: list[tuple[int, int, int, str]], rows: list[tuple[int, ...]]
) -> bytes:
    """Return the definition of a message and its data; a field is its number, size, type and struct format."""
    definition = struct.pack("<BBBHB", 0x40 | local, 0, 0, number, len(fields_of))
    definition += b"".join(bytes(each[:3]) for each in fields_of)
    layout = "<B" + "".join(each[3] for each in fields_of)
    return definition + b"".join(struct.pack(layout, local, *row) for row in rows)


def fit_file(*messages: bytes) -> bytes:
    body = b"".join(messages)
    return struct.pack("<BBHI4s", 12, 0x20, 2132, len(body), b".FIT") + body + b"\0\0"


CORRELATION = [(253, 4, 0x86, "I"), (1, 4, 0x86, "I"), (4, 2, 0x84, "H"), (5, 2, 0x84, "H")]
CAMERA = [(253, 4, 0x86, "I"), (0, 2, 0x84, "H"), (1, 4, 0x85, "i"), (2, 4, 0x85, "i"), (4, 4, 0x86, "I")]
CAMERA_UTC = [*CAMERA, (6, 4, 0x86, "I")]


def semicircles(degrees: float) -> int:
    return round(degrees * 2**31 / 180)


class TestFit:
    NOON = int(NOON.timestamp()) - FIT_EPOCH
    LAT, LON = semicircles(46.05), semicircles(14.5)

    def row(self, seconds: int, milliseconds: int, *more: int) -> tuple[int, ...]:
        return (seconds, milliseconds, self.LAT, self.LON, 2_500, *more)

    def test_a_camera_dates_its_clock_by_the_correlation(self) -> None:
        positions = fit_message(0, 160, CAMERA, [self.row(99, 500), self.row(110, 250)])
        correlation = fit_message(1, 162, CORRELATION, [(self.NOON, 100, 500, 500)])
        for data in (fit_file(correlation, positions), fit_file(positions, correlation)):
            track = parse_track(data, "virb.fit")
            assert [each.at for each in track.points] == [after(-0.5), after(10.25)]
            assert [each.speed_mps for each in track.points] == [2.5, 2.5]
            assert track.skipped == ()

    def test_a_camera_that_was_started_again(self) -> None:
        clocks = fit_message(1, 162, CORRELATION, [(self.NOON, 10, 0, 0), (self.NOON + 100, 50, 0, 0)])
        positions = fit_message(0, 160, CAMERA, [self.row(20, 0), self.row(60, 0)])
        track = parse_track(fit_file(clocks, positions), "virb.fit")
        assert [each.at for each in track.points] == [after(10), after(110)]

    def test_without_a_correlation_the_time_of_the_satellites_dates_it(self) -> None:
        positions = fit_message(0, 160, CAMERA_UTC, [self.row(20, 0, self.NOON), self.row(21, 500, self.NOON + 1)])
        track = parse_track(fit_file(positions), "virb.fit")
        assert [each.at for each in track.points] == [after(0), after(1.5)]

    def test_records_of_a_camera_are_dated_too_and_the_second_series_is_counted(self) -> None:
        record = [(253, 4, 0x86, "I"), (0, 4, 0x85, "i"), (1, 4, 0x85, "i")]
        records = fit_message(2, 20, record, [(20, self.LAT, self.LON), (21, self.LAT, 0x7FFFFFFF)])
        correlation = fit_message(1, 162, CORRELATION, [(self.NOON, 10, 0, 0)])
        alone = parse_track(fit_file(records, correlation), "virb.fit")
        assert [each.at for each in alone.points] == [after(10)]
        assert alone.skipped == ("1 of 2 records has no position.",)
        positions = fit_message(0, 160, CAMERA, [self.row(20, 0), self.row(20, 100)])
        both = parse_track(fit_file(records, positions, correlation), "virb.fit")
        assert len(both.points) == 2
        assert both.skipped == ("1 record is a second series of positions and is left out.",)
        records = fit_message(2, 20, record, [(20 + second, self.LAT, self.LON) for second in range(3)])
        more = parse_track(fit_file(records, positions, correlation), "virb.fit")
        assert [each.at for each in more.points] == [after(10), after(11), after(12)]
        assert more.skipped == ("2 camera positions are a second series of positions and are left out.",)

    def test_a_clock_that_nothing_dates_gives_no_times(self) -> None:
        track = parse_track(fit_file(fit_message(0, 160, CAMERA, [self.row(20, 0)])), "virb.fit")
        assert [each.at for each in track.points] == [None]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("12,5", "12.5"),
        ("-0,5", "-0.5"),
        (",5", ".5"),
        ("1.234,5", "1234.5"),
        ("12.5", "12.5"),
        ("1,2,3", "1,2,3"),
        ("1,234.5", "1,234.5"),
        ("", ""),
    ],
)
def test_a_decimal_comma_is_a_point(text: str, plain: str) -> None:
    assert fields.decimal(text) == plain


@pytest.mark.parametrize(
    ("value", "mps"), [(3, 3.0), ("3.5", 3.5), ("3.6 km/h", 1.0), (-1, None), (None, None), ("", None), ("inf", None)]
)
def test_a_speed_that_is_none_is_not_known(value: object, mps: float | None) -> None:
    assert fields.speed(value) == mps


@pytest.mark.parametrize("value", ["x", "3 miles", True])
def test_a_speed_that_cannot_be_read_is_counted(value: object) -> None:
    assert isnan(fields.speed(value) or 0)
