"""Repair of polygons in imported files, and the rule for external IDs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from pyogrio import raw
from shapely.geometry import mapping

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_RING_POSITIONS, Polygon
from engine.domain.imports import ALL_REPAIRS, NO_REPAIRS, ImportFile, ImportOptions, ImportReport, Repair
from engine.engine import Engine
from engine.geo.parts import united
from engine.geo.rings import unwrap
from engine.geo.shaping.measuring import area_m2

TEST = Environment.TEST
SQUARE = [[9.0, 47.0], [9.1, 47.0], [9.1, 47.1], [9.0, 47.1], [9.0, 47.0]]
HOLE = [[9.04, 47.04], [9.04, 47.05], [9.05, 47.05], [9.04, 47.04]]
BOW_TIE = [[9.0, 47.0], [9.1, 47.1], [9.1, 47.0], [9.0, 47.1], [9.0, 47.0]]
ACROSS = [[179.9, 1.0], [-179.9, 1.2], [-179.9, 1.0], [179.9, 1.2], [179.9, 1.0]]
FIXED = {"tag": "zone", "description": "Zone"}


def round_ring(positions: int) -> list[list[float]]:
    angles = np.linspace(0, 2 * np.pi, positions)
    ring = np.column_stack([9 + np.cos(angles) / 100, 47 + np.sin(angles) / 100]).tolist()
    return [*ring[:-1], ring[0]]


def features(*rings: Any) -> bytes:
    listed = [
        {
            "type": "Feature",
            "properties": {"externalId": str(number)},
            "geometry": {"type": "Polygon", "coordinates": each},
        }
        for number, each in enumerate(rings, 1)
    ]
    return json.dumps({"type": "FeatureCollection", "features": listed}).encode()


def run(engine: Engine, data: bytes, name: str = "zones.geojson", **options: Any) -> ImportReport:
    wanted = {"fixed": FIXED, "repairs": ALL_REPAIRS, **options}
    return engine.imports.run(TEST, ImportFile(data, name), ImportOptions(**wanted)).report


def polygon(engine: Engine, external_id: str = "1") -> Polygon:
    geometry = engine.geofences.get_by_key(TEST, "zone", external_id).geometry
    assert isinstance(geometry, Polygon)
    return geometry


def shape(engine: Engine, external_id: str = "1") -> Any:
    return united(polygon(engine, external_id))


def repair(engine: Engine, geometry: Any, *repairs: Repair, **options: Any) -> tuple[str, ...]:
    """Import a geometry, which must become one geofence; return its warnings."""
    data = json.dumps({"type": "Feature", "properties": {"externalId": "1"}, "geometry": mapping(geometry)}).encode()
    report = run(engine, data, repairs=frozenset(repairs), **options)
    assert (report.created, report.errors) == (1, ())
    assert all((warning.row, warning.column) == (1, "coordinates") for warning in report.warnings)
    assert run(engine, data, repairs=frozenset(repairs), **options).unchanged == 1
    return tuple(warning.message for warning in report.warnings)


@pytest.mark.parametrize(
    ("rings", "kind", "note"),
    [
        ([SQUARE[:-1]], Repair.RINGS, "1 ring closed"),
        ([SQUARE[:-1], HOLE[:-1]], Repair.RINGS, "2 rings closed"),
        ([SQUARE, HOLE, [HOLE[0], HOLE[1], HOLE[0]]], Repair.RINGS, "1 ring without an area left out"),
        ([round_ring(5_000)], Repair.SIMPLIFY, "4,999 → 1,449 vertices, area 0.00 %"),
    ],
)
def test_a_polygon_is_repaired_with_a_warning(engine: Engine, rings: Any, kind: Repair, note: str) -> None:
    for repairs in (NO_REPAIRS, ALL_REPAIRS - {kind}):
        with_error = run(engine, features(rings), repairs=repairs)
        assert (with_error.failed, with_error.stored) == (1, False)
    report = run(engine, features(rings), repairs=frozenset({kind}))
    assert (report.created, report.errors) == (1, ())
    (warning,) = report.warnings
    assert (warning.row, warning.column) == (1, "coordinates")
    assert warning.message == f"The shape was repaired: {note}."
    wanted = shapely.Polygon(rings[0], [HOLE] if len(rings) > 1 else [])
    assert shape(engine).symmetric_difference(wanted).area < wanted.area * 1e-3
    assert run(engine, features(rings)).unchanged == 1


@pytest.mark.parametrize("ring", [BOW_TIE, ACROSS], ids=["europe", "antimeridian"])
def test_a_polygon_that_crosses_itself_becomes_its_parts(engine: Engine, ring: Any) -> None:
    assert run(engine, features([ring]), repairs=ALL_REPAIRS - {Repair.RINGS}).failed == 1
    assert repair(engine, shapely.Polygon(ring), Repair.RINGS) == (
        "The shape was repaired: crossing or touching rings mended.",
    )
    wanted = shapely.make_valid(shapely.Polygon(unwrap(ring)))
    assert len(polygon(engine).parts) == 2
    assert shape(engine).symmetric_difference(wanted).area == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("rings", "area", "parts", "holes"),
    [
        # A ring that touches itself where it surrounds a hole.
        ([[[9, 47], [9.4, 47], [9.4, 47.4], [9.2, 47.4], [9.3, 47.2], [9.1, 47.2], [9.2, 47.4], [9, 47.4], [9, 47]]],
         0.16 - 0.02, 1, 1),
        # A hole that is partly outside, one that covers another, and one along the edge.
        ([SQUARE, [[9.05, 47.05], [9.2, 47.05], [9.2, 47.06], [9.05, 47.06], [9.05, 47.05]]], 0.01 - 0.0005, 1, 0),
        ([SQUARE, HOLE, HOLE], 0.01 - 0.00005, 1, 1),
        ([SQUARE, [[9, 47], [9.05, 47], [9.05, 47.1], [9, 47.1], [9, 47]]], 0.005, 1, 0),
    ],
)  # fmt: skip
def test_crossing_and_touching_rings_keep_their_holes(
    engine: Engine, rings: Any, area: float, parts: int, holes: int
) -> None:
    repair(engine, shapely.Polygon(rings[0], rings[1:]), Repair.RINGS)
    found = polygon(engine)
    assert (len(found.parts), sum(len(part.holes) for part in found.parts)) == (parts, holes)
    assert shape(engine).area == pytest.approx(area, rel=1e-6)


def test_overlapping_parts_are_united(engine: Engine) -> None:
    both = shapely.MultiPolygon([shapely.box(9, 47, 9.2, 47.2), shapely.box(9.1, 47.1, 9.3, 47.3)])
    repair(engine, both, Repair.RINGS)
    assert shape(engine).area == pytest.approx(0.07)
    assert polygon(engine).is_single_ring


def test_all_rings_are_simplified_together(engine: Engine) -> None:
    """The limit is that of all rings, and neither a part nor a hole disappears."""
    rough = shapely.union_all([ragged(9 + at / 10, 47, 700, at) for at in range(5)])
    whole = shapely.difference(rough, ragged(9.1, 47, 600, 9, 0.01))
    (note,) = repair(engine, whole, Repair.SIMPLIFY)
    found = polygon(engine)
    assert (len(found.parts), sum(len(part.holes) for part in found.parts)) == (5, 1)
    assert found.position_count <= MAX_RING_POSITIONS
    vertices = found.position_count - 6
    assert abs(shape(engine).area / whole.area - 1) < 1e-3
    before = shapely.get_num_coordinates(whole) - 6
    assert note.startswith(f"The shape was repaired: {before:,} → {vertices:,} vertices, area ")
    given = set(map(tuple, shapely.get_coordinates(whole).round(12).tolist()))
    assert {position for ring in found.rings for position in ring} <= given


def test_a_rough_outline_is_simplified_as_little_as_possible(engine: Engine) -> None:
    """Its area cannot be kept within 0.1 %, so it keeps as many vertices as it can."""
    heights = np.random.default_rng(1).uniform(0, 0.1, 4_000)
    comb = [[9 + at / 50_000, 47 + (height if at % 2 else 0)] for at, height in enumerate(heights.tolist())]
    (note,) = repair(engine, shapely.Polygon([*comb, [9.08, 46.999], [9.0, 46.999]]), Repair.SIMPLIFY)
    assert 1_950 < polygon(engine).position_count <= MAX_RING_POSITIONS
    assert "area −" in note or "area +" in note


def ragged(longitude: float, latitude: float, vertices: int, seed: int, radius: float = 0.03) -> Any:
    angles = np.linspace(0, 2 * np.pi, vertices, endpoint=False)
    away = radius * (1 + np.random.default_rng(seed).uniform(-0.02, 0.02, vertices))
    return shapely.Polygon(np.column_stack((longitude + away * np.cos(angles), latitude + away * np.sin(angles))))


def test_a_shape_across_the_antimeridian_is_simplified_as_one(engine: Engine) -> None:
    whole = shapely.Polygon(np.array(round_ring(6_000)) * (100, 1) + (180 - 900, 0))
    west, east = (shapely.intersection(whole, shapely.box(at, 46, at + 1, 48)) for at in (179, 180))
    cut = shapely.MultiPolygon([west, shapely.transform(east, lambda xy: xy - (360, 0))])
    repair(engine, cut, Repair.SIMPLIFY)
    assert shape(engine).symmetric_difference(whole).area < whole.area * 1e-3
    assert polygon(engine).is_single_ring


def test_the_largest_parts_and_holes_are_kept(engine: Engine) -> None:
    parts = [shapely.box(9 + at / 100, 47, 9 + at / 100 + 0.001 + at / 100_000, 47.005) for at in range(130)]
    (note,) = repair(engine, shapely.MultiPolygon(parts), Repair.PARTS)
    assert note == "The shape was repaired: the 30 smallest parts (1.45 km²) left out."
    assert shape(engine).area == pytest.approx(sum(part.area for part in parts[30:]))
    holes = [shapely.box(9 + at / 100, 47, 9 + at / 100 + 0.00001 + at / 1e6, 47.0001).exterior for at in range(101)]
    holed = shapely.Polygon(shapely.box(8, 46, 11, 48).exterior, holes)
    data = json.dumps({"type": "Feature", "properties": {"externalId": "2"}, "geometry": mapping(holed)}).encode()
    assert run(engine, data, repairs=ALL_REPAIRS - {Repair.PARTS}).failed == 1
    assert run(engine, data).warnings[0].message == "The shape was repaired: the 1 smallest hole (8 m²) filled."
    assert len(polygon(engine, "2").holes) == 100


@pytest.mark.parametrize("shift", [0, 171, 171.0001 - 360])
def test_lines_become_areas_of_a_width(engine: Engine, shift: float) -> None:
    lines = shapely.MultiLineString([[(9, 47), (9.01, 47)], [(9.0, 47.1), (9.0, 47.11), (9.01, 47.11)]])
    lines = shapely.transform(lines, lambda xy: (xy + np.array((shift + 180, 0))) % 360 - (180, 0))
    data = json.dumps({"type": "Feature", "properties": {"externalId": "1"}, "geometry": mapping(lines)}).encode()
    for options in ({"repairs": ALL_REPAIRS}, {"repairs": ALL_REPAIRS - {Repair.LINES}, "line_width_m": 20.0}):
        (error,) = run(engine, data, **options).errors
        assert "a line cannot be a geofence. Repair it with a width of lines" in error.message
    (note,) = repair(engine, lines, Repair.LINES, line_width_m=20.0)
    assert note == "The shape was repaired: 2 lines made an area 20 m wide."
    assert len(polygon(engine).parts) == 2
    wide, length = 20, 759.7 + 759.7 - 0.9 + 1111.8
    expected = length * wide + 2 * np.pi * (wide / 2) ** 2
    assert sum(area_m2(Polygon(part.ring)) for part in polygon(engine).parts) == pytest.approx(expected, rel=2e-3)


def test_a_line_beside_a_polygon_becomes_part_of_it(engine: Engine) -> None:
    mixed = shapely.GeometryCollection([shapely.Polygon(SQUARE), shapely.LineString([(9.05, 47.05), (9.15, 47.05)])])
    repair(engine, mixed, *Repair, line_width_m=10.0)
    assert shape(engine).contains(shapely.Point(9.12, 47.05))
    assert polygon(engine).is_single_ring


def test_a_width_beyond_the_limits_is_refused(engine: Engine) -> None:
    with pytest.raises(InvalidParameter, match="the width of a line must be between 1 and 20000 metres") as caught:
        run(engine, features([SQUARE]), line_width_m=0.1)
    assert caught.value.param == "line_width_m"


def test_a_sound_polygon_is_kept_to_the_last_digit(engine: Engine) -> None:
    ring = [[9.000000000123, 47.0], *SQUARE[1:-1], [9.000000000123, 47.0]]
    assert run(engine, features([ring])).warnings == ()
    geometry = engine.geofences.get_by_key(TEST, "zone", "1").geometry
    assert isinstance(geometry, Polygon)
    assert [list(position) for position in geometry.ring] == ring


@pytest.mark.parametrize("ring", [[[9.0, 47.0], [9.1, 47.0]], [[9.0, 97.0], [9.1, 47.0], [9.1, 47.1]], [["x"]], []])
def test_a_hopeless_polygon_stays_an_error_of_its_row(engine: Engine, ring: Any) -> None:
    report = run(engine, features([SQUARE], [ring]), keep_good_rows=True)
    assert (report.created, report.failed, report.warnings) == (1, 1, ())


def test_a_table_and_a_geopackage_are_repaired_alike(engine: Engine, tmp_path: Path) -> None:
    wkt = f'externalId,coordinates,type\n7,"{shapely.Polygon(BOW_TIE, [HOLE]).wkt}",polygon\n'
    assert "rings mended" in run(engine, wkt.encode(), "zones.csv").warnings[0].message
    file = tmp_path / "zones.gpkg"
    shapes = np.array([shapely.Polygon(round_ring(3_000), [HOLE]).wkb, shapely.Polygon(BOW_TIE).wkb], dtype=object)
    names = np.array(["8", "9"], dtype=object)
    raw.write(str(file), shapes, [names], ["externalId"], driver="GPKG", crs="EPSG:4326", geometry_type="Polygon")
    report = run(engine, file.read_bytes(), "zones.gpkg", repairs=ALL_REPAIRS)
    assert {fence.external_id for fence in engine.geofences.all(TEST)} == {"7", "8", "9"}
    assert [warning.message for warning in report.warnings] == [
        "The shape was repaired: crossing or touching rings mended; 2,999 → 1,419 vertices, area 0.00 %.",
        "The shape was repaired: crossing or touching rings mended.",
    ]


# The rule for external IDs


def rows(*lines: str) -> bytes:
    return "\n".join(["ZONE,Nr,coordinates,type,radius", *lines]).encode()


def test_external_ids_are_made_of_columns(engine: Engine) -> None:
    data = rows('A,1,"[9,47]",circle,100', 'B,1,"[9,47]",circle,100', 'B,,"[9,47]",circle,100')
    report = run(engine, data, "zones.csv", id="zh/{zone}-{Nr}", keep_good_rows=True)
    assert {fence.external_id for fence in engine.geofences.all(TEST)} == {"zh/A-1", "zh/B-1"}
    assert report.ignored == ()
    (error,) = report.errors
    assert (error.row, error.column) == (4, "externalId")
    assert error.message == "externalId: the column 'Nr', of which it is made, is empty."


@pytest.mark.parametrize(
    ("options", "param", "words"),
    [
        ({"id": "{ZONE}-{NO}"}, "id", "id: there is no column 'NO', which is mapped to externalId. Columns: ZONE, Nr"),
        ({"id": "ZONE"}, "id", "id: must name columns in braces, such as {ZONE}-{NR}"),
        ({"id": "{ZONE"}, "id", "id: must name columns in braces"),
        ({"id": "{ZONE}", "mapping": {"externalid": "Nr"}}, "id", "id: externalId is also mapped or set"),
    ],
)
def test_a_rule_that_cannot_be_followed_is_refused(
    engine: Engine, options: dict[str, Any], param: str, words: str
) -> None:
    with pytest.raises(InvalidParameter) as caught:
        run(engine, rows(), "zones.csv", **options)
    assert caught.value.param == param
    assert words in caught.value.message


def test_the_rule_takes_precedence_over_a_column_of_that_name(engine: Engine) -> None:
    data = b'externalId,Nr,coordinates,type,radius\nx,1,"[9,47]",circle,100\n'
    report = run(engine, data, "zones.csv", id="n{Nr}")
    assert report.ignored == ("externalId",)
    assert engine.geofences.get_by_key(TEST, "zone", "n1")
