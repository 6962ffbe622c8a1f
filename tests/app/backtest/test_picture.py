"""The map of a report: true positions and sizes, across the antimeridian, and light with many geofences."""

import re
from itertools import pairwise
from math import cos, radians

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.backtest.picture import MAX_DRAWN, MAX_LINES, map_picture
from app.backtest.projection import WIDTH, Projection, widest_gap
from engine.backtest.results import FenceDifferences, FenceResult, Travel
from engine.domain.values import replace
from tests.app.backtest.reports import COMPARED, COMPARISON, DEPOT, IDLE, REPORT, STORE, large_report

_EQUATOR_M = 40_075_016.686


def _fence(longitude: float, latitude: float, radius_m: float = 100.0) -> FenceResult:
    return replace(STORE, longitude=longitude, latitude=latitude, radius_m=radius_m)


_FENCES = st.builds(_fence, st.floats(-180, 180), st.floats(-80, 80), st.floats(10, 10_000))


@given(st.lists(_FENCES, min_size=1, max_size=8))
def test_every_geofence_is_inside_the_picture(fences: list[FenceResult]) -> None:
    view = Projection.of(fences)
    for each in fences:
        x, y = view.at(each.longitude, each.latitude)
        size = view.length(each)
        assert -0.01 <= x - size <= x + size <= WIDTH + 0.01
        assert -0.01 <= y - size <= y + size <= view.height + 0.01


@given(st.lists(st.floats(-180, 180), min_size=1, max_size=8))
def test_the_cut_is_in_the_widest_gap(longitudes: list[float]) -> None:
    cut = widest_gap(longitudes)
    ordered = sorted({each % 360 for each in longitudes})
    widest = max(east - west for west, east in pairwise([*ordered, ordered[0] + 360]))
    nearest = min(min((each - cut) % 360, (cut - each) % 360) for each in longitudes)
    assert nearest == pytest.approx(min(widest / 2, 360 - widest / 2 if len(ordered) == 1 else widest / 2))


def test_neighbours_across_the_antimeridian_are_close() -> None:
    west, east = _fence(179.99, -17), _fence(-179.99, -17)
    view = Projection.of([west, east])
    (x, _), (to_x, _) = view.at(179.99, -17), view.at(-179.99, -17)
    metres = (to_x - x) * _EQUATOR_M * cos(radians(17)) / view.scale
    assert metres == pytest.approx(0.02 / 360 * _EQUATOR_M * cos(radians(17)), rel=1e-6)
    first, *_, last = (name for _, name in view.meridians())
    assert first.endswith("°E")
    assert last.endswith("°W")


@given(_FENCES, st.floats(0.01, 5))
def test_north_is_up_and_east_is_right(fence: FenceResult, degrees: float) -> None:
    assume(abs(fence.latitude) + degrees < 80 and abs(fence.longitude) + degrees < 180)
    view = Projection.of([fence, _fence(fence.longitude + degrees, fence.latitude + degrees)])
    (x, y), (to_x, to_y) = (
        view.at(fence.longitude, fence.latitude),
        view.at(fence.longitude + degrees, fence.latitude + degrees),
    )
    assert to_x > x
    assert to_y < y


def test_sizes_are_true() -> None:
    large = _fence(16, 48, 10_000)
    view = Projection.of([large, _fence(16.5, 48)])
    (x, _), (to_x, _) = view.at(16, 48), view.at(16.5, 48)
    metres = 0.5 / 360 * _EQUATOR_M * cos(radians(48))
    assert view.length(large) / (to_x - x) == pytest.approx(10_000 / metres, rel=1e-3)
    length, label = view.scale_bar()
    number, unit = label.split()
    bar_m = float(number.replace(",", "")) * (1_000 if unit == "km" else 1)
    assert length / (to_x - x) == pytest.approx(bar_m / metres, rel=2e-3)


def _classes(picture: str) -> list[str]:
    return re.findall(r'<circle class="([^"]*)" cx="(?!6")', picture)


def test_geofences_are_coloured_by_events() -> None:
    picture = map_picture(REPORT)
    assert sorted(_classes(picture)) == ["e0", "e4", "e5"]
    assert "store/vienna-1 · Vienna &lt;Mitte&gt;: 278 events" in picture
    assert "no event" in picture


def test_geofences_are_coloured_by_gained_minus_lost() -> None:
    picture = map_picture(COMPARED)
    assert sorted(_classes(picture)) == ["down n5", "e0", "up n4"]
    assert "2 gained, 31 lost, 7 moved; 278 events" in picture


def test_a_geofence_whose_events_only_moved_has_a_colour_of_its_own() -> None:
    moved = replace(COMPARISON, geofences=(FenceDifferences("store", "vienna-1", gained=3, lost=3, moved=1),))
    assert sorted(_classes(map_picture(replace(COMPARED, comparison=moved)))) == ["e0", "e0", "moved"]


def test_the_ranges_of_the_legend_are_those_of_the_colours() -> None:
    fences = tuple(
        replace(STORE, external_id=str(number), entries=number, exits=0, dwells=0) for number in range(1, 40)
    )
    picture = map_picture(replace(REPORT, geofences=fences, travels=()))
    limits = dict(re.findall(r'class="(e\d)" cx="6" cy="6" r="5"/></svg>([\d–,]+)</span>', picture))
    for kind, number in re.findall(r'class="(e\d)" cx=[^>]*><title>[^:]*: (\d+) event', picture):
        least, _, most = limits[kind].partition("–")
        assert int(least) <= int(number) <= int(most or least)


def test_lines_join_geofences_that_devices_went_between() -> None:
    picture = map_picture(REPORT)
    assert re.findall(r"<title>([^<]* → [^<]*)</title>", picture) == [
        "depot/north → store/vienna-1: 19 times, on average 15 min",
        "store/vienna-1 → depot/north: 25 times, on average 20 min 34 s",
    ]
    widths = [float(each) for each in re.findall(r'stroke-width="([\d.]+)" d="M\d+\.', picture)]
    assert widths == sorted(widths)


def test_a_large_map_shows_the_geofences_with_most_events() -> None:
    report = large_report(5_000)
    picture = map_picture(report)
    assert len(_classes(picture)) == MAX_DRAWN
    assert picture.count('marker-end="url(#arrow)"') <= MAX_LINES
    assert "The map has the 2,000 of 5,000 geofences with most events." in picture
    most = max(report.geofences, key=lambda each: each.events)
    assert f"{most.name} · " in picture


def test_travel_to_a_geofence_that_is_not_drawn_has_no_line() -> None:
    fences = tuple(replace(IDLE, external_id=str(number), longitude=number / 100) for number in range(MAX_DRAWN + 1))
    fences = (*(replace(each, entries=5) for each in fences[:-1]), fences[-1])
    picture = map_picture(replace(REPORT, geofences=fences, travels=(Travel(0, MAX_DRAWN, 9, 9.0),)))
    assert "→" not in picture


def test_names_do_not_overlap() -> None:
    fences = tuple(replace(DEPOT, external_id=f"depot {number}", longitude=16 + number / 1e6) for number in range(30))
    picture = map_picture(replace(REPORT, geofences=fences, travels=()))
    assert picture.count('class="name"') == 1


def test_without_geofences_there_is_no_map() -> None:
    assert map_picture(replace(REPORT, geofences=(), travels=())) == ""
