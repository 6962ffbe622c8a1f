"""Repair of polygons in imported files, and the rule for external IDs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from pyogrio import raw

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_RING_POSITIONS, Polygon
from engine.domain.imports import ALL_REPAIRS, NO_REPAIRS, ImportFile, ImportOptions, ImportReport
from engine.engine import Engine
from engine.geo.rings import unwrap

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


def shape(engine: Engine, external_id: str) -> Any:
    geometry = engine.geofences.get_by_key(TEST, "zone", external_id).geometry
    assert isinstance(geometry, Polygon)
    return shapely.Polygon(unwrap(geometry.ring))


@pytest.mark.parametrize(
    ("rings", "repairs"),
    [
        ([SQUARE, HOLE], "its hole was filled"),
        ([SQUARE, HOLE, HOLE], "its 2 holes were filled"),
        ([SQUARE[:-1]], "its ring was closed"),
        ([round_ring(5_000)], "it was simplified from 5,000 positions"),
        ([SQUARE[:-1], HOLE], "its ring was closed, its hole was filled"),
    ],
)
def test_a_polygon_is_repaired_with_a_warning(engine: Engine, rings: Any, repairs: str) -> None:
    with_error = run(engine, features(rings), repairs=NO_REPAIRS)
    assert (with_error.failed, with_error.stored) == (1, False)
    report = run(engine, features(rings))
    assert (report.created, report.errors) == (1, ())
    (warning,) = report.warnings
    assert (warning.row, warning.column) == (1, "coordinates")
    assert warning.message == f"The polygon was repaired: {repairs}."
    wanted = shapely.Polygon(rings[0])
    assert shape(engine, "1").symmetric_difference(wanted).area < wanted.area * 1e-3
    assert len(shape(engine, "1").exterior.coords) <= MAX_RING_POSITIONS
    assert run(engine, features(rings)).unchanged == 1


@pytest.mark.parametrize("ring", [BOW_TIE, ACROSS], ids=["europe", "antimeridian"])
def test_a_polygon_that_crosses_itself_becomes_its_parts(engine: Engine, ring: Any) -> None:
    report = run(engine, features([ring]))
    assert report.created == 2
    assert [warning.message for warning in report.warnings] == [
        "The polygon was repaired: its outline crossed or touched itself."
    ]
    assert {fence.external_id for fence in engine.geofences.all(TEST)} == {"1-1", "1-2"}
    for part in ("1-1", "1-2"):
        assert shape(engine, part).area < 0.2


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
    wkt = f'externalId,coordinates,type\n7,"{shapely.Polygon(SQUARE, [HOLE]).wkt}",polygon\n'
    assert "its hole was filled" in run(engine, wkt.encode(), "zones.csv").warnings[0].message
    file = tmp_path / "zones.gpkg"
    shapes = np.array([shapely.Polygon(round_ring(3_000), [HOLE]).wkb, shapely.Polygon(BOW_TIE).wkb], dtype=object)
    names = np.array(["8", "9"], dtype=object)
    raw.write(str(file), shapes, [names], ["externalId"], driver="GPKG", crs="EPSG:4326", geometry_type="Polygon")
    report = run(engine, file.read_bytes(), "zones.gpkg")
    assert {fence.external_id for fence in engine.geofences.all(TEST)} == {"7", "8", "9-1", "9-2"}
    assert [warning.message for warning in report.warnings] == [
        "The polygon was repaired: its hole was filled, it was simplified from 3,000 positions.",
        "The polygon was repaired: its outline crossed or touched itself.",
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
