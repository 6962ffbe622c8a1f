"""Encoded polylines, compared with the format's own example and a textbook decoder."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.geometry import Position
from engine.routing.polylines import decode_polyline, encode_polylines
from tests.engine.routing.reference import textbook_decode

EXAMPLE = ((-120.2, 38.5), (-120.95, 40.7), (-126.453, 43.252))


def encoded(line: Sequence[Position], decimals: int = 6) -> str:
    (text,) = encode_polylines((line,), decimals)
    return text


def test_the_formats_own_example() -> None:
    assert encoded(EXAMPLE, 5) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
    assert decode_polyline("_p~iF~ps|U_ulLnnqC_mqNvxq`@", 5) == EXAMPLE


def test_nothing_is_no_text() -> None:
    assert encoded(()) == ""
    assert decode_polyline("") == ()


lines = st.lists(
    st.tuples(st.integers(-180_000_000, 180_000_000), st.integers(-90_000_000, 90_000_000)), min_size=1, max_size=60
)


@given(parts=st.lists(st.one_of(st.just([]), lines), max_size=6))
def test_several_at_once_are_as_one_by_one(parts: list[list[tuple[int, int]]]) -> None:
    several = [[(x / 10**6, y / 10**6) for x, y in whole] for whole in parts]
    assert encode_polylines(several) == [encoded(line) for line in several]
    assert [textbook_decode(text, 6) for text in encode_polylines(several)] == [tuple(line) for line in several]


@pytest.mark.parametrize("decimals", [5, 6])
@given(whole=lines)
def test_round_trips(decimals: int, whole: list[tuple[int, int]]) -> None:
    line = tuple((x / 10**6, y / 10**6) for x, y in whole)
    text = encoded(line, decimals)
    decoded = textbook_decode(text, decimals)
    assert decode_polyline(text, decimals) == decoded
    half = 0.5000001 * 10**-decimals
    for (x, y), (back_x, back_y) in zip(line, decoded, strict=True):
        assert abs(x - back_x) <= half
        assert abs(y - back_y) <= half
    assert encoded(decoded, decimals) == text
