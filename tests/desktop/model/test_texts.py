"""Words, defaults, coordinates, metadata and files, as users type and read them."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import fields

from app.desktop.model import words
from app.desktop.model.drops import FileKind, kind_by_name, kind_of_content
from app.desktop.model.editing.metadata import kind_of, parse_value, text_of
from app.desktop.model.editing.naming import new_fence
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Part, Point, Polygon
from engine.domain.metadata import MetadataValue
from engine.domain.settings import SettingsChange
from engine.domain.tracking.trips import Trip, TripStatus
from engine.domain.tracking.updates import Event, EventType, UserSummary
from engine.domain.values import replace
from engine.geo.written.positions import typed_position
from tests.desktop.model.values import START, event, fence


def test_a_new_fence_gets_the_next_free_external_id_of_its_tag() -> None:
    shape = GeofenceChange(type="circle", coordinates=(14.5, 46.0), size=100.0)
    change = new_fence([fence(1), fence(3), fence(2, "depot")], "store", shape)
    assert (change.tag, change.external_id, change.description) == ("store", "store-4", "Store 4")
    assert (change.type, change.size, change.enabled) == ("circle", 100.0, True)
    assert new_fence([], "geofence", shape).external_id == "geofence-1"


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("51.13, 1.31", Point(1.31, 51.13)),
        ("  -33.9 18.4 ", Point(18.4, -33.9)),
        ("33.9°S, 18.4°E", Point(18.4, -33.9)),
        ("51N;0.1w", Point(-0.1, 51.0)),
        ("91, 0", None),
        ("Store 12", None),
        ("12", None),
        ("", None),
    ],
)
def test_coordinates_are_latitude_first(text: str, point: Point | None) -> None:
    typed = typed_position(text)
    assert (typed.point if typed else None) == point


@pytest.mark.parametrize("value", ["north", "", "12", 12, -0.5, True, False])
def test_metadata_survives_the_table(value: MetadataValue) -> None:
    again = parse_value("key", text_of(value), kind_of(value))
    assert (again, type(again)) == (value, type(value))


@pytest.mark.parametrize(("text", "kind"), [("much", "Number"), ("maybe", "Yes/No")])
def test_a_value_of_another_kind_is_refused(text: str, kind: str) -> None:
    with pytest.raises(InvalidParameter, match="metadata: the value of 'key' must be"):
        parse_value("key", text, kind)


def test_events_are_described_in_plain_words() -> None:
    left = event(5, fence(1), EventType.EXITED_GEOFENCE)
    assert words.event_sentence(left) == "phone-1 left Fence 1"
    assert words.event_verb(event(1, fence(1))) == "Entered"
    assert words.local_time(START, UTC) == "2026-05-12 06:00:00 UTC"
    assert words.local_time(START, ZoneInfo("Europe/Vaduz")) == "2026-05-12 08:00:00 CEST"
    assert words.zone_name(START, ZoneInfo("America/Argentina/Ushuaia")) == "UTC-03"
    assert words.full_time(START, ZoneInfo("Europe/Vaduz")) == "2026-05-12T08:00:00.000+02:00 Europe/Vaduz"
    assert words.confidence_word(3) == "High"


def test_events_of_trips_are_described_in_plain_words() -> None:
    trip = Trip("t", Environment.TEST, "order-7", TripStatus.ARRIVED, START, START, START)
    user = UserSummary("u", "phone-1")
    arrival = Event("e", Environment.TEST, EventType.ARRIVED_AT_TRIP_DESTINATION, START, START, user, trip=trip)
    assert words.event_sentence(arrival) == "phone-1 on trip order-7: arrived"
    assert (words.event_verb(arrival), words.event_subject_kind(arrival), words.event_about(arrival)) == (
        "Arrived",
        "",
        "order-7",
    )


@pytest.mark.parametrize(("seconds", "text"), [(12, "12 s"), (200, "3 min 20 s"), (3900, "1 h 05 min"), (0, "0 s")])
def test_durations_are_short(seconds: float, text: str) -> None:
    assert words.duration(seconds) == text


def test_numbers_carry_units() -> None:
    assert (words.metres(150.0), words.metres(12.5), words.metres(9000.0), words.metres(1234.0)) == (
        "150 m",
        "12.5 m",
        "9 km",
        "1.23 km",
    )
    assert (words.count(1, "geofence"), words.count(1204, "geofence")) == ("1 geofence", "1,204 geofences")
    assert words.shape_text(fence(1)) == "Circle, 100 m"
    ring = tuple((14.5 + x, 46.0 + y) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0)))
    hole = tuple((14.7 + x / 9, 46.2 + y / 9) for x, y in ((0, 0), (1, 0), (1, 1), (0, 0)))
    other = Part(tuple((longitude + 3, latitude) for longitude, latitude in ring))
    assert [
        words.shape_text(replace(fence(1), geometry=geometry))
        for geometry in (Polygon(ring), Polygon(ring, (hole,)), Polygon(ring, (hole, hole), (other,)))
    ] == ["Polygon, 4 vertices", "Polygon, 7 vertices, 1 hole", "Polygon, 14 vertices, 2 parts, 2 holes"]


@pytest.mark.parametrize("change", [GeofenceChange, SettingsChange, ClockChange])
def test_a_field_has_a_title_and_no_name_of_the_code(change: type) -> None:
    for field in fields(change):
        title = words.field_title(field.name)
        assert title[0].isupper()
        assert "_" not in title
        error = InvalidParameter(field.name, f"{field.name}: must be one of {field.name}.")
        assert words.error_text(error) == f"{title}: must be one of {field.name}."
    assert words.field_title("dwell_threshold_s") == "Dwell threshold"
    assert words.field_title("user_ids") == "User IDs"


def test_files_are_known_by_name_and_tables_by_their_header() -> None:
    assert kind_by_name(Path("a.GPX")) is FileKind.UNSURE
    assert kind_by_name(Path("a.kmz")) is FileKind.FENCES
    assert kind_by_name(Path("a.pdf")) is FileKind.OTHER
    assert kind_of_content(b"\xef\xbb\xbfTime,Lat,Lon\n1,2,3\n") is FileKind.TRACK
    assert kind_of_content("Time,Lat,Lon\n1,2,3\n".encode("utf-16")) is FileKind.TRACK
    assert kind_of_content("tag|lat\nü|1\n".encode("utf-16-be")) is FileKind.FENCES
    assert kind_by_name(Path("a.txt")) is FileKind.UNSURE
    assert kind_of_content(b'tag,"externalId",coordinates\n') is FileKind.FENCES
    assert kind_of_content(b"tag;externalId;latitude;longitude\n") is FileKind.FENCES
    assert kind_of_content(b'<gpx><wpt lat="1" lon="2"/></gpx>') is FileKind.FENCES
    assert kind_of_content(b'<gpx><wpt lat="1" lon="2"/><trk></trk></gpx>') is FileKind.TRACK
    assert kind_of_content(b'{"type": "Polygon", "coordinates": []}') is FileKind.FENCES
    assert kind_of_content(b'{"type": "LineString", "coordinates": []}') is FileKind.TRACK
