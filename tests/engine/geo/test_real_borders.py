"""Shaping real borders, which have holes, islands and parts on both sides of ±180°, compared with shapely."""

from __future__ import annotations

from typing import Any

import numpy as np
import orjson
import pytest
import shapely

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Polygon, Position
from engine.geo.parts import check_polygon
from engine.geo.shapes import shape_of
from engine.geo.shaping.combining import each_part, filled, intersected, subtracted, united
from engine.geo.shaping.measuring import area_m2, perimeter_m
from engine.geo.shaping.placing import moved
from engine.geo.shaping.resizing import buffered, simplified_by
from engine.geo.shaping.sheets import Area
from engine.maps.world_atlas import ATLAS
from tests.engine.geo.test_shaping_parts import check_same, flat, measured


@pytest.fixture(scope="module")
def countries() -> dict[str, Polygon]:
    """The countries of the atlas that are within the limits of a geofence."""
    topology = orjson.loads((ATLAS / "countries-50m.json").read_bytes())
    scale, start = (np.array(topology["transform"][name]) for name in ("scale", "translate"))
    arcs = [np.cumsum(np.array(arc, dtype=float), axis=0) * scale + start for arc in topology["arcs"]]

    def ring(numbers: list[int]) -> list[Position]:
        lines = [arcs[number] if number >= 0 else arcs[~number][::-1] for number in numbers]
        places = np.concatenate([lines[0], *(line[1:] for line in lines[1:])])
        return [(min(max(round(x, 7), -180.0), 180.0), round(y, 7)) for x, y in places.tolist()]

    found = {}
    for each in topology["objects"]["countries"]["geometries"]:
        parts = [[ring(numbers) for numbers in part] for part in _polygons(each)]
        try:
            found[each["properties"]["name"]] = check_polygon(parts)
        except InvalidParameter as error:
            assert "at most" in error.message  # noqa: PT017 (others are tested)
    assert len(found) > 200
    return found


def _polygons(geometry: dict[str, Any]) -> list[list[list[int]]]:
    return [geometry["arcs"]] if geometry["type"] == "Polygon" else geometry.get("arcs", [])


def near(polygon: Polygon) -> float:
    return polygon.ring[0][0]


def test_areas_and_perimeters(countries: dict[str, Polygon]) -> None:
    for name, polygon in countries.items():
        area, perimeter = measured(flat(polygon, near(polygon)), 0.01)
        assert area_m2(polygon) == pytest.approx(area, rel=1e-5), name
        assert perimeter_m(polygon) == pytest.approx(perimeter, rel=1e-5), name


def neighbours(countries: dict[str, Polygon]) -> list[tuple[str, str]]:
    """Return the pairs of countries that have a border in common."""
    names = [name for name in countries if countries[name].position_count < 500]
    shapes = [flat(countries[name], near(countries[name])) for name in names]
    one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    return [
        (names[a], names[b])
        for a, b in zip(one.tolist(), other.tolist(), strict=True)
        if a < b and shapes[a].intersection(shapes[b]).length > 0.1
    ]


def test_neighbours_have_a_union_and_nothing_else_in_common(countries: dict[str, Polygon]) -> None:
    pairs = neighbours(countries)
    assert len(pairs) > 100
    for names in pairs:
        one, other = (countries[name] for name in names)
        with pytest.raises(InvalidParameter, match="nothing changes"):
            subtracted(one, (other,))
        with pytest.raises(InvalidParameter, match="do not overlap"):
            intersected((one, other))
        both = united((one, other)).polygon()
        assert area_m2(both) == pytest.approx(area_m2(one) + area_m2(other), rel=1e-7), names
        assert len(both.parts) < len(one.parts) + len(other.parts)


def test_overlaps(countries: dict[str, Polygon]) -> None:
    """Each country is compared with itself, moved by a tenth of its width."""
    for name, one in countries.items():
        if one.position_count > 300:
            continue
        west, _, east, _ = shape_of(one).bounds
        other = moved(one, (east - west) / 10, 0.0)
        assert isinstance(other, Polygon)
        sheets = flat(one, near(one)), flat(other, near(one))
        if not shapely.intersects(*sheets):
            continue
        check_same(united((one, other)).polygon(), shapely.union(*sheets), near(one))
        check_same(subtracted(one, (other,)).polygon(), shapely.difference(*sheets), near(one))
        check_same(intersected((one, other)).polygon(), shapely.intersection(*sheets), near(one))
        assert area_m2(other) == pytest.approx(area_m2(one), rel=0.02), name


def test_an_enclave_is_cut_out_and_filled(countries: dict[str, Polygon]) -> None:
    around, enclave = countries["South Africa"], countries["Lesotho"]
    whole = filled(around).polygon()
    assert len(whole.rings) == len(around.rings) - 1
    assert subtracted(whole, (enclave,)).polygon().rings != whole.rings
    assert area_m2(subtracted(whole, (enclave,)).polygon()) == pytest.approx(area_m2(around), rel=1e-7)
    assert area_m2(united((around, enclave)).polygon()) == pytest.approx(area_m2(whole), rel=1e-7)


def test_parts_at_the_antimeridian(countries: dict[str, Polygon]) -> None:
    fiji = countries["Fiji"]
    parts = each_part(fiji)
    assert len(parts) < len(fiji.parts)
    assert sum(map(area_m2, parts)) == pytest.approx(area_m2(fiji), rel=1e-7)
    assert any(shape_of(part).bounds.west < 180 < shape_of(part).bounds.east for part in parts)


def test_buffers_and_fewer_vertices(countries: dict[str, Polygon]) -> None:
    for name in ("Fiji", "Uzbekistan", "South Africa", "France"):
        country = countries[name]
        simpler = simplified_by(country, 2_000)
        assert simpler.position_count < country.position_count, name
        assert area_m2(simpler) == pytest.approx(area_m2(country), rel=0.02), name
        grown = buffered(simpler, 3_000)
        assert isinstance(grown, Area)
        larger = shape_of(grown.polygon())
        for ring in simpler.rings:
            assert all(larger.distance_m(*each) < -2_900 for each in ring), name
