"""Content of the exported map: the parts of the workspace within its frame, in pixels, and the legend's numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import shapely
from msgspec import Struct, field
from shapely.affinity import translate

from app.desktop.map.values import (
    EventKind,
    MapBeacon,
    MapCircle,
    MapEvent,
    MapFence,
    MapIsochrone,
    MapPolygon,
    Position,
)
from app.desktop.map_export.frame import Box, Frame, Pixel, box_of
from app.desktop.model.natural import naturally_sorted
from engine.domain.geometry import Polygon
from engine.domain.ports import Progress
from engine.geo.parts import united

OVERFLOW_PX: Final = 12.0
"""How far a shape may extend beyond the frame, which the margin of the sheet covers."""

SMALLEST_PX: Final = 5.0
"""Size below which a shape is drawn as a dot, as on the map."""

_HATCH_PX: Final = 8.0
_MOST_LINES: Final = 2_000
_PLACE_LINES: Final = 15
_REPORT_EVERY: Final = 100


class ShownDevice(Struct, frozen=True):
    """A device at its displayed position."""

    name: str
    longitude: float
    latitude: float
    accuracy_m: float


class Snapshot(Struct, frozen=True):
    """The contents of the map at a moment. `fences` returns the geofences with their tags, created on demand.

    `way` is the route of a trip, up to its destination. `by_state` is whether geofences have the colours of their
    states.
    """

    fence_count: int
    fences: Callable[[], Iterable[tuple[str, MapFence]]]
    tag_colors: dict[str, str]
    track: Sequence[Position] = ()
    events: Sequence[MapEvent] = ()
    beacons: Sequence[MapBeacon] = ()
    devices: Sequence[ShownDevice] = ()
    way: Sequence[Position] = ()
    by_state: bool = False
    has_heat: bool = False


class Figure(Struct, frozen=True):
    """A geofence in pixels: an ellipse if it is completely in the frame, otherwise rings, or a dot if it is small.

    A position within an odd number of rings is inside. `places` are positions for its name.
    """

    fence: MapFence
    box: Box
    rings: tuple[tuple[Pixel, ...], ...] = ()
    hatch: tuple[tuple[Pixel, Pixel], ...] = ()
    dot: bool = False
    places: tuple[Pixel, ...] = ()

    @property
    def middle(self) -> Pixel:
        """The centre of its box."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2


class Content(Struct):
    """The contents of the frame, largest geofences first, and the numbers for the legend."""

    figures: list[Figure] = field(default_factory=list)
    tags: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    disabled: int = 0
    closed: int = 0
    states: Counter[str] = field(default_factory=Counter)
    locked: int = 0
    by_state: bool = False
    has_heat: bool = False
    way: list[list[Pixel]] = field(default_factory=list)
    destinations: list[Pixel] = field(default_factory=list)
    track: list[list[Pixel]] = field(default_factory=list)
    events: list[tuple[Pixel, EventKind]] = field(default_factory=list)
    beacons: list[tuple[Pixel, bool]] = field(default_factory=list)
    devices: list[tuple[Pixel, Box, str]] = field(default_factory=list)

    def sorted_tags(self) -> list[tuple[str, int]]:
        """Return the tags in the frame in natural order, each with its number of geofences."""
        return [(tag, self.tags[tag]) for tag in naturally_sorted(self.tags)]


def content_of(snapshot: Snapshot, frame: Frame, progress: Progress) -> Content:
    """Return the part of a snapshot within a frame; `progress` may raise to cancel it."""
    content = Content(by_state=snapshot.by_state, has_heat=snapshot.has_heat)
    for at, (tag, fence) in enumerate(snapshot.fences()):
        if at % _REPORT_EVERY == 0:
            progress(at, 2 * snapshot.fence_count)
        figures = list(_figures(fence, frame))
        if figures:
            content.figures += figures
            _note(content, tag, fence)
    content.figures.sort(key=lambda each: -_area(each.box))
    content.track = list(_lines(snapshot.track, frame))
    content.way = list(_lines(snapshot.way, frame))
    content.destinations = _places(frame, *snapshot.way[-1]) if snapshot.way else []
    points = ((event.longitude, event.latitude, event.kind) for event in snapshot.events)
    content.events = [(at, kind) for x, y, kind in points for at in _places(frame, x, y)]
    for beacon in snapshot.beacons:
        content.beacons += [(at, beacon.enabled) for at in _places(frame, beacon.longitude, beacon.latitude)]
    for device in snapshot.devices:
        content.devices += list(_devices(device, frame))
    return content


def _note(content: Content, tag: str, fence: MapFence) -> None:
    shape = fence.shape
    kind = "circle" if isinstance(shape, MapCircle) else "isochrone" if isinstance(shape, MapIsochrone) else "polygon"
    content.tags[tag] += 1
    content.types[kind] += 1
    content.disabled += not fence.enabled
    content.locked += fence.locked
    content.states[fence.state or ""] += 1
    content.closed += fence.closed


