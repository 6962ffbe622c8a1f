"""The parts of pictures: views, outlines, the rasterizer and PNG."""

import numpy as np
import pytest
import shapely

from engine.maps.pictures.canvas import Canvas, color_of
from engine.maps.pictures.outlines import (
    clipped,
    clipped_ring,
    dashes_of,
    outline_of,
    pieces_within,
    ring_around,
    segments_of,
    stroke,
)
from engine.maps.pictures.overlays import Path, draw_path
from engine.maps.pictures.png import encode_png
from engine.maps.pictures.view import FITTED_ZOOM, View, unprojected
from tests.engine.maps.pictures.reading import color_at, read_png

WHITE, BLACK = color_of("#ffffff"), color_of("#000000")
BOX = (0.0, 0.0, 100.0, 100.0)
SQUARE = np.array([[10.0, 10], [90, 10], [90, 90], [10, 90]])


def darkness(canvas: Canvas) -> float:
    """Return how much of a white canvas was filled with black, in pixels."""
    return float((255 - canvas.pixels[:, :, 0].astype(float)).sum() / 255)


def canvas() -> Canvas:
    return Canvas(100, 100, WHITE)


def test_a_hole_stays_empty() -> None:
    drawn = canvas()
    hole = np.array([[40.0, 40], [40, 60], [60, 60], [60, 40]])
    drawn.fill(outline_of([SQUARE, hole]), BLACK)
    assert darkness(drawn) == pytest.approx(80 * 80 - 20 * 20)
    assert color_at(drawn.pixels, 50, 50) == "#ffffff"
    assert color_at(drawn.pixels, 30, 30) == "#000000"


def test_edges_are_smooth() -> None:
    drawn = canvas()
    drawn.fill(outline_of([ring_around(30.25) + 50]), BLACK)
    # The outline of a circle is inside of it, by less than a tenth of a pixel.
    assert darkness(drawn) == pytest.approx(np.pi * 30.25**2, rel=0.01)
    assert len(np.unique(drawn.pixels)) > 20


def test_overlaps_are_filled_once() -> None:
    drawn = canvas()
    lines = [np.array([[10.0, 50], [90, 50]]), np.array([[50.0, 10], [50, 90]])]
    drawn.fill(stroke(segments_of(lines, BOX), 10), (0, 0, 0, 0.5))
    assert color_at(drawn.pixels, 50, 50) == color_at(drawn.pixels, 20, 50) == "#7f7f7f"
    assert color_at(drawn.pixels, 20, 20) == "#ffffff"


def test_corners_of_lines_are_round() -> None:
    corner = np.array([[20.0, 80], [50, 20], [80, 80]])
    drawn = canvas()
    drawn.fill(stroke(segments_of([corner], BOX), 12), BLACK)
    assert color_at(drawn.pixels, 50, 16) == "#000000"
    assert color_at(drawn.pixels, 50, 12) == "#ffffff"


def test_more_positions_than_freetype_takes() -> None:
    drawn = Canvas(400, 400, WHITE)
    squares = [
        np.array([[x, y], [x + 1.0, y], [x + 1, y + 1], [x, y + 1]]) for x in range(0, 400, 2) for y in range(0, 400, 2)
    ]
    assert 4 * len(squares) > 2**16
    drawn.fill(outline_of(squares), BLACK)
    assert darkness(drawn) == 200 * 200
    circle = ring_around(1.0)
    angles = np.linspace(0, 2 * np.pi, 80_000, endpoint=False)
    long_ring = np.stack([np.cos(angles), np.sin(angles)], axis=1) * 150 + 200
    assert len(circle) < len(long_ring)
    other = Canvas(400, 400, WHITE)
    other.fill(outline_of([long_ring]), BLACK)
    assert darkness(other) == pytest.approx(np.pi * 150**2, rel=0.001)


def test_more_edges_in_one_row_than_freetype_takes() -> None:
    drawn = Canvas(2_000, 20, WHITE)
    bars = [np.array([[x, 2.5], [x + 0.5, 2.5], [x + 0.5, 17.5], [x, 17.5]]) for x in np.arange(0.0, 2_000)]
    drawn.fill(outline_of(bars), BLACK)
    assert darkness(drawn) == pytest.approx(2_000 * 0.5 * 15, rel=0.01)
    assert (drawn.pixels[10] == drawn.pixels[10, 0]).all(), "the parts have no seams"


def test_an_outline_is_the_same_across_parts() -> None:
    drawn = Canvas(1_400, 60, WHITE)
    outer = np.array([[5.0, 5], [1_395, 15], [1_395, 55], [5, 55]])
    holes = [np.array([[x, 30.0], [x, 40], [x + 20, 40], [x + 20, 30]]) for x in (20.0, 502, 1_020)]
    drawn.fill(outline_of([outer, *holes]), BLACK)
    assert darkness(drawn) == pytest.approx(1_390 * 45 - 3 * 200, abs=3)
    assert [color_at(drawn.pixels, x + 10, 35) for x in (20, 502, 1_020)] == ["#ffffff"] * 3


