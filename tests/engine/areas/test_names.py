"""Names on the street map: whole streets, rivers, lakes and parks, from the zoom at which there is room."""

import pytest
import shapely

from engine.areas.features import Feature, Value
from engine.areas.names import Names

type Written = tuple[str, str, Value, str]
STEP = 0.001
"""Step in degrees: about 111 m from south to north."""


def way(*places: tuple[float, float]) -> str:
    line: str = shapely.to_geojson(shapely.LineString([(x * STEP, y * STEP) for x, y in places]))
    return line


def road(name: str, kind: str = "minor", **more: Value) -> Feature:
    return Feature("roads", kind, 12, {"name": name, **more})


def written(*features: tuple[Feature, str]) -> list[Written]:
    """Return the layer, kind, name and positions (in steps) of the map's names, in order."""
    names = Names()
    for feature, geometry in features:
        names.add(feature, geometry)
    return sorted(
        (made.layer, made.kind, made.properties["name"], _steps(geometry)) for made, geometry in names.features()
    )


def _steps(geometry: str) -> str:
    text = [f"{x / STEP:.0f},{y / STEP:.0f}" for x, y in shapely.get_coordinates(shapely.from_geojson(geometry))]
    return " ".join(min(text, text[::-1]))


def test_a_street_in_parts_is_one_line_over_its_bridge_and_against_its_direction() -> None:
    assert written(
        (road("Main Street"), way((0, 0), (1, 0))),
        (road("Main Street", bridge=True), way((2, 0), (1, 0))),
        (road("Side Street"), way((1, 0), (1, 5))),
        (road("Main Street"), way((2, 0), (3, 0), (3, 4))),
    ) == [
        ("street_names", "minor", "Main Street", "0,0 3,0 3,4"),
        ("street_names", "minor", "Side Street", "1,0 1,5"),
    ]


def test_streets_of_the_same_name_elsewhere_or_of_another_kind_stay_apart() -> None:
    assert written(
        (road("High Street"), way((0, 0), (1, 0))),
        (road("High Street"), way((5, 0), (6, 0))),
        (road("High Street", "secondary"), way((1, 0), (2, 0))),
        (road("High Street", "primary"), way((2, 0), (3, 0))),
        (road("High Street", "trunk"), way((3, 0), (4, 0))),
    ) == [
        ("street_names", "main", "High Street", "2,0 4,0"),
        ("street_names", "minor", "High Street", "0,0 1,0"),
        ("street_names", "minor", "High Street", "5,0 6,0"),
        ("street_names", "secondary", "High Street", "1,0 2,0"),
    ]


@pytest.mark.parametrize(
    ("feature", "names"),
    [
        (Feature("roads", "motorway", 5, {"ref": "I 99;US 220"}), ["I 99 · US 220"]),
        (Feature("roads", "primary", 8, {"ref": "L 7", "name": "Ring"}), ["Ring"]),
        (Feature("roads", "motorway", 5, {"ref": "A 1", "link": True}), []),
        (Feature("roads", "minor", 12), []),
        (Feature("roads", "ferry", 8, {"name": "Line 1"}), []),
        (Feature("waterways", "stream", 12, {"name": "Brook"}), ["Brook"]),
        (Feature("waterways", "stream", 12, {"name": "Brook", "tunnel": True}), []),
        (Feature("railways", "rail", 8, {"name": "Main line"}), []),
    ],
)
def test_names_along_a_line(feature: Feature, names: list[str]) -> None:
    assert [name for _, _, name, _ in written((feature, way((0, 0), (2, 0))))] == names


def test_a_line_without_room_for_a_name_has_none() -> None:
    assert written((road("Stub"), way((0, 0), (0, 0.1)))) == []


def lake(size: float, name: str = "Long Lake", kind: str = "water") -> tuple[Feature, str]:
    layer = "water" if kind == "water" else "land"
    return Feature(layer, kind, 8, {"name": name}), shapely.to_geojson(shapely.box(0, 0, size * STEP, size * STEP))


def test_an_area_is_named_in_its_middle() -> None:
    assert written(lake(2)) == [("area_names", "water", "Long Lake", "1,1")]
    assert written(lake(2, kind="park")) == [("area_names", "park", "Long Lake", "1,1")]
    assert written(lake(2, kind="residential")) == []


@pytest.mark.parametrize(("size", "zoom"), [(0.4, 18), (0.8, 17), (4.0, 15), (100, 10), (4000, 8)])
def test_the_larger_an_area_the_sooner_is_its_name_there(size: float, zoom: int) -> None:
    names = Names()
    names.add(*lake(size))
    ((feature, _),) = names.features()
    assert feature.properties["from"] == zoom
    assert feature.min_zoom == min(zoom - 1, 14)
    names.add(*lake(0.1))
    assert not list(names.features()), "smaller than its name at every zoom"


def test_a_river_is_named_along_its_line_only() -> None:
    line = Feature("waterways", "river", 8, {"name": "Long River"})
    assert written(lake(9, "Long River"), (line, way((0, 0), (9, 9)))) == [
        ("waterway_names", "river", "Long River", "0,0 9,9")
    ]
