"""Tests of border crossings on roads."""

from pathlib import Path

import osmium
import pytest

from engine.areas.borders import find_crossings, tag_crossings
from tests.engine.areas.extracts import Extract

COUNTRY = {"boundary": "administrative", "admin_level": "2"}


@pytest.fixture
def extract() -> Extract:
    return Extract()


def crossings(extract: Extract, folder: Path) -> set[int]:
    return set(find_crossings(extract.write(folder / "borders.osm.pbf")))


@pytest.fixture
def border(extract: Extract) -> list[int]:
    """Create a border from west to east along latitude 0, with a node at every whole degree from -3 to 3."""
    return extract.line(*((float(longitude), 0.0) for longitude in range(-3, 4)), **COUNTRY)


def test_without_a_border_nothing_crosses_one(extract: Extract, tmp_path: Path) -> None:
    extract.line((0, -1), (0, 1), highway="primary")
    extract.line((-1, 0), (1, 0), boundary="administrative", admin_level="4")
    assert crossings(extract, tmp_path) == set()


def test_a_road_through_a_node_of_the_border_crosses_it_there(
    extract: Extract, border: list[int], tmp_path: Path
) -> None:
    extract.way([extract.node(0, -1), border[3], extract.node(0, 1)], highway="primary")
    assert crossings(extract, tmp_path) == {border[3]}


def test_a_road_whose_ways_end_at_the_border_crosses_it_there(
    extract: Extract, border: list[int], tmp_path: Path
) -> None:
    extract.way([extract.node(1, -1), border[4]], highway="primary")
    extract.way([border[4], extract.node(1, 1)], highway="primary")
    assert crossings(extract, tmp_path) == {border[4]}


@pytest.mark.parametrize("nodes", [2, 20, 21, 22, 41, 60])
def test_a_road_crosses_a_long_border_anywhere(extract: Extract, nodes: int, tmp_path: Path) -> None:
    extract.line(*((number / 10, 0.0) for number in range(nodes)), **COUNTRY)
    expected = set()
    for number in range(nodes - 1):
        far, near = extract.node(number / 10 + 0.05, -1), extract.node(number / 10 + 0.05, 0.2)
        extract.way([far, near], highway="primary")
        expected.add(near)
    assert crossings(extract, tmp_path) == expected


def test_a_road_between_nodes_crosses_at_its_nearer_node(extract: Extract, border: list[int], tmp_path: Path) -> None:
    far, near = extract.node(0.5, -1), extract.node(0.5, 0.2)
    extract.way([far, near, extract.node(0.5, 1)], highway="primary")
    assert crossings(extract, tmp_path) == {near}


def test_a_road_that_touches_the_border_stays_on_its_side(extract: Extract, border: list[int], tmp_path: Path) -> None:
    extract.way([extract.node(-1, 1), border[3], extract.node(1, 1)], highway="primary")
    extract.way([extract.node(2, -1), border[5]], highway="track")
    assert crossings(extract, tmp_path) == set()


def test_a_road_along_the_border_crosses_only_at_its_exit_on_the_other_side(
    extract: Extract, border: list[int], tmp_path: Path
) -> None:
    extract.way([extract.node(-3, 1), *border[1:4], extract.node(1, 1)], highway="primary")
    assert crossings(extract, tmp_path) == set()
    extract.way([extract.node(-1.5, 1), border[1]], highway="residential")
    extract.way([border[3], extract.node(0, -1)], highway="primary")
    assert crossings(extract, tmp_path) == {border[3]}


def test_the_border_may_be_ways_of_a_relation_in_any_direction(extract: Extract, tmp_path: Path) -> None:
    west = extract.line((-2, 0), (-1, 0), (0, 0))
    middle = west[-1]
    extract.way([extract.node(2, 0), extract.node(1, 0), middle])
    extract.relation([("w", 1, "outer"), ("w", 2, "outer")], **COUNTRY)
    extract.way([extract.node(0, -1), middle, extract.node(0, 1)], highway="primary")
    extract.way([extract.node(0.1, -1), middle], highway="primary")
    assert crossings(extract, tmp_path) == {middle}


def test_the_closing_node_of_a_border_is_like_any_other(extract: Extract, tmp_path: Path) -> None:
    corners = [extract.node(0, 0), extract.node(2, 0), extract.node(2, 2), extract.node(0, 2)]
    extract.way([*corners, corners[0]], **COUNTRY)
    extract.way([extract.node(1, 1), corners[0], extract.node(-1, -1)], highway="primary")
    extract.way([extract.node(3, 2), corners[2], extract.node(2, 3)], highway="primary")
    assert crossings(extract, tmp_path) == {corners[0]}


def test_a_node_missing_in_the_extract_is_no_crossing(extract: Extract, border: list[int], tmp_path: Path) -> None:
    missing = extract.node(0.5, 0.5)
    extract.way([extract.node(0.5, 1), missing, extract.node(0.5, -1), extract.node(0, -1)], highway="primary")
    file = extract.write(tmp_path / "cut.osm.pbf", without=frozenset({missing}))
    assert not find_crossings(file)


def test_crossings_are_tagged_and_all_else_stays(extract: Extract, border: list[int], tmp_path: Path) -> None:
    gate = extract.node(0.5, 0.1, barrier="lift_gate", name="Checkpoint")
    block = extract.node(1.5, 0.1, barrier="block")
    for node, longitude in ((gate, 0.5), (block, 1.5)):
        extract.way([extract.node(longitude, -1), node, extract.node(longitude, 1)], highway="primary")
    file = extract.write(tmp_path / "borders.osm.pbf")
    found = find_crossings(file)
    assert found == {gate: (0.5, 0.1), block: (1.5, 0.1)}
    tagged = tag_crossings(file, found, tmp_path / "tagged.osm.pbf")
    before, after = contents(file), contents(tagged)
    assert after.pop(("n", gate)) == {"barrier": "border_control", "name": "Checkpoint"}
    assert before.pop(("n", gate)) == {"barrier": "lift_gate", "name": "Checkpoint"}
    assert after == before
    assert list(after) == list(before)


def contents(file: Path) -> dict[tuple[str, int], dict[str, str]]:
    return {(item.type_str(), item.id): dict(item.tags) for item in osmium.FileProcessor(str(file))}
