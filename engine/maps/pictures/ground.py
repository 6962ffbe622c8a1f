"""Everything on a map but names: the world, the ground, roads and railways, as the look has them."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final

import numpy as np

from engine.maps.look import GROWTH, LOOK, Node, size_at
from engine.maps.pictures.canvas import Canvas, Color, color_of
from engine.maps.pictures.features import POLYGON
from engine.maps.pictures.outlines import Box, Segments, dashes_of, outline_of, pieces_within, segments_of, stroke
from engine.maps.pictures.sheet import MARGIN_PX, Drawn, Sheet
from engine.maps.pictures.view import Positions, View

_ARROWS_FROM: Final = 16
_ARROW_EVERY_PX: Final = 160
_LONG_ENOUGH_PX: Final = 12
_ARROW: Final = np.array([[-4.5, -0.6], [1, -0.6], [1, -2.8], [5, 0], [1, 2.8], [1, 0.6], [-4.5, 0.6]])

type Bounds = tuple[float, float, float, float]
"""West, south, east and north."""


class Painter:
    """Paints the features of a view on a canvas in the colours of a theme."""

    def __init__(self, canvas: Canvas, view: View, theme: str) -> None:
        self._canvas = canvas
        self._zoom, self._scale = view.zoom, view.scale
        self._view = view
        (width_px, height_px), margin = view.pixels, MARGIN_PX * view.scale
        self._margins: Box = (-margin, -margin, width_px + margin, height_px + margin)
        self._colors: Node = LOOK["themes"][theme]
        self._ink: Node = self._colors["streets"]

    def world(self, world: Sheet, areas: Iterable[Bounds]) -> None:
        """Paint land, coasts and borders, and above them the boxes of areas, which have a finer coast."""
        look = LOOK["world"]
        is_near = self._zoom >= look["nearFrom"]
        width = look["width"]["near" if is_near else "far"]
        self._polygons(world.features("land"), color_of(self._colors["land"]))
        self._lines(world.features("coast"), color_of(self._colors["coast"]), width)
        dash = look["borderDash"] if is_near else None
        self._lines(world.features("borders"), color_of(self._colors["border"]), width, dash)
        if self._zoom < LOOK["detailFrom"]:
            return
        for west, south, east, north in areas:
            ring = [(west, south), (east, south), (east, north), (west, north), (west, south)]
            box = self._view.placed(ring)
            clipped = outline_of([np.clip(box[:-1], world.box[:2], world.box[2:])])
            self._canvas.fill(clipped, color_of(self._colors["land"]))
            self._dashes([box], color_of(self._colors["areaEdge"]), 1, look["areaDash"])

    def streets(self, streets: Sheet) -> None:
        """Paint what the tiles of areas have."""
        for entry in chain(LOOK["ground"], LOOK["paths"]):
            self._entry(streets, entry)
        self._roads(streets)
        for entry in LOOK["rails"]:
            self._entry(streets, entry)
        if self._zoom >= _ARROWS_FROM:
            self._arrows(streets)

    def _entry(self, streets: Sheet, entry: Node) -> None:
        first: float = entry["from"] if "from" in entry else LOOK["detailFrom"]
        if self._zoom < first:
            return
        found = list(streets.features(entry["layer"], entry.get("kinds")))
        if "fill" in entry:
            self._polygons(found, color_of(self._ink[entry["fill"]]))
            if "edge" in entry:
                self._edges(found, color_of(self._ink[entry["edge"]]))
            return
        width = size_at(entry["width"], self._zoom, entry.get("base", GROWTH))
        for is_tunnel in (True, False):
            opacity = entry.get("tunnelOpacity", 1.0) if is_tunnel else 1.0
            some = (feature for feature in found if bool(feature.properties.get("tunnel")) == is_tunnel)
            self._lines(some, color_of(self._ink[entry["line"]], opacity), width, entry.get("dash"))

    def _polygons(self, features: Iterable[Drawn], color: Color) -> None:
        rings = [ring for feature in features if feature.kind == POLYGON for ring in feature.parts]
        self._canvas.fill(outline_of(rings), color)

    def _edges(self, features: Iterable[Drawn], color: Color) -> None:
        for box, parts in _by_tile(features):
            closed = [np.concatenate([ring, ring[:1]]) for ring in parts if len(ring)]
            # A building on the edge of a tile is cut there, which is no edge of the building.
            self._canvas.fill(stroke(segments_of(closed, box), self._scale), color)

    def _lines(self, features: Iterable[Drawn], color: Color, width: float, dash: list[float] | None = None) -> None:
        lines = [part for feature in features if feature.kind != POLYGON for part in feature.parts]
        if dash is not None:
            self._dashes(lines, color, width, dash)
        else:
            self._canvas.fill(stroke(self._near(lines), width * self._scale), color)

    def _dashes(self, lines: Iterable[Positions], color: Color, width: float, dash: list[float]) -> None:
        on, off = (length * self._scale for length in dash)
        self._canvas.fill(stroke(dashes_of(lines, self._margins, on, off), width * self._scale), color)

    def _near(self, lines: Iterable[Positions], *, capped: bool = False) -> Segments:
        return segments_of(lines, self._margins, capped=capped)

    def _roads(self, streets: Sheet) -> None:
        """Paint the edges of all roads, then all road bodies above them, so that roads join at crossings."""
        roads = LOOK["roads"]
        kinds = [road for road in roads["kinds"] if self._zoom >= road["from"]]
        found = {road["kinds"][-1]: list(streets.features("roads", road["kinds"])) for road in kinds}
        edges = roads["edges"]
        if self._zoom >= edges["from"]:
            more = edges["near"] if self._zoom >= edges["nearFrom"] else edges["far"]
            for road in kinds:
                if not road.get("edgeless"):
                    self._road(found[road["kinds"][-1]], road, self._ink[edges["line"]], more)
        for road in kinds:
            self._road(found[road["kinds"][-1]], road, self._ink[road["line"]], None)

    def _road(self, features: list[Drawn], road: Node, ink: str, edge: float | None) -> None:
        roads = LOOK["roads"]
        width = size_at(road["width"], self._zoom)
        for is_tunnel in (True, False):
            color = color_of(ink, roads["tunnelOpacity"] if is_tunnel else 1.0)
            for is_link in (True, False):
                lines = [
                    part
                    for feature in features
                    if bool(feature.properties.get("tunnel")) == is_tunnel
                    and bool(feature.properties.get("link")) == is_link
                    for part in feature.parts
                ]
                wide = width * (roads["linkShare"] if is_link else 1) + (edge or 0)
                self._canvas.fill(stroke(self._near(lines, capped=edge is None), wide * self._scale), color)

    def _arrows(self, streets: Sheet) -> None:
        """Paint arrows along one-way roads."""
        rings: list[Positions] = []
        for feature in streets.features("roads"):
            way = feature.properties.get("oneway")
            if not way or feature.properties.get("tunnel"):
                continue
            for part in feature.parts:
                rings += self._along(part[::-1] if way == "-1" else part)
        self._canvas.fill(outline_of(rings), color_of(self._ink["text"], 0.6))

    def _along(self, line: Positions) -> Iterator[Positions]:
        for piece in pieces_within(line, self._margins):
            steps = np.diff(piece, axis=0)
            lengths = np.hypot(steps[:, 0], steps[:, 1])
            along = np.concatenate([[0], np.cumsum(lengths)])
            every = _ARROW_EVERY_PX * self._scale
            for at in np.arange(every / 2, along[-1], every):
                index = min(int(np.searchsorted(along, at, "right")) - 1, len(steps) - 1)
                if lengths[index] >= _LONG_ENOUGH_PX * self._scale:
                    ahead = steps[index] / lengths[index]
                    turn = np.array([[ahead[0], ahead[1]], [-ahead[1], ahead[0]]])
                    yield _ARROW * self._scale @ turn + piece[index] + ahead * (at - along[index])


def _by_tile(features: Iterable[Drawn]) -> Iterator[tuple[Box, list[Any]]]:
    """Yield the parts of the features of each tile."""
    tiles: dict[Box, list[Any]] = {}
    for feature in features:
        tiles.setdefault(feature.box, []).extend(feature.parts)
    yield from tiles.items()
