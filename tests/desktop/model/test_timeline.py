"""The points of the timeline: few points that keep every peak, and kept fixes matched to their original track."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desktop.model.simulation.status import Sent
from app.desktop.model.timeline.reduce import columns_of, extremes, polyline, runs
from app.desktop.model.timeline.timeline import matched, pass_begin
from engine.domain.geometry import Point
from engine.domain.tracking.updates import Fix
from tests.desktop.model.values import START


@given(
    st.lists(st.floats(-1e4, 1e4) | st.just(float("nan")), min_size=1, max_size=400),
    st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted),
    st.integers(2, 30),
)
def test_few_points_keep_the_peaks_in_view(heights: list[float], view: list[float], count: int) -> None:
    values, x = np.array(heights), np.arange(len(heights), dtype=float)
    low, high = (each * len(heights) for each in view)
    columns = columns_of(x, low, high, count)
    least, greatest = extremes(columns, values)
    assert len(polyline(columns, least, greatest)[0]) <= 2 * count + 4
    inside = values[(x >= low) & (x <= high)]
    seen = values[columns.first : columns.last]
    if np.isfinite(inside).any():
        assert np.nanmax(greatest) == np.nanmax(seen) >= np.nanmax(inside)
        assert np.nanmin(least) == np.nanmin(seen) <= np.nanmin(inside)


def test_gaps_part_a_band() -> None:
    nan = float("nan")
    assert runs(np.array([nan, 1.0, 2.0, nan, nan, 3.0])) == [slice(1, 3), slice(5, 6)]
    assert runs(np.array([nan])) == []


def fixes(*seconds: int) -> list[Fix]:
    return [Fix(Point(14.5, 46.05), 10.0, START + timedelta(seconds=each)) for each in seconds]


def sent(*pairs: tuple[int, int]) -> list[Sent]:
    return [Sent(index, START + timedelta(seconds=seconds)) for index, seconds in pairs]


def test_stored_fixes_are_found_in_the_track_also_if_others_send_as_the_same_device() -> None:
    found = matched(fixes(0, 1, 2, 2, 9), sent((0, 0), (1, 2), (2, 2), (3, 9)))
    assert found.tolist() == [0, -1, 1, 2, 3]


@pytest.mark.parametrize(
    ("pairs", "begin"), [((), 0), (((0, 0), (1, 1)), 0), (((0, 0), (1, 1), (0, 2), (1, 3)), 2), (((5, 0), (5, 1)), 1)]
)
def test_going_back_in_a_track_begins_another_pass(pairs: tuple[tuple[int, int], ...], begin: int) -> None:
    assert pass_begin(sent(*pairs)) == begin