def test_each_ring_of_an_outline_is_clipped() -> None:
    bars = [np.array([[x, -10.0], [x + 10, -10], [x + 10, 110], [x, 110]]) for x in (-50.0, -5, 50, 95, 200)]
    found = clipped(outline_of(bars), BOX)
    shapes = [shapely.Polygon(ring).bounds for ring in np.split(found.positions, np.cumsum(found.lengths)[:-1])]
    assert shapes == [(0, 0, 5, 100), (50, 0, 60, 100), (95, 0, 100, 100)]
    assert len(found.holes) == 3
    assert not len(clipped(outline_of(bars[:1]), BOX).positions)


def test_translucent_colours_are_mixed_alike_inside_and_at_the_edge() -> None:
    drawn = Canvas(100, 100, color_of("#204060"))
    drawn.fill(outline_of([SQUARE, np.array([[0.0, 0], [9.5, 0], [9.5, 9.5], [0, 9.5]])]), (200, 100, 0, 0.5))
    # 128 of 255 parts of the colour; at the edge half of them.
    assert color_at(drawn.pixels, 50, 50) == color_at(drawn.pixels, 2, 2) == "#745230"
    assert color_at(drawn.pixels, 9, 2) == "#4a4948"
    assert color_at(drawn.pixels, 95, 95) == "#204060"


VIEW = View(100, 100, 1, 25, 60, 20)


def at(x: float, y: float) -> tuple[float, float]:
    """Return the longitude and latitude of a position in pixels of the view."""
    left, top = VIEW.corner
    return unprojected((left + x) / VIEW.world, (top + y) / VIEW.world)


def test_an_area_with_corners_far_outside_is_cut_at_the_picture() -> None:
    drawn = canvas()
    corners = (at(50, -200_000), at(50, 50), at(400_050, 200_050), at(400_050, -200_000))
    draw_path(drawn, VIEW, Path(corners, BLACK, 0, fill=BLACK))
    # Right of column 50 and above a slope of one half, even though the ends of both edges are far away.
    assert darkness(drawn) == pytest.approx(50 * 50 + 50 * 25 / 2, rel=0.01)
    shown = [color_at(drawn.pixels, x, y) for x, y in ((95, 70), (60, 5), (45, 5), (60, 60))]
    assert shown == ["#000000", "#000000", "#ffffff", "#ffffff"]
    world = canvas()
    everything = ((-179.0, -85.0), (-60.0, -85.0), (60.0, -85.0), (179.0, -85.0), (179.0, 85.0), (60.0, 85.0))
    draw_path(world, VIEW, Path((*everything, (-60.0, 85.0), (-179.0, 85.0)), BLACK, 0, fill=BLACK))
    assert darkness(world) == 100 * 100


def test_a_wide_line_reaches_into_a_picture_that_it_passes() -> None:
    drawn = canvas()
    # Its middle is 90 pixels above the picture, its edge 10 pixels within.
    draw_path(drawn, VIEW, Path((at(-500, -90), at(600, -90)), BLACK, 200))
    assert darkness(drawn) == pytest.approx(100 * 10, rel=0.01)
    other = canvas()
    draw_path(other, VIEW, Path((at(-500, -90), at(600, -90)), WHITE, 100, border=BLACK, border_width=50))
    assert darkness(other) == pytest.approx(100 * 10, rel=0.01)


def test_what_is_outside_the_picture_is_left_out() -> None:
    drawn = canvas()
    drawn.fill(outline_of([SQUARE + 200]), BLACK)
    drawn.fill(outline_of([]), BLACK)
    assert darkness(drawn) == 0
    drawn.fill(outline_of([SQUARE + 50]), BLACK)
    assert darkness(drawn) == 40 * 40


def test_rings_are_clipped_to_a_box() -> None:
    wide = np.array([[-500.0, 20], [500, 20], [500, 60], [-500, 60]])
    assert shapely.Polygon(clipped_ring(wide, BOX)).equals(shapely.box(0, 20, 100, 60))
    assert not len(clipped_ring(wide + 1000, BOX))


def test_segments_are_clipped_to_a_box() -> None:
    found = segments_of([np.array([[-100.0, 50], [50, 50], [50, 300], [400, 300]])], BOX)
    assert found.start.tolist() == [[0, 50], [50, 50]]
    assert found.end.tolist() == [[50, 50], [50, 100]]
    assert found.joints.tolist() == [[50, 50]]


