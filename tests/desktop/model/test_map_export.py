"""Exported maps: shapes in the frame, also across ±180°, the scale, and the rows of the legend."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyproj import Geod
from PySide6.QtCore import QBuffer
from PySide6.QtGui import QImage, QPainter, QPdfWriter

from app.desktop.map.still import Ground, View
from app.desktop.map.values import MapCircle, MapFence, MapPolygon, MapShape, Position
from app.desktop.map_export.composing import Room, compose, view_at_ratio
from app.desktop.map_export.content import OVERFLOW_PX, Content, Snapshot, content_of
from app.desktop.map_export.frame import EARTH_RADIUS_M, Frame, length_text, nice_length
from app.desktop.map_export.legend import MOST_TAGS, Symbol, entries_of, heading_of, rows_of
from app.desktop.map_export.marks import MapPainter
from app.desktop.map_export.names import placed_names
from app.desktop.map_export.options import RATIOS, MapExportOptions
from app.desktop.map_export.sheet import Sheet
from app.desktop.map_export.writing import PAPERS, Format, Output, layout_of, paint_page
from app.desktop.model.map_layers.fences import STATE_COLORS, FenceState
from app.desktop.shapes import map_polygon
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Progress
from engine.domain.values import replace
from engine.geo.parts import check_polygon

SPHERE = Geod(a=EARTH_RADIUS_M, f=0)
WIDTH, HEIGHT = 800, 600

longitudes = st.floats(-180, 180)
latitudes = st.floats(-70, 70)


def nothing(_done: int, _total: int) -> None:
    pass


def latitude_of(y: float) -> float:
    return math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y))))


def frame_around(longitude: float, latitude: float, zoom: float = 14.0) -> Frame:
    """Return a frame centred on a position."""
    world = 256 * 2**zoom
    y = 0.5 - math.asinh(math.tan(math.radians(latitude))) / (2 * math.pi)
    corner = longitude - WIDTH / 2 / world * 360, latitude_of(y - HEIGHT / 2 / world)
    return Frame(corner, zoom, WIDTH, HEIGHT)


def square(longitude: float, latitude: float, half: float) -> MapPolygon:
    """Return a square in degrees, with its longitudes within ±180°."""

    def at(across: float, up: float) -> Position:
        return (longitude + across + 180) % 360 - 180, latitude + up

    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))
    return MapPolygon(tuple(at(x * half, y * half) for x, y in corners))


def fence(shape: MapShape, *, enabled: bool = True, closed: bool = False) -> MapFence:
    return MapFence("f", "A", "#009E73", enabled, shape, closed)


def seen(frame: Frame, *fences: tuple[str, MapFence]) -> Content:
    return content_of(Snapshot(len(fences), lambda: fences, {}), frame, nothing)


@given(longitudes, latitudes, longitudes, latitudes)
def test_a_position_follows_the_projection(longitude: float, latitude: float, middle: float, parallel: float) -> None:
    frame = frame_around(middle, parallel)
    x, y = frame.pixel(longitude, latitude)
    _, origin = frame.pixel(0, 0)
    assert x / frame.world_px * 360 + frame.corner[0] == pytest.approx(longitude, abs=1e-7)
    assert latitude_of(0.5 + (y - origin) / frame.world_px) == pytest.approx(latitude, abs=1e-7)
    assert frame.pixel(middle, parallel) == pytest.approx((WIDTH / 2, HEIGHT / 2), abs=1e-3)


@given(longitudes, latitudes, st.floats(10, 10_000))
def test_the_box_of_a_circle_is_as_far_from_its_centre_as_its_radius(
    longitude: float, latitude: float, radius_m: float
) -> None:
    frame = frame_around(longitude, latitude)
    left, top, right, bottom = frame.ellipse(MapCircle(longitude, latitude, radius_m))
    _, origin = frame.pixel(0, 0)
    assert left + right == pytest.approx(WIDTH, abs=1e-3)
    for y in (top, bottom):
        edge = latitude_of(0.5 + (y - origin) / frame.world_px)
        _, _, away = SPHERE.inv(longitude, latitude, longitude, edge)
        assert away == pytest.approx(radius_m, rel=1e-4)


@given(longitudes, latitudes, st.floats(0.0005, 0.3), st.floats(-0.3, 0.3), st.floats(-0.3, 0.3), st.booleans())
def test_nothing_reaches_farther_out_of_the_frame_than_its_margin_covers(
    longitude: float, latitude: float, half: float, across: float, up: float, enabled: bool
) -> None:
    shapes = square(longitude + across, latitude + up, half), MapCircle(longitude, latitude + up, half * 111_000)
    content = seen(frame_around(longitude, latitude), *(("t", fence(shape, enabled=enabled)) for shape in shapes))
    reach = OVERFLOW_PX + 1e-6
    for figure in content.figures:
        ends = [at for ring in figure.rings for at in ring] + [at for line in figure.hatch for at in line]
        box = figure.box
        ends += [] if figure.rings else [(box[0], box[1]), (box[2], box[3])]
        assert all(-reach <= x <= WIDTH + reach and -reach <= y <= HEIGHT + reach for x, y in ends)
        assert not (figure.hatch and enabled)
    if abs(across) < half and abs(up) < half:
        # A shape that covers the middle of the frame is in it.
        assert content.types["polygon"] == 1


@given(latitudes, st.floats(-0.02, 0.02), st.integers(-2, 2))
def test_it_makes_no_difference_that_a_shape_crosses_the_antimeridian(latitude: float, off: float, copy: int) -> None:
    (here,) = seen(frame_around(off, latitude), ("t", fence(square(0, latitude, 0.01)))).figures
    there = seen(frame_around(180 + off + 360 * copy, latitude), ("t", fence(square(180, latitude, 0.01)))).figures
    assert len(there) == 1
    assert there[0].box == pytest.approx(here.box, abs=1e-3)
    assert area_of(there[0].rings) == pytest.approx(area_of(here.rings), rel=1e-5)


def area_of(rings: Sequence[Sequence[tuple[float, float]]]) -> float:
    pairs = [(a, b) for ring in rings for a, b in itertools.pairwise(ring)]
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)) / 2


def test_in_a_view_of_several_worlds_a_geofence_is_in_each_and_counted_once() -> None:
    frame = Frame((-540.0, 85.0), 0.0, 768, 256)
    content = seen(frame, ("store", fence(square(0, 0, 20), enabled=False, closed=True)))
    assert len(content.figures) == 3
    assert (content.tags["store"], content.disabled, content.closed) == (1, 1, 1)


@given(st.floats(-60, 60), st.floats(2, 20))
def test_the_scale_is_true_in_the_middle_of_the_frame(latitude: float, zoom: float) -> None:
    frame = frame_around(14.5, latitude, zoom)
    metres = nice_length(120 * frame.metres_per_pixel())
    assert f"{metres:e}".split("e")[0] in ("1.000000", "2.000000", "5.000000")
    assert 120 / 2.51 <= metres / frame.metres_per_pixel() <= 120.000_1
    assert frame.metres_per_pixel() * frame.world_px == pytest.approx(
        2 * math.pi * EARTH_RADIUS_M * math.cos(math.radians(latitude)), rel=1e-6
    )


def test_in_a_window_higher_than_the_world_positions_match_those_of_the_page() -> None:
    # Values of the page of a map of 700 by 1,500 pixels, and the pixel that it has for this position.
    frame = Frame((-108.6328125, 88.8504182), 2.0, 700, 1500)
    assert frame.pixel(14.5, 40.0) == pytest.approx((350, 626), abs=1)


def test_lengths_as_people_write_them() -> None:
    texts = [length_text(metres) for metres in (0.5, 2, 500, 1_000, 2_000_000)]
    assert texts == ["0.5 m", "2 m", "500 m", "1 km", "2000 km"]


@given(st.lists(st.integers(0, 60), max_size=120))
def test_the_legend_counts_each_geofence_in_view_and_explains_the_styles_in_use(tags: list[int]) -> None:
    circle = MapCircle(14.5, 46.05, 100)
    some = [(f"t{tag}", fence(circle, enabled=tag % 3 > 0, closed=tag % 4 == 0)) for tag in tags]
    content = seen(frame_around(14.5, 46.05), *some)
    entries = entries_of(content, {})
    shown = {entry.text for entry in entries if entry.symbol is Symbol.TAG}
    distinct = set(tags)
    assert len(shown) == min(len(distinct), MOST_TAGS)
    assert shown <= {f"t{tag} ({tags.count(tag)})" for tag in distinct}
    assert any(entry.symbol is Symbol.NONE for entry in entries) == (len(distinct) > MOST_TAGS)
    assert any(entry.symbol is Symbol.DISABLED for entry in entries) == any(tag % 3 == 0 for tag in tags)
    assert any(entry.symbol is Symbol.CLOSED for entry in entries) == any(tag % 4 == 0 for tag in tags)
    assert heading_of(content).startswith("Geofences: " if tags else "No geofences in view")


@given(st.lists(st.floats(1, 300), max_size=60), st.floats(300, 2_000))
def test_rows_of_the_legend_hold_all_entries_in_order_within_the_room(widths: list[float], room: float) -> None:
    rows = rows_of(widths, room)
    assert [at for row in rows for at in row] == list(range(len(widths)))
    assert all(sum(widths[at] for at in row) <= room + 1e-6 for row in rows)
    # No row is broken earlier than necessary.
    assert all(sum(widths[at] for at in [*row, after[0]]) > room - 1e-6 for row, after in itertools.pairwise(rows))


@given(
    st.lists(st.tuples(st.floats(-0.02, 0.02), st.floats(-0.01, 0.01), st.floats(20, 400), st.booleans()), max_size=60)
)
def test_names_are_never_over_one_another(places: list[tuple[float, float, float, bool]]) -> None:
    fences = [
        ("a", MapFence(str(at), "Store 12", "#009E73", True, MapCircle(14.5 + x, 46.05 + y, r), locked=locked))
        for at, (x, y, r, locked) in enumerate(places)
    ]
    content = seen(frame_around(14.5, 46.05), *fences)
    names = placed_names(content.figures, lambda text: 7.0 * len(text))
    for one, other in itertools.combinations(names, 2):
        a, b = one.box, other.box
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    # The largest one has its name inside if there is enough room.
    figures = [figure for figure in content.figures if not figure.dot]
    if figures and figures[0].box[2] - figures[0].box[0] >= 7.0 * 8 + 12:
        assert names[0].middle == figures[0].middle


def test_a_small_geofence_has_its_name_below_it_and_a_long_thin_one_none() -> None:
    small = MapFence("s", "A long name of a small place", "#009E73", True, MapCircle(14.5, 46.05, 120.0))
    thin = MapFence("t", "A long name", "#009E73", True, square(14.52, 46.05, 0.0))
    thin = replace(
        thin, shape=MapPolygon(((14.51, 46.04), (14.5101, 46.04), (14.5101, 46.06), (14.51, 46.06), (14.51, 46.04)))
    )
    content = seen(frame_around(14.5, 46.05), ("a", small), ("a", thin))
    (name,) = placed_names(content.figures, lambda text: 7.0 * len(text))
    assert name.fence.id == "s"
    figure = next(each for each in content.figures if each.fence.id == "s")
    assert name.middle[1] > figure.box[3]


def polygon(*parts: tuple[tuple[Position, ...], ...]) -> MapPolygon:
    return map_polygon(check_polygon(parts))


def box(west: float, south: float, east: float, north: float) -> tuple[Position, ...]:
    return ((west, south), (east, south), (east, north), (west, north), (west, south))


def painted(content: Content, frame: Frame) -> QImage:
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    MapPainter(painter, "light", frame).paint(content, nothing, with_names=False)
    painter.end()
    return image


@pytest.mark.parametrize("enabled", [True, False])
def test_holes_are_empty_and_all_parts_are_painted(enabled: bool, qapp: object) -> None:
    frame = frame_around(14.5, 46.05)
    land, lake = box(14.485, 46.04, 14.505, 46.06), box(14.49, 46.045, 14.5, 46.055)
    shape = polygon((land, lake), (box(14.51, 46.045, 14.52, 46.055),))
    content = seen(frame, ("a", fence(shape, enabled=enabled)))
    (figure,) = content.figures
    assert len(figure.rings) == 3
    image = painted(content, frame)
    places = {"land": 14.4875, "lake": 14.495, "between": 14.5075, "exclave": 14.515}
    seen_there = {}
    for name, longitude in places.items():
        x, y = frame.pixel(longitude, 46.05)
        seen_there[name] = any(image.pixelColor(round(x) + step, round(y)).alpha() for step in range(-6, 7))
    assert seen_there == {"land": True, "lake": False, "between": False, "exclave": True}


def test_parts_that_meet_are_painted_as_one(qapp: object) -> None:
    frame = frame_around(180.0, 0.0)
    west, east = box(179.99, -0.005, 180.0, 0.005), box(-180.0, -0.005, -179.99, 0.005)
    whole = ((179.99, -0.005), (-179.99, -0.005), (-179.99, 0.005), (179.99, 0.005), (179.99, -0.005))
    cut = seen(frame, ("a", fence(polygon((west,), (east,)))))
    (figure,) = cut.figures
    assert len(figure.rings) == 1
    assert painted(cut, frame) == painted(seen(frame, ("a", fence(polygon((whole,))))), frame)


def test_the_name_of_a_geofence_with_a_hole_is_beside_the_hole() -> None:
    frame = frame_around(14.5, 46.05)
    land, lake = box(14.48, 46.035, 14.52, 46.06), box(14.495, 46.045, 14.505, 46.058)
    exclave = box(14.525, 46.05, 14.53, 46.052)
    content = seen(frame, ("a", fence(polygon((land, lake), (exclave,)))))
    (name,) = placed_names(content.figures, lambda text: 7.0 * len(text))
    left, top, right, bottom = name.box
    (hole_left, hole_bottom), (hole_right, hole_top) = frame.pixel(14.495, 46.045), frame.pixel(14.505, 46.058)
    assert right <= hole_left or left >= hole_right or bottom <= hole_top or top >= hole_bottom
    (land_left, land_bottom), (land_right, land_top) = frame.pixel(14.48, 46.035), frame.pixel(14.52, 46.06)
    assert land_left <= left
    assert right <= land_right
    assert land_top <= top
    assert bottom <= land_bottom


def test_the_legend_explains_colours_by_state_instead_of_tags() -> None:
    frame = frame_around(14.5, 46.05)
    shapes = [replace(fence(square(14.5, 46.05, 0.001)), id=state, state=state) for state in ("enabled", "expired")]
    shapes.append(replace(shapes[0], id="locked", locked=True))
    snapshot = Snapshot(3, lambda: [("a", each) for each in shapes], {"a": "#111111"}, by_state=True, has_heat=True)
    snapshot = replace(snapshot, way=((14.5, 46.05), (14.505, 46.05)))
    content = content_of(snapshot, frame, nothing)
    entries = entries_of(content, snapshot.tag_colors)
    assert [(entry.text, entry.color) for entry in entries if entry.symbol is Symbol.TAG] == [
        ("Enabled (2)", STATE_COLORS[FenceState.ENABLED]),
        ("Expired (1)", STATE_COLORS[FenceState.EXPIRED]),
    ]
    assert [entry.symbol for entry in entries[2:]] == [Symbol.LOCK, Symbol.HEAT, Symbol.WAY]
    assert content.destinations == [pytest.approx(frame.pixel(14.505, 46.05))]


class Watched(Sheet):
    """A sheet that records the size at which it is painted."""

    factor = 0.0

    def paint(self, painter: QPainter, progress: Progress) -> None:
        """Record the size, and paint as usual."""
        self.factor = painter.transform().m11()
        super().paint(painter, progress)


@example(-63.5, 5_000_000, "A3", True, 1)
@settings(max_examples=25, deadline=None)
@given(
    st.floats(-70, 70), st.sampled_from(RATIOS[2:]), st.sampled_from(list(PAPERS)), st.booleans(), st.integers(1, 12)
)
def test_paper_has_the_scale_that_was_chosen(
    qapp: object, latitude: float, ratio: int, paper: str, wide: bool, tags: int
) -> None:
    room = Room.of(layout_of(paper, wide=wide))
    view = view_at_ratio((14.5, latitude), ratio, room)
    frame = around_middle(latitude, view)
    picture = QImage(frame.width // 4, frame.height // 4, QImage.Format.Format_RGB32)
    ground = Ground(picture, frame.corner, frame.zoom, view.size, "Natural Earth " * 20)
    circle = MapCircle(14.5, latitude, 0.02 * ratio)
    fences = [(f"a tag with a long name {at}", fence(circle)) for at in range(tags)]
    options = MapExportOptions("Title", "light", Output(Format.PDF, paper=paper), ratio=ratio)
    sheet = compose(ground, Snapshot(tags, lambda: fences, {}), options, "1 May 2026", room, nothing)
    # A circle of 20 m for each thousandth of the scale is 40 mm wide.
    left, _, right, _ = sheet._parts.frame.ellipse(circle)
    assert (right - left) * sheet.pixel_mm == pytest.approx(40.0, rel=0.01 if ratio < 1_000_000 else 0.1)
    assert sheet.size.width() * sheet.pixel_mm <= room.width_mm + 0.01
    assert sheet.size.height() * sheet.pixel_mm <= room.height_mm + sheet.pixel_mm
    # The same amount was cut off above and below.
    x, y = sheet._parts.frame.pixel(14.5, latitude)
    assert (x, y) == pytest.approx((sheet._parts.frame.width / 2, sheet._parts.frame.height / 2), abs=1.5)
    watched = Watched(sheet._parts)
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(300)
    writer.setPageLayout(layout_of(paper, wide=wide))
    paint_page(watched, writer, nothing)
    assert watched.factor / 300 * 25.4 == pytest.approx(sheet.pixel_mm)


def around_middle(latitude: float, view: View) -> Frame:
    """Return the frame of a view."""
    world = 256 * 2**view.zoom
    y = 0.5 - math.asinh(math.tan(math.radians(latitude))) / (2 * math.pi)
    corner = view.center[0] - view.size[0] / 2 / world * 360, latitude_of(y - view.size[1] / 2 / world)
    return Frame(corner, view.zoom, *view.size)


def test_a_scale_at_which_a_page_has_no_room_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="smaller scale"):
        view_at_ratio((14.5, 0.0), 50, Room(190.0, 277.0))
