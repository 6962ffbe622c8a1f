"""A geofence as text: written texts are read back, and errors are shown at their position."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desktop.model.editing.pending import fence_with
from app.desktop.model.shaping.faults import json_fault, wkt_fault
from app.desktop.model.shaping.texts import Format, Read, Wire, read_text, write_text
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence, GeofenceChange, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Isochrone, Part, Point, Polygon
from engine.domain.hours import parse_hours
from engine.domain.ip import parse_ip_ranges
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geofences.changes import Finders, changed

NOW = datetime(2026, 11, 23, tzinfo=UTC)
SQUARE = Polygon(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)))
CIRCLE = Circle(Point(14.5, 46.05), 120.0)
ISOCHRONE = Isochrone(SQUARE.ring, center=Point(0.5, 0.5), minutes=10.0, mode=TravelMode.FOOT)
RULES = GeofenceRules(
    operating_hours=parse_hours({"Mon": [["08:00", "18:00"]]}, "operating_hours"),
    stop_detection=True,
    disable_after=NOW,
    user_ids=("a", "b"),
    ip=parse_ip_ranges("10.0.0.0/16", "ip"),
    dwell_threshold_s=90.0,
    trip_approaching_threshold_s=600.0,
)
HOLE = ((0.2, 0.2), (0.4, 0.2), (0.4, 0.4), (0.2, 0.4), (0.2, 0.2))
EAST = Part(((179.0, 0.0), (180.0, 0.0), (180.0, 1.0), (179.0, 1.0), (179.0, 0.0)))
WEST = Part(((-180.0, 0.0), (-179.5, 0.0), (-179.5, 1.0), (-180.0, 1.0), (-180.0, 0.0)))
HOLED = Polygon(SQUARE.ring, (HOLE,))
CUT = Polygon(EAST.ring, (), (WEST, Part(SQUARE.ring, (HOLE,))))
GEOMETRIES: tuple[Geometry, ...] = (CIRCLE, SQUARE, ISOCHRONE)
FORMATS = list(Format)

WIRE = Wire(
    lambda fence: WorkspaceSession.geofence_json(None, fence),  # type: ignore[arg-type]
    lambda text: WorkspaceSession.read_geofence_json(None, text),  # type: ignore[arg-type]
)


def fence(geometry: Geometry = CIRCLE, rules: GeofenceRules | None = None) -> Geofence:
    summary = GeofenceSummary("f1", "store", "1", "Store 1", {"floor": 2})
    return Geofence("f1", Environment.TEST, summary, geometry, True, NOW, NOW, rules or GeofenceRules())


def judge(geofence: Geofence, change: GeofenceChange) -> Geofence:
    class Nowhere:
        def place(self, place_id: str) -> None: ...
        def address(self, address: str, near: Point | None = None) -> Point:
            raise InvalidParameter("address", "address: was not found.")

    return changed(geofence, change, NOW, Finders(lambda *_: SQUARE.ring, Nowhere()))  # type: ignore[arg-type]


def read(text: str, format: Format, geofence: Geofence | None = None) -> Read:
    return read_text(text, format, geofence or fence(), WIRE, judge)


@pytest.mark.parametrize(
    ("geometry", "format"),
    [
        *((geometry, format) for geometry in GEOMETRIES for format in FORMATS),
        *((geometry, format) for geometry in (HOLED, CUT) for format in (Format.GEOJSON, Format.WKT)),
    ],
)
def test_writing_and_reading_changes_nothing(geometry: Geometry, format: Format) -> None:
    geofence = fence(geometry, RULES)
    text = write_text(geofence, format, WIRE)
    answer = read(text, format, geofence)
    assert answer.fault is None
    assert not answer.changes
    assert max(map(len, text.splitlines())) < 100 or format is Format.WKT


@given(
    st.floats(-170, 170),
    st.floats(-80, 80),
    st.lists(st.floats(0.01, 0.5), min_size=3, max_size=8),
    st.sampled_from(FORMATS),
)
def test_any_polygon_is_read_as_it_is_written(
    longitude: float, latitude: float, steps: list[float], format: Format
) -> None:
    across = [longitude + sum(steps[:number]) for number in range(len(steps) + 1)]
    ring = [*((each, latitude) for each in across), (across[-1], latitude + 1), (across[0], latitude + 1)]
    other = fence(Polygon((*ring, ring[0])))
    answer = read(write_text(other, format, WIRE), format, fence(SQUARE))
    assert answer.fence is not None
    assert answer.fence.geometry == other.geometry


@pytest.mark.parametrize("format", FORMATS, ids=lambda each: each.name)
def test_a_text_of_another_shape_is_the_whole_shape(format: Format) -> None:
    text = write_text(replace(fence(SQUARE)), format, WIRE)
    answer = read(text, format)
    assert answer.fence is not None
    assert answer.fence.geometry == SQUARE


def test_fields_omitted_in_the_json_of_the_api_have_the_defaults_of_a_new_geofence() -> None:
    geofence = replace(fence(rules=RULES), enabled=False)
    answer = read(write_text(fence(), Format.API, WIRE).replace('"floor": 2', '"floor": 3'), Format.API, geofence)
    assert answer.fence is not None
    assert answer.fence.rules == GeofenceRules()
    assert (answer.fence.enabled, answer.fence.metadata) == (True, {"floor": 3})
    assert answer.change is not None
    assert fence_with(geofence, answer.change).summary == answer.fence.summary


@pytest.mark.parametrize("geometry", [SQUARE, HOLED, CUT], ids=["ring", "hole", "parts"])
def test_the_format_of_a_text_is_recognised(geometry: Geometry) -> None:
    for written, box in ((Format.GEOJSON, Format.WKT), (Format.WKT, Format.GEOJSON)):
        answer = read(f"\n {write_text(fence(geometry), written, WIRE)}", box)
        assert answer.fence is not None
        assert answer.fence.geometry == geometry


def test_a_point_is_another_centre() -> None:
    for text, format in (("POINT (1 2)", Format.WKT), ('{"type": "Point", "coordinates": [1, 2]}', Format.GEOJSON)):
        answer = read(text, format)
        assert answer.change == GeofenceChange(coordinates=(1.0, 2.0)) or answer.change == GeofenceChange(
            coordinates=(1, 2)
        )
        refused = read(text, format, fence(SQUARE))
        assert refused.fault is not None
        assert "needs a radius" in refused.fault.message


@pytest.mark.parametrize(
    ("text", "location", "message"),
    [
        ("POLYGON ((0 0, 1 0, 1 1 0 0))", None, None),
        ("POLYGON ((0 0, 1 0, 1, 0 0))", "Line 1, column 22", "Expected a latitude, found ','."),
        ("POLYGON (0 0, 1 0)", "Line 1, column 10", "Expected \"(\", found '0'."),
        ("POLYGON ((0 0, 1 0)", "Line 1, column 19", 'Expected "," or ")", but the text ends.'),
        ("POLYGON ((0 0,\n x 0))", "Line 2, column 2", "Expected a longitude, found 'x'."),
        ("POLYGN ((0 0))", "Line 1, column 1", "Expected POLYGON or POINT, found 'POLYGN'."),
        ("POINT (1 2) 3", "Line 1, column 13", "Expected the end, found '3'."),
        ("POLYGON EMPTY", "Line 1, column 9", "The geometry is empty."),
        ("SRID=4326;POINT Z (1 2 3)", None, None),
        ("MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((2 2, 3 2, 3 3, 2 2)))", None, None),
        ("GEOMETRYCOLLECTION (POINT (1 2), MULTIPOINT ((1 2), 3 4))", None, None),
    ],
)
def test_errors_in_well_known_text_are_located(text: str, location: str | None, message: str | None) -> None:
    fault = wkt_fault(text)
    assert (fault and fault.position_in(text), fault and fault.message) == (location, message)


def test_errors_in_json_are_located() -> None:
    text = '{\n  "type": "Point"\n  "coordinates": [1, 2]}'
    fault = json_fault(text)
    assert fault is not None
    assert fault.position_in(text) == "Line 3, column 3"
    assert fault.message == "Expecting ',' delimiter."
    deep = read("[" * 5_000, Format.GEOJSON).fault
    assert deep is not None
    assert "deeply" in deep.message


@pytest.mark.parametrize(
    ("text", "format", "marked", "message"),
    [
        ("POLYGON ((0 0, 1 0, 1 95, 0 0))", Format.WKT, "95", "the latitude must be within [-90, 90], not 95"),
        ("POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))", Format.WKT, "(", "crosses or touches itself"),
        ("POLYGON ((0 0, 9 0, 9 9, 0 0), (2 1, 3 1, 3 4, 2 1))", Format.WKT, "(", "must be inside its outer ring"),
        ("MULTIPOLYGON (((0 0, 9 0, 9 9, 0 0)), ((2 1, 3 1, 3 4, 2 1)))", Format.WKT, "(", "two parts overlap"),
        ("GEOMETRYCOLLECTION (POLYGON ((0 0, 9 0, 9 9, 0 0)), POINT (2 1))", Format.WKT, "(", "1 point beside them"),
        ("MULTIPOINT ((0 0), (9 0))", Format.WKT, "(", "the text has 2 geometries"),
        ("POLYGON ((0 0, 1 0, 1 1 0 0))", Format.GEOJSON, "(", "is not well-known text"),
        ('{"type": "Point", "coordinates": [1, 2,]}', Format.WKT, "]", "Expecting value"),
        ('{"type": "Feature", "properties": {"radius": 5}, "geometry": {"type": "Point", "coordinates": [1, 2]}}',
         Format.GEOJSON, "5", "between 10 and 10000 metres, not 5"),
        ('{"type": "LineString", "coordinates": [[1, 2], [2, 3]]}',
         Format.GEOJSON, '"coordinates"', "a line cannot be"),
        ('{"tag": "a"}', Format.API, "", "is required"),
        ("[]", Format.API, "", ""),
        ('{"type": "FeatureCollection", "features": []}', Format.GEOJSON, "", "the text has 0 features"),
        ("", Format.WKT, "", "The text is empty"),
        ("POINT (1 2)" + " " * 1_000_000, Format.WKT, "", "at most 1,000,000 are allowed"),
    ],
)  # fmt: skip
def test_a_refused_part_is_marked(text: str, format: Format, marked: str, message: str) -> None:
    fault = read(text, format).fault
    assert fault is not None
    assert message in fault.message
    assert text[fault.begin : fault.end] == marked


@given(st.text(max_size=80), st.sampled_from(FORMATS))
def test_any_text_is_read_or_refused(text: str, format: Format) -> None:
    answer = read(text, format)
    assert answer.fault is not None or answer.change is not None
    if answer.fault is not None:
        assert 0 <= answer.fault.begin <= answer.fault.end <= max(len(text), 1)
        answer.fault.position_in(text)


@given(st.text(alphabet="POLYGONPOINT( ),0123456789.-eE", max_size=60))
def test_text_accepted_by_the_grammar_is_read_by_the_importer(text: str) -> None:
    answer = read(text, Format.WKT)
    assert answer.fault is not None or answer.fence is not None


def test_ten_thousand_vertices_are_refused_in_time() -> None:
    ring = ", ".join(f"{number / 10_000} {number % 2}" for number in range(10_000))
    fault = read(f"POLYGON (({ring}, 0 0))", Format.WKT).fault
    assert fault is not None
    assert "at most 2000 positions" in fault.message
