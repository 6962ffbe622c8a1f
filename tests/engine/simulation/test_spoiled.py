"""Files of every format as users get them: packed, with byte order marks and other line ends, or a wrong position."""

import codecs
import gzip
import struct
from collections.abc import Callable, Mapping
from typing import Final

import pytest

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import Track
from engine.simulation.formats import reading
from engine.simulation.formats.reading import parse_track
from tests.engine.simulation import phones
from tests.engine.simulation.phones import FAR, HERE, ISO, POSITIONS, THERE

BINARY: Final = ("walk.fit", "walk.kmz")
TEXTS: Final = tuple(name for name in phones.ALL if name not in BINARY)

PACKED: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "gzip": gzip.compress,
    "a mark": lambda data: codecs.BOM_UTF8 + data,
    "CRLF": lambda data: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    "CR": lambda data: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r"),
    "UTF-16": lambda data: data.decode().encode("utf-16"),
}

E7: Final = b"460510000", b"1460510000"
DEGREES: Final = b"46.051", b"146.051"
SPOILED: Final[Mapping[str, tuple[tuple[bytes, bytes], str]]] = {
    "walk.kml": (DEGREES, "line 1, position 2 of the track: latitude: "),
    "walk.fit": (
        (struct.pack("<i", round(THERE.latitude * 2**31 / 180)), struct.pack("<i", 2**30 + 1)),
        "record 2: latitude: ",
    ),
    "Timeline.json": (DEGREES, "rawSignals[1].position: latitude: "),
    "location-history.json": (DEGREES, "[0].timelinePath[1]: latitude: "),
    "Records.json": (E7, "locations[1]: latitude: "),
    "2026_JANUARY.json": (E7, "timelineObjects[0].activitySegment.simplifiedRawPath.points[0]: latitude: "),
    "owntracks.json": (DEGREES, "[2]: latitude: "),
    "recorder-api.json": (DEGREES, "[2]: latitude: "),
    "owntracks.jsonl": (DEGREES, "line 3: latitude: "),
    "2026-01.rec": (DEGREES, "line 3: latitude: "),
    "gpslogger.csv": (DEGREES, "row 3, column lat: "),
    "gpslogger.gpx": (DEGREES, "line 1: latitude: "),
    "traccar.json": (DEGREES, "[1]: latitude: "),
    "traccar.csv": (DEGREES, "row 3, column latitude: "),
    "requests.json": (DEGREES, "request 2: latitude: "),
    "walk.tcx": (DEGREES, "line 1: latitude: "),
    "overland.json": (DEGREES, "locations[1].geometry.coordinates: latitude: "),
}

GOOGLE_NULLS: Final = (
    (b'{"rawSignals": [{"position": null}, %s]}', "rawSignals[0].position: it has no position."),
    (b'{"rawSignals": [null, %s]}', "rawSignals[0] must be an object."),
    (b'{"rawSignals": [{"position": {"LatLng": null, "timestamp": "%%s"}}, %s]}', "rawSignals[0].position: it has no"),
    (
        b'{"semanticSegments": [{"activity": {"start": null}}], "rawSignals": [%s]}',
        "semanticSegments[0].activity.start: ",
    ),
    (b'{"semanticSegments": [{"visit": {"topCandidate": null}}], "rawSignals": [%s]}', "semanticSegments[0].visit: "),
)
SIGNAL: Final = b'{"position": {"LatLng": "46.05, 14.5", "timestamp": "2026-01-01T12:00:00Z"}}'


def places(track: Track) -> list[tuple[float, float]]:
    return [(round(each.point.longitude, 6), round(each.point.latitude, 6)) for each in track.points]


@pytest.mark.parametrize("name", phones.ALL)
def test_a_file_is_the_same_track_however_it_is_packed(name: str) -> None:
    data = phones.ALL[name]()
    expected = parse_track(data, name)
    for how, pack in PACKED.items():
        if name in BINARY and how != "gzip":
            continue
        assert parse_track(pack(data), name) == expected, how


def test_gzip_to_which_a_logger_has_appended_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    head, row = b"longitude,latitude\n", b"9.52,47.14\n"
    packed = gzip.compress(head + row * 3) + gzip.compress(row * 4) + gzip.compress(row)
    for piece in (3, 64, 65_536):
        monkeypatch.setattr("engine.simulation.formats.reading._GZIP_PIECE", piece)
        track = parse_track(packed, "a.csv.gz")
        assert (len(track.points), track.skipped) == (8, ())
    assert len(parse_track(packed + b"\0\0", "a.csv.gz").points) == 8, "it may be padded"
    cut = parse_track(gzip.compress(head + row) + gzip.compress(row)[:8], "a.csv.gz")
    assert (len(cut.points), cut.skipped) == (1, ("The gzip file is cut off, so its end is missing.",))
    monkeypatch.setattr("engine.simulation.formats.reading._MOST_MEMBERS", 2)
    with pytest.raises(InvalidParameter, match="more than 2 gzip files"):
        parse_track(packed, "a.csv.gz")


