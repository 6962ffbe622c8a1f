"""The ends of an extract's roads: the places where they continue beyond it."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from engine.areas.build import measure_area
from engine.areas.ends import find_ends
from engine.areas.folder import ENDS, read_area
from engine.areas.library import AreaLibrary, is_due
from engine.domain.area import Area
from tests.engine.areas.extracts import Extract, place, town
from tests.shared import SharedData

type Ends = set[tuple[float, float]]


def ends_of(file: Path, column: int = 2) -> Ends:
    """Return the places of the ends for motor vehicles, or in column 3 for others."""
    return {(round(float(end[0]), 6), round(float(end[1]), 6)) for end in find_ends(file) if end[column]}


def spots(*places: tuple[float, float]) -> Ends:
    return {tuple(round(value, 6) for value in place(*at)) for at in places}  # type: ignore[misc]


def crossing() -> Extract:
    """Two long roads that cross, a lane from the middle to the north-east, and a square of footways around it all."""
    extract = Extract()
    middle = extract.node(*place(2, 2))
    for way in (((0, 2), (4, 2)), ((2, 0), (2, 4))):
        start, end = (extract.node(*place(*at)) for at in way)
        extract.way([start, middle, end], highway="primary")
    extract.way([middle, extract.node(*place(2.5, 2.5))], highway="residential")
    corners = [extract.node(*place(*at)) for at in ((-3, -3), (7, -3), (7, 7), (-3, 7))]
    extract.way([*corners, corners[0]], highway="footway")
    return extract


def test_a_road_that_lacks_a_node_ends_before_it(tmp_path: Path) -> None:
    extract = crossing()
    file = extract.write(tmp_path / "cut.osm.pbf", without=frozenset({3}))  # the eastern end
    assert ends_of(file) == spots((2, 2))


def test_a_dead_end_within_a_loop_is_not_an_end(tmp_path: Path) -> None:
    assert ends_of(crossing().write(tmp_path / "whole.osm.pbf")) == set()


@pytest.mark.parametrize(
    ("east", "found"),
    [(6.5, spots()), (4.1, spots((4, 2))), (3.9, spots((4, 2)))],
    ids=["far", "a segment before the edge", "beyond the edge"],
)
def test_a_dead_end_that_leads_out_of_the_stated_box_is_an_end(east: float, found: Ends, tmp_path: Path) -> None:
    stated = (*place(-3.5, -3.5), place(east, 0)[0], place(0, 7.5)[1])
    assert ends_of(crossing().write(tmp_path / "boxed.osm.pbf", stating=stated)) == found


def test_without_a_box_dead_ends_with_nothing_ahead_are_ends(tmp_path: Path) -> None:
    extract = town()
    extract.line(place(5, 2), place(9, 2), highway="primary")
    extract.line(place(2, 0), place(2, -4), highway="motorway")
    extract.line(place(0, 3), place(-4, 3), highway="path")
    extract.line(place(3, 5), place(3, 9), highway="primary", access="private")
    file = extract.write(tmp_path / "outline.osm.pbf")
    assert {at for at in ends_of(file) if at in spots((9, 2), (2, -4), (-4, 3), (3, 9))} == spots((9, 2), (2, -4))
    assert {at for at in ends_of(file, 3) if at in spots((9, 2), (2, -4), (-4, 3))} == spots((9, 2), (-4, 3))


def test_roads_do_not_go_on_in_the_sea(tmp_path: Path) -> None:
    def with_road(extract: Extract) -> Ends:
        extract.line(place(5, 2), place(9, 2), highway="primary")
        return ends_of(extract.write(tmp_path / "coast.osm.pbf")) & spots((9, 2))

    assert with_road(town())
    beach, pier = town(), town()
    beach.line(place(15, -9), place(15, 9), natural="coastline")
    pier.line(place(8, -9), place(8, 9), natural="coastline")
    assert not with_road(beach)
    assert not with_road(pier)


def test_an_extract_may_have_no_roads(tmp_path: Path) -> None:
    extract = Extract()
    extract.node(*place(0, 0), place="village")
    assert find_ends(extract.write(tmp_path / "empty.osm.pbf")).shape == (0, 4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "border"),
    [
        ("liechtenstein", [(9.4978523, 47.2103009), (9.5112965, 47.1304319), (9.4889726, 47.073337)]),
        ("andorra", [(1.4693325, 42.4331995), (1.7372932, 42.5490174)]),
    ],
)
def test_roads_end_beyond_the_border_of_a_country(
    name: str, border: list[tuple[float, float]], shared_data: SharedData
) -> None:
    found = find_ends(shared_data.extract(name))
    for at in border:
        assert np.abs(found[:, :2] - at).max(axis=1).min() < 1e-6


class TestAreas:
    def test_an_area_has_them(self, town_area: Area) -> None:
        assert town_area.ends == town_area.folder / ENDS
        assert np.load(town_area.ends).shape[1] == 4

    def test_an_earlier_area_gets_them(self, town_area: Area, tmp_path: Path) -> None:
        folder = tmp_path / "workspace" / "areas" / "town"
        shutil.copytree(town_area.folder, folder)
        (folder / ENDS).unlink()
        before = read_area(folder)
        assert before is not None
        assert before.ends is None
        assert is_due(before)
        manifest = (folder / "area.json").read_bytes()
        measure_area(folder)
        after = read_area(folder)
        assert after is not None
        assert after != before
        assert not is_due(after)
        assert (folder / "area.json").read_bytes() == manifest
        (folder / ENDS).unlink()
        library = AreaLibrary(tmp_path / "workspace", bundled=tmp_path / "none")
        library.in_use()
        library.close()
        assert all(area.ends is not None for area in library.in_use())
