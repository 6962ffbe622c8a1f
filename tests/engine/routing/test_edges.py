"""Isochrones that reach the edge of an area, and those inside."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.domain.geometry import Isochrone, Point, Ring
from engine.domain.routing import Edge
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geo.rings import simplified
from engine.routing.areas import AreaRouter
from engine.routing.edges import RoadEnds, largest_inside
from tests.engine.routing.extracts import town_area
from tests.engine.routing.town import at

CAR, FOOT = TravelMode.CAR, TravelMode.FOOT
SQUARE: Ring = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0))
EAST = at(600, 600)
"""The only end of the area's roads."""


@pytest.fixture(scope="module")
def router(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AreaRouter]:
    """A router in the town, whose roads end on North Street."""
    file = tmp_path_factory.mktemp("ends") / "ends.npy"
    np.save(file, np.array([[EAST.longitude, EAST.latitude, 1, 1]]))
    opened = AreaRouter([replace(town_area(tmp_path_factory), ends=file)])
    yield opened
    opened.close()


def isochrone(router: AreaRouter, minutes: float, mode: TravelMode = FOOT) -> Isochrone:
    center = at(0, 0)
    ((ring, *_),) = router.isochrones(center, [minutes], mode).bands
    return Isochrone(simplified(ring), center=center, minutes=minutes, mode=mode)


def test_an_isochrone_inside_reaches_no_edge(router: AreaRouter) -> None:
    assert router.edge(isochrone(router, 5)) is None


@pytest.mark.parametrize(("mode", "minutes"), [(FOOT, 60), (CAR, 30)])
def test_an_isochrone_at_the_edge_names_the_longest_time_inside(
    router: AreaRouter, mode: TravelMode, minutes: float
) -> None:
    edge = router.edge(isochrone(router, minutes, mode))
    assert edge == Edge("town", minutes, mode, edge.inside if edge else 0)
    assert edge.inside == 0 or router.edge(isochrone(router, edge.inside, mode)) is None
    assert router.edge(isochrone(router, edge.inside + 1, mode)) is not None
    assert router.edge(isochrone(router, minutes + 5, mode)) == replace(edge, minutes=minutes + 5)


def test_nothing_is_known_where_there_are_no_roads(router: AreaRouter) -> None:
    assert router.edge(Isochrone(SQUARE, center=Point(0.5, 0.5), minutes=5, mode=CAR)) is None


def test_only_the_roads_for_a_mode_count(tmp_path: Path) -> None:
    np.save(tmp_path / "ends.npy", np.array([[0.5, 0.5, 1, 0], [5.0, 5.0, 0, 1]]))
    ends = RoadEnds(tmp_path / "ends.npy")
    assert ends.are_in(SQUARE, CAR)
    assert ends.are_in(SQUARE, TravelMode.TRUCK)
    assert not ends.are_in(SQUARE, FOOT)
    assert not RoadEnds(None).are_in(SQUARE, CAR)


@pytest.mark.parametrize("minutes", [0.5, 1, 1.5, 2, 7, 7.5, 8, 120])
@pytest.mark.parametrize("reached", [0.3, 1, 2, 3, 4, 7, 7.2, 100, 120])
def test_the_longest_time_inside_is_searched_quickly(minutes: float, reached: float) -> None:
    if reached > minutes:
        return
    tried: list[int] = []

    def reaches(time: int) -> bool:
        tried.append(time)
        return time >= reached

    expected = max((time for time in range(1, 121) if time < min(reached, minutes)), default=0)
    assert largest_inside(reaches, minutes) == expected
    assert max(tried, default=1) <= 2 * max(expected, 1)
    assert len(tried) <= 13


def test_the_sentence_is_plain() -> None:
    edge = Edge("town", 15, CAR, 3)
    assert edge.text == (
        "size: 15 min by car reach the edge of the area town, where its roads end; up to 3 min stay inside."
    )
    assert replace(edge, inside=0).text.endswith("where its roads end; even 1 min does.")


def test_nothing_is_known_if_the_destination_is_at_no_road_any_more(router: AreaRouter) -> None:
    """Areas may have changed since a geofence was stored, which can still be read."""
    around = tuple((EAST.longitude + x, EAST.latitude + y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)))
    assert router.edge(Isochrone(around, center=at(20_000, 0), minutes=5, mode=CAR)) is None


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY\x01", b"no array"])
def test_a_damaged_file_of_ends_names_none(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "ends.npy"
    file.write_bytes(content)
    assert not RoadEnds(file).are_in(SQUARE, CAR)
    assert not RoadEnds(tmp_path / "none.npy").are_in(SQUARE, CAR)
