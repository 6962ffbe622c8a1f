"""Positions in all their formats, also with decimal commas, in every field that reads one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.terminal.simulated import read_position
from app.desktop.model.editing.beacon_sheet import parse_point
from app.desktop.model.search.finder import find_position
from app.desktop.model.search.results import Question
from app.desktop.model.shaping.pasting import read_pasted
from app.desktop.model.shaping.positions import Order, read, read_all, read_point
from app.desktop.model.shaping.texts import Wire
from engine.domain.geometry import Point
from engine.geo.written.positions import position_in, typed_position

HELSINKI = Point(24.94, 60.17)

FORMS = (
    "60{p}17, 24{p}94",
    "60{p}17 24{p}94",
    "60{p}17; 24{p}94",
    "N 60{p}17 O 24{p}94",
    "N60{p}17, E24{p}94",
    "60{p}17N 24{p}94E",
    "60{p}17 N, 24{p}94 E",
    "24{p}94° O 60{p}17° N",
    "60{p}17°, 24{p}94°",
    "60°10{p}2' 24°56{p}4'",
    "60°10{p}2'N 24°56{p}4'E",
    "60°10'12{p}0\"N 24°56'24{p}0\"E",
    "60 10{p}2 N 24 56{p}4 E",
    "N 60 10 12{p}0 E 24 56 24{p}0",
    "(60{p}17, 24{p}94)",
    "lat: 60{p}17 lng: 24{p}94",
    "lon=24{p}94; lat=60{p}17",
    "POINT(24{p}94 60{p}17)",
)
TEXTS = tuple(form.format(p=sign) for form in FORMS for sign in ".,")

READERS: dict[str, Callable[[str], Point | None]] = {
    "search": lambda text: find_position(Question(text))[0].found[0].point,
    "centre": lambda text: Point(*read(text, Order.LATITUDE_FIRST)),
    "vertices": lambda text: Point(*read_all(text, Order.LATITUDE_FIRST)[0]),
    "clipboard": lambda text: Point(*read_pasted(text, Order.LATITUDE_FIRST, _no_wire())[0].coordinates),  # type: ignore[misc]
    "beacon": parse_point,
    "route": lambda text: read_point(text, "waypoints"),
    "command line": read_position,
    "geocoding": position_in,
}


def _no_wire() -> Wire:
    def fail(*_: object) -> str:
        raise AssertionError

    return Wire(fail, fail)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("reader", READERS)
def test_every_form_is_read_everywhere(reader: str, text: str) -> None:
    assert READERS[reader](text) == HELSINKI


@pytest.mark.parametrize("text", ["60,17 N", "N 60,17", "60,17°", "60,17,24,94", "60,17 24,94 5", "1,2,3", "10,0,0,1"])
def test_half_a_position_is_none(text: str) -> None:
    assert typed_position(text) is None


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("60,24", Point(24.0, 60.0)),
        ("60,17 24", Point(24.0, 60.17)),
        ("60 24,94", Point(24.94, 60.0)),
        ("-33,9; 18,4", Point(18.4, -33.9)),
        ("geo:60.17,24.94", HELSINKI),
        ("https://maps.example/maps/@60.17,24.94,15z", HELSINKI),
    ],
)
def test_commas_between_numbers_stay_commas(text: str, point: Point) -> None:
    typed = typed_position(text)
    assert typed is not None
    assert typed.point == point


@given(
    latitude=st.floats(-90, 90).map(lambda value: round(value, 6) + 0.0),
    longitude=st.floats(-180, 180).map(lambda value: round(value, 6) + 0.0),
    between=st.sampled_from([" ", ", ", "; ", ";"]),
)
def test_a_position_is_the_same_with_decimal_commas(latitude: float, longitude: float, between: str) -> None:
    pointed = f"{latitude:.6f}{between}{longitude:.6f}"
    typed = typed_position(f"{latitude:.6f}".replace(".", ",") + between + f"{longitude:.6f}".replace(".", ","))
    assert typed == typed_position(pointed)
    assert typed is not None
    assert typed.point == Point(longitude, latitude)