def _figures(fence: MapFence, frame: Frame) -> Iterable[Figure]:
    shape = fence.shape
    parts = [] if isinstance(shape, MapCircle) else _parts(shape, frame)
    box = frame.ellipse(shape) if isinstance(shape, MapCircle) else box_of([at for outer, *_ in parts for at in outer])
    small = max(box[2] - box[0], box[3] - box[1]) < SMALLEST_PX
    for shift in frame.copies(box, SMALLEST_PX if small else 0.0):
        moved = box[0] + shift, box[1], box[2] + shift, box[3]
        if small:
            yield Figure(fence, moved, dot=True)
            continue
        whole = _ellipse(moved) if isinstance(shape, MapCircle) else _valid(parts, shift)
        seen = shapely.clip_by_rect(whole, *_reach(frame))
        hatch = () if fence.enabled else _hatch(seen)
        if isinstance(shape, MapCircle) and _within(moved, frame):
            yield Figure(fence, moved, hatch=hatch)
        elif rings := _rings(seen):
            single = isinstance(shape, MapCircle) or shape.is_single_ring
            yield Figure(fence, moved, rings, hatch, places=() if single else _places_inside(whole))


def _parts(shape: MapPolygon, frame: Frame) -> list[list[list[Pixel]]]:
    """Return the rings of each part in pixels, its outer ring first. Parts that meet are one."""
    if shape.is_single_ring:
        return [[frame.ring(shape.ring)]]
    parts = shapely.get_parts(united(Polygon(shape.ring, shape.holes, shape.others)))
    return [[frame.ring(ring.coords) for ring in (part.exterior, *part.interiors)] for part in parts.tolist()]


def _valid(parts: list[list[list[Pixel]]], shift: float) -> shapely.Geometry:
    polygons = [shapely.Polygon(outer, holes) for outer, *holes in parts]
    polygon = polygons[0] if len(polygons) == 1 else shapely.MultiPolygon(polygons)
    return translate(polygon if polygon.is_valid else shapely.make_valid(polygon), xoff=shift)


def _places_inside(whole: shapely.Geometry) -> tuple[Pixel, ...]:
    """Return positions inside the largest part: its centroid if possible, then those with most room to the sides."""
    largest = max(shapely.get_parts(whole).tolist(), key=lambda part: float(part.area))
    left, top, right, bottom = largest.bounds
    step = (bottom - top) / _PLACE_LINES
    lines = [shapely.LineString([(left, y), (right, y)]) for y in (top + step * (n + 0.5) for n in range(_PLACE_LINES))]
    found = (shapely.get_parts(line).tolist() for line in shapely.intersection(lines, largest))
    pieces = sorted((max(each, key=shapely.length) for each in found if each), key=shapely.length, reverse=True)
    middles = [piece.centroid for piece in pieces]
    centroid = largest.centroid
    return tuple((at.x, at.y) for at in ([centroid, *middles] if largest.contains(centroid) else middles))


def _ellipse(box: Box) -> shapely.Geometry:
    left, top, right, bottom = box
    disc = shapely.Point(0.0, 0.0).buffer(1.0, quad_segs=32)
    scaled = shapely.transform(disc, lambda at: at * [(right - left) / 2, (bottom - top) / 2])
    return translate(scaled, (left + right) / 2, (top + bottom) / 2)


def _reach(frame: Frame) -> Box:
    return -OVERFLOW_PX, -OVERFLOW_PX, frame.width + OVERFLOW_PX, frame.height + OVERFLOW_PX


def _within(box: Box, frame: Frame) -> bool:
    left, top, right, bottom = _reach(frame)
    return left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= bottom


def _rings(seen: shapely.Geometry) -> tuple[tuple[Pixel, ...], ...]:
    polygons = [part for part in shapely.get_parts(seen) if isinstance(part, shapely.Polygon) and not part.is_empty]
    return tuple(
        tuple((x, y) for x, y in ring.coords) for part in polygons for ring in (part.exterior, *part.interiors)
    )


def _hatch(seen: shapely.Geometry) -> tuple[tuple[Pixel, Pixel], ...]:
    """Return the stripes of a disabled geofence as lines, since not every format supports patterns."""
    if seen.is_empty:
        return ()
    left, top, right, bottom = seen.bounds
    height = bottom - top
    lines: list[tuple[Pixel, Pixel]] = []
    start = (left - height) // _HATCH_PX * _HATCH_PX
    while start < right and len(lines) < _MOST_LINES:
        lines.append(((start, bottom), (start + height, top)))
        start += _HATCH_PX
    inside = shapely.intersection(shapely.MultiLineString(lines), seen)
    parts = [part for part in shapely.get_parts(inside) if isinstance(part, shapely.LineString)]
    return tuple(((a[0], a[1]), (b[0], b[1])) for a, *_, b in (part.coords for part in parts))


def _lines(positions: Sequence[Position], frame: Frame) -> Iterable[list[Pixel]]:
    if len(positions) < 2:
        return
    pixels = frame.ring(positions)
    for shift in frame.copies(box_of(pixels), 0.0):
        line = shapely.LineString([(x + shift, y) for x, y in pixels])
        for part in shapely.get_parts(shapely.clip_by_rect(line, *_reach(frame))):
            if isinstance(part, shapely.LineString) and not part.is_empty:
                yield [(x, y) for x, y in part.coords]


def _places(frame: Frame, longitude: float, latitude: float) -> list[Pixel]:
    x, y = frame.pixel(longitude, latitude)
    return [(x + shift, y) for shift in frame.copies((x, y, x, y), 0.0)]


def _devices(device: ShownDevice, frame: Frame) -> Iterable[tuple[Pixel, Box, str]]:
    x, y = frame.pixel(device.longitude, device.latitude)
    around = MapCircle(device.longitude, device.latitude, max(device.accuracy_m, 0.1))
    left, top, right, bottom = frame.ellipse(around)
    for shift in frame.copies((x, y, x, y), 0.0):
        yield (x + shift, y), (left + shift, top, right + shift, bottom), device.name


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