def test_the_content_of_gzip_is_bounded_and_may_be_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = b"lat,lon\n" + b"46.05,14.5\n" * 50_000
    packed = gzip.compress(rows)
    some = parse_track(packed[: len(packed) // 2], "a.csv.gz")
    assert 0 < len(some.points) < 50_000
    with pytest.raises(InvalidParameter, match="it is gzip, and damaged"):
        parse_track(b"\x1f\x8b\x08" + b"\xff" * 50, "a.csv.gz")
    monkeypatch.setattr(reading, "MAX_TRACK_BYTES", len(rows) - 1)
    with pytest.raises(InvalidParameter, match="it is larger than"):
        parse_track(packed, "a.csv.gz")
    with pytest.raises(InvalidParameter, match="it is empty"):
        parse_track(gzip.compress(b""), "a.csv.gz")


@pytest.mark.parametrize("name", SPOILED)
def test_a_position_that_cannot_be_is_named_and_the_rest_is_kept(name: str) -> None:
    (right, wrong), place = SPOILED[name]
    data = phones.ALL[name]()
    assert right in data
    track = parse_track(data.replace(right, wrong, 1), name)
    assert places(track) == [(point.longitude, point.latitude) for point in (HERE, FAR)]
    assert any(each.startswith(place) for each in track.skipped), track.skipped


def test_a_sentence_with_a_wrong_checksum_is_named_and_the_rest_is_kept() -> None:
    lines = phones.nmea().splitlines(keepends=True)
    spoiled = [line.replace(b",N,", b",S,") if b"120010.00" in line else line for line in lines]
    track = parse_track(b"".join(spoiled), "receiver.nmea")
    assert places(track) == [(point.longitude, point.latitude) for point in (HERE, FAR)]
    assert [each.split(": ")[0] for each in track.skipped] == ["line 5", "line 7"]


def test_one_accuracy_too_many_leaves_the_others_in_place() -> None:
    data = phones.kml().replace(b"<gx:value>5.0<", b"<gx:value>5.0</gx:value><gx:value>7<")
    track = parse_track(data, "walk.kml")
    assert [each.accuracy_m for each in track.points] == [5, 7, 20]
    untimed = "1 of 2 lines has no times and is left out."
    assert track.skipped == (untimed, "line 1: the track has 4 accuracies for 3 positions.")
    fewer = parse_track(phones.kml().replace(b"<gx:value>65.0</gx:value>", b""), "walk.kml")
    assert [each.accuracy_m for each in fewer.points] == [5, 20, None]
    assert fewer.skipped == (untimed, "line 1: the track has 2 accuracies for 3 positions.")
    array = b'<gx:SimpleArrayData name="hacc"><gx:value>1</gx:value></gx:SimpleArrayData></SchemaData>'
    both = parse_track(phones.kml().replace(b"</SchemaData>", array), "walk.kml")
    assert [each.accuracy_m for each in both.points] == [5, 20, 65]
    assert both.skipped == (untimed,)


@pytest.mark.parametrize(("document", "message"), GOOGLE_NULLS)
def test_a_position_of_the_timeline_that_is_not_there_is_named(document: bytes, message: str) -> None:
    track = parse_track(document.replace(b"%%s", ISO[0].encode()).replace(b"%s", SIGNAL), "Timeline.json")
    assert places(track) == [(HERE.longitude, HERE.latitude)]
    assert len(track.skipped) == 1
    assert track.skipped[0].startswith(message)


def test_times_that_go_back_or_stand_still_are_left_as_they_are_in_a_table() -> None:
    rows = [f"{point.latitude},{point.longitude},{at}" for point, at in zip(POSITIONS, ISO, strict=True)]
    backwards = parse_track("\n".join(["lat,lon,time", *reversed(rows)]).encode(), "a.csv")
    assert places(backwards) == [(point.longitude, point.latitude) for point in reversed(POSITIONS)]
    assert not backwards.timed
    twice = parse_track("\n".join(["lat,lon,time", rows[0], rows[0], rows[1]]).encode(), "a.csv")
    assert len(twice.points) == 3
    assert twice.timed
