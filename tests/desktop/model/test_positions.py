"""Coordinates in a form: formatted ones are read back, in either order, one or many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desktop.model.shaping.measures import shape_measures
from app.desktop.model.shaping.positions import Order, axis, middle_of, read, read_all, spell, spell_all, words_of
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Circle, Point, Polygon, Position
from engine.geo.parts import check_polygon

ORDERS = st.sampled_from(Order)
POSITIONS = st.tuples(
    st.floats(-180, 180).map(lambda value: round(value, 7) + 0.0),
    st.floats(-90, 90).map(lambda value: round(value, 7) + 0.0),
)


@given(st.lists(POSITIONS, max_size=30), ORDERS)
def test_formatted_positions_are_read_back(positions: list[Position], order: Order) -> None:
    assert read_all(spell_all(positions, order), order) == tuple(positions)


@given(POSITIONS, ORDERS)
def test_letters_count_more_than_the_order(position: Position, order: Order) -> None:
    longitude, latitude = position
    north, east = ("N" if latitude >= 0 else "S"), ("E" if longitude >= 0 else "W")
    text = f"{abs(latitude):.7f}{north} {abs(longitude):.7f}{east}"
    assert read(text, order) == pytest.approx(position, abs=1e-7)


@given(st.floats(-180, 180), st.floats(-90, 90), ORDERS)
def test_unambiguous_formats_are_read_in_either_order(longitude: float, latitude: float, order: Order) -> None:
    for text in (
        f"geo:{latitude:.6f},{longitude:.6f}",
        f"POINT ({longitude:.6f} {latitude:.6f})",
        f"https://www.openstreetmap.org/#map=15/{latitude:.6f}/{longitude:.6f}",
    ):
        assert read(text, order) == pytest.approx((longitude, latitude), abs=1e-6)


def test_positions_valid_only_in_the_other_order_are_swapped() -> None:
    assert read("124.5, 46", Order.LATITUDE_FIRST) == (124.5, 46)
    assert read("46, 124.5", Order.LONGITUDE_FIRST) == (124.5, 46)


@pytest.mark.parametrize(
    ("text", "order", "message"),
    [
        ("x", Order.LONGITUDE_FIRST, "must be longitude, latitude, such as 14.5, 46.05, not 'x'"),
        ("95, 200", Order.LATITUDE_FIRST, "Latitude comes first and must be between -90 and 90, not 95"),
        ("200, 95", Order.LONGITUDE_FIRST, "Latitude comes second and must be between -90 and 90, not 95"),
        ("46, 14\n46 14 13", Order.LATITUDE_FIRST, "line 2: must be latitude, longitude"),
        ("46, 14\n" * 2_001, Order.LATITUDE_FIRST, "there are 2,001 lines; at most 2,000"),
    ],
)
def test_errors_are_reported(text: str, order: Order, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message) as caught:
        read_all(text, order)
    assert caught.value.param == "coordinates"


def test_a_number_is_a_latitude_or_a_longitude() -> None:
    assert axis("−46,05°", "Latitude") == -46.05
    for text, name in (("91", "Latitude"), ("181", "Longitude"), ("nan", "Latitude"), ("", "Longitude")):
        with pytest.raises(InvalidParameter):
            axis(text, name)


def test_the_middle_of_an_edge_is_on_the_short_way() -> None:
    assert middle_of((179, 0), (-179, 2)) in ((180, 1), (-180, 1))
    assert middle_of((10, 0), (20, 10)) == (15, 5)


@given(POSITIONS)
def test_a_position_is_as_short_as_it_can_be(position: Position) -> None:
    assert spell(position, Order.LATITUDE_FIRST).split(", ") == spell(position, Order.LONGITUDE_FIRST).split(", ")[::-1]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([[(0, 0, 3)]], "4 vertices"),
        ([[(0, 0, 3), (1, 1, 1)]], "8 vertices, 1 hole"),
        ([[(0, 0, 3)], [(5, 0, 1)]], "8 vertices, 2 parts"),
        ([[(0, 0, 3), (1, 1, 1)], [(5, 0, 1)]], "12 vertices, 2 parts, 1 hole"),
    ],
)
def test_coordinates_are_counted(parts: list[list[tuple[int, int, int]]], words: str) -> None:
    polygon = check_polygon([[square(*each) for each in part] for part in parts])
    assert words_of(polygon.coordinates) == words
    measures = shape_measures(polygon)
    assert measures.startswith("Area ")
    assert words in measures or polygon == Polygon(polygon.ring)


def square(west: int, south: int, size: int) -> list[Position]:
    east, north = west + size, south + size
    return [(west, south), (east, south), (east, north), (west, north), (west, south)]


def test_a_centre_is_in_words() -> None:
    assert words_of((14.5, 46.05)) == "46.05, 14.5"
    assert shape_measures(Circle(Point(14.5, 46.05), 100)) == "Area 31416 m², perimeter 628 m"
