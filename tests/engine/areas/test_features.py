"""Features of the street map, and their minimum zoom."""

import re
from pathlib import Path

import pytest

from engine.areas import features
from engine.areas.features import Feature, Tags, area_feature, line_feature, point_feature


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (
            {"highway": "motorway_link", "ref": "A 1", "oneway": "yes", "bridge": "viaduct"},
            Feature("roads", "motorway", 5, {"ref": "A 1", "link": True, "oneway": "yes", "bridge": True}),
        ),
        ({"highway": "living_street", "name": "Low Lane"}, Feature("roads", "minor", 12, {"name": "Low Lane"})),
        ({"highway": "service", "tunnel": "no"}, Feature("roads", "service", 13)),
        ({"route": "ferry", "name": "Line 1"}, Feature("roads", "ferry", 8, {"name": "Line 1"})),
        ({"railway": "rail", "service": "siding"}, Feature("railways", "rail", 13)),
        ({"railway": "rail"}, Feature("railways", "rail", 8)),
        ({"waterway": "stream", "tunnel": "culvert"}, Feature("waterways", "stream", 12, {"tunnel": True})),
        ({"boundary": "administrative", "admin_level": "2"}, Feature("boundaries", "country", 4)),
        ({"highway": "construction"}, None),
        ({"highway": "pedestrian", "area": "yes"}, None),
        ({"boundary": "administrative", "admin_level": "8"}, None),
        ({"railway": "abandoned"}, None),
    ],
)
def test_lines(tags: Tags, expected: Feature | None) -> None:
    assert line_feature(tags) == expected


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"building": "yes", "landuse": "retail"}, Feature("buildings", "building", 13)),
        ({"building": "no", "landuse": "retail"}, Feature("land", "commercial", 11)),
        ({"natural": "water", "name": "Pond"}, Feature("water", "water", 8, {"name": "Pond"})),
        ({"landuse": "forest"}, Feature("land", "forest", 8)),
        ({"highway": "pedestrian", "area": "yes"}, Feature("land", "pedestrian", 13)),
        ({"highway": "pedestrian"}, None),
        ({"landuse": "quarry"}, None),
    ],
)
def test_areas(tags: Tags, expected: Feature | None) -> None:
    assert area_feature(tags) == expected


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (
            {"place": "town", "name": "Gridton", "population": "1200"},
            Feature("places", "town", 8, {"name": "Gridton", "population": 1200}),
        ),
        ({"place": "town", "name": "Gridton", "population": "many"}, Feature("places", "town", 8, {"name": "Gridton"})),
        ({"place": "town"}, None),
        ({"place": "farm", "name": "Old"}, None),
    ],
)
def test_places(tags: Tags, expected: Feature | None) -> None:
    assert point_feature(tags) == expected


def test_the_page_about_areas_names_every_kind() -> None:
    page = (Path(__file__).parents[3] / "docs" / "areas.md").read_text(encoding="utf-8")
    described = set(re.findall(r"`(\w+)`", page))
    kinds = {kind for kind, _ in features._ROADS.values()} | {*features._LAND.values(), *features._WATER.values()}
    kinds |= {*features._RAILWAYS, *features._WATERWAYS, *features._PLACES, "sea", "ferry", "runway", "taxiway"}
    assert kinds <= described
