"""The parts of pictures: views, outlines, the rasterizer, features and PNG."""

import gzip

import numpy as np
import pytest
import shapely

from engine.maps.pictures.canvas import Canvas, color_of
from engine.maps.pictures.features import LINE, POINT, POLYGON, read_features
from engine.maps.pictures.outlines import (
    clipped_ring,
    dashes_of,
    outline_of,
    pieces_within,
    ring_around,
    segments_of,
    stroke,
)
from engine.maps.pictures.png import encode_png
from engine.maps.pictures.view import FITTED_ZOOM, View
from engine.maps.protobuf import DamagedMessage, block
from engine.maps.vector_tiles import encode_layer
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


def test_features_are_read_with_their_positions_and_properties() -> None:
    square = shapely.Polygon(shapely.box(0, 0, 1024, 1024).exterior, [shapely.box(256, 256, 512, 512).exterior])
    line = shapely.LineString([(0, 0), (4096, 2048), (-80, 4176)])
    tile = encode_layer("shapes", [(square, {"kind": "sea"}), (line, {"kind": "river", "at": 300})])
    tile += encode_layer("points", [(shapely.Point(2048, 1024), {"name": "Ä"})])
    layers = read_features(gzip.compress(tile))
    area, way = layers["shapes"]
    assert (area.kind, area.properties, len(area.parts)) == (POLYGON, {"kind": "sea"}, 2)
    assert shapely.Polygon(area.parts[0]).equals(shapely.box(0, 0, 0.25, 0.25))
    assert (way.kind, way.properties) == (LINE, {"kind": "river", "at": 300})
    assert way.parts[0].tolist() == [[0, 0], [1, 0.5], [-80 / 4096, 4176 / 4096]]
    assert (way.low, way.high) == ((-80 / 4096, 0), (1, 4176 / 4096))
    [point] = layers["points"]
    assert (point.kind, point.properties, point.parts[0].tolist()) == (POINT, {"name": "Ä"}, [[0.5, 0.25]])


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xff",
        block(3, block(2, block(4, b"\x09\x80"))),
        block(3, block(2, block(4, b"\x09\x02"))),
        block(3, block(2, block(2, b"\x00\x00"))),
    ],
)
def test_a_damaged_tile_is_refused(content: bytes) -> None:
    with pytest.raises(DamagedMessage):
        read_features(gzip.compress(content))
    with pytest.raises(DamagedMessage):
        read_features(content)


def test_png_returns_the_same_pixels() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (7, 5, 3), np.uint8)
    assert (read_png(encode_png(pixels)) == pixels).all()