def test_dashes_go_around_corners_and_each_line_begins_with_one() -> None:
    lines = [np.array([[0.0, 10], [15, 10], [15, 40]]), np.array([[0.0, 90], [25, 90]])]
    found = dashes_of(lines, BOX, 10, 10)
    dashes = sorted(np.hstack([found.start, found.end]).tolist())
    assert dashes == [[0, 10, 10, 10], [0, 90, 10, 90], [15, 15, 15, 25], [15, 35, 15, 40], [20, 90, 25, 90]]


def test_dashes_of_a_line_far_outside_are_not_counted() -> None:
    found = dashes_of([np.array([[-1e9, 50.0], [1e9, 50]])], BOX, 10, 10)
    assert len(found.start) <= 11
    assert (found.end - found.start)[:, 0].max() <= 10


def test_a_line_may_leave_a_box_and_return() -> None:
    line = np.array([[50.0, 50], [50, 150], [80, 150], [80, 50], [90, 50]])
    pieces = [piece.tolist() for piece in pieces_within(line, BOX)]
    assert pieces == [[[50, 50], [50, 100]], [[80, 100], [80, 50], [90, 50]]]


def test_a_view_covers_its_tiles() -> None:
    view = View(512, 512, 1, 0, 0, 2)
    placed = {(tile.place.z, tile.place.x, tile.place.y): (tile.left, tile.top) for tile in view.tiles(14)}
    assert placed == {(1, 0, 0): (-256, -256), (1, 1, 0): (256, -256), (1, 0, 1): (-256, 256), (1, 1, 1): (256, 256)}
    assert {tile.place.z for tile in View(512, 512, 1, 0, 0, 23).tiles(14)} == {14}
    assert {tile.edge for tile in View(512, 512, 3, 0, 0, 15).tiles(14)} == {512 * 3}


def test_the_world_repeats_to_the_sides_only() -> None:
    tiles = list(View(2048, 2048, 1, 180, 80, 1).tiles(14))
    assert {tile.place.y for tile in tiles} == {0}
    assert [tile.place.x for tile in tiles] == [0] * 4


def test_a_fitted_view_shows_all_positions_across_the_antimeridian() -> None:
    positions = [(179.0, -17.0), (-179.0, -18.0)]
    view = View.of_positions(positions, 400, 400, 2)
    assert abs(view.longitude) == pytest.approx(180)
    placed = view.placed(positions)
    assert ((placed > 0) & (placed < 800)).all()
    assert view.zoom > 7
    assert View.of_positions([(24.9, 60.1)], 400, 400, 1).zoom == FITTED_ZOOM


def test_a_box_is_fitted_exactly() -> None:
    view = View.of_box((-10, -20, 10, 20), 400, 800, 1)
    (left, _), (right, _) = view.placed([(-20, -10), (20, 10)]).tolist()
    assert (left, right) == (pytest.approx(0, abs=1e-6), pytest.approx(400))
    assert abs(View.of_box((-10, 170, 10, -170), 400, 400, 1).longitude) == pytest.approx(180)


def test_a_widened_view_keeps_its_centre() -> None:
    view = View(400, 400, 1, 10, 50, 1).widened([(11, 50), (10.1, 50.1)])
    assert (view.longitude, view.latitude) == (10, 50)
    assert ((view.placed([(11, 50)]) > 0) & (view.placed([(11, 50)]) < 400)).all()
    assert view.zoom > 6


def test_a_view_widened_to_a_box_shows_all_of_it_and_no_more() -> None:
    view = View(400, 400, 1, 10, 0, 1).widened_to_box((-1, 8, 1, 11))
    assert (view.longitude, view.latitude) == (10, 0)
    (left, _), (right, _) = view.placed([(8, 0), (11, 0)]).tolist()
    assert (left, right) == (pytest.approx(0, abs=1e-6), pytest.approx(300))
    middle = View.of_box((-1, 8, 1, 12), 400, 400, 1)
    assert View(400, 400, 1, 10, 0, 1).widened_to_box((-1, 8, 1, 12)).zoom == pytest.approx(middle.zoom)


def test_a_view_widened_to_a_box_across_the_antimeridian() -> None:
    assert View(400, 400, 1, 180, 0, 1).widened_to_box((-1, 179, 1, -179)).zoom > 8
    assert View(400, 400, 1, -180, 0, 1).widened_to_box((-1, 179, 1, -179)).zoom > 8
    # From 179 degrees west to 179 degrees east is almost the whole world.
    assert View(400, 400, 1, 180, 0, 1).widened_to_box((-1, -179, 1, 179)).zoom == 1


def test_png_returns_the_same_pixels() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (7, 5, 3), np.uint8)
    assert (read_png(encode_png(pixels)) == pixels).all()
